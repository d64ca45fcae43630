//! The texts in a Rust file: what stands in quotes, and not in a comment.

/// A text of the program.
pub struct Literal {
    /// The line it begins on.
    pub line: usize,
    /// What stands between the quotes, as it is written.
    pub text: String,
}

/// Returns the texts of a file, in their order.
pub fn literals(lines: &[String]) -> Vec<Literal> {
    let mut found = Vec::new();
    let mut open: Option<Literal> = None;
    for (at, line) in lines.iter().enumerate() {
        let mut rest = line.as_str();
        while !rest.is_empty() {
            rest = match open.take() {
                Some(literal) => inside(literal, rest, (&mut open, &mut found)),
                None => match outside(rest) {
                    Some(after) => {
                        open = Some(Literal {
                            line: at + 1,
                            text: String::new(),
                        });
                        after
                    }
                    None => break,
                },
            };
        }
    }
    found
}

/// Reads on in a text; returns what follows it on the line.
fn inside<'l>(
    mut literal: Literal,
    rest: &'l str,
    (open, found): (&mut Option<Literal>, &mut Vec<Literal>),
) -> &'l str {
    let mut letters = rest.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '"' => {
                found.push(literal);
                return letters.as_str();
            }
            '\\' => literal
                .text
                .extend(['\\'].into_iter().chain(letters.next())),
            other => literal.text.push(other),
        }
    }
    literal.text.push('\n');
    *open = Some(literal);
    ""
}

/// Returns what follows the next quote that opens a text; none before a comment or the end.
fn outside(rest: &str) -> Option<&str> {
    let mut letters = rest.chars();
    while let Some(letter) = letters.next() {
        let after = letters.as_str();
        match letter {
            '"' => return Some(after),
            '/' if after.starts_with('/') => return None,
            // A quote that is a letter itself: `'"'`, `'\"'`.
            '\'' if after.starts_with("\"'") => letters = after.get(2..)?.chars(),
            '\'' if after.starts_with("\\\"'") => letters = after.get(3..)?.chars(),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_found() {
        let check = |text: &str, expected: &[&str]| {
            let lines: Vec<String> = text.lines().map(str::to_owned).collect();
            let found: Vec<String> = literals(&lines).into_iter().map(|it| it.text).collect();
            assert_eq!(found, expected, "{text}");
        };
        check(r#"a("x", 'y', '"', "z")"#, &["x", "z"]);
        check(r#"it == '\"' || it == "b" // "c""#, &["b"]);
        check(r#""a\"b" + "c""#, &["a\\\"b", "c"]);
        check("\"a\nb\" + \"c\"", &["a\nb", "c"]);
    }
}
