//! The matrix of agents and cases: the published ones are current, and it can be measured anew:
//! `cargo xtask agents` (`BELAY_E2E_ALL=1` adds the slow clients).

#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::cell::RefCell;
use std::fs;
use std::path::Path;

use belay_e2e::{Case, Client, Fate, expected, matrix, page, play, summary};
use belay_needs::Need;

fn check(path: &str, text: impl Fn(&str) -> String) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(path);
    let before = fs::read_to_string(&path).unwrap_or_default();
    let after = text(&before);
    if std::env::var_os("BELAY_BLESS").is_some() {
        fs::write(&path, after).unwrap();
    } else {
        assert_eq!(
            before,
            after,
            "{}: run `cargo xtask agents --write`",
            path.display()
        );
    }
}

#[test]
fn the_published_matrix_is_current() {
    check("docs/reference/agents.md", |_| page());
}

#[test]
fn the_matrix_of_the_readme_is_current() {
    let (begin, end) = (
        "<!-- agents: cargo xtask agents --write -->\n",
        "<!-- /agents -->",
    );
    check("README.md", |text| {
        let (head, rest) = text.split_once(begin).expect("the README has our marker");
        let (_, tail) = rest
            .split_once(end)
            .expect("the README has our second marker");
        format!("{head}{begin}{}{end}{tail}", summary())
    });
}

#[test]
#[ignore = "long: runs every client with every case once more"]
fn measured() {
    let all = std::env::var_os("BELAY_E2E_ALL").is_some();
    let slow = |client: &Client| matches!(client, Client::Qwen | Client::OpenCode);
    let clients: Vec<Client> = Client::ALL
        .into_iter()
        .filter(|it| all || !slow(it))
        .filter(|it| {
            Need::Clients
                .met(it.agent().title(), || it.folder())
                .is_some()
        })
        .collect();
    let gate = Path::new(env!("CARGO_BIN_EXE_belay-e2e-gate"));
    let wrong = RefCell::new(Vec::new());
    let fate = |client: Client, case: Case| {
        let wanted = expected(client, case);
        if matches!(wanted, Fate::None | Fate::Unmeasured) {
            return wanted;
        }
        let became = match play(client, case, gate) {
            Ok((_, outcome)) if !outcome.tried() => Fate::None,
            Ok((fate, _)) => fate,
            Err(_) => Fate::None,
        };
        eprintln!("{client:?} {case:?}: {became:?}");
        if became != wanted {
            wrong.borrow_mut().push((client, case, became));
        }
        became
    };
    println!("{}", matrix(&clients, &fate));
    assert!(wrong.borrow().is_empty(), "{:?}", wrong.borrow());
}
