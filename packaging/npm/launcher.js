#!/usr/bin/env node
"use strict";
// Finds the binary that npm chose for this platform and becomes it, as far as Node can. `belay install` runs in that binary, so
// agents are told its own path and never pay for starting Node.
const { spawnSync } = require("node:child_process");
const { constants } = require("node:os");

const platform = `@autobelay/${process.platform}-${process.arch}`;
let belay;
try {
  belay = require.resolve(`${platform}/bin/belay`);
} catch {
  console.error(`error: ${platform} is not installed`);
  console.error("hint: install without --omit=optional; other platforms: cargo install belay-cli");
  process.exit(1);
}
const done = spawnSync(belay, process.argv.slice(2), { stdio: "inherit" });
if (done.error) {
  console.error(`error: cannot start ${belay}: ${done.error.message}`);
  process.exit(1);
}
// A signal must not look like a verdict.
process.exit(done.signal ? 128 + constants.signals[done.signal] : done.status);
