//! The sizes that pieces come in: steps of sixteen bytes at first, then four steps to each doubling.

/// Every piece begins at a multiple of this.
pub(crate) const GRAIN: usize = 16;

/// Up to here each size has a step of its own.
const FINE: usize = 512;

/// Steps up to there.
const FINE_STEPS: usize = FINE / GRAIN;

/// Doublings behind it.
const DOUBLINGS: usize = 7;

/// Steps in each of them.
const STEPS: usize = 4;

/// How many sizes there are.
pub(crate) const CLASSES: usize = FINE_STEPS + DOUBLINGS * STEPS;

/// Returns the size that something of so many bytes gets; nothing where it is too large, or nothing at all.
pub(crate) const fn class_of(bytes: usize) -> Option<usize> {
    if bytes == 0 {
        return None;
    }
    let last = bytes - 1;
    if bytes <= FINE {
        return Some(last / GRAIN);
    }
    let doubling = last.ilog2() as usize - FINE.ilog2() as usize;
    if doubling >= DOUBLINGS {
        return None;
    }
    let step = (last >> (doubling + FINE.ilog2() as usize - STEPS.ilog2() as usize)) % STEPS;
    Some(FINE_STEPS + doubling * STEPS + step)
}

/// Returns how many bytes a size has.
pub(crate) const fn room_of(class: usize) -> usize {
    if class < FINE_STEPS {
        return (class + 1) * GRAIN;
    }
    let (doubling, step) = ((class - FINE_STEPS) / STEPS, (class - FINE_STEPS) % STEPS);
    (FINE + (step + 1) * FINE / STEPS) << doubling
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_size_has_room_and_none_has_much_too_much() {
        for bytes in 1..=FINE << DOUBLINGS {
            let room = class_of(bytes).map(room_of);
            let most = (bytes + GRAIN).max(bytes + bytes / 2);
            assert!(
                room.is_some_and(|it| it >= bytes && it <= most && it.is_multiple_of(GRAIN)),
                "{bytes}: {room:?}"
            );
        }
    }

    #[test]
    fn sizes_grow_and_are_all_used() {
        let rooms: Vec<usize> = (0..CLASSES).map(room_of).collect();
        assert!(rooms.is_sorted_by(|a, b| a < b));
        assert!((0..CLASSES).all(|it| class_of(room_of(it)) == Some(it)));
    }

    #[test]
    fn nothing_and_too_much_have_no_size() {
        assert_eq!(class_of(0), None);
        assert_eq!(class_of((FINE << DOUBLINGS) + 1), None);
    }
}
