// Proves the page in a real browser: node tests/page/prove.mjs BELAY [--long] [--shots FOLDER] [--record FILE.svg]
// BELAY is a debug build: there a test may stand in for the person at the terminal. Fails at the first thing that does not hold.
import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), "../..");
const require = createRequire(path.join(fs.realpathSync(path.join(root, ".cache/browser")), "x.js"));
const { chromium } = require("playwright-core");
const axe = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

const [belay, ...flags] = process.argv.slice(2);
const long = flags.includes("--long");
const shots = flags.includes("--shots") ? flags[flags.indexOf("--shots") + 1] : null;
const record = flags.includes("--record") ? flags[flags.indexOf("--record") + 1] : null;
const begun = Date.now();
let held = 0;

function hold(what, is) {
  if (!is) throw new Error(`does not hold: ${what}`);
  held += 1;
  console.log(`ok ${((Date.now() - begun) / 1000).toFixed(1).padStart(6)} s  ${what}`);
}

const home = fs.mkdtempSync(path.join(os.tmpdir(), "belay-page-"));
const project = path.join(home, "project");
fs.mkdirSync(project);
fs.mkdirSync(path.join(home, ".config/belay"), { recursive: true });
fs.writeFileSync(path.join(home, ".config/belay/config.toml"), "# my own rules\n");
// The agent is told to ask us, and how long it lets us take: half of that a question may wait.
fs.mkdirSync(path.join(home, ".claude"));
const socket = path.join(home, ".local/state/belay/daemon/socket");
const env = { HOME: home, PATH: "/usr/bin:/bin", BELAY_TEST_PERSON: "1" };
const run = (...words) => spawnSync(belay, [...words, "--home", home], { env, cwd: project, encoding: "utf8" });

spawnSync(belay, ["install", "claude-code", "--yes"], { env, cwd: project });

/** Puts a call to the daemon, as an agent's hook does. */
let calls = 0;
function call(command, session = "s1") {
  calls += 1;
  const body = JSON.stringify({ session_id: session, cwd: project, hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command }, tool_use_id: `t${calls}` });
  return new Promise((done, failed) => {
    const request = http.request({ socketPath: socket, method: "POST", path: "/belay/hook/claude-code", headers: { "content-length": Buffer.byteLength(body) } }, (answer) => {
      answer.resume();
      answer.on("end", done);
    });
    request.on("error", failed);
    request.end(body);
  });
}

/** Makes one moving picture of frames; each is shown for three seconds, with its time. */
function film(frames) {
  const all = frames.length * 3;
  const share = 100 / frames.length;
  const plain = (text) => text.replaceAll(/[`*]/g, "").replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const shown = frames.map((it, at) => `<g style="animation-delay:${at * 3 - all}s"><image width="1280" height="800" href="data:image/jpeg;base64,${it.shot.toString("base64")}"/><text x="24" y="838">${it.at.toFixed(0)} s  ${plain(it.what)}</text></g>`);
  const style = `g{visibility:hidden;animation:f ${all}s steps(1) infinite}@keyframes f{0%{visibility:visible}${share.toFixed(3)}%{visibility:hidden}}text{font:22px sans-serif;fill:#eee}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1280 860"><style>${style}</style><rect width="1280" height="860" fill="#222"/>${shown.join("")}</svg>\n`;
}

const address = () => run("ui", "--print").stdout.trim();
const code = () => spawnSync("script", ["-qec", `'${belay}' ui --code --home '${home}'`, "/dev/null"], { env, encoding: "utf8" }).stdout.match(/\d{4} \d{4}/)[0];

async function main() {
  const opened = address();
  hold("`belay ui --print` starts the daemon and prints an address with its token in the fragment", /^http:\/\/127\.0\.0\.1:\d+\/#[0-9a-f]{64}$/.test(opened));
  const origin = opened.split("/#")[0];
  const hostile = "echo '<script>document.title=1</script><img src=http://evil.test/x>' \u001b[2J \u202egnp.exe";
  for (const it of ["ls -la", "npm publish", "npm publish", "cargo test", "frobnicate build", "frobnicate build", "frobnicate build", "curl -s https://docs.vendor.test/a", "rm -rf ~", hostile]) await call(it);

  const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
  const foreign = [];
  const noise = [];
  const open = async (options) => {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    page.on("request", (it) => it.url().startsWith(`${origin}/`) || foreign.push(it.url()));
    page.on("pageerror", (it) => noise.push(String(it)));
    page.on("console", (it) => it.type() === "error" && noise.push(it.text()));
    await page.goto(address());
    await page.waitForSelector("#rows tr");
    return page;
  };

  // Every view in every light and width.
  const kinds = [
    ["light", { colorScheme: "light", viewport: { width: 1280, height: 800 } }],
    ["dark", { colorScheme: "dark", viewport: { width: 1280, height: 800 } }],
    ["390 px", { colorScheme: "light", viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }],
    ["200 % zoom", { colorScheme: "light", viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 }],
  ];
  for (const [kind, options] of kinds) {
    const page = await open(options);
    hold(`${kind}: the token has left the address`, page.url() === `${origin}/`);
    const asked = await page.locator("#rows tr", { hasText: "npm publish" }).first().getAttribute("data-id");
    for (const view of ["/", `/d/${asked}`, "/rules", "/review", "/trends"]) {
      await page.goto(`${origin}${view}`);
      await page.evaluate(axe);
      const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
      const told = found.violations.map((it) => `${it.id}: ${it.nodes.map((node) => node.target).join(" ")}`).join("; ");
      const name = view.startsWith("/d/") ? "/d/ID" : view;
      hold(`${kind} ${name}: axe finds nothing${told ? `: ${told}` : ""}`, found.violations.length === 0);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      hold(`${kind} ${name}: no scrolling sideways`, wide <= 0);
      if (shots) await page.screenshot({ path: path.join(shots, `${kind.replaceAll(/[ %]/g, "")}-${name.replaceAll("/", "") || "now"}.png`) });
      if (kind === "light" && view.startsWith("/d/")) {
        const fits = await page.evaluate(() => document.querySelector("pre.command").getBoundingClientRect().bottom <= innerHeight);
        hold("a decision says verdict, reason, rule and command on one screen", fits);
      }
    }
    await page.context().close();
  }
  hold(`nothing is asked of anybody else${foreign.length ? `: ${foreign[0]}` : ""}`, foreign.length === 0);
  hold(`no script complains${noise.length ? `: ${noise[0]}` : ""}`, noise.length === 0);

  // What a call says is text, and steers nothing.
  const page = await open(kinds[0][1]);
  hold("markup in a command is text", (await page.title()).startsWith("Now") && (await page.locator("#rows img, #rows script").count()) === 0);
  hold("what turns the writing is named", (await page.locator("#rows .steers", { hasText: "U+202E" }).count()) > 0);

  // First view: size and time.
  const before = Date.now();
  const answer = await page.goto(`${origin}/`);
  const size = (await answer.body()).length + fs.statSync(path.join(root, "crates/belay-page/assets/style.css")).size + fs.statSync(path.join(root, "crates/belay-page/assets/page.mjs")).size;
  hold(`the first view takes ${size} bytes over the wire, at most 60,000, in ${Date.now() - before} ms`, size <= 60_000);

  // Without a script it can be read.
  const plain = await browser.newContext({ javaScriptEnabled: false });
  const still = await plain.newPage();
  const token = address().split("#")[1];
  await still.goto(`${origin}/`);
  await still.fill("#token", token);
  await still.click("button");
  hold("without a script a person types the token and reads", (await still.locator("#rows tr").count()) > 5);
  await plain.close();

  // By keys alone: why was it asked, and a rule that settles it.
  await page.goto(`${origin}/`);
  page.on("dialog", (dialog) => dialog.accept(code()));
  let keys = 0;
  const press = async (key) => {
    keys += 1;
    await page.keyboard.press(key);
  };
  const rows = await page.locator("#rows tr").allTextContents();
  const place = rows.findIndex((it) => it.includes("frobnicate"));
  for (let at = 0; at <= place; at += 1) await press("j");
  await Promise.all([page.waitForURL(/\/d\//), press("Enter")]);
  hold("a decision says why", (await page.locator("h1").textContent()).includes("ask"));
  await Promise.all([page.waitForURL(/\/rules\?from=/), press("r")]);
  await page.waitForSelector("#counted");
  const counted = await page.locator("#counted").textContent();
  hold(`what would change is shown before: ${counted}`, /3 from ask to allow/.test(counted));
  await page.locator("#save:not([disabled])").waitFor();
  await Promise.all([page.waitForURL(`${origin}/rules`), press("s")]);
  hold(`open, find why, save the rule: ${keys} keys, at most 12`, keys <= 12);
  const saved = fs.readFileSync(path.join(home, ".config/belay/config.toml"), "utf8");
  hold("the user's file has the rule, and what stood there", saved.startsWith("# my own rules\n") && saved.includes("frobnicate build"));
  hold("in this project only", saved.includes(`project = "${project}"`));
  await page.goto(`${origin}/`);
  await call("frobnicate build");
  await page.waitForFunction(() => document.querySelector("#rows tr")?.textContent?.includes("allow"), null, { timeout: 5000 });
  hold("the same call is allowed from then on, and the stream shows it", true);

  /** A new user, from opening the page to a question settled for good. What a person reads counts four words a second, what they
   * do in the terminal ten seconds; nobody waits for it here. */
  const recorded = async () => {
    const context = await browser.newContext(kinds[0][1]);
    const person = await context.newPage();
    person.on("dialog", (dialog) => dialog.accept(code()));
    const start = Date.now();
    let counted = 0;
    const frames = [];
    const step = async (on, what) => {
      frames.push({ at: (Date.now() - start) / 1000 + counted, what, shot: record ? await on.screenshot({ type: "jpeg", quality: 60 }) : null });
    };
    const reads = async (place) => {
      counted += (await place.innerText()).split(/\s+/).length / 4;
    };
    // The rows stand there before the page listens, and a question waits only where one does.
    const listens = person.waitForResponse((it) => new URL(it.url()).pathname === "/events");
    await person.goto(address());
    await person.waitForSelector("#rows tr");
    await listens;
    await step(person, "`belay ui` has opened the page");
    const asked = decided("frobnicate deploy", "s4");
    const question = person.locator("#pending .card", { hasText: "frobnicate deploy" });
    await question.waitFor();
    await step(person, "an agent asks: who, where, what and why stand on a card");
    await reads(question);
    counted += 10;
    // Nobody answers what just came under the hand: the page takes no answer for a moment.
    await person.waitForTimeout(400);
    await question.locator("button[data-answer=yes]").click();
    hold("a new user lets it run once", (await asked).permissionDecision === "allow");
    await step(person, "the code of `belay ui --code` is typed, and *Allow once* lets it run");
    const [shown, answered] = frames.slice(-2);
    hold("while it waits", answered.at - shown.at < 30);
    await person.locator("#rows tr", { hasText: "frobnicate deploy" }).first().locator("a").first().click();
    await person.waitForURL(/\/d\//);
    await step(person, "the decision: the reason, the rule and the effect, underlined");
    await reads(person.locator("h1"));
    await reads(person.locator("dl.facts"));
    await Promise.all([person.waitForURL(/\/rules\?from=/), person.keyboard.press("r")]);
    await person.waitForSelector("#counted");
    await step(person, "`r`: the narrowest rule, for this project, and what it would have changed");
    await reads(person.locator("#reach"));
    await reads(person.locator("#counted"));
    await person.locator("#save:not([disabled])").waitFor();
    await Promise.all([person.waitForURL(`${origin}/rules`), person.keyboard.press("s")]);
    await step(person, "`s`: saved, and not asked again");
    const took = frames.at(-1).at;
    hold("and it is settled", (await decided("frobnicate deploy", "s4")).permissionDecision === "allow");
    for (const it of frames) console.log(`   ${it.at.toFixed(0).padStart(4)} s  ${it.what}`);
    hold(`a new user opens the page, understands a question and settles it in ${took.toFixed(0)} s, reading included`, took < 60);
    if (record) fs.writeFileSync(record, film(frames));
    await context.close();
  };

  // A question waits at the page, where a person switched that on, and only while somebody looks.
  const decided = async (command, session = "s3") => {
    calls += 1;
    const hook = spawn(belay, ["hook", "claude-code", "--home", home], { env, cwd: project });
    const message = { session_id: session, cwd: project, hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command }, tool_use_id: `t${calls}`, permission_mode: "default" };
    hook.stdin.end(JSON.stringify(message));
    let text = "";
    for await (const part of hook.stdout) text += part;
    return JSON.parse(text).hookSpecificOutput;
  };
  hold("off by default: the agent asks at once", (await decided("npm publish")).permissionDecision === "ask");
  run("ui", "--answers", "on");
  const card = (command) => page.locator("#pending .card:not(.gone)", { hasText: command });
  const first = decided("npm publish");
  await card("npm publish").waitFor();
  hold("the time that is left is shown", /in \d+ s/.test((await card("npm publish").textContent()).replaceAll(/\s+/g, " ")));
  await page.waitForTimeout(400);
  await page.keyboard.press("a");
  hold("a yes at the page is the verdict", (await first).permissionDecision === "allow");
  await page.waitForFunction(() => !document.querySelector("#pending .card:not(.gone)"));
  const second = decided("npm publish");
  await card("npm publish").waitFor();
  hold("and makes no rule: the same is asked again", true);
  await page.waitForTimeout(400);
  await page.keyboard.press("d");
  const denied = await second;
  hold("a no at the page is the verdict", denied.permissionDecision === "deny" && denied.permissionDecisionReason.includes("The user said no"));
  const both = [decided("npm publish"), decided("npm publish"), decided("frob other")];
  await page.waitForFunction(() => document.querySelectorAll("#pending .card:not(.gone)").length === 3);
  await page.waitForTimeout(400);
  await card("npm publish").first().locator("button[data-answer=yes]").click();
  const alike = await Promise.all(both.slice(0, 2));
  hold("an answer clears the same call that was on screen as well", alike.every((it) => it.permissionDecision === "allow"));
  hold("and no other", (await card("frob other").count()) === 1);
  const away = Date.now();
  await page.goto("about:blank");
  const unanswered = await both[2];
  hold(`closing the page is the question as usual, after ${((Date.now() - away) / 1000).toFixed(0)} s`, unanswered.permissionDecision === "ask" && Date.now() - away < 15_000);
  await recorded();
  run("ui", "--answers", "off");
  await page.goto(`${origin}/`);
  hold("switched off again, nothing waits", (await decided("npm publish")).permissionDecision === "ask");

  // The strip says anew whether the gate bites, without a new page.
  hold("a call that came proves a hook", (await page.locator(".strip").textContent()).includes("hooks proved: Claude Code"));
  const auto = (word) => spawnSync(belay, ["auto", word], { env, cwd: project });
  auto("observe");
  await page.locator(".off", { hasText: "nothing is stopped" }).waitFor({ timeout: 8000 });
  hold("protection that goes off is said at once", (await page.locator(".strip").textContent()).includes("observe"));
  auto("on");
  await page.locator(".off").waitFor({ state: "detached", timeout: 8000 });
  hold("and that it is on again", true);

  // A busy hour: no row is lost, and memory stays.
  const seconds = long ? 300 : 30;
  const heap = async () => {
    const session = await page.context().newCDPSession(page);
    await session.send("HeapProfiler.collectGarbage");
    const { usedSize } = await session.send("Runtime.getHeapUsage");
    return usedSize;
  };
  await page.waitForTimeout(1000);
  await page.evaluate(() => {
    window.seen = 0;
    new MutationObserver((all) => all.forEach((it) => (window.seen += it.addedNodes.length))).observe(document.querySelector("#rows"), { childList: true });
  });
  for (let it = 0; it < 1000; it += 1) await call(`echo warm ${it}`, "s2");
  const full = await heap();
  const total = seconds * 50;
  const since = Date.now();
  for (let it = 0; it < total; it += 1) {
    await call(`echo ${it}`, "s2");
    const ahead = since + it * 20 - Date.now();
    if (ahead > 0) await new Promise((done) => setTimeout(done, ahead));
  }
  const took = (Date.now() - since) / 1000;
  await page.waitForFunction((all) => window.seen >= all, total + 1000, { timeout: 20_000 }).catch(() => {});
  const seen = await page.evaluate(() => window.seen);
  hold(`${total} calls in ${took.toFixed(0)} s: ${seen - 1000} rows came`, seen === total + 1000);
  const after = await heap();
  hold(`the heap was ${full >> 10} kB full of rows and is ${after >> 10} kB`, after < full * 1.5 + 1_000_000);
  hold("no more than 1000 rows are kept", (await page.locator("#rows tr").count()) <= 1000);

  // A long journal: the first view reads its end only.
  const day = path.join(home, ".local/state/belay/journal", `${new Date().toISOString().slice(0, 10)}.jsonl`);
  const lines = fs.readFileSync(day, "utf8").trimEnd().split("\n").slice(-1000);
  const many = long ? 1_000_000 : 100_000;
  const file = fs.openSync(path.join(path.dirname(day), "2026-01-01.jsonl"), "w");
  for (let it = 0; it < many; it += 1000) fs.writeSync(file, `${lines.join("\n")}\n`);
  fs.fsyncSync(file);
  fs.closeSync(file);
  // The machine may be busy with others: the fastest of three tells what the view takes.
  const times = [];
  for (let it = 0; it < 3; it += 1) {
    const start = Date.now();
    await page.goto(`${origin}/`);
    times.push(Date.now() - start);
  }
  hold(`the first view of ${many} records more is there in ${Math.min(...times)} ms (${times.join(", ")}), at most 500`, Math.min(...times) <= 500);
  await browser.close();
}

main()
  .then(
    () => console.log(`${held} passed, 0 failed, 0 skipped`),
    (why) => {
      console.error(String(why));
      process.exitCode = 1;
    },
  )
  .finally(() => {
    run("serve", "--stop");
    fs.rmSync(home, { recursive: true, force: true });
    // A browser that is still open must not keep us.
    process.exit();
  });
