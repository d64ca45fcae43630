//! The shape of packed knowledge, shared by who packs and who reads.
//!
//! All numbers are little-endian. A text is a `u32`: its offset in the upper 24 bits, its length in the
//! lower 8. A list is a `u16` count and items of one size; offset 0 stands for the empty list. A piece
//! is a byte that tells text (0), slot (1), slot or text (2), and a `u32`: the text; the slot's number in
//! the low byte and in the next how many levels up it lies; the offset of a slot and a text.

/// The tables in the header: for each the sorted names and the patterns.
pub const COMMANDS: usize = 0;
/// The builtins' table.
pub const BUILTINS: usize = 1;
/// The variables' table.
pub const VARIABLES: usize = 2;
/// The tools' table.
pub const TOOLS: usize = 3;
/// The table of words in tools' names; a record is what the word says, from 1.
pub const WORDS: usize = 4;
/// The table of other names for commands; a record is the list of words it stands for.
pub const ALIASES: usize = 5;
/// The table of script files that take a command's words; a record is a list of one text, the command.
pub const SCRIPTS: usize = 6;
/// The table of packages that are commands we know: `npm eslint`.
pub const PACKAGES: usize = 7;
/// The table of other names: `npm i`, or `python3*`; a record is the list of words that stand for it.
pub const SAME: usize = 8;
/// The table of listed words: `LIST WORD`; a record is a list of what is said of the word.
pub const LISTS: usize = 9;
/// Bytes of the header: two offsets for each table.
pub const HEADER: usize = 10 * 8;

/// Size of an entry of a table: a name and a record.
pub const ENTRY: usize = 8;
/// From so many entries on, a table is followed by an index: places of two bytes, a power of two of them and at least twice
/// as many as entries. A name lies at the place that its hash says, or right behind; a place holds the number of an
/// entry, from 1, or 0.
pub const INDEXED: usize = 4;

/// Returns how many places the index of a table has.
pub const fn places(entries: usize) -> usize {
    (entries * 2).next_power_of_two()
}

/// Returns the hash of a name. Every call asks for a dozen names, so eight bytes are taken at a time.
pub fn hash(name: &[u8]) -> usize {
    let step = |sum: u64, word: [u8; 8]| {
        let mixed = (sum ^ u64::from_le_bytes(word)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^ (mixed >> 32)
    };
    let (words, rest) = name.as_chunks::<8>();
    let sum = words
        .iter()
        .fold(name.len() as u64, |sum, word| step(sum, *word));
    // The last eight bytes hold the rest, and some that were counted already.
    let last = match name.last_chunk::<8>() {
        Some(last) => *last,
        None => padded(rest),
    };
    step(sum, last) as usize
}

/// Fills a short text up with zeros.
fn padded(text: &[u8]) -> [u8; 8] {
    let shifted = |sum: u64, byte: &u8| (sum << 8) | u64::from(*byte);
    text.iter().rev().fold(0, shifted).to_le_bytes()
}

/// Size of a piece.
pub const PIECE: usize = 5;
/// Size of a flow: its kind and a piece.
pub const FLOW: usize = 1 + PIECE;
/// Size of a slot: name, default, whether it may be remote.
pub const SLOT: usize = 9;
/// Size of a form: its items and its effects.
pub const FORM: usize = 8;
/// Size of an item: its slot and its kind.
pub const ITEM: usize = 2;
/// Size of a flag: arity, two slots, its cases.
pub const FLAG: usize = 7;
/// Size of a spelling: its text and its flag.
pub const SPELLING: usize = 6;
/// Size of a value's entry: its slot and its case.
pub const VALUE: usize = 1 + CASE;
/// Size of a case: values, four lists of effects, bits, output.
pub const CASE: usize = 4 * 5 + 3;

/// Size of what is printed: flags that must be there, flags that may, its form, two slots, whether it often
/// fails, the slot that must be empty.
pub const PRINT: usize = 4 + 4 + 5;

/// Stands for no slot.
pub const NO_SLOT: u8 = 0xff;

/// An item may be missing.
pub const OPTIONAL: u8 = 1;
/// An item takes any number of operands.
pub const MANY: u8 = 2;
/// An item takes all words from its first on, unread.
pub const PAYLOAD: u8 = 4;
/// An item stands for `--` itself.
pub const DASHES: u8 = 8;

/// Bits of a level.
pub const INHERIT: u8 = 1;
/// Unknown flags are inert.
pub const OPEN: u8 = 2;
/// `NAME=value` words may come first.
pub const ASSIGNMENTS: u8 = 4;
/// Some flag has effects.
pub const MATTERS: u8 = 8;
/// Some flag does more than read.
pub const HARMS: u8 = 16;
/// Some flag with a value does more than read.
pub const HARMS_GLUED: u8 = 32;
/// There are sub-commands.
pub const PARENT: u8 = 64;
/// Some usage ends in a payload.
pub const RUNS: u8 = 128;

/// Bits of a case: it speaks for listed values only.
pub const LISTED: u8 = 1;
/// It stands in place of the command's own effects.
pub const INSTEAD: u8 = 2;
/// Nothing happens but what it lists.
pub const SPARES: u8 = 4;
/// It changes the output.
pub const OUTPUT: u8 = 8;

/// Fields of a level: offsets from its record.
pub mod level {
    pub const NAME: usize = 0;
    pub const ABOUT: usize = 4;
    pub const DIALECT: usize = 8;
    pub const BITS: usize = 9;
    /// The output, then its slot.
    pub const OUTPUT: usize = 10;
    pub const INPUT_SLOT: usize = 12;
    pub const SLOTS: usize = 13;
    pub const FORMS: usize = 17;
    pub const FLAGS: usize = 21;
    pub const SPELLINGS: usize = 25;
    pub const VALUES: usize = 29;
    /// Names, then patterns.
    pub const SUBS: usize = 33;
    pub const DEFAULT: usize = 41;
    pub const OTHERWISE: usize = 45;
    pub const PRINTS: usize = 49;
    /// Facts, one bit each.
    pub const DEEDS: usize = 53;
}

/// Fields of an effect.
pub mod effect {
    pub const KIND: usize = 0;
    pub const VERB: usize = 1;
    pub const HOW: usize = 2;
    pub const TARGET: usize = 3;
    pub const WITH: usize = 7;
    pub const WAY: usize = 11;
    pub const AT: usize = 15;
}

/// Fields of a case.
pub mod case {
    pub const VALUES: usize = 0;
    pub const ALSO: usize = 4;
    pub const INSTEAD: usize = 8;
    pub const DROPS: usize = 12;
    pub const SPARES: usize = 16;
    pub const BITS: usize = 20;
    /// The output, then its slot.
    pub const OUTPUT: usize = 21;
}

/// Fields of a variable.
pub mod variable {
    pub const ABOUT: usize = 0;
    pub const EFFECTS: usize = 4;
    pub const HARMLESS: usize = 8;
    pub const SECRET: usize = 12;
}

/// Fields of a tool.
pub mod tool {
    pub const ABOUT: usize = 0;
    pub const KIND: usize = 4;
    pub const RISK: usize = 5;
    pub const PARTS: usize = 6;
    /// Size of a part's entry: the part and the member's path.
    pub const PART: usize = 5;
}
