//! Pieces that are taken, grown and given back in any order, by several threads: each keeps what was written to it.
//!
//! The usual harness runs each test on a thread of its own, and only the first thread owns the arena: here it runs them.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test knows what it made, and says how it went"
)]

use std::alloc::System;
use std::thread;

use belay_heap::Heap;

#[global_allocator]
static MEMORY: Heap<System> = Heap::before(System);

/// A sequence that looks drawn by chance and is the same every time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        usize::try_from(self.0 >> 33).unwrap() % most
    }
}

/// Texts of all sizes, each filled with a letter of its own; tells whether all kept it.
fn juggled(seed: u64) -> bool {
    let mut dice = Dice(seed);
    let mut held: Vec<(u8, Vec<u8>)> = Vec::new();
    let mut kept = true;
    for round in 0..8_000_usize {
        let letter = u8::try_from(round % 251).unwrap();
        let size = match dice.below(20) {
            0 => dice.below(200_000),
            1..=4 => dice.below(6_000),
            _ => dice.below(300),
        };
        match dice.below(4) {
            0 | 1 if held.len() < 300 => held.push((letter, vec![letter; size])),
            2 if !held.is_empty() => {
                let at = dice.below(held.len());
                let (letter, text) = &mut held[at];
                let letter = *letter;
                text.resize(size, letter);
                text.shrink_to_fit();
            }
            _ if !held.is_empty() => {
                let (letter, text) = held.swap_remove(dice.below(held.len()));
                kept &= text.iter().all(|it| *it == letter);
            }
            _ => {}
        }
    }
    kept && held
        .iter()
        .all(|(letter, text)| text.iter().all(|it| it == letter))
}

fn main() {
    what_grows_at_the_end_stays_where_it_is();
    what_is_written_stays();
    zeroes_are_zeroes();
    several_threads();
    what_one_thread_made_another_gives_back();
    // As the usual harness says it, for who counts.
    println!("test result: ok. 5 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out");
}

fn what_is_written_stays() {
    assert!(juggled(1));
}

fn zeroes_are_zeroes() {
    for _ in 0..100 {
        let used = vec![7_u8; 4_000];
        drop(used);
        assert!(vec![0_u8; 4_000].iter().all(|it| *it == 0));
    }
}

/// Only pieces of the arena do: so it is in use.
fn what_grows_at_the_end_stays_where_it_is() {
    let mut text: Vec<u8> = Vec::with_capacity(40_001);
    let before = text.as_ptr();
    text.reserve_exact(50_001);
    assert_eq!(text.as_ptr(), before);
}

fn several_threads() {
    let threads: Vec<_> = (2..6)
        .map(|it| thread::spawn(move || juggled(it)))
        .collect();
    assert!(juggled(9));
    assert!(threads.into_iter().all(|it| it.join().unwrap()));
}

fn what_one_thread_made_another_gives_back() {
    for round in 0..200_usize {
        let made: Vec<Vec<usize>> = (0..40).map(|it| vec![it; it + round]).collect();
        let mut made = thread::spawn(move || {
            let kept = made
                .iter()
                .enumerate()
                .all(|(at, it)| it.iter().all(|n| *n == at));
            let grown: Vec<Vec<usize>> = made
                .into_iter()
                .map(|mut it| {
                    it.push(round);
                    it
                })
                .collect();
            (kept, grown)
        })
        .join()
        .unwrap();
        assert!(made.0);
        for (at, text) in made.1.iter_mut().enumerate() {
            assert_eq!(text.pop(), Some(round));
            assert!(text.iter().all(|it| *it == at));
        }
    }
}
