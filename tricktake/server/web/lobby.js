// The first screen: one click to a game, other games, open tables, finished games, ratings, records, invitations.
import { h, put, toast } from "./dom.js";
import { t } from "./words.js";
import { fetchJson, gameOf, invitation, me, send, connect } from "./link.js";
import { botName, botText } from "./table.js";

let tables = [], games = null, target = null, picked = null, invited = "";

export function openLobby(element) {
  target = element;
  send({ type: "tables" });
  draw();
  if (!games) fetchJson("games").then((found) => { games = found; draw(); }, (error) => toast(error.message));
}
export function closeLobby() { target = null; }
export function onTables(message) { tables = message.tables; draw(); }
export function onInvitation(message) { invited = `${location.origin}/#invitation=${message.code}`; draw(); }

const front = () => games.find((game) => game.front); // the one offered first
const start = (game, chairs, more = {}) => send({ type: "create", game, chairs, ...more });

export function askName(element) {
  const field = h("input", { id: "name", maxlength: 24, autocomplete: "nickname", required: true });
  const enter = (event) => { event.preventDefault(); connect({ token: undefined, invitation, name: field.value }); };
  put(element, h("form", { class: "box", onsubmit: enter }, invitation ? [h("label", { for: "name" }, t("name")), field, h("button", { class: "action" }, h("b", {}, t("enter")))] : h("p", {}, t("need_link"))));
}

function draw() {
  if (!target) return;
  const first = games && games.length ? front() : null, bots = first ? first.chairs - 1 : 0;
  put(target, h("div", { class: "lobby" },
    first ? h("button", { class: "big", id: "front", onclick: () => start(first.game, ["me", ...Array(bots).fill("strong")]) },
      t("play_front", { game: first.game[0].toUpperCase() + first.game.slice(1), n: bots })) : null,
    mine(), h("section", {}, h("h2", {}, t("play_more")), games ? chooser() : t("loading")),
    h("section", {}, h("h2", {}, t("tables")), tableList()),
    h("section", { class: "links" }, h("a", { href: "#mine" }, t("my_games")), h("a", { href: "#ratings" }, t("ratings")), h("a", { href: "#replay" }, t("replay"))),
    me.host ? h("section", {}, h("h2", {}, t("host")), h("button", { onclick: () => send({ type: "invite" }) }, t("invite")), " ",
      h("button", { onclick: () => send({ type: "invite", bot: true }) }, t("invite_bot")), invited ? h("p", {}, t("invitation"), " ", h("code", {}, invited)) : null) : null));
}

function mine() {
  const own = tables.filter((table) => table.chairs.some((chair) => chair.kind === "person" && chair.name === me.name));
  if (!own.length) return null;
  return h("section", {}, own.map((table) => h("a", { class: "resume", href: `#table=${table.table}` }, `▶ ${table.game} ${table.number + 1}/${table.games}`)));
}

function chooser() {
  const select = h("select", { id: "game", onchange: () => { picked = select.value; draw(); } }, games.map((game) => h("option", { value: game.game, selected: game.game === (picked || front().game) }, `${game.game} – ${game.summary}`)));
  const game = games.find((one) => one.game === picked) || front();
  const bots = h("select", { id: "bots", onchange: () => tell() }, ["strong", "quick", "random"].map((name) => h("option", { value: name }, t(name))));
  const about = h("p", { class: "small", id: "bot" });
  let known = {};
  const tell = () => put(about, botText(known[bots.value]));
  gameOf(game.game).then((found) => {
    known = found.bots;
    for (const option of [...bots.options]) if (!(option.value in known)) option.remove();
    tell();
  });
  const sizes = h("select", { id: "players" }, game.tables.map((one) => h("option", { value: one.spec, selected: one.spec === game.game }, one.chairs > one.seats ? t("sits_out", { n: one.chairs }) : String(one.chairs))));
  const count = h("input", { id: "count", type: "number", min: 1, max: 360, value: game.series });
  const clock = h("input", { id: "seconds", type: "number", min: 1, max: 86400, placeholder: t("no_clock") });
  const deals = h("input", { id: "deals", maxlength: 40, title: t("deals_why") });
  const go = (open) => {
    const table = game.tables.find((one) => one.spec === sizes.value);
    const facts = { games: Number(count.value) || undefined, deals: deals.value || undefined };
    if (clock.value) facts.person_seconds = Number(clock.value);
    start(table.spec, ["me", ...Array(table.chairs - 1).fill(open ? "open" : bots.value)], facts);
  };
  return h("div", { class: "chooser" }, h("label", {}, t("game"), " ", select), game.tables.length > 1 ? h("label", {}, t("players"), " ", sizes) : null, h("label", {}, t("bots"), " ", bots), h("label", {}, t("games"), " ", count), h("label", {}, t("clock"), " ", clock),
    h("label", {}, t("deals"), " ", deals), about,
    h("div", { class: "actions" }, h("button", { class: "action", id: "start", onclick: () => go(false) }, h("b", {}, t("against"))), h("button", { class: "action", id: "open", onclick: () => go(true) }, h("b", {}, t("open_table")))));
}

function tableList() {
  if (!tables.length) return h("p", {}, t("no_tables"));
  return h("ul", { class: "tables" }, tables.slice(0, 100).map((table) => h("li", {}, h("b", {}, table.game), ` ${table.number + 1}/${table.games} `,
    table.chairs.map((chair) => h("span", { class: "tag" }, chair.kind === "open" ? t("free") : botName(chair.name))),
    table.chairs.some((chair) => chair.kind === "open") && !table.chairs.some((chair) => chair.name === me.name) ? h("button", { onclick: () => { location.hash = `table=${table.table}`; setTimeout(() => send({ type: "sit", table: table.table }), 50); } }, t("sit")) : null,
    h("a", { href: `#table=${table.table}` }, t("watch")))));
}

export async function openMine(element) {
  put(element, h("p", {}, t("loading")));
  const found = await fetchJson("mine");
  put(element, h("h2", {}, t("my_games")), found.length ? h("ul", { class: "tables" }, found.map((game) => h("li", {}, h("b", {}, game.game), ` ${new Date(1000 * game.ended).toLocaleString()} `,
    game.players.map((name, n) => h("span", { class: "tag" }, `${n === game.you ? t("you") : botName(name)} ${game.points[n]}`)), game.rated ? null : h("small", {}, t("not_rated")),
    h("a", { href: `#review=${game.id}&game=${encodeURIComponent(game.game)}` }, t("review"))))) : h("p", {}, t("no_games")));
}

export async function openRatings(element) {
  put(element, h("p", {}, t("loading")));
  const all = games || (games = await fetchJson("games"));
  const box = h("div", {});
  const select = h("select", { id: "rated", onchange: () => show(select.value) }, all.map((game) => h("option", { value: game.game, selected: game.front }, game.game)));
  const show = async (name) => {
    const rows = await fetchJson("ratings", { game: name });
    put(box, rows.length ? h("table", { class: "sheet" }, h("tr", {}, ["", t("rating"), "±", t("games"), t("average")].map((cell) => h("th", {}, cell))),
      rows.map((row) => h("tr", {}, h("th", { scope: "row" }, row.name.startsWith("bot:") ? `${botName(row.name)} (${t("bot")})` : row.name), [row.rating, row.error, row.games, row.average].map((cell) => h("td", { class: "number" }, String(cell)))))) : h("p", {}, t("no_ratings")));
  };
  put(element, h("h2", {}, t("ratings")), h("label", {}, t("game"), " ", select), box);
  show(select.value);
}
