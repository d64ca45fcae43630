//! A home, a project and an agent that asks: everything around one played session.

use std::cell::{Cell, RefCell};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::script::{Act, Call, Script, content};
use super::templates::TEMPLATES;
use crate::Outcome;
use crate::run::{must, target};

/// As Claude Code marks a prompt that a human typed.
const HUMAN: &str = r#""origin":{"kind":"human"},"promptSource":"typed","turnOrigin":"human","userType":"external""#;

/// As Claude Code says that the user answered a hook's question.
const YES: &str = r#"{"decision":"accept","source":"user_temporary","grantScope":"once","reasonCode":"hook:PreToolUse"}"#;
const NO: &str = r#"{"decision":"reject","source":"user_reject","reasonCode":"hook:PreToolUse"}"#;

/// What every project ignores.
const IGNORED: &str =
    "node_modules\ndist\nbuild\n.env\n*.log\n__pycache__\n.venv\ntarget\ncoverage\n.next\n";

pub struct Stage<'a> {
    belay: &'a Path,
    script: &'a Script,
    home: PathBuf,
    project: PathBuf,
    calls: Cell<usize>,
    /// What builds left outside the project.
    built: RefCell<Vec<PathBuf>>,
}

impl Drop for Stage<'_> {
    fn drop(&mut self) {
        // What is left of it is in the way of nobody.
        let _ = fs::remove_dir_all(&self.home);
        for path in self.built.borrow().iter() {
            let _ = fs::remove_dir_all(path).or_else(|_| fs::remove_file(path));
        }
    }
}

impl<'a> Stage<'a> {
    /// Makes the home and the project.
    pub fn new(belay: &'a Path, script: &'a Script) -> Outcome<Self> {
        let home = target().join(format!(
            "sessions/{}-{}",
            std::process::id(),
            script.project
        ));
        let _ = fs::remove_dir_all(&home);
        let stage = Self {
            belay,
            script,
            project: home.join("code/shop"),
            home,
            calls: Cell::new(0),
            built: RefCell::default(),
        };
        stage.project()?;
        // What was there before the session is older than it, and times are told in seconds.
        std::thread::sleep(std::time::Duration::from_millis(1100));
        let hooks = json!({"hooks": {"PreToolUse": [{"matcher": "*", "hooks": [{"type": "command", "command": "/usr/bin/belay hook claude-code"}]}]}});
        stage.file(
            &stage.home.join(".claude/settings.json"),
            &hooks.to_string(),
        )?;
        Ok(stage)
    }

    fn project(&self) -> Outcome {
        let kind = self.script.project.as_str();
        let (_, files) = TEMPLATES
            .iter()
            .find(|(name, _)| *name == kind)
            .ok_or_else(|| format!("no project is called `{kind}`"))?;
        for (name, text) in files
            .iter()
            .chain(&[("README.md", "# Shop\n"), (".gitignore", IGNORED)])
        {
            self.file(&self.project.join(name), text)?;
        }
        let variables = match kind {
            "node" => {
                "DATABASE_URL=postgresql://postgres:postgres@localhost:5432/shop\nSTAGING_DATABASE_URL=postgresql://shop@db.staging.example.com/shop\n"
            }
            _ => "LOG_LEVEL=info\n",
        };
        self.file(&self.project.join(".env"), variables)?;
        // A server that was stopped leaves its number behind.
        for name in self.named(|it| it.ends_with(".pid") && !it.starts_with('/')) {
            self.file(&self.project.join(name), "4194301\n")?;
        }
        let git = |words: &[&str]| {
            let mut command = Command::new("git");
            command
                .args([
                    "-c",
                    "user.name=Dev",
                    "-c",
                    "user.email=dev@example.com",
                    "-c",
                    "init.defaultBranch=main",
                ])
                .args(words)
                .current_dir(&self.project)
                .env("HOME", &self.home)
                .env("GIT_CONFIG_NOSYSTEM", "1")
                .stdout(Stdio::null());
            must(&mut command)
        };
        git(&["init", "-q"])?;
        git(&["add", "-A"])?;
        git(&["commit", "-qm", "first"])?;
        git(&["remote", "add", "origin", "git@github.com:acme/shop.git"])?;
        git(&["switch", "-qc", "feature/work"])
    }

    fn file(&self, path: &Path, text: &str) -> Outcome {
        let folder = path.parent().unwrap_or(path);
        fs::create_dir_all(folder)
            .and_then(|()| fs::write(path, text))
            .map_err(|why| format!("cannot write `{}`: {why}", path.display()))
    }

    /// Types a prompt.
    pub fn types(&self, turn: usize, words: &str) -> Outcome {
        let content = json!(words);
        self.note(&format!(
            r#"{{"type":"user","promptId":"p{turn}",{HUMAN},"message":{{"role":"user","content":{content}}}}}"#
        ))?;
        self.hook(
            "UserPromptSubmit",
            &json!({"prompt_id": format!("p{turn}"), "prompt": words}),
        )
        .map(drop)
    }

    /// Puts a call to the hook; returns what a person is asked.
    pub fn put(&self, turn: usize, call: &Call) -> Outcome<Option<String>> {
        self.calls.set(self.calls.get() + 1);
        let answer = self.hook("PreToolUse", &self.event(turn, call))?;
        // Each agent is answered in words of its own; the record says it in one way.
        let records = self.records()?;
        let verdicts = records.iter().rev();
        let verdict = verdicts
            .filter_map(|it| it.pointer("/judgement/verdict").and_then(Value::as_str))
            .next()
            .unwrap_or_default();
        if verdict == "allow" {
            self.ran(turn, call)?;
        }
        Ok((verdict == "ask").then_some(answer))
    }

    /// Lets the person type the command that the question offers; tells whether it offers one. Where the agent says
    /// who answered nobody needs it.
    pub fn allow(&self, question: &str) -> Outcome<bool> {
        let offered = question
            .split_once("`belay allow ")
            .and_then(|(_, rest)| rest.split_once('`'));
        let Some((id, _)) = offered.filter(|_| self.script.agent != "claude-code") else {
            return Ok(false);
        };
        let mut allow = Command::new(self.belay);
        allow
            .args(["allow", id, "--yes"])
            .current_dir(&self.project)
            .env_clear()
            .env("HOME", &self.home)
            .stdout(Stdio::null());
        must(&mut allow).map(|()| true)
    }

    /// Lets the person answer.
    pub fn answer(&self, turn: usize, call: &Call, yes: bool) -> Outcome {
        if yes {
            self.ran(turn, call)?;
        }
        let (id, decision) = (self.calls.get(), if yes { YES } else { NO });
        self.note(&format!(
            r#"{{"type":"user","permissionDecision":{decision},"message":{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"t{id}","content":"ok"}}]}}}}"#
        ))
    }

    /// Tells the gate that a call ran. Files that an edit makes are made, and what a build leaves outside the
    /// project; no command is run.
    fn ran(&self, turn: usize, call: &Call) -> Outcome {
        self.build()?;
        if let Act::Shell(text) = &call.act {
            self.check_out(text)?;
            self.here_documents(text)?;
        }
        if let Act::Write(name) | Act::Edit(name) = &call.act {
            let path = self.project.join(name);
            if path.starts_with(&self.project) && !path.exists() {
                self.file(&path, content(name))?;
            }
        }
        self.hook("PostToolUse", &self.event(turn, call)).map(drop)
    }

    /// Makes what the last call builds, as its record says.
    fn build(&self) -> Outcome {
        let records = self.records()?;
        let effects = records
            .last()
            .and_then(|it| it.pointer("/judgement/effects"));
        let effects = effects.and_then(Value::as_array).into_iter().flatten();
        let effects: Vec<&str> = effects.filter_map(Value::as_str).collect();
        for out in effects
            .iter()
            .filter_map(|it| it.strip_prefix("write built /tmp/"))
        {
            let path = Path::new("/tmp").join(out);
            if path.exists() {
                continue;
            }
            if effects.contains(&format!("write tree /tmp/{out}").as_str()) {
                for name in self.named_below(&path) {
                    self.file(Path::new(name), "\u{7f}ELF")?;
                }
                fs::create_dir_all(&path).map_err(|why| format!("`{}`: {why}", path.display()))?;
            } else {
                self.file(&path, "text\n")?;
            }
            self.built.borrow_mut().push(path);
        }
        Ok(())
    }

    /// Returns the files below a folder that the session names: a build leaves what is used later.
    fn named_below(&self, folder: &Path) -> Vec<&str> {
        self.named(|it| Path::new(it).starts_with(folder) && Path::new(it) != folder)
    }

    fn named(&self, is_meant: impl Fn(&str) -> bool) -> Vec<&str> {
        let calls = self.script.prompts.iter().flat_map(|it| &it.calls);
        let texts = calls.filter_map(|it| match &it.act {
            Act::Shell(text) => Some(text.as_str()),
            Act::Read(_)
            | Act::Write(_)
            | Act::Edit(_)
            | Act::Grep(_)
            | Act::Fetch(_)
            | Act::Tool(..) => None,
        });
        let words = texts.flat_map(|it| it.split([' ', '\n', ')', '(', '"', ';']));
        words.filter(|it| is_meant(it)).collect()
    }

    /// Writes the files that a call fills from its own lines, as far as they lie in the project or under `/tmp`.
    fn here_documents(&self, text: &str) -> Outcome {
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            let name = line
                .strip_prefix("cat > ")
                .and_then(|it| it.strip_suffix(" <<'EOF'"));
            let Some(name) = name.filter(|it| !it.contains(['$', '"', '~', ' '])) else {
                continue;
            };
            let body: Vec<&str> = lines.by_ref().take_while(|it| *it != "EOF").collect();
            let path = self.project.join(name);
            let temp = path.starts_with("/tmp") && !path.exists();
            if temp || path.starts_with(&self.project) {
                self.file(&path, &format!("{}\n", body.join("\n")))?;
            }
            if temp {
                self.built.borrow_mut().push(path);
            }
        }
        Ok(())
    }

    /// Makes a working tree that a call adds, and takes it to another commit where a call does.
    fn check_out(&self, text: &str) -> Outcome {
        let after = |words: &str| {
            let (_, rest) = text.split_once(words)?;
            rest.split_whitespace().next().map(PathBuf::from)
        };
        let git = |words: &[&str]| {
            let mut git = Command::new("git");
            git.args(["-c", "user.name=Dev", "-c", "user.email=dev@example.com"])
                .args(words)
                .current_dir(&self.project)
                .env("HOME", &self.home)
                .stdout(Stdio::null())
                .stderr(Stdio::null());
            must(&mut git)
        };
        if let Some(tree) = after("git worktree add ").filter(|it| it.starts_with("/tmp")) {
            git(&["worktree", "add", "--detach", &tree.to_string_lossy()])?;
            self.built.borrow_mut().push(tree);
        } else if let Some(tree) = after("git -C ").filter(|it| it.starts_with("/tmp"))
            && text.contains("reset --hard FETCH_HEAD")
        {
            let tree = tree.to_string_lossy();
            git(&["-C", &tree, "commit", "--allow-empty", "-qm", "later"])?;
        }
        Ok(())
    }

    /// Returns the records of the journal.
    pub fn records(&self) -> Outcome<Vec<Value>> {
        let folder = self.home.join(".local/state/belay/journal");
        let fault = |why: std::io::Error| format!("the journal: {why}");
        let mut paths = Vec::new();
        for entry in fs::read_dir(&folder).map_err(fault)? {
            paths.push(entry.map_err(fault)?.path());
        }
        paths.sort();
        let mut all = Vec::new();
        for path in paths
            .iter()
            .filter(|it| it.extension().is_some_and(|it| it == "jsonl"))
        {
            let text = fs::read_to_string(path).map_err(fault)?;
            all.extend(text.lines().filter_map(|it| serde_json::from_str(it).ok()));
        }
        Ok(all)
    }

    fn transcript(&self) -> PathBuf {
        self.home.join(".claude/projects/-shop/s1.jsonl")
    }

    fn note(&self, line: &str) -> Outcome {
        let text = fs::read_to_string(self.transcript()).unwrap_or_default();
        self.file(&self.transcript(), &format!("{text}{line}\n"))
    }

    fn event(&self, turn: usize, call: &Call) -> Value {
        let place = |path: &str| match path.strip_prefix("~/") {
            Some(rest) => self.home.join(rest).display().to_string(),
            None => self.project.join(path).display().to_string(),
        };
        let (tool, input) = call.spelled(&self.script.agent, &place);
        json!({
            "tool_name": tool, "tool_input": input, "tool_use_id": format!("t{}", self.calls.get()),
            "prompt_id": format!("p{turn}"),
        })
    }

    fn hook(&self, event: &str, more: &Value) -> Outcome<String> {
        let agent = self.script.agent.as_str();
        let mut sent = json!({
            "session_id": "s1", "cwd": self.project, "transcript_path": self.transcript(), "permission_mode": "default",
            "hook_event_name": match (agent, event) {
                ("gemini", "PreToolUse") => "BeforeTool",
                ("gemini", "PostToolUse") => "AfterTool",
                ("gemini", _) => "BeforeAgent",
                ("cursor", "PreToolUse") => "preToolUse",
                ("cursor", "PostToolUse") => "postToolUse",
                ("cursor", _) => "beforeSubmitPrompt",
                _ => event,
            },
        });
        if let (Some(sent), Some(more)) = (sent.as_object_mut(), more.as_object()) {
            sent.extend(more.clone());
            match agent {
                "cursor" => {
                    sent.insert("conversation_id".to_owned(), json!("s1"));
                    sent.insert("workspace_roots".to_owned(), json!([self.project]));
                }
                "opencode" => {
                    let at = |key: &str| more.get(key).cloned().unwrap_or_default();
                    let event = if event == "PreToolUse" {
                        "tool.execute.before"
                    } else {
                        "tool.execute.after"
                    };
                    *sent = json!({
                        "event": event, "tool": at("tool_name"), "args": at("tool_input"), "directory": self.project,
                        "worktree": self.project, "sessionID": "s1", "callID": at("tool_use_id"),
                    }).as_object().cloned().unwrap_or_default();
                }
                _ => {}
            }
        }
        let home = self.home.display().to_string();
        let mut child = Command::new(self.belay)
            .args(["hook", agent, "--home", &home])
            .current_dir(&self.project)
            .env_clear()
            .env("PATH", "/usr/local/bin:/usr/bin:/bin")
            .env("HOME", &self.home)
            .env("CLAUDE_PROJECT_DIR", &self.project)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|why| format!("cannot start the hook: {why}"))?;
        let mut stdin = child.stdin.take().ok_or("the hook has no input")?;
        stdin
            .write_all(sent.to_string().as_bytes())
            .map_err(|why| format!("the hook reads nothing: {why}"))?;
        drop(stdin);
        let done = child.wait_with_output().map_err(|why| why.to_string())?;
        Ok(String::from_utf8_lossy(&done.stdout).into_owned())
    }
}
