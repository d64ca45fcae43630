//! What programs print by a format or a program of their own: the time, the first word of each line.

use belay_knowledge::OURS;
use belay_model::Carries;

use crate::machine::stream::{NUMBERED, Stream};
use crate::machine::value::{MARKED, PLAIN, Val};

/// Letters after `%` in a format of the time that stand for digits alone.
const NUMBERS: &str = "CdGgHIjMmNSsUuVWwYy";

/// Letters after `%` that stand for names, and for numbers with marks between.
const NAMES: &str = "AaBbhFpRTZ";

/// Tells whether a program of awk prints the first word of each line, and nothing else.
pub(crate) fn prints_first(programs: &[Val]) -> bool {
    let said = match programs {
        [one] => one.text(),
        [] | [_, _, ..] => None,
    };
    said.is_some_and(|it| {
        let bare: String = it.split_whitespace().collect();
        matches!(bare.as_str(), "{print$1}" | "{print$1;}")
    })
}

/// Tells whether a program of awk prints the second word of lines, and nothing else: of all, or of those that a comparison or a
/// pattern chooses, which changes nothing.
pub(crate) fn prints_second(programs: &[Val]) -> bool {
    let [program] = programs else { return false };
    let Some((chosen, rest)) = program.text().and_then(|it| it.split_once('{')) else {
        return false;
    };
    let bare: String = rest.split_whitespace().collect();
    let compared = chosen.replace("==", "").replace("!=", "");
    let changes = compared.contains(['=', '(', '+', '-', '|', '<', '>', '}', ';', '\n']);
    matches!(bare.as_str(), "print$2}" | "print$2;}") && !changes && !compared.contains("getline")
}

/// Tells whether a list, or a program of sed, asks for what stands behind the first three letters of each line.
pub(crate) fn cuts_mark(lists: &[Val]) -> bool {
    let [list] = lists else { return false };
    matches!(
        list.text(),
        Some("4-" | "s/^...//" | "s/^.. //" | "s/^.\\{3\\}//" | "s/^.{3}//")
    )
}

/// What each line begins with in a format of git's: an id with a blank behind it, and nothing further on that may end the line
/// or begin another, as texts of several lines do.
pub(crate) fn entries_by(formats: &[Val]) -> Option<Stream> {
    let [format] = formats else { return None };
    let format = format.text()?;
    let rest = ["%h ", "%H "]
        .iter()
        .find_map(|it| format.strip_prefix(it))?;
    let mut pieces = rest.split('%');
    let before = pieces.next()?;
    // Ids, the title, and names and times of author and committer.
    let known = |it: &str| {
        let mut letters = it.chars();
        match letters.next() {
            Some('h' | 'H' | 's') => true,
            Some('a' | 'c') => letters.next().is_some_and(|c| "nedrsit".contains(c)),
            Some(_) | None => false,
        }
    };
    let plain = !rest.contains('\n') && !before.contains('\r');
    (plain && pieces.all(known)).then(|| Stream {
        first: Some(Val::glob(PLAIN)),
        ..Stream::labelled(Carries::CONTENT.and(Carries::UNKNOWN))
    })
}

/// Lines behind their numbers, where they come from one file or from standard input: of several, each is named first.
pub(crate) fn numbered(files: &[Val]) -> Option<Stream> {
    (files.len() < 2).then(|| Stream {
        first: Some(Val::glob(NUMBERED)),
        ..Stream::labelled(Carries::CONTENT.and(Carries::UNKNOWN))
    })
}

/// Tells whether a list or a program, and what parts the fields, ask for what stands before the first colon.
pub(crate) fn takes_number(lists: &[Val], separators: &[Val]) -> bool {
    let first = matches!(lists, [list] if list.text() == Some("1")) || prints_first(lists);
    first && matches!(separators, [it] if it.text() == Some(":"))
}

/// The one field that a query takes from what a code host tells.
pub(crate) struct Asked {
    /// What its value is like.
    pub(crate) form: Val,
    /// Of each entry, a line each.
    pub(crate) each: bool,
}

/// Returns the field that is asked for, where a query takes nothing but one of them and the list says what they look like.
pub(crate) fn asked(fields: &[Val], queries: &[Val]) -> Option<Asked> {
    let ([fields], [query]) = (fields, queries) else {
        return None;
    };
    let query = query.text()?.strip_prefix('.')?;
    let (each, name) = match query.strip_prefix("[].") {
        Some(name) => (true, name),
        None => (false, query.strip_prefix("[0].").unwrap_or(query)),
    };
    let listed = fields.text()?.split(',').any(|it| it == name);
    let form = match OURS.said("forge-fields", name).filter(|_| listed)? {
        "ref" => Val::branch(),
        _ => Val::glob(PLAIN),
    };
    Some(Asked { form, each })
}

/// Tells whether a list of fields and what parts them ask for what stands before the first blank.
pub(crate) fn takes_first(lists: &[Val], separators: &[Val]) -> bool {
    match (lists, separators) {
        ([list], [separator]) => list.text() == Some("1") && separator.text() == Some(" "),
        _ => false,
    }
}

/// Returns what the clock says in a format, where that is a number or a plain word.
pub(crate) fn time(formats: &[Val]) -> Option<Val> {
    let [format] = formats else { return None };
    let format = format.text()?.strip_prefix('+')?;
    let (mut digits, mut plain, mut marked) = (true, true, false);
    let mut chars = format.chars();
    while let Some(c) = chars.next() {
        let first = chars.as_str().len() + c.len_utf8() == format.len();
        match c {
            '%' => {
                let c = chars.next()?;
                digits &= NUMBERS.contains(c);
                plain &= NUMBERS.contains(c) || NAMES.contains(c);
            }
            c if c.is_ascii_digit() => {}
            c => {
                digits = false;
                let later = matches!(c, '.' | '-' | ':' | '+') && !first;
                marked |= later;
                plain &= c.is_ascii_alphanumeric() || c == '_' || later;
            }
        }
    }
    match (digits, plain) {
        _ if format.is_empty() => None,
        (true, _) => Some(Val::digits()),
        (false, true) if marked => Some(Val::glob(MARKED)),
        (false, true) => Some(Val::glob(PLAIN)),
        (false, false) => None,
    }
}
