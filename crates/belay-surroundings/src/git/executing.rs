//! Which settings of git start programs.

use belay_knowledge::OURS;

use super::config::{Config, Setting, is_false, is_true};

/// Returns the settings that start a program which is not an everyday one.
pub fn executing(config: &Config) -> Vec<String> {
    config
        .settings
        .iter()
        .filter(|it| starts_program(it))
        .map(|it| {
            format!(
                "{} {}={}",
                it.level.word(),
                it.key,
                it.value.as_deref().unwrap_or_default()
            )
        })
        .collect()
}

fn starts_program(setting: &Setting) -> bool {
    let value = setting.value.as_deref().unwrap_or_default();
    let (section, sub, name) = setting.parts();
    match (section, name) {
        ("alias", _) => value.trim_start().starts_with('!'),
        ("submodule", "update") => value.trim_start().starts_with('!'),
        ("remote", "url" | "pushurl") => value.contains("ext::"),
        ("url", _) => sub.is_some_and(|it| it.contains("ext::")),
        ("protocol", "allow") => sub == Some("ext") && !is_false(value) && value != "never",
        ("pager", _) => !is_true(value) && !is_false(value) && !is_everyday("pagers", value),
        ("lfs", _) => {
            sub.is_some_and(|it| it.starts_with("customtransfer.") || it.starts_with("extension."))
        }
        ("core", "pager") => !value.is_empty() && !is_everyday("pagers", value),
        ("core" | "sequence", "editor") => {
            let known = is_everyday("editors", value) || is_everyday("idle", value);
            !value.is_empty() && !known
        }
        ("core", "fsmonitor") => setting.value.is_some() && !is_true(value) && !is_false(value),
        ("credential", "helper") => !value.is_empty() && !is_credential_helper(value),
        ("filter", _) if sub == Some("lfs") => {
            is_program(section, name)
                && !OURS.lists("large-file-filters", &format!("{name}={value}"))
        }
        (_, "program") if is_program(section, name) => !OURS.lists("signers", value),
        _ => is_program(section, name) && !value.is_empty(),
    }
}

fn is_program(section: &str, name: &str) -> bool {
    OURS.lists("git-programs", &format!("{section}.{name}"))
}

/// Tells whether a value is one of a list's programs with plain flags and nothing else.
fn is_everyday(programs: &str, value: &str) -> bool {
    let mut words = value.split_ascii_whitespace();
    let plain = |word: &str| {
        word.starts_with('-')
            && word
                .bytes()
                .all(|it| it.is_ascii_alphanumeric() || it == b'-')
    };
    words
        .next()
        .is_some_and(|first| OURS.lists(programs, first))
        && words.all(plain)
}

fn is_credential_helper(value: &str) -> bool {
    let timed = value
        .strip_prefix("cache --timeout")
        .map(|it| it.trim_start_matches(['=', ' ']));
    OURS.lists("credential-helpers", value)
        || timed.is_some_and(|it| it.bytes().all(|digit| digit.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::config::{Level, parse};

    fn found(text: &str) -> Vec<String> {
        let settings = parse(text).unwrap().into_iter();
        let settings = settings.map(|(key, value)| Setting {
            level: Level::Repository,
            key,
            value,
        });
        executing(&Config {
            settings: settings.collect(),
            doubtful: false,
        })
    }

    #[track_caller]
    fn starts(text: &str, line: &str) {
        assert_eq!(found(text), [format!("repository {line}")]);
    }

    #[track_caller]
    fn starts_nothing(text: &str) {
        assert_eq!(found(text), [""; 0]);
    }

    #[test]
    fn a_monitor_program() {
        starts("[core]\nfsmonitor = ./x.sh", "core.fsmonitor=./x.sh")
    }
    #[test]
    fn the_built_in_monitor() {
        starts_nothing("[core]\nfsmonitor = true\n[core]\nfsmonitor\n")
    }
    #[test]
    fn hooks_elsewhere() {
        starts("[core] hooksPath = /tmp/h", "core.hookspath=/tmp/h")
    }
    #[test]
    fn an_alias_of_the_shell() {
        starts("[alias]\nx = \"!rm -rf .\"", "alias.x=!rm -rf .")
    }
    #[test]
    fn an_alias_of_git() {
        starts_nothing("[alias]\nco = checkout")
    }
    #[test]
    fn a_filter() {
        starts("[filter \"x\"]\nclean = evil", "filter.x.clean=evil")
    }
    #[test]
    fn the_large_file_filter() {
        starts_nothing("[filter \"lfs\"]\nclean = git-lfs clean -- %f\nrequired = true")
    }
    #[test]
    fn a_quoted_filter_in_disguise() {
        starts(
            "[filter \"lfs\"]\nclean = \"git-lfs clean -- %f; x\"",
            "filter.lfs.clean=git-lfs clean -- %f; x",
        )
    }
    #[test]
    fn an_everyday_pager() {
        starts_nothing("[core]\npager = less -FRX\n[pager]\nlog = false\ndiff = delta")
    }
    #[test]
    fn a_pager_that_pipes() {
        starts("[core]\npager = \"less | sh\"", "core.pager=less | sh")
    }
    #[test]
    fn a_text_converter() {
        starts(
            "[diff \"pdf\"]\ntextconv = pdftotext",
            "diff.pdf.textconv=pdftotext",
        )
    }
    #[test]
    fn a_command_transport() {
        starts(
            "[remote \"o\"]\nurl = ext::sh -c x",
            "remote.o.url=ext::sh -c x",
        )
    }
    #[test]
    fn a_known_helper() {
        starts_nothing(
            "[credential \"https://a.test\"]\nhelper =\nhelper = !gh auth git-credential",
        )
    }
    #[test]
    fn a_helper_elsewhere() {
        starts(
            "[credential]\nhelper = !/tmp/gh auth git-credential",
            "credential.helper=!/tmp/gh auth git-credential",
        )
    }
    #[test]
    fn a_signing_program() {
        starts("[gpg \"ssh\"]\nprogram = /tmp/x", "gpg.ssh.program=/tmp/x")
    }
}
