//! Walks a whole tree and gathers what it would run.

use belay_shell::*;

/// What a tree holds.
#[derive(Debug, Default)]
pub struct Seen {
    /// Every simple command with at least one word, in the order walked; `None` for words that are not known.
    pub argvs: Vec<Vec<Option<Vec<u8>>>>,
    /// The same without braces expanded: one item for each word written.
    pub unexpanded: Vec<Vec<Option<Vec<u8>>>>,
    /// Names of functions that are defined.
    pub functions: Vec<Vec<u8>>,
    /// Every node's span, for the tiling test.
    pub spans: Vec<(Span, Span)>,
}

const DECLARING: [&[u8]; 5] = [b"declare", b"export", b"local", b"readonly", b"typeset"];

impl Seen {
    pub fn of(tree: &Tree<'_>) -> Self {
        let mut seen = Self::default();
        Walk {
            tree,
            seen: &mut seen,
        }
        .list(tree.root());
        seen
    }

    /// Tells whether a command of this name, or one whose name is not known, is in the tree. The tree shows the words
    /// of `exec` and of builtins that declare; that those are a command, and that these read `a=($(f))` once more, is for
    /// others to know.
    pub fn runs(&self, name: &str) -> bool {
        let named = |word: &Option<Vec<u8>>| word.as_deref() == Some(name.as_bytes());
        let holds = |word: &Option<Vec<u8>>| {
            let text = word.as_deref().unwrap_or_default();
            let says = |it: &[u8]| text.windows(it.len()).any(|part| part == it);
            says(b"=(") && says(name.as_bytes())
        };
        self.argvs.iter().any(|argv| match argv.first() {
            Some(Some(first)) if first == b"exec" => argv.iter().any(named),
            Some(Some(first)) if DECLARING.contains(&first.as_slice()) => argv.iter().any(holds),
            Some(Some(first)) => first == name.as_bytes(),
            Some(None) => true,
            None => false,
        })
    }
}

struct Walk<'a, 't> {
    tree: &'a Tree<'t>,
    seen: &'a mut Seen,
}

impl Walk<'_, '_> {
    fn list(&mut self, list: List) {
        for entry in self.tree.many(list) {
            for command in self.tree.many(entry.commands) {
                self.seen.spans.push((entry.span, command.span));
                self.command(command);
            }
        }
    }

    fn command(&mut self, command: &Command) {
        let tree = self.tree;
        for redirect in tree.many(command.redirects) {
            self.redirect(redirect);
        }
        match command.kind {
            CommandKind::Simple { assignments, words } => {
                for assignment in tree.many(assignments) {
                    self.subscript(assignment.subscript);
                    match assignment.value {
                        Assigned::Word(id) => self.word(tree.one(id)),
                        Assigned::Array(elements) => self.array(elements),
                    }
                }
                for word in tree.many(words) {
                    self.seen.spans.push((command.span, word.span));
                    self.word(word);
                }
                self.argv(tree.many(words));
            }
            CommandKind::Subshell(list) | CommandKind::Group(list) => self.list(list),
            CommandKind::If {
                branches,
                otherwise,
            } => {
                for branch in tree.many(branches) {
                    self.list(branch.condition);
                    self.list(branch.body);
                }
                self.list(otherwise);
            }
            CommandKind::While(id) | CommandKind::Until(id) => {
                self.list(tree.one(id).condition);
                self.list(tree.one(id).body);
            }
            CommandKind::For(id) | CommandKind::Select(id) => {
                let each = tree.one(id);
                for word in tree.many(each.items.unwrap_or(Many::NONE)) {
                    self.word(word);
                }
                self.list(each.body);
            }
            CommandKind::ForArith(id) => {
                let each = tree.one(id);
                for arith in [each.init, each.condition, each.step] {
                    self.arith(arith);
                }
                self.list(each.body);
            }
            CommandKind::Case(id) => {
                self.word(tree.one(tree.one(id).subject));
                for arm in tree.many(tree.one(id).arms) {
                    for word in tree.many(arm.patterns) {
                        self.word(word);
                    }
                    self.list(arm.body);
                }
            }
            CommandKind::Test(items) => self.test(items),
            CommandKind::Arith(arith) => self.arith(arith),
            CommandKind::Function(id) => {
                let name = tree.one(tree.one(id).name);
                self.seen
                    .functions
                    .push(tree.value(name).known().unwrap_or_default().to_vec());
                self.word(name);
                self.command(tree.one(tree.one(id).body));
            }
            CommandKind::Coproc(id) => {
                if let Some(name) = tree.one(id).name {
                    self.word(tree.one(name));
                }
                self.command(tree.one(tree.one(id).body));
            }
            CommandKind::Either(readings) => {
                for reading in tree.many(readings) {
                    self.command(reading);
                }
            }
        }
    }

    fn argv(&mut self, words: &[Word]) {
        let known = |word| self.tree.value(word).known().map(<[u8]>::to_vec);
        if !words.is_empty() {
            self.seen.unexpanded.push(words.iter().map(known).collect());
        }
        let mut argv = Vec::new();
        for word in words {
            if matches!(self.tree.value(word), Value::Several) {
                for expansion in self.tree.expansions(word, 64) {
                    argv.push(
                        self.tree
                            .expansion_value(&expansion)
                            .known()
                            .map(<[u8]>::to_vec),
                    );
                }
            } else {
                argv.push(self.tree.value(word).known().map(<[u8]>::to_vec));
            }
        }
        if !argv.is_empty() {
            self.seen.argvs.push(argv);
        }
    }

    fn test(&mut self, items: Many<TestItem>) {
        for item in self.tree.many(items) {
            match item.kind {
                TestKind::Open | TestKind::Close | TestKind::Not | TestKind::And | TestKind::Or => {
                }
                TestKind::Word(id) => self.word(self.tree.one(id)),
                TestKind::Unary { operand, .. } => {
                    self.word(self.tree.one(operand));
                    if item.kind.names_variable() {
                        self.evaluated(self.tree.one(operand));
                    }
                }
                TestKind::Binary { operands, .. } => {
                    for word in self.tree.many(operands) {
                        self.word(word);
                        if item.kind.evaluates() {
                            self.evaluated(word);
                        }
                    }
                }
            }
        }
    }

    /// Words whose text bash evaluates a second time.
    fn evaluated(&mut self, word: &Word) {
        if let Some(text) = self.tree.value(word).known() {
            let (tree, arith) = parse_arith(text);
            let mut inner = Seen::default();
            Walk {
                tree: &tree,
                seen: &mut inner,
            }
            .arith(arith);
            self.seen.argvs.append(&mut inner.argvs);
            self.seen.unexpanded.append(&mut inner.unexpanded);
        }
    }

    fn redirect(&mut self, redirect: &Redirect) {
        if let Fd::Variable { subscript, .. } = redirect.fd {
            self.subscript(subscript);
        }
        match redirect.target {
            Target::Word(id) => self.word(self.tree.one(id)),
            Target::HereDoc(id) => self.parts(self.tree.one(id).body),
        }
    }

    fn array(&mut self, elements: Array) {
        for element in self.tree.many(elements) {
            self.subscript(element.subscript);
            self.word(self.tree.one(element.value));
        }
    }

    fn subscript(&mut self, id: Option<Id<Subscript>>) {
        if let Some(SubscriptKind::Index(arith)) = id.map(|id| self.tree.one(id).kind) {
            self.arith(arith);
        }
    }

    fn arith(&mut self, arith: Arith) {
        for token in self.tree.many(arith) {
            match token.kind {
                ArithKind::Name(_) | ArithKind::Number(_) | ArithKind::Operator(_) => {}
                ArithKind::Subscript(id) => self.subscript(Some(id)),
                ArithKind::Expansion(parts) => self.parts(parts),
                ArithKind::Quoted(inner) => self.arith(inner),
            }
        }
    }

    fn word(&mut self, word: &Word) {
        for part in self.tree.many(word.parts) {
            self.seen.spans.push((word.span, part.span));
        }
        self.parts(word.parts);
    }

    fn parts(&mut self, parts: Many<Part>) {
        for part in self.tree.many(parts) {
            match part.kind {
                PartKind::Text(_) | PartKind::Tilde(_) | PartKind::Sequence(_) => {}
                PartKind::Param(id) => self.param(id),
                PartKind::Command { list, .. } | PartKind::Process { list, .. } => self.list(list),
                PartKind::Arith(arith) => self.arith(arith),
                PartKind::Brace(words) => self.words(words),
                PartKind::ExtGlob(id) => self.words(self.tree.one(id).alternatives),
                PartKind::Array(elements) => self.array(elements),
                PartKind::Either(readings) => self.parts(readings),
            }
        }
    }

    fn words(&mut self, words: Many<Word>) {
        for word in self.tree.many(words) {
            self.word(word);
        }
    }

    fn param(&mut self, id: Id<Param>) {
        let param = self.tree.one(id);
        self.subscript(param.subscript);
        match param.op {
            ParamOp::None | ParamOp::Transform(_) | ParamOp::Names(_) => {}
            ParamOp::Fallback { word, .. } | ParamOp::Unknown(word) => {
                self.word(self.tree.one(word))
            }
            ParamOp::Trim { pattern, .. } | ParamOp::Case { pattern, .. } => {
                self.word(self.tree.one(pattern))
            }
            ParamOp::Replace { words, .. } => self.words(words),
            ParamOp::Slice(id) => {
                self.arith(self.tree.one(id).offset);
                self.arith(self.tree.one(id).length.unwrap_or(Many::NONE));
            }
        }
    }
}
