// What follows from the JSON of a view: the order of a hand, who sits where, who won a trick.
import { drawBack, drawCard, cardName, withNames } from "./cards.js";
import { h } from "./dom.js";

export function deckOf(game) {
  if (!game.named) game.named = withNames(game.deck);
  return game.named;
}

// Cards of a hand in groups: trumps first, then suits in turn of colour; the strongest first.
export function sorted(game, cards, rules) {
  const deck = deckOf(game);
  rules = rules || game.order;
  const suitOf = (name) => (rules ? rules.suit[name] : deck.suits.findIndex((x) => x.label === deck.byName[name].suit));
  const index = Object.fromEntries(deck.cards.map((card, n) => [card.name, n]));
  const power = (name) => (rules ? rules.power[name] : index[name]);
  const groups = new Map();
  for (const name of cards) {
    const suit = suitOf(name);
    if (!groups.has(suit)) groups.set(suit, []);
    groups.get(suit).push(name);
  }
  const trump = rules ? rules.trump : null;
  const order = [...groups.keys()].sort((a, b) => (b === trump) - (a === trump) || a - b);
  return order.map((suit) => groups.get(suit).sort((a, b) => power(b) - power(a) || index[a] - index[b]));
}

// Where a seat is drawn, for who sits at `mine`: 0 at the bottom, then to the left and round.
export const around = (seat, mine, seats) => (seat - (mine ?? 0) + seats) % seats;

export const spot = (position, seats) => {
  if (position === 0) return "south";
  if (seats === 2) return "north";
  if (seats === 3) return position === 1 ? "west" : "east";
  if (seats === 4) return ["", "west", "north", "east"][position];
  return position === 1 ? "west" : position === seats - 1 ? "east" : "north";
};

export const cardFace = (game, name, extra = {}) => h("span", { class: "face", role: "img", "aria-label": cardName(deckOf(game), name), "data-card": name, ...extra }, drawCard(deckOf(game), name));
export const cardBack = () => h("span", { class: "face", "aria-hidden": "true" }, drawBack());

export function openHand(game, cards, rules, small = true) {
  const groups = sorted(game, cards, rules);
  return h("span", { class: small ? "fan small" : "fan" }, groups.map((group) => group.map((name) => cardFace(game, name))));
}
