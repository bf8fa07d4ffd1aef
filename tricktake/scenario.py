"""Scenario files: positions with the cards that should be played, for any game and any strategy.

A TOML file with ``game`` and a list ``scenario``; docs/expert.md shows one. A scenario states what one seat knows: its
hand, the cards played, and other cards whose place is known. The hidden cards are filled in by a world that fits, so
that a ``View`` can be made; the view does not show them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from attrs import frozen

from tricktake import worlds
from tricktake.action import play
from tricktake.cards import bits, unsigned
from tricktake.deal import Deal
from tricktake.errors import IllegalAction, InputError, TricktakeError
from tricktake.game import Contract, Game, find_game
from tricktake.knowledge import Knowledge
from tricktake.search.limit import Limit
from tricktake.settings import toml_of
from tricktake.strategies.strategy import Strategy
from tricktake.table import Table
from tricktake.trick import best_card, excluded_mask
from tricktake.view import View

_KEYS = {"name", "contract", "seat", "hand", "hands", "tricks", "table", "expect", "forbid", "rule", "reason"}


@frozen
class Scenario:
    """One position. ``expect`` and ``forbid``: deck indices. ``rule`` and ``reason``: what it tests, and why.

    hand: cards the seat holds now; hands: those of other seats it sees. places: cards in places other than hands (the
    talon), by name. played: all cards played, in order; the last ``table`` of them are the unfinished trick.
    """

    file: Path | None
    game: Game
    name: str
    contract: Contract
    seat: int
    hand: int
    hands: Mapping[int, int]
    places: Mapping[str, int]
    played: tuple[int, ...]
    expect: tuple[int, ...]
    forbid: tuple[int, ...]
    rule: str = ""
    reason: str = ""

    def wrong(self, field: str, reason: str) -> InputError:
        return InputError(self.file, None, f"{self.name}: {field}", reason)

    def view(self, seed: int = 0) -> View:
        """What the seat sees. The seed decides how the hidden cards are filled in. Raises InputError."""
        table = self._table(seed)
        if table.turn is None or table.actor != self.seat:
            raise self.wrong("seat", f"seat {table.actor} decides here, not {self.seat}")
        view = table.view(self.seat)
        for place, mask in zip(range(len(view.known)), view.known, strict=True):
            name = view.layout.names[place]
            if mask and place != self.seat and place not in self.hands and name not in self.places:
                field = "hands" if place < self.game.seats else name
                raise self.wrong(field, f"missing: seat {self.seat} sees what lies in place {name}")
        return view

    def _table(self, seed: int) -> Table:
        layout = self.game.layout
        held, cannot = self._follow()
        known = [self.hands.get(seat, 0) | held[seat] for seat in range(self.game.seats)]
        known += [self.places.get(name, 0) for name in layout.names[self.game.seats :]]
        known[self.seat] |= self.hand
        for place, mask in zip(range(len(known)), known, strict=True):
            complete = place == self.seat or place in self.hands or layout.names[place] in self.places
            if (
                mask.bit_count() != layout.sizes_at_play[place]
                if complete
                else mask.bit_count() > layout.sizes_at_play[place]
            ):
                field = "hand" if place == self.seat else layout.names[place]
                raise self.wrong(
                    field, f"{mask.bit_count()} cards with those played, not {layout.sizes_at_play[place]}"
                )
        if sum(mask.bit_count() for mask in known) != _union(known).bit_count():
            raise self.wrong("hand", "a card is in two places")
        try:
            knowledge = Knowledge.make(layout, known, layout.sizes_at_play, cannot=cannot)
            world = worlds.sample(knowledge, 1, np.random.default_rng(seed))[0]
        except (worlds.NoWorld, ValueError) as error:
            raise self.wrong("hand", f"no deal fits: {error}") from None
        table = Table.at_contract(self.game, Deal(layout, tuple(unsigned(mask) for mask in world)), self.contract)
        try:
            for card in self.played:
                table.apply(play(card))
        except IllegalAction as error:
            raise self.wrong("tricks", str(error)) from None
        return table

    def _follow(self) -> tuple[list[int], dict[int, int]]:
        """Who played which cards, and what each seat cannot hold after that."""
        empty = Deal.from_cards(self.game.layout, list(range(sum(self.game.layout.sizes))))
        state = Table.at_contract(self.game, empty, self.contract).tricks
        assert state is not None
        rules, leader = state.rules, state.leader
        held, broken = [0] * rules.seats, False
        cannot: dict[int, int] = {}
        for n in range(0, len(self.played), rules.seats):
            trick = self.played[n : n + rules.seats]
            for k, card in enumerate(trick):
                seat = (leader + k) % rules.seats
                mask = excluded_mask(rules, card, trick[:k], broken=broken, first=n == 0)
                cannot[seat] = cannot.get(seat, 0) | mask
                held[seat] |= 1 << card
                broken = broken or bool(rules.breakers >> card & 1)
            leader = (leader + trick.index(best_card(rules, trick))) % rules.seats
        return held, cannot

    def failure(self, strategy: Strategy, limit: Limit | None = None, seed: int = 0) -> str | None:
        """Why the card of a strategy is not the expected one, in one line; None if it is. Raises InputError."""
        deck = self.game.layout.deck
        decision = strategy.decide(self.view(), limit or Limit(), np.random.default_rng(seed))
        card = decision.action.cards[0] if decision.action.cards else -1
        if card in self.expect or (not self.expect and card not in self.forbid):
            return None
        wanted = " or ".join(deck[c].name for c in self.expect)
        wanted = wanted or "anything but " + " and ".join(deck[c].name for c in self.forbid)
        played = deck[card].name if card >= 0 else decision.action.to_text(deck)
        return f"{self.name}: {played} ({decision.reason}), expected {wanted}: {self.reason}"


def _union(masks: Iterable[int]) -> int:
    found = 0
    for mask in masks:
        found |= mask
    return found


def load(path: str | Path) -> list[Scenario]:
    """The scenarios of a file. Raises InputError naming file and field."""
    path = Path(path)
    data = toml_of(path)
    if unknown := set(data) - {"game", "scenario"}:
        raise InputError(path, None, min(unknown), "unknown; known: game, scenario")
    if not isinstance(data.get("game"), str):
        raise InputError(path, None, "game", "missing, or no text")
    entries = data.get("scenario")
    if not isinstance(entries, list) or not entries or not all(isinstance(entry, dict) for entry in entries):
        raise InputError(path, None, "scenario", "a file needs at least one [[scenario]]")
    try:
        game = find_game(data["game"])
    except TricktakeError as error:
        raise InputError(path, None, "game", str(error)) from None
    found = [_Entry(path, game, entry, number).scenario() for number, entry in enumerate(entries, 1)]
    names = [scenario.name for scenario in found]
    for name in names:
        if names.count(name) > 1:
            raise InputError(path, None, f"{name}: name", "is there twice")
    return found


class _Entry:
    """One ``[[scenario]]`` of a file, as it is read. Every method raises InputError naming the field."""

    def __init__(self, path: Path, game: Game, entry: Mapping[str, Any], number: int) -> None:
        self.path, self.game, self.entry = path, game, entry
        name = entry.get("name")
        if not isinstance(name, str) or not name:
            raise InputError(path, None, f"scenario {number}: name", "missing, or no text")
        self.name: str = name

    def wrong(self, field: str, reason: str) -> InputError:
        return InputError(self.path, None, f"{self.name}: {field}", reason)

    def scenario(self) -> Scenario:
        """The scenario, whose expected cards are legal."""
        entry, extra = self.entry, self.game.layout.names[self.game.seats :]
        if unknown := set(entry) - _KEYS - set(extra):
            raise self.wrong(min(unknown), f"unknown; known: {', '.join(sorted(_KEYS | set(extra)))}")
        for field in ("contract", "seat", "hand"):
            if field not in entry:
                raise self.wrong(field, "missing")
        found = Scenario(
            file=self.path,
            game=self.game,
            name=self.name,
            contract=self.contract(),
            seat=self.seat(),
            hand=self.mask("hand", entry["hand"]),
            hands=self.shown(),
            places={place: self.mask(place, entry[place]) for place in extra if place in entry},
            played=self.played(),
            expect=self.cards("expect", entry.get("expect", "")),
            forbid=self.cards("forbid", entry.get("forbid", "")),
            rule=str(entry.get("rule", "")),
            reason=str(entry.get("reason", "")),
        )
        if not found.expect and not found.forbid:
            raise self.wrong("expect", "a scenario expects or forbids a card")
        legal = found.view().legal_cards_mask()
        for field, listed in (("expect", found.expect), ("forbid", found.forbid)):
            for card in listed:
                if not legal >> card & 1:
                    raise self.wrong(field, f"{self.game.layout.deck[card].name} is not legal here")
        return found

    def cards(self, field: str, text: object) -> tuple[int, ...]:
        """Deck indices of some cards, ascending."""
        joined = self._words(field, text)
        try:
            return tuple(bits(self.game.layout.deck.parse_mask(joined)))
        except TricktakeError as error:
            raise self.wrong(field, str(error)) from None

    def ordered(self, field: str, text: object) -> tuple[int, ...]:
        """Deck indices of some cards, in the order of the text."""
        joined = self._words(field, text)
        try:
            return tuple(self.game.layout.deck.card(word).index for word in joined.split())
        except TricktakeError as error:
            raise self.wrong(field, str(error)) from None

    def _words(self, field: str, text: object) -> str:
        words = text if isinstance(text, list) else [text]
        if not all(isinstance(word, str) for word in words):
            raise self.wrong(field, f"cards are text, not {text!r}")
        return " ".join(map(str, words))

    def mask(self, field: str, text: object) -> int:
        return _union(1 << card for card in self.cards(field, text))

    def contract(self) -> Contract:
        try:
            return self.game.contract(str(self.entry["contract"]))
        except ValueError as error:
            raise self.wrong("contract", str(error)) from None

    def seat(self) -> int:
        seat = self.entry["seat"]
        if not isinstance(seat, int) or isinstance(seat, bool) or not 0 <= seat < self.game.seats:
            raise self.wrong("seat", f"{seat!r} is no seat from 0 to {self.game.seats - 1}")
        return seat

    def shown(self) -> dict[int, int]:
        """The open hands of other seats."""
        shown = self.entry.get("hands", {})
        if not isinstance(shown, dict) or not all(key.isdigit() and int(key) < self.game.seats for key in shown):
            raise self.wrong("hands", "a table of seats and the cards they show")
        return {int(key): self.mask("hands", text) for key, text in shown.items()}

    def played(self) -> tuple[int, ...]:
        """The cards of the finished tricks and of the one on the table."""
        tricks, seats = self.entry.get("tricks", []), self.game.seats
        if not isinstance(tricks, list):
            raise self.wrong("tricks", "a list of finished tricks, each as text")
        played: tuple[int, ...] = ()
        for trick in tricks:
            found = self.ordered("tricks", trick)
            if len(found) != seats:
                raise self.wrong("tricks", f"{trick!r} has {len(found)} cards, not {seats}")
            played += found
        table = self.ordered("table", self.entry.get("table", ""))
        if len(table) >= seats:
            raise self.wrong("table", f"{len(table)} cards are a whole trick")
        if len(set(played + table)) < len(played + table):
            raise self.wrong("tricks", "a card is played twice")
        return played + table
