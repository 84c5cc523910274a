"""The names of a mail server in the DNS, without which its mail is taken for spam: SPF, DKIM, DMARC, the way back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from judge.cli.findings import Finding
from judge.config import Config

LookUp: TypeAlias = Callable[[str, str], Sequence[str]]
"""Name and kind of record → what is there; raises OSError if nobody answers."""
_SECONDS = 5


def examine_names(config: Config, look_up: LookUp | None = None) -> Iterator[Finding]:
    """What the world is told of the judge's domain, if it sends by a server of our own."""
    domain = config.judge.address.partition("@")[2].lower()
    if config.delivery.kind != "smtp" or config.delivery.username or "." not in domain:
        return
    ask = look_up or _ask
    try:
        yield _spf(domain, ask)
        yield _dkim(domain, config.delivery.dkim_selector, ask)
        yield _dmarc(domain, ask)
        yield from _way_back(domain, ask)
    except OSError as error:
        yield Finding("names", f"the DNS does not answer: {error}", is_good=False)


def _spf(domain: str, ask: LookUp) -> Finding:
    found = [text for text in ask(domain, "TXT") if text.lower().split(" ")[0] == "v=spf1"]
    if len(found) == 1:
        return Finding("SPF", f"{domain} says {found[0]}", is_good=True)
    said = (
        f"{domain} has {len(found)} records v=spf1, which count as none" if found else f"{domain} has no record v=spf1"
    )
    return Finding("SPF", f"{said}: nobody knows who may send for it", is_good=False)


def _dkim(domain: str, selector: str, ask: LookUp) -> Finding:
    if not selector:
        said = "delivery.dkim_selector is empty: it is not known under which name the key would be"
        return Finding("DKIM", said, is_good=True, is_warning=True)
    name = f"{selector}._domainkey.{domain}"
    keys = [text for text in ask(name, "TXT") if "p=" in text.replace(" ", "")]
    if keys and not keys[0].replace(" ", "").endswith("p="):
        return Finding("DKIM", f"the key is at {name}", is_good=True)
    return Finding("DKIM", f"there is no key at {name}: signatures cannot be checked", is_good=False)


def _dmarc(domain: str, ask: LookUp) -> Finding:
    labels = domain.split(".")
    for start in range(len(labels) - 1):  # a record of a domain is good for those below it
        name = "_dmarc." + ".".join(labels[start:])
        found = [text for text in ask(name, "TXT") if text.lower().startswith("v=dmarc1")]
        if found:
            return Finding("DMARC", f"{name} says {found[0]}", is_good=True)
    return Finding("DMARC", f"there is no record v=DMARC1 at _dmarc.{domain}", is_good=False)


def _way_back(domain: str, ask: LookUp) -> Iterator[Finding]:
    """The servers that take mail for the domain, and whether their addresses lead back to a name."""
    servers = sorted(text.split()[-1].rstrip(".") for text in ask(domain, "MX"))
    if not servers:
        yield Finding("MX", f"{domain} has no MX record: nobody can write to it", is_good=False)
    for server in servers:
        addresses = [*ask(server, "A"), *ask(server, "AAAA")]
        if not addresses:
            yield Finding("MX", f"{server} has no address", is_good=False)
        for address in addresses:
            yield _reverse(server, address, ask)


def _reverse(server: str, address: str, ask: LookUp) -> Finding:
    names = [text.rstrip(".") for text in ask(address, "PTR")]
    if not names:
        return Finding(
            "reverse name", f"{address} ({server}) has none: many servers take no mail from it", is_good=False
        )
    if not any(address in (*ask(name, "A"), *ask(name, "AAAA")) for name in names):
        said = f"{address} ({server}) is called {names[0]}, which is not at {address}"
        return Finding("reverse name", said, is_good=False)
    return Finding("reverse name", f"{address} is {names[0]}, there and back", is_good=True)


def _ask(name: str, kind: str) -> Sequence[str]:
    """Ask the DNS of this machine."""
    from dns.exception import DNSException  # noqa: PLC0415 - only the doctor of an own mail server asks
    from dns.resolver import NXDOMAIN, NoAnswer, resolve, resolve_address  # noqa: PLC0415

    try:
        answer = resolve_address(name, lifetime=_SECONDS) if kind == "PTR" else resolve(name, kind, lifetime=_SECONDS)
    except (NXDOMAIN, NoAnswer):
        return ()
    except DNSException as error:
        raise OSError(f"{name}: {' '.join(str(error).split())}") from error
    if kind == "TXT":  # long ones come in pieces
        return [b"".join(one.strings).decode("utf-8", "replace") for one in answer]
    return [str(one) for one in answer]
