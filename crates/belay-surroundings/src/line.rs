//! Questions and answers as lines of text: words parted by tabs, whatever would break a line
//! escaped. INVARIANT: what is written reads back the same, and nothing else reads as it.

use std::fmt::Write as _;

use belay_model::{Answer, Question, Standing};

/// Joins words into one line.
pub fn join<S: AsRef<[u8]>>(words: &[S]) -> String {
    let mut line = String::new();
    for (at, word) in words.iter().enumerate() {
        if at > 0 {
            line.push('\t');
        }
        escape(&mut line, word.as_ref());
    }
    line
}

/// Parts a line into its words; nothing when it is not one of ours.
pub fn split(line: &str) -> Option<Vec<Vec<u8>>> {
    line.split('\t').map(unescape).collect()
}

/// Parts a line into words of text.
pub fn split_text(line: &str) -> Option<Vec<String>> {
    split(line)?
        .into_iter()
        .map(|word| String::from_utf8(word).ok())
        .collect()
}

fn escape(line: &mut String, word: &[u8]) {
    for chunk in word.utf8_chunks() {
        let mut rest = chunk.valid();
        // All between two special letters is written at once.
        while let Some(at) = rest.bytes().position(is_special) {
            let (plain, from) = rest.split_at(at);
            line.push_str(plain);
            let mut letters = from.chars();
            match letters.next() {
                Some('\\') => line.push_str("\\\\"),
                Some('\t') => line.push_str("\\t"),
                Some('\n') => line.push_str("\\n"),
                Some(control) => byte(line, control as u8),
                None => {}
            }
            rest = letters.as_str();
        }
        line.push_str(rest);
        chunk.invalid().iter().for_each(|it| byte(line, *it));
    }
}

/// Tells whether a byte of a valid text stands for itself only when it is escaped.
const fn is_special(byte: u8) -> bool {
    byte == b'\\' || byte.is_ascii_control()
}

fn byte(line: &mut String, byte: u8) {
    // Writing to a string cannot fail.
    let _ = write!(line, "\\x{byte:02x}");
}

fn unescape(word: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(word.len());
    let mut rest = word.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        bytes.push(match rest.next()? {
            b'\\' => b'\\',
            b't' => b'\t',
            b'n' => b'\n',
            b'x' => digit(rest.next()?)? << 4 | digit(rest.next()?)?,
            _ => return None,
        });
    }
    Some(bytes)
}

/// Reads one lower-case hexadecimal digit.
pub fn digit(letter: u8) -> Option<u8> {
    match letter {
        b'0'..=b'9' => Some(letter - b'0'),
        b'a'..=b'f' => Some(letter - b'a' + 10),
        _ => None,
    }
}

/// Writes a question as one line.
#[must_use]
pub fn question_line(question: &Question) -> String {
    use Question as Q;
    match question {
        Q::Resolve(a) => join(&["resolve", a]),
        Q::Standing(a) => join(&["standing", a]),
        Q::Text(a, limit) => join(&["text", a, &limit.to_string()]),
        Q::Branch(a) => join(&["branch", a]),
        Q::DefaultBranch(a, b) => join(&["default-branch", a, b]),
        Q::RemoteUrl(a, b) => join(&["remote-url", a, b]),
        Q::Unpushed(a) => join(&["unpushed", a]),
        Q::WorkingTree(a) => join(&["working-tree", a]),
        Q::Changed(a) => join(&["changed", a]),
        Q::Untracked(a) => join(&["untracked", a]),
        Q::Reachable(a, b) => join(&["reachable", a, b]),
        Q::LeftBehind(a, b) => join(&["left-behind", a, b]),
        Q::Pushed(a, b) => join(&["pushed", a, b]),
        Q::ArchiveLinks(a) => join(&["archive-links", a]),
        Q::Revision(a, b) => join(&["revision", a, b]),
        Q::CommitLinks(a, b) => join(&["commit-links", a, b]),
        Q::PushTarget(a, b) => join(&["push-target", a, b]),
        Q::KnownRemote(a, b) => join(&["known-remote", a, b]),
        Q::TopLevel(a) => join(&["top-level", a]),
        Q::Worktrees(a) => join(&["worktrees", a]),
        Q::ExecutingConfig(a) => join(&["executing-config", a]),
        Q::Hooks(a) => join(&["hooks", a]),
        Q::KnownHost(a) => join(&["known-host", a]),
        Q::Provenance(a) => join(&["provenance", a]),
        Q::Brought(a) => join(&["brought", a]),
        Q::SecretsRead => join(&["secrets-read"]),
        Q::Endings => join(&["endings"]),
        Q::Consent(a, b) => join(&["consent", a, b]),
        Q::OwnProcesses(a, b, c) => join(&["own-processes", a, b, c]),
        Q::Words(a) => join(&["words", a]),
        Q::OwnServices(a) => join(&["own-services", a]),
        Q::OwnDatabase(a, b) => join(&["own-database", a, b]),
        Q::NamedHost(a, b) => join(&["named-host", a, b]),
        Q::NamedMachine(a, b) => join(&["named-machine", a, b]),
        Q::OwnProgram(a, b) => join(&["own-program", a, b]),
        Q::Kind(a) => join(&["kind", a]),
        Q::Links(a) => join(&["links-met", a]),
        Q::Program(a) => join(&["program", a]),
        Q::ToolFolder(a) => join(&["tool-folder", a]),
        Q::Entries(a, limit) => join(&["entries", a, &limit.to_string()]),
        Q::Added(a, b) => join(&["added", a, b]),
        Q::Declared(a, b, c) => join(&["declared", a, b, c]),
    }
}

/// Reads a question from its line.
#[must_use]
pub fn parse_question(line: &str) -> Option<Question> {
    use Question as Q;
    let words = split_text(line)?;
    let (first, rest) = words.split_first()?;
    match rest {
        [] if first == "secrets-read" => Some(Q::SecretsRead),
        [] if first == "endings" => Some(Q::Endings),
        [a] => question_of_one(first, a.clone()),
        [a, b] => question_of_two(first, a.clone(), b.clone()),
        [a, b, c] => question_of_three(first, [a, b, c].map(String::clone)),
        _ => None,
    }
}

fn question_of_one(word: &str, a: String) -> Option<Question> {
    use Question as Q;
    Some(match word {
        "resolve" => Q::Resolve(a),
        "standing" => Q::Standing(a),
        "branch" => Q::Branch(a),
        "unpushed" => Q::Unpushed(a),
        "working-tree" => Q::WorkingTree(a),
        "changed" => Q::Changed(a),
        "untracked" => Q::Untracked(a),
        "top-level" => Q::TopLevel(a),
        "archive-links" => Q::ArchiveLinks(a),
        "worktrees" => Q::Worktrees(a),
        "executing-config" => Q::ExecutingConfig(a),
        "hooks" => Q::Hooks(a),
        "known-host" => Q::KnownHost(a),
        "provenance" => Q::Provenance(a),
        "brought" => Q::Brought(a),
        "words" => Q::Words(a),
        "kind" => Q::Kind(a),
        "links-met" => Q::Links(a),
        "program" => Q::Program(a),
        "tool-folder" => Q::ToolFolder(a),
        "own-services" => Q::OwnServices(a),
        _ => return None,
    })
}

fn question_of_two(word: &str, a: String, b: String) -> Option<Question> {
    use Question as Q;
    Some(match word {
        "text" => Q::Text(a, number(&b)?),
        "default-branch" => Q::DefaultBranch(a, b),
        "remote-url" => Q::RemoteUrl(a, b),
        "reachable" => Q::Reachable(a, b),
        "left-behind" => Q::LeftBehind(a, b),
        "own-database" => Q::OwnDatabase(a, b),
        "named-host" => Q::NamedHost(a, b),
        "named-machine" => Q::NamedMachine(a, b),
        "pushed" => Q::Pushed(a, b),
        "revision" => Q::Revision(a, b),
        "commit-links" => Q::CommitLinks(a, b),
        "push-target" => Q::PushTarget(a, b),
        "known-remote" => Q::KnownRemote(a, b),
        "consent" => Q::Consent(a, b),
        "own-program" => Q::OwnProgram(a, b),
        "added" => Q::Added(a, b),
        "entries" => Q::Entries(a, number(&b)?),
        _ => return None,
    })
}

fn question_of_three(word: &str, [a, b, c]: [String; 3]) -> Option<Question> {
    match word {
        "declared" => Some(Question::Declared(a, b, c)),
        "own-processes" => Some(Question::OwnProcesses(a, b, c)),
        _ => None,
    }
}

/// Reads a number that is written in the one way we write it.
fn number<N: std::str::FromStr + ToString>(text: &str) -> Option<N> {
    let number: N = text.parse().ok()?;
    (number.to_string() == text).then_some(number)
}

/// Writes an answer as one line.
#[must_use]
pub fn answer_line(answer: &Answer) -> String {
    match answer {
        Answer::Unknown => join(&["unknown"]),
        Answer::Yes => join(&["yes"]),
        Answer::No => join(&["no"]),
        Answer::Path(path) => join(&["path", path]),
        Answer::Missing(path) => join(&["missing", path]),
        Answer::Name(name) => join(&["name", name]),
        Answer::Names(names) => {
            let mut words = vec!["names"];
            words.extend(names.iter().map(String::as_str));
            join(&words)
        }
        Answer::Text(bytes, true) => join(&[b"text".as_slice(), b"whole", bytes]),
        Answer::Text(bytes, false) => join(&[b"text".as_slice(), b"cut", bytes]),
        Answer::Standing(standing) => standing_line(standing),
    }
}

fn standing_line(standing: &Standing) -> String {
    match standing {
        Standing::Absent => join(&["standing", "absent"]),
        Standing::Kept => join(&["standing", "kept"]),
        Standing::Ignored => join(&["standing", "ignored"]),
        Standing::Ours => join(&["standing", "ours"]),
        Standing::Lost {
            count,
            what,
            newest,
            names,
        } => {
            let count = count.to_string();
            let newest = newest.map_or_else(|| "-".to_owned(), |it| it.to_string());
            let mut words = vec!["standing", "lost", &count, what, &newest];
            words.extend(names.iter().map(String::as_str));
            join(&words)
        }
    }
}

/// Reads an answer from its line.
#[must_use]
pub fn parse_answer(line: &str) -> Option<Answer> {
    let mut words = split(line)?;
    if words.first().is_some_and(|it| it == b"text") {
        let [_, extent, bytes] = words.as_mut_slice() else {
            return None;
        };
        let whole = match extent.as_slice() {
            b"whole" => true,
            b"cut" => false,
            _ => return None,
        };
        return Some(Answer::Text(std::mem::take(bytes), whole));
    }
    let words = split_text(line)?;
    let (first, rest) = words.split_first()?;
    match (first.as_str(), rest) {
        ("unknown", []) => Some(Answer::Unknown),
        ("yes", []) => Some(Answer::Yes),
        ("no", []) => Some(Answer::No),
        ("path", [path]) => Some(Answer::Path(path.clone())),
        ("missing", [path]) => Some(Answer::Missing(path.clone())),
        ("name", [name]) => Some(Answer::Name(name.clone())),
        ("names", names) => Some(Answer::Names(names.to_vec())),
        ("standing", rest) => parse_standing(rest).map(Answer::Standing),
        _ => None,
    }
}

fn parse_standing(words: &[String]) -> Option<Standing> {
    let (first, rest) = words.split_first()?;
    match (first.as_str(), rest) {
        ("absent", []) => Some(Standing::Absent),
        ("kept", []) => Some(Standing::Kept),
        ("ignored", []) => Some(Standing::Ignored),
        ("ours", []) => Some(Standing::Ours),
        ("lost", [count, what, newest, names @ ..]) => Some(Standing::Lost {
            count: number(count)?,
            what: what.clone(),
            newest: if newest == "-" {
                None
            } else {
                Some(number(newest)?)
            },
            names: names.to_vec(),
        }),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
