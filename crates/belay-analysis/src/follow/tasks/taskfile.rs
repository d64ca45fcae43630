//! Taskfiles: the commands of a task and of what it depends on.

use super::want;
use crate::follow::yaml::{self, Yaml};

/// Returns the commands of a task and of the tasks it names.
pub(super) fn commands(text: &str, name: &str) -> Vec<String> {
    let Some(file) = yaml::read(text) else {
        return Vec::new();
    };
    let Some(tasks) = file.get("tasks") else {
        return Vec::new();
    };
    let mut wanted = vec![name.to_owned()];
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(task) = wanted.get(at).and_then(|it| tasks.get(it)) {
        let mut steps = Steps {
            texts: Vec::new(),
            tasks: Vec::new(),
        };
        steps.task(task);
        let folder = task.get("dir").and_then(Yaml::text);
        found.extend(
            steps
                .texts
                .iter()
                .map(|it| filled(it, &[task, &file], folder)),
        );
        for next in steps.tasks {
            if tasks.get(&next).is_some() {
                want(&mut wanted, &next, &mut found);
            }
        }
        at += 1;
    }
    found
}

struct Steps {
    texts: Vec<String>,
    tasks: Vec<String>,
}

impl Steps {
    fn task(&mut self, task: &Yaml) {
        match task {
            Yaml::Text(_) | Yaml::List(_) => self.command(task),
            Yaml::Map(_) => {
                for needed in task.get("deps").into_iter().flat_map(Yaml::items) {
                    self.tasks.extend(
                        needed
                            .text()
                            .or_else(|| needed.get("task")?.text())
                            .map(str::to_owned),
                    );
                }
                for name in ["cmd", "cmds"] {
                    task.get(name).into_iter().for_each(|it| self.command(it));
                }
            }
        }
    }

    fn command(&mut self, command: &Yaml) {
        match command {
            Yaml::Text(text) => self.texts.push(text.clone()),
            Yaml::List(items) => items.iter().for_each(|it| self.command(it)),
            Yaml::Map(_) => {
                self.tasks
                    .extend(command.get("task").and_then(Yaml::text).map(str::to_owned));
                for name in ["cmd", "defer"] {
                    command
                        .get(name)
                        .into_iter()
                        .for_each(|it| self.command(it));
                }
            }
        }
    }
}

/// Puts the values of variables where `{{.NAME}}` stands; one that is not plain is the environment's.
fn filled(text: &str, places: &[&Yaml], folder: Option<&str>) -> String {
    let mut out = folder.map_or_else(String::new, |it| format!("cd {it}\n"));
    let mut rest = text;
    while let Some((before, (inner, after))) = rest
        .split_once("{{")
        .and_then(|(before, rest)| Some((before, rest.split_once("}}")?)))
    {
        out.push_str(before);
        let name = inner.trim().trim_start_matches('.');
        let value = places
            .iter()
            .find_map(|it| it.get("vars")?.get(name)?.text());
        let is_name = !name.is_empty()
            && name
                .chars()
                .all(|it| it.is_ascii_alphanumeric() || it == '_');
        match value {
            Some(value) if !value.contains("{{") => out.push_str(value),
            None if is_name => out.push_str(&format!("${{{name}}}")),
            Some(_) | None => out.push_str("\"$TASK_VALUE\""),
        }
        rest = after;
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::commands;

    const TEXT: &str = "version: '3'\nvars:\n  OUT: build\ntasks:\n  default: echo hi\n  clean:\n    deps: [prepare]\n    cmds:\n      - rm -rf {{.OUT}}\n      - task: more\n      - cmd: rm -rf {{.HOME}}/x\n        silent: true\n  prepare:\n    dir: sub\n    cmds:\n      - |\n        set -e\n        mkdir a\n  more:\n    - echo more\n";

    fn check(name: &str, expected: &[&str]) {
        assert_eq!(commands(TEXT, name), expected);
    }

    #[test]
    fn tasks_and_what_they_name() {
        check(
            "clean",
            &[
                "rm -rf build",
                "rm -rf ${HOME}/x",
                "cd sub\nset -e\nmkdir a\n",
                "echo more",
            ],
        );
        check("default", &["echo hi"]);
        check("nobody", &[]);
    }
}
