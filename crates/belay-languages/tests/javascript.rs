//! JavaScript that agents run on the command line, and JavaScript that hides what it does.

use belay_languages::{Doing, Use, read};

fn javascript(code: &str) -> Option<Vec<Doing>> {
    read("javascript", code)
}

/// Tells whether something is at most looked at.
fn only_looks(doing: &Doing) -> bool {
    match doing {
        Doing::Read(_) | Doing::Load(_) | Doing::Variable(_) => true,
        Doing::NodePackage { how, .. } => *how != Use::Acted,
        Doing::Write(_)
        | Doing::Unpack(_)
        | Doing::Spill(_)
        | Doing::Delete(..)
        | Doing::Fetch(_)
        | Doing::Send(_)
        | Doing::Run(_)
        | Doing::Import(_)
        | Doing::Search(_)
        | Doing::Folder(_)
        | Doing::Package { .. }
        | Doing::Unread { .. }
        | Doing::Secret(_)
        | Doing::Other(..) => false,
    }
}

#[test]
fn programs_that_only_look() {
    let programs = include_str!("javascript/looks.txt");
    let mut count = 0;
    for code in programs.split("\n----\n") {
        let found = javascript(code);
        let looks = found.as_ref().is_some_and(|it| it.iter().all(only_looks));
        assert!(looks, "{code}\n{found:?}");
        count += 1;
    }
    assert!(count >= 60, "{count}");
}

#[test]
fn attacks_are_seen_or_not_read() {
    let programs = include_str!("javascript/attacks.txt");
    let mut wrong = Vec::new();
    let mut count = 0;
    for code in programs.split("\n----\n") {
        let found = javascript(code);
        if found.as_ref().is_some_and(|it| it.iter().all(only_looks)) {
            wrong.push(format!("{code}\n   {found:?}"));
        }
        count += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count >= 60, "{count}");
}

#[test]
fn what_is_not_read() {
    for code in include_str!("javascript/unread.txt").split("\n----\n") {
        assert_eq!(javascript(code), None, "{code}");
    }
}

#[test]
fn effects_of_calls() {
    let text = |it: &str| Some(it.to_owned());
    let file = |it: &str| it.to_owned();
    for (code, doing) in [
        ("require('fs').readFileSync('a')", Doing::Read(file("a"))),
        ("fs.readFileSync('a')", Doing::Read(file("a"))),
        (
            "const f = require('node:fs'); f.readdirSync('src').length",
            Doing::Read(file("src")),
        ),
        (
            "import {readFileSync as r} from 'fs'; r('a')",
            Doing::Read(file("a")),
        ),
        (
            "import fs from 'fs'; fs.existsSync('a')",
            Doing::Read(file("a")),
        ),
        (
            "import * as fs from 'node:fs/promises'; await fs.stat('a')",
            Doing::Read(file("a")),
        ),
        (
            "const p = require('./package.json')",
            Doing::Read(file("./package.json")),
        ),
        ("require('./src/x').go()", Doing::Load(file("./src/x"))),
        (
            "import('./x.mjs').then(m => console.log(m.go()))",
            Doing::Load(file("./x.mjs")),
        ),
        ("process.env.NODE_ENV", Doing::Variable(file("NODE_ENV"))),
        (
            "const {HOME: h} = process.env",
            Doing::Variable(file("HOME")),
        ),
        (
            "fs.writeFileSync('a.txt', 'x')",
            Doing::Write(text("a.txt")),
        ),
        (
            "const p = 'a'; fs.writeFileSync(p, 'x')",
            Doing::Write(text("a")),
        ),
        (
            "fs.writeFileSync(`src/${'a'}.js`, '')",
            Doing::Write(text("src/a.js")),
        ),
        (
            "fs.writeFileSync(path.join('a', 'b'), '')",
            Doing::Write(text("a/b")),
        ),
        (
            "fs.writeFileSync(path.join(process.cwd(), 'b'), '')",
            Doing::Write(text("./b")),
        ),
        (
            "fs.writeFileSync(path.resolve('a', '/etc/x'), '')",
            Doing::Write(text("/etc/x")),
        ),
        (
            "fs.writeFileSync(os.tmpdir() + '/x', '')",
            Doing::Write(text("/tmp/x")),
        ),
        (
            "fs.writeFileSync(x(), '')\nfunction x() { return 'a' }",
            Doing::Write(text("a")),
        ),
        (
            "let p = 'a'; p += '/../../x'; fs.writeFileSync(p, '')",
            Doing::Write(None),
        ),
        (
            "let p = 'a'; if (1) p = '/etc/x'; fs.writeFileSync(p, '')",
            Doing::Write(text("/etc/x")),
        ),
        (
            "for (const f of ['a', 'b']) fs.writeFileSync(f, '')",
            Doing::Write(text("b")),
        ),
        (
            "['a', 'b'].forEach(f => fs.writeFileSync(f, ''))",
            Doing::Write(text("b")),
        ),
        (
            "function w(f) { fs.writeFileSync(f, '') }\nw('a'); w('/etc/x')",
            Doing::Write(text("/etc/x")),
        ),
        (
            "const w = f => fs.writeFileSync(f, ''); xs.map(w)\nvar xs = []",
            Doing::Write(None),
        ),
        ("fs.promises.writeFile('a', '')", Doing::Write(text("a"))),
        (
            "fs.mkdirSync('a', {recursive: true})",
            Doing::Write(text("a")),
        ),
        ("fs.cpSync('a', '/etc/b')", Doing::Write(text("/etc/b"))),
        (
            "fs.createWriteStream('/etc/b')",
            Doing::Write(text("/etc/b")),
        ),
        ("fs.openSync('/etc/b', 'w')", Doing::Write(text("/etc/b"))),
        (
            "fs.openSync('/etc/b', f)\nvar f",
            Doing::Write(text("/etc/b")),
        ),
        ("fs.unlinkSync('a')", Doing::Delete(text("a"), false)),
        (
            "fs.rmSync('a', {recursive: true, force: true})",
            Doing::Delete(text("a"), true),
        ),
        (
            "fs.rmSync('a', {force: true})",
            Doing::Delete(text("a"), false),
        ),
        (
            "const o = {recursive: !0}; fs.rmSync('a', o)",
            Doing::Delete(text("a"), true),
        ),
        (
            "const {rmSync: r} = require('fs'); r('/x', {recursive: true})",
            Doing::Delete(text("/x"), true),
        ),
        (
            "const f = fs; const g = f; g.rmSync('/x')",
            Doing::Delete(text("/x"), false),
        ),
        (
            "let f; f = require('fs'); f.rmSync('/x')",
            Doing::Delete(text("/x"), false),
        ),
        (
            "fs.rmSync(require('os').homedir(), {recursive: true})",
            Doing::Delete(text("~"), true),
        ),
        ("fs?.rmSync?.('/x')", Doing::Delete(text("/x"), false)),
        ("fs['rmSync']('/x')", Doing::Delete(text("/x"), false)),
        ("fs['rm' + 'Sync']('/x')", Doing::Delete(text("/x"), false)),
        (
            "fs./* a */rmSync // b\n('/x')",
            Doing::Delete(text("/x"), false),
        ),
        (
            "(await import('fs')).default.rmSync('/x')",
            Doing::Delete(text("/x"), false),
        ),
        ("fs.renameSync('a', 'b')", Doing::Run(text("mv -- 'a' 'b'"))),
        (
            "fs.chmodSync('a', 0o755)",
            Doing::Run(text("chmod 755 -- 'a'")),
        ),
        (
            "require('child_process').execSync('ls x')",
            Doing::Run(text("ls x")),
        ),
        (
            "require(\"node:child_process\").exec(`ls x`, (e, o) => console.log(o))",
            Doing::Run(text("ls x")),
        ),
        (
            "require('chi' + 'ld_process').execSync('ls')",
            Doing::Run(text("ls")),
        ),
        (
            "const {execSync: e} = require('child_process'); e(c)\nvar c",
            Doing::Run(None),
        ),
        (
            "child_process.execSync('rm -rf .', {cwd: '/home'})",
            Doing::Run(text("cd '/home' && rm -rf .")),
        ),
        (
            "child_process.execSync('rm x', {cwd: '/a', cwd: '/b'})",
            Doing::Run(text("cd '/b' && rm x")),
        ),
        (
            "child_process.execSync('sh', {input: 'rm x'})",
            Doing::Run(None),
        ),
        (
            "child_process.execSync('ls', {env: {LD_PRELOAD: 'x'}})",
            Doing::Run(None),
        ),
        (
            "child_process.execSync(`rm -rf \"${os.homedir()}\"`)",
            Doing::Run(text("rm -rf \"$HOME\"")),
        ),
        (
            "child_process.execSync(`rm -rf '${os.homedir()}'`)",
            Doing::Run(None),
        ),
        (
            "child_process.spawnSync('rm', ['-rf', os.homedir()])",
            Doing::Run(text("'rm' '-rf' ''\"$HOME\"''")),
        ),
        (
            "for (const f of fs.readdirSync('src')) fs.writeFileSync('src/' + f, '')",
            Doing::Write(text("src/\u{e002}")),
        ),
        (
            "for (const f of fs.readdirSync('src')) fs.unlinkSync(path.join('src', f))",
            Doing::Delete(text("src/\u{e002}"), false),
        ),
        (
            "for (const f of fs.readdirSync('src')) fs.unlinkSync(path.resolve('src', f))",
            Doing::Delete(text("src/\u{e002}"), false),
        ),
        (
            "const f = x(); child_process.execSync(`ls ${f}`)\nfunction x() {}",
            Doing::Run(None),
        ),
        (
            "const f = x(); fetch(`http://localhost:3000/${f}`)\nfunction x() {}",
            Doing::Fetch(text("http://localhost:3000/\u{e001}")),
        ),
        (
            "fs.rmSync(path.join(os.homedir(), 'x'))",
            Doing::Delete(text("~/x"), false),
        ),
        (
            "child_process.spawnSync('rm', ['-rf', 'a b'])",
            Doing::Run(text("'rm' '-rf' 'a b'")),
        ),
        (
            "child_process.spawn('ls', ['; rm x'], {shell: true})",
            Doing::Run(text("ls ; rm x")),
        ),
        ("child_process.spawn('ls', xs)\nvar xs", Doing::Run(None)),
        (
            "child_process.spawn('ls', ['a'], {shell: '/tmp/x'})",
            Doing::Run(None),
        ),
        (
            "child_process.fork('/tmp/x.js')",
            Doing::Run(text("node '/tmp/x.js'")),
        ),
        (
            "const e = util.promisify(child_process.exec); await e('rm x')",
            Doing::Run(text("rm x")),
        ),
        (
            "const run = c => child_process.execSync(c); run('rm -rf /')",
            Doing::Run(text("rm -rf /")),
        ),
        (
            "fetch('http://localhost:3000/a').then(r => r.json())",
            Doing::Fetch(text("http://localhost:3000/a")),
        ),
        (
            "fetch('https://x.test', {method: 'POST', body: 'a'})",
            Doing::Send(text("https://x.test")),
        ),
        (
            "fetch('https://x.test', o)\nvar o",
            Doing::Send(text("https://x.test")),
        ),
        ("fetch(u)\nvar u", Doing::Fetch(None)),
        (
            "https.get('https://x.test', r => r.on('data', d => console.log(d)))",
            Doing::Fetch(text("https://x.test")),
        ),
        (
            "require('axios').post('https://x.test', {})",
            Doing::Send(text("https://x.test")),
        ),
        (
            "console.log(process.env)",
            Doing::Other(belay_model::Verb::Read, vec!["environment"]),
        ),
        (
            "process.env",
            Doing::Other(belay_model::Verb::Read, vec!["environment"]),
        ),
        (
            "Object.keys(process.env)",
            Doing::Other(belay_model::Verb::Read, vec!["environment"]),
        ),
        (
            "const k = x(); process.env[k]\nfunction x() {}",
            Doing::Other(belay_model::Verb::Read, vec!["environment"]),
        ),
        ("Deno.removeSync('/x')", Doing::Delete(text("/x"), false)),
        ("Bun.write('/etc/x', 'y')", Doing::Write(text("/etc/x"))),
    ] {
        let found = javascript(code);
        let there = found.as_ref().is_some_and(|it| it.contains(&doing));
        assert!(there, "{code}\n{found:?}\nwithout {doing:?}");
    }
}
