//! The OpenFeature remote evaluation protocol, all flags at once.

use serde_json::{Map, Value, json};

use super::{Asker, Request};

pub(super) fn request(url: &str, asker: &Asker) -> Request {
    let mut context = asker.attribute_map();
    context.remove("id");
    context.insert("targetingKey".to_owned(), asker.id.clone().into());
    let mut headers = vec![("Content-Type".to_owned(), "application/json".to_owned())];
    if let Some(key) = &asker.key {
        headers.push(("Authorization".to_owned(), format!("Bearer {key}")));
        headers.push(("X-API-Key".to_owned(), key.clone()));
    }
    Request {
        method: "POST",
        url: format!("{url}/ofrep/v1/evaluate/flags"),
        headers,
        body: Some(json!({ "context": context }).to_string()),
    }
}

/// Reads the flags; one that failed on the server is left out.
pub(super) fn values(body: &Value) -> Result<Map<String, Value>, &'static str> {
    let flags = body
        .get("flags")
        .and_then(Value::as_array)
        .ok_or("no `flags`")?;
    let mut values = Map::new();
    for flag in flags {
        let key = flag
            .get("key")
            .and_then(Value::as_str)
            .ok_or("a flag without `key`")?;
        if let (Some(value), None) = (flag.get("value"), flag.get("errorCode")) {
            values.insert(key.to_owned(), value.clone());
        }
    }
    Ok(values)
}
