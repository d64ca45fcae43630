//! `belay learn`: drafts a knowledge file for a program that nobody described, on a person's word.
//!
//! INVARIANT: a program is started once, with `--help`, after a yes at the terminal, in an empty folder, without an
//! environment and without input. Nothing is taken from the project, and what is written lets nothing through.

use std::fs;
use std::io::{self, IsTerminal, Read};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;

use crate::bound::bind;
use crate::draft::Draft;
use crate::knowing::{self, Checked};
use crate::out::{Failure, Out, harmless, talk};
use crate::places::Here;
use crate::trust::confirmed;

/// How long a program may take to say what it is.
const PATIENCE: Duration = Duration::from_secs(10);

/// So much of what it says is read.
const MOST_BYTES: u64 = 256 * 1024;

/// Where completion scripts of installed programs lie; `*` is the program's name.
const COMPLETIONS: [&str; 8] = [
    "/usr/share/bash-completion/completions/*",
    "/usr/share/zsh/site-functions/_*",
    "/usr/share/zsh/vendor-completions/_*",
    "/usr/share/fish/vendor_completions.d/*.fish",
    "/usr/local/share/zsh/site-functions/_*",
    "/opt/homebrew/etc/bash_completion.d/*",
    "/opt/homebrew/share/zsh/site-functions/_*",
    "/opt/homebrew/share/fish/vendor_completions.d/*.fish",
];

/// Arguments of `belay learn`.
#[derive(Args)]
pub struct LearnArgs {
    /// The program, as you would call it.
    pub command: String,
    /// Print the draft and write nothing.
    #[arg(long)]
    pub print: bool,
}

/// Drafts a file for a program, shows what would change, and writes it once a person says yes.
pub fn learn(args: &LearnArgs, out: &mut Out) -> Result<(), Failure> {
    let here = Here::at(None)?;
    let name = args.command.as_str();
    refuse_known(name)?;
    let program = installed(name, &here)?;
    at_a_terminal()?;
    let bound = bind(&program)?;
    let question = format!(
        "Run `{} --help` once, in an empty folder, without environment or input?",
        bound.path
    );
    confirmed(false, &question)?;
    let mut draft = Draft::of_help(&help_of(Path::new(&bound.path))?);
    for text in completions(name) {
        draft = draft.and_completions(&text);
    }
    let text = draft.file(name, &bound);
    let file = file_for(name, &here)?;
    let checked = knowing::check(&file, &text);
    if !checked.faults.is_empty() {
        return Err(Failure::Said(format!(
            "the draft has errors: {}\nhint: write the file by hand; docs/design/knowledge.md describes the format",
            checked.faults.join("\n")
        )));
    }
    show(&file, &text, out)?;
    let (flags, subs) = draft.counts();
    out.line(format_args!(
        "{flags} flags and {subs} sub-commands, all unread: belay still asks about `{name}` until you describe them in the file"
    ))?;
    out.flush()?;
    if args.print {
        return Ok(());
    }
    confirmed(false, &format!("write `{}`?", file.display()))?;
    write(&file, &text)?;
    tell_unread(&checked, &file, out)
}

/// What we describe cannot be described again.
fn refuse_known(name: &str) -> Result<(), Failure> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.+".contains(c);
    if name.is_empty() || name.starts_with(['-', '.']) || !name.chars().all(plain) {
        return Err(Failure::Usage(format!(
            "`{}` is not the name of a program\nhint: `belay learn COMMAND`, as you would call it",
            harmless(name)
        )));
    }
    if knowing::is_ours(name) {
        return Err(Failure::Said(format!(
            "belay already knows `{name}`\nhint: `belay explain '{name} ...'` shows what it knows; to change a verdict, write a rule"
        )));
    }
    Ok(())
}

/// Finds the program on the search path; one of the project's or of a temporary folder is nobody's to vouch for.
fn installed(name: &str, here: &Here) -> Result<PathBuf, Failure> {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let is_program = |it: &PathBuf| it.is_absolute() && it.is_file();
    let found = std::env::split_paths(&paths).map(|it| it.join(name));
    let Some(found) = found.into_iter().find(is_program) else {
        return Err(Failure::Said(format!(
            "`{name}` is not in PATH\nhint: install it first"
        )));
    };
    let real = fs::canonicalize(&found)?;
    let project = fs::canonicalize(&here.project)?;
    if real.starts_with(&project) || found.starts_with(&project) || is_passing(&real, here) {
        return Err(Failure::Said(format!(
            "`{}` is in the project or a temporary folder, where files change, so belay does not learn from it",
            real.display()
        )));
    }
    Ok(found)
}

/// A temporary folder, and no home inside one.
fn is_passing(real: &Path, here: &Here) -> bool {
    let named = belay_places::temporary_folders().map(PathBuf::from);
    let folders = named.chain([std::env::temp_dir()]);
    let mut folders = folders.filter_map(|it| fs::canonicalize(it).ok());
    let home = here.home.as_ref().and_then(|it| fs::canonicalize(it).ok());
    let in_home = |folder: &Path| {
        let is_around = |it: &PathBuf| it.starts_with(folder) && real.starts_with(it);
        home.as_ref().is_some_and(is_around)
    };
    folders.any(|it| real.starts_with(&it) && !in_home(&it))
}

/// Refuses where nobody types: an agent that starts it has no terminal, and no flag says yes.
fn at_a_terminal() -> Result<(), Failure> {
    match io::stdin().is_terminal() && io::stderr().is_terminal() {
        true => Ok(()),
        false => Err(Failure::said(
            "this needs a person at the terminal\nhint: run it in your own terminal; there is no flag to skip the question",
        )),
    }
}

/// Runs a program with `--help` in an empty folder and returns what it prints.
fn help_of(program: &Path) -> Result<String, Failure> {
    let folder = Scratch::new()?;
    let mut child = Command::new(program)
        .arg("--help")
        .current_dir(&folder.0)
        .env_clear()
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()?;
    let (said, complained) = (child.stdout.take(), child.stderr.take());
    let said = thread::spawn(move || said.map(read).unwrap_or_default());
    let complained = thread::spawn(move || complained.map(read).unwrap_or_default());
    end(&mut child)?;
    let text = said.join().unwrap_or_default();
    let text = match text.trim().is_empty() {
        true => complained.join().unwrap_or_default(),
        false => text,
    };
    if text.trim().is_empty() {
        return Err(Failure::said("the program printed nothing for `--help`"));
    }
    Ok(text)
}

fn read(from: impl Read) -> String {
    let mut bytes = Vec::new();
    let mut from = from.take(MOST_BYTES);
    // What was read before it broke off is still what the program said.
    let _ = from.read_to_end(&mut bytes);
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Waits for a program, and ends it and all it started where it takes too long.
fn end(child: &mut Child) -> Result<(), Failure> {
    let begun = Instant::now();
    while child.try_wait()?.is_none() {
        if begun.elapsed() > PATIENCE {
            kill(child);
            child.wait()?;
            return Err(Failure::said("the program did not exit and was stopped"));
        }
        thread::sleep(Duration::from_millis(20));
    }
    kill(child);
    Ok(())
}

/// Ends the group of a program.
fn kill(child: &Child) {
    use nix::sys::signal::{Signal, killpg};
    use nix::unistd::Pid;
    if let Ok(id) = i32::try_from(child.id()) {
        // Where nobody is left there is nothing to end.
        let _ = killpg(Pid::from_raw(id), Signal::SIGKILL);
    }
}

/// A folder that is gone when it is dropped.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Result<Self, Failure> {
        let name = format!("belay-learn-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        fs::create_dir(&folder)?;
        Ok(Self(folder))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A folder that stays is one too many in a place that is emptied anyway.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Returns the completion scripts of a program, as text.
fn completions(name: &str) -> impl Iterator<Item = String> {
    let files = COMPLETIONS.map(|it| it.replace('*', name));
    files.into_iter().filter_map(|it| {
        let file = fs::File::open(it).ok()?;
        Some(read(file))
    })
}

/// Returns the file that would describe a program.
fn file_for(name: &str, here: &Here) -> Result<PathBuf, Failure> {
    let folder = here.places.knowledge.as_ref().ok_or_else(|| {
        Failure::said(
            "there is no folder for your knowledge\nhint: set `HOME` or `XDG_CONFIG_HOME`",
        )
    })?;
    Ok(folder.join("commands").join(format!("{name}.toml")))
}

/// Shows what would change, line by line.
fn show(file: &Path, text: &str, out: &mut Out) -> Result<(), Failure> {
    let old = fs::read_to_string(file).unwrap_or_default();
    let has = |lines: &str, line: &str| lines.lines().any(|it| it == line);
    out.line(harmless(&format!("{}", file.display())))?;
    for line in old.lines().filter(|it| !has(text, it)) {
        out.line(harmless(&format!("- {line}")))?;
    }
    for line in text.lines() {
        let sign = if has(&old, line) { ' ' } else { '+' };
        out.line(harmless(&format!("{sign} {line}")))?;
    }
    Ok(())
}

fn write(file: &Path, text: &str) -> Result<(), Failure> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    let beside = file.with_extension("toml.new");
    fs::write(&beside, text)?;
    fs::rename(&beside, file)?;
    Ok(())
}

fn tell_unread(checked: &Checked, file: &Path, out: &mut Out) -> Result<(), Failure> {
    talk(format_args!("written"));
    out.line(format_args!(
        "{} flags are unread; `belay knowledge lint {}` lists them",
        checked.unread.len(),
        harmless(&file.display().to_string())
    ))
}
