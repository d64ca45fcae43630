//! Writes a tree back as text that reads as the same tree.

mod words;

use crate::tree::{
    Assigned, Assignment, BinaryTest, Command, CommandKind, Fd, Id, Joiner, List, Pipe, Redirect,
    RedirectOp, Target, Terminator, TestItem, TestKind, Timed, Tree, Word,
};

/// Writes a tree without troubles as shell text: one spelling for each tree, whatever the original was.
#[must_use]
pub fn print(tree: &Tree<'_>) -> Vec<u8> {
    let mut printer = Printer {
        tree,
        text: Vec::new(),
        bodies: Vec::new(),
        arith_quotes: 0,
        tight: false,
    };
    printer.list(tree.root(), Ending::Newline);
    printer.text
}

/// What must stand after the last command of a list.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ending {
    Newline,
    Nothing,
}

struct Printer<'a, 't> {
    tree: &'a Tree<'t>,
    text: Vec<u8>,
    /// Bodies of here-documents, with the lines that end them, that come after the next line end.
    bodies: Vec<Vec<u8>>,
    /// How many quotes in arithmetic this is inside of.
    arith_quotes: usize,
    /// Whether tokens of arithmetic stand without blanks, because they are in a word that must not end.
    tight: bool,
}

impl Printer<'_, '_> {
    fn put(&mut self, text: &[u8]) {
        self.text.extend_from_slice(text);
    }

    /// Ends the line and writes the bodies that wait.
    fn line_end(&mut self) {
        self.put(b"\n");
        for body in std::mem::take(&mut self.bodies) {
            self.put(&body);
        }
    }

    fn list(&mut self, list: List, ending: Ending) {
        let entries = self.tree.many(list);
        for (index, entry) in entries.iter().enumerate() {
            if entry.timed != Timed::No {
                self.put(if entry.timed == Timed::Posix {
                    b"time -p -- "
                } else {
                    b"time -- "
                });
            }
            if entry.negated {
                self.put(b"! ");
            } else if entry.commands.is_empty() && entry.timed == Timed::No {
                self.put(b"! ! ");
            }
            for command in self.tree.many(entry.commands) {
                self.command(command);
                match command.pipe {
                    Pipe::None => {}
                    Pipe::Output => self.put(b" | "),
                    Pipe::Both => self.put(b" |& "),
                }
            }
            let last = index + 1 == entries.len();
            self.joiner(entry.joiner, last && ending == Ending::Nothing);
        }
        if ending == Ending::Newline && !self.bodies.is_empty() {
            self.line_end();
        }
    }

    fn joiner(&mut self, joiner: Joiner, inline: bool) {
        match joiner {
            Joiner::And => self.put(b" && "),
            Joiner::Or => self.put(b" || "),
            Joiner::Background => self.put(b" & "),
            Joiner::Semicolon => self.put(b" ; "),
            Joiner::Newline | Joiner::End if inline && self.bodies.is_empty() => {}
            Joiner::Newline | Joiner::End => self.line_end(),
        }
    }

    /// Writes a list inside a construct and ends its last line.
    fn inner(&mut self, list: List) {
        self.line_end();
        self.list(list, Ending::Newline);
        if self.text.last() != Some(&b'\n') {
            self.line_end();
        }
    }

    fn command(&mut self, command: &Command) {
        let tree = self.tree;
        match command.kind {
            CommandKind::Simple { assignments, words } => {
                // Where a reserved word is an ordinary one, a redirection stands before it.
                let early = tree.many(words).iter().any(|word| self.is_reserved(word));
                if early {
                    self.redirects(command);
                    self.put(b" ");
                }
                for assignment in tree.many(assignments) {
                    self.assignment(assignment);
                    self.put(b" ");
                }
                for (index, word) in tree.many(words).iter().enumerate() {
                    self.put(if index == 0 { b"" } else { b" " });
                    self.word(word);
                }
                if early {
                    return;
                }
            }
            CommandKind::Subshell(list) => self.wrapped(b"( ", list, b")"),
            CommandKind::Group(list) => self.wrapped(b"{ ", list, b"}"),
            CommandKind::If {
                branches,
                otherwise,
            } => {
                for (index, branch) in tree.many(branches).iter().enumerate() {
                    self.put(if index == 0 { b"if" } else { b"elif" });
                    self.inner(branch.condition);
                    self.put(b"then");
                    self.inner(branch.body);
                }
                if !otherwise.is_empty() {
                    self.put(b"else");
                    self.inner(otherwise);
                }
                self.put(b"fi");
            }
            CommandKind::While(id) | CommandKind::Until(id) => {
                let until = matches!(command.kind, CommandKind::Until(_));
                self.put(if until { b"until" } else { b"while" });
                self.inner(tree.one(id).condition);
                self.do_done(tree.one(id).body);
            }
            CommandKind::For(id) => self.for_words(b"for ", id),
            CommandKind::Select(id) => self.for_words(b"select ", id),
            CommandKind::ForArith(id) => {
                let each = tree.one(id);
                self.put(b"for ((");
                self.arith(each.init);
                self.put(b";");
                self.arith(each.condition);
                self.put(b";");
                self.arith(each.step);
                self.put(b"))");
                self.line_end();
                self.do_done(each.body);
            }
            CommandKind::Case(id) => self.case(id),
            CommandKind::Test(items) => {
                self.put(b"[[ ");
                for item in tree.many(items) {
                    self.test(item);
                    self.put(b" ");
                }
                self.put(b"]]");
            }
            CommandKind::Arith(arith) => {
                self.put(b"((");
                self.arith(arith);
                self.put(b"))");
            }
            CommandKind::Function(id) => {
                self.put(b"function ");
                self.word(tree.one(tree.one(id).name));
                self.put(b" () ");
                self.command(tree.one(tree.one(id).body));
            }
            CommandKind::Coproc(id) => {
                self.put(b"coproc ");
                if let Some(name) = tree.one(id).name {
                    self.word(tree.one(name));
                    self.put(b" ");
                }
                self.command(tree.one(tree.one(id).body));
            }
            CommandKind::Either(readings) => {
                if let Some(first) = tree.many(readings).first() {
                    self.command(first);
                }
            }
        }
        self.redirects(command);
    }

    fn redirects(&mut self, command: &Command) {
        for redirect in self.tree.many(command.redirects) {
            self.put(b" ");
            self.redirect(redirect);
        }
    }

    fn wrapped(&mut self, open: &[u8], list: List, close: &[u8]) {
        self.put(open);
        self.inner(list);
        self.put(close);
    }

    fn do_done(&mut self, body: List) {
        self.put(b"do");
        self.inner(body);
        self.put(b"done");
    }

    fn for_words(&mut self, keyword: &[u8], id: Id<crate::tree::For>) {
        let each = *self.tree.one(id);
        self.put(keyword);
        self.quoted_or_plain(self.tree.bytes(each.name));
        if let Some(items) = each.items {
            self.put(b" in");
            for word in self.tree.many(items) {
                self.put(b" ");
                self.word(word);
            }
        }
        self.line_end();
        self.do_done(each.body);
    }

    fn case(&mut self, id: Id<crate::tree::Case>) {
        let case = *self.tree.one(id);
        self.put(b"case ");
        self.word(self.tree.one(case.subject));
        self.put(b" in");
        self.line_end();
        for arm in self.tree.many(case.arms) {
            self.put(b"(");
            for (index, pattern) in self.tree.many(arm.patterns).iter().enumerate() {
                self.put(if index == 0 { b"" } else { b" | " });
                self.word(pattern);
            }
            self.put(b")");
            self.inner(arm.body);
            self.put(match arm.terminator {
                Terminator::Break => b";;",
                Terminator::FallThrough => b";&",
                Terminator::TestNext => b";;&",
            });
            self.line_end();
        }
        self.put(b"esac");
    }

    fn test(&mut self, item: &TestItem) {
        match item.kind {
            TestKind::Open => self.put(b"("),
            TestKind::Close => self.put(b")"),
            TestKind::Not => self.put(b"!"),
            TestKind::And => self.put(b"&&"),
            TestKind::Or => self.put(b"||"),
            TestKind::Word(id) => self.word(self.tree.one(id)),
            TestKind::Unary { letter, operand } => {
                self.put(&[b'-', letter, b' ']);
                self.word(self.tree.one(operand));
            }
            TestKind::Binary { operator, operands } => {
                let words: Vec<Word> = self.tree.many(operands).to_vec();
                for (index, word) in words.iter().enumerate() {
                    if index == 1 {
                        self.operator(operator);
                    }
                    self.word(word);
                }
            }
        }
    }

    fn operator(&mut self, operator: BinaryTest) {
        self.put(b" ");
        match operator {
            BinaryTest::Equal => self.put(b"=="),
            BinaryTest::Unequal => self.put(b"!="),
            BinaryTest::Regex => self.put(b"=~"),
            BinaryTest::Less => self.put(b"<"),
            BinaryTest::Greater => self.put(b">"),
            BinaryTest::Number(name) | BinaryTest::File(name) => {
                self.put(b"-");
                self.put(&name);
            }
        }
        self.put(b" ");
    }

    fn assignment(&mut self, assignment: &Assignment) {
        self.put(self.tree.bytes(assignment.name));
        if let Some(subscript) = assignment.subscript {
            self.subscript(subscript);
        }
        self.put(if assignment.append { b"+=" } else { b"=" });
        match assignment.value {
            Assigned::Word(id) => self.word(self.tree.one(id)),
            Assigned::Array(elements) => self.array(elements),
        }
    }

    fn redirect(&mut self, redirect: &Redirect) {
        match redirect.fd {
            Fd::Default => {}
            Fd::Number(number) => self.put(number.to_string().as_bytes()),
            Fd::Variable { name, subscript } => {
                self.put(b"{");
                self.put(self.tree.bytes(name));
                if let Some(subscript) = subscript {
                    let outer = std::mem::replace(&mut self.tight, true);
                    self.subscript(subscript);
                    self.tight = outer;
                }
                self.put(b"}");
            }
        }
        self.put(match redirect.op {
            RedirectOp::Read => b"<",
            RedirectOp::Write => b">",
            RedirectOp::Append => b">>",
            RedirectOp::Clobber => b">|",
            RedirectOp::ReadWrite => b"<>",
            RedirectOp::DuplicateInput => b"<&",
            RedirectOp::DuplicateOutput => b">&",
            RedirectOp::WriteBoth => b"&>",
            RedirectOp::AppendBoth => b"&>>",
            // Tabs are gone from the body already.
            RedirectOp::HereDoc | RedirectOp::HereDocTabs => b"<<",
            RedirectOp::HereString => b"<<<",
        });
        match redirect.target {
            Target::Word(id) => {
                self.put(b" ");
                self.word(self.tree.one(id));
            }
            Target::HereDoc(id) => {
                let doc = *self.tree.one(id);
                // A delimiter may begin with a dash.
                self.put(b" ");
                self.here_document(&doc);
            }
        }
    }
}
