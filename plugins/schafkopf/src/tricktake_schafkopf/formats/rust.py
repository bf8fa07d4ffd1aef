"""The rules of a record of openschafkopf: a call in the syntax of Rust, read as data.

``rulesrufspiel_new_test(EPlayerIndex::EPI0, EFarbe::Gras, 20, 10, SLaufendeParams::new(10, 3))`` and
``sololike(EPlayerIndex::EPI2, None, ESoloLike::Wenz, SPayoutDeciderTout::default_payoutdecider(50, 10,
SLaufendeParams::new(10, 2)), SStossParams::new(4))``. Comments, references and conversions (``&``, ``Some(...)``,
``.as_ref()``) say nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from attrs import evolve, frozen

from tricktake_schafkopf.contract import SchafkopfContract
from tricktake_schafkopf.deck import SUIT_NAMES
from tricktake_schafkopf.scoring import Tariff

RUF = ("rulesrufspiel_new_test", "SRulesRufspiel::new")
LEVELS = {"SPayoutDeciderPointBased": "", "SPayoutDeciderTout": "tout", "SPayoutDeciderSie": "sie"}
PARTS = ("default_payoutdecider", "new")
ARGUMENTS = ("EPlayerIndex", "EFarbe", "ESoloLike", "SLaufendeParams", "SStossParams", "SPayoutDeciderParams")
SILENT = ("Some", "Box::new", "Into::into")
OTHER_GAMES = ("SRulesRamsch", "SRulesBettel")
SUIT_OF = {name: suit for suit, name in SUIT_NAMES.items()}
STOSS = 4  # Kontra, Re and two more, where the record does not say

_SKIP = re.compile(r"(?:\s+|/\*.*?\*/|//[^\n]*)+", re.DOTALL)
_TOKEN = re.compile(r"(?P<name>[A-Za-z_]\w*(?:::[A-Za-z_]\w*)*)|(?P<number>-?\d[\d_]*)(?:[iu]\w+)?|(?P<sign>[(),.&])")


@frozen
class Call:
    """A function and its arguments; a bare name has ``args`` None."""

    name: str
    args: tuple[Term, ...] | None = None

    def __str__(self) -> str:
        return self.name


Term = Call | int


@frozen
class RulesText:
    """What the rules of a record say. ``tariff`` has defaults for what its game does not need."""

    contract: SchafkopfContract
    tariff: Tariff
    stoss: int = STOSS


def read_rules(text: str) -> RulesText:
    """Read the rules of a record. Raises ValueError naming the part that cannot be read."""
    term = parse(text)
    if not isinstance(term, Call) or term.args is None:
        raise ValueError(f"no call of a function: {text.strip()!r}")
    if term.name.removesuffix("::new") in OTHER_GAMES:
        raise ValueError(f"{term.name.removesuffix('::new').removeprefix('SRules')} is not played here")
    if term.name not in (*RUF, "sololike"):
        raise ValueError(f"unknown function {term.name}; known: {', '.join(RUF)}, sololike")
    return _Reader(term).rules()


def rules_text(contract: SchafkopfContract, tariff: Tariff, stoss: int) -> str:
    """The reverse of ``read_rules``."""
    seat, least = f"EPlayerIndex::EPI{contract.declarer}", tariff.least_runners(contract)
    suit = f"EFarbe::{SUIT_NAMES[contract.suit]}" if contract.suit else "None"
    run = f"SLaufendeParams::new({tariff.runner}, {least})"
    if contract.game == "ruf":
        return f"rulesrufspiel_new_test({seat}, {suit}, {tariff.ruf}, {tariff.schneider}, {run})"
    decider = next(name for name, level in LEVELS.items() if level == contract.level)
    prices = f"/*n_payout_base*/{tariff.solo}, /*n_payout_schneider_schwarz*/{tariff.schneider}, {run}"
    kind = f"ESoloLike::{contract.game.capitalize()}"
    kontra = f"SStossParams::new(/*n_stoss_max*/{stoss})"
    return f"sololike({seat}, {suit}, {kind}, {decider}::default_payoutdecider({prices}), {kontra})"


# -- the syntax ---------------------------------------------------------------------------------------------------


def parse(text: str) -> Term:
    """The term of a Rust expression of calls, names and whole numbers. Raises ValueError."""
    tokens = list(_tokens(text))
    term, rest = _term(tokens)
    if rest:
        raise ValueError(f"{rest[0]!r} after the end of the rules")
    return term


def _tokens(text: str) -> Iterator[str]:
    at = 0
    while at < len(text):
        skipped = _SKIP.match(text, at)
        if skipped:
            at = skipped.end()
            continue
        match = _TOKEN.match(text, at)
        if match is None:
            raise ValueError(f"cannot read {text[at : at + 20]!r}")
        yield match["name"] or match["number"] or match["sign"]
        at = match.end()


def _term(tokens: list[str]) -> tuple[Term, list[str]]:
    """The first term of tokens, and what follows it."""
    while tokens[:1] == ["&"]:
        tokens = tokens[1:]
    if not tokens or tokens[0] in "(),.":
        raise ValueError(f"a name or a number is missing before {tokens[0]!r}" if tokens else "the rules break off")
    head, rest = tokens[0], tokens[1:]
    term: Term
    if head.lstrip("-").replace("_", "").isdecimal():
        term = int(head)
    elif rest[:1] == ["("]:
        args, rest = _arguments(rest[1:])
        term = args[0] if head in SILENT and len(args) == 1 else Call(head, tuple(args))
    else:
        term = Call(head)
    while rest[:1] == ["."]:  # .as_ref(), .upcast()
        if len(rest) < 4 or rest[2:4] != ["(", ")"]:
            raise ValueError(f"cannot read what follows {head}")
        rest = rest[4:]
    return term, rest


def _arguments(tokens: list[str]) -> tuple[list[Term], list[str]]:
    args: list[Term] = []
    while tokens[:1] != [")"]:
        term, tokens = _term(tokens)
        args.append(term)
        if tokens[:1] == [","]:
            tokens = tokens[1:]
        elif tokens[:1] != [")"]:
            raise ValueError("a bracket is not closed")
    return args, tokens[1:]


# -- what it says -------------------------------------------------------------------------------------------------


class _Reader:
    """The arguments of the call; each is known by its name, numbers by their order."""

    def __init__(self, call: Call) -> None:
        self.call = call
        self.found: dict[str, Term] = {}
        self.numbers: list[int] = []
        for arg in call.args or ():
            self._sort(arg)

    def _sort(self, arg: Term) -> None:
        if isinstance(arg, int):
            self.numbers.append(arg)
            return
        head, _, last = arg.name.rpartition("::")
        key = head or last
        if arg.name == "None":
            key = "EFarbe"
        elif head in LEVELS:
            key = "payout"
        elif head not in ARGUMENTS:
            raise ValueError(f"unknown argument {arg.name} of {self.call.name}")
        if key in self.found:
            raise ValueError(f"{key} is given twice")
        self.found[key] = arg

    def rules(self) -> RulesText:
        declarer = self._choice("EPlayerIndex", {f"EPI{seat}": str(seat) for seat in range(4)})
        stoss = STOSS
        if "SStossParams" in self.found:
            (stoss,) = _numbers(self.found["SStossParams"], "SStossParams::new", ("n_stoss_max",))
        if self.call.name == "sololike":
            kind = self._choice("ESoloLike", {name.capitalize(): name for name in ("solo", "wenz", "geier")})
            if self.numbers:
                raise ValueError(f"the number {self.numbers[0]} says nothing in {self.call.name}")
            suit = self._choice("EFarbe", SUIT_OF) if str(self.found.get("EFarbe")) != "None" else ""
            level, base, schneider, runner, least = self._payout()
            contract = SchafkopfContract(int(declarer), kind, suit, level)
            tariff = Tariff(solo=base, schneider=schneider, runner=runner)
        else:
            contract = SchafkopfContract(int(declarer), "ruf", self._choice("EFarbe", SUIT_OF))
            base, schneider, runner, least = self._prices(self.numbers, self.found)
            tariff = Tariff(ruf=base, schneider=schneider, runner=runner)
        wenz = tariff.least_runners(contract) != tariff.runners
        return RulesText(contract, evolve(tariff, **{"wenz_runners" if wenz else "runners": least}), stoss)

    def _choice(self, key: str, known: dict[str, str]) -> str:
        arg = self.found.get(key)
        name = str(arg).rpartition("::")[2] if arg is not None else ""
        if name not in known:
            said = f"{arg} is unknown" if arg is not None else "is missing"
            raise ValueError(f"{key} {said}; known: {', '.join(known)}")
        return known[name]

    def _payout(self) -> tuple[str, int, int, int, int]:
        arg = self.found.get("payout")
        if not isinstance(arg, Call) or arg.args is None:
            raise ValueError(f"no payout; known: {', '.join(LEVELS)}")
        head, _, made = arg.name.rpartition("::")
        if made not in PARTS:
            raise ValueError(f"unknown payout {arg.name}")
        inner = {str(a).rpartition("::")[0]: a for a in arg.args if isinstance(a, Call)}
        unknown = set(inner) - {"SLaufendeParams", "SPayoutDeciderParams"}
        if unknown:
            raise ValueError(f"unknown argument {inner[min(unknown)]} of {arg.name}")
        return LEVELS[head], *self._prices([a for a in arg.args if isinstance(a, int)], inner)

    def _prices(self, numbers: list[int], named: Mapping[str, Term]) -> tuple[int, int, int, int]:
        """Base, Schneider, price of a runner, how many runners at least."""
        params = named.get("SPayoutDeciderParams")
        if isinstance(params, Call) and params.args is not None:
            numbers = [a for a in params.args if isinstance(a, int)]
            named = {str(a).rpartition("::")[0]: a for a in params.args if isinstance(a, Call)}
        if len(numbers) != 2:
            raise ValueError(f"{len(numbers)} prices, not 2: of the game, and of Schneider and Schwarz")
        run = named.get("SLaufendeParams")
        if run is None:
            raise ValueError("SLaufendeParams is missing")
        runner, least = _numbers(run, "SLaufendeParams::new", ("n_payout_per_lauf", "n_lauf_lbound"))
        for number in (*numbers, runner, least):
            if number < 0:
                raise ValueError(f"a price of {number}")
        return numbers[0], numbers[1], runner, least


def _numbers(term: Term, name: str, names: tuple[str, ...]) -> list[int]:
    """The arguments of ``name(n, ...)``."""
    if not isinstance(term, Call) or term.name != name or term.args is None:
        raise ValueError(f"{term} where {name}(...) is expected")
    numbers = [a for a in term.args if isinstance(a, int) and a >= 0]
    if len(numbers) != len(names) or len(term.args) != len(names):
        raise ValueError(f"{name} needs {', '.join(names)} as whole numbers")
    return numbers
