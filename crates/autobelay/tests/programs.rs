//! An agent's code mode: the program may do what the strictest of its calls may.

mod house;

use autobelay::{Call, Gate, Nowhere, Settings, Value, Verdict};
use house::{call, object};

fn verdict(code: &str) -> Verdict {
    let judged = |input: Value| {
        let call = Call {
            agent: Some("codex".to_owned()),
            ..call("exec", input)
        };
        Gate::new(Settings::default())
            .judge_in(&call, &Nowhere)
            .verdict
    };
    let verdict = judged(Value::from(code));
    assert_eq!(verdict, judged(object(&[("input", code)])), "{code}");
    verdict
}

#[test]
fn programs_that_only_work_run() {
    for code in [
        "const r = await tools.exec_command({cmd: \"ls -la\", workdir: \"/work/app\", yield_time_ms: 1000, max_output_tokens: 2000}); text(r.output)",
        "const [a, b] = await Promise.all([tools.exec_command({cmd: 'git status'}), tools.exec_command({cmd: 'cat src/a.rs'})]); text(a.output + b.output)",
        "const patch = `*** Begin Patch\n*** Update File: src/a.rs\n@@\n-a\n+b\n*** End Patch`; text(await tools.apply_patch(patch));",
        "for (const f of ['a', 'b']) { const r = await tools.exec_command({cmd: `cat ${f}`}); text(r.output); }",
        "await tools.update_plan({plan: [{step: 'a', status: 'completed'}]})",
    ] {
        assert_eq!(verdict(code), Verdict::Allow, "{code}");
    }
}

#[test]
fn the_strictest_call_decides() {
    for (code, expected) in [
        ("await tools.exec_command({cmd: 'rm -rf ~'})", Verdict::Deny),
        (
            "await tools.exec_command({cmd: 'ls'}); await tools.exec_command({cmd: 'rm -rf ~'})",
            Verdict::Deny,
        ),
        (
            "try { await tools.exec_command({cmd: 'ls'}) } catch (e) { await tools.exec_command({cmd: 'rm -rf ~'}) }",
            Verdict::Deny,
        ),
        (
            "const p = '*** Begin Patch\\n*** Add File: /home/me/.bashrc\\n+evil\\n*** End Patch'; await tools.apply_patch(p)",
            Verdict::Deny,
        ),
        (
            "await tools.exec_command({cmd: 'npm publish'})",
            Verdict::Ask,
        ),
    ] {
        assert_eq!(verdict(code), expected, "{code}");
    }
}

#[test]
fn what_cannot_be_read_is_asked() {
    for code in [
        "const r = await tools.exec_command({cmd: 'cat x'}); await tools.exec_command({cmd: r.output})",
        "await tools.exec_command({cmd: 'echo \"rm -rf ~\" > a.sh'}); await tools.exec_command({cmd: 'sh a.sh'})",
        "await tools.apply_patch('*** Begin Patch\\n*** Add File: a.sh\\n+rm -rf ~\\n*** End Patch'); await tools.exec_command({cmd: 'sh a.sh'})",
        "const t = tools; await t.exec_command({cmd: 'ls'})",
        "text('nothing is called')",
    ] {
        assert_ne!(verdict(code), Verdict::Allow, "{code}");
    }
}
