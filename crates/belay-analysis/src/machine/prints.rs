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
            "printf" => printed(args, self.knows_hex(&state)),
            _ => Stream::line(self.folder_printed(args, &state)),
        };
        self.deliver(1, output, &mut state);
        Ends::Either(state)
    }

    /// Tells whether this shell's `printf` knows `\x`.
    pub(crate) fn knows_hex(&self, state: &State) -> Tri {
        // Where its echo may be another's, it may be another shell.
        let certain = state.options.echoes_escapes == Tri::No;
        match self.scene.shell {
            Shell::Zsh => Tri::Yes,
            Shell::Bash if certain => Tri::Yes,
            Shell::Bash | Shell::Sh => Tri::Perhaps,
        }
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
    let end = if line_end { "\n" } else { "" };
    ended_by_nul(val.then(&Val::known(end)))
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
    let hex = expanded(val, Escapes::Echo, true);
    // Not every shell's echo knows `\x`.
    let has = val
        .choices()
        .iter()
        .any(|it| it.text().is_some_and(|it| it.contains("\\x")));
    match has {
        true => hex.or(&expanded(val, Escapes::Echo, false)),
        false => hex,
    }
}

fn expanded(val: &Val, whose: Escapes, hex: bool) -> Val {
    Val::any_of(val.choices().into_iter().map(|it| match it.text() {
        Some(text) if !text.contains('\\') => it,
        Some(text) => match unescaped(text, whose, hex) {
            Some(text) => Val::known(text).carrying(it.carries),
            None => Val::any(it.carries),
        },
        None => Val::any(it.carries),
    }))
}

/// Whose escapes they are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Escapes {
    /// Those of `echo -e`.
    Echo,
    /// Those of a format of `printf`.
    Format,
    /// Those of a word for `%b`.
    Word,
}

/// Expands the escapes that are plain; `None` when there are others.
fn unescaped(text: &str, whose: Escapes, hex: bool) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
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
            Some('x') if hex => push(number(&mut letters, 16, 2)?, whose, &mut out),
            Some('x') => out.push_str("\\x"),
            Some('0') if whose != Escapes::Format => match letters.peek() {
                Some('0'..='7') => out.push(number(&mut letters, 8, 3)?),
                Some(_) | None => out.push('\0'),
            },
            Some(first @ '0'..='7') if whose != Escapes::Echo => {
                let rest: String =
                    std::iter::from_fn(|| letters.next_if(|it| matches!(it, '0'..='7')))
                        .take(2)
                        .collect();
                let mut all = format!("{first}{rest}")
                    .chars()
                    .collect::<Vec<_>>()
                    .into_iter()
                    .peekable();
                push(number(&mut all, 8, 3)?, whose, &mut out);
            }
            Some('a' | 'b' | 'c' | 'e' | 'E' | 'f' | 'v' | '0'..='9' | 'u' | 'U') => {
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

/// Adds a letter that was written as a number: in a format, a per cent sign begins no slot then.
fn push(letter: char, whose: Escapes, out: &mut String) {
    if letter == '%' && whose == Escapes::Format {
        out.push('%');
    }
    out.push(letter);
}

/// Reads the number of a letter that everybody writes alike; `None` where there is none.
fn number(
    letters: &mut std::iter::Peekable<impl Iterator<Item = char>>,
    radix: u32,
    most: usize,
) -> Option<char> {
    let digits: String = std::iter::from_fn(|| letters.next_if(|it| it.is_digit(radix)))
        .take(most)
        .collect();
    let number = u8::from_str_radix(&digits, radix).ok()?;
    number.is_ascii().then_some(char::from(number))
}

/// Returns what `printf` prints, where its format is plain. Not every one of its kin knows `\x`.
pub(crate) fn printed(args: &[Arg], hex: Tri) -> Stream {
    match hex {
        Tri::Yes => formatted(args, true),
        Tri::No => formatted(args, false),
        Tri::Perhaps => formatted(args, true).or(formatted(args, false)),
    }
}

fn formatted(args: &[Arg], hex: bool) -> Stream {
    let rest = args.get(1..).unwrap_or_default();
    let rest = crate::machine::builtins::after_dashes(rest);
    let carries = rest
        .iter()
        .fold(Carries::NOTHING, |sum, it| sum.and(it.val.carries));
    let unknown = || Stream::labelled(carries);
    let Some((format, values)) = rest.split_first() else {
        return Stream::nothing();
    };
    if values.iter().any(|it| it.many || it.is_pattern()) {
        return unknown();
    }
    let pieces = format
        .text()
        .and_then(|it| unescaped(it, Escapes::Format, hex))
        .and_then(|it| pieces(&it));
    let Some((first, slots)) = pieces else {
        return unknown();
    };
    if let [only] = slots.as_slice()
        && first.is_empty()
        && only.after == "\0"
        && !only.escapes
        && !values.is_empty()
    {
        // No value of the shell holds a NUL.
        return Stream::parted(values.iter().map(|it| it.val.clone()).collect());
    }
    let mut out = Val::known("");
    let mut values = values.iter();
    loop {
        out = out.then(&Val::known(first.clone()));
        for Slot { escapes, after } in &slots {
            let val = values
                .next()
                .map_or_else(|| Val::known(""), |it| it.val.clone());
            let val = if *escapes {
                expanded(&val, Escapes::Word, hex)
            } else {
                val
            };
            out = out.then(&val).then(&Val::known(after.clone()));
        }
        if values.as_slice().is_empty() || slots.is_empty() {
            return ended_by_nul(out);
        }
    }
}

/// A text with NULs in it is known only where each of its parts ends in one: hardly a reader takes them alike.
fn ended_by_nul(val: Val) -> Stream {
    if !has_nul(&val.text) {
        return Stream::of(val);
    }
    match val.text().and_then(|it| it.strip_suffix('\0')) {
        Some(text) => Stream::parted(
            text.split('\0')
                .map(|it| Val::known(it).carrying(val.carries))
                .collect(),
        ),
        None => Stream::labelled(val.carries.and(Carries::UNKNOWN)),
    }
}

fn has_nul(text: &Text) -> bool {
    match text {
        Text::Known(text) | Text::Glob(text) => text.contains('\0'),
        Text::Prefix { known, empty } => known.contains('\0') || empty.contains('\0'),
        Text::Unknown { empty, lines } => empty.contains('\0') || lines.iter().any(has_nul),
        Text::OneOf(texts) => texts.iter().any(has_nul),
    }
}

/// A slot of a format, and what stands behind it.
struct Slot {
    /// Whether the escapes in its word are expanded.
    escapes: bool,
    after: String,
}

/// Cuts a format at each `%s` and `%b`; `None` when it has other slots.
fn pieces(format: &str) -> Option<(String, Vec<Slot>)> {
    let mut first = String::new();
    let mut slots: Vec<Slot> = Vec::new();
    let mut letters = format.chars();
    while let Some(letter) = letters.next() {
        let plain = match letter {
            '%' => match letters.next()? {
                kind @ ('s' | 'b') => {
                    slots.push(Slot {
                        escapes: kind == 'b',
                        after: String::new(),
                    });
                    continue;
                }
                '%' => '%',
                _ => return None,
            },
            letter => letter,
        };
        slots
            .last_mut()
            .map_or(&mut first, |it| &mut it.after)
            .push(plain);
    }
    Some((first, slots))
}
