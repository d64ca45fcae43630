//! The words of a command, in the forms in which two commands count as the same.

use belay_analysis::Invocation;

/// What stands for a word that may differ.
const ANY: &str = "…";

/// The words of a command, all of them known.
pub(crate) struct Words<'a>(Vec<&'a str>);

impl<'a> std::ops::Deref for Words<'a> {
    type Target = [&'a str];

    fn deref(&self) -> &[&'a str] {
        &self.0
    }
}

impl<'a> Words<'a> {
    /// Reads the words; nothing when one of them is not known.
    pub(crate) fn of(invocation: &'a Invocation) -> Option<Self> {
        let words: Option<Vec<&str>> = invocation.argv.iter().map(Option::as_deref).collect();
        words.map(Self)
    }

    /// Returns the flags.
    pub(crate) fn flags(&self) -> Vec<String> {
        let flags = self.0.iter().filter(|it| it.starts_with('-'));
        flags.map(|it| (*it).to_owned()).collect()
    }

    fn written(&self, is_free: impl Fn(&str) -> bool) -> String {
        let words = self.0.iter().enumerate().map(|(at, word)| {
            let free = at > 0 && is_free(word);
            if free { ANY.to_owned() } else { quoted(word) }
        });
        words.collect::<Vec<String>>().join(" ")
    }
}

/// Writes words so that two rows of words never look the same.
fn quoted(word: &str) -> String {
    let plain = |it: char| it.is_alphanumeric() || "-_./:=@%+,~".contains(it);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("{word:?}")
    }
}

/// All words as they are.
pub(crate) fn exact(words: &Words<'_>) -> String {
    words.written(|_| false)
}

/// Texts with blanks, and numbers, may differ: titles and bodies, and what they are said to.
pub(crate) fn without_texts(words: &Words<'_>) -> String {
    words.written(|it| {
        let number = !it.is_empty() && it.chars().all(|c| c.is_ascii_digit());
        number || (it.contains(' ') && !it.starts_with('-'))
    })
}

/// A word of a command that asks; a text with blanks is the question.
pub(crate) fn without_question(word: &str) -> String {
    match word.contains(' ') && !word.starts_with('-') {
        true => ANY.to_owned(),
        false => quoted(word),
    }
}

/// Files of the project may differ: names with a dot or a slash that cannot lead out of it.
pub(crate) fn without_files(words: &Words<'_>) -> String {
    words.written(|it| {
        let leads_out = it.starts_with(['-', '/', '~', '.']) || it.contains("..");
        let is_more = it.contains([':', '@', '=', '$', '*', '?', ' ']);
        it.contains(['.', '/']) && !leads_out && !is_more
    })
}
