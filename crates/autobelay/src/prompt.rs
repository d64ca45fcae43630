//! Whether what a call loses is what lies there now: nothing that takes time may come before it.
//!
//! INVARIANT: a command that is not known to be done at once, a loop that may go on, or anything in the background makes
//! what was seen worthless.

use belay_model::Band;
use belay_shell::{
    Command as Part, CommandKind, Dialect, Entry, Joiner, PartKind, Span, Tree, Word,
};

use crate::case::Case;
use crate::losses::is_loss;
use crate::request::Command;
use crate::sight::Sight;

/// Beginnings of variables that lead commands elsewhere.
const STEERING: [&str; 6] = ["BASH", "CDPATH", "GIT_", "HOME", "PATH", "PWD"];

/// Checks that all losses of a call happen as soon as it starts.
///
/// # Errors
/// Says what may come before them.
pub(crate) fn check(case: &Case<'_>) -> Result<(), String> {
    match case.request.commands.as_slice() {
        [] => Ok(()),
        [Command::Text(text)] => Script::new(case, text).check(),
        [Command::Words(words)] => {
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            match is_prompt(case, &words) {
                true => Ok(()),
                false => Err(late(words.first().unwrap_or(&"it"))),
            }
        }
        _ => Err("it is more than one command".to_owned()),
    }
}

fn late(what: &str) -> String {
    format!("`{what}` may take a while, and the files may change in the meantime")
}

/// Tells whether a command is known to be done at once.
fn is_prompt(case: &Case<'_>, words: &[&str]) -> bool {
    let knowledge = case.knowledge;
    let Some((first, rest)) = words.split_first() else {
        return true;
    };
    let name = ["/bin/", "/usr/bin/"]
        .iter()
        .find_map(|it| first.strip_prefix(it));
    let name = name.unwrap_or(first);
    if knowledge.lists("repository-programs", name) {
        let sub = match rest {
            ["-C", _, sub, ..] => Some(sub),
            [sub, ..] => Some(sub),
            [] => None,
        };
        return sub.is_some_and(|it| knowledge.lists("repository-at-once", it));
    }
    let starts = |it: &[&str]| match it {
        [flag, program] => {
            let runs = flag.starts_with("-exec") || flag.starts_with("-ok");
            !runs || knowledge.lists("ends-at-once", program)
        }
        _ => true,
    };
    knowledge.lists("ends-at-once", name) && words.windows(2).all(starts)
}

/// The text of a call, and what it loses.
struct Script<'a> {
    case: &'a Case<'a>,
    text: &'a str,
    tree: Tree<'a>,
}

impl<'a> Script<'a> {
    fn new(case: &'a Case<'a>, text: &'a str) -> Self {
        Self {
            case,
            text,
            tree: belay_shell::parse(text.as_bytes(), Dialect::Bash),
        }
    }

    fn check(&self) -> Result<(), String> {
        if !self.tree.troubles().is_empty() {
            return Err("not all of it could be read".to_owned());
        }
        self.plain()?;
        if let Some(late_one) = self.late_outside() {
            return Err(late(&late_one));
        }
        let (prompt, late_one) = self.prompt_part();
        match late_one {
            None => Ok(()),
            Some(_) if self.losses_in(&prompt) == self.losses_in_all() => Ok(()),
            Some(what) => Err(late(&what)),
        }
    }

    /// Refuses what runs beside the rest, goes on, or runs later.
    fn plain(&self) -> Result<(), String> {
        let entries = self.tree.every::<Entry>();
        if entries.iter().any(|it| it.joiner == Joiner::Background) {
            return Err("part of it runs in the background".to_owned());
        }
        for command in self.tree.every::<Part>() {
            match command.kind {
                CommandKind::Simple { .. }
                | CommandKind::Subshell(_)
                | CommandKind::Group(_)
                | CommandKind::If { .. }
                | CommandKind::For(_)
                | CommandKind::Case(_)
                | CommandKind::Test(_) => {}
                CommandKind::While(_)
                | CommandKind::Until(_)
                | CommandKind::ForArith(_)
                | CommandKind::Select(_)
                | CommandKind::Arith(_)
                | CommandKind::Function(_)
                | CommandKind::Coproc(_)
                | CommandKind::Either(_) => {
                    return Err("part of it may run again, or later".to_owned());
                }
            }
        }
        let aside = |it: &belay_shell::Part| matches!(it.kind, PartKind::Process { .. });
        match self.tree.every::<belay_shell::Part>().iter().any(aside) {
            true => Err("part of it runs alongside the rest".to_owned()),
            false => Ok(()),
        }
    }

    /// Returns the beginning of the text that is done at once, with what the first command after it opens as it starts;
    /// and the name of that command.
    fn prompt_part(&self) -> (String, Option<String>) {
        let mut prompt = String::new();
        for entry in self.tree.many(self.tree.root()) {
            if let Some(late) = self.late_in(entry.span) {
                for command in self.tree.many(entry.commands) {
                    prompt.push('\n');
                    prompt.push_str(&self.opened_by(command));
                }
                return (prompt, Some(late));
            }
            let end = usize::try_from(entry.span.end).unwrap_or(usize::MAX);
            self.text
                .get(..end)
                .unwrap_or_default()
                .clone_into(&mut prompt);
        }
        (prompt, None)
    }

    /// Returns the first such command that stands in no part of its own: in the text that a command is fed.
    fn late_outside(&self) -> Option<String> {
        let parts = self.tree.many(self.tree.root());
        let inside = |it: &Part| {
            let within =
                |part: &Entry| part.span.start <= it.span.start && it.span.end <= part.span.end;
            parts.iter().any(within)
        };
        let commands = self.tree.every::<Part>().iter();
        commands
            .filter(|it| !inside(it))
            .find_map(|it| self.late(it))
    }

    /// Returns the first command within a part of the text that is not known to be done at once.
    fn late_in(&self, part: Span) -> Option<String> {
        let commands = self.tree.every::<Part>().iter();
        let inside = commands.filter(|it| part.start <= it.span.start && it.span.end <= part.end);
        inside.filter_map(|it| self.late(it)).next()
    }

    fn late(&self, command: &Part) -> Option<String> {
        let CommandKind::Simple { words, assignments } = command.kind else {
            return None;
        };
        for assignment in self.tree.many(assignments) {
            let name = String::from_utf8_lossy(self.tree.bytes(assignment.name));
            if !words.is_empty() || STEERING.iter().any(|it| name.starts_with(it)) {
                return Some(format!("{name}="));
            }
        }
        let words: Vec<Option<String>> = self
            .tree
            .many(words)
            .iter()
            .map(|it| self.literal(it))
            .collect();
        let known: Vec<&str> = words
            .iter()
            .map(|it| it.as_deref().unwrap_or("?"))
            .collect();
        match is_prompt(self.case, &known) {
            true => None,
            false => Some((*known.first().unwrap_or(&"?")).to_owned()),
        }
    }

    fn literal(&self, word: &Word) -> Option<String> {
        let mut text = String::new();
        for part in self.tree.many(word.parts) {
            match part.kind {
                PartKind::Text(bytes) => {
                    text.push_str(std::str::from_utf8(self.tree.bytes(bytes)).ok()?);
                }
                PartKind::Param(_)
                | PartKind::Command { .. }
                | PartKind::Arith(_)
                | PartKind::Process { .. }
                | PartKind::Brace(_)
                | PartKind::Sequence(_)
                | PartKind::Tilde(_)
                | PartKind::ExtGlob(_)
                | PartKind::Array(_)
                | PartKind::Either(_) => return None,
            }
        }
        Some(text)
    }

    /// Returns text that does no more than a command does as it starts: its redirections, or all of it where it
    /// is one that opens its files first.
    fn opened_by(&self, command: &Part) -> String {
        let source = |span: Span| String::from_utf8_lossy(self.tree.source(span)).into_owned();
        let CommandKind::Simple { words, .. } = command.kind else {
            return String::new();
        };
        let first = self
            .tree
            .many(words)
            .first()
            .and_then(|it| self.literal(it));
        if first.is_some_and(|it| self.case.knowledge.lists("opens-at-once", &it)) {
            return source(command.span);
        }
        let redirects = self.tree.many(command.redirects).iter();
        let opened: Vec<String> = redirects.map(|it| source(it.span)).collect();
        opened.join(" ")
    }

    /// Counts the losses of a part of the text.
    fn losses_in(&self, text: &str) -> usize {
        let case = self.case;
        let sight = Sight::of_text(text, &case.frame, case.knowledge);
        let sight = sight.weighed_in(case.settings.profile);
        let clear = |risk| case.settings.thresholds.band(risk) == Band::Clear;
        let lost = |it: &&crate::sight::Finding| it.weighed.kept && !clear(it.weighed.risk);
        sight.findings.iter().filter(lost).count()
    }

    fn losses_in_all(&self) -> usize {
        let findings = self.case.sight().findings.iter();
        findings.filter(|it| is_loss(self.case, it)).count()
    }
}
