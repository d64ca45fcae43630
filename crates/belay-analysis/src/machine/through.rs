//! Links on the disk that what a command works on may lie behind: found by a search in depth, or followed because of a slash at
//! the end.

use belay_model::{Answer, At, Effect, How, Place, Question, Target, Verb};

use crate::machine::came::{Filled, Source};
use crate::machine::links::{below, found_below};
use crate::machine::state::State;
use crate::machine::value::{Text, Val};
use crate::machine::walk::Walker;

/// A pattern, parted where it goes on behind a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Parted<'a> {
    link: &'a str,
    rest: &'a str,
}

/// Something that was copied or unpacked, and the folder it came to.
#[derive(Clone, Copy)]
struct Copied<'a> {
    from: &'a str,
    to: &'a str,
}

/// A link in an archive, and what it leads to.
struct Named<'a> {
    name: &'a str,
    target: &'a str,
}

/// A path that may lead through a link.
#[derive(Clone, Copy)]
struct Way<'a> {
    path: &'a str,
    /// Whether what it names is taken away.
    takes: bool,
}

impl Walker<'_> {
    /// Emits an effect on what lies behind links that a pattern finds.
    pub(crate) fn behind_links(&mut self, effect: &Effect, val: &Val, state: &State) {
        let looks = effect.verb == Verb::Read && effect.how == How::Names;
        if looks || self.at != At::Here {
            return;
        }
        for choice in val.each().iter() {
            let mut places = self.behind_copies(effect, choice, state);
            if let Text::Glob(pattern) = &choice.text
                && let Some(parted) = parted(pattern)
            {
                places.extend(self.led_behind(parted, state));
            }
            for place in places {
                self.emit(Effect {
                    target: Target::Place(place),
                    ..effect.clone()
                });
            }
        }
    }

    /// Returns where a path leads through links that came with a folder that was copied or moved in this call.
    fn behind_copies(&self, effect: &Effect, val: &Val, state: &State) -> Vec<Place> {
        let (Text::Known(text) | Text::Glob(text)) = &val.text else {
            return Vec::new();
        };
        if state.files.filled().is_empty() {
            return Vec::new();
        }
        let Some(path) = self.absolute(text, state) else {
            return Vec::new();
        };
        // Who takes a link away leaves what it leads to.
        let takes = matches!(effect.verb, Verb::Delete | Verb::Move) && !goes_behind(text);
        let mut found = Vec::new();
        for Filled { with, to } in state.files.filled() {
            let Some(rest) = below(&path, to).or_else(|| found_below(&path, to)) else {
                continue;
            };
            // The thing itself is taken away, wherever it leads.
            if rest.is_empty() && takes {
                continue;
            }
            let (way, last) = rest.rsplit_once('/').unwrap_or(("", ""));
            found.extend(match with {
                Source::Folder(from) => {
                    let parted = match takes {
                        true => (way, last),
                        false => (rest, ""),
                    };
                    let (link, rest) = parted;
                    self.led_from_copy(Copied { from, to }, Parted { link, rest })
                }
                // What is read behind such a link shows at most what anybody may read.
                Source::Archive(_) | Source::Elsewhere if effect.verb == Verb::Read => Vec::new(),
                Source::Archive(archive) => {
                    let way = Parted { link: way, rest };
                    self.led_from_archive(Copied { from: archive, to }, way, takes)
                }
                Source::Elsewhere => {
                    let folder = format!("{to}{way}");
                    let led = self.may_be_new(&folder, way) && !self.is_named(&folder, state);
                    led.then_some(Place::Unknown).into_iter().collect()
                }
            });
        }
        found
    }

    /// Tells whether the present command names a place, and does not say that it is a folder: what it writes there is that
    /// place, or lies in it.
    fn is_named(&self, place: &str, state: &State) -> bool {
        let words = self.out.invocations.last().map(|it| it.argv.as_slice());
        let words = words.unwrap_or_default().iter().flatten();
        let mut plain = words.filter(|it| !goes_behind(it));
        plain.any(|it| self.absolute(it, state).as_deref() == Some(place))
    }

    /// Tells whether a folder below one that was filled may be new, and so a link.
    fn may_be_new(&self, folder: &str, way: &str) -> bool {
        let kind = || {
            self.scene
                .frame
                .world
                .ask(&Question::Kind(folder.to_owned()))
        };
        !way.is_empty() && !matches!(kind(), Answer::Name(it) if it == "folder")
    }

    /// Returns where a path below a folder leads through links that an archive brings there.
    fn led_from_archive(&self, copied: Copied<'_>, way: Parted<'_>, takes: bool) -> Vec<Place> {
        let Copied { from: archive, to } = copied;
        let question = Question::ArchiveLinks(archive.to_owned());
        let links = match self.scene.frame.world.ask(&question) {
            Answer::Names(links) => links,
            Answer::No | Answer::Unknown => {
                let new = self.may_be_new(&format!("{to}{}", way.link), way.link);
                return new.then_some(Place::Unknown).into_iter().collect();
            }
            Answer::Yes
            | Answer::Path(_)
            | Answer::Missing(_)
            | Answer::Name(_)
            | Answer::Text(..)
            | Answer::Standing(_) => return Vec::new(),
        };
        let path = format!("{to}{}", way.rest);
        let led = links.iter().filter_map(|it| it.split_once('\0'));
        led.filter_map(|(name, target)| {
            self.led_by(to, &Named { name, target }, Way { path: &path, takes })
        })
        .collect()
    }

    /// Returns where a path leads through one link of an archive, under its name or a shorter one.
    fn led_by(&self, to: &str, link: &Named<'_>, way: Way<'_>) -> Option<Place> {
        let Named { name, target } = *link;
        let Way { path, takes } = way;
        if name.is_empty() {
            let way = path.get(to.len()..)?.rsplit_once('/')?.0;
            return self
                .may_be_new(&format!("{to}{way}"), way)
                .then_some(Place::Unknown);
        }
        let cuts = name.match_indices('/').map(|(at, _)| at + 1);
        let mut names = [0].into_iter().chain(cuts).filter_map(|at| name.get(at..));
        names.find_map(|name| {
            let from = format!("{to}/{}", name.trim_end_matches('/'));
            let rest = below(path, &from).or_else(|| found_below(path, &from))?;
            if rest.is_empty() && takes {
                return None;
            }
            let folder = from.rsplit_once('/').map_or("", |it| it.0);
            let led = match target {
                "" => return Some(Place::Unknown),
                target if target.starts_with('/') => belay_places::Path::new(target),
                target => belay_places::Path::joined(folder, target),
            };
            let inside = led.is_within(to);
            (!inside).then(|| self.short_place(&format!("{}{rest}", led.text())))
        })
    }

    /// Returns where a way below a copied folder leads out of it.
    fn led_from_copy(&self, copy: Copied<'_>, parted: Parted<'_>) -> Vec<Place> {
        let Parted { link: way, rest } = parted;
        let source = format!("{}{way}", copy.from);
        if source.contains(['*', '?', '[']) {
            let parted = Parted {
                link: &source,
                rest,
            };
            return self.led_from(parted);
        }
        let world = self.scene.frame.world;
        let resolve = |path: &str| match world.ask(&Question::Resolve(path.to_owned())) {
            Answer::Path(real) | Answer::Missing(real) => Some(real),
            Answer::Unknown
            | Answer::Yes
            | Answer::No
            | Answer::Name(_)
            | Answer::Names(_)
            | Answer::Text(..)
            | Answer::Standing(_) => None,
        };
        let (above, name) = copy.from.rsplit_once('/').unwrap_or(("", copy.from));
        let above = if above.is_empty() { "/" } else { above };
        let Some(base) = resolve(above).map(|it| belay_places::Path::joined(&it, name)) else {
            return Vec::new();
        };
        match resolve(&source) {
            // No link leads out of what was copied.
            Some(real) if belay_places::Path::new(&real).is_within(base.text()) => Vec::new(),
            Some(real) => {
                let depth = |it: &str| it.matches('/').count();
                let moved = depth(copy.from) != depth(copy.to);
                let elsewhere = moved.then_some(Place::Unknown);
                let led = std::iter::once(self.short_place(&format!("{real}/{rest}")));
                // What a link says may be read from the folder that it lies in.
                led.chain(elsewhere.filter(|_| !self.leaves_project(&real)))
                    .collect()
            }
            None => Vec::new(),
        }
    }

    /// Tells whether a place lies outside the project, so that it is asked about anyway.
    fn leaves_project(&self, path: &str) -> bool {
        let path = belay_places::Path::new(path);
        !self.scene.frame.roots.iter().any(|it| path.is_within(it))
    }

    /// Returns a path as a place, in short form.
    fn short_place(&self, path: &str) -> Place {
        let frame = self.scene.frame;
        let text = belay_places::Path::new(path).into_text();
        let short = belay_places::shorten(&text, frame.cwd, frame.home());
        match text.contains(['*', '?', '[']) {
            true => Place::Pattern(short),
            false => Place::Exact(short),
        }
    }

    /// Returns what lies behind the folders that links lead to which a pattern finds.
    fn led_behind(&self, parted: Parted<'_>, state: &State) -> Vec<Place> {
        match self.absolute(parted.link, state) {
            Some(link) => self.led_from(Parted {
                link: &link,
                rest: parted.rest,
            }),
            None => Vec::new(),
        }
    }

    fn led_from(&self, parted: Parted<'_>) -> Vec<Place> {
        let links = belay_places::unfollowed(parted.link);
        let led = match self.scene.frame.world.ask(&Question::Links(links)) {
            Answer::Names(led) => led,
            // There is too much to look at: one of them may lead anywhere.
            Answer::No => return vec![Place::Unknown],
            Answer::Unknown
            | Answer::Yes
            | Answer::Path(_)
            | Answer::Missing(_)
            | Answer::Name(_)
            | Answer::Text(..)
            | Answer::Standing(_) => return Vec::new(),
        };
        let led = led.iter().filter(|it| self.may_hold(it));
        led.map(|it| self.short_place(&format!("{it}/{}", parted.rest)))
            .collect()
    }

    /// Tells whether something may lie in a place: what is known to be a file holds nothing.
    fn may_hold(&self, place: &str) -> bool {
        let kind = self
            .scene
            .frame
            .world
            .ask(&Question::Kind(place.to_owned()));
        !matches!(kind, Answer::Name(it) if it != "folder" && it != "link")
    }
}

/// Parts a pattern behind what a search in depth finds, or before a slash at its end.
fn parted(pattern: &str) -> Option<Parted<'_>> {
    let deep = pattern.match_indices("//").find(|(at, _)| {
        let found = pattern.get(..*at).unwrap_or_default();
        found.split('/').any(|it| it == "**")
    });
    let (link, rest) = match deep {
        Some((at, _)) => pattern.split_at_checked(at)?,
        None => {
            let link = pattern.trim_end_matches('/');
            pattern.split_at_checked(link.len())?
        }
    };
    let rest = rest.trim_start_matches('/');
    let leads_on = link.len() < pattern.len() && !link.is_empty();
    leads_on.then_some(Parted { link, rest })
}

/// Tells whether a path goes on behind the thing that it names: it ends with a slash, or with a dot.
pub(crate) fn goes_behind(path: &str) -> bool {
    matches!(path.rsplit('/').next(), Some("" | "." | ".."))
}

#[cfg(test)]
mod tests {
    use super::{Parted, parted};

    #[test]
    fn a_pattern_is_parted_where_it_leads_on() {
        let at = |link, rest| Some(Parted { link, rest });
        for (pattern, expected) in [
            ("a/*/", at("a/*", "")),
            ("a/**//x", at("a/**", "x")),
            ("a/**/b//x/y", at("a/**/b", "x/y")),
            ("a/**//", at("a/**", "")),
            ("a//*/x", None),
            ("a/**/x", None),
            ("a/*", None),
            ("/", None),
        ] {
            assert_eq!(parted(pattern), expected, "{pattern}");
        }
    }
}
