"""Series of games at a table of three or four (RULE-2, 16 and 17)."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import field, frozen, validators

from tricktake.errors import InputError
from tricktake_skat.deck import SEATS
from tricktake_skat.scoring import extended_seeger

ROUNDS = 12  # each player deals once a round: 36 deals at a table of three, 48 at a table of four


def seating(deal: int, players: int = 3) -> tuple[int, ...]:
    """The players in forehand, middlehand and rearhand in deal 0, 1, ... of a series.

    Player 0 deals first and the deal passes to the left. Forehand sits left of the dealer, who is rearhand at a table
    of three and sits out at a table of four.
    """
    dealer = deal % players
    return tuple((dealer + 1 + seat) % players for seat in range(SEATS))


@frozen
class Standing:
    """The result of one player: plain points of the games declared, games won and lost, extended Seeger score."""

    player: int
    points: int = 0
    won: int = 0
    lost: int = 0
    score: int = 0


@frozen
class Series:
    """A series at a table of 3 or 4 players: ``games`` are (declarer's seat, points), None for a passed-in deal.

    Raises InputError for other tables or more games than the series has.
    """

    players: int = field(default=3, validator=validators.in_((3, 4)))
    games: tuple[tuple[int, int] | None, ...] = ()

    def __attrs_post_init__(self) -> None:
        if len(self.games) > self.length:
            raise InputError(None, None, "series", f"{len(self.games)} games in a series of {self.length}")

    @property
    def length(self) -> int:
        """Deals of the whole series."""
        return ROUNDS * self.players

    @property
    def complete(self) -> bool:
        return len(self.games) == self.length

    def with_game(self, declarer: int | None, points: int = 0) -> Series:
        """The series with one more game; ``declarer`` is the seat (0 forehand), None if the deal was passed in."""
        return Series(self.players, (*self.games, None if declarer is None else (declarer, points)))

    def standings(self) -> tuple[Standing, ...]:
        """The result of each player, by number."""
        points, won, lost = ([0] * self.players for _ in range(3))
        for deal, game in enumerate(self.games):
            if game is None:
                continue
            player = seating(deal, self.players)[game[0]]
            points[player] += game[1]
            won[player] += game[1] > 0
            lost[player] += game[1] < 0
        return tuple(
            Standing(
                p,
                points[p],
                won[p],
                lost[p],
                extended_seeger(points[p], won[p], lost[p], sum(lost) - lost[p], self.players),
            )
            for p in range(self.players)
        )

    def ranking(self) -> Sequence[Standing]:
        """The players from first to last: by score, ties by more games won, then by number."""
        return sorted(self.standings(), key=lambda s: (-s.score, -s.won, s.player))
