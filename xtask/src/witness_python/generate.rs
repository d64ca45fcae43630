//! Makes Python programs by chance: one way to come by a path, one way to come by a function, one act.

use std::fmt::Write as _;

/// Numbers by chance, from a seed.
pub struct Chance(u64);

impl Chance {
    /// Starts at a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed | 1)
    }

    /// Returns a number below another.
    pub fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 11).unwrap_or(0) % most.max(1)
    }

    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of.get(self.below(of.len())).copied().unwrap_or_default()
    }
}

/// A program, and whether it only looks at and writes files of the project.
pub struct Program {
    pub text: String,
    pub harmless: bool,
}

/// Makes one program.
pub fn program(chance: &mut Chance) -> Program {
    let harmless = chance.below(2) == 0;
    let mut maker = Maker {
        chance,
        text: "import os, sys, shutil, subprocess, random, functools, json, base64\nfrom pathlib import Path\n".to_owned(),
        count: 0,
        harmless,
    };
    for _ in 0..=maker.chance.below(3) {
        maker.statement();
    }
    Program {
        text: maker.text,
        harmless,
    }
}

struct Maker<'a> {
    chance: &'a mut Chance,
    text: String,
    count: usize,
    harmless: bool,
}

const NEAR: [&str; 6] = [
    "a.txt",
    "src/c.txt",
    "out.txt",
    "src/d.py",
    "e.json",
    "src/new.txt",
];
const FAR: [&str; 6] = [
    "/tmp/far/x",
    "../other/y",
    "/home/dev/.bashrc",
    "/etc/hosts",
    "../../z",
    "/tmp/far/src",
];

impl Maker<'_> {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{text}");
    }

    fn fresh(&mut self) -> String {
        self.count += 1;
        format!("v{}", self.count)
    }

    fn target(&mut self) -> String {
        let far = !self.harmless && self.chance.below(2) == 0;
        self.chance.pick(if far { &FAR } else { &NEAR }).to_owned()
    }

    /// Returns an expression for a path, and writes what it needs first.
    fn path(&mut self) -> String {
        let target = self.target();
        let other = self.target();
        let name = self.fresh();
        let (left, right) = target.split_at(target.len() / 2);
        let (folder, base) = target.rsplit_once('/').unwrap_or((".", &target));
        let kinds = if self.harmless { 24 } else { 34 };
        match self.chance.below(kinds) {
            0 => format!("'{target}'"),
            1 => format!("'{left}' + '{right}'"),
            2 => {
                self.line(&format!("{name} = '{left}'"));
                format!("f'{{{name}}}{right}'")
            }
            3 => format!("''.join(['{left}', '{right}'])"),
            4 => format!("'%s/%s' % ('{folder}', '{base}')"),
            5 => format!("'{{}}/{{}}'.format('{folder}', '{base}')"),
            6 => format!("os.path.join('{folder}', '{base}')"),
            7 => format!("str(Path('{folder}') / '{base}')"),
            8 => {
                self.line(&format!("if random.random() < .5:\n    {name} = '{target}'\nelse:\n    {name} = '{other}'"));
                name
            }
            9 => {
                self.line(&format!("for {name} in ['{other}', '{target}']:\n    pass"));
                name
            }
            10 => {
                self.line(&format!(
                    "def f{name}(x):\n    return x\n{name} = f{name}('{target}')"
                ));
                name
            }
            11 => format!("{{'k': '{target}', 'l': '{other}'}}['k']"),
            12 => format!("['{other}', '{target}'][1]"),
            13 => {
                self.line(&format!("class C{name}:\n    p = '{target}'"));
                format!("C{name}.p")
            }
            14 => format!("(lambda x: x)('{target}')"),
            15 => format!("('{target}' if random.random() < .5 else '{other}')"),
            16 => {
                self.line(&format!(
                    "{name} = []\nw{name} = {name}\nw{name}.append('{target}')"
                ));
                format!("{name}[0]")
            }
            17 => {
                self.line(&format!("def g{name}():\n    yield '{target}'"));
                format!("next(g{name}())")
            }
            18 => {
                self.line(&format!("try:\n    {name} = '{other}'\n    1 / random.choice([0, 1])\nexcept ZeroDivisionError:\n    {name} = '{target}'"));
                name
            }
            19 => {
                self.line(&format!("{name} = '{other}'\ndef h{name}():\n    global {name}\n    {name} = '{target}'\nif random.random() < .5:\n    h{name}()"));
                name
            }
            20 => {
                self.line(&format!("def k{name}(**kw):\n    return kw['p']"));
                format!("k{name}(**{{'p': '{target}'}})")
            }
            21 => format!("({name} := '{target}')"),
            22 => format!("[p for p in ('{target}', '{other}')][0]"),
            23 => format!("' {target} '.strip().replace('zz', 'y')"),
            24 => {
                self.line(&format!("match random.choice([1, 2]):\n    case 1:\n        {name} = '{target}'\n    case _:\n        {name} = '{other}'"));
                name
            }
            25 => {
                self.line(&format!("class D{name}:\n    def __init__(self, p):\n        self.p = p\n    def get(self):\n        return self.p\n{name} = D{name}('{target}')"));
                format!("{name}.get()")
            }
            26 => format!("'{target}'[::-1][::-1]"),
            27 => format!("json.loads(json.dumps('{target}'))"),
            28 => {
                self.line(&format!(
                    "def m{name}(p='{target}'):\n    def n():\n        return p\n    return n"
                ));
                format!("m{name}()()")
            }
            29 => {
                self.line(&format!("{name} = '{other}'\nfor _ in range(random.choice([0, 1, 3])):\n    {name} = '{target}'"));
                name
            }
            30 => {
                self.line(&format!("{name}, w{name} = '{target}', 1"));
                name
            }
            31 => {
                self.line(&format!("def d{name}(f):\n    return lambda: f() + ''\n@d{name}\ndef e{name}():\n    return '{target}'"));
                format!("e{name}()")
            }
            32 => format!("functools.reduce(lambda a, b: a + b, ['{left}', '{right}'])"),
            _ => format!("dict(zip(['k'], ['{target}'])).get('k')"),
        }
    }

    fn statement(&mut self) {
        let path = self.path();
        let act = if self.harmless {
            self.look(&path)
        } else {
            self.harm(&path)
        };
        let name = self.fresh();
        match self.chance.below(6) {
            0 => self.line(&format!("try:\n    {act}\nexcept Exception:\n    pass")),
            1 => self.line(&format!("def do{name}():\n    try:\n        {act}\n    except OSError:\n        pass\ndo{name}()")),
            2 => self.line(&format!("for i{name} in range(2):\n    try:\n        {act}\n    except Exception:\n        pass")),
            3 => self.line(&format!("if random.random() < .8:\n    try:\n        {act}\n    except Exception:\n        pass")),
            4 => self.line(&format!("class W{name}:\n    def go(self):\n        {act}\ntry:\n    W{name}().go()\nexcept Exception:\n    pass")),
            _ => self.line(&format!("[x for x in [1] if ({name} := 1)]\ntry:\n    {act}\nexcept Exception:\n    pass")),
        }
    }

    fn look(&mut self, path: &str) -> String {
        match self.chance.below(8) {
            0 => format!("print(open({path}).read())"),
            1 => format!("print(Path({path}).read_text())"),
            2 => format!("open({path}, 'w').write('x')"),
            3 => format!("Path({path}).write_text('y')"),
            4 => format!("print(os.path.exists({path}), os.path.basename({path}))"),
            5 => format!("print(len(json.dumps({{'p': {path}}})))"),
            6 => format!("sys.stdout.write(str(Path({path}).suffix))"),
            _ => format!("print([l.strip() for l in open({path}, errors='ignore')][:3])"),
        }
    }

    fn harm(&mut self, path: &str) -> String {
        match self.chance.below(12) {
            0 => format!("open({path}, 'w').write('x')"),
            1 => format!("open({path}).read()"),
            2 => format!("Path({path}).write_text('x')"),
            3 => format!("Path({path}).unlink()"),
            4 => format!("os.makedirs({path})"),
            5 => format!("os.rename({path}, 'moved')"),
            6 => format!("shutil.copy('a.txt', {path})"),
            7 => format!("shutil.rmtree({path})"),
            8 => format!("subprocess.run(['rm', '-rf', {path}])"),
            9 => format!("os.system('cat ' + {path})"),
            10 => format!("Path({path}).rename('moved')"),
            _ => {
                let remove = self.function();
                format!("{remove}({path})")
            }
        }
    }

    /// Returns an expression for `os.remove`.
    fn function(&mut self) -> String {
        let name = self.fresh();
        match self.chance.below(10) {
            0 => "os.remove".to_owned(),
            1 => {
                self.line(&format!("from os import remove as {name}"));
                name
            }
            2 => {
                self.line(&format!("{name} = os.remove"));
                name
            }
            3 => "{'k': os.remove}['k']".to_owned(),
            4 => "getattr(os, 'remove')".to_owned(),
            5 => "(lambda p: os.remove(p))".to_owned(),
            6 => "(lambda p: list(map(os.remove, [p])))".to_owned(),
            7 => {
                self.line(&format!("class F{name}:\n    f = staticmethod(os.remove)"));
                format!("F{name}.f")
            }
            8 => "functools.partial(os.remove)".to_owned(),
            _ => {
                self.line(&format!(
                    "def r{name}(*a, **k):\n    return os.remove(*a, **k)"
                ));
                format!("r{name}")
            }
        }
    }
}
