//! The OpenFeature remote evaluation protocol, all flags at once.

use serde_json::{Value, json};

use super::{Asker, Evaluated, Request};

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

/// Reads the flags; one that failed on the server, or is left to the program, is left out.
pub(super) fn values(body: &Value) -> Result<Evaluated, &'static str> {
    let flags = body
        .get("flags")
        .and_then(Value::as_array)
        .ok_or("no `flags`")?;
    let mut evaluated = Evaluated::default();
    for flag in flags {
        let key = flag
            .get("key")
            .and_then(Value::as_str)
            .ok_or("a flag without `key`")?;
        match (flag.get("value"), flag.get("errorCode")) {
            (Some(value), None) => {
                evaluated.values.insert(key.to_owned(), value.clone());
            }
            (_, Some(code)) if super::ours(key).is_some() => {
                evaluated
                    .notes
                    .push(format!("`{key}` failed on the server: {code}"));
            }
            (_, _) => {}
        }
    }
    Ok(evaluated)
}
