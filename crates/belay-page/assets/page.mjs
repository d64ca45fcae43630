// @ts-check
// The page's own script: keys, the stream, the trial of rules. Everything can be read without it.

/** @param {string} id @returns {HTMLElement | null} */
const by = (id) => document.getElementById(id);
/** @param {string} selector @returns {HTMLElement[]} */
const all = (selector) => [...document.querySelectorAll(selector)].flatMap((it) => (it instanceof HTMLElement ? [it] : []));

/** Says something to who sees and to who listens. @param {string} text */
function say(text) {
  const place = by("say");
  if (place) place.textContent = text;
}

// The way in: the token stands in the fragment, which no server sees; it is taken for a cookie, and goes.
if (by("enter") && location.hash.length > 1) {
  const token = location.hash.slice(1);
  history.replaceState(null, "", location.pathname);
  fetch("/enter", { method: "POST", body: token }).then((it) => (it.ok ? location.reload() : say("The token was used already.")));
}

// What changes something brings a bearer: it belongs to this page's origin and this tab, and no cookie stands in for it.
const KEY = "belay-bearer";

/** Asks for the code, and takes it for a bearer. @returns {Promise<string | null>} */
async function unlocked() {
  const known = sessionStorage.getItem(KEY);
  if (known) return known;
  const code = prompt("To change something, type the code that `belay ui --code` shows in your terminal.");
  if (!code) return null;
  const answer = await fetch("/unlock", { method: "POST", body: code });
  const text = await answer.text();
  if (!answer.ok) {
    say(text);
    return null;
  }
  sessionStorage.setItem(KEY, text);
  return text;
}

/** Posts a change. @param {string} path @param {string} body @param {Record<string, string>} headers @returns {Promise<boolean>} */
async function change(path, body, headers = {}) {
  const bearer = await unlocked();
  if (!bearer) return false;
  const answer = await fetch(path, { method: "POST", body, headers: { ...headers, authorization: `Bearer ${bearer}` } });
  if (answer.status === 403) sessionStorage.removeItem(KEY);
  say(await answer.text());
  return answer.ok;
}

// The stream.
const MOST_ROWS = 1000;
const stream = by("stream");
const body = by("rows");
let held = false;
let fresh = 0;
/** @type {string[]} */
const waiting = [];

/** Puts a row on top. @param {string} html */
function add(html) {
  if (!body) return;
  const template = document.createElement("template");
  template.innerHTML = html;
  const row = template.content.firstElementChild;
  if (!(row instanceof HTMLTableRowElement)) return;
  if (row.dataset.id && body.querySelector(`[data-id="${CSS.escape(row.dataset.id)}"]`)) return;
  row.classList.add("new");
  body.prepend(row);
  while (body.childElementCount > MOST_ROWS) body.lastElementChild?.remove();
  by("none")?.remove();
  fresh += 1;
}

/** Says anew whether the gate bites. @param {string} html */
function restrip(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  const [strip, off] = [".strip", ".off"].map((it) => template.content.querySelector(it));
  if (strip) document.querySelector(".strip")?.replaceWith(strip);
  document.querySelector(".off")?.remove();
  if (off) document.querySelector("header")?.after(off);
}

/** Holds the stream, or lets it go on. */
function hold() {
  held = !held;
  const button = by("hold");
  if (button) button.textContent = held ? "Let it go on" : "Pause the stream";
  if (!held) waiting.splice(0).forEach(add);
}

if (stream && body) {
  const query = new URLSearchParams(location.search).get("q") ?? "";
  const events = new EventSource(`/events?after=${stream.dataset.after}&q=${encodeURIComponent(query)}`);
  events.addEventListener("question", (event) => ask(event.data));
  events.addEventListener("settled", (event) => settle(event.data));
  events.addEventListener("strip", (event) => restrip(event.data));
  events.addEventListener("row", (event) => (held ? waiting.push(event.data) : add(event.data)));
  const button = by("hold");
  if (button) {
    button.hidden = false;
    button.addEventListener("click", hold);
  }
  // The count is told now and then, not every row: who listens would hear nothing else.
  setInterval(() => {
    if (fresh > 0) say(`${fresh} new ${fresh === 1 ? "call" : "calls"}`);
    fresh = 0;
  }, 10_000);
}

// Questions that wait. An answer counts for what was on screen, and only once it has been there for a moment.
const ARMED_AFTER = 300;

/** Makes a card answer. @param {HTMLElement} card */
function arm(card) {
  const since = Date.now();
  for (const button of card.querySelectorAll("button")) {
    button.addEventListener("click", async () => {
      if (Date.now() - since < ARMED_AFTER) return;
      await change("/answer", `${card.dataset.nonce} ${button.dataset.answer}`);
    });
  }
  const left = card.querySelector("[data-left]");
  const seconds = left instanceof HTMLElement ? Number(left.dataset.left) : 0;
  const timer = setInterval(() => {
    const rest = Math.max(0, seconds - Math.round((Date.now() - since) / 1000));
    if (left) left.textContent = String(rest);
    if (rest === 0 || !card.isConnected) clearInterval(timer);
  }, 1000);
}

/** Shows a question. @param {string} html */
function ask(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  const card = template.content.firstElementChild;
  const nonce = card instanceof HTMLElement ? card.dataset.nonce : undefined;
  if (!(card instanceof HTMLElement) || cards().some((it) => it.dataset.nonce === nonce)) return;
  by("pending")?.append(card);
  arm(card);
}

/** @returns {HTMLElement[]} */
const cards = () => all("#pending .card:not(.gone)");

/** Marks a question that waits no more; it stays to be read. @param {string} nonce */
function settle(nonce) {
  const card = cards().find((it) => it.dataset.nonce === nonce);
  if (!card) return;
  card.classList.add("gone");
  card.querySelectorAll("button").forEach((it) => it.remove());
  setTimeout(() => card.remove(), 8000);
}

cards().forEach(arm);

/** Answers the first question by its button. @param {string} said */
const answerFirst = (said) => cards()[0]?.querySelector(`button[data-answer=${said}]`)?.dispatchEvent(new MouseEvent("click"));

// Rules: what a change would have changed comes before saving it.
const text = by("text");
const save = by("save");
let tried = "";

async function tryRules() {
  const place = by("changes");
  if (!(text instanceof HTMLTextAreaElement) || !(save instanceof HTMLButtonElement) || !place) return;
  tried = text.value;
  place.textContent = "Judging the last 30 days anew …";
  const answer = await fetch("/rules/try", { method: "POST", body: tried });
  place.innerHTML = await answer.text();
  save.disabled = !answer.ok;
}

async function saveRules() {
  if (!(text instanceof HTMLTextAreaElement) || !(save instanceof HTMLButtonElement) || save.disabled) return;
  if (text.value !== tried) return tryRules();
  if (await change("/rules/save", text.value, { "belay-of": text.dataset.of ?? "" })) location.assign("/rules");
}

by("try")?.addEventListener("click", tryRules);
save?.addEventListener("click", saveRules);
text?.addEventListener("input", () => save instanceof HTMLButtonElement && (save.disabled = true));
if (new URLSearchParams(location.search).has("from") && text) tryRules();

// Grants can be ended.
for (const button of all("[data-end]")) {
  if (!(button instanceof HTMLButtonElement)) continue;
  button.disabled = false;
  button.addEventListener("click", async () => {
    if (await change("/grants/end", button.dataset.end ?? "")) button.closest("li")?.remove();
  });
}

// Keys.
let at = -1;
let went = 0;

/** Goes to a row. @param {number} step */
function step(step) {
  const rows = all("#rows tr, main table tbody tr");
  if (rows.length === 0) return;
  rows[at]?.classList.remove("here");
  at = Math.max(0, Math.min(rows.length - 1, at + step));
  rows[at].classList.add("here");
  const link = rows[at].querySelector("a");
  if (link) link.focus();
  else rows[at].scrollIntoView({ block: "nearest" });
}

/** @type {Record<string, () => void>} */
const KEYS = {
  j: () => step(1),
  k: () => step(-1),
  "/": () => by("q")?.focus(),
  p: hold,
  a: () => answerFirst("yes"),
  d: () => answerFirst("no"),
  r: () => by("rule")?.click(),
  s: saveRules,
  t: tryRules,
  "?": () => by("keys")?.toggleAttribute("open"),
};

document.addEventListener("keydown", (event) => {
  const target = event.target;
  const types = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
  if (event.key === "Escape" && types) return target.blur();
  if (types || event.ctrlKey || event.metaKey || event.altKey) return;
  if (Date.now() - went < 1500) {
    went = 0;
    const way = all("nav a").find((it) => it.dataset.key === event.key);
    if (way) {
      event.preventDefault();
      return way.click();
    }
  }
  if (event.key === "g") {
    went = Date.now();
    return;
  }
  const act = KEYS[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});
