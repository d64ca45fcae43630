//! What `echo`, `printf` and `pwd` print, letter by letter.

use belay_model::Carries;

use crate::machine::cuts::is_made_up;
use crate::machine::options::Tri;
use crate::machine::state::{Ends, State};
use crate::machine::stream::Stream;
use crate::machine::value::{Arg, DIGITS, PLAIN, Text, Val, join};
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
        && only.kind == Kind::Text
        && only.layout == Layout::default()
        && !values.is_empty()
    {
        // No value of the shell holds a NUL.
        return Stream::parted(values.iter().map(|it| it.val.clone()).collect());
    }
    let mut out = Val::known("");
    let mut values = values.iter();
    loop {
        out = out.then(&Val::known(first.clone()));
        for Slot {
            kind,
            layout,
            after,
        } in &slots
        {
            let val = values
                .next()
                .map_or_else(|| Val::known(""), |it| it.val.clone());
            let val = match kind {
                Kind::Text => laid_out(val, *layout),
                Kind::Letter => laid_out(first_letter(&val), *layout),
                Kind::Escaped => expanded(&val, Escapes::Word, hex),
                Kind::Number(radix) => laid_out(numbered(&val, *radix, layout.zeros), *layout),
                // Where a letter by its number is not known, this may not be either.
                Kind::Quoted if hex => quoted(&val),
                Kind::Quoted => Val::any(val.carries),
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

/// What a slot of a format makes of its word.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// `%s`.
    Text,
    /// `%c`.
    Letter,
    /// `%b`: escapes are expanded.
    Escaped,
    /// `%d`, `%x`: a number.
    Number(Radix),
    /// `%q`.
    Quoted,
}

/// How a number is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Radix {
    Ten,
    Eight,
    Sixteen,
    /// With capital letters.
    Capital,
}

/// How much room a slot has: `%-5s`, `%.3s`, `%03d`.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Layout {
    left: bool,
    width: usize,
    /// So many zeros stand before a shorter number.
    zeros: usize,
    /// So many letters are left of a text.
    most: Option<usize>,
}

/// A slot of a format, and what stands behind it.
struct Slot {
    kind: Kind,
    layout: Layout,
    after: String,
}

/// Returns what a slot for numbers makes of a word.
fn numbered(val: &Val, radix: Radix, zeros: usize) -> Val {
    let number = |text: &str| {
        let number = match text {
            "" => 0,
            text => crate::machine::constants::decimal(text)?,
        };
        let written = |it: i64| match radix {
            Radix::Ten => format!("{it:0zeros$}"),
            Radix::Eight => format!("{it:0zeros$o}"),
            Radix::Sixteen => format!("{it:0zeros$x}"),
            Radix::Capital => format!("{it:0zeros$X}"),
        };
        (number >= 0).then(|| written(number))
    };
    let ten = radix == Radix::Ten;
    let shape = |it: &Val| match it.text().map(number) {
        Some(Some(text)) => Val::known(text),
        _ if !ten => Val::glob(PLAIN),
        Some(None) => Val::number(),
        None if matches!(&it.text, Text::Glob(text) if text == DIGITS) => Val::digits(),
        None => Val::number(),
    };
    let any = val
        .choices()
        .into_iter()
        .map(|it| shape(&it).carrying(it.carries));
    Val::any_of(any)
}

/// Returns the first letter of a word; what is printed of none, nobody agrees on.
fn first_letter(val: &Val) -> Val {
    Val::any_of(val.choices().into_iter().map(|it| {
        let first = it.text().filter(|it| it.is_ascii() && !is_made_up(it));
        match first.and_then(|it| it.get(..1)) {
            Some(letter) => Val::known(letter).carrying(it.carries),
            None => Val::any(it.carries),
        }
    }))
}

/// Returns a word as it fills its room. How wide a letter beyond ASCII is depends on who prints it.
fn laid_out(val: Val, layout: Layout) -> Val {
    let Layout {
        left, width, most, ..
    } = layout;
    if width == 0 && most.is_none() {
        return val;
    }
    Val::any_of(val.choices().into_iter().map(|it| {
        let text = it.text().filter(|it| it.is_ascii() && !is_made_up(it));
        let cut = text.map(|text| most.and_then(|most| text.get(..most)).unwrap_or(text));
        match cut {
            Some(text) if left => Val::known(format!("{text:<width$}")).carrying(it.carries),
            Some(text) => Val::known(format!("{text:>width$}")).carrying(it.carries),
            None => Val::any(it.carries),
        }
    }))
}

/// Returns what `%q` makes of a word: what needs no quotes stays as it is.
fn quoted(val: &Val) -> Val {
    let plain = |text: &str| {
        let letter = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '/' | '-');
        !text.is_empty() && text.chars().all(letter)
    };
    Val::any_of(val.choices().into_iter().map(|it| match it.text() {
        Some(text) if plain(text) => it,
        Some(_) | None => Val::any(it.carries),
    }))
}

/// Reads the number that stands next, none where there is none; nothing is that wide.
fn room(letters: &mut std::iter::Peekable<std::str::Chars<'_>>) -> Option<usize> {
    /// No word gets more room.
    const WIDEST: usize = 64;
    let digits: String = std::iter::from_fn(|| letters.next_if(char::is_ascii_digit)).collect();
    match digits.as_str() {
        "" => Some(0),
        digits => digits.parse::<usize>().ok().filter(|it| *it <= WIDEST),
    }
}

/// Reads a slot behind its per cent sign; `None` where it is not one that every `printf` reads alike.
fn slot(letters: &mut std::iter::Peekable<std::str::Chars<'_>>) -> Option<Slot> {
    let mut layout = Layout {
        left: letters.next_if_eq(&'-').is_some(),
        ..Layout::default()
    };
    let zeros = !layout.left && letters.next_if_eq(&'0').is_some();
    let width = room(letters)?;
    match zeros {
        true => layout.zeros = width,
        false => layout.width = width,
    }
    if letters.next_if_eq(&'.').is_some() {
        layout.most = Some(room(letters)?);
    }
    let kind = match letters.next()? {
        's' => Kind::Text,
        'c' => Kind::Letter,
        'b' => Kind::Escaped,
        'q' => Kind::Quoted,
        'd' | 'i' => Kind::Number(Radix::Ten),
        'o' => Kind::Number(Radix::Eight),
        'x' => Kind::Number(Radix::Sixteen),
        'X' => Kind::Number(Radix::Capital),
        _ => return None,
    };
    let number = matches!(kind, Kind::Number(_));
    let fits = match kind {
        Kind::Text => !zeros,
        Kind::Letter | Kind::Number(_) => layout.most.is_none(),
        Kind::Escaped | Kind::Quoted => layout == Layout::default(),
    };
    let after = String::new();
    (fits && (number || !zeros)).then_some(Slot {
        kind,
        layout,
        after,
    })
}

/// Cuts a format at each of its slots; `None` when it has others than those we read.
fn pieces(format: &str) -> Option<(String, Vec<Slot>)> {
    let mut first = String::new();
    let mut slots: Vec<Slot> = Vec::new();
    let mut letters = format.chars().peekable();
    while let Some(letter) = letters.next() {
        if letter == '%' && letters.next_if_eq(&'%').is_none() {
            slots.push(slot(&mut letters)?);
            continue;
        }
        slots
            .last_mut()
            .map_or(&mut first, |it| &mut it.after)
            .push(letter);
    }
    Some((first, slots))
}
