//! The network as `belay` itself uses it.

use std::time::Duration;

use belay_classifier::{Fetch, fetch};
use belay_ship::{Reply, Wire};

/// A collector at an address, and a token for it.
pub struct Http {
    /// The address, without a path.
    pub url: String,
    /// The token; none sends none.
    pub token: Option<String>,
}

impl Http {
    fn headers(&self) -> Vec<(String, String)> {
        let mut headers = vec![
            ("content-type", "application/json".to_owned()),
            ("content-encoding", "gzip".to_owned()),
        ];
        headers.extend(
            self.token
                .iter()
                .map(|it| ("authorization", format!("Bearer {it}"))),
        );
        let owned = headers.into_iter().map(|(name, it)| (name.to_owned(), it));
        owned.collect()
    }

    /// Asks for a path.
    pub fn get(&self, path: &str) -> Result<(u16, Vec<u8>), String> {
        let fetched = fetch(&Fetch {
            method: "GET",
            url: &format!("{}{path}", self.url),
            headers: &self.headers(),
            body: None,
            patience: Duration::from_secs(10),
            most_bytes: 1 << 23,
        });
        let fetched = fetched.map_err(|why| why.to_string())?;
        Ok((fetched.status, fetched.bytes))
    }
}

impl Wire for Http {
    fn post(&self, path: &str, body: &[u8]) -> Result<Reply, String> {
        let fetched = fetch(&Fetch {
            method: "POST",
            url: &format!("{}{path}", self.url),
            headers: &self.headers(),
            body: Some(body),
            patience: Duration::from_secs(40),
            most_bytes: 1 << 20,
        });
        let fetched = fetched.map_err(|why| why.to_string())?;
        Ok(Reply {
            status: fetched.status,
            retry_after: fetched.retry_after,
        })
    }
}
