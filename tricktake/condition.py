"""What is known of a place that cannot be said card by card."""

from __future__ import annotations

from attrs import field, frozen, validators


@frozen
class Condition:
    """A place of the layout holds at least ``least`` of the cards ``mask``, unless it holds none of ``unless`` (0:
    whatever it holds).

    Who says "Re" has a queen of clubs: ``Condition(seat, queens_of_clubs)``. Who led under a called ace either has
    not got it, or has enough cards of the suit: ``Condition(seat, suit, 4, ace)``.
    """

    place: int
    mask: int
    least: int = field(default=1, validator=validators.ge(1))
    unless: int = 0

    def met(self, held: int) -> bool:
        """Whether a place with these cards keeps it."""
        return (held & self.mask).bit_count() >= self.least or bool(self.unless and not held & self.unless)
