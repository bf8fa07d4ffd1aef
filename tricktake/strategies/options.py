"""Validators and converters of the options of strategies: each names what is wrong in an InputError."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args

from attrs import Attribute

from tricktake.errors import InputError
from tricktake.strategies.player import StrategySpec, plays
from tricktake.strategies.strategy import Strategy


def check_number(instance: object, attribute: Attribute[int], value: int) -> None:
    """A whole number above 0."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise InputError(None, None, attribute.name, f"must be a whole number above 0, not {value!r}")


def check_count(instance: object, attribute: Attribute[int], value: int) -> None:
    """A whole number from 0 on."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise InputError(None, None, attribute.name, f"must be a whole number from 0 on, not {value!r}")


def check_share(instance: object, attribute: Attribute[float], value: float) -> None:
    """A number from 0 to 1."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 1:
        raise InputError(None, None, attribute.name, f"must be a number from 0 to 1, not {value!r}")


def check_flag(instance: object, attribute: Attribute[bool], value: bool) -> None:
    """True or false."""
    if not isinstance(value, bool):
        raise InputError(None, None, attribute.name, f"must be true or false, not {value!r}")


def one_of(words: Any) -> Callable[[object, Attribute[Any], str], None]:
    """One of the words of a Literal."""

    def check(instance: object, attribute: Attribute[Any], value: str) -> None:
        if value not in get_args(words):
            name = attribute.alias or attribute.name
            raise InputError(None, None, name, f"must be one of {', '.join(get_args(words))}, not {value!r}")

    return check


def playing_strategy(value: object, where: str) -> Strategy:
    """The strategy of a spec, one that plays cards. Raises InputError naming ``where``, UnknownName."""
    if not isinstance(value, str):
        raise InputError(None, None, where, f"must be the name of a strategy, not {value!r}")
    strategy = StrategySpec.from_text(value, where).make()
    if not plays(strategy, "play"):
        raise InputError(None, None, where, f"{value} plays no cards")
    return strategy


def opening_strategy(value: object) -> Strategy | None:
    """The same for the option ``opening``, which may be left out."""
    return None if value is None else playing_strategy(value, "opening")


def then_strategy(value: object) -> Strategy | None:
    """The same for the option ``then``, which may be left out."""
    return None if value is None else playing_strategy(value, "then")
