//! The documented request bodies, as far as we use them: a member that is not here is a mistake.

use serde_json::{Value as Json, json};

use crate::plan::Provider;

pub(super) fn of(provider: Provider) -> Json {
    match provider {
        Provider::Anthropic => anthropic(),
        Provider::OpenAi => responses(),
        Provider::Compatible => chat(),
        Provider::Gemini => gemini(),
    }
}

fn text() -> Json {
    json!({ "type": "string" })
}

fn positive() -> Json {
    json!({ "type": "integer", "minimum": 1 })
}

fn object(required: Json, properties: Json) -> Json {
    json!({ "type": "object", "required": required, "properties": properties })
}

fn tagged(tag: &str) -> Json {
    object(json!(["type"]), json!({ "type": { "const": tag } }))
}

fn list(items: Json) -> Json {
    json!({ "type": "array", "items": items })
}

/// Any JSON Schema of an object.
fn any_schema() -> Json {
    json!({ "type": "object" })
}

fn anthropic() -> Json {
    let cache = object(json!(["type"]), json!({ "type": { "const": "ephemeral" } }));
    let block = object(
        json!(["type", "text"]),
        json!({ "type": { "const": "text" }, "text": text(), "cache_control": cache }),
    );
    let message = object(
        json!(["role", "content"]),
        json!({ "role": { "enum": ["user", "assistant"] }, "content": list(block.clone()) }),
    );
    let tool = object(
        json!(["name", "input_schema"]),
        json!({ "name": text(), "description": text(), "input_schema": any_schema() }),
    );
    let single = json!({ "type": "boolean" });
    let named = object(
        json!(["type", "name"]),
        json!({ "type": { "const": "tool" }, "name": text(), "disable_parallel_tool_use": single }),
    );
    let auto = object(
        json!(["type"]),
        json!({ "type": { "const": "auto" }, "disable_parallel_tool_use": single }),
    );
    let format = object(
        json!(["type", "schema"]),
        json!({ "type": { "const": "json_schema" }, "schema": any_schema() }),
    );
    object(
        json!(["model", "max_tokens", "messages"]),
        json!({
            "model": text(), "max_tokens": positive(), "messages": list(message),
            "system": list(block), "temperature": { "type": "number" }, "tools": list(tool),
            "tool_choice": { "oneOf": [named, auto, tagged("none")] },
            "output_config": object(json!(["format"]), json!({ "format": format })),
        }),
    )
}

fn responses() -> Json {
    let part = object(
        json!(["type", "text"]),
        json!({ "type": { "const": "input_text" }, "text": text() }),
    );
    let message = object(
        json!(["role", "content"]),
        json!({ "role": { "enum": ["user", "assistant", "system", "developer"] }, "content": list(part) }),
    );
    let tool = object(
        json!(["type", "name", "parameters", "strict"]),
        json!({
            "type": { "const": "function" }, "name": text(), "description": text(),
            "parameters": any_schema(), "strict": { "type": "boolean" },
        }),
    );
    let named = object(
        json!(["type", "name"]),
        json!({ "type": { "const": "function" }, "name": text() }),
    );
    let format = object(
        json!(["type", "name", "schema"]),
        json!({
            "type": { "const": "json_schema" }, "name": text(),
            "schema": any_schema(), "strict": { "type": "boolean" },
        }),
    );
    object(
        json!(["model", "input"]),
        json!({
            "model": text(), "instructions": text(), "input": list(message),
            "max_output_tokens": { "type": "integer", "minimum": 16 },
            "store": { "type": "boolean" }, "temperature": { "type": "number" },
            "tools": list(tool), "parallel_tool_calls": { "type": "boolean" },
            "tool_choice": { "oneOf": [named, { "enum": ["auto", "none", "required"] }] },
            "text": object(json!([]), json!({ "format": format })),
        }),
    )
}

fn chat() -> Json {
    let message = object(
        json!(["role", "content"]),
        json!({ "role": { "enum": ["system", "user", "assistant", "tool", "developer"] }, "content": text() }),
    );
    let function = object(
        json!(["name"]),
        json!({ "name": text(), "description": text(), "parameters": any_schema() }),
    );
    let tool = object(
        json!(["type", "function"]),
        json!({ "type": { "const": "function" }, "function": function }),
    );
    let named = object(
        json!(["type", "function"]),
        json!({
            "type": { "const": "function" },
            "function": object(json!(["name"]), json!({ "name": text() })),
        }),
    );
    let schema = object(
        json!(["name"]),
        json!({ "name": text(), "strict": { "type": "boolean" }, "schema": any_schema() }),
    );
    let format = object(
        json!(["type", "json_schema"]),
        json!({ "type": { "const": "json_schema" }, "json_schema": schema }),
    );
    object(
        json!(["model", "messages"]),
        json!({
            "model": text(), "messages": list(message), "max_tokens": positive(),
            "temperature": { "type": "number" }, "stream": { "type": "boolean" },
            "tools": list(tool), "response_format": format,
            "tool_choice": { "oneOf": [named, { "enum": ["auto", "none", "required"] }] },
        }),
    )
}

fn gemini() -> Json {
    let part = object(json!(["text"]), json!({ "text": text() }));
    let content = object(
        json!(["role", "parts"]),
        json!({ "role": { "enum": ["user", "model"] }, "parts": list(part.clone()) }),
    );
    let own_schema = object(
        json!(["type", "properties"]),
        json!({
            "type": text(), "properties": { "type": "object" },
            "required": list(text()), "propertyOrdering": list(text()),
        }),
    );
    let function = object(
        json!(["name"]),
        json!({ "name": text(), "description": text(), "parameters": own_schema }),
    );
    let calling = object(
        json!(["mode"]),
        json!({ "mode": { "enum": ["AUTO", "ANY", "NONE"] }, "allowedFunctionNames": list(text()) }),
    );
    let generation = object(
        json!([]),
        json!({
            "maxOutputTokens": positive(), "temperature": { "type": "number" },
            "responseMimeType": text(), "responseSchema": own_schema,
            "thinkingConfig": object(json!([]), json!({ "thinkingBudget": { "type": "integer" } })),
        }),
    );
    object(
        json!(["contents"]),
        json!({
            "contents": list(content), "generationConfig": generation,
            "systemInstruction": object(json!(["parts"]), json!({ "parts": list(part) })),
            "tools": list(object(json!([]), json!({ "functionDeclarations": list(function) }))),
            "toolConfig": object(json!([]), json!({ "functionCallingConfig": calling })),
        }),
    )
}
