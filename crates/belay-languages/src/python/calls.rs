//! What calls do, for every name that can reach outside.

use super::arguments::{arguments, each};
use super::modules::{files, net, opened, program, super_os};
use super::names::Names;
use super::tokens::Token;
use crate::Doing;

/// Builtins that can hide a name, or do anything at all.
const HIDING: [&str; 12] = [
    "eval",
    "exec",
    "compile",
    "__import__",
    "getattr",
    "setattr",
    "delattr",
    "globals",
    "locals",
    "vars",
    "breakpoint",
    "__builtins__",
];

/// Members that lead from one thing to everything.
const LEADING: [&str; 27] = [
    "modules",
    "settrace",
    "setprofile",
    "addaudithook",
    "load_module",
    "exec_module",
    "import_module",
    "meta_path",
    "path_hooks",
    "f_globals",
    "f_builtins",
    "f_locals",
    "f_back",
    "func_globals",
    "gi_frame",
    "cr_frame",
    "tb_frame",
    "_getframe",
    "FunctionType",
    "CodeType",
    "exec",
    "os",
    "_os",
    "_sys",
    "subprocess",
    "builtins",
    "importlib",
];

/// Members of other people's modules that write the file they are given.
const WRITERS: [&str; 18] = [
    "to_csv",
    "to_json",
    "to_excel",
    "to_parquet",
    "to_pickle",
    "to_html",
    "savefig",
    "save",
    "savez",
    "savetxt",
    "imwrite",
    "imsave",
    "write_image",
    "write_html",
    "FileHandler",
    "RotatingFileHandler",
    "basicConfig",
    "dump_to_file",
];

/// Returns what the program does; `None` when a name cannot be told.
pub(super) fn doings(tokens: &[Token], names: &Names) -> Option<Vec<Doing>> {
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        if let Token::Name(name) = token {
            let dotted = at > 0 && tokens.get(at - 1) == Some(&Token::Mark('.'));
            if !dotted {
                let (path, next) = path(tokens, at);
                one(names, (&path, tokens, next), &mut out)?;
                at = next;
                continue;
            }
            member(name, (tokens, at), names, &mut out)?;
        }
        at += 1;
    }
    Some(out)
}

/// Returns the dotted name at a place, and where it ends.
fn path(tokens: &[Token], mut at: usize) -> (Vec<String>, usize) {
    let mut path = Vec::new();
    while let Some(Token::Name(name)) = tokens.get(at) {
        path.push(name.clone());
        at += 1;
        match (tokens.get(at), tokens.get(at + 1)) {
            (Some(Token::Mark('.')), Some(Token::Name(_))) => at += 1,
            _ => break,
        }
    }
    (path, at)
}

fn one(
    names: &Names,
    (path, tokens, next): (&[String], &[Token], usize),
    out: &mut Vec<Doing>,
) -> Option<()> {
    let (first, rest) = path.split_first()?;
    if HIDING.contains(&first.as_str())
        || path.iter().any(|it| hides(it))
        || rest.iter().any(|it| leads(it))
    {
        return None;
    }
    let line_import = tokens.get(..next).is_some_and(in_import);
    if line_import {
        return Some(());
    }
    let whole: Vec<String> = match names.modules.get(first) {
        Some(meaning) => meaning
            .split('.')
            .map(str::to_owned)
            .chain(rest.iter().cloned())
            .collect(),
        None => path.to_vec(),
    };
    if whole.iter().skip(1).any(|it| leads(it)) {
        return None;
    }
    let bare = !matches!(tokens.get(next), Some(Token::Mark('[')));
    if whole == ["os", "environ"] && bare {
        out.push(Doing::Other(belay_model::Verb::Read, vec!["environment"]));
    }
    let known = names.modules.contains_key(first);
    let arguments = arguments(tokens, next);
    if whole
        .last()
        .is_some_and(|it| WRITERS.contains(&it.as_str()))
    {
        written(arguments.as_deref().unwrap_or_default(), out);
    }
    let texts: Vec<&str> = whole.iter().map(String::as_str).collect();
    match (known, texts.as_slice()) {
        (false, ["open"]) => opened(&arguments?, names, out),
        (false, [variable, method]) => {
            method_of(names, (variable, method), arguments.as_deref(), out)?
        }
        (false, _) => {}
        (true, ["io" | "codecs", "open"]) => opened(&arguments?, names, out),
        (true, ["sys", "path", ..]) => widened(arguments.as_deref())?,
        (true, ["sys" | "pathlib" | "io" | "tempfile" | "glob"]) => return None,
        (true, ["os", ..]) => super_os(&texts, arguments.as_deref(), names, out)?,
        (true, ["subprocess", ..]) => program(&texts, arguments.as_deref(), out)?,
        (true, ["shutil", ..]) => files(&texts, arguments.as_deref(), names, out)?,
        (true, ["urllib" | "requests" | "httpx" | "http" | "aiohttp", ..]) => {
            net(&texts, arguments.as_deref(), names, out)?
        }
        (true, ["pathlib", "Path" | "PurePath" | "PosixPath"]) => {
            constructed((tokens, next), names, out)
        }
        (
            true,
            [
                "sqlite3" | "tarfile" | "zipfile" | "fileinput" | "asyncio",
                ..,
            ],
        ) if whole.len() > 1 => {
            let harmless = matches!(
                texts.last(),
                Some(&("run" | "sleep" | "gather" | "is_zipfile" | "is_tarfile" | "input"))
            ) && texts.first() == Some(&"asyncio");
            if !harmless {
                return None;
            }
        }
        (true, _) => {}
    }
    Some(())
}

/// Tells whether a member leads from one thing to everything.
fn leads(name: &str) -> bool {
    LEADING.contains(&name)
}

/// Files named to members that write.
fn written(arguments: &[Vec<Token>], out: &mut Vec<Doing>) {
    let texts = arguments.iter().flatten().filter_map(|it| match it {
        Token::Text(text) if text.contains('/') => Some(text.clone()),
        _ => None,
    });
    out.extend(texts.map(|it| Doing::Write(Some(it))));
}

/// Modules may be looked for in the project, not elsewhere.
fn widened(arguments: Option<&[Vec<Token>]>) -> Option<()> {
    let near = |it: &Vec<Token>| match it.as_slice() {
        [Token::Number] | [] => true,
        [Token::Text(text)] => !text.starts_with(['/', '~']) && !text.contains(".."),
        [Token::Name(os), Token::Mark('.'), Token::Name(cwd), ..] => os == "os" && cwd == "getcwd",
        _ => false,
    };
    arguments.unwrap_or_default().iter().all(near).then_some(())
}

/// Tells whether a name is one of Python's own that lead everywhere.
fn hides(name: &str) -> bool {
    let own = name.starts_with("__") && name.ends_with("__");
    own && !matches!(
        name,
        "__name__"
            | "__file__"
            | "__init__"
            | "__main__"
            | "__version__"
            | "__doc__"
            | "__repr__"
            | "__str__"
            | "__len__"
            | "__enter__"
            | "__exit__"
            | "__call__"
            | "__eq__"
            | "__hash__"
            | "__all__"
            | "__iter__"
            | "__next__"
            | "__future__"
            | "__post_init__"
    )
}

fn in_import(before: &[Token]) -> bool {
    let line = before
        .rsplit(|it| matches!(it, Token::End | Token::Mark(':')))
        .next()
        .unwrap_or_default();
    matches!(line.first(), Some(Token::Name(word)) if word == "import" || word == "from")
}

/// `Path('x')` and what is called on it straight away.
fn constructed((tokens, at): (&[Token], usize), names: &Names, out: &mut Vec<Doing>) {
    let Some(arguments) = arguments(tokens, at) else {
        return;
    };
    let texts = arguments
        .first()
        .filter(|_| arguments.len() == 1)
        .and_then(|it| names.texts(it));
    let length: usize = arguments.iter().map(|it| it.len() + 1).sum::<usize>() + 1;
    let after = at + length.max(2);
    if let (Some(Token::Mark('.')), Some(Token::Name(method))) =
        (tokens.get(after), tokens.get(after + 1))
    {
        on_path(method, texts, self_arguments(tokens, after + 2), out);
    }
}

fn self_arguments(tokens: &[Token], at: usize) -> Vec<Vec<Token>> {
    arguments(tokens, at).unwrap_or_default()
}

/// What a method does to the path it is called on.
fn on_path(
    method: &str,
    texts: Option<Vec<String>>,
    arguments: Vec<Vec<Token>>,
    out: &mut Vec<Doing>,
) {
    match method {
        "read_text" | "read_bytes" => {
            out.extend(texts.unwrap_or_default().into_iter().map(Doing::Read))
        }
        "write_text" | "write_bytes" | "touch" | "mkdir" | "symlink_to" | "hardlink_to"
        | "chmod" => each(texts, Doing::Write, out),
        "unlink" | "rmdir" => each(texts, |it| Doing::Delete(it, false), out),
        "rename" | "replace" if texts.is_some() => {
            each(texts, |it| Doing::Delete(it, false), out);
            out.push(Doing::Write(match arguments.first().map(Vec::as_slice) {
                Some([Token::Text(text)]) => Some(text.clone()),
                _ => None,
            }));
        }
        "open" => {
            let writes = !matches!(
                arguments.first().map(Vec::as_slice),
                None | Some([]) | Some([Token::Text(_)])
            ) || matches!(arguments.first().map(Vec::as_slice), Some([Token::Text(mode)]) if mode.contains(['w', 'a', 'x', '+']));
            if writes {
                each(texts, Doing::Write, out);
            }
        }
        _ => {}
    }
}

/// A method of a variable: a path's, where the variable is known to be one.
fn method_of(
    names: &Names,
    (variable, method): (&str, &str),
    arguments: Option<&[Vec<Token>]>,
    out: &mut Vec<Doing>,
) -> Option<()> {
    match names.texts.get(variable) {
        Some(texts) if arguments.is_some() => on_path(
            method,
            texts.clone(),
            arguments.unwrap_or_default().to_vec(),
            out,
        ),
        _ if changes_files(method) && arguments.is_some() => on_path(method, None, Vec::new(), out),
        _ => {}
    }
    Some(())
}

/// Tells whether a method's name is one that only paths have.
fn changes_files(method: &str) -> bool {
    matches!(
        method,
        "write_text" | "write_bytes" | "unlink" | "rmdir" | "symlink_to" | "hardlink_to" | "touch"
    )
}

/// A member called on something that has no plain name, as in `(a / b).unlink()`.
fn member(
    name: &str,
    (tokens, at): (&[Token], usize),
    _: &Names,
    out: &mut Vec<Doing>,
) -> Option<()> {
    let called_bare = tokens.get(at + 1..at + 3) == Some(&[Token::Mark('('), Token::Mark(')')]);
    if leads(name)
        || hides(name)
        || matches!(name, "system" | "popen")
        || name == "eval" && !called_bare
    {
        return None;
    }
    if WRITERS.contains(&name) {
        written(&self_arguments(tokens, at + 1), out);
    }
    if changes_files(name)
        && tokens.get(at + 1) == Some(&Token::Mark('('))
        && !matches!(tokens.get(at.wrapping_sub(2)), Some(Token::Mark(')')))
    {
        on_path(name, None, Vec::new(), out);
    }
    if changes_files(name)
        && matches!(tokens.get(at.wrapping_sub(2)), Some(Token::Mark(')')))
        && !follows_path(tokens, at)
    {
        on_path(name, None, Vec::new(), out);
    }
    Some(())
}

/// Tells whether the call in front of a member is `Path('text')`, which was read with it.
fn follows_path(tokens: &[Token], at: usize) -> bool {
    let before = tokens.get(..at.saturating_sub(1)).unwrap_or_default();
    matches!(before, [.., Token::Name(path), Token::Mark('('), Token::Text(_) | Token::Name(_), Token::Mark(')')] if path == "Path")
}
