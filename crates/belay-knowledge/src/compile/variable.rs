//! Files of variables.

use std::collections::BTreeMap;

use super::check::filled;
use super::effect::effects;
use super::level::read_examples;
use super::model::Variable;
use super::pack::Pack;
use super::source::Source;
use super::{File, Work};

/// Reads and packs all variables' files.
pub fn table<'t>(work: &mut Work<'t>, pack: &mut Pack) -> (u32, u32) {
    let mut entries = Vec::new();
    let mut names: BTreeMap<String, &'t str> = BTreeMap::new();
    let files = std::mem::take(&mut work.variables);
    let read = files
        .iter()
        .filter_map(|file| Some((*file, read(work, file)?)));
    let read: Vec<(&'t File, Variable)> = read.collect();
    let harmless: BTreeMap<&str, Vec<String>> = read
        .iter()
        .map(|(file, it)| (stem(file), it.harmless.clone()))
        .collect();
    for (file, mut variable) in read {
        if let Some(like) = &variable.like {
            match harmless.get(like.text.as_str()) {
                Some(values) => variable.harmless.extend(values.iter().cloned()),
                None => {
                    let mut source = Source::new(&file.shown, &file.text);
                    let what = format!("no file of variables is called `{}`", like.text);
                    source.fault(like.span.clone(), what, "name one without `.toml`");
                    work.faults.append(&mut source.faults);
                }
            }
        }
        let at = pack.variable(&variable);
        for name in variable.names {
            if let Some(other) = names.insert(name.text.clone(), &file.shown) {
                let mut source = Source::new(&file.shown, &file.text);
                let what = format!("the variable `{}` has a file already", name.text);
                source.fault(name.span, what, format!("see `{other}`"));
                work.faults.append(&mut source.faults);
            }
            entries.push((name.text, at));
        }
    }
    pack.table(entries)
}

/// Returns the name that other files call a file by.
fn stem(file: &File) -> &str {
    let name = file.path.rsplit('/').next().unwrap_or_default();
    name.trim_end_matches(".toml")
}

fn read(work: &mut Work<'_>, file: &File) -> Option<Variable> {
    let mut source = Source::new(&file.shown, &file.text);
    let table = source.parse();
    let variable = table.map(|table| {
        source.only(
            &table,
            &[
                "about", "names", "effects", "like", "harmless", "secret", "examples",
            ],
        );
        read_examples(&mut source, &table);
        let written = source.members(&table, "effects");
        Variable {
            names: source.members(&table, "names"),
            about: source
                .member(&table, "about")
                .map_or_else(String::new, |it| it.text),
            effects: effects(&mut source, written, &|_| false),
            harmless: table
                .get("harmless")
                .map(|it| {
                    if let toml::de::DeValue::Array(items) = it.get_ref() {
                        items
                            .iter()
                            .filter_map(|it| source.string(it))
                            .map(|it| it.text)
                            .collect()
                    } else {
                        source.strings(it).into_iter().map(|it| it.text).collect()
                    }
                })
                .unwrap_or_default(),
            like: source.member(&table, "like"),
            secret: source.switch(&table, "secret"),
        }
    });
    if let Some(variable) = &variable {
        check(&mut source, variable);
    }
    let examples = std::mem::take(&mut source.examples);
    work.keep(&source, examples);
    work.faults.append(&mut source.faults);
    variable
}

fn check(source: &mut Source<'_>, variable: &Variable) {
    if variable.names.is_empty() {
        source.fault(0..0, "no `names`", "write `names = [\"PAGER\"]`");
    }
    if variable.about.is_empty() || variable.about.len() > 255 {
        source.fault(0..0, "no `about` of one sentence", "say what they are");
    }
    let scopes = [vec!["NAME".to_owned(), "VALUE".to_owned()]];
    for effect in &variable.effects {
        filled(source, effect, &scopes);
    }
}
