"""Doubling, auction, declaration and Kontra."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from tricktake.action import Action
from tricktake.phases import PASS, Announcing, Auction, CallPartner, NameTrumps, Round
from tricktake.table import Table
from tricktake_schafkopf.contract import RUF_TRUMP, SchafkopfContract, contract_of
from tricktake_schafkopf.deck import SUITS
from tricktake_schafkopf.rules import trump_order, trumps_mask

if TYPE_CHECKING:
    from tricktake_schafkopf.game import SchafkopfGame

DOUBLE, KONTRA = Action("double"), Action("kontra")
_SINGLE = ("farbgeier", "geier", "farbwenz", "wenz", "solo")  # games of one against three, lowest first
CALLABLE = tuple(f"{suit}A" for suit in SUITS if suit != RUF_TRUMP)
LADDER = ("ruf", *_SINGLE, *(f"{name}-tout" for name in _SINGLE), "solo-sie")


def game_of(table: Table) -> SchafkopfGame:
    """The game of a table, with its options."""
    from tricktake_schafkopf.game import SchafkopfGame

    assert isinstance(table.game, SchafkopfGame)
    return table.game


def callable_aces(table: Table, seat: int) -> list[str]:
    """The aces a seat may call: it lacks the ace and holds another card of the suit that is no trump."""
    deck, hand = table.deal.layout.deck, table.places[seat]
    plain = hand & ~trumps_mask(deck, "ruf", RUF_TRUMP)
    return [ace for ace in CALLABLE if plain & deck.of_suit_mask(ace[0]) and not hand & deck.card(ace).mask]


class Doubling(Round):
    """Each seat in turn may double the stake ("legen", "klopfen"), at the table after the first half of its cards."""

    name = "doubling"

    def options(self, seat: int) -> Sequence[Action]:
        return [PASS, DOUBLE] if game_of(self.table).doubling else ()

    def close(self) -> None:
        self.table.facts["doublers"] = tuple(sorted(seat for seat, action in self.said if action == DOUBLE))


class Bidding(Auction):
    """The kind of game is bid, its suit is named later. A bid must beat the last one; an elder hand may hold it."""

    bids = LADDER

    def rank(self, bid: str) -> int:
        if not game_of(self.table).equal:
            return super().rank(bid)
        return (bid != "ruf") + bid.endswith("-tout") + 2 * bid.endswith("-sie")

    def beats(self, seat: int, bid: str, last: str) -> bool:
        return self.rank(bid) > self.rank(last) or (self.rank(bid) == self.rank(last) and seat < self.bidder)

    def legal(self) -> Sequence[Action]:
        calls = super().legal()
        last = self.bid is None and len(self.passed) == self.table.seats - 1
        return calls if game_of(self.table).pass_in or not last else [call for call in calls if call != PASS]

    def values(self, seat: int) -> Sequence[str]:
        game = game_of(self.table)
        deck, hand = self.table.deal.layout.deck, self.table.places[seat]
        top = trump_order(deck, "solo", "H")[: deck.full_mask.bit_count() // self.table.seats]
        can = {"ruf": bool(callable_aces(self.table, seat)), "solo-sie": all(hand >> card & 1 for card in top)}
        return [bid for bid in LADDER if game.offers(bid) and can.get(bid, True)]


class Calling(CallPartner):
    """The declarer of a ruf calls an ace."""

    callable = CALLABLE

    def chooser(self) -> int | None:
        return super().chooser() if self.table.facts.get("bid") == "ruf" else None

    def may_call(self, seat: int, card: int) -> bool:
        return self.table.deal.layout.deck[card].name in callable_aces(self.table, seat)

    def chosen(self, seat: int, action: Action) -> None:
        declare(self.table, seat, action.value[0])


class Naming(NameTrumps):
    """The declarer names the suit of trumps; nobody is asked in a game that has none."""

    values = tuple(SUITS)

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        declarer = table.facts.get("declarer")
        if self.seat is None and declarer is not None and table.contract is None:
            declare(table, declarer, "")

    def chooser(self) -> int | None:
        bid = str(self.table.facts.get("bid"))
        named = bid.startswith("farb") or bid in ("solo", "solo-tout")
        return super().chooser() if named else None

    def chosen(self, seat: int, action: Action) -> None:
        declare(self.table, seat, action.value)


def declare(table: Table, seat: int, suit: str) -> None:
    """Make the contract of the bid that won, with the called suit or that of trumps."""
    game, _, level = table.facts["bid"].removeprefix("farb").partition("-")
    table.contract = SchafkopfContract(seat, game, suit, level, table.facts.get("doublers", ()))


class Playing(Announcing):
    """The tricks. In the first one the stake can be doubled in turn: by the other side before the own first card
    (Kontra), by the declarer's side until the trick is over (Re), and so on up to ``stoss`` times.
    """

    fact: ClassVar[str] = "stoss"

    def offers(self, seat: int) -> Sequence[Action]:
        state, made = self.state, len(self.made)
        if state.tricks or made >= game_of(self.table).stoss:
            return ()
        ours = state.rules.team(seat) == state.rules.team(contract_of(self.table).declarer)
        if ours != (made % 2 == 1):
            return ()
        played = (seat - state.leader) % state.rules.seats < len(state.table)
        return () if made == 0 and played else (KONTRA,)


def proven(events: Sequence[tuple[int, Action]], declarer: int, ace: int, seats: int) -> dict[int, int]:
    """What call and Kontra rule out in a ruf, as place -> cards: the declarer and the others who said Kontra lack the
    called ace; of the declarer's side who is not the declarer holds it. events: (seat, action) in order.
    """
    out = {declarer: ace}
    kontras = [seat for seat, action in events if action == KONTRA]
    for number, seat in enumerate(kontras):
        if number % 2 == 0:
            out[seat] = ace
        elif seat != declarer:
            out.update({other: ace for other in range(seats) if other != seat})
    return out
