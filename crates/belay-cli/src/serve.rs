//! `belay serve`: the hook as a daemon, on a private socket and, when asked, on loopback.
//!
//! INVARIANT: a daemon that is gone, full, late or broken never reads as allow; whoever can reach it
//! gets verdicts and nothing else.

mod answering;
mod daemon_dir;
mod http;

use std::io::{self, IsTerminal, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::os::unix::net::UnixListener;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;
use nix::sys::signal::{SigSet, Signal, kill};
use nix::unistd::Pid;

use self::answering::{Door, Then};
pub use self::daemon_dir::DaemonDir;
use self::http::Peer;
use crate::anchor::AnchorArgs;
use crate::exit::Exit;
use crate::flagging;
use crate::out::{Failure, Out, talk};

/// So many questions may be open; more are turned away, which is a refusal.
const MOST_OPEN: usize = 64;

/// How long open questions are waited for when the daemon stops.
const LAST_ANSWERS: Duration = Duration::from_secs(22);

/// How long a daemon in the background may take to be there.
const START: Duration = Duration::from_secs(5);

const LOOK: Duration = Duration::from_millis(20);

/// Arguments of `belay serve`.
#[derive(Args)]
pub struct ServeArgs {
    /// Listen on 127.0.0.1 too, on this port, for those who know the token.
    #[arg(long, value_name = "PORT", num_args = 0..=1, require_equals = true, default_missing_value = "47419")]
    pub http: Option<u16>,
    /// Start in the background, unless it runs already, and return when it answers.
    #[arg(long, conflicts_with = "stop")]
    pub background: bool,
    /// Stop the daemon that runs, once its open questions are answered.
    #[arg(long)]
    pub stop: bool,
    #[command(flatten)]
    pub anchor: AnchorArgs,
}

/// Serves, starts somebody who does, or stops them.
pub fn serve(args: &ServeArgs, out: &mut Out) -> Result<Exit, Failure> {
    // A person who stops the daemon may have moved its folder.
    if !args.stop || args.anchor.is_given() {
        args.anchor.drop_anchor();
    }
    let dir = DaemonDir::open()?;
    match (args.stop, args.background) {
        (true, _) => stop(&dir, out),
        (false, true) => start(&dir, args),
        (false, false) => run(&dir, args),
    }
}

fn run(dir: &DaemonDir, args: &ServeArgs) -> Result<Exit, Failure> {
    std::panic::set_hook(Box::new(|_| {}));
    let Some(_lock) = dir.take()? else {
        return Err(Failure::said(
            "the daemon runs already\nhint: belay serve --stop",
        ));
    };
    let ends = signals()?;
    let room = Arc::new(Room::default());
    let listener = match args.http {
        Some(port) => Some((loopback(port)?, dir.token()?)),
        None => None,
    };
    let socket = dir.listen()?;
    talk(format_args!("listening on {}", dir.socket().display()));
    if let Some((listener, token)) = listener {
        talk(format_args!(
            "listening on http://{}",
            listener.local_addr()?
        ));
        room.open(Listener::Tcp(listener), Door::Token(token))?;
    }
    room.open(Listener::Unix(socket), Door::Private)?;
    flagging::keep_fresh();
    let _ = ends.wait();
    room.close();
    dir.leave();
    Ok(Exit::Done)
}

/// Signals that stop us, held back for whoever waits. A terminal that closes takes only those with it
/// who talk to it.
fn signals() -> Result<SigSet, Failure> {
    let mut ends = SigSet::empty();
    ends.add(Signal::SIGTERM);
    ends.add(Signal::SIGINT);
    if io::stderr().is_terminal() {
        ends.add(Signal::SIGHUP);
    }
    ends.thread_block().map_err(Failure::said)?;
    Ok(ends)
}

fn loopback(port: u16) -> Result<TcpListener, Failure> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(|why| {
        Failure::Said(format!(
            "cannot listen on 127.0.0.1:{port}: {why}\nhint: `--http=PORT` names another port; then `belay install claude-code --http=PORT`"
        ))
    })
}

enum Listener {
    Tcp(TcpListener),
    Unix(UnixListener),
}

impl Listener {
    fn next(&self) -> io::Result<Peer> {
        match self {
            Self::Tcp(it) => it.accept().map(|(peer, _)| Peer::Tcp(peer)),
            Self::Unix(it) => it.accept().map(|(peer, _)| Peer::Unix(peer)),
        }
    }
}

/// What all connections share.
#[derive(Default)]
struct Room {
    open: AtomicUsize,
    closes: AtomicBool,
}

impl Room {
    /// Lets people in through a door, until the room closes.
    fn open(self: &Arc<Self>, listener: Listener, door: Door) -> io::Result<()> {
        let (room, door) = (Arc::clone(self), Arc::new(door));
        let greet = move || {
            while !room.closes.load(Ordering::SeqCst) {
                match listener.next() {
                    Ok(peer) => room.receive(peer, &door),
                    // No more files, most likely: those that are open will end.
                    Err(_) => thread::sleep(LOOK),
                }
            }
        };
        thread::Builder::new().spawn(greet).map(drop)
    }

    fn receive(self: &Arc<Self>, peer: Peer, door: &Arc<Door>) {
        let place = Place::take(self);
        if self.open.load(Ordering::SeqCst) > MOST_OPEN || self.closes.load(Ordering::SeqCst) {
            answering::turn_away(peer);
            return;
        }
        let door = Arc::clone(door);
        // A thread that cannot start drops the connection, which is a refusal.
        let _ = thread::Builder::new().spawn(move || {
            let then = answering::serve(peer, &door);
            drop(place);
            if then == Then::Stop {
                let _ = kill(Pid::this(), Signal::SIGTERM);
            }
        });
    }

    /// Waits for the answers that are on their way.
    fn close(&self) {
        self.closes.store(true, Ordering::SeqCst);
        let begun = Instant::now();
        while self.open.load(Ordering::SeqCst) > 0 && begun.elapsed() < LAST_ANSWERS {
            thread::sleep(LOOK);
        }
    }
}

/// One open question; given back when dropped, whatever happened.
struct Place(Arc<Room>);

impl Place {
    fn take(room: &Arc<Room>) -> Self {
        room.open.fetch_add(1, Ordering::SeqCst);
        Self(Arc::clone(room))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.0.open.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Starts a daemon that outlives us. Says nothing: agents read what is said.
fn start(dir: &DaemonDir, args: &ServeArgs) -> Result<Exit, Failure> {
    if dir.take()?.is_none() {
        return Ok(Exit::Done);
    }
    let mut command = Command::new(std::env::current_exe()?);
    command.arg("serve").args(args.anchor.words());
    if let Some(port) = args.http {
        command.arg(format!("--http={port}"));
    }
    let mut child = command
        .current_dir("/")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()?;
    let begun = Instant::now();
    while begun.elapsed() < START {
        if dir.connect().is_some() {
            return Ok(Exit::Done);
        }
        // Somebody else may have been faster.
        if child.try_wait()?.is_some() && dir.take()?.is_some() {
            break;
        }
        thread::sleep(LOOK);
    }
    Err(Failure::said(
        "the daemon did not start\nhint: `belay serve --http` says why",
    ))
}

fn stop(dir: &DaemonDir, out: &mut Out) -> Result<Exit, Failure> {
    let Some(mut daemon) = dir.connect() else {
        out.line("the daemon does not run")?;
        return Ok(Exit::Done);
    };
    daemon.write_all(b"POST /belay/stop HTTP/1.1\r\ncontent-length: 0\r\n\r\n")?;
    daemon.set_read_timeout(Some(START))?;
    let _ = daemon.read_to_end(&mut Vec::new());
    let begun = Instant::now();
    while dir.take()?.is_none() {
        if begun.elapsed() > LAST_ANSWERS + START {
            return Err(Failure::said("the daemon does not stop"));
        }
        thread::sleep(LOOK);
    }
    out.line("the daemon has stopped")?;
    Ok(Exit::Done)
}

/// Tells whether the daemon answers on this port to those who know the token.
pub fn answers(port: u16, token: &str) -> bool {
    let asked = || -> io::Result<String> {
        let address = (Ipv4Addr::LOCALHOST, port).into();
        let mut stream = TcpStream::connect_timeout(&address, START)?;
        stream.set_read_timeout(Some(START))?;
        let head = format!("GET /belay HTTP/1.1\r\nauthorization: Bearer {token}\r\n\r\n");
        stream.write_all(head.as_bytes())?;
        let mut text = String::new();
        stream.take(4096).read_to_string(&mut text)?;
        Ok(text)
    };
    asked().is_ok_and(|text| text.starts_with("HTTP/1.1 200 ") && text.contains("\"belay "))
}
