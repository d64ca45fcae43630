//! Lists of words: facts that belong to no single command.

use toml::de::DeValue;

use super::pack::Pack;
use super::source::{Placed, Source};
use super::{Bound, Work};

/// Reads every list and stores its words under the name of its file; beside them the programs that commands are
/// bound to.
pub fn table(work: &mut Work<'_>, pack: &mut Pack, bound: Vec<Bound>) -> (u32, u32) {
    let mut entries = Vec::new();
    for Bound { name, path } in bound {
        entries.push((format!("bound-programs {name}"), pack.texts(&[path])));
    }
    for file in std::mem::take(&mut work.lists) {
        let mut source = Source::new(&file.shown, &file.text);
        let name = file.path.rsplit('/').next().unwrap_or_default();
        let name = name.trim_end_matches(".toml");
        for (word, said) in words(&mut source) {
            let said: Vec<String> = said.into_iter().map(|it| it.text).collect();
            entries.push((format!("{name} {}", word.text), pack.texts(&said)));
        }
        work.faults.append(&mut source.faults);
    }
    pack.listed(entries)
}

/// Returns the words of a list, each with what is said of it.
fn words(source: &mut Source<'_>) -> Vec<(Placed, Vec<Placed>)> {
    let Some(table) = source.parse() else {
        return Vec::new();
    };
    source.only(&table, &["about", "words"]);
    if source.member(&table, "about").is_none() {
        source.fault(0..0, "no `about`", "say in one sentence what the words are");
    }
    match table.get("words").map(toml::Spanned::get_ref) {
        Some(DeValue::Table(_)) => {
            let entries = source.entries(&table, "words").into_iter();
            entries.map(|(key, it)| (key, source.strings(it))).collect()
        }
        Some(_) => {
            let all = source.members(&table, "words").into_iter();
            all.map(|it| (it, Vec::new())).collect()
        }
        None => {
            source.fault(0..0, "no `words`", "write `words = [\"...\"]`");
            Vec::new()
        }
    }
}
