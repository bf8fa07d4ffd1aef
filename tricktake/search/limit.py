"""How much a decision may cost."""

from __future__ import annotations

from attrs import field, frozen, validators

_positive = validators.optional(validators.gt(0))


@frozen
class Limit:
    """Bounds on one decision; None means no bound. Node and world counts are repeatable, seconds are not.

    seconds: wall clock. nodes: positions entered by a search. worlds: sampled distributions of the hidden cards.
    """

    seconds: float | None = field(default=None, validator=_positive)
    nodes: int | None = field(default=None, validator=_positive)
    worlds: int | None = field(default=None, validator=_positive)
