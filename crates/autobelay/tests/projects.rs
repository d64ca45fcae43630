//! A rule that names a project holds there, and nowhere else.

mod house;

use autobelay::{Call, Gate, Nowhere, Verdict};
use belay_settings::{Source, load_texts};

fn verdict(rule: &str, project: &str) -> Verdict {
    let text = format!("[[rule]]\n{rule}\n");
    let loaded = load_texts(&[(Source::User, "config.toml", &text)]);
    assert!(loaded.errors.is_empty(), "{rule}: {:?}", loaded.errors);
    let call = Call {
        cwd: project.to_owned(),
        project_roots: vec![project.to_owned()],
        ..house::call("Bash", house::object(&[("command", "frob build")]))
    };
    Gate::new(loaded.settings).judge_in(&call, &Nowhere).verdict
}

const ALLOW: &str = "command = \"frob build\"\nverdict = \"allow\"\n";
const DENY: &str = "command = \"frob build\"\nverdict = \"deny\"\n";

#[test]
fn an_allow_of_a_project_is_no_allow_elsewhere() {
    assert_eq!(verdict(ALLOW, "/work/app"), Verdict::Allow);
    let here = format!("{ALLOW}project = \"/work/app\"");
    for (project, wanted) in [
        ("/work/app", Verdict::Allow),
        ("/work/app/sub", Verdict::Allow),
        ("/work/apple", Verdict::Ask),
        ("/work", Verdict::Ask),
        ("/work/app/../other", Verdict::Ask),
    ] {
        assert_eq!(verdict(&here, project), wanted, "{project}");
    }
    let at_home = format!("{ALLOW}project = \"~/app\"");
    assert_eq!(verdict(&at_home, "/home/me/app"), Verdict::Allow);
    assert_eq!(verdict(&at_home, "/home/you/app"), Verdict::Ask);
    let strange = format!("{ALLOW}project = [\"app\", \"/work/x/../app\"]");
    assert_eq!(verdict(&strange, "/work/app"), Verdict::Ask);
}

#[test]
fn a_deny_of_a_project_is_no_deny_elsewhere() {
    let here = format!("{DENY}project = \"/work/app\"");
    assert_eq!(verdict(&here, "/work/app"), Verdict::Deny);
    // A folder that nobody can tell holds for a deny everywhere, for an allow nowhere.
    let strange = format!("{DENY}project = \"app\"");
    assert_eq!(verdict(&strange, "/work/app"), Verdict::Deny);
    assert_eq!(verdict(&here, "/work/other"), Verdict::Ask);
}
