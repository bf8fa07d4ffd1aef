"""A frame of the stack of a paranoia search. What it knows of hidden cards: paranoia_hidden.py."""

from tricktake._kernels import paranoia_state as S
from tricktake._kernels.frame import *  # noqa: F403
from tricktake._kernels.frame import OWN
from tricktake._kernels.play import CARDS

LEFT = OWN  # tricks not yet finished
START = OWN + 1  # nodes when it was entered
UNSEEN = OWN + 2
LIST = OWN + 3
MASK = LIST + CARDS
ROOM = MASK + S.MAX_PLACES
CAPS = ROOM + S.MAX_PLACES  # of each place, the most cards of each suit, packed
SIZE = CAPS + S.MAX_PLACES
WORK = S.FRAMES + (CARDS + 2) * SIZE  # words of a work array; the last frame is scratch
