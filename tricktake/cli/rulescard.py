"""A game on one page: its rules in words, its contracts as what they mean for the cards, and how to run it."""

from __future__ import annotations

import contextlib
import inspect
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from tricktake.alliance import Alliance
from tricktake.cards import bits
from tricktake.deal import DealNotFound
from tricktake.game import Game
from tricktake.plugins import manager
from tricktake.rules import Goal, GoalKind, TrickRules
from tricktake.steering import reach
from tricktake.strategies.player import default_spec
from tricktake.table import Table

SEED = 0  # of the deals in which examples of contracts are looked for
FEW = 2
DEALS = 400  # tried for one of them, on all boards together

_HEADING = re.compile(r"[A-Z][\w ,()-]{0,40}: ")  # a line of a docstring that begins a paragraph


def facts(game: Game) -> dict[str, Any]:
    """What the card says, as plain values."""
    games, layout = manager().games, game.layout
    owner = games.owner(game.name)
    hands = dict(zip(layout.names, layout.sizes, strict=True))
    return {
        "name": game.name,
        "version": game.version,
        "plugin": owner,
        "summary": games.summary(game.name) or game.summary,
        "rules": paragraphs(inspect.cleandoc(type(game).__doc__ or "")),
        "seats": game.seats,
        "sides": None if game.teams is None else list(game.teams),
        "cards": len(layout.deck),
        "suits": list(dict.fromkeys(card.suit for card in layout.deck)),
        "dealt": hands,
        "phases": [f"{phase.name} ({phase.role})" for phase in game.phases],
        "contracts": dict(contracts(game)),
        "unit": game.score_unit,
        "boards": game.boards,
        "options": _options(game),
        "formats": [name for name, form in manager().formats.items() if form.game in (None, game.name)],
        "strategies": _strategies(owner, game.name),
        "player": default_spec(game),
    }


def paragraphs(text: str) -> list[str]:
    """The paragraphs of a docstring, each on one line; one begins with a heading or after an empty line."""
    found: list[str] = []
    fresh = True
    for line in map(str.strip, text.splitlines()):
        if not line:
            fresh = True
        elif fresh or _HEADING.match(line):
            found.append(line)
            fresh = False
        else:
            found[-1] += f" {line}"
    return [paragraph.replace("``", "") for paragraph in found]


def contracts(game: Game) -> Iterator[tuple[str, dict[str, str]]]:
    """Each family of contracts with an example found by chance, and what it means for the play."""
    for kind in game.kinds or ("*",):
        table = example(game, kind)
        if table is not None and table.tricks is not None:
            said = {} if table.contract is None else {"example": str(table.contract)}
            yield kind, said | dict(meaning(table.tricks.rules, table))


def example(game: Game, kind: str) -> Table | None:
    """A table at such a contract; on some boards there may be none, so all are tried briefly first."""
    for deals in (FEW, -(-DEALS // game.boards)):
        for board in range(game.boards):
            with contextlib.suppress(DealNotFound):
                return reach(game, kind, SEED, board, deals=deals)
    return None


# -- what rules mean, in words ----------------------------------------------------------------------------------------


def meaning(rules: TrickRules, table: Table) -> Iterator[tuple[str, str]]:
    """The order of the cards, what they count, and what the sides want."""
    yield "order", "; ".join(_orders(rules))
    if counts := "; ".join(_counts(rules)):
        yield "counts", counts
    if rules.alliance is not None:
        yield "sides", _alliance(rules, rules.alliance)
    yield "goal", _goals(rules, table)


def _orders(rules: TrickRules) -> Iterator[str]:
    """Trumps, and the other suits, those with equal ranks together, the strongest card first."""
    deck = rules.deck
    special = rules.always_wins | rules.never_wins
    trumps = () if rules.trump is None else _strongest(rules, rules.trump, special)
    suits: dict[tuple[str, ...], list[str]] = {}
    for suit in sorted(set(rules.suit_of)):
        cards = _strongest(rules, suit, special)
        if cards and (suit != rules.trump or _suit(cards)):
            ranks = tuple(name[-1] for name in cards) if _suit(cards) else cards
            suits.setdefault(ranks, []).append(_suit(cards))
    if not trumps:
        yield "no trumps"
    elif _suit(trumps):
        yield f"trumps {_suit(trumps)}"
    else:
        yield f"trumps {' '.join(trumps)}"
    yield from (f"{' '.join(labels)}: {' '.join(ranks)}".removeprefix(": ") for ranks, labels in suits.items())
    for mask, words in ((rules.always_wins, "always wins"), (rules.never_wins, "never wins")):
        if mask:
            yield f"{words}: {' '.join(dict.fromkeys(deck[c].kind for c in bits(mask)))}"


def _suit(cards: Sequence[str]) -> str:
    """The printed suit of all these cards, "" if they are of several."""
    (first, *more) = {name[:-1] for name in cards}
    return "" if more else first


def _strongest(rules: TrickRules, suit: int, without: int) -> tuple[str, ...]:
    """The kinds of card of a play suit, the strongest first; copies once."""
    cards = sorted(bits(rules.suit_mask(suit) & ~without), key=lambda c: -rules.power[c])
    return tuple(dict.fromkeys(rules.deck[c].kind for c in cards))


def _counts(rules: TrickRules) -> Iterator[str]:
    """What the winner of a trick is credited with."""
    by_rank: dict[str, set[int]] = {}
    for card, cost in zip(rules.deck, rules.card_cost, strict=True):
        by_rank.setdefault(card.rank, set()).add(cost)
    if all(len(costs) == 1 for costs in by_rank.values()):
        worth = {rank: costs.pop() for rank, costs in by_rank.items()}
    else:
        worth = {card.kind: cost for card, cost in zip(rules.deck, rules.card_cost, strict=True)}
    grouped: dict[int, list[str]] = {}
    for name, cost in worth.items():
        grouped.setdefault(cost, []).append(name)
    for cost, names in sorted(grouped.items(), reverse=True):
        if cost:
            yield f"{' '.join(names)} {cost}"
    if rules.trick_cost:
        yield f"each trick {rules.trick_cost}"
    if rules.last_trick_bonus:
        yield f"the last trick {rules.last_trick_bonus} more"


def _alliance(rules: TrickRules, alliance: Alliance) -> str:
    """Who plays together, where that depends on the cards."""
    who = [] if alliance.declarer is None else ["the declarer"]
    if alliance.cards:
        who.append(f"whoever was dealt {rules.deck.names(alliance.cards)}")
    if alliance.fixed_by_trick:
        who.append(f"the first to win one of tricks 1 to {alliance.fixed_by_trick}")
    return f"{' and '.join(who)} against the others"


def _goals(rules: TrickRules, table: Table) -> str:
    """The goals of the example: of the declarer's side and the others, or of every seat."""
    declarer = -1 if table.contract is None else table.contract.declarer
    if rules.unsaid:
        return rules.unsaid
    goals = [rules.goal(seat) for seat in range(rules.seats)]
    if len(set(goals)) == 1:
        return f"each side {_goal(goals[0])}"
    if declarer < 0:
        return ", ".join(f"seat {seat} {_goal(goal)}" for seat, goal in enumerate(goals))
    other = next((goal for seat, goal in enumerate(goals) if not rules.side_mask(declarer) >> seat & 1), Goal())
    return f"declarer {_goal(goals[declarer])}, the others {_goal(other)}"


def _goal(goal: Goal) -> str:
    words = {
        GoalKind.MOST: "as much as possible",
        GoalKind.LEAST: "as little as possible",
        GoalKind.AT_LEAST: f"at least {goal.n}",
        GoalKind.AT_MOST: f"at most {goal.n}" if goal.n else "nothing",
        GoalKind.EXACTLY: f"exactly {goal.n}",
    }
    return words[goal.kind]


# -- what the plugins know of it --------------------------------------------------------------------------------------


def _options(game: Game) -> dict[str, Any]:
    parameters = inspect.signature(type(game)).parameters
    return {name: parameter.default for name, parameter in parameters.items()}


def _strategies(owner: str, game: str) -> list[str]:
    """The strategies of its plugin that are for this game: of one with several games, those of its name."""
    found = manager()
    own = list(found.strategies.owned_by(owner))
    return own if found.games.owned_by(owner) == (game,) else [name for name in own if name.endswith(f":{game}")]


# -- the page ---------------------------------------------------------------------------------------------------------


def page(said: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The lines of the card as (indent, text), to be broken at the width of the terminal; from ``facts``."""
    name = said["name"]
    yield "", f"{name} {said['version']}: {said['summary']} (plugin {said['plugin']})"
    yield "", ""
    for paragraph in said["rules"]:
        yield "  ", paragraph
    yield "", ""
    yield "  ", f"Seats: {said['seats']}{_sides(said['sides'])}"
    yield "  ", f"Deck: {said['cards']} cards, suits {' '.join(said['suits'])}; {_dealt(said['dealt'])}"
    yield "  ", f"Phases (and who decides in a player): {', '.join(said['phases'])}"
    yield from _contracts(said["contracts"])
    if said["options"]:
        yield "  ", f"Options: {', '.join(f'{key}={_plain(value)}' for key, value in said['options'].items())}"
    yield "  ", f"Scored in {said['unit']}" + (f"; boards repeat after {said['boards']}" if said["boards"] > 1 else "")
    yield "  ", f"Records: {', '.join(said['formats'])}"
    yield "  ", f"Strategies: {', '.join([*said['strategies'], 'and core: for any game'])}; by default {said['player']}"
    yield "", ""
    yield from (("  ", line) for line in _commands(name, said["contracts"]))


def _contracts(found: Mapping[str, Mapping[str, str]]) -> Iterator[tuple[str, str]]:
    """The families; what is as in an earlier one is not said again."""
    if set(found) - {"*"}:
        yield "  ", "Contracts (family: text of an example)"
    first: dict[tuple[str, str], str] = {}
    for kind, meant in found.items():
        if kind != "*":
            yield "    ", f"{kind}: {meant.get('example', '')}"
        for key in ("order", "counts", "sides", "goal"):
            if key in meant:
                as_in = first.setdefault((key, meant[key]), kind)
                short = f"as in {as_in}"
                yield "      ", f"{key}: {meant[key] if as_in == kind or len(meant[key]) <= len(short) else short}"


def _sides(sides: list[int] | None) -> str:
    if sides is None:
        return ""
    members: dict[int, list[str]] = {}
    for seat, side in enumerate(sides):
        members.setdefault(side, []).append(str(seat))
    return " all together" if len(members) == 1 else f", {' against '.join('+'.join(who) for who in members.values())}"


def _dealt(dealt: Mapping[str, int]) -> str:
    hands = [size for name, size in dealt.items() if name.isdecimal()]
    each = f"{hands[0]} each" if len(set(hands)) == 1 else f"hands of {', '.join(map(str, hands))}"
    packets: dict[tuple[str, int], int] = {}
    for name, size in dealt.items():
        if not name.isdecimal():
            kind = name.rstrip("0123456789"), size
            packets[kind] = packets.get(kind, 0) + 1
    others = (f"{name} {f'{n} times ' if n > 1 else ''}{size}" for (name, size), n in packets.items())
    return ", ".join([each, *others])


def _commands(name: str, kinds: Iterable[str]) -> Iterator[str]:
    kind = next((kind for kind in kinds if not set(kind) & set("*?[")), "*")
    yield f"tricktake play {name}"
    yield f"tricktake deal {name} --contract '{kind}' --json > deals.jsonl"
    yield f"tricktake solve {name} deals.jsonl"
    yield f"tricktake check {name}"
    yield f"tricktake tournament --game {name} --player core:random --player SPEC"


def _plain(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(getattr(value, "value", value))
