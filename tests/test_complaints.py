"""Unreadable settings are refused in the words of the settings file."""

from __future__ import annotations

from pathlib import Path
from string import Formatter

import pytest

from judge import complaints
from judge.cli import main
from judge.config import load_config
from judge.errors import ConfigError

ROWS = """
sources = [{ kind = "pop3" }]                           | source 1, kind: must be listener, imap or maildir, not 'pop3'
sources = [{ host = "mx.test" }]                        | source 1, kind: is missing
sources = [{ kind = "imap" }]                           | source 1 (imap), host: is missing
sources = [{ kind = "imap", host = "a", port = "x" }]   | source 1 (imap), port: must be a whole number, not 'x'
sources = [{ kind = "imap", host = "a", port = 99999 }] | source 1 (imap), port: must be at most 65535, not 99999
sources = [{ kind = "imap", hots = "a", host = "b" }]   | source 1 (imap), hots: there is no such setting; host is one
sources = [{ kind = "imap", host = "b", security = "ssl" }] \
    | source 1 (imap), security: must be none, starttls or tls, not 'ssl'
sources = [{ kind = "maildir", folder = 3 }] \
    | source 1 (maildir), folder: must be the name of a file or folder, as text, not 3
sources = { kind = "imap" } | sources: each begins with [[sources]], in two pairs of brackets
sources = ["imap"]                                      | source 1: must be a table of settings, not 'imap'
delivery = { connections = 0 }                          | delivery.connections: must be at least 1, not 0
delivery = { timeout_seconds = 0 }                      | delivery.timeout_seconds: must be more than 0, not 0
delivery = { pictures = "maybe" }                       | delivery.pictures: must be true or false, not 'maybe'
delivery = { password = 12345 }                         | delivery.password: must be text
delivery = { password_file = "/nowhere" }               | delivery.password_file: /nowhere does not exist
delivery = "smtp"                                       | delivery: must be a table of settings, not 'smtp'
judge = { adress = "judge@mx.test" }                    | judge.adress: there is no such setting; address is one
judge = { language = "fr" }                             | judge.language: must be en, de or ja, not 'fr'
judge = { address = "judge" }                           | judge.address: 'judge' is not an e-mail address
games = { creators = [1] }                              | games.creators, value 1: must be text, not 1
oauth = { client_secret_file = "/nowhere" } | oauth.client_secret_file: /nowhere does not exist
oauth = { client_secret = 12345 }                       | oauth.client_secret: must be text
nonsense = 3                                            | nonsense: there is no such setting
""".replace("\\\n", "")


@pytest.mark.parametrize("row", ROWS.strip().replace(" \n    |", " |").splitlines())
def test_a_wrong_setting_is_told_in_the_words_of_the_file(tmp_path: Path, row: str) -> None:
    written, said = map(str.strip, row.split("|"))
    file = tmp_path / "config.toml"
    file.write_text(written, "utf-8")
    with pytest.raises(ConfigError) as refused:
        load_config(file)
    assert refused.value.faults == (said,)


IN_JAPANESE = """
sources = [{ kind = "pop3" }] | 受信元1, kind: listener、imap、maildir でなければなりません (今の値: 'pop3')
sources = [{ kind = "imap" }] | 受信元1 (imap), host: 必要です
delivery = { connections = 0 } | delivery.connections: 1 以上でなければなりません (今の値: 0)
delivery = { password = 12345 } | delivery.password: 文字列でなければなりません
judge = { adress = "judge@mx.test" } | judge.adress: そのような設定はありません (address ならあります)
judge = { zone = "Moon" } | judge.zone: 'Moon' という時間帯はありません (Asia/Tokyo のように書きます)
games = { creators = [1] } | games.creators, 1番目の値: 文字列でなければなりません (今の値: 1)
oauth = { token_url = "http://x.test/t" } | oauth.token_url: 'http://x.test/t' は https:// で始まっていません
"""


@pytest.mark.parametrize("row", IN_JAPANESE.strip().splitlines())
def test_an_operator_who_reads_japanese_is_told_in_japanese(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], row: str
) -> None:
    written, said = map(str.strip, row.split("|"))
    (tmp_path / "config.toml").write_text(written, "utf-8")
    monkeypatch.setenv("LC_ALL", "ja_JP.UTF-8")
    monkeypatch.setattr("sys.argv", ["judge", "migrate", "--config", str(tmp_path / "config.toml")])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    assert capsys.readouterr().err == f"judge: {said}\n"


def test_each_sentence_is_there_in_english_and_japanese_with_the_same_values() -> None:
    sentences = complaints._sentences()
    assert sentences
    for name, texts in sentences.items():
        assert set(texts) == {"en", "ja"}, name
        values = [{field for _, field, _, _ in Formatter().parse(text) if field} for text in texts.values()]
        assert values[0] == values[1], name


@pytest.mark.parametrize(
    ("variable", "value", "said"),
    [
        ("JUDGE_DELIVERY__PORT", "many", "delivery.port: must be a whole number, not 'many'"),
        ("JUDGE_SOURCES", "imap", "JUDGE_SOURCES in the environment is neither JSON nor a single value"),
    ],
)
def test_the_environment_is_told_of_as_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str, value: str, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(variable, value)
    with pytest.raises(ConfigError) as refused:
        load_config()
    assert refused.value.faults == (said,)


def test_all_faults_are_told_at_once(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text('judge = { zone = "Moon" }\ndelivery = { port = 0 }\n', "utf-8")
    with pytest.raises(ConfigError) as refused:
        load_config(file)
    assert [fault.split(":")[0] for fault in refused.value.faults] == ["judge.zone", "delivery.port"]
