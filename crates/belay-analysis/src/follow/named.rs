//! What a text of any language plainly names: the programs that it starts with their words, the files that it takes
//! in, reads and writes.
//!
//! INVARIANT: for texts that were not read. What is found here is done perhaps, and what is not found may be done as well.

use belay_knowledge::Knowledge;

/// How many texts of one program are looked at.
const TEXTS: usize = 1024;

/// How many words of one call are looked at.
const WORDS: usize = 64;

/// What may stand between a function and the texts that it is given.
const BETWEEN: [&str; 18] = [
    "Arrays", "COMMAND", "File", "List", "Path", "Paths", "String", "arg", "args", "as", "asList",
    "from", "get", "list", "new", "of", "to_owned", "vec",
];

/// The list of what is looked for.
const ACTS: &str = "plain-acts";

/// Returns the commands that a text starts word by word, as lines for a shell.
pub(super) fn started(text: &str, knowledge: &Knowledge) -> Vec<String> {
    let mut found = Vec::new();
    for after in calls(text, "starts", knowledge) {
        found.extend(line(&words(after)));
    }
    for after in calls(text, "starts-named-twice", knowledge) {
        let mut words = words(after);
        if words.len() > 1 {
            words.remove(1);
        }
        found.extend(line(&words));
    }
    for after in calls(text, "starts-without-quotes", knowledge) {
        let inner = after.split([')', '\n']).next().unwrap_or_default();
        found.push(inner.trim().to_owned());
    }
    found.truncate(TEXTS);
    found
}

/// Returns the commands that a file names under keys, for a tool whose file it is.
pub(super) fn keyed(text: &str, tool: &str, knowledge: &Knowledge) -> Vec<String> {
    let mut found = Vec::new();
    for key in knowledge.all_said("names-commands", tool) {
        if key.starts_with('[') {
            section(text, key, &mut found);
            continue;
        }
        for (at, _) in text.match_indices(key).take(TEXTS) {
            let before = text.get(..at).unwrap_or_default();
            let after = text.get(at + key.len()..).unwrap_or_default();
            let value = after
                .trim_start_matches([' ', '\t'])
                .strip_prefix(['=', ':']);
            if let Some(value) = value.filter(|_| !before.ends_with(is_letter)) {
                values(before, value, &mut found);
            }
        }
    }
    found.truncate(TEXTS);
    found
}

/// Reads the values of all keys of a section.
fn section(text: &str, head: &str, found: &mut Vec<String>) {
    let Some((_, rest)) = text.split_once(head) else {
        return;
    };
    let lines = rest.lines().skip(1);
    for line in lines.take_while(|it| !it.starts_with('[')) {
        if let Some((_, value)) = line.split_once('=') {
            values("", value, found);
        }
    }
}

/// Reads the value of a key: a text, words in brackets, or the lines below it that stand further in.
fn values(before: &str, value: &str, found: &mut Vec<String>) {
    let (first, below) = value.split_once('\n').unwrap_or((value, ""));
    let first = first.trim();
    if first.starts_with('[') {
        found.extend(line(&words(value.trim_start())));
    } else if first.starts_with(['"', '\'']) {
        found.extend(quoted(first));
    } else if !first.is_empty() && !first.starts_with(['|', '>', '{']) {
        found.push(first.to_owned());
    }
    let margin = margin(before.rsplit('\n').next().unwrap_or_default());
    let inner = below
        .lines()
        .take_while(|it| it.trim().is_empty() || self::margin(it) > margin);
    for text in inner.map(str::trim).filter(|it| !it.is_empty()).take(TEXTS) {
        let text = text.strip_prefix("- ").unwrap_or(text);
        found.push(quoted(text).unwrap_or_else(|| text.to_owned()));
    }
}

/// Returns how far in a line stands.
fn margin(line: &str) -> usize {
    line.len() - line.trim_start_matches([' ', '\t']).len()
}

/// Returns the paths that a text takes in or reads, where they lead away from where it lies.
pub(super) fn taken_in(text: &str, knowledge: &Knowledge) -> Vec<String> {
    let quotes = |it: &str| it.replace(['<', '>'], "\"");
    let mut found: Vec<String> = calls(text, "takes-in", knowledge)
        .filter_map(|it| {
            quoted(quotes(it.lines().next()?.trim_start_matches([' ', '\t', '('])).trim())
        })
        .collect();
    let read = calls(text, "reads", knowledge);
    found.extend(read.filter_map(|it| first(it).map(|it| it.0)));
    found.retain(|it| leads_away(it));
    found
}

/// Returns the paths that a text writes, where they lead away from where it lies.
pub(super) fn put_out(text: &str, knowledge: &Knowledge) -> Vec<String> {
    let written = calls(text, "writes", knowledge).filter_map(|it| first(it).map(|it| it.0));
    let mut found: Vec<String> = written.collect();
    // What opens a file says behind its name whether it is for writing.
    let opened = calls(text, "opens", knowledge).filter_map(first);
    let for_writing = |(path, rest): (String, &str)| {
        let how = quoted(rest.trim_start_matches([' ', ',']))?;
        how.contains(['w', 'a', '+']).then_some(path)
    };
    found.extend(opened.filter_map(for_writing));
    found.retain(|it| leads_away(it));
    found
}

/// Tells whether a path leads away from where a program works: what it does there, it may have made.
pub(super) fn leads_away(path: &str) -> bool {
    path.starts_with(['/', '~']) && path.len() > 1 || path.split('/').any(|it| it == "..")
}

/// Returns what stands behind each call of functions that the list says a word of.
fn calls<'t>(text: &'t str, word: &str, knowledge: &Knowledge) -> impl Iterator<Item = &'t str> {
    let mut found = Vec::new();
    for name in knowledge.all_said(ACTS, word) {
        for (at, _) in text.match_indices(name).take(TEXTS) {
            let (before, from) = text.split_at(at);
            let rest = from.get(name.len()..).unwrap_or_default();
            let marked = name.ends_with(|it: char| !is_letter(it));
            let apart = !name.starts_with(is_letter) || !before.ends_with(is_letter);
            if apart && (marked || rest.starts_with(['(', ' ', '{', '"', '\'', '['])) {
                found.push(rest);
            }
        }
    }
    found.into_iter()
}

const fn is_letter(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Returns the texts in quotes with nothing but commas, brackets and the like between them.
fn words(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some((word, after)) = first(rest).filter(|_| found.len() < WORDS) {
        found.push(word);
        rest = after;
    }
    found
}

/// Returns the first text in quotes, where nothing that counts stands before it, and what follows.
pub(super) fn first(text: &str) -> Option<(String, &str)> {
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches([
            ' ', '\t', '\n', ',', '(', '[', '{', ')', ']', '.', '&', '!', ':',
        ]);
        if rest.starts_with(['"', '\'']) {
            let word = quoted(rest)?;
            return Some((word, behind(rest)?));
        }
        let end = rest.find(|it| !is_letter(it)).unwrap_or(rest.len());
        let (name, after) = rest.split_at_checked(end)?;
        if !BETWEEN.contains(&name) {
            return None;
        }
        rest = after;
    }
}

/// Returns what follows a text in quotes.
fn behind(text: &str) -> Option<&str> {
    let quote = text.chars().next()?;
    let mut escaped = false;
    let end = text.char_indices().skip(1).find(|(_, it)| {
        let ends = !escaped && *it == quote;
        escaped = !escaped && *it == '\\';
        ends
    });
    text.get(end?.0 + quote.len_utf8()..)
}

/// Writes words as a line for a shell.
fn line(words: &[String]) -> Option<String> {
    let quote = |it: &String| format!("'{}'", it.replace('\'', r"'\''"));
    let line: Vec<String> = words.iter().map(quote).collect();
    (!line.is_empty()).then(|| line.join(" "))
}

/// Returns the text in quotes at the beginning.
pub(super) fn quoted(text: &str) -> Option<String> {
    let quote = text
        .chars()
        .next()
        .filter(|it| matches!(it, '"' | '\'' | '`'))?;
    let mut out = String::new();
    let mut letters = text.chars().skip(1);
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => out.extend(letters.next()),
            _ if letter == quote => return Some(out),
            '\n' if quote != '`' => return None,
            _ => out.push(letter),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use belay_knowledge::OURS;

    use super::{keyed, put_out, started, taken_in};

    #[test]
    fn programs_are_found_with_their_words() {
        for (text, expected) in [
            (
                r#"Command::new("rm").arg("-rf").arg("/x").status()"#,
                "'rm' '-rf' '/x'",
            ),
            (r#"Command::new("rm").args(["-rf", dir])"#, "'rm' '-rf'"),
            (
                r#"exec.Command("rm", "-rf", "/x").Run()"#,
                "'rm' '-rf' '/x'",
            ),
            (r#"new ProcessBuilder(List.of("rm", "/x"))"#, "'rm' '/x'"),
            (
                r#"execl("/bin/rm", "rm", "-rf", "/x", NULL);"#,
                "'/bin/rm' '-rf' '/x'",
            ),
            ("execute_process(COMMAND rm -rf /x)", "rm -rf /x"),
        ] {
            assert_eq!(started(text, &OURS), [expected], "{text}");
        }
        for text in [
            "MyCommand::new_thing(\"rm\")",
            "Command::new(program)",
            "// exec.Command",
        ] {
            assert_eq!(started(text, &OURS), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn commands_under_keys_are_found() {
        let check = |tool: &str, text: &str, expected: &[&str]| {
            assert_eq!(keyed(text, tool, &OURS), expected, "{text}");
        };
        check("ninja", "rule x\n command = rm -rf y\n", &["rm -rf y"]);
        check("terraform", "program = [\"rm\", \"x\"]", &["'rm' 'x'"]);
        check("terraform", "{ command = \"rm x\" }", &["rm x"]);
        check("tox", "commands =\n  rm x\n  ls\n[b]", &["rm x", "ls"]);
        check("tox", "subcommands = x", &[]);
        check(
            "invoke",
            "[tool.poe.tasks]\na = \"rm x\"\n[b]\nc = \"d\"",
            &["rm x"],
        );
    }

    #[test]
    fn files_are_found() {
        assert_eq!(
            taken_in("#include \"/etc/x\"\n#include <stdio.h>", &OURS),
            ["/etc/x"]
        );
        assert_eq!(taken_in("include_str!(\"../../x\")", &OURS), ["../../x"]);
        assert_eq!(taken_in("os.ReadFile(\"/etc/x\")", &OURS), ["/etc/x"]);
        assert_eq!(put_out("f = fopen(\"/etc/x\", \"w\");", &OURS), ["/etc/x"]);
        assert_eq!(put_out("f = fopen(\"/etc/x\", \"r\");", &OURS), [""; 0]);
        assert_eq!(put_out("fs::write(\"out/x\", y)", &OURS), [""; 0]);
    }
}
