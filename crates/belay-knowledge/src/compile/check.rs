//! Checks that need a whole command: slots, names, references.

use super::model::{Effect, Example, Flow, Level, Output, Piece};
use super::pack::find;
use super::source::{Placed, Source};

/// Checks what every file must have.
pub fn counts(source: &mut Source<'_>, level: &Level, examples: &[Example]) {
    if level.about.is_empty() {
        source.fault(0..0, "no `about`", "say in one sentence what it does");
    }
    let wanted = if source.file.contains("builtins/") {
        1
    } else {
        3
    };
    if examples.len() < wanted {
        let what = format!("{} examples of at least {wanted}", examples.len());
        source.fault(
            0..0,
            what,
            "show the plain call, the strongest flag and an abuse under `[examples]`",
        );
    }
}

/// Checks that every slot of a level can be filled, and that what it names is there.
pub fn level(source: &mut Source<'_>, level: &Level, scopes: &[Vec<String>]) {
    if level.about.len() > 255 {
        source.fault(
            0..0,
            "`about` is longer than 255 bytes",
            "one sentence is enough",
        );
    }
    let own = level.forms.iter().flat_map(|it| &it.effects);
    let flags = level.flags.iter().flat_map(|it| &it.cases);
    let cases = flags.chain(level.values.iter().map(|it| &it.case));
    for effect in own.chain(cases.flat_map(|it| it.actions.effects())) {
        filled(source, effect, scopes);
    }
    references(source, level, scopes);
    subs(source, level);
}

fn pieces(effect: &Effect) -> impl Iterator<Item = &Piece> {
    let flows = effect.with.iter().filter_map(|it| match it {
        Flow::Text(piece)
        | Flow::Content(piece)
        | Flow::Body(piece)
        | Flow::Form(piece)
        | Flow::Named(piece)
        | Flow::Ending(piece)
        | Flow::Trimmed(piece)
        | Flow::Lacking(piece)
        | Flow::Port(piece)
        | Flow::Replacing(piece)
        | Flow::Found(piece)
        | Flow::Package(piece) => Some(piece),
        Flow::Input | Flow::Fetched | Flow::Brought | Flow::Making | Flow::Operands => None,
    });
    let on = effect.on.iter().map(|(_, piece)| piece);
    effect.target.iter().chain(flows).chain(on)
}

/// Faults slots of a template that nothing fills.
pub fn filled(source: &mut Source<'_>, effect: &Effect, scopes: &[Vec<String>]) {
    for piece in pieces(effect) {
        if let Piece::Slot(name) | Piece::SlotOr(name, _) = piece
            && find(name, scopes).is_none()
        {
            let here: Vec<&str> = scopes.iter().flatten().map(String::as_str).collect();
            let what = format!("nothing fills slot `{name}` of `{}`", effect.written.text);
            let hint = format!(
                "slots here are `{}`; a flag under `[flags]` fills the slot named as its value; a name in capitals that is no slot stands in single quotes",
                here.join("`, `")
            );
            source.fault(effect.written.span.clone(), what, hint);
        }
    }
}

fn references(source: &mut Source<'_>, level: &Level, scopes: &[Vec<String>]) {
    let outputs = level
        .flags
        .iter()
        .flat_map(|it| &it.cases)
        .filter_map(|it| it.actions.output.as_ref())
        .chain(&level.output)
        .filter_map(|it| match it {
            Output::Paths(slot) => Some(slot.clone()),
            Output::Content
            | Output::Facts
            | Output::Line
            | Output::Lines
            | Output::Names
            | Output::Ids
            | Output::Entries
            | Output::Refs
            | Output::Nothing => None,
        });
    let values = level.values.iter().map(|it| Placed {
        text: it.slot.clone(),
        span: it.case.key.span.clone(),
    });
    let named = outputs
        .chain(values)
        .chain(level.input.clone())
        .chain(level.prints.iter().flat_map(|it| it.slots.clone()))
        .chain(level.prints.iter().filter_map(|it| it.without.clone()))
        .chain(level.remote.clone());
    let own = scopes.first().map_or(&[][..], Vec::as_slice);
    for slot in named.collect::<Vec<_>>() {
        if !own.contains(&slot.text) {
            let what = format!("`{}` is not a slot here", slot.text);
            source.fault(slot.span, what, format!("slots are `{}`", own.join("`, `")));
        }
    }
}

fn subs(source: &mut Source<'_>, level: &Level) {
    let mut seen: Vec<&str> = Vec::new();
    for name in level.subs.iter().flat_map(|it| &it.names) {
        if seen.contains(&name.text.as_str()) {
            let what = format!("sub-command `{}` is there twice", name.text);
            source.fault(name.span.clone(), what, "keep one");
        }
        seen.push(&name.text);
    }
    for name in level.default.iter().chain(&level.otherwise) {
        if !seen.contains(&name.text.as_str()) {
            let what = format!("no sub-command `{}`", name.text);
            source.fault(
                name.span.clone(),
                what,
                format!("sub-commands are `{}`", seen.join("`, `")),
            );
        }
    }
}
