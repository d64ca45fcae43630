//! A whole tree as text: everything but the spans, and but what printing spells in its own way. Printing chooses `$( )`
//! for backticks, `<<` for `<<-`, its own delimiters, and where quoted text is cut into parts; all else must come back.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a test looks at what it is about"
)]

use belay_shell::*;
use std::fmt::Write;

/// Writes a tree in which only spans and spelling are missing.
pub fn shape(tree: &Tree<'_>) -> String {
    let mut shape = Shape {
        tree,
        text: String::new(),
    };
    shape.list(tree.root());
    shape.text
}

struct Shape<'a, 't> {
    tree: &'a Tree<'t>,
    text: String,
}

impl Shape<'_, '_> {
    fn put(&mut self, text: &str) {
        self.text.push_str(text);
    }

    fn bytes(&mut self, bytes: Bytes) {
        let text = String::from_utf8_lossy(self.tree.bytes(bytes)).into_owned();
        write!(self.text, "{text:?}").unwrap();
    }

    fn list(&mut self, list: List) {
        self.put("[");
        let entries = self.tree.many(list);
        for entry in entries {
            // A list may end with or without a separator; a line end and a semicolon are one.
            let joiner = match entry.joiner {
                Joiner::Semicolon | Joiner::Newline | Joiner::End => ";",
                Joiner::Background => "&",
                Joiner::And => "&&",
                Joiner::Or => "||",
            };
            let timed = match entry.timed {
                Timed::No => "",
                Timed::Yes => "time ",
                Timed::Posix => "time -p ",
            };
            self.put(timed);
            self.put(if entry.negated { "! " } else { "" });
            for command in self.tree.many(entry.commands) {
                self.command(command);
                self.put(match command.pipe {
                    Pipe::None => "",
                    Pipe::Output => " | ",
                    Pipe::Both => " |& ",
                });
            }
            self.put(joiner);
        }
        self.put("]");
    }

    fn command(&mut self, command: &Command) {
        let tree = self.tree;
        match command.kind {
            CommandKind::Simple { assignments, words } => {
                self.put("(simple");
                for assignment in tree.many(assignments) {
                    self.assignment(assignment);
                }
                self.words(words);
            }
            CommandKind::Subshell(list) => self.with("(subshell ", list),
            CommandKind::Group(list) => self.with("(group ", list),
            CommandKind::If {
                branches,
                otherwise,
            } => {
                self.put("(if ");
                for branch in tree.many(branches) {
                    self.list(branch.condition);
                    self.list(branch.body);
                }
                self.list(otherwise);
            }
            CommandKind::While(id) | CommandKind::Until(id) => {
                let until = matches!(command.kind, CommandKind::Until(_));
                self.put(if until { "(until " } else { "(while " });
                self.list(tree.one(id).condition);
                self.list(tree.one(id).body);
            }
            CommandKind::For(id) => self.for_words("(for ", id),
            CommandKind::Select(id) => self.for_words("(select ", id),
            CommandKind::ForArith(id) => {
                let each = tree.one(id);
                self.put("(for-arith ");
                self.arith(each.init);
                self.arith(each.condition);
                self.arith(each.step);
                self.list(each.body);
            }
            CommandKind::Case(id) => self.case(id),
            CommandKind::Test(items) => {
                self.put("(test");
                for item in tree.many(items) {
                    self.test(item);
                }
            }
            CommandKind::Arith(arith) => {
                self.put("(arith ");
                self.arith(arith);
            }
            CommandKind::Function(id) => {
                self.put("(function ");
                self.word(tree.one(tree.one(id).name));
                self.command(tree.one(tree.one(id).body));
            }
            CommandKind::Coproc(id) => {
                self.put("(coproc ");
                if let Some(name) = tree.one(id).name {
                    self.word(tree.one(name));
                }
                self.command(tree.one(tree.one(id).body));
            }
            CommandKind::Either(readings) => {
                self.put("(either ");
                for reading in tree.many(readings) {
                    self.command(reading);
                }
            }
        }
        for redirect in tree.many(command.redirects) {
            self.redirect(redirect);
        }
        self.put(")");
    }

    fn with(&mut self, what: &str, list: List) {
        self.put(what);
        self.list(list);
    }

    fn for_words(&mut self, what: &str, id: Id<For>) {
        let each = self.tree.one(id);
        self.put(what);
        self.bytes(each.name);
        match each.items {
            Some(items) => self.words(items),
            None => self.put(" all"),
        }
        self.list(each.body);
    }

    fn case(&mut self, id: Id<Case>) {
        let case = self.tree.one(id);
        self.put("(case ");
        self.word(self.tree.one(case.subject));
        for arm in self.tree.many(case.arms) {
            self.put("(arm");
            self.words(arm.patterns);
            self.list(arm.body);
            write!(self.text, "{:?})", arm.terminator).unwrap();
        }
    }

    fn test(&mut self, item: &TestItem) {
        self.put(" ");
        match item.kind {
            TestKind::Open => self.put("("),
            TestKind::Close => self.put(")"),
            TestKind::Not => self.put("!"),
            TestKind::And => self.put("&&"),
            TestKind::Or => self.put("||"),
            TestKind::Word(id) => self.word(self.tree.one(id)),
            TestKind::Unary { letter, operand } => {
                write!(self.text, "-{} ", char::from(letter)).unwrap();
                self.word(self.tree.one(operand));
            }
            TestKind::Binary { operator, operands } => {
                write!(self.text, "{operator:?}").unwrap();
                self.words(operands);
            }
        }
    }

    fn assignment(&mut self, assignment: &Assignment) {
        self.put(" ");
        self.bytes(assignment.name);
        self.subscript(assignment.subscript);
        self.put(if assignment.append { "+=" } else { "=" });
        match assignment.value {
            Assigned::Word(id) => self.word(self.tree.one(id)),
            Assigned::Array(elements) => self.array(elements),
        }
    }

    fn array(&mut self, elements: Array) {
        self.put("(array");
        for element in self.tree.many(elements) {
            self.put(" ");
            self.subscript(element.subscript);
            self.put(if element.append { "+=" } else { "=" });
            self.word(self.tree.one(element.value));
        }
        self.put(")");
    }

    fn redirect(&mut self, redirect: &Redirect) {
        self.put(" ");
        match redirect.fd {
            Fd::Default => {}
            Fd::Number(number) => write!(self.text, "{number}").unwrap(),
            Fd::Variable { name, subscript } => {
                self.bytes(name);
                self.subscript(subscript);
            }
        }
        let op = match redirect.op {
            RedirectOp::HereDocTabs => RedirectOp::HereDoc,
            op => op,
        };
        write!(self.text, "{op:?} ").unwrap();
        match redirect.target {
            Target::Word(id) => self.word(self.tree.one(id)),
            Target::HereDoc(id) => {
                let doc = self.tree.one(id);
                self.put(if doc.quoted { "quoted " } else { "" });
                self.body(doc);
            }
        }
    }

    /// A body without its last line end, which printing adds where the text ended without one.
    fn body(&mut self, doc: &HereDoc) {
        let before = self.text.len();
        self.parts(doc.body);
        let body = self.text.split_off(before);
        let body = match body.strip_suffix("\\n\"") {
            // Not the letter behind a backslash, which is written as two.
            Some(text) if text.bytes().rev().take_while(|it| *it == b'\\').count() % 2 == 0 => {
                format!("{text}\"")
            }
            Some(_) | None => body,
        };
        self.put(body.strip_suffix("q\"\"").unwrap_or(&body));
    }

    fn words(&mut self, words: Many<Word>) {
        for word in self.tree.many(words) {
            self.put(" ");
            self.word(word);
        }
    }

    fn word(&mut self, word: &Word) {
        self.put("<");
        self.parts(word.parts);
        self.put(">");
    }

    fn parts(&mut self, parts: Many<Part>) {
        let mut text: Option<(bool, Vec<u8>)> = None;
        let parts = self.tree.many(parts);
        for (index, part) in parts.iter().enumerate() {
            if let PartKind::Text(bytes) = part.kind {
                let mut bytes = self.tree.bytes(bytes);
                // A dollar that begins nothing is itself, quoted or not.
                let dollar = !part.quoted && index + 1 < parts.len() && bytes.ends_with(b"$");
                bytes = &bytes[..bytes.len() - usize::from(dollar)];
                match &mut text {
                    _ if bytes.is_empty() && dollar => {}
                    Some((quoted, run)) if *quoted == part.quoted => run.extend_from_slice(bytes),
                    _ => {
                        self.run(text.take());
                        text = Some((part.quoted, bytes.to_vec()));
                    }
                }
                match &mut text {
                    Some((true, run)) if dollar => run.push(b'$'),
                    _ if dollar => {
                        self.run(text.take());
                        text = Some((true, b"$".to_vec()));
                    }
                    _ => {}
                }
                continue;
            }
            self.run(text.take());
            self.part(part);
        }
        self.run(text.take());
    }

    fn run(&mut self, run: Option<(bool, Vec<u8>)>) {
        if let Some((quoted, bytes)) = run.filter(|(quoted, bytes)| *quoted || !bytes.is_empty()) {
            self.put(if quoted { "q" } else { "" });
            write!(self.text, "{:?}", String::from_utf8_lossy(&bytes)).unwrap();
        }
    }

    fn part(&mut self, part: &Part) {
        self.put(if part.quoted { "q{" } else { "{" });
        match part.kind {
            PartKind::Text(_) => {}
            PartKind::Param(id) => self.param(self.tree.one(id)),
            PartKind::Command { form, list } => {
                self.put(if form == CommandForm::Brace {
                    "brace "
                } else {
                    "command "
                });
                self.list(list);
            }
            PartKind::Arith(arith) => self.arith(arith),
            PartKind::Process { direction, list } => {
                write!(self.text, "{direction:?} ").unwrap();
                self.list(list);
            }
            PartKind::Brace(words) => {
                self.put("braces");
                self.words(words);
            }
            PartKind::Sequence(id) => write!(self.text, "{:?}", self.tree.one(id)).unwrap(),
            PartKind::Tilde(user) => {
                self.put("~");
                self.bytes(user);
            }
            PartKind::ExtGlob(id) => {
                let glob = self.tree.one(id);
                self.text.push(char::from(glob.op));
                self.words(glob.alternatives);
            }
            PartKind::Array(elements) => self.array(elements),
            PartKind::Either(readings) => {
                self.put("either ");
                self.parts(readings);
            }
        }
        self.put("}");
    }

    fn param(&mut self, param: &Param) {
        self.put(if param.indirect { "!" } else { "" });
        self.put(if param.length { "#" } else { "" });
        match param.name {
            ParamName::Variable(name) | ParamName::Positional(name) => self.bytes(name),
            ParamName::Special(byte) => self.text.push(char::from(byte)),
            ParamName::Bad => self.put("bad"),
        }
        self.subscript(param.subscript);
        match param.op {
            ParamOp::None => {}
            ParamOp::Fallback { kind, colon, word } => {
                write!(self.text, " {kind:?} {colon}").unwrap();
                self.word(self.tree.one(word));
            }
            ParamOp::Trim {
                end,
                longest,
                pattern,
            } => {
                write!(self.text, " {end:?} {longest}").unwrap();
                self.word(self.tree.one(pattern));
            }
            ParamOp::Replace { kind, words } => {
                write!(self.text, " {kind:?}").unwrap();
                self.words(words);
            }
            ParamOp::Case { to, all, pattern } => {
                write!(self.text, " {} {all}", char::from(to)).unwrap();
                self.word(self.tree.one(pattern));
            }
            ParamOp::Slice(id) => {
                let slice = self.tree.one(id);
                self.put(" slice ");
                self.arith(slice.offset);
                if let Some(length) = slice.length {
                    self.arith(length);
                }
            }
            ParamOp::Transform(letter) => write!(self.text, "@{}", char::from(letter)).unwrap(),
            ParamOp::Names(sign) => write!(self.text, "names{}", char::from(sign)).unwrap(),
            ParamOp::Unknown(word) => {
                self.put(" unknown ");
                self.word(self.tree.one(word));
            }
        }
    }

    fn subscript(&mut self, id: Option<Id<Subscript>>) {
        match id.map(|id| self.tree.one(id).kind) {
            None => {}
            Some(SubscriptKind::At) => self.put("[@]"),
            Some(SubscriptKind::Star) => self.put("[*]"),
            Some(SubscriptKind::Index(arith)) => self.arith(arith),
        }
    }

    fn arith(&mut self, arith: Arith) {
        self.put("((");
        for token in self.tree.many(arith) {
            self.put(" ");
            match token.kind {
                ArithKind::Name(bytes) => {
                    self.put("n");
                    self.bytes(bytes);
                }
                ArithKind::Number(bytes) => {
                    self.put("d");
                    self.bytes(bytes);
                }
                ArithKind::Operator(bytes) => self.bytes(bytes),
                ArithKind::Subscript(id) => self.subscript(Some(id)),
                ArithKind::Expansion(parts) => self.parts(parts),
                ArithKind::Quoted(inner) => self.arith(inner),
            }
        }
        self.put("))");
    }
}
