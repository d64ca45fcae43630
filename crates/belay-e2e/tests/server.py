"""A server of the Model Context Protocol on stdin and stdout, with two tools that say of themselves what they do."""

import json
import sys

TOOLS = [
    {"name": "look", "annotations": {"title": "Look", "readOnlyHint": True, "openWorldHint": False}},
    {"name": "wipe", "annotations": {"title": "Wipe", "readOnlyHint": False, "destructiveHint": True}},
]
for tool in TOOLS:
    tool["description"] = "A tool of the test."
    tool["inputSchema"] = {"type": "object", "properties": {"what": {"type": "string"}}}


def answer(request):
    method = request.get("method")
    if method == "initialize":
        version = request["params"].get("protocolVersion", "2025-06-18")
        about = {"name": "probe", "version": "1"}
        return {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": about}
    if method == "tools/list":
        return {"tools": TOOLS}
    if method == "tools/call":
        return {"content": [{"type": "text", "text": "done"}]}
    return {}


for line in sys.stdin:
    request = json.loads(line)
    if "id" in request:
        reply = {"jsonrpc": "2.0", "id": request["id"], "result": answer(request)}
        print(json.dumps(reply), flush=True)
