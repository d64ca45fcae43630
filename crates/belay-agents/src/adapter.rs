use std::path::{Path, PathBuf};
use std::time::Duration;

use belay_model::{Call, Judgement, Turn, Value};

use crate::answer::{self, Answer};
use crate::doctor::Finding;
use crate::doctor::recipes::Client;
use crate::install::way::{Hook, Planned, Way, Written};
use crate::install::{Plan, Reach, Wish};
use crate::{Asked, Env, Heard, HostRules, PersonSaid, ReadError, Typed};

/// What the user should know of an agent that nobody here has run.
pub(crate) const NOT_RUN: &str = "written from this agent's documentation; we could not run it";

/// How an agent is called.
pub(crate) struct Name {
    /// On the command line and in records.
    pub(crate) word: &'static str,
    /// By people.
    pub(crate) title: &'static str,
    /// Other words that people type.
    pub(crate) also: &'static [&'static str],
}

/// Everything that is peculiar to one agent. No other file asks which agent it has before it; what
/// has a default here is what most agents do, or what is safe to believe of one nobody ran.
pub(crate) trait Adapter: Sync {
    /// Returns how the agent is called.
    fn name(&self) -> Name;

    /// Reads what the agent sent on stdin.
    fn read(&self, stdin: &[u8], env: Env<'_>) -> Result<Heard, ReadError>;

    /// Returns a verdict in the agent's own form.
    fn answer(&self, asked: &Asked, judgement: &Judgement) -> Answer;

    /// Returns the agent's "nothing to say": it goes on as if we were not there.
    fn no_opinion(&self, _heard: &Heard) -> Answer {
        Answer::silent()
    }

    /// Returns the refusal when nothing could be judged.
    fn refuse(&self, reason: &str) -> Answer {
        answer::refuse_all(reason)
    }

    /// Returns the person's own rules in the agent's settings. Empty where a hook cannot approve,
    /// or where nothing is known of such rules.
    fn host_rules(&self, _call: &Call, _env: Env<'_>) -> HostRules {
        HostRules::default()
    }

    /// Returns the members of an input that move a command to another folder, as measured with the
    /// client; `None` where it was not run, and the gate then reads the call both ways.
    fn heeded_folders(&self) -> Option<&'static [&'static str]> {
        None
    }

    /// Returns the turns of one line of the agent's transcript. Whose words stand where was measured, or nobody's are
    /// the user's.
    fn turns(&self, _entry: &Value) -> Vec<Turn> {
        Vec::new()
    }

    /// Tells whether a line of the transcript replaces an earlier one with the same `id`.
    fn lines_replace(&self) -> bool {
        false
    }

    /// Tells whether the agent's transcript says who answered a question of ours.
    fn says_who_answered(&self) -> bool {
        false
    }

    /// Reads who settled a question about a call, from the line of the transcript that says so.
    fn person_said(&self, _entry: &Value, _call_id: &str) -> Option<PersonSaid> {
        None
    }

    /// Reads who typed a prompt, from the line of the transcript that holds it.
    fn typed(&self, _entry: &Value, _prompt: &str) -> Option<Typed> {
        None
    }

    /// Returns the files of settings that the agent may read around a call.
    fn settings_files(&self, _call: &Call, _env: Env<'_>) -> Vec<PathBuf> {
        Vec::new()
    }

    /// Returns the folder that holds the agent's settings.
    fn folder(&self, wish: &Wish<'_>) -> Planned<PathBuf>;

    /// Tells whether the agent seems to be used here: its own folder is there; ours need not be.
    fn is_present(&self, wish: &Wish<'_>) -> bool {
        self.folder(wish).is_ok_and(|it| it.is_dir())
    }

    /// Returns the folder of the settings that hold for every user of the machine, where neither a
    /// repository nor a user can switch them off.
    fn managed_folder(&self) -> Option<&'static str> {
        None
    }

    /// Tells whether the agent has a bar that a program fills.
    fn has_bar(&self) -> bool {
        false
    }

    /// Returns how the agent is told of us.
    fn registration(&self, hook: &Hook<'_>) -> Planned<Way>;

    /// Plans what must stand elsewhere before these settings name us.
    fn prepare(&self, _wish: &Wish<'_>, _settings: &Written<'_>, _plan: &mut Plan) -> Planned<()> {
        Ok(())
    }

    /// Plans what goes after these settings no longer name us.
    fn clear(&self, _wish: &Wish<'_>, _settings: &Path, _plan: &mut Plan) -> Planned<()> {
        Ok(())
    }

    /// Tells whether the agent can ask a daemon over HTTP.
    fn asks_daemon(&self) -> bool {
        false
    }

    /// Returns how long the host lets a hook of ours take before a tool, as its settings say, where a real client was seen
    /// to wait.
    fn waits(&self, _call: &Call, _env: Env<'_>) -> Option<Duration> {
        None
    }

    /// Returns what the user should know once the agent is connected.
    fn note(&self, _reach: Reach) -> Option<&'static str> {
        (!self.was_run()).then_some(NOT_RUN)
    }

    /// Returns how to run the client without a person.
    fn client(&self) -> Option<Client> {
        None
    }

    /// Tells whether the real client was run here against this adapter.
    fn was_run(&self) -> bool {
        self.client().is_some()
    }

    /// Returns what is wrong with a version of the client.
    fn version_fault(&self, _found: &str) -> Option<Finding> {
        None
    }

    /// Looks at what must stand elsewhere for these settings to count.
    fn examine(&self, _wish: &Wish<'_>, _settings: &Written<'_>) -> Option<Finding> {
        None
    }

    /// Returns the event in whose list hooks of others see the same calls.
    fn shared_event(&self) -> Option<&'static str> {
        None
    }

    /// Returns the settings that a repository may bring for the agent.
    fn project_settings(&self) -> &'static [&'static str] {
        &[]
    }

    /// Returns what no hook can close.
    fn limit(&self) -> Option<&'static str> {
        None
    }
}
