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
        let text = self.src.get(draft.start..self.at - 1).unwrap_or_default();
        // Behind a colon too, where the word begins as an assignment does.
        let name = match before {
            b':' => text
                .split(|&byte| byte == b'=')
                .next()
                .filter(|it| it.len() < text.len()),
            _ => Some(text),
        };
        let assigns = draft.mode == Mode::Value
            || name.is_some_and(|it| is_identifier(it.strip_suffix(b"+").unwrap_or(it)));
        if assigns {
            self.tilde(draft);
        }
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
