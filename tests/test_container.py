"""docs/container agrees with docs/setup.md; `.ci/container` runs the steps of the image."""

from __future__ import annotations

import re

import pytest

from judge.config import ListenerSettings, load_config
from tests.steps import ROOT, block

CONTAINER = ROOT / "docs" / "container"
_OF_THE_CONTAINER = {"compatibility_level", "maillog_file", "mynetworks", "virtual_transport", "InternalHosts"}
"""Settings that must differ: the way to the judge, and who may send."""


def lines(text: str) -> set[str]:
    """Return lines of settings without those that must differ."""
    found = {" ".join(line.split()) for line in text.splitlines()}
    return {line for line in found if line and re.split(r"[ =]", line)[0] not in _OF_THE_CONTAINER}


@pytest.mark.parametrize(
    ("file", "having"), [("main.cf", "myhostname"), ("opendkim.conf", "AlwaysAddARHeader"), ("header_checks", "IGNORE")]
)
def test_the_mail_server_of_the_container_is_that_of_the_document(file: str, having: str) -> None:
    assert lines((CONTAINER / "postfix" / file).read_text("utf-8")) == lines(block("setup.md", "(b)", having))


def test_both_containers_mean_the_same_socket_and_names() -> None:
    config = load_config(CONTAINER / "config.toml")
    (source,) = config.sources
    assert isinstance(source, ListenerSettings)
    main_cf = (CONTAINER / "postfix" / "main.cf").read_text("utf-8")
    assert f"virtual_transport = lmtp:unix:{source.path}\n" in main_cf
    assert source.lmtp
    assert f"myhostname = {source.received_by}\n" in main_cf
    assert f"{{ {config.judge.address}=" in main_cf
    opendkim = (CONTAINER / "postfix" / "opendkim.conf").read_text("utf-8").split()
    assert opendkim[opendkim.index("AuthservID") + 1] == config.judge.authserv_id
    assert opendkim[opendkim.index("Selector") + 1] == config.delivery.dkim_selector


def test_the_judge_of_the_image_is_not_root() -> None:
    steps = [line.split(maxsplit=1) for line in (CONTAINER / "Dockerfile").read_text("utf-8").splitlines() if line]
    kinds = [step[0] for step in steps]
    assert kinds.index("USER") < kinds.index("CMD")
    assert "root" not in steps[kinds.index("USER")][1]
    assert all(step[0] != "RUN" for step in steps[kinds.index("USER") :])
