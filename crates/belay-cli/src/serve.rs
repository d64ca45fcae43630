//! `belay serve`: the hook as a daemon, on a private socket and, when asked, on loopback.
//!
//! INVARIANT: a daemon that is gone, full, late or broken never reads as allow; whoever can reach it
//! gets verdicts and nothing else.

mod answering;
mod daemon_dir;

use std::io::{self, IsTerminal, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::os::unix::net::{UnixListener, UnixStream};
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;
use nix::sys::signal::{SigSet, Signal, kill};
#[cfg(target_os = "linux")]
use nix::sys::socket::{getsockopt, sockopt::PeerCredentials};
use nix::unistd::{Pid, geteuid};

use self::answering::{Door, Then};
pub use self::daemon_dir::DaemonDir;
use crate::anchor::AnchorArgs;
use crate::exit::Exit;
use crate::flagging;
use crate::fleet;
use crate::out::{Failure, Out, talk};
use belay_http::{Peer, Response};

/// So many questions may be open; more are turned away, which is a refusal.
const MOST_OPEN: usize = 64;

/// So many may stand at one door of whom nobody knows yet who they are: strangers who only knock
/// take no place of those who may ask.
const MOST_AT_DOOR: usize = 48;

/// So many are heard out at once when they are turned away; more are only told.
const MOST_HEARD_OUT: usize = 32;

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

impl ServeArgs {
    /// Returns the wish for a daemon in the background.
    pub const fn in_background(anchor: AnchorArgs) -> Self {
        Self {
            http: None,
            background: true,
            stop: false,
            anchor,
        }
    }
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
            "the daemon is already running\nhint: stop it with `belay serve --stop`",
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
    fleet::keep_fresh();
    fleet::keep_shipping();
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
    open: Arc<AtomicUsize>,
    leaving: Arc<AtomicUsize>,
    closes: AtomicBool,
}

/// One way in, with those who stand there.
struct Entrance {
    door: Door,
    waiting: Arc<AtomicUsize>,
}

impl Room {
    /// Lets people in through a door, until the room closes.
    fn open(self: &Arc<Self>, listener: Listener, door: Door) -> io::Result<()> {
        let room = Arc::clone(self);
        let entrance = Arc::new(Entrance {
            door,
            waiting: Arc::default(),
        });
        let greet = move || {
            while !room.closes.load(Ordering::SeqCst) {
                match listener.next() {
                    Ok(peer) => room.receive(peer, &entrance),
                    // No more files, most likely: those that are open will end.
                    Err(_) => thread::sleep(LOOK),
                }
            }
        };
        thread::Builder::new().spawn(greet).map(drop)
    }

    fn receive(self: &Arc<Self>, peer: Peer, entrance: &Arc<Entrance>) {
        if !is_our_user(&peer) {
            return self.turn_away(peer, answering::foreign());
        }
        let waits = Place::take(&entrance.waiting, MOST_AT_DOOR);
        let (Some(waits), false) = (waits, self.closes.load(Ordering::SeqCst)) else {
            return self.turn_away(peer, answering::full());
        };
        let (room, entrance) = (Arc::clone(self), Arc::clone(entrance));
        let (hand_over, handed) = mpsc::channel();
        let started = thread::Builder::new().spawn(move || {
            let Ok(peer) = handed.recv() else { return };
            let enter = || {
                drop(waits);
                Place::take(&room.open, MOST_OPEN)
            };
            if answering::serve(peer, &entrance.door, enter) == Then::Stop {
                let _ = kill(Pid::this(), Signal::SIGTERM);
            }
        });
        match started {
            Ok(_) => drop(hand_over.send(peer)),
            Err(_) => self.turn_away(peer, answering::full()),
        }
    }

    /// Refuses without keeping others waiting.
    fn turn_away(&self, mut peer: Peer, response: Response) {
        let Some(place) = Place::take(&self.leaving, MOST_HEARD_OUT) else {
            return drop(answering::put(&mut peer, &response));
        };
        let (hand_over, handed) = mpsc::channel::<Peer>();
        let started = thread::Builder::new().spawn(move || {
            if let Ok(mut peer) = handed.recv() {
                answering::turn_away(&mut peer, &response);
            }
            drop(place);
        });
        // Where no thread starts, the connection ends, which is a refusal too.
        if started.is_ok() {
            drop(hand_over.send(peer));
        }
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

/// One of a limited number of places; given back when dropped, whatever happened.
struct Place(Arc<AtomicUsize>);

impl Place {
    fn take(taken: &Arc<AtomicUsize>, most: usize) -> Option<Self> {
        let place = Self(Arc::clone(taken));
        (taken.fetch_add(1, Ordering::SeqCst) < most).then_some(place)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Tells whether the other end of the private socket is the user who runs us, or root; over loopback
/// the token tells.
fn is_our_user(peer: &Peer) -> bool {
    match peer {
        Peer::Tcp(_) => true,
        Peer::Unix(stream) => user_of(stream).is_none_or(|it| it == geteuid().as_raw() || it == 0),
    }
}

/// Returns the user at the other end. Elsewhere the modes of socket and folder must do.
#[cfg(target_os = "linux")]
fn user_of(stream: &UnixStream) -> Option<u32> {
    // What cannot be told is nobody's: the highest number belongs to no user.
    let told = getsockopt(stream, PeerCredentials);
    Some(told.map_or(u32::MAX, |it| it.uid()))
}

/// Returns the process at the other end of the private socket, where the system tells.
#[cfg(target_os = "linux")]
fn process_of(peer: &Peer) -> Option<i32> {
    match peer {
        Peer::Tcp(_) => None,
        Peer::Unix(stream) => {
            let told = getsockopt(stream, PeerCredentials).ok()?;
            Some(told.pid()).filter(|it| *it != 0)
        }
    }
}

#[cfg(not(target_os = "linux"))]
const fn process_of(_: &Peer) -> Option<i32> {
    None
}

#[cfg(not(target_os = "linux"))]
const fn user_of(_: &UnixStream) -> Option<u32> {
    None
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
        "the daemon did not start\nhint: run `belay serve --http` to see why",
    ))
}

fn stop(dir: &DaemonDir, out: &mut Out) -> Result<Exit, Failure> {
    let Some(mut daemon) = dir.connect() else {
        out.line("the daemon is not running")?;
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
