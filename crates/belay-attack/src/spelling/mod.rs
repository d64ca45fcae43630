//! Ways to write a line anew. Each is small, and any may be put upon any other.

mod carriers;
mod files;
mod flags;
mod places;
mod quoting;
mod structure;
mod variables;

use belay_oracle::dice::Dice;

use autobelay::Value;

use crate::line::{Line, Scene, quoted};
use crate::seeds::{self, Seed};

/// One way to write a line anew.
#[derive(Clone, Copy, Debug)]
pub struct Spelling {
    /// What it goes by.
    pub name: &'static str,
    /// How it writes.
    pub form: Form,
    /// What it asks of a line.
    pub needs: Needs,
    /// What must hold of the verdict.
    pub bar: Bar,
    /// What it takes from the line besides.
    pub takes: Takes,
}

/// What a line written anew does not have any more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Takes {
    /// It has all.
    #[default]
    Nothing,
    /// Nobody types into it: what would ask a person, or run what is typed, finds nothing.
    Input,
    /// Nobody sees what it prints.
    Output,
}

/// How a spelling writes.
#[derive(Clone, Copy, Debug)]
pub enum Form {
    /// Puts words before the line.
    Before(&'static str),
    /// Puts the line between two texts; the second begins on a line of its own, or behind a semicolon.
    Around(&'static str, &'static str),
    /// Puts the line, quoted as one word, between two texts.
    Quoted(&'static str, &'static str),
    /// Names the file of a tool's call another way; none where it has no other.
    Path(fn(&str, &Scene) -> Option<String>),
    /// Anything else; none where it has nothing to change.
    Free(fn(&Line<'_>, &mut Dice) -> Option<String>),
}

/// What a spelling asks of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// Nothing.
    Nothing,
    /// One simple command.
    Words,
    /// One simple command that another program can start.
    Program,
    /// A line that does in a child of the shell what it does in the shell.
    Child,
    /// One simple command that any shell reads alike, and that does the same in a child.
    Posix,
}

/// What must hold of the verdict on a line written anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Bar {
    /// It is the plain line's.
    Same,
    /// It is not milder than the plain line's.
    NotMilder,
    /// It is not allow: the line looks like the plain one, and is another.
    NotAllow,
}

/// The longest text that is worth another spelling.
const LONGEST: usize = 20_000;

impl Spelling {
    /// Writes the input of a call anew; none where it has nothing to change.
    #[must_use]
    pub fn respell(&self, seed: &Seed, input: &Value, dice: &mut Dice) -> Option<Value> {
        match (seeds::text(&seed.call.tool, input), self.form) {
            (None, Form::Path(form)) => files::write(input, &seed.scene, form),
            (None, _) | (Some(_), Form::Path(_)) => None,
            (Some(text), _) => {
                let fresh = self.write(&Line::new(text, &seed.scene), dice)?;
                let changed = fresh != text && fresh.len() < LONGEST;
                changed.then(|| seeds::with_text(input, &fresh))
            }
        }
    }

    /// Writes a line anew.
    #[must_use]
    pub fn write(&self, line: &Line<'_>, dice: &mut Dice) -> Option<String> {
        let suits = match self.needs {
            Needs::Nothing => true,
            Needs::Words => line.words.is_some(),
            Needs::Program => line.program().is_some(),
            Needs::Child => line.suits_a_child(),
            Needs::Posix => line.words.is_some() && line.suits_a_child(),
        };
        if !suits || line.text.trim().is_empty() || line.text.contains('\0') {
            return None;
        }
        let text = line.text;
        match self.form {
            Form::Before(before) => Some(format!("{before} {text}")),
            Form::Around(before, after) => {
                let end = if line.ends() && dice.chance(70) {
                    "; "
                } else {
                    "\n"
                };
                Some(format!("{before}{text}{end}{after}"))
            }
            Form::Quoted(before, after) => Some(format!("{before}{}{after}", quoted(text, dice))),
            Form::Path(_) => None,
            Form::Free(write) => write(line, dice),
        }
    }
}

const fn spelling(name: &'static str, needs: Needs, form: Form) -> Spelling {
    Spelling {
        name,
        form,
        needs,
        bar: Bar::NotMilder,
        takes: Takes::Nothing,
    }
}

/// A spelling in which nobody can type into the line.
const fn deaf(name: &'static str, needs: Needs, form: Form) -> Spelling {
    let mut it = spelling(name, needs, form);
    it.takes = Takes::Input;
    it
}

/// A spelling in which nobody sees what the line prints.
const fn mute(name: &'static str, needs: Needs, form: Form) -> Spelling {
    let mut it = spelling(name, needs, form);
    it.takes = Takes::Output;
    it
}

/// A spelling that a careful person would call transparent.
const fn transparent(name: &'static str, needs: Needs, form: Form) -> Spelling {
    Spelling {
        name,
        form,
        needs,
        bar: Bar::Same,
        takes: Takes::Nothing,
    }
}

/// Returns all of them, sorted by what they do.
#[must_use]
pub fn all() -> Vec<Spelling> {
    let parts: [&[Spelling]; 7] = [
        &quoting::ALL,
        &carriers::ALL,
        &structure::ALL,
        &variables::ALL,
        &places::ALL,
        &flags::ALL,
        &files::ALL,
    ];
    parts.concat()
}
