"""What the parlour registers. Everything is imported when it is first used."""

from __future__ import annotations

from tricktake.hookspecs import Register, hookimpl

# name of the game (and of its module or package), its class there, and in a line what it is; a line a game.
GAMES = (
    ("belote", ".game:Belote", "Belote for two pairs: a turned-up trump, or bids (coinche)"),
    ("euchre", ":Euchre", "Euchre for two pairs: bowers, ordering up, going alone"),
    ("five_hundred", ".game:FiveHundred", "Five Hundred for two pairs: joker, kitty, misere"),
    ("jass", ":Jass", "Schieber-Jass for two pairs: trumps, obenabe, undenufe, pushing"),
    ("oh_hell", ":OhHell", "Oh Hell for three to seven: exact bids, a turned-up trump"),
    ("pinochle", ".game:Pinochle", "Pinochle for two pairs: auction, melds, 48 cards"),
    ("spades", ":Spades", "Spades for two pairs: bids, nil and blind nil, bags"),
    ("tarok", ".game:Tarok", "Slovenian Tarok for three or four: talon, called king, klop, beggar, valat"),
    ("the_crew", ".game:TheCrew", "The Crew, missions 1 to 10, for four or five together: tasks, a radio token"),
    ("whist", ":Whist", "Whist for two pairs: no bidding, a trump in rotation, points for odd tricks"),
    ("wizard", ":Wizard", "Wizard for three to six: exact bids, wizards and jesters"),
)
# games with bidding: each has a Bidder in ``players``, registered as parlour:GAME
BIDDERS = ("belote", "euchre", "five_hundred", "jass", "oh_hell", "pinochle", "spades", "tarok", "the_crew", "wizard")


@hookimpl
def register_games(register: Register) -> None:
    for name, where, summary in GAMES:
        register(name, f"tricktake_parlour.{name}{where}", summary=summary)


@hookimpl
def register_strategies(register: Register) -> None:
    for name in BIDDERS:
        summary = f"bids {name} by the tricks its hand is worth"
        register(name, f"tricktake_parlour.players.{name}:Bidder", summary=summary)
