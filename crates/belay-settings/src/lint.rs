//! Looks over settings that are valid but hardly meant: twice the same, contradictions, lines that
//! never count.

use std::fmt;

use belay_model::Verdict;

use crate::breadth::{is_mighty, is_too_broad};
use crate::command::{CommandView, Compiled, Concern, Hit, Lexicon, compile};
use crate::settings::{RuleText, Settings};
use crate::{ExactRule, Origin, Provider};

/// What is odd.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Oddity {
    /// The line is there twice.
    Duplicate,
    /// A wider line of the same list says it already.
    Covered(String),
    /// A stricter line always speaks first.
    Shadowed(String),
    /// The same thing is allowed and refused.
    Contradiction(String),
    /// It would allow any code.
    TooBroad,
    /// Only a model can apply it, and there is none.
    NoModel,
    /// Only a model can apply it, and it names nothing by which a call would get there.
    NeverHeard,
    /// Only a model can apply it, and a hard rule should not need one.
    SoftProse,
    /// There is no such program among those we know.
    UnknownProgram,
    /// The list replaces our own lines.
    NoDefaults,
    /// The thresholds leave no room for a band.
    EmptyBand(&'static str),
}

/// One odd line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The line.
    pub line: String,
    /// What is odd.
    pub oddity: Oddity,
    /// Where it is written.
    pub origin: Origin,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` {}", self.line, self.oddity)
    }
}

impl fmt::Display for Oddity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Duplicate => f.write_str("appears twice"),
            Self::Covered(by) => write!(f, "adds nothing to `{by}`"),
            Self::Shadowed(by) => write!(f, "never counts: `{by}` is stricter"),
            Self::Contradiction(other) => write!(f, "contradicts `{other}`"),
            Self::TooBroad => f.write_str("would allow any code"),
            Self::NoModel => f.write_str("is prose, and no model is configured to apply it"),
            Self::NeverHeard => f.write_str(
                "names no kind of effect and no target: the model sees it only for calls that are unsure anyway",
            ),
            Self::SoftProse => {
                f.write_str("is prose: only a model applies it; write a command or an effect")
            }
            Self::UnknownProgram => f.write_str("names no program that belay knows"),
            Self::NoDefaults => f.write_str("drops the built-in lines; add \"$defaults\" to keep them"),
            Self::EmptyBand(band) => write!(f, "leaves no room for {band}"),
        }
    }
}

struct Read<'a> {
    rule: &'a RuleText,
    compiled: Compiled,
}

/// The lists of a user's rules, each read.
struct Lists<'a> {
    hard: Vec<Read<'a>>,
    soft: Vec<Read<'a>>,
    allow: Vec<Read<'a>>,
}

fn read<'a>(rules: &'a [RuleText], lexicon: &dyn Lexicon) -> Vec<Read<'a>> {
    let read = |rule: &'a RuleText| Read {
        rule,
        compiled: compile(&rule.text, lexicon),
    };
    rules.iter().map(read).collect()
}

/// Looks over settings. Takes time with the square of the number of rules: not for the hook.
#[must_use]
pub fn lint(settings: &Settings, lexicon: &dyn Lexicon) -> Vec<Finding> {
    let lists = Lists {
        hard: read(&settings.rules.hard_deny, lexicon),
        soft: read(&settings.rules.soft_deny, lexicon),
        allow: read(&settings.rules.allow, lexicon),
    };
    let Lists { hard, soft, allow } = &lists;
    let mut found = Vec::new();
    for list in [hard, soft, allow] {
        duplicates(list, lexicon, &mut found);
        strangers(list, lexicon, &mut found);
    }
    for (strict, mild) in [(hard, allow), (soft, allow), (hard, soft)] {
        found.extend(shadows(strict, mild, lexicon));
    }
    prose(settings, &lists, &mut found);
    breadth(allow, &mut found);
    exact(&settings.exact, &mut found);
    replaced(settings, &mut found);
    thresholds(settings, &mut found);
    found.sort_by(|a, b| a.origin.cmp(&b.origin));
    found
}

fn finding(rule: &RuleText, oddity: Oddity) -> Finding {
    Finding {
        line: rule.text.clone(),
        oddity,
        origin: rule.origin.clone(),
    }
}

/// Returns a rule's own words as a command.
fn example(text: &str) -> CommandView<'static> {
    let words = text.split_whitespace().filter(|it| *it != "*");
    CommandView {
        argv: words.map(|it| Some(it.to_owned())).collect(),
        effects: &[],
    }
}

fn duplicates(list: &[Read<'_>], lexicon: &dyn Lexicon, found: &mut Vec<Finding>) {
    for (at, later) in list.iter().enumerate() {
        let earlier = list.iter().take(at);
        if earlier.clone().any(|it| it.rule.text == later.rule.text) {
            found.push(finding(later.rule, Oddity::Duplicate));
            continue;
        }
        let view = example(&later.rule.text);
        let wider = list.iter().find(|it| {
            it.rule.text != later.rule.text
                && it.compiled.covers(&view, lexicon)
                && !later.compiled.covers(&example(&it.rule.text), lexicon)
        });
        if let (false, Some(wider)) = (later.compiled.is_prose(), wider) {
            let by = wider.rule.text.clone();
            found.push(finding(later.rule, Oddity::Covered(by)));
        }
    }
}

fn strangers(list: &[Read<'_>], lexicon: &dyn Lexicon, found: &mut Vec<Finding>) {
    let unknown = list.iter().filter(|it| {
        let program = it.rule.text.split_whitespace().next().unwrap_or_default();
        it.compiled.names_command() && !program.contains('/') && !lexicon.knows(program)
    });
    found.extend(unknown.map(|it| finding(it.rule, Oddity::UnknownProgram)));
}

fn shadows(strict: &[Read<'_>], mild: &[Read<'_>], lexicon: &dyn Lexicon) -> Vec<Finding> {
    let shadowed = |rule: &Read<'_>| {
        let view = example(&rule.rule.text);
        let same = strict.iter().find(|it| it.rule.text == rule.rule.text);
        let above = strict
            .iter()
            .find(|it| it.compiled.suspects(&view, lexicon) == Hit::Yes);
        let oddity = match (same, above) {
            (Some(it), _) => Oddity::Contradiction(it.rule.text.clone()),
            (None, Some(it)) => Oddity::Shadowed(it.rule.text.clone()),
            (None, None) => return None,
        };
        Some(finding(rule.rule, oddity))
    };
    mild.iter().filter_map(shadowed).collect()
}

fn prose(settings: &Settings, lists: &Lists<'_>, found: &mut Vec<Finding>) {
    let Lists { hard, soft, allow } = lists;
    let prose = |list: &[Read<'_>], oddity: Oddity| -> Vec<Finding> {
        let prose = list.iter().filter(|it| it.compiled.is_prose());
        prose.map(|it| finding(it.rule, oddity.clone())).collect()
    };
    found.extend(prose(hard, Oddity::SoftProse));
    if settings.classifier.endpoint.provider == Provider::None {
        found.extend(prose(hard, Oddity::NoModel));
        found.extend(prose(soft, Oddity::NoModel));
        found.extend(prose(allow, Oddity::NoModel));
    }
    let strict = hard.iter().chain(soft).filter(|it| it.compiled.is_prose());
    let silent = strict.filter(|it| Concern::of(&it.rule.text).is_empty());
    found.extend(silent.map(|it| finding(it.rule, Oddity::NeverHeard)));
}

fn breadth(allow: &[Read<'_>], found: &mut Vec<Finding>) {
    let broad = allow
        .iter()
        .filter(|it| it.compiled.names_command() && is_too_broad(&it.rule.text));
    found.extend(broad.map(|it| finding(it.rule, Oddity::TooBroad)));
}

fn exact(rules: &[ExactRule], found: &mut Vec<Finding>) {
    let put = |rule: &ExactRule, oddity: Oddity| Finding {
        line: rule.name(),
        oddity,
        origin: rule.origin.clone(),
    };
    for (at, rule) in rules.iter().enumerate() {
        let mighty = rule.tool.iter().any(|it| it == "*" || is_mighty(it));
        let bare = !rule.looks_at_effects() && rule.command.is_empty();
        if rule.verdict == Verdict::Allow && bare && (mighty || rule.tool.is_empty()) {
            found.push(put(rule, Oddity::TooBroad));
        }
        let twin = rules
            .iter()
            .enumerate()
            .find(|(other, it)| *other != at && same(rule, it));
        match twin {
            Some((other, it)) if it.verdict == rule.verdict && other < at => {
                found.push(put(rule, Oddity::Duplicate));
            }
            Some((_, it)) if it.verdict > rule.verdict => {
                found.push(put(rule, Oddity::Shadowed(it.name())));
            }
            Some(_) | None => {}
        }
    }
}

fn same(a: &ExactRule, b: &ExactRule) -> bool {
    a.tool == b.tool
        && a.command == b.command
        && a.effect == b.effect
        && a.scope == b.scope
        && a.host == b.host
        && a.path == b.path
        && a.agent == b.agent
        && a.project == b.project
}

fn replaced(settings: &Settings, found: &mut Vec<Finding>) {
    let defaults = settings.rules.defaults;
    let lists = [
        ("rules.soft_deny", defaults.soft_deny),
        ("rules.allow", defaults.allow),
    ];
    for (key, ours) in lists {
        if !ours {
            found.push(Finding {
                line: key.to_owned(),
                oddity: Oddity::NoDefaults,
                origin: settings.origin(key),
            });
        }
    }
}

fn thresholds(settings: &Settings, found: &mut Vec<Finding>) {
    let thresholds = settings.thresholds;
    let bands = [
        (
            "thresholds.ask_at",
            thresholds.ask_at <= thresholds.unsure_at,
            "unsure",
        ),
        (
            "thresholds.deny_at",
            thresholds.deny_at <= thresholds.ask_at,
            "ask",
        ),
    ];
    for (key, empty, band) in bands {
        if empty {
            found.push(Finding {
                line: key.to_owned(),
                oddity: Oddity::EmptyBand(band),
                origin: settings.origin(key),
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::lint;
    use crate::command::{Lexicon, Plain};
    use crate::{Source, load_texts};

    struct Knowing;

    impl Lexicon for Knowing {
        fn canonical(&self, path: &[&str], flag: &str) -> Option<String> {
            Plain.canonical(path, flag)
        }
        fn takes_value(&self, path: &[&str], flag: &str) -> bool {
            Plain.takes_value(path, flag)
        }
        fn knows(&self, program: &str) -> bool {
            program != "nmp"
        }
    }

    fn says(text: &str) -> Vec<String> {
        let loaded = load_texts(&[(Source::User, "u", text)]);
        assert_eq!(loaded.errors, []);
        let found = lint(&loaded.settings, &Knowing);
        found.iter().map(ToString::to_string).collect()
    }

    fn of_rules(lines: &str) -> Vec<String> {
        says(&format!(
            "classifier.provider = \"anthropic\"\n[rules]\n{lines}"
        ))
    }

    #[test]
    fn the_defaults_are_clean() {
        assert_eq!(says(crate::DEFAULT_FILE), [""; 0]);
    }

    #[test]
    fn twice_the_same() {
        let said = of_rules(r#"allow = ["$defaults", "npm test", "npm test"]"#);
        assert_eq!(said, ["`npm test` appears twice"]);
        let said = of_rules(r#"allow = ["$defaults", "npm test", "npm"]"#);
        assert_eq!(said, ["`npm test` adds nothing to `npm`"]);
    }

    #[test]
    fn lines_that_never_count() {
        let said = of_rules("allow = [\"$defaults\", \"rm -fr build\"]\nhard_deny = [\"rm -rf\"]");
        assert_eq!(said, ["`rm -fr build` never counts: `rm -rf` is stricter"]);
        let said = of_rules(
            "allow = [\"$defaults\", \"npm publish\"]\nsoft_deny = [\"$defaults\", \"npm publish\"]",
        );
        assert_eq!(said, ["`npm publish` contradicts `npm publish`"]);
    }

    #[test]
    fn prose_without_a_model() {
        let said = says("[rules]\nsoft_deny = [\"$defaults\", \"never touch the billing code\"]");
        assert_eq!(
            said,
            ["`never touch the billing code` is prose, and no model is configured to apply it"]
        );
    }

    #[test]
    fn broad_and_unknown() {
        let said = of_rules(r#"allow = ["$defaults", "python", "nmp test"]"#);
        assert_eq!(
            said,
            [
                "`python` would allow any code",
                "`nmp test` names no program that belay knows"
            ]
        );
        let said = says("[[rule]]\nid = \"all\"\ntool = \"Bash\"\nverdict = \"allow\"");
        assert_eq!(said, ["`all` would allow any code"]);
    }

    #[test]
    fn rules_with_the_same_conditions() {
        let rule = |id: &str, verdict: &str| {
            format!("[[rule]]\nid = \"{id}\"\ntool = \"T\"\nverdict = \"{verdict}\"\n")
        };
        let said = says(&(rule("a", "ask") + &rule("b", "deny")));
        assert_eq!(said, ["`a` never counts: `b` is stricter"]);
        let said = says(&(rule("a", "ask") + &rule("b", "ask")));
        assert_eq!(said, ["`b` appears twice"]);
    }

    #[test]
    fn thresholds_without_room() {
        let said = says("[thresholds]\nask_at = 20");
        assert_eq!(said, ["`thresholds.ask_at` leaves no room for unsure"]);
    }
}
