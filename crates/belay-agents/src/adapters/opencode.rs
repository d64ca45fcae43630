//! OpenCode, through the plugin file that `belay install opencode` writes. The JSON on both sides
//! is ours; the plugin lets a tool run only when it reads exactly `"verdict":"allow"`.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use belay_journal::json;
use belay_model::{Call, Judgement, Value};

use crate::adapter::{Adapter, Name};
use crate::answer::{Answer, object};
use crate::doctor::recipes::{Client, Scene, write};
use crate::install::way::{Hook, OwnFile, Planned, Way, anchored, by_reach, moved_or};
use crate::install::{Runs, Stance, Wish};
use crate::reading::{Env, Wire, judge, roots};
use crate::wording::{Able, said};
use crate::{Asked, Event, Heard, ReadError};

pub(crate) struct OpenCode;

impl Adapter for OpenCode {
    fn name(&self) -> Name {
        Name {
            word: "opencode",
            title: "OpenCode",
            also: &[],
        }
    }

    fn read(&self, stdin: &[u8], env: Env<'_>) -> Result<Heard, ReadError> {
        let mut wire = Wire::new(stdin, env)?;
        let event = wire.must("event")?;
        if event != "tool.execute.before" {
            return Err(ReadError::UnknownEvent(event));
        }
        let tool = wire.must("tool")?;
        let input = wire.object("args")?;
        let cwd = wire.text("directory").unwrap_or_default();
        let root = wire.text("worktree").filter(|it| it.len() > 1);
        let call = Call {
            id: wire.text("callID"),
            tool,
            input,
            project_roots: roots(root.as_deref().unwrap_or(&cwd)),
            cwd,
            session: wire.text("sessionID"),
            ..Call::default()
        };
        Ok(judge(call, Event::BeforeTool))
    }

    /// Before a tool runs OpenCode cannot ask, so an ask is a refusal.
    fn answer(&self, _: &Asked, judgement: &Judgement) -> Answer {
        let said = said(judgement, Able::NotAsk);
        Answer::json(&object([
            ("verdict", said.verdict.word().into()),
            ("reason", said.reason.into()),
        ]))
    }

    /// The plugin's allow is no objection: OpenCode's own permissions still hold.
    fn no_opinion(&self, _: &Heard) -> Answer {
        Answer::json(&object([("verdict", "allow".into())]))
    }

    fn heeded_folders(&self) -> Option<&'static [&'static str]> {
        Some(&["workdir"])
    }

    fn folder(&self, wish: &Wish<'_>) -> Planned<PathBuf> {
        let config = moved_or(wish, "XDG_CONFIG_HOME", ".config");
        Ok(by_reach(wish, config.join("opencode"), ".opencode"))
    }

    fn registration(&self, hook: &Hook<'_>) -> Planned<Way> {
        Ok(Way::Own(vec![OwnFile {
            path: hook.folder.join("plugin/belay.js"),
            text: plugin(hook.wish),
            runs: Runs::No,
        }]))
    }

    fn client(&self) -> Option<Client> {
        Some(Client {
            program: "opencode",
            version: "1.18.33",
            prepare,
        })
    }

    fn limit(&self) -> Option<&'static str> {
        Some("the agent silently drops a plugin that does not load")
    }
}

fn plugin(wish: &Wish<'_>) -> String {
    let words = |(name, path): (&str, &Path)| [name.into(), path.display().to_string().into()];
    let anchor: Vec<Value> = anchored(wish).into_iter().flat_map(words).collect();
    let mut path = String::new();
    json::write_string(&wish.belay.display().to_string(), &mut path);
    let strict = match wish.stance {
        Stance::Gate => "true",
        Stance::Observe => "false",
    };
    include_str!("opencode/plugin.js")
        .replace("\"BELAY_PATH\"", &path)
        .replace("BELAY_STRICT", strict)
        .replace("BELAY_ANCHOR", &json::compact(&Value::Array(anchor)))
}

fn prepare(command: &mut Command, scene: &Scene<'_>) -> io::Result<()> {
    let settings = format!(
        r#"{{"autoupdate":false,"model":"scripted/m","small_model":"scripted/m","provider":{{"scripted":{{"npm":"@ai-sdk/openai-compatible","name":"scripted","options":{{"baseURL":"{}/v1","apiKey":"dummy"}},"models":{{"m":{{"name":"m"}}}}}}}}}}"#,
        scene.url
    );
    write(
        &scene.home.join(".config/opencode/opencode.json"),
        &settings,
    )?;
    command
        .envs([
            ("OPENCODE_DISABLE_MODELS_FETCH", "1"),
            ("OPENCODE_DISABLE_AUTOUPDATE", "1"),
            ("OPENCODE_DISABLE_LSP_DOWNLOAD", "1"),
        ])
        .args(["run", "run it"]);
    Ok(())
}
