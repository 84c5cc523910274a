"""Make the pictures' font from the used letters of M PLUS 2.

M PLUS 2 is under the SIL Open Font License.

    npm pack @fontsource/m-plus-2@5.3.0 && tar xzf fontsource-m-plus-2-5.3.0.tgz
    python cartography/font.py package

The package holds the font in parts, Latin and Japanese; they are subset and merged. The used letters are found in the
names of the boards and the wording of the pictures. Run it again when `tests/test_pictures.py` reports a missing
letter.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import tomllib
from pathlib import Path

from fontTools.merge import Merger
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "judge" / "reports" / "pictures" / "fonts"
WEIGHT = 600
ALWAYS = (
    "".join(map(chr, (*range(0x20, 0x7F), *range(0xA1, 0x180))))  # Latin, with the accents of Europe
    + "".join(map(chr, range(0x3041, 0x30FF)))  # kana
    + "、。・ー「」()年月春秋冬の北南東西岸撤退調整フェイズ命令結果→×−–—…"
)


LATIN = {chr(code) for code in range(0x20, 0x100)} | set("→×−–—…")
"""The letters of pictures in English, which use a smaller font."""


def main(package: Path) -> None:
    """Write both fonts and their license."""
    letters = used_letters()
    make(package, letters, "mplus2.ttf")
    make(package, letters & LATIN, "mplus2-latin.ttf")
    shutil.copy(package / "LICENSE", TARGET / "OFL.txt")


def make(package: Path, letters: set[str], name: str) -> None:
    """Write a font with these letters."""
    with tempfile.TemporaryDirectory() as folder:
        parts = []
        for script in ("latin", "latin-ext", "japanese"):
            source = package / "files" / f"m-plus-2-{script}-{WEIGHT}-normal.woff"
            part = Path(folder) / f"{script}.ttf"
            cut(source, letters, part)
            parts.append(str(part))
        merged = Merger().merge(parts)
        merged["head"].created = merged["head"].modified = 0  # the same bytes every time
        merged.save(TARGET / name, reorderTables=True)
    print(f"{name}: {len(letters)} letters, {(TARGET / name).stat().st_size} bytes")


def used_letters() -> set[str]:
    """Return the letters of all names and of all wording of pictures."""
    texts = [ALWAYS]
    for names in (ROOT / "judge" / "maps").glob("*/names.toml"):
        tables = tomllib.loads(names.read_text("utf-8"))
        called = [named for kind in ("powers", "provinces") for named in tables.get(kind, {}).values()]
        texts += [named[tongue][0] for named in called for tongue in ("en", "ja", "de") if tongue in named]
    texts += [words.read_text("utf-8") for words in (ROOT / "templates" / "locale").glob("*/pictures.po")]
    return {letter for letter in "".join(texts) if letter.isprintable()}


def cut(source: Path, letters: set[str], target: Path) -> None:
    """Subset one part to the used letters, without hints and needless tables."""
    options = Options(hinting=False, layout_features=[], name_IDs=[0, 1, 2, 4, 6, 13, 14], notdef_outline=True)
    font = TTFont(source, recalcTimestamp=False)
    font.flavor = None
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=[ord(letter) for letter in letters])
    subsetter.subset(font)
    font.save(target)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
