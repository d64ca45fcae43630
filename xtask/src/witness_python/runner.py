"""Runs programs under an audit hook and says what they did. Programs come as JSON lines; so do the answers.

Each runs in a process and a folder of its own. What leaves that folder, starts a program or reaches for the
network is noted and refused.
"""

import json
import os
import random
import shutil
import signal
import sys

BASE = os.path.realpath(sys.argv[1])
LIBRARY = tuple({os.path.realpath(p) for p in [sys.prefix, sys.base_prefix, os.path.dirname(os.__file__)]}) + ("/usr/lib/python3", "/usr/share/zoneinfo")
NAMES = {
    "os.remove": ("delete", 1), "os.rmdir": ("delete", 1), "os.rename": ("move", 2), "os.mkdir": ("write", 1),
    "os.chmod": ("write", 1), "os.chown": ("write", 1), "os.truncate": ("write", 1), "os.link": ("link", 2),
    "os.symlink": ("link", 2), "os.utime": ("write", 1), "shutil.rmtree": ("delete", 1),
}
RUNS = {"subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "pty.spawn"}
NET = {"socket.connect", "socket.bind", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto", "smtplib.connect", "ftplib.connect", "urllib.Request", "http.client.connect"}
OTHER = {"ctypes.dlopen", "pickle.find_class", "os.kill", "os.putenv"}


def place(path, cwd):
    if isinstance(path, int):
        return None
    path = os.fspath(path)
    if isinstance(path, bytes):
        path = path.decode("utf-8", "replace")
    return os.path.normpath(os.path.join(cwd, path))


def hook(report, project):
    busy = []

    def note(act):
        os.write(report, (json.dumps(act) + "\n").encode())

    def refuse(path):
        if path is not None and not path.startswith(project):
            raise PermissionError("refused: " + path)

    def seen(event, args):
        if busy:
            return
        busy.append(1)
        try:
            one(event, args)
        finally:
            busy.pop()

    def one(event, args):
        if event == "open":
            path, mode, flags = args
            where = place(path, os.getcwd())
            if where is None or where.startswith(LIBRARY) or where.startswith("/proc") or "__pycache__" in where or where in ("/dev/null", "/dev/urandom", "/etc/localtime"):
                return
            if flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND):
                note(["write", where])
                refuse(where)
            else:
                note(["read", where])
        elif event in NAMES:
            verb, count = NAMES[event]
            paths = [place(it, os.getcwd()) for it in args[:count]]
            if any(it is None or it.startswith("/dev") for it in paths):
                return
            note([verb, *paths])
            for path in paths if verb != "link" else paths[1:]:
                refuse(path)
        elif event in RUNS:
            words = args[0] if event == "os.system" else args[1] if len(args) > 1 else event
            if isinstance(words, bytes):
                words = words.decode("utf-8", "replace")
            if not isinstance(words, str):
                words = [os.fsdecode(it) for it in words]
            note(["run", words])
            raise PermissionError("refused to run")
        elif event in NET:
            note(["net", event, repr(args)[:200]])
            raise PermissionError("refused to connect")
        elif event in OTHER and event != "os.putenv":
            note(["other", event])
            raise PermissionError("refused")

    sys.addaudithook(seen)


def run(program, number):
    project = os.path.join(BASE, f"p{number}", "proj")
    os.makedirs(os.path.join(project, "src"))
    for name in ("a.txt", "b.txt", "src/c.txt", "src/d.py", "e.json"):
        with open(os.path.join(project, name), "w") as file:
            file.write('{"a": 1}' if name.endswith("json") else "x = 1\n")
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        sink = os.open("/dev/null", os.O_RDWR)
        for fd in (0, 1, 2):
            os.dup2(sink, fd)
        os.chdir(project)
        os.environ["HOME"] = os.path.join(BASE, f"p{number}", "home")
        sys.argv[:] = ["-c"]
        sys.path.insert(0, "")
        random.seed(number)
        signal.alarm(4)
        code = compile(program, "<program>", "exec")
        hook(writing, project)
        try:
            exec(code, {"__name__": "__main__"})
        except BaseException:
            pass
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as lines:
        acts = [json.loads(it) for it in lines]
    os.waitpid(child, 0)
    shutil.rmtree(os.path.join(BASE, f"p{number}"), ignore_errors=True)
    return {"acts": acts, "project": project, "home": os.path.join(BASE, f"p{number}", "home")}


def main():
    for number, line in enumerate(sys.stdin):
        program = json.loads(line)
        try:
            compile(program, "<program>", "exec")
            answer = run(program, number)
        except (SyntaxError, ValueError):
            answer = {"acts": [], "project": "", "home": "", "refused": True}
        print(json.dumps(answer), flush=True)


main()
