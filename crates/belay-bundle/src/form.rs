//! The form of a bundle: one TOML file with a table for each rule set, its settings as text.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::flaw::Flaw;
use crate::stage::{Stage, Where};

/// The most bytes of a bundle.
pub const MOST_BYTES: usize = 4 << 20;

/// The form that this version writes and reads.
const FORM: u64 = 1;

/// The most rule sets of a bundle: their stages have room in one signed comment.
const MOST_SETS: usize = 64;

/// The most letters of a name.
const LONGEST_NAME: usize = 40;

/// The most files of knowledge of a bundle, and the most bytes of one: a call reads them all.
const MOST_FILES: usize = 128;
const MOST_FILE_BYTES: usize = 64 << 10;

/// A fleet's policy.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bundle {
    /// Whose it is.
    pub name: String,
    /// The rule sets, in the order in which they are laid over each other.
    pub sets: Vec<RuleSet>,
}

/// Settings with a stage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleSet {
    /// Its name: small letters, digits and hyphens.
    pub name: String,
    /// How far it has come.
    pub stage: Stage,
    /// For how many of a hundred machines.
    pub percent: u8,
    /// For whom.
    pub meant: Where,
    /// A settings file, as text.
    pub settings: String,
    /// What it says of commands and tools: knowledge files.
    pub knowledge: Vec<Taught>,
}

/// A knowledge file of a rule set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taught {
    /// Its path as in a folder of knowledge: `commands/acmectl.toml`.
    pub path: String,
    /// What it says.
    pub text: String,
}

impl Bundle {
    /// Returns what a signature says of the stages: `base:enforce:100,new:observe:10`.
    #[must_use]
    pub fn stages(&self) -> String {
        let of = |it: &RuleSet| format!("{}:{}:{}", it.name, it.stage, it.percent);
        self.sets.iter().map(of).collect::<Vec<_>>().join(",")
    }
}

/// Where the settings of a rule set stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// In the bundle itself.
    Inside,
    /// In a file of their own, beside the plan of a bundle to be.
    Beside,
}

/// Reads a bundle.
///
/// # Errors
/// When anything in it is not as it must be.
pub fn read(bytes: &[u8]) -> Result<Bundle, Flaw> {
    if bytes.len() > MOST_BYTES {
        return Err(Flaw::TooLarge);
    }
    let text = std::str::from_utf8(bytes).map_err(|_| Flaw::NotText)?;
    parsed(text, Source::Inside)
}

/// Reads the plan of a bundle, whose rule sets have no settings yet.
///
/// # Errors
/// When anything in it is not as it must be.
pub fn read_plan(text: &str) -> Result<Bundle, Flaw> {
    parsed(text, Source::Beside)
}

fn parsed(text: &str, source: Source) -> Result<Bundle, Flaw> {
    let one_line = |it: &str| it.split_whitespace().collect::<Vec<_>>().join(" ");
    let root = DeTable::parse(text).map_err(|it| Flaw::Syntax(one_line(it.message())))?;
    let root = root.get_ref();
    let mut bundle = Bundle::default();
    // What a later version writes is named as such, not by the first key that is new.
    match (root.get("format").map(number), source) {
        (Some(Some(FORM)), Source::Inside) | (None, Source::Beside) => {}
        (Some(form), _) => {
            let form = form.map_or_else(|| "?".to_owned(), |it| it.to_string());
            return Err(Flaw::UnknownForm(form));
        }
        (None, Source::Inside) => return Err(Flaw::Missing("format")),
    }
    for (key, value) in root {
        match key.get_ref().as_ref() {
            "format" => {}
            "name" => bundle.name = name("name", value)?,
            "set" => bundle.sets = sets(value, source)?,
            other => return Err(Flaw::UnknownKey(other.to_owned())),
        }
    }
    if bundle.name.is_empty() {
        return Err(Flaw::Missing("name"));
    }
    if bundle.sets.is_empty() {
        return Err(Flaw::Missing("set"));
    }
    let files: usize = bundle.sets.iter().map(|it| it.knowledge.len()).sum();
    match files > MOST_FILES {
        true => Err(KNOWLEDGE),
        false => Ok(bundle),
    }
}

type Value<'v> = Spanned<DeValue<'v>>;

fn sets(value: &Value<'_>, source: Source) -> Result<Vec<RuleSet>, Flaw> {
    let items = value.get_ref().as_array();
    let items = items.filter(|it| it.len() <= MOST_SETS);
    let items = items.ok_or(Flaw::Wrong {
        key: "set",
        want: "at most 64 tables",
    })?;
    let mut found: Vec<RuleSet> = Vec::new();
    for item in items.iter() {
        let table = item.get_ref().as_table();
        let set = set(table.ok_or(TABLE)?, source)?;
        if found.iter().any(|it| it.name == set.name) {
            return Err(Flaw::Twice(set.name));
        }
        found.push(set);
    }
    Ok(found)
}

const TABLE: Flaw = Flaw::Wrong {
    key: "set",
    want: "a list of tables",
};

fn set(table: &DeTable<'_>, source: Source) -> Result<RuleSet, Flaw> {
    let mut set = RuleSet {
        name: String::new(),
        stage: Stage::Observe,
        percent: 100,
        meant: Where::default(),
        settings: String::new(),
        knowledge: Vec::new(),
    };
    let (mut staged, mut settled) = (false, false);
    for (key, value) in table {
        match key.get_ref().as_ref() {
            "name" => set.name = name("set.name", value)?,
            "stage" => {
                let stage = value.get_ref().as_str().and_then(Stage::from_word);
                set.stage = stage.ok_or(STAGE)?;
                staged = true;
            }
            "percent" => {
                let percent = number(value).filter(|it| *it <= 100);
                set.percent = percent
                    .and_then(|it| u8::try_from(it).ok())
                    .ok_or(PERCENT)?;
            }
            "where" => set.meant = meant(value)?,
            "settings" if source == Source::Inside => {
                set.settings = value.get_ref().as_str().ok_or(SETTINGS)?.to_owned();
                settled = true;
            }
            "knowledge" if source == Source::Inside => set.knowledge = knowledge(value)?,
            other => return Err(Flaw::UnknownKey(format!("set.{other}"))),
        }
    }
    match (
        set.name.is_empty(),
        staged,
        settled || source == Source::Beside,
    ) {
        (true, _, _) => Err(Flaw::Missing("set.name")),
        (false, false, _) => Err(Flaw::Missing("set.stage")),
        (false, true, false) => Err(Flaw::Missing("set.settings")),
        (false, true, true) => Ok(set),
    }
}

/// Reads the knowledge files of a rule set.
fn knowledge(value: &Value<'_>) -> Result<Vec<Taught>, Flaw> {
    let mut found: Vec<Taught> = Vec::new();
    for item in value.get_ref().as_array().ok_or(KNOWLEDGE)?.iter() {
        let (mut path, mut text) = (None, None);
        for (key, value) in item.get_ref().as_table().ok_or(KNOWLEDGE)? {
            let said = value.get_ref().as_str().map(str::to_owned);
            match key.get_ref().as_ref() {
                "path" => path = said.filter(|it| is_knowledge_path(it)),
                "text" => text = said.filter(|it| it.len() <= MOST_FILE_BYTES),
                other => return Err(Flaw::UnknownKey(format!("set.knowledge.{other}"))),
            }
        }
        let (Some(path), Some(text)) = (path, text) else {
            return Err(KNOWLEDGE);
        };
        if found.iter().any(|it| it.path == path) {
            return Err(Flaw::Twice(path));
        }
        found.push(Taught { path, text });
    }
    Ok(found)
}

/// Tells whether a path names a knowledge file that a bundle may carry: of a command or of a tool. Lists, variables and
/// builtins steer how everything else is read, so they stay ours.
#[must_use]
pub fn is_knowledge_path(path: &str) -> bool {
    let plain = |it: &str| {
        let fits = |it: char| it.is_ascii_alphanumeric() || "-_.+".contains(it);
        !it.is_empty() && !it.starts_with('.') && it.len() <= LONGEST_NAME && it.chars().all(fits)
    };
    let below = path
        .strip_prefix("commands/")
        .or_else(|| path.strip_prefix("tools/"));
    let parts = below.and_then(|it| it.strip_suffix(".toml"));
    parts.is_some_and(|it| it.split('/').count() <= 5 && it.split('/').all(plain))
}

/// What belongs under `set.knowledge`.
const KNOWLEDGE: Flaw = Flaw::Wrong {
    key: "set.knowledge",
    want: "at most 128 tables with `path` (`commands/NAME.toml` or `tools/NAME.toml`) and `text` of at most 64 KiB",
};
const STAGE: Flaw = Flaw::Wrong {
    key: "set.stage",
    want: "`observe`, `ask` or `enforce`",
};
const PERCENT: Flaw = Flaw::Wrong {
    key: "set.percent",
    want: "a number from 0 to 100",
};
const SETTINGS: Flaw = Flaw::Wrong {
    key: "set.settings",
    want: "a text",
};
const MEANT: Flaw = Flaw::Wrong {
    key: "set.where",
    want: "a table with `team`, `os` or `agent`, each a text or a list of texts",
};

fn meant(value: &Value<'_>) -> Result<Where, Flaw> {
    let mut meant = Where::default();
    for (key, value) in value.get_ref().as_table().ok_or(MEANT)? {
        let place = match key.get_ref().as_ref() {
            "team" => &mut meant.team,
            "os" => &mut meant.os,
            "agent" => &mut meant.agent,
            other => return Err(Flaw::UnknownKey(format!("set.where.{other}"))),
        };
        let text = |it: &Value<'_>| it.get_ref().as_str().map(str::to_owned);
        let found = match value.get_ref().as_array() {
            Some(items) => items.iter().map(text).collect(),
            None => text(value).map(|it| vec![it]),
        };
        // An empty list would fit everybody, which is hardly meant.
        *place = found.filter(|it| !it.is_empty()).ok_or(MEANT)?;
    }
    Ok(meant)
}

fn number(value: &Value<'_>) -> Option<u64> {
    let integer = value.get_ref().as_integer()?;
    u64::from_str_radix(integer.as_str(), integer.radix()).ok()
}

fn name(key: &'static str, value: &Value<'_>) -> Result<String, Flaw> {
    let plain = |it: &&str| {
        let letters = it.bytes();
        let fits = |it: u8| it.is_ascii_lowercase() || it.is_ascii_digit() || it == b'-';
        !it.is_empty() && it.len() <= LONGEST_NAME && letters.into_iter().all(fits)
    };
    let name = value.get_ref().as_str().filter(plain);
    name.map(str::to_owned).ok_or(Flaw::Wrong {
        key,
        want: "1 to 40 small letters, digits and hyphens",
    })
}

/// Writes a bundle: the same one always as the same text.
#[must_use]
pub fn write(bundle: &Bundle) -> String {
    let mut text = format!(
        "# A policy for belay, made by `belay fleet build`.\nformat = {FORM}\nname = \"{}\"\n",
        bundle.name
    );
    for set in &bundle.sets {
        text.push_str(&format!(
            "\n[[set]]\nname = \"{}\"\nstage = \"{}\"\npercent = {}\n",
            set.name, set.stage, set.percent
        ));
        let Where { team, os, agent } = &set.meant;
        let lists = [("team", team), ("os", os), ("agent", agent)];
        let lists = lists.into_iter().filter(|(_, list)| !list.is_empty());
        let lists: Vec<String> = lists
            .map(|(key, list)| {
                let texts: Vec<String> = list.iter().map(|it| quoted(it)).collect();
                format!("{key} = [{}]", texts.join(", "))
            })
            .collect();
        if !lists.is_empty() {
            text.push_str(&format!("where = {{ {} }}\n", lists.join(", ")));
        }
        text.push_str(&format!("settings = {}\n", long(&set.settings)));
        for file in &set.knowledge {
            let (path, said) = (quoted(&file.path), long(&file.text));
            text.push_str(&format!(
                "\n[[set.knowledge]]\npath = {path}\ntext = {said}\n"
            ));
        }
    }
    text
}

fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    text.chars().for_each(|it| escaped(it, &mut out));
    out.push('"');
    out
}

/// Writes a text over several lines, so that a person can read and compare it.
fn long(text: &str) -> String {
    let mut out = String::from("\"\"\"\n");
    for letter in text.chars() {
        match letter {
            '\n' | '\t' => out.push(letter),
            _ => escaped(letter, &mut out),
        }
    }
    out.push_str("\"\"\"");
    out
}

fn escaped(letter: char, out: &mut String) {
    match letter {
        '"' | '\\' => out.extend(['\\', letter]),
        it if it.is_control() => out.push_str(&format!("\\u{:04X}", u32::from(it))),
        it => out.push(it),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bundle() -> Bundle {
        Bundle {
            name: "acme".to_owned(),
            sets: vec![
                RuleSet {
                    name: "base".to_owned(),
                    stage: Stage::Enforce,
                    percent: 100,
                    meant: Where::default(),
                    settings: "[rules]\nhard_deny = [\"git push --force\"]\n".to_owned(),
                    knowledge: Vec::new(),
                },
                RuleSet {
                    name: "new-1".to_owned(),
                    stage: Stage::Observe,
                    percent: 10,
                    meant: Where {
                        team: vec!["core \"x\"".to_owned()],
                        os: Vec::new(),
                        agent: vec!["codex".to_owned(), "gemini".to_owned()],
                    },
                    settings: "a\\b \"\"\" \u{7f}\r\n\n\u{e9}".to_owned(),
                    knowledge: vec![
                        Taught {
                            path: "commands/frob.toml".to_owned(),
                            text: "about = \"Frobs \"\"\".\"\n".to_owned(),
                        },
                        Taught {
                            path: "tools/deploy.toml".to_owned(),
                            text: String::new(),
                        },
                    ],
                },
            ],
        }
    }

    #[test]
    fn a_bundle_reads_back() {
        let text = write(&bundle());
        assert_eq!(read(text.as_bytes()), Ok(bundle()), "{text}");
        assert_eq!(bundle().stages(), "base:enforce:100,new-1:observe:10");
    }

    #[test]
    fn a_bundle_is_readable() {
        expect_test::expect![[r#"
            # A policy for belay, made by `belay fleet build`.
            format = 1
            name = "acme"

            [[set]]
            name = "base"
            stage = "enforce"
            percent = 100
            settings = """
            [rules]
            hard_deny = [\"git push --force\"]
            """
        "#]]
        .assert_eq(&write(&Bundle {
            sets: bundle().sets.into_iter().take(1).collect(),
            ..bundle()
        }));
    }

    #[test]
    fn a_plan_has_no_settings() {
        let plan = "name = \"acme\"\n[[set]]\nname = \"base\"\nstage = \"ask\"\n";
        assert_eq!(read_plan(plan).unwrap().sets[0].stage, Stage::Ask);
        assert_eq!(
            read_plan(&format!("{plan}settings = \"\"\n")),
            Err(Flaw::UnknownKey("set.settings".to_owned()))
        );
        assert_eq!(read(plan.as_bytes()), Err(Flaw::Missing("format")));
    }

    #[test]
    fn knowledge_has_a_place_and_a_size() {
        let good = write(&bundle());
        let path = "commands/frob.toml";
        for wrong in [
            "lists/usual-shells.toml",
            "variables/path.toml",
            "builtins/cd.toml",
            "commands/../lists/x.toml",
            "/commands/frob.toml",
            "commands/frob",
            "commands/.toml",
            "commands//frob.toml",
            "commands/a/b/c/d/e/f.toml",
            "commands/fr ob.toml",
            "tools/deploy.toml",
        ] {
            let text = good.replace(path, wrong);
            assert!(read(text.as_bytes()).is_err(), "{wrong}");
        }
        let long = good.replace("Frobs", &"x".repeat(65 << 10));
        assert_eq!(read(long.as_bytes()), Err(KNOWLEDGE));
        let more = good.replace("[[set.knowledge]]\n", "[[set.knowledge]]\nextra = 1\n");
        let unknown = Flaw::UnknownKey("set.knowledge.extra".to_owned());
        assert_eq!(read(more.as_bytes()), Err(unknown));
        let mut many = bundle();
        many.sets[0].knowledge = (0..129)
            .map(|it| Taught {
                path: format!("commands/c{it}.toml"),
                text: String::new(),
            })
            .collect();
        assert_eq!(read(write(&many).as_bytes()), Err(KNOWLEDGE));
    }
}
