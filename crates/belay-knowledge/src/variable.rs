use crate::blob::Blob;
use crate::layout::variable;
use crate::{Act, Word, glob, read};

/// What setting a variable does.
#[derive(Clone, Copy, Debug)]
pub struct Variable<'k> {
    pub(crate) blob: Blob<'k>,
    pub(crate) at: usize,
}

impl<'k> Variable<'k> {
    /// Returns one sentence on the variable.
    #[must_use]
    pub fn about(self) -> &'k str {
        self.blob.text(self.at + variable::ABOUT)
    }

    /// Returns what setting it does. Pieces count the variable's name as word 0 and its value as word 1.
    #[must_use]
    pub fn acts(self) -> Vec<Act<'k>> {
        read::setting(self.blob, self.blob.list(self.at + variable::EFFECTS, 4))
    }

    /// Tells whether the value changes nothing that matters.
    #[must_use]
    pub fn harmless(self, value: Word<'_>) -> bool {
        let values = self.blob.list(self.at + variable::HARMLESS, 4);
        let mut values = values.iter().map(|it| self.blob.text(it));
        match value {
            Word::Known(text) => values.any(|it| stands_for(it, text)),
            // What is unknown in a pattern holds no slash and nothing that parts values.
            Word::Pattern(text) | Word::Shape(text) => values.any(|it| {
                let beginning = value.beginning();
                it == "*"
                    || it.ends_with('*')
                        && !beginning.is_empty()
                        && stands_for(it, text)
                        && stands_for(it, beginning)
            }),
            Word::Prefix(_) | Word::Unknown => values.any(|it| it == "*"),
        }
    }

    /// Tells whether its value is a secret.
    #[must_use]
    pub fn secret(self) -> bool {
        self.blob.byte(self.at + variable::SECRET) != 0
    }
}

/// Tells whether a pattern stands for a value. Its `*` never reaches into a second path, host or command,
/// nor out of a folder: `src/*` is not `src/a:/tmp/b`, `http://localhost:*` not `http://localhost:x@evil.test`.
fn stands_for(pattern: &str, value: &str) -> bool {
    if !pattern.contains('*') || pattern == "*" {
        return glob::matches(pattern, value);
    }
    let parts = |c: char| ":@,;|&<>$`(){}'\"\\".contains(c) || c.is_whitespace() || c.is_control();
    let parting = |text: &str| text.matches(parts).count();
    parting(pattern) == parting(value) && !value.contains("..") && glob::matches(pattern, value)
}
