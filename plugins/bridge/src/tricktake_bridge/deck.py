"""The bridge deck, its deal, and the names of seats and strains."""

from __future__ import annotations

from tricktake.cards import Deck
from tricktake.deal import Layout

SEAT_NAMES = "NESW"
NORTH, EAST, SOUTH, WEST = range(4)
STRAINS = ("C", "D", "H", "S", "NT")  # lowest first
TABLE_STRAINS = ("S", "H", "D", "C", "NT")  # the order of double-dummy tables

BRIDGE = Deck(suits="SHDC", ranks="23456789TJQKA")
LAYOUT = Layout(BRIDGE, (13, 13, 13, 13))

# Law 2: the 16 boards combine every dealer with every vulnerability once, then they repeat. Sides: 0 North-South, 1
# East-West.
BOARDS = 16
_VULNERABLE: tuple[tuple[int, ...], ...] = (
    (),
    (0,),
    (1,),
    (0, 1),
    (0,),
    (1,),
    (0, 1),
    (),
    (1,),
    (0, 1),
    (),
    (0,),
    (0, 1),
    (),
    (0,),
    (1,),
)


def dealer(board: int) -> int:
    """The dealer of a board, counted from 0 (board number 1 of a set)."""
    return board % 4


def vulnerable(board: int, seat: int) -> bool:
    """Whether the side of ``seat`` is vulnerable on a board counted from 0."""
    return seat % 2 in _VULNERABLE[board % BOARDS]


def vulnerable_sides(board: int) -> tuple[int, ...]:
    """The vulnerable sides on a board counted from 0: none, (0,) North-South, (1,) East-West, or both."""
    return _VULNERABLE[board % BOARDS]


def board_of(dealer: int, sides: tuple[int, ...]) -> int:
    """The board in 0 to 15 with this dealer and these vulnerable sides. Raises ValueError for other sides."""
    for board in range(dealer, BOARDS, 4):
        if _VULNERABLE[board] == sides:
            return board
    raise ValueError(f"no board has dealer {dealer} and vulnerable sides {sides}")
