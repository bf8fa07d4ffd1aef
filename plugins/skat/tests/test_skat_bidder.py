"""The bidder as a part, and its batch: the same bids, contracts and skats."""

from __future__ import annotations

import json

import numpy as np
import pytest
from tricktake_skat._kernels import bidding as kernel
from tricktake_skat.bidding.bidder import evaluator
from tricktake_skat.bidding.choice import game_text
from tricktake_skat.bidding.model import CALIBRATION, PRIOR, SCHNEIDER_FILE, learned
from tricktake_skat.bidding.style import Style
from tricktake_skat.contract import GAMES, SkatContract
from tricktake_skat.deals import dealt
from tricktake_skat.deck import LAYOUT, SKAT
from tricktake_skat.game import SkatGame
from tricktake_skat.games import Player as Seat
from tricktake_skat.games import play_bidders, rotated, score36
from tricktake_skat.scoring import seeger

from tricktake.deal import Deal
from tricktake.errors import InputError, TricktakeError
from tricktake.search.limit import Limit
from tricktake.strategies.player import Player
from tricktake.table import Table
from tricktake.testing import check_strategy

JITTED = hasattr(kernel.weigh, "signatures")
N = 60


def played_at_a_table(deal, spec):
    table = Table.start(SkatGame(), Deal(LAYOUT, tuple(deal.tolist())))
    player = Player.from_spec(spec)
    while table.turn is not None:
        decision = player.decide(table.view(table.actor), Limit(), np.random.default_rng(0))
        assert decision.reason
        assert "\n" not in decision.reason
        table.apply(decision.action)
    return table


@pytest.mark.parametrize(
    ("options", "style"),
    [
        ("", Style()),
        ("putting=best,aggressiveness=90,threshold=0,hands=false", Style(90.0, 0.0, "best", hands=False)),
        ("putting=rule,trumps=true,aggressiveness=50,threshold=-60", Style(50.0, -60.0, "rule", trumps=True)),
        ("putting=stegen", Style(putting="stegen")),
    ],
)
def test_batch_and_table_bid_the_same(options, style):
    deals = dealt(31, 0, N)
    games = play_bidders([Seat(style)], deals, np.zeros((N, 3), np.int64))
    part = f"skat:bidder({options})" if options else "skat:bidder"
    for i in range(N):
        table = played_at_a_table(deals[i], f"bid={part},exchange={part},play=skat:rule")
        assert table.facts["bids"] == tuple(games.rows["bids"][i].tolist())
        if games.rows["declarer"][i] < 0:
            assert table.contract is None
            continue
        contract = table.contract
        assert isinstance(contract, SkatContract)
        assert (contract.declarer, contract.bid) == (games.rows["declarer"][i], games.rows["bid"][i])
        assert (GAMES.index(contract.trump), contract.hand, contract.ouvert, contract.schneider) == (
            games.rows["game"][i],
            bool(games.rows["hand"][i]),
            bool(games.rows["ouvert"][i]),
            bool(games.rows["announced"][i]),
        )
        assert table.places[3] == games.rows["put"][i]
        score = table.score()
        assert score.points[contract.declarer] == games.rows["value"][i]
        assert score.won == bool(games.rows["won"][i])


def test_the_part_keeps_the_rules_of_parts():
    part = Player.from_spec("bid=skat:bidder,exchange=skat:bidder,play=skat:rule")
    check_strategy(part, SkatGame()).require()


def test_scores_are_those_of_the_series():
    deals, seats = rotated(dealt(9, 0, 40), (0, 1, 1))
    games = play_bidders([Seat(Style(threshold=0.0)), Seat(None)], deals, seats)
    assert len(games) == 120
    assert (np.sort(seats.reshape(40, 3, 3), axis=1) == [[[0, 0, 0], [1, 1, 1], [1, 1, 1]]]).all()
    scores = games.scores(2)
    for i in range(len(games)):
        each = seeger(int(games.rows["declarer"][i]), int(games.rows["value"][i]))
        assert scores[i, 0] == sum(points for seat, points in enumerate(each) if seats[i, seat] == 0)
        assert scores[i].sum() == sum(each)
    mean, error = score36(games)
    assert mean == pytest.approx(12 * scores.sum() / 120)
    assert error > 0


def test_more_daring_folds_less():
    """What a loss costs and the threshold both make fewer games (SKAT-17)."""
    deals = dealt(13, 0, 400)
    seats = np.zeros((400, 3), np.int64)
    folded = [
        (play_bidders([Seat(Style(b, t))], deals, seats).rows["declarer"] < 0).sum()
        for b, t in ((50.0, 0.0), (50.0, 40.0), (90.0, 40.0), (90.0, 80.0))
    ]
    assert folded == sorted(folded)
    assert folded[0] < folded[-1]


GRAND_OUVERT = "CJ SJ HJ DJ CA CT CK CQ C9 C8"
LOW = "C7 C8 C9 S7 S8 S9 H7 H8 D7 D8"


def hand_of(text):
    return SKAT.parse_mask(text)


def test_hands_anybody_can_judge():
    """Four jacks and the top of a suit are a sure grand; only low cards are a Null, taken as ouvert at 36."""
    e, style = evaluator(), Style()
    offer = e.offer(hand_of(GRAND_OUVERT), 0, (0, 0, 0), 18, style)
    assert offer.score > 150
    assert offer.by_hand.name.startswith(("G", "C"))
    low = e.offer(hand_of(LOW), 0, (0, 0, 0), 23, style)
    assert low.score > 60
    assert low.prospects[0].name == "NO" or low.by_hand.name == "NHO"
    assert e.offer(hand_of(LOW), 0, (0, 0, 0), 60, style).score < -100


def test_null_is_the_way_out_of_a_bad_skat():
    """A bid of 46 with nothing but low cards in twelve: every suit game is overbid or lost."""
    options = evaluator().options(hand_of(LOW + " SQ DQ"), 1, (0, 46, 45), 46, Style())
    assert options[0].name == "NO"
    assert "N" not in {option.name for option in options}  # 23 is below the bid
    assert options[0].score > 0 > options[1].score


def test_the_model_is_a_chance():
    model = learned()
    for table in (model.suit, model.grand, model.nulls, model.schneider):
        assert ((table >= 0) & (table <= 1)).all()


def test_what_is_fitted_besides_may_be_others(tmp_path):
    files = {file: json.loads(file.read_text()) for file in (PRIOR, CALIBRATION, SCHNEIDER_FILE)}
    for file, found in files.items():
        (tmp_path / file.name).write_text(json.dumps(found))
    assert (learned(value="", fitted=str(tmp_path)).suit == learned(value="").suit).all()
    timid = tmp_path / "timid"
    timid.mkdir()
    for file, found in files.items():
        (timid / file.name).write_text(json.dumps(found | {"suit": [-3.0, 1.0]} if file == CALIBRATION else found))
    assert (learned(value="", fitted=str(timid)).suit < learned(value="").suit).all()


@pytest.mark.parametrize(("text", "said"), [(None, "prior.json"), ("{", "prior.json"), ("{}", "weights")])
def test_bad_files_of_what_is_fitted_are_named(tmp_path, text, said):
    if text is not None:
        (tmp_path / PRIOR.name).write_text(text)
    with pytest.raises(InputError, match=said):
        learned(fitted=str(tmp_path))


@pytest.mark.parametrize(
    "options", ["aggressiveness=-1", "threshold=x", "putting=nonsense", "hands=3", "trumps=maybe", "nothing=1"]
)
def test_bad_options_are_named(options):
    with pytest.raises(TricktakeError, match=options.split("=")[0] if "putting" not in options else "nonsense"):
        Player.from_spec(f"bid=skat:bidder({options}),exchange=skat:rule,play=skat:rule")


def test_bad_hands_are_refused():
    with pytest.raises(ValueError, match="10 cards"):
        evaluator().offer(0xFFF, 0, (0, 0, 0), 18, Style())
    with pytest.raises(ValueError, match="12 cards"):
        evaluator().options(0xFFF, 3, (0, 0, 0), 18, Style())
    with pytest.raises(InputError):
        Style(threshold=float("nan"))


def test_games_have_names():
    assert game_text("GHS") == "grand Hand Schneider"
    assert game_text("NHO") == "Null Hand ouvert"
    assert game_text("C") == "clubs"


def test_reasons_tell_of_others_bids_and_of_the_next_discard():
    """Deal 3 of the seed: forehand and middlehand bid up to 48, and the skat is picked up."""
    player, said = Player.from_spec("bid=skat:bidder,exchange=skat:bidder,play=skat:rule"), {}
    table = Table.start(SkatGame(), Deal(LAYOUT, tuple(dealt(31, 3, 1)[0].tolist())))
    while table.contract is None or table.view(table.actor).phase == "discard":
        view = table.view(table.actor)
        decision = player.decide(view, Limit(), np.random.default_rng(0))
        said.setdefault(view.phase, []).append(decision.reason)
        table.apply(decision.action)
    first, *later = said["auction"]
    assert "had nobody else bid" not in first
    assert all("had nobody else bid" in reason for reason in later)
    (discard,) = said["discard"]
    assert "; discard " in discard
    assert "; next " in discard


def test_nobody_has_to_play():
    """No Ramsch: if all pass the deal counts nothing. Forehand, left alone, plays at 18 or passes in, too (RULE-4)."""
    never, deals = Seat(Style(threshold=1e6)), dealt(33, 0, N)
    passed = play_bidders([never], deals, np.zeros((N, 3), np.int64))
    assert (passed.rows["declarer"] == -1).all()
    assert not passed.scores(1).any()
    alone = play_bidders([Seat(), never], deals, np.tile([0, 1, 1], (N, 1))).rows
    assert set(alone["bid"][alone["declarer"] >= 0]) == {18}
    assert set(alone["declarer"]) <= {-1, 0}
    played = played_at_a_table(deals[0], "bid=skat:bidder(threshold=1000000),exchange=skat:bidder,play=skat:rule")
    assert (played.contract, played.score().points) == (None, (0, 0, 0))
