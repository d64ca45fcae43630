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
            Word::Known(text) => values.any(|it| glob::matches(it, text)),
            Word::Prefix(_) | Word::Pattern(_) | Word::Unknown => values.any(|it| it == "*"),
        }
    }

    /// Tells whether its value is a secret.
    #[must_use]
    pub fn secret(self) -> bool {
        self.blob.byte(self.at + variable::SECRET) != 0
    }
}
