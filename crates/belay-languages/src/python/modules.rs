//! What members of the modules that reach outside do.

use super::arguments::{argument, each};
use super::names::Names;
use super::tokens::Token;
use crate::Doing;

pub(super) fn opened(arguments: &[Vec<Token>], names: &Names, out: &mut Vec<Doing>) {
    let writes = match argument(arguments, 1, "mode") {
        None | Some([]) => false,
        Some([Token::Text(mode)]) => mode.contains(['w', 'a', 'x', '+']),
        Some(_) => true,
    };
    let texts = argument(arguments, 0, "file").and_then(|it| names.texts(it));
    match (writes, texts) {
        (true, texts) => each(texts, Doing::Write, out),
        (false, Some(texts)) => out.extend(texts.into_iter().map(Doing::Read)),
        (false, None) => {}
    }
}

pub(super) fn super_os(
    path: &[&str],
    arguments: Option<&[Vec<Token>]>,
    names: &Names,
    out: &mut Vec<Doing>,
) -> Option<()> {
    let first = || {
        arguments
            .and_then(|it| it.first())
            .and_then(|it| names.texts(it))
    };
    let second = || {
        arguments
            .and_then(|it| it.get(1))
            .and_then(|it| names.texts(it))
    };
    match path {
        ["os", "path", ..] => {}
        [
            "os",
            "getcwd" | "listdir" | "walk" | "sep" | "linesep" | "name" | "getpid" | "getppid"
            | "cpu_count" | "stat" | "lstat" | "scandir" | "fspath" | "devnull" | "pathsep"
            | "curdir" | "pardir" | "access" | "R_OK" | "W_OK" | "X_OK" | "F_OK" | "uname"
            | "getlogin" | "PathLike" | "DirEntry" | "get_terminal_size" | "isatty" | "urandom"
            | "times" | "getloadavg" | "readlink",
        ] => {}
        ["os", "environ", ..] | ["os", "getenv"] => {}

        ["os", "makedirs" | "mkdir"] => each(first(), Doing::Write, out),
        ["os", "remove" | "unlink" | "rmdir"] if arguments.is_some() => {
            each(first(), |it| Doing::Delete(it, false), out)
        }
        ["os", "rename" | "replace"] if arguments.is_some() => {
            each(first(), |it| Doing::Delete(it, false), out);
            each(second(), Doing::Write, out);
        }
        ["os", "system" | "popen"] if arguments.is_some() => each(first(), Doing::Run, out),
        _ => return None,
    }
    Some(())
}

pub(super) fn program(
    path: &[&str],
    arguments: Option<&[Vec<Token>]>,
    out: &mut Vec<Doing>,
) -> Option<()> {
    match path {
        [
            "subprocess",
            "PIPE" | "STDOUT" | "DEVNULL" | "CalledProcessError" | "TimeoutExpired"
            | "CompletedProcess",
        ] => return Some(()),
        [
            "subprocess",
            "run" | "call" | "check_call" | "check_output" | "Popen" | "getoutput"
            | "getstatusoutput",
        ] => {}
        _ => return None,
    }
    let arguments = arguments?;
    let command = match argument(arguments, 0, "args")? {
        [Token::Text(text)] => Some(text.clone()),
        [Token::Mark('['), items @ .., Token::Mark(']')] => words(items),
        _ => None,
    };
    out.push(Doing::Run(command));
    Some(())
}

/// Writes a list of texts as a command of the shell.
fn words(items: &[Token]) -> Option<String> {
    let mut out = Vec::new();
    for item in items.split(|it| *it == Token::Mark(',')) {
        match item {
            [] => {}
            [Token::Text(text)] => out.push(format!("'{}'", text.replace('\'', "'\\''"))),
            [Token::Name(sys), Token::Mark('.'), Token::Name(executable)]
                if sys == "sys" && executable == "executable" =>
            {
                out.push("'python3'".to_owned())
            }
            _ => return None,
        }
    }
    Some(out.join(" "))
}

pub(super) fn files(
    path: &[&str],
    arguments: Option<&[Vec<Token>]>,
    names: &Names,
    out: &mut Vec<Doing>,
) -> Option<()> {
    let argument = |at: usize| {
        arguments
            .and_then(|it| it.get(at))
            .and_then(|it| names.texts(it))
    };
    match path {
        ["shutil", "which" | "disk_usage" | "get_terminal_size"] => {}
        ["shutil", "rmtree"] if arguments.is_some() => {
            each(argument(0), |it| Doing::Delete(it, true), out)
        }
        ["shutil", "copy" | "copy2" | "copyfile" | "copytree"] if arguments.is_some() => {
            out.extend(argument(0).unwrap_or_default().into_iter().map(Doing::Read));
            each(argument(1), Doing::Write, out);
        }
        ["shutil", "move"] if arguments.is_some() => {
            each(argument(0), |it| Doing::Delete(it, true), out);
            each(argument(1), Doing::Write, out);
        }
        _ => return None,
    }
    Some(())
}

pub(super) fn net(
    path: &[&str],
    arguments: Option<&[Vec<Token>]>,
    names: &Names,
    out: &mut Vec<Doing>,
) -> Option<()> {
    let url = || {
        arguments
            .and_then(|it| it.first())
            .and_then(|it| names.texts(it))
    };
    match path {
        ["urllib", "parse", ..] | ["urllib", "request" | "error"] | ["http", "HTTPStatus", ..] | [_, "exceptions", ..] | ["urllib", "error", ..] => {}
        ["http", "server", ..] => return None,
        [.., "get" | "head" | "urlopen"] if arguments.is_some_and(|it| it.len() == 1 || it.get(1).is_some_and(|it| matches!(it.as_slice(), [Token::Name(name), Token::Mark('='), ..] if name == "timeout"))) => {
            each(url(), Doing::Fetch, out);
        }
        [.., "get" | "head" | "urlopen" | "post" | "put" | "patch" | "delete" | "request" | "Request" | "options"] if arguments.is_some() => each(url(), Doing::Send, out),
        _ => return None,
    }
    Some(())
}
