//! Says one prepared answer when time is up, and ends the process.
//!
//! A thread that only waits for a deadline costs every call as much as reading all settings does. A timer of the system
//! costs two calls of it. What its signal interrupts may hold any lock, so all that is said then is prepared before.
//!
//! INVARIANT: the handler allocates nothing, takes no lock and calls only what may be called from a handler (`write`,
//! `_exit`). Whoever takes the word first is the only one who speaks.

use std::io;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};
use std::time::Duration;

/// What is said when time is up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Last {
    /// Goes to stdout.
    pub stdout: Vec<u8>,
    /// Goes to stderr.
    pub stderr: Vec<u8>,
    /// The exit code.
    pub code: u8,
}

/// The exit code where the answer could not be written: it blocks.
const UNHEARD: libc::c_int = 2;

/// Longer than anybody waits, in seconds.
const DAY: i64 = 86_400;

/// Set by whoever speaks first; nobody speaks twice.
static SPOKEN: AtomicBool = AtomicBool::new(false);

/// What is prepared. It is never freed: the handler may be reading it.
static LAST: AtomicPtr<Last> = AtomicPtr::new(ptr::null_mut());

/// Takes the word; tells whether nobody had it.
pub fn takes_the_word() -> bool {
    !SPOKEN.swap(true, Ordering::SeqCst)
}

/// Prepares what is said when time is up, in place of what was prepared before.
pub fn prepare(last: Last) {
    LAST.store(Box::into_raw(Box::new(last)), Ordering::SeqCst);
}

/// Lets time be up after a while, whatever was set before. What is prepared is said then.
///
/// # Errors
/// Returns what the system said when it has no timer for us.
pub fn ring_in(time: Duration) -> io::Result<()> {
    hear()?;
    // A timer of zero never rings.
    let time = time.max(Duration::from_millis(1));
    let value = libc::timeval {
        tv_sec: time.as_secs().try_into().unwrap_or(DAY),
        tv_usec: time.subsec_micros().cast_signed().into(),
    };
    let never = libc::timeval {
        tv_sec: 0,
        tv_usec: 0,
    };
    let once = libc::itimerval {
        it_interval: never,
        it_value: value,
    };
    #[expect(unsafe_code, reason = "`setitimer` reads one value that lives here")]
    let done = unsafe { libc::setitimer(libc::ITIMER_REAL, &raw const once, ptr::null_mut()) };
    outcome(done)
}

/// Installs the handler. A parent may have left the signal ignored or blocked: both end here.
fn hear() -> io::Result<()> {
    static HEARS: AtomicBool = AtomicBool::new(false);
    if HEARS.swap(true, Ordering::SeqCst) {
        return Ok(());
    }
    #[expect(
        unsafe_code,
        reason = "both structures are plain numbers, filled in before the system reads them; the handler keeps to what handlers may do"
    )]
    let done = unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = rung as *const () as libc::sighandler_t;
        action.sa_flags = libc::SA_RESTART | libc::SA_ONSTACK;
        libc::sigemptyset(&raw mut action.sa_mask);
        let done = libc::sigaction(libc::SIGALRM, &raw const action, ptr::null_mut());
        let mut held: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut held);
        libc::sigaddset(&raw mut held, libc::SIGALRM);
        done | libc::pthread_sigmask(libc::SIG_UNBLOCK, &raw const held, ptr::null_mut())
    };
    outcome(done)
}

fn outcome(done: libc::c_int) -> io::Result<()> {
    match done {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Says what is prepared, unless somebody is speaking already: they end the process.
extern "C" fn rung(_: libc::c_int) {
    if !takes_the_word() {
        return;
    }
    let last = LAST.load(Ordering::SeqCst);
    #[expect(unsafe_code, reason = "what is prepared is never freed nor changed")]
    let last = unsafe { last.as_ref() };
    let code = last.map_or(UNHEARD, |last| {
        let heard = wrote(libc::STDOUT_FILENO, &last.stdout);
        let _ = wrote(libc::STDERR_FILENO, &last.stderr);
        if heard {
            libc::c_int::from(last.code)
        } else {
            UNHEARD
        }
    });
    #[expect(
        unsafe_code,
        reason = "`_exit` may be called from a handler; `exit` may not"
    )]
    unsafe {
        libc::_exit(code)
    }
}

/// Writes all of it; tells whether that went well.
fn wrote(to: libc::c_int, mut bytes: &[u8]) -> bool {
    while !bytes.is_empty() {
        #[expect(unsafe_code, reason = "the slice lives, and its length is its own")]
        let done = unsafe { libc::write(to, bytes.as_ptr().cast(), bytes.len()) };
        match usize::try_from(done) {
            Ok(done) if done > 0 => bytes = bytes.get(done..).unwrap_or_default(),
            Ok(_) => return false,
            Err(_) if io::Error::last_os_error().kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return false,
        }
    }
    true
}
