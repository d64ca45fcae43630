"""Reads programs parted by a record separator; says of each, on a line, what SQLite asked its authorizer for."""
import sqlite3
import sys

ACTS = [
    "SQLITE_ALTER_TABLE", "SQLITE_ANALYZE", "SQLITE_ATTACH", "SQLITE_CREATE_INDEX", "SQLITE_CREATE_TABLE", "SQLITE_CREATE_TEMP_INDEX",
    "SQLITE_CREATE_TEMP_TABLE", "SQLITE_CREATE_TEMP_TRIGGER", "SQLITE_CREATE_TEMP_VIEW", "SQLITE_CREATE_TRIGGER", "SQLITE_CREATE_VIEW",
    "SQLITE_CREATE_VTABLE", "SQLITE_DELETE", "SQLITE_DETACH", "SQLITE_DROP_INDEX", "SQLITE_DROP_TABLE", "SQLITE_DROP_TRIGGER",
    "SQLITE_DROP_VIEW", "SQLITE_FUNCTION", "SQLITE_INSERT", "SQLITE_PRAGMA", "SQLITE_REINDEX", "SQLITE_UPDATE",
]
CODES = {getattr(sqlite3, name): name.removeprefix("SQLITE_").lower() for name in ACTS}


def acts(program):
    seen = []

    def asked(code, one, two, database, _trigger):
        # A vacuum copies everything into a database of its own first.
        name = None if database == "vacuum_db" or one == "" else CODES.get(code)
        if name == "function":
            seen.append(f"function {two}".lower())
        elif name == "pragma":
            seen.append("pragma set" if two is not None and one not in ("table_info", "index_list") else "pragma")
        elif name == "attach" and one == ":memory:":
            pass
        elif name is not None and not str(one).startswith("sqlite_"):
            seen.append(name)
        return sqlite3.SQLITE_OK

    base = sqlite3.connect(":memory:", isolation_level=None)
    base.executescript("CREATE TABLE a (id, b, c); CREATE TABLE t (id, x); INSERT INTO a VALUES (1, 2, 3); CREATE VIEW v AS SELECT * FROM a;")
    base.set_authorizer(asked)
    try:
        base.executescript(program)
    except (sqlite3.Error, sqlite3.Warning, ValueError):
        pass
    return sorted(set(seen))


for text in sys.stdin.read().split("\x1e"):
    print(";".join(acts(text)))
