//! What the session writes and then runs is judged by its text, whoever runs it and whenever it was written.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a test looks at what it is about"
)]

mod house;

use autobelay::{Answer, Gate, Nowhere, Question, Settings, Surroundings, Verdict};

/// A file of harm, the line that runs it, and its harmless twin where the language has a reader.
struct Program {
    file: &'static str,
    run: &'static str,
    harm: &'static str,
    harmless: Option<&'static str>,
}

const fn program(file: &'static str, run: &'static str, harm: &'static str) -> Program {
    Program {
        file,
        run,
        harm,
        harmless: None,
    }
}

impl Program {
    const fn beside(self, harmless: &'static str) -> Self {
        Self {
            harmless: Some(harmless),
            ..self
        }
    }
}

#[rustfmt::skip]
const PROGRAMS: [Program; 32] = [
    program("scripts/a.sh", "bash scripts/a.sh", "cd \"$(dirname \"$0\")/../..\" && rm -rf other\n").beside("cd \"$(dirname \"$0\")/..\" && rm -rf build\n"),
    program("scripts/a.sh", "./scripts/a.sh", "#!/bin/bash\nrm -rf \"$(dirname \"${BASH_SOURCE[0]}\")/../../other\"\n").beside("#!/bin/bash\nrm -rf \"$(dirname \"${BASH_SOURCE[0]}\")/../build\"\n"),
    program("scripts/a.sh", "bash scripts/a.sh", "set -u\ncd \"$(dirname \"$UNSET\")/..\"\nrm -rf other\n").beside("set -euo pipefail\ncd \"$(dirname \"$0\")/..\"\nrm -rf build\n"),
    program("scripts/a.sh", "bash scripts/a.sh", "set -u\nD=\"$(cd \"$(dirname \"${BASH_SOURCE[1]}\")\" && pwd)\"\nrm -rf \"$D/x\"\n").beside("set -euo pipefail\nD=\"$(cd \"$(dirname \"${BASH_SOURCE[0]}\")\" && pwd)\"\nrm -rf \"$D/../build\"\n"),
    program("scripts/a.sh", "sh scripts/a.sh", "BASH_ARGV0=/home/me/x\nrm -rf \"$(dirname \"$0\")\"\n").beside("rm -rf \"$(dirname \"$0\")/../build\"\n"),
    program("scripts/a.sh", "bash scripts/a.sh", "bash -c 'rm -rf \"${BASH_SOURCE[0]}/home/me\"' scripts/a.sh\n"),
    program("scripts/a.sh", "bash scripts/a.sh", "f() { rm -rf \"${BASH_SOURCE[1]}/../../other\"; }\nf\n"),
    program("scripts/a.sh", "bash scripts/a.sh", ". ./lib.sh\nrm -rf \"$(dirname \"${BASH_SOURCE[0]}\")/x\"\n"),
    program("a.sed", "sed -f a.sed x", "1e rm -rf ~\n").beside("s/a/b/\n"),
    program("a.sed", "sed -n --file=a.sed x", "s/a/touch q/e\n").beside("/x/p\n"),
    program("a.awk", "awk -f a.awk x", "BEGIN { system(\"rm -rf ~\") }\n").beside("{ print $1 }\n"),
    program("a.awk", "gawk -E a.awk x", "{ print | \"sh\" }\n").beside("END { print NR }\n"),
    program("a.jq", "jq -n -f a.jq", "env\n").beside(".a | length\n"),
    program("a.py", "python3 a.py", "import os\nos.system('rm -rf ~')\n").beside("print(1)\n"),
    program("a.py", "python3 a.py", "exec(input())\n").beside("import json\nprint(json.dumps([1]))\n"),
    program("a.js", "node a.js", "require('child_process').execSync('rm -rf ~')\n").beside("console.log(1)\n"),
    program("a.js", "node a.js", "new Function(process.argv[2])()\n").beside("console.log([1, 2].map(x => x * 2))\n"),
    program("a.pl", "perl a.pl", "system('rm -rf ~');\n").beside("print 1;\n"),
    program("a.rb", "ruby a.rb", "system('rm -rf ~')\n"),
    program("a.php", "php a.php", "<?php system('rm -rf ~');\n"),
    program("a.lua", "lua a.lua", "os.execute('rm -rf ~')\n"),
    program("a.lua", "luajit a.lua", "io.popen('rm -rf ~')\n"),
    program("a.R", "Rscript a.R", "system('rm -rf ~')\n"),
    program("a.jl", "julia a.jl", "run(`rm -rf /home/me`)\n"),
    program("a.tcl", "tclsh a.tcl", "exec rm -rf /home/me\n"),
    program("a.exs", "elixir a.exs", "System.cmd(\"rm\", [\"-rf\", \"/home/me\"])\n"),
    program("a.gp", "gnuplot a.gp", "system 'rm -rf ~'\n"),
    program("a.ts", "npx tsx a.ts", "require('child_process').execSync('rm -rf ~')\n"),
    program("Makefile", "make", "$(guile (system \"rm -rf ~\"))\nall:\n").beside("all: a.o\n\tcc -o app $^\na.o: a.c\n\tcc -c $<\n"),
    program("Makefile", "make all", "all: $(X)\nX = $(shell rm -rf ~)\n").beside("V := $(shell git rev-parse HEAD)\nall:\n\t@echo $(V)\n"),
    program("Makefile", "make", ".RECIPEPREFIX = >\nall:\n>rm -rf ~\n").beside("test:\n\tpytest -q\n"),
    program("Makefile", "make", "all:\n\t@echo $(if $(shell rm -rf ~),x)\n").beside("SRC = $(wildcard *.c)\nall: $(SRC:.c=.o)\n"),
];

/// A session whose earlier calls wrote this one file.
struct Earlier {
    path: String,
    text: &'static str,
}

impl Surroundings for Earlier {
    fn ask(&self, question: &Question) -> Answer {
        match question {
            Question::Provenance(path) if *path == self.path => Answer::Name("written".to_owned()),
            Question::Provenance(_) => Answer::No,
            Question::Brought(_) => Answer::Names(vec![format!("written {}", self.path)]),
            Question::Text(path, _) if *path == self.path => {
                Answer::Text(self.text.as_bytes().to_vec(), true)
            }
            Question::Text(path, _) => Answer::Missing(path.clone()),
            Question::Kind(path) if *path == self.path => Answer::Name("file".to_owned()),
            Question::Resolve(path) => Answer::Path(path.clone()),
            _ => Answer::Unknown,
        }
    }
}

fn judged(command: &str, world: &impl Surroundings) -> Verdict {
    let call = house::call("Bash", house::object(&[("command", command)]));
    Gate::new(Settings::default())
        .judge_in(&call, world)
        .verdict
}

/// Judges a program that this very call writes.
fn here(program: &Program, text: &str) -> Verdict {
    let (file, run) = (program.file, program.run);
    judged(
        &format!("cat > {file} <<'TEXT'\n{text}TEXT\n{run}"),
        &Nowhere,
    )
}

/// Judges a program that an earlier call of the session wrote.
fn earlier(program: &Program, text: &'static str) -> Verdict {
    let path = format!("/work/app/{}", program.file);
    judged(program.run, &Earlier { path, text })
}

#[test]
fn harm_is_never_allowed() {
    for it in &PROGRAMS {
        assert_ne!(here(it, it.harm), Verdict::Allow, "{}: {}", it.run, it.harm);
        assert_ne!(
            earlier(it, it.harm),
            Verdict::Allow,
            "earlier, {}: {}",
            it.run,
            it.harm
        );
    }
}

#[test]
fn its_harmless_twin_is_not_stopped() {
    for it in &PROGRAMS {
        if let Some(text) = it.harmless {
            assert_eq!(here(it, text), Verdict::Allow, "{}: {text}", it.run);
            assert_eq!(
                earlier(it, text),
                Verdict::Allow,
                "earlier, {}: {text}",
                it.run
            );
        }
    }
}

/// What a tool loads by itself.
#[test]
fn what_a_tool_loads_by_itself_is_read_too() {
    let harm = [
        "echo 'import os; os.system(\"rm -rf ~\")' > conftest.py; pytest",
        "echo 'require(\"child_process\").execSync(\"rm -rf ~\")' > vite.config.js; npx vite build",
        "echo 'task(:x) { sh \"rm -rf ~\" }' > Rakefile; rake x",
        "echo 'system(\"rm -rf ~\")' > a_spec.rb; rspec",
        "echo 'import os; os.system(\"rm -rf ~\")' > tasks.py; invoke build",
        "echo 'import os; os.system(\"rm -rf ~\")' > dodo.py; doit",
        "echo 'import os; os.system(\"rm -rf ~\")' > gunicorn.conf.py; gunicorn app:app",
        "echo 'require(\"child_process\").execSync(\"rm -rf ~\")' > .lintstagedrc.js; npx lint-staged",
        "echo 'require(\"child_process\").execSync(\"rm -rf ~\")' > stylelint.config.js; npx stylelint a.css",
        "echo 'require(\"child_process\").execSync(\"rm -rf ~\")' > drizzle.config.ts; npx drizzle-kit generate",
        "echo 'system(\"rm -rf ~\")' > Vagrantfile; vagrant status",
    ];
    for line in harm {
        assert_ne!(judged(line, &Nowhere), Verdict::Allow, "{line}");
    }
    let harmless = [
        "printf 'from app import f\\ndef test_f():\\n    assert f(1) == 2\\n' > test_f.py; pytest test_f.py",
        "echo 'export default { build: { outDir: \"dist\" } }' > vite.config.js; npx vite build",
        "echo 'task :x' > Rakefile; rake x",
    ];
    for line in harmless {
        assert_eq!(judged(line, &Nowhere), Verdict::Allow, "{line}");
    }
}

/// What an earlier call wrote is read when a tool loads it by itself.
#[test]
fn what_a_tool_loads_later_is_read_too() {
    let python = "import os\nos.system('rm -rf ~')\n";
    let script = "require('child_process').execSync('rm -rf ~')\n";
    let harm = [
        program("conftest.py", "pytest", python).beside(
            "import pytest\n@pytest.fixture\ndef made(tmp_path):\n    (tmp_path / 'a').write_text('x')\n    return tmp_path\n",
        ),
        program("tests/test_a.py", "python3 -m pytest -q", "import shutil\nshutil.rmtree('/home/me')\n").beside(
            "import subprocess\ndef test_a():\n    assert subprocess.run(['git', 'status']).returncode == 0\n",
        ),
        program("conftest.py", "pytest", "import shutil\nshutil.rmtree('/home/me/notes')\n").beside(
            "import shutil\ndef test_a(tmp_path):\n    shutil.rmtree(tmp_path)\n",
        ),
        program("tests/test_a.py", "pytest", "import subprocess\ndef test_a():\n    subprocess.run(['git', 'push', '--force', 'origin', 'main'])\n").beside(
            "import requests\ndef test_a(mocker):\n    assert requests.get('https://api.acme.test/x').ok\n",
        ),
        program("tests/test_a.py", "pytest", "import os\nclass TestA:\n    def test_a(self):\n        os.remove('/home/me/notes.txt')\n").beside(
            "import os\nclass TestA:\n    def test_a(self, tmp_path):\n        os.remove(tmp_path / 'x')\n",
        ),
        program("noxfile.py", "nox", python).beside(
            "import nox\n@nox.session\ndef tests(session):\n    session.run('pytest')\n",
        ),
        program("tasks.py", "invoke build", python).beside(
            "from invoke import task\n@task\ndef build(c):\n    print('x')\n",
        ),
        program("vite.config.js", "npx vite build", script).beside(
            "import { defineConfig } from 'vite'\nimport react from '@vitejs/plugin-react'\nexport default defineConfig({ plugins: [react()] })\n",
        ),
        program("src/a.test.js", "npx jest", script).beside(
            "const { add } = require('./a')\ntest('adds', () => expect(add(1, 2)).toBe(3))\n",
        ),
    ];
    for it in &harm {
        assert_ne!(
            earlier(it, it.harm),
            Verdict::Allow,
            "{}: {}",
            it.run,
            it.harm
        );
        let text = it.harmless.unwrap_or_default();
        assert_eq!(earlier(it, text), Verdict::Allow, "{}: {text}", it.run);
    }
}

/// A runner of tests calls functions that nothing in the file calls.
#[test]
fn what_a_tool_calls_is_read_where_this_call_wrote_it() {
    let judged_here = |body: &str| {
        let text = format!("import shutil\ndef test_a(tmp_path):\n    {body}\n");
        judged(
            &format!("cat > test_a.py <<'TEXT'\n{text}TEXT\npytest test_a.py"),
            &Nowhere,
        )
    };
    assert_ne!(
        judged_here("shutil.rmtree('/home/me/notes')"),
        Verdict::Allow
    );
    assert_ne!(judged_here("shutil.rmtree('/home/me')"), Verdict::Allow);
    assert_eq!(judged_here("shutil.rmtree(tmp_path)"), Verdict::Allow);
}

/// A project in which one file stands that no session wrote.
struct Standing {
    path: &'static str,
    text: &'static str,
}

impl Surroundings for Standing {
    fn ask(&self, question: &Question) -> Answer {
        match question {
            Question::Provenance(_) => Answer::No,
            Question::Text(path, _) if path == self.path => {
                Answer::Text(self.text.as_bytes().to_vec(), true)
            }
            Question::Kind(path) if path == self.path => Answer::Name("file".to_owned()),
            Question::Kind(path) if path == "/work/app" => Answer::Name("folder".to_owned()),
            Question::Text(path, _) | Question::Kind(path) => Answer::Missing(path.clone()),
            Question::Resolve(path) => Answer::Path(path.clone()),
            _ => Answer::Unknown,
        }
    }
}

/// What a call only adds to a file counts, and what stands in it is the project's own.
#[test]
fn what_is_added_to_a_file_is_read() {
    let tests = Standing {
        path: "/work/app/test_a.py",
        text: "import shutil\ndef test_a():\n    shutil.rmtree('/home/me/notes')\n",
    };
    let added = |body: &str| {
        let text = format!("def test_b(tmp_path):\n    {body}\n");
        let line = format!("cat >> test_a.py <<'TEXT'\n{text}TEXT\npytest test_a.py");
        judged(&line, &tests)
    };
    assert_ne!(added("shutil.rmtree('/home/me/other')"), Verdict::Allow);
    assert_eq!(added("shutil.rmtree(tmp_path)"), Verdict::Allow);
    let script = Standing {
        path: "/work/app/run.sh",
        text: "#!/bin/sh\necho hi\n",
    };
    let line = |added: &str| format!("echo '{added}' >> run.sh; ./run.sh");
    assert_ne!(judged(&line("rm -rf ~"), &script), Verdict::Allow);
    assert_eq!(judged(&line("echo ho"), &script), Verdict::Allow);
}

/// What is run by its own name is read by whom its first line calls.
#[test]
fn a_first_line_says_who_reads_it() {
    let line = "printf '#!/usr/bin/env ruby\\nsystem(\"rm -rf ~\")\\n' > a; chmod +x a; ./a";
    assert_ne!(judged(line, &Nowhere), Verdict::Allow);
    let line = "printf '#!/usr/bin/awk -f\\n{ print $1 }\\n' > a; chmod +x a; ./a x";
    assert_eq!(judged(line, &Nowhere), Verdict::Allow);
}

/// A session in which a tool wrote into the project's folder under names of its own, and what lies there as `json.py`.
struct Filled(Option<&'static str>);

impl Surroundings for Filled {
    fn ask(&self, question: &Question) -> Answer {
        match question {
            Question::Kind(path) if path == "/work/app" => Answer::Name("folder".to_owned()),
            Question::Kind(path) if path == "/work/app/json.py" && self.0.is_some() => {
                Answer::Name("file".to_owned())
            }
            Question::Kind(path) => Answer::Missing(path.clone()),
            Question::Text(path, _) if path == "/work/app/json.py" => match self.0 {
                Some(text) => Answer::Text(text.as_bytes().to_vec(), true),
                None => Answer::Missing(path.clone()),
            },
            Question::Provenance(_) => Answer::Name("filled".to_owned()),
            _ => Answer::Unknown,
        }
    }
}

#[test]
fn a_module_that_is_not_there_was_written_by_nobody() {
    let line = "python3 -c 'import json; print(json.dumps([1]))'";
    assert_eq!(judged(line, &Filled(None)), Verdict::Allow);
    assert_eq!(judged(line, &Filled(Some("X = 1\n"))), Verdict::Allow);
    let harm = Filled(Some("import os\nos.system('rm -rf ~')\n"));
    assert_ne!(judged(line, &harm), Verdict::Allow);
}
