use super::{Array, Bytes, Id, List, Many, Span};

/// A word as bash reads it: parts in order, no blanks between them.
#[derive(Clone, Copy, Debug)]
pub struct Word {
    /// Its bytes, quotes included.
    pub span: Span,
    /// Its parts; none for an empty value (`a=`).
    pub parts: Many<Part>,
}

/// A part of a word.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// Its bytes.
    pub span: Span,
    /// What it is.
    pub kind: PartKind,
    /// Whether it stands in quotes: no splitting, no globbing.
    pub quoted: bool,
}

/// What a part of a word is.
#[derive(Clone, Copy, Debug)]
pub enum PartKind {
    /// Literal bytes, quotes and escapes removed. Unquoted `*`, `?` and `[` in it are patterns.
    Text(Bytes),
    /// `$x`, `${x...}`
    Param(Id<Param>),
    /// `$( )`, backticks, `${ ;}`
    Command {
        /// How it is written.
        form: CommandForm,
        /// What runs.
        list: List,
    },
    /// `$(( ))`, `$[ ]`
    Arith(Arith),
    /// `<( )`, `>( )`
    Process {
        /// Whether the command's output is read or its input written.
        direction: Direction,
        /// What runs.
        list: List,
    },
    /// `{a,b}`: becomes several words.
    Brace(Many<Word>),
    /// `{1..9}`, `{a..z..2}`: becomes several words.
    Sequence(Id<Sequence>),
    /// `~`, `~user`, `~+` where bash would replace it; the bytes after the tilde.
    Tilde(Bytes),
    /// `@(a|b)`; without extglob bash rejects the line or reads it differently (then both are in the tree).
    ExtGlob(Id<ExtGlob>),
    /// The elements after `NAME=` in a word of `declare`, `export`, `local` and the like.
    Array(Array),
    /// One of these, depending on what bash makes of it at run time: judge all of them.
    Either(Many<Part>),
}

/// How a command substitution is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CommandForm {
    /// `$( )`
    Dollar,
    /// Backticks; the list was read from the text with one level of backslashes removed.
    Backtick,
    /// `${ ...; }` of bash 5.3, which runs in the shell itself; `${| ...; }` too.
    Brace,
}

/// The direction of a process substitution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// `<( )`
    Input,
    /// `>( )`
    Output,
}

/// `{from..to..step}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sequence {
    /// First value: a number, or a byte.
    pub from: i64,
    /// Last value.
    pub to: i64,
    /// Distance, never zero.
    pub step: i64,
    /// Digits to pad numbers to, zero for none.
    pub width: u32,
    /// Whether the values are letters.
    pub letters: bool,
}

/// `@(a|b)` and its kin.
#[derive(Clone, Copy, Debug)]
pub struct ExtGlob {
    /// One of `?*+@!`.
    pub op: u8,
    /// The alternatives, at least one, which may be empty.
    pub alternatives: Many<Word>,
}

/// A parameter expansion.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// Which parameter.
    pub name: ParamName,
    /// `${name[subscript]}`; evaluated.
    pub subscript: Option<Id<Subscript>>,
    /// `${!name}`: the value names another parameter, whose subscript would be evaluated.
    pub indirect: bool,
    /// `${#name}`
    pub length: bool,
    /// What is done to the value.
    pub op: ParamOp,
}

/// Which parameter is expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParamName {
    /// A variable.
    Variable(Bytes),
    /// `$1`, `${10}`: the digits.
    Positional(Bytes),
    /// One of `@*#?-$!`.
    Special(u8),
    /// Bash says "bad substitution" at run time; a trouble is in the tree if it could be something else elsewhere.
    Bad,
}

/// What is done to the value of a parameter. Every operand is expanded by bash.
#[derive(Clone, Copy, Debug)]
pub enum ParamOp {
    /// Nothing.
    None,
    /// `-`, `=`, `?`, `+`, with or without colon.
    Fallback {
        /// Which of the four.
        kind: Fallback,
        /// With a colon: an empty value counts as unset.
        colon: bool,
        /// The operand.
        word: Id<Word>,
    },
    /// `#`, `##`, `%`, `%%`
    Trim {
        /// At which end.
        end: TrimEnd,
        /// The longest match instead of the shortest.
        longest: bool,
        /// The operand.
        pattern: Id<Word>,
    },
    /// `/`, `//`, `/#`, `/%`: pattern and replacement side by side; the replacement may be absent.
    Replace {
        /// Which matches.
        kind: Replace,
        /// One or two words.
        words: Many<Word>,
    },
    /// `^`, `^^`, `,`, `,,`, `~`, `~~`
    Case {
        /// The character.
        to: u8,
        /// Whether it is doubled.
        all: bool,
        /// The pattern, empty when absent.
        pattern: Id<Word>,
    },
    /// `:offset`, `:offset:length`; both are arithmetic.
    Slice(Id<SliceBounds>),
    /// `@Q`, `@P`...: the letter. `P` expands the value once more, `A`, `E`, `a`, `K`, `k`, `L`, `U`, `u` do not.
    Transform(u8),
    /// `${!prefix*}`, `${!prefix@}`: names of variables; the character.
    Names(u8),
    /// Something bash refuses at run time, or another dialect's; the operand is still parsed.
    Unknown(Id<Word>),
}

/// The four fallbacks of parameter expansion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fallback {
    /// `-`
    Use,
    /// `=`
    Assign,
    /// `?`
    Fail,
    /// `+`
    Alternative,
}

/// The end at which a pattern is cut off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TrimEnd {
    /// `#`
    Start,
    /// `%`
    End,
}

/// Which matches are replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Replace {
    /// `/`
    First,
    /// `//`
    All,
    /// `/#`
    Start,
    /// `/%`
    End,
}

/// `${x:offset:length}`.
#[derive(Clone, Copy, Debug)]
pub struct SliceBounds {
    /// Where to start.
    pub offset: Arith,
    /// How much, if given.
    pub length: Option<Arith>,
}

/// `[ ... ]` after a name: arithmetic for ordinary arrays, a word for associative ones. Read as arithmetic, in
/// which every expansion is visible either way.
#[derive(Clone, Copy, Debug)]
pub struct Subscript {
    /// The bytes between the brackets.
    pub span: Span,
    /// What is in them.
    pub kind: SubscriptKind,
}

/// What a subscript selects.
#[derive(Clone, Copy, Debug)]
pub enum SubscriptKind {
    /// `[@]`
    At,
    /// `[*]`
    Star,
    /// Anything else.
    Index(Arith),
}

/// Arithmetic: tokens in the order written. Flat, because an expansion may supply any part of an expression.
pub type Arith = Many<ArithToken>;

/// A token of arithmetic.
#[derive(Clone, Copy, Debug)]
pub struct ArithToken {
    /// Its bytes.
    pub span: Span,
    /// What it is.
    pub kind: ArithKind,
}

/// Sorts of arithmetic tokens.
#[derive(Clone, Copy, Debug)]
pub enum ArithKind {
    /// A variable: bash evaluates its contents as arithmetic again, subscripts included.
    Name(Bytes),
    /// `[...]` after a name.
    Subscript(Id<Subscript>),
    /// `12`, `0x1f`, `2#101`
    Number(Bytes),
    /// An operator, a parenthesis, a comma, or any other byte arithmetic would refuse.
    Operator(Bytes),
    /// `$x`, `${...}`, `$(...)`, backticks, `$((...))`: parts side by side without blanks.
    Expansion(Many<Part>),
    /// What stands in single or double quotes, read as arithmetic, because some places evaluate it all the same.
    Quoted(Arith),
}

/// One element of `NAME=( ... )`.
#[derive(Clone, Copy, Debug)]
pub struct Element {
    /// Its bytes.
    pub span: Span,
    /// `[subscript]=`; evaluated.
    pub subscript: Option<Id<Subscript>>,
    /// Whether it is `[subscript]+=`.
    pub append: bool,
    /// The value; split and globbed when there is no subscript.
    pub value: Id<Word>,
}
