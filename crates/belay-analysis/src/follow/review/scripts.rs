//! Workflows, recipes, images: the shell text in them.

use super::Piece;

/// Finds what counts in a workflow, or in a part of one.
pub(super) fn workflow(text: &str, found: &mut Vec<Piece>) {
    let secrets = bound(text);
    for step in steps(text) {
        found.push(Piece::May(filled(&step, &secrets)));
    }
    for line in text
        .lines()
        .map(str::trim)
        .filter(|it| !it.starts_with('#'))
    {
        let key = line.trim_start_matches("- ").trim_end_matches(':').trim();
        let listed = |name: &str| {
            line.starts_with("on:") && line.split([' ', '[', ']', ',', ':']).any(|it| it == name)
        };
        if key == "pull_request_target" || listed("pull_request_target") {
            found.push(Piece::Setting("workflow", "pull_request_target"));
        }
        if line.starts_with("permissions:") && line.contains("write-all") {
            found.push(Piece::Setting("workflow", "write-all"));
        }
        if line
            .to_lowercase()
            .replace(' ', "")
            .contains("tojson(secrets)")
        {
            found.push(Piece::Setting("workflow", "secrets"));
        }
    }
}

/// Returns the texts that run: after `run:` or `script:`, on the line or below it.
fn steps(text: &str) -> Vec<String> {
    let mut steps: Vec<String> = Vec::new();
    let mut open: Option<usize> = None;
    for line in text.lines() {
        let body = line.trim_start();
        let indent = line.len() - body.len();
        if let Some(outer) = open {
            if body.is_empty() || indent > outer {
                if let Some(step) = steps.last_mut() {
                    step.push_str(body.strip_prefix("- ").unwrap_or(body));
                    step.push('\n');
                }
                continue;
            }
            open = None;
        }
        let plain = body.strip_prefix("- ").unwrap_or(body);
        let keys = [
            "run:",
            "script:",
            "before_script:",
            "after_script:",
            "command:",
            "bash:",
            "inlineScript:",
        ];
        if let Some(rest) = keys.iter().find_map(|it| plain.strip_prefix(it)) {
            let rest = rest.trim();
            if rest.is_empty() || rest.starts_with(['|', '>']) {
                steps.push(String::new());
                open = Some(indent);
            } else {
                steps.push(unquoted(rest).to_owned());
            }
        } else if !body.is_empty() && !is_yaml(plain) {
            // A part of a file may begin inside a step.
            steps.push(body.to_owned());
        }
    }
    steps
}

fn is_yaml(body: &str) -> bool {
    let key = body.split_once(':').map(|(key, _)| key);
    body.starts_with('#')
        || body == "-"
        || key.is_some_and(|it| !it.is_empty() && !it.contains([' ', '$', '/', '|', '(']))
        || body.starts_with(['[', ']', '{', '}', '"', '\''])
}

fn unquoted(text: &str) -> &str {
    let inner = |quote: char| text.strip_prefix(quote)?.strip_suffix(quote);
    inner('"').or_else(|| inner('\'')).unwrap_or(text)
}

/// Returns the names of variables that hold secrets of the forge.
fn bound(text: &str) -> Vec<&str> {
    let names = text.lines().filter(|it| it.contains("secrets."));
    names
        .filter_map(|it| it.trim().split_once(':').map(|(name, _)| name))
        .filter(|it| !it.is_empty() && it.chars().all(|it| it.is_ascii_alphanumeric() || it == '_'))
        .collect()
}

/// Writes a step as a shell would get it: expressions are values, those of secrets secret ones.
fn filled(step: &str, secrets: &[&str]) -> String {
    const SECRET: &str = "${FORGE_SECRET_TOKEN}";
    let mut out = String::new();
    for name in secrets {
        if step.contains(&format!("${name}")) || step.contains(&format!("${{{name}")) {
            out.push_str(&format!("{name}={SECRET}\n"));
        }
    }
    let mut rest = step;
    while let Some((before, (inner, after))) = rest
        .split_once("${{")
        .and_then(|(before, rest)| Some((before, rest.split_once("}}")?)))
    {
        out.push_str(before);
        let inner = inner.trim();
        let name = inner
            .strip_prefix("env.")
            .filter(|it| it.chars().all(|it| it.is_ascii_alphanumeric() || it == '_'));
        match name {
            Some(name) => out.push_str(&format!("${{{name}}}")),
            None if inner.contains("secrets") || inner.contains("github.token") => {
                out.push_str(SECRET)
            }
            None => out.push_str("${WORKFLOW_VALUE}"),
        }
        rest = after;
    }
    out + rest
}

/// Finds the commands of recipes: lines that are indented, and what follows `cmds:` in a task file.
pub(super) fn recipes(text: &str, found: &mut Vec<Piece>) {
    let joined = text.replace("\\\n", " ");
    for line in joined.lines().filter(|it| it.starts_with(['\t', ' '])) {
        let line = line.trim().trim_start_matches(['@', '-', '+', ' ']);
        let line = line.strip_prefix("cmd:").unwrap_or(line).trim();
        if line.contains(' ') && !line.starts_with('#') {
            let shell = line
                .replace("$$", "\u{1}")
                .replace("$(HOME)", "$HOME")
                .replace("${HOME}", "$HOME");
            found.push(Piece::May(shell.replace('\u{1}', "$")));
        }
    }
}

/// Finds the commands that an image runs while it is built.
pub(super) fn image(text: &str, found: &mut Vec<Piece>) {
    let joined = text.replace("\\\r\n", " ").replace("\\\n", " ");
    for line in joined.lines().map(str::trim) {
        let Some((word, rest)) = line.split_once(char::is_whitespace) else {
            continue;
        };
        if !word.eq_ignore_ascii_case("run") {
            continue;
        }
        let mut rest = rest.trim();
        while let Some((_, after)) = rest.split_once(' ').filter(|_| rest.starts_with("--")) {
            rest = after.trim_start();
        }
        found.push(Piece::May(rest.to_owned()));
    }
}

/// Finds attributes that start programs.
pub(super) fn attributes(text: &str, found: &mut Vec<Piece>) {
    for line in text.lines().filter(|it| !it.trim_start().starts_with('#')) {
        for word in line.split_whitespace().skip(1) {
            let ours = [
                "filter=lfs",
                "diff=lfs",
                "merge=lfs",
                "merge=union",
                "merge=ours",
                "merge=binary",
            ];
            let starts = ["filter=", "merge="].iter().any(|it| word.starts_with(it));
            if starts && !ours.contains(&word) {
                found.push(Piece::Setting("git", "filter"));
            }
        }
    }
}
