"""What there is to practise in a game: positions of a family of contracts at their first trick, and what they are
worth.

The default needs no word from a game: players bid at a Table, results are worth what the goals of the rules say. A
plugin that knows better registers a ``Practice`` of its own under the name of its game (``register_practices``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
from attrs import evolve, frozen
from numpy.typing import NDArray

from tricktake.deal import deal
from tricktake.errors import InputError
from tricktake.game import Contract, Game
from tricktake.plugins import manager
from tricktake.policy import games
from tricktake.policy.encoding import Encoding
from tricktake.policy.policy import Family, family_name
from tricktake.policy.positions import Batch, batch_of, batch_of_worlds
from tricktake.search.limit import Limit
from tricktake.strategies.player import Player, default_spec, game_roles
from tricktake.table import Table
from tricktake.view import View

FRUITLESS = 200  # deals without one of the wanted contracts until it is given up
BIDDING = Limit()


@frozen
class Practice:
    """Positions of a game, from auctions between players. bidder: spec of the player who decides all but the cards; ""
    takes the game's own where it is quick, else one that acts at random.
    """

    game: Game
    bidder: str = ""

    families: ClassVar[tuple[str, ...]] = ()  # known beforehand; () if only the deals can tell

    def family(self, contract: Contract | None) -> str:
        """The family of a contract: those of one kind, which a policy plays with the same networks."""
        return family_name(contract)

    def first_family(self, seed: int) -> str:
        """The family learned where none is named: the first one known, or else the first that is played.

        Raises InputError if nothing is ever played.
        """
        if self.families:
            return self.families[0]
        bidder = Player.from_spec(self.bidder or quick_bidder(self.game))
        for number in range(FRUITLESS):
            table = at_first_trick(self.game, bidder, seed, number)
            if table is not None:
                return self.family(table.contract)
        raise InputError(None, None, "game", f"nothing is played in {FRUITLESS} deals")

    def positions(self, family: str, seed: int, n: int) -> Batch:
        """The first ``n`` positions of a family in the deals of a seed. Raises InputError if there seem to be none."""
        bidder = Player.from_spec(self.bidder or quick_bidder(self.game))
        tables: list[Table] = []
        key, last, number = "", 0, 0
        seen: set[str] = set()
        while len(tables) < n:
            if number - last > FRUITLESS:
                known = ", ".join(sorted(seen)) or "none"
                raise InputError(None, None, "family", f"no {family!r} in {FRUITLESS} deals; the bidder plays {known}")
            table = at_first_trick(self.game, bidder, seed, number)
            number += 1
            if table is None or table.tricks is None:
                continue
            seen.add(self.family(table.contract))
            if self.family(table.contract) != family:
                continue
            encoding = Encoding.of(table.tricks.rules)
            if encoding.key == (key or encoding.key):
                key, last = encoding.key, number
                tables.append(table)
        return batch_of(tables)

    def in_worlds(self, view: View, worlds: NDArray[np.int64]) -> tuple[Batch, NDArray[np.int64]]:
        """The games of a view from their first trick, one a world, and the cards played since (``batch_of_worlds``).

        A game that has more to say of what the others know, or of what results are worth, says it here.
        """
        return batch_of_worlds(view, worlds)

    def measured(self, family: Family, seed: int, n: int) -> Mapping[str, tuple[float, float]]:
        """How much more a policy makes than other players on ``n`` positions, and the standard error, by their
        names.
        """
        test = self.positions(family.name, seed, n)
        simple = games.manners(test)
        blind = np.full_like(simple, games.RANDOM)
        return {
            name: games.strength(test, test.roles(), other, family.packed, seed=seed)
            for name, other in (("simple manners", simple), ("core:random", blind))
        }


def practice_for(game: Game, bidder: str = "") -> Practice:
    """What is practised in a game: by its plugin, or the default. Raises InputError."""
    found = None if bidder else registered_practice(game.name)
    return Practice(game, bidder) if found is None else evolve(found, game=game)


def registered_practice(game: str) -> Practice | None:
    """What a plugin registered for the game of this name, if one did. Raises InputError if it is no ``Practice``."""
    registry = manager().practices
    if game not in registry:
        return None
    found = registry.make(game)
    if not isinstance(found, Practice):
        raise InputError(None, None, f"practice {game}", "is no tricktake.policy.practice.Practice")
    return found


def with_cards(game: Game, play: str) -> str:
    """The spec of the game's own player with other card play."""
    words = [word for word in default_spec(game).split(",") if not word.startswith("play=")]
    if words and "=" not in words[0]:  # one strategy for everything
        words = [f"{role}={words[0]}" for role in game_roles(game) if role != "play"]
    return ",".join([*words, f"play={play}"])


def quick_bidder(game: Game) -> str:
    """The game's own player without its card play, which may be slow."""
    return with_cards(game, "core:random")


def at_first_trick(game: Game, bidder: Player, seed: int, number: int) -> Table | None:
    """A table of a numbered deal after auction and exchange; None if nothing is played."""
    table = Table.start(game, deal(game.layout, seed, number), number)
    rng = np.random.default_rng([seed, number])
    while not table.over and table.tricks is None:
        actor = table.actor
        assert actor is not None
        table.apply(bidder.decide(table.view(actor), BIDDING, rng).action)
    return None if table.over else table
