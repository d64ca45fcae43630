//! Effects on hosts, and what flows to them.

use belay_knowledge::Flow;
use belay_model::{At, Carries, Effect, How, Place, Span, Target, Verb};

use belay_places::{PAGE_PORTS, secret_elsewhere};

use crate::effects::acts::{Stated, Touched};
use crate::machine::flows::Flows;
use crate::machine::places::Touch;
use crate::machine::state::State;
use crate::machine::value::{Arg, Text, Val};
use crate::machine::walk::Walker;

impl Walker<'_> {
    pub(crate) fn on_host(
        &mut self,
        touched: Touched<'_>,
        state: &mut State,
        flows: &mut Flows<'_>,
    ) {
        let Touched { effect, val } = touched;
        if let Some(path) = val.text().and_then(|it| it.strip_prefix("file://")) {
            let (path, how) = local_file(path);
            let carries = self.read_place(&path, Touch::new(how, effect.span), state);
            flows.carries = flows.carries.and(carries);
            return;
        }
        if effect.verb == Verb::Fetch && val.text().is_some_and(is_local) {
            let carries = self.read_place(val, Touch::new(How::Tree, effect.span), state);
            flows.carries = flows.carries.and(carries);
            return;
        }
        let host = match &val.text {
            Text::Known(text) => belay_places::host_of(text),
            Text::Glob(text) | Text::Prefix { known: text, .. } => host_in(text),
            Text::Unknown { .. } | Text::OneOf(_) => "?".to_owned(),
        };
        if effect.verb == Verb::Fetch {
            flows.carries = flows.carries.and(Carries::FETCHED);
        }
        let mut carries = effect.carries.and(keep(val.carries));
        // What a file holds leaves with the address that it stands in.
        let content = val.carries.only(Carries::CONTENT);
        let typed = || self.types_token(&host, val, flows.args);
        let leaves = !content.is_nothing() || is_told(val) || typed();
        let verb = if effect.verb == Verb::Fetch && leaves {
            carries = carries.and(content);
            Verb::Send
        } else {
            effect.verb
        };
        if carries.holds(Carries::SECRET) && self.issued(&host) {
            carries = carries.without(Carries::SECRET);
        }
        let target = Target::Host(host);
        self.emit(Effect {
            verb,
            target,
            carries,
            how: How::Plain,
            ..effect
        });
    }

    /// Tells whether a token stands in the words of a call, or in the address, and is none of those who own the host.
    fn types_token(&self, host: &str, address: &Val, args: &[Arg]) -> bool {
        let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
        let owner = name.split('.').rev().nth(1).unwrap_or(name);
        let knowledge = self.scene.knowledge;
        let own = |token: &str| {
            let token = token.to_ascii_lowercase();
            let mut kinds = knowledge
                .words_of("token-issuers")
                .filter(|it| token.starts_with(*it));
            kinds.any(|kind| {
                let mut owners = knowledge.all_said("token-issuers", kind);
                owners.any(|it| it == owner || it == "*")
            })
        };
        let texts = args.iter().filter_map(Arg::text).chain(address.text());
        texts.into_iter().any(|text| {
            let mut real = belay_secrets::tokens(text).filter(|it| it.real);
            real.any(|it| text.get(it.place).is_some_and(|it| !own(it)))
        })
    }

    /// Says that a secret is read where a file of that name is fetched from another machine or a container.
    pub(crate) fn secret_there(
        &mut self,
        touched: &Touched<'_>,
        stated: &Stated<'_>,
        flows: &mut Flows<'_>,
    ) {
        let host = remote_host(touched.val).filter(|_| stated.remote);
        let Some(host) = host.filter(|_| touched.effect.verb == Verb::Read) else {
            return;
        };
        let there = touched.val.text().and_then(remote_path);
        // What a star there means is found out there.
        let there = there.map(|it| match it.contains(['*', '?', '[']) {
            true => Place::Pattern(it),
            false => Place::Exact(it),
        });
        let frame = self.scene.frame;
        let secret = |it: &Place| secret_elsewhere(&touched.effect, it, frame).is_some();
        if !there.as_ref().is_some_and(secret) {
            return;
        }
        flows.carries = flows.carries.and(Carries::SECRET);
        self.emit(Effect {
            how: How::Secret,
            target: Target::Names(vec![host]),
            ..touched.effect.clone()
        });
    }

    /// Returns a host with the port that stands in another word. Of several ports the gate's own counts; where none is known,
    /// what is sent to this machine may go anywhere on it.
    pub(crate) fn at_port(&self, host: Val, stated: &Stated<'_>, args: &[Arg]) -> Val {
        let ports = stated.with.iter().filter_map(|it| {
            if let Flow::Port(piece) = it {
                return Some(self.piece(*piece, args));
            }
            None
        });
        let ports: Vec<Val> = ports.flat_map(|it| it.choices()).collect();
        let Some(name) = host.text().filter(|_| !ports.is_empty()) else {
            return host;
        };
        let known = ports.iter().filter_map(|it| it.text().and_then(port));
        let joined: Vec<String> = known.map(|it| belay_places::at_port(name, it)).collect();
        let own = joined.iter().find(|it| belay_places::is_page(it));
        let some = match joined.len() == ports.len() {
            true => joined.first(),
            false => None,
        };
        let here = || belay_places::is_page(&belay_places::at_port(name, *PAGE_PORTS.start()));
        match own.or(some) {
            Some(joined) => Val::known(joined.clone()),
            None if stated.verb == Verb::Send && !ports.is_empty() && here() => Val::unknown(),
            None => host,
        }
    }

    /// A repository outside the project is another project.
    pub(crate) fn elsewhere_changed(&mut self, span: Span, state: &State) {
        let frame = self.scene.frame;
        let scope = match (&state.cwd, &self.at) {
            (_, At::Elsewhere(..)) => return,
            (Some(cwd), At::Here) => belay_places::scope_of(&belay_places::Path::new(cwd), frame),
            (None, At::Here) => belay_model::Scope::Unknown,
        };
        let own = matches!(
            scope,
            belay_model::Scope::Project
                | belay_model::Scope::ProjectRoot
                | belay_model::Scope::Temp
                | belay_model::Scope::TempRoot
                | belay_model::Scope::ExecutionBearing
        );
        if !own {
            let here = Val::known(state.cwd.clone().unwrap_or_default());
            let here = if state.cwd.is_some() {
                here
            } else {
                Val::unknown()
            };
            self.write_place(&here, Touch::new(How::Tree, span), state);
        }
    }

    /// Tells whether all secrets of this call are variables named after the host's owner: a key goes
    /// to those who issued it.
    fn issued(&self, host: &str) -> bool {
        let by = |name: &str| {
            let owner = name.split('_').next().unwrap_or(name).to_ascii_lowercase();
            let owner = self
                .scene
                .knowledge
                .said("token-owners", &owner)
                .unwrap_or(&owner);
            let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
            let mut labels = name.rsplit('.').skip(1);
            owner.len() > 2 && labels.next() == Some(owner)
        };
        !self.secrets.is_empty() && self.secrets.iter().all(|it| it.as_deref().is_some_and(by))
    }

    /// Returns the labels of what flows into an effect.
    pub(crate) fn flowing(
        &mut self,
        with: &[Flow<'_>],
        state: &mut State,
        flows: &Flows<'_>,
    ) -> Carries {
        let args = flows.args;
        let mut sum = Carries::NOTHING;
        for flow in with {
            let labels = match flow {
                Flow::Text(piece) => self.piece(*piece, args).carries,
                Flow::Content(piece) => {
                    let val = self.piece(*piece, args);
                    self.content_labels(&val, state, flows)
                }
                Flow::Body(piece) => {
                    let val = self.piece(*piece, args);
                    match starts_with(&val, '@') {
                        true => self.content_labels(&val.from(1), state, flows),
                        false => val.carries,
                    }
                }
                Flow::Form(piece) => {
                    let val = self.piece(*piece, args);
                    match form_file(&val) {
                        Some(at) => self.content_labels(&val.from(at), state, flows),
                        None => val.carries,
                    }
                }
                Flow::Input => flows.input.carries,
                Flow::Fetched => Carries::FETCHED,
                Flow::Brought => Carries::FOREIGN,
                Flow::Named(_)
                | Flow::Ending(_)
                | Flow::Trimmed(_)
                | Flow::Lacking(_)
                | Flow::Making
                | Flow::Port(_) => Carries::NOTHING,
            };
            sum = sum.and(labels);
        }
        sum
    }

    fn content_labels(&mut self, val: &Val, state: &State, flows: &Flows<'_>) -> Carries {
        if val.text() == Some("-") {
            return flows.input.carries;
        }
        if remote_host(val).is_some() {
            return Carries::FETCHED;
        }
        let span = flows.args.first().map(|it| it.span).unwrap_or_default();
        self.read_place(val, Touch::new(How::Plain, span), state)
            .and(Carries::CONTENT)
    }
}

/// Reads a port, or of a range of them the one that is the gate's own, else the first.
fn port(text: &str) -> Option<u16> {
    let Some((first, last)) = text.split_once('-') else {
        return text.parse().ok();
    };
    let (first, last): (u16, u16) = (first.parse().ok()?, last.parse().ok()?);
    let own = first.max(*PAGE_PORTS.start());
    Some(if own <= last.min(*PAGE_PORTS.end()) {
        own
    } else {
        first
    })
}

/// Tells whether an address tells a host what the environment or a program says. What a host said is no news to hosts.
fn is_told(address: &Val) -> bool {
    let Text::Prefix { known, .. } = &address.text else {
        return false;
    };
    host_in(known) != "?" && !address.carries.holds(Carries::FETCHED)
}

/// Tells whether an address is a path on this machine.
fn is_local(address: &str) -> bool {
    matches!(address, "." | "..") || address.starts_with("./") || address.starts_with("../")
}

/// Of the labels of code or a host's name, those that matter to what is done with it.
pub(crate) fn keep(labels: Carries) -> Carries {
    labels.only(Carries::OUTSIDE.and(Carries::SECRET))
}

/// Returns the file of a `file:` address: a host before it is this machine, and braces name several at once.
fn local_file(address: &str) -> (Val, How) {
    let path = match address.find('/') {
        Some(at) => address.get(at..).unwrap_or(address),
        None => address,
    };
    match path.split_once(['{', '[', '%']) {
        Some((before, _)) => {
            let folder = before.rsplit_once('/').map_or("/", |(folder, _)| folder);
            (Val::known(format!("{folder}/")), How::Tree)
        }
        None => (Val::known(path), How::Plain),
    }
}

fn starts_with(val: &Val, c: char) -> bool {
    match &val.text {
        Text::Known(text) | Text::Glob(text) | Text::Prefix { known: text, .. } => {
            text.starts_with(c)
        }
        Text::Unknown { .. } | Text::OneOf(_) => false,
    }
}

/// Returns where the file name begins in a form field such as `name=@file`.
fn form_file(val: &Val) -> Option<usize> {
    let text = match &val.text {
        Text::Known(text) | Text::Glob(text) | Text::Prefix { known: text, .. } => text,
        Text::Unknown { .. } | Text::OneOf(_) => return None,
    };
    let at = text.find('=')? + 1;
    text.get(at..)?.starts_with(['@', '<']).then_some(at + 1)
}

/// Returns the host of `host:path`; a path with a slash before the colon is a local one.
pub(crate) fn remote_host(val: &Val) -> Option<String> {
    let text = match &val.text {
        Text::Known(text) | Text::Glob(text) | Text::Prefix { known: text, .. } => text,
        Text::Unknown { .. } | Text::OneOf(_) => return None,
    };
    let (host, rest) = text.split_once(':')?;
    if rest.starts_with("//") || rest.contains("://") {
        return Some(text.clone());
    }
    (!host.is_empty() && !host.contains('/')).then(|| host.to_owned())
}

/// Returns the path in `host:path` or `scheme://host/path`; one without a slash in front begins in the home folder there.
fn remote_path(text: &str) -> Option<String> {
    let path = match text.split_once("://") {
        Some((_, rest)) => rest.get(rest.find('/')?..)?,
        None => text.split_once(':')?.1,
    };
    Some(match path.starts_with(['/', '~']) {
        true => path.to_owned(),
        false => format!("~/{path}"),
    })
}

/// Returns the host in a text of which only the beginning is known.
fn host_in(text: &str) -> String {
    let whole = match text.split_once("://") {
        Some((_, rest)) => rest.contains(['/', '?']),
        None => text.split_once(['/', '?']).is_some_and(|it| is_host(it.0)),
    };
    if whole {
        belay_places::host_of(text)
    } else {
        "?".to_owned()
    }
}

/// Tells whether a text before the first slash is a host with its port, and no scheme, folder or pattern.
fn is_host(text: &str) -> bool {
    let plain = |it: char| it.is_ascii_alphanumeric() || ".-:".contains(it);
    text.starts_with(|it: char| it.is_ascii_alphanumeric())
        && text.chars().all(plain)
        && !text.ends_with(':')
}
