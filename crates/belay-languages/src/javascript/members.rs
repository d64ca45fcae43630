//! Names of members that say what may be done with them, whatever they are members of.

/// Members that lead from any value to the maker of functions or to what all values share.
pub(super) fn is_denied(name: &str) -> bool {
    matches!(
        name,
        "constructor"
            | "__proto__"
            | "prototype"
            | "__defineGetter__"
            | "__defineSetter__"
            | "__lookupGetter__"
            | "__lookupSetter__"
            | "caller"
            | "callee"
            | "arguments"
            | "mainModule"
            | "getBuiltinModule"
            | "_load"
            | "_compile"
            | "_extensions"
            | "_linkedBinding"
            | "dlopen"
            | "createRequire"
    )
}

/// Members of unknown values whose names say that they reach outside: if such a value is not what it
/// seems, it is seen here.
pub(super) fn is_suspicious(name: &str) -> bool {
    matches!(
        name,
        "execSync"
            | "execFile"
            | "execFileSync"
            | "spawn"
            | "spawnSync"
            | "rmSync"
            | "unlinkSync"
            | "rmdirSync"
            | "writeFileSync"
            | "appendFileSync"
            | "renameSync"
            | "cpSync"
            | "copyFileSync"
            | "symlinkSync"
            | "linkSync"
            | "chmodSync"
            | "chownSync"
            | "truncateSync"
            | "createWriteStream"
            | "runInThisContext"
            | "runInNewContext"
            | "runInContext"
            | "compileFunction"
            | "binding"
            | "setEngine"
            | "template"
            | "openSync"
            | "child_process"
    )
}

/// Members that the language calls by itself.
pub(super) fn is_implicit(name: &str) -> bool {
    matches!(
        name,
        "then" | "toString" | "valueOf" | "toJSON" | "next" | "return" | "throw" | "toLocaleString"
    )
}

/// Methods that call a function they are given.
pub(super) fn takes_function(name: &str) -> bool {
    matches!(
        name,
        "map"
            | "forEach"
            | "filter"
            | "find"
            | "findIndex"
            | "findLast"
            | "some"
            | "every"
            | "reduce"
            | "reduceRight"
            | "flatMap"
            | "sort"
            | "toSorted"
            | "then"
            | "catch"
            | "finally"
            | "replace"
            | "replaceAll"
            | "from"
            | "on"
            | "once"
            | "addListener"
            | "addEventListener"
            | "nextTick"
            | "promisify"
            | "callbackify"
            | "pipeline"
            | "groupBy"
    )
}

/// Methods that neither call nor give back what they are given under another name.
pub(super) fn only_looks(name: &str) -> bool {
    LOOKS.binary_search(&name).is_ok()
}

/// Tells whether a text is a path of members that leads to the maker of functions, as libraries follow them.
pub(super) fn leads(text: &str) -> bool {
    let word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '[' | ']' | '$');
    text.chars().all(word)
        && text
            .split(['.', '[', ']'])
            .any(|it| matches!(it, "constructor" | "__proto__"))
}

/// Methods of the language's own data.
pub(super) fn is_method(name: &str) -> bool {
    METHODS.binary_search(&name).is_ok()
}

/// Names that make texts out of letters, or bring them from outside.
pub(super) fn crafts(name: &str) -> bool {
    matches!(
        name,
        "fromCharCode"
            | "fromCodePoint"
            | "atob"
            | "unescape"
            | "decodeURIComponent"
            | "decodeURI"
            | "reverse"
            | "argv"
            | "env"
            | "Buffer"
            | "TextDecoder"
    )
}

// INVARIANT: both lists are sorted, for they are searched by halves.
const METHODS: [&str; 151] = [
    "add",
    "all",
    "allSettled",
    "any",
    "append",
    "apply",
    "arrayBuffer",
    "at",
    "bind",
    "blob",
    "call",
    "catch",
    "charAt",
    "charCodeAt",
    "clear",
    "close",
    "codePointAt",
    "concat",
    "copyWithin",
    "delete",
    "destroy",
    "digest",
    "end",
    "endsWith",
    "entries",
    "equals",
    "every",
    "exec",
    "fill",
    "filter",
    "finally",
    "find",
    "findIndex",
    "findLast",
    "findLastIndex",
    "flat",
    "flatMap",
    "forEach",
    "format",
    "from",
    "get",
    "getAll",
    "getDate",
    "getDay",
    "getFullYear",
    "getHours",
    "getMilliseconds",
    "getMinutes",
    "getMonth",
    "getSeconds",
    "getTime",
    "getTimezoneOffset",
    "getUTCDate",
    "getUTCDay",
    "getUTCFullYear",
    "getUTCHours",
    "getUTCMinutes",
    "getUTCMonth",
    "getUTCSeconds",
    "has",
    "hasOwnProperty",
    "includes",
    "indexOf",
    "isDirectory",
    "isFile",
    "isSymbolicLink",
    "join",
    "json",
    "keys",
    "lastIndexOf",
    "localeCompare",
    "map",
    "match",
    "matchAll",
    "next",
    "normalize",
    "now",
    "on",
    "once",
    "padEnd",
    "padStart",
    "parse",
    "pipe",
    "pop",
    "push",
    "race",
    "read",
    "readUInt16BE",
    "readUInt32BE",
    "readUInt8",
    "reduce",
    "reduceRight",
    "reject",
    "repeat",
    "replace",
    "replaceAll",
    "resolve",
    "resume",
    "reverse",
    "search",
    "set",
    "setDate",
    "setEncoding",
    "setFullYear",
    "setHours",
    "setMinutes",
    "setMonth",
    "setSeconds",
    "setTime",
    "shift",
    "slice",
    "some",
    "sort",
    "splice",
    "split",
    "startsWith",
    "sub",
    "subarray",
    "substr",
    "substring",
    "test",
    "text",
    "then",
    "toFixed",
    "toISOString",
    "toJSON",
    "toLocaleDateString",
    "toLocaleLowerCase",
    "toLocaleString",
    "toLocaleTimeString",
    "toLocaleUpperCase",
    "toLowerCase",
    "toPrecision",
    "toReversed",
    "toSorted",
    "toSpliced",
    "toString",
    "toUTCString",
    "toUpperCase",
    "trim",
    "trimEnd",
    "trimLeft",
    "trimRight",
    "trimStart",
    "union",
    "unshift",
    "update",
    "valueOf",
    "values",
    "with",
    "write",
];

const LOOKS: [&str; 52] = [
    "add",
    "at",
    "basename",
    "charAt",
    "concat",
    "debug",
    "deepEqual",
    "deepStrictEqual",
    "dir",
    "dirname",
    "endsWith",
    "entries",
    "equal",
    "error",
    "extname",
    "get",
    "has",
    "includes",
    "indexOf",
    "info",
    "inspect",
    "isAbsolute",
    "isArray",
    "isFinite",
    "isInteger",
    "isNaN",
    "join",
    "keys",
    "lastIndexOf",
    "localeCompare",
    "log",
    "match",
    "ok",
    "padEnd",
    "padStart",
    "push",
    "relative",
    "repeat",
    "resolve",
    "set",
    "slice",
    "split",
    "startsWith",
    "strictEqual",
    "stringify",
    "substring",
    "table",
    "test",
    "unshift",
    "values",
    "warn",
    "write",
];

#[cfg(test)]
mod tests {
    use super::{LOOKS, METHODS};

    #[test]
    fn lists_are_sorted() {
        assert!(METHODS.is_sorted());
        assert!(LOOKS.is_sorted());
    }
}
