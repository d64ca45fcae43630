//! Models that are slow, die in the middle, or talk nonsense.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::Duration;

use belay_model_server::{Fault, Script, Server};
use belay_oracle::dice::Dice;

use crate::home::allowing;

/// A model, gone when dropped.
pub struct Model {
    /// Where it listens.
    pub url: String,
    /// Whether it may say yes.
    pub is_well: bool,
    /// What it does, for a person.
    pub named: String,
    /// Keeps the scripted server alive.
    _server: Option<Server>,
}

/// What a model says that allows, as its provider writes it.
const YES: &str = r#"{"id":"x","object":"chat.completion","choices":[{"index":0,"finish_reason":"tool_calls","message":{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"classify_result","arguments":"{\"thinking\":\"\",\"should_block\":false,\"reason\":\"fine\"}"}}]}}],"usage":{"prompt_tokens":1,"completion_tokens":1}}"#;

/// No reply takes longer: the hook is told to give up well before.
const LONG: Duration = Duration::from_secs(4);

impl Model {
    /// Draws a model.
    ///
    /// # Errors
    /// When it cannot listen.
    pub fn drawn(dice: &mut Dice) -> Result<Self, String> {
        match dice.below(8) {
            0 => Self::scripted(allowing(), "well"),
            1 => Self::failing(Fault::Status(500)),
            2 => Self::failing(Fault::Status(429)),
            3 => Self::failing(Fault::Garbage),
            4 => Self::failing(Fault::Hangup),
            5 => Self::raw(Raw::Silent),
            6 => Self::raw(Raw::Slow),
            _ => Self::raw(Raw::Cut(dice.below(YES.len() as u64))),
        }
    }

    fn failing(fault: Fault) -> Result<Self, String> {
        let named = format!("{fault:?}");
        let script = Script {
            fault: Some(fault),
            ..allowing()
        };
        let model = Self::scripted(script, &named)?;
        Ok(Self {
            is_well: false,
            ..model
        })
    }

    fn scripted(script: Script, named: &str) -> Result<Self, String> {
        let server = Server::start(script).map_err(|why| why.to_string())?;
        Ok(Self {
            url: server.url(),
            is_well: true,
            named: named.to_owned(),
            _server: Some(server),
        })
    }

    fn raw(raw: Raw) -> Result<Self, String> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).map_err(|why| why.to_string())?;
        let port = listener.local_addr().map_err(|why| why.to_string())?.port();
        std::thread::spawn(move || {
            // It hears each try of one hook, and is forgotten after.
            for peer in listener.incoming().flatten().take(2) {
                std::thread::spawn(move || raw.answer(peer));
            }
        });
        Ok(Self {
            url: format!("http://127.0.0.1:{port}"),
            is_well: false,
            named: format!("{raw:?}"),
            _server: None,
        })
    }
}

/// What no scripted model does.
#[derive(Clone, Copy, Debug)]
enum Raw {
    /// It takes the question and says nothing.
    Silent,
    /// It says a letter now and then.
    Slow,
    /// It dies after so many letters of a yes.
    Cut(u64),
}

impl Raw {
    fn answer(self, mut peer: TcpStream) {
        let mut heard = [0; 65_536];
        let _ = peer.read(&mut heard);
        let length = YES.len();
        let head = format!(
            "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n"
        );
        match self {
            Self::Silent => std::thread::sleep(LONG),
            Self::Slow => {
                let _ = peer.write_all(head.as_bytes());
                for letter in YES.bytes().take(40) {
                    let _ = peer.write_all(&[letter]);
                    std::thread::sleep(LONG / 40);
                }
            }
            Self::Cut(after) => {
                let after = usize::try_from(after).unwrap_or(0);
                let cut: Vec<u8> = YES.bytes().take(after).collect();
                let _ = peer.write_all(&[head.as_bytes(), &cut].concat());
            }
        }
    }
}
