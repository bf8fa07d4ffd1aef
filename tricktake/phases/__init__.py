"""The shelf of phases: what many card games do before and beside the tricks, ready to be subclassed (docs/phases.md).

A phase of the shelf is configured by class attributes and a few methods, and leaves its result in ``table.facts``. The
last one before the tricks makes the contract in ``close``.
"""

from tricktake.phases.announce import Announcements, Announcing
from tricktake.phases.auction import Auction
from tricktake.phases.bids import Bids
from tricktake.phases.choice import Choice
from tricktake.phases.draft import Draft
from tricktake.phases.partner import CallPartner
from tricktake.phases.passing import Passing
from tricktake.phases.rounds import PASS, Round
from tricktake.phases.talon import Discard, PickUp, TakeTalon, sit_out
from tricktake.phases.trumps import NameTrumps, TurnedCard, TurnedUp
from tricktake.phases.words import Meanings

__all__ = [
    "PASS",
    "Announcements",
    "Announcing",
    "Auction",
    "Bids",
    "CallPartner",
    "Choice",
    "Discard",
    "Draft",
    "Meanings",
    "NameTrumps",
    "Passing",
    "PickUp",
    "Round",
    "TakeTalon",
    "TurnedCard",
    "TurnedUp",
    "sit_out",
]
