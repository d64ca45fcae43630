//! `belay fleet build`: a bundle from a folder of settings and knowledge.

use std::fs;
use std::path::{Path, PathBuf};

use autobelay::Gate;
use belay_bundle::{Bundle, MOST_BYTES, RuleSet, read_plan, write};
use belay_settings::lint::lint;
use belay_settings::{Source, fleet, load_texts};
use clap::Args;

use crate::exit::Exit;
use crate::fleet::teach::{self, Folder};
use crate::out::{Failure, Out, harmless, talk};

/// Arguments of `belay fleet build`.
#[derive(Args)]
pub struct BuildArgs {
    /// The folder with `bundle.toml`.
    pub folder: PathBuf,
    /// Where to write the bundle.
    #[arg(short = 'o', long = "output", value_name = "FILE")]
    pub output: PathBuf,
}

/// Makes a bundle, if the settings of all its rule sets are without mistakes.
pub fn build(args: &BuildArgs, out: &mut Out) -> Result<Exit, Failure> {
    let mut bundle = plan(&args.folder)?;
    let mut wrong = 0;
    for set in &mut bundle.sets {
        let file = args.folder.join(format!("{}.toml", set.name));
        let folder = Folder::of(&args.folder, &set.name);
        set.knowledge = folder.files()?;
        // A rule set may be made of knowledge alone.
        if set.knowledge.is_empty() || file.exists() {
            set.settings = text(&file)?;
        }
        wrong += teach::mistakes(set, &folder);
        wrong += mistakes(set, &file);
    }
    if wrong > 0 {
        return Err(Failure::said("no bundle was made"));
    }
    let made = write(&bundle);
    if made.len() > MOST_BYTES {
        let most = MOST_BYTES >> 20;
        return Err(Failure::said(format_args!(
            "the bundle would be larger than {most} MiB\nhint: split its rule sets over several bundles, or shorten them"
        )));
    }
    fs::write(&args.output, &made).map_err(|why| failed(&args.output, &why))?;
    let sets = match bundle.sets.len() {
        1 => "1 rule set".to_owned(),
        many => format!("{many} rule sets"),
    };
    let (stages, taught) = (bundle.stages(), counted(&bundle));
    out.line(format_args!(
        "{}: {} bytes, {sets}: {stages}{taught}",
        args.output.display(),
        made.len()
    ))?;
    Ok(Exit::Done)
}

fn counted(bundle: &Bundle) -> String {
    super::files(bundle.sets.iter().map(|it| it.knowledge.len()).sum())
}

fn plan(folder: &Path) -> Result<Bundle, Failure> {
    let file = folder.join("bundle.toml");
    read_plan(&text(&file)?)
        .map_err(|why| Failure::said(format_args!("{why}\n  --> {}\n{PLAN}", file.display())))
}

const PLAN: &str = "hint: give the bundle a name, and each rule set a table `set` with `name`, `stage` and perhaps `percent` and `where`";

fn text(file: &Path) -> Result<String, Failure> {
    fs::read_to_string(file).map_err(|why| failed(file, &why))
}

pub(super) fn failed(file: &Path, why: &std::io::Error) -> Failure {
    Failure::said(format_args!("cannot use `{}`: {why}", file.display()))
}

/// Says what is wrong with the settings of a rule set, and returns how much. What is only odd is a note.
fn mistakes(set: &RuleSet, file: &Path) -> usize {
    let mut wrong = fleet::mistakes(set);
    if wrong.is_empty() {
        let file = file.display().to_string();
        let mut loaded = load_texts(&[(Source::Managed, &file, &set.settings)]);
        // What is wrong with it was said before.
        loaded.settings.taught = fleet::taught(set).ok().flatten().into_iter().collect();
        let gate = Gate::new(loaded.settings);
        wrong = gate.failing_examples(&|_| true);
        for finding in lint(gate.settings(), &gate.lexicon()) {
            talk(harmless(&format!(
                "note: {finding}\n  --> {}",
                finding.origin
            )));
        }
        for loose in fleet::loosening(set) {
            talk(harmless(&format!("note: {loose}\n  --> {}", loose.origin)));
        }
    }
    for mistake in &wrong {
        talk(harmless(mistake.render().trim_end()));
    }
    wrong.len()
}
