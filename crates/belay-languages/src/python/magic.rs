//! IPython's own syntax: commands of the shell (`!ls`), magics (`%timeit`), help (`x?`).

use super::tables::{CELL_PYTHON, MAGIC_COMMAND, MAGIC_PYTHON, MAGIC_QUIET, MAGIC_SHELL};

/// Parts what is typed into Python and what the shell gets; `None` when a magic is not known.
pub(super) fn parted(code: &str) -> Option<(String, Vec<Option<String>>)> {
    let (mut python, mut runs) = (String::new(), Vec::new());
    if let Some(cell) = code.trim_start().strip_prefix("%%") {
        let (line, body) = cell.split_once('\n').unwrap_or((cell, ""));
        return match line.split_whitespace().collect::<Vec<_>>().as_slice() {
            [name] if MAGIC_SHELL.has(name) => Some((python, vec![Some(body.to_owned())])),
            [name] if CELL_PYTHON.has(name) => Some((body.to_owned(), runs)),
            _ => None,
        };
    }
    for line in code.split_inclusive('\n') {
        let text = line.trim();
        let indent: String = line
            .chars()
            .take_while(|it| it.is_whitespace() && *it != '\n')
            .collect();
        let (target, special) = assigned(text);
        match special {
            Some(special) => {
                let known = magic(special, &mut runs)?;
                let value = if known.is_empty() { "0" } else { known };
                let target = target.map(|it| format!("{it} = ")).unwrap_or_default();
                python.push_str(&format!("{indent}{target}{value}\n"));
            }
            None if text.ends_with('?') || text.starts_with('?') => python.push('\n'),
            None => python.push_str(line),
        }
    }
    Some((python, runs))
}

/// Returns what a line assigns to, and what on it is not Python.
fn assigned(line: &str) -> (Option<&str>, Option<&str>) {
    if line.starts_with(['!', '%']) {
        return (None, Some(line));
    }
    match line.split_once('=') {
        Some((name, rest)) if rest.trim_start().starts_with(['!', '%']) && is_name(name.trim()) => {
            (Some(name.trim()), Some(rest.trim_start()))
        }
        _ => (None, None),
    }
}

fn is_name(text: &str) -> bool {
    !text.is_empty()
        && text
            .chars()
            .all(|it| it.is_ascii_alphanumeric() || it == '_' || it == ',' || it == ' ')
}

/// Reads one magic; returns the Python in it.
fn magic<'a>(line: &'a str, runs: &mut Vec<Option<String>>) -> Option<&'a str> {
    if let Some(command) = line.strip_prefix('!') {
        runs.push(command_of(command.trim_start_matches('!')));
        return Some("");
    }
    let line = line.trim_start_matches('%');
    let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let command = if MAGIC_SHELL.has(name) {
        Some(rest)
    } else {
        MAGIC_COMMAND.has(name).then_some(line)
    };
    if let Some(command) = command {
        runs.push(command_of(command));
        return Some("");
    }
    if MAGIC_PYTHON.has(name) {
        return (!rest.starts_with('-')).then_some(rest);
    }
    MAGIC_QUIET.has(name).then_some("")
}

/// A command with a value of the program in it is not known.
fn command_of(command: &str) -> Option<String> {
    let filled = command.contains('{') || command.contains('$');
    (!filled).then(|| command.trim().to_owned())
}
