//! The fleet's bundle, signed by the real minisign, from the server to the verdict of the built binary.

#![expect(clippy::unwrap_used, reason = "a test")]

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Arc, Mutex};

use belay_needs::{Need, program};

const LATER: &str = "2099-12-31T23:59:59Z";
const BASE: &str = "[rules]\nhard_deny = [\"git push\"]\n";
const NEVER_CURL: &str = "[rules]\nhard_deny = [\"curl\"]\n";
const PUSH: &str = "git push origin main";
const CURL: &str = "curl https://example.com";

/// What the server has, and what it was asked.
#[derive(Default)]
struct Shelf {
    bundle: Vec<u8>,
    signature: Vec<u8>,
    status: u16,
    heard: Vec<String>,
}

/// A machine with a home, a managed file, a signer and a server.
struct Machine {
    home: tempfile::TempDir,
    signer: PathBuf,
    shelf: Arc<Mutex<Shelf>>,
    port: u16,
}

/// One rule set of a bundle.
struct Set<'a> {
    name: &'a str,
    more: &'a str,
    settings: &'a str,
}

const fn set<'a>(name: &'a str, more: &'a str, settings: &'a str) -> Set<'a> {
    Set {
        name,
        more,
        settings,
    }
}

fn text(sets: &[Set<'_>]) -> String {
    let mut text = "format = 1\nname = \"acme\"\n".to_owned();
    for it in sets {
        let (name, more) = (it.name, it.more);
        let settings = format!("settings = '''\n{}'''", it.settings);
        text += &format!("\n[[set]]\nname = \"{name}\"\n{more}\n{settings}\n");
    }
    text
}

fn base() -> String {
    text(&[set("base", "stage = \"enforce\"", BASE)])
}

fn comment(serial: u64) -> String {
    format!("serial={serial} not_after={LATER} stages=base:enforce:100")
}

impl Machine {
    /// Makes a machine whose owner trusts one key.
    fn new() -> Option<Self> {
        let signer = Need::Minisign.met("minisign", || program("minisign"))?;
        let home = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        std::fs::create_dir_all(home.path().join("project")).unwrap();
        let shelf = Arc::new(Mutex::new(Shelf {
            status: 200,
            ..Shelf::default()
        }));
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let served = Arc::clone(&shelf);
        std::thread::spawn(move || {
            for peer in listener.incoming() {
                serve(peer.unwrap(), &served);
            }
        });
        let machine = Self {
            home,
            signer,
            shelf,
            port,
        };
        machine.key("ours");
        machine.key("theirs");
        machine.manage("");
        Some(machine)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    fn key(&self, name: &str) {
        let (public, secret) = (format!("{name}.pub"), format!("{name}.key"));
        self.minisign(&["-G", "-W", "-p", &public, "-s", &secret]);
    }

    fn public(&self, name: &str) -> String {
        let text = std::fs::read_to_string(self.path(&format!("{name}.pub"))).unwrap();
        text.lines().nth(1).unwrap().to_owned()
    }

    fn minisign(&self, words: &[&str]) {
        let mut command = Command::new(&self.signer);
        let done = command.args(words).current_dir(self.home.path());
        let done = done.output().unwrap();
        assert!(done.status.success(), "{words:?}: {done:?}");
    }

    /// Writes the managed file, with more lines for `[fleet]` or what follows it.
    fn manage(&self, more: &str) {
        self.manage_by(&self.public("ours"), more);
    }

    fn manage_by(&self, key: &str, more: &str) {
        let port = self.port;
        let text = format!(
            "[fleet]\nurl = \"http://127.0.0.1:{port}\"\nkeys = [\"{key}\"]\ntoken_env = \"FLEET\"\n{more}"
        );
        std::fs::write(self.path("managed.toml"), text).unwrap();
    }

    /// Signs a bundle, with more words for the signer.
    fn signed(&self, bundle: &[u8], comment: &str, more: &[&str]) -> Vec<u8> {
        std::fs::write(self.path("made"), bundle).unwrap();
        let words = ["-S", "-m", "made", "-x", "made.sig", "-t", comment];
        let key = ["-s", "ours.key"];
        let key = if more.contains(&"-s") { &[][..] } else { &key };
        self.minisign(&[&words, key, more].concat());
        std::fs::read(self.path("made.sig")).unwrap()
    }

    fn shelve(&self, bundle: &[u8], signature: &[u8]) {
        let mut shelf = self.shelf.lock().unwrap();
        shelf.bundle = bundle.to_vec();
        shelf.signature = signature.to_vec();
    }

    /// Serves a bundle of these rule sets, and takes it into force.
    fn pull(&self, serial: u64, sets: &[Set<'_>]) {
        let text = text(sets);
        let bundle = belay_bundle::read(text.as_bytes()).unwrap();
        let stages = bundle.stages();
        let comment = format!("serial={serial} not_after={LATER} stages={stages}");
        let signature = self.signed(text.as_bytes(), &comment, &[]);
        self.shelve(text.as_bytes(), &signature);
        let done = self.belay(&["fleet", "pull"]);
        assert!(done.status.success(), "{}", told(&done));
    }

    fn belay(&self, words: &[&str]) -> Output {
        let belay = env!("CARGO_BIN_EXE_belay");
        let mut command = Command::new(belay);
        command.args(words).current_dir(self.path("project"));
        command.env_clear().env("PATH", "/usr/bin:/bin");
        command.env("HOME", self.home.path()).env("FLEET", "secret");
        command.env("BELAY_TEST_MANAGED", self.path("managed.toml"));
        command.output().unwrap()
    }

    fn verdict(&self, command: &str) -> Option<i32> {
        self.belay(&["check", "--", command]).status.code()
    }

    fn current(&self) -> PathBuf {
        self.path(".local/state/belay/fleet/current.bundle")
    }
}

fn serve(mut peer: TcpStream, shelf: &Mutex<Shelf>) {
    let mut head = String::new();
    let mut reader = BufReader::new(peer.try_clone().unwrap());
    while reader.read_line(&mut head).unwrap() > 2 {}
    let mut shelf = shelf.lock().unwrap();
    let head = head.to_lowercase();
    let last: Vec<u8> = shelf.signature.iter().rev().take(12).copied().collect();
    let etag = format!("\"{last:?}\"").replace(' ', "");
    let is_signature = head.starts_with("get /v1/bundle.minisig ");
    let known = head.contains(&format!("if-none-match: {etag}"));
    let (status, body) = match (known, is_signature) {
        (true, true) => (304, Vec::new()),
        (false, true) => (shelf.status, shelf.signature.clone()),
        (_, false) => (shelf.status, shelf.bundle.clone()),
    };
    shelf.heard.push(head);
    let length = body.len();
    let answer = format!(
        "HTTP/1.1 {status} x\r\ncontent-length: {length}\r\netag: {etag}\r\nconnection: close\r\n\r\n"
    );
    let _ = peer.write_all(answer.as_bytes());
    let _ = peer.write_all(&body);
}

fn told(done: &Output) -> String {
    let texts = [&done.stdout, &done.stderr];
    texts
        .map(|it| String::from_utf8_lossy(it).into_owned())
        .concat()
}

const ALLOW: Option<i32> = Some(0);
const ASK: Option<i32> = Some(10);
const DENY: Option<i32> = Some(20);

#[test]
fn a_signed_bundle_comes_into_force() {
    let Some(machine) = Machine::new() else {
        return;
    };
    assert_eq!(machine.verdict("ls"), ALLOW);
    let said = told(&machine.belay(&["config"]));
    assert!(said.contains("no bundle was fetched yet"), "{said}");
    machine.pull(5, &[set("base", "stage = \"enforce\"", BASE)]);
    assert_eq!(machine.verdict(PUSH), DENY);
    let said = told(&machine.belay(&["config"]));
    assert!(said.contains("# bundle acme 5, fetched "), "{said}");
    assert!(
        said.contains("#   base: enforce 100 %, applies here"),
        "{said}"
    );
    assert!(said.contains("managed bundle acme 5, base:2:14"), "{said}");
    let done = machine.belay(&["fleet", "pull"]);
    assert!(done.status.success(), "{}", told(&done));
    let heard = machine.shelf.lock().unwrap().heard.clone();
    assert_eq!(heard.len(), 3, "the second time nothing is sent: {heard:?}");
    assert!(
        heard
            .iter()
            .all(|it| it.contains("authorization: bearer secret"))
    );
}

/// A bundle that must be refused: what is wrong, what the server has, and what is said.
struct Bad {
    what: &'static str,
    bundle: Vec<u8>,
    signature: Vec<u8>,
    says: &'static str,
}

fn half(bytes: &[u8]) -> &[u8] {
    bytes.split_at(bytes.len() / 2).0
}

/// All the bad bundles there are, beside a good one with the serial number 5.
fn bad(machine: &Machine) -> Vec<Bad> {
    let good = base().into_bytes();
    let sign = |bundle: &[u8], comment: &str| machine.signed(bundle, comment, &[]);
    let signature = sign(&good, &comment(6));
    let of = |what, (bundle, signature): (&[u8], &[u8]), says| Bad {
        what,
        bundle: bundle.to_vec(),
        signature: signature.to_vec(),
        says,
    };
    let forged = "the signature does not match the bundle";
    let edited = String::from_utf8(signature.clone()).unwrap();
    let edited = edited.replace("serial=6", "serial=7").into_bytes();
    let more = [good.as_slice(), b"\n"].concat();
    let other = text(&[set("base", "stage = \"enforce\"", NEVER_CURL)]).into_bytes();
    let by = |key: &str| machine.signed(&good, &comment(6), &["-s", key]);
    let legacy = machine.signed(&good, &comment(6), &["-l"]);
    let long = format!("{}# {}\n", base(), "x".repeat(4 << 20)).into_bytes();
    let latin = [good.as_slice(), b"# \xe9\n"].concat();
    let expired = comment(6).replace(LATER, "2020-01-01T00:00:00Z");
    let stages = comment(6).replace("enforce", "observe");
    let mut all = vec![
        of("one byte more", (&more, &signature), forged),
        of("half of it", (half(&good), &signature), forged),
        of("nothing", (b"", &signature), forged),
        of("another's signature", (&other, &signature), forged),
        of("a comment changed", (&good, &edited), forged),
        of(
            "half a signature",
            (&good, half(&signature)),
            "missing or incomplete",
        ),
        of("no signature", (&good, b""), "missing or incomplete"),
        of(
            "a line after it",
            (&good, &[&signature[..], b"x\n"].concat()),
            "missing or incomplete",
        ),
        of(
            "a stranger's key",
            (&good, &by("theirs.key")),
            "none of the keys",
        ),
        of("the old kind", (&good, &legacy), "not a prehashed one"),
        of(
            "too large",
            (&long, &sign(&long, &comment(6))),
            "far too long",
        ),
        of(
            "not text",
            (&latin, &sign(&latin, &comment(6))),
            "not UTF-8",
        ),
        of(
            "expired",
            (&good, &sign(&good, &expired)),
            "expired on 2020-01-01",
        ),
        of(
            "an older one",
            (&good, &sign(&good, &comment(4))),
            "serial 4 is older than 5",
        ),
        of(
            "its number again",
            (&other, &sign(&other, &comment(5))),
            "serial 5 was accepted",
        ),
        of(
            "other stages",
            (&good, &sign(&good, &stages)),
            "other stages",
        ),
        of(
            "no comment of ours",
            (&good, &sign(&good, "hello")),
            "the trusted comment `hello`",
        ),
        of(
            "a comment and more",
            (&good, &sign(&good, &(comment(6) + " x=1"))),
            "the trusted comment",
        ),
    ];
    let texts = [
        ("not TOML", base() + "]", "not valid TOML"),
        (
            "a later form",
            base().replace("format = 1", "format = 2"),
            "the format 2",
        ),
        ("no form", base().replace("format = 1", ""), "no `format`"),
        (
            "an unknown key",
            base() + "extra = 1\n",
            "unknown key `set.extra`",
        ),
        (
            "an unknown stage",
            base().replace("enforce", "maybe"),
            "`observe`, `ask` or",
        ),
        ("a percentage", base() + "percent = 101\n", "from 0 to 100"),
        (
            "nobody meant",
            base() + "where = { team = [] }\n",
            "`set.where`",
        ),
        (
            "twice a name",
            base() + base().split_once("\n\n").unwrap().1,
            "two rule sets",
        ),
        (
            "a wrong setting",
            base().replace("hard_deny", "hard_denied"),
            "unknown key `hard_denied`",
        ),
        (
            "a key of its own",
            base().replace("[rules]", "[fleet]\nkeys = []\n[rules]"),
            "only the managed",
        ),
    ];
    all.extend(texts.map(|(what, text, says)| {
        let bundle = text.into_bytes();
        let signature = sign(&bundle, &comment(6));
        of(what, (&bundle, &signature), says)
    }));
    all
}

#[test]
fn a_bad_bundle_leaves_the_one_before_in_force() {
    let Some(machine) = Machine::new() else {
        return;
    };
    machine.pull(5, &[set("base", "stage = \"enforce\"", BASE)]);
    let before = std::fs::read(machine.current()).unwrap();
    let all = bad(&machine);
    assert!(all.len() >= 12);
    for bad in all {
        machine.shelve(&bad.bundle, &bad.signature);
        let done = machine.belay(&["fleet", "pull"]);
        let said = told(&done);
        assert_eq!(done.status.code(), Some(1), "{}: {said}", bad.what);
        assert!(said.contains(bad.says), "{}: {said}", bad.what);
        assert!(
            said.contains("bundle 5 stays in force"),
            "{}: {said}",
            bad.what
        );
        assert_eq!(
            std::fs::read(machine.current()).unwrap(),
            before,
            "{}",
            bad.what
        );
    }
    machine.shelf.lock().unwrap().status = 503;
    let said = told(&machine.belay(&["fleet", "pull"]));
    assert!(said.contains("answered 503"), "{said}");
    assert_eq!(machine.verdict(PUSH), DENY);
    let said = told(&machine.belay(&["doctor", "--print", "claude-code"]));
    assert!(said.contains("bundle acme 5"), "{said}");
    assert!(said.contains("no new bundle since"), "{said}");
    let record = machine.belay(&["check", "--record", "--json", "--", "ls"]);
    assert!(record.status.success(), "{}", told(&record));
    let said = told(&machine.belay(&["log", "--json"]));
    assert!(said.contains("no new bundle since"), "{said}");
    machine.shelf.lock().unwrap().status = 200;
    machine.pull(6, &[set("base", "stage = \"enforce\"", BASE)]);
    let said = told(&machine.belay(&["config"]));
    assert!(!said.contains("trouble"), "{said}");
}

#[test]
fn a_key_whose_time_is_over_signs_nothing_new() {
    let Some(machine) = Machine::new() else {
        return;
    };
    machine.pull(1, &[set("base", "stage = \"enforce\"", BASE)]);
    let key = format!("{} not_after=2020-01-01", machine.public("ours"));
    machine.manage_by(&key, "");
    assert_eq!(machine.verdict(PUSH), DENY, "what is in force stays");
    let text = base();
    machine.shelve(
        text.as_bytes(),
        &machine.signed(text.as_bytes(), &comment(2), &[]),
    );
    std::fs::remove_file(machine.path(".local/state/belay/fleet/pulled.json")).unwrap();
    let said = told(&machine.belay(&["fleet", "pull"]));
    assert!(said.contains("not accepted after 2020-01-01"), "{said}");
}

#[test]
fn what_somebody_changed_on_the_disk_is_not_used() {
    let Some(machine) = Machine::new() else {
        return;
    };
    machine.pull(1, &[set("base", "stage = \"enforce\"", BASE)]);
    machine.pull(2, &[set("base", "stage = \"enforce\"", NEVER_CURL)]);
    let change = |path: &Path| {
        let text = std::fs::read_to_string(path).unwrap();
        std::fs::write(path, text.replace("hard_deny", "soft_deny")).unwrap();
    };
    change(&machine.current());
    let said = told(&machine.belay(&["config"]));
    assert!(
        said.contains("bundle 1 from before it is in force"),
        "{said}"
    );
    assert_eq!(machine.verdict(PUSH), DENY);
    change(&machine.current().with_file_name("previous.bundle"));
    let done = machine.belay(&["check", "--", "ls"]);
    assert_eq!(done.status.code(), Some(1), "nothing is allowed");
    assert!(told(&done).contains("hint: fetch it again with `belay fleet pull`"));
    let done = machine.belay(&["fleet", "pull"]);
    assert!(done.status.success(), "{}", told(&done));
    assert_eq!(machine.verdict(CURL), DENY);
}

#[test]
fn nobody_but_the_machines_owner_names_keys() {
    let Some(machine) = Machine::new() else {
        return;
    };
    std::fs::write(machine.path("managed.toml"), "").unwrap();
    let ours = machine.public("ours");
    let fleet = format!(
        "[fleet]\nurl = \"http://127.0.0.1:{}\"\nkeys = [\"{ours}\"]\n",
        machine.port
    );
    std::fs::create_dir_all(machine.path(".config/belay")).unwrap();
    std::fs::write(machine.path(".config/belay/config.toml"), &fleet).unwrap();
    std::fs::write(machine.path("project/.belay.toml"), &fleet).unwrap();
    let done = machine.belay(&["fleet", "pull"]);
    assert_eq!(done.status.code(), Some(1));
    assert!(told(&done).contains("the managed settings name no server or no key"));
    let said = told(&machine.belay(&["config"]));
    assert!(
        said.contains("only the managed settings may set `fleet.keys`"),
        "{said}"
    );
    assert!(machine.shelf.lock().unwrap().heard.is_empty());
}

#[test]
fn a_bundle_tightens_and_loosens_only_what_it_may() {
    let Some(machine) = Machine::new() else {
        return;
    };
    let loose = "[rules]\nallow = [\"git push\"]\n[thresholds]\ndeny_at = 99\n";
    let unbound = machine.verdict(PUSH);
    assert_eq!(unbound, ASK);
    machine.pull(1, &[set("base", "stage = \"enforce\"", loose)]);
    assert_eq!(machine.verdict(PUSH), unbound);
    let said = told(&machine.belay(&["config"]));
    assert!(
        said.contains("a bundle may not set `rules.allow` like this"),
        "{said}"
    );
    machine.manage("may_loosen = true\n");
    assert_eq!(machine.verdict(PUSH), ALLOW);
    machine.manage(
        "may_loosen = true\n[rules]\nhard_deny = [\"git push\"]\n[thresholds]\ndeny_at = 80\n",
    );
    assert_eq!(
        machine.verdict(PUSH),
        DENY,
        "what the managed file says stays"
    );
    let said = told(&machine.belay(&["config"]));
    assert!(
        said.contains("thresholds.deny_at               = 80"),
        "{said}"
    );
}

#[test]
fn stages_are_gone_through_one_after_another() {
    let Some(machine) = Machine::new() else {
        return;
    };
    let before = machine.verdict("git status");
    assert_eq!(before, ALLOW);
    let never = "[rules]\nhard_deny = [\"git status\"]\n";
    let staged = |serial, more: &str| machine.pull(serial, &[set("new", more, never)]);
    staged(1, "stage = \"observe\"");
    assert_eq!(machine.verdict("git status"), ALLOW);
    let record = machine.belay(&["check", "--record", "--", "git status"]);
    assert_eq!(record.status.code(), Some(0));
    let said = told(&machine.belay(&["log", "--json"]));
    assert!(
        said.contains(r#""shadow":{"verdict":"deny","rule":"#),
        "{said}"
    );
    assert!(said.contains(r#""sets":["new"]}"#), "{said}");
    staged(2, "stage = \"ask\"");
    assert_eq!(machine.verdict("git status"), ASK);
    let headless = machine.belay(&["check", "--headless", "--", "git status"]);
    assert_eq!(headless.status.code(), Some(20));
    staged(3, "stage = \"enforce\"");
    assert_eq!(machine.verdict("git status"), DENY);
    staged(4, "stage = \"enforce\"\npercent = 0");
    assert_eq!(machine.verdict("git status"), ALLOW);
    staged(5, "stage = \"enforce\"\nwhere = { team = \"core\" }");
    assert_eq!(machine.verdict("git status"), ALLOW);
    machine.manage("team = \"core\"\n");
    assert_eq!(machine.verdict("git status"), DENY);
    staged(6, "stage = \"enforce\"\nwhere = { os = \"plan9\" }");
    assert_eq!(machine.verdict("git status"), ALLOW);
}

#[test]
fn a_diff_says_what_would_change() {
    let Some(machine) = Machine::new() else {
        return;
    };
    for command in ["git status", "ls", CURL] {
        machine.belay(&["check", "--record", "--", command]);
    }
    let file = |name: &str, more: &str| {
        let never = "[rules]\nhard_deny = [\"git status\"]\n";
        std::fs::write(machine.path(name), text(&[set("new", more, never)])).unwrap();
        machine.path(name).display().to_string()
    };
    let (observed, enforced) = (
        file("a", "stage = \"observe\""),
        file("b", "stage = \"enforce\""),
    );
    let said = told(&machine.belay(&["fleet", "diff", &observed, &enforced]));
    assert!(said.contains("allow -> deny  git status"), "{said}");
    assert!(
        said.contains("1 of 3 recorded calls would get a different verdict"),
        "{said}"
    );
    let said = told(&machine.belay(&["fleet", "diff", &observed]));
    assert!(said.contains("0 of 3 recorded"), "{said}");
    let said = told(&machine.belay(&["fleet", "diff", "--enforced", "--json", &observed]));
    let value: serde_json::Value = serde_json::from_str(said.trim()).unwrap();
    assert_eq!(value.pointer("/new/verdict").unwrap(), "deny");
}

#[test]
fn without_a_signer_there_is_a_way_out() {
    let Some(machine) = Machine::new() else {
        return;
    };
    std::fs::write(machine.path("a.bundle"), base()).unwrap();
    let done = Command::new(env!("CARGO_BIN_EXE_belay"))
        .args([
            "fleet", "sign", "a.bundle", "--key", "ours.key", "--serial", "1",
        ])
        .args(["--not-after", "2099-12-31"])
        .current_dir(machine.home.path())
        .env("PATH", "/nowhere")
        .output()
        .unwrap();
    let said = told(&done);
    assert_eq!(done.status.code(), Some(1), "{said}");
    assert!(
        said.contains("the program `minisign` is not there"),
        "{said}"
    );
    assert!(said.contains("stages=base:enforce:100"), "{said}");
}

#[test]
fn a_users_bundle_is_private() {
    let Some(machine) = Machine::new() else {
        return;
    };
    machine.pull(1, &[set("base", "stage = \"enforce\"", BASE)]);
    let mode = |it: &Path| std::fs::metadata(it).unwrap().permissions().mode() & 0o777;
    let folder = machine.path(".local/state/belay/fleet");
    assert_eq!((mode(&machine.current()), mode(&folder)), (0o600, 0o700));
}

const ACMECTL: &str = r#"about = "Steers the machines of Acme."

[sub.tune]
about   = "Does nothing that lasts."
usage   = "acmectl tune"
effects = []
inert   = "-v --verbose"

[sub.wipe]
about   = "Deletes what a folder holds."
usage   = "acmectl wipe DIR"
effects = ["delete tree DIR"]

[examples]
"acmectl tune"    = []
"acmectl tune -v" = []
"acmectl wipe /etc" = ["delete tree /etc"]
"acmectl frob"      = ["unknown subcommand frob"]
"#;

/// Puts a knowledge file behind the settings of a rule set.
fn teaching(settings: &str, path: &str, file: &str) -> String {
    format!("{settings}'''\n\n[[set.knowledge]]\npath = \"{path}\"\ntext = '''\n{file}")
}

const TUNE: &str = "acmectl tune";
const WIPE: &str = "acmectl wipe /etc";

#[test]
fn knowledge_of_a_bundle_only_tightens_unless_the_owner_lets_it_loosen() {
    let Some(machine) = Machine::new() else {
        return;
    };
    assert_eq!((machine.verdict(TUNE), machine.verdict(WIPE)), (ASK, ASK));
    let taught = teaching("", "commands/acmectl.toml", ACMECTL);
    machine.pull(1, &[set("base", "stage = \"enforce\"", &taught)]);
    assert_eq!(machine.verdict(TUNE), ASK, "unknown stays unknown");
    assert_eq!(machine.verdict(WIPE), DENY, "what is known to harm does");
    machine.manage("may_loosen = true\n");
    assert_eq!(machine.verdict(TUNE), ALLOW);
    assert_eq!(machine.verdict("acmectl tune -v"), ALLOW);
    assert_eq!(machine.verdict("acmectl frob"), ASK);
    assert_eq!(machine.verdict(WIPE), DENY);
    assert_eq!(machine.verdict("acmectl tune; rm -rf ~"), DENY, "the floor");
    // A rule of the owner still holds.
    machine.manage("may_loosen = true\n[rules]\nhard_deny = [\"acmectl\"]\n");
    assert_eq!(machine.verdict(TUNE), DENY);
    // Without the bundle nothing is known.
    machine.manage("may_loosen = true\n");
    machine.pull(2, &[set("base", "stage = \"enforce\"", BASE)]);
    assert_eq!((machine.verdict(TUNE), machine.verdict(WIPE)), (ASK, ASK));
}

#[test]
fn knowledge_goes_through_the_stages() {
    let Some(machine) = Machine::new() else {
        return;
    };
    machine.manage("may_loosen = true\nteam = \"core\"\n");
    let taught = teaching("", "commands/acmectl.toml", ACMECTL);
    let staged = |serial, more: &str| machine.pull(serial, &[set("new", more, &taught)]);
    let shadow = |command: &str| {
        machine.belay(&["check", "--record", "--", command]);
        let said = told(&machine.belay(&["log", "--json", "-n", "1"]));
        let (_, shadow) = said.split_once("\"shadow\":{\"verdict\":\"").unwrap();
        shadow.split('"').next().unwrap().to_owned()
    };
    staged(1, "stage = \"observe\"");
    assert_eq!((machine.verdict(TUNE), machine.verdict(WIPE)), (ASK, ASK));
    assert_eq!(
        (shadow(TUNE).as_str(), shadow(WIPE).as_str()),
        ("allow", "deny")
    );
    staged(2, "stage = \"ask\"");
    assert_eq!((machine.verdict(TUNE), machine.verdict(WIPE)), (ASK, ASK));
    staged(3, "stage = \"enforce\"");
    assert_eq!(
        (machine.verdict(TUNE), machine.verdict(WIPE)),
        (ALLOW, DENY)
    );
    for (serial, more) in [
        (4, "stage = \"enforce\"\npercent = 0"),
        (5, "stage = \"enforce\"\nwhere = { team = \"web\" }"),
    ] {
        staged(serial, more);
        assert_eq!(
            (machine.verdict(TUNE), machine.verdict(WIPE)),
            (ASK, ASK),
            "{more}"
        );
    }
    // A later rule set speaks before an earlier one.
    let milder = ACMECTL
        .replace("delete tree DIR", "read DIR")
        .replace("delete tree /etc", "read /etc");
    let milder = teaching("", "commands/acmectl.toml", &milder);
    machine.pull(
        6,
        &[
            set("old", "stage = \"enforce\"", &taught),
            set("new", "stage = \"observe\"", &milder),
        ],
    );
    assert_eq!(machine.verdict(WIPE), DENY);
    assert_eq!(shadow(WIPE), "allow");
}

#[test]
fn a_users_file_does_not_change_what_the_fleet_says() {
    let Some(machine) = Machine::new() else {
        return;
    };
    let own = machine.path(".config/belay/knowledge/commands");
    std::fs::create_dir_all(&own).unwrap();
    let harmless = ACMECTL
        .replace("effects = [\"delete tree DIR\"]", "effects = []")
        .replace("[\"delete tree /etc\"]", "[]");
    std::fs::write(own.join("acmectl.toml"), harmless).unwrap();
    assert_eq!(
        (machine.verdict(TUNE), machine.verdict(WIPE)),
        (ALLOW, ALLOW)
    );
    let taught = teaching("", "commands/acmectl.toml", ACMECTL);
    for loosen in ["", "may_loosen = true\n"] {
        machine.manage(loosen);
        let serial = 1 + loosen.len() as u64;
        machine.pull(serial, &[set("base", "stage = \"enforce\"", &taught)]);
        assert_eq!(machine.verdict(WIPE), DENY, "{loosen}");
        assert_eq!(machine.verdict(TUNE), ALLOW, "{loosen}");
    }
}

/// Knowledge that a machine must refuse, and what it says.
const BAD_KNOWLEDGE: [(&str, &str, &str); 9] = [
    (
        "commands/rm.toml",
        "about = \"Nothing.\"\nusage = \"rm [WORD...]\"\n[examples]\n\"rm x\" = []\n\"rm y\" = []\n\"rm z\" = []\n",
        "already knows `rm`",
    ),
    (
        "commands/x.toml",
        "about = \"Nothing.\"\nnames = [\"x\", \"git\"]\nusage = \"x [WORD...]\"\n[examples]\n\"x a\" = []\n\"x b\" = []\n\"git c\" = []\n",
        "already knows `git`",
    ),
    (
        "commands/x.toml",
        "about = \"Nothing.\"\nnames = [\"x\", \"curl*\"]\nusage = \"x [WORD...]\"\n[examples]\n\"x a\" = []\n\"x b\" = []\n\"x c\" = []\n",
        "already knows `curl",
    ),
    ("commands/x.toml", "about = \"x\nusage", "rule set `base`"),
    (
        "commands/x.toml",
        "about = \"Nothing.\"\nverdict = \"allow\"\n",
        "rule set `base`",
    ),
    (
        "commands/x.toml",
        "about = \"Nothing.\"\nusage = \"x\"\n[bound]\npath = \"/bin/x\"\nhash = \"\"\nstamp = \"\"\n",
        "one machine",
    ),
    (
        "lists/usual-shells.toml",
        "words = [\"x\"]\n",
        "`set.knowledge`",
    ),
    ("variables/x.toml", "", "`set.knowledge`"),
    ("commands/../../x.toml", "", "`set.knowledge`"),
];

#[test]
fn bad_knowledge_leaves_the_bundle_before_in_force() {
    let Some(machine) = Machine::new() else {
        return;
    };
    machine.pull(5, &[set("base", "stage = \"enforce\"", BASE)]);
    let before = std::fs::read(machine.current()).unwrap();
    for (path, file, says) in BAD_KNOWLEDGE {
        let settings = teaching(NEVER_CURL, path, file);
        let bundle = text(&[set("base", "stage = \"enforce\"", &settings)]);
        let signature = machine.signed(bundle.as_bytes(), &comment(6), &[]);
        machine.shelve(bundle.as_bytes(), &signature);
        let done = machine.belay(&["fleet", "pull"]);
        let said = told(&done);
        assert_eq!(done.status.code(), Some(1), "{path}: {said}");
        assert!(said.contains(says), "{path}: {said}");
        assert!(said.contains("bundle 5 stays in force"), "{path}: {said}");
        assert_eq!(std::fs::read(machine.current()).unwrap(), before, "{path}");
        std::fs::write(machine.path("made"), &bundle).unwrap();
        std::fs::write(machine.path("made.minisig"), &signature).unwrap();
        let done = machine.belay(&["fleet", "verify", "../made"]);
        assert_eq!(done.status.code(), Some(1), "{path}: {}", told(&done));
    }
    assert_eq!((machine.verdict(PUSH), machine.verdict(CURL)), (DENY, ASK));
}

#[test]
fn build_takes_knowledge_from_beside_the_plan() {
    let Some(machine) = Machine::new() else {
        return;
    };
    let folder = machine.path("project/policy");
    std::fs::create_dir_all(folder.join("base.knowledge/tools")).unwrap();
    let plan = "name = \"acme\"\n[[set]]\nname = \"base\"\nstage = \"observe\"\n";
    std::fs::write(folder.join("bundle.toml"), plan).unwrap();
    let file = folder.join("base.knowledge/acmectl.toml");
    std::fs::write(&file, ACMECTL).unwrap();
    let done = machine.belay(&["fleet", "build", "policy", "-o", "out"]);
    let said = told(&done);
    assert!(done.status.success(), "{said}");
    assert!(
        said.contains("1 rule set: base:observe:100, 1 knowledge file"),
        "{said}"
    );
    assert!(said.contains("without `may_loosen`"), "{said}");
    let made = std::fs::read(machine.path("project/out")).unwrap();
    let made = belay_bundle::read(&made).unwrap();
    assert_eq!(made.sets[0].knowledge[0].path, "commands/acmectl.toml");
    assert_eq!(made.sets[0].knowledge[0].text, ACMECTL);
    // An example of a rule may use what is taught beside it.
    let rule = "[[rule]]\nid = \"no-wipe\"\ncommand = \"acmectl wipe\"\nverdict = \"deny\"\nexamples = { deny = [\"acmectl wipe x\"] }\n";
    std::fs::write(folder.join("base.toml"), rule).unwrap();
    let done = machine.belay(&["fleet", "build", "policy", "-o", "out"]);
    assert!(done.status.success(), "{}", told(&done));
    for (wrong, says) in [
        (
            ACMECTL.replace("[\"delete tree /etc\"]", "[]"),
            "`acmectl wipe /etc` does `delete tree /etc`",
        ),
        (
            ACMECTL.replace("about = \"Steers", "about = Steers"),
            "policy/base.knowledge/acmectl.toml:1:",
        ),
        (
            format!("{ACMECTL}\n[bound]\npath = \"/bin/a\"\nhash = \"b\"\nstamp = \"c\"\n"),
            "remove `[bound]`",
        ),
    ] {
        std::fs::write(&file, wrong).unwrap();
        let done = machine.belay(&["fleet", "build", "policy", "-o", "out2"]);
        let said = told(&done);
        assert_eq!(done.status.code(), Some(1), "{says}: {said}");
        assert!(
            said.contains(says) && said.contains("hint: "),
            "{says}: {said}"
        );
        assert!(said.contains("no bundle was made"), "{said}");
        assert!(!machine.path("project/out2").exists());
    }
    std::fs::write(&file, ACMECTL).unwrap();
    std::fs::create_dir_all(folder.join("base.knowledge/lists")).unwrap();
    std::fs::write(folder.join("base.knowledge/lists/x.toml"), "words = []\n").unwrap();
    let said = told(&machine.belay(&["fleet", "build", "policy", "-o", "out2"]));
    assert!(
        said.contains("base.knowledge/lists/x.toml") && said.contains("hint: "),
        "{said}"
    );
}

#[test]
fn words_are_settings_so_a_bundle_carries_them() {
    let Some(machine) = Machine::new() else {
        return;
    };
    let words = "[words]\nforbid = [\"push: hands off the remote\"]\ngrant = [\"push: ship it\"]\n";
    machine.pull(1, &[set("base", "stage = \"enforce\"", words)]);
    let said = told(&machine.belay(&["config"]));
    assert!(said.contains("push: hands off the remote"), "{said}");
    assert!(
        said.contains("a bundle may not set `words.grant` like this"),
        "{said}"
    );
    machine.manage("may_loosen = true\n");
    let said = told(&machine.belay(&["config"]));
    assert!(said.contains("push: ship it"), "{said}");
    let wrong = "[words]\nforbid = [\"nonsense: x\"]\n";
    let bundle = text(&[set("base", "stage = \"enforce\"", wrong)]);
    let signature = machine.signed(bundle.as_bytes(), &comment(2), &[]);
    machine.shelve(bundle.as_bytes(), &signature);
    let said = told(&machine.belay(&["fleet", "pull"]));
    assert!(
        said.contains("is not a class of acts and a phrase"),
        "{said}"
    );
    assert!(said.contains("bundle 1 stays in force"), "{said}");
}
