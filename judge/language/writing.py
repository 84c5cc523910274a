"""Commands as they are written, in English: for the log, and to say which line counted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from judge import commands as c
from judge.language.clerk import load_asker
from judge.rules.notation import write_order


def _with(word: str, *parts: object) -> str:
    return " ".join([word, *(str(part) for part in parts if part)])


_LINES: Mapping[type, str | Callable[[Any], str]] = {
    c.Create: lambda o: f"CREATE {o.game}",
    c.Join: lambda o: _with(f"JOIN {o.game}", o.wishes and "PREFER", *o.wishes, o.power and f"AS {o.power}"),
    c.Observe: lambda o: f"OBSERVE {o.game}",
    c.TakeOver: lambda o: _with(f"TAKE OVER {o.game}", o.power),
    c.Resign: lambda o: _with("RESIGN", o.game),
    c.UseGame: lambda o: f"GAME {o.game}",
    c.ForPhase: lambda o: f"PHASE {o.phase}",
    c.ForPower: lambda o: f"{o.power}:",
    c.Give: lambda o: write_order(o.order),
    c.Clear: lambda o: _with("CLEAR", o.unit),
    c.Undo: "UNDO",
    c.SetReady: lambda o: "READY" if o.ready else "NOT READY",
    c.Wait: "WAIT",
    c.Absence: lambda o: f"ABSENCE {o.period}" if o.period else "NO ABSENCE",
    c.Decline: lambda o: f"DECLINE {', '.join(o.provinces) or 'NOTHING'}",
    c.VoteDraw: lambda o: "DRAW" if o.agrees else "NO DRAW",
    c.Concede: lambda o: f"CONCEDE TO {o.to}" if o.to else "NO CONCESSION",
    c.Elect: lambda o: f"ELECT {o.to}" if o.to else "NO ELECTION",
    c.Press: lambda o: f"PRESS TO {', '.join(o.to)}" if o.to else "PRESS",
    c.Broadcast: "BROADCAST",
    c.PressToMaster: "PRESS TO MASTER",
    c.Note: "NOTE",
    c.ShareNotes: lambda o: "SHARE NOTES" if o.share else "KEEP NOTES",
    c.Object: lambda o: _with("OBJECTION", o.reason),
    c.Status: lambda o: _with("STATUS", o.game),
    c.ShowRules: lambda o: _with("RULES", o.game),
    c.ShowOrders: "ORDERS",
    c.History: lambda o: _with("HISTORY", o.first, o.last),
    c.Summary: "SUMMARY",
    c.ShowMap: "MAP",
    c.Who: "WHO",
    c.ShowLog: "LOG",
    c.WhatIf: "WHATIF",
    c.ListGames: "LIST",
    c.Help: lambda o: "HELP" if o.topic == c.HelpTopic.START else f"HELP {o.topic}",
    c.Register: "REGISTER",
    c.SetLanguage: lambda o: f"SET LANGUAGE {o.language.value}",
    c.SetZone: lambda o: f"SET ZONE {o.zone}",
    c.SetName: lambda o: f"SET NAME {o.name}",
    c.SetReceipts: lambda o: f"SET RECEIPTS {'full' if o.full else 'short'}",
    c.SetAddress: lambda o: f"SET ADDRESS {o.address}",
    c.EraseMe: "ERASE ME",
    c.ChangeSetting: lambda o: f"SET {o.setting}: {o.value}",
    c.CheckSettings: "CHECK SETTINGS",
    c.Invite: lambda o: _with(f"INVITE {o.address}", o.power and "AS", o.power),
    c.Start: "START",
    c.Unstart: "UNSTART",
    c.Pause: "PAUSE",
    c.Resume: "RESUME",
    c.SetDeadline: lambda o: f"DEADLINE {o.moment}",
    c.Extend: lambda o: f"EXTEND {o.length}",
    c.Process: lambda o: f"PROCESS {o.phase}",
    c.Preview: "PREVIEW",
    c.Rollback: lambda o: f"ROLLBACK {o.phase}",
    c.Redo: "REDO",
    c.OrderFor: lambda o: f"ORDER FOR {o.power}",
    c.Eject: lambda o: f"EJECT {o.power}",
    c.Replace: lambda o: f"REPLACE {o.power} {o.address}",
    c.MakeDummy: lambda o: f"DUMMY {o.power}",
    c.Announce: "ANNOUNCE",
    c.ShowVotes: "VOTES",
    c.Promote: lambda o: f"PROMOTE {o.address}",
    c.HandOver: lambda o: f"HAND OVER {o.address}",
    c.Export: "EXPORT",
    c.Import: lambda o: f"IMPORT {o.game}",
    c.EndGame: lambda o: f"END {o.game}",
}


def word_of(command: c.Command) -> str:
    """The words a command is written with, without what it is about.

    >>> word_of(c.EndGame("ardennes"))
    'END'
    """
    words = command_line(command).split()
    known = load_asker("standard").words
    beginnings = [" ".join(words[:end]) for end in range(len(words), 0, -1)]
    return next((beginning for beginning in beginnings if beginning.lower() in known), words[0])


def command_line(command: c.Command) -> str:
    """The line that asks for a command, without its reason and the lines below it.

    >>> command_line(c.SetReady(ready=False))
    'NOT READY'
    """
    line = _LINES[type(command)]
    return line if isinstance(line, str) else line(command)
