//! `belay rules lint`: rules that are hardly meant.

use autobelay::Gate;
use belay_model::{Call, Nowhere, Value, Verdict};
use belay_policy::HARMFUL;
use belay_settings::Settings;
use belay_settings::lint::lint;
use clap::Args;

use crate::args::Standing;
use crate::exit::Exit;
use crate::judging::{Judging, Recording};
use crate::out::{Failure, Out, harmless};

/// Arguments of `belay rules lint`.
#[derive(Args)]
pub struct LintArgs {
    /// From where.
    #[command(flatten)]
    pub standing: Standing,
}

/// Lists odd lines of the settings; ends with 1 when there are any.
pub fn lint_rules(args: &LintArgs, out: &mut Out) -> Result<Exit, Failure> {
    let judging = Judging::open_static(&args.standing, Recording::NotKept)?;
    let found = lint(judging.settings(), &judging.lexicon());
    for finding in &found {
        out.line(harmless(&format!("{finding}\n  --> {}", finding.origin)))?;
    }
    let plain = judging.gate_with(Settings::default());
    let mut broad = 0_usize;
    for rule in &judging.settings().rules.allow {
        let mut settings = Settings::default();
        settings.rules.allow = vec![rule.clone()];
        let Some(call) = let_through(&plain, &judging.gate_with(settings)) else {
            continue;
        };
        broad += 1;
        out.line(harmless(&format!(
            "`{}` would allow `{}`: {}\n  --> {}",
            rule.text, call.line, call.why, rule.origin
        )))?;
    }
    if found.is_empty() && broad == 0 {
        out.line("every rule has an effect")?;
        return Ok(Exit::Done);
    }
    Ok(Exit::Failed)
}

/// A call that a rule should hardly let through.
struct Harm {
    line: &'static str,
    why: String,
}

/// Finds a call that our own rules ask about or deny for more than doubt, and that a user's rule lets through; a
/// denied one before one that is asked about.
fn let_through(plain: &Gate, with_rule: &Gate) -> Option<Harm> {
    let passes = |line: &&&'static str| judged(with_rule, line).0 == Verdict::Allow;
    let found = HARMFUL.iter().filter(passes).map(|line| {
        let (verdict, why) = judged(plain, line);
        (verdict, Harm { line, why })
    });
    let harms = found.filter(|(verdict, _)| *verdict > Verdict::Allow);
    harms.max_by_key(|(verdict, _)| *verdict).map(|(_, it)| it)
}

/// Judges a command line where nothing is known of the world.
fn judged(gate: &Gate, line: &str) -> (Verdict, String) {
    let call = Call {
        tool: "Bash".to_owned(),
        input: Value::Object(vec![("command".to_owned(), Value::from(line))]),
        cwd: "/home/user/project".to_owned(),
        project_roots: vec!["/home/user/project".to_owned()],
        home: Some("/home/user".to_owned()),
        ..Call::default()
    };
    let found = gate.judge_in(&call, &Nowhere);
    (found.verdict, found.reason.because)
}
