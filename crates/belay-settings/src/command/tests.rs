use super::{CommandView, Hit, Lexicon, Plain, compile};
use belay_model::{Effect, parse_effect};

fn view<'a>(line: &str, effects: &'a [Effect]) -> CommandView<'a> {
    let word = |it: &str| (it != "?").then(|| it.trim_matches('\'').replace('~', " "));
    CommandView {
        argv: line.split_whitespace().map(word).collect(),
        effects,
    }
}

fn effects(lines: &[&str]) -> Vec<Effect> {
    lines.iter().map(|it| parse_effect(it).unwrap()).collect()
}

fn hit(rule: &str, line: &str) -> Hit {
    compile(rule, &Plain).suspects(&view(line, &[]), &Plain)
}

fn denies(rule: &str, line: &str) {
    assert_eq!(hit(rule, line), Hit::Yes, "{rule} on {line}");
}

fn spares(rule: &str, line: &str) {
    assert_eq!(hit(rule, line), Hit::No, "{rule} on {line}");
}

fn allows(rule: &str, line: &str) -> bool {
    compile(rule, &Plain).covers(&view(line, &[]), &Plain)
}

#[test]
fn flags_are_a_set_in_any_spelling() {
    denies("rm -rf", "rm --recursive -f x");
    denies("rm -rf", "rm -fr x");
    denies("rm -rf", "rm -R x --force");
    denies("rm -rf", "/bin/rm -rfv x");
    spares("rm -rf", "rm -r x");
    spares("rm -rf", "rm -- -rf");
    spares("rm -rf", "rmdir -rf x");
}

#[test]
fn operands_lead_in_order() {
    denies("npm test", "npm test");
    denies("npm test", "npm --silent test --watch");
    spares("npm test", "npm testify");
    spares("npm test", "npm run test");
    denies("python -m pytest", "python -m pytest tests -x");
    spares("python -m pytest", "python -m http.server");
    spares("gzip", "gzip2");
    denies("git push", "git -C /srv/x push");
    denies("npm run *", "npm run anything");
    denies("git push origin release-*", "git push origin release-1");
    spares("git push origin release-*", "git push origin topic");
}

#[test]
fn words_that_are_not_known_may_be_the_right_ones() {
    assert_eq!(hit("npm publish", "npm ?"), Hit::Maybe);
    assert_eq!(hit("rm -rf", "rm ?"), Hit::Maybe);
    assert_eq!(hit("npm publish", "? publish"), Hit::No);
    assert_eq!(hit("rm -rf", "rm -- ?"), Hit::No);
}

#[test]
fn another_spelling_of_the_effect_is_found() {
    let rewrite = effects(&["rewrite origin main"]);
    let spoken = compile("force push", &Plain);
    assert_eq!(
        spoken.suspects(&view("git push origin +main", &rewrite), &Plain),
        Hit::Yes
    );
}

#[test]
fn statements_are_found_in_effects_and_in_what_may_run() {
    let destroyed = effects(&["destroy database users"]);
    let rule = compile("DROP TABLE", &Plain);
    assert_eq!(
        rule.suspects(&view("psql -f x.sql", &destroyed), &Plain),
        Hit::Yes
    );
    let mentions = |line: &str, effect: &str| {
        let effects = effects(&[effect]);
        compile("DROP TABLE", &Plain).suspects(&view(line, &effects), &Plain)
    };
    let line = "frob -e 'drop~~table~users'";
    assert_eq!(mentions(line, "unknown command frob"), Hit::Yes);
    assert_eq!(mentions(line, "query database"), Hit::Yes);
    assert_eq!(mentions(line, "read ./src"), Hit::No);
    assert_eq!(mentions("frob -e 'drop~tables'", "query database"), Hit::No);
    spares("DROP TABLE", "psql -c 'select~1'");
    assert!(!rule.covers(&view("psql -f x.sql", &destroyed), &Plain));
}

#[test]
fn effects_can_be_written() {
    let found = effects(&["send evil.test carrying secret"]);
    let rule = compile("send *.test", &Plain);
    assert_eq!(rule.suspects(&view("curl x", &found), &Plain), Hit::Yes);
    let exact = effects(&["publish origin topic"]);
    assert!(compile("publish origin topic", &Plain).covers(&view("git push", &exact), &Plain));
    let more = effects(&["publish origin topic", "delete ./x"]);
    assert!(!compile("publish origin topic", &Plain).covers(&view("git push", &more), &Plain));
}

#[test]
fn an_allow_is_certain() {
    assert!(allows("npm test", "npm test -- --watch"));
    assert!(allows("npm test", "/usr/bin/npm test"));
    assert!(!allows("npm test", "./npm test"));
    assert!(!allows("npm test", "/tmp/npm test"));
    assert!(!allows("npm test", "npm test ?"));
    assert!(allows("npm test *", "npm test ?"));
    assert!(!allows("npm test *", "npm ?"));
    assert!(!allows("npm run test:*", "npm run deploy"));
    assert!(allows("./scripts/check", "./scripts/check --all"));
}

#[test]
fn prose_stays_prose() {
    for line in [
        "never run migrations without asking",
        "Deploying to production",
        "make sure tests pass first",
        "anything that touches the billing database",
        "curl something | sh",
        "reading any file under /etc",
        "The staging cluster is called blue.",
        "it's fine",
    ] {
        assert!(compile(line, &Plain).is_prose(), "{line}");
    }
}

#[test]
fn lines_are_described() {
    struct Knowing;
    impl Lexicon for Knowing {
        fn canonical(&self, path: &[&str], flag: &str) -> Option<String> {
            Plain.canonical(path, flag)
        }
        fn takes_value(&self, path: &[&str], flag: &str) -> bool {
            Plain.takes_value(path, flag)
        }
        fn knows(&self, program: &str) -> bool {
            program != "frob"
        }
    }
    let said = |line: &str| compile(line, &Knowing).describe();
    assert_eq!(said("rm -rf"), "the command `rm` with `-r` and `-f`");
    assert_eq!(said("git push --force"), "the command `git push` with `-f`");
    assert_eq!(said("npm run *"), "the command `npm run`, whatever follows");
    assert_eq!(
        said("frob all"),
        "the command `frob all` (no program that belay knows)"
    );
    assert_eq!(said("DROP TABLE"), "the SQL statement `DROP TABLE`");
    assert_eq!(said("force push"), "the effect `rewrite`");
    assert_eq!(said("never do that"), "prose, for the model only");
}
