//! Commands: one table with its flags, values and sub-commands.

use std::collections::BTreeMap;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::effect::effects;
use super::model::{
    Actions, Arity, Case, Dialect, Effect, Example, Flag, Form, Item, Level, Output, ValueCase,
};
use super::source::{Placed, Source, in_order, nearest};
use super::spelling::{self, Spelled};
use super::usage;
use super::{facts, prints, unread};

const KEYS: &[&str] = &[
    "about",
    "names",
    "same",
    "same_names",
    "same_flags",
    "usage",
    "effects",
    "inert",
    "examined",
    "unread",
    "bound",
    "defaults",
    "flags",
    "values",
    "examples",
    "form",
    "sub",
    "inherit",
    "default",
    "otherwise",
    "dialect",
    "skip",
    "open",
    "output",
    "prints",
    "does",
    "reads_input",
    "remote",
    "alias",
    "scripts",
    "packages",
];

/// Where a level stands: what its parent says.
#[derive(Clone, Copy)]
pub struct Standing {
    pub dialect: Dialect,
    /// Tells that sub-commands lie in files of their own.
    pub parent: bool,
}

/// Reads one command's table, and adds its examples.
pub fn level(source: &mut Source<'_>, table: &DeTable<'_>, standing: Standing) -> Level {
    source.only(table, KEYS);
    let dialect = dialect(source, table).unwrap_or(standing.dialect);
    let names = source.members(table, "names");
    let parent = standing.parent || table.contains_key("sub");
    let payloads = payloads(table);
    let is_payload = |slot: &str| slot == "COMMAND" || payloads.iter().any(|it| it == slot);
    let ground = Ground {
        parent,
        dialect,
        payload: &is_payload,
    };
    let mut level = Level {
        file: None,
        names,
        same: source.members(table, "same"),
        same_names: source.members(table, "same_names"),
        about: source
            .member(table, "about")
            .map_or_else(String::new, |it| it.text),
        dialect,
        inherit: source.switch(table, "inherit"),
        open: source.switch(table, "open"),
        assignments: assignments(source, table),
        output: source
            .member(table, "output")
            .and_then(|it| output(source, it)),
        prints: Vec::new(),
        deeds: facts::deeds(source, table),
        input: source.member(table, "reads_input"),
        remote: source.members(table, "remote"),
        defaults: facts::defaults(source, table),
        bound: unread::bound(source, table),
        alias: source
            .member(table, "alias")
            .map_or_else(Vec::new, |it| it.words()),
        scripts: source.members(table, "scripts"),
        packages: source.members(table, "packages"),
        forms: forms(source, table, ground),
        flags: Vec::new(),
        values: Vec::new(),
        subs: Vec::new(),
        default: source.member(table, "default"),
        otherwise: source.member(table, "otherwise"),
    };
    level.flags = flags(source, table, ground);
    level.prints = prints::read(source, table, &level.flags);
    level.values = values(source, table, &is_payload);
    read_examples(source, table);
    level.subs = subs(source, table, dialect);
    level
}

fn dialect(source: &mut Source<'_>, table: &DeTable<'_>) -> Option<Dialect> {
    let word = source.member(table, "dialect")?;
    let found = Dialect::ALL.iter().find(|(name, _)| *name == word.text);
    if found.is_none() {
        let names: Vec<&str> = Dialect::ALL.iter().map(|(name, _)| *name).collect();
        let hint = format!(
            "dialects are `{}`{}",
            names.join("`, `"),
            nearest(&word.text, &names)
        );
        source.fault(word.span, format!("unknown dialect `{}`", word.text), hint);
    }
    found.map(|(_, dialect)| *dialect)
}

fn assignments(source: &mut Source<'_>, table: &DeTable<'_>) -> bool {
    match source.member(table, "skip") {
        None => false,
        Some(it) if it.text == "assignments" => true,
        Some(it) => {
            source.fault(
                it.span,
                format!("cannot skip `{}`", it.text),
                "write `skip = \"assignments\"`",
            );
            false
        }
    }
}

fn output(source: &mut Source<'_>, word: Placed) -> Option<Output> {
    match word.text.split_once(' ') {
        Some(("paths", slot)) => Some(Output::Paths(Placed {
            text: slot.trim().trim_end_matches("...").to_owned(),
            span: word.span,
        })),
        None if word.text == "content" => Some(Output::Content),
        None if word.text == "facts" => Some(Output::Facts),
        None if word.text == "nothing" => Some(Output::Nothing),
        None if word.text == "line" => Some(Output::Line),
        None if word.text == "lines" => Some(Output::Lines),
        None if word.text == "names" => Some(Output::Names),
        None if word.text == "ids" => Some(Output::Ids),
        None if word.text == "entries" => Some(Output::Entries),
        None if word.text == "refs" => Some(Output::Refs),
        Some(_) | None => {
            let what = format!("`{}` is not an output", word.text);
            source.fault(
                word.span,
                what,
                "outputs are `content`, `entries`, `facts`, `ids`, `line`, `lines`, `names`, `nothing`, `paths SLOT`, `refs`",
            );
            None
        }
    }
}

/// Returns the slots that some effect of the table runs as words: `run CMD...`, or reads as words of a
/// shell.
fn payloads(table: &DeTable<'_>) -> Vec<String> {
    let mut out = Vec::new();
    let mut look = |text: &str| {
        let mut words = text.split_whitespace();
        let found = match (words.next(), words.next(), words.next()) {
            (Some("run"), Some(slot), _) => slot.strip_suffix("..."),
            (Some("eval"), Some("shell"), Some(slot)) => Some(slot.trim_end_matches("...")),
            _ => None,
        };
        out.extend(found.map(str::to_owned));
    };
    let values = table.iter().filter(|(key, _)| key.get_ref() != "sub");
    let mut todo: Vec<&DeValue<'_>> = values.map(|(_, value)| value.get_ref()).collect();
    while let Some(value) = todo.pop() {
        match value {
            DeValue::String(text) => look(text),
            DeValue::Array(items) => todo.extend(items.iter().map(Spanned::get_ref)),
            DeValue::Table(inner) => todo.extend(inner.values().map(Spanned::get_ref)),
            DeValue::Integer(_)
            | DeValue::Float(_)
            | DeValue::Boolean(_)
            | DeValue::Datetime(_) => {}
        }
    }
    out
}

type IsPayload<'a> = &'a dyn Fn(&str) -> bool;

/// What the rest of a table says of its forms and flags.
#[derive(Clone, Copy)]
struct Ground<'a> {
    parent: bool,
    dialect: Dialect,
    payload: IsPayload<'a>,
}

fn forms(source: &mut Source<'_>, table: &DeTable<'_>, ground: Ground<'_>) -> Vec<Form> {
    let Some(value) = table.get("form") else {
        return vec![form(source, table, ground)];
    };
    for key in ["usage", "effects"] {
        if let Some(it) = table.get(key) {
            source.fault(
                it.span(),
                format!("`{key}` beside `[[form]]`"),
                "give each form its own",
            );
        }
    }
    let DeValue::Array(items) = value.get_ref() else {
        source.fault(
            value.span(),
            "`form` is not a list of tables",
            "write `[[form]]`",
        );
        return Vec::new();
    };
    let mut out = Vec::new();
    for item in items.iter() {
        if let DeValue::Table(inner) = item.get_ref() {
            source.only(inner, &["usage", "effects"]);
            out.push(form(source, inner, ground));
        }
    }
    out
}

fn form(source: &mut Source<'_>, table: &DeTable<'_>, ground: Ground<'_>) -> Form {
    let usage = source.member(table, "usage");
    let mut items: Vec<Item> =
        usage.map_or_else(Vec::new, |it| usage::items(source, &it, ground.parent));
    if let Some(last) = items.last_mut() {
        last.payload = last.many && (ground.payload)(&last.slot);
    }
    let last = items
        .last()
        .filter(|it| it.payload)
        .map(|it| it.slot.clone());
    let written = source.members(table, "effects");
    let effects = effects(source, written, &|slot| Some(slot) == last.as_deref());
    Form { items, effects }
}

fn actions(
    source: &mut Source<'_>,
    value: &Spanned<DeValue<'_>>,
    payload: IsPayload<'_>,
) -> Actions {
    let DeValue::Table(table) = value.get_ref() else {
        let written = source.strings(value);
        return Actions {
            also: effects(source, written, payload),
            ..Actions::default()
        };
    };
    source.only(table, &["also", "instead", "drops", "spares", "output"]);
    let mut list = |key: &str| -> Option<Vec<Effect>> {
        table.get(key)?;
        let written = source.members(table, key);
        Some(effects(source, written, payload))
    };
    let also = list("also").unwrap_or_default();
    let instead = list("instead");
    let drops = list("drops").unwrap_or_default();
    let spares = list("spares");
    Actions {
        also,
        instead,
        drops,
        spares,
        output: source
            .member(table, "output")
            .and_then(|it| output(source, it)),
    }
}

/// What one key of a table says of one spelling.
struct Said {
    key: usize,
    arity: Arity,
    slots: Vec<String>,
    case: Case,
}

fn flags(source: &mut Source<'_>, table: &DeTable<'_>, ground: Ground<'_>) -> Vec<Flag> {
    let mut all = inert(source, table, ground.dialect);
    all.extend(unread::flags(source, table, ground.dialect));
    all.extend(acting(source, table, ground));
    let mut said: BTreeMap<String, Vec<Said>> = BTreeMap::new();
    for (key, (spelled, case, fills)) in all.into_iter().enumerate() {
        for (spelling, arity) in spelled.spellings {
            let fills = fills && arity != Arity::None;
            let names = spelled.names.iter().filter(|_| fills);
            said.entry(spelling).or_default().push(Said {
                key,
                arity,
                slots: names.cloned().collect(),
                case: case.clone(),
            });
        }
    }
    group(source, said)
}

/// Reads the flags that do nothing and fill nothing: the list, and those whose names say otherwise.
fn inert(
    source: &mut Source<'_>,
    table: &DeTable<'_>,
    dialect: Dialect,
) -> Vec<(Spelled, Case, bool)> {
    let mut keys: Vec<Placed> = source.member(table, "inert").into_iter().collect();
    for (key, why) in source.entries(table, "examined") {
        if source.string(why).is_some_and(|it| it.text.is_empty()) {
            let hint = "say in a few words why it neither runs, writes, sends nor configures";
            source.fault(
                key.span.clone(),
                format!("no reason for `{}`", key.text),
                hint,
            );
        }
        keys.push(key);
    }
    let mut out = Vec::new();
    for key in keys {
        let spelled = spelling::flags(source, &key, dialect).into_iter();
        out.extend(spelled.map(|it| {
            let case = Case {
                values: it.values.clone(),
                actions: Actions::default(),
                key: key.clone(),
            };
            (it, case, false)
        }));
    }
    out
}

/// Reads the flags that do something or fill a slot.
fn acting(
    source: &mut Source<'_>,
    table: &DeTable<'_>,
    ground: Ground<'_>,
) -> Vec<(Spelled, Case, bool)> {
    let mut out = Vec::new();
    for (key, value) in source.entries(table, "flags") {
        let spelled = spelling::flags(source, &key, ground.dialect);
        // A flag's `COMMAND;` or `REST...` value is a payload of its own.
        let own: Vec<String> = spelled
            .iter()
            .filter(|it| it.takes_words())
            .flat_map(|it| it.names.clone())
            .collect();
        let is_payload = |slot: &str| {
            own.iter().any(|it| it == slot) || ((ground.payload)(slot) && own.is_empty())
        };
        let actions = actions(source, value, &is_payload);
        out.extend(spelled.into_iter().map(|it| {
            let case = Case {
                values: it.values.clone(),
                actions: actions.clone(),
                key: key.clone(),
            };
            (it, case, true)
        }));
    }
    out
}

fn group(source: &mut Source<'_>, said: BTreeMap<String, Vec<Said>>) -> Vec<Flag> {
    let mut out: BTreeMap<(Vec<usize>, u8), Flag> = BTreeMap::new();
    for (spelling, all) in said {
        let general: Vec<&Said> = all.iter().filter(|it| it.case.values.is_none()).collect();
        if let [_, second, ..] = general.as_slice() {
            let span = second.case.key.span.clone();
            source.fault(
                span,
                format!("flag `{spelling}` is listed twice"),
                "keep one; two keys may speak for different values: `-X=GET|HEAD` and `-X=METHOD`",
            );
        }
        let lead = general.first().copied().or_else(|| all.first());
        let Some(lead) = lead else { continue };
        let (arity, slots) = (lead.arity, lead.slots.clone());
        let keys = all.iter().map(|it| it.key).collect();
        let flag = out.entry((keys, arity as u8)).or_insert_with(|| {
            let mut cases: Vec<Case> = all.into_iter().map(|it| it.case).collect();
            cases.sort_by_key(|it| it.values.is_none());
            Flag {
                spellings: Vec::new(),
                arity,
                slots,
                cases,
            }
        });
        flag.spellings.push(spelling);
    }
    out.into_values().collect()
}

fn values(source: &mut Source<'_>, table: &DeTable<'_>, payload: IsPayload<'_>) -> Vec<ValueCase> {
    let mut out = Vec::new();
    for (key, value) in source.entries(table, "values") {
        let Some((slot, patterns)) = key.text.split_once('=') else {
            source.fault(
                key.span,
                "no `=` in a key of `[values]`",
                "write `SLOT=value|other*`",
            );
            continue;
        };
        let case = Case {
            values: Some(patterns.split('|').map(str::to_owned).collect()),
            actions: actions(source, value, payload),
            key: key.clone(),
        };
        out.push(ValueCase {
            slot: slot.to_owned(),
            case,
        });
    }
    out
}

fn subs(source: &mut Source<'_>, table: &DeTable<'_>, dialect: Dialect) -> Vec<Level> {
    let mut out = Vec::new();
    for (key, value) in source.entries(table, "sub") {
        let DeValue::Table(inner) = value.get_ref() else {
            source.fault(
                key.span,
                format!("`{}` is not a table", key.text),
                "write `[sub.NAME]`",
            );
            continue;
        };
        let standing = Standing {
            dialect: dialect.inherited(),
            parent: false,
        };
        let mut sub = level(source, inner, standing);
        if sub.names.is_empty() {
            sub.names = key
                .text
                .split('|')
                .map(|it| Placed {
                    text: it.trim().to_owned(),
                    span: key.span.clone(),
                })
                .collect();
        }
        out.push(sub);
    }
    out
}

/// Reads `[examples]`.
pub fn read_examples(source: &mut Source<'_>, table: &DeTable<'_>) {
    let Some(value) = table.get("examples") else {
        return;
    };
    let DeValue::Table(inner) = value.get_ref() else {
        source.fault(
            value.span(),
            "`examples` is not a table",
            "write `[examples]`",
        );
        return;
    };
    for (command, value) in in_order(inner) {
        let effects = source.strings(value);
        for line in &effects {
            if let Err(error) = belay_model::parse_effect(&line.text) {
                source.fault(
                    line.span.clone(),
                    error.to_string(),
                    "an example lists effects in the notation: `write ./a`",
                );
            }
        }
        source.examples.push(Example { command, effects });
    }
}
