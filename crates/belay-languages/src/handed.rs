//! Commands that code of any language plainly hands to a shell: `system("...")`, `` `...` ``.
//!
//! INVARIANT: for code that was not read. What is found here is done perhaps, and what is not found may be done as well.

/// Names of calls whose first words are a command, in the languages that are not read whole.
const CALLS: [&str; 9] = [
    "exec",
    "execute",
    "passthru",
    "popen",
    "proc_open",
    "shell_exec",
    "spawn",
    "system",
    "system2",
];

/// Marks behind which a text in brackets is a command.
const MARKS: [&str; 2] = ["%x", "qx"];

/// The most commands of one code that are worth a look.
const MOST: usize = 20;

/// Returns the commands that a code hands to a shell as a whole text, or word by word, as lines for a shell.
#[must_use]
pub fn handed(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, c) in code.char_indices() {
        if found.len() >= MOST {
            break;
        }
        let Some(rest) = code.get(at..) else { continue };
        let glued = code.get(..at).is_some_and(|it| it.ends_with(is_letter));
        if c == '`' {
            found.extend(quoted(rest).map(|it| it.0));
        } else if !glued && is_letter(c) || c == '%' {
            let name = rest.find(|c: char| !is_letter(c) && c != '%');
            let (name, after) = rest
                .split_at_checked(name.unwrap_or(rest.len()))
                .unwrap_or((rest, ""));
            if CALLS.contains(&name) {
                found.extend(called(after));
            } else if MARKS.contains(&name) {
                found.extend(quoted(after).map(|it| it.0));
            }
        }
    }
    found
}

const fn is_letter(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Reads the words behind a call: one is a text for a shell, several are a program and its words.
fn called(after: &str) -> Option<String> {
    let mut rest = after.trim_start().trim_start_matches('(').trim_start();
    let mut words = Vec::new();
    while let Some((word, next)) = literal(rest) {
        words.push(word);
        rest = next.trim_start();
        match rest.strip_prefix(',') {
            Some(next) => rest = next.trim_start(),
            None => break,
        }
    }
    match words.as_slice() {
        [] => None,
        [one] => Some(one.clone()),
        words => {
            let quote = |it: &String| format!("'{}'", it.replace('\'', r"'\''"));
            Some(words.iter().map(quote).collect::<Vec<_>>().join(" "))
        }
    }
}

/// Reads a text in quotes, and returns what follows it.
fn literal(text: &str) -> Option<(String, &str)> {
    let marked = ["q", "qq", "%q", "%Q"]
        .iter()
        .find_map(|it| text.strip_prefix(*it));
    match marked {
        Some(rest) if rest.starts_with(['{', '(', '[', '<', '/', '|', '!']) => quoted(rest),
        Some(_) | None if text.starts_with(['\'', '"']) => quoted(text),
        Some(_) | None => None,
    }
}

/// Reads what stands between two marks, its escapes of quotes and backslashes undone; what is put into it stays as it is written.
fn quoted(text: &str) -> Option<(String, &str)> {
    let mut letters = text.chars();
    let open = letters.next()?;
    let close = match open {
        '{' => '}',
        '(' => ')',
        '[' => ']',
        '<' => '>',
        other if other.is_ascii_punctuation() => other,
        _ => return None,
    };
    let mut out = String::new();
    let mut depth = 0_usize;
    while let Some(c) = letters.next() {
        match c {
            '\\' => match letters.next()? {
                'n' if open != '\'' => out.push('\n'),
                't' if open != '\'' => out.push('\t'),
                c => out.push(c),
            },
            c if c == close && depth == 0 => return Some((out, letters.as_str())),
            c => {
                if open != close && c == open {
                    depth += 1;
                } else if open != close && c == close {
                    depth -= 1;
                }
                out.push(c);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_handed_to_a_shell_is_found() {
        for (code, expected) in [
            (r#"system("rm -rf ~")"#, "rm -rf ~"),
            (r"system('it\'s')", "it's"),
            ("system 'ls'", "ls"),
            ("exec(q{rm {x}})", "rm {x}"),
            ("$x = `rm y`;", "rm y"),
            ("print qx(rm z)", "rm z"),
            ("%x{rm a}", "rm a"),
            (r#"Kernel.system("rm", "-rf", "b c")"#, "'rm' '-rf' 'b c'"),
            (r#"os.execute("rm d")"#, "rm d"),
        ] {
            assert_eq!(handed(code), [expected], "{code}");
        }
        for code in [
            "filesystem('x')",
            "system($x)",
            "print 'rm'",
            "system",
            "system('open",
        ] {
            assert_eq!(handed(code), Vec::<String>::new(), "{code}");
        }
    }
}
