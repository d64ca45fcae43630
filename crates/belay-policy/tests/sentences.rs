//! What people read of an effect: every verb, object and label of the notation, and lists of them.
#![allow(clippy::unwrap_used, reason = "a test may fail")]
#![expect(clippy::panic, reason = "a test")]

use belay_model::{Effect, Verb, parse_effect};
use belay_policy::{Story, capitalised, in_words};

fn effects(lines: &[&str]) -> Vec<Effect> {
    lines
        .iter()
        .map(|it| parse_effect(it).unwrap_or_else(|error| panic!("{it}: {error}")))
        .collect()
}

fn told(lines: &[&str], because: &str, sources: &[&str]) -> String {
    let effects = effects(lines);
    let effects: Vec<&Effect> = effects.iter().collect();
    Story {
        effects: &effects,
        because,
        sources,
    }
    .sentence()
}

const PLAIN: &[(&str, &str)] = &[
    ("read ./a", "read ./a"),
    ("read names ~/.ssh", "list ~/.ssh"),
    (
        "read secret ~/.aws/credentials",
        "read secrets from ~/.aws/credentials",
    ),
    ("read secret API_TOKEN", "print the secret API_TOKEN"),
    ("read environment", "print the environment variables"),
    ("read personal clipboard", "read the user's clipboard"),
    ("write ./a", "write ./a"),
    ("write tree ./out", "write files in ./out"),
    ("write append ~/.bashrc", "append to ~/.bashrc"),
    ("write ./a carrying secret", "write secrets to ./a"),
    ("write ./a carrying fetched", "save a download as ./a"),
    ("delete ./a", "delete ./a"),
    ("delete tree ~/notes", "delete ~/notes"),
    ("delete tree .", "delete the working folder"),
    ("delete tree ~", "delete the home folder (~)"),
    ("delete tree /", "delete the whole file system (/)"),
    ("delete ./*.o", "delete ./*.o"),
    ("delete tree ./build/?", "delete something under ./build"),
    (
        "delete ?",
        "delete a path that is only known when the command runs",
    ),
    ("move ./a", "move ./a"),
    ("link /etc/x", "link to /etc/x"),
    ("mark ./a", "change the permissions of ./a"),
    (
        "mark tree /srv",
        "change the permissions of everything in /srv",
    ),
    ("mark executable ./a", "make ./a executable"),
    ("run ./a.sh", "run ./a.sh"),
    (
        "configure script 'eval input carrying fetched'",
        "write a script that would run code fetched from the network",
    ),
    (
        "configure script 'delete tree ~'",
        "write a script that would delete the home folder (~)",
    ),
    (
        "run ./a.sh carrying fetched",
        "run code that was downloaded as ./a.sh",
    ),
    ("run task npm build", "run the npm task build"),
    (
        "run task make test carrying foreign",
        "run code from someone else with make test",
    ),
    (
        "run image redis:7",
        "start a container from the image redis:7",
    ),
    ("run services", "start services"),
    ("eval python", "run python code that belay cannot read"),
    ("eval text", "run code that belay cannot read"),
    ("eval input", "run code from standard input"),
    ("eval input ruby", "run ruby code from standard input"),
    (
        "eval input carrying fetched",
        "run code fetched from the network",
    ),
    (
        "eval input python carrying fetched content",
        "run code fetched from the network",
    ),
    ("eval input carrying foreign", "run code from someone else"),
    (
        "eval python carrying unknown",
        "run python code of unknown origin",
    ),
    ("eval input terminal", "type into a running program"),
    ("fetch example.net", "fetch from example.net"),
    ("fetch ?", "fetch from an unknown host"),
    (
        "fetch evil.test carrying secret",
        "send secrets to evil.test",
    ),
    ("send example.net", "send data to example.net"),
    (
        "send evil.test carrying secret content",
        "send secrets to evil.test",
    ),
    (
        "send example.net carrying content",
        "send the contents of files to example.net",
    ),
    (
        "send example.net carrying unknown",
        "send data of unknown origin to example.net",
    ),
    ("listen local 3000", "listen on port 3000 on this machine"),
    ("listen public 8080", "open port 8080 to the network"),
    (
        "listen tunnel ngrok",
        "open a tunnel to this machine with ngrok",
    ),
    ("install npm left-pad", "install left-pad with npm"),
    (
        "install npm declared",
        "install the packages that the project declares with npm",
    ),
    (
        "install pip global ruff",
        "install ruff for the whole user account with pip",
    ),
    (
        "install npm foreign git+https://a.test/x",
        "install git+https://a.test/x with npm",
    ),
    ("install system curl", "install the system package curl"),
    ("publish origin main", "push main to origin"),
    ("publish registry npm", "publish a package with npm"),
    ("publish image a/b", "push the image a/b"),
    ("rewrite origin main", "force-push main to origin"),
    ("rewrite origin ?", "force-push an unknown branch to origin"),
    (
        "rewrite lease origin topic",
        "force-push topic to origin (with a lease)",
    ),
    ("discard working-tree", "discard uncommitted changes"),
    ("discard untracked", "delete untracked files"),
    ("discard stash", "drop stashed changes"),
    ("discard branch topic", "delete the branch topic"),
    ("history rewrite", "rewrite local history"),
    ("history expire", "delete old history for good"),
    ("escalate root", "run as root"),
    ("escalate host", "gain the rights of the host machine"),
    ("signal all", "stop every process"),
    ("signal pid 42", "stop process 42"),
    ("signal name node", "stop every process called node"),
    ("signal port 3000/tcp", "stop whatever uses port 3000/tcp"),
    ("persist cron", "set up a cron job"),
    (
        "configure git core.hooksPath",
        "change core.hooksPath in the settings of git",
    ),
    (
        "configure git global core.pager x",
        "change core.pager in the user's own git settings",
    ),
    (
        "configure environment LD_PRELOAD",
        "set the environment variable LD_PRELOAD",
    ),
    ("configure agent claude", "change the settings of claude"),
    ("configure gate", "change how Autobelay decides"),
    (
        "configure system firewall",
        "change the machine's settings (firewall)",
    ),
    ("destroy disk /dev/sda", "erase the disk /dev/sda"),
    (
        "destroy branch origin topic",
        "delete the branch topic on origin",
    ),
    ("destroy database", "delete data in a database"),
    ("destroy infrastructure", "destroy infrastructure"),
    ("change repository commit", "make a commit"),
    ("change forge comment", "change a comment on the code host"),
    (
        "change cluster deploy/web",
        "change deploy/web in the cluster",
    ),
    ("change database all", "change every row of a table"),
    ("query database", "query a database"),
    ("bypass hooks", "skip the repository's hooks"),
    ("probe origin", "look at origin"),
    ("launch agent codex", "start another agent, codex"),
    (
        "launch unguarded codex",
        "start codex with its approvals switched off",
    ),
    ("unknown command frob", "the command `frob`"),
    ("unknown flag --x", "the flag `--x`"),
    ("unknown program", "which program would run"),
];

#[test]
fn every_verb_has_words_of_its_own() {
    for (line, said) in PLAIN {
        let effect = parse_effect(line).unwrap();
        assert_eq!(in_words(&[&effect]), *said, "{line}");
    }
    for verb in Verb::ALL {
        let starts = format!("{verb} ");
        assert!(
            PLAIN.iter().any(|(line, _)| line.starts_with(&starts)),
            "no row for {verb}"
        );
        // Whatever a target is, there are words for it.
        for target in ["frob", "a b c d", "?"] {
            let effect = parse_effect(&format!("{verb} {target}")).unwrap();
            assert_ne!(in_words(&[&effect]), "", "{verb} {target}");
        }
    }
}

#[test]
fn the_reason_ends_the_sentence() {
    for (lines, because, said) in [
        (
            &["delete tree ~/notes"][..],
            "it is outside the project",
            "This would delete ~/notes, which is outside the project.",
        ),
        (
            &["write ~/.bashrc", "write ~/.profile"],
            "it runs by itself at every login",
            "This would write ~/.bashrc and ~/.profile; each runs by itself at every login.",
        ),
        (
            &["delete ~/a", "delete ~/b", "delete ~/a"],
            "it is outside the project",
            "This would delete ~/a and ~/b, which are outside the project.",
        ),
        (
            &["fetch a.test", "fetch b.test"],
            "it is a host that nobody knows",
            "This would fetch from a.test and b.test; each is a host that nobody knows.",
        ),
        (
            &[
                "delete ~/a",
                "delete ~/b",
                "delete ~/c",
                "delete ~/d",
                "delete ~/e",
            ],
            "it is outside the project",
            "This would delete ~/a, ~/b, ~/c and 2 more, which are outside the project.",
        ),
        (
            &["delete ~/a", "move ~/b"],
            "it is outside the project",
            "This would delete ~/a and move ~/b; it is outside the project.",
        ),
        (
            &["rewrite origin main"],
            "everybody builds on that branch",
            "This would force-push main to origin; everybody builds on that branch.",
        ),
        (
            &["read secret vault"],
            "secrets would be shown",
            "This would print secrets from the vault; secrets would be shown.",
        ),
        (
            &["delete tree /srv/x on ssh web1"],
            "it is outside the project",
            "This would delete /srv/x on web1; it is outside the project.",
        ),
        (
            &["write /x on container db"],
            "that is another machine",
            "This would write /x in the container db; that is another machine.",
        ),
        (
            &["task delete tree ~"],
            "that is everything",
            "This runs a task or script of the project that would delete the home folder (~); that is everything.",
        ),
        (
            &["perhaps send evil.test carrying secret"],
            "secrets would leave this machine",
            "This writes code that, once run, would send secrets to evil.test; secrets would leave this machine.",
        ),
        (
            &["later delete ./a"],
            "it may be work",
            "This writes code that would run by itself later and delete ./a, which may be work.",
        ),
        (
            &["own delete ./a"],
            "it may be work",
            "This runs a program of the project that would delete ./a, which may be work.",
        ),
        (
            &["unknown command frob", "unknown flag --x"],
            "belay cannot tell what would happen",
            "belay does not know the command `frob` and the flag `--x`, so it cannot tell what would happen.",
        ),
        (
            &["unknown command frob", "unknown command defrob"],
            "belay cannot tell what would happen",
            "belay does not know the command `frob` and `defrob`, so it cannot tell what would happen.",
        ),
        (
            &["unknown script ./x.sh"],
            "it does not exist yet",
            "belay does not know the script `./x.sh`; it does not exist yet.",
        ),
    ] {
        assert_eq!(told(lines, because, &[]), said);
    }
}

#[test]
fn fetched_code_names_its_host() {
    let without = "without anyone reading it first";
    let one = told(
        &["eval input carrying fetched"],
        without,
        &["get.example.test"],
    );
    assert_eq!(
        one,
        "This would run code fetched from the network (get.example.test) without anyone reading it first."
    );
    let none = told(&["eval input carrying fetched"], without, &[]);
    assert_eq!(
        none,
        "This would run code fetched from the network without anyone reading it first."
    );
}

#[test]
fn hostile_names_stay_on_their_line_and_short() {
    let long = format!("unknown command {}", "x".repeat(4_000));
    assert!(told(&[&long], "no", &[]).len() < 300);
    let odd = Effect::of(Verb::Install, ["npm", "a\nb\u{1b}[31m"]);
    let said = in_words(&[&odd]);
    assert!(!said.contains(['\n', '\u{1b}']), "{said}");
}

#[test]
fn a_clause_alone_becomes_a_sentence() {
    assert_eq!(capitalised("it only reads"), "It only reads.");
    assert_eq!(
        capitalised("belay does not know it"),
        "belay does not know it."
    );
    assert_eq!(capitalised("Done."), "Done.");
}
