//! What `echo`, `printf` and `pwd` print, letter by letter.

use belay_model::Carries;

use crate::machine::options::Tri;
use crate::machine::state::{Ends, State};
use crate::machine::stream::Stream;
use crate::machine::value::{Arg, Text, Val, join};
use crate::machine::walk::Walker;
use crate::scene::Shell;

impl Walker<'_> {
    /// Prints, and ends well unless nobody listens.
    pub(crate) fn prints(&mut self, name: &str, args: &[Arg], mut state: State) -> Ends {
        let output = match name {
            "echo" => {
                let escapes = match self.scene.shell {
                    Shell::Bash => state.options.echoes_escapes,
                    Shell::Sh => Tri::Perhaps,
                    Shell::Zsh => Tri::Yes,
                };
                echoed(args, escapes)
            }
            "printf" => printed(args),
            _ => Stream::line(self.folder_printed(args, &state)),
        };
        self.deliver(1, output, &mut state);
        Ends::Either(state)
    }

    fn folder_printed(&self, args: &[Arg], state: &State) -> Val {
        let physical = args.iter().skip(1).any(|it| it.text() != Some("-L"));
        let folder = state.cwd.clone().map_or_else(Val::unknown, Val::known);
        if physical && state.cwd.as_deref() != Some(self.scene.frame.cwd) {
            return folder.or(&Val::unknown());
        }
        folder
    }
}

/// Returns what `echo` prints.
pub(crate) fn echoed(args: &[Arg], escapes: Tri) -> Stream {
    let mut words = args.iter().skip(1).peekable();
    let (mut escapes, mut line_end) = (escapes, true);
    let flag = |it: &&Arg| {
        it.text().is_some_and(|text| {
            text.len() > 1
                && text.starts_with('-')
                && text.chars().skip(1).all(|c| matches!(c, 'n' | 'e' | 'E'))
        })
    };
    while let Some(it) = words.next_if(|it| flag(it)) {
        for letter in it.text().unwrap_or_default().chars().skip(1) {
            match letter {
                'n' => line_end = false,
                'e' => escapes = Tri::Yes,
                _ => {
                    escapes = if escapes == Tri::Yes {
                        Tri::No
                    } else {
                        escapes
                    }
                }
            }
        }
    }
    let words: Vec<Arg> = words.cloned().collect();
    let val = as_text(&words);
    let val = match escapes {
        Tri::No => val,
        Tri::Yes => escaped(&val),
        Tri::Perhaps => val.or(&escaped(&val)),
    };
    if line_end {
        Stream::line(val)
    } else {
        Stream::of(val)
    }
}

/// Joins words; a pattern becomes names of files, or stays as it is.
fn as_text(words: &[Arg]) -> Val {
    let carries = words
        .iter()
        .fold(Carries::NOTHING, |sum, it| sum.and(it.val.carries));
    let open = |it: &Arg| it.many || it.is_pattern() && !is_shape(&it.val);
    if words.iter().any(open) {
        return Val::any(carries.and(Carries::UNKNOWN));
    }
    join(words)
}

/// Tells whether a pattern is the shape of a value rather than a search for files.
fn is_shape(val: &Val) -> bool {
    matches!(&val.text, Text::Glob(text) if text.starts_with('[') && text.ends_with('*'))
}

/// Expands the escapes of `echo -e`.
fn escaped(val: &Val) -> Val {
    Val::any_of(val.choices().into_iter().map(|it| match it.text() {
        Some(text) if !text.contains('\\') => it,
        Some(text) => match unescaped(text) {
            Some(text) => Val::known(text).carrying(it.carries),
            None => Val::any(it.carries),
        },
        None => Val::any(it.carries),
    }))
}

/// Expands the escapes that are plain; `None` when there are others.
fn unescaped(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        if letter != '\\' {
            out.push(letter);
            continue;
        }
        match letters.next() {
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some('r') => out.push('\r'),
            Some('\\') => out.push('\\'),
            Some('a' | 'b' | 'c' | 'e' | 'E' | 'f' | 'v' | '0'..='9' | 'x' | 'u' | 'U') => {
                return None;
            }
            Some(other) => {
                out.push('\\');
                out.push(other);
            }
            None => out.push('\\'),
        }
    }
    Some(out)
}

/// Returns what `printf` prints, where its format is plain.
pub(crate) fn printed(args: &[Arg]) -> Stream {
    let rest = args.get(1..).unwrap_or_default();
    let rest = crate::machine::builtins::after_dashes(rest);
    let carries = rest
        .iter()
        .fold(Carries::NOTHING, |sum, it| sum.and(it.val.carries));
    let unknown = || Stream::labelled(carries);
    let Some((format, values)) = rest.split_first() else {
        return Stream::nothing();
    };
    let Some(format) = format.text().and_then(unescaped) else {
        return unknown();
    };
    if values.iter().any(|it| it.many || it.is_pattern()) {
        return unknown();
    }
    let Some(pieces) = pieces(&format) else {
        return unknown();
    };
    let slots = pieces.len() - 1;
    if slots == 0 {
        return Stream::of(Val::known(pieces.concat()));
    }
    let mut out = Val::known("");
    let mut values = values.iter();
    loop {
        for (at, piece) in pieces.iter().enumerate() {
            if at > 0 {
                let val = values
                    .next()
                    .map_or_else(|| Val::known(""), |it| it.val.clone());
                out = out.then(&val);
            }
            out = out.then(&Val::known(piece.clone()));
        }
        if values.as_slice().is_empty() {
            return Stream::of(out);
        }
    }
}

/// Cuts a format at each `%s`; `None` when it has other slots.
fn pieces(format: &str) -> Option<Vec<String>> {
    let mut out = vec![String::new()];
    let mut letters = format.chars();
    while let Some(letter) = letters.next() {
        if letter != '%' {
            out.last_mut()?.push(letter);
            continue;
        }
        match letters.next()? {
            's' => out.push(String::new()),
            '%' => out.last_mut()?.push('%'),
            _ => return None,
        }
    }
    Some(out)
}
