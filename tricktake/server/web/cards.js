// Cards: their shapes and drawings are in tricktake/faces.json, which notebooks draw from, too; served as faces.js.
import FACES from "./faces.js";
import { cardName, rankText } from "./words.js";

let german = localStorage.getItem("tricktake.faces") === "german";
export const facesGerman = () => german;
export function useGerman(on) {
  german = on;
  localStorage.setItem("tricktake.faces", on ? "german" : "french");
}

const isSchafkopf = (deck) => deck.suits.some((suit) => suit.label === "E");
const isFrench = (deck) => deck.suits.length === 4 && deck.suits.every((suit) => "CSHD".includes(suit.label));

const suitsOf = (deck) => FACES.suits[isSchafkopf(deck) ? "bavarian" : !isFrench(deck) ? "" : german ? "german" : "french"] || {};

const escaped = (text) => String(text).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
const filled = (name, values) => FACES[name].replace(/\{(\w+)\}/g, (_, key) => values[key]);
const drawn = (svg) => document.importNode(new DOMParser().parseFromString(svg, "image/svg+xml").documentElement, true);

export function suitIcon(deck, suit) {
  const shape = FACES.shapes[suitsOf(deck)[suit]];
  return shape ? drawn(filled("icon", shape)) : suit;
}

export function drawCard(deck, name) {
  const card = deck.byName[name];
  const shape = FACES.shapes[suitsOf(deck)[card.suit]];
  const rank = rankText(deck, card);
  const number = Math.max(0, deck.suits.findIndex((x) => x.label === card.suit));
  const values = { ...(shape || { ink: FACES.others[number % FACES.others.length] }), rank: escaped(rank), suit: escaped(card.suit), x: rank.length > 1 ? 3 : 5 };
  const court = /^[A-Z]$/.test(rank) && rank !== "A"; // framed, as pictures are
  const corner = filled(rank.length > 2 ? "long" : "rank", values) + (shape ? filled("corner", values) : "");
  return drawn(filled("card", { corner, face: filled(shape ? (court ? "court" : "pip") : "own", values) }));
}

export const drawBack = () => drawn(FACES.back);

export const withNames = (deck) => ({ ...deck, byName: Object.fromEntries(deck.cards.map((card) => [card.name, card])), german: isSchafkopf(deck), french: isFrench(deck) });
export { cardName };
