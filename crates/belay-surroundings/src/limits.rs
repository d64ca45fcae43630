//! How much is looked at before the answer is `Unknown`. INVARIANT: every look is bounded by one of
//! these; none depends on the clock, so that the same world gives the same answer.

/// Links followed on the way to one path.
pub const LINKS: usize = 40;
/// Places on the ways to paths that are remembered.
pub const WAYS: usize = 10_000;
/// Parts of a path.
pub const PARTS: usize = 512;
/// Bytes of a text that may be asked for at once.
pub const TEXT: u64 = 8 << 20;
/// Names read from one folder.
pub const ENTRIES: usize = 50_000;
/// Files and folders seen in one walk of a tree.
pub const WALK: usize = 250_000;
/// Depth of one walk of a tree.
pub const DEPTH: usize = 64;
/// Tracked files compared by their state on disk in one question.
pub const COMPARED: usize = 400_000;
/// Bytes of files hashed in one question, because their state on disk was not enough.
pub const HASHED: u64 = 64 << 20;
/// Bytes of a file that is compared in the form in which git keeps it.
pub const FILTERED: u64 = 32 << 20;
/// Bytes of an index.
pub const INDEX: u64 = 256 << 20;
/// Bytes of one configuration, reference or ignore file.
pub const SETTINGS: u64 = 4 << 20;
/// Bytes of the file of packed references.
pub const PACKED_REFS: u64 = 64 << 20;
/// Configuration files included by one another.
pub const INCLUDES: usize = 10;
/// References looked at in one question.
pub const REFERENCES: usize = 20_000;
/// Commits walked in one question.
pub const COMMITS: usize = 5_000;
/// Bytes of one object of the repository.
pub const OBJECT: u64 = 32 << 20;
/// Objects that one object may be made of.
pub const DELTAS: usize = 512;
/// Losses after which nobody counts on.
pub const LOSSES: usize = 1_000;
/// Names given with a loss.
pub const NAMES: usize = 5;
/// Repositories inside one another.
pub const NESTED: usize = 3;
/// Processes looked at in one question.
pub const PROCESSES: usize = 20_000;
/// Bytes that the system tells of one process at once.
pub const PROCESS: u64 = 1 << 20;
/// Bytes of one session's memory.
pub const MEMORY: u64 = 8 << 20;
/// Memories of sessions looked at when a session begins.
pub const SWEPT: usize = 2_000;
/// Seconds after which the memory of a session is swept away: 30 days.
pub const KEPT: u64 = 30 * 24 * 60 * 60;
