//! String rules against the spellings of a command: the same words in another dress are the same.

use autobelay::{Nowhere, OurLexicon, Verdict};
use belay_settings::{Lexicon, Source, load_texts};

mod house;

fn verdict(rules: &str, command: &str) -> Verdict {
    let loaded = load_texts(&[(Source::User, "config.toml", rules)]);
    assert!(!loaded.broken, "{:?}", loaded.errors);
    let gate = autobelay::Gate::new(loaded.settings);
    let call = house::call("Bash", house::object(&[("command", command)]));
    gate.judge_in(&call, &Nowhere).verdict
}

/// Which commands a line of `hard_deny` stops, and which it leaves to their own verdict.
#[test]
fn a_denied_line_is_denied_in_every_spelling() {
    let table: &[(&str, &[&str], &[&str])] = &[
        (
            "rm -rf",
            &[
                "rm -rf build",
                "rm -fr build",
                "rm -r -f build",
                "rm --recursive --force build",
                "rm build -R --force",
                "rm --recurs --forc build",
                "sudo rm -fr build",
                "find . -exec rm -rf {} +",
                "bash -c 'rm -f -r build'",
                "/bin/rm -rfv build",
            ],
            &["rm -r build", "rm -f build/a.o", "rm -- -rf"],
        ),
        (
            "git push --force",
            &[
                "git push -f",
                "git push --force origin topic",
                "git push origin topic -f",
                "git push origin +topic",
                "git -C /work/app push -fu origin topic",
            ],
            &["git push origin topic", "git push -u origin topic"],
        ),
        (
            "npm install",
            &[
                "npm i",
                "npm add left-pad",
                "npm --silent i",
                "npm install -D left-pad",
                "npm isntall",
            ],
            &["npm test", "npm run install", "npm ls"],
        ),
        (
            "npm i -D",
            &["npm install --save-dev x", "npm add -D x"],
            &["npm i x"],
        ),
        (
            "cargo test",
            &["cargo t", "cargo test --all", "cargo t -p x"],
            &["cargo build", "cargo tree"],
        ),
        (
            "npm test",
            &["npm t", "npm test -- --watch"],
            &["npm run testify"],
        ),
        (
            "curl -X DELETE",
            &[
                "curl -XDELETE https://x.test",
                "curl --request DELETE https://x.test",
                "curl --request=DELETE https://x.test",
            ],
            &["curl -X GET https://x.test"],
        ),
        (
            "kubectl -n prod",
            &[
                "kubectl --namespace prod get pods",
                "kubectl --namespace=prod get pods",
                "kubectl get pods -n prod",
            ],
            &["kubectl -n dev get pods"],
        ),
        (
            "docker run --privileged",
            &["docker run --rm --privileged x"],
            &["docker run --rm x"],
        ),
        (
            "git commit --no-verify",
            &["git commit -n -m x", "git commit -nm x"],
            &["git commit -m no-verify", "git commit --verify -m x"],
        ),
        (
            "cat ~/.netrc",
            &["cat ~/.netrc", "cat $HOME/.netrc", "cat /home/me/.netrc"],
            &["cat ~/x/notes.txt", "cat .netrc"],
        ),
        ("frob --recursive", &["frob -r x", "frob -R x"], &["frob x"]),
    ];
    for (rule, denied, left) in table {
        let rules = format!("[rules]\nhard_deny = [\"{rule}\"]");
        for command in *denied {
            assert_eq!(
                verdict(&rules, command),
                Verdict::Deny,
                "`{rule}` on `{command}`"
            );
        }
        for command in *left {
            assert_eq!(
                verdict(&rules, command),
                verdict("", command),
                "`{rule}` on `{command}`"
            );
        }
    }
}

/// What a line of `allow` covers, and what it does not.
#[test]
fn an_allowed_line_is_allowed_in_every_spelling() {
    let table: &[(&str, &[&str], &[&str])] = &[
        (
            "npm install left-pad",
            &["npm i left-pad", "npm add left-pad"],
            &["npm i right-pad", "npm i left-pad; frob"],
        ),
        (
            "frob --force",
            &["frob -f x", "frob --force"],
            &["frob x", "frob -f $X"],
        ),
        (
            "docker compose down",
            &["docker compose -f x.yml down"],
            &["docker compose down && frob"],
        ),
    ];
    for (rule, allowed, left) in table {
        let rules = format!("[rules]\nallow = [\"{rule}\"]");
        for command in *allowed {
            assert_eq!(
                verdict(&rules, command),
                Verdict::Allow,
                "`{rule}` on `{command}`"
            );
            assert_ne!(
                verdict("", command),
                Verdict::Allow,
                "`{command}` needs no rule"
            );
        }
        for command in *left {
            assert_ne!(
                verdict(&rules, command),
                Verdict::Allow,
                "`{rule}` on `{command}`"
            );
        }
    }
}

/// A line allows what it says, not what the same words do with more flags.
#[test]
fn an_allowed_line_does_not_allow_another_effect() {
    for (rule, command) in [
        ("git push origin topic", "git push origin --delete topic"),
        ("git push", "git push origin --delete topic"),
        ("curl https://x.test", "curl https://x.test -d @notes.txt"),
        ("frobnicate --pages", "frobnicate --pages > ~/notes.txt"),
        ("terraform plan", "terraform plan; terraform apply"),
    ] {
        let rules = format!("[rules]\nallow = [\"{rule}\"]");
        assert_ne!(
            verdict(&rules, command),
            Verdict::Allow,
            "`{rule}` on `{command}`"
        );
    }
    for (rule, command) in [
        ("git push", "git push origin v1"),
        ("terraform apply", "terraform apply -auto-approve"),
        ("docker compose", "docker compose down"),
        ("curl *", "curl https://x.test -d @notes.txt"),
        ("frobnicate", "frobnicate --all"),
        ("fetch x.test", "curl https://x.test"),
    ] {
        let rules = format!("[rules]\nallow = [\"{rule}\"]");
        assert_eq!(
            verdict(&rules, command),
            Verdict::Allow,
            "`{rule}` on `{command}`"
        );
    }
}

/// The knowledge must read both names as the same command, or one of them is no other name.
#[test]
fn other_names_are_those_of_the_knowledge() {
    for (program, other, name) in [
        ("npm", "i", "install"),
        ("npm", "t", "test"),
        ("npm", "rm", "uninstall"),
        ("cargo", "b", "build"),
        ("pnpm", "un", "remove"),
        ("git", "annotate", "blame"),
    ] {
        let usual = OurLexicon::default().subcommand(program, &[other]);
        assert_eq!(usual, Some(vec![name.to_owned()]));
        let command = belay_knowledge::find(program).unwrap();
        let path = |word: &str| {
            let words = [program, word].map(belay_knowledge::Word::Known);
            belay_knowledge::read(command, &words).path
        };
        assert_eq!(path(other), path(name), "{program} {other}");
    }
    assert_eq!(OurLexicon::default().subcommand("npm", &["run", "t"]), None);
}
