"""The JSON of openschafkopf: real games with payouts, and what is refused and why."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner
from tricktake_schafkopf.formats.rust import parse, read_rules, rules_text

from tricktake.cli.main import main
from tricktake.errors import InputError
from tricktake.game import find_game
from tricktake.records.formats import get_format, read, variant_of
from tricktake.records.verify import verify

DATA = Path(__file__).parent / "data"
SAMPLE = DATA / "openschafkopf-12.json"
COMPLETE = Path(os.environ.get("SCHAFKOPF_GAMES", "../shared/data/schafkopf/games-88.json"))
FILES = [SAMPLE, pytest.param(COMPLETE, marks=pytest.mark.skipif(not COMPLETE.is_file(), reason="not here"))]
FORM = get_format("openschafkopf")
RUN = "SLaufendeParams::new(10, 3)"


def games() -> list[dict]:
    return json.loads(SAMPLE.read_text())


def comparisons(tmp_path, *records: object) -> list:
    file = tmp_path / "games.json"
    file.write_text(json.dumps(records))
    return list(verify(file, find_game("schafkopf")))


@pytest.mark.parametrize("file", FILES)
def test_real_games_agree(file) -> None:
    """Both packs in one run: payouts of all seats, and who led to every trick."""
    done = CliRunner().invoke(main, ["verify", "schafkopf", str(file), "--json"])
    found = json.loads(done.stdout)
    number = len(json.loads(file.read_text()))
    assert (found["records"], found["agree"]) == (number, number), done.stderr
    assert found["differ"] == found["refused"] == []


@pytest.mark.parametrize("file", FILES)
def test_where_the_called_ace_binds_only_it_is_legal(file) -> None:
    """Where its suit is led for the first time, and where it may not be thrown away; in these games also leads."""
    bound = kept = led = 0
    named = find_game("schafkopf")
    for record in read(file, named, variants=True):
        table = record.table_at_play(variant_of(record, named))
        deck, contract = record.deal.layout.deck, record.contract
        for event in record.plays:
            state = table.tricks
            if contract.called and event.action.verb == "play":
                ace, hand, legal = deck.card(contract.called).mask, state.hands[state.turn], state.legal_cards_mask()
                follow = hand & state.rules.same_suit_mask(state.table[0]) if state.table else hand
                if hand & ace and not state.released:
                    if not state.table:
                        led += legal != hand
                    elif follow & ace:
                        assert legal == ace
                        bound += 1
                    elif not follow:
                        assert legal == hand & ~ace
                        kept += 1
            table.apply(event.action, event.seat)
    assert (bound, kept, led) == ((14, 1, 8) if file == COMPLETE else (2, 1, 5))


def test_tampered_games_differ(tmp_path) -> None:
    game = games()[0]
    wrong = dict(game, payout=[-n for n in game["payout"]])
    moved = json.loads(json.dumps(game))
    moved["tricks"][3]["lead"] = (moved["tricks"][3]["lead"] + 1) % 4
    revoke = json.loads(json.dumps(game))
    a, b = revoke["tricks"][0]["cards"], revoke["tricks"][4]["cards"]
    a[2], b[1] = b[1], a[2]
    found = comparisons(tmp_path, game, wrong, moved, revoke)
    assert [v.status for v in found] == ["agree", "differ", "differ", "differ"]
    assert found[1].reason == f"points: the record says {wrong['payout']}, the rules {game['payout']}"
    assert "acts, but seat" in found[2].reason


def test_a_longer_stake_is_a_difference(tmp_path) -> None:
    game = games()[0]
    assert [v.status for v in comparisons(tmp_path, dict(game, doublings=[0, 2]))] == ["differ"]
    bare = {key: value for key, value in game.items() if key not in ("stoss", "src")}
    assert [v.status for v in comparisons(tmp_path, bare)] == ["agree"]


@pytest.mark.parametrize(
    ("change", "field", "reason"),
    [
        ({"rules": None}, "rules", "is missing"),
        ({"rules": "SRulesRamsch::new(10)"}, "rules", "Ramsch is not played here"),
        ({"rules": "rulesrufspiel_new_test(EPlayerIndex::EPI0"}, "rules", "a bracket is not closed"),
        (
            {"rules": f"rulesrufspiel_new_test(EPlayerIndex::EPI4, EFarbe::Gras, 20, 10, {RUN})"},
            "rules",
            "EPlayerIndex EPlayerIndex::EPI4 is unknown; known: EPI0, EPI1, EPI2, EPI3",
        ),
        (
            {"rules": f"rulesrufspiel_new_test(EPlayerIndex::EPI0, EFarbe::Herz, 20, 10, {RUN})"},
            "rules",
            "the ace of Eichel, Gras or Schelln is called, not Herz",
        ),
        (
            {"rules": f"rulesrufspiel_new_test(EPlayerIndex::EPI3, EFarbe::Gras, 20, 10, {RUN})"},
            "rules",
            "seat 3 calls GA, but holds it",
        ),
        ({"rules": f"rulesrufspiel_new_test(EPlayerIndex::EPI0, EFarbe::Gras, 20, {RUN})"}, "rules", "1 prices, not 2"),
        ({"rules": "sololike(EPlayerIndex::EPI0, None, ESoloLike::Bettel)"}, "rules", "ESoloLike::Bettel is unknown"),
        ({"rules": "x §"}, "rules", "cannot read '§'"),
        ({"hands": [["EO"]]}, "hands", "must be four lists of cards"),
        ({"hands": [["EO"], [], [], []]}, "hands", "1, 0, 0, 0 cards, but a pack has 32 or 24"),
        ({"doublings": "0,4"}, "doublings", "'4' is no seat"),
        ({"doublings": "0,0"}, "doublings", "a seat doubles twice"),
        ({"stoss": {}}, "stoss", ""),
        ({"payout": [1, 2, 3]}, "payout", "3 payouts for 4 seats"),
        ({"payout": [1, 2, 3, "x"]}, "payout", "must be whole numbers"),
        ({"stock": 40}, "stock", "games for a stock are not known here"),
        ({"tricks": [{"lead": 0}]}, "trick 1", "must be an object with lead and cards"),
        ({"tricks": [{"lead": 0, "cards": ["EO", "XX", "EU", "GU"]}]}, "trick 1", "no card 'XX' in this deck"),
    ],
)
def test_what_cannot_be_read_is_refused_with_file_record_and_field(tmp_path, change, field, reason) -> None:
    game = games()[0]
    if change == {"stoss": {}}:
        change, reason = {"stoss": 3.5}, "3.5 is no list of seats"
    good, bad = comparisons(tmp_path, game, {**game, **change})
    assert (good.status, bad.status) == ("agree", "refused")
    assert bad.reason.startswith(f"record 2, {field}: ")
    assert reason in bad.reason
    file = tmp_path / "games.json"
    with pytest.raises(InputError, match=r"games\.json.*record 2, "):
        list(read(file, strict=True))


def test_a_card_dealt_twice_and_a_game_that_broke_off_are_refused(tmp_path) -> None:
    game = games()[0]
    twice = json.loads(json.dumps(game))
    twice["hands"][1][0] = twice["hands"][0][0]
    short = dict(game, tricks=game["tricks"][:5])
    found = comparisons(tmp_path, twice, short)
    assert [v.status for v in found] == ["refused", "refused"]
    assert "hands, seat 1: HO is there twice" in found[0].reason
    assert "broke off" in found[1].reason


def test_broken_files_lose_no_record_silently(tmp_path) -> None:
    """A record that is no JSON costs itself; a list that breaks off is an error."""
    a, b = (json.dumps(game) for game in games()[:2])
    rules = find_game("schafkopf")

    def statuses(text: str) -> list[str]:
        file = tmp_path / "games.json"
        file.write_text(text)
        return [v.status for v in verify(file, rules)]

    assert statuses(f"{a}\n{b}\n") == ["agree", "agree"]
    assert statuses(json.dumps(games()[:2], indent=1)) == ["agree", "agree"]
    assert statuses(f"[{a}, {{oops}}, {b}]") == ["agree", "refused", "agree"]
    assert statuses(f"[{a}, {b[:-40]}") == ["agree", "refused"]
    assert statuses(f"[{a},") == ["agree", "refused"]
    assert statuses(f"[{a}, 17, {b}]") == ["agree", "refused", "agree"]


def test_records_are_written_as_they_were_read() -> None:
    """But for the order of the cards in a hand, and of who doubled."""
    read_once = list(read(SAMPLE))
    again = FORM.loads(FORM.dumps(read_once))
    assert [(r.game, r.deal, r.contract, r.plays, r.result) for r in again] == [
        (r.game, r.deal, r.contract, r.plays, r.result) for r in read_once
    ]
    for one, other in zip(games(), json.loads(FORM.dumps(read_once)), strict=True):
        assert one["rules"].replace(" ", "") == other["rules"].replace(" ", "")
        assert [set(hand) for hand in one["hands"]] == [set(hand) for hand in other["hands"]]
        assert sorted(one["doublings"]) == sorted(other["doublings"])
        for key in ("src", "stoss", "tricks", "payout"):
            assert one[key] == other[key]


@pytest.mark.parametrize("suit", ["E", "G", "H", "S", ""])
@pytest.mark.parametrize("game", ["ruf", "wenz", "geier", "solo"])
@pytest.mark.parametrize("level", ["", "tout", "sie"])
def test_rules_texts_read_back(suit, game, level) -> None:
    from tricktake_schafkopf.contract import SchafkopfContract
    from tricktake_schafkopf.scoring import Tariff

    try:
        contract = SchafkopfContract(2, game, suit, level)
    except InputError:
        return
    assert SchafkopfContract.from_text(str(contract)) == contract
    tariff = Tariff(ruf=100, schneider=50, runner=20, runners=2) if game == "ruf" else Tariff(solo=200, wenz_runners=4)
    found = read_rules(rules_text(contract, tariff, 4 if game == "ruf" else 2))
    assert (found.contract, found.stoss) == (contract, 4 if game == "ruf" else 2)
    if game == "ruf":
        assert found.tariff == tariff
    else:
        assert (found.tariff.solo, found.tariff.least_runners(contract)) == (200, tariff.least_runners(contract))


def test_the_syntax_of_rust() -> None:
    text = """&sololike( // who plays
        EPlayerIndex::EPI1, Some(EFarbe::Schelln), /* what */ ESoloLike::Geier,
        SPayoutDeciderSie::new(SPayoutDeciderParams::new(1_00isize, 20, SLaufendeParams::new(5, 1))),
    ).as_ref()"""
    with pytest.raises(ValueError, match="there is no geier sie"):
        read_rules(text)
    found = read_rules(text.replace("Sie", "Tout"))
    assert str(found.contract) == "1:farbgeier-tout:S"
    assert (found.tariff.solo, found.tariff.schneider, found.tariff.runner, found.tariff.runners) == (100, 20, 5, 1)
    assert str(parse("f(1, g())")) == "f"
    for wrong in ("f(1", "f(,)", "f(1))", "f(1).x", ""):
        with pytest.raises(ValueError, match=r"."):
            parse(wrong)
