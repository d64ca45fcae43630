//! Texts that are lists: any number of lines, of which only the kind is known.

use belay_model::Carries;

use crate::machine::value::{CHOICES, DIGITS, MARKED, PLAIN, PROCESS, Text, Val};

/// What shapes begin with that are no flags: digits, letters, anything but a dash.
pub(crate) const BEGINS_NO_FLAG: [&str; 5] = [DIGITS, PROCESS, PLAIN, MARKED, "[!-]"];

impl Val {
    /// Any number of lines, each like one of these.
    pub(crate) fn lines(vals: &[Self], carries: Carries) -> Self {
        let carries = vals.iter().fold(carries, |sum, it| sum.and(it.carries));
        let lines = vals.iter().flat_map(Self::choices).map(|it| it.text);
        Self {
            text: Text::Unknown {
                empty: String::new(),
                lines: lines.take(CHOICES + 1).collect(),
            },
            carries: carries.and(Carries::UNKNOWN),
            processes: None,
        }
        .unless_crowded()
    }

    /// Forgets what lines are like where there are too many kinds of them.
    fn unless_crowded(mut self) -> Self {
        if let Text::Unknown { lines, .. } = &mut self.text
            && lines.len() > CHOICES
        {
            lines.clear();
        }
        self
    }

    /// Returns what each of its lines is like, where it is a list or nothing.
    pub(crate) fn listed(&self) -> Option<Self> {
        let mut all = Vec::new();
        for choice in self.choices() {
            match choice.text {
                Text::Known(text) if text.is_empty() => {}
                Text::Unknown { lines, .. } if !lines.is_empty() => all.extend(lines),
                Text::Known(_)
                | Text::Glob(_)
                | Text::Prefix { .. }
                | Text::Unknown { .. }
                | Text::OneOf(_) => return None,
            }
        }
        let carries = self.carries.without(Carries::UNKNOWN);
        let one = |text| Self {
            text,
            carries,
            processes: None,
        };
        (!all.is_empty()).then(|| Self::any_of(all.into_iter().map(one)))
    }

    /// Returns the lines of a text of which not all is known.
    pub(crate) fn own_lines(&self) -> Vec<Self> {
        match &self.text {
            // What is not known of a shape has no line ends; what was written beside it may.
            Text::Glob(shape) => {
                let line = |it: &str| Self::glob(it).carrying(self.carries);
                shape.trim_end_matches('\n').split('\n').map(line).collect()
            }
            // What follows a beginning may have any number of lines.
            Text::Prefix { .. } => vec![Self::any(self.carries.and(Carries::UNKNOWN))],
            Text::Known(_) | Text::Unknown { .. } | Text::OneOf(_) => vec![self.clone()],
        }
    }

    /// Tells whether it is of one shape.
    pub(crate) const fn is_one(&self) -> bool {
        matches!(self.text, Text::Known(_) | Text::Glob(_))
    }

    /// Returns a shape without the end of its line.
    pub(crate) fn without_line_end(&self) -> Self {
        let text = match &self.text {
            Text::Glob(text) => Text::Glob(text.trim_end_matches('\n').to_owned()),
            text @ Text::Known(_)
            | text @ Text::Prefix { .. }
            | text @ Text::Unknown { .. }
            | text @ Text::OneOf(_) => text.clone(),
        };
        Self {
            text,
            carries: self.carries,
            processes: self.processes.clone(),
        }
    }
}
