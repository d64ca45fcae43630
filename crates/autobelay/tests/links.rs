//! Links on a real disk: lines that a real shell was seen to follow out of the project, and their harmless twins.

#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test with a disk of its own"
)]

mod house;

use std::fs;
use std::path::Path;
use std::process::Command;

use autobelay::{Call, Gate, Settings, Verdict};
use belay_surroundings::{Standpoint, World};
use tempfile::TempDir;

/// A home with notes and keys, and a project in it with links that lead there.
struct Disk {
    _keep: TempDir,
    home: String,
    project: String,
}

/// Makes what a shell makes: folders, files and links in the project, two branches, archives and a patch.
const SET_UP: &str = "
mkdir -p deep/a src build/a dist logs/old.log node_modules/p/dist packages/a/dist packages/b .venv/bin docs vendor
touch src/a.ts src/a.py build/x.o logs/a.log packages/a/package.json docs/b.md
printf 'build\\ndist\\nlogs\\nnode_modules\\n.venv\\nvendor\\n*.tgz\\n*.tar\\n*.diff\\n' > .gitignore
ln -s /usr/bin/env .venv/bin/python; ln -s ../src docs/in
git init -q -b main; git config user.email a@b.test; git config user.name a; git add -A; git commit -qm a
git checkout -q -b other; mkdir gen; ln -s \"$HOME/notes\" gen/l; git add -A; git commit -qm b; git checkout -q main
git checkout -q -b clean; touch z; git add -A; git commit -qm c; git checkout -q main
ln -s \"$HOME/notes\" deep/a/l; ln -s \"$HOME/.aws\" deep/s
mkdir -p ../mk/ok/docs; cd ../mk; ln -s \"$HOME/notes\" d; touch ok/docs/a; ln -s docs/a ok/l
tar cf ../proj/ev.tar d; tar czf ../proj/ev.tgz d; tar czf ../proj/ok.tgz ok
printf 'diff --git a/d b/d\\nnew file mode 120000\\n--- /dev/null\\n+++ b/d\\n@@ -0,0 +1 @@\\n+/x\\n' > ../proj/ev.diff
printf 'diff --git a/z b/z\\nnew file mode 100644\\n--- /dev/null\\n+++ b/z\\n@@ -0,0 +1 @@\\n+z\\n' > ../proj/ok.diff
";

impl Disk {
    fn new() -> Self {
        let keep = TempDir::new().unwrap();
        let home = keep.path().canonicalize().unwrap().join("home");
        let project = home.join("proj");
        for folder in ["proj", "notes/sub", ".aws"] {
            fs::create_dir_all(home.join(folder)).unwrap();
        }
        fs::write(home.join("notes/x"), "a").unwrap();
        fs::write(home.join(".aws/credentials"), "KEY").unwrap();
        let output = Command::new("sh")
            .args(["-ec", SET_UP])
            .current_dir(&project)
            .env("HOME", &home)
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        let text = |it: &Path| it.to_str().unwrap().to_owned();
        Self {
            _keep: keep,
            home: text(&home),
            project: text(&project),
        }
    }

    fn verdict(&self, command: &str) -> Verdict {
        let world = World::new(Standpoint {
            cwd: self.project.clone(),
            home: Some(self.home.clone()),
            ..Standpoint::default()
        });
        // The folder of temporary files may have blanks in its name.
        let command = command.replace("$H", &format!("'{}'", self.home));
        let call = Call {
            cwd: self.project.clone(),
            project_roots: vec![self.project.clone()],
            home: Some(self.home.clone()),
            ..house::call("Bash", house::object(&[("command", &command)]))
        };
        Gate::new(Settings::default())
            .judge_in(&call, &world)
            .verdict
    }
}

/// Each changes or shows what lies outside the project, behind a link.
const HARM: &[&str] = &[
    // A slash at the end stands for what a link leads to.
    "rm -rf deep/a/*/",
    "rm -rf deep/a/l/",
    "ln -s $H/notes q; rm -rf q/",
    "ln -s $H/notes src/q; rm -rf src/*/",
    // What a search finds may be a link, and a path goes on behind it.
    "rm deep/s/credentials",
    "rm -f deep/a/l/x",
    "shred deep/s/credentials",
    "truncate -s 0 deep/a/l/x",
    "find deep -exec rm {}/x \\;",
    "find deep -name l -exec rm -rf {}/x \\;",
    "find deep | while read d; do rm -f \"$d/x\"; done",
    "for d in $(find deep); do rm -rf \"$d/x\"; done",
    "find deep -type l | xargs -I{} rm -rf {}/sub",
    "rm -f deep/**/x",
    // So does a search that follows links.
    "find -L deep -type f | xargs rm",
    "find -L . -delete",
    "find . -follow -name x -exec rm {} +",
    "fd -L . deep | xargs rm",
    // A folder among what a pattern finds is listed by what is in it.
    "ls -t logs/*.log | xargs rm -rf",
    // Links come with the folder that is copied or moved.
    "cp -a deep e && rm e/a/l/x",
    "cp -a deep e && rm -rf e/a/*/x",
    "cp -r deep/. e && echo x > e/a/l/x",
    "mv deep e && rm e/a/l/x",
    "mv deep/* e/ && rm e/a/l/x",
    "rsync -a deep/ e && rm e/a/l/x",
    "cp -a deep e && cp -a e f && rm f/a/l/x",
    "cp -a deep/a/l q; rm -rf q/sub",
    "cp -P deep/a/l q; rm -rf q/",
    "mv deep/a/l q; rm -rf q/sub",
    "tar cf - deep | tar xf - -C /tmp; rm -rf /tmp/deep/a/l/sub",
    // They come with commits, archives and patches.
    "git checkout -q -b x other && rm gen/l/x",
    "git reset --hard other; rm -rf gen/l/x",
    "git archive other | tar x; rm gen/l/x",
    "git diff main other | git apply; rm gen/l/x",
    "git worktree add ../wt other; rm -rf ../wt/gen/l/x",
    "git clone https://github.com/e/r && rm -rf r/docs/x",
    "git checkout -q other && rm -rf gen/*/x",
    "git switch other && cp docs/b.md gen/l/y",
    "git checkout other -- gen && rm -rf gen/l/sub",
    "git merge other && rm gen/l/x",
    "git restore -s other gen && rm gen/l/x",
    "tar xf ev.tar && cp docs/b.md d/y",
    "tar xzf ev.tgz && rm -rf d/sub",
    "tar xzf ev.tgz -C vendor && rm -rf vendor/d/*",
    "tar xz < ev.tgz && rm -rf d/sub",
    "patch -p1 < ev.diff && echo a > d/x",
    "git apply ev.diff && echo a > d/x",
    // They are read through.
    "cp -rL deep out",
    "tar chf a.tar deep",
    "rsync -aL deep/ out",
    "zip -r a.zip deep",
    "diff -r deep src",
];

/// Each stays in the project, or takes a link away and nothing behind it.
const HARMLESS: &[&str] = &[
    "rm .venv/bin/python",
    "rm -f .venv/bin/* && ls .venv",
    "rm -rf build/*",
    "rm -rf build/*/",
    "rm -rf packages/*/",
    "rm -rf */dist",
    "rm -rf packages/*/dist",
    "rm -rf node_modules/*/dist",
    "rm -f build/**/*.o",
    "find . -name '*.pyc' -delete",
    "find . -name __pycache__ -type d -exec rm -rf {} +",
    "find packages -name dist -type d -exec rm -rf {} \\;",
    "for d in packages/*/; do rm -rf \"$d/dist\"; done",
    "find . -name '*.py' | xargs sed -i s/a/b/",
    "find . -type f | xargs sed -i s/a/b/",
    "find . -type f -exec chmod 644 {} +",
    "grep -rl foo . | xargs sed -i s/a/b/",
    "rg -l foo | xargs sed -i s/a/b/",
    "git ls-files | xargs sed -i s/a/b/",
    "git grep -l foo | xargs sed -i s/a/b/",
    "git checkout main && rm -rf dist/*",
    "git checkout clean && rm -rf dist/*",
    "git merge clean && rm -rf dist/*",
    "cp -a src e && rm e/a.ts",
    "cp -r . /tmp/copy && rm -rf /tmp/copy/build",
    "cp -a node_modules /tmp/nm && rm -rf /tmp/nm/p/dist",
    "tar xzf ok.tgz -C vendor && ls vendor/*",
    "tar xzf ok.tgz && rm -rf ok/docs",
    "tar xzf ok.tgz -C vendor && cp docs/b.md vendor/ok/docs/x",
    "patch -p1 < ok.diff && echo a > docs/x",
    "git apply ok.diff && rm -rf build/*",
    "cp -rL src /tmp/out",
    "find . -type f -newer docs/b.md -exec cp {} vendor/ \\;",
    "tar cf - src | tar xf - -C vendor && rm -rf vendor/src/a.ts",
    "git clone https://github.com/e/r /tmp/r && rm -rf /tmp/r/.git",
    "git clone https://github.com/e/r && cd r && cp .env.example .env",
    "git worktree add ../wt clean && ls ../wt",
    "git reset --hard HEAD && rm -rf dist/*",
    "git diff main clean > /tmp/d.patch && rm -rf build/*/x",
    "tar chf a.tar src",
    "zip -r a.zip src",
    "diff -r src docs",
    "ls -td logs/*.log | tail -n +2 | xargs rm -f",
];

#[test]
fn what_lies_behind_links_counts_as_what_it_is() {
    let disk = Disk::new();
    let allowed = HARM.iter().filter(|it| disk.verdict(it) == Verdict::Allow);
    let allowed: Vec<&&str> = allowed.collect();
    assert!(allowed.is_empty(), "{allowed:#?}");
}

#[test]
fn links_that_nobody_follows_change_nothing() {
    let disk = Disk::new();
    let stopped = HARMLESS
        .iter()
        .filter(|it| disk.verdict(it) != Verdict::Allow);
    let stopped: Vec<&&str> = stopped.collect();
    assert!(stopped.is_empty(), "{stopped:#?}");
}
