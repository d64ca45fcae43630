//! How long files and functions may be.

use super::source::File;

const LONGEST_FILE: usize = 500;
const LONGEST_FUNCTION: usize = 100;
const LONG: usize = 40;

struct Function<'a> {
    name: &'a str,
    file: &'a str,
    lines: &'a [String],
}

/// Lists files and functions that are too long.
pub fn faults(files: &[File]) -> Vec<String> {
    let mut faults: Vec<String> = files
        .iter()
        .filter(|file| file.lines.len() > LONGEST_FILE)
        .map(|file| format!("{}: {} lines before the tests", file.path, file.lines.len()))
        .collect();
    let functions: Vec<Function> = files.iter().flat_map(functions).collect();
    faults.extend(
        functions
            .iter()
            .filter(|it| it.too_long())
            .map(|it| format!("{}: `{}` has {} lines", it.file, it.name, it.lines.len())),
    );
    let long = functions
        .iter()
        .filter(|it| it.lines.len() > LONG && !it.is_table())
        .count();
    if long * 20 > functions.len() {
        faults.push(format!(
            "{long} of {} functions have more than {LONG} lines",
            functions.len()
        ));
    }
    faults
}

impl Function<'_> {
    fn too_long(&self) -> bool {
        self.lines.len() > LONGEST_FUNCTION && !self.is_table()
    }

    /// Tells whether the body is one long `match` of one-liners.
    fn is_table(&self) -> bool {
        let arms = self
            .lines
            .iter()
            .filter(|it| it.contains("=>") && it.ends_with(','));
        arms.count() * 10 > self.lines.len() * 7
    }
}

/// Finds functions by the shape `rustfmt` gives them: the closing brace stands under the header.
fn functions(file: &File) -> Vec<Function<'_>> {
    let mut found = Vec::new();
    for (at, line) in file.lines.iter().enumerate() {
        let Some(name) = header(line) else { continue };
        let indent = line.len() - line.trim_start().len();
        let close = format!("{}}}", " ".repeat(indent));
        let rest = &file.lines[at..];
        let end = rest.iter().position(|it| {
            *it == close || (it.ends_with(';') && it.trim_start().len() + indent == it.len())
        });
        let one_line = line.ends_with('}') || line.ends_with(';');
        let length = if one_line {
            1
        } else {
            end.map_or(1, |it| it + 1)
        };
        found.push(Function {
            name,
            file: &file.path,
            lines: &rest[..length],
        });
    }
    found
}

/// Returns the name of the function whose header this line is.
fn header(line: &str) -> Option<&str> {
    let (before, after) = line.trim_start().split_once("fn ")?;
    let is_header = before.split_whitespace().all(|word| {
        ["pub", "const", "async", "extern"].contains(&word) || word.starts_with("pub(")
    });
    let name = after.split(['(', '<']).next()?;
    (is_header && !name.is_empty()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_ends_under_its_header() {
        let text = "impl A {\n    pub fn b() {\n        x();\n    }\n}\nfn c() {}\n";
        let file = File {
            path: String::new(),
            lines: text.lines().map(str::to_owned).collect(),
        };
        let found: Vec<(&str, usize)> = functions(&file)
            .iter()
            .map(|it| (it.name, it.lines.len()))
            .collect();
        assert_eq!(found, [("b", 3), ("c", 1)]);
    }
}
