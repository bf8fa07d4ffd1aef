// A game looked at again: every position with open cards, its value, what each card lost, what was sure.
import { announce, download, h, put, s, toast } from "./dom.js";
import { cardName } from "./cards.js";
import { actionLabel, lang, t, trickCount } from "./words.js";
import { fetchJson } from "./link.js";
import { botName } from "./table.js";
import { cardFace, deckOf, openHand, spot } from "./view.js";

let found = null, game = null, at = 0, target = null;

export async function openReview(element, id, spec) {
  target = element;
  put(target, h("p", { role: "status" }, t("hint_wait")));
  try { show(await fetchJson("review", { id, game: spec, language: lang() })); } catch (error) { put(target, h("p", {}, error.message)); }
}

export async function openReplay(element) {
  target = element;
  const games = await fetchJson("games");
  const list = h("div", {});
  const select = h("select", { id: "upload-game" }, games.map((one) => h("option", { value: one.game, selected: one.front }, one.game)));
  const file = h("input", { type: "file", id: "upload" });
  file.addEventListener("change", async () => {
    const one = file.files[0];
    if (!one) return;
    put(list, t("loading"));
    try {
      const read = await fetchJson("upload", { game: select.value, name: one.name }, one);
      put(list, read.refused ? h("p", {}, t("refused", { n: read.refused })) : null, h("ul", { class: "tables" }, read.records.map((record) => h("li", {}, h("button", { onclick: () => look(record.record, select.value) }, `${record.id} ${record.contract}`), " ", record.players.join(", ")))), read.faults.map((text) => h("small", {}, text)));
    } catch (error) { put(list, h("p", {}, error.message)); }
  });
  put(target, h("h2", {}, t("replay")), h("p", {}, t("upload_why")), h("label", {}, t("game"), " ", select), " ", h("label", {}, t("upload"), " ", file), list);
}

async function look(record, spec) {
  put(target, h("p", { role: "status" }, t("hint_wait")));
  try { show(await fetchJson("review", { game: spec, language: lang() }, record)); } catch (error) { toast(error.message); }
}

function show(review) {
  found = review;
  game = review.game;
  at = Math.max(0, found.frames.findIndex((frame) => frame.event?.verb === "play") - 1);
  draw();
}

const name = (seat) => (found.players[seat] ? botName(found.players[seat]) : String(seat)) + (found.players.filter((one) => one === found.players[seat]).length > 1 ? ` ${seat}` : "");
const first = () => found.frames.findIndex((frame) => frame.event?.verb === "play");

function draw() {
  const frame = found.frames[at], last = found.frames.length - 1;
  const go = (to) => { at = Math.max(0, Math.min(last, to)); draw(); target.querySelector("#frame")?.focus(); };
  const button = (text, label, to) => h("button", { class: "plain", "aria-label": label, onclick: () => go(to) }, text);
  const slider = h("input", { id: "frame", type: "range", min: 0, max: last, value: at, "aria-label": t("position"), oninput: (event) => go(Number(event.target.value)) });
  put(target, h("section", { class: "review" },
    h("h2", {}, t("review")), found.contract ? h("p", {}, `${t("contract")}: `, h("b", {}, found.called || found.contract.text), found.contract.declarer === null ? "" : ` · ${name(found.contract.declarer)}`) : null,
    summary(), h("div", { class: "player" }, button("|◀", t("first"), 0), button("◀", t("previous"), at - 1), slider, button("▶", t("following"), at + 1), button("▶|", t("final"), last)),
    h("p", { class: "now", role: "status" }, frame.event ? `${name(frame.event.seat)}: ${frame.event.verb === "play" ? cardName(deckOf(game), frame.event.cards[0]) : frame.event.said || actionLabel(deckOf(game), {}, frame.event)}` : "", value()),
    board(frame), chart(go), list(go)));
}

function stepAt() { return at - first(); }
function value() {
  const step = found.steps[stepAt()];
  if (!step) return "";
  return h("span", {}, ` · ${t("value")}: ${step.after}`, step.lost ? h("b", { class: "bad" }, ` −${step.lost}`) : "");
}

function summary() {
  if (found.unsolved) return h("p", { class: "box" }, t("unsolved", { why: found.unsolved }));
  if (!found.steps.length) return h("p", { class: "box" }, t("passed"));
  const one = found.steps[0], side = t("in_words", { who: found.side.map(name).join(" + ") });
  const lost = {};
  for (const step of found.steps) lost[step.seat] = (lost[step.seat] || 0) + step.lost;
  const gave = Object.entries(lost).filter(([, n]) => n);
  const lines = [];
  if (one.won_before !== null) lines.push(h("b", {}, t(one.won_before ? "could_yes" : "could_no", { side })), ...(found.turned.length ? found.turned.map((n) => t("turned", { n: n + 1, who: name(found.steps[n].seat), card: cardName(deckOf(game), found.steps[n].card) })) : [t("never_turned")]));
  lines.push(gave.length ? gave.map(([seat, n]) => t("gave", { who: name(Number(seat)), n })).join("; ") + "." : t("no_loss"));
  const sure = found.certificate;
  if (sure) lines.push(h("span", {}, "✓ ", t("certificate", { who: name(sure.seat), n: sure.card + 1, positions: Object.keys(sure.plan).length }), " ", h("button", { class: "plain", onclick: () => download(`certificate-${found.id}.json`, JSON.stringify(sure, null, 1)) }, t("certificate_save"))));
  return h("div", { class: "box", id: "summary" }, lines.map((line) => h("p", {}, line)));
}

function board(frame) {
  const seats = game.seats, places = Object.entries(frame.places);
  const trick = frame.table.length ? frame : { table: frame.last, leader: frame.last_leader };
  return h("div", { class: "felt" },
    places.filter(([place]) => /^\d+$/.test(place)).map(([place, cards]) => h("div", { class: `plate ${spot(Number(place), seats)}${frame.turn === Number(place) ? " turn" : ""}` }, h("div", { class: "who" }, h("b", {}, name(Number(place))), h("span", { class: "count" }, trickCount(frame.tricks[Number(place)]))), openHand(game, cards, found.rules))),
    h("div", { class: `trick${frame.table.length ? "" : " past"}` }, trick.table.map((card, n) => h("div", { class: `played ${spot((trick.leader + n) % seats, seats)}` }, cardFace(game, card)))),
    places.filter(([place, cards]) => !/^\d+$/.test(place) && cards.length && cards.length <= 12).map(([place, cards]) => h("div", { class: "plate extra" }, h("small", {}, place), openHand(game, cards, found.rules))));
}

// The value after each card as a line that can be clicked.
function chart(go) {
  if (found.steps.length < 2) return null;
  const values = [found.steps[0].before, ...found.steps.map((step) => step.after)];
  const most = Math.max(...values, 1), least = Math.min(...values, 0), width = 600, height = 90;
  const x = (n) => (n / (values.length - 1)) * width, y = (v) => height - 6 - ((v - least) / (most - least || 1)) * (height - 12);
  const now = stepAt() + 1;
  return s("svg", { viewBox: `0 0 ${width} ${height}`, class: "chart", role: "img", "aria-label": t("value"), onclick: (event) => { const box = event.currentTarget.getBoundingClientRect(); go(first() - 1 + Math.round(((event.clientX - box.left) / box.width) * (values.length - 1))); } },
    s("polyline", { points: values.map((v, n) => `${x(n)},${y(v)}`).join(" "), fill: "none", stroke: "#1c5c3b", "stroke-width": 2 }),
    /^at_/.test(found.goal?.kind) && found.goal.n >= least && found.goal.n <= most ? s("line", { x1: 0, x2: width, y1: y(found.goal.n), y2: y(found.goal.n), stroke: "#b3261e", "stroke-width": 1, "stroke-dasharray": "6 4" }) : null,
    found.steps.map((step, n) => (step.lost ? s("circle", { cx: x(n + 1), cy: y(step.after), r: 4, fill: "#c21f1f" }) : null)),
    now >= 0 && now < values.length ? s("line", { x1: x(now), x2: x(now), y1: 0, y2: height, stroke: "#888", "stroke-dasharray": "3 3" }) : null);
}

function list(go) {
  if (!found.steps.length) return null;
  const head = ["", t("trick"), t("who"), t("card"), t("before"), t("after"), t("lost_by"), t("sure")];
  return h("div", { class: "scroll" }, h("table", { class: "sheet steps" }, h("thead", {}, h("tr", {}, head.map((cell) => h("th", { scope: "col" }, cell)))), h("tbody", {}, found.steps.map((step, n) => h("tr", { class: `${n === stepAt() ? "now" : ""}${found.turned.includes(n) ? " turned" : ""}` },
    h("td", {}, h("button", { class: "plain", onclick: () => go(first() + n), "aria-label": t("step", { n: n + 1, of: found.steps.length }) }, String(n + 1))), h("td", { class: "number" }, String(step.trick)), h("td", {}, name(step.seat)), h("td", {}, cardName(deckOf(game), step.card)), h("td", { class: "number" }, String(step.before)), h("td", { class: "number" }, String(step.after)), h("td", { class: step.lost ? "number bad" : "number" }, step.lost ? String(step.lost) : ""), h("td", {}, step.sure ? "✓" : ""))))));
}
export { announce };
