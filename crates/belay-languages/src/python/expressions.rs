//! Expressions: what they may be.

use super::arguments::Arguments;
use super::calls::Named;
use super::heap::Key;
use super::texts;
use super::tree::{After, Argument, Comprehension, Expression, Loop, Operator, Part};
use super::value::{Atom, Own, Rest, Text, Value};
use super::walk::Walker;

impl Walker {
    /// Returns what an expression may be.
    pub(super) fn value(&mut self, expression: &Expression) -> Value {
        if !self.steps() {
            return Value::anything();
        }
        self.deeper(|it| it.one(expression))
    }

    fn one(&mut self, expression: &Expression) -> Value {
        match expression {
            Expression::Name(name) => self.lookup(name),
            Expression::Text(parts) => self.text(parts),
            Expression::Number(_) => Value::inert(),
            Expression::Constant(word) => Value::text(*word),
            Expression::Chain(first, afters) => self.chain(first, afters),
            Expression::Operation(values, operators) => self.operation(values, operators),
            Expression::Unary(inner) | Expression::Await(inner) => self.value(inner),
            Expression::Star(inner) => {
                let value = self.value(inner);
                self.elements(&value)
            }
            Expression::Not(inner) => {
                self.value(inner);
                Value::inert()
            }
            Expression::Lambda(function) => {
                let scope = self
                    .frames
                    .last()
                    .map_or(super::walk::MODULE, |it| it.scope);
                self.around.insert(function.at + 1, scope);
                for parameter in &function.parameters {
                    if let Some(default) = &parameter.default {
                        let value = self.value(default);
                        self.remember(function.at + 1, &format!("={}", parameter.name), &value);
                    }
                }
                let own = Own {
                    function: function.clone(),
                    scope,
                };
                self.defines(&own);
                Value::of(Atom::Function(own))
            }
            Expression::Choice(three) => {
                let [condition, value, other] = three.as_ref();
                self.value(condition);
                let value = self.value(value);
                let other = self.value(other);
                value.or(&other)
            }
            Expression::List(items, at) => self.listed(items, *at),
            Expression::Table(entries, at) => self.tabled(entries, *at),
            Expression::Comprehension(it) => self.comprehended(it),
            Expression::Yield(inner) => {
                let value = match inner.as_deref() {
                    Some(inner) => self.value(inner),
                    None => Value::inert(),
                };
                self.returned(&value);
                Value::anything()
            }
            Expression::Walrus(name, inner) => {
                let value = self.value(inner);
                self.bind(name, value.clone());
                value
            }
            Expression::Slice(parts) => {
                parts.iter().for_each(|it| {
                    self.value(it);
                });
                Value::inert()
            }
        }
    }

    fn text(&mut self, parts: &[Part]) -> Value {
        let mut value = Value::text("");
        for part in parts {
            let next = match part {
                Part::Known(text) => Value::text(text),
                Part::Unknown => Value::inert(),
                Part::Code(code, format) => {
                    let inner = self.value(code);
                    let format_parts = self.text(format);
                    let shown = match format_parts.whole() {
                        Some("") => texts::as_text(&inner),
                        Some(format) if texts::in_digits(format) => texts::counted(&inner),
                        Some(_) | None => Value::inert(),
                    };
                    shown.labelled(&inner.labels).labelled(&format_parts.labels)
                }
            };
            value = texts::joined(&value, &next);
        }
        value
    }

    fn listed(&mut self, items: &[Expression], at: usize) -> Value {
        let mut values = Vec::new();
        let mut known = true;
        for item in items {
            let value = self.value(item);
            if let Expression::Star(inner) = item {
                let inner = self.value(inner);
                match self.exactly(&inner) {
                    Some(inner) => values.extend(inner),
                    None => {
                        known = false;
                        values.push(value);
                    }
                }
            } else {
                values.push(value);
            }
        }
        if known {
            return self.list(self.site(at), values);
        }
        let all = values.iter().fold(Value::never(), |all, it| all.or(it));
        self.many(self.site(at), &all)
    }

    /// Returns the items of a list whose order is known.
    pub(super) fn exactly(&self, value: &Value) -> Option<Vec<Value>> {
        match value.atoms.as_slice() {
            [Atom::List(site)] => {
                let contents = self.contents(*site);
                let plain = contents.rest == Value::never() && contents.fields.is_empty();
                contents.items.filter(|_| plain)
            }
            _ => None,
        }
    }

    fn tabled(&mut self, entries: &[(Option<Expression>, Expression)], at: usize) -> Value {
        let (mut fields, mut rest) = (Vec::new(), Value::never());
        let mut labels = Value::never();
        for (key, value) in entries {
            let held = self.value(value);
            labels.labels.add(&held.labels);
            let Some(key) = key else {
                self.spread_table(&held, &mut fields, &mut rest);
                continue;
            };
            let key = self.value(key);
            labels.labels.add(&key.labels);
            // What is no text is more than the name it is found by.
            if !key.is_plain() {
                rest.join(&key);
            }
            match key.whole() {
                Some(name) => fields.push((name.to_owned(), held)),
                None => {
                    rest.join(&held);
                    if rest == Value::never() {
                        rest = Value::inert();
                    }
                }
            }
        }
        self.table(self.site(at), fields, rest)
            .labelled(&labels.labels)
    }

    /// `**other` in a table.
    fn spread_table(&mut self, other: &Value, fields: &mut Vec<(String, Value)>, rest: &mut Value) {
        for atom in &other.atoms {
            if let Atom::Table(site) = atom {
                let contents = self.contents(*site);
                fields.extend(contents.fields);
                rest.join(&contents.rest);
            } else if let Atom::Object(thing, _) = atom
                && thing.name == "environ"
            {
                // The environment handed on to a program is no news to it.
                rest.join(&Value::of(atom.clone()));
            } else {
                self.driven(&Value::of(atom.clone()), super::driven::Hands::Library);
                let all = self.item(&Value::of(atom.clone()), &Key::Unknown);
                rest.join(&all);
            }
        }
    }

    fn comprehended(&mut self, made: &Comprehension) -> Value {
        let mut names = Vec::new();
        made.loops
            .iter()
            .for_each(|it| super::tree::bound_names(&it.target, &mut names));
        let kept: Vec<(String, Option<Value>)> = names
            .iter()
            .map(|it| {
                (
                    it.clone(),
                    self.frames
                        .last()
                        .and_then(|frame| frame.names.get(it).cloned()),
                )
            })
            .collect();
        let mut all = Value::never();
        self.nested_loops(&made.loops, &mut |it| {
            let values: Vec<Value> = made.values.iter().map(|value| it.value(value)).collect();
            for value in &values {
                all.join(value);
            }
        });
        for (name, value) in kept {
            let last = self.frames.len().saturating_sub(1);
            self.set(last, &name, value);
        }
        let site = self.site(made.at);
        let list = self.many(site, &all);
        match made.values.len() {
            1 => list,
            _ => Value::of(Atom::Table(site)).labelled(&list.labels),
        }
    }

    fn nested_loops(&mut self, loops: &[Loop], inner: &mut dyn FnMut(&mut Self)) {
        let Some((first, rest)) = loops.split_first() else {
            return inner(self);
        };
        let over = self.value(&first.over);
        // Twice: what the first round puts into lists, the second finds there.
        for _ in 0..2 {
            let item = self.elements(&over);
            self.assign(&first.target, item);
            first.conditions.iter().for_each(|it| {
                self.value(it);
            });
            self.nested_loops(rest, inner);
        }
    }

    fn operation(&mut self, values: &[Expression], operators: &[Operator]) -> Value {
        let mut all = values.iter();
        let mut value = all.next().map(|it| self.value(it)).unwrap_or_default();
        for (operator, next) in operators.iter().zip(all) {
            let next = self.value(next);
            value = self.operated(*operator, &value, &next);
        }
        value
    }

    /// Returns what an operator makes of two values.
    pub(super) fn operated(&mut self, operator: Operator, left: &Value, right: &Value) -> Value {
        let odd = |it: &Value| {
            it.atoms
                .iter()
                .any(|it| matches!(it, Atom::Anything | Atom::Instance(..)))
        };
        match operator {
            Operator::Compare => Value::inert(),
            Operator::And | Operator::Or => left.clone().or(right),
            _ if odd(left) || odd(right) => Value::anything()
                .labelled(&left.labels)
                .labelled(&right.labels),
            Operator::Add => self.added(left, right),
            Operator::Divide if is_path(left) || is_path(right) => within(left, right),
            Operator::Modulo => {
                let inner = self.blend(&[right]);
                let made = texts::filled(left, right, self.exactly(right).as_deref());
                made.labelled(&inner.labels).telling(&inner)
            }
            Operator::Divide | Operator::Other => {
                let list = left.clone().or(right);
                let packages = list
                    .atoms
                    .iter()
                    .filter(|it| matches!(it, Atom::Package(_) | Atom::List(_) | Atom::Table(_)));
                let kept = Value {
                    atoms: packages.cloned().collect(),
                    labels: list.labels.clone(),
                };
                if let Some(items) = self.exactly(&kept) {
                    let all = items.iter().fold(Value::never(), |all, it| all.or(it));
                    self.pour(&kept, &all);
                }
                kept.or(&Value::inert()).telling(&list)
            }
        }
    }

    fn added(&mut self, left: &Value, right: &Value) -> Value {
        if let (Some(mut mine), Some(theirs), [Atom::List(a)], [Atom::List(b)]) = (
            self.exactly(left),
            self.exactly(right),
            left.atoms.as_slice(),
            right.atoms.as_slice(),
        ) {
            mine.extend(theirs);
            let site = (
                a.0.wrapping_mul(31).wrapping_add(b.0),
                a.1 ^ b.1.rotate_left(7),
            );
            return self.list(site, mine);
        }
        let lists: Vec<Atom> = left
            .atoms
            .iter()
            .chain(&right.atoms)
            .filter(|it| matches!(it, Atom::List(_) | Atom::Table(_)))
            .cloned()
            .collect();
        if let Some(Atom::List(site) | Atom::Table(site)) = lists.first() {
            let both = left.clone().or(right);
            let all = self.elements(&both);
            return self.many((site.0, site.1 ^ 2), &all).labelled(&both.labels);
        }
        let packages = left
            .atoms
            .iter()
            .chain(&right.atoms)
            .find(|it| matches!(it, Atom::Package(_)));
        match packages {
            Some(atom) => Value::of(atom.clone()).or(&Value::inert()),
            None => texts::joined(left, right),
        }
    }

    /// A value and what stands after it.
    fn chain(&mut self, first: &Expression, afters: &[After]) -> Value {
        if let Some(file) = self.standard_file(first, afters) {
            return file;
        }
        let mut value = self.value(first);
        let root: Option<&str> = if let Expression::Name(name) = first {
            Some(name)
        } else {
            None
        };
        let mut afters = afters.iter().peekable();
        while let Some(after) = afters.next() {
            match after {
                After::Member(member) => {
                    if let Some(After::Call(arguments, at)) = afters.peek() {
                        afters.next();
                        let arguments = self.arguments(arguments, *at);
                        value = self.call_method(
                            Named {
                                value: &value,
                                root,
                            },
                            member,
                            &arguments,
                        );
                    } else {
                        value = self.member(&value, member);
                    }
                }
                After::Call(arguments, at) => {
                    let arguments = self.arguments(arguments, *at);
                    value = self.call(&value, &arguments);
                }
                After::Item(item) => {
                    value = self.items(&value, item);
                }
            }
        }
        value
    }

    /// `open(0)`: a file that is open already.
    fn standard_file(&mut self, first: &Expression, afters: &[After]) -> Option<Value> {
        let (Expression::Name(name), [After::Call(arguments, _), rest @ ..]) = (first, afters)
        else {
            return None;
        };
        let number = matches!(
            arguments.first(),
            Some(Argument::Plain(Expression::Number(Some(0..=2))))
        );
        let plain = number && name == "open" && self.lookup(name) == super::walk::builtin(name)?;
        let file = super::tables::object("file").filter(|_| plain)?;
        let mut value = Value::of(Atom::Object(file, Value::text("/dev/stdin").into()));
        for after in rest {
            value = match after {
                After::Member(member) => self.member(&value, member),
                After::Call(arguments, at) => {
                    let arguments = self.arguments(arguments, *at);
                    self.call(&value, &arguments)
                }
                After::Item(item) => self.items(&value, item),
            };
        }
        Some(value)
    }

    /// An item by whatever keys it may be asked for.
    fn items(&mut self, value: &Value, item: &Expression) -> Value {
        let written = matches!(
            item,
            Expression::Slice(_) | Expression::Number(_) | Expression::Unary(_)
        );
        if written {
            let key = self.key(item);
            return self.item(value, &key);
        }
        let key = self.value(item);
        let mut all = Value::never();
        for key in super::heap::keys(&key) {
            let found = self.item(value, &key);
            all.join(&found);
        }
        all
    }

    pub(super) fn key(&mut self, item: &Expression) -> Key {
        if let Expression::Slice(parts) = item {
            self.value(item);
            let one = matches!(parts.as_slice(), [Expression::Number(Some(1))]);
            return if one { Key::Behind } else { Key::Part };
        }
        if let Expression::Number(Some(at)) = item {
            return Key::Number(*at);
        }
        if let Expression::Unary(inner) = item
            && let Expression::Number(Some(at)) = inner.as_ref()
        {
            return Key::Number(-*at);
        }
        let key = self.value(item);
        match key.whole() {
            Some(name) => Key::Name(name.to_owned()),
            None => Key::Unknown,
        }
    }

    pub(super) fn arguments(&mut self, arguments: &[Argument], at: usize) -> Arguments {
        let mut all = Arguments::of(Vec::new(), at);
        for argument in arguments {
            match argument {
                Argument::Plain(value) => {
                    let value = self.value(value);
                    match &mut all.more {
                        Some(more) => {
                            more.join(&value);
                        }
                        None => all.plain.push(value),
                    }
                }
                Argument::Named(name, value) => {
                    let value = self.value(value);
                    all.named.push((name.clone(), value));
                }
                Argument::Spread(value) => {
                    let value = self.value(value);
                    match self.exactly(&value) {
                        Some(items) if all.more.is_none() => all.plain.extend(items),
                        _ => {
                            let items = self.elements(&value);
                            all.more.get_or_insert_with(Value::never).join(&items);
                        }
                    }
                }
                Argument::SpreadNamed(value) => {
                    let value = self.value(value);
                    let (mut fields, mut rest) = (Vec::new(), Value::never());
                    self.spread_table(&value, &mut fields, &mut rest);
                    all.named.extend(fields);
                    if rest != Value::never() {
                        all.more.get_or_insert_with(Value::never).join(&rest);
                    }
                }
            }
        }
        all
    }
}

fn is_path(value: &Value) -> bool {
    value.atoms.iter().any(|it| matches!(it, Atom::Path(_)))
}

/// `folder / name`
pub(super) fn within(left: &Value, right: &Value) -> Value {
    let mut all = Value::never();
    for folder in left.texts() {
        for name in right.texts() {
            all.join(&Value::of(Atom::Path(folder.within(&name))));
        }
    }
    if all.atoms.is_empty() {
        all = Value::of(Atom::Path(Text::begins("", Rest::Anything)));
    }
    all.labelled(&left.labels).labelled(&right.labels)
}
