"""Features: plain functions of a game's row with a finite domain (OUTER-2)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import field, frozen

from tricktake.errors import InputError

Function = Callable[[Any], Any]


@frozen
class Feature:
    """A function of a row with values 0 to domain - 1. Made by ``@feature(domain=...)``; still callable."""

    name: str
    domain: int
    function: Function = field(repr=False)

    @property
    def doc(self) -> str:
        """The docstring of the function."""
        return (self.function.__doc__ or "").strip()

    def __call__(self, game: Any) -> Any:
        return self.function(game)


def feature(domain: int, name: str | None = None) -> Callable[[Function], Feature]:
    """Make a function of a row a feature with values 0 to ``domain`` - 1.

    Raises InputError if the domain is not an integer of at least 1.
    """

    def make(function: Function) -> Feature:
        label = name or function.__name__
        if isinstance(domain, bool) or not isinstance(domain, int) or domain < 1:
            raise InputError(None, None, f"feature {label}", f"the domain must be a number of values, not {domain!r}")
        if not label.isidentifier():
            raise InputError(None, None, f"feature {label}", "needs a name: @feature(domain=..., name='...')")
        return Feature(label, domain, function)

    return make
