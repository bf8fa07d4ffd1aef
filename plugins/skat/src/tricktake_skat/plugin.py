"""What Skat registers. Everything is imported when it is first used."""

from __future__ import annotations

from pathlib import Path

from tricktake import shipped
from tricktake.hookspecs import Register, hookimpl

TABLES = shipped.tables(__file__, "skat")
POLICIES = Path(__file__).parent / "policies"


@hookimpl
def register_games(register: Register) -> None:
    register("skat", "tricktake_skat.game:SkatGame", summary="Skat by the International Skat Order")


@hookimpl
def register_formats(register: Register) -> None:
    base = "tricktake_skat.formats"
    register("iss", f"{base}.iss:FORMAT", summary="records of the International Skat Server")
    register("pgn", f"{base}.pgn:FORMAT", summary="the papers' series notation")
    register("xskat", f"{base}.xskat:FORMAT", summary="the log of XSkat")


@hookimpl
def register_strategies(register: Register) -> None:
    register(
        "rule",
        "tricktake_skat.strategies.rule:Rule",
        summary="bids, discards and plays by rules of thumb, without search",
    )
    register(
        "ensemble",
        "tricktake_skat.strategies.ensemble:ensemble",
        summary="the core's ensemble with Skat's belief and expert",
    )
    register(
        "player",
        "tricktake_skat.strategies.ensemble:player",
        summary="the ensemble with rollouts of a learned policy",
    )
    register(
        "quick",
        "tricktake_skat.strategies.ensemble:quick",
        summary="the same at a quarter of the time, for many games",
    )
    register("expert", "tricktake_skat.strategies.expert:Expert", summary="plays by named expert rules, without search")
    register(
        "opening", "tricktake_skat.strategies.opening:Opening", summary="opens with or under the ace by learned tables"
    )
    discarder = "tricktake_skat.discard.discarder:Discarder"
    register("discard", discarder, summary="chooses the game and two cards to discard, by one of seven methods")
    register("put", discarder, summary="the older name of skat:discard")
    register("bidder", "tricktake_skat.bidding.bidder:bidder", summary="bids and declares by learned chances to win")


@hookimpl
def register_beliefs(register: Register) -> None:
    register(
        "belief",
        "tricktake_skat.strategies.belief:SkatBelief",
        summary="what bids, contract, skat and cards say about the hidden cards",
    )
    register(
        "conventions",
        "tricktake_skat.strategies.conventions:ConventionBelief",
        summary="what defenders do not hold by playing conventions: lowest to the declarer, highest to the partner",
    )
    register(
        "winning",
        "tricktake_skat.strategies.weighed:WinningBelief",
        summary="the declarer's hands weighed by the learned chances to win the announced game",
    )


@hookimpl
def register_questions(register: Register) -> None:
    base = "tricktake_skat.questions"
    register("suit", f"{base}.declarer:SUIT", summary="does the declarer of a suit game win?")
    register("grand", f"{base}.declarer:GRAND_GAME", summary="does the declarer of a grand win?")
    register("lead-suit", f"{base}.lead:LEAD_SUIT", summary="suit game: open with the ace or under it?")
    register("lead-grand", f"{base}.lead:LEAD_GRAND", summary="grand: open with the ace or under it?")


@hookimpl
def register_commands(register: Register) -> None:
    register("advise", "tricktake_skat.cli_advise:command", summary="Games and skats for a hand, and why.")
    register("iss", "tricktake_skat.cli_iss:command", summary="A Skat server, and players of ours on one.")


@hookimpl
def register_ratings(register: Register) -> None:
    register(
        "skat.luck", "tricktake_skat.luck:SkatLuck", summary="corrects series points for strong hands and high games"
    )


@hookimpl
def register_controls(register: Register) -> None:
    register("skat", "tricktake_skat.luck:DealtHands", summary="log odds of the best game of the ten cards dealt")


@hookimpl
def register_tables(register: Register) -> None:
    for name in ("suit", "grand", "lead-suit", "lead-grand"):
        register(name, TABLES / f"{name}.table", summary=f"what skat:{name} has learned")


@hookimpl
def register_policies(register: Register) -> None:
    register(
        "cards",
        POLICIES / "cards.policy",
        summary="suit, grand, Null and Null ouvert, learned from nothing (docs/policies.md)",
    )
    register("values", POLICIES / "values.policy", summary="what hands are worth: for skat:bidder (docs/bidding.md)")


@hookimpl
def register_practices(register: Register) -> None:
    register(
        "skat", "tricktake_skat.practice:practice", summary="contracts of rule players and bidders, for Seeger points"
    )
