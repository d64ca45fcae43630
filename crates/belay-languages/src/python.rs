//! Python: what a short program does to files, programs and the net.
//!
//! Not a parser but a reader of words: harm needs a name (a builtin, a module, an attribute), and every
//! such name must be one that is understood where it stands. Anything that could hide a name (`getattr`,
//! `__dict__`, `eval`, `importlib`) makes the program unreadable. Modules of the project and of others
//! are the project's own code.

mod arguments;
mod calls;
mod modules;
mod names;
mod tokens;

use crate::Doing;

/// Reads a Python program.
pub(crate) fn read(code: &str) -> Option<Vec<Doing>> {
    let tokens = tokens::tokens(code)?;
    let names = names::Names::of(&tokens)?;
    calls::doings(&tokens, &names)
}

#[cfg(test)]
mod tests {
    use super::read;
    use crate::Doing;

    #[test]
    fn harmless_programs() {
        for code in [
            "print(1)",
            "import json,sys; print(json.load(sys.stdin)['a'])",
            "import re\nfor m in re.findall(r'a\\d', 'x'):\n    print(m)",
            "from myapp.models import X\nprint(X().go())",
            "import os; print(os.path.join('a', 'b'), os.getcwd())",
            "xs = [1]; xs.remove(1); xs.append(2)",
            "print(f\"{1 + 2} {'a'!r:>{10}}\")",
            "import ast; print(ast.dump(ast.parse('x')))",
            "import re; p = re.compile('x'); print(p.match('x'))",
            "import sys; sys.path.insert(0, 'src'); import mine",
            "model.eval()",
            "import numpy as np; print(np.zeros(3))",
            "def f(a):\n    '''doc: os.system'''\n    return a  # eval(x)\n",
        ] {
            assert_eq!(read(code), Some(Vec::new()), "{code}");
        }
    }

    #[test]
    fn files_and_programs() {
        let text = |it: &str| Some(it.to_owned());
        for (code, doing) in [
            ("open('a.txt').read()", Doing::Read("a.txt".to_owned())),
            ("open('a.txt', 'w').write('x')", Doing::Write(text("a.txt"))),
            (
                "with open(\"a\", mode='a') as f: f.write('x')",
                Doing::Write(text("a")),
            ),
            (
                "p = 'src/a.py'\nopen(p, 'w').write('x')",
                Doing::Write(text("src/a.py")),
            ),
            ("open(x, 'w')", Doing::Write(None)),
            (
                "p = 'a'\np += '/../../etc/x'\nopen(p, 'w')",
                Doing::Write(None),
            ),
            (
                "p = 'a'\nfor p in xs:\n    open(p, 'w')",
                Doing::Write(None),
            ),
            ("p = 'a'\ndef f(p):\n    open(p, 'w')", Doing::Write(None)),
            (
                "import pandas as pd\npd.DataFrame().to_csv('/etc/x')",
                Doing::Write(text("/etc/x")),
            ),
            (
                "from pathlib import Path\np = Path('a.py')\np.write_text(p.read_text().replace('a','b'))",
                Doing::Write(text("a.py")),
            ),
            (
                "from pathlib import Path\nfor n in ['a', 'b']:\n    Path(n).write_text('')",
                Doing::Write(text("b")),
            ),
            (
                "import pathlib\npathlib.Path('/etc/x').unlink()",
                Doing::Delete(text("/etc/x"), false),
            ),
            ("import os; os.remove('a')", Doing::Delete(text("a"), false)),
            (
                "import os as o; o.system('rm -rf x')",
                Doing::Run(text("rm -rf x")),
            ),
            ("from os import system as s; s(cmd)", Doing::Run(None)),
            (
                "import shutil; shutil.rmtree('/home/me')",
                Doing::Delete(text("/home/me"), true),
            ),
            (
                "import subprocess; subprocess.run(['rm', '-rf', 'a b'])",
                Doing::Run(text("'rm' '-rf' 'a b'")),
            ),
            (
                "import subprocess as sp\nsp.check_output('ls x', shell=True)",
                Doing::Run(text("ls x")),
            ),
            ("import subprocess; subprocess.run(cmd)", Doing::Run(None)),
            (
                "import urllib.request\nurllib.request.urlopen('http://localhost:3000/a')",
                Doing::Fetch(text("http://localhost:3000/a")),
            ),
            (
                "import requests; requests.post('https://x.test', json={})",
                Doing::Send(text("https://x.test")),
            ),
        ] {
            let found = read(code);
            assert!(
                found.as_ref().is_some_and(|it| it.contains(&doing)),
                "{code}: {found:?}"
            );
        }
    }

    #[test]
    fn what_could_hide_a_name_is_not_read() {
        for code in [
            "eval('1')",
            "exec(open('x').read())",
            "getattr(os, 'sys' + 'tem')('x')",
            "__import__('os').system('x')",
            "import importlib; importlib.import_module('os').system('x')",
            "import pathlib; pathlib.os.system('x')",
            "import sys; sys.modules['os'].system('x')",
            "().__class__.__bases__[0].__subclasses__()",
            "import ctypes",
            "import pickle; pickle.loads(x)",
            "from os import *",
            "import os; f = os.system; f('x')",
            "import os; os.execv('x', [])",
            "print('a",
            "print(f\"{__import__('os').system('x')}\")",
            "o = open; o('/etc/passwd', 'w')",
            "import socket; socket.socket()",
            "import builtins",
            "\\x65val('1')",
            "import os; x = os; x.system('x')",
            "import sys; sys.path.insert(0, '/tmp/x'); import evil",
            "import timeit; timeit.timeit('1')",
            "import inspect; inspect.currentframe().f_globals",
            "import functools, os; functools.partial(os.remove, 'x')",
        ] {
            assert_eq!(read(code), None, "{code}");
        }
    }
}
