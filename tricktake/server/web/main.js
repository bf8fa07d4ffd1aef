// Where everything begins: which screen is shown, and the buttons above it.
import { facesGerman, useGerman } from "./cards.js";
import { get, h, put } from "./dom.js";
import { connect, invitation, me, on, send, token } from "./link.js";
import { askName, closeLobby, onInvitation, onTables, openLobby, openMine, openRatings } from "./lobby.js";
import { openReplay, openReview } from "./review.js";
import { current, leaveTable, onHint, onResult, onTable, onView, openTable } from "./table.js";
import { lang, speak, t } from "./words.js";

const main = get("main");

function route() {
  const asked = new URLSearchParams(location.hash.slice(1));
  if (current() && String(current()) !== asked.get("table")) { send({ type: "unwatch", table: current() }); leaveTable(); }
  closeLobby();
  get("where").textContent = me.name;
  if (asked.has("table")) openTable(main, Number(asked.get("table")));
  else if (asked.has("review")) openReview(main, asked.get("review"), asked.get("game") || "");
  else if (asked.has("mine")) openMine(main);
  else if (asked.has("ratings")) openRatings(main);
  else if (asked.has("replay")) openReplay(main);
  else openLobby(main);
}

on("welcome", route);
on("refused", (message) => { askName(main); if (message.field !== "token") get("toast").textContent = message.reason; });
on("created", (message) => { location.hash = `table=${message.table}`; });
on("tables", onTables);
on("table", onTable);
on("view", onView);
on("result", onResult);
on("hint", onHint);
on("invitation", onInvitation);

window.addEventListener("hashchange", route);
get("home").addEventListener("click", () => { if (location.hash) location.hash = ""; else route(); });
const labels = () => {
  get("language").textContent = lang() === "de" ? "EN" : "DE";
  get("language").setAttribute("aria-label", lang() === "de" ? "English" : "Deutsch");
  get("faces").setAttribute("aria-label", t("faces"));
  get("faces").setAttribute("aria-pressed", String(facesGerman()));
  get("faces").title = t("faces");
  document.querySelector(".skip").textContent = t("skip");
};
get("language").addEventListener("click", () => { speak(lang() === "de" ? "en" : "de"); labels(); connect(); });
get("faces").addEventListener("click", () => { useGerman(!facesGerman()); labels(); route(); });
labels();

if (!token() || (invitation && !token())) askName(main);
else { put(main, h("p", {}, t("loading"))); connect(); }
