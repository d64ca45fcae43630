"""Plays a person at the terminal of Claude Code: `person.py CLAUDE HOME PROJECT URL UNTIL SECONDS [KEYS...]`.

Each time the client asks, the next keys are typed. Ends when the file UNTIL is there, or after the time; prints how often a question was
answered, and whether the file is there. Only the scripted server is spoken to.
"""
import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time

claude, home, project, url, until, seconds, *keys = sys.argv[1:]
os.makedirs(home + "/.claude", exist_ok=True)
known = {
    "hasCompletedOnboarding": True,
    "theme": "dark",
    "customApiKeyResponses": {"approved": ["dummy"], "rejected": []},
    "bypassPermissionsModeAccepted": True,
    "projects": {project: {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}},
}
for file in (home + "/.claude.json", home + "/.claude/.claude.json"):
    with open(file, "w") as out:
        json.dump(known, out)
env = {
    "PATH": os.environ["PATH"],
    "HOME": home,
    "CLAUDE_CONFIG_DIR": home + "/.claude",
    "ANTHROPIC_BASE_URL": url,
    "ANTHROPIC_API_KEY": "dummy",
    "TERM": "xterm-256color",
    "IS_SANDBOX": "1",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "DISABLE_TELEMETRY": "1",
    "DISABLE_AUTOUPDATER": "1",
    "DISABLE_ERROR_REPORTING": "1",
}
pid, terminal = pty.fork()
if pid == 0:
    os.chdir(project)
    os.execve(claude, ["claude", "run it"], env)
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 160, 0, 0))
seen, typed, begun, done = b"", 0, time.time(), None
while time.time() - begun < float(seconds) and not (done and time.time() - done > 1):
    if select.select([terminal], [], [], 0.3)[0]:
        try:
            seen += os.read(terminal, 65536)
        except OSError:
            break
    text = re.sub(rb"\x1b\[[0-9;?]*[a-zA-Z]|\x1b\][^\x07]*\x07", b" ", seen)
    if b"Do you want" in text and typed < len(keys):
        time.sleep(0.8)
        os.write(terminal, keys[typed].encode())
        typed, seen = typed + 1, b""
    if os.path.exists(until) and not done:
        done = time.time()
os.kill(pid, signal.SIGKILL)
os.waitpid(pid, 0)
print(json.dumps({"answered": typed, "done": os.path.exists(until)}))
