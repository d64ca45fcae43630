//! What a person's yes covers: a question and every later call that it answers have the same key.
//!
//! INVARIANT: a key names everything that policy does not let differ. Where a part of it is not known there
//! is no key, so nothing is learned and nothing is let through.

use belay_analysis::Invocation;
use belay_model::{
    Answer, At, Band, Effect, How, Place, Question, Scope, Surroundings, Target, Verb,
};
use belay_places::{Path, absolute, is_secret, scope_of};
use belay_policy::{Cover, covered_by_yes, is_shared_host, names_its_target};
use belay_surroundings::content_hash;

use crate::brought;
use crate::case::Case;
use crate::sight::Finding;
use crate::words::{self, Words};

/// Parts a key; nothing that is written holds it.
const PART: char = '\u{1f}';

/// The longest query of an address that only looks, in bytes.
const LONGEST_QUERY: usize = 64;

/// The longest word of a command that only looks, in bytes.
const LONGEST_ADDRESS: usize = 512;

/// So many names of one folder of jobs are looked at, and so deep; of more nobody can tell.
const MOST_JOBS: u32 = 100;
const DEEPEST_JOB: usize = 4;

/// Names a call by what it does: its tool and its whole input.
#[must_use]
pub fn fingerprint(call: &belay_model::Call) -> String {
    content_hash(format!("{}\0{:?}", call.tool, call.input).as_bytes())
}

/// Returns the keys that a yes to this call teaches: one for each effect that raises the question and that
/// policy lets a yes cover.
pub(crate) fn taught(case: &Case<'_>) -> Vec<String> {
    let findings = case.sight().findings.iter().enumerate();
    let mut keys: Vec<String> = findings
        .filter(|(_, it)| case.settings.thresholds.band(it.weighed.risk) > Band::Clear)
        .filter_map(|(at, it)| key(case, at, it))
        .map(|it| it.text)
        .collect();
    keys.sort_unstable();
    keys.dedup();
    keys
}

/// Tells whether a grant of the call's effects would let through no more than what is asked about.
pub(crate) fn is_narrow(case: &Case<'_>) -> bool {
    let asks = |it: &&Finding| case.settings.thresholds.band(it.weighed.risk) > Band::Clear;
    let mut asking = case.sight().findings.iter().filter(asks);
    asking.all(|it| names_its_target(it.weighed.rule, &it.effect))
}

/// A world in which a person said yes to some keys.
pub(crate) struct Supposing<'a> {
    world: &'a dyn Surroundings,
    lines: Vec<String>,
}

impl<'a> Supposing<'a> {
    pub(crate) fn new(world: &'a dyn Surroundings, keys: &[String]) -> Self {
        let lines = keys.iter().map(|it| format!("yes supposed {it}"));
        Self {
            world,
            lines: lines.collect(),
        }
    }
}

impl Surroundings for Supposing<'_> {
    fn ask(&self, question: &Question) -> Answer {
        match (question, self.world.ask(question)) {
            (Question::Consent(..), Answer::Names(lines)) => {
                Answer::Names([lines, self.lines.clone()].concat())
            }
            (_, answer) => answer,
        }
    }
}

/// What an answer would have to be about.
pub(crate) struct Key {
    pub(crate) text: String,
    /// Whether it only looks: sub-agents may use no other.
    pub(crate) looks: bool,
}

/// Returns the key of one effect of a call; nothing where a yes covers no other call.
pub(crate) fn key(case: &Case<'_>, at: usize, finding: &Finding) -> Option<Key> {
    let weighed = &finding.weighed;
    if weighed.floor || case.settings.thresholds.band(weighed.risk) == Band::Deny {
        return None;
    }
    let subject = Subject::of(case, at, &finding.effect);
    let cover = covered_by_yes(weighed.rule, &finding.effect)?;
    let mut parts = vec![cover.word().to_owned(), weighed.rule.to_owned()];
    parts.extend(match cover {
        Cover::Host => subject.host()?,
        Cover::Machine => subject.machine()?,
        Cover::Command => subject.command()?,
        Cover::Words => subject.words(words::exact)?,
        Cover::Text => subject.words(words::without_texts)?,
        Cover::Branch => subject.branch()?,
        Cover::Folder => subject.folder()?,
        Cover::Package => subject.package()?,
        Cover::Checkout => subject.checkout()?,
        Cover::Resources => subject.resources()?,
        Cover::Unit => subject.unit()?,
        Cover::Query => subject.query()?,
    });
    let whole = parts.iter().all(|it| !it.contains([PART, '\n']));
    whole.then(|| Key {
        text: parts.join(&PART.to_string()),
        looks: matches!(cover, Cover::Host | Cover::Machine),
    })
}

/// Writes a key for a person.
#[must_use]
pub fn key_told(key: &str) -> String {
    let mut parts = key.split(PART);
    let cover = parts.next().unwrap_or_default();
    let rest: Vec<&str> = parts.skip(1).collect();
    let rest = rest.join(" ");
    match cover {
        "host" => format!("look at {rest}"),
        "machine" => format!("look at things on {rest}"),
        "unit" => format!("change {rest}"),
        "query" => format!("query with {rest} (… is any query)"),
        "command" => format!("run {rest} (… is any file of the project)"),
        "text" => format!("{rest} (… is any text)"),
        "branch" => format!("push to {rest}"),
        "folder" => format!("write files in {rest}"),
        "package" => format!("install {rest}"),
        "checkout" => format!("run code from {rest}"),
        "resources" => format!("change the same resources: {rest}"),
        _ => rest,
    }
}

/// Returns the commands that bring an effect about, the outermost first.
fn chain<'a>(case: &'a Case<'_>, at: usize) -> Vec<&'a Invocation> {
    let invocations = case.sight().invocations.iter();
    let inside = |it: &&Invocation| (it.from..it.to).contains(&at);
    invocations.filter(inside).collect()
}

/// One effect and the commands that bring it about.
pub(crate) struct Subject<'a> {
    pub(crate) case: &'a Case<'a>,
    pub(crate) effect: &'a Effect,
    pub(crate) chain: Vec<&'a Invocation>,
}

impl<'a> Subject<'a> {
    /// Takes one effect of a call.
    pub(crate) fn of(case: &'a Case<'a>, at: usize, effect: &'a Effect) -> Self {
        Self {
            case,
            effect,
            chain: chain(case, at),
        }
    }
}

impl Subject<'_> {
    /// Returns the folder that the command runs in.
    pub(crate) fn folder_of_command(&self) -> Option<String> {
        self.chain.last()?.folder.clone()
    }

    /// Looking at a host: nothing that was read flows into the address.
    pub(crate) fn host(&self) -> Option<Vec<String>> {
        let Target::Host(host) = &self.effect.target else {
            return None;
        };
        if is_shared_host(host) {
            return self.words(words::exact);
        }
        let known = host != "?" && self.effect.carries.is_nothing() && self.effect.at == At::Here;
        (known && self.addresses_are_plain()).then(|| vec![host.clone()])
    }

    /// Tells whether all words are known and none is long enough to carry something away.
    fn addresses_are_plain(&self) -> bool {
        let short = |it: &str| {
            let query = it.split_once('?').map_or("", |(_, query)| query);
            it.len() <= LONGEST_ADDRESS && query.len() <= LONGEST_QUERY
        };
        if self.chain.is_empty() {
            let url = self.case.call.input.get("url").and_then(|it| it.text());
            return url.is_some_and(short);
        }
        let mut argv = self.chain.iter().flat_map(|it| &it.argv);
        argv.all(|it| it.as_deref().is_some_and(short))
    }

    /// Looking on a machine that is reached with the same words.
    pub(crate) fn machine(&self) -> Option<Vec<String>> {
        let At::Elsewhere(way, name) = &self.effect.at else {
            return None;
        };
        let (reached, to) = self.reached(name)?;
        let via = brought::way(Words::of(reached)?.get(..=to)?);
        self.only_looks_there().then(|| vec![way.clone(), via])
    }

    /// The thing that the effect names, on a device that is reached with the same words; what it is set to may differ.
    fn unit(&self) -> Option<Vec<String>> {
        let At::Elsewhere(way, _) = &self.effect.at else {
            return None;
        };
        let (outer, inner) = (self.chain.first()?, self.chain.last()?);
        // What runs there is what stands in the words, and nothing beside it.
        let before = outer.argv.strip_suffix(inner.argv.as_slice())?;
        let before: Option<Vec<&str>> = before.iter().map(Option::as_deref).collect();
        let via = brought::way(&before?);
        let names = self.effect.names();
        let known = !names.iter().any(|it| it == "?") && Words::of(outer).is_some();
        let plain = outer.plain && self.effect.carries.is_nothing();
        (known && plain).then(|| [vec![way.clone(), via], names.to_vec()].concat())
    }

    /// Returns the command that reaches a machine, and which of its words names it.
    pub(crate) fn reached(&self, machine: &str) -> Option<(&Invocation, usize)> {
        let names_it = |word: &Option<String>| {
            let word = word.as_deref().unwrap_or_default();
            let host = word.rsplit_once('@').map_or(word, |(_, host)| host);
            host == machine
        };
        let mut chain = self.chain.iter();
        chain.find_map(|it| Some((*it, it.argv.iter().position(names_it)?)))
    }

    /// Returns the commands whose words say what happens: what another machine runs stands in the words
    /// of the command that reaches it.
    fn speaking(&self) -> Option<&[&Invocation]> {
        let At::Elsewhere(_, machine) = &self.effect.at else {
            return Some(&self.chain);
        };
        let (reached, _) = self.reached(machine)?;
        let to = self.chain.iter().position(|it| *it == reached)?;
        self.chain.get(..=to)
    }

    fn only_looks_there(&self) -> bool {
        let effect = self.effect;
        let plain = |chain: &[&Invocation]| chain.iter().all(|it| it.plain);
        let plain = effect.carries.is_nothing() && self.speaking().is_some_and(plain);
        let known = match &effect.target {
            Target::Place(Place::Exact(path)) => !self.is_secret_there(path),
            Target::Place(Place::Pattern(_) | Place::Under(_) | Place::Unknown)
            | Target::Host(_) => false,
            Target::Names(names) => !names.iter().any(|it| it == "?"),
        };
        plain && known && effect.how != How::Secret
    }

    /// Tells whether a path would hold secrets here: it does so elsewhere too.
    fn is_secret_there(&self, path: &str) -> bool {
        let frame = &self.case.frame;
        let path = Path::new(path);
        let scope = scope_of(&path, frame);
        is_secret(&path, frame) || matches!(scope, Scope::Credentials | Scope::Personal)
    }

    /// The same program from outside the project, with the same words and flags.
    fn command(&self) -> Option<Vec<String>> {
        let own = self.chain.last()?;
        let program = self.program(own)?;
        let roots = &self.case.stand.roots;
        let inside = |folder: &String| roots.iter().any(|it| Path::new(folder).is_within(it));
        let steady = |it: &&Invocation| it.plain && it.folder.as_ref().is_some_and(inside);
        if !self.chain.iter().all(steady) {
            return None;
        }
        let argv = self
            .chain
            .iter()
            .map(|it| Some(words::without_files(&Words::of(it)?)));
        let argv: Option<Vec<String>> = argv.collect();
        Some([vec![program], argv?].concat())
    }

    /// Returns where a program lies, if this session neither made nor fetched it.
    fn program(&self, invocation: &Invocation) -> Option<String> {
        let name = invocation.argv.first()?.as_deref()?;
        let world = self.case.frame.world;
        let path = match name.contains('/') {
            true => absolute(name, invocation.folder.as_deref()?, self.case.frame.home())?
                .text()
                .to_owned(),
            false => match world.ask(&Question::Program(name.to_owned())) {
                Answer::Path(path) => path,
                Answer::Unknown
                | Answer::Yes
                | Answer::No
                | Answer::Missing(_)
                | Answer::Name(_)
                | Answer::Names(_)
                | Answer::Text(..)
                | Answer::Standing(_) => return None,
            },
        };
        let ours = world.ask(&Question::Provenance(path.clone())) != Answer::No;
        let scope = scope_of(&Path::new(&path), &self.case.frame);
        let steady = matches!(
            scope,
            Scope::System | Scope::Other | Scope::Home | Scope::Startup
        );
        (steady && !ours).then_some(path)
    }

    /// The same words in the same folder; for a tool that runs no command, the same input.
    pub(crate) fn words(&self, form: fn(&Words) -> String) -> Option<Vec<String>> {
        if !self.effect.carries.is_nothing() {
            return None;
        }
        if self.chain.is_empty() {
            return Some(vec![fingerprint(self.case.call)]);
        }
        let said = self.speaking()?.iter().map(|it| {
            let folder = it.folder.as_ref().filter(|_| it.plain)?;
            Some(format!("{} in {folder}", form(&Words::of(it)?)))
        });
        said.collect()
    }

    /// That branch at that address, with the same flags.
    pub(crate) fn branch(&self) -> Option<Vec<String>> {
        let own = self.chain.last().filter(|it| it.plain)?;
        let folder = own.folder.as_ref()?;
        let (remote, branch) = match self.effect.names() {
            [remote, branch] => (remote, branch),
            [lease, remote, branch] if lease == "lease" => (remote, branch),
            _ => return None,
        };
        let world = self.case.frame.world;
        let question = Question::RemoteUrl(folder.clone(), remote.clone());
        let Answer::Name(url) = world.ask(&question) else {
            return None;
        };
        let mut flags: Vec<String> = Words::of(own)?.flags();
        flags.sort_unstable();
        let known = branch != "?" && self.effect.carries.is_nothing();
        (known && self.pushes_no_new_job(folder)).then(|| {
            let what = vec![url, branch.clone(), format!("in {folder}")];
            [what, flags].concat()
        })
    }

    /// Tells whether this session left alone all that a forge runs once it is pushed.
    fn pushes_no_new_job(&self, folder: &str) -> bool {
        let world = self.case.frame.world;
        let Answer::Path(top) = world.ask(&Question::TopLevel(folder.to_owned())) else {
            return false;
        };
        let hosts = belay_policy::PUSHED_JOBS.iter().copied();
        let mut jobs = belay_places::workflows().chain(hosts);
        jobs.all(|name| self.is_untouched(format!("{top}/{name}"), DEEPEST_JOB))
    }

    /// Tells whether this session made nothing at a path or below it; what cannot be looked through may be made.
    fn is_untouched(&self, path: String, depth: usize) -> bool {
        let world = self.case.frame.world;
        if world.ask(&Question::Provenance(path.clone())) != Answer::No {
            return false;
        }
        let is_folder = match world.ask(&Question::Kind(path.clone())) {
            Answer::Name(kind) => kind == "folder",
            Answer::Missing(_) => return true,
            Answer::Unknown
            | Answer::Yes
            | Answer::No
            | Answer::Path(_)
            | Answer::Names(_)
            | Answer::Text(..)
            | Answer::Standing(_) => return false,
        };
        let names = match world.ask(&Question::Entries(path.clone(), MOST_JOBS)) {
            _ if !is_folder => return true,
            Answer::Names(names) => names,
            Answer::Unknown
            | Answer::Yes
            | Answer::No
            | Answer::Path(_)
            | Answer::Missing(_)
            | Answer::Name(_)
            | Answer::Text(..)
            | Answer::Standing(_) => return false,
        };
        let all_seen = usize::try_from(MOST_JOBS).is_ok_and(|most| names.len() < most);
        let below = |name: &String| {
            depth > 0 && self.is_untouched(format!("{path}/{name}"), depth.saturating_sub(1))
        };
        all_seen && names.iter().all(below)
    }

    /// Files in that folder, links followed.
    fn folder(&self) -> Option<Vec<String>> {
        let frame = &self.case.frame;
        let Target::Place(Place::Exact(short)) = &self.effect.target else {
            return None;
        };
        let path = absolute(short, frame.cwd, frame.home())?;
        let question = Question::Resolve(path.walked().to_owned());
        let real = match frame.world.ask(&question) {
            Answer::Path(real) | Answer::Missing(real) => real,
            Answer::Unknown
            | Answer::Yes
            | Answer::No
            | Answer::Name(_)
            | Answer::Names(_)
            | Answer::Text(..)
            | Answer::Standing(_) => return None,
        };
        let (parent, _) = real.rsplit_once('/')?;
        let own = self.effect.carries.is_nothing() && self.effect.at == At::Here;
        let way = matches!(self.effect.how, How::Plain | How::Append);
        (own && way && self.writes_its_own_text()).then(|| vec![parent.to_owned()])
    }

    /// Tells whether what the call writes stands in it: a copy may be one of anything.
    fn writes_its_own_text(&self) -> bool {
        let brings = |it: &Finding| {
            let verb = it.effect.verb;
            let looks = verb.only_looks() && it.effect.how != How::Names;
            looks || matches!(verb, Verb::Move | Verb::Link)
        };
        !self.case.sight().findings.iter().any(brings)
    }
}
