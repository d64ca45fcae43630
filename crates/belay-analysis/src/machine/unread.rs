//! What runs and was not read: it may be what this very call wrote, carried somewhere by a way that nobody followed.

use belay_model::{At, Verb, When};

use crate::machine::stream::Stream;
use crate::machine::walk::{Nested, Walker};

/// So many texts are kept, the last ones.
const TEXTS: usize = 8;

impl Walker<'_> {
    /// Remembers a text that this call wrote into a file.
    pub(crate) fn keep_text(&mut self, text: Option<&str>) {
        let Some(text) = text.filter(|it| !it.trim().is_empty()) else {
            return;
        };
        // What is added to is one text.
        self.wrote.retain(|it| !text.starts_with(it.as_str()));
        if self.wrote.len() == TEXTS {
            self.wrote.remove(0);
        }
        self.wrote.push(text.to_owned());
    }

    /// Walks the texts that the call wrote where it also runs one that nobody read: carrying a file does not make it
    /// milder.
    pub(crate) fn run_unread(&mut self) {
        let unread = self.out.effects.iter().find(|it| {
            let names = it.names().first().map(String::as_str);
            let text = matches!(names, Some("text" | "input"));
            it.verb == Verb::Eval && it.when == When::Now && it.at == At::Here && text
        });
        let Some(at) = unread.map(|it| it.span) else {
            return;
        };
        for text in std::mem::take(&mut self.wrote) {
            let mut state = self.fresh();
            self.nested_at(Nested { text: &text, at }, &mut state, &Stream::terminal());
        }
    }
}
