"""A finished game as pages: views of what anyone may know, and the files made from them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from markupsafe import Markup

from judge.commands import Language
from judge.games.choices import ScoreSystem
from judge.games.game import Ended
from judge.games.scores import Score
from judge.games.withdrawn import Withdrawal
from judge.reports import pictures
from judge.reports.documents import documents
from judge.reports.pictures import CentersChart, Look, PictureView, Theme
from judge.reports.sections import YearOfCenters
from judge.reports.wording import Wording, wording_in
from judge.resources import shipped
from judge.rules.map import load_map
from judge.rules.outcomes import Resolution, Verdict
from judge.rules.position import Phase, Position, Power

SCRIPTS = ("style.css", "slider.js")
_FRAME_MILLISECONDS = 1600


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

    @property
    def name(self) -> str:
        """Return the name of its page."""
        return f"{self.phase}-{self.version}" if self.version else str(self.phase)

    @property
    def by_power(self) -> Mapping[Power, tuple[Verdict, ...]]:
        """Return power → its orders and automatic actions, without default holds to which nothing happened."""
        found: dict[Power, list[Verdict]] = {}
        for verdict in self.resolution.verdicts:
            found.setdefault(verdict.power, []).append(verdict)
        return {power: tuple(found[power]) for power in sorted(found)}


@dataclass(frozen=True, slots=True)
class ArchivedGame:
    """What anyone may know of a finished game: powers, but no people."""

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

    @property
    def every_phase(self) -> tuple[ArchivedPhase, ...]:
        """Return all phases, each below its withdrawn versions."""
        return tuple(sorted((*self.withdrawn, *self.phases), key=lambda one: one.phase.order_key))

    @property
    def powers(self) -> tuple[Power, ...]:
        """The powers in the order of the board."""
        return load_map(self.board).powers

    @property
    def is_drawn(self) -> bool:
        """Whether the board has pictures."""
        return pictures.has_drawing(self.board)


def front_page() -> bytes:
    """Return the page on which visitors choose a language."""
    page = wording_in(Language.ENGLISH).html.get_template("site/front.html")
    return page.render(languages=[(one, wording_in(one).speech.message) for one in Language]).encode()


def index_page(games: Sequence[ArchivedGame], language: Language) -> bytes:
    """Return the list of all games in one language, each in the names of its board."""
    summaries = [(game, Markup(_summary(game, language))) for game in games]  # noqa: S704 - made of a template
    wording, papers = wording_in(language), documents(language)
    return _page("index", wording, up="../", here="index.html", games=summaries, documents=papers)


def _summary(game: ArchivedGame, language: Language) -> str:
    return wording_in(language, game.board).html.get_template("site/summary.html").render(game=game)


def document_pages(language: Language) -> Iterator[tuple[str, bytes]]:
    """Yield the documents in one language: file name, content."""
    for document in documents(language):
        here = f"docs/{document.name}.html"
        yield here, _page("document", wording_in(language), up="../../", here=here, document=document)


def script(name: str) -> bytes:
    """Return a static file of the site: the style sheet or the slider."""
    return (shipped("templates") / "site" / name).read_bytes()


def game_pages(game: ArchivedGame, language: Language) -> Iterator[tuple[str, bytes]]:
    """Yield the pages of a game in one language: file name, content."""
    wording = wording_in(language, game.board)
    alts = {one.phase: pictures.alt(_played(game, one), language) for one in game.phases} if game.is_drawn else {}
    final = pictures.alt(_final(game), language) if game.is_drawn else ""
    chart = pictures.alt(_chart(game), language)
    values = {"game": game, "alts": alts, "final": final, "chart": chart}
    yield "index.html", _page("game", wording, up="../../", here=f"{game.name}/index.html", **values)
    for number, phase in enumerate(game.phases):
        before = game.phases[number - 1] if number else None
        after = game.phases[number + 1] if number + 1 < len(game.phases) else None
        around = {"phase_": phase, "before": before, "after": after}
        here = f"{game.name}/{phase.phase}.html"
        yield f"{phase.phase}.html", _page("phase", wording, up="../../", here=here, **values, **around)
    for phase in game.withdrawn:
        here = f"{game.name}/{phase.name}.html"
        yield f"{phase.name}.html", _page("withdrawn", wording, up="../../", here=here, game=game, phase_=phase)


def game_pictures(game: ArchivedGame, language: Language) -> Iterator[tuple[str, bytes]]:
    """Yield the pictures of a game in one language, each for light and for dark: file name, content."""
    for theme in Theme:
        look, dark = Look(language, theme), "" if theme is Theme.LIGHT else "-dark"
        shown = {str(one.phase): _played(game, one) for one in game.phases} | {"final": _final(game)}
        for name, view in shown.items() if game.is_drawn else ():
            yield f"{name}{dark}.png", _drawn(pictures.png(view, look))
        yield f"centers{dark}.png", _drawn(pictures.png(_chart(game), look))
    if game.is_drawn:
        frames = [*(_played(game, one) for one in game.phases), _final(game)]
        yield "replay.gif", _drawn(pictures.replay(frames, Look(language), _FRAME_MILLISECONDS))


def _drawn(content: bytes | None) -> bytes:
    assert content is not None  # the board has a drawing
    return content


def _played(game: ArchivedGame, phase: ArchivedPhase) -> PictureView:
    return pictures.played_view(game.board, phase.resolution, game.name)


def _final(game: ArchivedGame) -> PictureView:
    return pictures.position_view(game.board, game.position, game.name)


def _chart(game: ArchivedGame) -> CentersChart:
    return CentersChart(game.board, game.years, game.name)


def _page(name: str, wording: Wording, **values: object) -> bytes:
    page = wording.html.get_template(f"site/{name}.html")
    others = [(one, wording_in(one).speech.message) for one in Language if one is not wording.language]
    return page.render(lang=wording.language.value, others=others, **values).encode()
