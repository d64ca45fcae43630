//! Who is let in to the page: a browser of this machine, at our own address, that has entered.
//!
//! INVARIANT: every route passes here. A page from elsewhere, a name that was bent to our address, and whoever brings no
//! cookie get nothing that was not in the program's own text.

use belay_http::Request;

use super::keys::Keys;

/// What a request may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Pass {
    /// Nothing: it comes from elsewhere.
    Refused,
    /// What is in the program: style, script, the way in.
    Stranger,
    /// What a person may read.
    Reader,
    /// What a person may change.
    Owner,
}

/// Tells what a request may have. `address` is ours, as the browser must name it.
pub fn pass(request: &Request, address: &str, keys: &Keys) -> Pass {
    let at_home = request.header("host") == Some(address) && is_from_us(request, address);
    if !at_home {
        return Pass::Refused;
    }
    let cookie = cookie(request);
    if !cookie.is_some_and(|it| keys.reads(it)) {
        return Pass::Stranger;
    }
    let shown = request.header("authorization").unwrap_or_default();
    let bearer = shown.strip_prefix("Bearer ").unwrap_or_default();
    match request.method == "POST" && keys.changes(bearer) {
        true => Pass::Owner,
        false => Pass::Reader,
    }
}

/// Tells whether our own page asks, or a person who typed the address. What changes something must say where it is
/// from; a page of another port of this machine is another page.
fn is_from_us(request: &Request, address: &str) -> bool {
    let site = request.header("sec-fetch-site");
    let is_ours = match site {
        Some(site) => ["same-origin", "none"].contains(&site),
        None => !request.has("sec-fetch-site"),
    };
    let origin = request.header("origin");
    let origin_fits = match origin {
        Some(origin) => origin.strip_prefix("http://") == Some(address),
        // One that comes twice counts as missing, and is not.
        None => !request.has("origin") && request.method == "GET",
    };
    is_ours && origin_fits
}

/// The name of the cookie.
pub const COOKIE: &str = "belay_page";

fn cookie(request: &Request) -> Option<&str> {
    let cookies = request.header("cookie")?.split(';');
    cookies
        .filter_map(|it| it.trim().split_once('='))
        .find(|(name, _)| *name == COOKIE)
        .map(|(_, value)| value)
}
