//! What a person's answers teach: questions are remembered, proof is looked for, grants are written.
//!
//! INVARIANT: nothing is learned but from a person's answer to a question of ours that the agent itself
//! vouches for, about the very input that was judged.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use autobelay::{fingerprint, key_told};
use belay_agents::{
    Agent, Env, PersonSaid, Typed, asks_alone, person_said, says_who_answered, typed,
};
use belay_journal::Answered;
use belay_journal::calendar::Moment;
use belay_model::{Call, Surroundings};
use belay_settings::Line;
use belay_surroundings::{Consent, Grant, Memory, Pending, Session, content_hash};
use belay_words::{Kind, Phrase, Said, heard_with};

use crate::judging::Judging;
use crate::out::Failure;

/// How long a yes counts at most, in seconds.
const LASTS: u64 = 12 * 60 * 60;

/// How long a call waits for the proof of an answer that may cover it.
const PATIENCE: Duration = Duration::from_millis(300);

/// How often it looks.
const TICK: Duration = Duration::from_millis(20);

/// So much of a sentence is kept, in characters.
const LONGEST_SENTENCE: usize = 120;

/// So many questions are looked up at once.
const LOOKED_UP: usize = 8;

/// Writes what was said as the session remembers it; a secret in the sentence is left out.
fn line(said: &Said) -> String {
    let kind = match said.kind {
        Kind::Grant => "grant",
        Kind::Limit => "limit",
    };
    let target = said.target.as_deref().unwrap_or_default();
    let sentence: String = said.sentence.chars().take(LONGEST_SENTENCE).collect();
    let sentence = belay_secrets::redact(&sentence);
    [kind, said.class, target, &sentence].join("\u{1f}")
}

/// Whether a person's answer to the question at hand could be proved later.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Provable {
    /// The agent will say who answered.
    Yes,
    /// Nothing can be learned from this call.
    No,
}

impl Provable {
    /// Looks at who asks: a main agent that says who answered, where somebody can be asked.
    pub fn of(agent: Agent, call: &Call) -> Self {
        let named = call.id.is_some() && call.session.is_some() && call.transcript_path.is_some();
        let attended = !call.headless && !call.sub_agent;
        match says_who_answered(agent) && named && attended {
            true => Self::Yes,
            false => Self::No,
        }
    }
}

impl Judging {
    /// Remembers a question, and what a yes to it would let through. Where no answer can be proved nothing waits
    /// for one; `belay allow ID` still finds what was asked.
    pub(crate) fn asked(&self, call: &Call, record: &str, world: &dyn Surroundings) -> Vec<Memory> {
        let named = match self.provable() {
            Provable::Yes => call.id.clone(),
            Provable::No => None,
        };
        let settled = named.is_none().then(|| Consent::Settled(record.to_owned()));
        let asked = Consent::Asked(Pending {
            call: named.unwrap_or_else(|| record.to_owned()),
            input: fingerprint(call),
            record: record.to_owned(),
            keys: self.gate().taught_by_yes(call, world),
        });
        let memories = [Some(asked), settled].into_iter().flatten();
        memories.map(Memory::Consent).collect()
    }

    /// Remembers what ran after a question.
    pub fn ran(&self, call: &Call) -> Result<(), Failure> {
        let (Some(session), Some(id)) = (self.session(call), &call.id) else {
            return Ok(());
        };
        let asked = session.pending(usize::MAX);
        if !asked.iter().any(|(it, _)| it.call == *id) {
            return Ok(());
        }
        let ran = Consent::Ran {
            call: id.clone(),
            input: fingerprint(call),
        };
        session
            .remember(&[Memory::Consent(ran)])
            .map_err(Failure::said)
    }

    /// Ends what was granted in a session that is begun or taken up again.
    pub fn renewed(&self, call: &Call) -> Result<(), Failure> {
        match self.session(call) {
            Some(session) => session
                .remember(&[Memory::Consent(Consent::Renewed)])
                .map_err(Failure::said),
            None => Ok(()),
        }
    }

    /// Hears what was typed in the prompt that a call belongs to, once for each prompt: a person's words let
    /// through and forbid, a program's only forbid, and what the host wrote says nothing.
    pub fn hear(&self, agent: Agent, call: &Call) -> Result<(), Failure> {
        let (Some(session), Some(prompt), Some(transcript)) =
            (self.session(call), &call.prompt, &call.transcript_path)
        else {
            return Ok(());
        };
        if call.sub_agent || session.has_heard(prompt) {
            return Ok(());
        }
        let Some(typed) = typed(agent, Path::new(transcript), prompt) else {
            return Ok(());
        };
        let said = match typed {
            Typed::ByAPerson(words) => heard_with(&words, &self.own_phrases()),
            Typed::ByAProgram(words) => {
                let mut said = heard_with(&words, &self.own_phrases());
                said.retain(|it| it.kind == Kind::Limit);
                said
            }
            Typed::ByTheHost => Vec::new(),
        };
        let spoken = Memory::Spoken {
            prompt: prompt.clone(),
            said: said.iter().map(line).collect(),
        };
        session.remember(&[spoken]).map_err(Failure::said)
    }

    /// Returns the phrases that the settings in force add to ours.
    fn own_phrases(&self) -> Vec<Phrase> {
        let words = &self.settings().words;
        let of = |kind: Kind, line: &Line| Phrase::parse(kind, &line.text);
        let forbid = words.forbid.iter().filter_map(|it| of(Kind::Limit, it));
        let grant = words.grant.iter().filter_map(|it| of(Kind::Grant, it));
        forbid.chain(grant).collect()
    }

    /// Looks for proof of answers to the questions that are still open, and learns from them.
    pub fn learn(&self, agent: Agent, call: &Call, env: Env<'_>) -> Result<(), Failure> {
        let (Some(session), Some(transcript)) = (self.session(call), &call.transcript_path) else {
            return Ok(());
        };
        if !says_who_answered(agent) {
            return Ok(());
        }
        for (asked, ran) in session.pending(LOOKED_UP) {
            let said = person_said(agent, Path::new(transcript), &asked.call);
            let Some(said) = said else { continue };
            let same = ran.as_ref() == Some(&asked.input);
            let learned = match said {
                PersonSaid::Yes if same && asks_alone(agent, call, env) => {
                    Learned::yes(&asked, call)
                }
                PersonSaid::Yes => Learned::said("yes"),
                PersonSaid::No => Learned::no(&asked),
                PersonSaid::Nothing => Learned::default(),
            };
            self.keep(&session, &asked, learned)?;
        }
        Ok(())
    }

    /// Learns, and waits a moment where the call at hand is one that an answer just given would cover: the
    /// agent may write down who answered a little later than it goes on.
    pub fn learn_in_time(&self, agent: Agent, call: &Call, env: Env<'_>) -> Result<(), Failure> {
        // The memory is read once where no question is open, as it mostly is.
        let asked = |it: Session| !it.pending(LOOKED_UP).is_empty();
        if !self.session(call).is_some_and(asked) {
            return Ok(());
        }
        let begun = Instant::now();
        loop {
            self.learn(agent, call, env)?;
            if begun.elapsed() > PATIENCE || !self.waits_for_proof(call) {
                return Ok(());
            }
            thread::sleep(TICK);
        }
    }

    fn waits_for_proof(&self, call: &Call) -> bool {
        let Some(session) = self.session(call) else {
            return false;
        };
        let mut open = session.pending(LOOKED_UP);
        open.retain(|(asked, ran)| ran.as_ref() == Some(&asked.input));
        if open.is_empty() {
            return false;
        }
        let keys = self.gate().taught_by_yes(call, &self.world(call));
        let covers = |asked: &Pending| asked.keys.iter().any(|it| keys.contains(it));
        open.iter().any(|(asked, _)| covers(asked))
    }

    fn keep(&self, session: &Session, asked: &Pending, learned: Learned) -> Result<(), Failure> {
        if let Some(word) = learned.said {
            let answered = Answered {
                of: asked.record.clone(),
                at: Moment::now(),
                said: word.to_owned(),
                learned: learned.told,
            };
            self.journal()?
                .append_answer(&answered)
                .map_err(Failure::said)?;
        }
        let mut memories = learned.memories;
        memories.push(Memory::Consent(Consent::Settled(asked.call.clone())));
        session.remember(&memories).map_err(Failure::said)
    }
}

/// What one answer teaches.
#[derive(Default)]
struct Learned {
    /// What a person said, if one did.
    said: Option<&'static str>,
    memories: Vec<Memory>,
    told: Vec<String>,
}

impl Learned {
    fn yes(asked: &Pending, call: &Call) -> Self {
        let grants = granted(asked, call);
        Self {
            said: Some("yes"),
            told: grants
                .iter()
                .map(|it| format!("{} {}", it.id, key_told(&it.key)))
                .collect(),
            memories: grants
                .into_iter()
                .map(|it| Memory::Consent(Consent::Granted(it)))
                .collect(),
        }
    }

    fn said(word: &'static str) -> Self {
        Self {
            said: Some(word),
            ..Self::default()
        }
    }

    fn no(asked: &Pending) -> Self {
        Self {
            memories: vec![Memory::Consent(Consent::Refused(asked.input.clone()))],
            ..Self::said("no")
        }
    }
}

/// Returns what a yes to a question about a call lets through in its session.
pub fn granted(asked: &Pending, call: &Call) -> Vec<Grant> {
    let root = call.project_roots.first().cloned().unwrap_or_default();
    let agent = call.agent.clone().unwrap_or_default();
    let until = Moment::now().0 / 1000 + LASTS;
    let grants = asked.keys.iter().map(|key| Grant {
        id: grant_id(asked, key),
        agent: agent.clone(),
        root: root.clone(),
        until,
        record: asked.record.clone(),
        key: key.clone(),
    });
    grants.collect()
}

/// Names a grant so that no other has its name.
fn grant_id(asked: &Pending, key: &str) -> String {
    let hash = content_hash(format!("{}\0{key}", asked.record).as_bytes());
    format!("y{}", hash.get(..6).unwrap_or_default())
}
