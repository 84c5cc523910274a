"""A scene as SVG.

Its colors are attributes, for every program, and CSS with a dark mode.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Mapping
from functools import cache
from html import escape

from judge.reports.palette import Theme, colors
from judge.reports.pictures.font import FAMILY, font_file
from judge.reports.pictures.scene import Group, Item, Path, Scene, Shape, Words


def svg_text(scene: Scene, board: str, theme: Theme) -> str:
    """Return the whole picture; in the light theme it follows the reader's dark mode."""
    width, height = scene.size[0], scene.height
    writer = _Writer(colors(board, theme))
    layers = (
        ("ground", scene.ground),
        ("owners", scene.tints),
        ("borders", scene.lines),
        ("orders", scene.marks),
        ("labels", scene.labels),
        ("strip", scene.strip),
    )
    below = {"strip": f' transform="translate(0 {_number(scene.size[1])})"'}
    body = "".join(
        f'<g id="{name}"{below.get(name, "")}>{"".join(writer.items(items))}</g>\n' for name, items in layers if items
    )
    shared = "".join(f'<path id="{id_}" d="{data}"/>' for id_, data in writer.shared.values())
    style = _font_face(latin_only=max(body) < _BEYOND_LATIN) + (_dark(board) if theme is Theme.LIGHT else "")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_number(width)} {_number(height)}" role="img" '
        f'aria-labelledby="alt" font-family="\'{FAMILY}\', sans-serif" stroke-linejoin="round">'
        f'<title id="alt">{_escaped(scene.description)}</title><style>{style}</style>'
        f"<defs>{shared}</defs>\n{body}</svg>\n"
    )


def snippet(items: Iterable[Item], size: tuple[float, float], board: str) -> str:
    """Return a drawing without words for an HTML page.

    The page's style sheet colors it for the dark mode by its classes.
    """
    body = "".join(_Writer(colors(board, Theme.LIGHT)).items(items))
    return f'<svg viewBox="0 0 {_number(size[0])} {_number(size[1])}" aria-hidden="true">{body}</svg>'


class _Writer:
    def __init__(self, palette: Mapping[str, str]) -> None:
        self.palette = palette
        self.shared: dict[int, tuple[str, str]] = {}
        """Long outlines, each written once.

        Id of the path → its name in the SVG, its data.
        """

    def items(self, items: Iterable[Item]) -> Iterable[str]:
        """Yield one element for each item."""
        for item in items:
            if isinstance(item, Group):
                yield self._group(item)
            elif isinstance(item, Shape):
                yield self._shape(item)
            else:
                yield self._words(item)

    def _group(self, group: Group) -> str:
        title = f"<title>{_escaped(group.title)}</title>" if group.title else ""
        known_by = _attribute("id", group.id) + _attribute("class", " ".join(group.kinds))
        return f"<g{known_by}>{title}{''.join(self.items(group.items))}</g>"

    def _shape(self, shape: Shape) -> str:
        kinds = " ".join(
            name for name in (shape.fill and f"f-{shape.fill}", shape.stroke and f"s-{shape.stroke}") if name
        )
        cap = "butt" if shape.butt else "round"
        stroke = (
            f' stroke="{self.palette[shape.stroke]}" stroke-width="{_number(shape.width)}" stroke-linecap="{cap}"'
            if shape.stroke
            else ""
        )
        dash = f' stroke-dasharray="{" ".join(map(_number, shape.dash))}"' if shape.dash else ""
        fill = self.palette[shape.fill] if shape.fill else "none"
        what = f'path d="{_data(shape.path)}"' if len(shape.path) < _LONG else f'use href="#{self._share(shape.path)}"'
        return f'<{what} class="{kinds}" fill="{fill}"{stroke}{dash}/>'

    def _share(self, path: Path) -> str:
        if id(path) not in self.shared:
            self.shared[id(path)] = (f"outline-{len(self.shared) + 1}", _data(path))
        return self.shared[id(path)][0]

    def _words(self, words: Words) -> str:
        x, y = words.at
        halo = (
            f' stroke="{self.palette[words.halo]}" stroke-width="{_number(words.size * HALO)}" paint-order="stroke"'
            if words.halo
            else ""
        )
        turned = f' transform="rotate({_number(words.angle)} {_number(x)} {_number(y)})"' if words.angle else ""
        anchor = ' text-anchor="middle"' if words.centered else ""
        kinds = " ".join(name for name in (f"f-{words.fill}", words.halo and f"s-{words.halo}") if name)
        return (
            f'<text class="{kinds}" x="{_number(x)}" y="{_number(y + words.size * DESCENT)}" '
            f'font-size="{_number(words.size)}" fill="{self.palette[words.fill]}"{halo}{anchor}{turned}>'
            f"{_escaped(words.text)}</text>"
        )


_LONG = 30
"""An outline of at least this many steps is written only once."""
_BEYOND_LATIN = "\u2e80"
HALO = 0.24
"""The width of the halo, both sides together, as a share of the letter size."""
DESCENT = 0.36
"""The distance from a line's middle to its baseline, as a share of letter size."""


def _attribute(name: str, value: str) -> str:
    return f' {name}="{_escaped(value)}"' if value else ""


def _data(path: Path) -> str:
    return "".join(f"{letter}{' '.join(map(_number, numbers))}" for letter, numbers in path)


def _number(number: float) -> str:
    return f"{number:.1f}".removesuffix(".0")


def _escaped(text: str) -> str:
    """Escape a text for XML."""
    return escape(text)


@cache
def _font_face(*, latin_only: bool) -> str:
    font = b64encode(font_file(latin_only=latin_only).read_bytes()).decode("ascii")
    return f"@font-face{{font-family:'{FAMILY}';src:url(data:font/ttf;base64,{font})}}"


@cache
def _dark(board: str) -> str:
    light, dark = colors(board, Theme.LIGHT), colors(board, Theme.DARK)
    rules = (
        f".f-{part}{{fill:{color}}}.s-{part}{{stroke:{color}}}" for part, color in dark.items() if light[part] != color
    )
    return f"@media(prefers-color-scheme:dark){{{''.join(rules)}}}"
