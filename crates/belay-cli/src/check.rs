//! `belay check`: a verdict for one call, or for a stream of them.

use std::io::{self, Read};

use belay_journal::{json, judgement_to_json, read_call};
use belay_model::{Call, Judgement, Layer, Reason, Trouble, TroubleKind, Value, Verdict};

use crate::args::CheckArgs;
use crate::exit::Exit;
use crate::judging::{Judging, Recording};
use crate::lines::Lines;
use crate::out::{Failure, Out, Paint, harmless};

/// Answers one call with the verdict's exit code, or a stream of calls with a line each.
pub fn check(args: &CheckArgs, out: &mut Out) -> Result<Exit, Failure> {
    let record = if args.record {
        Recording::Kept
    } else {
        Recording::NotKept
    };
    let judging = Judging::open(&args.standing, record)?.counting_grants();
    if args.jsonl {
        return stream(args, &judging, out);
    }
    let call = judging.completed(call(args)?);
    let judgement = judging.judge(&call)?;
    if args.json {
        out.line(json::compact(&judgement_to_json(&judgement)))?;
    } else {
        let text = told(&judgement, out.paint());
        out.bytes(text.as_bytes())?;
    }
    Ok(judgement.verdict.into())
}

/// Makes the call the arguments describe.
fn call(args: &CheckArgs) -> Result<Call, Failure> {
    let (tool, input) = match (&args.tool, &args.input, args.command.as_slice()) {
        (Some(tool), Some(input), []) => {
            let input = json::read(input.as_bytes())
                .map_err(|why| Failure::Usage(format!("`--input` is {why}")))?;
            (tool.clone(), input)
        }
        (None, None, words) if !words.is_empty() => {
            ("Bash".to_owned(), command_input(&command(words)?))
        }
        _ => {
            return Err(Failure::Usage(
                "nothing to check\nhint: belay check -- 'COMMAND', or --tool NAME --input JSON, or --jsonl".to_owned(),
            ));
        }
    };
    Ok(Call {
        tool,
        input,
        ..Call::default()
    })
}

/// Makes the input of a shell tool.
pub fn command_input(command: &str) -> Value {
    Value::Object(vec![("command".to_owned(), Value::from(command))])
}

/// Returns the command: one argument is its text, several are its words, `-` is on stdin.
pub fn command(words: &[String]) -> Result<String, Failure> {
    match words {
        [dash] if dash == "-" => {
            let mut text = String::new();
            io::stdin().lock().read_to_string(&mut text)?;
            Ok(text)
        }
        [text] => Ok(text.clone()),
        words => Ok(words
            .iter()
            .map(|it| quoted(it))
            .collect::<Vec<_>>()
            .join(" ")),
    }
}

/// Returns a word as a shell reads it back.
fn quoted(word: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./=:,@%+".contains(&byte);
    if !word.is_empty() && word.bytes().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// Answers every line with a line, in order, each as soon as it is known.
fn stream(args: &CheckArgs, judging: &Judging, out: &mut Out) -> Result<Exit, Failure> {
    if args.tool.is_some() || args.input.is_some() || !args.command.is_empty() {
        return Err(Failure::Usage(
            "`--jsonl` takes the calls from stdin".to_owned(),
        ));
    }
    let mut lines = Lines::new(io::stdin().lock());
    while let Some(line) = lines.next()? {
        let judgement = match line.call() {
            Ok(call) => judging.judge(&judging.completed(call))?,
            Err(malformed) => malformed.judgement(judging.headless()),
        };
        out.line(json::compact(&judgement_to_json(&judgement)))?;
        out.flush()?;
    }
    Ok(Exit::Done)
}

/// A line that is no call.
pub struct Malformed {
    id: Option<String>,
    why: String,
}

impl crate::lines::Line {
    /// Reads the call on the line.
    pub fn call(&self) -> Result<Call, Malformed> {
        let (at, bytes) = match self {
            Self::Whole { at, bytes } => (*at, bytes),
            Self::TooLong { at } => {
                let why = format!("line {at} is too long");
                return Err(Malformed { id: None, why });
            }
        };
        let value = json::read(bytes).map_err(|why| Malformed {
            id: None,
            why: format!("line {at} is {why}"),
        })?;
        read_call(&value).map_err(|why| Malformed {
            id: value.get("id").and_then(Value::text).map(str::to_owned),
            why: format!("line {at}: {why}"),
        })
    }
}

impl Malformed {
    /// Returns the line's own judgement: what cannot be read is never allowed.
    fn judgement(self, headless: bool) -> Judgement {
        let verdict = if headless {
            Verdict::Deny
        } else {
            Verdict::Ask
        };
        Judgement {
            id: self.id,
            verdict,
            layer: Layer::Fallback,
            reason: Reason::new(self.why.clone()),
            risk: TroubleKind::Failure.risk(),
            effects: Vec::new(),
            troubles: vec![Trouble::new(TroubleKind::Failure, self.why)],
            trail: Vec::new(),
            micros: 0,
        }
    }
}

/// Returns a judgement in words.
pub fn told(judgement: &Judgement, paint: Paint) -> String {
    let reason = &judgement.reason;
    let mut text = format!(
        "{}: {}\n",
        paint.verdict(judgement.verdict),
        harmless(&reason.because)
    );
    if let Some(instead) = &reason.instead {
        text.push_str(&format!("instead: {}\n", harmless(instead)));
    }
    for effect in judgement.effects.iter().take(20) {
        text.push_str(&format!("  {}\n", harmless(&effect.to_string())));
    }
    for trouble in judgement.troubles.iter().take(20) {
        text.push_str(&format!(
            "  {}\n",
            paint.dim(&harmless(&trouble.to_string()))
        ));
    }
    let rule = reason
        .rule
        .as_ref()
        .map_or(String::new(), |it| format!("rule {it}, "));
    let summary = format!("{rule}risk {}, layer {}", judgement.risk, judgement.layer);
    text.push_str(&format!("  {}\n", paint.dim(&summary)));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(words: &[&str], expected: &str) {
        let words: Vec<String> = words.iter().map(|it| (*it).to_owned()).collect();
        assert_eq!(command(&words).unwrap(), expected);
    }

    #[test]
    fn one_argument_is_a_text() {
        check(&["a | b"], "a | b");
    }

    #[test]
    fn several_arguments_are_words() {
        check(
            &["rm", "-rf", "my file", "it's", ""],
            r"rm -rf 'my file' 'it'\''s' ''",
        );
        check(&["echo", "a|b"], "echo 'a|b'");
    }
}
