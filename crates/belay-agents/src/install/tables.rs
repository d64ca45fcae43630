//! Our items and members in TOML settings.

use std::path::Path;

use belay_journal::json;
use belay_model::Value;
use toml_edit::{ArrayOfTables, DocumentMut, Item, Table, value};

use super::InstallError;
use super::registration::{Texts, is_ours};
use super::way::{Claim, Planned, Settings};
use crate::Agent;

/// Returns the settings with all that is ours in them.
pub(super) fn with(agent: Agent, before: Option<&str>, ours: &Settings) -> Planned<String> {
    let mut document = document(&ours.path, before)?;
    for member in &ours.members {
        let (table, name) = above(&mut document, &ours.path, &member.path)?;
        let there = table.get(name).map(read);
        let stays = match member.claim {
            Claim::AnyValue | Claim::IfFree => there.is_some(),
            Claim::Exactly => there.as_ref() == Some(&member.value),
        };
        if !stays {
            table.insert(name, written(&member.value));
        }
    }
    for entry in &ours.entries {
        let (table, name) = above(&mut document, &ours.path, &entry.path)?;
        let list = table
            .entry(name)
            .or_insert_with(|| Item::ArrayOfTables(ArrayOfTables::new()));
        let list = list
            .as_array_of_tables_mut()
            .ok_or_else(|| odd(&ours.path, name))?;
        if list.iter().any(|it| read_table(it) == entry.item) {
            continue;
        }
        list.retain(|it| !is_ours(agent, &json::compact(&read_table(it))));
        list.push(table_of(&entry.item));
    }
    Ok(document.to_string())
}

/// Returns the settings without all that leaves with us.
pub(super) fn without(agent: Agent, texts: Texts<'_>, ours: &Settings) -> Planned<String> {
    let mut now = document(&ours.path, Some(texts.now))?;
    let mut before = document(&ours.path, texts.before)?;
    for entry in &ours.entries {
        let (table, name) = above(&mut now, &ours.path, &entry.path)?;
        if let Some(list) = table.get_mut(name).and_then(Item::as_array_of_tables_mut) {
            list.retain(|it| !is_ours(agent, &json::compact(&read_table(it))));
            if list.is_empty() {
                table.remove(name);
            }
        }
    }
    for member in ours.members.iter().filter(|it| it.claim == Claim::Exactly) {
        let (table, name) = above(&mut before, &ours.path, &member.path)?;
        let was_there = table.contains_key(name);
        let (table, name) = above(&mut now, &ours.path, &member.path)?;
        if !was_there && table.get(name).map(read).as_ref() == Some(&member.value) {
            table.remove(name);
        }
    }
    let root = now.as_table_mut();
    let empty: Vec<String> = root
        .iter()
        .filter(|(_, it)| it.as_table().is_some_and(Table::is_empty))
        .map(|(name, _)| name.to_owned())
        .collect();
    for name in empty {
        root.remove(&name);
    }
    Ok(now.to_string())
}

fn document(path: &Path, text: Option<&str>) -> Planned<DocumentMut> {
    let text = text.unwrap_or_default();
    text.parse().map_err(|error: toml_edit::TomlError| {
        InstallError::NotToml(path.to_owned(), error.message().to_owned())
    })
}

fn odd(path: &Path, name: &str) -> InstallError {
    InstallError::NotToml(path.to_owned(), format!("`{name}` has an unexpected shape"))
}

/// Returns the table that holds the last name of a path, made where it is missing.
fn above<'a, 'b>(
    document: &'a mut DocumentMut,
    file: &Path,
    path: &[&'b str],
) -> Planned<(&'a mut Table, &'b str)> {
    let (name, folders) = path.split_last().ok_or_else(|| odd(file, ""))?;
    let mut table = document.as_table_mut();
    for folder in folders {
        let item = table.entry(folder).or_insert_with(|| {
            let mut made = Table::new();
            made.set_implicit(true);
            Item::Table(made)
        });
        table = item.as_table_mut().ok_or_else(|| odd(file, folder))?;
    }
    Ok((table, name))
}

fn written(item: &Value) -> Item {
    match item {
        Value::Bool(it) => value(*it),
        Value::Number(it) => value(it.parse::<i64>().unwrap_or_default()),
        Value::String(it) => value(it.as_str()),
        Value::Object(_) => Item::Table(table_of(item)),
        Value::Array(items) => {
            let mut list = ArrayOfTables::new();
            items.iter().for_each(|it| list.push(table_of(it)));
            Item::ArrayOfTables(list)
        }
        Value::Null => Item::None,
    }
}

fn table_of(item: &Value) -> Table {
    let mut table = Table::new();
    for (name, member) in item.members().unwrap_or_default() {
        table.insert(name, written(member));
    }
    table
}

fn read_table(table: &Table) -> Value {
    let members = table.iter().map(|(name, it)| (name.to_owned(), read(it)));
    Value::Object(members.collect())
}

/// Reads what we may have written ourselves; anything else is `null` and equals nothing of ours.
fn read(item: &Item) -> Value {
    if let Some(text) = item.as_str() {
        return text.into();
    }
    if let Some(number) = item.as_integer() {
        return Value::Number(number.to_string());
    }
    if let Some(it) = item.as_bool() {
        return Value::Bool(it);
    }
    if let Some(table) = item.as_table() {
        return read_table(table);
    }
    match item.as_array_of_tables() {
        Some(list) => Value::Array(list.iter().map(read_table).collect()),
        None => Value::Null,
    }
}
