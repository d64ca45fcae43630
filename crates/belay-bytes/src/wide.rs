//! Sixteen bytes at a time, which every x86-64 processor has.
//!
//! A piece that is no multiple of a width is taken from both ends: the two halves overlap in the middle, and no byte is asked
//! for by itself.
#![expect(unsafe_code, reason = "bytes are read and written by their addresses")]

use core::arch::x86_64::{
    __m128i, _mm_cmpeq_epi8, _mm_loadu_si128, _mm_movemask_epi8, _mm_storeu_si128,
};
use core::cmp::Ordering;

/// What one step of a long copy moves.
const STEP: usize = 64;

/// Four times sixteen bytes.
type Four = [__m128i; 4];

/// Copies bytes; the places may overlap.
///
/// # Safety
/// So many bytes can be read at the one place, and written at the other.
#[inline(always)]
pub unsafe fn copy(to: *mut u8, from: *const u8, count: usize) {
    // SAFETY: each branch touches bytes from the first to the last that was named, and reads all of a piece before it writes.
    unsafe {
        match count {
            0 => {}
            1 => to.write(from.read()),
            2..4 => ends::<u16>(to, from, count),
            4..8 => ends::<u32>(to, from, count),
            8..16 => ends::<u64>(to, from, count),
            16..=32 => ends::<__m128i>(to, from, count),
            33..=64 => ends::<[__m128i; 2]>(to, from, count),
            65..=128 => ends::<Four>(to, from, count),
            _ if to.addr().wrapping_sub(from.addr()) >= count => forward(to, from, count),
            _ => backward(to, from, count),
        }
    }
}

/// Copies the first and the last piece of this width, which together are all.
///
/// # Safety
/// As for [`copy`], and the width is at most `count`, which is at most twice the width.
#[inline(always)]
unsafe fn ends<T>(to: *mut u8, from: *const u8, count: usize) {
    let last = count - size_of::<T>();
    // SAFETY: both pieces lie in what was named, and both are read before one is written.
    unsafe {
        let head = from.cast::<T>().read_unaligned();
        let tail = from.add(last).cast::<T>().read_unaligned();
        to.cast::<T>().write_unaligned(head);
        to.add(last).cast::<T>().write_unaligned(tail);
    }
}

/// Copies more than one step, first to last: for a target that does not begin within the source.
///
/// # Safety
/// As for [`copy`].
unsafe fn forward(to: *mut u8, from: *const u8, count: usize) {
    let last = count - STEP;
    // SAFETY: every step lies in what was named. What the last one moves is read before anything is written, and each other
    // step is read before it, or one before it, is written: these lie before the source's next.
    unsafe {
        let tail = four(from.add(last));
        let mut at = 0;
        while at < last {
            put(to.add(at), four(from.add(at)));
            at += STEP;
        }
        put(to.add(last), tail);
    }
}

/// Copies more than one step, last to first: for a target that begins within the source.
///
/// # Safety
/// As for [`copy`].
unsafe fn backward(to: *mut u8, from: *const u8, count: usize) {
    // SAFETY: as in `forward`, from the other end.
    unsafe {
        let head = four(from);
        let mut left = count;
        while left > STEP {
            left -= STEP;
            put(to.add(left), four(from.add(left)));
        }
        put(to, head);
    }
}

/// Reads one step.
///
/// # Safety
/// So many bytes can be read there.
#[inline(always)]
unsafe fn four(from: *const u8) -> Four {
    // SAFETY: the caller promises it.
    unsafe { [0, 16, 32, 48].map(|it| _mm_loadu_si128(from.add(it).cast())) }
}

/// Writes one step.
///
/// # Safety
/// So many bytes can be written there.
#[inline(always)]
unsafe fn put(to: *mut u8, [a, b, c, d]: Four) {
    // SAFETY: the caller promises it.
    unsafe {
        _mm_storeu_si128(to.cast(), a);
        _mm_storeu_si128(to.add(16).cast(), b);
        _mm_storeu_si128(to.add(32).cast(), c);
        _mm_storeu_si128(to.add(48).cast(), d);
    }
}

/// Compares bytes as numbers: less than, equal to, or more than zero.
///
/// # Safety
/// So many bytes can be read at both places.
#[inline(always)]
#[must_use]
pub unsafe fn compare(one: *const u8, other: *const u8, count: usize) -> i32 {
    // SAFETY: every piece lies in what was named.
    unsafe {
        if count >= 16 {
            return compare_wide(one, other, count);
        }
        if count >= 8 {
            return compare_ends(count - 8, |at| {
                let read = |it: *const u8| it.add(at).cast::<u64>().read_unaligned();
                read(one).swap_bytes().cmp(&read(other).swap_bytes())
            });
        }
        if count >= 4 {
            return compare_ends(count - 4, |at| {
                let read = |it: *const u8| it.add(at).cast::<u32>().read_unaligned();
                read(one).swap_bytes().cmp(&read(other).swap_bytes())
            });
        }
        let mut at = 0;
        while at < count {
            let (a, b) = (one.add(at).read(), other.add(at).read());
            if a != b {
                return i32::from(a) - i32::from(b);
            }
            at += 1;
        }
        0
    }
}

/// Compares the first piece of a width, then the last, which begins at `last`.
#[inline(always)]
fn compare_ends(last: usize, piece: impl Fn(usize) -> Ordering) -> i32 {
    match piece(0) {
        Ordering::Equal => piece(last) as i32,
        other @ (Ordering::Less | Ordering::Greater) => other as i32,
    }
}

/// Compares sixteen bytes or more.
///
/// # Safety
/// As for [`compare`].
#[inline(always)]
unsafe fn compare_wide(one: *const u8, other: *const u8, count: usize) -> i32 {
    let last = count - 16;
    let mut at = 0;
    // SAFETY: no piece begins after `last`, and a byte that differs lies in its piece.
    unsafe {
        loop {
            let (a, b) = (one.add(at), other.add(at));
            let same = _mm_cmpeq_epi8(_mm_loadu_si128(a.cast()), _mm_loadu_si128(b.cast()));
            let differ = !(_mm_movemask_epi8(same) as u32) & 0xffff;
            if differ != 0 {
                let first = differ.trailing_zeros() as usize;
                return i32::from(a.add(first).read()) - i32::from(b.add(first).read());
            }
            if at == last {
                return 0;
            }
            at = (at + 16).min(last);
        }
    }
}
