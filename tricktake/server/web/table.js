// The table: what a person sees of a game and how he acts, drawn from the view alone.
import { announce, download, get, h, put, toast } from "./dom.js";
import { cardName, drawCard, suitIcon } from "./cards.js";
import { actionLabel, factName, lang, phaseName, roleName, t, trickCount } from "./words.js";
import { fetched, gameOf, me, send } from "./link.js";
import { around, cardFace, deckOf, openHand, sorted, spot } from "./view.js";

const PACE = Number(new URLSearchParams(location.search).get("pace") ?? 1); // 0: no waiting between cards
const TRICK_MS = 1300 * PACE, CARD_MS = 380 * PACE;
const SHOWN = innerWidth < 520 ? 4 : 6; // actions on buttons before "more"

let about = null, game = null, shown = null, result = null, hint = null, chosen = new Set(), all = false, panel = "";
let queue = [], busy = false, deadline = null, words = {}, target = null;

export const current = () => (about ? about.table : null);
export function leaveTable() { about = shown = result = hint = null; queue = []; chosen = new Set(); panel = ""; deadline = null; }

export function openTable(element, number) {
  leaveTable();
  target = element;
  about = { table: number };
  put(target, h("p", {}, t("loading")));
  send({ type: "watch", table: number });
}

export async function onTable(message) {
  if (!about || message.table !== about.table) return;
  if (!game || game.spec !== message.game) game = await gameOf(message.game);
  const fresh = about.number !== message.number || !about.chairs;
  about = message;
  if (fresh && about.state === "playing") result = null;
  draw();
}

export function onView(message) {
  if (!about || message.table !== about.table) return;
  queue.push(message);
  if (!busy) step();
}

export function onResult(message) {
  if (!about || message.table !== about.table) return;
  queue.push(message);
  if (!busy) step();
}

export function onHint(message) {
  if (!about || message.table !== about.table || !shown || message.n !== shown.n) return;
  hint = message;
  draw();
  if (message.action) announce(t("hint_says", { by: "", what: message.label || message.action }) + ". " + message.reason);
}

// Positions are shown one after the other: a finished trick stays a moment, cards of others come one by one.
async function step() {
  busy = true;
  while (queue.length) {
    if (!game) { await new Promise((resolve) => setTimeout(resolve, 20)); continue; }
    const message = queue.shift();
    if (message.type === "result") {
      result = message;
      announce(resultText());
      draw();
      continue;
    }
    const before = shown && shown.number === message.number ? shown.view : null;
    if (shown && shown.number !== message.number) result = null;
    const view = message.view;
    if (before && view.tricks.length > before.tricks.length) {
      const last = view.tricks.at(-1);
      shown = { ...message, view: { ...view, table: last.cards, leader: last.leader, tricks: view.tricks.slice(0, -1), legal: [], to_decide: false, taken: before.taken } };
      hint = null;
      chosen = new Set();
      draw();
      announce(t("takes", { name: seatName(last.winner) }));
      if (TRICK_MS && queue.length < 6) await pause(TRICK_MS);
    } else if (before && queue.length && queue.length < 6 && CARD_MS) await pause(CARD_MS);
    tell(before, view);
    if (!before || shown.n !== message.n) { chosen = new Set(); hint = null; all = false; }
    shown = message;
    words = message.words || {};
    deadline = message.seconds === null || message.seconds === undefined ? null : Date.now() + 1000 * message.seconds;
    draw();
    if (view.to_decide && !(before && before.to_decide && before.events.length === view.events.length)) announce(promptText());
  }
  busy = false;
}
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

function tell(before, view) {
  for (const event of before ? view.events.slice(before.events.length) : []) {
    if (event.seat !== shown?.seat) announce(t("plays", { name: seatName(event.seat), what: event.verb === "play" ? cardName(deckOf(game), event.cards[0]) : actionLabel(deckOf(game), words, event) }));
  }
}

const chairName = (chair) => {
  const found = about.chairs[chair];
  if (!found || found.kind === "open") return t("free");
  if (chair === about.you) return t("you");
  return found.kind === "bot" ? botName(found.name) : found.name;
};
export const botName = (name) => name.replace(/^bot:/, "").replace(/^.*play=([^,(]+).*$/, "$1").replace(/^([\w-]+):/, "").replace(/\(.*$/, "");
// What a bot is made of: who bids and who plays, and what they say of themselves.
export const botText = (bot) => (bot ? bot.parts.map((part) => `${part.roles.length ? `${part.roles.map(roleName).join(" + ")}: ` : ""}${part.strategy}${part.summary ? ` (${part.summary})` : ""}`).join("; ") : "");
function botLines() {
  const specs = [...new Set(about.chairs.filter((chair) => chair.kind === "bot").map((chair) => chair.name.replace(/^bot:/, "").replace(/ #\d+$/, "")))];
  return specs.map((spec) => h("p", { class: "small" }, `${t("bots")}: ${botText(Object.values(game.bots).find((bot) => bot.spec === spec)) || spec}`));
}
function seatName(seat) {
  const chair = about.seats[seat];
  const name = chairName(chair);
  const twins = about.seats.filter((other) => chairName(other) === name).length > 1;
  return twins ? `${name} ${chair + 1}` : name;
}

function promptText() {
  if (!shown || !about.chairs) return "";
  const view = shown.view;
  if (about.state === "waiting") return t("waiting");
  if (view.turn === null) return t("over");
  if (!view.to_decide) return t("turn_of", { name: seatName(view.turn) });
  const need = cardsNeeded(view);
  const what = need.verb === "play" ? t("choose_card") : need.count ? t("choose_cards", { n: need.count }) : phaseName(view.phase);
  const whose = view.turn !== view.seat ? ` (${seatName(view.turn)})` : "";
  return `${t("your_turn")}: ${what}${whose}`;
}

// Whether cards are chosen one by one: all actions with cards share verb and number.
function cardsNeeded(view) {
  const found = view.legal.filter((action) => action.cards.length);
  if (!found.length) return { verb: "", count: 0 };
  const { verb, cards } = found[0];
  const same = found.every((action) => action.verb === verb && action.value === found[0].value && action.cards.length === cards.length);
  return same ? { verb, count: cards.length } : { verb: "", count: 0 };
}

function act(action) {
  if (send({ type: "action", table: about.table, n: shown.n, action: action.text })) {
    shown = { ...shown, view: { ...shown.view, legal: [], to_decide: false } };
    hint = null;
    draw();
  }
}

function clickCard(name) {
  const view = shown.view, need = cardsNeeded(view);
  if (!view.to_decide || !need.verb) return;
  const legal = view.legal.filter((action) => action.cards.includes(name));
  if (!legal.length) { toast(`${cardName(deckOf(game), name)}: ✗`); return; }
  if (need.verb === "play") return act(legal[0]);
  if (chosen.has(name)) chosen.delete(name);
  else {
    if (chosen.size >= need.count) chosen.delete(chosen.values().next().value);
    chosen.add(name);
  }
  draw(`[data-card="${CSS.escape(name)}"]`);
}

// ---- drawing

function draw(focus = "") {
  if (!target || !about || !about.chairs || !game) return;
  const active = document.activeElement?.dataset?.key;
  put(target, h("section", { class: `table seats${game.seats}`, "aria-label": game.name }, head(), shown ? felt() : waitingRoom(), result ? score() : null, shown && !result ? [prompt(), hand(), actions(), tools()] : null, side()));
  const again = focus ? target.querySelector(focus) : active ? target.querySelector(`[data-key="${CSS.escape(active)}"]`) : null;
  again?.focus({ preventScroll: true });
}

function head() {
  const view = shown?.view;
  const rules = view?.rules;
  return h("div", { class: "head" },
    h("b", {}, game.name), h("span", {}, `${t("game")} ${about.number + 1}/${about.games}`),
    view?.contract ? h("span", { class: "contract" }, t("contract"), ": ", h("b", {}, contractText(view)), trumpIcon(rules)) : view ? h("span", {}, phaseName(view.phase)) : null,
    h("span", { class: "clock", id: "clock", role: "timer" }),
    about.you === null ? h("span", {}, t("spectator")) : null);
}

function contractText(view) {
  const said = words.contract || view.contract.text;
  return view.contract.declarer === null ? said : `${said} · ${seatName(view.contract.declarer)}`;
}
function trumpIcon(rules) {
  if (!rules || rules.trump === null) return null;
  const deck = deckOf(game);
  const suits = deck.cards.filter((card) => rules.suit[card.name] === rules.trump).map((card) => card.suit);
  const counts = suits.reduce((sum, suit) => ({ ...sum, [suit]: (sum[suit] || 0) + 1 }), {});
  const most = Object.entries(counts).sort((a, b) => b[1] - a[1])[0];
  return most && most[1] > 4 ? h("span", { class: "trump", title: t("trump") }, suitIcon(deck, most[0])) : null;
}

function waitingRoom() {
  return h("div", { class: "box" }, h("p", {}, t("waiting")), h("ul", {}, about.chairs.map((chair, n) => h("li", {}, chairName(n)))),
    about.you === null ? h("button", { onclick: () => send({ type: "sit", table: about.table }) }, t("sit")) : null,
    h("details", {}, h("summary", {}, t("program_joins")), h("code", {}, `tricktake engine serve SPEC --connect "${location.origin.replace(/^http/, "ws")}/engine?table=${about.table}"`)));
}

function felt() {
  const view = shown.view, seats = about.seats.length, mine = shown.seat;
  const players = about.seats.map((_, seat) => {
    const position = around(seat, mine, seats);
    if (position === 0 && mine !== null) return plate(view, seat, "south me");
    return plate(view, seat, spot(position, seats));
  });
  const cards = view.table.map((name, n) => {
    const seat = (view.leader + n) % seats;
    return h("div", { class: `played ${spot(around(seat, mine, seats), seats)}`, title: seatName(seat) }, cardFace(game, name));
  });
  return h("div", { class: view.rules ? "felt" : "felt quiet" }, players, h("div", { class: "trick", "aria-label": t("trick") }, cards));
}

function plate(view, seat, where) {
  const chair = about.chairs[about.seats[seat]];
  const turn = view.turn === seat;
  const said = view.tricks.length || view.table.length ? null : view.events.filter((event) => event.seat === seat && event.verb !== "play").at(-1);
  const known = seat === shown.seat ? [] : view.known[String(seat)];
  const declarer = view.contract && view.contract.declarer === seat;
  const won = view.tricks.filter((trick) => trick.winner === seat).length;
  return h("div", { class: `plate ${where}${turn ? " turn" : ""}` },
    h("div", { class: "who" }, h("b", {}, seatName(seat)), declarer ? h("span", { class: "tag", title: t("declarer") }, "★") : null, chair?.away ? h("span", { class: "tag" }, t("away")) : null,
      chair?.bot && chair.kind !== "bot" ? h("span", { class: "tag" }, t("bot")) : null,
      h("span", { class: "count" }, `${view.sizes[String(seat)]} ${t("cards")}`, view.rules ? ` · ${trickCount(won)}` : "")),
    said ? h("div", { class: "said", title: words.actions?.[said.text]?.[1] }, actionLabel(deckOf(game), words, said)) : null,
    known.length ? dummy(view, seat, known) : null);
}

// An open hand; the cards of a dummy one plays oneself are buttons.
function dummy(view, seat, known) {
  if (view.to_decide && view.turn === seat) {
    const legal = new Set(view.legal.flatMap((action) => action.cards));
    return h("div", { class: "fan small" }, sorted(game, known, view.rules).flat().map((name) => cardButton(name, legal.has(name))));
  }
  return openHand(game, known, view.rules);
}

function prompt() {
  const away = about.you !== null && about.chairs[about.you]?.away;
  return h("div", { class: `prompt${shown.view.to_decide ? " mine" : ""}` }, h("span", {}, away ? t("you_are_away") : about.you !== null && shown.seat === null ? t("dealer_out") : promptText()),
    away ? h("button", { onclick: () => send({ type: "back", table: about.table }) }, t("come_back")) : null);
}

function actions() {
  const view = shown.view;
  if (!view.to_decide) return h("div", { class: "actions" });
  const deck = deckOf(game), need = cardsNeeded(view);
  const plain = view.legal.filter((action) => !(need.verb && action.cards.length));
  const list = all || plain.length <= SHOWN + 2 ? plain : ordered(plain).slice(0, SHOWN);
  const buttons = list.map((action) => {
    const meaning = words.actions?.[action.text]?.[1];
    return h("button", { class: hint?.action === action.text ? "action hinted" : "action", "data-key": action.text, "data-action": action.text, onclick: () => act(action) },
      h("b", {}, actionLabel(deck, words, action)), meaning && list.length <= SHOWN + 2 ? h("small", {}, meaning) : null);
  });
  if (plain.length > list.length || all) buttons.push(h("button", { class: "plain", "data-key": "more", onclick: () => { all = !all; draw(); } }, all ? t("less") : `${t("more")} (${plain.length - list.length})`));
  if (need.verb && need.verb !== "play") {
    const picked = view.legal.find((action) => action.cards.length === chosen.size && action.cards.every((card) => chosen.has(card)));
    buttons.push(h("button", { class: "action", "data-key": "confirm", id: "confirm", disabled: !picked, onclick: () => picked && act(picked) },
      h("b", {}, actionLabel(deck, {}, { verb: need.verb, value: "", text: "", cards: [] }) || t("confirm")), h("small", {}, t("chosen", { n: chosen.size, of: need.count }))));
  }
  return h("div", { class: "actions" }, buttons);
}
// Words without a value (pass, yes) first, so that they never hide behind "more".
const ordered = (list) => [...list.filter((action) => !action.value), ...list.filter((action) => action.value)];

function cardButton(name, legal, extra = "") {
  const view = shown.view, picked = chosen.has(name);
  const hinted = hint?.action && hint.action.split(" ").slice(1).includes(name);
  const active = view.to_decide && cardsNeeded(view).verb;
  return h("button", { class: `face${active && !legal ? " illegal" : ""}${active && legal ? " legal" : ""}${picked ? " picked" : ""}${hinted ? " hinted" : ""}${extra}`, "data-card": name, "data-key": name,
    "aria-label": cardName(deckOf(game), name), "aria-disabled": active && !legal ? "true" : null, "aria-pressed": picked ? "true" : null, onclick: () => clickCard(name) }, drawCard(deckOf(game), name));
}

function hand() {
  const view = shown.view;
  if (shown.seat === null) return null;
  const mine = view.turn === view.seat || !view.to_decide;
  const legal = new Set(mine ? view.legal.flatMap((action) => action.cards) : []);
  const fresh = new Set(view.phase === "tricks" ? [] : view.picked_up);
  return h("div", { class: "hand", role: "group", "aria-label": t("cards"), onkeydown: walk }, sorted(game, view.hand, view.rules).map((group) => h("span", { class: "suit" }, group.map((name) => cardButton(name, legal.has(name), fresh.has(name) ? " new" : "")))));
}
function walk(event) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  const cards = [...event.currentTarget.querySelectorAll("button")];
  cards[(cards.indexOf(document.activeElement) + step + cards.length) % cards.length].focus();
  event.preventDefault();
}

function tools() {
  const view = shown.view;
  const toggle = (name) => h("button", { class: "plain", "data-key": `tool-${name}`, "aria-expanded": String(panel === name), onclick: () => { panel = panel === name ? "" : name; draw(); } }, t(name));
  return h("div", { class: "tools" },
    view.to_decide ? h("button", { class: "plain", "data-key": "hint", id: "hint", onclick: askHint }, t("hint")) : null,
    view.interruptions.map((action) => h("button", { class: "plain", "data-key": action.text, title: words.actions?.[action.text]?.[1], onclick: () => act(action) }, actionLabel(deckOf(game), words, action))),
    toggle("last"), toggle("history"), toggle("sheet"),
    about.you !== null ? h("button", { class: "plain", "data-key": "leave", onclick: () => { if (confirm(t("sure_leave"))) { send({ type: "leave", table: about.table }); location.hash = ""; get("home").click(); } } }, t("leave")) : null);
}
function askHint() {
  if (!send({ type: "hint", table: about.table })) return;
  hint = { waiting: true };
  draw();
}

function side() {
  return h("div", { class: "side" }, shown && !shown.view.rules ? botLines() : null, hint ? hintBox() : null, panel === "last" ? lastTrick() : null, panel === "history" ? historyBox() : null, panel === "sheet" || result ? sheet() : null);
}

function hintBox() {
  if (hint.waiting) return h("div", { class: "box" }, t("hint_wait"));
  if (hint.failed) return h("div", { class: "box" }, hint.failed);
  const deck = deckOf(game), action = shown.view.legal.find((one) => one.text === hint.action) || { text: hint.action, verb: hint.action, value: "", cards: [] };
  return h("div", { class: "box hintbox", id: "hintbox" },
    h("p", {}, h("b", {}, t("hint_says", { by: botName(hint.by), what: action.verb === "play" ? cardName(deck, action.cards[0]) : hint.label || actionLabel(deck, words, action) }))),
    h("p", { class: "reason" }, hint.reason),
    hint.proven ? h("p", { class: "proven" }, "✓ ", t("proven_sure")) : null,
    hint.chances.length ? h("details", {}, h("summary", {}, t("chances")), h("table", {}, hint.chances.map((one) => h("tr", {}, h("td", {}, cardName(deck, one.card)), h("td", { class: "number" }, `${Math.round(100 * one.chance)} %`), h("td", {}, h("progress", { max: 1, value: one.chance, "aria-hidden": "true" })))))) : null,
    h("p", { class: "small" }, t("hint_unrated")));
}

function lastTrick() {
  const trick = shown?.view.tricks.at(-1);
  if (!trick) return h("div", { class: "box" }, "–");
  return h("div", { class: "box" }, h("div", { class: "fan small" }, trick.cards.map((name, n) => h("figure", {}, cardFace(game, name), h("figcaption", {}, seatName((trick.leader + n) % about.seats.length))))), h("p", {}, t("takes", { name: seatName(trick.winner) }), trick.cost ? ` (${trick.cost})` : ""));
}
function historyBox() {
  const meaning = (event) => words.actions?.[event.text]?.[1];
  return h("div", { class: "box", id: "history" }, shown.view.rules ? botLines() : null, h("ol", { class: "history" }, shown.view.events.map((event) => h("li", {}, `${seatName(event.seat)}: ${event.verb === "play" ? cardName(deckOf(game), event.cards[0]) : actionLabel(deckOf(game), words, event)}`, event.verb !== "pass" && meaning(event) ? h("small", {}, ` ${meaning(event)}`) : null))));
}
function sheet() {
  const totals = about.chairs.map((_, chair) => about.points.reduce((sum, row) => sum + row[chair], 0));
  const row = (cells, tag = "td") => h("tr", {}, cells.map((cell, n) => h(n ? tag : "th", { class: n ? "number" : "", scope: n ? null : "row" }, cell)));
  return h("div", { class: "box scroll" }, h("table", { class: "sheet" }, h("caption", {}, t("sheet")), h("thead", {}, row(["", ...about.chairs.map((_, n) => chairName(n))], "th")),
    h("tbody", {}, about.points.map((points, n) => row([String(n + 1), ...points.map(String)])), row([t("total"), ...totals.map((sum) => h("b", {}, String(sum)))]))));
}

function resultText() {
  const won = result.won === null || result.won === undefined ? "" : t(result.won ? "won" : "lost");
  return `${t("over")}. ${won}`;
}
function score() {
  const names = about.chairs.map((_, n) => chairName(n));
  const detail = Object.entries(result.detail).filter(([key, value]) => !["seeger", "declarer", "contract", "won", "passed"].includes(key) && (typeof value === "number" || typeof value === "string"));
  return h("div", { class: "box score", id: "score", role: "region", "aria-label": t("over") },
    h("h2", {}, result.detail.passed ? t("passed") : resultText()),
    h("p", { class: "detail" }, detail.map(([key, value]) => h("span", {}, `${factName(key)} ${value}`))),
    h("p", {}, result.table_points.map((value, n) => h("span", { class: "points" }, `${names[n]} `, h("b", {}, value > 0 ? `+${value}` : String(value))))),
    h("div", { class: "dealt" }, Object.entries(result.deal).map(([place, cards]) => h("div", {}, h("small", {}, /^\d+$/.test(place) ? seatName(Number(place)) : place), openHand(game, cards, shown?.view.rules)))),
    result.compare.length ? h("div", {}, h("h3", {}, t("compare")), result.compare.map((other) => h("p", {}, other.players.map((name, n) => `${botName(name)} ${other.points[n]}`).join(", ")))) : null,
    h("div", { class: "actions" },
      about.state === "between" && about.you !== null ? h("button", { class: "action", id: "next", "data-key": "next", onclick: () => { send({ type: "next", table: about.table }); toast("..."); } }, h("b", {}, t("next"))) : null,
      h("button", { class: "action", id: "review", "data-key": "review", onclick: () => { location.hash = `review=${result.id}&game=${encodeURIComponent(game.spec)}`; } }, h("b", {}, t("review"))),
      h("button", { class: "plain", "data-key": "record", onclick: async () => download(`${result.id}.jsonl`, await (await fetched("record", { id: result.id })).text()) }, t("record"))));
}

setInterval(() => {
  const clock = get("clock");
  if (clock) clock.textContent = deadline === null ? "" : `⏱ ${t("seconds", { n: Math.max(0, Math.ceil((deadline - Date.now()) / 1000)) })}`;
}, 500);

document.addEventListener("keydown", (event) => {
  if (!about || event.ctrlKey || event.metaKey || event.altKey || /INPUT|SELECT|TEXTAREA/.test(event.target.tagName)) return;
  const id = { h: "hint", n: "next", r: "review" }[event.key];
  if (id) get(id)?.click();
  if (event.key === "l") { panel = panel === "last" ? "" : "last"; draw(); }
});
export { me, lang };
