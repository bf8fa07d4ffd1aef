"""How a series of deals stands, as far as it is told to the players of the next deal."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import field, frozen, validators

from tricktake.errors import InputError


def _numbers(scores: Sequence[float]) -> tuple[float, ...]:
    return tuple(scores)


@frozen
class Standings:
    """scores: of each seat in the deals before this one, in the unit of ``Game.series_points``. left: deals still to be
    played, this one among them. Raises InputError.
    """

    scores: tuple[float, ...] = field(converter=_numbers)
    left: int = field(validator=validators.instance_of(int))

    def __attrs_post_init__(self) -> None:
        if self.left < 1:
            raise InputError(None, None, "standings", f"{self.left} deals left; this one is among them")

    def ahead(self, seat: int) -> tuple[float, ...]:
        """By how much a seat leads each other one, negative if it is behind."""
        return tuple(self.scores[seat] - score for other, score in enumerate(self.scores) if other != seat)
