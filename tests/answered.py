"""Letters that ask something, and their answers: tables of scenes, each answered in every way.

    [fault UNKNOWN_PLACE]       what the letter asks: a kind, and the name of its value
    start ardennes              the scene, in the lines of `tests/scripts.py`; its last lines cause the letter
    cho> A Par - Minich
    == yes                      a way of answering
    cho< YES                    the answer, and the same in other words, each given to a scene of its own
    cho< はい
    = FRANCE A PAR - MUN        what holds after each of them; `= as before`: nothing has changed
    cho: on file                and what the answer to it says

After a yes with a condition and an answer off the point nothing has changed, whether it stands there or not.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from sqlalchemy import select

from judge.storage import tables as t
from tests.scripts import Player, Step

FOLDER = Path(__file__).parent / "answered"
WAYS = ("yes", "no", "choice", "value", "off", "condition")
_DO_NOTHING = ("off", "condition")
_ANSWERS = "<>?@!~"
_AS_BEFORE = "= as before"


@dataclass
class Way:
    """One way of answering, in several wordings, and what holds then."""

    name: str
    answers: list[Step] = field(default_factory=list)
    effects: list[Step] = field(default_factory=list)


@dataclass
class Asking:
    """A letter that asks something."""

    file: str
    line: int
    kinds: tuple[str, ...]
    scene: list[Step] = field(default_factory=list)
    ways: list[Way] = field(default_factory=list)

    @property
    def name(self) -> str:
        """Return the name of this table among the tests: file, line and first kind."""
        return f"{self.file}:{self.line} {self.kinds[0]}"


def letters_that_ask() -> list[Asking]:
    """Return all tables; an empty folder is a mistake."""
    found = [asking for file in sorted(FOLDER.glob("*.txt")) for asking in _read(file)]
    assert found, FOLDER
    return found


def _read(file: Path) -> Iterator[Asking]:
    asking: Asking | None = None
    for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith("["):
            if asking is not None:
                yield asking
            asking = Asking(file.stem, number, tuple(kind.strip() for kind in line.strip("[] ").split(",")))
            continue
        assert asking is not None, f"{file.name}: a letter begins with [its kind]"
        if line.startswith("== "):
            asking.ways.append(Way(line[3:].strip()))
        elif line.startswith(" "):
            _last_step(asking).below.append(line.strip())
        else:
            _add(asking, Step(number, line.rstrip()))
    if asking is not None:
        yield asking


def _last_step(asking: Asking) -> Step:
    steps = asking.scene if not asking.ways else asking.ways[-1].effects or asking.ways[-1].answers
    return steps[-1]


def _add(asking: Asking, step: Step) -> None:
    if not asking.ways:
        asking.scene.append(step)
        return
    way = asking.ways[-1]
    is_answer = not way.effects and not step.text.startswith("=") and _sign(step) in _ANSWERS
    (way.answers if is_answer else way.effects).append(step)


def _sign(step: Step) -> str:
    return next(sign for sign in step.text if not sign.isalpha())


_played: dict[tuple[str, ...], Player] = {}


def scene_of(asking: Asking) -> Player:
    """Play a scene and return its player, with a judge of their own.

    A scene that was played before is copied instead of being played again.
    """
    key = tuple("\n".join([step.text, *step.below]) for step in asking.scene)
    begun = 1 if key[0].startswith("start ") else 0
    if begun and key[:1] not in _played:
        player = Player()
        player.play(asking.scene[0])
        _played[key[:1]] = player
    if key not in _played:
        player = apart(_played[key[:1]]) if begun else Player()
        for step in asking.scene[begun:]:
            player.play(step)
        _played[key] = player
    return apart(_played[key])


def apart(player: Player) -> Player:
    """Return a copy of the player, with its own copy of the judge."""
    return replace(
        player,
        world=player.world.apart(),
        letters=dict(player.letters),
        receipts=dict(player.receipts),
        questions=dict(player.questions),
        press=dict(player.press),
    )


def check(player: Player, way: Way, answer: Step) -> None:
    """Answer, and check that the effects hold and that one letter tells of them."""
    name = answer.text[: answer.text.index(_sign(answer))]
    before = _games(player)
    player.play(answer)
    if way.name in _DO_NOTHING or any(step.text == _AS_BEFORE for step in way.effects):
        assert _games(player) == before, "something has changed"
        others = {one for one, letters in player.letters.items() if letters} - {name}
        assert not others, f"letters to {others}"
    if not any(step.text.endswith(": nothing") for step in way.effects):
        replies = [one for one in player.letters.get(name, []) if one["Auto-Submitted"] == "auto-replied"]
        confirming = [one for one in replies if "+confirm." in str(one["Reply-To"])]
        assert replies, "no answer"
        assert len(confirming) <= 1, [str(one["Subject"]) for one in replies]
        assert len(replies) <= len(confirming) + 1, [str(one["Subject"]) for one in replies]
    for step in way.effects:
        if step.text != _AS_BEFORE:
            player.play(step)


def _games(player: Player) -> list[object]:
    wanted = select(t.game.c.name).order_by(t.game.c.name)
    with player.world.parts.store.work() as work:
        return [work.games.get(name) for name in work.connection.execute(wanted).scalars()]
