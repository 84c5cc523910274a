"""How `judge doctor` checks the DNS names of an operator's own mail server."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from judge.cli.names import examine_names
from judge.config import Config

DOMAIN = "judge.example.org"
GOOD = {
    f"{DOMAIN} TXT": ["unrelated", "v=spf1 mx -all"],
    f"key._domainkey.{DOMAIN} TXT": ["v=DKIM1; k=rsa; p=MIIB"],
    "_dmarc.example.org TXT": ["v=DMARC1; p=none"],
    f"{DOMAIN} MX": ["10 mx.example.org."],
    "mx.example.org A": ["192.0.2.7"],
    "mx.example.org AAAA": ["2001:db8::7"],
    "192.0.2.7 PTR": ["mx.example.org."],
    "2001:db8::7 PTR": ["mx.example.org."],
}


def findings(records: Mapping[str, Sequence[str]], selector: str = "key", **delivery: str) -> list[str]:
    config = Config(
        judge={"address": f"judge@{DOMAIN}"},  # type: ignore[arg-type]
        delivery={"kind": "smtp", "dkim_selector": selector} | delivery,  # type: ignore[arg-type]
    )
    found = examine_names(config, lambda name, kind: records.get(f"{name} {kind}", ()))
    about = [(one, one.about.told("en"), one.said.told("en")) for one in found]
    return [f"{'good' if one.is_good else 'bad'} {name}: {said}" for one, name, said in about]


def test_a_server_whose_names_are_there_is_good() -> None:
    assert findings(GOOD) == [
        f"good SPF: {DOMAIN} says v=spf1 mx -all",
        f"good DKIM: the key is at key._domainkey.{DOMAIN}",
        "good DMARC: _dmarc.example.org says v=DMARC1; p=none",
        "good reverse name: 192.0.2.7 is mx.example.org, there and back",
        "good reverse name: 2001:db8::7 is mx.example.org, there and back",
    ]


@pytest.mark.parametrize(
    ("wrong", "records", "said"),
    [
        (f"{DOMAIN} TXT", [], f"bad SPF: {DOMAIN} has no record v=spf1"),
        (f"{DOMAIN} TXT", ["v=spf1 mx", "v=spf1 a"], f"bad SPF: {DOMAIN} has 2 records v=spf1"),
        (f"key._domainkey.{DOMAIN} TXT", [], f"bad DKIM: there is no key at key._domainkey.{DOMAIN}"),
        (f"key._domainkey.{DOMAIN} TXT", ["v=DKIM1; p="], "bad DKIM: there is no key"),
        ("_dmarc.example.org TXT", [], f"bad DMARC: there is no record v=DMARC1 at _dmarc.{DOMAIN}"),
        (f"{DOMAIN} MX", [], f"bad MX: {DOMAIN} has no MX record"),
        (f"{DOMAIN} MX", ["10 gone.example.org."], "bad MX: gone.example.org has no address"),
        ("192.0.2.7 PTR", [], "bad reverse name: 192.0.2.7 (mx.example.org) has none"),
        ("192.0.2.7 PTR", ["dsl-7.example.net."], "is called dsl-7.example.net, which is not at 192.0.2.7"),
    ],
)
def test_a_name_that_is_missing_is_told(wrong: str, records: list[str], said: str) -> None:
    bad = [line for line in findings(GOOD | {wrong: records}) if line.startswith("bad")]
    assert len(bad) == 1
    assert said in bad[0]


def test_a_key_whose_name_nobody_told_is_not_looked_for() -> None:
    assert "good DKIM: delivery.dkim_selector is empty" in findings(GOOD, selector="")[1]


def test_the_names_of_a_provider_are_its_own_affair() -> None:
    assert findings({}, username="judge") == []


def test_a_dns_that_does_not_answer_is_told() -> None:
    def silent(name: str, _kind: str) -> Sequence[str]:
        raise OSError(f"{name}: timed out")

    config = Config(judge={"address": f"judge@{DOMAIN}"}, delivery={"kind": "smtp"})  # type: ignore[arg-type]
    (only,) = examine_names(config, silent)
    assert (only.is_good, only.said.told("en")) == (False, f"the DNS does not answer: {DOMAIN}: timed out")
