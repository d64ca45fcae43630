//! What a person's words let through and forbid in this session.
//!
//! INVARIANT: words lower a question only, for the class, the target and the prompt they were typed in; what
//! they forbid holds until later words let it through. Who typed them was proved before they came here.

use belay_model::{Answer, At, Band, Effect, Question, Scope, Target};
use belay_places::{Path, absolute};
use belay_policy::{Reaches, forbidden_by_word, granted_by_word};

use crate::brought;
use crate::case::Case;
use crate::consent::Subject;
use crate::sight::Finding;
use crate::words::{self, Words};

/// Parts a line of the session's memory.
const PART: char = '\u{1f}';

/// Flags of a push that change nothing of what is pushed.
const PLAIN_FLAGS: [&str; 6] = ["-u", "--set-upstream", "-q", "--quiet", "-v", "--verbose"];

/// One thing that a person said.
pub(crate) struct Spoken {
    grants: bool,
    class: String,
    target: Option<String>,
    /// The sentence, for people to read.
    pub(crate) sentence: String,
}

impl Spoken {
    fn read(line: &str) -> Option<Self> {
        let mut parts = line.split(PART);
        let mut part = || parts.next().map(str::to_owned);
        let grants = part()? == "grant";
        let (class, target, sentence) = (part()?, part()?, part()?);
        Some(Self {
            grants,
            class,
            target: Some(target).filter(|it| !it.is_empty()),
            sentence,
        })
    }
}

/// Asks the session what was said; where there is no session nobody spoke.
pub(crate) fn heard(case: &Case<'_>) -> Vec<Spoken> {
    let prompt = case.call.prompt.clone().unwrap_or_default();
    match (
        &case.call.session,
        case.frame.world.ask(&Question::Words(prompt)),
    ) {
        (Some(_), Answer::Names(lines)) => lines.iter().filter_map(|it| Spoken::read(it)).collect(),
        _ => Vec::new(),
    }
}

/// Tells whether words may lower anything: a sub-agent has its own prompt, and nobody typed it.
pub(crate) fn may_lower(case: &Case<'_>) -> bool {
    let attended = !case.call.headless && !case.call.sub_agent && case.call.prompt.is_some();
    attended && case.spoken().iter().any(|it| it.grants)
}

/// Returns the sentence that lets an effect through.
pub(crate) fn lets(case: &Case<'_>, at: usize, finding: &Finding) -> Option<String> {
    let weighed = &finding.weighed;
    let denied = case.settings.thresholds.band(weighed.risk) == Band::Deny;
    if weighed.floor || denied || !may_lower(case) {
        return None;
    }
    let subject = Subject::of(case, at, &finding.effect);
    let lets = |it: &&Spoken| {
        let reaches = granted_by_word(&it.class, weighed.rule, &finding.effect);
        it.grants && reaches.is_some_and(|reaches| subject.is_named(reaches, it.target.as_deref()))
    };
    let found = case.spoken().iter().find(lets)?;
    Some(found.sentence.clone())
}

impl Subject<'_> {
    /// Tells whether words that reach so far, about that target, mean this effect.
    fn is_named(&self, reaches: Reaches, target: Option<&str>) -> bool {
        let names = self.effect.names();
        let plain = self.effect.carries.is_nothing();
        match reaches {
            Reaches::Branch => self.pushes_plainly() && self.is_branch(target),
            Reaches::Package => plain && self.is_package(target),
            Reaches::Port => {
                plain && matches!((names, target), ([_, it], Some(target)) if it == target)
            }
            Reaches::Host => {
                let host = host_of(self.effect).filter(|_| self.host().is_some());
                host.is_some() && host == target
            }
            Reaches::Machine => {
                let machine = target.map(|it| it.rsplit('@').next().unwrap_or(it));
                let there = match &self.effect.at {
                    At::Elsewhere(_, name) => {
                        Some(name.as_str()).filter(|_| self.machine().is_some())
                    }
                    At::Here => host_of(self.effect).filter(|_| self.host().is_some()),
                };
                there.is_some() && there == machine && self.is_reached_as(there, target)
            }
            Reaches::Any => plain && self.names_no_other_place(),
        }
    }

    /// Tells whether a machine is reached as the user that was named; where none was, as any but the one who may do
    /// everything there.
    fn is_reached_as(&self, machine: Option<&str>, target: Option<&str>) -> bool {
        let Some((by, at)) = machine.and_then(|it| self.reached(it)) else {
            return false;
        };
        // A flag may name another user, another way or another file of settings.
        let words = Words::of(by);
        let way = words.as_ref().and_then(|it| it.get(..at)).map(brought::way);
        let plain = way.is_some_and(|it| !it.split(' ').any(|it| it.starts_with('-')));
        let word = by.argv.get(at).and_then(Option::as_deref);
        let user = |it: &str| it.rsplit_once('@').map(|(user, _)| user.to_owned());
        match (word.filter(|_| plain).map(user), target.and_then(user)) {
            (Some(as_user), Some(named)) => as_user == Some(named),
            (Some(as_user), None) => as_user.as_deref() != Some("root"),
            (None, _) => false,
        }
    }

    /// Tells whether a push has no flag that changes what is pushed, or how.
    fn pushes_plainly(&self) -> bool {
        // The key begins with address, branch and folder; what follows are flags.
        let flags = self.branch().map(|it| it.into_iter().skip(3).collect());
        let flags: Option<Vec<String>> = flags;
        flags.is_some_and(|it| it.iter().all(|it| PLAIN_FLAGS.contains(&it.as_str())))
    }

    /// The package that was named, of a kind that the project has a manifest for: a name alone does not say
    /// from where.
    fn is_package(&self, target: Option<&str>) -> bool {
        let (Some(folder), [kind, name]) = (self.folder_of_command(), self.effect.names()) else {
            return false;
        };
        let question = Question::Declared(folder, kind.clone(), name.clone());
        target == Some(name) && self.case.frame.world.ask(&question) == Answer::No
    }

    /// Tells whether all words are known and none is an address or `owner/name`: people mean the repository
    /// they work in.
    fn names_no_other_place(&self) -> bool {
        let place = |it: &str| it.contains('/') && !it.contains(char::is_whitespace);
        let mut argv = self.chain.iter().flat_map(|it| it.argv.iter().skip(1));
        let here = argv.all(|it| it.as_deref().is_some_and(|it| !place(it)));
        here && self.words(words::exact).is_some()
    }

    /// The branch that was named, or the one that is checked out; on a remote that was there before.
    fn is_branch(&self, target: Option<&str>) -> bool {
        let (Some(folder), [remote, branch]) = (self.folder_of_command(), self.effect.names())
        else {
            return false;
        };
        let world = self.case.frame.world;
        let known = Question::KnownRemote(folder.clone(), remote.clone());
        let meant = match target {
            Some(target) => target == branch,
            None => world.ask(&Question::Branch(folder)) == Answer::Name(branch.clone()),
        };
        meant && world.ask(&known) == Answer::Yes
    }
}

fn host_of(effect: &Effect) -> Option<&str> {
    match &effect.target {
        Target::Host(host) => Some(host),
        Target::Place(_) | Target::Names(_) => None,
    }
}

/// Returns the sentence that forbids something the call would do.
pub(crate) fn forbids<'a>(case: &'a Case<'_>) -> Option<&'a str> {
    let limits: Vec<&Spoken> = case.spoken().iter().filter(|it| !it.grants).collect();
    if limits.is_empty() {
        return None;
    }
    let findings = case.sight().findings.iter();
    let forbidden = |limit: &&&Spoken| findings.clone().any(|it| limit.forbids(it, case));
    let found = limits.iter().find(forbidden)?;
    Some(&found.sentence)
}

impl Spoken {
    fn forbids(&self, finding: &Finding, case: &Case<'_>) -> bool {
        if !forbidden_by_word(&self.class, &finding.effect) {
            return false;
        }
        // Nobody who says "change nothing" means a temporary file, or the plan the agent keeps.
        let scratch = matches!(finding.weighed.scope, Some(Scope::Temp | Scope::TempRoot));
        let spared = scratch || finding.weighed.rule == "plan-written";
        match (self.class.as_str(), &self.target) {
            ("place", Some(target)) => self.reaches(finding, case, target) == Some(true),
            ("only", Some(target)) => !spared && self.reaches(finding, case, target) == Some(false),
            ("place" | "only", None) => false,
            ("push", Some(branch)) => pushes_to(&finding.effect, branch),
            ("address", _) => !is_near(&finding.effect),
            _ => !spared,
        }
    }

    /// Tells whether an effect reaches into a place of the project; nothing where its own place is not known.
    fn reaches(&self, finding: &Finding, case: &Case<'_>, target: &str) -> Option<bool> {
        let frame = &case.frame;
        let place = finding.effect.place()?.known()?;
        let place = absolute(place, frame.cwd, frame.home())?;
        let meant = absolute(target, frame.roots.first()?, frame.home())?;
        let by_name = !target.contains('/') && place.text().ends_with(&format!("/{target}"));
        let around = Path::new(meant.text()).is_within(place.text());
        Some(by_name || place.is_within(meant.text()) || around)
    }
}

/// Tells whether a push goes to that branch; one that nobody can tell may.
fn pushes_to(effect: &Effect, branch: &str) -> bool {
    let last = effect.names().last().map_or("?", String::as_str);
    let there = last.rsplit(':').next().unwrap_or(last);
    let there = there.trim_start_matches('+');
    let there = there.strip_prefix("refs/heads/").unwrap_or(there);
    there == branch || there == "?"
}

/// Tells whether a host is this machine.
fn is_near(effect: &Effect) -> bool {
    let host = host_of(effect).unwrap_or_default();
    let host = host.rsplit_once(':').map_or(host, |(host, _)| host);
    host == "localhost" || host.starts_with("127.") || host == "[::1]"
}
