//! Links that were made in this call: where they lie, and where paths lead through them.

use belay_model::{Effect, Place, Verb};

use crate::machine::state::State;
use crate::machine::value::{Arg, Text, Val};
use crate::machine::walk::Walker;

/// A link that was made in this call.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Linked {
    /// Where it lies, absolute.
    pub(crate) from: String,
    /// Where it leads, absolute; `None` when not known.
    pub(crate) to: Option<String>,
    /// Whether it lies there for certain, not in a folder of that name.
    pub(crate) sure: bool,
}

impl Linked {
    /// A link of which nobody knows where it lies, or leads to.
    pub(crate) const fn anywhere() -> Self {
        Self {
            from: String::new(),
            to: None,
            sure: false,
        }
    }
}

/// Where a link that is made leads.
#[derive(Clone, Copy)]
pub(crate) struct Leads<'a> {
    /// Where the last word is its name.
    pub(crate) named: &'a Val,
    /// Where the last word is the folder it goes to.
    pub(crate) inside: &'a Val,
}

impl State {
    /// Tells whether a place that was moved holds the folder we are in: relative paths lie elsewhere then.
    pub(crate) fn stands_in(&self, place: &Val) -> bool {
        let holds = |folder: &String| match &place.text {
            Text::Known(text) => belay_places::Path::new(folder).is_within(text),
            Text::Glob(pattern) => {
                let ends = folder.match_indices('/').map(|(at, _)| at).skip(1);
                let mut above = ends.chain([folder.len()]).filter_map(|it| folder.get(..it));
                above.any(|it| belay_places::matches_path(pattern, it))
            }
            Text::Prefix { .. } | Text::Unknown { .. } | Text::OneOf(_) => true,
        };
        self.found.is_some() || self.cwd.iter().chain(&self.elsewhere).any(holds)
    }

    /// Takes over what another process moved, and loses the folder that it moved away.
    pub(crate) fn moved_too(&mut self, other: &Self) {
        if self.moved.is_same(&other.moved) {
            return;
        }
        for pair in other.moved.iter() {
            if self.moved.contains(pair) {
                continue;
            }
            if self.stands_in(&pair.0) {
                self.lose_folder();
            }
            self.moved.push(pair.clone());
        }
    }

    /// Adds what another way or another process linked and moved.
    pub(crate) fn led_too(&mut self, other: &Self) {
        self.moved_too(other);
        for link in other.links.iter() {
            if !self.links.contains(link) {
                self.links.push(link.clone());
            }
        }
    }

    /// Tells whether paths lead in the same way as in another state.
    pub(crate) fn leads_like(&self, other: &Self) -> bool {
        self.links == other.links && self.moved == other.moved
    }
}

impl Walker<'_> {
    /// Remembers a link that is made here: the last word is its name, or the folder it goes to.
    pub(crate) fn made_link(&mut self, leads: Leads<'_>, args: &[Arg], state: &State) {
        let Some(last) = args.last() else { return };
        let from = last.text().and_then(|it| self.absolute(it, state));
        let Some(from) = from else { return };
        // What it leads to may lie behind other links.
        let ways = |walker: &Self, to: &Val| {
            let led = to
                .text()
                .map_or_else(Vec::new, |it| walker.followed(it, state));
            let own = to.text().and_then(|it| walker.absolute(it, state));
            (own, led)
        };
        let (own, led) = ways(self, leads.named);
        let mut made: Vec<Linked> = Vec::new();
        let mut add = |from: &str, to: Option<String>, sure: bool| {
            if to.as_deref() != Some(from) {
                let from = from.to_owned();
                made.push(Linked { from, to, sure });
            }
        };
        for to in led {
            add(&from, to, false);
        }
        add(&from, own, true);
        let (own, led) = ways(self, leads.inside);
        let name = leads.named.text().and_then(|it| it.rsplit('/').next());
        if let Some(name) = name {
            let below = format!("{from}/{name}");
            for to in led.into_iter().chain([own]) {
                add(&below, to, false);
            }
        }
        self.keep_links(made, last.span, state);
    }

    /// Remembers links that the present command makes.
    pub(crate) fn keep_links(&mut self, made: Vec<Linked>, at: belay_model::Span, state: &State) {
        /// So many links are followed.
        const LINKS: usize = 32;
        if state.links.len() + self.fresh_links.len() + made.len() > LINKS {
            return self.limit("too many links", at);
        }
        self.fresh_links.extend(made);
    }

    /// Returns where a value leads through links that were made in this call.
    pub(crate) fn through_links(&self, val: &Val, state: &State) -> Vec<Place> {
        let frame = self.scene.frame;
        let (text, kind): (&str, fn(String) -> Place) = match &val.text {
            Text::Known(text) => (text, Place::Exact),
            Text::Glob(text) => (text, Place::Pattern),
            Text::Prefix { known, .. } => (known, Place::Under),
            Text::Unknown { .. } | Text::OneOf(_) => return Vec::new(),
        };
        let short = |it: String| kind(belay_places::shorten(&it, frame.cwd, frame.home()));
        let led = |text: &str| {
            let led = self.followed(text, state).into_iter();
            led.map(|it| it.map_or(Place::Unknown, short))
        };
        if !has_drive(text) {
            return led(text).collect();
        }
        // Where there are no drives this is a name like any other.
        let plain = format!("./{}", text.trim_end_matches('/'));
        let path = state.cwd.as_deref();
        let path = path.map(|cwd| belay_places::Path::joined(cwd, &plain).into_text());
        let own = path.map_or(Place::Unknown, short);
        [own].into_iter().chain(led(&plain)).collect()
    }

    /// Follows links that were made in this call, as far as a few of them lead.
    pub(crate) fn followed(&self, text: &str, state: &State) -> Vec<Option<String>> {
        if state.links.is_empty() {
            return Vec::new();
        }
        let mut found: Vec<Option<String>> = Vec::new();
        let mut next: Vec<String> = self.absolute(text, state).into_iter().collect();
        if !text.starts_with('/')
            && let Some(cwd) = &state.cwd
        {
            for link in state.links.iter() {
                if let (Some(rest), Some(to)) = (below(cwd, &link.from), &link.to) {
                    let cwd = format!("{to}{rest}");
                    next.push(belay_places::Path::joined(&cwd, text).into_text());
                    found.push(next.last().cloned());
                }
            }
        }
        for path in self.up_from_links(text, state) {
            next.extend(path.clone());
            found.push(path);
        }
        for _ in 0..3 {
            let mut more = Vec::new();
            for path in &next {
                for link in state.links.iter() {
                    let Some(rest) =
                        below(path, &link.from).or_else(|| found_below(path, &link.from))
                    else {
                        continue;
                    };
                    let to = link.to.as_ref().map(|to| format!("{to}{rest}"));
                    if !found.contains(&to) {
                        found.push(to.clone());
                        more.extend(to);
                    }
                }
            }
            next = more;
        }
        found
    }

    /// Returns where `..` leads behind a link that was made in this call: above what the link leads to.
    fn up_from_links(&self, text: &str, state: &State) -> Vec<Option<String>> {
        /// So often a path is followed upwards.
        const UPWARDS: usize = 3;
        let ups = text.match_indices("/..").filter_map(|(at, _)| {
            let (before, rest) = text.split_at_checked(at)?;
            let rest = rest.strip_prefix('/')?;
            let is_up = rest == ".." || rest.starts_with("../");
            (is_up && !before.is_empty()).then_some((before, rest))
        });
        let ups: Vec<(&str, &str)> = ups.take(UPWARDS + 1).collect();
        if ups.len() > UPWARDS {
            return vec![None];
        }
        let joined = |to: String, rest: &str| belay_places::Path::joined(&to, rest).into_text();
        let mut found = Vec::new();
        for (before, rest) in ups {
            let led = self.followed(before, state).into_iter();
            found.extend(led.map(|it| it.map(|to| joined(to, rest))));
        }
        found
    }

    /// Tells whether a pattern found the link itself: who takes it away leaves what it leads to.
    pub(crate) fn is_found_link(&self, effect: &Effect, place: &Place, state: &State) -> bool {
        let frame = self.scene.frame;
        let leads = |link: &Linked| {
            let to = link.to.as_deref();
            to.map(|it| belay_places::shorten(it, frame.cwd, frame.home()))
        };
        matches!(effect.verb, Verb::Delete | Verb::Move)
            && matches!(place, Place::Pattern(found) if state.links.iter().any(|it| leads(it).as_ref() == Some(found)))
    }
}

/// Tells whether a path begins with the letter of a drive.
fn has_drive(text: &str) -> bool {
    let mut letters = text.chars();
    letters.next().is_some_and(|c| c.is_ascii_alphabetic())
        && letters.next() == Some(':')
        && matches!(letters.next(), Some('/' | '\\'))
}

/// Returns what follows a folder in a path that lies in it.
pub(crate) fn below<'p>(path: &'p str, folder: &str) -> Option<&'p str> {
    let rest = path.strip_prefix(folder)?;
    (rest.is_empty() || rest.starts_with('/')).then_some(rest)
}

/// Returns what stands behind a link in a pattern that finds the link.
pub(crate) fn found_below<'p>(pattern: &'p str, link: &str) -> Option<&'p str> {
    if !pattern.contains(['*', '?', '[', '(']) {
        return None;
    }
    if pattern.contains("**") {
        return Some("/**");
    }
    let depth = link.matches('/').count();
    let ends = pattern.match_indices('/').map(|(at, _)| at);
    let end = ends.chain([pattern.len()]).nth(depth)?;
    let (folder, rest) = pattern.split_at_checked(end)?;
    // Classes and alternatives may find any name.
    let loose = |it: &str| {
        if it.contains(['[', '(']) {
            "*".to_owned()
        } else {
            it.to_owned()
        }
    };
    let folder: Vec<String> = folder.split('/').map(loose).collect();
    belay_places::matches_path(&folder.join("/"), link).then_some(rest)
}
