"""Finished games as pages: views of what anyone may know, and their files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from typing import Any

from markupsafe import Markup

from judge.commands import Language
from judge.games.choices import ScoreSystem
from judge.games.game import Ended
from judge.games.scores import Score
from judge.games.terms import PressRule
from judge.games.withdrawn import Withdrawal
from judge.reports import pictures
from judge.reports.documents import documents
from judge.reports.pictures import CentersChart, Look, PictureView, Theme
from judge.reports.sections import YearOfCenters
from judge.reports.turning import Turn, TurningPoint, turning_points
from judge.reports.wording import Wording, wording_in
from judge.resources import shipped
from judge.rules.map import load_map
from judge.rules.outcomes import Resolution, Verdict
from judge.rules.position import Phase, Position, Power

SCRIPTS = ("style.css", "player.js")
_LARGE, _SMALL = 1440, 480
"""The width of a board, and of one in the index, in pixels.

It is two pixels for each pixel that a page shows on most screens.
"""
_SUFFIX = {Theme.LIGHT: "", Theme.DARK: "-dark"}


@dataclass(frozen=True, slots=True)
class ArchivedPhase:
    """A phase that was played."""

    phase: Phase
    closed_at: datetime
    resolution: Resolution
    withdrawn: Withdrawal | None = None
    """The rollback that withdrew it; None if it counts."""
    version: int = 0
    """The number among the withdrawn versions of the phase, from 1; 0 if it counts."""
    record: Mapping[str, Any] = field(default_factory=dict, repr=False)
    """The lines of `judge adjudicate`: `input` and `output`."""

    @property
    def name(self) -> str:
        """Return the name of its page."""
        return f"{self.phase}-{self.version}" if self.version else str(self.phase)

    @property
    def centers(self) -> Mapping[Power, int]:
        """Return power → how many centers it owned afterwards."""
        return Counter((self.resolution.position.centers or {}).values())

    @property
    def gains(self) -> Mapping[Power, int]:
        """Return power → how many centers it won or lost on balance, without zeros."""
        before = self.resolution.before
        assert before is not None  # an adjudicated phase had a position
        found = Counter(self.centers)
        found.subtract((before.centers or {}).values())
        return {power: change for power, change in found.items() if change}

    @property
    def by_power(self) -> Mapping[Power, tuple[Verdict, ...]]:
        """Return power → its orders and automatic actions, without default holds to which nothing happened."""
        found: dict[Power, list[Verdict]] = {}
        for verdict in self.resolution.verdicts:
            found.setdefault(verdict.power, []).append(verdict)
        return {power: tuple(found[power]) for power in sorted(found)}


@dataclass(frozen=True, slots=True)
class ArchivedPerson:
    """A person who wants to be named."""

    id: int
    """The same in all games of a judge."""
    name: str


@dataclass(frozen=True, slots=True)
class ArchivedSeat:
    """The player of a power at the end of the game."""

    power: Power
    player: ArchivedPerson | None = None
    """None if the player does not want to be named."""
    is_robot: bool = False
    is_vacant: bool = False


@dataclass(frozen=True, slots=True)
class ArchivedStatement:
    """The closing statement of a player."""

    power: Power
    text: str


@dataclass(frozen=True, slots=True)
class ArchivedPress:
    """Press as its readers saw it."""

    phase: Phase
    """The phase open when it was written."""
    sender: Power | None
    """None if it was anonymous."""
    to: tuple[Power, ...] | None
    """None if it went to everyone."""
    about: str
    text: str


@dataclass(frozen=True, slots=True)
class ArchivedGame:
    """What anyone may know of a finished game.

    It names only people who want to be named.
    """

    name: str
    board: str
    profile: str
    options: Mapping[str, object]
    """Options that differ from the profile."""
    how: Ended | None
    winner: Power | None
    sharers: tuple[Power, ...]
    position: Position
    """The final position."""
    phases: tuple[ArchivedPhase, ...]
    """Those that count."""
    years: tuple[YearOfCenters, ...]
    score_system: ScoreSystem = ScoreSystem.NONE
    scores: tuple[Score, ...] = ()
    withdrawn: tuple[ArchivedPhase, ...] = ()
    zone: str = "UTC"
    press: PressRule = PressRule.PRIVATE
    is_anonymous: bool = False
    scores_by: Mapping[ScoreSystem, tuple[Score, ...]] = field(default_factory=dict, repr=False)
    """The scores by each system, whichever the game was played for."""
    seats: tuple[ArchivedSeat, ...] = field(default=(), repr=False)
    master: ArchivedPerson | None = field(default=None, repr=False)
    statements: tuple[ArchivedStatement, ...] = field(default=(), repr=False)
    messages: tuple[ArchivedPress, ...] | None = field(default=None, repr=False)
    """None if the press of the game is not published."""

    @property
    def messages_by_phase(self) -> tuple[tuple[Phase, tuple[ArchivedPress, ...]], ...]:
        """The press of each phase, in the order in which it was written."""
        return tuple((phase, tuple(some)) for phase, some in groupby(self.messages or (), attrgetter("phase")))

    @property
    def named(self) -> tuple[tuple[Power, str], ...]:
        """The powers whose players are named, each with the name."""
        return tuple((seat.power, seat.player.name) for seat in self.seats if seat.player is not None)

    @property
    def every_phase(self) -> tuple[ArchivedPhase, ...]:
        """Return all phases, each below its withdrawn versions."""
        return tuple(sorted((*self.withdrawn, *self.phases), key=lambda one: one.phase.order_key))

    @property
    def powers(self) -> tuple[Power, ...]:
        """The powers in the order of the board."""
        return load_map(self.board).powers

    @property
    def centers(self) -> Mapping[Power, int]:
        """Return power → how many centers it owned at the end."""
        return Counter((self.position.centers or {}).values())

    @property
    def turning_points(self) -> tuple[TurningPoint, ...]:
        """Return the phases in which a power lost most centers to others."""
        turns = [
            Turn(one.phase, one.resolution.before.centers or {}, one.resolution.position.centers or {})
            for one in self.phases
            if one.resolution.before is not None
        ]
        return turning_points(load_map(self.board), turns)

    @property
    def is_drawn(self) -> bool:
        """Whether the board has pictures."""
        return pictures.has_drawing(self.board)


def front_page() -> bytes:
    """Return the page on which visitors choose a language."""
    page = wording_in(Language.ENGLISH).html.get_template("site/front.html")
    return page.render(languages=[(one, wording_in(one).speech.message) for one in Language]).encode()


def index_page(games: Sequence[ArchivedGame], language: Language, address: str) -> bytes:
    """Return the list of all games and documents in one language.

    Each game is shown in the names of its board.
    """
    cards = [(game, Markup(_card(game, language))) for game in games]  # noqa: S704 - made of a template
    papers = [one for one in documents(language) if not one.is_part]
    return _page("index", wording_in(language), address, up="../", here="index.html", cards=cards, documents=papers)


def _card(game: ArchivedGame, language: Language) -> str:
    final = pictures.alt(_final(game), language)
    page = wording_in(language, game.board).html.get_template("site/card.html")
    return page.render(game=game, final=final, up="../")


def document_pages(language: Language, address: str) -> Iterator[tuple[str, bytes]]:
    """Yield the documents in one language: file name, content."""
    for document in documents(language):
        here = f"docs/{document.name}.html"
        yield here, _page("document", wording_in(language), address, up="../../", here=here, document=document)


def script(name: str) -> bytes:
    """Return a static file of the site: the style sheet or the player."""
    return (shipped("templates") / "site" / name).read_bytes()


def game_pages(game: ArchivedGame, language: Language, address: str) -> Iterator[tuple[str, bytes]]:
    """Yield the pages of a game in one language: file name, content."""
    wording = wording_in(language, game.board)
    walk = list(zip((None, *game.phases), game.phases, (*game.phases[1:], None), strict=False))
    values = {
        "walk": walk,
        "game": game,
        "alts": {one.name: pictures.alt(_played(game, one), language) for one in game.phases} if game.is_drawn else {},
        "final": pictures.alt(_final(game), language) if game.is_drawn else "",
        "chart": pictures.alt(_chart(game), language),
        "key": [(Markup(sign), word) for sign, word in pictures.key(game.board, language)],  # noqa: S704 - drawn by us
        "size": pictures.board_size(game.board),
    }

    def page(kind: str, name: str, **more: object) -> tuple[str, bytes]:
        here = f"{game.name}/{name}.html"
        return f"{name}.html", _page(kind, wording, address, up="../../", here=here, **values, **more)

    yield page("game", "index")
    for before, phase, after in walk:
        yield page("phase", phase.name, phase_=phase, before=before, after=after)
    if game.messages:
        yield page("press", "press")
    for phase in game.withdrawn:
        yield page("withdrawn", phase.name, phase_=phase)


def game_boards(game: ArchivedGame) -> Iterator[tuple[str, bytes]]:
    """Yield the boards of a game, for light and for dark: file name, content.

    They are the same in all languages.
    """
    for theme in Theme if game.is_drawn else ():
        large, small, dark = Look(theme=theme, width=_LARGE), Look(theme=theme, width=_SMALL), _SUFFIX[theme]
        for phase in game.phases:
            yield f"{phase.name}{dark}.png", _drawn(pictures.board_png(_played(game, phase), large))
        yield f"end{dark}.png", _drawn(pictures.board_png(_final(game), large))
        yield f"small{dark}.png", _drawn(pictures.board_png(_final(game), small))


def game_pictures(game: ArchivedGame, language: Language) -> Iterator[tuple[str, bytes]]:
    """Yield the pictures of a game with words in one language: file name, content."""
    for theme in Theme:
        look = Look(language, theme, width=_LARGE)
        yield f"centers{_SUFFIX[theme]}.png", _drawn(pictures.png(_chart(game), look))
    if game.is_drawn:
        yield "card.png", _drawn(pictures.card_png(_final(game), Look(language)))


def _drawn(content: bytes | None) -> bytes:
    assert content is not None  # the board has a drawing
    return content


def _played(game: ArchivedGame, phase: ArchivedPhase) -> PictureView:
    return pictures.played_view(game.board, phase.resolution, game.name)


def _final(game: ArchivedGame) -> PictureView:
    return pictures.position_view(game.board, game.position, game.name)


def _chart(game: ArchivedGame) -> CentersChart:
    return CentersChart(game.board, game.years)


def _page(name: str, wording: Wording, address: str, **values: object) -> bytes:
    page = wording.html.get_template(f"site/{name}.html")
    others = [(one, wording_in(one).speech.message) for one in Language if one is not wording.language]
    return page.render(lang=wording.language.value, address=address, others=others, **values).encode()
