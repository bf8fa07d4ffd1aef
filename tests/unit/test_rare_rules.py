"""Rules few games need, one by one, by hand: the examples of docs/rules.md."""

from __future__ import annotations

import pytest

from tricktake.alliance import Alliance
from tricktake.cards import Deck
from tricktake.rules import Duty, Goal, GoalKind, Overtake, TrickRules
from tricktake.trick import TrickState, excluded_mask

DECK = Deck("CSHD", "789TJQKA")


def position(rules: TrickRules, hands: str, leader: int = 0, **more) -> TrickState:
    return TrickState(rules, [rules.deck.parse_mask(hand) for hand in hands.split("|")], leader, **more)


def play(state: TrickState, names: str) -> None:
    for name in names.split():
        state.play_checked(state.rules.deck.card(name).index)


def legal(state: TrickState) -> str:
    return state.rules.deck.names(state.legal_cards_mask())


# -- following --------------------------------------------------------------------------------------------------------


def jass() -> TrickRules:
    """Hearts are trumps, the jack is the highest."""
    power = tuple(DECK.ranks.index(c.rank) + 20 * (c.kind == "HJ") for c in DECK)
    suit_of = tuple(DECK.suits.index(c.suit) for c in DECK)
    hearts = DECK.of_suit_mask("H")
    jack = DECK.parse_mask("HJ")
    return TrickRules(DECK, 3, suit_of, power, 2, always_legal=hearts, need_not_follow=jack, no_undertrump=True)


def test_trumps_may_be_played_at_will_and_the_jack_need_not_follow() -> None:
    state = position(jass(), "CA HA C8 | C7 H7 S7 | C9 H9 H8", 0)
    play(state, "CA")
    assert legal(state) == "C7 H7"
    play(state, "H7")
    assert legal(state) == "C9 H9 H8"
    state = position(jass(), "HA C8 | HJ S7 | H9 H8")
    play(state, "HA")
    assert legal(state) == "S7 HJ"


def test_nobody_trumps_low_who_has_another_choice() -> None:
    state = position(jass(), "CA C8 | HT S7 | H9 C9")
    play(state, "CA HT")
    assert legal(state) == "C9"
    state = position(jass(), "CA C8 | HT S7 | H9 S9")
    play(state, "CA HT")
    assert legal(state) == "S9"
    state = position(jass(), "CA C8 | HT S7 | H9 HA")
    play(state, "CA HT")
    assert legal(state) == "HA H9"  # nothing but trumps


def test_a_last_resort_is_played_only_if_nothing_else_is_legal() -> None:
    rules = TrickRules.plain(DECK, 3, "H", trump_when_void=True, last_resort=DECK.parse_mask("H7"))
    state = position(rules, "CA S9 | H7 HT | C9 C8")
    play(state, "CA")
    assert legal(state) == "HT"
    state = position(rules, "CA S9 | H7 S8 | C9 C8")
    play(state, "CA")
    assert legal(state) == "H7"


def belote(**more) -> TrickRules:
    return TrickRules.plain(
        DECK, 4, "H", teams=(0, 1, 0, 1), trump_when_void=True, overtake=Overtake.TRUMPS, spare_partner=True, **more
    )


def test_who_is_void_trumps_unless_the_partner_wins() -> None:
    state = position(belote(), "CA S8 | C7 C8 | HT S7 | H9 HA")
    play(state, "CA C7")
    assert legal(state) == "S7 HT"  # the partner wins
    play(state, "S7")
    assert legal(state) == "HA H9"
    state = position(belote(), "CA S8 | HT S7 | HJ H9 | C8 C9".replace("HJ H9", "HA H9"))
    play(state, "CA HT")
    assert legal(state) == "HA"  # an opponent trumped: higher


def test_only_trumps_have_to_beat() -> None:
    state = position(belote(), "C9 H8 | CT C7 | H7 HA | C8 D8")
    play(state, "C9")
    assert legal(state) == "CT C7"


FOOLS = Deck("CSWF", "789A")


def wizard() -> TrickRules:
    """Wizards win, fools lose, both are always legal and set no suit; clubs are trumps."""
    wizards, fools = FOOLS.of_suit_mask("W"), FOOLS.of_suit_mask("F")
    return TrickRules.plain(
        FOOLS, 3, "C", always_legal=wizards | fools, need_not_follow=wizards, always_wins=wizards, never_wins=fools
    )


def test_the_first_wizard_wins_and_fools_lose() -> None:
    state = position(wizard(), "F7 SA W7 | S7 S8 W8 | C7 F8 F9", 0)
    play(state, "F7")
    assert legal(state) == "S8 S7 W8"  # no suit yet
    play(state, "S7")
    assert legal(state) == "C7 F9 F8"  # void in spades
    play(state, "F8")
    assert state.leader == 1
    play(state, "W8")
    assert legal(state) == "C7 F9"
    play(state, "C7 W7")
    assert state.leader == 1
    play(state, "S8 F9 SA")
    assert state.won == [1, 2, 0]
    state = position(wizard(), "F7 | F8 | F9")
    play(state, "F7 F8 F9")
    assert state.won == [1, 0, 0]


def test_a_card_that_stays_with_its_owner() -> None:
    fool = FOOLS.parse_mask("F7")
    costs = tuple(4 if fool >> i & 1 else 1 for i in range(len(FOOLS)))
    rules = TrickRules.plain(FOOLS, 3, card_cost=costs, always_legal=fool, never_wins=fool, stays=fool)
    state = position(rules, "SA | F7 | S8")
    play(state, "SA F7 S8")
    assert state.taken == [2, 4, 0]
    state.undo()
    assert state.taken == [0, 0, 0]


# -- duties -----------------------------------------------------------------------------------------------------------

ACE = DECK.parse_mask("CA")
CALLED = TrickRules.plain(DECK, 4, "H", duty=Duty(ACE, 4), alliance=Alliance(ACE, 3))


def test_the_called_ace() -> None:
    state = position(CALLED, "C7 S7 S8 | CA C8 S9 | CT D8 D9 | CK H9 DA")
    play(state, "C7")
    assert legal(state) == "CA"  # must be played when its suit is led
    play(state, "CA CT CK")
    assert state.released
    state = position(CALLED, "D7 S7 S8 | CA C8 S9 | DT D8 D9 | DK H9 DA")
    play(state, "D7")
    assert legal(state) == "C8 S9"  # may not be thrown away
    state = position(CALLED, "D7 S7 S8 | CA C8 S9 | DT D8 D9 | DK H9 DA", 1)
    assert legal(state) == "CA S9"  # nor may be led under
    state = position(CALLED, "D7 S7 S8 D8 | CA C8 C9 CT | DT C7 H7 H8 | DK H9 DA HT", 1)
    assert legal(state) == "CA CT C9 C8"  # but with four
    play(state, "C8 C7 DK D8")
    assert state.released
    assert state.leader == 1
    play(state, "C9 H7")
    assert state.leader == 1
    state.undo()
    state.undo()
    assert state.released
    for _ in range(4):
        state.undo()
    assert not state.released


def test_what_was_not_played_is_not_held() -> None:
    card = DECK.card
    club, heart = card("C8").index, card("H8").index
    now = {"broken": False, "first": True}
    assert excluded_mask(CALLED, club, [card("C7").index], **now) == ACE
    assert excluded_mask(CALLED, heart, [card("C7").index], **now) & ACE
    assert not excluded_mask(CALLED, club, [card("S7").index], **now) & ACE
    assert not excluded_mask(CALLED, club, [card("C7").index], **now, released=True)


# -- ties -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("more", "first", "last"),
    [({}, 0, 0), ({"other": True}, 1, 1), ({"other": True, "not_last": True}, 1, 0)],
)
def test_the_second_ten_of_hearts(more: dict[str, bool], first: int, last: int) -> None:
    deck = Deck("CH", "9TA", copies=2)
    tens = deck.parse_mask("HT HT")
    power = tuple(10 if tens >> c.index & 1 else deck.ranks.index(c.rank) for c in deck)
    suit_of = tuple(1 if c.suit == "H" else 0 for c in deck)
    rules = TrickRules(
        deck, 2, suit_of, power, 1, other_ties=tens if more else 0, last_ties=more.get("not_last", False)
    )
    one, two = (c.index for c in deck if tens >> c.index & 1)
    nines = [c.index for c in deck if c.kind == "C9"]
    state = TrickState(rules, [1 << one | 1 << nines[0], 1 << two | 1 << nines[1]])
    state.play(one)
    state.play(two)
    assert state.leader == first
    state = TrickState(rules, [1 << one, 1 << two])
    state.play(one)
    state.play(two)
    assert state.leader == last


# -- goals and what is not said ---------------------------------------------------------------------------------------


def test_a_goal_of_ones_own() -> None:
    nil = Goal(GoalKind.AT_MOST, 0)
    goals = (Goal(GoalKind.AT_LEAST, 4), Goal())
    rules = TrickRules.plain(DECK, 4, trick_cost=1, teams=(0, 1, 0, 1), goals=goals, seat_goals=(None, None, nil, None))
    assert rules.goal(2) == nil
    assert rules.side_mask(2) == 0b0100
    assert rules.goal(0) == goals[0]
    assert rules.side_mask(0) == 0b0001  # the nil's tricks do not count for the bid
    assert rules.side_mask(1) == 0b1010


def test_what_cannot_be_said_is_refused_with_a_word() -> None:
    from tricktake.search.opencard import solve

    rules = TrickRules.plain(DECK, 3, unsaid="which tasks are done")
    with pytest.raises(ValueError, match="which tasks are done"):
        solve(position(rules, "C7 | C8 | C9"))


def test_bad_rules_are_refused() -> None:
    with pytest.raises(ValueError, match="one play suit"):
        TrickRules.plain(DECK, 3, duty=Duty(DECK.parse_mask("CA SA")))
    with pytest.raises(ValueError, match="fixed teams"):
        TrickRules.plain(DECK, 3, spare_partner=True)
    with pytest.raises(ValueError, match="always and never"):
        TrickRules.plain(DECK, 3, always_wins=3, never_wins=1)
    with pytest.raises(ValueError, match="needs a declarer"):
        Alliance(3, None, fixed_by_trick=3)
    with pytest.raises(ValueError, match="cards or a declarer"):
        Alliance()
