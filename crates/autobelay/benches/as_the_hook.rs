//! What a whole judgement costs as the hook runs it: the same as `judging`, with the allocator of the hook.

#[path = "judging.rs"]
mod judging;

use std::alloc::System;

#[global_allocator]
static MEMORY: belay_heap::Heap<System> = belay_heap::Heap::before(System);

fn main() -> std::process::ExitCode {
    judging::main()
}
