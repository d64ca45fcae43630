//! Calls: of tools, of the program's own functions, and of what only computes.

use belay_model::Value;

use super::super::tree::{Function, Node, Pattern};
use super::values::{Known, holds_function, input_of, text_of};
use super::{CALLS, DEPTH, Walk};
use crate::ToolCall;

/// What is called, and by which name where it is a method.
pub(super) struct Callee<'a, 'n> {
    pub(super) callee: Known<'a>,
    pub(super) method: Option<&'n str>,
}

impl<'a> Walk<'a> {
    /// Something of a list or of a function is looked at: what it holds may be called from there.
    pub(super) fn lose(&mut self, value: &Known<'a>) -> Option<()> {
        match value {
            Known::List(_) | Known::Function(_) => self.given(value.clone()).map(drop),
            Known::Literal(_)
            | Known::Object(_)
            | Known::Tools
            | Known::Tool(_)
            | Known::Host
            | Known::Unknown => Some(()),
        }
    }

    pub(super) fn call(
        &mut self,
        callee: Callee<'a, '_>,
        owner: &Known<'a>,
        arguments: &'a [Node],
    ) -> Option<Known<'a>> {
        let Callee { callee, method } = callee;
        match callee {
            Known::Tool(name) => {
                self.tool(name, arguments)?;
                Some(Known::Unknown)
            }
            Known::Function(function) => {
                let mut given = Vec::new();
                for argument in arguments {
                    if matches!(argument, Node::Spread(_)) {
                        return None;
                    }
                    given.push(self.value(argument)?);
                }
                self.run(function, given)
            }
            Known::Tools | Known::Literal(_) | Known::List(_) | Known::Object(_) => None,
            Known::Host | Known::Unknown => match (method, owner, arguments) {
                // What is done for each literal, and texts put together.
                (
                    Some("map" | "forEach" | "flatMap"),
                    Known::List(items),
                    [Node::Function(function)],
                ) => {
                    let mut made = Vec::new();
                    for item in items.clone() {
                        made.push(self.run(function, vec![item])?);
                    }
                    Some(Known::List(made))
                }
                (Some("join"), Known::List(items), [Node::Text(between)]) => {
                    let texts: Option<Vec<String>> = items.iter().map(text_of).collect();
                    Some(texts.map_or(Known::Unknown, |it| {
                        Known::Literal(Value::String(it.join(between)))
                    }))
                }
                // Something nobody knows is called: it cannot be a tool, for those are never given away.
                _ => {
                    self.lose(owner)?;
                    self.hand_over(arguments)?;
                    Some(Known::Unknown)
                }
            },
        }
    }

    pub(super) fn run(
        &mut self,
        function: &'a Function,
        given: Vec<Known<'a>>,
    ) -> Option<Known<'a>> {
        if self.depth >= DEPTH {
            return None;
        }
        self.depth += 1;
        // Names live as long as the call: one that calls itself must find its own again.
        let before = self.values.clone();
        let mut given = given.into_iter();
        for parameter in &function.parameters {
            let value = if let Pattern::Rest(_) = parameter {
                Known::List(given.by_ref().collect())
            } else {
                given.next().unwrap_or(Known::Unknown)
            };
            self.pattern(parameter, value)?;
        }
        for more in given {
            self.given(more)?;
        }
        let returned = self.all(&function.body)?;
        // A function that is given back would look for its names after they are gone.
        let returned = if holds_function(&returned) {
            self.given(returned)?
        } else {
            returned
        };
        self.values = before;
        self.depth -= 1;
        Some(returned)
    }

    pub(super) fn tool(&mut self, name: String, arguments: &'a [Node]) -> Option<()> {
        let input = match arguments {
            [] => Value::Null,
            [Node::Spread(_)] => return None,
            [one] => {
                let value = self.value(one)?;
                input_of(value)?
            }
            _ => return None,
        };
        self.calls.push(ToolCall { name, input });
        (self.calls.len() <= CALLS).then_some(())
    }
}
