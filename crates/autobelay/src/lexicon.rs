//! What the knowledge says of flags and sub-commands, for the user's own rules.

use belay_knowledge::Spelling;
use belay_settings::Lexicon;
use belay_settings::command::Plain;

/// The lexicon of the commands we know.
#[derive(Clone, Copy, Debug, Default)]
pub struct OurLexicon;

impl Lexicon for OurLexicon {
    fn canonical(&self, path: &[&str], flag: &str) -> Option<String> {
        match known(path) {
            Some(_) => spelling(path, flag).map(|it| it.one),
            None => Plain.canonical(path, flag),
        }
    }

    fn takes_value(&self, path: &[&str], flag: &str) -> bool {
        match known(path) {
            Some(_) => spelling(path, flag).is_some_and(|it| it.takes_next),
            None => Plain.takes_value(path, flag),
        }
    }

    fn knows(&self, program: &str) -> bool {
        known(&[program]).is_some()
    }

    fn subcommand(&self, path: &[&str], word: &str) -> Option<&'static str> {
        let same = |(named, words, _): &&(&str, &[&str], &str)| {
            path == named.split(' ').collect::<Vec<_>>() && words.contains(&word)
        };
        ALIASES.iter().find(same).map(|(_, _, name)| *name)
    }
}

fn known(path: &[&str]) -> Option<belay_knowledge::Command<'static>> {
    let program = path.first()?;
    belay_knowledge::builtin(program).or_else(|| belay_knowledge::find(program))
}

fn spelling(path: &[&str], flag: &str) -> Option<Spelling> {
    let words = path.get(1..).unwrap_or_default();
    belay_knowledge::spelling(known(path)?, words, flag)
}

/// Other names of sub-commands, as the programs' manuals list them. The files of the knowledge cannot
/// tell: they join what has the same effects, and `docker stop` is not `docker kill`.
pub(crate) const ALIASES: &[(&str, &[&str], &str)] = &[
    ("brew", &["rm", "remove"], "uninstall"),
    ("bun", &["i"], "install"),
    ("bun", &["a"], "add"),
    ("bun", &["rm"], "remove"),
    ("cargo", &["b"], "build"),
    ("cargo", &["c"], "check"),
    ("cargo", &["d"], "doc"),
    ("cargo", &["r"], "run"),
    ("cargo", &["rm"], "remove"),
    ("cargo", &["t"], "test"),
    ("git", &["annotate"], "blame"),
    ("helm", &["del", "delete", "un"], "uninstall"),
    ("helm", &["ls"], "list"),
    ("npm", &["c"], "config"),
    (
        "npm",
        &["clean-install", "ic", "install-clean", "isntall-clean"],
        "ci",
    ),
    ("npm", &["create", "innit"], "init"),
    (
        "npm",
        &[
            "i", "in", "ins", "inst", "insta", "instal", "isnt", "isnta", "isntal", "isntall",
            "add",
        ],
        "install",
    ),
    ("npm", &["list", "la", "ll"], "ls"),
    ("npm", &["run-script", "rum", "urn"], "run"),
    ("npm", &["t", "tst"], "test"),
    ("npm", &["un", "unlink", "remove", "rm", "r"], "uninstall"),
    ("npm", &["up", "upgrade", "udpate"], "update"),
    ("npm", &["v", "info", "show"], "view"),
    ("npm", &["x"], "exec"),
    ("pnpm", &["i"], "install"),
    ("pnpm", &["rm", "uninstall", "un"], "remove"),
    ("pnpm", &["run-script"], "run"),
    ("pnpm", &["up", "upgrade"], "update"),
];
