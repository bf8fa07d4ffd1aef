// Cards drawn for this project: one small source of shapes, French and German suits.
import { s } from "./dom.js";
import { cardName, rankText } from "./words.js";

// Shapes in a box of 24 by 24: [path, colour] pairs.
const HEART = "M12 21.500C5.500 16 2 12.600 2 8.300A5.200 5.200 0 0 1 12 6a5.200 5.200 0 0 1 10 2.300c0 4.300-3.500 7.700-10 13.200z";
const RED = "#c21f1f", BLACK = "#1b1b22", GREEN = "#2d7a2d", BROWN = "#8a5a1f", GOLD = "#c98a00";
const SHAPES = {
  C: [["M12 2a4.700 4.700 0 0 1 4.300 6.700A4.800 4.800 0 1 1 13.300 16.500c.2 2.200.9 4 2.200 5.500h-7c1.300-1.500 2-3.300 2.200-5.500a4.800 4.800 0 1 1-3-7.800A4.700 4.700 0 0 1 12 2z", BLACK]],
  S: [["M12 2c7 6 10 9 10 13a4.600 4.600 0 0 1-8.600 2.200c.2 2 .9 3.600 2.100 4.800h-7c1.200-1.200 1.900-2.800 2.100-4.800A4.600 4.600 0 0 1 2 15c0-4 3-7 10-13z", BLACK]],
  H: [[HEART, RED]],
  D: [["M12 1.500 20 12l-8 10.500L4 12z", RED]],
  acorn: [["M6.500 10.500h11c0 5.500-2.500 8.500-5.500 12-3-3.500-5.500-6.500-5.500-12z", GOLD], ["M4.500 10c0-4 3.500-6.500 6.600-6.700L11 .8h2l-.1 2.500C16 3.500 19.500 6 19.500 10z", BROWN]],
  leaf: [["M12 1.500c6 4 8.500 7.500 8.500 11.200 0 3.300-3 5-5.600 4.300-1-.3-1.700-.8-2.100-1.500.1 2.700.6 4.900 2.200 7h-3.500c-.7-2.100-.9-4.300-.8-7-.4.700-1 1.200-2 1.500-2.700.7-5.700-1-5.700-4.300C3 9 6 5.500 12 1.500z", GREEN]],
  heart: [[HEART, RED]],
  bell: [["M12 2.500a9.500 9.500 0 1 0 0 19 9.500 9.500 0 0 0 0-19z", GOLD], ["M3 11.200h18v1.600H3zM11.200 13h1.600v6h-1.600zM12 17a2 2 0 1 1 0 4 2 2 0 0 1 0-4z", BROWN]],
};
const GERMAN = { C: "acorn", S: "leaf", H: "heart", D: "bell" };
const SCHAFKOPF = { E: "acorn", G: "leaf", H: "heart", S: "bell" };
const OTHERS = ["#1c5c3b", "#8a2d6b", "#20508f", "#96501a", "#444"];

let german = localStorage.getItem("tricktake.faces") === "german";
export const facesGerman = () => german;
export function useGerman(on) {
  german = on;
  localStorage.setItem("tricktake.faces", on ? "german" : "french");
}

const isSchafkopf = (deck) => deck.suits.some((suit) => suit.label === "E");
const isFrench = (deck) => deck.suits.length === 4 && deck.suits.every((suit) => "CSHD".includes(suit.label));

// The name of a suit's shape, null where the deck has suits of its own.
export function shapeOf(deck, suit) {
  if (isSchafkopf(deck)) return SCHAFKOPF[suit] || null;
  if (!isFrench(deck) || !SHAPES[suit]) return null;
  return german ? GERMAN[suit] : suit;
}

function symbol(shape, x, y, size) {
  const scale = size / 24;
  return s("g", { transform: `translate(${x} ${y}) scale(${scale})` }, SHAPES[shape].map(([d, fill]) => s("path", { d, fill })));
}

export function suitIcon(deck, suit) {
  const shape = shapeOf(deck, suit);
  return shape ? s("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }, symbol(shape, 0, 0, 24)) : suit;
}

export function drawCard(deck, name) {
  const card = deck.byName[name];
  const shape = shapeOf(deck, card.suit);
  const colour = shape ? SHAPES[shape].at(-1)[1] === BROWN ? BROWN : SHAPES[shape][0][1] : OTHERS[Math.max(0, deck.suits.findIndex((x) => x.label === card.suit)) % OTHERS.length];
  const rank = rankText(deck, card);
  const corner = (turned) => s("g", { transform: turned ? "rotate(180 30 42)" : "" },
    s("text", { x: rank.length > 1 ? 3 : 5, y: 20, fill: colour, class: "rank", textLength: rank.length > 2 ? 30 : null }, rank),
    shape ? symbol(shape, 4, 24, 12) : null);
  const court = /^[A-Z]$/.test(rank) && rank !== "A"; // framed, as pictures are
  const face = shape
    ? [court ? s("rect", { x: 17, y: 26, width: 26, height: 32, rx: 3, fill: "none", stroke: colour, "stroke-width": 1.2 }) : null, symbol(shape, court ? 20 : 18, court ? 32 : 30, court ? 20 : 24)]
    : [s("text", { x: 30, y: 50, fill: colour, class: "own", "text-anchor": "middle" }, card.suit)];
  return s("svg", { viewBox: "0 0 60 84", class: "card", "aria-hidden": "true" },
    s("rect", { x: 0.75, y: 0.75, width: 58.5, height: 82.5, rx: 6, fill: "#fffdf7", stroke: "#8b8b80" }), corner(false), corner(true), face);
}

export function drawBack() {
  return s("svg", { viewBox: "0 0 60 84", class: "card back", "aria-hidden": "true" },
    s("rect", { x: 0.75, y: 0.75, width: 58.5, height: 82.5, rx: 6, fill: "#274b8f", stroke: "#15305f" }),
    s("path", { d: "M30 12 48 42 30 72 12 42z", fill: "none", stroke: "#9db7e8", "stroke-width": 2 }));
}

export const withNames = (deck) => ({ ...deck, byName: Object.fromEntries(deck.cards.map((card) => [card.name, card])), german: isSchafkopf(deck), french: isFrench(deck) });
export { cardName };
