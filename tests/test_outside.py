"""The product from outside: command line, settings, wording, resources."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Literal, get_args, get_type_hints

import pytest

from judge.calendar import MomentFault
from judge.commands import Command, EraseMe, Everywhere, HelpTopic, Language, Proposable
from judge.config import Config, load_config
from judge.errors import ConfigError
from judge.games import refusals
from judge.games.refusals import Refused
from judge.games.terms import PressRule
from judge.language import Fault, FaultKind
from judge.reports.manual import help_page
from judge.reports.readers import Remark
from judge.reports.wording import wording_in
from judge.resources import shipped
from judge.rules import outcomes as o
from judge.rules import read_order, read_unit
from judge.rules.orders import Order
from judge.rules.position import Location, Phase, Power, Province, Unit, province_of
from tests.catalogs import messages_of
from tests.command_line import judge

ROOT = Path(__file__).parent.parent


def test_adjudicate_goes_on_after_a_bad_line() -> None:
    good = '{"id": 1, "phase": "S1901M", "units": {"ENGLAND": ["F LON"]}, "orders": {"ENGLAND": ["F LON - NTH"]}}'
    bad = '{"id": 2, "phase": "S1901M", "units": {"ENGLAND": ["F PAR"]}}'
    command = [sys.executable, "-m", "judge", "adjudicate"]
    given = f"{good}\n{bad}\nnonsense\n{good}\n"
    done = subprocess.run(command, input=given, capture_output=True, text=True, check=False)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line.get("id") for line in lines] == [1, 2, None, 1]
    assert lines[0]["units"] == {"ENGLAND": ["F NTH"]}
    assert lines[0]["results"] == {"F LON": []}
    assert "F PAR" in lines[1]["error"]
    assert done.returncode == 1


def test_a_byte_that_is_no_text_spoils_its_own_line_alone() -> None:
    good = b'{"id": 1, "phase": "S1901M", "units": {"ENGLAND": ["F LON"]}}\n'
    done = judge("adjudicate", given=good + b"\xff\xfe\n" + good)
    assert ["error" in json.loads(line) for line in done.stdout.splitlines()] == [False, True, False]
    assert done.returncode == 1


def test_only_a_line_feed_ends_a_line() -> None:
    good = b'{"id": 1,\r"phase": "S1901M"}\r\n'  # a carriage return between words of JSON is a blank
    within = b'{"id": 2, "phase": "S19\r01M"}\n'
    done = judge("adjudicate", given=good + within + "\u2028\n".encode() + b"\n" + good + b'{"id": 3}')
    errors = [json.loads(line).get("error", "")[:20] for line in done.stdout.splitlines()]
    assert errors == ["", "line 2: not a line o", "line 3: not a line o", "", "line 6: 'phase' must"]


def test_an_output_line_is_an_input_line() -> None:
    line = {"id": 1, "phase": "F1901M", "units": {"FRANCE": ["A GAS"]}, "centers": {"FRANCE": ["PAR", "BRE", "MAR"]}}
    line["orders"] = {"FRANCE": ["A GAS - SPA"]}
    first = json.loads(judge("adjudicate", given=json.dumps(line)).stdout)
    assert first["next"] == "W1901A"
    assert first["adjust"]["FRANCE"]["count"] == 3
    again = first | {"phase": first["next"], "orders": {"FRANCE": ["A PAR B", "F BRE B", "WAIVE"]}}
    second = json.loads(judge("adjudicate", given=json.dumps(again)).stdout)
    assert second["units"] == {"FRANCE": ["F BRE", "A PAR", "A SPA"]}
    assert second["next"] == "S1902M"


def test_inspect_reads_a_mail(tmp_path: Path) -> None:
    mail = tmp_path / "a.eml"
    mail.write_bytes(b"From: a@b.test\r\nSubject: x\r\n\r\nHi\r\nA Par - Bur\r\nA Mnu H\r\n-- \r\nA Mar H\r\n")
    (line,) = [json.loads(text) for text in judge("inspect", str(mail)).stdout.splitlines()]
    assert line["kind"] == "person"
    assert line["orders"] == ["A PAR - BUR"]
    assert [(one["understood"], one["fault"]) for one in line["lines"]] == [
        (None, None),
        ("A PAR - BUR", None),
        (None, "unknown-place"),
    ]


def test_a_wrong_config_names_all_its_faults(tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    config.write_text(
        '[judge]\naddress = "nowhere"\nzone = "Mars/Phobos"\noperator = "x"\nfoo = 1\n'
        '[delivery]\nport = "x"\n[games]\ncreators = ["*", "me"]\n[nonsense]\n'
        '[[sources]]\nkind = "listener"\n[[sources]]\nkind = "listener"\n',
        "utf-8",
    )
    done = judge("migrate", "--config", str(config))
    assert done.returncode == 2
    faults = ("address", "zone", "operator", "judge.foo", "delivery.port", "games.creators", "nonsense", "two sources")
    assert len(done.stderr.splitlines()) == len(faults)
    assert all(fault in done.stderr for fault in faults)
    with pytest.raises(ConfigError):
        load_config(tmp_path / "missing.toml")


def test_the_example_holds_every_setting_with_its_default() -> None:
    example = ROOT / "config.example.toml"
    assert load_config(example) == Config()
    written = example.read_text("utf-8")
    for name, field in Config.model_fields.items():
        parts = getattr(field.annotation, "model_fields", {})
        for setting in parts:
            assert f"{setting} = " in written, f"{name}.{setting}"


def test_the_environment_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUDGE_DATABASE__URL", "sqlite:////elsewhere.sqlite3")
    assert load_config().database.url == "sqlite:////elsewhere.sqlite3"


def test_a_missing_game_is_a_no(tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    config.write_text(f'[database]\nurl = "sqlite:///{tmp_path}/judge.sqlite3"\n', "utf-8")
    assert judge("games", "--config", str(config)).returncode == 2  # not migrated yet
    assert judge("migrate", "--config", str(config)).returncode == 0
    done = judge("show", "verdun", "--config", str(config))
    assert (done.returncode, len(done.stderr.splitlines())) == (1, 1)
    assert judge("backup", str(tmp_path / "copy"), "--config", str(config)).returncode == 0
    assert judge("restore", str(tmp_path / "copy"), "--config", str(config)).returncode == 0


def test_shipped_folders_are_the_checkouts() -> None:
    assert shipped("grammar") == ROOT / "grammar"
    assert shipped("templates") == ROOT / "templates"
    assert shipped("migrations") == ROOT / "migrations"


_A_REFUSAL_NEEDS: Mapping[object, object] = {
    str: "UTC",
    bool: True,
    int: 3,
    Phase: Phase.parse("S1901M"),
    Power: Power("FRANCE"),
    Province: province_of(Location("PAR")),
    Unit: read_unit("A PAR"),
    Unit | None: None,
    Power | None: Power("FRANCE"),
    Order: read_order("A PAR H"),
    tuple[Order, ...]: (read_order("A PAR R GAS"), read_order("A PAR D")),
    o.Illegal: o.Illegal(o.IllegalReason.NOT_HOME_CENTER, province_of(Location("BEL")), owner=Power("FRANCE")),
    Command: EraseMe(),
    MomentFault: MomentFault.PAST,
    datetime: datetime(2026, 11, 24, 12, tzinfo=UTC),
    timedelta: timedelta(days=366),
    date: date(2026, 11, 24),
    PressRule: PressRule.NONE,
    refusals.Misaddress: refusals.Misaddress.MIXED,
    Proposable: Proposable.PAUSE,
    Everywhere: Everywhere.PAUSE,
    tuple[Power, ...]: (Power("FRANCE"),),
    tuple[int, ...]: (1, 2),
    tuple[str, ...]: ("Ann", "Ben"),
    tuple[refusals.WrongSetting, ...]: (refusals.WrongSetting("grace", "soon", "12 hours | none"),),
    Literal["digest", "reminders", "standby", "hours"]: "reminders",
    Literal["empty", "long", "open", "same"]: "open",
}
"""The subject of a refusal's sentence → an example of it."""


@pytest.mark.parametrize("language", Language)
def test_everything_has_its_wording(language: Language) -> None:
    words = wording_in(language)
    unit, place = read_unit("A PAR"), province_of(Location("PAR"))
    known = messages_of(language)
    for reason in o.IllegalReason:
        assert f"illegal-{reason}" in known
        said = words.say("illegal", o.Illegal(reason, place, unit, owner=Power("FRANCE")))
        assert said, reason
        assert "illegal-" not in said, f"no wording fits {reason}"
    outcomes: list[o.Outcome] = [
        o.Illegal(o.IllegalReason.NO_BORDER, place),
        o.Unmatched(unit, read_order("A PAR H")),
        o.Unmatched(unit, None),
        o.Bounced(place, (unit,), 1, 1),
        o.Bounced(place, (unit,), 0, 1, own_unit=True),
        o.Cut(unit),
        o.NotCarried(),
        o.NoConvoy((unit,)),
        o.Disrupted((unit,)),
        o.Disrupted(()),
        o.Dislodged(unit, place, 2, 1),
        *(o.Destroyed(reason, (unit,)) for reason in o.DestroyedReason),
        *(o.Unexplained(kind.result) for kind in get_args(o.Outcome) if kind is not o.Unexplained),
    ]
    assert {type(outcome) for outcome in outcomes} == set(get_args(o.Outcome))
    for outcome in outcomes:
        assert f"outcome-{type(outcome).__name__}" in known
        said = words.say("why", outcome)
        assert said, outcome
        assert "outcome-" not in said, f"no wording fits {outcome}"
    for kind_of_refusal in get_args(refusals.Refusal):
        why = kind_of_refusal(**{name: _A_REFUSAL_NEEDS[of] for name, of in get_type_hints(kind_of_refusal).items()})
        name = f"refusal-{kind_of_refusal.__name__}"
        assert name in known, f"templates/locale/{language} has no {name}"
        said = words.say("refused", Refused(why))
        assert said, name
        assert name not in said, f"no wording fits {why}"
    about_powers = (FaultKind.UNKNOWN_POWER, FaultKind.UNKNOWN_ADDRESSEE)
    for kind in FaultKind:
        assert f"fault-{kind}" in known
        assert words.say("fault", Fault(kind, 1, 0, 1, "x", ("FRANCE",) if kind in about_powers else ("PAR",))), kind
    for remark in Remark:
        assert words.speech.told("remark", remark), remark
    for topic in HelpTopic:
        assert len(help_page(topic, language)) > 100, topic
