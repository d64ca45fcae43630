//! What the host and the language give to programs, by name. A name that does not stand here is not read.

use super::values::{HOME, Value};
use crate::words::{Spot, Words};
use crate::{Doing, Use};

include!(concat!(env!("OUT_DIR"), "/javascript.rs"));

/// What a name stands for that no program declares.
pub(super) fn global(name: &str) -> Option<Value> {
    match name {
        "undefined" | "NaN" | "Infinity" => Some(Value::Plain),
        "__dirname" => Some(Value::text(".")),
        "__filename" => Some(Value::Unknown),
        "require" | "process" | "fetch" | "Object" | "Bun" | "Deno" | "setTimeout"
        | "setInterval" | "setImmediate" | "queueMicrotask" => Some(Value::thing(name)),
        "Math" | "Number" | "parseInt" | "parseFloat" | "isNaN" | "isFinite" => {
            Some(Value::thing("Math"))
        }
        name if is_safe_global(name) => Some(Value::Safe),
        name if is_builtin(name) => module(name).map(|(value, _)| value),
        _ => None,
    }
}

/// Names of the language that reach nothing.
fn is_safe_global(name: &str) -> bool {
    matches!(
        name,
        "console"
            | "JSON"
            | "Array"
            | "String"
            | "Boolean"
            | "BigInt"
            | "Date"
            | "RegExp"
            | "Map"
            | "Set"
            | "WeakMap"
            | "WeakSet"
            | "WeakRef"
            | "Promise"
            | "Error"
            | "TypeError"
            | "RangeError"
            | "SyntaxError"
            | "AggregateError"
            | "Intl"
            | "URL"
            | "URLSearchParams"
            | "TextEncoder"
            | "TextDecoder"
            | "Buffer"
            | "Blob"
            | "structuredClone"
            | "encodeURIComponent"
            | "encodeURI"
            | "decodeURIComponent"
            | "decodeURI"
            | "escape"
            | "unescape"
            | "atob"
            | "btoa"
            | "clearTimeout"
            | "clearInterval"
            | "clearImmediate"
            | "performance"
            | "AbortController"
            | "AbortSignal"
            | "Headers"
            | "FormData"
            | "ArrayBuffer"
            | "DataView"
            | "Uint8Array"
            | "Int8Array"
            | "Uint16Array"
            | "Int16Array"
            | "Uint32Array"
            | "Int32Array"
            | "Float32Array"
            | "Float64Array"
            | "BigInt64Array"
            | "BigUint64Array"
    )
}

/// Modules of the host that a program on the command line finds under their names.
fn is_builtin(name: &str) -> bool {
    is_safe_module(name)
        || matches!(
            name,
            "fs" | "child_process" | "path" | "os" | "util" | "http" | "https"
        )
}

/// Modules of the host that compute.
fn is_safe_module(name: &str) -> bool {
    matches!(
        name,
        "url"
            | "crypto"
            | "assert"
            | "assert/strict"
            | "perf_hooks"
            | "zlib"
            | "readline"
            | "readline/promises"
            | "events"
            | "buffer"
            | "string_decoder"
            | "querystring"
            | "stream"
            | "stream/promises"
            | "timers"
            | "timers/promises"
            | "tty"
            | "punycode"
            | "console"
            | "util/types"
            | "constants"
    )
}

/// Modules of the host that are not read here.
const CLOSED_HOST: [&str; 27] = [
    "async_hooks",
    "cluster",
    "dgram",
    "diagnostics_channel",
    "dns",
    "dns/promises",
    "domain",
    "http2",
    "inspector",
    "inspector/promises",
    "module",
    "net",
    "repl",
    "sea",
    "sqlite",
    "sys",
    "test",
    "test/reporters",
    "tls",
    "trace_events",
    "v8",
    "vm",
    "wasi",
    "worker_threads",
    "process/",
    "_http_client",
    "_tls_wrap",
];

/// Packages that run programs, make code of texts, change files or speak to services.
const CLOSED_PACKAGES: &str = " shelljs execa cross-spawn zx sudo-prompt child-process-promise node-pty vm2 isolated-vm rimraf \
    del fs-extra graceful-fs mkdirp trash cpy move-file write-file-atomic jsonfile ssh2 node-ssh simple-git isomorphic-git \
    dockerode aws-sdk pg mysql mysql2 mongodb mongoose redis ioredis sqlite3 better-sqlite3 knex sequelize typeorm prisma \
    nodemailer ws socket.io socket.io-client puppeteer puppeteer-core playwright playwright-core selenium-webdriver request \
    superagent ky needle twilio stripe octokit googleapis firebase-admin discord.js lodash.template ejs pug handlebars jsdom \
    nunjucks dot doT mustache require-from-string safe-eval eval node-eval jiti esm import-fresh proxyquire rewire tsx ts-node \
    ffi-napi ffi koffi node-gyp-build bindings edge-js python-shell node-cmd npm-run concurrently chokidar-cli replace-in-file \
    memfs unzipper adm-zip tar decompress download keytar open opn systeminformation ps-list tree-kill fkill find-process \
    serialize-javascript node-serialize funcster static-eval expression-eval mathjs vm-browserify npm yarn pnpm ";

/// Returns what a module gives, and what loading it does.
pub(super) fn module(name: &str) -> Option<(Value, Option<Doing>)> {
    let (bare, prefixed) = match name.strip_prefix("node:") {
        Some(bare) => (bare, true),
        None => (name, false),
    };
    let thing = |path: &str| Some((Value::thing(path), None));
    match bare {
        "fs" | "fs/promises" => return thing("fs"),
        "child_process" => return thing("child_process"),
        "path" | "path/posix" => return thing("path"),
        "os" => return thing("os"),
        "util" => return thing("util"),
        "process" => return thing("process"),
        "http" | "https" => return thing("http"),
        "axios" | "node-fetch" | "got" | "undici" if !prefixed => return thing("net"),
        bare if is_safe_module(bare) => return Some((Value::Safe, None)),
        _ => {}
    }
    if prefixed || CLOSED_HOST.contains(&bare) || name.is_empty() || name.contains(HOME) {
        return None;
    }
    let relative = matches!(name, "." | "..") || name.starts_with("./") || name.starts_with("../");
    if relative || name.starts_with('/') {
        let file = name.to_owned();
        return Some(if name.ends_with(".json") {
            (Value::Unknown, Some(Doing::Read(file)))
        } else {
            (Value::Project, Some(Doing::Load(file)))
        });
    }
    let scoped = [
        "@aws-sdk/",
        "@google-cloud/",
        "@azure/",
        "@octokit/",
        "@prisma/",
        "@kubernetes/",
        "@slack/",
    ];
    let top = name.split('/').next().unwrap_or(name);
    // A part of a package is what its member of that name is.
    let below = name.split('/').skip(1).map(|it| it.trim_end_matches(".js"));
    let closed = name.contains(['\\', ':', '#', '?', '%'])
        || below.into_iter().any(super::members::is_suspicious)
        || scoped.iter().any(|it| name.starts_with(it))
        || CLOSED_PACKAGES.split_ascii_whitespace().any(|it| it == top);
    if closed {
        return None;
    }
    let package = match name.strip_prefix('@').and_then(|it| it.split_once('/')) {
        Some((scope, rest)) => {
            let own = rest.split('/').next().unwrap_or_default();
            format!("@{scope}/{own}")
        }
        None => top.to_owned(),
    };
    let pure = PURE.has(package.as_str());
    let used = Doing::NodePackage {
        name: package,
        how: Use::Imported,
    };
    Some((Value::Project, (!pure).then_some(used)))
}

/// Returns a member of a thing.
pub(super) fn member(path: &str, name: &str) -> Option<Value> {
    let thing = || Some(Value::Thing(format!("{path}.{name}")));
    match (path, name) {
        (
            "fs" | "child_process" | "path" | "os" | "util" | "http" | "net" | "process",
            "default",
        ) => Some(Value::thing(path)),
        ("fs", "promises") => Some(Value::thing("fs")),
        ("fs", "constants") => Some(Value::Safe),
        ("fs" | "child_process" | "http" | "net", _) => thing(),
        ("path", "posix" | "win32") => Some(Value::thing("path")),
        ("path", "join" | "resolve" | "normalize") => thing(),
        ("path", _) => Some(Value::Safe),
        ("os", "tmpdir" | "homedir") => thing(),
        ("os", name) => is_looking(name).then_some(Value::Safe),
        ("util", "promisify") => thing(),
        ("util", _) => Some(Value::Safe),
        ("process", name) => process(name),
        ("require", "resolve") => Some(Value::Safe),
        ("Object", name) => is_plain_of_object(name).then_some(Value::Safe),
        ("Math", _) => Some(Value::thing("Math")),
        ("import.meta", "url" | "dirname" | "filename" | "main") => Some(Value::Unknown),
        ("Bun", "version" | "revision" | "argv" | "main") => Some(Value::Unknown),
        ("Bun", "file" | "write" | "sleep") => thing(),
        ("Deno", "version" | "args" | "build" | "cwd" | "exit" | "errors" | "inspect") => {
            Some(Value::Safe)
        }
        ("Deno", _) => thing(),
        _ => None,
    }
}

fn process(name: &str) -> Option<Value> {
    match name {
        "env" | "cwd" => Some(Value::Thing(format!("process.{name}"))),
        "version" | "versions" | "platform" | "arch" | "pid" | "ppid" | "title" | "execPath"
        | "argv" | "argv0" | "execArgv" | "release" | "features" | "config" | "exitCode"
        | "stdout" | "stderr" | "stdin" | "uptime" | "hrtime" | "memoryUsage" | "cpuUsage"
        | "resourceUsage" => Some(Value::Unknown),
        "nextTick" | "exit" | "on" | "once" | "off" | "removeListener" | "removeAllListeners"
        | "emitWarning" | "getuid" | "geteuid" | "getgid" | "abort" | "constrainedMemory"
        | "availableMemory" => Some(Value::Safe),
        _ => None,
    }
}

/// Members of `os` that only look.
fn is_looking(name: &str) -> bool {
    matches!(
        name,
        "cpus"
            | "totalmem"
            | "freemem"
            | "platform"
            | "type"
            | "release"
            | "arch"
            | "hostname"
            | "EOL"
            | "uptime"
            | "loadavg"
            | "networkInterfaces"
            | "userInfo"
            | "endianness"
            | "version"
            | "machine"
            | "availableParallelism"
            | "constants"
            | "devNull"
    )
}

/// Members of `Object` that neither give nor change what values inherit.
fn is_plain_of_object(name: &str) -> bool {
    matches!(
        name,
        "keys"
            | "values"
            | "entries"
            | "assign"
            | "freeze"
            | "isFrozen"
            | "fromEntries"
            | "is"
            | "hasOwn"
            | "getOwnPropertyNames"
            | "groupBy"
    )
}

/// Tells whether a thing may be given away: whoever calls it reaches nothing.
pub(super) fn is_harmless(path: &str) -> bool {
    matches!(
        path,
        "Math"
            | "path.join"
            | "path.resolve"
            | "path.normalize"
            | "process.cwd"
            | "os.tmpdir"
            | "os.homedir"
    )
}

/// Tells whether a member of a thing may be given a value.
pub(super) fn may_change(path: &str, name: &str) -> bool {
    match path {
        "process" => matches!(name, "exitCode" | "title"),
        "process.env" => is_quiet(name),
        _ => false,
    }
}

/// Tells whether a variable of the environment changes nothing that later programs execute.
pub(super) fn is_quiet(name: &str) -> bool {
    let upper = name.to_ascii_uppercase();
    let loud = [
        "PATH", "HOME", "SHELL", "IFS", "ENV", "PAGER", "EDITOR", "VISUAL", "BROWSER", "TMPDIR",
        "USER",
    ];
    let starts = [
        "NODE_",
        "LD_",
        "DYLD_",
        "GIT_",
        "NPM_",
        "BASH",
        "PYTHON",
        "PERL",
        "RUBY",
        "SSH_",
        "HTTP",
        "ALL_PROXY",
        "BUN_",
        "DENO_",
        "JAVA",
        "XDG_",
        "AWS_",
        "DOCKER",
        "KUBE",
        "CARGO",
        "RUST",
        "PS",
        "PROMPT",
        "ZDOTDIR",
        "OPENSSL",
        "SSL_",
    ];
    upper == "NODE_ENV"
        || !loud.contains(&upper.as_str()) && !starts.iter().any(|it| upper.starts_with(it))
}

/// Tells whether a member only makes values, though its name speaks of acting.
pub(super) fn is_quiet_member(name: &str) -> bool {
    QUIET.has(name)
}
