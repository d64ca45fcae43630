//! What some programs print: knowledge says which and in which form, the form is filled in here.

use belay_knowledge::{Piece, Print, Prints};
use belay_model::{Answer, At, Carries, Effect, Question, Scope, Verb};

use crate::effects::decoded::{from_base64, from_hex, lacking, reversed, translated, turned};
use crate::effects::printed::{
    Asked, asked, cuts_mark, entries_by, numbered, prints_first, prints_second, takes_first,
    takes_number, time,
};
use crate::machine::options::Tri;
use crate::machine::prints::{echoed, printed};
use crate::machine::processes::Processes;
use crate::machine::state::State;
use crate::machine::stream::Stream;
use crate::machine::value::{Arg, DIGITS, PLAIN, Text, Val};
use crate::machine::walk::Walker;

/// What flows into and around one invocation whose output is asked for.
pub(crate) struct Around<'a> {
    pub(crate) args: &'a [Arg],
    pub(crate) state: &'a State,
    pub(crate) input: &'a Stream,
}

impl Walker<'_> {
    /// Returns what a command prints, where that follows from its words and the surroundings.
    pub(crate) fn known_output(
        &self,
        prints: Option<&Prints<'_>>,
        around: &Around<'_>,
    ) -> Option<Stream> {
        let prints = prints?;
        let vals = |pieces: &[Piece<'_>]| -> Vec<Val> {
            let pieces = pieces.iter();
            pieces.map(|it| self.piece(*it, around.args)).collect()
        };
        let (of, with) = (vals(&prints.of), vals(&prints.with));
        if counts_words(prints.form) && around.args.iter().any(|it| it.many) {
            return None;
        }
        let val = match prints.form {
            Print::Number => Val::digits(),
            Print::Word => word(),
            Print::Numbers if !of.iter().all(is_digits) => return None,
            Print::Numbers => return Some(several(Val::digits())),
            Print::Words => return Some(several(word())),
            Print::Solid | Print::Matching => return None,
            Print::Base => base_of(&of)?,
            Print::Bases => lines(&of, |it| base(it, with.first()))?,
            Print::Folder => lines(&of, folder)?,
            Print::Resolved => self.resolved(&of, around.state)?,
            Print::Here => here(around.state),
            Print::Fresh => self.temporary(&of, &with, around.state),
            Print::TopLevel => self.top(around.state),
            Print::Branch if of.iter().any(|it| it.text() != Some("HEAD")) => return None,
            Print::Branch => self.branch(around.state),
            Print::Ref => Val::branch(),
            Print::Id => id_of(&of)?,
            // A name behind another flag is a file, and the flag alone asks for every connection.
            Print::ProcessesOfPort if !prints.with.iter().all(|it| follows(*it, around.args)) => {
                return None;
            }
            Print::ProcessesOfPort => {
                return numbers(&[of, with].concat(), Processes::of_port);
            }
            Print::ProcessesByPattern => {
                return numbers(&of, |it| Some(Processes::by_pattern(it)));
            }
            Print::ProcessesByName => {
                return numbers(&of, |it| Some(Processes::by_name(it)));
            }
            Print::Time => time(&of)?,
            Print::ToolFolder => self.tool_folder(&of, around.state)?,
            Print::Echoed => return Some(echoed(around.args, Tri::Perhaps)),
            Print::Formatted => return Some(printed(around.args, Tri::Perhaps)),
            Print::Contents => return self.contents(&of, around),
            Print::FromBase64 => return turned(&self.contents(&of, around)?, from_base64),
            Print::FromHex => return turned(&self.contents(&of, around)?, from_hex),
            Print::Reversed => return turned(&self.contents(&of, around)?, reversed),
            Print::Translated => {
                let (from, to) = (of.first()?.text()?, with.first()?.text()?);
                return turned(around.input, |it| translated(it, from, to));
            }
            Print::Lacking => {
                let set = of.first()?.text()?;
                return turned(around.input, |it| lacking(it, set));
            }
            Print::Variable => self.environment(&of, around.state)?,
            Print::FirstWords if prints_second(&of) => return around.input.behind_marks(),
            Print::Behind if cuts_mark(&of) => return around.input.behind_marks(),
            Print::Behind | Print::Marked => return None,
            Print::FirstWords if !prints_first(&of) => return None,
            Print::FirstFields if takes_number(&of, &with) => return around.input.line_numbers(),
            Print::FirstFields if !takes_first(&of, &with) => return None,
            Print::EntriesBy => return entries_by(&of),
            Print::Numbered => return numbered(&of),
            Print::Field => match asked(&of, &with)? {
                Asked { each: true, form } => return Some(several(form)),
                Asked { each: false, form } => form,
            },
            Print::FirstWords | Print::FirstFields => return around.input.first_words(),
        };
        Some(if prints.fails {
            Stream::line(val).or(Stream::nothing())
        } else {
            Stream::line(val)
        })
    }

    /// What one file holds, or what comes in where none is named.
    fn contents(&self, files: &[Val], around: &Around<'_>) -> Option<Stream> {
        match files {
            [] => Some(around.input.clone()),
            files => self.noted(files, around.state),
        }
    }

    /// The value of a variable that programs are given whether this call sets it or not: the home, where nobody set another.
    fn environment(&self, names: &[Val], state: &State) -> Option<Val> {
        let [name] = names else { return None };
        let home = name.text().filter(|it| *it == "HOME")?;
        let own = self.at == At::Here && state.variables.get(home).is_none();
        let val = self.variable(home, state).filter(|_| own)?;
        // Whoever started this may have given it none.
        Some(or_empty(&val))
    }

    fn noted(&self, files: &[Val], state: &State) -> Option<Stream> {
        let [one] = files else { return None };
        let Some(note) = self.note_of(one, state) else {
            return self.held(one, state);
        };
        Some(match (note.text, note.number) {
            (Some(text), _) => Stream::of(Val::known(text).carrying(note.carries)),
            (None, Some(number)) if !note.perhaps || !self.lies(one, state) => {
                Stream::line(Val::number_of(*number).carrying(note.carries))
            }
            (None, _) => Stream::labelled(note.carries),
        })
    }

    /// Tells whether a file may have been there before this call.
    pub(crate) fn lies(&self, file: &Val, state: &State) -> bool {
        let path = file.text().and_then(|it| self.absolute(it, state));
        path.is_none_or(|it| {
            matches!(
                self.scene.frame.world.ask(&Question::Kind(it)),
                Answer::Name(_)
            )
        })
    }

    /// What a small file of the project holds, as long as this call has done nothing but look.
    fn held(&self, file: &Val, state: &State) -> Option<Stream> {
        /// More is no name, number or version.
        const SMALL: u32 = 256;
        let looks = |it: &Effect| matches!(it.verb, Verb::Read | Verb::Probe);
        let frame = self.scene.frame;
        let path = self.absolute(file.text().filter(|it| !climbs(it))?, state)?;
        let scope = belay_places::scope_of(&belay_places::Path::new(&path), frame);
        if self.at != At::Here
            || scope != Scope::Project
            || state.files.touches(&path)
            || self.may_have_done(|it| !looks(it))
            || !self.outside(file, state).is_nothing()
        {
            return None;
        }
        match frame.world.ask(&Question::Text(path, SMALL)) {
            Answer::Text(bytes, true) => {
                let text = String::from_utf8(bytes).ok()?;
                let plain = |c: char| c.is_ascii_alphanumeric() || "._-+/: \n".contains(c);
                text.chars()
                    .all(plain)
                    .then(|| Stream::of(Val::known(text).carrying(Carries::CONTENT)))
            }
            Answer::Unknown
            | Answer::Yes
            | Answer::No
            | Answer::Path(_)
            | Answer::Missing(_)
            | Answer::Name(_)
            | Answer::Names(_)
            | Answer::Text(..)
            | Answer::Standing(_) => None,
        }
    }

    /// The folder that one setting of a tool means, where the call sets no variable that could say another.
    fn tool_folder(&self, settings: &[Val], state: &State) -> Option<Val> {
        let [one] = settings else { return None };
        let name = one.text()?;
        let looks =
            |it: &Effect| matches!(it.verb, Verb::Read | Verb::Probe | Verb::Run | Verb::Write);
        let set = state.variables.get(name).is_some() || state.variables.get("HOME").is_some();
        if self.at != At::Here || set || self.may_have_done(|it| !looks(it)) {
            return None;
        }
        match self
            .scene
            .frame
            .world
            .ask(&Question::ToolFolder(name.to_owned()))
        {
            Answer::Path(path) => Some(Val::known(path)),
            Answer::Unknown
            | Answer::Yes
            | Answer::No
            | Answer::Missing(_)
            | Answer::Name(_)
            | Answer::Names(_)
            | Answer::Text(..)
            | Answer::Standing(_) => None,
        }
    }

    /// A path with all its links followed; without one, the folder we are in.
    fn resolved(&self, paths: &[Val], state: &State) -> Option<Val> {
        let here = Val::known(".");
        let path = match paths {
            [] => &here,
            [one] => one,
            [_, _, ..] => return None,
        };
        let text = path.text().filter(|it| !climbs(it))?;
        // What links of this call lead to, nobody can look up.
        if !self.followed(text, state).is_empty() {
            return None;
        }
        let path = self.absolute(text, state)?;
        match self.scene.frame.world.ask(&Question::Resolve(path.clone())) {
            Answer::Path(found) => Some(Val::known(found)),
            Answer::Unknown => Some(Val::known(path)),
            Answer::Yes
            | Answer::No
            | Answer::Missing(_)
            | Answer::Name(_)
            | Answer::Names(_)
            | Answer::Text(..)
            | Answer::Standing(_) => Some(or_empty(&Val::known(path))),
        }
    }

    /// A new file or folder, by its template: whatever its name will be, nothing is there yet.
    fn temporary(&self, templates: &[Val], folders: &[Val], state: &State) -> Val {
        let temps = &self.scene.frame.temps;
        let temp = temps.first().map_or("/tmp", String::as_str);
        let own = state.variables.get("TMPDIR").is_some();
        let template = match templates {
            [] => Some("tmp.XXXXXXXXXX"),
            [one] => one.text(),
            [_, _, ..] => None,
        };
        let folder = match folders {
            [] if templates.is_empty() && !own => Some(temp),
            [one] => match one.text() {
                Some("") if !own => Some(temp),
                Some(text) => Some(text),
                None => None,
            },
            [] if !templates.is_empty() => Some(""),
            [] | [_, _, ..] => None,
        };
        match (folder, template) {
            (Some(""), Some(template)) if !climbs(template) => {
                Val::known(self.fresh_name(template))
            }
            (Some(folder), Some(template)) if !folder.is_empty() && !template.contains('/') => {
                Val::known(self.fresh_name(&format!("{folder}/{template}")))
            }
            _ => Val::unknown(),
        }
    }

    /// Fills in a template: no two names of one call are the same.
    fn fresh_name(&self, template: &str) -> String {
        let count = self.names.get() + 1;
        self.names.set(count);
        let end = template.rfind("XXX").map_or(template.len(), |at| at + 3);
        let (before, after) = template.split_at_checked(end).unwrap_or((template, ""));
        format!(
            "{}{count}{after}",
            before.strip_suffix('X').unwrap_or(before)
        )
    }

    /// Tells whether a folder is on this disk at all: of one that is not, nothing is known.
    pub(crate) fn is_on_disk(&self, folder: &str) -> bool {
        let question = Question::Kind(folder.to_owned());
        matches!(self.scene.frame.world.ask(&question), Answer::Name(_))
    }

    fn branch(&self, state: &State) -> Val {
        let Some(cwd) = state.cwd.clone().filter(|_| self.head_stays()) else {
            return Val::branch();
        };
        match self.scene.frame.world.ask(&Question::Branch(cwd)) {
            Answer::Name(name) => Val::known(name),
            Answer::Unknown
            | Answer::Yes
            | Answer::No
            | Answer::Path(_)
            | Answer::Missing(_)
            | Answer::Names(_)
            | Answer::Text(..)
            | Answer::Standing(_) => Val::branch(),
        }
    }
}

/// Tells whether what is printed depends on how many words there are.
const fn counts_words(form: Print) -> bool {
    match form {
        Print::Base
        | Print::Bases
        | Print::Folder
        | Print::Resolved
        | Print::Fresh
        | Print::Id
        | Print::ProcessesOfPort
        | Print::ProcessesByPattern
        | Print::ProcessesByName
        | Print::ToolFolder
        | Print::Contents
        | Print::FromBase64
        | Print::FromHex
        | Print::Reversed
        | Print::Translated
        | Print::Lacking
        | Print::FirstWords
        | Print::FirstFields
        | Print::Matching
        | Print::EntriesBy
        | Print::Field
        | Print::Numbered
        | Print::Marked
        | Print::Behind
        | Print::Variable => true,
        Print::Number
        | Print::Numbers
        | Print::Word
        | Print::Words
        | Print::Solid
        | Print::Here
        | Print::TopLevel
        | Print::Branch
        | Print::Ref
        | Print::Time
        | Print::Echoed
        | Print::Formatted => false,
    }
}

/// Tells whether a word stands right behind the flag that may take it.
fn follows(piece: Piece<'_>, args: &[Arg]) -> bool {
    let Piece::Word { index, .. } = piece else {
        return false;
    };
    let before = index.checked_sub(1).and_then(|it| args.get(it)?.text());
    before.is_some_and(|it| it.starts_with('-') && it.ends_with('i'))
}

/// Any number of lines like one: what is listed twice is never taken for one answer.
fn several(line: Val) -> Stream {
    Stream::listing(vec![line.clone(), line])
}

/// The id of one revision, or the word itself where it names none; a range and the like are several.
fn id_of(revisions: &[Val]) -> Option<Val> {
    let [one] = revisions else { return None };
    let text = one.text()?;
    let several = ["..", "^!", "^@", "^-"].iter().any(|it| text.contains(it));
    let one_id = !several && !text.starts_with(['^', '-']);
    one_id.then(|| Val::glob(PLAIN).or(one))
}

/// The numbers of some processes, where one word says of which.
fn numbers(of: &[Val], found: impl Fn(&str) -> Option<Processes>) -> Option<Stream> {
    let [which] = of else { return None };
    let processes = found(which.text()?)?;
    Some(Stream::listing(vec![Val::number_of(processes)]))
}

fn is_digits(val: &Val) -> bool {
    let digits = |it: &str| it.bytes().all(|it| it.is_ascii_digit());
    match &val.text {
        Text::Known(text) => digits(text),
        Text::Glob(text) => text == DIGITS,
        Text::Prefix { .. } | Text::Unknown { .. } | Text::OneOf(_) => false,
    }
}

/// A plain word, which is neither a flag nor a way up.
fn word() -> Val {
    Val::glob(PLAIN)
}

/// What a program prints that may find nothing to print.
fn or_empty(val: &Val) -> Val {
    val.or(&Val::known(""))
}

fn here(state: &State) -> Val {
    state.cwd.clone().map_or_else(Val::unknown, Val::known)
}

/// Tells whether a path goes up: where that leads depends on the links before it.
fn climbs(path: &str) -> bool {
    path.split('/').any(|it| it == "..")
}

/// Puts what is printed for each value on a line of its own.
fn lines(vals: &[Val], one: impl Fn(&Val) -> Val) -> Option<Val> {
    let (first, rest) = vals.split_first()?;
    let next = |sum: Val, it: &Val| sum.then(&Val::known("\n")).then(&one(it));
    Some(rest.iter().fold(one(first), next))
}

/// `basename PATH [ENDING]`.
fn base_of(vals: &[Val]) -> Option<Val> {
    match vals {
        [path] => Some(base(path, None)),
        [path, ending] => Some(base(path, Some(ending))),
        [] | [_, _, _, ..] => None,
    }
}

/// Returns the last part of a path without its ending. Of a path nobody knows it may be `..` or `/`.
fn base(path: &Val, ending: Option<&Val>) -> Val {
    let last = match &path.text {
        Text::Known(text) | Text::Glob(text) => {
            let bare = text.trim_end_matches('/');
            match bare.rsplit('/').next() {
                Some("") if !text.is_empty() => "/",
                Some("**") => "*",
                Some(last) => last,
                None => "",
            }
        }
        Text::Prefix { .. } | Text::Unknown { .. } => return Val::unknown().carrying(path.carries),
        Text::OneOf(_) => return Val::any_of(path.choices().iter().map(|it| base(it, ending))),
    };
    let cut = match ending.map(Val::text) {
        None => Some(last),
        Some(Some(ending)) => match last.strip_suffix(ending) {
            Some("") | None => Some(last),
            Some(stem) => Some(stem),
        },
        Some(None) => None,
    };
    match (cut, &path.text) {
        (Some(cut), Text::Known(_)) => Val::known(cut).carrying(path.carries),
        (Some(cut), _) => Val::glob(cut).carrying(path.carries),
        (None, _) => Val::unknown().carrying(path.carries),
    }
}

/// Returns what stands before the last part of a path.
fn folder(path: &Val) -> Val {
    let text = match &path.text {
        Text::Known(text) => text,
        Text::Glob(text) if !text.contains("**") => text,
        Text::Glob(_) | Text::Prefix { .. } | Text::Unknown { .. } => {
            return Val::unknown().carrying(path.carries);
        }
        Text::OneOf(_) => return Val::any_of(path.choices().iter().map(folder)),
    };
    let before = match text.trim_end_matches('/').rsplit_once('/') {
        Some((before, _)) if before.trim_end_matches('/').is_empty() => "/",
        Some((before, _)) => before.trim_end_matches('/'),
        None if text.starts_with('/') => "/",
        None => ".",
    };
    let val = if path.text().is_some() {
        Val::known(before)
    } else {
        Val::glob(before)
    };
    val.carrying(path.carries)
}
