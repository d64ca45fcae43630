use super::{Arith, Bytes, Element, Id, Many, Part, Span, Subscript, Word};

/// Commands in order: what a script, a loop body or a substitution is made of.
pub type List = Many<Entry>;

/// One pipeline of a list and what stands after it.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// From the first word (`!` and `time` included) to the last byte of the last command.
    pub span: Span,
    /// The commands of the pipeline, at least one; none for a bare `!` or `time`.
    pub commands: Many<Command>,
    /// What joins this pipeline to the next one.
    pub joiner: Joiner,
    /// Whether an odd number of `!` stands in front.
    pub negated: bool,
    /// Whether `time` stands in front.
    pub timed: Timed,
}

/// What stands between two pipelines of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Joiner {
    /// `;`
    Semicolon,
    /// The end of a line.
    Newline,
    /// `&`: this pipeline (with those joined to it by `&&` and `||`) runs in the background.
    Background,
    /// `&&`
    And,
    /// `||`
    Or,
    /// Nothing follows.
    End,
}

/// The `time` keyword in front of a pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Timed {
    /// Absent.
    No,
    /// `time`
    Yes,
    /// `time -p`
    Posix,
}

/// One command of a pipeline.
#[derive(Clone, Copy, Debug)]
pub struct Command {
    /// From its first byte to its last, redirections included.
    pub span: Span,
    /// What the command is.
    pub kind: CommandKind,
    /// Its redirections, wherever they stood, in order.
    pub redirects: Many<Redirect>,
    /// What joins it to the next command of the pipeline.
    pub pipe: Pipe,
}

/// How a command's output reaches the next command of the pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pipe {
    /// It is the last.
    None,
    /// `|`
    Output,
    /// `|&`: standard output and standard error.
    Both,
}

/// What a command is.
#[derive(Clone, Copy, Debug)]
pub enum CommandKind {
    /// Words, perhaps with assignments in front; without words the assignments are the shell's own.
    Simple {
        /// `a=b` in front of the first word.
        assignments: Many<Assignment>,
        /// The command name and its arguments.
        words: Many<Word>,
    },
    /// `( ... )`
    Subshell(List),
    /// `{ ...; }`
    Group(List),
    /// `if ...; then ...; elif ...; else ...; fi`
    If {
        /// `if` and each `elif`, in order.
        branches: Many<Branch>,
        /// The `else` part, empty when absent.
        otherwise: List,
    },
    /// `while ...; do ...; done`: one branch.
    While(Id<Branch>),
    /// `until ...; do ...; done`: one branch.
    Until(Id<Branch>),
    /// `for NAME in ...; do ...; done`
    For(Id<For>),
    /// `for ((...; ...; ...)); do ...; done`
    ForArith(Id<ForArith>),
    /// `select NAME in ...; do ...; done`
    Select(Id<For>),
    /// `case ... in ... esac`
    Case(Id<Case>),
    /// `[[ ... ]]`
    Test(Many<TestItem>),
    /// `(( ... ))`
    Arith(Arith),
    /// `NAME() ...` or `function NAME ...`
    Function(Id<Function>),
    /// `coproc ...`
    Coproc(Id<Coproc>),
    /// One of these, depending on the state of the shell (`!(x)` with and without extglob): judge all of them.
    Either(Many<Command>),
}

/// A condition and what it guards.
#[derive(Clone, Copy, Debug)]
pub struct Branch {
    /// Runs first.
    pub condition: List,
    /// Runs if the condition says so.
    pub body: List,
}

/// `for` and `select` over words.
#[derive(Clone, Copy, Debug)]
pub struct For {
    /// The variable, as written.
    pub name: Bytes,
    /// The words after `in`; `None` without `in`: the positional parameters.
    pub items: Option<Many<Word>>,
    /// The loop body.
    pub body: List,
}

/// `for ((init; condition; step))`.
#[derive(Clone, Copy, Debug)]
pub struct ForArith {
    /// Evaluated once.
    pub init: Arith,
    /// Evaluated before every round.
    pub condition: Arith,
    /// Evaluated after every round.
    pub step: Arith,
    /// The loop body.
    pub body: List,
}

/// `case`.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// The word that is compared.
    pub subject: Id<Word>,
    /// The arms, in order.
    pub arms: Many<Arm>,
}

/// One arm of a `case`.
#[derive(Clone, Copy, Debug)]
pub struct Arm {
    /// From the first pattern to the terminator.
    pub span: Span,
    /// The patterns, parted by `|`.
    pub patterns: Many<Word>,
    /// What runs.
    pub body: List,
    /// What ends it.
    pub terminator: Terminator,
}

/// What ends an arm of a `case`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Terminator {
    /// `;;`, or `esac` straight after the last arm.
    Break,
    /// `;&`: the next body runs too.
    FallThrough,
    /// `;;&`: the next patterns are tried too.
    TestNext,
}

/// A function definition.
#[derive(Clone, Copy, Debug)]
pub struct Function {
    /// The name.
    pub name: Id<Word>,
    /// The body, any compound command, with the redirections of every call.
    pub body: Id<Command>,
}

/// A coprocess.
#[derive(Clone, Copy, Debug)]
pub struct Coproc {
    /// The name, if one is given; bash expands it.
    pub name: Option<Id<Word>>,
    /// What runs.
    pub body: Id<Command>,
}

/// One item of a `[[ ... ]]` expression, in the order written; a flat row cannot overflow a stack.
#[derive(Clone, Copy, Debug)]
pub struct TestItem {
    /// Its bytes.
    pub span: Span,
    /// What it is.
    pub kind: TestKind,
}

/// Sorts of items in `[[ ... ]]`. Operands are expanded but not split; `-v`, `-R` and the numeric operators
/// evaluate their operands once more: see [`TestKind::names_variable`] and [`TestKind::evaluates`].
#[derive(Clone, Copy, Debug)]
pub enum TestKind {
    /// `(`
    Open,
    /// `)`
    Close,
    /// `!`
    Not,
    /// `&&`
    And,
    /// `||`
    Or,
    /// A word on its own: true when not empty.
    Word(Id<Word>),
    /// `-f WORD`
    Unary {
        /// The letter after the dash.
        letter: u8,
        /// The operand.
        operand: Id<Word>,
    },
    /// `WORD OP WORD`; the operands are the two words in order.
    Binary {
        /// The operator.
        operator: BinaryTest,
        /// Left and right operand, side by side.
        operands: Many<Word>,
    },
}

impl TestKind {
    /// Tells whether the operand is a name whose subscript bash evaluates (`-v`, `-R`), even if it was quoted.
    #[must_use]
    pub fn names_variable(self) -> bool {
        matches!(
            self,
            Self::Unary {
                letter: b'v' | b'R',
                ..
            }
        )
    }

    /// Tells whether the operands are evaluated as arithmetic, even if they were quoted.
    #[must_use]
    pub fn evaluates(self) -> bool {
        matches!(
            self,
            Self::Binary {
                operator: BinaryTest::Number(_),
                ..
            }
        )
    }
}

/// Binary operators of `[[ ... ]]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryTest {
    /// `=` or `==`: the right side is a pattern.
    Equal,
    /// `!=`: the right side is a pattern.
    Unequal,
    /// `=~`: the right side is a regular expression.
    Regex,
    /// `<`
    Less,
    /// `>`
    Greater,
    /// `-eq -ne -lt -le -gt -ge`: both sides are arithmetic.
    Number([u8; 2]),
    /// `-nt -ot -ef`: both sides are files.
    File([u8; 2]),
}

/// `NAME=value`, `NAME+=value`, `NAME[subscript]=value` or `NAME=(...)`.
#[derive(Clone, Copy, Debug)]
pub struct Assignment {
    /// From the name to the end of the value.
    pub span: Span,
    /// The variable.
    pub name: Bytes,
    /// The element, if one is named; evaluated.
    pub subscript: Option<Id<Subscript>>,
    /// Whether it is `+=`.
    pub append: bool,
    /// What is assigned.
    pub value: Assigned,
}

/// The right side of an assignment.
#[derive(Clone, Copy, Debug)]
pub enum Assigned {
    /// One word, expanded but not split; it may be empty.
    Word(Id<Word>),
    /// `( ... )`
    Array(Many<Element>),
}

/// A redirection.
#[derive(Clone, Copy, Debug)]
pub struct Redirect {
    /// From the file descriptor to the end of the target word.
    pub span: Span,
    /// Which file descriptor.
    pub fd: Fd,
    /// The operator.
    pub op: RedirectOp,
    /// Where to or from.
    pub target: Target,
}

/// The file descriptor in front of a redirection.
#[derive(Clone, Copy, Debug)]
pub enum Fd {
    /// None written: the operator's own.
    Default,
    /// `2>`
    Number(u32),
    /// `{NAME}>`: bash assigns the number to the variable; a subscript is evaluated.
    Variable {
        /// The variable.
        name: Bytes,
        /// The element, if one is named.
        subscript: Option<Id<Subscript>>,
    },
}

/// Redirection operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RedirectOp {
    /// `<`
    Read,
    /// `>`
    Write,
    /// `>>`
    Append,
    /// `>|` (zsh also `>!`)
    Clobber,
    /// `<>`
    ReadWrite,
    /// `<&`: a number, a number and `-`, or `-`.
    DuplicateInput,
    /// `>&`: a number, a number and `-`, `-`; any other word is a file for both streams.
    DuplicateOutput,
    /// `&>`: both streams.
    WriteBoth,
    /// `&>>`: both streams, appended.
    AppendBoth,
    /// `<<`
    HereDoc,
    /// `<<-`
    HereDocTabs,
    /// `<<<`
    HereString,
}

/// What a redirection points at.
#[derive(Clone, Copy, Debug)]
pub enum Target {
    /// A word.
    Word(Id<Word>),
    /// The lines of a here-document.
    HereDoc(Id<HereDoc>),
}

/// The body of a here-document.
#[derive(Clone, Copy, Debug)]
pub struct HereDoc {
    /// The body, without the line that ends it.
    pub span: Span,
    /// The delimiter, quotes removed.
    pub delimiter: Bytes,
    /// Whether the delimiter was quoted: then nothing in the body is expanded.
    pub quoted: bool,
    /// Whether leading tabs are removed (`<<-`).
    pub strips_tabs: bool,
    /// Whether the line that ends it was found; bash only warns when it is missing.
    pub closed: bool,
    /// The body as bash passes it on, tabs removed; text parts count as quoted.
    pub body: Many<Part>,
}

/// The array in `NAME=(...)`.
pub type Array = Many<Element>;
