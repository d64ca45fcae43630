"""Writes programs for the client of MySQL and lets a scratch MariaDB run them; prints of each, as a line of JSON, what it changed.

Called with a seed, a number and an empty folder. A change is one of the databases, accounts and settings, or of the
folder that the client works in. The server listens on a socket in the folder and nowhere else.
"""
import os
import random
import shutil
import sys
import time

import scratch

SEED, COUNT, ROOT = int(sys.argv[1]), int(sys.argv[2]), os.path.realpath(sys.argv[3])
WORK, DATA, SOCKET = f"{ROOT}/work", f"{ROOT}/data", f"{ROOT}/s"
SERVER = shutil.which("mariadbd") or "/usr/sbin/mariadbd"
dice = random.Random(SEED)
one = dice.choice

SETUP = """
DROP DATABASE IF EXISTS app; CREATE DATABASE app; USE app;
CREATE TABLE t (id int PRIMARY KEY, name text); INSERT INTO t VALUES (1, 'a'), (2, 'b');
CREATE TABLE u (id int, t_id int); INSERT INTO u VALUES (1, 1); CREATE VIEW v AS SELECT * FROM t; CREATE SEQUENCE s;
DELIMITER //
CREATE FUNCTION gone() RETURNS int BEGIN DELETE FROM u; RETURN 1; END //
CREATE PROCEDURE drops() BEGIN DELETE FROM u; END //
DELIMITER ;
"""
STATE = """
SELECT TABLE_SCHEMA, TABLE_NAME, TABLE_TYPE, TABLE_COMMENT, ENGINE FROM information_schema.TABLES WHERE TABLE_SCHEMA NOT IN ('information_schema', 'performance_schema', 'sys');
SELECT TABLE_NAME, COLUMN_NAME, COLUMN_TYPE, COLUMN_DEFAULT FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = 'app' ORDER BY 1, 2;
SELECT TABLE_NAME, INDEX_NAME FROM information_schema.STATISTICS WHERE TABLE_SCHEMA = 'app' ORDER BY 1, 2;
SELECT ROUTINE_NAME, ROUTINE_DEFINITION FROM information_schema.ROUTINES WHERE ROUTINE_SCHEMA = 'app';
SELECT TRIGGER_NAME FROM information_schema.TRIGGERS; SELECT EVENT_NAME FROM information_schema.EVENTS;
SELECT SCHEMA_NAME FROM information_schema.SCHEMATA ORDER BY 1;
SELECT User, Host, authentication_string, Super_priv FROM mysql.user ORDER BY 1, 2; SELECT * FROM mysql.db; SELECT * FROM mysql.tables_priv; SELECT * FROM mysql.func; SELECT * FROM mysql.servers;
SHOW GLOBAL VARIABLES WHERE Variable_name IN ('max_connections', 'general_log', 'general_log_file', 'slow_query_log', 'read_only', 'sql_mode', 'wait_timeout', 'local_infile');
SELECT * FROM app.u; SELECT * FROM app.t; SELECT table_name, view_definition FROM information_schema.VIEWS WHERE TABLE_SCHEMA = 'app'; SELECT next_not_cached_value FROM app.s;
"""


def blank():
    return one([" "] * 9 + ["\n", "  ", "\t", " /* x; */ ", " -- y;\n", " # z;\n"])


def value():
    return one(["1", "id", "'x'", "'it''s'", "'a\\'b'", '"x; DROP TABLE t"', "NULL", "'-- no'", "'/*'", "`id`", "0x41", "true", "'#'", "CAST('1' AS int)", "N'x'", "_utf8'x'"])


PURE = ["lower('A')", "count(*)", "now()", "coalesce(1, 2)", "length('x')", "json_object('a', 1)", "date_format(now(), '%Y')", "max(id)", "version()", "database()", "group_concat(name)",
        "round(1.5)", "md5('x')", "concat('a', 'b')", "if(1, 2, 3)", "ifnull(NULL, 1)", "user()", "unix_timestamp()"]
ACTS = ["gone()", "nextval(s)", "NEXT VALUE FOR s", "setval(s, 50)", "`gone`()", "app.gone()", "get_lock('a', 1)", "(SELECT gone())", "lastval(s)", "master_pos_wait('a', 1, 0)"]


def query():
    b = blank
    forms = [
        lambda: f"SELECT{b()}{value()}{b()}FROM{b()}t",
        lambda: f"SELECT * FROM v WHERE id = {one(['1', '2'])} ORDER BY 1 LIMIT 5",
        lambda: f"select {one(PURE)} from t",
        lambda: "SELECT t.name, u.id FROM t JOIN u ON u.t_id = t.id",
        lambda: f"WITH x AS (SELECT 1 AS a) SELECT{b()}* FROM x",
        lambda: f"EXPLAIN SELECT {value()} FROM t", lambda: "SHOW TABLES", lambda: "SHOW CREATE TABLE t", lambda: "DESCRIBE t", lambda: "DESC u", lambda: "SHOW DATABASES",
        lambda: "SHOW VARIABLES LIKE 'max%'", lambda: "SHOW STATUS", lambda: "SHOW PROCESSLIST", lambda: "SHOW INDEX FROM t", lambda: "SHOW COLUMNS FROM t", lambda: "USE app",
        lambda: f"SELECT CASE WHEN {value()} IS NULL THEN 1 ELSE 2 END", lambda: f"SELECT (SELECT {one(PURE)} FROM t)", lambda: "SET NAMES utf8mb4",
        lambda: "SELECT table_name FROM information_schema.tables LIMIT 3", lambda: "SHOW FULL COLUMNS FROM t",
    ]
    return one(forms)()


def change():
    b = blank
    forms = [
        lambda: f"DELETE{b()}FROM u", lambda: f"UPDATE u SET id = 5{b()}WHERE id = 1", lambda: "INSERT INTO u VALUES (7, 7)", lambda: f"DROP{b()}TABLE u", lambda: "TRUNCATE u", lambda: "TRUNCATE TABLE u",
        lambda: f"CREATE{b()}TABLE n (x int)", lambda: "ALTER TABLE u ADD COLUMN z int", lambda: "REPLACE INTO t VALUES (1, 'z')", lambda: "ANALYZE UPDATE u SET id = 9", lambda: "ANALYZE FORMAT=JSON DELETE FROM u",
        lambda: f"/*!50000 DELETE FROM u */", lambda: "/*! DROP TABLE u */", lambda: "/*M! DROP TABLE u */", lambda: "/*!99999 SELECT 1 */; DELETE FROM u", lambda: "SELECT 1 /*! ; DELETE FROM u */",
        lambda: f"SELECT{b()}{one(ACTS)}", lambda: "CALL drops()", lambda: "PREPARE p FROM 'DELETE FROM u'; EXECUTE p", lambda: "EXECUTE IMMEDIATE 'DELETE FROM u'", lambda: "DO gone()",
        lambda: f"SELECT * FROM t INTO OUTFILE '{WORK}/out'", lambda: f"SELECT 'x' INTO DUMPFILE '{WORK}/dump'", lambda: f"SELECT 'x' INTO{b()}OUTFILE '{WORK}/out2' FROM t",
        lambda: "SET GLOBAL max_connections = 50", lambda: "SET @@global.wait_timeout = 99", lambda: "SET GLOBAL general_log = 1", lambda: "SET @a = 1, GLOBAL wait_timeout = 98", lambda: "SET PASSWORD = PASSWORD('x')",
        lambda: "CREATE USER r IDENTIFIED BY 'x'", lambda: "GRANT ALL ON *.* TO root@localhost WITH GRANT OPTION; DROP VIEW v", lambda: "CREATE DATABASE z", lambda: "DROP DATABASE app", lambda: "RENAME TABLE u TO w",
        lambda: "CREATE OR REPLACE VIEW v AS SELECT id FROM t", lambda: "CREATE TRIGGER g BEFORE INSERT ON t FOR EACH ROW DELETE FROM u", lambda: "CREATE EVENT e ON SCHEDULE EVERY 1 DAY DO DELETE FROM u",
        lambda: "SELECT 1; DELETE FROM u", lambda: "/* a */ DELETE /* b */ FROM /* c */ u", lambda: "BEGIN; DELETE FROM u; COMMIT", lambda: "SELECT 'x' -- '\n; DELETE FROM u -- '", lambda: "SELECT 'x' # '\n; DELETE FROM u # '",
        lambda: "SELECT 'a\\'; DELETE FROM u; -- '; DELETE FROM u", lambda: "SELECT 1--1; DELETE FROM u", lambda: "CREATE INDEX i ON u (id)", lambda: "DELETE u FROM u JOIN t ON u.t_id = t.id", lambda: "WITH x AS (SELECT 1) DELETE FROM u",
        lambda: "BEGIN NOT ATOMIC DELETE FROM u; END", lambda: "LOAD DATA INFILE '/etc/hostname' INTO TABLE t (name) SET id = 9", lambda: "CREATE SERVER x FOREIGN DATA WRAPPER mysql OPTIONS (HOST 'h')", lambda: "HANDLER t OPEN; DELETE FROM u",
        lambda: "INSERT INTO u SELECT 8, 8 FROM t", lambda: "EXPLAIN SELECT 1; DROP TABLE u", lambda: "SELECT 1 \\g DELETE FROM u", lambda: "SELECT 1 \\G\nDELETE FROM u", lambda: "XA START 'a'; DELETE FROM u; XA END 'a'; XA COMMIT 'a' ONE PHASE",
    ]
    return one(forms)()


def client_look():
    return one(["\\s", "status", "SELECT 1\\G", "SELECT 1 \\g", "help", "\\p", "USE app"])


def client_act():
    f = one(["f1", "f2"])
    return one([
        f"\\! touch {f}", f"system touch {f}", f"\\T {f}\nSELECT 1;", f"tee {f}\nSELECT 1;", "\\. drop.sql", "source drop.sql", f"pager cat > {f}\nSELECT 1;", f"\\P cat > {f}\nSELECT 1;", "DELIMITER //\nDELETE FROM u//\nDELIMITER ;",
        "delimiter $$\nDELETE FROM u$$\ndelimiter ;", f"SELECT 1\n\\! touch {f}\n;", "\\d //\nDELETE FROM u//\n\\d ;", f"SELECT 1 \\! touch {f}\n;", f"  system touch {f}", f"SYSTEM touch {f}", "SOURCE drop.sql",
    ])


def program():
    parts, harm = [], dice.random() < 0.5
    for _ in range(dice.randrange(3, 7)):
        parts.append(client_look() if dice.random() < 0.15 else query())
    if harm:
        parts.insert(dice.randrange(len(parts) + 1), client_act() if dice.random() < 0.35 else change())
    words = ("status", "help", "system", "source", "tee", "pager", "delimiter", "use")
    text = ""
    for part in parts:
        last = part.rstrip().rsplit("\n", 1)[-1].lstrip()
        if text and not text.endswith("\n"):
            text += one([" ", "\n"])
        own = last.lower().startswith(words) or last.startswith("\\") or last.endswith(("\\G", "\\g"))
        text += part + ("\n" if own else one([";\n", "; ", ";"]))
    return text.rstrip("\n") + "\n", not harm


def client(text, cwd=WORK, words=(), user="keeper"):
    return scratch.ask(["mariadb", "--no-defaults", "-S", SOCKET, "-u", user, "--force", *words], text, WORK, cwd)


def state():
    seen = client(STATE, ROOT, ["-N"])
    if not seen:
        sys.exit("the server does not answer")
    return seen, scratch.files(WORK)


def fresh():
    client("DROP DATABASE IF EXISTS z; DROP USER IF EXISTS r; UNLOCK TABLES; SET PASSWORD FOR root@localhost = ''; DROP SERVER IF EXISTS x; DELETE FROM mysql.db WHERE Db = 'app'; FLUSH PRIVILEGES;"
           "SET GLOBAL max_connections = 20; SET GLOBAL wait_timeout = 28800; SET GLOBAL general_log = 0;" + SETUP, ROOT)
    scratch.empty(WORK)


def main():
    scratch.settle(ROOT, WORK)
    scratch.run(["mariadb-install-db", "--no-defaults", f"--datadir={DATA}", f"--tmpdir={ROOT}", "--auth-root-authentication-method=normal", "--skip-test-db"], ROOT)
    server = scratch.start([SERVER, "--no-defaults", f"--datadir={DATA}", f"--tmpdir={ROOT}", f"--socket={SOCKET}", "--skip-networking", "--max-connections=20", "--innodb-flush-log-at-trx-commit=0",
                            "--innodb-buffer-pool-size=16M", "--secure-file-priv=", f"--general-log-file={ROOT}/general"], ROOT)
    try:
        while "1" not in client("SELECT 1;", ROOT, (), "root"):
            if server.poll() is not None:
                sys.exit("the server did not start")
            time.sleep(0.1)
        client("CREATE USER keeper@localhost; GRANT ALL ON *.* TO keeper@localhost WITH GRANT OPTION;", ROOT, (), "root")
        scratch.judge(COUNT, program, lambda text: client(text, WORK, ["app"], "root"), state, fresh)
    finally:
        server.terminate()
        server.wait()


main()
