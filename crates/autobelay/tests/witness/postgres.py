"""Writes programs for psql and lets a scratch PostgreSQL run them; prints of each, as a line of JSON, what it changed.

Called with a seed, a number and an empty folder. A change is one of the database, its roles and settings, or of the
folder that psql works in. The server listens on a socket in the folder and nowhere else.
"""
import glob
import os
import random
import shutil
import subprocess
import sys

import scratch

SEED, COUNT, ROOT = int(sys.argv[1]), int(sys.argv[2]), os.path.realpath(sys.argv[3])
BIN = sorted(glob.glob("/usr/lib/postgresql/*/bin"))[-1] if glob.glob("/usr/lib/postgresql/*/bin") else os.path.dirname(shutil.which("postgres"))
WORK, DATA = f"{ROOT}/work", f"{ROOT}/data"
dice = random.Random(SEED)
one = dice.choice

SETUP = """
CREATE TABLE t (id int PRIMARY KEY, name text); INSERT INTO t VALUES (1, 'a'), (2, 'b');
CREATE TABLE u (id int, t_id int); INSERT INTO u VALUES (1, 1); CREATE VIEW v AS SELECT * FROM t; CREATE SEQUENCE s; CREATE TABLE cmds (c text);
INSERT INTO cmds VALUES ('DELETE FROM u');
CREATE FUNCTION gone() RETURNS int LANGUAGE sql AS 'DELETE FROM u; SELECT 1'; CREATE MATERIALIZED VIEW m AS SELECT * FROM t;
"""
PUBLIC = "'public'::regnamespace"
STATE = " UNION ALL ".join("SELECT ROW({0})::text FROM {1}".format(*it.split(" FROM ", 1)) for it in [
    f"relname, relkind, relacl, reloptions FROM pg_class WHERE relnamespace = {PUBLIC}",
    f"a.attrelid::regclass, a.attname, a.atttypid FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid AND c.relnamespace = {PUBLIC} WHERE a.attnum > 0",
    f"proname, prosrc FROM pg_proc WHERE pronamespace = {PUBLIC}",
    "'extension', extname FROM pg_extension",
    "'schema', nspname FROM pg_namespace WHERE nspname !~ '^pg_(toast_)?temp'",
    "rolname, rolsuper, rolpassword FROM pg_authid",
    "'database', datname FROM pg_database",
    "setrole, setdatabase, setconfig FROM pg_db_role_setting",
    "'object', oid FROM pg_largeobject_metadata",
    "'comment', description FROM pg_description WHERE objoid >= 16384",
    f"'type', typname FROM pg_type WHERE typnamespace = {PUBLIC}",
    "'trigger', tgname FROM pg_trigger",
]) + ";\n"
TABLES = {"t": "id, name", "u": "id, t_id", "cmds": "c"}


def blank():
    return one([" "] * 9 + ["\n", "  ", "\t", " /* x; */ ", " /* a /* b */ c */ ", " -- y;\n"])


def value():
    return one(["1", "id", "'x'", "'it''s'", "E'a\\'b'", "$$x; DROP TABLE t$$", "$q$y$q$", "NULL", "'-- no'", "'/*'", '"id"', "U&'\\0041'", "true", "'1'::int", "ARRAY[1,2]"])


PURE = ["lower('A')", "count(*)", "now()", "coalesce(1, 2)", "length('x')", "json_build_object('a', 1)", "to_char(now(), 'YYYY')", "generate_series(1, 2)",
        "max(id)", "pg_size_pretty(10::bigint)", "version()", "current_database()", "array_agg(id)", "string_agg(name, ',')", "round(1.5)", "md5('x')", "pg_relation_size('t')"]
ACTS = ["setval('s', 9)", "nextval('s')", "lo_create(0)", "lo_from_bytea(0, 'x')", "gone()", "query_to_xml('DELETE FROM u', true, true, '')", "pg_logical_emit_message(false, 'a', 'b')",
        "set_config('work_mem', '1MB', false)", "lo_import('/etc/hostname')", "\"gone\" ()", "public.gone()", "pg_notify('a', 'b')", "pg_advisory_lock(1)", "pg_reload_conf()",
        "lo_export(1, '%s/lo')" % WORK, "pg_create_restore_point('x')", "query_to_xml_and_xmlschema('TRUNCATE u', true, true, '')"]


def query():
    b = blank
    forms = [
        lambda: f"SELECT{b()}{value()}{b()}FROM{b()}t",
        lambda: f"SELECT * FROM v WHERE id = {one(['1', '2'])} ORDER BY 1 LIMIT 5",
        lambda: f"select {one(PURE)} from t",
        lambda: f"SELECT t.name, u.id FROM t JOIN u ON u.t_id = t.id",
        lambda: f"WITH x AS (SELECT 1 AS a) SELECT{b()}* FROM x",
        lambda: f"EXPLAIN SELECT {value()} FROM t",
        lambda: "EXPLAIN (ANALYZE, BUFFERS) SELECT * FROM t",
        lambda: "TABLE t", lambda: "VALUES (1), (2)", lambda: "SHOW work_mem",
        lambda: f"SELECT CASE WHEN {value()} IS NULL THEN 1 ELSE 2 END",
        lambda: f"SELECT (SELECT {one(PURE)} FROM t)",
        lambda: "SELECT relname FROM pg_class LIMIT 3",
        lambda: "SELECT count(*) FILTER (WHERE id > 1) OVER () FROM t",
    ]
    return one(forms)()


def change():
    b = blank
    forms = [
        lambda: f"DELETE{b()}FROM u", lambda: f"UPDATE u SET id = 5{b()}WHERE id = 1", lambda: "INSERT INTO u VALUES (7, 7)", lambda: f"DROP{b()}TABLE u", lambda: "TRUNCATE u",
        lambda: f"CREATE{b()}TABLE n (x int)", lambda: "ALTER TABLE u ADD COLUMN z int", lambda: f"WITH x AS ({b()}DELETE FROM u RETURNING *) SELECT * FROM x",
        lambda: "EXPLAIN ANALYZE DELETE FROM u", lambda: f"EXPLAIN{b()}(ANALYZE) INSERT INTO u VALUES (3, 3)", lambda: "SELECT * INTO n2 FROM t",
        lambda: "DO $$ BEGIN DELETE FROM u; END $$", lambda: f"SELECT{b()}{one(ACTS)}", lambda: f"SELECT * FROM t WHERE 1 = (SELECT {one(ACTS[:1] + ACTS[4:5])}::int)",
        lambda: "PREPARE p AS DELETE FROM u; EXECUTE p", lambda: f"COPY t TO '{WORK}/copy.csv'", lambda: f"COPY t TO PROGRAM 'cat > {WORK}/program.csv'",
        lambda: "CREATE ROLE r", lambda: "ALTER SYSTEM SET work_mem = '5MB'", lambda: "COMMENT ON TABLE t IS 'x'", lambda: "GRANT SELECT ON t TO public", lambda: "CREATE SCHEMA z",
        lambda: "REFRESH MATERIALIZED VIEW m", lambda: "MERGE INTO u USING t ON u.t_id = t.id WHEN MATCHED THEN DELETE", lambda: "CREATE OR REPLACE VIEW v AS SELECT id, name FROM t",
        lambda: "ALTER ROLE CURRENT_USER SET work_mem = '5MB'", lambda: "DECLARE c CURSOR WITH HOLD FOR SELECT gone()", lambda: "COPY (DELETE FROM u RETURNING *) TO STDOUT",
        lambda: "SELECT 1; DELETE FROM u", lambda: "/* a */ DELETE /* b */ FROM /* c */ u", lambda: "BEGIN; DELETE FROM u; COMMIT", lambda: "CREATE EXTENSION IF NOT EXISTS plpgsql; DROP VIEW v",
        lambda: "SELECT 'x' -- '\n; DELETE FROM u -- '", lambda: "SELECT E'\\'; DELETE FROM u; --'; DELETE FROM u", lambda: "SELECT $a$ $$ $a$; DROP VIEW v", lambda: "IMPORT FOREIGN SCHEMA x FROM SERVER y INTO z; DELETE FROM u",
        lambda: "SECURITY LABEL ON TABLE t IS 'x'; DELETE FROM u", lambda: "SELECT 1 FOR UPDATE; TRUNCATE t CASCADE",
    ]
    return one(forms)()


def client_look():
    return one(["\\dt", "\\d t", "\\l", "\\x on", "\\timing on", "\\conninfo", "\\echo hello", "\\pset pager off", "SELECT 1 \\gx", "\\df", "\\dn", "\\du", "SELECT 1 \\g"])


def client_act():
    f = one(["f1", "f2"])
    return one([
        f"\\! touch {f}", f"\\o {f}\nSELECT 1;\n\\o", f"SELECT 1 \\g {f}", f"SELECT 1 \\g |cat > {f}", f"\\copy t to {f}", f"\\copy t to program 'cat > {f}'", f"SELECT 1 \\o |cat > {f}\n;SELECT 2;",
        f"\\w {f}", f"\\set x `touch {f}`", f"\\echo `touch {f}`", f"\\x `touch {f}`", "SELECT c FROM cmds \\gexec", "SELECT 'DROP VIEW v' \\gexec", f"SELECT 1 \\! touch {f}\n;",
        "\\set d 'DELETE FROM u'\n:d;", "SELECT 'DELETE FROM u' AS q \\gset\n:q;", f"\\qecho x \\o {f}\n\\qecho y", "\\i drop.sql", "\\ir drop.sql", "\\include drop.sql", f"\\out {f}\nSELECT 1;",
        "\\if true\nDELETE FROM u;\n\\endif", f"\\setenv PAGER 'touch {f}'", "\\password", "\\lo_import /etc/hostname", f"SELECT 1 \\gx {f}", f"SELECT 1 \\gx |cat >{f}", f"\\g {f}",
        f"\\dt \\o {f}\n\\dt", "BEGIN \\; DELETE FROM u \\; COMMIT;", f"\\pset title `touch {f}`", f"\\prompt `touch {f}` y", "SELECT 1 \\watch c=1 i=0.01 \\; DELETE FROM u;",
    ])


def program():
    parts, harm = [], dice.random() < 0.5
    for _ in range(dice.randrange(3, 7)):
        parts.append(client_look() if dice.random() < 0.2 else query())
    if harm:
        parts.insert(dice.randrange(len(parts) + 1), client_act() if dice.random() < 0.45 else change())
    text = ""
    for part in parts:
        last = part.rstrip().rsplit("\n", 1)[-1]
        text += part + ("\n" if "\\" in last and not last.lstrip().startswith("SELECT E") else one([";\n", "; ", ";"]))
        if not text.endswith("\n") and dice.random() < 0.8:
            text += "\n"
    return text.rstrip("\n") + "\n", not harm


def psql(database, text, cwd=WORK):
    return scratch.ask([f"{BIN}/psql", "-X", "-q", "-At", "-h", ROOT, "-U", "belay", "-d", database], text, WORK, cwd)


def state():
    """Returns all that programs may change; each part is asked for alone, since one may be gone."""
    rows = "".join(f"SELECT * FROM {name};\n" for name in TABLES)
    seen = psql("work", STATE + rows + "SELECT last_value, is_called FROM s;\nSELECT * FROM m;\nSELECT pg_get_viewdef('v');\nSELECT count(*) FROM pg_file_settings;\n")
    return sorted(seen.splitlines()), scratch.files(WORK)


def fresh():
    psql("postgres", "DROP DATABASE IF EXISTS work WITH (FORCE);\nDROP ROLE IF EXISTS r;\nALTER SYSTEM RESET ALL;\nALTER ROLE belay RESET ALL;\nCREATE DATABASE work TEMPLATE base;", ROOT)
    scratch.empty(WORK)


def main():
    scratch.settle(ROOT, WORK)
    scratch.run([f"{BIN}/initdb", "-D", DATA, "-U", "belay", "-A", "trust", "-N", "--locale=C", "-E", "UTF8"], ROOT)
    with open(f"{DATA}/postgresql.conf", "a") as file:
        file.write(f"\nlisten_addresses = ''\nunix_socket_directories = '{ROOT}'\nfsync = off\nfull_page_writes = off\nautovacuum = off\nshared_buffers = 16MB\nmax_connections = 20\n")
    server = scratch.start([f"{BIN}/postgres", "-D", DATA], ROOT)
    try:
        while subprocess.run([f"{BIN}/pg_isready", "-h", ROOT, "-q"], cwd=ROOT).returncode:
            if server.poll() is not None:
                sys.exit("the server did not start")
        psql("postgres", "CREATE DATABASE base;", ROOT)
        psql("base", SETUP, ROOT)
        scratch.judge(COUNT, program, lambda text: psql("work", text), state, fresh)
    finally:
        server.terminate()
        server.wait()


main()
