-- The trail: a row for each judged call, in daily partitions. `seq` is the line's number in its machine's journal (below zero for lines that
-- have none), so that (machine, seq) tells whether something is missing; `at` is in the key because partitions need it, and never changes.
CREATE TABLE decision (
  at       timestamptz NOT NULL,
  machine  text        NOT NULL,
  seq      bigint      NOT NULL,
  verdict  smallint    NOT NULL,           -- 0 allow, 1 ask, 2 deny
  enforced boolean     NOT NULL,
  usr      text,
  team     text        NOT NULL DEFAULT '',
  agent    text,
  session  text,
  call     text,                           -- the agent's own name of the call
  project  text,
  tool     text,
  layer    text,
  rule     text,
  risk     smallint,
  micros   integer,
  mode     text,
  policy   text,
  bundle   bigint,
  shadow   smallint,                       -- what an observed bundle would have said
  privacy  text        NOT NULL,
  command  text,
  reason   text,
  effects  text[],
  chain    text,                           -- the link: `belay log verify --noted LINK` on the machine
  id       text,                           -- the record's name on the machine: `belay why ID`
  PRIMARY KEY (at, machine, seq)
) PARTITION BY RANGE (at);
CREATE TABLE decision_default PARTITION OF decision DEFAULT;
CREATE INDEX decision_deny ON decision (team, at DESC) WHERE verdict = 2;
CREATE INDEX decision_unallowed ON decision (at DESC) INCLUDE (rule, machine, team, verdict) WHERE verdict > 0;

-- What is not a call but has a number in the trail: answers of people, what became of calls, and gaps that the machine knows of.
CREATE TABLE follow (
  at      timestamptz NOT NULL,
  machine text        NOT NULL,
  seq     bigint      NOT NULL,
  kind    text        NOT NULL,            -- answer, outcome, gap
  of      text,                            -- the record's name, or the agent's own name of the call
  session text,
  said    text,                            -- yes, no; ran, failed, refused; disk, refused
  first   bigint,
  last    bigint,
  PRIMARY KEY (at, machine, seq)
) PARTITION BY RANGE (at);
CREATE TABLE follow_default PARTITION OF follow DEFAULT;

-- The last status of every machine.
CREATE TABLE machine (
  machine    text PRIMARY KEY,
  at         timestamptz NOT NULL,
  first_seen timestamptz NOT NULL DEFAULT now(),
  host       text,
  os         text,
  team       text NOT NULL DEFAULT '',
  usr        text,
  version    text,
  mode       text,
  agents     text[] NOT NULL DEFAULT '{}',
  hooked     text[] NOT NULL DEFAULT '{}',
  proven     text[] NOT NULL DEFAULT '{}',
  bundle     bigint,
  stage      text,
  unshipped  bigint NOT NULL DEFAULT 0,
  set_aside  bigint NOT NULL DEFAULT 0,
  passing    boolean NOT NULL DEFAULT false,
  troubles   text[] NOT NULL DEFAULT '{}'
);

-- Every bundle that was served.
CREATE TABLE bundle (
  serial  bigint PRIMARY KEY,
  served  timestamptz NOT NULL DEFAULT now(),
  sha256  text NOT NULL,
  comment text NOT NULL
);

CREATE TABLE rollup (
  hour    timestamptz NOT NULL,
  team    text NOT NULL,
  agent   text NOT NULL,
  verdict smallint NOT NULL,
  layer   text NOT NULL,
  rule    text NOT NULL,
  calls   bigint NOT NULL,
  micros  bigint NOT NULL,
  slowest integer NOT NULL,
  PRIMARY KEY (hour, team, agent, verdict, layer, rule)
);
-- Hours with new rows. Nothing is unique here, so that writers never wait for each other; a row that is not committed yet waits for the next
-- time, as what it stands for does.
CREATE TABLE rollup_due (hour timestamptz NOT NULL);

CREATE FUNCTION roll_up() RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  due timestamptz;
  count integer := 0;
BEGIN
  PERFORM pg_advisory_xact_lock(7310);
  FOR due IN WITH gone AS (DELETE FROM rollup_due RETURNING hour) SELECT DISTINCT hour FROM gone LOOP
    DELETE FROM rollup WHERE hour = due;
    INSERT INTO rollup
      SELECT due, team, coalesce(agent, ''), verdict, coalesce(layer, ''), coalesce(rule, ''), count(*), coalesce(sum(micros), 0), coalesce(max(micros), 0)
      FROM decision WHERE at >= due AND at < due + interval '1 hour'
      GROUP BY team, coalesce(agent, ''), verdict, coalesce(layer, ''), coalesce(rule, '');
    count := count + 1;
  END LOOP;
  RETURN count;
END $$;

-- Which machines are not protected, and why. A machine of one job counts for a day, others for as long as they are listed.
CREATE VIEW unprotected AS
SELECT * FROM (
  SELECT machine, host, team, usr, version, at AS last_status, array_remove(ARRAY[
    CASE WHEN at < now() - interval '3 hours' THEN 'silent since ' || to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI') END,
    CASE WHEN mode <> 'auto' THEN 'mode is ' || mode END,
    CASE WHEN agents = '{}' THEN 'no agent found' END,
    (SELECT 'not hooked: ' || string_agg(it, ', ' ORDER BY it) FROM unnest(agents) AS it WHERE NOT it = ANY (hooked)),
    CASE WHEN bundle < (SELECT max(serial) FROM bundle) AND (SELECT max(served) FROM bundle) < now() - interval '1 hour'
         THEN 'bundle ' || bundle || ' is old' END,
    CASE WHEN bundle IS NULL AND EXISTS (SELECT FROM bundle) THEN 'no bundle' END,
    CASE WHEN unshipped > 100000 THEN unshipped || ' records wait' END,
    CASE WHEN set_aside > 0 THEN set_aside || ' records were refused' END,
    CASE WHEN troubles <> '{}' THEN array_to_string(troubles, '; ') END
  ], NULL) AS why
  FROM machine WHERE NOT passing OR at > now() - interval '1 day'
) AS it WHERE why <> '{}';

-- Machines whose trail has holes that no gap explains.
CREATE VIEW holes AS
WITH numbered AS (
  SELECT machine, seq, seq AS until FROM decision WHERE seq > 0
  UNION ALL SELECT machine, seq, seq FROM follow WHERE seq > 0
  UNION ALL SELECT machine, first, last FROM follow WHERE kind = 'gap'
), ordered AS (
  SELECT machine, seq, max(until) OVER (PARTITION BY machine ORDER BY seq, until ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before
  FROM numbered
)
SELECT machine, before + 1 AS first, seq - 1 AS last FROM ordered WHERE seq > before + 1
UNION ALL SELECT machine, 1, min(seq) - 1 FROM numbered GROUP BY machine HAVING min(seq) > 1;
