//! What a variable holds after it was set, as a whole or in part.

use crate::machine::constants::decimal;
use crate::machine::cuts::is_made_up;
use crate::machine::options::Tri;
use crate::machine::pairs::{held_by, with_key};
use crate::machine::value::Val;
use crate::machine::variable::{Elements, Held, Variable, Ways};

/// Applies a change that holds, may hold or does not.
pub(crate) fn with(holds: Tri, val: Val, change: impl Fn(&Val) -> Val) -> Val {
    match holds {
        Tri::No => val,
        Tri::Yes => change(&val),
        Tri::Perhaps => val.or(&change(&val)),
    }
}

pub(crate) fn cased(val: &Val, change: impl Fn(&str) -> String) -> Val {
    Val::any_of(val.choices().into_iter().map(|it| match it.text() {
        Some(text) if !is_made_up(text) => Val::known(change(text)).carrying(it.carries),
        Some(_) | None => Val::unknown().carrying(it.carries),
    }))
}

/// Returns what a text is worth as arithmetic: itself, where it is a number.
pub(crate) fn summed(val: &Val) -> Val {
    match number(val) {
        Some(number) => Val::known(number.to_string()).carrying(val.carries),
        None => Val::number(),
    }
}

fn number(val: &Val) -> Option<i64> {
    val.text().and_then(decimal)
}

/// Returns every value that something holds.
pub(crate) fn held_values(held: &Held) -> Vec<Val> {
    match held {
        Held::One(val) => vec![val.clone()],
        Held::List(vals) => vals.clone(),
        Held::Any(it) => vec![it.values.clone()],
    }
}

/// A text set to what is an array sets its first element.
pub(crate) fn whole(before: &Variable, held: Held) -> Held {
    match (&before.held, held) {
        (Held::List(_) | Held::Any(_), Held::One(val)) if before.set.may() => {
            element(before, &Val::known("0"), Put::whole(val))
        }
        (_, held) => held,
    }
}

/// Returns a value with another behind it, or their sum.
fn more(old: Val, new: &Val, ways: Ways) -> Val {
    match ways.integer {
        Tri::Yes => match (number(&old), number(new)) {
            (Some(old), Some(new)) => old
                .checked_add(new)
                .map_or_else(Val::number, |it| Val::known(it.to_string())),
            _ => Val::number(),
        },
        Tri::Perhaps => old.then(new).or(&Val::number()),
        Tri::No => old.then(new),
    }
}

pub(crate) fn appended(before: &Variable, held: Held) -> Held {
    match (&before.held, held) {
        (Held::One(old), Held::One(new)) => Held::One(more(old.clone(), &new, before.ways)),
        (Held::List(old), Held::List(new)) => {
            let mut all = old.clone();
            all.extend(new);
            Held::list(all)
        }
        (Held::One(old), Held::List(new)) => {
            let mut all: Vec<Val> = if before.set.must() {
                vec![old.clone()]
            } else if before.set.may() {
                return Held::any(old.or(&Val::any_of(new)));
            } else {
                Vec::new()
            };
            all.extend(new);
            Held::list(all)
        }
        (Held::List(_) | Held::Any(_), Held::One(new)) => {
            element(before, &Val::known("0"), Put::more(new))
        }
        (old, new) if old.in_order().is_some() && new.in_order().is_some() => {
            let parts = [old.in_order(), new.in_order()];
            Held::row(parts.into_iter().flatten().flatten().cloned().collect())
        }
        (old, new) => old.clone().or(&new).or(&Held::any(Val::known(""))),
    }
}

/// Words without keys that an associative array is given are keys and values by turns.
pub(crate) fn paired(held: Held, ways: Ways) -> Held {
    match held {
        Held::List(vals) if ways.keyed.may() && !vals.is_empty() => {
            let any = Val::any_of(vals);
            let values = any.clone().or(&Val::known(""));
            Held::Any(Box::new(Elements::of(any, values)))
        }
        Held::Any(it) if ways.keyed.may() => Held::Any(Box::new(Elements {
            row: Vec::new(),
            ..*it
        })),
        held @ (Held::One(_) | Held::List(_) | Held::Any(_)) => held,
    }
}

/// What an element is given, and whether behind what it held.
pub(crate) struct Put {
    pub(crate) held: Held,
    pub(crate) append: bool,
}

impl Put {
    const fn whole(val: Val) -> Self {
        Self {
            held: Held::One(val),
            append: false,
        }
    }

    const fn more(val: Val) -> Self {
        Self {
            held: Held::One(val),
            append: true,
        }
    }
}

/// Returns an array of which one element was set.
pub(crate) fn element(before: &Variable, key: &Val, put: Put) -> Held {
    let append = put.append;
    let val = put.held.first();
    let index = key.text().and_then(|it| it.parse::<usize>().ok());
    let list: Option<Vec<Val>> = match &before.held {
        Held::List(vals) => Some(vals.clone()),
        Held::One(old) if before.set.must() => Some(vec![old.clone()]),
        Held::One(_) if !before.set.may() => Some(Vec::new()),
        Held::One(_) | Held::Any(_) => None,
    };
    let keyed = before.ways.keyed.may();
    match (list, index) {
        (Some(mut vals), Some(at)) if !keyed && at <= vals.len() => {
            match vals.get_mut(at) {
                Some(slot) if append => *slot = more(slot.clone(), &val, before.ways),
                Some(slot) => *slot = val,
                None => vals.push(val),
            }
            Held::list(vals)
        }
        _ => {
            let val = match append {
                true => {
                    let old = match held_by(before, key) {
                        Some(Some(old)) => old,
                        Some(None) => Val::known(""),
                        // It may be a key that nothing was behind.
                        None => before.held.elements().values.or(&Val::known("")),
                    };
                    more(old, &val, before.ways)
                }
                false => val,
            };
            Held::Any(Box::new(with_key(before, key, &val)))
        }
    }
}

/// Tells whether the shell itself changes a variable all the time.
pub(crate) fn is_volatile(name: &str) -> bool {
    matches!(
        name,
        "RANDOM"
            | "SRANDOM"
            | "SECONDS"
            | "LINENO"
            | "BASHPID"
            | "EPOCHSECONDS"
            | "EPOCHREALTIME"
            | "_"
            | "BASH_REMATCH"
            | "PIPESTATUS"
            | "DIRSTACK"
            | "FUNCNAME"
            | "GROUPS"
            | "COLUMNS"
            | "LINES"
            | "BASH_ARGC"
            | "OPTARG"
            | "BASH_COMMAND"
            | "BASH_ARGV"
            | "BASH_SOURCE"
            | "BASH_LINENO"
            | "BASH_SUBSHELL"
            | "BASH_EXECUTION_STRING"
            | "HISTCMD"
            | "COMP_LINE"
            | "READLINE_LINE"
    )
}

pub(crate) fn volatile(name: &str) -> Held {
    match name {
        "RANDOM" | "SRANDOM" | "SECONDS" | "LINENO" | "BASHPID" | "EPOCHSECONDS"
        | "BASH_SUBSHELL" | "HISTCMD" => Held::One(Val::digits()),
        "_" | "OPTARG" | "BASH_COMMAND" | "EPOCHREALTIME" | "COLUMNS" | "LINES" => {
            Held::One(Val::unknown())
        }
        "PIPESTATUS" => Held::any(Val::digits()),
        _ => Held::anything(),
    }
}
