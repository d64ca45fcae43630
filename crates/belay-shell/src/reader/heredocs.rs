//! Here-documents.

use super::rows::Row;
use super::words::{Mode, QuotedEnd};
use super::{Context, Read, Reader};
use crate::tree::{Bytes, Dialect, HereDoc, Id, Many, Part, Span};

/// A here-document whose body has not been reached yet.
#[derive(Clone, Debug)]
pub(crate) struct PendingDoc {
    id: Id<HereDoc>,
    delimiter: Vec<u8>,
    quoted: bool,
    strips_tabs: bool,
}

impl PendingDoc {
    /// Returns which of the text's here-documents this is.
    pub(crate) fn number(&self) -> usize {
        self.id.index as usize
    }
}

/// Where a body lies in the source.
struct Extent {
    end: usize,
    next: usize,
    closed: bool,
    /// Whether code follows on the line that ends it.
    early: bool,
}

impl Reader<'_, '_> {
    /// Reads the delimiter after `<<`; the body follows at the next line end.
    pub(crate) fn heredoc_start(&mut self, strips_tabs: bool) -> Read<Id<HereDoc>> {
        let start = self.at;
        if self.cur().is_none_or(|byte| b"\n;&|()<>#".contains(&byte)) && !self.cx.limited {
            return self.fail("a here-document has no delimiter");
        }
        let mark = self.mark();
        self.word(Mode::Plain)?;
        let end = self.at;
        // Here-documents that a substitution in the delimiter leaves open have nodes that are still needed, and so have bodies.
        let kept = self.cx.pending.iter().any(|doc| !mark.knows(doc));
        if !self.cx.limited && !kept && self.cx.reached.len() == mark.reached() {
            self.cx.store.truncate(&mark.store);
        }
        let raw = self.src.get(start..end).unwrap_or_default();
        // Only bash reads substitutions and continued lines in a delimiter as it does in any word.
        let odd = raw.iter().any(|byte| b"`$\n".contains(byte));
        if odd && self.cx.dialect != Dialect::Bash {
            self.ambiguous(start, "a delimiter that shells read differently");
        }
        let raw = self.src.get(start..end).unwrap_or_default();
        let (delimiter, quoted) = super::quotes::remove_quotes(raw);
        let from = self.cx.store.pool.len();
        self.cx.store.pool.extend_from_slice(&delimiter);
        let name = self.pooled(from);
        let span = self.span(end, end);
        let doc = HereDoc {
            span,
            delimiter: name,
            quoted,
            strips_tabs,
            closed: false,
            body: Many::NONE,
        };
        self.cx.store.heredocs.push(doc);
        let id = Id::new(self.cx.store.heredocs.len() - 1);
        self.cx.pending.push(PendingDoc {
            id,
            delimiter,
            quoted,
            strips_tabs,
        });
        Ok(id)
    }

    /// Reads the bodies that begin at the cursor, which stands at the start of a line.
    pub(crate) fn read_heredocs(&mut self) -> Read<()> {
        let docs: Vec<PendingDoc> = self.cx.pending.drain(self.pending_base..).collect();
        let early = std::mem::take(&mut self.early);
        self.cx.reached.push(docs.clone());
        for (index, doc) in docs.into_iter().enumerate() {
            let early = index < early;
            let start = self.at;
            let extent = self.extent(&doc, early);
            self.loose |= early && extent.early;
            if extent.early {
                self.ambiguous(start, "a here-document that ends on a line with more on it");
            }
            let span = self.span(start, extent.end);
            let body = self.heredoc_body(&doc, start, extent.end);
            if let Some(node) = self.cx.store.heredocs.get_mut(doc.number()) {
                (node.span, node.body, node.closed) = (span, body, extent.closed);
            }
            if self.cx.limited {
                return Ok(());
            }
            self.at = extent.next;
        }
        Ok(())
    }

    /// Finds the line that ends a body.
    fn extent(&self, doc: &PendingDoc, early: bool) -> Extent {
        let mut at = self.at;
        while at < self.src.len() {
            let line_start = at;
            let mut text = self.line(at);
            let full = text;
            at += full.len() + 1;
            let tabs = if doc.strips_tabs {
                leading_tabs(text)
            } else {
                0
            };
            text = text.get(tabs..).unwrap_or_default();
            if (early || self.in_parentheses) && closes_early(text, doc) {
                let next = line_start + tabs + doc.delimiter.len();
                return Extent {
                    end: line_start,
                    next,
                    closed: true,
                    early: true,
                };
            }
            let joined;
            if !doc.quoted && continues(full) {
                // Bash joins the lines first and then removes the tabs in front.
                (joined, at) = self.joined_line(full, at);
                let tabs = if doc.strips_tabs {
                    leading_tabs(&joined)
                } else {
                    0
                };
                text = joined.get(tabs..).unwrap_or_default();
            }
            if text == doc.delimiter {
                return Extent {
                    end: line_start,
                    next: at.min(self.src.len()),
                    closed: true,
                    early: false,
                };
            }
        }
        Extent {
            end: self.src.len(),
            next: self.src.len(),
            closed: false,
            early: false,
        }
    }

    fn line(&self, at: usize) -> &[u8] {
        let rest = self.src.get(at..).unwrap_or_default();
        rest.split(|&byte| byte == b'\n').next().unwrap_or_default()
    }

    /// Joins lines that end in a backslash; returns the text and the start of the line after it.
    fn joined_line(&self, first: &[u8], mut at: usize) -> (Vec<u8>, usize) {
        let mut text = first.to_vec();
        while continues(&text) && at <= self.src.len() {
            text.pop();
            let next = self.line(at);
            at += next.len() + 1;
            text.extend_from_slice(next);
            if at > self.src.len() {
                break;
            }
        }
        (text, at)
    }

    fn heredoc_body(&mut self, doc: &PendingDoc, start: usize, end: usize) -> Many<Part> {
        if start == end {
            return Many::NONE;
        }
        if doc.strips_tabs {
            let span = self.span(start, end);
            let text = strip_tabs(self.src.get(start..end).unwrap_or_default(), doc.quoted);
            if doc.quoted {
                return owned_text(self.cx, &text, span);
            }
            let body = Reader::new(&text, Some(span), self.cx).body();
            if self.cx.limited {
                self.at = self.src.len();
            }
            return body;
        }
        if doc.quoted {
            let bytes = if self.origin.is_some() {
                let from = self.cx.store.pool.len();
                self.cx
                    .store
                    .pool
                    .extend_from_slice(self.src.get(start..end).unwrap_or_default());
                self.pooled(from)
            } else {
                Bytes {
                    start: start as u32,
                    len: (end - start) as u32,
                }
            };
            return text_part(self.cx, bytes, self.span(start, end));
        }
        self.isolated(end, |reader| {
            reader.go(start);
            reader.body()
        })
    }

    /// Reads a whole source as the body of a here-document.
    fn body(&mut self) -> Many<Part> {
        let outer = std::mem::replace(&mut self.in_parentheses, false);
        let mut parts = Row::new();
        let read = self.deeper((), |reader| {
            reader.quoted_parts(QuotedEnd::Body, &mut parts)
        });
        debug_assert!(read.is_ok(), "errors in a body are contained");
        self.in_parentheses = outer;
        parts.finish(self.cx)
    }
}

/// Inside `$( )` bash ends a body at a line that begins with the delimiter and has a `)` after it.
fn closes_early(text: &[u8], doc: &PendingDoc) -> bool {
    text.strip_prefix(doc.delimiter.as_slice())
        .is_some_and(|rest| rest.contains(&b')'))
}

/// Tells whether a line ends in an odd number of backslashes.
fn continues(line: &[u8]) -> bool {
    line.iter().rev().take_while(|&&byte| byte == b'\\').count() % 2 == 1
}

fn leading_tabs(line: &[u8]) -> usize {
    line.iter().take_while(|&&byte| byte == b'\t').count()
}

/// Removes the tabs at the start of every line; a line that continues another keeps its own, unless there was nothing
/// but tabs before it.
fn strip_tabs(body: &[u8], quoted: bool) -> Vec<u8> {
    let mut text = Vec::with_capacity(body.len());
    let mut joined = false;
    for line in body.split_inclusive(|&byte| byte == b'\n') {
        let tabs = if joined { 0 } else { leading_tabs(line) };
        let kept = line.get(tabs..).unwrap_or_default();
        text.extend_from_slice(kept);
        let continues = !quoted && continues(line.strip_suffix(b"\n").unwrap_or(line));
        joined = continues && (joined || kept != b"\\\n");
    }
    text
}

fn owned_text(cx: &mut Context, text: &[u8], span: Span) -> Many<Part> {
    let from = cx.store.pool.len();
    cx.store.pool.extend_from_slice(text);
    let bytes = Bytes {
        start: from as u32 | Bytes::POOL,
        len: text.len() as u32,
    };
    text_part(cx, bytes, span)
}

fn text_part(cx: &mut Context, bytes: Bytes, span: Span) -> Many<Part> {
    cx.store.parts.push(Part {
        span,
        kind: crate::tree::PartKind::Text(bytes),
        quoted: true,
    });
    Many::new(cx.store.parts.len() - 1, 1)
}
