"""Hypothesis strategies shared by the tests: random rules with every feature, and positions in mid-trick."""

from __future__ import annotations

from attrs import evolve
from hypothesis import strategies as st

from tricktake.alliance import Alliance
from tricktake.cards import Deck
from tricktake.deal import Layout
from tricktake.knowledge import Knowledge
from tricktake.rules import Duty, Goal, GoalKind, Overtake, Tie, TrickRules
from tricktake.trick import TrickState

SUITS = "CSHD"
RANKS = "23456789TJQKA"


@st.composite
def decks(draw, min_cards: int = 2, max_cards: int = 24) -> Deck:
    """Small decks of 1 to 4 suits and one or two copies."""
    copies = draw(st.integers(1, 2))
    suits = draw(st.integers(1, 4))
    low = -(-min_cards // (copies * suits))
    high = max(low, min(len(RANKS), max_cards // (copies * suits)))
    ranks = draw(st.integers(max(1, low), max(1, high)))
    return Deck(SUITS[:suits], RANKS[-ranks:], copies)


@st.composite
def random_rules(
    draw,
    min_seats: int = 2,
    max_seats: int = 4,
    min_cards: int | None = None,
    max_cards: int = 24,
    negative_costs: bool = True,
    plain: bool = False,
    rare: bool = True,
) -> TrickRules:
    """Random rules: trumps taken out of other suits, copies and equal powers, every duty and limit, any goals.

    plain: no duties beyond following suit and no limits on leading. rare: every other rule is possible too.
    """
    seats = draw(st.integers(min_seats, max_seats))
    deck = draw(decks(min_cards=min_cards or seats * 2, max_cards=max_cards))
    n = len(deck)
    suits = len(deck.suits)
    suit_of = [deck.suits.index(card.suit) for card in deck]
    power = [deck.ranks.index(card.rank) for card in deck]
    trump = draw(st.none() | st.integers(0, suits))
    if trump is not None:
        for rank in range(len(deck.ranks)):  # whole ranks become trumps, as jacks and queens do
            if draw(st.integers(0, 3)) == 0:
                for i, card in enumerate(deck):
                    if card.rank == deck.ranks[rank]:
                        suit_of[i] = trump
                        power[i] = 20 + rank * 4 + deck.suits.index(card.suit)
    if not draw(st.booleans()):  # no two cards are equal
        power = [p * 2 + card.copy for p, card in zip(power, deck, strict=True)]
    low = -3 if negative_costs else 0
    costs = draw(
        st.one_of(
            st.just([0] * n),
            st.lists(st.integers(low, 11), min_size=n, max_size=n),
        )
    )
    trick_cost = draw(st.integers(low, 2))
    teams = draw(
        st.none()
        | st.just(tuple(s % 2 for s in range(seats)))
        | st.integers(0, seats - 1).map(lambda d: tuple(int(s != d) for s in range(seats)))
    )
    kinds = st.builds(Goal, st.sampled_from(GoalKind), st.integers(0, 20))
    count = seats if teams is None else 2
    goals = tuple(draw(st.lists(kinds, min_size=count, max_size=count)))
    masks = st.integers(0, (1 << n) - 1) | st.just(0)
    more = {}
    if not plain:
        more = {
            "follow": draw(st.integers(0, 5)) > 0,
            "trump_when_void": draw(st.booleans()),
            "overtake": draw(st.sampled_from(Overtake) if rare else st.booleans()),
            "lead_limit": draw(masks),
            "lead_excuse": draw(masks),
            "breakers": draw(masks),
            "first_lead": draw(masks),
            "first_ban": draw(masks),
        }
    if rare and not plain:
        more |= draw(rare_fields(tuple(suit_of), tuple(power), teams is not None))
    return TrickRules(
        deck=deck,
        seats=seats,
        suit_of=tuple(suit_of),
        power=tuple(power),
        trump=trump,
        card_cost=tuple(costs),
        trick_cost=trick_cost,
        last_trick_bonus=draw(st.just(0) | st.integers(low, 10)),
        ties=draw(st.sampled_from(Tie)),
        teams=teams,
        goals=goals,
        **more,
    )


@st.composite
def rare_fields(draw, suit_of: tuple[int, ...], power: tuple[int, ...], teams: bool) -> dict[str, object]:
    """Some of the fields few games need, each in one of four rule sets."""
    n = len(suit_of)

    def sometimes(strategy, otherwise):
        return draw(strategy) if draw(st.integers(0, 3)) == 0 else otherwise

    some = st.lists(st.integers(0, n - 1), max_size=4).map(lambda cards: sum(1 << c for c in set(cards)))
    winners, losers = sometimes(some, 0), sometimes(some, 0)
    chosen = sometimes(some, 0)
    tied = {(suit_of[c], power[c]) for c in range(n) if chosen >> c & 1}
    duty = None
    if draw(st.integers(0, 2)) == 0:
        suit = draw(st.sampled_from(suit_of))
        cards = [c for c in range(n) if suit_of[c] == suit]
        held = draw(st.lists(st.sampled_from(cards), min_size=1, max_size=2))
        duty = Duty(sum(1 << c for c in set(held)), draw(st.integers(0, 4)))
    return {
        "spare_partner": teams and draw(st.booleans()),
        "no_undertrump": draw(st.booleans()),
        "last_resort": sometimes(some, 0),
        "always_legal": sometimes(some, 0),
        "need_not_follow": sometimes(some, 0),
        "always_wins": winners & ~losers,
        "never_wins": losers,
        "stays": sometimes(some, 0),
        "other_ties": sum(1 << c for c in range(n) if (suit_of[c], power[c]) in tied),
        "last_ties": draw(st.booleans()),
        "duty": duty,
    }


@st.composite
def allied_rules(draw, **options) -> TrickRules:
    """Random rules with hidden teams: by one or two cards with or without a declarer, or a partner found by tricks."""
    rules = draw(random_rules(**options))
    n, seats = len(rules.deck), rules.seats
    cards = sum(1 << c for c in draw(st.sets(st.integers(0, n - 1), min_size=1, max_size=2)))
    declarer = draw(st.integers(0, seats - 1))
    led = draw(st.integers(0, (1 << n) - 1) | st.just(0))
    alliance = draw(
        st.sampled_from(
            [
                Alliance(cards),
                Alliance(cards, declarer),
                Alliance(declarer=declarer, fixed_by_trick=draw(st.integers(1, 3)), led=led),
            ]
        )
    )
    goals = (*rules.goals, *rules.goals)[:2]
    return evolve(rules, teams=None, spare_partner=False, goals=goals, alliance=alliance)


@st.composite
def random_positions(draw, max_hand: int = 4, rules: st.SearchStrategy[TrickRules] | None = None) -> TrickState:
    """A position of random rules with up to ``max_hand`` cards a seat, perhaps in mid-trick; one card is left."""
    r = draw(rules if rules is not None else random_rules())
    size = draw(st.integers(1, max(1, min(max_hand, len(r.deck) // r.seats))))
    order = draw(st.permutations(range(len(r.deck))))
    hands = [sum(1 << c for c in order[s * size : (s + 1) * size]) for s in range(r.seats)]
    state = TrickState(
        r,
        hands,
        draw(st.integers(0, r.seats - 1)),
        credit=tuple(draw(st.lists(st.integers(-5, 20), min_size=r.seats, max_size=r.seats))),
        broken=draw(st.booleans()),
        first=draw(st.booleans()),
        released=draw(st.booleans()),
    )
    played = draw(st.integers(0, size * r.seats - 1))
    for _ in range(played):
        state.play(draw(st.sampled_from(state.legal())))
    return state


@st.composite
def random_knowledge(draw, max_cards: int = 8, max_places: int = 7) -> Knowledge:
    """Knowledge of small hidden places with random cards ruled out; it need not be feasible."""
    deck = Deck("CSHD", "789TJQKA")
    places = draw(st.integers(1, max_places))
    sizes = draw(st.lists(st.integers(0, max(1, max_cards // places)), min_size=places, max_size=places))
    extra = draw(st.integers(0, min(2, places - 1)))
    split = places - extra
    layout = Layout(deck, tuple(sizes[:split]), tuple((f"x{i}", n) for i, n in enumerate(sizes[split:])))
    order = draw(st.permutations(range(len(deck))))
    known, at = [], 0
    for size in sizes:  # a part of each place is known
        cards = order[at : at + draw(st.integers(0, size))]
        at += size
        known.append(sum(1 << c for c in cards))
    hidden = sum(sizes) - sum(m.bit_count() for m in known)
    open_cards = [c for c in order if not any(m >> c & 1 for m in known)]
    undealt = draw(st.integers(0, 2))
    gone = sum(1 << c for c in open_cards[hidden + undealt :])
    unseen = open_cards[: hidden + undealt]
    cannot = {
        place: sum(1 << c for c in unseen if draw(st.integers(0, 3)) == 0)
        for place in range(places + 1)
        if draw(st.booleans())
    }
    return Knowledge.make(layout, known, sizes, gone, cannot)


def told_card_by_card(rules: TrickRules) -> bool:
    """Whether a legal play tells all card by card: then each world of ``Knowledge`` replays (``excluded_mask``)."""
    return not rules.always_legal and not rules.need_not_follow and not (rules.duty and rules.lead_limit)
