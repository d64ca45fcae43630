use crate::{Act, Word};

/// What setting a variable does.
#[derive(Clone, Copy, Debug)]
pub struct Variable<'k> {
    about: &'k str,
}

impl<'k> Variable<'k> {
    /// Returns one sentence on the variable.
    #[must_use]
    pub const fn about(self) -> &'k str {
        self.about
    }

    /// Returns what setting it does. Pieces count the variable's name as word 0 and its value as word 1.
    #[must_use]
    pub const fn acts(self) -> Vec<Act<'k>> {
        Vec::new()
    }

    /// Tells whether the value changes nothing that matters.
    #[must_use]
    pub const fn harmless(self, value: Word<'_>) -> bool {
        let _ = value;
        false
    }

    /// Tells whether its value is a secret.
    #[must_use]
    pub const fn secret(self) -> bool {
        false
    }
}
