//! What names stand for: imports and plain assignments.

use std::collections::BTreeMap;

use super::tokens::Token;

/// The names of a program.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// Names that stand for a module or a member of one: `o` for `os`, `run` for `subprocess.run`.
    pub(super) modules: BTreeMap<String, String>,
    /// Names that stand for one of a few texts or paths; `None` when they may be anything.
    pub(super) texts: BTreeMap<String, Option<Vec<String>>>,
}

/// Modules that reach outside and are not read here.
const CLOSED: [&str; 85] = [
    "IPython",
    "MySQLdb",
    "__builtin__",
    "_ctypes",
    "_pickle",
    "_posixsubprocess",
    "_socket",
    "azure",
    "bdb",
    "boto3",
    "botocore",
    "builtins",
    "cPickle",
    "cProfile",
    "cffi",
    "cloudpickle",
    "code",
    "codeop",
    "ctypes",
    "dill",
    "distutils",
    "docker",
    "doctest",
    "ensurepip",
    "fabric",
    "fcntl",
    "ftplib",
    "gc",
    "imaplib",
    "imp",
    "importlib",
    "invoke",
    "joblib",
    "keyring",
    "kubernetes",
    "marshal",
    "mmap",
    "multiprocessing",
    "nbconvert",
    "nbformat",
    "nntplib",
    "nt",
    "paramiko",
    "pdb",
    "peewee",
    "pexpect",
    "pickle",
    "pip",
    "pkgutil",
    "playwright",
    "plumbum",
    "poplib",
    "posix",
    "profile",
    "psutil",
    "psycopg",
    "psycopg2",
    "ptpython",
    "pty",
    "pyautogui",
    "pymongo",
    "pymysql",
    "readline",
    "redis",
    "resource",
    "runpy",
    "selenium",
    "setuptools",
    "sh",
    "shelve",
    "signal",
    "site",
    "smtplib",
    "socket",
    "socketserver",
    "sqlalchemy",
    "ssl",
    "telnetlib",
    "termios",
    "timeit",
    "trace",
    "venv",
    "webbrowser",
    "xmlrpc",
    "zipimport",
];

impl Names {
    /// Gathers names; `None` when a module is imported that is not read here, or everything of one.
    pub(super) fn of(tokens: &[Token]) -> Option<Self> {
        let mut names = Self::default();
        for line in tokens.split(|it| *it == Token::End) {
            names.line(line)?;
        }
        for name in spoiled(tokens) {
            if let Some(texts) = names.texts.get_mut(&name) {
                *texts = None;
            }
        }
        Some(names)
    }

    fn line(&mut self, line: &[Token]) -> Option<()> {
        for (at, token) in line.iter().enumerate() {
            let starts = at == 0 || matches!(line.get(at - 1), Some(Token::Mark(':')));
            let Token::Name(word) = token else { continue };
            match word.as_str() {
                "import" if starts => return self.import(line.get(at + 1..)?),
                "from" if starts => return self.from(line.get(at + 1..)?),
                "for" => self.looped(line.get(at + 1..)?),
                _ => {}
            }
        }
        self.assigned(line);
        Some(())
    }

    /// `import a.b as c, d`
    fn import(&mut self, rest: &[Token]) -> Option<()> {
        for part in rest.split(|it| *it == Token::Mark(',')) {
            let (path, alias) = dotted_as(part)?;
            open(&path)?;
            let (name, meaning) = match alias {
                Some(alias) => (alias, path),
                None => {
                    let top = path.split('.').next()?.to_owned();
                    (top.clone(), top)
                }
            };
            self.modules.insert(name, meaning);
        }
        Some(())
    }

    /// `from a.b import c as d, e`
    fn from(&mut self, rest: &[Token]) -> Option<()> {
        let at = rest
            .iter()
            .position(|it| *it == Token::Name("import".to_owned()))?;
        let module = dotted(rest.get(..at)?);
        open(&module)?;
        let members = rest.get(at + 1..)?;
        for part in members.split(|it| *it == Token::Mark(',')) {
            let part: Vec<Token> = part
                .iter()
                .filter(|it| !matches!(it, Token::Mark('(' | ')')))
                .cloned()
                .collect();
            if part.is_empty() {
                continue;
            }
            if part == [Token::Mark('*')] {
                return if reaches(&module) { None } else { Some(()) };
            }
            let (member, alias) = dotted_as(&part)?;
            let meaning = format!("{module}.{member}");
            open(&meaning)?;
            self.modules.insert(alias.unwrap_or(member), meaning);
        }
        Some(())
    }

    /// `NAME = 'text'`, `NAME = Path('text')`
    fn assigned(&mut self, line: &[Token]) {
        let [Token::Name(name), Token::Mark('='), rest @ ..] = line else {
            return;
        };
        if matches!(rest.first(), Some(Token::Mark('='))) {
            return;
        }
        let texts = match rest {
            [Token::Text(text)] => Some(vec![text.clone()]),
            [
                ..,
                Token::Name(path),
                Token::Mark('('),
                Token::Text(text),
                Token::Mark(')'),
            ] if path == "Path" && rest.len() <= 6 => Some(vec![text.clone()]),
            _ => None,
        };
        let known = match (self.texts.remove(name), texts) {
            (None, texts) => texts,
            (Some(Some(mut before)), Some(texts)) => {
                before.extend(texts);
                Some(before)
            }
            (Some(_), _) => None,
        };
        self.texts.insert(name.clone(), known);
    }

    /// `for NAME in ['a', 'b']:`
    fn looped(&mut self, rest: &[Token]) {
        let [
            Token::Name(name),
            Token::Name(word),
            Token::Mark('[' | '('),
            items @ ..,
        ] = rest
        else {
            return;
        };
        let end = items
            .iter()
            .position(|it| matches!(it, Token::Mark(']' | ')')));
        let items = items.get(..end.unwrap_or(0)).unwrap_or_default();
        let texts: Option<Vec<String>> = items
            .iter()
            .filter(|it| **it != Token::Mark(','))
            .map(|it| match it {
                Token::Text(text) => Some(text.clone()),
                _ => None,
            })
            .collect();
        if word == "in" {
            let known = texts.filter(|it| !it.is_empty() && !self.texts.contains_key(name));
            self.texts.insert(name.clone(), known);
        }
    }

    /// Returns the texts an expression stands for; `None` when it may be anything.
    pub(super) fn texts(&self, expression: &[Token]) -> Option<Vec<String>> {
        match expression {
            [Token::Text(text)] => Some(vec![text.clone()]),
            [Token::Name(name)] => self.texts.get(name).cloned().flatten(),
            [
                Token::Name(name),
                Token::Mark('('),
                inner @ ..,
                Token::Mark(')'),
            ] if name == "Path" || name == "str" => self.texts(inner),
            [
                Token::Name(os),
                Token::Mark('.'),
                Token::Name(path),
                Token::Mark('.'),
                Token::Name(expands),
                Token::Mark('('),
                inner @ ..,
                Token::Mark(')'),
            ] if os == "os" && path == "path" && expands == "expanduser" => self.texts(inner),
            [
                Token::Name(path),
                Token::Mark('.'),
                Token::Name(home),
                Token::Mark('('),
                Token::Mark(')'),
            ] if path == "Path" && home == "home" => Some(vec!["~".to_owned()]),
            _ => None,
        }
    }
}

/// Returns the names that are bound in other ways than those that are read: they may be anything.
fn spoiled(tokens: &[Token]) -> Vec<String> {
    let mut out = Vec::new();
    for line in tokens.split(|it| *it == Token::End) {
        bound(line, &mut out);
        let equals = assignment(line);
        let simple = matches!(line, [Token::Name(_), Token::Mark('='), ..]);
        if let Some(at) = equals
            && !simple
        {
            out.extend(line.iter().take(at).filter_map(name));
        }
    }
    out
}

/// Adds names that keywords bind: `as`, `def`, `lambda`, `global`, `del`, `:=` and loops not read.
fn bound(line: &[Token], out: &mut Vec<String>) {
    for (at, token) in line.iter().enumerate() {
        let rest = line.get(at + 1..).unwrap_or_default();
        match token {
            Token::Name(word)
                if matches!(
                    word.as_str(),
                    "as" | "global" | "nonlocal" | "del" | "class"
                ) =>
            {
                out.extend(rest.first().and_then(name))
            }
            Token::Name(word) if matches!(word.as_str(), "def" | "lambda") => {
                let until = rest
                    .iter()
                    .position(|it| *it == Token::Mark(':'))
                    .unwrap_or(rest.len());
                out.extend(rest.iter().take(until).filter_map(name));
            }
            Token::Name(word) if word == "for" && !literal_loop(rest) => {
                let until = rest
                    .iter()
                    .position(|it| *it == Token::Name("in".to_owned()))
                    .unwrap_or(0);
                out.extend(rest.iter().take(until).filter_map(name));
            }
            Token::Name(word) if matches!(rest, [Token::Mark(':'), Token::Mark('='), ..]) => {
                out.push(word.clone())
            }
            Token::Name(_)
            | Token::Text(_)
            | Token::Made
            | Token::Number
            | Token::Mark(_)
            | Token::End => {}
        }
    }
}

fn name(token: &Token) -> Option<String> {
    match token {
        Token::Name(name) => Some(name.clone()),
        Token::Text(_) | Token::Made | Token::Number | Token::Mark(_) | Token::End => None,
    }
}

/// Tells whether a loop runs over a list that is written out.
fn literal_loop(rest: &[Token]) -> bool {
    matches!(rest, [Token::Name(_), Token::Name(word), Token::Mark('[' | '('), ..] if word == "in")
}

/// Returns where an assignment's `=` stands, outside of brackets.
fn assignment(line: &[Token]) -> Option<usize> {
    let mut depth = 0;
    for (at, token) in line.iter().enumerate() {
        match token {
            Token::Mark('(' | '[' | '{') => depth += 1,
            Token::Mark(')' | ']' | '}') => depth -= 1,
            Token::Mark('=') if depth == 0 => {
                let compares = matches!(line.get(at + 1), Some(Token::Mark('=')))
                    || at > 0
                        && matches!(line.get(at - 1), Some(Token::Mark('=' | '!' | '<' | '>')));
                if !compares {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

/// Tells whether a module may be imported.
fn open(path: &str) -> Option<()> {
    let top = path.split('.').next()?;
    (!CLOSED.contains(&top)).then_some(())
}

/// Tells whether a module has members that reach outside.
pub(super) fn reaches(module: &str) -> bool {
    let top = module.split('.').next().unwrap_or(module);
    matches!(
        top,
        "os" | "subprocess"
            | "shutil"
            | "pathlib"
            | "urllib"
            | "requests"
            | "httpx"
            | "http"
            | "aiohttp"
            | "tempfile"
            | "sys"
            | "sqlite3"
            | "io"
            | "codecs"
            | "fileinput"
            | "zipfile"
            | "tarfile"
            | "asyncio"
            | "glob"
    )
}

fn dotted(tokens: &[Token]) -> String {
    tokens
        .iter()
        .map(|it| match it {
            Token::Name(name) => name.clone(),
            Token::Mark(c) => c.to_string(),
            Token::Text(_) | Token::Made | Token::Number | Token::End => String::new(),
        })
        .collect()
}

fn dotted_as(tokens: &[Token]) -> Option<(String, Option<String>)> {
    let at = tokens
        .iter()
        .position(|it| *it == Token::Name("as".to_owned()));
    let path = dotted(tokens.get(..at.unwrap_or(tokens.len()))?);
    let alias = match at.map(|it| tokens.get(it + 1..)) {
        None => None,
        Some(Some([Token::Name(alias)])) => Some(alias.clone()),
        Some(_) => return None,
    };
    (!path.is_empty()).then_some((path, alias))
}
