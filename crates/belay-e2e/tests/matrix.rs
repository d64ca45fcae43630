//! The matrix of agents and cases: the published one is current, and it can be measured anew:
//! `cargo test -p belay-e2e --test matrix -- --ignored --nocapture` (`BELAY_E2E_ALL=1` adds the
//! slow clients).

use std::cell::RefCell;
use std::fs;
use std::path::Path;

use belay_e2e::{Case, Client, Fate, expected, matrix, page, play};

#[test]
fn the_published_matrix_is_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/agents.md");
    if std::env::var_os("BELAY_BLESS").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, page()).unwrap();
    }
    assert!(
        fs::read_to_string(&path).is_ok_and(|text| text == page()),
        "run it with BELAY_BLESS=1"
    );
}

#[test]
#[ignore = "runs every client with every case"]
fn measured() {
    let all = std::env::var_os("BELAY_E2E_ALL").is_some();
    let slow = |client: &Client| matches!(client, Client::Qwen | Client::OpenCode);
    let clients: Vec<Client> = Client::ALL
        .into_iter()
        .filter(|it| it.folder().is_some() && (all || !slow(it)))
        .collect();
    let gate = Path::new(env!("CARGO_BIN_EXE_belay-e2e-gate"));
    let wrong = RefCell::new(Vec::new());
    let fate = |client: Client, case: Case| {
        let wanted = expected(client, case);
        if wanted == Fate::None {
            return wanted;
        }
        let became = play(client, case, gate).map_or(Fate::None, |(fate, _)| fate);
        if became != wanted {
            wrong.borrow_mut().push((client, case, became));
        }
        became
    };
    println!("{}", matrix(&clients, &fate));
    assert!(wrong.borrow().is_empty(), "{:?}", wrong.borrow());
}
