//! What a yes covers of code from outside: a package by its name, a checkout by its commit.

use belay_model::{Answer, At, Place, Question, Reason, Standing, Target, Verb};
use belay_places::{Path, absolute};
use belay_policy::{Cover, covered_by_yes, is_way_of_reaching, leaves_package_as_it_is};

use crate::case::Case;
use crate::consent::Subject;
use crate::reasons;
use crate::sight::Finding;
use crate::words::{self, Words};

impl Subject<'_> {
    /// A package by name and version, for the project or for all; where a flag might say where it comes from or
    /// how it is built, the same words.
    pub(crate) fn package(&self) -> Option<Vec<String>> {
        let own = self.chain.last().filter(|it| it.plain);
        let Some(own) = own.filter(|_| self.effect.carries.is_nothing()) else {
            return self.words(words::exact);
        };
        let flags = Words::of(own)?.flags();
        let named = !self.effect.names().iter().any(|it| it == "?");
        let usual = self.chain.len() == 1 && self.effect.at == At::Here && named;
        if !usual || !flags.iter().all(|it| leaves_package_as_it_is(it)) {
            return self.words(words::exact);
        }
        let folder = format!("in {}", own.folder.as_ref()?);
        Some([self.effect.names(), &[folder]].concat())
    }

    /// Code that this session brought in a repository of its own, at the commit that is checked out there.
    pub(crate) fn checkout(&self) -> Option<Vec<String>> {
        let frame = &self.case.frame;
        let Target::Place(Place::Exact(short)) = &self.effect.target else {
            return None;
        };
        let path = absolute(short, frame.cwd, frame.home())?;
        let top = self.top_of(path.text())?;
        let roots = &self.case.stand.roots;
        let outside = !roots
            .iter()
            .any(|it| Path::new(&top).is_within(it) || Path::new(it).is_within(&top));
        let plain = self.effect.at == At::Here && self.is_said_at_once();
        let commit = frame
            .world
            .ask(&Question::Revision(top.clone(), "HEAD".to_owned()));
        let Answer::Name(commit) = commit else {
            return None;
        };
        (outside && plain && self.is_as_committed(&top)).then(|| vec![top, commit])
    }

    /// Tells whether the first command says all of it: the others are started with its last words, and no word
    /// before those sets a variable.
    fn is_said_at_once(&self) -> bool {
        let Some((first, rest)) = self.chain.split_first() else {
            return false;
        };
        let said = |argv: &[Option<String>]| {
            let before = first.argv.strip_suffix(argv);
            let sets = |it: &Option<String>| it.as_ref().is_none_or(|it| it.contains('='));
            before.is_some_and(|it| !it.iter().any(sets))
        };
        first.plain && rest.iter().all(|it| said(&it.argv))
    }

    /// Returns the top of the working tree that a file or folder lies in, if this session brought it.
    fn top_of(&self, path: &str) -> Option<String> {
        let world = self.case.frame.world;
        let above = path.rsplit_once('/').map(|(above, _)| above);
        let mut folders = [Some(path), above].into_iter().flatten();
        let top = folders.find_map(|it| match world.ask(&Question::TopLevel(it.to_owned())) {
            Answer::Path(top) => Some(top),
            Answer::Unknown
            | Answer::Yes
            | Answer::No
            | Answer::Missing(_)
            | Answer::Name(_)
            | Answer::Names(_)
            | Answer::Text(..)
            | Answer::Standing(_) => None,
        })?;
        let brought = matches!(
            world.ask(&Question::Provenance(top.clone())),
            Answer::Name(origin) if origin != "fetched"
        );
        brought.then_some(top)
    }

    /// Tells whether a working tree holds nothing but what its commit says.
    fn is_as_committed(&self, top: &str) -> bool {
        let world = self.case.frame.world;
        let kept = |question: Question| {
            let standing = world.ask(&question);
            standing == Answer::Standing(Standing::Kept)
                || standing == Answer::Standing(Standing::Absent)
        };
        kept(Question::WorkingTree(top.to_owned())) && kept(Question::Untracked(top.to_owned()))
    }
}

/// Says of code that this session brought which commit it is: a later one is another question.
pub(crate) fn named(case: &Case<'_>, mut reason: Reason) -> Reason {
    let sight = case.sight();
    let runs = |it: &&Finding| {
        let rule = it.weighed.rule;
        it.effect.verb == Verb::Run && covered_by_yes(rule, &it.effect) == Some(Cover::Checkout)
    };
    let Some(worst) = sight.worst().filter(runs) else {
        return reason;
    };
    let at = sight.findings.iter().position(|it| std::ptr::eq(it, worst));
    let checkout = at.and_then(|at| Subject::of(case, at, &worst.effect).checkout());
    if let Some([_, commit]) = checkout.as_deref() {
        let short = commit.get(..7).unwrap_or(commit);
        reasons::note(&mut reason.because, &format!(" (at commit {short})"));
    }
    reason
}

/// Leaves out of the words that reach a machine those that only say how patient or how quiet to be.
pub(crate) fn way(words: &[&str]) -> String {
    let mut kept = Vec::new();
    let mut words = words.iter().copied().peekable();
    while let Some(word) = words.next() {
        let two = words.peek().map(|next| format!("{word} {next}"));
        if two.is_some_and(|it| is_way_of_reaching(&it)) {
            words.next();
        } else if !is_way_of_reaching(word) {
            kept.push(word);
        }
    }
    kept.join(" ")
}
