//! Justfiles: a recipe and what it depends on.

use belay_knowledge::OURS;

use super::want;
use crate::follow::language::{interpreter, is_shell};

#[derive(Default)]
struct Recipe<'a> {
    name: &'a str,
    needs: Vec<&'a str>,
    lines: Vec<&'a str>,
}

/// Returns the commands of a recipe and of what it depends on.
pub(super) fn recipes(text: &str, name: &str) -> Vec<String> {
    let (recipes, variables) = parse(text);
    let first = || recipes.first().map(|it| it.name);
    let known = |name: &str| recipes.iter().any(|it| it.name == name);
    let alias = variables
        .iter()
        .find(|(it, _)| *it == format!("alias {name}"))
        .map(|(_, of)| of.as_str());
    let start = if known(name) {
        Some(name)
    } else {
        alias.or_else(|| first().filter(|_| name == "default"))
    };
    let mut wanted: Vec<String> = start.into_iter().map(str::to_owned).collect();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(name) = wanted.get(at).cloned() {
        for recipe in recipes.iter().filter(|it| it.name == name) {
            found.extend(recipe.texts(&variables));
            for need in &recipe.needs {
                want(&mut wanted, need, &mut found);
            }
        }
        at += 1;
    }
    found
}

type Variables<'a> = Vec<(&'a str, String)>;

fn parse(text: &str) -> (Vec<Recipe<'_>>, Variables<'_>) {
    let mut recipes: Vec<Recipe<'_>> = Vec::new();
    let mut variables = Variables::new();
    for line in text.lines() {
        if line.starts_with([' ', '\t']) {
            if let Some(recipe) = recipes.last_mut() {
                recipe.lines.push(line.trim());
            }
        } else if let Some((name, value)) = line.split_once(":=") {
            let name = name.trim().trim_start_matches("export ");
            variables.push((name, plain(value.trim())));
        } else if let Some((head, needs)) = line
            .split_once(':')
            .filter(|_| !line.starts_with(['#', '[']))
        {
            let name = head
                .trim_start_matches('@')
                .split_whitespace()
                .next()
                .unwrap_or_default();
            let needs = needs
                .split(['(', ')', ' ', '&'])
                .filter(|it| !it.is_empty());
            recipes.push(Recipe {
                name,
                needs: needs.collect(),
                lines: Vec::new(),
            });
        }
    }
    (recipes, variables)
}

/// Reads a value: quoted text as itself, a command as what it prints, anything else as it stands.
fn plain(value: &str) -> String {
    if value.len() > 1 && value.starts_with('`') && value.ends_with('`') {
        return format!("$({})", value.trim_matches('`'));
    }
    value.trim_matches(['\'', '"']).to_owned()
}

impl Recipe<'_> {
    /// Each line is a shell of its own, except where the recipe is a script.
    fn texts(&self, variables: &Variables<'_>) -> Vec<String> {
        let Some(first) = self.lines.first() else {
            return Vec::new();
        };
        let filled = |line: &&str| filled(line, variables);
        match interpreter(first, &OURS) {
            Some(program) if !is_shell(program, &OURS) => Vec::new(),
            Some(_) => vec![
                self.lines
                    .iter()
                    .skip(1)
                    .map(filled)
                    .collect::<Vec<_>>()
                    .join("\n"),
            ],
            None => {
                let lines: Vec<String> = self.lines.iter().map(filled).collect();
                let joined = lines.join("\n").replace("\\\n", " ");
                joined
                    .lines()
                    .map(|it| it.trim_start_matches(['@', '-']).to_owned())
                    .collect()
            }
        }
    }
}

/// Puts values where `{{name}}` stands.
fn filled(line: &str, variables: &Variables<'_>) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some((before, (inner, after))) = rest
        .split_once("{{")
        .and_then(|(before, rest)| Some((before, rest.split_once("}}")?)))
    {
        out.push_str(before);
        let inner = inner.trim();
        match variables.iter().find(|(name, _)| *name == inner) {
            Some((_, value)) => out.push_str(value),
            None => {
                out.push_str(&environment(inner).unwrap_or_else(|| "\"$JUST_VALUE\"".to_owned()))
            }
        }
        rest = after;
    }
    out + rest
}

/// `env('HOME')` is the shell's `$HOME`.
fn environment(inner: &str) -> Option<String> {
    let rest = inner
        .strip_prefix("env_var")
        .or_else(|| inner.strip_prefix("env"))?;
    let name = rest
        .trim()
        .strip_prefix('(')?
        .split([')', ','])
        .next()?
        .trim()
        .trim_matches(['\'', '"']);
    Some(format!("${{{name}}}"))
}

#[cfg(test)]
mod tests {
    use super::recipes;

    const TEXT: &str = "out := 'build'\nalias c := clean\n\n# all\n@default: clean\n    echo done\n\nclean target='x': (prepare \"a\")\n    -rm -rf {{out}}\n    rm -rf {{env('HOME')}}/x\n\nprepare a:\n    #!/usr/bin/env bash\n    set -e\n    mkdir {{a}}\n";

    fn check(name: &str, expected: &[&str]) {
        assert_eq!(recipes(TEXT, name), expected);
    }

    #[test]
    fn dependencies_come_too() {
        check(
            "clean",
            &[
                "rm -rf build",
                "rm -rf ${HOME}/x",
                "set -e\nmkdir \"$JUST_VALUE\"",
            ],
        );
        check(
            "c",
            &[
                "rm -rf build",
                "rm -rf ${HOME}/x",
                "set -e\nmkdir \"$JUST_VALUE\"",
            ],
        );
        assert_eq!(
            recipes(TEXT, "default").first().map(String::as_str),
            Some("echo done")
        );
        check("nobody", &[]);
    }
}
