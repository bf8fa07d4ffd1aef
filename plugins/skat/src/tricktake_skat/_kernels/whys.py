"""Numbers of the rules by which cards are played; ``strategies/rules.toml`` says what each means."""

# fmt: off
# The rule player's, in suit games and grands.
(
    ONLY_CARD, DRAW_TRUMPS, FORCE_TRUMPS, CASH_WINNER, CASH_ACE, ESTABLISH, LEAD_LOSER, LEAD_TRUMP, TAKE_LAST,
    TAKE_MASTER, RUFF, DISCARD_LOSER, PLAY_LOW, SMEAR, FORCE_DECLARER, PARTNERS_SUIT, SHORT_SUIT, LONG_SUIT,
    BEAT_LOW,
) = range(19)

# Its rules in Null.
(
    NULL_UNDER, NULL_FORCED, NULL_DANGER, NULL_SAFE_LEAD, NULL_ATTACK, NULL_THROW_HIGH, NULL_LOW, NULL_ATTACK_HOLE,
) = range(40, 48)

# Those of the expert, who can do without each: the bit of a rule is its number less FIRST.
FIRST = 60
(
    SETTLE, DENY, RUFF_RICH, RUFF_MORE, FORCE_JACK, GRAND_SETUP, TRUMPS_ON, CASH_FIRST, KEEP_ACE, DUCK, GRAND_JACK,
    BEAT_TRUMP, HOLD_ACE, GRAND_HOLD, LEAD_HONOUR, TEN_SUIT, UNDER_ACE, CATCH_TEN, GRAND_CATCH,
    FROM_ABOVE, STANDING_FIRST, JACK_JUMPER,
) = range(FIRST, 82)
# fmt: on
