// What the page says, in English and German.
import { facesGerman } from "./cards.js";

const EN = {
  play_front: "Play {game} against {n} bots", play_more: "Other games", tables: "Tables", my_games: "My games", ratings: "Ratings",
  replay: "Look at a record", upload: "Choose a file", upload_why: "Files of game records: ISS, PBN, JSON lines and whatever else is known",
  host: "The host", invite: "Invite a person", invite_bot: "Invite a program", open_table: "Table for people", against: "Against bots",
  sit: "Sit down", watch: "Watch", leave: "Leave", close: "Close the table", back: "Back to the tables", no_tables: "No table is open.",
  bots: "Bots", strong: "strong", quick: "quick", random: "random", games: "Games", series: "a series", clock: "Seconds a decision for people",
  no_clock: "no clock", program_joins: "How a program sits down", start: "Start", deals: "Name of shared deals", deals_why: "Tables with the same name play the same deals.",
  players: "Players", sits_out: "{n}, the dealer sits out", free: "free", you: "you", away: "away", bot: "bot", waiting: "Waiting for players", your_turn: "Your turn",
  choose_card: "play a card", choose_cards: "choose {n} cards", turn_of: "{name} is to act", chosen: "{n} of {of} chosen", confirm: "OK",
  hint: "Hint", hint_wait: "Thinking ...", hint_says: "{by} would: {what}", hint_unrated: "This game no longer counts for the rating.",
  chances: "What the policy thinks", proven_sure: "Proven: your side reaches its goal however the hidden cards lie.", last: "Last trick",
  history: "What happened", sheet: "Score sheet", next: "Next game", over: "The game is over", won: "The declarer's side has won.",
  lost: "The declarer's side has lost.", review: "Could I have won?", record: "Record", total: "Total", game: "Game", points: "Points",
  takes: "{name} takes the trick", plays: "{name}: {what}", tricks: "tricks", one_trick: "trick", cards: "cards", trump: "Trump", contract: "Contract",
  declarer: "declarer", dealer_out: "You sit out this game.", spectator: "You are watching.", you_are_away: "A bot plays for you.",
  come_back: "I am back", more: "More ...", less: "Less", offline: "No connection, trying again ...", online: "", loading: "Loading ...",
  name: "Your name", enter: "Come in", need_link: "Open the link that the server has printed, or ask for an invitation.", rating: "Rating",
  average: "a series", no_ratings: "No game was rated yet.", no_games: "You have not finished a game here.", not_rated: "not rated",
  value: "Open-card value", card: "Card", lost_by: "lost", before: "before", after: "after", sure: "sure", who: "Player", trick: "Trick",
  could_yes: "With open cards {side} wins from the start.", could_no: "With open cards {side} loses from the start.",
  turned: "The game turned with card {n}: {who}, {card}.", never_turned: "No card changed who wins.", gave: "{who} gave away {n}",
  no_loss: "Nobody gave anything away.", certificate: "{who} could be sure of the goal from card {n} on, wherever the cards lay. The plan is checked by the rules alone; positions: {positions}.",
  certificate_save: "Save the certificate", unsolved: "There is no open-card value: {why}", passed: "The deal was passed in.", step: "Card {n} of {of}",
  compare: "The same deal at other tables", invitation: "Send this link; it makes one account:", refused: "Records that could not be read: {n}", skip: "Skip to the table",
  faces: "German faces", claim: "Claim", position: "Position", first: "First", previous: "Previous", following: "Next", final: "Last", seconds: "{n} s", free_play: "Play {game}", in_words: "the side of {who}", chair: "Chair", stay: "Stay", sure_leave: "Leave this table? A bot will take your chair.",
};
const DE = {
  play_front: "{game} gegen {n} Bots spielen", play_more: "Andere Spiele", tables: "Tische", my_games: "Meine Spiele", ratings: "Rangliste",
  replay: "Eine Aufzeichnung ansehen", upload: "Datei wählen", upload_why: "Aufzeichnungen: ISS, PBN, JSON-Zeilen und was sonst bekannt ist",
  host: "Gastgeber", invite: "Jemanden einladen", invite_bot: "Ein Programm einladen", open_table: "Tisch für Leute", against: "Gegen Bots",
  sit: "Platz nehmen", watch: "Zusehen", leave: "Aufstehen", close: "Tisch schließen", back: "Zu den Tischen", no_tables: "Kein Tisch ist offen.",
  bots: "Bots", strong: "stark", quick: "schnell", random: "zufällig", games: "Spiele", series: "eine Serie", clock: "Sekunden Bedenkzeit für Leute",
  no_clock: "ohne Uhr", program_joins: "Wie ein Programm Platz nimmt", start: "Anfangen", deals: "Name gemeinsamer Karten", deals_why: "Tische mit demselben Namen spielen dieselben Karten.",
  players: "Spieler", sits_out: "{n}, der Geber setzt aus", free: "frei", you: "du", away: "weg", bot: "Bot", waiting: "Es fehlen noch Spieler", your_turn: "Du bist dran",
  choose_card: "spiele eine Karte", choose_cards: "wähle {n} Karten", turn_of: "{name} ist dran", chosen: "{n} von {of} gewählt", confirm: "OK",
  hint: "Tipp", hint_wait: "Denkt nach ...", hint_says: "{by} würde: {what}", hint_unrated: "Dieses Spiel zählt nicht mehr für die Rangliste.",
  chances: "Was das Netz meint", proven_sure: "Bewiesen: Deine Seite erreicht ihr Ziel, wie die verdeckten Karten auch liegen.", last: "Letzter Stich",
  history: "Was geschah", sheet: "Spielliste", next: "Nächstes Spiel", over: "Das Spiel ist aus", won: "Die Seite des Alleinspielers hat gewonnen.",
  lost: "Die Seite des Alleinspielers hat verloren.", review: "War das zu gewinnen?", record: "Aufzeichnung", total: "Summe", game: "Spiel", points: "Punkte",
  takes: "{name} macht den Stich", plays: "{name}: {what}", tricks: "Stiche", one_trick: "Stich", cards: "Karten", trump: "Trumpf", contract: "Spiel",
  declarer: "Alleinspieler", dealer_out: "Du setzt dieses Spiel aus.", spectator: "Du siehst zu.", you_are_away: "Ein Bot spielt für dich.",
  come_back: "Ich bin wieder da", more: "Mehr ...", less: "Weniger", offline: "Keine Verbindung, neuer Versuch ...", online: "", loading: "Lädt ...",
  name: "Dein Name", enter: "Eintreten", need_link: "Öffne den Link, den der Server gezeigt hat, oder lass dich einladen.", rating: "Wertung",
  average: "je Serie", no_ratings: "Noch kein Spiel wurde gewertet.", no_games: "Du hast hier noch kein Spiel beendet.", not_rated: "nicht gewertet",
  value: "Wert bei offenen Karten", card: "Karte", lost_by: "verschenkt", before: "vorher", after: "nachher", sure: "sicher", who: "Spieler", trick: "Stich",
  could_yes: "Bei offenen Karten gewinnt {side} von Anfang an.", could_no: "Bei offenen Karten verliert {side} von Anfang an.",
  turned: "Das Spiel kippte mit Karte {n}: {who}, {card}.", never_turned: "Keine Karte änderte, wer gewinnt.", gave: "{who} verschenkte {n}",
  no_loss: "Niemand verschenkte etwas.", certificate: "{who} konnte ab Karte {n} des Ziels sicher sein, wie die Karten auch lagen. Der Plan ist nur nach den Regeln geprüft; Stellungen: {positions}.",
  certificate_save: "Zertifikat speichern", unsolved: "Kein Wert bei offenen Karten: {why}", passed: "Es wurde eingepasst.", step: "Karte {n} von {of}",
  compare: "Dieselben Karten an anderen Tischen", invitation: "Schicke diesen Link; er ergibt ein Konto:", refused: "Nicht lesbare Aufzeichnungen: {n}", skip: "Zum Tisch",
  faces: "Deutsches Blatt", claim: "Der Rest gehört mir", position: "Stellung", first: "Anfang", previous: "Zurück", following: "Weiter", final: "Ende", seconds: "{n} s", free_play: "{game} spielen", in_words: "die Seite von {who}", chair: "Stuhl", stay: "Bleiben", sure_leave: "Aufstehen? Ein Bot nimmt deinen Platz.",
};
const VERBS = {
  en: { pass: "Pass", bid: "", yes: "Yes", take: "Take", hand: "Hand", leave: "Leave it", discard: "Put away", declare: "Declare", play: "Play", claim: "Claim", concede: "Give up", double: "Double", redouble: "Redouble", call: "Call", name: "Trump:", alone: "Alone", push: "Push", reserve: "Reservation", healthy: "Healthy", kontra: "Kontra", say: "Say", tell: "Tell", meld: "Meld" },
  de: { pass: "Passe", bid: "", yes: "Ja", take: "Aufnehmen", hand: "Hand", leave: "Liegen lassen", discard: "Drücken", declare: "Ansagen", play: "Spielen", claim: "Der Rest gehört mir", concede: "Aufgeben", double: "Kontra", redouble: "Rekontra", call: "Rufen", name: "Trumpf:", alone: "Allein", push: "Schieben", reserve: "Vorbehalt", healthy: "Gesund", kontra: "Kontra", say: "Ansage:", tell: "Sagen", meld: "Melden" },
};
const ROLES = {
  en: { bid: "bidding", exchange: "exchange", play: "cards" },
  de: { bid: "Reizen", exchange: "Tausch", play: "Karten" },
};
const PHASES = {
  de: { auction: "Reizen", skat: "Skat", discard: "Drücken", declaration: "Ansage", tricks: "Spiel", passing: "Weitergeben", reservations: "Vorbehalte", naming: "Ansage", doubling: "Legen", partner: "Rufen", trumps: "Trumpf", bidding: "Ansagen", announcements: "Ansagen", over: "zu Ende" },
};
const SUITS = {
  french: { en: { C: "clubs", S: "spades", H: "hearts", D: "diamonds" }, de: { C: "Kreuz", S: "Pik", H: "Herz", D: "Karo" } },
  german: { en: { C: "acorns", S: "leaves", H: "hearts", D: "bells" }, de: { C: "Eichel", S: "Grün", H: "Rot", D: "Schellen" } },
  schafkopf: { en: { E: "acorns", G: "leaves", H: "hearts", S: "bells" }, de: { E: "Eichel", G: "Gras", H: "Herz", S: "Schellen" } },
};
const RANKS = {
  en: { A: "ace", K: "king", Q: "queen", J: "jack", T: "ten", U: "unter", O: "ober", Z: "ten" },
  de: { A: "Ass", K: "König", Q: "Dame", J: "Bube", T: "Zehn", U: "Unter", O: "Ober", Z: "Zehn" },
};

let language = localStorage.getItem("tricktake.language") || ((navigator.language || "en").startsWith("de") ? "de" : "en");
export const lang = () => language;
export function speak(other) {
  language = other;
  localStorage.setItem("tricktake.language", other);
  document.documentElement.lang = other;
}
document.documentElement.lang = language;

export function t(key, facts = {}) {
  const text = (language === "de" ? DE : EN)[key] ?? EN[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (_, name) => facts[name] ?? "");
}
// What the detail of a score names, as far as it is usual.
const FACTS = {
  de: { bid: "Reizwert", value: "Spielwert", level: "Stufe", matadors: "Spitzen", eyes: "Augen", tricks: "Stiche", over: "Überstiche", runners: "Laufende", doubled: "verdoppelt", winner: "Gewinner", contract: "Spiel" },
};
export const factName = (name) => (FACTS[language] || {})[name] || name;
export const trickCount = (n) => `${n} ${t(n === 1 ? "one_trick" : "tricks")}`;
export const roleName = (name) => ROLES[language][name] || name;
export const phaseName = (name) => (PHASES[language] || {})[name] || name;

// A rank as it is printed on the card.
export function rankText(deck, card) {
  if (card.rank === "T" || (deck.german && card.rank === "Z")) return "10";
  if (facesGerman() && deck.french) return { J: "U", Q: "O" }[card.rank] || card.rank;
  if (language === "de" && deck.french) return { J: "B", Q: "D" }[card.rank] || card.rank;
  return card.rank;
}
export function suitName(deck, suit) {
  const names = SUITS[deck.german ? "schafkopf" : deck.french ? (facesGerman() ? "german" : "french") : ""];
  return names?.[language][suit] || suit;
}
// A card as it is spoken.
export function cardName(deck, name) {
  const card = deck.byName[name];
  if (!card || !(deck.french || deck.german)) return name;
  const turned = facesGerman() && deck.french ? { J: "U", Q: "O" }[card.rank] : null;
  const rank = RANKS[language][turned || card.rank] || card.rank;
  const suit = suitName(deck, card.suit);
  return language === "de" ? `${suit}-${rank}` : `${rank} of ${suit}`;
}
// An action on a button: the game's own words, else the verb's and its value.
export function actionLabel(deck, words, action) {
  const own = words?.actions?.[action.text]?.[0];
  if (own) return own;
  const cards = (action.cards || []).map((card) => cardName(deck, card));
  const verb = VERBS[language][action.verb] ?? action.verb;
  const value = action.verb === "name" || action.verb === "call" ? suitName(deck, action.value) : strain(action.value);
  return [verb, value, ...cards, action.hidden ? `${action.hidden} ${t("cards")}` : ""].filter(Boolean).join(" ");
}
const strain = (text) => text.replace(/^(\d)([CDHS])$/, (_, n, suit) => n + { C: "♣", D: "♦", H: "♥", S: "♠" }[suit]);
