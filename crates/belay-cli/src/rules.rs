//! `belay rules`: every rule that counts here, how it was understood, and what it did lately.

use autobelay::OurLexicon;
use belay_journal::json;
use belay_model::Value;
use belay_page::RuleRow;
use belay_policy::Rule;
use belay_settings::lint::{Finding, Oddity, lint};
use belay_settings::{Concern, Line, Loaded, PathLists, RuleText, Settings, compile, grants, show};

use crate::args::{RulesArgs, RulesJob};
use crate::exit::Exit;
use crate::out::{Failure, Out, harmless};
use crate::places::{Here, journal};
use crate::{asking, config, import, lint, suggest};

/// How many records `lately` reaches back.
const LATELY: usize = 10_000;

/// One rule, as it is shown.
struct Shown {
    kind: &'static str,
    name: String,
    text: String,
    origin: String,
    used: usize,
    /// When it spoke last.
    last: Option<String>,
    /// What is odd about it: shadowed, doubled, too broad.
    odd: Vec<String>,
}

/// A rule's name and what it says.
struct Named {
    name: String,
    text: String,
}

impl Shown {
    fn new(kind: &'static str, named: Named, origin: String) -> Self {
        let Named { name, text } = named;
        Self {
            kind,
            name,
            text,
            origin,
            used: 0,
            last: None,
            odd: Vec::new(),
        }
    }

    /// Tells whether a judgement that names this rule means us.
    fn speaks(&self, named: &str) -> bool {
        let rest = named.strip_prefix(self.kind);
        rest.map(|it| it.trim_start_matches([':', ' '])) == Some(&self.name)
    }

    fn row(self) -> RuleRow {
        RuleRow {
            kind: self.kind.to_owned(),
            name: self.name,
            text: self.text,
            origin: self.origin,
            used: self.used,
            last: self.last,
            odd: self.odd,
        }
    }
}

/// Lists the rules of settings and grants, with `--policy` the built-in ones too; or does another
/// job with them.
pub fn rules(args: &RulesArgs, out: &mut Out) -> Result<Exit, Failure> {
    match &args.job {
        Some(RulesJob::Critique(args)) => asking::critique(args, out),
        Some(RulesJob::Defaults) => asking::show_defaults(out),
        Some(RulesJob::Import(args)) => import::import(args, out).map(|()| Exit::Done),
        Some(RulesJob::Lint(args)) => lint::lint_rules(args, out),
        Some(RulesJob::Suggest(args)) => suggest::suggest_rules(args, out),
        None => list(args, out),
    }
}

fn list(args: &RulesArgs, out: &mut Out) -> Result<Exit, Failure> {
    let here = Here::at(args.folder.as_deref())?;
    let loaded = here.proven();
    let mut shown = of_settings(&loaded.settings);
    shown.extend(of_grants(&here));
    if args.policy {
        shown.extend(belay_policy::rules().iter().map(of_policy));
    }
    count(&mut shown, &loaded, &here);
    mark(&mut shown, &loaded);
    if args.json {
        out.line(json::compact(&to_json(&shown)))?;
    } else {
        print(&shown, &loaded, out)?;
    }
    Ok(config::complain(&loaded))
}

/// Returns the rules in force for the page, the user's own first.
pub fn rows() -> Result<Vec<RuleRow>, Failure> {
    let here = Here::at(None)?;
    let loaded = here.proven();
    let mut shown = of_settings(&loaded.settings);
    shown.extend(of_grants(&here));
    let own = shown.len();
    shown.extend(belay_policy::rules().iter().map(of_policy));
    count(&mut shown, &loaded, &here);
    mark(&mut shown, &loaded);
    // Built-in rules that never spoke are many, and say nothing here.
    let spoke = shown.into_iter().enumerate();
    let spoke = spoke.filter(|(at, it)| *at < own || it.used > 0);
    Ok(spoke.map(|(_, it)| it.row()).collect())
}

/// Returns where a rule of the settings stands, by the name that a judgement gives it.
pub fn origin_of(rule: &str, settings: &Settings) -> Option<String> {
    let shown = of_settings(settings).into_iter();
    let mut found = shown.filter(|it| it.name == rule || it.speaks(rule));
    found.next().map(|it| it.origin)
}

fn of_settings(settings: &Settings) -> Vec<Shown> {
    let rules = &settings.rules;
    let lists = [
        ("hard_deny", &rules.hard_deny),
        ("soft_deny", &rules.soft_deny),
        ("allow", &rules.allow),
        ("environment", &rules.environment),
    ];
    let of_list = |(kind, list): (&'static str, &Vec<RuleText>)| {
        list.iter().map(|it| of_line(kind, it)).collect::<Vec<_>>()
    };
    let exact = settings.exact.iter();
    let exact = exact.map(|it| {
        Shown::new(
            "rule",
            Named {
                name: it.name(),
                text: show::rule(it),
            },
            it.origin.to_string(),
        )
    });
    let paths = of_paths(&settings.paths);
    let lists = lists.into_iter().flat_map(of_list);
    lists.chain(paths).chain(exact).collect()
}

fn of_paths(paths: &PathLists) -> Vec<Shown> {
    let lists = [
        ("paths.deny", &paths.deny, "must not be touched"),
        ("paths.ask", &paths.ask, "a person decides"),
        ("paths.allow", &paths.allow, "may be touched"),
    ];
    let shown = lists.into_iter().flat_map(|(kind, list, text)| {
        let line = move |it: &Line| {
            let name = Named {
                name: it.text.clone(),
                text: text.to_owned(),
            };
            Shown::new(kind, name, it.origin.to_string())
        };
        list.iter().map(line)
    });
    shown.collect()
}

/// Notes at each rule what is odd about it.
fn mark(shown: &mut [Shown], loaded: &Loaded) {
    let known = |it: &Finding| it.oddity != Oddity::UnknownProgram;
    for finding in lint(&loaded.settings, &OurLexicon::default())
        .into_iter()
        .filter(known)
    {
        let origin = finding.origin.to_string();
        for rule in shown.iter_mut().filter(|it| it.origin == origin) {
            rule.odd.push(finding.oddity.to_string());
        }
    }
}

fn of_line(kind: &'static str, line: &RuleText) -> Shown {
    let compiled = compile(&line.text, &OurLexicon::default());
    let understood = match kind {
        "environment" => "a fact for the model".to_owned(),
        "hard_deny" | "soft_deny" if compiled.is_prose() => Concern::of(&line.text).describe(),
        _ => compiled.describe(),
    };
    let name = Named {
        name: line.text.clone(),
        text: understood,
    };
    Shown::new(kind, name, line.origin.to_string())
}

fn of_grants(here: &Here) -> Vec<Shown> {
    let state = here.places.state_dir.as_deref();
    let moment = grants::Moment {
        now: belay_journal::calendar::Moment::now().0 / 1000,
        folder: &here.cwd,
        session: None,
    };
    let live = state
        .and_then(|it| grants::live(it, &moment).ok())
        .unwrap_or_default();
    let shown = |it: grants::Grant| {
        let until = belay_journal::calendar::Moment(it.until.saturating_mul(1000)).stamp();
        let uses = it
            .uses
            .map_or(String::new(), |it| format!(", {it} more calls"));
        let name = Named {
            name: it.id.clone(),
            text: it.effects.join("; "),
        };
        Shown::new("grant", name, format!("until {until}{uses}"))
    };
    live.into_iter().map(shown).collect()
}

fn of_policy(rule: &Rule) -> Shown {
    let verbs: Vec<String> = rule.effects.iter().map(pattern).collect();
    let scopes: Vec<&str> = rule.scopes.iter().map(|it| it.word()).collect();
    let place = if scopes.is_empty() {
        String::new()
    } else {
        format!(" in {}", scopes.join(", "))
    };
    let floor = if rule.floor { ", floor" } else { "" };
    let text = format!(
        "{}{place}: risk {}{floor}: {}",
        verbs.join(", "),
        rule.risk,
        rule.because
    );
    let name = Named {
        name: rule.id.to_owned(),
        text,
    };
    Shown::new("policy", name, "default".to_owned())
}

fn pattern(it: &belay_policy::EffectPattern) -> String {
    let verb = it.verb.map_or("*", belay_model::Verb::word);
    let how = it.how.map_or("", belay_model::How::word);
    let words = [verb, how].into_iter().chain(it.words.iter().copied());
    words
        .filter(|it| !it.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

/// Counts how often each rule spoke in the newest records.
fn count(shown: &mut [Shown], loaded: &Loaded, here: &Here) {
    let Some(journal) = journal(&loaded.settings, &here.places) else {
        return;
    };
    for record in journal.newest().take(LATELY) {
        let Some(named) = record.judgement.reason.rule else {
            continue;
        };
        let means = |it: &&mut Shown| it.name == named || it.speaks(&named);
        for rule in shown.iter_mut().filter(means) {
            rule.used += 1;
            rule.last.get_or_insert_with(|| record.at.date());
        }
    }
}

fn print(shown: &[Shown], loaded: &Loaded, out: &mut Out) -> Result<(), Failure> {
    for rule in shown {
        let used = if rule.used > 0 {
            let times = if rule.used == 1 { "time" } else { "times" };
            format!(", used {} {times} lately", rule.used)
        } else {
            String::new()
        };
        out.line(harmless(&format!("{:<11} {}", rule.kind, rule.name)))?;
        let paint = out.paint();
        out.line(format_args!("            {}", harmless(&rule.text)))?;
        for odd in &rule.odd {
            out.line(format_args!("            note: {}", harmless(odd)))?;
        }
        out.line(paint.dim(&format!("            {}{used}", harmless(&rule.origin))))?;
    }
    for waiting in &loaded.waiting {
        out.line(harmless(&format!(
            "waits       {} = {}\n            until `belay trust`",
            waiting.key, waiting.text
        )))?;
    }
    if shown.is_empty() && loaded.waiting.is_empty() {
        out.line("no rules of your own; `belay rules --policy` shows the built-in ones")?;
    }
    Ok(())
}

fn to_json(shown: &[Shown]) -> Value {
    let row = |it: &Shown| {
        let texts = [
            ("kind", it.kind),
            ("name", it.name.as_str()),
            ("understood", it.text.as_str()),
            ("origin", it.origin.as_str()),
        ];
        let mut members = texts
            .map(|(name, text)| (name.to_owned(), Value::from(text)))
            .to_vec();
        members.push(("lately".to_owned(), Value::Number(it.used.to_string())));
        let odd = it.odd.iter().map(|it| Value::from(it.as_str()));
        members.push(("notes".to_owned(), Value::Array(odd.collect())));
        Value::Object(members)
    };
    Value::Array(shown.iter().map(row).collect())
}
