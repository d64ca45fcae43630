//! Gives the one thread that works small pieces of memory, without a lock.
//!
//! An allocator for many threads locks for each piece, although the hook answers with one: that was a fifth of its time. Here the
//! first thread has an arena of its own, with a list of free pieces for each size. What other threads want, what is large, and what
//! the arena has no room for comes from the allocator behind it.
//!
//! INVARIANT: only the first thread touches the arena. What another thread gives back of it stays used.

mod sizes;

use std::alloc::{GlobalAlloc, Layout};
use std::cell::{Cell, UnsafeCell};
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};

use sizes::{CLASSES, GRAIN, class_of, room_of};

/// The arena, in bytes: an ordinary call wants a fifth of it. Pages that nobody touches cost nothing.
const SIZE: usize = 1 << 20;

/// An allocator that serves the first thread out of an arena, and everybody else from the one behind it. A program has one
/// arena, however many of these it makes.
#[derive(Debug)]
pub struct Heap<A> {
    behind: A,
}

impl<A> Heap<A> {
    /// Puts the arena before an allocator.
    pub const fn before(behind: A) -> Self {
        Self { behind }
    }
}

/// The bytes that are handed out.
#[repr(align(4096))]
struct Arena(UnsafeCell<MaybeUninit<[u8; SIZE]>>);

/// What the owner knows of the arena.
struct Book {
    /// Where what was never handed out begins.
    fresh: Cell<usize>,
    /// The first free piece of each size, which names the next; zero where there is none.
    free: [Cell<usize>; CLASSES],
}

#[expect(
    unsafe_code,
    reason = "only its owner touches it, and there is never more than one"
)]
// SAFETY: every access asks `is_owner` first.
unsafe impl Sync for Arena {}

#[expect(
    unsafe_code,
    reason = "only its owner touches it, and there is never more than one"
)]
// SAFETY: every access asks `is_owner` first.
unsafe impl Sync for Book {}

static ARENA: Arena = Arena(UnsafeCell::new(MaybeUninit::uninit()));

static BOOK: Book = Book {
    fresh: Cell::new(0),
    free: [const { Cell::new(0) }; CLASSES],
};

/// The thread that owns the arena, by the address of what is its own; zero before anybody asked.
static OWNER: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// Only its address counts: no two threads have the same while both live.
    static HERE: Cell<u8> = const { Cell::new(0) };
}

/// Tells whether this thread owns the arena; whoever asks first does.
fn is_owner() -> bool {
    let here = HERE.with(|it| ptr::from_ref(it).addr());
    match OWNER.load(Ordering::Relaxed) {
        0 => OWNER
            .compare_exchange(0, here, Ordering::Relaxed, Ordering::Relaxed)
            .is_ok(),
        owner => owner == here,
    }
}

/// Returns where in the arena a piece lies.
fn place_of(piece: *mut u8) -> Option<usize> {
    let place = piece.addr().wrapping_sub(ARENA.0.get().addr());
    (place < SIZE).then_some(place)
}

/// Returns the piece at a place of the arena.
fn piece_at(place: usize) -> *mut u8 {
    ARENA.0.get().cast::<u8>().wrapping_add(place)
}

/// Returns the size that a piece for this has; nothing where the arena hands out none like it.
fn class_for(layout: Layout) -> Option<usize> {
    (layout.align() <= GRAIN)
        .then(|| class_of(layout.size()))
        .flatten()
}

/// Takes a piece out of the arena; nothing where there is no room.
///
/// Only for the owner.
fn take(class: usize) -> Option<*mut u8> {
    let list = BOOK.free.get(class)?;
    let first = list.get();
    if first == 0 {
        let fresh = BOOK.fresh.get();
        let end = fresh.checked_add(room_of(class)).filter(|it| *it <= SIZE)?;
        BOOK.fresh.set(end);
        return Some(piece_at(fresh));
    }
    let piece = piece_at(first - 1);
    #[expect(unsafe_code, reason = "a free piece names the next")]
    // SAFETY: the piece lies in the arena, is free, at least as large as an address and aligned for one; `give` wrote it.
    let next = unsafe { piece.cast::<usize>().read() };
    list.set(next);
    Some(piece)
}

/// Gives a piece back to the arena. Only for the owner.
fn give(place: usize, class: usize) {
    let Some(list) = BOOK.free.get(class) else {
        return;
    };
    #[expect(unsafe_code, reason = "a free piece names the next")]
    // SAFETY: the piece lies in the arena, nobody uses it any more, it is at least as large as an address and aligned for one.
    unsafe {
        piece_at(place).cast::<usize>().write(list.get());
    }
    list.set(place + 1);
}

/// Lets a piece grow or shrink where it stands: one that keeps its size, and the last that was handed out fresh. Only for the owner.
fn fits(place: usize, old: usize, new: usize) -> bool {
    if old == new {
        return true;
    }
    let end = place + room_of(new);
    let last = place + room_of(old) == BOOK.fresh.get();
    if last && end <= SIZE {
        BOOK.fresh.set(end);
        return true;
    }
    false
}

impl<A: GlobalAlloc> Heap<A> {
    /// Moves what a piece of the arena holds to a new one.
    fn moved(&self, piece: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let Ok(wanted) = Layout::from_size_align(size, layout.align()) else {
            return ptr::null_mut();
        };
        #[expect(unsafe_code, reason = "memory is handed out by unsafe functions alone")]
        // SAFETY: the size is not zero, as who calls `realloc` promises; both pieces are as large as the copy, and no two overlap.
        unsafe {
            let new = self.alloc(wanted);
            if !new.is_null() {
                ptr::copy_nonoverlapping(piece, new, layout.size().min(size));
                self.dealloc(piece, layout);
            }
            new
        }
    }
}

#[expect(unsafe_code, reason = "memory is handed out by unsafe functions alone")]
// SAFETY: a piece is as large as the size its class stands for, and aligned to `GRAIN`; it is handed out again only after it was given
// back. Everything else is as the allocator behind does it, and each gets back what it handed out: `place_of` tells whose it is.
unsafe impl<A: GlobalAlloc> GlobalAlloc for Heap<A> {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let class = class_for(layout).filter(|_| is_owner());
        match class.and_then(take) {
            Some(piece) => piece,
            // SAFETY: who calls us promises what the allocator behind asks for.
            None => unsafe { self.behind.alloc(layout) },
        }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        let class = class_for(layout).filter(|_| is_owner());
        match class.and_then(take) {
            Some(piece) => {
                // SAFETY: the piece is at least so large.
                unsafe { piece.write_bytes(0, layout.size()) };
                piece
            }
            // SAFETY: who calls us promises what the allocator behind asks for.
            None => unsafe { self.behind.alloc_zeroed(layout) },
        }
    }

    unsafe fn dealloc(&self, piece: *mut u8, layout: Layout) {
        match (place_of(piece), class_for(layout)) {
            (Some(place), Some(class)) => {
                if is_owner() {
                    give(place, class);
                }
            }
            // SAFETY: it is not ours, so the allocator behind handed it out.
            _ => unsafe { self.behind.dealloc(piece, layout) },
        }
    }

    unsafe fn realloc(&self, piece: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        let (Some(place), Some(old)) = (place_of(piece), class_for(layout)) else {
            // SAFETY: it is not ours, so the allocator behind handed it out.
            return unsafe { self.behind.realloc(piece, layout, size) };
        };
        match class_of(size) {
            Some(new) if is_owner() && fits(place, old, new) => piece,
            Some(_) | None => self.moved(piece, layout, size),
        }
    }
}
