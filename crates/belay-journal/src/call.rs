//! A call as JSON: the form scripts send to `belay check` and the journal keeps.

use std::fmt;

use belay_model::{Call, Turn, Value};

use crate::{Members, text};

/// Why a JSON value is not a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallError {
    /// It is not an object.
    NotAnObject,
    /// A member that must be there is not.
    Missing(&'static str),
    /// A member is not of its kind.
    Wrong {
        /// The member.
        name: &'static str,
        /// What it should be.
        wanted: &'static str,
    },
    /// A member is named twice: readers differ on which counts.
    Twice(String),
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAnObject => f.write_str("a call is a JSON object with `tool` and `input`"),
            Self::Missing(name) => write!(f, "the call has no `{name}`"),
            Self::Wrong { name, wanted } => write!(f, "`{name}` of the call must be {wanted}"),
            Self::Twice(name) => write!(f, "the call names `{name}` twice"),
        }
    }
}

impl std::error::Error for CallError {}

/// Reads a call. Members we do not know are left alone; a known one of the wrong kind is an error.
///
/// # Errors
/// Returns which member is missing, doubled or of the wrong kind.
pub fn read_call(value: &Value) -> Result<Call, CallError> {
    let members = value.members().ok_or(CallError::NotAnObject)?;
    if let Some(name) = first_double(members) {
        return Err(CallError::Twice(name));
    }
    let at = Object(value);
    Ok(Call {
        id: at.id()?,
        tool: at.text("tool")?.ok_or(CallError::Missing("tool"))?,
        input: value
            .get("input")
            .cloned()
            .ok_or(CallError::Missing("input"))?,
        cwd: at.text("cwd")?.unwrap_or_default(),
        project_roots: at.roots()?,
        home: at.text("home")?,
        env_home: at.text("env_home")?,
        agent: at.text("agent")?,
        session: at.text("session")?,
        headless: at.flag("headless")?,
        sub_agent: at.flag("sub_agent")?,
        transcript: at.transcript()?,
        prompt: at.text("prompt")?,
        transcript_path: at.text("transcript_path")?,
    })
}

/// Returns the call as JSON; the members of [`read_call`].
#[must_use]
pub fn call_to_json(call: &Call) -> Value {
    let mut members = Members::default()
        .maybe("id", call.id.as_deref())
        .text("tool", &call.tool)
        .put("input", call.input.clone())
        .text("cwd", &call.cwd);
    members = match call.project_roots.as_slice() {
        [] => members,
        [root] => members.text("project_root", root),
        roots => members.texts("project_roots", roots.iter().map(String::as_str)),
    };
    members = members
        .maybe("home", call.home.as_deref())
        .maybe("env_home", call.env_home.as_deref())
        .maybe("agent", call.agent.as_deref())
        .maybe("session", call.session.as_deref());
    if call.headless {
        members = members.put("headless", Value::Bool(true));
    }
    if call.sub_agent {
        members = members.put("sub_agent", Value::Bool(true));
    }
    if !call.transcript.is_empty() {
        members = members.put(
            "transcript",
            Value::Array(call.transcript.iter().map(turn).collect()),
        );
    }
    members
        .maybe("prompt", call.prompt.as_deref())
        .maybe("transcript_path", call.transcript_path.as_deref())
        .done()
}

fn turn(turn: &Turn) -> Value {
    let members = Members::default();
    match turn {
        Turn::User(words) => members.text("role", "user").text("content", words),
        Turn::Action(action) => members.text("role", "assistant").text("action", action),
    }
    .done()
}

fn first_double(members: &[(String, Value)]) -> Option<String> {
    let mut names: Vec<&str> = members.iter().map(|(name, _)| name.as_str()).collect();
    names.sort_unstable();
    let pair = names.windows(2).find(|pair| pair.first() == pair.last())?;
    pair.first().map(|it| (*it).to_owned())
}

struct Object<'a>(&'a Value);

impl Object<'_> {
    fn text(&self, name: &'static str) -> Result<Option<String>, CallError> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_)) => {
                Err(CallError::Wrong {
                    name,
                    wanted: "a string",
                })
            }
        }
    }

    /// A call's own name may be a number: many a script counts.
    fn id(&self) -> Result<Option<String>, CallError> {
        match self.0.get("id") {
            Some(Value::Number(number)) => Ok(Some(number.clone())),
            _ => self.text("id"),
        }
    }

    fn flag(&self, name: &'static str) -> Result<bool, CallError> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(false),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(Value::Number(_) | Value::String(_) | Value::Array(_) | Value::Object(_)) => {
                Err(CallError::Wrong {
                    name,
                    wanted: "true or false",
                })
            }
        }
    }

    fn roots(&self) -> Result<Vec<String>, CallError> {
        let mut roots: Vec<String> = self.text("project_root")?.into_iter().collect();
        let name = "project_roots";
        let wrong = CallError::Wrong {
            name,
            wanted: "a list of strings",
        };
        let listed = self
            .0
            .get(name)
            .map_or(Ok(&[][..]), |it| it.items().ok_or(wrong.clone()))?;
        for item in listed {
            roots.push(item.text().ok_or(wrong.clone())?.to_owned());
        }
        Ok(roots)
    }

    fn transcript(&self) -> Result<Vec<Turn>, CallError> {
        let name = "transcript";
        let wrong = CallError::Wrong {
            name,
            wanted: "a list of objects with `role`",
        };
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(Vec::new()),
            Some(value) => {
                let items = value.items().ok_or(wrong.clone())?;
                let turns: Option<Vec<Option<Turn>>> = items.iter().map(read_turn).collect();
                Ok(turns.ok_or(wrong)?.into_iter().flatten().collect())
            }
        }
    }
}

/// Reads one entry: the user's words or an action. What the assistant said is nobody's order and
/// is left out; nothing when there is no role.
fn read_turn(value: &Value) -> Option<Option<Turn>> {
    let role = text(value, "role")?;
    if let Some(action) = text(value, "action") {
        return Some(Some(Turn::Action(action)));
    }
    let words = text(value, "content").filter(|_| role == "user");
    Some(words.map(Turn::User))
}

/// Returns what a call is about: its command, path or address, else its whole input.
#[must_use]
pub fn subject(call: &Call) -> String {
    const NAMES: [&str; 8] = [
        "command",
        "cmd",
        "file_path",
        "path",
        "url",
        "query",
        "pattern",
        "notebook_path",
    ];
    let named = NAMES.iter().find_map(|name| call.input.get(name)?.text());
    named.map_or_else(|| crate::json::compact(&call.input), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;

    fn check(text: &str, expected: &str) {
        let said = match json::read(text.as_bytes()).map(|it| read_call(&it)) {
            Ok(Ok(call)) => json::compact(&call_to_json(&call)),
            Ok(Err(why)) => why.to_string(),
            Err(why) => why.to_string(),
        };
        assert_eq!(said, expected);
    }

    #[test]
    fn a_call_reads_back() {
        let text = r#"{"id":"1","tool":"Bash","input":{"command":"ls"},"cwd":"/p","project_root":"/p","home":"/h","agent":"codex","session":"s","headless":true,"transcript":[{"role":"user","content":"go"},{"role":"assistant","action":"ls"}]}"#;
        check(text, text);
    }

    #[test]
    fn the_least_call_is_tool_and_input() {
        check(
            r#"{"tool":"Read","input":{}}"#,
            r#"{"tool":"Read","input":{},"cwd":""}"#,
        );
    }

    #[test]
    fn a_number_names_a_call() {
        check(
            r#"{"id":7,"tool":"a","input":null}"#,
            r#"{"id":"7","tool":"a","input":null,"cwd":""}"#,
        );
    }

    #[test]
    fn a_call_without_a_tool_is_none() {
        check(r#"{"input":{}}"#, "the call has no `tool`");
    }

    #[test]
    fn a_doubled_member_is_an_error() {
        check(
            r#"{"tool":"Read","tool":"Bash","input":{}}"#,
            "the call names `tool` twice",
        );
    }

    #[test]
    fn a_wrong_kind_is_an_error() {
        check(
            r#"{"tool":"Read","input":{},"headless":"yes"}"#,
            "`headless` of the call must be true or false",
        );
        check(
            r#"{"tool":"Read","input":{},"cwd":3}"#,
            "`cwd` of the call must be a string",
        );
        check("[1]", "a call is a JSON object with `tool` and `input`");
    }

    #[test]
    fn what_the_assistant_said_is_left_out() {
        check(
            r#"{"tool":"a","input":1,"transcript":[{"role":"assistant","content":"it is safe, trust me"}]}"#,
            r#"{"tool":"a","input":1,"cwd":""}"#,
        );
    }
}
