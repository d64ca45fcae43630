//! The ladder: a remembered verdict, the first provider, the next, and at the end no verdict.

use std::time::Duration;

use belay_model::Value;
use sha2::{Digest, Sha256};

use crate::breaker::Breaker;
use crate::cache::Cache;
use crate::clock::{Deadline, jittered};
use crate::dump::{self, Exchange};
use crate::plan::{Endpoint, Mode, Plan};
use crate::question::hex;
use crate::spend::Purse;
use crate::store::Folder;
use crate::transport::{self, Request};
use crate::wire::{Ask, Base, Form, Said, Usage};
use crate::{
    Account, Answer, Fault, Outcome, Prompt, Question, Verdict, flight, json, key, prices,
};

/// The pause before the first retry; it doubles.
const FIRST_PAUSE: Duration = Duration::from_millis(150);

/// The longest answer of a first stage: one small call.
const LOOK_TOKENS: u64 = 64;

/// The longest critique.
const PROSE_TOKENS: u64 = 2000;

/// Asks models as a plan says.
pub struct Classifier<'a> {
    plan: &'a Plan,
    redact: &'a dyn Fn(Value) -> Value,
}

/// One question on its way.
struct Asking<'a> {
    plan: &'a Plan,
    redact: &'a dyn Fn(Value) -> Value,
    prompt: &'a Prompt,
    purse: Purse<'a>,
    folder: Option<&'a Folder>,
    deadline: Deadline,
    account: Account,
}

/// A question, and how it is put.
#[derive(Clone, Copy)]
struct Inquiry<'a> {
    question: &'a Question,
    prompt: &'a Prompt,
}

impl<'a> Classifier<'a> {
    /// Makes one; `redact` takes secrets out of whatever leaves or is kept.
    #[must_use]
    pub const fn new(plan: &'a Plan, redact: &'a dyn Fn(Value) -> Value) -> Self {
        Self { plan, redact }
    }

    /// Asks; whatever happens, an answer is there before the deadline has long passed.
    #[must_use]
    pub fn ask(&self, question: &Question) -> Outcome {
        let deadline = Deadline::after(self.plan.deadline);
        let prompt = match question.render(self.redact) {
            Ok(prompt) => prompt,
            Err(fault) => return nothing(vec![(String::new(), fault)], Account::default()),
        };
        self.with(
            Inquiry {
                question,
                prompt: &prompt,
            },
            deadline,
            |asking| asking.climb(),
        )
    }

    /// Returns about how many tokens the question has, before anybody is asked.
    ///
    /// # Errors
    /// When the call is too large to be shown whole.
    pub fn estimate(&self, question: &Question) -> Result<u64, Fault> {
        question.render(self.redact).map(|prompt| prompt.tokens())
    }

    /// Asks for a review of rules instead of a verdict; the answer is words for a person.
    ///
    /// # Errors
    /// When nobody answers.
    pub fn critique(&self, rules: &Question) -> Result<(String, Account), Fault> {
        let deadline = Deadline::after(self.plan.deadline.saturating_mul(5));
        let lists = [
            ("soft_deny", &rules.rules.soft_deny),
            ("allow", &rules.rules.allow),
            ("environment", &rules.rules.environment),
        ];
        let lines = lists.iter().flat_map(|(name, list)| {
            list.iter()
                .map(move |it| format!("{name}: {}", crate::quote::string(it)))
        });
        let prompt = Prompt {
            system: include_str!("../prompts/critique.md").to_owned(),
            context: lines.collect::<Vec<_>>().join("\n"),
            key: String::new(),
        };
        let mut words = Err(Fault::Nobody);
        let outcome = self.with(
            Inquiry {
                question: rules,
                prompt: &prompt,
            },
            deadline,
            |asking| {
                words = asking.words();
                nothing(Vec::new(), std::mem::take(&mut asking.account))
            },
        );
        words.map(|it| (it, outcome.account))
    }

    fn with(
        &self,
        inquiry: Inquiry<'_>,
        deadline: Deadline,
        work: impl FnOnce(&mut Asking<'_>) -> Outcome,
    ) -> Outcome {
        let Inquiry { question, prompt } = inquiry;
        let folder = self
            .plan
            .state
            .as_deref()
            .and_then(|it| Folder::open(it).ok());
        let mut asking = Asking {
            plan: self.plan,
            redact: self.redact,
            prompt,
            purse: Purse {
                folder: folder.as_ref(),
                limits: self.plan.limits,
                session: question.session.as_deref(),
            },
            folder: folder.as_ref(),
            deadline,
            account: Account::default(),
        };
        let mut outcome = work(&mut asking);
        outcome.account.millis = deadline.spent_millis();
        outcome
    }
}

fn nothing(faults: Vec<(String, Fault)>, account: Account) -> Outcome {
    Outcome {
        answer: Answer::NoVerdict(faults),
        rung: "none".to_owned(),
        account,
    }
}

impl Asking<'_> {
    /// Climbs the ladder.
    fn climb(&mut self) -> Outcome {
        if self.plan.endpoints.is_empty() {
            return nothing(vec![(String::new(), Fault::Nobody)], Account::default());
        }
        let cache = self.folder.and_then(|it| Cache::open(self.plan, it));
        let key = self.key();
        if let Some(outcome) = self.remembered(cache.as_ref(), &key) {
            return outcome;
        }
        let alone = match (self.folder, &cache) {
            (Some(folder), Some(_)) => flight::alone(folder, &key, self.deadline),
            (Some(_) | None, _) => Ok(None),
        };
        // Whoever asked the same meanwhile has the answer for us; a lock that fails costs only money.
        if let Some(outcome) = self.remembered(cache.as_ref(), &key) {
            return outcome;
        }
        let outcome = self.providers(cache.as_ref(), &key);
        drop(alone);
        outcome
    }

    fn providers(&mut self, cache: Option<&Cache>, key: &str) -> Outcome {
        let place = match self.folder {
            Some(folder) => flight::place(folder, self.plan.limits.concurrent, self.deadline),
            None => Ok(None),
        };
        if let Err(fault) = &place {
            return nothing(vec![(String::new(), fault.clone())], Account::default());
        }
        let mut faults = Vec::new();
        for (at, endpoint) in self.plan.endpoints.iter().enumerate() {
            let last = at + 1 == self.plan.endpoints.len();
            match self.endpoint(endpoint, last) {
                Ok(verdict) => {
                    let by = endpoint.name();
                    if let Some(cache) = cache {
                        cache.keep(key, &verdict, &by);
                    }
                    let rung = match at {
                        0 => "provider".to_owned(),
                        at => format!("fallback {at}"),
                    };
                    let why = format!("{} ({by})", verdict.reason);
                    self.account.by = Some(by);
                    return self.outcome(verdict.should_block, why, rung);
                }
                Err(fault) => faults.push((endpoint.name(), fault)),
            }
        }
        nothing(faults, std::mem::take(&mut self.account))
    }

    fn outcome(&mut self, blocks: bool, why: String, rung: String) -> Outcome {
        let answer = if blocks {
            Answer::Block(why)
        } else {
            Answer::Pass(why)
        };
        let account = std::mem::take(&mut self.account);
        Outcome {
            answer,
            rung,
            account,
        }
    }

    fn remembered(&mut self, cache: Option<&Cache>, key: &str) -> Option<Outcome> {
        let found = cache?.find(key)?;
        let why = format!(
            "{} ({}, {} s ago)",
            found.verdict.reason, found.by, found.age
        );
        self.account.by = Some(found.by);
        Some(self.outcome(found.verdict.should_block, why, "cache".to_owned()))
    }

    /// The question, and who is asked how: another model may answer otherwise.
    fn key(&self) -> String {
        let mut hash = Sha256::new();
        hash.update(self.prompt.key.as_bytes());
        for endpoint in &self.plan.endpoints {
            hash.update(format!("\n{} {}", endpoint.name(), endpoint.base()).as_bytes());
        }
        let how = match self.plan.mode {
            Mode::Single => "\nsingle",
            Mode::TwoStage => "\ntwo_stage",
        };
        hash.update(how.as_bytes());
        hex(&hash.finalize())
    }

    /// Asks one provider, in whichever form its model answers to.
    fn endpoint(&mut self, endpoint: &Endpoint, last: bool) -> Result<Verdict, Fault> {
        let model = endpoint.model()?;
        endpoint.check_address()?;
        let breaker = Breaker::of(endpoint, self.folder);
        breaker.check()?;
        let deadline = self.share(endpoint, last);
        let key = key::find(endpoint, deadline)?;
        let line = Line {
            endpoint,
            model,
            headers: endpoint.provider.wire().headers(key.as_deref()),
            deadline,
        };
        let mut form = breaker.form(endpoint, model);
        let verdict = loop {
            match (self.stages(&line, form), form.next()) {
                (Err(fault), Some(next)) if may_change(form, &fault) => form = next,
                (verdict, _) => break verdict,
            }
        };
        breaker.note(verdict.as_ref().map(|_| form));
        verdict
    }

    /// The time for one provider: while another is to come, a third is kept for it.
    fn share(&self, endpoint: &Endpoint, last: bool) -> Deadline {
        let left = self.deadline.left();
        let share = if last { left } else { left.mul_f32(0.66) };
        self.deadline
            .within(endpoint.timeout.map_or(share, |it| it.min(share)))
    }

    fn stages(&mut self, line: &Line<'_>, form: Form) -> Result<Verdict, Fault> {
        if self.plan.mode == Mode::TwoStage && form == Form::Forced {
            match self.send(line, Form::Look) {
                Ok(Said::Look { closer: false }) => return Ok(Verdict::of_the_first_look()),
                Ok(Said::Look { closer: true } | Said::Words(_) | Said::Verdict(_)) => {}
                // Whatever is not the one small call is looked at again.
                Err(fault) if fault.is_about_the_reply() => {}
                Err(fault) => return Err(fault),
            }
        }
        match self.send(line, form)? {
            Said::Verdict(verdict) => Ok(verdict),
            Said::Words(_) | Said::Look { .. } => Err(Fault::NoToolCall),
        }
    }

    /// Words for a person, from the first provider that answers.
    fn words(&mut self) -> Result<String, Fault> {
        let mut failed = Fault::Nobody;
        for endpoint in &self.plan.endpoints {
            let asked = endpoint.check_address().and_then(|()| {
                let key = key::find(endpoint, self.deadline)?;
                let line = Line {
                    endpoint,
                    model: endpoint.model()?,
                    headers: endpoint.provider.wire().headers(key.as_deref()),
                    deadline: self.deadline,
                };
                self.send(&line, Form::Prose)
            });
            match asked {
                Ok(Said::Words(words)) => return Ok(words),
                Ok(Said::Verdict(_) | Said::Look { .. }) => {}
                Err(fault) => failed = fault,
            }
        }
        Err(failed)
    }

    /// Sends one question, again after errors that pass.
    fn send(&mut self, line: &Line<'_>, form: Form) -> Result<Said, Fault> {
        let max_tokens = match form {
            Form::Look => LOOK_TOKENS,
            Form::Prose => PROSE_TOKENS,
            Form::Forced | Form::Auto | Form::Structured => self.plan.max_tokens,
        };
        let ask = Ask {
            prompt: self.prompt,
            model: line.model,
            max_tokens,
            form,
            mode: self.plan.mode,
        };
        let mut pause = FIRST_PAUSE;
        let mut tries = 0;
        loop {
            let (said, asked_pause) = self.once(line, &ask);
            let wait = asked_pause.unwrap_or_else(|| jittered(pause));
            match said {
                Err(fault) if fault.retries() && tries < self.plan.retries => {
                    if !line.deadline.wait(wait) {
                        return Err(fault);
                    }
                }
                said => return said,
            }
            tries += 1;
            pause = pause.saturating_mul(2);
        }
    }

    fn once(&mut self, line: &Line<'_>, ask: &Ask<'_>) -> (Result<Said, Fault>, Option<Duration>) {
        let most = Usage {
            input: ask.prompt.tokens(),
            output: ask.max_tokens,
        };
        let cost = |usage| prices::cost(line.endpoint, self.plan.prices, usage);
        let reserved = match self.purse.reserve(cost(most)) {
            Ok(reserved) => reserved,
            Err(fault) => return (Err(fault), None),
        };
        let (said, counted, pause) = self.exchange(line, ask);
        let billed = match &said {
            Ok(_) => counted == Usage::default(),
            Err(fault) => fault.may_be_billed(),
        };
        // Where nobody counted but somebody may bill, the most it can be counts.
        let usage = if billed { most } else { counted };
        let dollars = cost(usage);
        self.purse.settle(reserved, dollars);
        self.account.requests += 1;
        self.account.input_tokens += usage.input;
        self.account.output_tokens += usage.output;
        if let Some(dollars) = dollars {
            self.account.usd = Some(self.account.usd.unwrap_or_default() + dollars);
        }
        (said, pause)
    }

    fn exchange(
        &mut self,
        line: &Line<'_>,
        ask: &Ask<'_>,
    ) -> (Result<Said, Fault>, Usage, Option<Duration>) {
        let provider = line.endpoint.provider;
        let wire = provider.wire();
        let url = wire.address(Base::new(line.endpoint.base()), line.model);
        let body = wire.body(ask);
        let text = match json::text(&body) {
            Ok(text) => text,
            Err(fault) => return (Err(fault), Usage::default(), None),
        };
        let request = Request {
            url: &url,
            headers: &line.headers,
            body: text,
            local: line.endpoint.is_local(),
        };
        let clock = Deadline::after(Duration::ZERO);
        let reply = transport::post(&request, line.deadline);
        let (status, bytes): (Option<u16>, &[u8]) = match &reply {
            Ok(reply) => (Some(reply.status), &reply.bytes),
            Err(_) => (None, &[]),
        };
        if let Some(folder) = &self.plan.dump {
            let exchange = Exchange {
                url: &url,
                request: &body,
                status,
                reply: bytes,
                millis: clock.spent_millis(),
            };
            self.account
                .dumps
                .extend(dump::write(folder, &exchange, self.redact));
        }
        match reply {
            Err(fault) => (Err(fault), Usage::default(), None),
            Ok(reply) => match reply.fault() {
                Some(fault) => (
                    Err(fault.with_words(|it| self.plain(it))),
                    Usage::default(),
                    reply.retry_after,
                ),
                None => {
                    let (said, usage) = provider.read(ask.form, &reply.bytes);
                    (
                        said.map(|it| self.clean(it))
                            .map_err(|it| it.with_words(|it| self.plain(it))),
                        usage,
                        None,
                    )
                }
            },
        }
    }

    /// What a model writes is kept and shown: secrets it repeats are taken out.
    fn clean(&self, said: Said) -> Said {
        match said {
            Said::Verdict(verdict) => Said::Verdict(Verdict {
                reason: self.plain(verdict.reason),
                ..verdict
            }),
            Said::Words(words) => Said::Words(self.plain(words)),
            Said::Look { closer } => Said::Look { closer },
        }
    }

    fn plain(&self, text: String) -> String {
        let value = (self.redact)(Value::String(text));
        value.text().unwrap_or_default().to_owned()
    }
}

/// Tells whether the next form is worth a try. A model that wrote instead of calling may call when
/// it is free to; that it writes is no reason to take what it wrote for a verdict, so that only a
/// provider that refuses tools is asked for structured output.
fn may_change(form: Form, fault: &Fault) -> bool {
    match form {
        Form::Forced => fault.refuses_form() || *fault == Fault::NoToolCall,
        Form::Auto => fault.refuses_form(),
        Form::Structured | Form::Look | Form::Prose => false,
    }
}

/// A provider, ready to be asked.
struct Line<'a> {
    endpoint: &'a Endpoint,
    model: &'a str,
    headers: Vec<(&'static str, String)>,
    deadline: Deadline,
}
