"""What a seat surely knows of the cards it does not see.

It is kept per hidden place as the cards that cannot lie there (GAP-8, KBPS-4); must-holds and counts follow from it.
What is only likely is a ``Belief`` and never enters it, so that proofs over all worlds stay proofs (KBPS-10).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from attrs import evolve, frozen

from tricktake.alliance import DECLARER, OTHERS, UNKNOWN, Alliance
from tricktake.cards import CardSet, bits, unsigned
from tricktake.condition import Condition
from tricktake.deal import Layout
from tricktake.rules import TrickRules
from tricktake.trick import excluded_mask, suit_card
from tricktake.view import View

UNUSED = "unused"  # name of the place of the cards that were not dealt


@frozen
class HiddenPlace:
    """A place with cards the observer does not see.

    index: number of the place in the layout; one past the last is the place of the cards that were not dealt.
    size: how many of the unseen cards lie there.
    """

    index: int
    name: str
    size: int


@frozen
class Knowledge:
    """What is surely known of every hidden place. Made by ``from_view`` or ``make``, always tight if it is feasible.

    known: masks of the cards surely lying in each place of the layout. hidden: the places with further cards. unseen:
    the mask of those. cannot, must: for each of ``hidden`` the mask of the unseen cards that lie there in no world, and
    in every world, by the single cards. conditions: what is known besides; a world has to meet them all.
    """

    layout: Layout
    known: tuple[int, ...]
    hidden: tuple[HiddenPlace, ...]
    unseen: int
    cannot: tuple[int, ...]
    must: tuple[int, ...]
    conditions: tuple[Condition, ...] = ()

    @classmethod
    def make(
        cls,
        layout: Layout,
        known: Iterable[int],
        sizes: Iterable[int],
        gone: int = 0,
        cannot: Mapping[int, int] | None = None,
    ) -> Knowledge:
        """Knowledge from its parts: known cards and size of each place of the layout, played cards, and for some
        places a mask of cards that cannot lie there. What the sizes leave over was not dealt.

        Raises ValueError if more cards are known in a place than it has, or more are hidden than there are.
        """
        known, names = tuple(known), layout.names
        unseen = layout.deck.full_mask & ~gone
        for mask in known:
            unseen &= ~mask
        hidden = []
        for index, (mask, size) in enumerate(zip(known, sizes, strict=True)):
            if (missing := size - mask.bit_count()) < 0:
                raise ValueError(f"{mask.bit_count()} cards known in place {names[index]}, which has {size}")
            if missing:
                hidden.append(HiddenPlace(index, names[index], missing))
        undealt = unseen.bit_count() - sum(place.size for place in hidden)
        if undealt < 0:
            raise ValueError(f"{-undealt} more cards are hidden than are unseen")
        if undealt:
            hidden.append(HiddenPlace(len(names), UNUSED, undealt))
        cannot = cannot or {}
        return _tight(layout, known, hidden, unseen, [cannot.get(place.index, 0) for place in hidden])

    @classmethod
    def from_view(cls, view: View) -> Knowledge:
        """All that follows surely from a view: what was seen, what bids and announcements rule out, and that every card
        was legal from its hand.

        Cards may change places before the tricks but not during them.
        """
        cannot: dict[int, int] = dict(view.excluded)
        conditions = list(view.promised)
        rules = view.rules
        if rules is not None:
            broken = released = False
            running = [(view.leader, view.table)] if view.table else []
            for number, (leader, cards) in enumerate([(t.leader, t.cards) for t in view.tricks] + running):
                for k, card in enumerate(cards):
                    seat = (leader + k) % rules.seats
                    mask = excluded_mask(
                        rules,
                        card,
                        cards[:k],
                        broken=broken,
                        first=number == 0,
                        released=released,
                        leader=leader,
                    )
                    cannot[seat] = cannot.get(seat, 0) | mask
                    broken = broken or bool(rules.breakers >> card & 1)
                released = released or bool(rules.duty_suit_mask >> suit_card(rules, cards) & 1)
            conditions += _leads_under_a_duty(view, rules)
        made = cls.make(view.layout, view.known, view.sizes, view.gone, cannot)
        open_ = [c for c in conditions if c.place != view.seat and made.unseen & (c.mask | c.unless)]
        return evolve(made, conditions=tuple(open_)) if open_ else made

    # -- what follows ---------------------------------------------------------------------------------------------

    def groups(self) -> dict[int, int]:
        """The unseen cards by where they may lie: {bit mask over ``hidden``: mask of cards}."""
        return _groups(self.unseen, self.cannot)

    def feasible(self) -> bool:
        """Whether any world fits: no set of places has to hold more cards than it can (Hall; GAP-8)."""
        if self.conditions:
            return any(case.feasible() for case in self.cases())
        groups = self.groups()
        if sum(place.size for place in self.hidden) != self.unseen.bit_count():
            return False
        return all(
            _confined(groups, chosen) <= sum(self.hidden[i].size for i in bits(chosen))
            for chosen in range(1 << len(self.hidden))
        )

    def slot(self, place: int) -> int:
        """The number in ``hidden`` of a place of the layout. Raises ValueError if all its cards are known."""
        for i, hidden in enumerate(self.hidden):
            if hidden.index == place:
                return i
        raise ValueError(f"no card of place {place} is hidden")

    def may_hold(self, place: int) -> CardSet:
        """``may_hold_mask`` with names."""
        return CardSet(self.layout.deck, self.may_hold_mask(place))

    def may_hold_mask(self, place: int) -> int:
        """The cards that lie in this place of the layout in at least one world, known ones included."""
        known = self.known[place] if place < len(self.known) else 0
        for i, hidden in enumerate(self.hidden):
            if hidden.index == place:
                return known | self.unseen & ~self.cannot[i]
        return known

    def surely(self, place: int) -> CardSet:
        """``surely_mask`` with names."""
        return CardSet(self.layout.deck, self.surely_mask(place))

    def surely_mask(self, place: int) -> int:
        """The unseen cards that lie in this place of the layout in every world."""
        return sum(must for hidden, must in zip(self.hidden, self.must, strict=True) if hidden.index == place)

    def contains(self, world: Iterable[int]) -> bool:
        """Whether a world (the cards of every place of the layout, or a row of ``worlds.sample``) fits."""
        world = tuple(unsigned(mask) for mask in world)
        if not all(condition.met(world[condition.place]) for condition in self.conditions):
            return False
        rest = list(world)
        seen = 0
        for place, (mask, known) in enumerate(zip(world, self.known, strict=True)):
            if known & ~mask or mask & seen:
                return False
            seen |= mask
            rest[place] = mask & ~known
        hidden = {place.index: i for i, place in enumerate(self.hidden)}
        for place, mask in enumerate(rest):
            i = hidden.get(place)
            if i is None:
                if mask:
                    return False
            elif mask & (~self.unseen | self.cannot[i]) or mask.bit_count() != self.hidden[i].size:
                return False
        last = hidden.get(len(world))
        left = self.unseen
        for mask in rest:
            left &= ~mask
        return not left if last is None else not left & self.cannot[last]

    def cases(self) -> list[Knowledge]:
        """Knowledge without conditions that together says the same: every world fits exactly one of them.

        Cases that no world fits may be among them.
        """
        found = [evolve(self, conditions=())]
        for condition in self.conditions:
            found = [case for base in found for case in _cases(base, condition)]
        return found

    def __str__(self) -> str:
        """One line a hidden place: how many cards, which for sure, which may be, by name."""
        names = self.layout.deck.names
        lines = []
        for place, cannot, must in zip(self.hidden, self.cannot, self.must, strict=True):
            open_ = self.unseen & ~cannot & ~must
            parts = [f"surely {names(must)}"] if must else []
            parts += [f"{place.size - must.bit_count()} of {names(open_)}"] if open_ else []
            lines.append(f"{place.name}: {', '.join(parts)}")
        return "\n".join(lines)

    # -- knowing more ---------------------------------------------------------------------------------------------

    def with_cannot(self, place: int, mask: int) -> Knowledge:
        """The same with cards ruled out of a place of the layout. It may become infeasible."""
        for i, hidden in enumerate(self.hidden):
            if hidden.index == place:
                cannot = list(self.cannot)
                cannot[i] |= mask
                tight = _tight(self.layout, self.known, self.hidden, self.unseen, cannot)
                return evolve(tight, conditions=self.conditions) if self.conditions else tight
        return self

    def with_card(self, place: int, card: int) -> Knowledge:
        """The same with an unseen card found in a place of the layout. Raises ValueError if it cannot lie there."""
        i = self.slot(place)
        bit = 1 << card
        if not self.unseen & ~self.cannot[i] & bit:
            raise ValueError(f"{self.layout.deck[card].name} cannot lie in place {self.hidden[i].name}")
        known = list(self.known)
        if place < len(known):
            known[place] |= bit
        hidden, cannot = list(self.hidden), list(self.cannot)
        hidden[i] = evolve(hidden[i], size=hidden[i].size - 1)
        tight = _tight(self.layout, tuple(known), hidden, self.unseen & ~bit, cannot)
        return evolve(tight, conditions=self.conditions) if self.conditions else tight


def _leads_under_a_duty(view: View, rules: TrickRules) -> list[Condition]:
    """What leads of a duty's suit tell, before the suit was led once: few cards of it mean that no duty was held."""
    if rules.duty is None or not rules.duty.length:
        return []
    suit, called = rules.duty_suit_mask, rules.duty.cards
    running = [(view.leader, view.table)] if view.table else []
    played = [(t.leader, t.cards) for t in view.tricks] + running
    for number, (leader, cards) in enumerate(played):
        if not suit >> suit_card(rules, cards) & 1:
            continue
        if called >> cards[0] & 1 or not suit >> cards[0] & 1:
            return []
        since = 0
        for other, others in played[number:]:
            for k, card in enumerate(others):
                if (other + k) % rules.seats == leader:
                    since |= 1 << card
        least = rules.duty.length - (since & suit).bit_count()
        return [Condition(leader, suit, least, 0 if since & called else called)] if least > 0 else []
    return []


def _cases(base: Knowledge, condition: Condition) -> list[Knowledge]:
    """Knowledge that splits ``base`` by what the place of a condition holds, as far as that is needed."""
    place, known = condition.place, base.known[condition.place]
    if condition.met(known) and not (condition.unless & base.unseen):
        return [base]
    slots = [i for i, hidden in enumerate(base.hidden) if hidden.index == place]
    if not slots:
        return [base] if condition.met(known) else []
    i = slots[0]
    out = []
    if condition.unless and not known & condition.unless:
        out.append(base.with_cannot(place, condition.unless))
    free = base.unseen & ~base.cannot[i] & (condition.mask | condition.unless)
    held = free
    while True:  # all subsets of the free cards
        both = known | held
        needed = not condition.unless or both & condition.unless
        if (
            needed
            and held.bit_count() <= base.hidden[i].size
            and (both & condition.mask).bit_count() >= condition.least
        ):
            hidden, cannot = list(base.hidden), list(base.cannot)
            hidden[i] = evolve(hidden[i], size=hidden[i].size - held.bit_count())
            cannot[i] |= free & ~held
            places = tuple(mask | held if p == place else mask for p, mask in enumerate(base.known))
            out.append(_tight(base.layout, places, hidden, base.unseen & ~held, cannot))
        if not held:
            return out
        held = (held - 1) & free


def _groups(unseen: int, cannot: Iterable[int]) -> dict[int, int]:
    groups = {0: unseen} if unseen else {}
    for i, no in enumerate(cannot):
        split = {}
        for places, cards in groups.items():
            if cards & no:
                split[places] = cards & no
            if cards & ~no:
                split[places | 1 << i] = cards & ~no
        groups = split
    return groups


def _confined(groups: dict[int, int], chosen: int) -> int:
    """How many cards can only lie in the places ``chosen``."""
    return sum(cards.bit_count() for places, cards in groups.items() if not places & ~chosen)


def _tight(
    layout: Layout, known: tuple[int, ...], hidden: Iterable[HiddenPlace], unseen: int, cannot: Iterable[int]
) -> Knowledge:
    """Knowledge with every consequence drawn: the pigeonhole rule (GAP-8c) for every set of places at once.

    Places that are filled by cards which can lie nowhere else hold no other card; by Hall's condition a card left
    to a place after that lies there in some world. One pass is enough: a set of places that becomes full only
    through it is no more restrictive than those that were.
    """
    pairs = [(place, no & unseen) for place, no in zip(hidden, cannot, strict=True) if place.size]
    places = tuple(place for place, _ in pairs)
    masks = [no for _, no in pairs]
    groups = _groups(unseen, masks)
    for chosen in range(1 << len(places)):
        if _confined(groups, chosen) == sum(places[i].size for i in bits(chosen)):
            for allowed, cards in groups.items():
                if allowed & ~chosen:
                    for i in bits(chosen):
                        masks[i] |= cards
    sure = {allowed: cards for allowed, cards in _groups(unseen, masks).items() if allowed.bit_count() == 1}
    must = tuple(sure.get(1 << i, 0) for i in range(len(places)))
    return Knowledge(layout, known, places, unseen, tuple(masks), must)


def with_known_teams(view: View) -> View:
    """Where cards decide who plays with whom: the view with the teams its seat knows or can deduce."""
    if view.rules is None or view.rules.alliance is None or not view.rules.alliance.cards:
        return view
    return evolve(view, rules=view.rules.with_teams(_known_teams(view, view.rules.alliance)))


def _known_teams(view: View, alliance: Alliance) -> tuple[int, ...]:
    """The team of each seat as far as the view tells: by the cards played, seen, and placed by deduction."""
    knowledge = Knowledge.from_view(view)
    cases = [_teams_in(case, view, alliance) for case in knowledge.cases() if case.feasible()]
    found = {seat: {teams[seat] for teams in cases} for seat in range(view.layout.seats)}
    return tuple(teams.pop() if len(teams) == 1 else UNKNOWN for teams in found.values())


def _teams_in(knowledge: Knowledge, view: View, alliance: Alliance) -> tuple[int, ...]:
    """The same by knowledge without conditions."""
    teams = []
    for seat, played in enumerate(view.played):
        sure = played | knowledge.known[seat] | knowledge.surely_mask(seat)
        if seat == alliance.declarer or sure & alliance.cards:
            teams.append(DECLARER)
        elif knowledge.may_hold_mask(seat) & alliance.cards:
            teams.append(UNKNOWN)
        else:
            teams.append(OTHERS)
    return tuple(teams)
