//! Things that are moved or linked: where they are afterwards.

use belay_knowledge::Deed;
use belay_model::{Answer, At, Carries, Effect, How, Question, Verb};

use crate::effects::acts::Touched;
use crate::effects::arrivals::Arrival;
use crate::effects::landing::copied;
use crate::machine::came::{Filled, Source};
use crate::machine::flows::Flows;
use crate::machine::links::{Leads, Linked, below};
use crate::machine::places::is_sink;
use crate::machine::state::State;
use crate::machine::value::{Arg, Text, Val, escape};
use crate::machine::walk::Walker;

/// Something that is copied or moved, and the word that says where to.
#[derive(Clone, Copy)]
struct Copied<'a> {
    source: &'a Val,
    to: &'a Val,
}

/// A folder that is copied or moved with all that is in it.
struct Whole {
    /// Where it lies, absolute; a pattern may stand on the way.
    from: String,
    /// The name it gets in a folder; nothing where its contents go there.
    name: Option<String>,
    /// The pattern of all links in it.
    tree: String,
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
            return self.keep_links(vec![Linked::anywhere()], effect.span, state);
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

    /// What is copied or moved may hold links that lie on the disk: then they lie in the copy, too.
    pub(crate) fn links_come(&self, val: &Val, arrival: Arrival<'_>, state: &mut State) {
        self.links_unpacked(val, arrival, state);
        let here = self.at == At::Here && arrival.flows.deeds.has(Deed::Copies);
        let here = here && self.takes_links_along(arrival);
        let to = val.text().and_then(|it| self.absolute(it, state));
        let Some(to) = to.filter(|_| here) else {
            return;
        };
        let sources = copied(val, arrival).into_iter();
        let whole: Vec<Whole> = sources.filter_map(|it| self.taken(it, state)).collect();
        for Whole { from, name, tree } in whole {
            let mut ways = self.earlier(&from, &tree, state);
            ways.push((from, tree));
            for (from, tree) in ways {
                if !self.holds_links(&tree, &from) && !self.is_link(&from) {
                    continue;
                }
                let inside = name.as_ref().map(|it| format!("{to}/{it}"));
                for to in [Some(to.clone()), inside].into_iter().flatten() {
                    let with = Source::Folder(from.clone());
                    state.files.fill(Filled { with, to });
                }
            }
        }
    }

    /// What is unpacked may be links: those of an archive that lies here can be looked up.
    fn links_unpacked(&self, val: &Val, arrival: Arrival<'_>, state: &mut State) {
        let here = self.at == At::Here && arrival.flows.deeds.has(Deed::Unpacks);
        let to = val.text().and_then(|it| self.absolute(it, state));
        let Some(to) = to.filter(|_| here && !self.is_archive(val)) else {
            return;
        };
        let words = arrival.args.iter().skip(1).map(|it| &it.val);
        let named: Vec<Val> = words.filter(|it| self.is_archive(it)).cloned().collect();
        let piped = named.is_empty();
        let named = if piped { self.archives_read() } else { named };
        let mut sources: Vec<Source> = named
            .iter()
            .filter_map(|it| self.archive_at(it, state))
            .collect();
        if piped && arrival.flows.input.carries.holds(Carries::FETCHED) {
            sources.push(Source::Elsewhere);
        } else if piped {
            sources.extend(self.trees_read());
        }
        for with in sources {
            let to = to.clone();
            state.files.fill(Filled { with, to });
        }
    }

    /// Returns the archives that this call read so far: one of them may be what comes in.
    fn archives_read(&self) -> Vec<Val> {
        let read = self.out.effects.iter().filter(|it| it.verb == Verb::Read);
        let places = read.filter_map(|it| it.place()?.known());
        let frame = self.scene.frame;
        let paths = places.filter_map(|it| belay_places::absolute(it, frame.cwd, frame.home()));
        let vals = paths.map(|it| Val::known(it.into_text()));
        vals.filter(|it| self.is_archive(it)).collect()
    }

    /// Returns the folders that this call read as a whole, and those they lie in: one of them may be what comes in.
    fn trees_read(&self) -> Vec<Source> {
        let frame = self.scene.frame;
        let whole = |it: &&Effect| it.verb == Verb::Read && it.how == How::Tree;
        let read = self.out.effects.iter().filter(whole);
        let places = read.filter_map(|it| it.place()?.known());
        let paths = places.filter_map(|it| belay_places::absolute(it, frame.cwd, frame.home()));
        let paths: Vec<String> = paths.map(belay_places::Path::into_text).collect();
        let above = paths.iter().filter_map(|it| it.rsplit_once('/'));
        let above: Vec<String> = above.map(|it| it.0.to_owned()).collect();
        let all = paths.into_iter().chain(above);
        let all = all.filter(|it| !it.is_empty() && it != "/");
        all.map(Source::Folder).collect()
    }

    /// Returns an archive as it can be looked up: what this call makes or fetches cannot be.
    fn archive_at(&self, archive: &Val, state: &State) -> Option<Source> {
        let path = self.absolute(archive.text()?, state)?;
        match self.scene.frame.world.ask(&Question::Kind(path.clone())) {
            Answer::Missing(_) => Some(Source::Elsewhere),
            Answer::Name(_) if state.files.contains_key(&path) => Some(Source::Elsewhere),
            Answer::Name(_) => Some(Source::Archive(path)),
            Answer::Unknown
            | Answer::Yes
            | Answer::No
            | Answer::Path(_)
            | Answer::Names(_)
            | Answer::Text(..)
            | Answer::Standing(_) => None,
        }
    }

    /// Returns where a folder that is copied came from in this call, and the pattern of its links there.
    fn earlier(&self, from: &str, tree: &str, state: &State) -> Vec<(String, String)> {
        let filled = state.files.filled().iter();
        let sources = filled.filter_map(|it| match &it.with {
            Source::Folder(source) => Some(format!("{source}{}", below(from, &it.to)?)),
            Source::Archive(_) | Source::Elsewhere => None,
        });
        let pattern = |source: String| {
            let tree = tree.replacen(from, &source, 1);
            (source, tree)
        };
        sources.map(pattern).collect()
    }

    /// Tells whether the present command copies or moves links as they are: what it copies one by one it reads.
    fn takes_links_along(&self, arrival: Arrival<'_>) -> bool {
        let program = arrival.flows.path.first().copied().unwrap_or_default();
        if self.tells_plainly("copies-links", program, arrival.args) {
            return true;
        }
        let from = self.out.invocations.last().map_or(0, |it| it.from);
        let told = self.out.effects.get(from..).unwrap_or_default();
        let whole =
            |it: &Effect| it.verb == Verb::Move || it.verb == Verb::Read && it.how == How::Tree;
        told.iter().any(whole)
    }

    /// Returns the folder that is copied as a whole, or whose contents are.
    fn taken(&self, source: &Val, state: &State) -> Option<Whole> {
        match &source.text {
            Text::Known(text) => {
                let from = self.absolute(text, state)?;
                let tree = format!("{}/***", escape(&from));
                let name = from.rsplit('/').next().map(str::to_owned);
                Some(Whole { from, name, tree })
            }
            Text::Glob(text) => {
                let pattern = self.absolute(text, state)?;
                let from = pattern.rsplit_once('/')?.0.to_owned();
                let tree = format!("{pattern}/***");
                let name = None;
                Some(Whole { from, name, tree })
            }
            Text::Prefix { .. } | Text::Unknown { .. } | Text::OneOf(_) => None,
        }
    }

    fn is_link(&self, path: &str) -> bool {
        let kind = self.scene.frame.world.ask(&Question::Kind(path.to_owned()));
        matches!(kind, Answer::Name(it) if it == "link")
    }

    /// Tells whether links in a tree lead out of it.
    fn holds_links(&self, tree: &str, from: &str) -> bool {
        match self
            .scene
            .frame
            .world
            .ask(&Question::Links(tree.to_owned()))
        {
            Answer::Names(led) => led
                .iter()
                .any(|it| !belay_places::Path::new(it).is_within(from)),
            Answer::No => true,
            Answer::Unknown
            | Answer::Yes
            | Answer::Path(_)
            | Answer::Missing(_)
            | Answer::Name(_)
            | Answer::Text(..)
            | Answer::Standing(_) => false,
        }
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
