//! `belay knowledge lint`: what is wrong with a knowledge file of your own, and what of it nobody has read yet.

use std::fs;
use std::path::{Path, PathBuf};

use autobelay::{Bound, Call, Gate, Knowledge, Lint, Nowhere, Settings};
use clap::{Args, Subcommand};

use crate::bound::holds;
use crate::check::command_input;
use crate::exit::Exit;
use crate::out::{Failure, Out, harmless};

/// Arguments of `belay knowledge`.
#[derive(Args)]
pub struct KnowledgeArgs {
    /// What to do.
    #[command(subcommand)]
    pub job: KnowledgeJob,
}

/// What can be done with knowledge files.
#[derive(Subcommand)]
pub enum KnowledgeJob {
    /// Check files as they would be loaded, run their examples, and list what is still unread.
    #[command(
        after_help = "Exits with 1 when a file is wrong. Unread flags are listed but are not an error.\n\n  belay knowledge lint ~/.config/belay/knowledge/commands/frob.toml"
    )]
    Lint {
        /// The files.
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
}

/// What was found in a file.
#[derive(Default)]
pub struct Checked {
    /// What keeps it from being loaded, or is not so.
    pub faults: Vec<String>,
    /// Flags that nobody has read yet.
    pub unread: Vec<String>,
    /// What is worth a second look.
    pub doubts: Vec<String>,
}

/// Does a job with knowledge files.
pub fn knowledge(args: &KnowledgeArgs, out: &mut Out) -> Result<Exit, Failure> {
    let KnowledgeJob::Lint { files } = &args.job;
    let mut exit = Exit::Done;
    for file in files {
        let text = fs::read_to_string(file)
            .map_err(|why| Failure::Said(format!("cannot read `{}`: {why}", file.display())))?;
        let checked = check(file, &text);
        tell(file, &checked, out)?;
        if !checked.faults.is_empty() {
            exit = Exit::Failed;
        }
    }
    Ok(exit)
}

fn tell(file: &Path, checked: &Checked, out: &mut Out) -> Result<(), Failure> {
    for fault in checked.faults.iter().chain(&checked.doubts) {
        out.line(harmless(fault))?;
    }
    let shown = harmless(&file.display().to_string());
    if !checked.unread.is_empty() {
        let flags = harmless(&checked.unread.join(", "));
        out.line(format_args!("{shown}: unread: {flags}"))?;
    }
    let said = match (checked.faults.len(), checked.unread.len()) {
        (0, 0) => "holds".to_owned(),
        (0, unread) => format!("no errors; {unread} flags are unread and count as unknown"),
        (faults, _) => {
            format!(
                "{faults} errors: the file is not loaded, and belay judges no call until it is fixed or removed"
            )
        }
    };
    out.line(format_args!("{shown}: {said}"))
}

/// Tells whether a command is described by what is compiled in.
pub fn is_ours(name: &str) -> bool {
    let ours = Knowledge::ours();
    let alias = ours.alias(name).next().is_some();
    alias || ours.find(name).is_some() || ours.builtin(name).is_some()
}

/// Checks a file's text as it would be loaded.
pub fn check(file: &Path, text: &str) -> Checked {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let path = format!("commands/{name}");
    let mut checked = check_all(&[(&path, text)]);
    bound(text, &path, &mut checked);
    checked
}

/// Checks files as they would be loaded together: paths under a folder of knowledge, and texts.
pub fn check_all(files: &[(&str, &str)]) -> Checked {
    let mut checked = Checked::default();
    let loaded = match Knowledge::load_texts(files) {
        Ok(loaded) => loaded,
        Err(why) => {
            checked.faults.push(why.to_string());
            return checked;
        }
    };
    let path = files.first().map(|it| it.0).unwrap_or_default();
    for name in loaded.own_names().into_iter().filter(|it| is_ours(it)) {
        checked.faults.push(format!(
            "error: belay already knows `{name}`, and your own file cannot change what it does\n  --> {path}"
        ));
    }
    examples(&loaded, &mut checked);
    for (path, text) in files {
        flags(text, path, &mut checked);
    }
    checked
}

fn bound(text: &str, path: &str, checked: &mut Checked) {
    let Some(bound) = Bound::of(text).filter(|it| !holds(it)) else {
        return;
    };
    checked.doubts.push(format!(
        "warning: `{}` is not the program this draft was made from: the file is ignored until you run `belay learn` again\n  --> {path}",
        bound.path
    ));
}

/// Returns the call of an example, in the project of all examples.
pub fn played(command: &str) -> Call {
    Call {
        tool: "Bash".to_owned(),
        input: command_input(command),
        cwd: "/work/app".to_owned(),
        project_roots: vec!["/work/app".to_owned()],
        home: Some("/home/me".to_owned()),
        ..Call::default()
    }
}

/// Compares what the examples do with what they say, as our own tests do.
fn examples(loaded: &Knowledge, checked: &mut Checked) {
    let gate = Gate::new(Settings::default()).knowing(loaded.clone());
    let lines = loaded.examples().iter();
    for example in lines.filter(|it| !it.file.starts_with("tools/")) {
        let call = played(&example.command);
        let judgement = gate.judge_in(&call, &Nowhere);
        let mut found: Vec<String> = judgement.effects.iter().map(ToString::to_string).collect();
        let mut said = example.effects.clone();
        found.sort();
        said.sort();
        found.dedup();
        if found != said {
            checked.faults.push(format!(
                "error: `{}` does `{}`\n  --> {}:{}\nhint: the example says `{}`",
                example.command,
                found.join("`, `"),
                example.file,
                example.line,
                said.join("`, `")
            ));
        }
    }
}

/// Lists flags that wait to be read, and doubts inert ones whose names say otherwise.
fn flags(text: &str, path: &str, checked: &mut Checked) {
    let found = Lint::of(text);
    checked.unread.extend(found.unread);
    checked.doubts.extend(found.doubtful.iter().map(|it| {
        format!(
            "warning: `{it}` is inert, but its name says otherwise\n  --> {path}\nhint: give it its effect under `[flags]`, or a reason under `examined`"
        )
    }));
}
