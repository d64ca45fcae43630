"""Asks belay before a tool runs. For a harness of your own; standard library only.

    from gate import judge
    verdict = judge("Bash", {"command": "rm -rf build"}, cwd="/path/of/project")
    if verdict.allowed: ...

Whatever goes wrong (belay is missing, late, killed, says something odd) is a denial.
"""

import json
import subprocess
from dataclasses import dataclass

DEADLINE_SECONDS = 60


@dataclass(frozen=True)
class Verdict:
    word: str  # "allow", "ask" or "deny"
    reason: str

    @property
    def allowed(self) -> bool:
        return self.word == "allow"


def judge(tool: str, input: dict, *, cwd: str, session: str = "", headless: bool = True) -> Verdict:
    """Returns what may happen to a call. With `headless`, nobody can be asked: ask becomes deny."""
    call = {"tool": tool, "input": input, "cwd": cwd, "project_root": cwd, "headless": headless}
    if session:
        call["session"] = session
    try:
        done = subprocess.run(
            ["belay", "hook", "generic"],
            input=json.dumps(call).encode(),
            capture_output=True,
            timeout=DEADLINE_SECONDS,
        )
        said = json.loads(done.stdout)
        word = {0: "allow", 10: "ask", 20: "deny"}[done.returncode]
        if said["verdict"] is None:  # belay is switched off or only observes
            return Verdict("allow", "no opinion")
        if said["verdict"] != word:
            return Verdict("deny", "belay contradicts itself")
        return Verdict(word, said["reason"])
    except (OSError, subprocess.TimeoutExpired, ValueError, KeyError, TypeError) as error:
        return Verdict("deny", f"belay gave no answer: {error}")


if __name__ == "__main__":
    import os
    import sys

    answer = judge("Bash", {"command": " ".join(sys.argv[1:])}, cwd=os.getcwd())
    print(f"{answer.word}: {answer.reason}")
    sys.exit(0 if answer.allowed else 1)
