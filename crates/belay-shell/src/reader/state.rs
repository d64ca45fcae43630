//! Builtins that change how the shell reads what comes after them.

use super::Reader;
use crate::tree::{CommandKind, Dialect, Many, PartKind, TroubleKind, Word};

impl Reader<'_, '_> {
    /// Notes commands after which bash may read text differently from this reader.
    pub(crate) fn note_shell_state(&mut self, kind: &CommandKind) {
        let CommandKind::Simple { words, .. } = *kind else {
            return;
        };
        if words.len() < 2 {
            return;
        }
        let Some(first) = self.nth_word(words, 0) else {
            return;
        };
        if !matches!(self.first_byte(&first), Some(b's' | b'a' | b'b' | b'c')) {
            return;
        }
        let name = self.static_text(&first);
        let aliases = match name.as_slice() {
            b"set" if self.sets_words(words) => false,
            b"shopt" | b"set" | b"builtin" | b"command" => {
                self.mentions(words, &[b"expand_aliases", b"posix"])
            }
            b"alias" => self.cx.dialect != Dialect::Bash,
            _ => false,
        };
        if name == b"shopt" && self.mentions(words, &[b"extglob"]) && self.mentions(words, &[b"-s"])
        {
            self.cx.extglob_next = true;
        }
        if aliases {
            self.cx.trouble(
                TroubleKind::Ambiguous,
                first.span,
                "aliases may change how later lines are read",
            );
        }
    }

    /// Tells whether `set` is given words for the positional parameters: the first is surely no option.
    fn sets_words(&self, words: Many<Word>) -> bool {
        let first = self.nth_word(words, 1);
        first
            .and_then(|it| self.first_byte(&it))
            .is_some_and(|it| !matches!(it, b'-' | b'+'))
    }

    fn nth_word(&self, words: Many<Word>, nth: usize) -> Option<Word> {
        let id = words.ids().nth(nth)?;
        self.cx.store.words.get(id.index as usize).copied()
    }

    fn first_byte(&self, word: &Word) -> Option<u8> {
        let id = word.parts.ids().next()?;
        match self.cx.store.parts.get(id.index as usize)?.kind {
            PartKind::Text(bytes) => self.bytes_of(bytes).first().copied(),
            PartKind::Param(_)
            | PartKind::Command { .. }
            | PartKind::Arith(_)
            | PartKind::Process { .. }
            | PartKind::Brace(_)
            | PartKind::Sequence(_)
            | PartKind::Tilde(_)
            | PartKind::ExtGlob(_)
            | PartKind::Array(_)
            | PartKind::Either(_) => None,
        }
    }

    fn begins_with_brace(&self, word: &Word) -> bool {
        let first = word.parts.ids().next();
        let part = first.and_then(|id| self.cx.store.parts.get(id.index as usize));
        part.is_some_and(|part| match part.kind {
            PartKind::Text(bytes) => !part.quoted && self.bytes_of(bytes).starts_with(b"{"),
            PartKind::Brace(_) | PartKind::Sequence(_) => true,
            PartKind::Param(_)
            | PartKind::Command { .. }
            | PartKind::Arith(_)
            | PartKind::Process { .. }
            | PartKind::Tilde(_)
            | PartKind::ExtGlob(_)
            | PartKind::Array(_)
            | PartKind::Either(_) => false,
        })
    }

    fn mentions(&self, words: Many<Word>, names: &[&[u8]]) -> bool {
        let count = words.len();
        (1..count.min(64))
            .filter_map(|nth| self.nth_word(words, nth))
            .any(|word| {
                let text = self.static_text(&word);
                names.contains(&text.as_slice())
            })
    }

    /// Notes first words that only zsh gives a meaning.
    pub(crate) fn check_command_word(&mut self, word: &Word) {
        if !self.zsh() {
            return;
        }
        if self.begins_with_brace(word) {
            let what = "a brace at the start of a command begins a group in zsh";
            self.cx.trouble(TroubleKind::Dialect, word.span, what);
        }
        let text = self.static_text(word);
        let names: [&[u8]; 8] = [
            b"noglob",
            b"nocorrect",
            b"-",
            b"repeat",
            b"foreach",
            b"always",
            b"end",
            b"autoload",
        ];
        if names.contains(&text.as_slice()) {
            self.cx.trouble(
                TroubleKind::Dialect,
                word.span,
                "a reserved word or modifier of zsh",
            );
        }
    }
}
