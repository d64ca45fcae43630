//! Readings as lines, for people: payloads and paths are not resolved here.

use crate::{Act, Flow, Operands, Piece, Reading, Source, What, Word};

impl Reading<'_> {
    /// Returns what was read, one line each, as near to the notation of effects as can be said without
    /// resolving paths and payloads.
    #[must_use]
    pub fn lines(&self, words: &[Word<'_>]) -> Vec<String> {
        let mut out: Vec<String> = self.acts.iter().map(|it| act(it, words)).collect();
        out.extend(
            self.unknown
                .iter()
                .map(|it| format!("unknown {} {}", it.kind.word(), it.text(words))),
        );
        if self.reads_input {
            out.push("reads input".to_owned());
        }
        out
    }
}

fn piece(piece: Piece<'_>, words: &[Word<'_>]) -> String {
    match piece {
        Piece::Text(text) => text.to_owned(),
        Piece::Word { index, from } => match words.get(index) {
            Some(Word::Known(text) | Word::Pattern(text) | Word::Shape(text)) => {
                text.get(from..).unwrap_or("?").to_owned()
            }
            Some(Word::Prefix(text)) => format!("{}?", text.get(from..).unwrap_or("")),
            Some(Word::Unknown) | None => "?".to_owned(),
        },
    }
}

fn act(act: &Act<'_>, words: &[Word<'_>]) -> String {
    let text = |it: &Piece<'_>| piece(*it, words);
    let what = match &act.what {
        What::Effect {
            verb,
            how,
            target,
            with,
            ..
        } => {
            let mut parts = vec![verb.word().to_owned(), how.word().to_owned()];
            parts.extend(target.iter().map(text));
            parts.extend(with.iter().map(|it| flow(*it, words)));
            parts.retain(|it| !it.is_empty());
            parts.join(" ")
        }
        What::RunWords {
            from,
            to,
            operands,
            package,
            ..
        } => {
            let payload = (*from..*to).map(|index| piece(Piece::Word { index, from: 0 }, words));
            let payload: Vec<String> = payload.collect();
            let more = match operands {
                Operands::None => String::new(),
                Operands::Input => " + operands".to_owned(),
                Operands::Replacing(it) => format!(" replacing {}", text(it)),
                Operands::Found(all) => format!(
                    " found {}",
                    all.iter().map(text).collect::<Vec<_>>().join(" ")
                ),
            };
            let fetched = package.map_or_else(String::new, |it| format!(" from {it}"));
            format!("run ({}){more}{fetched}", payload.join(" "))
        }
        What::RunFile { file, shell } => {
            format!("run {}{}", if *shell { "shell " } else { "" }, text(file))
        }
        What::Task { tool, name } => format!("run task {tool} {}", text(name)),
        What::Eval { language, source } => match source {
            Source::Text(it) => format!("eval {language} '{}'", text(it)),
            Source::Words(from, to) => format!("eval {language} words {from}..{to}"),
            Source::Input => format!("eval input {language}"),
        },
        What::Cd(dir) => format!("cd {}", text(dir)),
    };
    match &act.at {
        Some((way, name)) => format!("{what} on {way} {}", text(name)),
        None => what,
    }
}

fn flow(flow: Flow<'_>, words: &[Word<'_>]) -> String {
    match flow {
        Flow::Text(it) => format!("with text {}", piece(it, words)),
        Flow::Content(it) => format!("with content {}", piece(it, words)),
        Flow::Body(it) => format!("with body {}", piece(it, words)),
        Flow::Form(it) => format!("with form {}", piece(it, words)),
        Flow::Input => "with input".to_owned(),
        Flow::Fetched => "with fetched".to_owned(),
        Flow::Brought => "with brought".to_owned(),
        Flow::Named(it) => format!("with named {}", piece(it, words)),
        Flow::Ending(it) => format!("with ending {}", piece(it, words)),
        Flow::Trimmed(it) => format!("with trimmed {}", piece(it, words)),
        Flow::Lacking(it) => format!("with lacking {}", piece(it, words)),
        Flow::Port(it) => format!("with port {}", piece(it, words)),
        Flow::Making => "with making".to_owned(),
    }
}
