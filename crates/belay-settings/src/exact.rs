//! The `[[rule]]` tables: exact conditions and a verdict.

use belay_model::{At, Carries, Effect, How, Place, Scope, Target, Verb, Verdict};

use crate::Origin;
use crate::command::{CommandView, Hit, Lexicon, compile};
use crate::glob::{Bases, Glob, Want, name_matches};
use crate::settings::Line;

/// One `[[rule]]`. All conditions must hold; within one condition, any of its lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExactRule {
    /// Its name, for reasons and the journal.
    pub id: Option<String>,
    /// Tools, as agents spell them; `*` stands for any text.
    pub tool: Vec<String>,
    /// Commands, as in `[rules]`.
    pub command: Vec<String>,
    /// Effects.
    pub effect: Vec<EffectPattern>,
    /// Scopes of the effect's target.
    pub scope: Vec<Scope>,
    /// Hosts; `*.example.com` names all below.
    pub host: Vec<String>,
    /// Globs over paths.
    pub path: Vec<String>,
    /// Agents.
    pub agent: Vec<String>,
    /// Folders of projects, absolute or below `~`: it speaks where the call's project is one of them, or lies below.
    pub project: Vec<String>,
    /// What holds then.
    pub verdict: Verdict,
    /// Why.
    pub because: Option<String>,
    /// What to do in its place.
    pub instead: Option<String>,
    /// Commands and the verdicts they must get.
    pub examples: Vec<Example>,
    /// Where it was written.
    pub origin: Origin,
}

/// One example of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// The command.
    pub line: Line,
    /// The verdict it must get.
    pub verdict: Verdict,
}

/// What is known of one effect of a call.
#[derive(Clone, Copy, Debug)]
pub struct EffectView<'a> {
    /// The effect.
    pub effect: &'a Effect,
    /// Every scope its target lies in.
    pub scopes: &'a [Scope],
    /// Every absolute spelling of its path: normalised, and with links resolved.
    pub paths: &'a [String],
}

/// What is known of a call, beside its effects.
#[derive(Clone, Copy, Debug)]
pub struct CallView<'a> {
    /// The tool, as the agent spells it.
    pub tool: &'a str,
    /// The agent.
    pub agent: Option<&'a str>,
    /// Where paths hang.
    pub bases: &'a Bases,
}

fn has_dots(path: &str) -> bool {
    path.split('/').any(|it| matches!(it, "." | ".."))
}

impl ExactRule {
    pub(crate) const fn new(origin: Origin) -> Self {
        Self {
            id: None,
            tool: Vec::new(),
            command: Vec::new(),
            effect: Vec::new(),
            scope: Vec::new(),
            host: Vec::new(),
            path: Vec::new(),
            agent: Vec::new(),
            project: Vec::new(),
            verdict: Verdict::Deny,
            because: None,
            instead: None,
            examples: Vec::new(),
            origin,
        }
    }

    pub(crate) const fn names_nothing(&self) -> bool {
        self.tool.is_empty()
            && self.command.is_empty()
            && self.effect.is_empty()
            && self.scope.is_empty()
            && self.host.is_empty()
            && self.path.is_empty()
            && self.agent.is_empty()
    }

    /// Returns the name under which the rule is shown.
    #[must_use]
    pub fn name(&self) -> String {
        match &self.id {
            Some(id) => id.clone(),
            None => format!("rule at {}", self.origin),
        }
    }

    /// Tells whether the rule looks at effects at all, or at tool, agent and command only.
    #[must_use]
    pub const fn looks_at_effects(&self) -> bool {
        !(self.effect.is_empty()
            && self.scope.is_empty()
            && self.host.is_empty()
            && self.path.is_empty())
    }

    /// Tells whether tool, agent and project are those of the rule.
    #[must_use]
    pub fn speaks_of(&self, call: &CallView<'_>) -> bool {
        let tool = |it: &String| name_matches(it, call.tool);
        let agent = |it: &String| call.agent.is_some_and(|agent| name_matches(it, agent));
        (self.tool.is_empty() || self.tool.iter().any(tool))
            && (self.agent.is_empty() || self.agent.iter().any(agent))
            && (self.project.is_empty() || self.in_project(call.bases))
    }

    fn in_project(&self, bases: &Bases) -> bool {
        // An allow must be certain of its project; the others only raise.
        let unsure = self.verdict != Verdict::Allow;
        let Some(root) = bases.root.as_deref().filter(|it| !has_dots(it)) else {
            return unsure;
        };
        self.project.iter().any(|it| {
            let folder = match it.strip_prefix('~') {
                Some(rest) if rest.is_empty() || rest.starts_with('/') => {
                    bases.home.as_ref().map(|home| format!("{home}{rest}"))
                }
                Some(_) | None => Some(it.clone()),
            };
            let folder = folder.filter(|it| it.starts_with('/') && !has_dots(it));
            folder.map_or(unsure, |it| {
                let rest = root.strip_prefix(it.trim_end_matches('/'));
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            })
        })
    }

    /// Tells whether one effect meets the rule's conditions on effects. An allow must be certain,
    /// ask and deny need only suspect.
    #[must_use]
    pub fn meets(&self, view: &EffectView<'_>, call: &CallView<'_>) -> bool {
        let want = match self.verdict {
            Verdict::Allow => Want::Certainty,
            Verdict::Ask | Verdict::Deny => Want::Suspicion,
        };
        let effect = |it: &EffectPattern| it.matches(view, want);
        (self.effect.is_empty() || self.effect.iter().any(effect))
            && (self.scope.is_empty() || self.in_scope(view, want))
            && (self.host.is_empty() || self.at_host(view, want))
            && (self.path.is_empty() || self.on_path(view, call.bases, want))
    }

    /// Tells whether one command of the call is named by the rule's condition on commands; a rule
    /// without one names every command. An allow is never a maybe.
    #[must_use]
    pub fn names(&self, command: &CommandView<'_>, lexicon: &dyn Lexicon) -> Hit {
        let compiled = self.command.iter().map(|it| compile(it, lexicon));
        let hits = compiled.map(|it| match self.verdict {
            Verdict::Allow if it.covers(command, lexicon) => Hit::Yes,
            Verdict::Allow => Hit::No,
            Verdict::Ask | Verdict::Deny => it.suspects(command, lexicon),
        });
        let none = if self.command.is_empty() {
            Hit::Yes
        } else {
            Hit::No
        };
        hits.max().unwrap_or(none)
    }

    fn in_scope(&self, view: &EffectView<'_>, want: Want) -> bool {
        let named = |it: &Scope| self.scope.contains(it);
        match want {
            Want::Suspicion => view.scopes.iter().any(named),
            Want::Certainty => !view.scopes.is_empty() && view.scopes.iter().all(named),
        }
    }

    fn at_host(&self, view: &EffectView<'_>, want: Want) -> bool {
        match &view.effect.target {
            Target::Host(host) if host == "?" => false,
            Target::Host(host) => self.host.iter().any(|it| host_matches(it, host, want)),
            Target::Place(_) | Target::Names(_) => false,
        }
    }

    fn on_path(&self, view: &EffectView<'_>, bases: &Bases, want: Want) -> bool {
        let globs = self.path.iter().filter_map(|it| Glob::new(it).ok());
        let globs: Vec<Glob> = globs.collect();
        reach(&globs, view, bases).is_enough(want)
    }
}

/// How far a list of globs reaches over the target of an effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reach {
    /// Nothing of it is named, or it is no path at all.
    Misses,
    /// The path is not known.
    Unclear,
    /// Some of it is, or may be, named.
    Touches,
    /// All of it is named.
    Covers,
}

impl Reach {
    const fn is_enough(self, want: Want) -> bool {
        match (self, want) {
            (Self::Covers, _) | (Self::Touches, Want::Suspicion) => true,
            (Self::Touches, Want::Certainty) | (Self::Misses | Self::Unclear, _) => false,
        }
    }
}

/// Returns how far globs reach over the target of an effect; its stricter spelling counts.
#[must_use]
pub fn reach(globs: &[Glob], view: &EffectView<'_>, bases: &Bases) -> Reach {
    let Some(place) = view.effect.place() else {
        return Reach::Misses;
    };
    if globs.is_empty() {
        return Reach::Misses;
    }
    if view.paths.is_empty() || *place == Place::Unknown {
        return Reach::Unclear;
    }
    let whole = view.effect.how == How::Tree || !matches!(place, Place::Exact(_));
    let covered = |path: &String| {
        globs.iter().any(|it| {
            if whole {
                it.covers_tree(folder_of(path, place), bases)
            } else {
                it.matches(path, bases, Want::Certainty)
            }
        })
    };
    // A path on another machine is never surely the one a person named.
    if view.effect.at == At::Here && view.paths.iter().all(covered) {
        return Reach::Covers;
    }
    let touched = |path: &String| {
        let inside = |it: &Glob| it.lies_below(folder_of(path, place), bases);
        globs
            .iter()
            .any(|it| it.matches(path, bases, Want::Suspicion) || (whole && inside(it)))
    };
    if view.paths.iter().any(touched) {
        return Reach::Touches;
    }
    Reach::Misses
}

/// Returns the deepest folder that surely holds all of a place.
fn folder_of<'p>(path: &'p str, place: &Place) -> &'p str {
    let known = match place {
        Place::Exact(_) => return path,
        Place::Pattern(_) => path.find(['*', '?', '[']).and_then(|at| path.get(..at)),
        Place::Under(_) | Place::Unknown => Some(path),
    };
    match known.and_then(|it| it.rsplit_once('/')) {
        Some((folder, _)) => folder,
        None => "",
    }
}

/// Tells whether a host is named; `*.x` names all below `x`. Ports count only where written.
#[must_use]
pub fn host_matches(pattern: &str, host: &str, want: Want) -> bool {
    let pattern = pattern.to_ascii_lowercase();
    let host = host.trim_end_matches('.').to_ascii_lowercase();
    let bare = host
        .rsplit_once(':')
        .filter(|(_, port)| port.bytes().all(|it| it.is_ascii_digit()));
    let bare = bare.map_or(host.as_str(), |(name, _)| name);
    let subject = if pattern.rsplit_once(':').is_some() {
        host.as_str()
    } else {
        bare
    };
    if let Some(domain) = pattern.strip_prefix("*.") {
        let below = subject
            .strip_suffix(domain)
            .is_some_and(|it| it.ends_with('.'));
        return below || (want == Want::Suspicion && subject == domain);
    }
    name_matches(&pattern, subject)
}

/// A pattern over effects: a verb, perhaps its manner, perhaps what it is done to, with `*`; then
/// perhaps `on` which machine and `carrying` what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EffectPattern {
    text: String,
    verb: Option<Verb>,
    how: Option<How>,
    target: Vec<String>,
    on: Vec<String>,
    carries: Carries,
}

impl EffectPattern {
    /// Reads a pattern: `delete`, `delete tree`, `rewrite origin *`, `send *.example.com carrying
    /// content`, `*`.
    ///
    /// # Errors
    /// Says why the line is not one.
    pub fn parse(line: &str) -> Result<Self, String> {
        let mut words = line.split_whitespace().peekable();
        let first = words.next().ok_or("it is empty")?;
        let verb = match first {
            "*" => None,
            word => Some(Verb::from_word(word).ok_or_else(|| unknown_verb(word))?),
        };
        let how = words.next_if(|it| How::from_word(it).is_some());
        let mut pattern = Self {
            text: line.to_owned(),
            verb,
            how: how.and_then(How::from_word),
            target: Vec::new(),
            on: Vec::new(),
            carries: Carries::NOTHING,
        };
        while let Some(word) = words.next_if(|it| *it != "on" && *it != "carrying") {
            pattern.target.push(word.to_owned());
        }
        if words.next_if_eq(&"on").is_some() {
            let machine = words.by_ref().take(2).map(ToOwned::to_owned);
            pattern.on = machine.collect();
        }
        if words.next_if_eq(&"carrying").is_some() {
            for word in words.by_ref() {
                let label =
                    Carries::from_word(word).ok_or_else(|| format!("nothing carries `{word}`"))?;
                pattern.carries = pattern.carries.and(label);
            }
        }
        match words.next() {
            Some(word) => Err(format!("`{word}` does not belong here")),
            None => Ok(pattern),
        }
    }

    /// Returns the pattern as written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Tells whether an effect is named. For certainty it must be named with its manner, its
    /// machine and all it carries.
    #[must_use]
    pub fn matches(&self, view: &EffectView<'_>, want: Want) -> bool {
        let effect = view.effect;
        let carried = match want {
            Want::Suspicion => effect.carries.holds(self.carries),
            Want::Certainty => self.carries.holds(effect.carries),
        };
        self.verb.is_none_or(|it| it == effect.verb)
            && self.manner_matches(effect.how, want)
            && carried
            && self.machine_matches(&effect.at, want)
            && self.target_matches(view, want)
    }

    fn manner_matches(&self, how: How, want: Want) -> bool {
        match (self.how, want) {
            (Some(it), _) => it == how,
            (None, Want::Certainty) if !self.target.is_empty() => how == How::Plain,
            (None, Want::Certainty | Want::Suspicion) => true,
        }
    }

    fn machine_matches(&self, at: &At, want: Want) -> bool {
        match (self.on.as_slice(), at) {
            ([], At::Here) => true,
            ([], At::Elsewhere(..)) => want == Want::Suspicion,
            ([wanted, rest @ ..], At::Elsewhere(way, name)) => {
                let named = rest.first().is_none_or(|it| name_matches(it, name));
                name_matches(wanted, way) && named
            }
            ([_, ..], At::Here) => false,
        }
    }

    fn target_matches(&self, view: &EffectView<'_>, want: Want) -> bool {
        let Some(first) = self.target.first() else {
            return true;
        };
        match &view.effect.target {
            Target::Names(names) => self.names_match(names, want),
            Target::Host(host) => {
                host != "?" && self.target.len() == 1 && host_matches(first, host, want)
            }
            Target::Place(_) => self.target.len() == 1 && place_matches(first, view, want),
        }
    }

    /// Compares names one by one; the pattern may be shorter where a suspicion is enough or its
    /// last word is `*`.
    fn names_match(&self, names: &[String], want: Want) -> bool {
        let unknown = |name: &String| name == "?";
        let each = self.target.iter().zip(names).all(|(pattern, name)| {
            (unknown(name) && want == Want::Suspicion) || name_matches(pattern, name)
        });
        let open = want == Want::Suspicion || self.target.last().is_some_and(|it| it == "*");
        let sure = want == Want::Suspicion || !names.iter().any(unknown);
        let long_enough = names.len() >= self.target.len();
        each && sure && long_enough && (open || names.len() == self.target.len())
    }
}

/// Compares a pattern with the short and the absolute spellings of a path.
fn place_matches(pattern: &str, view: &EffectView<'_>, want: Want) -> bool {
    let Target::Place(place) = &view.effect.target else {
        return false;
    };
    let short = place.known().is_some_and(|it| name_matches(pattern, it));
    let absolute = |it: &String| name_matches(pattern, it);
    match want {
        Want::Suspicion => short || view.paths.iter().any(absolute),
        // A second spelling is where a link leads: it must be named as well.
        Want::Certainty => {
            let one = view.paths.len() <= 1;
            let all = !view.paths.is_empty() && view.paths.iter().all(absolute);
            matches!(place, Place::Exact(_)) && ((short && one) || all)
        }
    }
}

fn unknown_verb(word: &str) -> String {
    let verbs = Verb::ALL.iter().map(|it| it.word());
    match crate::error::nearest(word, verbs) {
        Some(near) => format!("`{word}` is not a verb; did you mean `{near}`?"),
        None => format!("`{word}` is not a verb"),
    }
}

#[cfg(test)]
mod tests {
    use belay_model::{Scope, parse_effect};

    use super::{CallView, EffectPattern, EffectView, Reach, host_matches, reach};
    use crate::glob::{Bases, Glob, Want};
    use crate::{Source, load_texts};

    fn bases() -> Bases {
        Bases {
            home: Some("/home/me".to_owned()),
            root: Some("/home/me/app".to_owned()),
        }
    }

    fn matches(pattern: &str, line: &str, want: Want) -> bool {
        let effect = parse_effect(line).unwrap();
        let view = EffectView {
            effect: &effect,
            scopes: &[],
            paths: &[],
        };
        EffectPattern::parse(pattern).unwrap().matches(&view, want)
    }

    fn suspects(pattern: &str, line: &str) -> bool {
        matches(pattern, line, Want::Suspicion)
    }

    fn is_sure(pattern: &str, line: &str) -> bool {
        matches(pattern, line, Want::Certainty)
    }

    #[test]
    fn a_verb_names_all_of_it() {
        assert!(suspects("delete", "delete tree ./x"));
        assert!(suspects("*", "send x.test"));
        assert!(!suspects("delete", "write ./x"));
        assert!(is_sure("delete", "delete tree ./x"));
    }

    #[test]
    fn certainty_names_manner_machine_and_load() {
        assert!(is_sure("delete ./x", "delete ./x"));
        assert!(!is_sure("delete ./x", "delete tree ./x"));
        assert!(suspects("delete ./x", "delete tree ./x"));
        assert!(!is_sure("send x.test", "send x.test carrying secret"));
        assert!(is_sure(
            "send x.test carrying content",
            "send x.test carrying content"
        ));
        assert!(suspects("send x.test", "send x.test carrying secret"));
        assert!(!suspects("send x.test carrying secret", "send x.test"));
        assert!(!is_sure("delete ./x", "delete ./x on ssh web1"));
        assert!(is_sure("delete ./x on ssh web*", "delete ./x on ssh web1"));
    }

    #[test]
    fn certainty_names_every_word() {
        assert!(is_sure("rewrite origin topic", "rewrite origin topic"));
        assert!(!is_sure("rewrite origin", "rewrite origin topic"));
        assert!(is_sure("rewrite origin *", "rewrite origin topic"));
        assert!(suspects("rewrite origin", "rewrite origin topic"));
        assert!(suspects("rewrite origin main", "rewrite origin ?"));
        assert!(!is_sure("rewrite origin *", "rewrite origin ?"));
    }

    #[test]
    fn hosts_are_compared_by_labels() {
        let sure = |pattern: &str, host: &str| host_matches(pattern, host, Want::Certainty);
        assert!(sure("*.example.com", "a.example.com"));
        assert!(!sure("*.example.com", "evil-example.com"));
        assert!(!sure("*.example.com", "example.com"));
        assert!(host_matches(
            "*.example.com",
            "example.com",
            Want::Suspicion
        ));
        assert!(sure("Example.com", "example.COM."));
        assert!(sure("example.com", "example.com:8080"));
        assert!(!sure("example.com:80", "example.com:8080"));
        assert!(!sure("example.com", "example.com.evil.test"));
    }

    fn reaches(glob: &str, line: &str, paths: &[&str]) -> Reach {
        let effect = parse_effect(line).unwrap();
        let paths: Vec<String> = paths.iter().map(|it| (*it).to_owned()).collect();
        let view = EffectView {
            effect: &effect,
            scopes: &[],
            paths: &paths,
        };
        reach(&[Glob::new(glob).unwrap()], &view, &bases())
    }

    #[test]
    fn globs_reach_over_trees_and_links() {
        let path = "/home/me/app/secrets/a";
        assert_eq!(
            reaches("secrets/**", "read ./secrets/a", &[path]),
            Reach::Covers
        );
        assert_eq!(
            reaches("secrets/**", "delete tree .", &["/home/me/app"]),
            Reach::Touches
        );
        assert_eq!(
            reaches("secrets/**", "delete tree ./src", &["/home/me/app/src"]),
            Reach::Misses
        );
        assert_eq!(reaches("secrets/**", "read ?", &[]), Reach::Unclear);
        assert_eq!(reaches("secrets/**", "send x.test", &[]), Reach::Misses);
        assert_eq!(
            reaches("secrets/**", "read ./b", &["/home/me/app/b", path]),
            Reach::Touches
        );
        assert_eq!(
            reaches("secrets/**", "read ./secrets/a on ssh web", &[path]),
            Reach::Touches
        );
        assert_eq!(
            reaches("*.pem", "delete ./*", &["/home/me/app/*"]),
            Reach::Misses
        );
        assert_eq!(
            reaches("secrets/x", "delete ./*", &["/home/me/app/*"]),
            Reach::Touches
        );
    }

    #[test]
    fn all_conditions_of_a_rule_must_hold() {
        let text = "[[rule]]\ntool = \"Bash\"\nagent = \"codex\"\neffect = \"delete\"\nscope = \"home\"\nverdict = \"deny\"";
        let loaded = load_texts(&[(Source::User, "u", text)]);
        let rule = &loaded.settings.exact[0];
        let effect = parse_effect("delete ~/x").unwrap();
        let bases = bases();
        let call = |tool, agent| CallView {
            tool,
            agent,
            bases: &bases,
        };
        assert!(rule.speaks_of(&call("Bash", Some("codex"))));
        assert!(!rule.speaks_of(&call("Bash", None)));
        assert!(!rule.speaks_of(&call("Write", Some("codex"))));
        let meets = |scopes: &[Scope]| {
            let view = EffectView {
                effect: &effect,
                scopes,
                paths: &[],
            };
            rule.meets(&view, &call("Bash", Some("codex")))
        };
        assert!(meets(&[Scope::Home, Scope::Project]));
        assert!(!meets(&[Scope::Project]));
        assert!(!meets(&[]));
    }
}
