//! Programs that call their host's tools: each call is found with its input, or the program is not read.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a test looks at what it is about"
)]

use belay_languages::read_tool_calls;
use belay_model::Value;

fn shown(code: &str) -> Option<Vec<String>> {
    let calls = read_tool_calls(code)?;
    let line = |it: &belay_languages::ToolCall| {
        let text = match &it.input {
            Value::String(text) => text.clone(),
            input => ["cmd", "chars"]
                .iter()
                .find_map(|name| input.get(name)?.text())
                .unwrap_or("")
                .to_owned(),
        };
        format!("{} {text}", it.name).trim_end().to_owned()
    };
    Some(calls.iter().map(line).collect())
}

#[test]
fn calls_are_found() {
    for (code, expected) in [
        (
            "const r = await tools.exec_command({cmd: \"ls -la\", workdir: \"/x\", yield_time_ms: 1000}); text(r.output)",
            vec!["exec_command ls -la"],
        ),
        (
            "const patch = \"*** Begin Patch\\n*** End Patch\"; text(await tools.apply_patch(patch));",
            vec!["apply_patch *** Begin Patch\n*** End Patch"],
        ),
        (
            "const [a, b] = await Promise.all([tools.exec_command({cmd: 'a'}), tools.exec_command({cmd: 'b'})]); text(a.output + b.output)",
            vec!["exec_command a", "exec_command b"],
        ),
        (
            "for (const f of ['a', 'b']) { const r = await tools.exec_command({cmd: `cat ${f}`}); text(r.output); }",
            vec!["exec_command cat a", "exec_command cat b"],
        ),
        (
            "const r = await tools.exec_command({cmd: 'x'}); if (r.session_id) { await tools.write_stdin({session_id: r.session_id, chars: ''}); }",
            vec!["exec_command x", "write_stdin"],
        ),
        (
            "async function run(cmd) { const r = await tools.exec_command({cmd}); return r.output; } text(await run('a')); text(await run('b'));",
            vec!["exec_command a", "exec_command b"],
        ),
        (
            "const run = async (c) => { const r = await tools.exec_command({cmd: c}); text(r.output) }; await run('a')",
            vec!["exec_command a"],
        ),
        (
            "const rs = await Promise.all(['a','b'].map(c => tools.exec_command({cmd: c}))); rs.forEach(r => text(r.output));",
            vec!["exec_command a", "exec_command b"],
        ),
        (
            "let out = ''; for (const c of ['a']) { const r = await tools.exec_command({cmd: c}); out += r.output; } text(out);",
            vec!["exec_command a"],
        ),
        (
            "const x = ['a', 'b'].join(' && '); await tools.exec_command({cmd: x});",
            vec!["exec_command a && b"],
        ),
        (
            "try { await tools.exec_command({cmd: 'a'}) } catch (e) { text(String(e)); await tools.exec_command({cmd: 'b'}) }",
            vec!["exec_command a", "exec_command b"],
        ),
        (
            "const mk = c => () => tools.exec_command({cmd: c}); mk('rm')()",
            vec!["exec_command rm"],
        ),
        ("text('hi')", vec![]),
        (
            "await tools.update_plan({plan: [{step: 'a', status: 'done'}]})",
            vec!["update_plan"],
        ),
        (
            "const f = () => tools.exec_command({cmd: 'rm'}); f().then(r => text(r.output))",
            vec!["exec_command rm"],
        ),
    ] {
        let found = shown(code).map(|mut it| {
            it.dedup();
            it
        });
        assert_eq!(
            found,
            Some(expected.iter().map(|it| (*it).to_owned()).collect()),
            "{code}"
        );
    }
}

#[test]
fn what_cannot_be_told_is_not_read() {
    for code in [
        "const r = await tools.exec_command({cmd: 'a'}); await tools.exec_command({cmd: r.output})",
        "const t = tools; t.exec_command({cmd: 'rm'})",
        "const {exec_command} = tools; exec_command({cmd: 'rm'})",
        "tools['exec_' + x]({cmd: 'rm'})",
        "let c = 'ls'; c = 'rm'; tools.exec_command({cmd: c})",
        "eval('tools.exec_command({cmd: \"rm\"})')",
        "new Function('x', 'return x')(tools)",
        "globalThis.tools.exec_command({cmd: 'rm'})",
        "import('child_process')",
        "const o = {}; o.f = tools.exec_command; o.f({cmd: 'rm'})",
        "tools.exec_command = 1",
        "const a = ['ls']; a.push('rm'); for (const c of a) tools.exec_command({cmd: c})",
        "[1].map.constructor('x')()",
        "tools.exec_command.call(null, {cmd: 'rm'})",
        "tools.exec_command(...[{cmd: 'rm'}])",
        "Object.keys(tools).forEach(k => tools[k]({cmd: 'rm'}))",
        "const tools = {exec_command: x => x}; tools.exec_command({cmd: 'ls'})",
        "function f(a) { if (a) { f('') } tools.exec_command({cmd: a + Math.random()}) } f('x')",
        "const o = {cmd: 'ls'}; o.cmd = 'rm'; tools.exec_command(o)",
        "class A { run() { return tools.exec_command({cmd: 'rm'}) } }",
        "[c => tools.exec_command({cmd: c})].at(0)('rm')",
        "const {f = c => tools.exec_command({cmd: c})} = {}; f('rm')",
        "require('child_process').execSync('rm')",
        "fetch('https://evil.test')",
    ] {
        assert_eq!(shown(code), None, "{code}");
    }
}

/// A function that is called again inside itself finds its own arguments afterwards.
#[test]
fn names_are_those_of_their_call() {
    let code = "function f(a, deep) { if (deep) { f('inner', false) } tools.exec_command({cmd: a}) } f('outer', true)";
    // Both sides of the condition run, so it never ends: not read, rather than read wrongly.
    assert_eq!(shown(code), None);
    let code = "const g = c => tools.exec_command({cmd: c}); const f = a => { g('inner'); tools.exec_command({cmd: a}) }; f('outer')";
    let found = ["exec_command inner", "exec_command outer"]
        .map(str::to_owned)
        .to_vec();
    assert_eq!(shown(code), Some(found));
}
