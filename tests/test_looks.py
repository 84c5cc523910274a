"""Letters as a browser shows them: in every language, on a phone and on a desk, in light and dark, without pictures.

The letters are those of the scripts below, all their readers reading one language; of letters that are built of the
same parts, the longest. What is looked for stands in `tests/looks.js`.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from email.message import Message
from html import escape, unescape
from pathlib import Path

import pytest

from judge.commands import Language
from tests.browser import seen
from tests.office import NAMES, PASS, World
from tests.scripts import Player, scripts

pytestmark = pytest.mark.looks

# Together they hold every element of every template.
SCRIPTS = {
    *("as-written", "board-other", "board-small", "dialogue-beginner-japanese", "diary", "first-mails", "gunboat"),
    *("oneself", "options", "press-back-out", "robots", "rule-pages", "sandbox-japanese", "scores", "solo"),
    *("status-of-several", "strangers-ask", "two-games"),
}
DRAWN = "gunboat"
_STEPS_TO_CHECK = re.compile(r"[a-z]+:|= ")
_ELEMENT = re.compile(r"<\w[^>]*>")
_VALUES = re.compile(r'\b(?:href|alt|src)="[^"]*"')


@pytest.fixture(scope="module", params=list(Language), ids=[one.value for one in Language])
def letters(request: pytest.FixtureRequest) -> dict[str, str]:
    """Where a letter comes from → its HTML."""
    longest: dict[frozenset[str], tuple[str, str]] = {}
    for script in scripts():
        if script.name not in SCRIPTS:
            continue
        player = Player(World(draws=script.name == DRAWN))
        if request.param is not Language.ENGLISH:
            for name in ("gil", "hal", *NAMES):
                player.world.mail(name, f"SET LANGUAGE {request.param.value}", Authentication_Results=PASS)
            player.world.box.letters = []
        with suppress(KeyError):  # what a stranger is asked is not asked of those whose language is known
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


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_a_letter_is_easy_to_read(letters: dict[str, str], tmp_path: Path, width: int, theme: str) -> None:
    frames = (
        f'<iframe title="{escape(name)}" width="{width}" height="900" srcdoc="{escape(html)}"></iframe>'
        for name, html in letters.items()
    )
    page = tmp_path / "letters.html"
    style = f"iframe {{ border: 0; color-scheme: {theme} }}"
    script = Path(__file__).with_name("looks.js").read_text("utf-8")
    page.write_text(
        f'<!DOCTYPE html><meta charset="utf-8"><style>{style}</style>{"".join(frames)}<script>{script}</script>'
    )
    told = seen(page, tmp_path, width=width + 40).partition("<pre>")[2].partition("</pre>")[0]
    looked = json.loads(unescape(told))
    assert {one["letter"] for one in looked} == letters.keys()
    assert {one["theme"] for one in looked} == {theme}
    assert [(one["letter"], one["faults"]) for one in looked if one["faults"]] == []
