//! One file per agent, with everything that is peculiar to it.

mod amp;
mod claude_code;
mod claude_shape;
mod cline;
mod codex;
mod copilot;
mod cursor;
mod droid;
mod gemini;
mod generic;
mod goose;
mod kiro;
mod opencode;
mod qwen;
mod vscode;
mod windsurf;

use crate::adapter::Adapter;

pub use codex::trust::{Pin, pins};

macro_rules! agents {
    ($($(#[$doc:meta])* $variant:ident in $module:ident;)*) => {
        /// The clients we plug into.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Agent { $($(#[$doc])* $variant,)* }

        impl Agent {
            /// All agents, those whose real client is tested first.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// Returns what is peculiar to the agent.
            pub(crate) fn adapter(self) -> &'static dyn Adapter {
                match self { $(Self::$variant => &$module::$variant,)* }
            }
        }
    };
}

agents! {
    /// Anthropic's Claude Code.
    ClaudeCode in claude_code;
    /// OpenAI's Codex CLI.
    Codex in codex;
    /// Google's Gemini CLI.
    Gemini in gemini;
    /// GitHub's Copilot CLI.
    Copilot in copilot;
    /// Qwen Code.
    Qwen in qwen;
    /// OpenCode, through the plugin file we write.
    OpenCode in opencode;
    /// The agent built into VS Code.
    VsCode in vscode;
    /// Cursor.
    Cursor in cursor;
    /// Windsurf, also called Cascade.
    Windsurf in windsurf;
    /// Cline.
    Cline in cline;
    /// Factory's Droid.
    Droid in droid;
    /// Kiro.
    Kiro in kiro;
    /// Goose.
    Goose in goose;
    /// Amp.
    Amp in amp;
    /// A harness of one's own that speaks our JSON.
    Generic in generic;
}
