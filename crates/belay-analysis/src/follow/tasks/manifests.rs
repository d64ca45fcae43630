//! Manifests of package managers: their scripts.

use serde_json::Value;

use super::want;

/// Returns a script of `package.json`, with what runs before and after it.
pub(super) fn npm(text: &str, name: &str) -> Vec<String> {
    scripts(
        text,
        "scripts",
        &[format!("pre{name}"), name.to_owned(), format!("post{name}")],
    )
}

/// Returns the file that is loaded in place of the folder of a `package.json`.
pub(crate) fn entry(text: &str) -> Option<String> {
    json(text)?.get("main")?.as_str().map(str::to_owned)
}

/// Returns scripts by their names.
pub(super) fn scripts(text: &str, table: &str, names: &[String]) -> Vec<String> {
    let Some(json) = json(text) else {
        return Vec::new();
    };
    let script = |name: &String| {
        let script = json.get(table)?.get(name)?;
        script
            .as_str()
            .or_else(|| script.get("command")?.as_str())
            .map(str::to_owned)
    };
    names.iter().filter_map(script).collect()
}

fn json(text: &str) -> Option<Value> {
    serde_json::from_str(text).ok().or_else(|| {
        let plain: Vec<&str> = text
            .lines()
            .filter(|it| !it.trim_start().starts_with("//"))
            .collect();
        serde_json::from_str(&plain.join("\n")).ok()
    })
}

/// Returns a script of `composer.json` and those it names with `@`.
pub(super) fn composer(text: &str, name: &str) -> Vec<String> {
    let Some(json) = json(text) else {
        return Vec::new();
    };
    let mut wanted = vec![name.to_owned()];
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(name) = wanted.get(at).cloned() {
        let script = json.get("scripts").and_then(|it| it.get(&name));
        for line in script.into_iter().flat_map(strings) {
            match line.strip_prefix('@') {
                Some(rest) if rest.starts_with("php ") || rest.starts_with("composer ") => {
                    found.push(rest.to_owned())
                }
                Some(rest) if rest.starts_with("putenv ") => {}
                Some(rest) => {
                    let next = rest
                        .split_whitespace()
                        .next()
                        .unwrap_or_default()
                        .to_owned();
                    want(&mut wanted, &next, &mut found);
                }
                // A method of a class is the project's own code.
                None if line.contains("::") && !line.contains(' ') => {}
                None => found.push(line.to_owned()),
            }
        }
        at += 1;
    }
    found
}

fn strings(value: &Value) -> Vec<&str> {
    match value {
        Value::String(text) => vec![text],
        Value::Array(items) => items.iter().filter_map(Value::as_str).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => Vec::new(),
    }
}

/// Returns a task of `mise.toml` and what it depends on.
pub(super) fn mise(text: &str, name: &str) -> Vec<String> {
    let Ok(table) = text.parse::<toml::Table>() else {
        return Vec::new();
    };
    let Some(tasks) = table.get("tasks") else {
        return Vec::new();
    };
    let mut wanted = vec![name.to_owned()];
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(name) = wanted.get(at).cloned() {
        at += 1;
        let Some(task) = tasks.get(&name) else {
            continue;
        };
        let run = task.get("run").unwrap_or(task);
        found.extend(words(run).into_iter().map(str::to_owned));
        for key in ["depends", "depends_post", "wait_for"] {
            for next in task.get(key).into_iter().flat_map(words) {
                let next = next
                    .split_whitespace()
                    .next()
                    .unwrap_or_default()
                    .to_owned();
                want(&mut wanted, &next, &mut found);
            }
        }
    }
    found
}

fn words(value: &toml::Value) -> Vec<&str> {
    match value {
        toml::Value::String(text) => vec![text],
        toml::Value::Array(items) => items.iter().filter_map(toml::Value::as_str).collect(),
        toml::Value::Integer(_)
        | toml::Value::Float(_)
        | toml::Value::Boolean(_)
        | toml::Value::Datetime(_)
        | toml::Value::Table(_) => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::{composer, mise, npm, scripts};

    #[test]
    fn scripts_of_npm_come_with_their_neighbours() {
        let text = r#"{"scripts": {"prex": "a", "x": "b", "posty": "c"}}"#;
        assert_eq!(npm(text, "x"), ["a", "b"]);
        assert_eq!(npm("not json", "x"), [""; 0]);
    }
    #[test]
    fn tasks_of_deno_may_be_tables() {
        let text = "{\n  // comment\n  \"tasks\": {\"x\": {\"command\": \"b\"}}}";
        assert_eq!(scripts(text, "tasks", &["x".to_owned()]), ["b"]);
    }
    #[test]
    fn scripts_of_composer_name_each_other() {
        let text =
            r#"{"scripts": {"x": ["@y", "App\\A::b", "@php a.php", "c"], "y": ["d", "@x"]}}"#;
        assert_eq!(composer(text, "x"), ["php a.php", "c", "d"]);
    }
    #[test]
    fn tasks_of_mise_depend_on_each_other() {
        let text = "[tasks]\ny = 'b'\n[tasks.x]\nrun = ['a', 'c']\ndepends = ['y', 'x']\n";
        assert_eq!(mise(text, "x"), ["a", "c", "b"]);
    }
}
