"""Schafkopf again, slow and obvious: cards are texts, hands are lists. Nothing here uses the plugin."""

from __future__ import annotations

EYES = {"A": 11, "Z": 10, "K": 4, "O": 3, "U": 2, "9": 0, "8": 0, "7": 0}
PLAIN = ["A", "Z", "K", "O", "U", "9", "8", "7"]


class Naive:
    """One game. game: ruf, wenz, geier or solo; suit: of the called ace, or of trumps ("" for none)."""

    def __init__(self, hands: list[list[str]], declarer: int, game: str, suit: str, level: str = "") -> None:
        self.hands = [list(hand) for hand in hands]
        self.dealt = [list(hand) for hand in hands]
        self.declarer, self.game, self.suit, self.level = declarer, game, suit, level
        self.ace = suit + "A" if game == "ruf" else None
        self.tricks: list[tuple[int, list[str], int]] = []  # leader, cards, winner
        self.table: list[str] = []
        self.leader = 0
        full = [card for hand in hands for card in hand]
        tops = {"ruf": ["O", "U"], "solo": ["O", "U"], "wenz": ["U"], "geier": ["O"]}[game]
        colour = "H" if game == "ruf" else suit
        self.trumps = [s + r for r in tops for s in "EGHS"]
        if colour:
            self.trumps += [colour + r for r in PLAIN if r not in tops]
        self.trumps = [card for card in self.trumps if card in full]

    @property
    def turn(self) -> int:
        return (self.leader + len(self.table)) % 4

    def colour(self, card: str) -> str:
        return "trump" if card in self.trumps else card[0]

    def released(self) -> bool:
        return any(self.colour(cards[0]) == self.suit for _, cards, _ in self.tricks)

    def legal(self) -> set[str]:
        hand = self.hands[self.turn]
        bound = self.ace is not None and self.ace in hand and not self.released()
        if not self.table:
            mine = [card for card in hand if self.colour(card) == self.suit]
            if not bound or len(mine) >= 4:
                return set(hand)
            return {card for card in hand if card not in mine or card == self.ace}
        led = self.colour(self.table[0])
        if bound and led == self.suit:
            return {str(self.ace)}
        same = {card for card in hand if self.colour(card) == led}
        if same:
            return same
        rest = {card for card in hand if not (bound and card == self.ace)}
        return rest or set(hand)

    def play(self, card: str) -> None:
        self.hands[self.turn].remove(card)
        self.table.append(card)
        if len(self.table) == 4:
            winner = (self.leader + self.winning()) % 4
            self.tricks.append((self.leader, self.table, winner))
            self.table, self.leader = [], winner

    def winning(self) -> int:
        trumps = [card for card in self.trumps if card in self.table]
        if trumps:
            return self.table.index(trumps[0])
        led = [card for card in self.table if card[0] == self.table[0][0]]
        return self.table.index(min(led, key=lambda card: PLAIN.index(card[1])))

    def side(self) -> set[int]:
        return {s for s in range(4) if s == self.declarer or (self.ace is not None and self.ace in self.dealt[s])}

    def payout(self, base: int, extra: int, run: int, least: int, doubled: int) -> list[int]:
        side = self.side()
        eyes = sum(EYES[card[1]] for _, cards, winner in self.tricks if winner in side for card in cards)
        tricks = sum(winner in side for _, _, winner in self.tricks)
        ours = [card for s in side for card in self.dealt[s]]
        count = 0
        while count < len(self.trumps) and (self.trumps[count] in ours) == (self.trumps[0] in ours):
            count += 1
        if self.level == "tout":
            won, pay = tricks == len(self.tricks), 2 * (base + (run * count if count >= least else 0))
        elif self.level == "sie":
            won, pay = tricks == len(self.tricks), 4 * (base + run * len(self.tricks))
        else:
            won, pay = eyes > 60, base + (run * count if count >= least else 0)
            if tricks in (0, len(self.tricks)) and won == (tricks > 0):
                pay += 2 * extra
            elif eyes > 90 or eyes < 31:
                pay += extra
        pay *= 2**doubled
        each = 1 if len(side) == 2 else 3
        sign = 1 if won else -1
        return [sign * pay * each if s in side else -sign * pay for s in range(4)]
