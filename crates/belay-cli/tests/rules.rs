//! Rules, examples, grants, knowledge and the journal's settings, with the built binary.

#![expect(clippy::unwrap_used, reason = "a test")]

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use belay_needs::Need;

struct Home(tempfile::TempDir);

impl Home {
    fn new() -> Self {
        let home = Self(tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap());
        std::fs::create_dir_all(home.path("project")).unwrap();
        home
    }

    fn with(settings: &str) -> Self {
        Self::new().file(".config/belay/config.toml", settings)
    }

    fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    fn file(self, path: &str, text: &str) -> Self {
        let path = self.path(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
        self
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command
            .env_clear()
            .env("PATH", "/usr/bin:/bin:/usr/sbin:/sbin")
            .env("HOME", self.0.path())
            .current_dir(self.path("project"));
        command
    }

    /// Returns the exit code and all that was printed.
    fn belay(&self, words: &[&str]) -> (i32, String) {
        let mut command = self.command(env!("CARGO_BIN_EXE_belay"));
        let done = command.args(words).stdin(Stdio::null()).output().unwrap();
        let text = [done.stdout, done.stderr].concat();
        let text = String::from_utf8_lossy(&text).into_owned();
        (done.status.code().unwrap(), text)
    }

    fn call(&self, command: &str) -> String {
        let cwd = self.path("project");
        format!(
            r#"{{"session_id":"s","transcript_path":"/nowhere","cwd":"{}","permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{{"command":"{command}"}},"tool_use_id":"t"}}"#,
            cwd.display()
        )
    }

    /// Returns what the hook says to a shell command.
    fn hook(&self, command: &str) -> String {
        let mut hook = self.command(env!("CARGO_BIN_EXE_belay"));
        hook.args(["hook", "claude-code", "--home"]);
        hook.arg(self.0.path());
        heard(hook, &self.call(command))
    }

    fn journal(&self) -> PathBuf {
        self.path(".local/state/belay/journal")
    }

    fn records(&self) -> String {
        let days = std::fs::read_dir(self.journal()).unwrap();
        let texts = days.map(|it| std::fs::read_to_string(it.unwrap().path()).unwrap());
        texts.collect()
    }
}

fn heard(mut command: Command, input: &str) -> String {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let done = child.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&done.stdout).into_owned();
    format!("{text}{}", String::from_utf8_lossy(&done.stderr))
}

fn says(text: &str, verdict: &str) {
    let wanted = format!(r#""permissionDecision":"{verdict}""#);
    assert!(text.contains(&wanted), "not {verdict}: {text}");
}

const RULES: &str = r#"
[rules]
hard_deny = ["npm publish"]

[[rule]]
id = "no-prod"
command = "kubectl --context prod"
verdict = "deny"
examples = { deny = ["kubectl --context prod get pods"] }

[[rule]]
id = "mine"
command = "frobnicate"
verdict = "allow"
examples = { allow = ["EXAMPLE"] }
"#;

#[test]
fn a_failing_example_allows_nothing_and_loosens_nothing() {
    let home = Home::with(&RULES.replace("EXAMPLE", "defrobnicate"));
    for (command, verdict) in [
        ("ls", "ask"),
        ("frobnicate", "ask"),
        ("npm publish", "deny"),
        ("kubectl --context prod get pods", "deny"),
        ("rm -rf ~", "deny"),
    ] {
        says(&home.hook(command), verdict);
    }
    assert!(
        home.hook("ls").contains("config.toml:15:23"),
        "{}",
        home.hook("ls")
    );
    let said = "error: the example `defrobnicate` of rule `mine` is ask, not allow";
    for words in [&["config"][..], &["rules"]] {
        let (code, text) = home.belay(words);
        assert!(code == 1 && text.contains(said), "{code}: {text}");
        assert!(text.contains("config.toml:15:23"), "{text}");
    }
    let (code, text) = home.belay(&["check", "--", "ls"]);
    assert!(code == 10 && text.contains(said), "{code}: {text}");
    let (code, text) = home.belay(&["test"]);
    assert!(code == 1 && text.contains("1 of 2 pass"), "{code}: {text}");
    let (_, text) = home.belay(&["statusline"]);
    assert!(text.contains("settings have errors"), "{text}");
}

#[test]
fn examples_that_hold_are_proved_once() {
    let home = Home::with(&RULES.replace("EXAMPLE", "frobnicate"));
    let proven = home.path(".local/state/belay/proven.json");
    says(&home.hook("frobnicate"), "allow");
    let before = std::fs::metadata(&proven).unwrap().modified().unwrap();
    says(&home.hook("frobnicate"), "allow");
    let after = std::fs::metadata(&proven).unwrap().modified().unwrap();
    assert_eq!(before, after);
    // A project's own rules do not make the user's examples fail.
    let home = home.file(
        "project/.belay.toml",
        "[rules]\nhard_deny = [\"frobnicate\"]\n",
    );
    says(&home.hook("frobnicate"), "deny");
    says(&home.hook("ls"), "allow");
}

#[test]
fn settings_without_examples_prove_nothing() {
    let home = Home::with("[rules]\nallow = [\"frobnicate\"]\n");
    says(&home.hook("frobnicate"), "allow");
    assert!(!home.path(".local/state/belay/proven.json").exists());
}

#[test]
fn a_grant_counts_for_who_checks() {
    let home = Home::new();
    let push = "git push --force origin topic";
    assert_eq!(home.belay(&["check", "--", push]).0, 20);
    let grant = [
        "allow",
        "rewrite origin topic",
        "publish origin topic",
        "--uses",
        "1",
        "--yes",
    ];
    assert_eq!(home.belay(&grant).0, 0);
    for words in [["check", "--", push], ["explain", "--", push]] {
        let (code, text) = home.belay(&words);
        assert_eq!(code, 0, "{text}");
        assert!(
            text.contains("The user granted this for a while (g1)."),
            "{text}"
        );
    }
    // Looking does not use it up.
    says(&home.hook(push), "allow");
    assert_eq!(home.belay(&["check", "--", push]).0, 20);
}

#[test]
fn records_name_settings_and_policy() {
    let home = Home::new();
    home.hook("ls");
    let first: serde_json::Value =
        serde_json::from_str(home.records().lines().next().unwrap()).unwrap();
    assert_eq!(first["settings"], "default");
    let home = home.file(".config/belay/config.toml", "[thresholds]\nask_at = 50\n");
    home.hook("ls");
    home.hook("pwd");
    let records = home.records();
    let hashes: Vec<serde_json::Value> = records
        .lines()
        .skip(1)
        .map(|it| serde_json::from_str(it).unwrap())
        .collect();
    assert_eq!(hashes[0]["settings"].as_str().unwrap().len(), 16);
    assert_eq!(hashes[0]["settings"], hashes[1]["settings"]);
    assert_eq!(hashes[0]["policy"], first["policy"]);
    let tables = first["policy"].as_str().unwrap().split('-');
    assert!(tables.clone().all(|it| it.len() == 16) && tables.count() == 6);
}

#[test]
fn the_journal_obeys_its_settings() {
    let secret = "curl -H 'Authorization: Bearer abcdefgh12345678' https://x.test";
    let home = Home::new();
    home.hook(secret);
    assert!(!home.records().contains("abcdefgh12345678"));
    let home = Home::with("[journal]\nredact = false\nkeep_days = 3\n")
        .file(".local/state/belay/journal/2020-01-01.jsonl", "old\n")
        .file(".local/state/belay/journal/notes.txt", "mine\n");
    home.hook(secret);
    assert!(home.records().contains("abcdefgh12345678"));
    assert!(!home.journal().join("2020-01-01.jsonl").exists());
    assert!(home.journal().join("notes.txt").exists());
    let home = home.file(".local/state/belay/journal/2020-01-02.jsonl", "old\n");
    home.belay(&["log"]);
    assert!(!home.journal().join("2020-01-02.jsonl").exists());
}

const FROB: &str = "about = \"Frobs.\"\nusage = \"frobnicate [FILE]\"\neffects = [\"read FILE\"]\n[examples]\n\"frobnicate a\" = [\"read ./a\"]\n\"frobnicate\" = []\n\"frobnicate --wipe\" = [\"unknown flag --wipe\"]\n";

#[test]
fn a_users_knowledge_teaches_a_command() {
    let home = Home::new().file(".config/belay/knowledge/commands/frobnicate.toml", FROB);
    says(&home.hook("frobnicate src/a"), "allow");
    says(&home.hook("frobnicate --wipe"), "ask");
    let (code, text) = home.belay(&["config"]);
    assert!(
        code == 0 && text.contains("# your knowledge files describe frobnicate"),
        "{text}"
    );
}

#[test]
fn knowledge_that_is_refused_allows_nothing() {
    let table = [
        (
            "commands/frobnicate.toml",
            "about = \"x\"\nusge = \"frobnicate\"\n",
            "frobnicate.toml:2:1",
        ),
        ("commands/frobnicate.toml", "about = ", "frobnicate.toml:1"),
        (
            "commands/git.toml",
            "about = \"Nothing.\"\nusage = \"git [WORD...]\"\n[examples]\n\"git x\" = []\n\"git y\" = []\n\"git z\" = []\n",
            "belay already knows `git`",
        ),
        (
            "commands/rm.toml",
            "about = \"Nothing.\"\nalias = \"ls\"\n[examples]\n\"rm x\" = []\n\"rm y\" = []\n\"rm z\" = []\n",
            "belay already knows `rm`",
        ),
        (
            "tools/x.toml",
            "about = \"Nothing.\"\nnames = [\"Bash\"]\nkind = \"look\"\n",
            "error: ",
        ),
    ];
    for (path, text, said) in table {
        let home = Home::new()
            .file(
                ".config/belay/knowledge/commands/defrob.toml",
                &FROB.replace("frobnicate", "defrob"),
            )
            .file(&format!(".config/belay/knowledge/{path}"), text);
        says(&home.hook("frobnicate a"), "ask");
        says(&home.hook("defrob a"), "ask");
        says(&home.hook("git push --force origin main"), "deny");
        says(&home.hook("ls"), "allow");
        let (code, text) = home.belay(&["config"]);
        assert!(code == 1 && text.contains(said), "{path}: {text}");
        assert!(text.contains("hint: "), "{text}");
    }
}

#[test]
fn knowledge_is_not_taken_from_a_project_nor_without_bounds() {
    let home = Home::new()
        .file(
            "project/.config/belay/knowledge/commands/frobnicate.toml",
            FROB,
        )
        .file("project/knowledge/commands/frobnicate.toml", FROB);
    says(&home.hook("frobnicate src/a"), "ask");
    let home = Home::new().file(".config/belay/knowledge/commands/frobnicate.toml", FROB);
    let folder = home.path(".config/belay/knowledge/commands");
    std::os::unix::fs::symlink(&folder, folder.join("loop")).unwrap();
    let start = Instant::now();
    says(&home.hook("frobnicate a"), "ask");
    let home = Home::new().file(
        ".config/belay/knowledge/commands/big.toml",
        &"#\n".repeat(1_000_000),
    );
    says(&home.hook("ls"), "allow");
    assert!(start.elapsed() < Duration::from_secs(10));
    assert!(home.belay(&["config"]).1.contains("too much knowledge"));
}

/// A file that cannot grow is what a full disk looks like to the one who writes.
#[test]
fn a_full_disk_refuses() {
    let home = Home::new();
    let script = "trap '' XFSZ; ulimit -f 0; exec \"$0\" hook claude-code --home ~";
    let mut hook = home.command("/bin/sh");
    hook.args(["-c", script, env!("CARGO_BIN_EXE_belay")]);
    says(&heard(hook, &home.call("ls")), "deny");
    says(&home.hook("ls"), "allow");
}

/// The same with a file system that is really full.
#[test]
fn a_full_file_system_refuses() {
    let home = Home::new();
    std::fs::create_dir_all(home.path(".local/state")).unwrap();
    let script = "mount -t tmpfs -o size=16k none ~/.local/state || exit 77
        mkdir -p ~/.local/state/belay/journal
        dd if=/dev/zero of=\"$HOME\"/.local/state/filler bs=1k 2>/dev/null
        exec \"$0\" hook claude-code --home ~";
    let mut hook = home.command("unshare");
    hook.args(["--user", "--map-root-user", "--mount", "sh", "-c", script]);
    hook.arg(env!("CARGO_BIN_EXE_belay"));
    let text = heard(hook, &home.call("ls"));
    let mounted = || (!text.contains("unshare") && !text.contains("mount:")).then_some(());
    if Need::Mounts
        .met("a namespace to mount in", mounted)
        .is_some()
    {
        says(&text, "deny");
    }
}

/// Files that are no rules, or too many of them: refused in bounded time, with a place and a way out,
/// and nothing is allowed.
#[test]
fn what_is_no_rule_file_allows_nothing() {
    let million = format!("[rules]\nallow = [\n{}]\n", "\"ls\",\n".repeat(1_000_000));
    let many = format!("[rules]\nallow = [\n{}]\n", "\"ls\",\n".repeat(100_000));
    let rules = "[[rule]]\ntool = \"Bash\"\nverdict = \"allow\"\n".repeat(20_000);
    let nested = format!("rules.allow = {}{}", "[".repeat(50_000), "]".repeat(50_000));
    let stars = format!("[paths]\nallow = [\"{}b\"]", "a*".repeat(20));
    let long = format!("[paths]\nallow = [\"{}\"]", "a/".repeat(400));
    let table: [(&str, &str); 16] = [
        (&stars, "is not a glob: more than 16 wildcards"),
        (&long, "is not a glob: longer than 512 bytes"),
        (&million, "the settings are larger than"),
        (&many, "`rules.allow` has more than 2000 items"),
        (&rules, "`rule` has more than 2000 items"),
        (&nested, "not valid TOML"),
        ("[rules", "not valid TOML"),
        ("[rules]\nallow = \"ls", "not valid TOML"),
        (
            "[rules]\nallow = 3",
            "`rules.allow` must be a list of strings",
        ),
        ("[rules]\nallow = [\"\"]", "is empty"),
        ("[rules]\nalow = [\"ls\"]", "unknown key `alow`"),
        (
            "[[rule]]\nverdict = \"allow\"",
            "the rule names no condition",
        ),
        ("[[rule]]\ntool = \"Bash\"", "`verdict` is missing"),
        (
            "[[rule]]\ntool = \"Bash\"\nverdict = \"maybe\"",
            "unknown word `maybe`",
        ),
        ("[paths]\ndeny = [\"[a-\"]", "is not a glob"),
        (
            "[places]\ntrusted = [\"~/*/x\"]",
            "a trusted place is a folder",
        ),
    ];
    for (text, said) in table {
        let home = Home::with(text);
        let start = Instant::now();
        let answer = home.hook("ls");
        assert!(!answer.contains("allow\""), "{said}: {answer}");
        says(&answer, "deny");
        let (code, told) = home.belay(&["check", "--", "ls"]);
        assert!(code == 1 && told.contains(said), "{said}: {told}");
        assert!(told.contains("  --> ") && told.contains("hint: "), "{told}");
        assert!(start.elapsed() < Duration::from_secs(10), "{said}");
    }
}

/// Patterns that some matchers need for ever for.
#[test]
fn heavy_patterns_take_bounded_time() {
    let stars = "a*".repeat(200);
    let few = "a*".repeat(16);
    let folders = "**/a*/".repeat(7);
    let home = Home::with(&format!(
        "[paths]\ndeny = [\"{few}b\", \"{folders}b\", \"(a+)+$\"]\n[rules]\nhard_deny = [\"frob {stars}b\"]\n[tools]\n\"{stars}b\" = \"high\"\n[[rule]]\nhost = \"{stars}b\"\nverdict = \"deny\"\n"
    ));
    let start = Instant::now();
    let long = "a".repeat(4000);
    let deep = "a/".repeat(1000);
    says(
        &home.hook(&format!(
            "cat {long} {deep}x; frob {long}; curl {long}.test"
        )),
        "ask",
    );
    says(&home.hook("ls"), "allow");
    assert!(
        start.elapsed() < Duration::from_secs(10),
        "{:?}",
        start.elapsed()
    );
}
