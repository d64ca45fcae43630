"""Runs the SQL of docs/guide/journal.md with DuckDB over a journal that BELAY wrote: python3 tests/page/recipes.py BELAY"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

root = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(root / ".cache/browser/python"))
import duckdb  # noqa: E402

belay = sys.argv[1]
with tempfile.TemporaryDirectory() as home:
    project = pathlib.Path(home, "project")
    project.mkdir()
    for at, command in enumerate(["ls", "npm publish", "npm publish", "rm -rf ~"]):
        call = {"session_id": "s", "cwd": str(project), "hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": f"t{at}"}
        words = [belay, "hook", "claude-code", "--home", home]
        subprocess.run(words, input=json.dumps(call), text=True, capture_output=True, env={"HOME": home, "PATH": "/usr/bin:/bin"})
    text = (root / "docs/guide/journal.md").read_text()
    queries = [it.strip() for block in re.findall(r"```sql\n(.*?)```", text, re.S) for it in block.split(";") if it.strip()]
    expected = [[("allow", 1), ("ask", 2), ("deny", 1)], None, None]
    assert len(queries) == len(expected), queries
    for query, rows in zip(queries, expected):
        found = duckdb.sql(query.replace("~", home)).fetchall()
        assert found and (rows is None or found == rows), (query, found)
        print("ok", query.splitlines()[0], "->", found)
