//! Copies and compares bytes fast, in place of a C library that takes its time over short texts.
//!
//! Musl copies with an instruction that is slow to begin, and compares one byte at a time; nearly all that the hook copies is
//! shorter than a line, and that was a tenth of its time. Where the program is linked with musl for x86-64, these functions bear
//! the names that the compiler calls: `memcpy`, `memmove`, `memcmp`, `bcmp`. Elsewhere the C library is fast, and stays.
//!
//! INVARIANT: no byte outside of what the caller names is read or written.
//!
//! `no_builtins`: the compiler must not turn a loop in here into a call of the function that it is in.
#![no_builtins]

#[cfg(target_arch = "x86_64")]
mod wide;

#[cfg(target_arch = "x86_64")]
pub use wide::{compare, copy};

/// The names by which the compiler, the standard library and C call these.
#[cfg(all(target_arch = "x86_64", target_env = "musl", not(debug_assertions)))]
mod names {
    /// Copies bytes between places that do not overlap.
    #[expect(unsafe_code, reason = "takes the place of the C library's")]
    // SAFETY: no other function of this name is linked: the C library's is only taken where none is there.
    #[unsafe(no_mangle)]
    unsafe extern "C" fn memcpy(to: *mut u8, from: *const u8, count: usize) -> *mut u8 {
        // SAFETY: the caller promises as much, and more.
        unsafe { crate::copy(to, from, count) };
        to
    }

    /// Copies bytes between places that may overlap.
    #[expect(unsafe_code, reason = "takes the place of the C library's")]
    // SAFETY: no other function of this name is linked: the C library's is only taken where none is there.
    #[unsafe(no_mangle)]
    unsafe extern "C" fn memmove(to: *mut u8, from: *const u8, count: usize) -> *mut u8 {
        // SAFETY: the caller promises the same.
        unsafe { crate::copy(to, from, count) };
        to
    }

    /// Compares bytes as numbers.
    #[expect(unsafe_code, reason = "takes the place of the C library's")]
    // SAFETY: no other function of this name is linked: the C library's is only taken where none is there.
    #[unsafe(no_mangle)]
    unsafe extern "C" fn memcmp(one: *const u8, other: *const u8, count: usize) -> i32 {
        // SAFETY: the caller promises the same.
        unsafe { crate::compare(one, other, count) }
    }

    /// Tells whether bytes differ.
    #[expect(unsafe_code, reason = "takes the place of the C library's")]
    // SAFETY: no other function of this name is linked: the C library's is only taken where none is there.
    #[unsafe(no_mangle)]
    unsafe extern "C" fn bcmp(one: *const u8, other: *const u8, count: usize) -> i32 {
        // SAFETY: the caller promises the same.
        unsafe { crate::compare(one, other, count) }
    }
}
