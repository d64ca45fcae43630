//! A scripted provider on loopback: it hears each request and plays one scene for it.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

/// What the server does with one request.
#[derive(Clone)]
pub enum Scene {
    /// Answers with a status and a body.
    Reply(u16, String),
    /// Answers with a status, one more header and a body.
    With(u16, &'static str, String),
    /// Says nothing for so long, then answers well.
    SlowHeaders(Duration, String),
    /// Sends the head, then a byte now and then.
    SlowBody(String),
    /// Takes the request and never says anything.
    Stalled,
    /// Promises a longer body than it sends, then closes.
    CutShort(String),
    /// Sends so many bytes.
    Huge(usize),
    /// Closes at once.
    Closed,
    /// Sends what is no HTTP, as a plain server does to TLS.
    Garbage,
}

/// A running server; requests it heard can be looked at.
pub struct Server {
    pub url: String,
    pub heard: Receiver<String>,
}

impl Server {
    /// Plays the scenes in order, the last one for ever.
    pub fn playing(scenes: Vec<Scene>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let (tell, heard) = channel();
        thread::spawn(move || {
            for (at, stream) in listener.incoming().enumerate() {
                let Ok(mut stream) = stream else { return };
                let scene = scenes[at.min(scenes.len() - 1)].clone();
                let tell = tell.clone();
                thread::spawn(move || {
                    let _ = tell.send(request(&mut stream));
                    let _ = play(&scene, &mut stream);
                });
            }
        });
        Self { url, heard }
    }

    pub fn requests(&self) -> Vec<String> {
        thread::sleep(Duration::from_millis(20));
        self.heard.try_iter().collect()
    }
}

fn request(stream: &mut TcpStream) -> String {
    let _ = stream.set_read_timeout(Some(Duration::from_secs(2)));
    let mut bytes = Vec::new();
    let mut part = [0; 4096];
    loop {
        let text = String::from_utf8_lossy(&bytes).to_ascii_lowercase();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head
                .lines()
                .find_map(|it| it.strip_prefix("content-length: "));
            let length: usize = length.and_then(|it| it.trim().parse().ok()).unwrap_or(0);
            if body.len() >= length {
                break;
            }
        }
        match stream.read(&mut part) {
            Ok(0) | Err(_) => break,
            Ok(read) => bytes.extend(&part[..read]),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn head(status: u16, more: &str, length: usize) -> String {
    format!(
        "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\n{more}content-length: {length}\r\nconnection: close\r\n\r\n"
    )
}

fn play(scene: &Scene, stream: &mut TcpStream) -> std::io::Result<()> {
    match scene {
        Scene::Reply(status, body) => {
            stream.write_all(format!("{}{body}", head(*status, "", body.len())).as_bytes())
        }
        Scene::With(status, more, body) => {
            stream.write_all(format!("{}{body}", head(*status, more, body.len())).as_bytes())
        }
        Scene::SlowHeaders(time, body) => {
            thread::sleep(*time);
            stream.write_all(format!("{}{body}", head(200, "", body.len())).as_bytes())
        }
        Scene::SlowBody(body) => {
            stream.write_all(head(200, "", body.len()).as_bytes())?;
            for byte in body.bytes() {
                stream.write_all(&[byte])?;
                thread::sleep(Duration::from_millis(100));
            }
            Ok(())
        }
        Scene::Stalled => {
            thread::sleep(Duration::from_secs(10));
            Ok(())
        }
        Scene::CutShort(body) => {
            stream.write_all(format!("{}{body}", head(200, "", body.len() + 100)).as_bytes())
        }
        Scene::Huge(bytes) => {
            stream.write_all(head(200, "", *bytes).as_bytes())?;
            let part = vec![b' '; 65_536];
            (0..bytes / part.len()).try_for_each(|_| stream.write_all(&part))
        }
        Scene::Closed => Ok(()),
        Scene::Garbage => stream.write_all(b"\x15\x03\x01\x00\x02\x02\x28 not http at all\r\n\r\n"),
    }
}
