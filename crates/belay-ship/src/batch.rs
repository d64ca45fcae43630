//! How much goes into one request.

/// The most that one request holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// So many records.
    pub records: usize,
    /// So many bytes of the journal; the line that goes past it is the last.
    pub bytes: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            records: 512,
            bytes: 1024 * 1024,
        }
    }
}
