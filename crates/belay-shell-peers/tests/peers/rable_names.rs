//! rable, a reader of bash 5.3.

use rable::{CasePattern, Node, NodeKind};

fn names(text: &str) -> Option<Vec<String>> {
    let mut walk = Walk { names: Vec::new() };
    for node in rable::parse(text, false).ok()? {
        walk.node(&node);
    }
    Some(walk.names)
}

struct Walk {
    names: Vec<String>,
}

impl Walk {
    fn nodes<'n>(&mut self, nodes: impl IntoIterator<Item = &'n Node>) {
        for node in nodes {
            self.node(node);
        }
    }

    fn node(&mut self, node: &Node) {
        use NodeKind::*;
        match &node.kind {
            Command {
                assignments,
                words,
                redirects,
            } => {
                if let Some(Word { value, .. }) = words.first().map(|word| &word.kind) {
                    self.names.push(value.clone());
                }
                self.nodes(assignments.iter().chain(words).chain(redirects));
            }
            Word { parts, .. } | ArithConcat { parts } => self.nodes(parts),
            Pipeline { commands, .. } => self.nodes(commands),
            List { items } => self.nodes(items.iter().map(|item| &item.command)),
            If {
                condition,
                then_body,
                else_body,
                redirects,
            } => {
                self.nodes([condition, then_body].into_iter().map(AsRef::as_ref));
                self.nodes(else_body.iter().map(AsRef::as_ref).chain(redirects));
            }
            While {
                condition,
                body,
                redirects,
            }
            | Until {
                condition,
                body,
                redirects,
            } => {
                self.nodes(
                    [condition.as_ref(), body.as_ref()]
                        .into_iter()
                        .chain(redirects),
                );
            }
            For {
                words,
                body,
                redirects,
                ..
            }
            | Select {
                words,
                body,
                redirects,
                ..
            } => {
                self.nodes(
                    words
                        .iter()
                        .flatten()
                        .chain([body.as_ref()])
                        .chain(redirects),
                );
            }
            ForArith {
                body, redirects, ..
            }
            | Subshell { body, redirects }
            | BraceGroup { body, redirects }
            | ConditionalExpr { body, redirects } => {
                self.nodes([body.as_ref()].into_iter().chain(redirects));
            }
            Case {
                word,
                patterns,
                redirects,
            } => {
                self.node(word);
                patterns.iter().for_each(|arm| self.arm(arm));
                self.nodes(redirects);
            }
            Function { body: inner, .. }
            | Coproc { command: inner, .. }
            | Redirect { target: inner, .. }
            | CommandSubstitution { command: inner, .. }
            | ProcessSubstitution { command: inner, .. }
            | Negation { pipeline: inner }
            | Time {
                pipeline: inner, ..
            }
            | UnaryTest { operand: inner, .. }
            | CondNot { operand: inner }
            | CondParen { inner }
            | ArithUnaryOp { operand: inner, .. }
            | ArithPreIncr { operand: inner }
            | ArithPostIncr { operand: inner }
            | ArithPreDecr { operand: inner }
            | ArithPostDecr { operand: inner }
            | ArithSubscript { index: inner, .. } => self.node(inner),
            BinaryTest { left, right, .. }
            | CondAnd { left, right }
            | CondOr { left, right }
            | ArithBinaryOp { left, right, .. }
            | ArithAssign {
                target: left,
                value: right,
                ..
            }
            | ArithComma { left, right } => self.nodes([left.as_ref(), right.as_ref()]),
            ArithTernary {
                condition,
                if_true,
                if_false,
            } => {
                self.node(condition);
                self.nodes(if_true.iter().chain(if_false).map(AsRef::as_ref));
            }
            ArithmeticExpansion { expression } | ArithmeticCommand { expression, .. } => {
                self.nodes(expression.iter().map(AsRef::as_ref));
            }
            Array { elements } => self.nodes(elements),
            WordLiteral { .. }
            | HereDoc { .. }
            | ParamExpansion { .. }
            | ParamLength { .. }
            | ParamIndirect { .. }
            | AnsiCQuote { .. }
            | LocaleString { .. }
            | BraceExpansion { .. }
            | ArithNumber { .. }
            | ArithVar { .. }
            | ArithEmpty
            | ArithEscape { .. }
            | ArithDeprecated { .. }
            | CondTerm { .. }
            | Empty
            | Comment { .. } => {}
        }
    }

    fn arm(&mut self, arm: &CasePattern) {
        self.nodes(arm.patterns.iter().chain(&arm.body));
    }
}

#[test]
fn every_command_rable_names_is_in_the_tree() {
    crate::names::compare("rable", names);
}
