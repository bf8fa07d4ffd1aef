"""The page in a real browser: a game, an auction, a break, a hint, a review, a keyboard, a phone."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import canonicalize

import pytest

from tests.serving import Running
from tricktake import faces
from tricktake.game import find_game

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
CHROMIUM = next(
    (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None
)
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium here (make browser)")

ISS = Path(__file__).parents[1] / "data/iss-23.sgf"
WAIT = 60_000  # milliseconds
SEEDS = {
    "skat solo": 5,
    "skat bids": 2,
    "bridge calls": 3,
    "bridge phone": 3,
    "hearts phone": 4,
    "doppelkopf phone": 5,
    "hearts keys": 6,
}
"""Of the deals by game and name; in "skat solo" both bots pass 18."""


@pytest.fixture(scope="module")
def server() -> Iterator[Running]:
    with Running(seeds=SEEDS) as running:
        yield running


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with sync_api.sync_playwright() as play:
        found = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield found
        found.close()


TOO_WIDE = """width => [...document.querySelectorAll('body *')]
    .filter(each => each.getBoundingClientRect().right > width + 1 && !each.closest('.scroll, .unseen, .skip'))
    .map(each => `${each.tagName} ${each.id} ${each.className} ${each.textContent}`)"""
"""What reaches beyond the right edge, so that one would have to scroll sideways."""


class Page:
    """The page as one person uses it. faults: what the browser complained about."""

    def __init__(self, browser: Any, server: Running, width: int = 1000, locale: str = "en") -> None:
        self.context = browser.new_context(viewport={"width": width, "height": 800}, locale=locale)
        self.page = self.context.new_page()
        self.page.set_default_timeout(WAIT)
        self.faults: list[str] = []
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("console", lambda said: self.faults.append(said.text) if said.type == "error" else None)
        self.page.goto(f"http://{server.host}/?pace=0#token={server.token}")
        self.page.wait_for_selector("#front")

    def __enter__(self) -> Page:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        self.context.close()
        if kind is None:
            assert self.faults == []

    def start(self, deals: str, game: str = "skat", games: int = 1, bots: str = "random") -> None:
        """A table against bots."""
        assert f"{game} {deals}" in SEEDS
        self.page.select_option("#game", game)
        self.page.wait_for_function("() => document.querySelectorAll('#bots option').length > 0")
        self.page.select_option("#bots", bots)
        self.page.fill("#deals", deals)
        self.page.fill("#count", str(games))
        self.page.click("#start")

    def decide(self, wanted: tuple[str, ...] = ("bid:18", "yes", "take", "declare:G")) -> str:
        """Whatever is asked; returns how: a button's action, "cards", "play", or "over"."""
        page = self.page
        page.wait_for_selector(".prompt.mine, #score")
        if page.query_selector("#score"):
            return "over"
        before = page.evaluate("document.querySelector('main').textContent")
        done = self._decide(wanted)
        page.wait_for_function("before => document.querySelector('main').textContent !== before", arg=before)
        return done

    def _decide(self, wanted: tuple[str, ...]) -> str:
        page = self.page  # which may be drawn again at any moment: nothing on it is held
        if count := re.search(r"of (\d+)|von (\d+)", self.texts("#confirm")):
            for name in self.all(".hand button", "card")[-int(count[1] or count[2]) :]:
                page.click(f'.hand [data-card="{name}"]')
            page.click("#confirm")
            return "cards"
        if buttons := self.all("[data-action]", "action"):
            action = next((one for one in wanted if one in buttons), buttons[0])
            page.click(f'[data-action="{action}"]')
            return action
        page.click("button.legal[data-card]")
        return "play"

    def all(self, selector: str, data: str) -> list[str]:
        """An attribute ``data-...`` of all elements."""
        found = self.page.evaluate(
            "([one, key]) => [...document.querySelectorAll(one)].map(each => each.dataset[key])", [selector, data]
        )
        return list(found)

    def texts(self, selector: str) -> str:
        """The texts of all elements."""
        found = self.page.evaluate(
            "one => [...document.querySelectorAll(one)].map(each => each.innerText).join(' ')", selector
        )
        return str(found)


def test_a_game_of_skat_with_a_hint_a_break_and_a_review(browser: Any, server: Running) -> None:
    with Page(browser, server) as one:
        page, kinds = one.page, []
        one.start("solo", games=2, bots="quick")
        hinted = broken = False
        while (kind := one.decide()) != "over":
            kinds.append(kind)
            if kind == "play" and not broken:
                page.evaluate("tricktakeBreak()")  # the connection; the page comes back by itself
                page.wait_for_selector("body[data-welcomes='2']")
                broken = True
            page.wait_for_selector(".prompt.mine, #score")
            if kind == "play" and broken and not hinted and not page.query_selector("#score"):
                page.click("#hint")
                page.wait_for_selector("#hintbox .reason")
                assert page.query_selector_all(".hand .hinted")
                hinted = True
        assert kinds == ["bid:18", "take", "cards", "declare:G", *["play"] * 10]
        assert hinted
        assert "The game is over" in page.inner_text("#score")
        page.click("#review")
        page.wait_for_selector("#summary")
        assert len(page.query_selector_all(".steps tbody tr")) == 30
        page.press("#frame", "ArrowRight")
        page.wait_for_selector(".steps .now")
        assert page.query_selector_all(".review .plate .face")


def test_an_auction_says_what_bids_promise(browser: Any, server: Running) -> None:
    with Page(browser, server, locale="de") as one:
        page = one.page
        one.start("bids")
        page.wait_for_selector(".prompt.mine")
        assert "Verspricht ein Spiel ab" in one.texts("[data-action]")
        assert page.get_attribute("html", "lang") == "de"
        if page.query_selector('[data-key="more"]'):
            shown = len(one.all("[data-action]", "action"))
            page.click('[data-key="more"]')
            page.wait_for_function("shown => document.querySelectorAll('[data-action]').length > shown", arg=shown)
        page.click("#language")
        page.wait_for_selector("text=Your turn")


def test_who_bids_and_what_was_meant(browser: Any, server: Running) -> None:
    """The form names the bidder of a game's bots, the table what their calls tell him; four sit down at a table."""
    with Page(browser, server) as one:
        page = one.page
        page.select_option("#game", "bridge")
        page.wait_for_selector("#bot:has-text('bidding: bridge:rule (bids naturally')")
        one.start("calls", "bridge")
        page.wait_for_selector(".prompt.mine")
        assert one.texts("[data-action]").count("To bridge:rule it says") > 3
        one.decide(("bid:7NT",))
        page.click('[data-key="tool-history"]')
        page.wait_for_selector("#history small:has-text('points or more')")
        page.click("#home")
        page.select_option("#game", "skat")
        page.select_option("#players", label="4, the dealer sits out")
        page.click("#open")
        page.wait_for_selector("li:has-text('free') >> nth=2")
        assert "/engine?table=" in str(page.text_content("code"))


@pytest.mark.parametrize("game", ["bridge", "hearts", "doppelkopf"])
def test_other_games_on_a_phone(browser: Any, server: Running, game: str) -> None:
    with Page(browser, server, width=360) as one:
        one.start("phone", game)
        for _ in range(100):
            assert one.page.evaluate(TOO_WIDE, 360) == []
            if one.decide(("pass",)) == "over":
                break
        assert one.page.query_selector("#score")


def test_keyboard_and_what_is_read_aloud(browser: Any, server: Running) -> None:
    with Page(browser, server) as one:
        page = one.page
        one.start("keys", "hearts")
        page.wait_for_selector(".prompt.mine")
        labels = page.evaluate("[...document.querySelectorAll('.hand button')].map(card => card.ariaLabel)")
        assert len(labels) == 13
        assert all(re.fullmatch(r"\w+ of (clubs|spades|hearts|diamonds)", label or "") for label in labels)
        page.focus(".hand button")
        page.keyboard.press("ArrowRight")
        assert page.evaluate("document.activeElement.getAttribute('aria-label')") == labels[1]
        page.keyboard.press("Enter")
        page.wait_for_selector(".picked, #score, .prompt:not(.mine)")
        assert page.query_selector('#news[aria-live="polite"] p')
        named = page.evaluate("[...document.querySelectorAll('button')].map(each => each.ariaLabel || each.innerText)")
        assert all(name.strip() for name in named)


def test_a_record_that_is_uploaded(browser: Any, server: Running) -> None:
    with Page(browser, server) as one:
        page = one.page
        page.click("a[href='#replay']")
        page.set_input_files("#upload", str(ISS))
        page.click(".tables li button >> nth=0")
        page.wait_for_selector("#summary, .box")
        assert page.query_selector(".player input")
        for link in ("mine", "ratings"):
            page.goto(f"http://{server.host}/?pace=0#{link}")
            page.wait_for_selector("h2")


def test_an_invited_guest(browser: Any, server: Running) -> None:
    with server.client() as host:
        host.say(type="invite")
        code = host.until("invitation")["code"]
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"http://{server.host}/#invitation={code}")
    page.fill("#name", "Olga")
    page.click("text=Come in")
    page.wait_for_selector("#front", timeout=WAIT)
    assert page.inner_text("#where") == "Olga"
    assert "invitation" not in page.url
    page.reload()
    page.wait_for_selector("#front", timeout=WAIT)
    context.close()


@pytest.mark.parametrize("name", ["skat", "schafkopf", "wizard", "tarok"])
def test_cards_are_drawn_as_notebooks_show_them(browser: Any, server: Running, name: str) -> None:
    with Page(browser, server) as at:
        draw = """async ([game, german]) => {
            const {drawCard, useGerman, withNames} = await import('/web/cards.js');
            const {deck} = await (await fetch(`/api/game?game=${game}`,
                {headers: {authorization: `Bearer ${localStorage.getItem('tricktake.token')}`}})).json();
            const full = withNames(deck);
            useGerman(german);
            const drawn = deck.cards.map(card => new XMLSerializer().serializeToString(drawCard(full, card.name)));
            useGerman(false);
            return drawn;
        }"""
        deck = find_game(name).layout.deck
        for german in (False, True):
            ours = [canonicalize(faces.card(deck, card.index, german=german).svg) for card in deck]
            assert [canonicalize(svg) for svg in at.page.evaluate(draw, [name, german])] == ours
