//! Templates of acts: the notation of effects with slots in capitals.

use belay_model::{How, Verb};

use super::model::{Effect, EffectKind, Flow, Piece};
use super::source::{Placed, Source, nearest};

/// Tells whether a word is the name of a slot.
pub fn is_slot(word: &str) -> bool {
    let mut chars = word.chars();
    chars.next().is_some_and(|c| c.is_ascii_uppercase())
        && word
            .chars()
            .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || "_-=:,./@+".contains(c))
        && word.chars().any(|c| c.is_ascii_uppercase())
}

/// A word of a template.
#[derive(Clone, Debug)]
struct Token {
    text: String,
    quoted: bool,
    dots: bool,
}

impl Token {
    fn piece(&self) -> Piece {
        match self.text.split_once('|') {
            Some((slot, text)) if !self.quoted && is_slot(slot) => {
                Piece::SlotOr(slot.to_owned(), text.to_owned())
            }
            Some(_) | None if self.is_slot() => Piece::Slot(self.text.clone()),
            Some(_) | None => Piece::Text(self.text.clone()),
        }
    }

    fn is_slot(&self) -> bool {
        !self.quoted && is_slot(&self.text)
    }

    fn is(&self, word: &str) -> bool {
        !self.quoted && self.text == word
    }
}

fn tokens(text: &str) -> Vec<Token> {
    let mut out = Vec::new();
    let mut chars = text.chars().peekable();
    while chars.peek().is_some() {
        while chars.next_if(|c| c.is_whitespace()).is_some() {}
        let mut token = Token {
            text: String::new(),
            quoted: false,
            dots: false,
        };
        while let Some(c) = chars.next_if(|c| !c.is_whitespace()) {
            if c != '\'' {
                token.text.push(c);
                continue;
            }
            token.quoted = true;
            token
                .text
                .extend(chars.by_ref().take_while(|it| *it != '\''));
        }
        if let Some(bare) = token.text.strip_suffix("...")
            && is_slot(bare)
        {
            token.text = bare.to_owned();
            token.dots = true;
        }
        if token.quoted || !token.text.is_empty() {
            out.push(token);
        }
    }
    out
}

/// Reads templates; `payload` tells which slots are payloads.
pub fn effects(
    source: &mut Source<'_>,
    written: Vec<Placed>,
    payload: &dyn Fn(&str) -> bool,
) -> Vec<Effect> {
    written
        .into_iter()
        .filter_map(|it| effect(source, it, payload))
        .collect()
}

fn effect(
    source: &mut Source<'_>,
    written: Placed,
    payload: &dyn Fn(&str) -> bool,
) -> Option<Effect> {
    let mut all = tokens(&written.text);
    let tail = all
        .iter()
        .skip(1)
        .position(|it| {
            ["with", "on", "replacing", "found"]
                .iter()
                .any(|w| it.is(w))
        })
        .map_or(all.len(), |at| at + 1);
    let rest = all.split_off(tail);
    let Some(head) = head(&all, payload) else {
        let first = all.first().map_or("", |it| it.text.as_str());
        headless(source, &written, first);
        return None;
    };
    let mut effect = Effect {
        kind: head.0,
        target: head.1,
        with: Vec::new(),
        on: None,
        written,
    };
    if let Err(word) = tails(&mut effect, &rest) {
        source.fault(
            effect.written.span,
            format!("`{word}` does not belong in `{}`", effect.written.text),
            "after the target come `with text|content|body|form X`, `with input`, `with fetched`, `with brought`, `with named X`, `with ending|trimmed|lacking X`, `with operands`, `replacing X`, `found X`, `with package REGISTRY`, `on WAY NAME`",
        );
        return None;
    }
    Some(effect)
}

/// Says what a template without a readable head lacks.
fn headless(source: &mut Source<'_>, written: &Placed, first: &str) {
    let verbs: Vec<&str> = Verb::ALL.iter().map(|it| it.word()).collect();
    let (what, hint) = if Verb::from_word(first).is_some() {
        let what = format!("`{}` has no target", written.text);
        (what, "write a verb and a target".to_owned())
    } else {
        let near = nearest(first, &verbs);
        let hint = format!("verbs are `{}` and `cd`{near}", verbs.join("`, `"));
        (format!("`{first}` is not a verb"), hint)
    };
    source.fault(written.span.clone(), what, hint);
}

fn head(words: &[Token], payload: &dyn Fn(&str) -> bool) -> Option<(EffectKind, Vec<Piece>)> {
    let (first, rest) = words.split_first()?;
    if first.is("cd") {
        let [dir] = rest else { return None };
        return Some((EffectKind::Cd, vec![dir.piece()]));
    }
    let verb = Verb::from_word(&first.text)?;
    let special = match verb {
        Verb::Run => run(rest, payload),
        Verb::Eval => eval(rest),
        Verb::Read
        | Verb::Write
        | Verb::Delete
        | Verb::Move
        | Verb::Link
        | Verb::Mark
        | Verb::Fetch
        | Verb::Send
        | Verb::Listen
        | Verb::Install
        | Verb::Publish
        | Verb::Rewrite
        | Verb::Discard
        | Verb::History
        | Verb::Escalate
        | Verb::Signal
        | Verb::Persist
        | Verb::Configure
        | Verb::Destroy
        | Verb::Change
        | Verb::Query
        | Verb::Bypass
        | Verb::Probe
        | Verb::Launch
        | Verb::Unknown => None,
    };
    special.or_else(|| plain(verb, rest))
}

fn plain(verb: Verb, rest: &[Token]) -> Option<(EffectKind, Vec<Piece>)> {
    let (how, rest) = match rest.split_first() {
        Some((word, more)) if !word.quoted && !more.is_empty() => {
            match How::from_word(&word.text) {
                Some(how) if how != How::Plain => (how, more),
                _ => (How::Plain, rest),
            }
        }
        _ => (How::Plain, rest),
    };
    if rest.is_empty() {
        return None;
    }
    let target = rest.iter().map(Token::piece).collect();
    Some((EffectKind::Effect(verb, how), target))
}

fn run(rest: &[Token], payload: &dyn Fn(&str) -> bool) -> Option<(EffectKind, Vec<Piece>)> {
    match rest {
        [one] if one.is_slot() && (one.dots || payload(&one.text)) => {
            Some((EffectKind::RunWords, vec![one.piece()]))
        }
        [one] if one.is_slot() => Some((EffectKind::RunFile, vec![one.piece()])),
        [shell, file] if shell.is("shell") => Some((EffectKind::RunShellFile, vec![file.piece()])),
        [task, tool] if task.is("task") => {
            let nothing = Piece::Text(String::new());
            Some((EffectKind::Task, vec![tool.piece(), nothing]))
        }
        [task, tool, name] if task.is("task") => {
            Some((EffectKind::Task, vec![tool.piece(), name.piece()]))
        }
        _ => None,
    }
}

fn eval(rest: &[Token]) -> Option<(EffectKind, Vec<Piece>)> {
    match rest {
        [input, language] if input.is("input") => {
            Some((EffectKind::EvalInput, vec![language.piece()]))
        }
        [language, code] if code.is_slot() && !language.is_slot() => {
            Some((EffectKind::Eval, vec![language.piece(), code.piece()]))
        }
        _ => None,
    }
}

fn tails(effect: &mut Effect, mut rest: &[Token]) -> Result<(), String> {
    while let Some((word, more)) = rest.split_first() {
        let bad = || word.text.clone();
        let (first, after) = more.split_first().ok_or_else(bad)?;
        rest = after;
        let flow = match word.text.as_str() {
            "replacing" => Flow::Replacing(first.piece()),
            "found" => Flow::Found(first.piece()),
            "on" => {
                let (name, after) = rest.split_first().ok_or_else(bad)?;
                rest = after;
                effect.on = Some((first.text.clone(), name.piece()));
                continue;
            }
            "with" => {
                let (flow, after) = with(first, rest)?;
                rest = after;
                flow
            }
            _ => return Err(bad()),
        };
        let runs = effect.kind == EffectKind::RunWords;
        let feeds = matches!(
            flow,
            Flow::Operands | Flow::Replacing(_) | Flow::Found(_) | Flow::Package(_)
        );
        if feeds && !runs {
            return Err(bad());
        }
        effect.with.push(flow);
    }
    Ok(())
}

fn with<'a>(kind: &Token, rest: &'a [Token]) -> Result<(Flow, &'a [Token]), String> {
    let alone = match kind.text.as_str() {
        "input" => Some(Flow::Input),
        "fetched" => Some(Flow::Fetched),
        "brought" => Some(Flow::Brought),
        "making" => Some(Flow::Making),
        "operands" => Some(Flow::Operands),
        _ => None,
    };
    if let Some(flow) = alone {
        return Ok((flow, rest));
    }
    let (value, after) = rest.split_first().ok_or_else(|| kind.text.clone())?;
    let piece = value.piece();
    let flow = match kind.text.as_str() {
        "text" => Flow::Text(piece),
        "content" => Flow::Content(piece),
        "body" => Flow::Body(piece),
        "form" => Flow::Form(piece),
        "named" => Flow::Named(piece),
        "ending" => Flow::Ending(piece),
        "trimmed" => Flow::Trimmed(piece),
        "lacking" => Flow::Lacking(piece),
        "port" => Flow::Port(piece),
        "package" => Flow::Package(piece),
        _ => return Err(kind.text.clone()),
    };
    Ok((flow, after))
}
