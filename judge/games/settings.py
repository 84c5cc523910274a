"""Read settings as a master writes them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from datetime import timedelta
from enum import StrEnum
from typing import Any, TypeAlias

from judge.calendar import LONGEST, Timetable, ZonedTimetable
from judge.commands import SettingValue
from judge.errors import NotationError
from judge.games.ballots import Majority
from judge.games.choices import Access, ScoreSystem
from judge.games.refusals import WrongSetting
from judge.games.terms import Lasting, MissingOrders, PressRule, PressSender, Readiness, Settings, VotesTold
from judge.resources import boards
from judge.rules.exchange import read_option
from judge.rules.map import Map, load_map
from judge.rules.options import PROFILES, CountryAssignment, DrawRule, Fog, Options, UpdateType, VictoryMeasure
from judge.rules.setups import SetUp
from judge.settings import (
    board_named,
    plain_value,
    players_as_written,
    set_up_named,
    setting_like,
    setting_named,
    year_in,
)

_MOST_REMINDERS = 5
_MOST_EXTENSIONS = 9
_LEAST_TO_ANSWER = timedelta(hours=1)
NewValues: TypeAlias = Mapping[str, Any]
"""Field of the settings → new value."""


def _timetable(value: SettingValue) -> Timetable | None:
    return value.meant if isinstance(value.meant, Timetable) else None


def _zone(value: SettingValue) -> str | None:
    return value.meant if isinstance(value.meant, str) else None


def _time(value: SettingValue) -> timedelta | None:
    length = value.meant
    return length if isinstance(length, timedelta) and length <= LONGEST else None


def _some_time(value: SettingValue) -> timedelta | None:
    """A length long enough for a person to answer a mail."""
    length = _time(value)
    return length if length and length >= _LEAST_TO_ANSWER else None


def _no_time(value: SettingValue) -> timedelta | None:
    return timedelta() if plain_value("none", value.text) else _time(value)


def _budget(value: SettingValue) -> timedelta | str | None:
    """A length of time per year; "free" for no limit."""
    return "free" if plain_value("absence", value.text) == "free" else _no_time(value)


def _count(value: SettingValue) -> int | None:
    """A small number."""
    if plain_value("none", value.text):
        return 0
    return int(value.text) if value.text.isdecimal() and int(value.text) <= _MOST_EXTENSIONS else None


def _percent(value: SettingValue) -> int | None:
    text = value.text.replace("%", "").replace("％", "").strip()
    if plain_value("none", text):
        return 0
    return int(text) if text.isdecimal() and int(text) <= 100 else None


def lengths_in(value: SettingValue) -> tuple[timedelta, ...] | None:
    """Return reminder times before a deadline; empty for `none`, None if invalid."""
    if plain_value("none", value.text):
        return ()
    lengths = value.meant if isinstance(value.meant, tuple) else ()
    found = tuple(sorted({length for length in lengths if length <= LONGEST}, reverse=True))
    return found if len(lengths) == len(found) and 1 <= len(found) <= _MOST_REMINDERS else None


def _lasting(value: SettingValue) -> Lasting | timedelta | None:
    word = plain_value("lasting", value.text) or value.text.lower()
    return Lasting(word) if word in list(Lasting) else _time(value)


def _telling(value: SettingValue) -> bool | VotesTold | None:
    word = plain_value("telling", value.text) or "-".join(value.text.lower().split())
    return VotesTold(word) if word in list(VotesTold) else _yes_or_no(value)


def _seats(value: SettingValue) -> int | None:
    count = int(value.text) if value.text.isascii() and value.text.isdigit() and len(value.text) < 3 else 0
    return count or None


def _board(value: SettingValue) -> str | None:
    return board_named(value.text)


def _yes_or_no(value: SettingValue) -> bool | None:
    answer = plain_value("answer", value.text)
    return answer == "yes" if answer else None


def _profile(value: SettingValue) -> str | None:
    name = value.text.lower()
    return name if name in PROFILES else None


def _one_of(kind: type[StrEnum], name: str) -> Callable[[SettingValue], StrEnum | None]:
    def read(value: SettingValue) -> StrEnum | None:
        word = plain_value(name, value.text) or "-".join(value.text.lower().split())
        return kind(word) if word in list(kind) else None

    return read


@dataclass(frozen=True, slots=True)
class _Setting:
    """One setting: its field, the function that reads its value, and examples.

    The example is "" for the boards.
    """

    field: str
    read: Callable[[SettingValue], object | None]
    example: str
    only_before: bool = False
    """It cannot be changed once the game has started."""


_TIME = "3 days | Tue Fri 21:00"
_YES = (_yes_or_no, "yes | no")
_MAJORITY = (_one_of(Majority, "majority"), "none | half | two-thirds | all")
_READERS: Mapping[str, _Setting] = {
    "board": _Setting("map", _board, "", only_before=True),
    "deadline": _Setting("movement", _timetable, _TIME),
    "first movement": _Setting("first_movement", _timetable, _TIME, only_before=True),
    "retreats": _Setting("retreat", _timetable, _TIME),
    "adjustments": _Setting("adjustment", _timetable, _TIME),
    "zone": _Setting("zone", _zone, "Europe/Paris | Asia/Tokyo"),
    "earliest": _Setting("earliest", _no_time, "12 hours | none"),
    "grace": _Setting("grace", _no_time, "12 hours | none"),
    "grace changes": _Setting("grace_changes", *_YES),
    "absence": _Setting("absence", _budget, "14 days a year | none | free"),
    "absence per phase": _Setting("absence_per_phase", _no_time, "7 days | none"),
    "reminders": _Setting("reminders", lengths_in, "24 hours, 4 hours | none"),
    "missing": _Setting(
        "missing",
        _one_of(MissingOrders, "missing"),
        "hold | disorder | wait | replace | extend",
    ),
    "extensions": _Setting("extensions", _count, "2 | none"),
    "extension": _Setting("extension", _time, "24 hours"),
    "reliability": _Setting("reliability", _percent, "90 % | none"),
    "wait": _Setting("wait", _no_time, "3 days | none"),
    "nudge": _Setting("nudge", _no_time, "3 days | none"),
    "stand in": _Setting("stand_in", _some_time, "24 hours"),
    "inherit orders": _Setting("inherit_orders", *_YES),
    "outage": _Setting("outage", _time, "24 hours"),
    "objection": _Setting("objection", _no_time, "24 hours | none"),
    "muster": _Setting("muster", *_YES, only_before=True),
    "first turn resets": _Setting("first_turn_resets", *_YES, only_before=True),
    "press": _Setting(
        "press",
        _one_of(PressRule, "press"),
        "none | public | private | rulebook",
    ),
    "press sender": _Setting("press_sender", _one_of(PressSender, "press sender"), "named | anonymous | any"),
    "anonymous": _Setting("anonymous", *_YES, only_before=True),
    "master reads": _Setting("master_reads", *_YES, only_before=True),
    "publish press": _Setting("publish_press", *_YES, only_before=True),
    "writing": _Setting("writing", _no_time, "5 minutes | none"),
    "readiness": _Setting("readiness", _one_of(Readiness, "readiness"), "count | names | none"),
    "ready with missing orders": _Setting("ready_incomplete", *_YES),
    "open votes": _Setting("open_votes", *_YES),
    "tell votes": _Setting("tell_votes", _telling, "yes | no | with orders"),
    "votes last": _Setting("votes_last", _lasting, "game | phase | 7 days"),
    "named draws": _Setting("named_draws", *_YES),
    "scores": _Setting(
        "scores", _one_of(ScoreSystem, "scores"), "none | draw-size | sum-of-squares | centers", only_before=True
    ),
    "seats per person": _Setting("seats_per_person", _seats, "1 | 7", only_before=True),
    "seat reports": _Setting("seat_reports", *_YES),
    "pause majority": _Setting("pause_majority", *_MAJORITY),
    "extend majority": _Setting("extend_majority", *_MAJORITY),
    "end majority": _Setting("end_majority", *_MAJORITY),
    "replace majority": _Setting("replace_majority", *_MAJORITY),
    "absent block": _Setting("absent_block", *_YES),
    "addresses": _Setting("show_addresses", *_YES),
    "listed": _Setting("listed", *_YES),
    "observers": _Setting("observers", *_YES),
    "access": _Setting("access", _one_of(Access, "access"), "open | by approval | invited"),
    "rules": _Setting("profile", _profile, " | ".join(PROFILES), only_before=True),
}
"""Settings by the names of `judge.settings`."""
_AFTER_THE_START = frozenset(("update_type", "draw_rule", "misspelling", "press_phases", "turn_word"))
"""Options that may be changed after the start.

They affect nothing that is already on the board. The end of a short game is agreed beforehand (000[3]), and is not
among them.
"""
_CONDUCT: Mapping[str, NewValues] = {
    "standard": {"missing": MissingOrders.HOLD, "press": PressRule.PRIVATE},
    "rulebook-1971": {"missing": MissingOrders.DISORDER, "press": PressRule.RULEBOOK},  # 000[14-3]; [11-1], [13-2]
    "shingen": {"missing": MissingOrders.HOLD, "press": PressRule.RULEBOOK},  # 001 P4A; P5
    "avalon-hill-4th": {"missing": MissingOrders.HOLD, "press": PressRule.RULEBOOK},
    "shirikyu": {"missing": MissingOrders.HOLD, "press": PressRule.RULEBOOK},  # 003 §2
    "shofukusha": {"missing": MissingOrders.HOLD, "press": PressRule.RULEBOOK},  # 004
}
"""Settings that come with each rules profile unless the mail sets them.

They are how the source of the profile runs a game.
"""
_OPTION_FIELDS = frozenset(field.name for field in fields(Options))


def usual_settings() -> Settings:
    """The default settings of a game."""
    return Settings(rules=replace(Options(), country_assignment=CountryAssignment.REGISTRATION_ORDER))


def read_settings(
    written: Mapping[str, SettingValue], before: Settings | None = None, *, started: bool = False
) -> Settings | tuple[WrongSetting, ...]:
    """Return the settings with a master's changes, or all faults; then nothing is changed."""
    base = before or usual_settings()
    map_ = _board_of(written, base)
    read = [_read_one(name, value, map_, started=started) for name, value in written.items()]
    wrong = tuple(one for one in read if isinstance(one, WrongSetting))
    zones = dict.fromkeys(one["zone"] for one in read if isinstance(one, dict) and "zone" in one)
    if len(zones) > 1:
        wrong = (*wrong, WrongSetting("zone", ", ".join(zones), "Europe/Paris | Asia/Tokyo"))
    if wrong:
        return wrong
    found = {name: value for one in read if isinstance(one, dict) for name, value in one.items()}
    options = {name: value for name, value in found.items() if name in _OPTION_FIELDS}
    changes = {name: value for name, value in found.items() if name not in options}
    players = _players(options.pop("players", None), base.rules.players, map_)
    rules = replace(base.rules, players=players)
    if "profile" in changes:
        apart = {name: getattr(rules, name) for name in ("update_type", "players")}
        rules = replace(PROFILES[changes["profile"]], **apart)
        changes = {**_CONDUCT[changes["profile"]], **changes}
    if "players" in found and _leads_several_of_two(map_.setup_for(players)):  # R-MULTI-6
        options = {"victory_measure": VictoryMeasure.UNITS} | options
    if options.get("fog", Fog.NONE) is not Fog.NONE:
        changes = {"readiness": Readiness.NONE, **changes}
    settings = replace(base, rules=replace(rules, **options), **changes)
    contradictions = tuple(_contradictions(settings, map_))
    return contradictions or settings


def _board_of(written: Mapping[str, SettingValue], base: Settings) -> Map:
    """Return the board that is written, else the one before."""
    named = (_board(value) for name, value in written.items() if setting_named(name) == "board")
    return load_map(next(filter(None, named), base.map))


def _players(written: str | None, before: str, map_: Map) -> str:
    """Return the name of the set-up of the players.

    It is the one that is written. Without one it is the set-up before if the board has it, else the board's usual one.
    """
    if written is not None:
        return set_up_named(written, map_.setups) or written
    return before if before in map_.setups else map_.usual_players


def _leads_several_of_two(set_up: SetUp) -> bool:
    return len(set_up.assignments) == 2 and any(len(powers) > 1 for powers in set_up.assignments)


def is_fixed(name: str) -> bool:
    """Whether a setting can be changed only before the start."""
    setting = _READERS.get(name)
    return name not in _AFTER_THE_START if setting is None else setting.only_before


def _read_one(written: str, value: SettingValue, map_: Map, *, started: bool) -> NewValues | WrongSetting:
    """Return the change that one line asks for, or what is wrong with it."""
    name = setting_named(written)
    if name is None:
        meant = setting_like(written)
        return WrongSetting(written, value.text, "", meant=meant or "")
    if started and is_fixed(name):
        return WrongSetting(written, value.text, "", is_fixed=True)
    setting = _READERS.get(name)
    if setting is not None:
        return _read_setting(setting, written, value)
    try:
        return _read_option(name, value.text, map_)
    except NotationError as error:
        return WrongSetting(written, value.text, str(error).rpartition(" one of ")[2].replace(", ", " | "))


def _read_setting(setting: _Setting, name: str, value: SettingValue) -> NewValues | WrongSetting:
    read = setting.read(value)
    example = setting.example or " | ".join(boards())
    if setting.field == "first_movement" and plain_value("none", value.text):
        return {setting.field: None}
    if read is not None:
        return {setting.field: None if read == "free" else read}
    if isinstance(value.meant, ZonedTimetable):
        return {setting.field: value.meant.timetable, "zone": value.meant.zone}
    return WrongSetting(name, value.text, example)


def _read_option(option: str, value: str, map_: Map) -> dict[str, Any]:
    """Read a single option of the rules (RULES 13, 16); raises NotationError."""
    text = plain_value("option", value) or "-".join(value.lower().split())
    if option == "players":
        return {option: value}
    if option == "short_game":
        return {option: _last_year(text, map_)}
    return {option: read_option(option, text)}


def _last_year(text: str, map_: Map) -> int | None:
    if plain_value("none", text):
        return None
    year = year_in(text)
    if year is None:
        raise NotationError(
            f"short_game cannot be that; it is one of {map_.first_year + 9 * map_.years_per_turn} | none"
        )
    return year


def _contradictions(settings: Settings, map_: Map) -> Iterable[WrongSetting]:
    """Yield settings that contradict each other, or the board."""
    if settings.rules.players not in map_.setups:
        yield WrongSetting("players", settings.rules.players, " | ".join(map(players_as_written, sorted(map_.setups))))
        return
    if settings.seats_per_person > len(map_.powers):
        yield WrongSetting("seats per person", str(settings.seats_per_person), f"1 … {len(map_.powers)}")
    if settings.rules.update_type in (UpdateType.MANUAL, UpdateType.ON_COMPLETION):
        if settings.grace:
            yield _beside("grace", "update_type", settings.rules.update_type)
        if settings.writing:
            yield _beside("writing", "update_type", settings.rules.update_type)
    yield from _in_fog(settings)
    if settings.named_draws and settings.rules.draw_rule is not DrawRule.UNANIMOUS:
        yield WrongSetting("named draws", "", "", needs=("draw_rule", DrawRule.UNANIMOUS.value))
    elif settings.named_draws and settings.profile == "rulebook-1971":  # 000[2]: all survivors share it
        yield _beside("named draws", "rules", settings.profile)
    if settings.press is PressRule.NONE:
        of_press = {
            "writing": settings.writing,
            "master reads": settings.master_reads,
            "publish press": settings.publish_press,
        }
        yield from (_beside(name, "press", settings.press) for name, is_set in of_press.items() if is_set)
    if settings.anonymous and settings.show_addresses:
        yield WrongSetting("addresses", "", "", needs=("anonymous", "no"))
    short = settings.rules.short_game
    start = map_.setups[settings.rules.players].start_year
    if short is not None and short < start:
        yield WrongSetting("short game", str(short), f"{start} …")


def _in_fog(settings: Settings) -> Iterable[WrongSetting]:
    """Yield settings that would tell in fog what a power does not see.

    That is: who has to decide, and who owns how much.
    """
    fog = settings.rules.fog
    if not fog.is_thick:
        return
    if settings.rules.update_type in (UpdateType.MANUAL, UpdateType.ON_COMPLETION):
        yield _beside("fog", "update_type", settings.rules.update_type)
    if settings.rules.draw_rule is DrawRule.ARMISTICE:
        yield _beside("fog", "draw_rule", settings.rules.draw_rule)
    if settings.readiness is not Readiness.NONE:
        yield _beside("readiness", "fog", fog)


def _beside(name: str, other: str, value: str) -> WrongSetting:
    return WrongSetting(name, "", "", beside=(other, str(value)))
