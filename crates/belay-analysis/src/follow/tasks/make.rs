//! Makefiles: the recipe of a target and of what it needs first.

use belay_knowledge::OURS;

use super::{UNREAD, want};
use crate::follow::language::is_shell;

/// How deep variables are looked up in variables.
const DEPTH: usize = 8;

/// What is read of a makefile.
#[derive(Default)]
struct Makefile {
    rules: Vec<Rule>,
    variables: Vec<(String, String)>,
    /// Commands that run while it is read.
    always: Vec<String>,
}

#[derive(Default)]
struct Rule {
    targets: String,
    needs: String,
    recipe: Vec<String>,
}

impl Rule {
    /// Returns what `%` stands for in a rule that makes this target.
    fn stem<'t>(&self, target: &'t str) -> &'t str {
        let mut targets = self.targets.split_whitespace();
        let stem = targets.find_map(|it| {
            let (start, end) = it.split_once('%')?;
            target.strip_prefix(start)?.strip_suffix(end)
        });
        stem.unwrap_or("%")
    }
}

/// Returns the recipes of a target and of all it needs, as texts of the shell; variables that the call sets win.
pub(super) fn recipes(text: &str, name: &str, given: &[(String, String)]) -> Vec<String> {
    let mut makefile = parse(text);
    makefile
        .variables
        .retain(|(name, _)| given.iter().all(|(it, _)| it != name));
    makefile.variables.extend(given.iter().cloned());
    makefile.expand_targets();
    let mut wanted = vec![makefile.goal(name)];
    let mut recipes = makefile.first();
    let mut at = 0;
    while let Some(target) = wanted.get(at).cloned() {
        for rule in makefile.rules_of(&target) {
            let mut local = Local {
                needs: Vec::new(),
                ..Local::of(&makefile, &target)
            };
            let stem = rule.stem(&target);
            let needs = local.expand(&rule.needs, DEPTH);
            let needs = needs.split_whitespace().map(|it| it.replacen('%', stem, 1));
            local.needs = needs.collect();
            recipes.extend(rule.recipe.iter().map(|it| local.command(it)));
            for need in &local.needs {
                want(&mut wanted, need, &mut recipes);
            }
        }
        at += 1;
    }
    recipes
}

/// Returns what a makefile runs that nobody has vouched for, wherever in it that stands: every command that `shell`
/// is given, and a mark where it does something that is not read here.
pub(super) fn anywhere(text: &str) -> Vec<String> {
    let makefile = parse(text);
    let local = Local::of(&makefile, "");
    let mut found = Vec::new();
    let mut unread = logical(text).iter().any(|it| is_unread(it.trim_start()));
    let joined = logical(text).join("\n");
    let mut rest = joined.as_str();
    while let Some((_, after)) = rest.split_once('$') {
        rest = after;
        match after.chars().next() {
            Some('$') => rest = after.get(1..).unwrap_or_default(),
            Some(open @ ('(' | '{')) => match closing(after, open) {
                Some((inner, _)) => match function(inner) {
                    Some(("shell", command)) => found.push(local.expand(command, DEPTH)),
                    Some((name, _)) => unread |= !OURS.lists("make-functions", name),
                    // A name that is made up may be that of a function.
                    None => unread |= inner.starts_with('$'),
                },
                None => unread = true,
            },
            Some(_) | None => {}
        }
    }
    if unread {
        found.push(UNREAD.to_owned());
    }
    found
}

/// Returns the name of a function and what it is given.
fn function(inner: &str) -> Option<(&str, &str)> {
    let (name, given) = inner.trim_start().split_once(char::is_whitespace)?;
    let plain = name
        .chars()
        .all(|it| it.is_ascii_alphanumeric() || it == '-');
    plain.then_some((name, given))
}

/// Tells whether a line changes how the rest is read, or loads what is not read.
fn is_unread(line: &str) -> bool {
    let words = [
        "load ",
        "-load ",
        ".RECIPEPREFIX",
        ".SHELLFLAGS",
        "MAKEFLAGS",
        "VPATH",
        "vpath ",
    ];
    let includes = ["include ", "-include ", "sinclude "];
    let taken = includes.iter().find_map(|it| line.strip_prefix(it));
    let exported = line.strip_prefix("export ").and_then(assignment);
    words.iter().any(|it| line.starts_with(it))
        || taken.is_some_and(|it| it.contains(['$', '*', '?', '[', '~']))
        || exported.is_some_and(|(name, _)| belay_knowledge::variable(&name).is_some())
}

fn parse(text: &str) -> Makefile {
    let mut makefile = Makefile::default();
    let mut inside = false;
    let mut defining = false;
    for line in logical(text) {
        if defining {
            defining = line.trim() != "endef";
            if let Some((_, value)) = makefile.variables.last_mut().filter(|_| defining) {
                value.push_str(line.trim_start_matches(['\t', '@', ' ']));
                value.push('\n');
            }
            continue;
        }
        if let Some(name) = line.strip_prefix("define ") {
            let name = name.trim().trim_end_matches([':', '=', '?', ' ']);
            makefile.variables.push((name.to_owned(), String::new()));
            defining = true;
            continue;
        }
        if let Some(command) = line.strip_prefix('\t') {
            if let Some(rule) = makefile.rules.last_mut().filter(|_| inside) {
                rule.recipe.push(command.to_owned());
            }
            continue;
        }
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        inside = makefile.statement(line);
    }
    makefile
}

/// Joins lines that end with a backslash.
fn logical(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut open = false;
    for line in text.lines() {
        let (part, goes_on) = match line.strip_suffix('\\') {
            Some(part) => (part, true),
            None => (line, false),
        };
        match lines.last_mut().filter(|_| open) {
            Some(last) => {
                last.push(' ');
                last.push_str(part.trim_start());
            }
            None => lines.push(part.to_owned()),
        }
        open = goes_on;
    }
    lines
}

impl Makefile {
    /// Reads a line that is no recipe; tells whether a recipe may follow.
    fn statement(&mut self, line: &str) -> bool {
        if let Some((name, value)) = assignment(line) {
            self.runs_at_once(line, &value);
            let before = self.variables.iter().position(|(it, _)| *it == name);
            match before.and_then(|at| self.variables.get_mut(at)) {
                Some((_, old)) if line.contains("+=") => *old = format!("{old} {value}"),
                Some((_, old)) => *old = value,
                None => self.variables.push((name, value)),
            }
            return false;
        }
        let Some((targets, rest)) = line.split_once(':') else {
            self.runs_at_once(line, line);
            return false;
        };
        let rest = rest.trim_start_matches(':');
        if let Some(variable) = assignment(rest.trim()) {
            self.variables.push(variable);
            return true;
        }
        let (needs, recipe) = rest
            .split_once(';')
            .map_or((rest, None), |(needs, recipe)| (needs, Some(recipe)));
        self.rules.push(Rule {
            targets: targets.trim_end_matches('&').to_owned(),
            needs: needs.replace('|', " "),
            recipe: recipe.into_iter().map(str::to_owned).collect(),
        });
        true
    }

    /// `:=`, `!=` and a function on a line of its own run while the makefile is read.
    fn runs_at_once(&mut self, line: &str, value: &str) {
        let left = line.split('=').next().unwrap_or_default();
        if left.ends_with('!') {
            self.always.push(value.to_owned());
        } else if left.ends_with(':') || value == line {
            let mut rest = value;
            while let Some((inner, after)) = rest.split_once("$(shell ").and_then(|(_, from)| {
                closing(&format!("({from}"), '(').map(|(inner, _)| (inner.to_owned(), from))
            }) {
                self.always.push(inner);
                rest = after;
            }
        }
    }

    /// What runs before any target: commands of the makefile itself, and its own shell.
    fn first(&self) -> Vec<String> {
        let local = Local::of(self, "");
        let own = self.value("SHELL").map(|it| local.expand(it, DEPTH));
        let usual = |it: &String| {
            let program = it.split(' ').next().unwrap_or(it);
            let name = program.rsplit('/').next().unwrap_or(program);
            is_shell(program, &OURS) || OURS.lists("interpreter-finders", name)
        };
        let shell = own
            .filter(|it| !usual(it))
            .map(|it| format!("{it} -c true"));
        let always = self.always.iter().map(|it| local.expand(it, DEPTH));
        always.chain(shell).collect()
    }

    /// The first target is the goal when none is named.
    fn goal(&self, name: &str) -> String {
        let has = |name: &str| {
            self.rules
                .iter()
                .any(|it| it.targets.split_whitespace().any(|it| it == name))
        };
        if name != "all" || has(name) {
            return name.to_owned();
        }
        let named = self.value(".DEFAULT_GOAL");
        let mut targets = self
            .rules
            .iter()
            .filter_map(|it| it.targets.split_whitespace().next());
        let first = targets.find(|it| !it.starts_with('.') && !it.contains('%'));
        named.or(first).unwrap_or(name).to_owned()
    }

    fn value(&self, name: &str) -> Option<&str> {
        self.variables
            .iter()
            .find(|(it, _)| it == name)
            .map(|(_, value)| value.as_str())
    }

    /// Looks variables in the names of targets up, once for all.
    fn expand_targets(&mut self) {
        let local = Local::of(self, "");
        let targets = self.rules.iter().map(|it| local.expand(&it.targets, DEPTH));
        let targets: Vec<String> = targets.collect();
        for (rule, targets) in self.rules.iter_mut().zip(targets) {
            rule.targets = targets;
        }
    }

    /// Returns the rules of a target; patterns only where no rule names it.
    fn rules_of(&self, target: &str) -> Vec<&Rule> {
        let of = |fits: &dyn Fn(&str) -> bool| -> Vec<&Rule> {
            let names = |rule: &Rule| rule.targets.split_whitespace().any(fits);
            self.rules.iter().filter(|it| names(it)).collect()
        };
        let exact = of(&|it| it == target);
        if exact.iter().any(|it| !it.recipe.is_empty()) {
            return exact;
        }
        let patterns = of(&|it| {
            it.split_once('%').is_some_and(|(start, end)| {
                target.len() >= start.len() + end.len()
                    && target.starts_with(start)
                    && target.ends_with(end)
            })
        });
        exact.into_iter().chain(patterns).collect()
    }
}

/// Reads `NAME = value` in any of its forms.
fn assignment(line: &str) -> Option<(String, String)> {
    let line = ["export ", "override ", "private "]
        .iter()
        .fold(line, |line, it| line.strip_prefix(it).unwrap_or(line));
    let (left, value) = line.split_once('=')?;
    let name = left.trim_end_matches([':', '?', '+', '!']).trim();
    let plain = !name.is_empty() && !name.contains([':', ' ', '\t', '$', '(']);
    plain.then(|| {
        (
            name.to_owned(),
            value.split(" #").next().unwrap_or(value).trim().to_owned(),
        )
    })
}

/// A makefile seen from one target.
struct Local<'a> {
    makefile: &'a Makefile,
    target: &'a str,
    /// What the target needs first.
    needs: Vec<String>,
}

impl<'a> Local<'a> {
    const fn of(makefile: &'a Makefile, target: &'a str) -> Self {
        Self {
            makefile,
            target,
            needs: Vec::new(),
        }
    }

    /// What `$@`, `$<` and their like stand for.
    fn automatic(&self, letter: char) -> Option<String> {
        match letter {
            '@' => Some(self.target.to_owned()),
            '<' => self.needs.first().cloned(),
            '^' | '+' | '?' => Some(self.needs.join(" ")).filter(|it| !it.is_empty()),
            _ => None,
        }
    }

    /// Writes a line of a recipe as the shell gets it.
    fn command(&self, line: &str) -> String {
        self.expand(line.trim_start_matches(['@', '-', '+', ' ', '\t']), DEPTH)
    }

    /// `$(X)` is make's, `$$` is the shell's `$`.
    fn expand(&self, text: &str, depth: usize) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('$') {
            out.push_str(before);
            let mut letters = after.chars();
            rest = match letters.next() {
                Some('$') => {
                    out.push('$');
                    letters.as_str()
                }
                Some(open @ ('(' | '{')) => match closing(after, open) {
                    Some((inner, left)) => {
                        out.push_str(&self.reference(inner, depth));
                        left
                    }
                    None => "",
                },
                Some(letter) => {
                    out.push_str(self.automatic(letter).as_deref().unwrap_or(UNKNOWN));
                    letters.as_str()
                }
                None => "",
            };
        }
        out + rest
    }

    /// What a variable or function stands for; a variable that nobody sets is the environment's.
    fn reference(&self, inner: &str, depth: usize) -> String {
        if let Some(command) = inner.strip_prefix("shell ") {
            return format!("$({})", self.expand(command, depth.saturating_sub(1)));
        }
        if let Some(patterns) = inner.strip_prefix("wildcard ") {
            return self.expand(patterns.trim(), depth.saturating_sub(1));
        }
        if let Some((name, change)) = inner.split_once(':')
            && let Some((from, to)) = change.split_once('=')
            && let Some(value) = self.makefile.value(name).filter(|_| depth > 0)
        {
            let words = self.expand(value, depth - 1);
            let words = words.split_whitespace().map(|it| ended(it, from, to));
            return words.collect::<Vec<_>>().join(" ");
        }
        let is_name = |it: char| it.is_ascii_alphanumeric() || it == '_';
        match self.makefile.value(inner) {
            Some(value) if depth > 0 => self.expand(value, depth - 1),
            Some(_) => UNKNOWN.to_owned(),
            None if OURS.lists("make-variables", inner) => {
                let said = OURS.said("make-variables", inner);
                said.unwrap_or(UNKNOWN).to_owned()
            }
            None if !inner.is_empty() && inner.chars().all(is_name) => format!("${{{inner}}}"),
            None => UNKNOWN.to_owned(),
        }
    }
}

/// `$(X:.c=.o)` gives each word another ending, `$(X:%.c=out/%.o)` another shape.
fn ended(word: &str, from: &str, to: &str) -> String {
    let (start, end) = from.split_once('%').unwrap_or(("", from));
    let stem = word.strip_prefix(start).and_then(|it| it.strip_suffix(end));
    match (stem, to.contains('%')) {
        (Some(stem), true) => to.replacen('%', stem, 1),
        (Some(stem), false) => format!("{stem}{to}"),
        (None, _) => word.to_owned(),
    }
}

/// A word of which nothing is known.
const UNKNOWN: &str = "\"$MAKE_VARIABLE\"";

/// Parts a text that begins with a bracket after the one that closes it.
fn closing(text: &str, open: char) -> Option<(&str, &str)> {
    let close = if open == '(' { ')' } else { '}' };
    let mut depth = 0_usize;
    for (at, letter) in text.char_indices() {
        if letter == open {
            depth += 1;
        } else if letter == close {
            depth -= 1;
            if depth == 0 {
                return Some((text.get(1..at)?, text.get(at + 1..)?));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::recipes;

    const TEXT: &str = "OUT = build\nWHERE := $(OUT)/x\nall: clean app\n\nclean:\n\t@rm -rf $(OUT)\n\napp: a.c\n\tcc $< -o $$HOME/x\n\npurge: ; rm -rf $(HOME)\nwhere:\n\trm -rf \\\n\t  $(WHERE)\n%.gz:\n\tgzip $@\nsub:\n\t$(MAKE) -C docs $(shell cat x)\n";

    fn check(name: &str, expected: &[&str]) {
        assert_eq!(recipes(TEXT, name, &[]), expected);
    }

    #[test]
    fn needs_come_with_their_target() {
        check("all", &["rm -rf build", "cc a.c -o $HOME/x"]);
    }
    #[test]
    fn the_environment_is_the_shells() {
        check("purge", &["rm -rf ${HOME}"]);
    }
    #[test]
    fn lines_are_joined_and_variables_looked_up() {
        check("where", &["rm -rf  build/x"]);
    }
    #[test]
    fn patterns_count() {
        check("a.gz", &["gzip a.gz"]);
    }
    #[test]
    fn functions_run() {
        check("sub", &["make -C docs $(cat x)"]);
    }
    #[test]
    fn the_call_sets_variables() {
        let given = [("OUT".to_owned(), "/".to_owned())];
        assert_eq!(recipes(TEXT, "clean", &given), ["rm -rf /"]);
    }
    #[test]
    fn the_first_target_is_the_goal() {
        assert_eq!(recipes("x:\n\techo 1\n", "all", &[]), ["echo 1"]);
    }
    #[test]
    fn what_runs_while_it_is_read() {
        let text = "A := $(shell one)\nB != two\nC = $(shell three)\n$(shell four)\nSHELL = ./x\ndefine R\nfive\nendef\nt: D = six\nt:\n\t$(R)$(D)\n";
        let expected = ["one", "two", "four", "./x -c true", "five\nsix"];
        assert_eq!(recipes(text, "t", &[]), expected);
    }
    #[test]
    fn too_many_needs_are_said() {
        let needs: Vec<String> = (0..400).map(|it| format!("n{it}")).collect();
        let text = format!("a: {}\n\techo a\nn399:\n\techo last\n", needs.join(" "));
        assert_eq!(
            recipes(&text, "a", &[]),
            ["echo a", crate::follow::tasks::TOO_MANY]
        );
    }
    #[test]
    fn a_circle_ends() {
        assert_eq!(
            recipes("a: b\n\techo a\nb: a\n\techo b\nX = $(X)\n", "a", &[]),
            ["echo a", "echo b"]
        );
    }
}
