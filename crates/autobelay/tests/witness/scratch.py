"""What the witnesses of databases share: a user who is nobody in a folder of their own, and programs run one after the other."""
import json
import os
import subprocess

NOBODY = 65534


def settle(root, work):
    """Makes the folders, and lets go of root's rights: servers refuse to run with them."""
    os.makedirs(work)
    if os.getuid() == 0:
        for path in (root, work):
            os.chown(path, NOBODY, NOBODY)
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    # Whoever started us may have a temporary folder that nobody may enter.
    os.environ["TMPDIR"] = root
    os.environ["HOME"] = work


def run(words, root):
    """Runs a step of the set-up; what it said is shown if it fails."""
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=root)
    if done.returncode:
        raise SystemExit(f"{words[0]} failed:\n{done.stdout}")


def start(words, root):
    """Starts a server."""
    return subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=root)


def ask(words, text, work, cwd):
    """Gives a client its program and returns what it printed."""
    surroundings = {"PATH": "/usr/bin:/bin", "HOME": work, "PAGER": "cat"}
    return subprocess.run(words, input=text, capture_output=True, text=True, cwd=cwd, timeout=20, env=surroundings).stdout


def empty(work):
    """Leaves nothing in the folder but a file of statements."""
    for name in os.listdir(work):
        os.remove(f"{work}/{name}")
    with open(f"{work}/drop.sql", "w") as file:
        file.write("DROP VIEW v;\n")


def files(work):
    return sorted((name, os.path.getsize(f"{work}/{name}")) for name in os.listdir(work))


def judge(count, program, carry_out, state, fresh):
    """Lets programs run and prints of each what it changed."""
    fresh()
    before = state()
    for _ in range(count):
        text, harmless = program()
        try:
            carry_out(text)
        except subprocess.TimeoutExpired:
            pass
        after = state()
        print(json.dumps({"program": text, "harmless": harmless, "changed": after != before}), flush=True)
        if after != before:
            fresh()
            before = state()
