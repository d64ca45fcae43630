//! Every length and every overlap of short texts, and some long ones, beside what the standard library does.
#![cfg(target_arch = "x86_64")]
#![expect(unsafe_code, reason = "a test knows what it made")]

use belay_bytes::{compare, copy};

/// A text in which no two bytes near each other are alike.
fn text(length: usize) -> Vec<u8> {
    (0..length).map(|it| (it % 251) as u8).collect()
}

/// Copies within one text, as the standard library does and as we do.
fn copied(length: usize, [from, to, count]: [usize; 3]) {
    let mut ours = text(length);
    let mut theirs = ours.clone();
    theirs.copy_within(from..from + count, to);
    assert!(to + count <= length);
    // SAFETY: both pieces lie in the text.
    unsafe { copy(ours.as_mut_ptr().add(to), ours.as_ptr().add(from), count) };
    assert_eq!(ours, theirs, "{count} bytes from {from} to {to}");
}

#[test]
fn every_length_is_copied_and_nothing_beside_it() {
    for count in 0..600 {
        copied(1400, [3, 700, count]);
        copied(1400, [700, 3, count]);
    }
    for count in [4095, 4096, 4097, 100_003] {
        copied(300_000, [1, 150_001, count]);
    }
}

#[test]
fn places_may_overlap() {
    for count in (0..300).chain([511, 512, 513, 1000]) {
        for apart in 0..140 {
            copied(1400, [7, 7 + apart, count]);
            copied(1400, [7 + apart, 7, count]);
        }
    }
}

/// Compares as the standard library does and as we do.
fn compared(one: &[u8], other: &[u8]) {
    // SAFETY: both are that long.
    let ours = unsafe { compare(one.as_ptr(), other.as_ptr(), one.len()) };
    assert_eq!(ours.cmp(&0), one.cmp(other), "{one:?} beside {other:?}");
}

#[test]
fn the_first_byte_that_differs_decides() {
    for length in 0..150 {
        let one = text(length);
        compared(&one, &one);
        for at in 0..length {
            let mut other = one.clone();
            other[at] ^= 0x80;
            compared(&one, &other);
            compared(&other, &one);
            if at + 1 < length {
                // What differs later the other way does not count.
                other[at + 1] = !other[at + 1];
                compared(&one, &other);
            }
        }
    }
}

#[test]
fn bytes_are_numbers_without_a_sign() {
    compared(&[0x7f], &[0x80]);
    compared(&[1, 0, 0, 0, 0, 0, 0, 0], &[0, 0, 0, 0, 0, 0, 0, 255]);
    compared(&[0xff; 40], &[0; 40]);
}
