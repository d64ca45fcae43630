//! The question put to the model.

use belay_model::{Turn, Value, without_talk};
use sha2::{Digest, Sha256};

use crate::defaults::{DefaultList, defaults};
use crate::{Fault, quote};

/// A longer call is not shown to a model: what it cannot see whole it must not judge.
const LONGEST_CALL: usize = 32_000;

/// So many effects are listed; the strictest come first only by chance, so more is no verdict.
const MOST_EFFECTS: usize = 400;

/// What the model gets to see.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Privacy {
    /// Tool, input, effects, rules and conversation, redacted.
    #[default]
    Full,
    /// Tool, effects and rules; neither input nor conversation.
    EffectsOnly,
}

/// The prose rules, each list already without what the model must not see.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RuleLists {
    /// Blocked unless the user asked for it.
    pub soft_deny: Vec<String>,
    /// Trusted.
    pub allow: Vec<String>,
    /// Facts.
    pub environment: Vec<String>,
    /// The lists that begin with our defaults.
    pub with_defaults: Vec<DefaultList>,
}

/// How much of the conversation is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// How many entries, the newest.
    pub entries: usize,
    /// How many characters of each.
    pub chars: usize,
}

impl Default for Window {
    fn default() -> Self {
        Self {
            entries: 20,
            chars: 200,
        }
    }
}

/// Everything the question is made of.
#[derive(Clone, Debug, Default)]
pub struct Question {
    /// The tool, as the agent spells it.
    pub tool: String,
    /// Its input.
    pub input: Value,
    /// Where it would run.
    pub cwd: String,
    /// The project's folder.
    pub project: Option<String>,
    /// What it would do, a line each, with the rule's doubt.
    pub effects: Vec<String>,
    /// What could not be read or known.
    pub troubles: Vec<String>,
    /// The conversation, oldest first.
    pub transcript: Vec<Turn>,
    /// The user's rules.
    pub rules: RuleLists,
    /// How much of the conversation is shown.
    pub window: Window,
    /// What leaves the machine.
    pub privacy: Privacy,
    /// Whose money is spent.
    pub session: Option<String>,
}

/// The question as texts: rules and instructions are trusted, the rest is quoted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prompt {
    /// Instructions and rules.
    pub system: String,
    /// What is asked about, all of it quoted data.
    pub context: String,
    /// Identifies the question: two with the same key may share a verdict.
    pub(crate) key: String,
}

impl Prompt {
    /// Returns about how many tokens the question has, instructions and tool included.
    #[must_use]
    pub fn tokens(&self) -> u64 {
        const TOOL: usize = 700;
        let chars = self.system.chars().count() + self.context.chars().count() + TOOL;
        u64::try_from(chars.div_ceil(4)).unwrap_or(u64::MAX)
    }
}

impl Question {
    /// Renders the question; `redact` takes secrets out of a value, names of members considered.
    ///
    /// # Errors
    /// When the call is too large or too deep to be shown whole.
    pub fn render(&self, redact: &dyn Fn(Value) -> Value) -> Result<Prompt, Fault> {
        let system = self.system(redact);
        let shown = match self.privacy {
            Privacy::Full => self.full_call(),
            Privacy::EffectsOnly => vec![("tool", Value::from(self.tool.as_str()))],
        };
        let members = shown.into_iter().map(|(it, value)| (it.to_owned(), value));
        let whole = redact(without_talk(Value::Object(members.collect())));
        let call = quote::json(&whole).ok_or(Fault::TooLarge)?;
        if call.chars().count() > LONGEST_CALL || self.effects.len() > MOST_EFFECTS {
            return Err(Fault::TooLarge);
        }
        let transcript = match self.privacy {
            Privacy::Full => self.lines_of_transcript(redact),
            Privacy::EffectsOnly => Vec::new(),
        };
        let quoted = |it: &String| quote::json(&redact(Value::from(it.as_str())));
        let effects: Vec<String> = self.effects.iter().filter_map(quoted).collect();
        let troubles = self.shown_troubles();
        let troubles: Vec<String> = troubles.iter().filter_map(quoted).collect();
        let mut context = String::new();
        let parts = [
            ("transcript", TRANSCRIPT, transcript),
            ("effects", EFFECTS, effects),
            ("unknown", UNKNOWN, troubles),
            ("call", CALL, vec![call]),
        ];
        for (name, about, lines) in parts {
            if !lines.is_empty() {
                let lines = lines.join("\n");
                context.push_str(&format!("{about}\n<{name}>\n{lines}\n</{name}>\n\n"));
            }
        }
        let key = self.key(&system);
        Ok(Prompt {
            system,
            context,
            key,
        })
    }

    fn system(&self, redact: &dyn Fn(Value) -> Value) -> String {
        let list = |kind: DefaultList, own: &[String]| {
            let ours = self.rules.with_defaults.contains(&kind);
            let ours = ours.then(|| defaults(kind).trim_end().to_owned());
            let own = own.iter().map(|it| redact(Value::from(it.as_str())));
            let own = own.map(|it| format!("- {}", one_line(it.text().unwrap_or_default())));
            let lines: Vec<String> = ours.into_iter().chain(own).collect();
            match lines.as_slice() {
                [] => "- none".to_owned(),
                lines => lines.join("\n"),
            }
        };
        let parts = [
            list(DefaultList::SoftDeny, &self.rules.soft_deny),
            list(DefaultList::Allow, &self.rules.allow),
            list(DefaultList::Environment, &self.rules.environment),
        ];
        let mut system = String::new();
        let mut rest = include_str!("../prompts/system.md");
        for (marker, part) in ["{soft_deny}", "{allow}", "{environment}"]
            .iter()
            .zip(parts)
        {
            let (before, after) = rest.split_once(marker).unwrap_or((rest, ""));
            system.push_str(before);
            system.push_str(&part);
            rest = after;
        }
        system.push_str(rest);
        system
    }

    fn full_call(&self) -> Vec<(&'static str, Value)> {
        let mut members = vec![
            ("tool", Value::from(self.tool.as_str())),
            ("cwd", Value::from(self.cwd.as_str())),
        ];
        if let Some(project) = &self.project {
            members.push(("project", Value::from(project.as_str())));
        }
        members.push(("input", self.input.clone()));
        members
    }

    /// A trouble may quote the input; where that must not leave, only its kind does.
    fn shown_troubles(&self) -> Vec<String> {
        let shown = |it: &String| match self.privacy {
            Privacy::Full => it.clone(),
            Privacy::EffectsOnly => it.split(':').next().unwrap_or_default().to_owned(),
        };
        self.troubles.iter().take(20).map(shown).collect()
    }

    fn lines_of_transcript(&self, redact: &dyn Fn(Value) -> Value) -> Vec<String> {
        let skipped = self.transcript.len().saturating_sub(self.window.entries);
        let line = |turn: &Turn| {
            let (role, kind, text) = match turn {
                Turn::User(text) => ("user", "content", text),
                Turn::Action(text) => ("assistant", "action", text),
            };
            let text = redact(Value::from(text.as_str()));
            let text = cut(text.text().unwrap_or_default(), self.window.chars);
            format!(
                "{{\"role\":\"{role}\",\"{kind}\":{}}}",
                quote::string(&text)
            )
        };
        self.transcript.iter().skip(skipped).map(line).collect()
    }

    /// Everything a verdict depends on. The user's words are part of it, so that neither a consent
    /// nor its absence outlives them; the agent's own actions are not.
    fn key(&self, system: &str) -> String {
        let mut hash = Sha256::new();
        let mut add = |part: &str| {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part.as_bytes());
        };
        add(system);
        add(&self.tool);
        add(&quote::json(&without_talk(self.input.clone())).unwrap_or_default());
        add(&self.cwd);
        add(self.project.as_deref().unwrap_or_default());
        add(&self.effects.join("\n"));
        add(&self.troubles.join("\n"));
        add(match self.privacy {
            Privacy::Full => "full",
            Privacy::EffectsOnly => "effects-only",
        });
        let skipped = self.transcript.len().saturating_sub(self.window.entries);
        for turn in self.transcript.iter().skip(skipped) {
            match turn {
                Turn::User(text) => add(text),
                Turn::Action(_) => {}
            }
        }
        hex(&hash.finalize())
    }
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|it| format!("{it:02x}")).collect()
}

const TRANSCRIPT: &str = "The conversation so far, oldest first; \"user\" is the user's own words, \"action\" a call the agent made. Entries are cut.";
const EFFECTS: &str = "What a static reading says the call would do:";
const UNKNOWN: &str = "What the static reading could not know:";
const CALL: &str = "The call to judge:";

/// Keeps the first so many characters.
fn cut(text: &str, chars: usize) -> String {
    match text.char_indices().nth(chars) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None => text.to_owned(),
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;
