//! `belay explain`: the command with every effect underlined in place, and what would change it.

use autobelay::{Finding, Sight};
use belay_journal::{json, judgement_to_json};
use belay_model::{
    Band, Call, Judgement, Place, Risk, Span, Target, Thresholds, Trouble, Value, Verdict,
};

use crate::args::ExplainArgs;
use crate::check::{command, command_input, told};
use crate::exit::Exit;
use crate::judging::{Judging, Recording};
use crate::out::{Failure, Out, Paint, harmless};
use crate::underline::{Mark, underlined};

/// Explains the verdict on a shell command; the exit code is the verdict's.
pub fn explain(args: &ExplainArgs, out: &mut Out) -> Result<Exit, Failure> {
    let judging = Judging::open(&args.standing, Recording::NotKept)?.counting_grants();
    let text = command(&args.command)?;
    let call = Call {
        tool: "Bash".to_owned(),
        input: command_input(&text),
        ..Call::default()
    };
    let call = judging.completed(call);
    let judgement = judging.judge(&call)?;
    let sight = judging.look(&call);
    if args.json {
        out.line(json::compact(&to_json(&judgement, &sight)))?;
    } else {
        let page = Page {
            text: &text,
            judgement: &judgement,
            sight: &sight,
            thresholds: judging.settings().thresholds,
        };
        out.bytes(page.told(out.paint()).as_bytes())?;
    }
    Ok(judgement.verdict.into())
}

struct Page<'a> {
    text: &'a str,
    judgement: &'a Judgement,
    sight: &'a Sight,
    thresholds: Thresholds,
}

impl Page<'_> {
    fn told(&self, paint: Paint) -> String {
        let mut page = String::new();
        for line in underlined(self.text, &self.marks(paint)) {
            page.push_str(&format!("  {line}\n"));
        }
        page.push('\n');
        page.push_str(&told_shortly(self.judgement, paint));
        for step in &self.judgement.trail {
            page.push_str(&format!(
                "  {:<10} {}\n",
                step.layer.word(),
                harmless(&step.said)
            ));
        }
        let changes = self.changes();
        if !changes.is_empty() {
            page.push_str("\nwhat would change the verdict\n");
        }
        for change in changes {
            page.push_str(&format!("  {}\n", harmless(&change)));
        }
        page
    }

    fn marks(&self, paint: Paint) -> Vec<Mark> {
        let finding = |it: &Finding| (it.effect.span, self.label(it, paint));
        let trouble =
            |it: &Trouble| Some((it.span?, format!("trouble: {}", harmless(&it.to_string()))));
        let effects = self.sight.findings.iter().map(finding);
        let troubles = self.sight.troubles.iter().filter_map(trouble);
        let mut marks: Vec<(Span, String)> = effects.chain(troubles).collect();
        marks.sort_by_key(|(span, _)| (span.start, span.end));
        marks
            .into_iter()
            .map(|(span, label)| Mark { span, label })
            .collect()
    }

    fn label(&self, finding: &Finding, paint: Paint) -> String {
        let weighed = &finding.weighed;
        let verdict = self.thresholds.band(weighed.risk).verdict();
        let effect = paint.as_verdict(verdict, &harmless(&finding.effect.to_string()));
        let scope = weighed
            .scope
            .map_or(String::new(), |it| format!(" in {it}"));
        let floor = if weighed.floor { ", floor" } else { "" };
        format!(
            "{effect}{scope}: {}, rule {}{floor}",
            weighed.risk, weighed.rule
        )
    }

    /// Says what a person could do to get another verdict.
    fn changes(&self) -> Vec<String> {
        let risk = self.judgement.risk;
        let Thresholds {
            unsure_at,
            ask_at,
            deny_at,
        } = self.thresholds;
        let heavy = |it: &&Finding| it.weighed.risk >= Risk::new(unsure_at);
        let heavy: Vec<&Finding> = self.sight.findings.iter().filter(heavy).collect();
        if self.judgement.verdict == Verdict::Allow {
            return Vec::new();
        }
        if heavy.iter().any(|it| it.weighed.floor) {
            return vec!["nothing: no rule, grant or model can allow this".to_owned()];
        }
        let exact = heavy.iter().filter(|it| is_exact(it));
        let grant =
            |it: &&Finding| format!("a person's grant: belay allow '{}' --for 30m", it.effect);
        let mut changes: Vec<String> = exact.map(grant).collect();
        if self.thresholds.band(risk) == Band::Unsure {
            changes.push(
                "a model, if `[classifier]` names one, or a rule in `[rules] allow`".to_owned(),
            );
        }
        let bands =
            format!("allow is below {unsure_at}, unsure below {ask_at}, ask below {deny_at}");
        changes.push(format!(
            "thresholds: the risk is {} here; {bands}",
            risk.number()
        ));
        changes
    }
}

fn told_shortly(judgement: &Judgement, paint: Paint) -> String {
    let text = told(judgement, paint);
    let lines = text.lines().filter(|it| !it.starts_with("  "));
    lines.map(|it| format!("{it}\n")).collect()
}

fn is_exact(finding: &Finding) -> bool {
    match &finding.effect.target {
        Target::Place(Place::Exact(_)) => true,
        Target::Place(Place::Pattern(_) | Place::Under(_) | Place::Unknown) => false,
        Target::Host(host) => host != "?",
        Target::Names(names) => !names.iter().any(|it| it == "?"),
    }
}

fn to_json(judgement: &Judgement, sight: &Sight) -> Value {
    let number = |it: u32| Value::Number(it.to_string());
    let finding = |it: &Finding| {
        let weighed = &it.weighed;
        let members = [
            ("effect", Value::from(it.effect.to_string().as_str())),
            ("start", number(it.effect.span.start)),
            ("end", number(it.effect.span.end)),
            (
                "scope",
                weighed
                    .scope
                    .map_or(Value::Null, |it| Value::from(it.word())),
            ),
            ("rule", Value::from(weighed.rule)),
            ("risk", number(weighed.risk.number().into())),
            ("floor", Value::Bool(weighed.floor)),
            ("because", Value::from(&*weighed.because)),
        ];
        Value::Object(members.map(|(name, it)| (name.to_owned(), it)).to_vec())
    };
    let mut members = match judgement_to_json(judgement) {
        Value::Object(members) => members,
        other @ Value::Null
        | other @ Value::Bool(_)
        | other @ Value::Number(_)
        | other @ Value::String(_)
        | other @ Value::Array(_) => vec![("judgement".to_owned(), other)],
    };
    let findings = sight.findings.iter().map(finding).collect();
    members.push(("findings".to_owned(), Value::Array(findings)));
    Value::Object(members)
}
