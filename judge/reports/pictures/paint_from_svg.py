"""A scene as a bitmap by resvg, for systems without the libraries of Skia.

It is slower than Skia.
"""

from __future__ import annotations

from io import BytesIO

import resvg_py
from PIL import Image

from judge.reports.pictures.compose import Look
from judge.reports.pictures.font import font_file
from judge.reports.pictures.scene import Scene
from judge.reports.pictures.svg import svg_text


def painted_from_svg(scene: Scene, board: str, look: Look) -> Image.Image:
    """Return the whole picture in full color."""
    content = resvg_py.svg_to_bytes(
        svg_string=svg_text(scene, board, look.theme),
        width=look.width,
        skip_system_fonts=True,
        font_files=[str(font_file())],
    )
    size = (look.width, round(scene.height * look.width / scene.size[0]))  # resvg may leave out half a row
    return Image.open(BytesIO(bytes(content))).convert("RGB").resize(size)
