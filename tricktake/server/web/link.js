// The connection: the token, the websocket with its return after a break, and what is fetched.
import { lang, t } from "./words.js";
import { get, toast } from "./dom.js";

const KEY = "tricktake.token";
const asked = new URLSearchParams(location.hash.slice(1));
if (asked.has("token")) localStorage.setItem(KEY, asked.get("token"));
export const invitation = asked.get("invitation");
if (location.hash) history.replaceState(null, "", location.pathname + location.search);

export const me = { name: "", host: false, bot: false, tables: [] };
const handlers = {};
export const on = (type, handler) => { handlers[type] = handler; };
export const token = () => localStorage.getItem(KEY);

let socket = null, ready = false, tries = 0;

export function send(message) {
  if (!ready) { toast(t("offline")); return false; }
  socket.send(JSON.stringify(message));
  return true;
}

export function connect(hello = {}) {
  if (socket) { socket.onclose = null; socket.close(); }
  ready = false;
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  socket = new WebSocket(`${scheme}://${location.host}/play`);
  socket.onopen = () => socket.send(JSON.stringify({ type: "hello", protocol: 1, token: token() || "", language: lang(), ...hello }));
  socket.onmessage = (event) => {
    const message = JSON.parse(event.data);
    if (message.type === "welcome") {
      ready = true;
      tries = 0;
      document.body.dataset.welcomes = Number(document.body.dataset.welcomes || 0) + 1;
      get("link").textContent = "";
      if (message.token) localStorage.setItem(KEY, message.token);
      Object.assign(me, message);
    }
    if (message.type === "error" && !ready) {
      if (message.field === "token") localStorage.removeItem(KEY);
      tries = -1;
      handlers.refused?.(message);
      return;
    }
    if (message.type === "error") toast(message.reason);
    handlers[message.type]?.(message);
  };
  socket.onclose = () => {
    ready = false;
    if (tries < 0) return;
    get("link").textContent = t("offline");
    tries += 1;
    setTimeout(connect, Math.min(8000, 250 * 2 ** tries));
  };
}
// For tests of the return after a break.
window.tricktakeBreak = () => socket.close();

export async function fetched(path, facts = {}, body = null) {
  const query = new URLSearchParams(facts).toString();
  const options = { headers: { Authorization: `Bearer ${token()}` } };
  if (body !== null) Object.assign(options, { method: "POST", body });
  const answer = await fetch(`/api/${path}?${query}`, options);
  if (!answer.ok) {
    const reason = await answer.json().catch(() => ({ reason: answer.statusText }));
    throw new Error(reason.reason || answer.statusText);
  }
  return answer;
}
export const fetchJson = async (path, facts, body) => (await fetched(path, facts, body)).json();

const games = {};
export async function gameOf(spec) {
  if (!games[spec]) games[spec] = fetchJson("game", { game: spec });
  return games[spec];
}
