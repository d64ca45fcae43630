//! Strings that read as commands.

/// Tells whether a line of `[rules]` reads as a command and not as prose.
pub(crate) fn reads_as_command(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.len() <= 3 && words.iter().all(|it| it.chars().all(|c| !c.is_uppercase()))
}
