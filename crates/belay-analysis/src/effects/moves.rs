//! Things that are moved or linked: where they are afterwards.

use belay_knowledge::Deed;
use belay_model::{Effect, How, Verb};

use crate::effects::acts::Touched;
use crate::effects::arrivals::Arrival;
use crate::effects::landing::copied;
use crate::machine::flows::Flows;
use crate::machine::links::{Leads, Linked, below};
use crate::machine::places::is_sink;
use crate::machine::state::State;
use crate::machine::value::{Arg, Text, Val};
use crate::machine::walk::Walker;

/// Something that is copied or moved, and the word that says where to.
#[derive(Clone, Copy)]
struct Copied<'a> {
    source: &'a Val,
    to: &'a Val,
}

impl Walker<'_> {
    /// Takes a thing from its place; into a sink it is gone.
    pub(crate) fn moved(&mut self, touched: Touched<'_>, args: &[Arg], state: &mut State) {
        let Touched { effect, val } = touched;
        let Some(to) = args.last().map(|it| it.val.clone()) else {
            return;
        };
        // However it is spelled: `//dev/null` is the same sink.
        let sinks = |it: &Val| {
            let path = it.text().and_then(|it| self.absolute(it, state));
            path.is_some_and(|it| is_sink(&Val::known(belay_places::Path::new(&it).text())))
        };
        let verb = if is_sink(&to) || to.choices().iter().any(sinks) {
            Verb::Delete
        } else {
            Verb::Move
        };
        let effect = Effect { verb, ..effect };
        self.change_place(&effect, val, state);
        let to = to.text().and_then(|it| self.absolute(it, state));
        for source in val.choices() {
            let source = self.lying(source, state);
            if state.stands_in(&source) {
                // With the folder we are in, relative paths lie elsewhere.
                state.lose_folder();
            }
            if let Some(to) = &to {
                state.moved.push((source, to.clone()));
            }
        }
    }

    /// Returns a value with its path absolute, as far as it is known.
    fn lying(&self, val: Val, state: &State) -> Val {
        let text = match &val.text {
            Text::Known(text) => self.absolute(text, state).map(Text::Known),
            Text::Glob(text) => self.absolute(text, state).map(Text::Glob),
            Text::Prefix { .. } | Text::Unknown { .. } | Text::OneOf(_) => None,
        };
        match text {
            Some(text) => Val { text, ..val },
            None => val,
        }
    }

    /// Makes a link to a place.
    pub(crate) fn links_to(&mut self, touched: Touched<'_>, state: &State, flows: &Flows<'_>) {
        let Touched { effect, val } = touched;
        let (named, inside) = linked(val, flows.args);
        self.change_place(&effect, &named, state);
        let program = flows.path.first().copied().unwrap_or_default();
        if self.tells("names-the-folder", program, flows.args) {
            // Which word is the folder nobody knows: any path may lead through the link.
            let anywhere = Linked {
                from: String::new(),
                to: None,
                sure: false,
            };
            return self.keep_links(vec![anywhere], effect.span, state);
        }
        let leads = Leads {
            named: &named,
            inside: &inside,
        };
        self.made_link(leads, flows.args, state);
    }

    /// What is copied or moved may be a link of this call, or hold one: then what arrives leads there too.
    pub(crate) fn links_land(&mut self, val: &Val, arrival: Arrival<'_>, state: &State) {
        if state.links.is_empty() || !arrival.flows.deeds.has(Deed::Copies) {
            return;
        }
        let mut made = Vec::new();
        for source in copied(val, arrival) {
            for link in state.links.iter() {
                let copy = Copied { source, to: val };
                made.extend(self.landed(link, copy, state));
            }
        }
        self.keep_links(made, arrival.span, state);
    }

    /// Returns the links that a copy of something makes, where a link lies there.
    fn landed(&self, link: &Linked, copy: Copied<'_>, state: &State) -> Vec<Linked> {
        let absolute = |it: &Val| it.text().and_then(|it| self.absolute(it, state));
        let source = absolute(copy.source);
        // Of a pattern nobody knows what it finds: the link, or a folder that holds it.
        let rest = match &source {
            Some(source) => below(&link.from, source),
            None => link.from.rfind('/').and_then(|it| link.from.get(it..)),
        };
        let (Some(rest), Some(to)) = (rest, absolute(copy.to)) else {
            return Vec::new();
        };
        let name = source.as_deref().and_then(|it| it.rsplit('/').next());
        let inside = name.map(|name| format!("{to}/{name}{rest}"));
        // Its text is read from the folder it lies in now.
        let folder = |it: &str| it.rsplit_once('/').map(|it| it.0.to_owned());
        let landed = [Some(format!("{to}{rest}")), inside].into_iter().flatten();
        landed
            .map(|from| Linked {
                to: link
                    .to
                    .clone()
                    .filter(|_| folder(&from) == folder(&link.from)),
                from,
                sure: false,
            })
            .collect()
    }

    /// What was moved into a folder that is deleted now is deleted with it.
    pub(crate) fn moved_before(&mut self, effect: &Effect, val: &Val, state: &State) {
        let Some(path) = val.text().and_then(|it| self.absolute(it, state)) else {
            return;
        };
        for (source, to) in state.moved.iter() {
            if belay_places::Path::new(to).is_within(&path) {
                self.change_place(&effect.clone().how(How::Tree), source, state);
            }
        }
    }
}

/// Returns what a symbolic link leads to: its text is read from the link's own folder, which is that of the last word, or
/// the last word itself.
pub(crate) fn linked(val: &Val, args: &[Arg]) -> (Val, Val) {
    let symbolic = args.iter().filter_map(Arg::text).any(|it| {
        it == "--symbolic" || it.starts_with('-') && !it.starts_with("--") && it.contains('s')
    });
    let relative = val.text().is_some_and(|it| !it.starts_with('/'));
    let last = args.last().and_then(Arg::text);
    let folder = last.and_then(|it| it.rsplit_once('/')).map(|it| it.0);
    let read_from = |folder: Option<&str>| match (symbolic && relative, folder) {
        (true, Some(folder)) => Val::known(format!("{folder}/")).then(val),
        _ => val.clone(),
    };
    (read_from(folder), read_from(last))
}
