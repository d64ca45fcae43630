//! One file per agent.

pub(crate) mod amp;
pub(crate) mod claude_code;
pub(crate) mod claude_shape;
pub(crate) mod cline;
pub(crate) mod codex;
pub(crate) mod copilot;
pub(crate) mod cursor;
pub(crate) mod droid;
pub(crate) mod gemini;
pub(crate) mod generic;
pub(crate) mod goose;
pub(crate) mod kiro;
pub(crate) mod opencode;
pub(crate) mod qwen;
pub(crate) mod vscode;
pub(crate) mod windsurf;
