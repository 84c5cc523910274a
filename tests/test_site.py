"""The archive of finished games: its content, its secrecy, and its look in browsers."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from html import escape
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest
from babel.messages.pofile import read_po
from PIL import Image

from judge.commands import Language
from judge.errors import ConfigError
from judge.games.game import Ended
from judge.reports import command_pages
from judge.reports.documents import documents
from judge.reports.manual import load_manual
from judge.reports.palette import inks
from judge.reports.site import ArchivedGame, index_page
from judge.reports.wording import wording_in
from judge.resources import shipped
from judge.rules import Power, read_order
from judge.service.archive import archived_games, write_site
from tests.browser import CHROMIUM, seen
from tests.command_line import judge
from tests.office import NAMES, TITLES, World, begun

_PROBE = """
const steps = [];
const press = (key) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
const seen = () => phases.filter((one) => getComputedStyle(one).display !== "none").map((one) => one.id).join();
const acts = [
  () => press("ArrowLeft"),
  () => press("Home"),
  () => press("ArrowLeft"),
  () => press(" "),
  () => press(" "),
  () => press("End"),
  () => play.click(),
  () => { at.value = "1"; at.dispatchEvent(new Event("input")); },
];
async function probe() {
  for (const act of acts) {
    steps.push(`${seen()}${timer ? "*" : ""}`);
    act();
    await new Promise((done) => setTimeout(done, 100));
  }
  document.documentElement.dataset.steps = steps.join(" ");
  document.documentElement.dataset.overflows = document.documentElement.scrollWidth > window.innerWidth;
}
probe();
"""
STEPS = "end F1901M S1901M S1901M S1901M* S1901M end S1901M*"
"""The phase shown before each action of the probe, with * while it plays."""


@pytest.fixture(scope="module")
def world() -> World:
    """Return a game that its master ended after two phases, and a forming game."""
    world = begun(World())
    world.reply("cho", "A Par - Bur\nA Mar S A Par - Bur\nNOTE Ada lies")
    world.reply("dan", "A Mun - Bur\nPRESS TO France: the attack on Ben comes soon")
    world.reply("fay", "F Sev - Bla\nDECLARE x")
    world.reply("gus", "F Ank - Bla")
    world.pass_deadline()
    world.collect_reports()
    world.reply("cho", "A Bur - Mun\nSHARE NOTES")
    world.pass_deadline()
    world.collect_reports()
    world.proved("gil", "END ardennes because Ben has broken his leg")
    world.proved("gil", "CREATE verdun\ndeadline: 2 days")
    return world


@pytest.fixture(scope="module")
def folder(world: World, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the site."""
    folder = tmp_path_factory.mktemp("site") / "public"
    written = write_site(folder, archived_games(world.parts.store, world.now))
    assert (written.games, written.drawn) == (1, 1)
    return folder


@pytest.mark.parametrize("language", Language)
def test_the_documents_are_there_in_the_language_of_the_reader(folder: Path, language: Language) -> None:
    index = (folder / language.value / "index.html").read_text("utf-8")
    for document in documents(language):
        is_listed = f'href="docs/{document.name}.html"' in index
        assert is_listed != document.is_part
        file = folder / language.value / "docs" / f"{document.name}.html"
        page = file.read_text("utf-8")
        assert is_listed == (f">{escape(document.title)}</a>" in index)
        assert f">{escape(document.title)}</h1>" in page
        assert [
            anchor for anchor in re.findall(r'href="#([^"]+)"', page) if f'id="{unquote(anchor)}"' not in page
        ] == []
        found = re.findall(r'href="(?!https:)([^"#]+)[#"]', page)
        assert [href for href in found if not (file.parent / href).is_file()] == []
        assert (f'<article class="document" lang="{document.language}">' in page) == (document.language is not language)
    assert "HELP tutorial" in (folder / "en" / "docs" / "player.html").read_text("utf-8")
    assert "ヘルプ 練習" in (folder / "ja" / "docs" / "player.html").read_text("utf-8")


class _Page(HTMLParser):
    """Collects the links of a page, and its pictures without a text."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.silent: list[str] = []
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.links += [value for key in ("href", "src", "srcset") if (value := found.get(key))]
        if tag == "img" and not found.get("alt"):
            self.silent.append(str(found))


def pages(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.html"))


def test_the_manual_is_a_page_for_each_group_in_one_language(folder: Path) -> None:
    manual = load_manual()
    for language in Language:
        docs = folder / language.value / "docs"
        contents = (docs / "commands.html").read_text("utf-8")
        titles = [*(one.title(language) for one in manual.commands), *(one.title(language) for one in manual.settings)]
        assert [one for one in titles if f">{escape(one)}" not in contents] == []
        pages = [path.read_text("utf-8") for path in docs.glob("commands-*.html")]
        assert len(pages) == len(manual.groups) + len(manual.sections)
        headings = re.findall(r"<h2[^>]*>(.*?)\*?</h2>", "".join(pages))
        assert sorted(headings) == sorted(map(escape, titles))
        for entry in manual.commands:
            short = {other: f" – {escape(entry.pages[other].short)}<" in contents for other in Language}
            assert [other for other in Language if short[other]] == [language], entry.topic


def test_pages_load_nothing_from_elsewhere_and_obey_their_own_policy(folder: Path) -> None:
    """Pages contain no script and no style, and the style sheet loads nothing."""
    for path in pages(folder):
        page = path.read_text("utf-8")
        assert "Content-Security-Policy" in page
        assert re.findall(r"\sstyle=|<style|\son\w+=|<script(?! src=)", page) == [], path
        assert re.findall(r'(?:src|srcset)="(?:https?:|//|data:)', page) == [], path
    assert not re.search(r"url\(|@import", (folder / "style.css").read_text("utf-8"))


def test_every_phase_has_its_page_in_both_languages(folder: Path) -> None:
    phases = {"S1901M", "F1901M"}
    for language in ("en", "ja"):
        below = folder / language / "ardennes"
        assert {path.stem for path in below.glob("*.html")} == phases | {"index"}
        assert {path.name for path in below.glob("*.png")} == {"card.png", "centers.png", "centers-dark.png"}
    drawn = {name for one in phases | {"end", "small"} for name in (f"{one}.png", f"{one}-dark.png")}
    assert {path.name for path in (folder / "maps" / "ardennes").iterdir()} == drawn
    assert not (folder / "en" / "verdun").exists()


def test_every_link_leads_somewhere_and_every_picture_has_words(folder: Path) -> None:
    for path in pages(folder):
        page = _Page(path)
        assert page.links
        assert page.silent == []
        for link in page.links:
            file, _, anchor = link.partition("#")
            target = (path.parent / file if file else path).resolve()
            if not link.startswith("https:"):
                assert target.is_relative_to(folder.resolve())
                assert target.is_file(), f"{path}: {link}"
                assert not anchor or f'id="{unquote(anchor)}"' in target.read_text("utf-8"), f"{path}: {link}"


def test_orders_and_reasons_are_there_without_a_script(folder: Path) -> None:
    english = (folder / "en" / "ardennes" / "S1901M.html").read_text("utf-8")
    japanese = (folder / "ja" / "ardennes" / "S1901M.html").read_text("utf-8")
    assert "<code>A MAR S A PAR - BUR</code>" in english
    assert "マルセイユ陸軍はパリ陸軍のブルゴーニュへの移動を支援" in japanese
    for page in (english, japanese):
        assert "<script" not in page
    assert "bounced at Burgundy: 1 against 2 (A PAR)" in english
    assert "ブルゴーニュ" in japanese
    assert "bounced" not in japanese
    game = (folder / "en" / "ardennes" / "index.html").read_text("utf-8")
    assert "Ended by its master in Winter 1901" in game or "Ended by its master in Spring 1902" in game
    assert 'class="controls" hidden' in game
    for phase, before, after in (("S1901M", None, "F1901M"), ("F1901M", "S1901M", "end")):
        assert f'href="{phase}.html"' in game
        inside = game.partition(f'id="{phase}"')[2].partition("</section>")[0]
        links = [f'rel="{rel}" class="step" href="#{to}"' for rel, to in (("prev", before), ("next", after)) if to]
        assert [link for link in links if link not in inside] == []
        assert f'src="../../maps/ardennes/{phase}.png"' in inside
        assert "A MAR S A PAR - BUR" in inside or phase != "S1901M"


def test_a_link_to_a_page_is_shown_with_a_picture_if_it_is_known_where_the_site_is(
    world: World, folder: Path, tmp_path: Path
) -> None:
    write_site(tmp_path / "public", archived_games(world.parts.store, world.now), "https://club.test/archive")
    shown = {"index": "de/ardennes/card.png", "F1901M": "maps/ardennes/F1901M.png"}
    for name, picture in shown.items():
        page = (tmp_path / "public" / "de" / "ardennes" / f"{name}.html").read_text("utf-8")
        assert f'<meta property="og:url" content="https://club.test/archive/de/ardennes/{name}.html">' in page
        assert f'<meta property="og:image" content="https://club.test/archive/{picture}">' in page
        assert (tmp_path / "public" / picture).is_file()
        assert "og:image" not in (folder / "de" / "ardennes" / f"{name}.html").read_text("utf-8")
    with Image.open(folder / "de" / "ardennes" / "card.png") as card:
        assert card.size == (1200, 630)


COLORS = inks("standard")


@pytest.mark.parametrize(
    ("winners", "told"),
    [
        ("", "Ended by its master in Spring 1902, without a result."),
        ("FRANCE", "France won in"),
        ("FRANCE ITALY", "France and Italy won in"),
    ],
)
def test_a_card_shows_the_end_and_the_winners_by_name_and_color(world: World, winners: str, told: str) -> None:
    (game,) = archived_games(world.parts.store, world.now)
    sharers = tuple(map(Power, winners.split()))
    game = replace(game, sharers=sharers, how=Ended.SHORT if sharers else game.how)
    card = index_page([game], Language.ENGLISH, "").decode().partition('class="card"')[2].partition("</a>")[0]
    assert 'src="../maps/ardennes/small.png"' in card
    assert told in card
    assert re.findall(r'<rect x="\d" width="1" height="1" fill="(#\w+)"/>', card) == [
        inks("standard")[one] for one in sharers
    ]
    assert '<p class="quiet">1901, ' in card


def test_a_withdrawn_phase_has_its_page_struck_through_and_without_the_masters_words(tmp_path: Path) -> None:
    world = begun(World())
    for order in ("A Par - Bur", "A Par - Pic", "A Par - Gas"):
        world.reply("cho", order)
        world.proved("gil", "PROCESS S1901M BECAUSE all are there")
        world.collect_reports()
        if order != "A Par - Gas":
            world.proved("gil", "ROLLBACK S1901M BECAUSE of the leg of Ben")
            world.collect_reports()
    world.proved("gil", "END ardennes because of the test")
    write_site(tmp_path / "public", archived_games(world.parts.store, world.now))
    for language in Language:
        below = tmp_path / "public" / language.value / "ardennes"
        assert {path.stem for path in below.glob("*.html")} == {"S1901M", "S1901M-1", "S1901M-2", "index"}
        links = [link.partition("#")[0] for path in below.glob("*.html") for link in _Page(path).links]
        assert [link for link in links if not link.startswith("https:") and not (below / link).exists()] == []
        pages = {path.stem: path.read_text("utf-8") for path in below.glob("*.html")}
        said = wording_in(language).order
        burgundy, picardy, gascony = (said(read_order(f"A PAR - {to}")) for to in ("BUR", "PIC", "GAS"))
        assert re.search(rf"<s>(<code>)?{re.escape(burgundy)}(</code>)?</s>", pages["S1901M-1"])
        assert re.search(rf"<s>(<code>)?{re.escape(picardy)}(</code>)?</s>", pages["S1901M-2"])
        assert gascony in pages["S1901M"]
        assert burgundy not in pages["S1901M"]
        for page in ("index", "S1901M"):
            assert set(re.findall(r'href="(S1901M-\d).html"><s>', pages[page])) == {"S1901M-1", "S1901M-2"}
        assert not any(re.search(r"\b(Ben|leg)\b", page) for page in pages.values())
    assert "was opened again" in (tmp_path / "public/en/ardennes/S1901M-1.html").read_text("utf-8")


def messages_in(catalog: Path) -> set[str]:
    with catalog.open("rb") as file:
        return {str(entry.id) for entry in read_po(file) if entry.id}


def test_both_languages_have_the_same_words_and_all_are_used() -> None:
    words = [messages_in(path) for path in (shipped("templates") / "locale").glob("*/site.po")]
    assert len(words) == len(Language)
    assert all(one == words[0] for one in words)
    used = [*(shipped("templates") / "site").iterdir(), Path(command_pages.__file__)]
    pages = "".join(path.read_text("utf-8") for path in used).replace('"', "'")
    assert {name for name in words[0] if f"'{name}'" not in pages} == {f"site-{ArchivedGame.__name__}"}
    assert "told('site', game)" in pages


def test_nothing_in_it_is_secret(world: World, folder: Path) -> None:
    tokens = {str(letter["Reply-To"]).partition("@")[0].rpartition(".")[2] for _, letter in world.box.kept}
    secret = [*tokens, *(name.title() for name in ("gil", *NAMES)), "players.test", "attack on", "lies", "leg"]
    for path in [page for page in pages(folder) if page.parent.name != "docs"]:
        text = re.sub(r"<[^>]*>", " ", path.read_text("utf-8")) + path.read_text("utf-8")
        assert [word for word in secret if re.search(rf"\b{re.escape(word)}\b", text)] == [], path


def test_what_did_not_change_is_not_drawn_again_and_what_is_gone_goes(
    world: World, folder: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)
    picture = copy / "maps" / "ardennes" / "S1901M.png"
    picture.write_bytes(b"as it was")
    (copy / "en" / "mine.html").write_text("not of the judge", "utf-8")
    games = archived_games(world.parts.store, world.now)
    assert write_site(copy, games).drawn == 0
    assert picture.read_bytes() == b"as it was"
    assert write_site(copy, ()).games == 0
    left = sorted(path.relative_to(copy).as_posix() for path in copy.rglob("*") if path.is_file())
    own = [f"{one.value}/docs/{document.name}.html" for one in Language for document in documents(one)]
    own += [f"{one.value}/index.html" for one in Language]
    own += [".judge-site.json", "games.json", "index.html", "player.js", "style.css"]
    assert left == sorted([*own, "en/mine.html"])
    assert "No game is finished yet." in (copy / "en" / "index.html").read_text("utf-8")


def test_a_folder_of_others_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letters.txt").write_text("dear diary", "utf-8")
    with pytest.raises(ConfigError):
        write_site(tmp_path, ())
    assert [path.name for path in tmp_path.iterdir()] == ["letters.txt"]


def test_a_game_that_is_not_listed_is_nobodys_business() -> None:
    world = World()
    world.proved("gil", "CREATE ardennes\ndeadline: 2 days\nlisted: no")
    for name, power in zip(NAMES, TITLES, strict=True):
        world.proved(name, f"JOIN ardennes AS {power}")
    world.collect_reports()
    world.pass_deadline()
    world.collect_reports()
    world.proved("gil", "END ardennes because of the test")
    assert archived_games(world.parts.store, world.now) == ()


def test_the_command_writes_a_site(tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    config.write_text(f'[database]\nurl = "sqlite:///{tmp_path}/judge.sqlite3"\n', "utf-8")

    judge("migrate", "--config", str(config))
    done = judge("site", str(tmp_path / "public"), "--config", str(config))
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "public" / "ja" / "index.html").is_file()
    assert judge("site", str(tmp_path), "--config", str(config)).returncode == 2


@pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium")
@pytest.mark.parametrize("width", [360, 1200])
@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_browser_plays_the_phases_and_shows_nothing_beyond_the_edge(
    folder: Path, tmp_path: Path, language: str, width: int
) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(folder, copy)
    with (copy / "player.js").open("a", encoding="utf-8") as script:
        script.write(_PROBE)
    page = copy / language / "ardennes" / "index.html"
    shown = seen(page, tmp_path, width=width)
    assert 'data-overflows="false"' in shown
    assert f'data-steps="{STEPS}"' in shown
