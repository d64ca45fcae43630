//! A real, very small model end to end: the wire, not the judgement. Part of the long run, after `scripts/install-small-model`.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use belay_needs::Need;

struct Model(Child);

impl Drop for Model {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
#[ignore = "long: a real model is 0.8 GB to fetch"]
fn a_real_model_answers_in_the_right_form() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let weights = root.join(".cache/small-model/model.gguf");
    let found = || weights.is_file().then_some(());
    if Need::SmallModel.met("the small model", found).is_none() {
        return;
    }
    let mut child = Command::new("node")
        .arg("scripts/small-model.mjs")
        .current_dir(&root)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut url = String::new();
    let stdout = child.stdout.take().unwrap();
    let _model = Model(child);
    BufReader::new(stdout).read_line(&mut url).unwrap();
    let home = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(home.path().join(".config/belay")).unwrap();
    let settings = format!(
        "[classifier]\nprovider = \"compatible\"\nmodel = \"small\"\nretries = 0\ntimeout_ms = 110000\nbase_url = \"{}\"\n\
         [deadline]\ntotal_ms = 120000\n[rules]\nsoft_deny = [\"deploys\"]\nallow = [\"tests\"]\nenvironment = [\"a laptop\"]\n",
        url.trim()
    );
    std::fs::write(home.path().join(".config/belay/config.toml"), settings).unwrap();
    let done = Command::new(env!("CARGO_BIN_EXE_belay"))
        .args(["classifier", "check", "--json", "--", "frobnicate --all"])
        .env_clear()
        .env("HOME", home.path())
        .output()
        .unwrap();
    let said: serde_json::Value = serde_json::from_slice(&done.stdout).unwrap();
    eprintln!("{said}");
    assert_eq!(done.status.code(), Some(0), "{said}");
    assert_eq!(said["rung"], "provider");
    let answer = said["answer"].as_str().unwrap();
    assert!(matches!(answer, "pass" | "block"), "{said}");
}
