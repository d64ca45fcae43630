//! Servers that Python speaks to: databases, and pages in a browser that it steers.

use super::apply::{Call, known};
use super::arguments::Arguments;
use super::functions::is_callable;
use super::tables::{BROWSER_OPTIONS, BROWSER_SETTINGS, LOCAL_HOSTS};
use super::value::Value;
use super::walk::Walker;
use crate::Doing;

/// Names by which drivers take an address or a host.
const ADDRESSES: [&str; 5] = ["dsn", "conninfo", "url", "host", "unix_socket"];

/// Names of databases that are gone with the program.
pub(super) const IN_MEMORY: [&str; 4] = [
    ":memory:",
    "sqlite://",
    "sqlite:///:memory:",
    "sqlite+pysqlite:///:memory:",
];

impl Walker {
    /// Opens a connection to a server: to the one that is named, or to the one of this machine.
    pub(super) fn server(&mut self, call: &Call<'_>) {
        let arguments = call.arguments;
        if arguments.more.is_some() {
            self.does(Doing::Send(None));
        }
        let named = ADDRESSES.iter().filter_map(|it| arguments.by_name(it));
        let addresses: Vec<Value> = arguments
            .plain
            .first()
            .cloned()
            .into_iter()
            .chain(named)
            .collect();
        for address in addresses {
            if address.texts().is_empty() {
                self.does(Doing::Send(None));
            }
            for text in address.texts() {
                match text.whole() {
                    Some(text) => self.address(text),
                    None => self.does(Doing::Send(None)),
                }
            }
        }
    }

    /// One address of a server: a URL, words like `host=x dbname=y`, a host, a socket, or a database in a file.
    fn address(&mut self, text: &str) {
        if IN_MEMORY.contains(&text) {
            return;
        }
        if let Some(file) = text.strip_prefix("sqlite:///") {
            if !file.is_empty() {
                self.does(Doing::Read(file.to_owned()));
            }
            return;
        }
        if text.contains("://") {
            let several = text.contains(',') || text.contains("host=") || text.contains("service=");
            self.does(Doing::Send(if several {
                None
            } else {
                known(text.to_owned())
            }));
            return;
        }
        if text.contains("service=") || text.contains("hostaddr=") || text.contains(',') {
            self.does(Doing::Send(None));
            return;
        }
        let host = if text.contains('=') {
            let mut words = text.split_ascii_whitespace();
            words.find_map(|it| it.strip_prefix("host="))
        } else {
            Some(text)
        };
        // Blanks around the sign are allowed too, and would hide the host.
        let hidden = host.is_none() && text.contains("host");
        match host {
            Some(host) if !LOCAL_HOSTS.has(host) && !host.starts_with('/') => {
                self.does(Doing::Send(known(host.to_owned())));
            }
            Some(_) => {}
            None if hidden => self.does(Doing::Send(None)),
            None => {}
        }
    }

    /// Starts a browser: with another program, server or extension it could do anything.
    pub(super) fn browser(&mut self, arguments: &Arguments) {
        let option = |it: &Value| it.whole().is_some_and(|it| BROWSER_OPTIONS.has(it));
        let plain = arguments.named.iter().all(|(name, value)| {
            BROWSER_SETTINGS.has(name)
                || name == "args" && self.exactly(value).is_some_and(|it| it.iter().all(option))
        });
        if !plain || !arguments.plain.is_empty() || arguments.more.is_some() {
            self.unread();
        }
    }

    /// Puts something that does nothing in the place of a member; what else stands there in its place is not read.
    pub(super) fn patched(&mut self, call: &Call<'_>) {
        let arguments = call.arguments;
        let most = if call.member.name().ends_with("object") {
            2
        } else {
            1
        };
        let mut calls = |it: &Value| {
            let inner = self.blend(&[it]);
            inner.atoms.iter().any(is_callable)
        };
        let given = arguments
            .named
            .iter()
            .any(|(name, it)| name == "new" || calls(it));
        if arguments.plain.len() > most || arguments.more.is_some() || given {
            self.unread();
        }
    }
}
