//! What a tool call asks for, whatever the agent calls its tools.

use std::borrow::Cow;

use belay_analysis::{Change, Scene, Shell};
use belay_knowledge::{Guess, Knowledge, Part, Tool, ToolKind};
use belay_model::{Call, Effect, How, Place, Risk, Trouble, TroubleKind, Value, Verb};
use belay_places::Frame;

use crate::address::{self, Named};
use crate::patch;
use crate::unlisted::{self, Counts};

/// A call, read.
pub(crate) struct Request<'c> {
    /// What kind of tool it is; `None` for a tool nobody knows.
    pub(crate) kind: Option<ToolKind>,
    /// The least risk of such a call.
    pub(crate) risk: Risk,
    /// Shell text to be analysed.
    pub(crate) commands: Vec<Command<'c>>,
    /// Effects that follow from the input alone, with their paths as the tool was given them.
    pub(crate) effects: Vec<Effect>,
    /// Text that the call writes, where it says so.
    contents: Vec<&'c str>,
    /// What the call writes into which file.
    writings: Vec<Written<'c>>,
    /// Files, as the tool was given them, all of whose new text was reviewed.
    pub(crate) reviewed: Vec<String>,
    /// What was in the way.
    pub(crate) troubles: Vec<Trouble>,
    /// The folder the tool was told to run in.
    pub(crate) cwd: Option<String>,
}

/// Text for a file.
struct Written<'c> {
    path: String,
    texts: Vec<Cow<'c, str>>,
    /// Whether nothing is left of what was there.
    replaces: bool,
}

/// A command for the shell.
pub(crate) enum Command<'c> {
    /// One text.
    Text(&'c str),
    /// Words.
    Words(Vec<String>),
}

/// Tells whether the name of a tool that nobody here knows says that it deletes, sends, merges or runs: that is for a
/// person to decide, and no model stands in.
fn acts(call: &Call, tool: Option<Tool<'_>>, knowledge: &Knowledge) -> bool {
    if tool.is_some_and(|it| it.kind() != ToolKind::Mcp) {
        return false;
    }
    let inner = tool.and_then(|it| texts(it.get(Part::Tool, &call.input)).next());
    knowledge.guess(inner.unwrap_or(&call.tool)) == Some(Guess::Acts)
}

impl<'c> Request<'c> {
    pub(crate) fn of(call: &'c Call, knowledge: &Knowledge) -> Self {
        let tool = knowledge.tool(&call.tool);
        let mut request = Self {
            kind: tool.map(Tool::kind),
            risk: tool.map_or(Risk::UNSURE, Tool::risk),
            commands: Vec::new(),
            effects: Vec::new(),
            contents: Vec::new(),
            writings: Vec::new(),
            reviewed: Vec::new(),
            troubles: Vec::new(),
            cwd: None,
        };
        if call.input.has_duplicates() {
            request.trouble(TroubleKind::Failure, "the input has the same member twice");
        }
        if !call.tool.chars().all(|c| c.is_ascii_graphic()) {
            request.trouble(
                TroubleKind::Unknown,
                "the tool's name has invisible characters",
            );
        }
        if acts(call, tool, knowledge) {
            request.risk = request.risk.max(Risk::HIGH);
        }
        if let Some(tool) = tool {
            request.read(tool, &call.input);
            request.look_over(tool, &in_usual_shell(tool, &call.input, knowledge));
        }
        if request.kind.is_none_or(may_visit) {
            request.visits("", &call.input);
        }
        request
    }

    /// Reviews what the call writes: what it adds that runs or governs is an effect of its own.
    pub(crate) fn review(&mut self, frame: &Frame<'_>, knowledge: &Knowledge) {
        let scene = Scene {
            frame,
            shell: Shell::Bash,
            knowledge,
        };
        let mut found = Vec::new();
        for written in &self.writings {
            let path = belay_places::absolute(&written.path, frame.cwd, frame.home());
            let Some(path) = path else { continue };
            let review = belay_analysis::review(
                &Change {
                    path: path.text(),
                    texts: written.texts.iter().map(AsRef::as_ref).collect(),
                },
                scene,
            );
            if review.whole {
                self.reviewed.push(written.path.clone());
            }
            let effects = review.effects.into_iter();
            found.extend(effects.filter_map(|it| belay_policy::counted(it, frame)));
            if written.replaces && belay_analysis::is_unkept(path.text(), frame) {
                let lost = Place::Exact(written.path.clone());
                found.push(Effect::on(Verb::Discard, lost));
            }
        }
        // What an edit adds says more than that it writes.
        found.append(&mut self.effects);
        self.effects = found;
    }

    /// Looks for members that nobody listed: one that could name a command, a path, a folder or
    /// contents is not understood, so the call is not.
    fn look_over(&mut self, tool: Tool<'_>, input: &Value) {
        let read_whole = matches!(
            tool.kind(),
            ToolKind::ReadFile
                | ToolKind::Search
                | ToolKind::List
                | ToolKind::Edit
                | ToolKind::Notebook
                | ToolKind::Delete
                | ToolKind::Move
                | ToolKind::Patch
                | ToolKind::Shell
                | ToolKind::ShellInput
                | ToolKind::Fetch
        );
        let lost = tool.kind() == ToolKind::ReadFile && self.effects.is_empty();
        let looks = matches!(
            tool.kind(),
            ToolKind::Look | ToolKind::Plan | ToolKind::WebSearch
        );
        let counts = match (read_whole, looks) {
            (true, _) if lost => Counts::EveryText,
            (true, _) => Counts::WhatCouldName,
            (false, true) => Counts::WhatIsToRun,
            (false, false) => return,
        };
        if let Some(name) = unlisted::first(tool, input, counts) {
            let what = format!("the input has a member that belay does not know: `{name}`");
            self.trouble(TroubleKind::Unknown, &what);
        }
    }

    /// Whatever a tool does that nobody here has read: who hands it the address of the gate's own page goes there. In prose it
    /// is only spoken of.
    fn visits(&mut self, name: &str, value: &Value) {
        match value {
            Value::String(text) => {
                let whole = !text.trim().contains(char::is_whitespace);
                let runs = ["expression", "function"].contains(&name) || unlisted::is_to_run(name);
                let page = belay_places::page_in(text).filter(|_| whole || runs);
                let visit = |host| Effect::to(Verb::Fetch, belay_model::Target::Host(host));
                self.effects.extend(page.map(visit));
            }
            Value::Array(items) => items.iter().for_each(|it| self.visits(name, it)),
            Value::Object(members) => members.iter().for_each(|(name, it)| self.visits(name, it)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn trouble(&mut self, kind: TroubleKind, what: &str) {
        self.troubles.push(Trouble::new(kind, what));
    }

    fn read(&mut self, tool: Tool<'_>, input: &'c Value) {
        self.cwd = texts(tool.get(Part::Cwd, input)).next().map(str::to_owned);
        self.contents = texts(tool.get(Part::Content, input)).collect();
        for path in self.addressed(texts(tool.get(Part::Saves, input)).collect()) {
            self.effects
                .push(Effect::on(Verb::Write, Place::Exact(path)));
        }
        match tool.kind() {
            ToolKind::Look => self.resources(tool, input),
            ToolKind::Plan | ToolKind::ShellStop => {}
            // Some tools that search also open what is found, or an address.
            ToolKind::WebSearch
                if texts(tool.get(Part::Url, input)).any(|it| it.contains(['.', '/', ':'])) =>
            {
                self.kind = Some(ToolKind::Fetch);
                self.fetch(tool, input);
            }
            ToolKind::WebSearch => {}
            ToolKind::ReadFile => self.reads(tool, input, How::Plain),
            ToolKind::Search => self.reads(tool, input, How::Tree),
            ToolKind::List => self.reads(tool, input, How::Names),
            // Some tools of edits also show a file.
            ToolKind::Edit if is_view(input) => {
                self.kind = Some(ToolKind::ReadFile);
                self.reads(tool, input, How::Plain);
            }
            ToolKind::Edit | ToolKind::Notebook => self.paths(tool, input, Verb::Write),
            ToolKind::Delete => self.paths(tool, input, Verb::Delete),
            ToolKind::Move => {
                self.paths(tool, input, Verb::Move);
                self.paths(tool, input, Verb::Write);
            }
            ToolKind::Patch => self.patch(tool, input),
            ToolKind::Shell => self.shell(tool, input),
            ToolKind::ShellInput => self.typed(tool, input),
            ToolKind::ForeignShell | ToolKind::Code => {
                self.effects.push(Effect::of(Verb::Eval, ["code"]));
            }
            ToolKind::Fetch => self.fetch(tool, input),
            ToolKind::Agent => {
                let unguarded =
                    input.get("mode").and_then(Value::text) == Some("bypassPermissions");
                if unguarded {
                    self.effects
                        .push(Effect::of(Verb::Launch, ["unguarded", "agent"]));
                }
            }
            ToolKind::Query => self.query(tool, input),
            ToolKind::Mcp | ToolKind::Browser | ToolKind::Change | ToolKind::Other => {}
        }
    }

    /// What a server shows under an address; that of a file is the file.
    fn resources(&mut self, tool: Tool<'_>, input: &'c Value) {
        for text in texts(tool.get(Part::Url, input)) {
            if let Some(belay_places::Address::File(path)) = belay_places::address_in(text) {
                self.effects
                    .push(Effect::on(Verb::Read, Place::Exact(path)));
            }
        }
    }

    /// Reads of files, of all below a folder, or of names. A name that may be a glob is judged as one too.
    fn reads(&mut self, tool: Tool<'_>, input: &'c Value, how: How) {
        let mut named: Vec<&str> = texts(tool.get(Part::Path, input)).collect();
        if named.is_empty() && how == How::Tree {
            named.push(".");
        }
        for path in self.addressed(named) {
            let read = |place| Effect::on(Verb::Read, place).how(how);
            self.effects.push(read(Place::Exact(path.clone())));
            if path.contains(['*', '?', '[']) {
                self.effects.push(read(Place::Pattern(path)));
            }
        }
    }

    /// Returns paths as they are named, and those that addresses among them mean.
    fn addressed(&mut self, named: Vec<&str>) -> Vec<String> {
        let mut paths = Vec::new();
        for path in named {
            paths.push(path.to_owned());
            match address::path_in(path) {
                Named::Path => {}
                Named::Address(path) => paths.push(path),
                Named::Strange(why) => self.trouble(TroubleKind::Failure, why),
            }
        }
        paths
    }

    fn paths(&mut self, tool: Tool<'_>, input: &'c Value, verb: Verb) {
        let named: Vec<&str> = texts(tool.get(Part::Path, input)).collect();
        if named.is_empty() {
            self.trouble(TroubleKind::Failure, "the input names no file");
        }
        for path in self.addressed(named) {
            self.effects
                .push(Effect::on(verb, Place::Exact(path.clone())));
            if verb == Verb::Write {
                self.writings.push(Written {
                    path,
                    texts: self.contents.iter().map(|it| Cow::Borrowed(*it)).collect(),
                    replaces: is_whole(input),
                });
            }
        }
    }

    fn patch(&mut self, tool: Tool<'_>, input: &'c Value) {
        let mut found = false;
        let patches = tool.get(Part::Patch, input);
        for text in texts(patches).chain(input.text()) {
            let Some(patch) = patch::read(text) else {
                continue;
            };
            found = true;
            if let Some(line) = patch.unread {
                let what = format!("a line of the patch cannot be read: `{line}`");
                self.trouble(TroubleKind::Failure, &what);
            }
            for touched in patch.touched {
                if touched.from != patch::Source::Elsewhere {
                    self.writings.push(Written {
                        path: touched.path.clone(),
                        texts: vec![Cow::Owned(touched.added)],
                        replaces: touched.from == patch::Source::New,
                    });
                }
                self.effects
                    .push(Effect::on(touched.verb, Place::Exact(touched.path)));
            }
        }
        for path in texts(tool.get(Part::Path, input)) {
            found = true;
            self.effects
                .push(Effect::on(Verb::Write, Place::Exact(path.to_owned())));
            self.writings.push(Written {
                path: path.to_owned(),
                texts: texts(tool.get(Part::Patch, input))
                    .map(Cow::Borrowed)
                    .collect(),
                replaces: false,
            });
        }
        if !found {
            self.trouble(TroubleKind::Failure, "the patch names no file");
        }
    }

    fn shell(&mut self, tool: Tool<'_>, input: &'c Value) {
        for value in tool.get(Part::Command, input) {
            match value {
                Value::String(text) => self.commands.push(Command::Text(text)),
                Value::Array(items) => {
                    let words: Option<Vec<String>> = items
                        .iter()
                        .map(|it| it.text().map(str::to_owned))
                        .collect();
                    match words {
                        Some(words) => self.commands.push(Command::Words(words)),
                        None => {
                            self.trouble(TroubleKind::Failure, "a word of the command is not text")
                        }
                    }
                }
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => {
                    self.trouble(TroubleKind::Failure, "the command is not text");
                }
            }
        }
        let empty = |it: &Command| match it {
            Command::Text(text) => text.trim().is_empty(),
            Command::Words(words) => words.is_empty(),
        };
        if self.commands.is_empty() || self.commands.iter().all(empty) {
            self.trouble(TroubleKind::Failure, "the call has no command");
        }
    }

    /// Text typed into a running program: harmless when empty, or when it only interrupts what this session started; else at
    /// least unsure.
    fn typed(&mut self, tool: Tool<'_>, input: &'c Value) {
        /// What a terminal turns into an interrupt.
        const INTERRUPT: char = '\u{3}';
        let typed: Vec<&str> = texts(tool.get(Part::Input, input)).collect();
        if typed.iter().all(|it| it.chars().all(|it| it == INTERRUPT)) {
            self.risk = Risk::NONE;
            return;
        }
        self.effects
            .push(Effect::of(Verb::Eval, ["input", "terminal"]));
        for text in typed {
            self.commands.push(Command::Text(text));
        }
    }

    /// A question to a database is judged by what it does there, where it can be read.
    fn query(&mut self, tool: Tool<'_>, input: &Value) {
        let read: Option<Vec<Vec<Effect>>> = texts(tool.get(Part::Code, input))
            .map(belay_analysis::sql_effects)
            .collect();
        match read {
            Some(effects) if !effects.is_empty() => {
                self.risk = Risk::NONE;
                self.effects.extend(effects.into_iter().flatten());
            }
            Some(_) | None => {
                self.risk = self.risk.max(Risk::UNSURE);
                self.effects.push(Effect::of(Verb::Eval, ["sql"]));
            }
        }
    }

    fn fetch(&mut self, tool: Tool<'_>, input: &Value) {
        let urls: Vec<&str> = texts(tool.get(Part::Url, input))
            .flat_map(urls_in)
            .collect();
        if urls.is_empty() {
            self.trouble(TroubleKind::Unknown, "the input names no address");
        }
        for url in urls {
            if !(url.starts_with("http://") || url.starts_with("https://")) && url.contains("://") {
                self.trouble(TroubleKind::Failure, "the address is not a web address");
            }
            let host = belay_places::host_of(url);
            self.effects
                .push(Effect::to(Verb::Fetch, belay_model::Target::Host(host)));
        }
    }
}

/// Returns an input without the member that says which shell shall run the command, where it is the usual one.
fn in_usual_shell<'v>(tool: Tool<'_>, input: &'v Value, knowledge: &Knowledge) -> Cow<'v, Value> {
    let usual = |(name, value): &(String, Value)| {
        name == "shell"
            && value
                .text()
                .is_some_and(|it| knowledge.lists("usual-shells", it))
    };
    match input.members() {
        Some(members) if tool.kind() == ToolKind::Shell && members.iter().any(usual) => {
            let others = members.iter().filter(|it| !usual(it)).cloned();
            Cow::Owned(Value::Object(others.collect()))
        }
        Some(_) | None => Cow::Borrowed(input),
    }
}

/// Tells whether a tool of this kind may go to an address that it is given.
const fn may_visit(kind: ToolKind) -> bool {
    match kind {
        ToolKind::Look
        | ToolKind::ForeignShell
        | ToolKind::Code
        | ToolKind::Mcp
        | ToolKind::Browser
        | ToolKind::Change
        | ToolKind::Other => true,
        ToolKind::ReadFile
        | ToolKind::Search
        | ToolKind::List
        | ToolKind::Edit
        | ToolKind::Delete
        | ToolKind::Move
        | ToolKind::Patch
        | ToolKind::Notebook
        | ToolKind::Shell
        | ToolKind::ShellInput
        | ToolKind::ShellStop
        | ToolKind::Fetch
        | ToolKind::WebSearch
        | ToolKind::Agent
        | ToolKind::Plan
        | ToolKind::Query => false,
    }
}

/// Tells whether a tool of edits is given all that the file will hold.
fn is_whole(input: &Value) -> bool {
    let whole = input.get("content").or_else(|| input.get("file_text"));
    let creates = input.get("command").and_then(Value::text);
    whole.and_then(Value::text).is_some() && creates.is_none_or(|it| it == "create")
}

/// Tells whether a tool of edits is only asked to show.
fn is_view(input: &Value) -> bool {
    input.get("command").and_then(Value::text) == Some("view")
}

/// Returns the addresses in a text that is one, or that holds some.
fn urls_in(text: &str) -> Vec<&str> {
    if !text.contains(char::is_whitespace) {
        let address = text.contains("://")
            || text.contains('.')
            || text.starts_with("localhost")
            || belay_places::is_page(&belay_places::host_of(text));
        return if address { vec![text] } else { Vec::new() };
    }
    text.split_whitespace()
        .map(|it| it.trim_matches(['(', ')', '<', '>', ',', '"', '\'']))
        .filter(|it| it.contains("://"))
        .collect()
}

/// Returns the strings among values, and in arrays among them.
fn texts<'v>(values: Vec<&'v Value>) -> impl Iterator<Item = &'v str> + use<'v> {
    let each = |value: &'v Value| value.items().unwrap_or(std::slice::from_ref(value));
    values.into_iter().flat_map(each).filter_map(Value::text)
}
