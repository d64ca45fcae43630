//! Other readers of shell text, beside ours: what rable, tree-sitter-bash or shfmt see and we do not is a failure or an
//! accepted difference with its reason (`accepted.toml`). INVARIANT: nothing here is linked into `belay`; the tests and
//! the bench are all there is, in a crate of its own so that the reader's own tests need not compile its peers.
