"""What the core itself registers, as the plugin ``core``. Import strings only: nothing here is imported before use."""

from __future__ import annotations

from tricktake.hookspecs import Register, hookimpl


@hookimpl
def register_strategies(register: Register) -> None:
    """Strategies for every game."""
    register("random", "tricktake.strategies.random:Random", summary="any legal action")
    register("pimc", "tricktake.strategies.pimc:Pimc", summary="solves sampled worlds open-card and decides over them")
    register(
        "alphamu", "tricktake.strategies.alphamu:AlphaMu", summary="searches sampled worlds with one choice for all"
    )
    register("ensemble", "tricktake.strategies.ensemble:ensemble", summary="asks strategies in their order")
    register("killer", "tricktake.strategies.killer:Killer", summary="cards that win in every world")
    register(
        "endgame", "tricktake.strategies.endgame:Endgame", summary="lists and solves all worlds, and lets them vote"
    )
    register("hope", "tricktake.strategies.hope:Hope", summary="the only card that can still win")
    register("paranoia", "tricktake.strategies.paranoia:Paranoid", summary="proves cards against all worlds")
    register(
        "policy", "tricktake.strategies.policy:policy_strategy", summary="plays what a policy has learned by playing"
    )
    register(
        "rollouts",
        "tricktake.strategies.rollouts:rollouts_part",
        summary="samples worlds and plays every card out as a policy would",
    )
    register(
        "valuer",
        "tricktake.strategies.valuer:valuer",
        summary="bids, passes and calls by what each choice scores in games it plays out",
    )
    register("manners", "tricktake.strategies.manners:Manners", summary="wins tricks and feeds its partner, or ducks")
    register("playout", "tricktake.strategies.playout:Playout", summary="plays sampled worlds out without search")
    register(
        "engine",
        "tricktake.engine.strategy:Engine",
        summary="a program in any language that speaks the engine protocol",
    )


@hookimpl
def register_beliefs(register: Register) -> None:
    """Beliefs for every game."""
    register(
        "played",
        "tricktake.strategies.likelihood:played_as",
        summary="how likely policies would have played as the others did",
    )


@hookimpl
def register_formats(register: Register) -> None:
    """Notations of records for every game."""
    register("jsonl", "tricktake.records.jsonl:FORMAT", summary="tricktake's own, one JSON object a line")
    register("parquet", "tricktake.records.columns:FORMAT", summary="columns, for queries (needs pyarrow)")


@hookimpl
def register_commands(register: Register) -> None:
    """The subcommands."""
    from tricktake.cli.commands import TABLE

    for command in TABLE:
        register(command.name, command.target, summary=command.summary)


@hookimpl
def register_ratings(register: Register) -> None:
    """Rating systems for every game."""
    base = "tricktake.ratings"
    register("proportional", f"{base}.proportional:Proportional", summary="expects scores in proportion to ratings")
    register("quotient", f"{base}.proportional:Quotient", summary="its forerunner: scores times a damped quotient")
    register("mean", f"{base}.proportional:Mean", summary="the mean score of a series")
    register("elo", f"{base}.elo:Elo", summary="two players")
    register("elo-average", f"{base}.elo:EloAverage", summary="the table as one opponent of average rating")
    register("elo-pairs", f"{base}.elo:EloPairs", summary="every pair of a table, one after another")
    register("elo-repeated", f"{base}.elo:EloRepeated", summary="every opponent as if of average rating")
    register("elo-pool", f"{base}.elo:EloPool", summary="the table as one opponent, for half a point a player")
    register("softmax", f"{base}.elo:Softmax", summary="the winner of a table, by powers of 10")
    register("openskill", f"{base}.bayes:OpenSkill", summary="Bayesian, by places (needs tricktake[ratings])")
