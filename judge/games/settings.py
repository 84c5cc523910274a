"""Settings as a master writes them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from datetime import timedelta
from enum import StrEnum
from typing import Any

from judge.errors import NotationError
from judge.games.game import MissingOrders, PressRule, Readiness, Settings
from judge.language.times import Timetable, find_zone, read_duration, read_timetable
from judge.rules.exchange import read_option
from judge.rules.map import load_map
from judge.rules.options import PROFILES, CountryAssignment, DrawRule, Options, UpdateType, VictoryMeasure
from judge.settings import setting_named

Change = Mapping[str, Any]
"""Field of the settings → new value."""
LONGEST = timedelta(days=366)
"""A longer time is a slip of the pen."""
_NONE = ("none", "no", "0", "なし", "無し")


@dataclass(frozen=True, slots=True)
class WrongSetting:
    """A setting that cannot be."""

    name: str
    value: str
    example: str
    """What could stand there; "" where there is no setting of that name."""
    is_fixed: bool = False
    """The value could be, but not once the game has started."""


def _timetable(text: str) -> Timetable | None:
    return read_timetable(text)


def _time(text: str) -> timedelta | None:
    length = read_duration(text)
    return length if length is not None and length <= LONGEST else None


def _no_time(text: str) -> timedelta | None:
    return timedelta() if text.lower() in _NONE else _time(text)


def _lengths(text: str) -> tuple[timedelta, ...] | None:
    if text.lower() in _NONE:
        return ()
    lengths = [_time(part.strip()) for part in re.split(r"[,、;]|\band\b|と", text)]
    found = tuple(sorted({length for length in lengths if length is not None}, reverse=True))
    return found if len(lengths) == len(found) <= 5 else None


def _yes_or_no(text: str) -> bool | None:
    return {"yes": True, "no": False, "on": True, "off": False, "はい": True, "いいえ": False, "する": True}.get(
        text.lower(), False if text == "しない" else None
    )


def _profile(text: str) -> str | None:
    return text.lower() if text.lower() in PROFILES else None


def _one_of(kind: type[StrEnum], japanese: Mapping[str, str]) -> Callable[[str], StrEnum | None]:
    def read(text: str) -> StrEnum | None:
        word = japanese.get(text, "-".join(text.lower().split()))
        return kind(word) if word in list(kind) else None

    return read


@dataclass(frozen=True, slots=True)
class _Setting:
    """One setting: the field it changes, how its value is read, what one may write."""

    field: str
    read: Callable[[str], object | None]
    example: str
    only_before: bool = False
    """It may not be changed once the game has started."""


_TIME = "3 days | Tue Fri 21:00"
_YES = (_yes_or_no, "yes | no")
_READERS: Mapping[str, _Setting] = {
    "deadline": _Setting("movement", _timetable, _TIME),
    "first movement": _Setting("first_movement", _timetable, _TIME, only_before=True),
    "retreats": _Setting("retreat", _timetable, _TIME),
    "adjustments": _Setting("adjustment", _timetable, _TIME),
    "zone": _Setting("zone", find_zone, "Europe/Paris | Asia/Tokyo"),
    "earliest": _Setting("earliest", _no_time, "12 hours | none"),
    "grace": _Setting("grace", _no_time, "12 hours | none"),
    "reminders": _Setting("reminders", _lengths, "24 hours, 4 hours | none"),
    "missing": _Setting(
        "missing",
        _one_of(MissingOrders, {"維持": "hold", "混乱": "disorder", "待つ": "wait", "交代": "replace"}),
        "hold | disorder | wait | replace",
    ),
    "outage": _Setting("outage", _time, "24 hours"),
    "objection": _Setting("objection", _no_time, "24 hours | none"),
    "first turn resets": _Setting("first_turn_resets", *_YES, only_before=True),
    "press": _Setting(
        "press",
        _one_of(PressRule, {"なし": "none", "公開": "public", "密書": "private", "規則": "rulebook"}),
        "none | public | private | rulebook",
    ),
    "anonymous": _Setting("anonymous", *_YES, only_before=True),
    "master reads": _Setting("master_reads", *_YES, only_before=True),
    "writing": _Setting("writing", _no_time, "5 minutes | none"),
    "readiness": _Setting(
        "readiness", _one_of(Readiness, {"人数": "count", "国旗": "names", "国名": "names"}), "count | names"
    ),
    "ready with missing orders": _Setting("ready_incomplete", *_YES),
    "open votes": _Setting("open_votes", *_YES),
    "absent block": _Setting("absent_block", *_YES),
    "addresses": _Setting("show_addresses", *_YES),
    "listed": _Setting("listed", *_YES),
    "observers": _Setting("observers", *_YES),
    "rules": _Setting("profile", _profile, " | ".join(PROFILES), only_before=True),
}
"""By the names of `judge.settings`."""
_AFTER_THE_START = frozenset(("update_type", "draw_rule", "misspelling", "press_phases", "turn_word"))
"""Options that change nothing already on the board; when a short game ends is agreed beforehand (000[3])."""
_CONDUCT: Mapping[str, Change] = {
    "standard": {"missing": MissingOrders.HOLD, "press": PressRule.PRIVATE},
    "rulebook-1971": {"missing": MissingOrders.DISORDER, "press": PressRule.RULEBOOK},  # 000[14-3]; [11-1], [13-2]
    "shingen": {"missing": MissingOrders.HOLD, "press": PressRule.RULEBOOK},  # 001 P4A; P5
    "avalon-hill-4th": {"missing": MissingOrders.HOLD, "press": PressRule.RULEBOOK},
    "shirikyu": {"missing": MissingOrders.HOLD, "press": PressRule.RULEBOOK},  # 003 §2
    "shofukusha": {"missing": MissingOrders.HOLD, "press": PressRule.RULEBOOK},  # 004
}
"""What a profile of the rules brings along, unless the same mail says otherwise: how the game is run by its source."""
_VALUES = {
    **dict.fromkeys(("定時更新", "定時"), UpdateType.SCHEDULED.value),
    **dict.fromkeys(("完了更新", "完了"), UpdateType.ON_COMPLETION.value),
    **dict.fromkeys(("撤退調整完了制", "撤退調整完了"), UpdateType.SCHEDULED_WITH_EARLY_MINOR_PHASES.value),
    **dict.fromkeys(("手動更新", "手動"), UpdateType.MANUAL.value),
    **dict.fromkeys(("定時完了併用更新", "定時完了併用", "併用"), UpdateType.SCHEDULED_OR_ON_COMPLETION.value),
    **dict.fromkeys(("完全ランダム制", "ランダム", "くじ", "random"), CountryAssignment.LOT.value),
    **dict.fromkeys(("第一志望制", "第一志望"), CountryAssignment.FIRST_CHOICE.value),
    **dict.fromkeys(("登録順制", "登録順"), CountryAssignment.REGISTRATION_ORDER.value),
    "全員一致": DrawRule.UNANIMOUS.value,
    **dict.fromkeys(("停戦合意", "停戦"), DrawRule.ARMISTICE_23.value),
}
"""As the web game calls them (001 P1, P5), and shorter."""
_OPTION_FIELDS = frozenset(field.name for field in fields(Options))
_PLAYERS = {"3": "3a", "3 plan 1": "3a", "3 plan 2": "3b"}


def usual_settings() -> Settings:
    """The settings of a game for which nothing was chosen."""
    return Settings(rules=replace(Options(), country_assignment=CountryAssignment.REGISTRATION_ORDER))


def read_settings(
    written: Mapping[str, str], before: Settings | None = None, *, started: bool = False
) -> Settings | tuple[WrongSetting, ...]:
    """The settings with what a master wrote, or all that is wrong with it; nothing is changed then."""
    base = before or usual_settings()
    read = [_read_one(name, value.strip(), started=started) for name, value in written.items()]
    wrong = tuple(one for one in read if isinstance(one, WrongSetting))
    zones = dict.fromkeys(one["zone"] for one in read if isinstance(one, dict) and "zone" in one)
    if len(zones) > 1:
        wrong = (*wrong, WrongSetting("zone", ", ".join(zones), "Europe/Paris | Asia/Tokyo"))
    if wrong:
        return wrong
    found = {name: value for one in read if isinstance(one, dict) for name, value in one.items()}
    options = {name: value for name, value in found.items() if name in _OPTION_FIELDS}
    changes = {name: value for name, value in found.items() if name not in options}
    rules = base.rules
    if "profile" in changes:
        apart = {name: getattr(rules, name) for name in ("update_type", "players")}
        rules = replace(PROFILES[changes["profile"]], **apart)
        changes = {**_CONDUCT[changes["profile"]], **changes}
    if options.get("players") == "2":  # R-MULTI-6
        options = {"victory_measure": VictoryMeasure.UNITS_24} | options
    settings = replace(base, rules=replace(rules, **options), **changes)
    contradictions = tuple(_contradictions(settings))
    return contradictions or settings


def _read_one(written: str, value: str, *, started: bool) -> Change | WrongSetting:
    """The change one line asks for, or what is wrong with it."""
    name = setting_named(written)
    if name is None:
        return WrongSetting(written, value, "")
    setting = _READERS.get(name)
    if started and (setting.only_before if setting is not None else name not in _AFTER_THE_START):
        return WrongSetting(written, value, "", is_fixed=True)
    if setting is not None:
        return _read_setting(setting, written, value)
    try:
        return _read_option(name, value)
    except NotationError as error:
        return WrongSetting(written, value, str(error).rpartition(" one of ")[2])


def _read_setting(setting: _Setting, name: str, value: str) -> Change | WrongSetting:
    read = setting.read(value)
    if setting.field == "first_movement" and value.lower() in _NONE:
        return {setting.field: None}
    if read is not None:
        return {setting.field: read}
    if setting.read is _timetable:  # `Tue Fri 21:00 Asia/Tokyo` names the game's zone as well
        rest, _, last = value.rpartition(" ")
        zone, table = find_zone(last), read_timetable(rest)
        if zone is not None and table is not None:
            return {setting.field: table, "zone": zone}
    return WrongSetting(name, value, setting.example)


def _read_option(option: str, value: str) -> dict[str, Any]:
    """A single option of the rules (RULES 13, 16); raises NotationError."""
    text = _VALUES.get(value.strip()) or "-".join(value.lower().split())
    if option == "players":
        text = _PLAYERS.get(" ".join(value.lower().split()), text)
        if text not in load_map().setups:
            raise NotationError("players cannot be that; it is one of 2, 3 plan 1, 3 plan 2, 4, 5, 6, 7")
    if option == "short_game":
        return {option: _last_year(text)}
    return {option: read_option(option, text)}


def _last_year(text: str) -> int | None:
    year = re.fullmatch(r"(\d{4})年?", text)
    if text not in _NONE and year is None:
        raise NotationError("short_game cannot be that; it is one of 1910 | none")
    return int(year[1]) if year else None


def _contradictions(settings: Settings) -> Iterable[WrongSetting]:
    """Settings that cannot stand together."""
    if settings.rules.update_type in (UpdateType.MANUAL, UpdateType.ON_COMPLETION):
        if settings.grace:
            yield WrongSetting("grace", "", f"update {settings.rules.update_type}")
        if settings.writing:
            yield WrongSetting("writing", "", f"update {settings.rules.update_type}")
    if settings.press is PressRule.NONE and settings.writing:
        yield WrongSetting("writing", "", "press none")
    if settings.press is PressRule.NONE and settings.master_reads:
        yield WrongSetting("master reads", "", "press none")
    if settings.anonymous and settings.show_addresses:
        yield WrongSetting("addresses", "", "anonymous no")
    short = settings.rules.short_game
    start = load_map(settings.map).setups[settings.rules.players].start_year
    if short is not None and short < start:
        yield WrongSetting("short game", str(short), f"{start} …")
