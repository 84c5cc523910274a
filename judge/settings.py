"""The settings of a game by all their names: what language reads and games understand."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields

from judge.rules.options import Options

SETTINGS: Mapping[str, tuple[str, ...]] = {
    "deadline": ("movement", "締切", "締め切り", "締切り", "期限", "移動", "外交"),
    "first movement": ("first deadline", "初回", "最初の締切", "最初の移動"),
    "retreats": ("retreat", "撤退"),
    "adjustments": ("adjustment", "builds", "調整"),
    "zone": ("game zone", "time zone", "timezone", "ゲームの時間帯", "時間帯", "タイムゾーン"),
    "earliest": ("最短",),
    "grace": ("猶予",),
    "reminders": ("reminder", "催促", "リマインダー"),
    "missing": ("missing orders", "未提出"),
    "outage": ("障害時",),
    "objection": ("objections", "異議"),
    "first turn resets": ("初回やり直し",),
    "press": ("発言", "密書"),
    "anonymous": ("gunboat", "匿名"),
    "master reads": ("管理人閲覧",),
    "writing": ("命令記入",),
    "readiness": ("完了表示",),
    "ready with missing orders": ("ready incomplete", "不足時の完了"),
    "open votes": ("公開投票",),
    "absent block": ("不在の反対",),
    "addresses": ("アドレス公開",),
    "listed": ("visible", "visibility", "一覧掲載"),
    "observers": ("観戦",),
    "rules": ("profile", "ルール", "規則"),
}
"""Name → its other names. The options of the rules can be set, too."""

OPTIONS: Mapping[str, tuple[str, ...]] = {
    **{option.name: (option.name.replace("_", " "),) for option in fields(Options)},
    "update_type": ("update type", "update", "更新", "更新タイプ"),
    "country_assignment": ("country assignment", "assignment", "国決め"),
    "players": ("人数",),
    "draw_rule": ("draw rule", "draw", "draws", "引き分け"),
    "victory_measure": ("victory measure", "victory", "勝利条件"),
    "short_game": ("short game", "短期"),
}
"""Option of the rules → what people may call it."""

_CANONICAL: Mapping[str, str] = {
    written: name for names in (SETTINGS, OPTIONS) for name, others in names.items() for written in (name, *others)
}


def setting_named(written: str) -> str | None:
    """The setting or option that is meant; None if there is none of that name.

    >>> setting_named("Short-game")
    'short_game'
    """
    plain = " ".join(written.lower().replace("_", " ").replace("-", " ").split())
    return _CANONICAL.get(plain)


def split_setting(text: str) -> tuple[str, str] | None:
    """`first movement: 5 days`, `deadline 2 days`, `締切を2日` into name and value; None if it names no setting.

    >>> split_setting("master reads yes")
    ('master reads', 'yes')
    """
    head, mark, tail = (part.strip() for part in re.sub(r"[=：＝]", ":", text, count=1).partition(":"))
    if mark:
        name = setting_named(head)
        return (name, tail) if name else None
    plain = " ".join(text.replace("_", " ").split())
    for written in sorted(_CANONICAL, key=len, reverse=True):
        rest = plain[len(written) :]
        if plain.lower().startswith(written) and (rest[:1] in (" ", "") or not written.isascii()):
            return _CANONICAL[written], re.sub(r"^\s*(?:を|に|は(?!い))?\s*|[\sに]+$", "", rest)
    return None
