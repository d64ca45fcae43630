//! `read`, `mapfile` and `test`: what comes in, and what is asked of it.

use belay_model::{Carries, TroubleKind};

use crate::machine::options::Tri;
use crate::machine::state::{Ends, State};
use crate::machine::value::{Arg, Text, Val};
use crate::machine::variable::Held;
use crate::machine::variables::is_name;
use crate::machine::walk::Walker;
use crate::scene::Shell;

/// What the flags of `read` and `mapfile` say.
#[derive(Default)]
struct Asked {
    names: Vec<Arg>,
    array: Option<Arg>,
    /// The descriptor; `None` when it is not known.
    descriptor: Option<u32>,
    /// Whether backslashes stay.
    raw: bool,
    /// Whether it takes something else than whole lines.
    odd: bool,
    /// Whether a NUL ends what it takes.
    nul: bool,
    /// Whether a callback runs.
    calls: bool,
}

impl Asked {
    /// Reads flags; `valued` are those that take a word.
    fn new(rest: &[Arg], valued: &str) -> Self {
        let mut out = Self {
            descriptor: Some(0),
            ..Self::default()
        };
        let mut words = rest.iter();
        while let Some(arg) = words.next() {
            let flag = |it: &&str| it.len() > 1 && it.starts_with('-');
            let Some(text) = arg.text().filter(flag) else {
                out.odd |= arg.text().is_none();
                out.names.push(arg.clone());
                out.names.extend(words.cloned());
                return out;
            };
            if text == "--" {
                out.names.extend(words.cloned());
                return out;
            }
            for (at, letter) in text.char_indices().skip(1) {
                if !valued.contains(letter) {
                    out.switch(letter);
                    continue;
                }
                let glued = text.get(at + letter.len_utf8()..).unwrap_or_default();
                let value = if glued.is_empty() {
                    words.next().cloned()
                } else {
                    Some(Arg::known(glued, arg.span))
                };
                out.valued(letter, value);
                break;
            }
        }
        out
    }

    fn switch(&mut self, letter: char) {
        match letter {
            'r' => self.raw = true,
            's' | 'e' | 'E' => {}
            // `mapfile -t` cuts line ends.
            't' => {}
            _ => self.odd = true,
        }
    }

    fn valued(&mut self, letter: char, value: Option<Arg>) {
        match letter {
            'p' => {}
            'a' => self.array = value,
            'u' => {
                self.descriptor = value
                    .as_ref()
                    .and_then(Arg::text)
                    .and_then(|it| it.parse().ok());
            }
            'C' => self.calls = true,
            'd' if value.as_ref().and_then(Arg::text) == Some("") => self.nul = true,
            _ => self.odd = true,
        }
    }
}

impl Walker<'_> {
    pub(crate) fn reads(&mut self, rest: &[Arg], mut state: State) -> Ends {
        let asked = Asked::new(rest, "adinNptu");
        // Without a descriptor, or when it is only told to look (`-t 0`), nothing is read and nothing set.
        let Some(number) = asked.descriptor else {
            let before = state.clone();
            self.read_into(&asked, Val::unknown(), &mut state);
            return Ends::Either(state).or(Ends::Either(before));
        };
        // Whoever waits no longer than so reads a part of a line.
        let hurries = state.variables.contains_key("TMOUT");
        // Between NULs stands what stands on a line of a list of names.
        let input = state.descriptors.input(number);
        let named = input.text.is_none() && !input.paths.is_empty();
        if asked.odd || hurries || asked.nul && !named {
            let before = state.clone();
            let carries = state.descriptors.input(number).carries;
            state.descriptors.spoil(number);
            let val = Val::any(carries.and(Carries::UNKNOWN));
            self.read_into(&asked, val, &mut state);
            return Ends::Either(state).or(Ends::Either(before));
        }
        // A word that is no name ends it before anything is read.
        let named = |it: &Arg| it.text().is_some_and(|it| is_name(it) || it.ends_with(']'));
        let before = (!asked.names.iter().all(named)).then(|| state.clone());
        let ends = self.reads_line(&asked, number, state);
        match before {
            Some(before) => ends.or(Ends::Bad(before)),
            None => ends,
        }
    }

    /// Reads one line of a descriptor into variables.
    fn reads_line(&mut self, asked: &Asked, number: u32, mut state: State) -> Ends {
        let line = state.descriptors.line(number);
        state.descriptors.take_line(number);
        let val = match asked.raw {
            true => line.val,
            false => unslashed(&line.val),
        };
        let mut end = state.clone();
        match line.first {
            Some(first) if self.parts_first(asked, &state) => {
                self.read_parted(asked, [&first, &val], &mut state);
            }
            Some(_) | None => self.read_into(asked, val.clone(), &mut state),
        }
        match line.there {
            Tri::Yes => Ends::Ok(state),
            // A last line without an end is still read; from what is closed nothing is, and nothing is set.
            Tri::No => Ends::Bad(state.or(end)),
            Tri::Perhaps => {
                // At the end nothing is left, or a last line without an end; where none ends in a NUL, that is the whole list.
                let last = match asked.nul {
                    true => Val::unknown().carrying(val.carries),
                    false => val.or(&Val::known("")),
                };
                self.read_into(asked, last, &mut end);
                Ends::of(Some(state), Some(end))
            }
        }
    }

    /// Tells whether a reader parts the first word of a line from the rest, at blanks.
    fn parts_first(&self, asked: &Asked, state: &State) -> bool {
        let named = asked.names.iter().all(|it| it.text().is_some_and(is_name));
        let blanks = self.separators(state).is_some_and(|it| it == " \t\n");
        asked.names.len() > 1 && asked.array.is_none() && named && blanks
    }

    /// Gives the first word of a line to the first variable, and of the rest anything to the others.
    fn read_parted(&mut self, asked: &Asked, line: [&Val; 2], state: &mut State) {
        let [first, whole] = line;
        self.armed(whole, state);
        for (at, name) in asked.names.iter().enumerate() {
            let val = match at {
                0 => first.clone(),
                _ => Val::any(whole.carries.and(Carries::UNKNOWN)),
            };
            self.assign_named(name, Held::One(val), state);
        }
    }

    /// Gives a line to the variables that ask for it.
    fn read_into(&mut self, asked: &Asked, line: Val, state: &mut State) {
        self.armed(&line, state);
        let separators = self.separators(state);
        if let Some(array) = &asked.array {
            let held = match (line.text(), &separators) {
                (Some(text), Some(separators)) => Held::list(
                    fields(text, self.parting(separators, usize::MAX))
                        .into_iter()
                        .map(|it| Val::known(it).carrying(line.carries))
                        .collect(),
                ),
                _ => Held::any(Val::any(line.carries.and(Carries::UNKNOWN))),
            };
            return self.assign_named(array, held, state);
        }
        if asked.names.is_empty() {
            let reply = Arg::known("REPLY", belay_model::Span::default());
            return self.assign_named(&reply, Held::One(line), state);
        }
        let count = asked.names.len();
        let mut columns: Vec<Vec<Val>> = vec![Vec::new(); count];
        for choice in line.choices() {
            let mut parts = match (choice.text(), &separators) {
                (Some(text), Some(separators)) => fields(text, self.parting(separators, count))
                    .into_iter()
                    .map(|it| Val::known(it).carrying(choice.carries))
                    .collect(),
                (None, Some(separators)) if is_one_field(&choice, separators) => {
                    vec![choice.clone()]
                }
                _ => vec![Val::any(choice.carries); count],
            };
            parts.resize(count, Val::known(""));
            for (column, part) in columns.iter_mut().zip(parts) {
                column.push(part);
            }
        }
        let mut stopped = None;
        for (name, column) in asked.names.iter().zip(columns) {
            // What cannot be set ends it: the names behind it keep what they held.
            let fixed = name.text().map(|it| self.lookup(it, state).ways.readonly);
            if fixed.is_none_or(Tri::may) {
                stopped = State::either(stopped, Some(state.clone()));
            }
            self.assign_named(name, Held::One(Val::any_of(column)), state);
        }
        if let Some(stopped) = stopped {
            *state = stopped.or(std::mem::take(state));
        }
    }

    fn parting<'a>(&self, separators: &'a str, most: usize) -> Parting<'a> {
        Parting {
            separators,
            most,
            keeps_mark: self.scene.shell == Shell::Zsh,
        }
    }

    fn separators(&self, state: &State) -> Option<String> {
        let ifs = self.lookup("IFS", state);
        match ifs.set {
            Tri::No => Some(" \t\n".to_owned()),
            Tri::Yes => {
                let text = ifs.held.first().text().map(str::to_owned);
                text.filter(|it| it.is_ascii())
            }
            Tri::Perhaps => None,
        }
    }

    pub(crate) fn maps(&mut self, rest: &[Arg], mut state: State) -> Ends {
        let asked = Asked::new(rest, "dnOsuCc");
        if asked.calls {
            let at = rest.first().map(|it| it.span).unwrap_or_default();
            self.trouble(TroubleKind::Unknown, "a callback runs for each line", at);
        }
        let odd = asked.odd || asked.nul;
        let default = Arg::known("MAPFILE", belay_model::Span::default());
        let name = asked.names.first().cloned().unwrap_or(default);
        let number = asked.descriptor.unwrap_or(0);
        let input = state.descriptors.input(number);
        let cuts = rest
            .iter()
            .filter_map(Arg::text)
            .any(|it| it.starts_with('-') && it.contains('t'));
        let whole = input.text.as_ref().and_then(Val::text);
        let held = match whole {
            Some(text) if cuts && !odd && asked.descriptor.is_some() => Held::list(
                text.strip_suffix('\n')
                    .unwrap_or(text)
                    .split('\n')
                    .filter(|_| !text.is_empty())
                    .map(|it| Val::known(it).carrying(input.carries))
                    .collect(),
            ),
            _ if odd || !cuts || asked.descriptor.is_none() => {
                Held::any(Val::any(input.carries.and(Carries::UNKNOWN)))
            }
            _ => Held::any(state.descriptors.line(number).val),
        };
        self.armed(&held.elements().values, &mut state);
        state.descriptors.take(number);
        self.assign_named(&name, held, &mut state);
        Ends::Either(state)
    }
}

/// Tells whether no text of a shape is split: names that a program lists have no blanks, and nothing else parts them.
fn is_one_field(val: &Val, separators: &str) -> bool {
    match &val.text {
        Text::Glob(text) => {
            let parted = text.contains([' ', '\n']) || text.contains(|c| separators.contains(c));
            !parted && separators.chars().all(char::is_whitespace)
        }
        Text::Known(_) | Text::Prefix { .. } | Text::Unknown { .. } | Text::OneOf(_) => false,
    }
}

/// Without `-r` a backslash takes the meaning from the letter behind it.
fn unslashed(val: &Val) -> Val {
    Val::any_of(val.choices().into_iter().map(|it| match it.text() {
        Some(text) if text.contains('\\') => Val::any(it.carries.and(Carries::UNKNOWN)),
        _ => it,
    }))
}

/// How a line is split.
#[derive(Clone, Copy)]
struct Parting<'a> {
    separators: &'a str,
    /// So many fields there are at most; the last one gets the rest.
    most: usize,
    /// Whether the last keeps a mark that stands behind its only field.
    keeps_mark: bool,
}

fn fields(line: &str, parting: Parting<'_>) -> Vec<String> {
    let Parting {
        separators,
        most,
        keeps_mark,
    } = parting;
    let blank = |c: char| separators.contains(c) && matches!(c, ' ' | '\t' | '\n');
    let mark = |c: char| separators.contains(c) && !blank(c);
    let mut out = Vec::new();
    let mut rest = line.trim_start_matches(blank);
    while !rest.is_empty() {
        let last = out.len() + 1 == most;
        let end = rest.find(|c| separators.contains(c)).unwrap_or(rest.len());
        let (piece, more) = rest.split_at_checked(end).unwrap_or((rest, ""));
        let mut after = more.trim_start_matches(blank);
        if after.starts_with(mark) {
            let mut letters = after.chars();
            letters.next();
            after = letters.as_str().trim_start_matches(blank);
        }
        if last && (keeps_mark || !after.is_empty()) {
            out.push(rest.trim_end_matches(blank).to_owned());
            return out;
        }
        out.push(piece.to_owned());
        rest = after;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::Parting;

    fn fields(line: &str, separators: &str, most: usize) -> Vec<String> {
        let keeps_mark = false;
        super::fields(
            line,
            Parting {
                separators,
                most,
                keeps_mark,
            },
        )
    }

    #[test]
    fn lines_are_split_as_read_splits_them() {
        assert_eq!(fields("  a b  c ", " \t\n", 2), ["a", "b  c"]);
        assert_eq!(fields("a:b::c", ":", 4), ["a", "b", "", "c"]);
        assert_eq!(fields(" a ", "", 1), [" a "]);
        assert_eq!(fields("a b", " \t\n", 9), ["a", "b"]);
    }

    #[test]
    fn the_last_field_loses_the_one_mark_behind_it() {
        assert_eq!(fields("a", "a", 1), [""]);
        assert_eq!(fields("a:", ":", 1), ["a"]);
        assert_eq!(fields("a::", ":", 1), ["a::"]);
        assert_eq!(fields("a:b:", ":", 1), ["a:b:"]);
        assert_eq!(fields("a:b:", ":", 2), ["a", "b"]);
    }
}
