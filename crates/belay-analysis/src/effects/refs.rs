//! Names that git reads as a revision or as a path, whichever it finds.

use belay_knowledge::Deed;
use belay_model::{Answer, Effect, Question, Verb};

use crate::effects::acts::Touched;
use crate::effects::arrivals::Arrival;
use crate::machine::flows::Flows;
use crate::machine::places::Touch;
use crate::machine::state::State;
use crate::machine::value::{Arg, Val};
use crate::machine::walk::Walker;

impl Walker<'_> {
    /// Tells whether the first operand of `git checkout` names a revision: as the repository says, or
    /// where it is silent, as the name looks.
    pub(crate) fn names_ref(&self, val: &Val, state: &State, flows: &Flows<'_>) -> bool {
        let args = flows.args;
        let paths_only = |it: &Arg| {
            matches!(
                it.text(),
                Some("--ours" | "--theirs" | "-2" | "-3" | "-p" | "--patch")
            )
        };
        let checkout = flows.deeds.has(Deed::ChecksOut) && !args.iter().any(paths_only);
        let Some(name) = val.text() else {
            return false;
        };
        let before = args.iter().position(|it| it.text() == Some("--"));
        let at = args.iter().position(|it| it.text() == Some(name));
        if !checkout
            || before.is_some_and(|dashes| at.is_none_or(|at| at > dashes))
            || !is_first(name, flows)
        {
            return false;
        }
        if before.is_some() {
            return true;
        }
        let cwd = state.cwd.clone().unwrap_or_default();
        match self
            .scene
            .frame
            .world
            .ask(&Question::Revision(cwd, name.to_owned()))
        {
            Answer::Name(_) => true,
            Answer::No => looks_like_ref(name) && !self.is_there(name, state),
            Answer::Unknown
            | Answer::Yes
            | Answer::Path(_)
            | Answer::Missing(_)
            | Answer::Names(_)
            | Answer::Text(..)
            | Answer::Standing(_) => looks_like_ref(name),
        }
    }

    /// Going to a branch of a repository that nobody knew when the session began brings that one's files.
    pub(crate) fn foreign_ref(&mut self, arrival: Arrival<'_>, state: &mut State) {
        let deeds = arrival.flows.deeds;
        let merges = deeds.has(Deed::Merges);
        if !merges && !deeds.has(Deed::ChecksOut) {
            return;
        }
        let words = arrival.args.iter().map(|it| it.text().map(str::to_owned));
        let taken = merges
            && (self.takes_history(&words.collect::<Vec<_>>())
                || self.merges_foreign(arrival.flows, state));
        if !taken && !self.names_foreign(arrival.args, state) {
            return;
        }
        let cwd = state.cwd.clone().unwrap_or_default();
        let top = match self.scene.frame.world.ask(&Question::TopLevel(cwd)) {
            Answer::Path(top) => Val::known(top),
            Answer::Unknown
            | Answer::Yes
            | Answer::No
            | Answer::Missing(_)
            | Answer::Name(_)
            | Answer::Names(_)
            | Answer::Text(..)
            | Answer::Standing(_) => Val::known("."),
        };
        self.write_place(
            &top,
            Touch::new(arrival.how, arrival.span).carrying(arrival.carries),
            state,
        );
        self.arrived(&top, arrival, state);
    }

    /// Fetches from the address of a remote that nobody knew when the session began, as if the address stood there.
    pub(crate) fn contact_new(
        &mut self,
        effect: &Effect,
        state: &mut State,
        flows: &mut Flows<'_>,
    ) {
        let [remote] = effect.names() else { return };
        if effect.verb != Verb::Probe || !flows.deeds.has(Deed::Contacts) {
            return;
        }
        if let Some(address) = self.new_address(remote, state) {
            let effect = Effect::of(Verb::Fetch, [""]).spanning(effect.span);
            let val = &Val::known(address);
            self.on_host(Touched { effect, val }, state, flows);
        }
    }

    /// Returns the address of a remote that this call or this session named so.
    fn new_address(&self, remote: &str, state: &State) -> Option<String> {
        let told = self.out.invocations.iter().rev().find_map(|it| {
            let words = || it.argv.iter().flatten();
            let about = words().any(|it| it == remote);
            words().find(|it| about && is_address(it)).cloned()
        });
        if self.named_address(Some(remote)) && told.is_some() {
            return told;
        }
        let cwd = state.cwd.clone().unwrap_or_default();
        let ask = |question| self.scene.frame.world.ask(&question);
        match ask(Question::RemoteUrl(cwd.clone(), remote.to_owned())) {
            Answer::Name(url) => {
                let known = Question::KnownRemote(cwd, remote.to_owned());
                (ask(known) == Answer::No).then_some(url)
            }
            Answer::Unknown
            | Answer::Yes
            | Answer::No
            | Answer::Path(_)
            | Answer::Missing(_)
            | Answer::Names(_)
            | Answer::Text(..)
            | Answer::Standing(_) => None,
        }
    }

    /// Tells whether a command that names no remote merges what another repository holds than the one that was known
    /// when the session began.
    fn merges_foreign(&self, flows: &Flows<'_>, state: &State) -> bool {
        let command = flows.path.last().copied().unwrap_or_default();
        let words = flows.args.iter().skip(1).map(Arg::text);
        let mut operands = words.skip_while(|it| *it != Some(command)).skip(1);
        let bare = !operands.any(|it| it.is_none_or(|it| !it.starts_with('-')));
        let moved = || {
            REMOTES
                .iter()
                .any(|remote| self.is_foreign_ref(remote, state))
        };
        bare && (self.named_address(None) || moved())
    }

    /// Tells whether words of a command name a branch of a repository that nobody knew when the session began.
    pub(crate) fn names_foreign(&self, args: &[Arg], state: &State) -> bool {
        let words = args.iter().skip(1).filter_map(Arg::text);
        let values = words.map(|it| match it.split_once('=') {
            Some((flag, value)) if flag.starts_with("--") => value,
            _ => it,
        });
        // What stands behind a colon is a file of that branch.
        let mut refs = values.map(|it| it.split(':').next().unwrap_or(it));
        refs.any(|it| self.is_foreign_ref(it, state))
    }

    /// Puts a file of another's branch in the place of what is there.
    pub(crate) fn restored(&mut self, val: &Val, arrival: Arrival<'_>, state: &mut State) {
        if self.names_foreign(arrival.args, state) {
            self.write_place(
                val,
                Touch::new(arrival.how, arrival.span).carrying(arrival.carries),
                state,
            );
            self.arrived(val, arrival, state);
        }
    }

    fn is_foreign_ref(&self, word: &str, state: &State) -> bool {
        if self.is_proposed(word) {
            return true;
        }
        if self.scene.knowledge.lists("fetched-refs", word) {
            return self.named_address(None) || self.fetched_last(word, state);
        }
        if self.stands_for_fetched(word, state) {
            return true;
        }
        let remote = word.split('/').next().unwrap_or(word);
        if remote.is_empty() || remote.starts_with(['-', '.']) {
            return false;
        }
        let cwd = state.cwd.clone().unwrap_or_default();
        let world = self.scene.frame.world;
        let is_new = || {
            let url = world.ask(&Question::RemoteUrl(cwd.clone(), remote.to_owned()));
            let known = world.ask(&Question::KnownRemote(cwd.clone(), remote.to_owned()));
            matches!(url, Answer::Name(_)) && known == Answer::No
        };
        self.named_address(Some(remote)) || is_new()
    }

    /// Tells whether an earlier command of this call gave a name to what was fetched from elsewhere: `git branch x FETCH_HEAD`.
    fn stands_for_fetched(&self, word: &str, state: &State) -> bool {
        let (_, before) = match self.out.invocations.split_last() {
            Some(split) if !word.is_empty() && !word.starts_with('-') => split,
            Some(_) | None => return false,
        };
        let knowledge = self.scene.knowledge;
        let is_fetched = |it: &&String| knowledge.lists("fetched-refs", it);
        let names = |it: &&String| {
            let before = it.strip_suffix(word);
            before.is_some_and(|it| it.is_empty() || it.ends_with('/'))
        };
        before.iter().any(|it| {
            let words = || it.argv.iter().flatten();
            // What most commands lack is looked for first: a chain may be long, and each looks at all before it.
            if !words().skip(2).any(|it| names(&it)) {
                return false;
            }
            let git = words()
                .next()
                .is_some_and(|it| knowledge.lists("repository-programs", it));
            let fetched = words().find(is_fetched).filter(|_| git);
            fetched.is_some_and(|it| self.named_address(None) || self.fetched_last(it, state))
        })
    }

    /// Tells whether a ref is what somebody proposes to a repository: anybody may have written it.
    fn is_proposed(&self, word: &str) -> bool {
        let word = word.trim_start_matches('+');
        let mut parts = word.strip_prefix("refs/").unwrap_or(word).split('/');
        let holder = parts.next().unwrap_or_default();
        parts.next().is_some() && self.scene.knowledge.lists("proposed-refs", holder)
    }

    /// Tells whether what git fetched last, in an earlier call, came from an address that is no known remote's.
    fn fetched_last(&self, name: &str, state: &State) -> bool {
        const HEADS: u32 = 4096;
        let world = self.scene.frame.world;
        let cwd = state.cwd.clone().unwrap_or_default();
        let Answer::Path(top) = world.ask(&Question::TopLevel(cwd.clone())) else {
            return false;
        };
        let heads = Question::Text(format!("{top}/.git/{name}"), HEADS);
        let Answer::Text(bytes, whole) = world.ask(&heads) else {
            return false;
        };
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let known = |address: &str| {
            REMOTES.iter().any(|remote| {
                let remote = || (*remote).to_owned();
                let url = world.ask(&Question::RemoteUrl(cwd.clone(), remote()));
                let held = world.ask(&Question::KnownRemote(cwd.clone(), remote()));
                held != Answer::No && matches!(url, Answer::Name(it) if is_same(&it, address))
            })
        };
        let proposed = |what: &str| what.split('\'').any(|it| self.is_proposed(it));
        let mut addresses = text.lines().map(|it| it.rsplit_once(" of "));
        !whole
            || addresses
                .any(|it| it.is_none_or(|(what, address)| proposed(what) || !known(address)))
    }

    /// Tells whether an earlier command of this call told git of an address, under this name.
    pub(crate) fn named_address(&self, name: Option<&str>) -> bool {
        let is_about = |word: &str, name: &str| {
            let setting = word.strip_prefix("remote.").unwrap_or(word);
            // A ref is kept under the name behind its colon.
            let kept = word.rsplit_once(':').map(|(_, kept)| kept);
            kept == Some(name)
                || setting
                    .strip_prefix(name)
                    .is_some_and(|it| it.is_empty() || it.starts_with('.'))
        };
        let before = self.out.invocations.len().saturating_sub(1);
        let mut addressed = self.addressed.borrow_mut();
        let new = addressed.looked..before;
        let told = new.filter(|it| self.tells_address(*it));
        let told: Vec<usize> = told.collect();
        addressed.at.extend(told);
        addressed.looked = addressed.looked.max(before);
        addressed.at.iter().any(|it| {
            let words = self.out.invocations.get(*it).into_iter();
            let mut words = words.flat_map(|it| it.argv.iter().flatten());
            *it < before && name.is_none_or(|name| words.any(|it| is_about(it, name)))
        })
    }

    /// Tells whether a command tells git of an address, or of a repository on this machine.
    fn tells_address(&self, at: usize) -> bool {
        let Some(it) = self.out.invocations.get(at) else {
            return false;
        };
        let words = || it.argv.iter().flatten();
        let programs = |it: &String| self.scene.knowledge.lists("repository-programs", it);
        words().next().is_some_and(programs)
            && (words().any(|it| is_address(it) || self.is_proposed(it))
                || self.takes_history(&it.argv))
    }

    /// Tells whether a command takes the history of a repository or a bundle on this machine.
    fn takes_history(&self, argv: &[Option<String>]) -> bool {
        let starts = ["/", "~", "./", "../"];
        let is_place = |it: &str| starts.iter().any(|start| it.starts_with(start));
        let words: Vec<&str> = argv
            .iter()
            .map(|it| it.as_deref().unwrap_or_default())
            .collect();
        let takes = |it: &&str| self.scene.knowledge.lists("takes-history", it);
        let Some(at) = words.iter().position(takes) else {
            return false;
        };
        let mut pairs = words.windows(2).skip(at);
        pairs.any(|it| matches!(it, [before, word] if !before.starts_with('-') && is_place(word)))
    }

    fn is_there(&self, name: &str, state: &State) -> bool {
        let Some(path) = self.absolute(name, state) else {
            return true;
        };
        !matches!(
            self.scene.frame.world.ask(&Question::Kind(path)),
            Answer::Missing(_)
        )
    }
}

/// The remotes that a project is fetched from by custom.
const REMOTES: [&str; 2] = ["origin", "upstream"];

/// Tells whether two addresses name one repository: git leaves out names, passwords and endings where it writes them down.
fn is_same(one: &str, other: &str) -> bool {
    fn bare(address: &str) -> &str {
        let rest = address.split_once("://").map_or(address, |(_, it)| it);
        let rest = rest.rsplit_once('@').map_or(rest, |(_, it)| it);
        let rest = rest.trim_end_matches('/');
        rest.strip_suffix(".git").unwrap_or(rest)
    }
    bare(one) == bare(other)
}

/// Tells whether a word is the first operand.
fn is_first(name: &str, flows: &Flows<'_>) -> bool {
    let command = flows.path.last().copied().unwrap_or_default();
    let operand = flows
        .args
        .iter()
        .skip(1)
        .filter_map(Arg::text)
        .skip_while(|it| *it != command)
        .skip(1);
    operand
        .into_iter()
        .find(|it| !it.starts_with('-') || *it == "-")
        == Some(name)
}

/// Tells whether a word names a repository on another machine.
fn is_address(word: &str) -> bool {
    let host = word.split_once(':').map(|(host, _)| host);
    word.contains("://") || host.is_some_and(|it| it.contains(['.', '@']))
}

/// Tells whether a name looks like a revision rather than a path.
fn looks_like_ref(name: &str) -> bool {
    if name == "-" || name.starts_with("HEAD") || name.contains(['~', '^']) || name.contains("@{") {
        return true;
    }
    let last = name.rsplit('/').next().unwrap_or(name);
    let is_file = last.rsplit_once('.').is_some_and(|(stem, end)| {
        !stem.is_empty()
            && (1..=5).contains(&end.len())
            && end.starts_with(|c: char| c.is_ascii_alphabetic())
    });
    let is_folder =
        name.ends_with('/') || name.starts_with('.') || name.starts_with('/') || last.is_empty();
    !is_file && !is_folder && !name.contains(['*', '?', '['])
}

#[cfg(test)]
mod tests {
    use super::looks_like_ref;

    #[test]
    fn revisions_and_paths() {
        for name in [
            "main",
            "feature/x",
            "HEAD~1",
            "v1.2.3",
            "abc123",
            "origin/main",
            "-",
            "release-1.0",
        ] {
            assert!(looks_like_ref(name), "{name}");
        }
        for name in [
            ".",
            "src/a.rs",
            "a.txt",
            "./x",
            "src/",
            "*.rs",
            "/x",
            ".gitignore",
        ] {
            assert!(!looks_like_ref(name), "{name}");
        }
    }
}
