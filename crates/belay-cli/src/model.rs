//! The model that the settings name, as the gate's fifth layer.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use autobelay::{Classify, Ruling, Sight};
use belay_agents::{Agent, transcript};
use belay_classifier::{
    Account, Answer, Classifier, DefaultList, Endpoint, Fault, Key, Limits, Mode, Outcome, Plan,
    Prices, Privacy, Provider, Question, RuleLists, Window,
};
use belay_journal::redact_value;
use belay_model::{Call, Risk, Turn, Value};
use belay_settings::{Asking, Places, RuleText, Settings};

/// What was heard of the model last, for the record.
#[derive(Clone, Default)]
pub struct LastHeard(Arc<Mutex<Option<Outcome>>>);

impl LastHeard {
    /// Takes it; nothing when no model was asked since.
    pub fn take(&self) -> Option<Outcome> {
        self.0.lock().ok()?.take()
    }
}

/// A model that can be asked.
pub struct Model {
    plan: Plan,
    heard: LastHeard,
}

impl Model {
    /// Returns the model of these settings, unless they name no provider.
    pub fn of(settings: &Settings, places: &Places) -> Option<Self> {
        let ours = &settings.classifier;
        let first = endpoint(&ours.endpoint, places)?;
        let others = ours.fallback.iter().filter_map(|it| endpoint(it, places));
        let endpoints = std::iter::once(first).chain(others).collect();
        // Beyond its own deadline the hook would refuse without a reason.
        let latest = settings.deadline.total_ms.saturating_sub(500);
        let plan = Plan {
            endpoints,
            mode: match ours.mode {
                Asking::Single => Mode::Single,
                Asking::TwoStage => Mode::TwoStage,
            },
            deadline: Duration::from_millis(ours.timeout_ms.min(latest)),
            retries: ours.retries,
            max_tokens: ours.max_tokens,
            remember: Duration::from_secs(ours.cache_seconds),
            limits: Limits {
                day: ours.spend_usd_per_day,
                session: ours.spend_usd_per_session,
                concurrent: ours.concurrent,
            },
            prices: Prices {
                input: ours.price_input_usd,
                output: ours.price_output_usd,
            },
            dump: ours.dump_dir.as_ref().map(|it| expanded(it, places)),
            state: places.state_dir.clone(),
        };
        Some(Self {
            plan,
            heard: LastHeard::default(),
        })
    }

    /// Returns where the last outcome will be found.
    pub fn heard(&self) -> LastHeard {
        self.heard.clone()
    }

    /// Asks again, whatever is remembered.
    pub const fn forgetful(mut self) -> Self {
        self.plan.remember = Duration::ZERO;
        self
    }

    /// Asks about a call.
    pub fn ask(&self, call: &Call, sight: &Sight, settings: &Settings) -> Outcome {
        Classifier::new(&self.plan, &redact_value).ask(&question(call, sight, settings))
    }

    /// Returns about how many tokens the question about a call has.
    pub fn estimate(&self, call: &Call, sight: &Sight, settings: &Settings) -> Option<u64> {
        let question = question(call, sight, settings);
        let classifier = Classifier::new(&self.plan, &redact_value);
        classifier.estimate(&question).ok()
    }

    /// Asks for a review of the rules.
    pub fn critique(&self, settings: &Settings) -> Result<(String, Account), Fault> {
        let nothing = Call::default();
        let mut question = question(&nothing, &Sight::default(), settings);
        question.rules.with_defaults.clear();
        Classifier::new(&self.plan, &redact_value).critique(&question)
    }
}

impl Classify for Model {
    fn classify(&self, call: &Call, sight: &Sight, settings: &Settings) -> Ruling {
        let outcome = self.ask(call, sight, settings);
        let ruling = match &outcome.answer {
            Answer::Pass(why) => Ruling::Pass(why.clone()),
            Answer::Block(why) => Ruling::Block(why.clone()),
            Answer::NoVerdict(_) => Ruling::NoVerdict(outcome.answer.fault().unwrap_or_default()),
        };
        if let Ok(mut last) = self.heard.0.lock() {
            *last = Some(outcome);
        }
        ruling
    }
}

fn endpoint(named: &belay_settings::Endpoint, places: &Places) -> Option<Endpoint> {
    let provider = Provider::named(named.provider.word())?;
    let command = || named.api_key_command.iter().map(|it| it.text.clone());
    let key = match (&named.api_key_env, &named.api_key_file) {
        (Some(name), _) => Key::Variable(name.clone()),
        (None, _) if !named.api_key_command.is_empty() => Key::Command(command().collect()),
        (None, Some(path)) => Key::File(expanded(path, places)),
        (None, None) => Key::Usual,
    };
    Some(Endpoint {
        provider,
        model: named.model.clone(),
        base_url: named.base_url.clone(),
        key,
        timeout: named.timeout_ms.map(Duration::from_millis),
    })
}

fn question(call: &Call, sight: &Sight, settings: &Settings) -> Question {
    let ours = &settings.classifier;
    let window = Window {
        entries: usize::try_from(ours.transcript_entries).unwrap_or(usize::MAX),
        chars: usize::try_from(ours.transcript_chars).unwrap_or(usize::MAX),
    };
    Question {
        tool: call.tool.clone(),
        input: call.input.clone(),
        cwd: call.cwd.clone(),
        project: call.project_roots.first().cloned(),
        effects: effects(sight),
        troubles: sight.troubles.iter().map(ToString::to_string).collect(),
        transcript: conversation(call, window),
        rules: rules(settings),
        window,
        privacy: match ours.privacy {
            belay_settings::Privacy::Full => Privacy::Full,
            belay_settings::Privacy::EffectsOnly => Privacy::EffectsOnly,
        },
        session: call.session.clone(),
    }
}

/// Every effect on a line; those in doubt with what policy says of them.
fn effects(sight: &Sight) -> Vec<String> {
    let line = |it: &autobelay::Finding| {
        if it.weighed.risk < Risk::UNSURE {
            return it.effect.to_string();
        }
        format!("{} ({})", it.effect, it.weighed.because)
    };
    sight.findings.iter().map(line).collect()
}

/// The conversation the call brought, else the one its agent keeps in a file.
fn conversation(call: &Call, window: Window) -> Vec<Turn> {
    if !call.transcript.is_empty() {
        return call.transcript.clone();
    }
    let agent = call.agent.as_deref().and_then(Agent::from_word);
    let (Some(agent), Some(path)) = (agent, &call.transcript_path) else {
        return Vec::new();
    };
    let bounds = transcript::Bounds {
        turns: window.entries,
        ..transcript::Bounds::default()
    };
    transcript::load(agent, Path::new(path), bounds).unwrap_or_default()
}

/// The lists as the model may see them. Prose in `hard_deny` compiles to nothing, so that the model
/// is the only one who can heed it.
fn rules(settings: &Settings) -> RuleLists {
    let ours = &settings.rules;
    let shown = |list: &[RuleText]| -> Vec<String> {
        let shown = list.iter().filter(|it| it.for_model);
        shown.map(|it| it.text.clone()).collect()
    };
    let never = shown(&ours.hard_deny);
    let never = never
        .iter()
        .map(|it| format!("{it} (never, not even if the user asks)"));
    let defaults = [
        (DefaultList::SoftDeny, ours.defaults.soft_deny),
        (DefaultList::Allow, ours.defaults.allow),
        (DefaultList::Environment, ours.defaults.environment),
    ];
    let with_defaults = defaults.iter().filter(|(_, spliced)| *spliced);
    RuleLists {
        soft_deny: never.chain(shown(&ours.soft_deny)).collect(),
        allow: shown(&ours.allow),
        environment: shown(&ours.environment),
        with_defaults: with_defaults.map(|(list, _)| *list).collect(),
    }
}

/// Returns what asking took, for the record and for `--json`.
pub fn account_to_json(account: &Account) -> Value {
    let number = |it: u64| Value::Number(it.to_string());
    let mut members = vec![
        ("requests", number(account.requests)),
        ("input_tokens", number(account.input_tokens)),
        ("output_tokens", number(account.output_tokens)),
        ("millis", number(account.millis)),
    ];
    if let Some(by) = &account.by {
        members.insert(0, ("by", Value::from(by.as_str())));
    }
    if let Some(dollars) = account.usd {
        members.push(("usd", Value::Number(format!("{dollars:.6}"))));
    }
    if !account.dumps.is_empty() {
        let files = account.dumps.iter().map(|it| it.display().to_string());
        members.push(("dumps", Value::Array(files.map(Value::from).collect())));
    }
    let named = members.into_iter().map(|(name, it)| (name.to_owned(), it));
    Value::Object(named.collect())
}

fn expanded(path: &str, places: &Places) -> PathBuf {
    match (path.strip_prefix("~/"), &places.home) {
        (Some(rest), Some(home)) => home.join(rest),
        (Some(_) | None, _) => PathBuf::from(path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_and_wires_name_the_same_providers() {
        let words: Vec<&str> = Provider::all().map(Provider::word).collect();
        let named = belay_settings::Provider::WORDS.iter().copied();
        let named: Vec<&str> = named.filter(|it| *it != "none").collect();
        assert_eq!(words, named);
    }
}
