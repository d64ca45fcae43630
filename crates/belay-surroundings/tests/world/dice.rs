//! Random choices that can be made again.

/// A small generator, so that every run looks at the same rules.
pub struct Dice(u64);

impl Dice {
    /// Other rolls for each of ours; `BELAY_SEED` rolls others still.
    pub fn new(which: u64) -> Self {
        let seed: u64 = std::env::var("BELAY_SEED").map_or(0, |it| it.parse().unwrap());
        Self(which.wrapping_add(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
    }

    /// Rolls one of so many numbers, from nought.
    pub fn roll(&mut self, sides: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % sides
    }
}
