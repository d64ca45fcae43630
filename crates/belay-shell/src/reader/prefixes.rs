//! Tildes, and names with a bracket that turn out to be words.

use super::chars::{SPECIAL, class, ends_word, is_identifier, is_name};
use super::rows::Row;
use super::words::{Draft, Mode};
use super::{Read, Reader};
use crate::tree::{
    Arith, ArithKind, Id, Part, PartKind, Subscript, SubscriptKind, TroubleKind, Word,
};

impl Reader<'_, '_> {
    /// Reads a tilde at the start of a word or value.
    pub(crate) fn tilde(&mut self, draft: &mut Draft) {
        if self.cur() != Some(b'~') || matches!(draft.mode, Mode::Regex | Mode::FunctionName) {
            return;
        }
        let start = self.at;
        let mut at = start;
        let mut next = self.after(at);
        while next
            .0
            .is_some_and(|byte| is_name(byte) || b"+-.@".contains(&byte))
        {
            at = next.1;
            next = self.after(at);
        }
        let ends = match next.0 {
            None | Some(b'/') => true,
            Some(b':') => true,
            Some(b'}') => matches!(draft.mode, Mode::Operand | Mode::Replaced),
            Some(byte) => {
                ends_word(Some(byte)) && (byte != b'(' || draft.mode == Mode::Alternative)
            }
        };
        if !ends {
            return;
        }
        self.flush(draft, start);
        let user = self.literal(start + 1, at + 1, 0);
        self.go(at + 1);
        let span = self.since(start);
        self.add(
            draft,
            Part {
                span,
                kind: PartKind::Tilde(user),
                quoted: false,
            },
        );
    }

    /// Reads a tilde after `=` or `:` where bash looks for one.
    pub(crate) fn inner_tilde(&mut self, draft: &mut Draft, before: u8) {
        if self.cur() != Some(b'~') {
            return;
        }
        if draft.mode == Mode::Value {
            return self.tilde(draft);
        }
        let text = self.src.get(draft.start..self.at).unwrap_or_default();
        let Some(sign) = sign_of(text) else { return };
        // Behind a colon too, where the word begins as an assignment does.
        if before != b':' && sign.at + 1 != text.len() {
            return;
        }
        if sign.sure {
            return self.tilde(draft);
        }
        let span = self.since(draft.start);
        let what = "whether a tilde is expanded depends on where a subscript ends";
        self.cx.trouble(TroubleKind::Ambiguous, span, what);
    }

    /// Notes unseen characters in a word outside quotes.
    pub(crate) fn check_visible_parts(&mut self, draft: &Draft) {
        let end = self.at;
        let mut start = draft.start;
        // Quoted parts are data; only what lies between quotes is looked at.
        let quoted = self
            .src
            .get(start..end)
            .unwrap_or_default()
            .iter()
            .any(|byte| b"'\"".contains(byte));
        if !quoted {
            return self.check_visible(start, end);
        }
        while start < end {
            let rest = self.src.get(start..end).unwrap_or_default();
            let run = rest
                .iter()
                .position(|&byte| class(byte) & SPECIAL != 0)
                .unwrap_or(rest.len());
            self.check_visible(start, start + run);
            start += run;
            if let Some(&quote) = self.src.get(start) {
                let rest = self.src.get(start + 1..end).unwrap_or_default();
                let closed = rest
                    .iter()
                    .position(|&byte| byte == quote)
                    .filter(|_| b"'\"".contains(&quote));
                start += 1 + closed.map_or(0, |length| length + 1);
            }
        }
    }

    /// Makes a word of `NAME[...]` that is no assignment; bash took everything up to the bracket as text.
    pub(crate) fn bracket_word(&mut self, start: usize, subscript: Id<Subscript>) -> Read<Word> {
        let mut found = Vec::new();
        self.gather(subscript, &mut found);
        let end = self.at;
        let open = if found.is_empty() {
            end
        } else {
            self.name_end(start).unwrap_or(start)
        };
        let mut parts = Row::new();
        let bytes = self.literal(start, open, 0);
        let span = self.span(start, open);
        if !bytes.is_empty() {
            parts.push(
                self.cx,
                Part {
                    span,
                    kind: PartKind::Text(bytes),
                    quoted: false,
                },
            );
        }
        for part in found {
            parts.push(
                self.cx,
                Part {
                    quoted: false,
                    ..part
                },
            );
        }
        self.word_rest(start, parts, Mode::Word)
    }

    /// Gathers every expansion in a subscript, quoted or nested.
    fn gather(&mut self, subscript: Id<Subscript>, found: &mut Vec<Part>) {
        let kind = self
            .cx
            .store
            .subscripts
            .get(subscript.index as usize)
            .map(|subscript| subscript.kind);
        if let Some(SubscriptKind::Index(arith)) = kind {
            self.gather_tokens(arith, found);
        }
    }

    fn gather_tokens(&mut self, arith: Arith, found: &mut Vec<Part>) {
        for id in arith.ids() {
            let Some(token) = self.cx.store.tokens.get(id.index as usize).copied() else {
                continue;
            };
            match token.kind {
                ArithKind::Expansion(inner) => {
                    let parts = inner
                        .ids()
                        .filter_map(|id| self.cx.store.parts.get(id.index as usize).copied());
                    found.extend(parts);
                }
                ArithKind::Quoted(inner) => {
                    let what = "quotes in brackets after a name in command position";
                    self.cx.trouble(TroubleKind::Ambiguous, token.span, what);
                    self.gather_tokens(inner, found);
                }
                ArithKind::Subscript(inner) => self.gather(inner, found),
                ArithKind::Name(_) | ArithKind::Number(_) | ArithKind::Operator(_) => {}
            }
        }
    }
}

/// The `=` of a word that begins as an assignment does: `NAME=`, `NAME[...]+=`.
struct Sign {
    at: usize,
    /// Whether nothing in a subscript before it can make it end elsewhere.
    sure: bool,
}

fn sign_of(word: &[u8]) -> Option<Sign> {
    let length = word.iter().position(|&byte| !is_name(byte))?;
    let (name, rest) = word.split_at_checked(length)?;
    if !is_identifier(name) {
        return None;
    }
    let is_sign = |at: &usize| {
        let rest = rest.get(*at..).unwrap_or_default();
        rest.starts_with(b"=") || rest.starts_with(b"+=")
    };
    let (start, sure) = match rest.first() {
        Some(b'[') => {
            let ends = (1..rest.len()).filter(|at| rest.get(at - 1) == Some(&b']'));
            let start = ends.into_iter().find(is_sign)?;
            let inner = rest.get(1..start - 1)?;
            (start, !inner.iter().any(|it| b"[]'\"\\`({".contains(it)))
        }
        Some(_) => Some(0).filter(is_sign).map(|it| (it, true))?,
        None => return None,
    };
    let plus = usize::from(rest.get(start) == Some(&b'+'));
    Some(Sign {
        at: length + start + plus,
        sure,
    })
}
