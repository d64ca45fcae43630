//! What programs print, where that follows from their name, the flags used and their operands.

/// The forms of what is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Print {
    /// Digits alone, at least one.
    Number,
    /// Digits alone, on each of any number of lines, where all its operands are digits.
    Numbers,
    /// A plain word: letters, digits and `_`, then `.` and `-` too; never `.`, `..` or a flag.
    Word,
    /// Plain words, any number of them.
    Words,
    /// Anything without blanks.
    Solid,
    /// The last part of a path, an ending cut off where a second one is given.
    Base,
    /// The last part of each path, an ending cut off.
    Bases,
    /// What stands before the last part of each path.
    Folder,
    /// The path, absolute and with its links followed.
    Resolved,
    /// The folder it works in.
    Here,
    /// The name of a new file or folder, by its template.
    Fresh,
    /// The top folder of the repository.
    TopLevel,
    /// The branch that is checked out, where it is asked for `HEAD` or nothing else.
    Branch,
    /// The name of a branch, a tag or a commit: no flag, no blank, no way up.
    Ref,
    /// The id of each revision: letters and digits. What is no revision is printed as it is.
    Id,
    /// Numbers of the processes that have a port open.
    ProcessesOfPort,
    /// Numbers of the processes whose command lines match a pattern.
    ProcessesByPattern,
    /// Numbers of the processes whose names match a pattern.
    ProcessesByName,
    /// The time, by its format.
    Time,
    /// The folder that a setting of the tool means.
    ToolFolder,
    /// Its words with blanks between.
    Echoed,
    /// Its words, by a format.
    Formatted,
    /// The contents of one file, or its standard input.
    Contents,
    /// What one file, or its standard input, means as base64.
    FromBase64,
    /// What one file, or its standard input, means as hex.
    FromHex,
    /// The contents of one file, or its standard input, each line turned round.
    Reversed,
    /// Its standard input, the letters of one set put in the place of those of another.
    Translated,
    /// Its standard input without the letters of a set.
    Lacking,
    /// The value of one variable that programs are given.
    Variable,
    /// The first word of each line of its standard input, where its program is the one that prints just that.
    FirstWords,
    /// What stands before the first blank of each line of its standard input, where a list and a separator ask for just that.
    FirstFields,
    /// Lines of its standard input in which a pattern is.
    Matching,
    /// Lines of one file, or of standard input, each behind its number and a colon.
    Numbered,
    /// Lines by a format, where each begins with an id and goes on with anything that ends no line.
    EntriesBy,
    /// Names of files below a folder, each behind two letters and a blank that say what became of it; nothing where a version of
    /// that is asked for which is another.
    Marked,
    /// What stands behind the first letters of each line, where a list or a program asks for just that.
    Behind,
    /// One field of what a code host tells, where the fields and a query ask for just that.
    Field,
}

/// The words of forms and how many slots each takes at most, in the order in which they are packed.
pub const PRINTS: &[(&str, Print, usize)] = &[
    ("number", Print::Number, 0),
    ("numbers", Print::Numbers, 1),
    ("word", Print::Word, 0),
    ("words", Print::Words, 0),
    ("solid", Print::Solid, 0),
    ("base", Print::Base, 1),
    ("bases", Print::Bases, 2),
    ("folder", Print::Folder, 1),
    ("resolved", Print::Resolved, 1),
    ("here", Print::Here, 0),
    ("fresh", Print::Fresh, 2),
    ("toplevel", Print::TopLevel, 0),
    ("branch", Print::Branch, 1),
    ("ref", Print::Ref, 0),
    ("id", Print::Id, 1),
    ("processes-of-port", Print::ProcessesOfPort, 2),
    ("processes-by-pattern", Print::ProcessesByPattern, 1),
    ("processes-by-name", Print::ProcessesByName, 1),
    ("time", Print::Time, 1),
    ("tool-folder", Print::ToolFolder, 1),
    ("echoed", Print::Echoed, 1),
    ("formatted", Print::Formatted, 1),
    ("contents", Print::Contents, 1),
    ("from-base64", Print::FromBase64, 1),
    ("from-hex", Print::FromHex, 1),
    ("reversed", Print::Reversed, 1),
    ("translated", Print::Translated, 2),
    ("lacking", Print::Lacking, 1),
    ("variable", Print::Variable, 1),
    ("first-words", Print::FirstWords, 1),
    ("first-fields", Print::FirstFields, 2),
    ("entries-by", Print::EntriesBy, 1),
    ("field", Print::Field, 2),
    ("matching", Print::Matching, 1),
    ("numbered", Print::Numbered, 1),
    ("marked", Print::Marked, 2),
    ("behind", Print::Behind, 1),
];
