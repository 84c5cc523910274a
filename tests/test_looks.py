"""Letters and pages in a browser: all languages, phone and desktop, light and dark.

They are also shown without pictures. The letters are those of the scripts below, with all readers reading one language;
of letters with the same parts, the longest. The checks are in `tests/looks.js`. `make looks GALLERY=folder` writes
pictures of them all, for people to look at.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from email.message import Message
from html import escape, unescape
from pathlib import Path

import pytest

from judge.commands import Language
from judge.reports import site
from judge.reports.site import ArchivedGame, document_pages, front_page, game_pages, index_page
from judge.service.archive import archived_games
from tests.browser import photographed, seen
from tests.office import NAMES, PASS, World, begun
from tests.scripts import Player, scripts

pytestmark = pytest.mark.looks

# Together they hold every element of every template.
SCRIPTS = {
    *(
        "as-written",
        "board-other",
        "board-small",
        "dialogue-beginner-japanese",
        "diary",
        "first-mails",
        "fog",
        "gunboat",
    ),
    *("oneself", "options", "press-back-out", "robots", "rule-pages", "sandbox-japanese", "scores", "solo"),
    *("status-of-several", "strangers-ask", "two-games"),
}
DRAWN = "gunboat"
_ON_A_SHEET, _TALL, _BETWEEN = 8, 1600, 8
"""Sizes of the gallery: letters side by side, then height and gap in pixels."""
_STEPS_TO_CHECK = re.compile(r"[a-z]+:|= ")
_ELEMENT = re.compile(r"<\w[^>]*>")
_VALUES = re.compile(r'\b(?:href|alt|src)="[^"]*"')


@pytest.fixture(scope="module", params=list(Language), ids=[one.value for one in Language])
def letters(request: pytest.FixtureRequest) -> dict[str, str]:
    """Map the origin of each letter to its HTML."""
    longest: dict[frozenset[str], tuple[str, str]] = {}
    for script in scripts():
        if script.name not in SCRIPTS:
            continue
        player = Player(World(draws=script.name == DRAWN))
        if request.param is not Language.ENGLISH:
            for name in ("gil", "hal", *NAMES):
                player.world.mail(name, f"SET LANGUAGE {request.param.value}", Authentication_Results=PASS)
            player.world.box.letters = []
        with suppress(KeyError):  # strangers whose language is known are not asked some questions
            for step in script.steps:
                if not _STEPS_TO_CHECK.match(step.text):
                    player.play(step)
        for number, (to, letter) in enumerate(player.world.box.kept):
            html = _html(letter)
            built_of = frozenset(_ELEMENT.findall(_VALUES.sub("", html.partition("<body")[2])))
            if html and len(html) > len(longest.get(built_of, ("", ""))[1]):
                longest[built_of] = f"{script.name}, letter {number} to {to}", html
    assert len(longest) > 100
    return dict(longest.values())


def _html(letter: Message) -> str:
    for part in letter.walk():
        if part.get_content_type() == "text/html":
            payload = part.get_payload(decode=True)
            assert isinstance(payload, bytes)
            return payload.decode()
    return ""


@pytest.fixture(scope="module")
def archived() -> ArchivedGame:
    """Return an archived game with phases of each kind, one of them withdrawn."""
    world = begun(World())
    for orders in ("A Par - Bur\nA Mar S A Par - Bur", "A Bur - Mun\nF Bre - Eng", "A Bur - Bel"):
        world.reply("cho", orders)
        world.reply("dan", "A Mun H\nA Ber - Kie\nF Kie - Den")
        world.pass_deadline()
        world.collect_reports()
    world.proved("gil", "ROLLBACK TO F1901M BECAUSE of a lost mail")
    world.pass_deadline()
    world.collect_reports()
    world.proved("gil", "END ardennes because Ben has broken his leg")
    (game,) = archived_games(world.parts.store, world.now)
    return game


def pages(game: ArchivedGame, language: Language) -> dict[str, str]:
    """Map each page of the site to its HTML, with styles and without script."""
    found = {"front": front_page(), "index": index_page([game], language, "")}
    found |= dict(document_pages(language, "")) | dict(game_pages(game, language, ""))
    style = f"<style>{site.script('style.css').decode()}</style>"
    bare = re.compile(r"<link rel=\"stylesheet\"[^>]*>|<meta http-equiv[^>]*>|<script.*?</script>", re.DOTALL)
    return {name: bare.sub("", page.decode()).replace("</head>", f"{style}</head>") for name, page in found.items()}


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_a_letter_is_easy_to_read(
    letters: dict[str, str], tmp_path: Path, width: int, theme: str, request: pytest.FixtureRequest
) -> None:
    _look_at(letters, tmp_path, width, theme, request)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("language", Language)
def test_a_page_is_easy_to_read(
    archived: ArchivedGame, tmp_path: Path, language: Language, width: int, theme: str, request: pytest.FixtureRequest
) -> None:
    _look_at(pages(archived, language), tmp_path, width, theme, request)


def _look_at(shown: dict[str, str], tmp_path: Path, width: int, theme: str, request: pytest.FixtureRequest) -> None:
    script = Path(__file__).with_name("looks.js").read_text("utf-8")
    page = _frames(tmp_path / "all.html", shown.items(), width, theme, f"<script>{script}</script>")
    told = seen(page, tmp_path, width=width + 40).partition("<pre>")[2].partition("</pre>")[0]
    looked = json.loads(unescape(told))
    if gallery := request.config.getoption("gallery"):
        name = re.sub(r"[^\w-]+", "-", request.node.name).strip("-")
        for number, some in enumerate(_batched(list(shown.items()), _ON_A_SHEET), start=1):
            sheet = _frames(tmp_path / "sheet.html", some, width, theme, "")
            size = (len(some) * (width + _BETWEEN), _TALL)
            photographed(sheet, tmp_path, Path(gallery).resolve() / f"{name}-{number:02}.png", size)
    assert {one["letter"] for one in looked} == shown.keys()
    assert {one["theme"] for one in looked} == {theme}
    assert [(one["letter"], one["faults"]) for one in looked if one["faults"]] == []


def _batched(shown: list[tuple[str, str]], most: int) -> Iterator[list[tuple[str, str]]]:
    yield from (shown[begin : begin + most] for begin in range(0, len(shown), most))


def _frames(file: Path, shown: Iterable[tuple[str, str]], width: int, theme: str, script: str) -> Path:
    """Write a page with a frame for each letter or page."""
    frames = "".join(
        f'<iframe title="{escape(name)}" width="{width}" height="{_TALL}" srcdoc="{escape(html)}"></iframe>'
        for name, html in shown
    )
    style = f"iframe {{ border: 0; margin-right: {_BETWEEN}px; color-scheme: {theme} }} body {{ margin: 0 }}"
    file.write_text(f'<!DOCTYPE html><meta charset="utf-8"><style>{style}</style>{frames}{script}', "utf-8")
    return file
