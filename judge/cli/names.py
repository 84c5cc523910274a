"""Check a mail server's DNS records: SPF, DKIM, DMARC, MX and PTR.

Without them, its mail is taken for spam.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias

from judge.cli.findings import Finding
from judge.config import Config
from judge.setup import Said, saying

LookUp: TypeAlias = Callable[[str, str], Sequence[str]]
"""Name and type of record → values; raises OSError if the DNS is silent."""
_SECONDS = 5


def examine_names(config: Config, look_up: LookUp | None = None) -> Iterator[Finding]:
    """Check the DNS records of the judge's domain, if its own server sends mail."""
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
        yield _bad("names", saying("dns_is_silent", why=error))


def _good(about: str, said: Said) -> Finding:
    return Finding(saying(about), said, is_good=True)


def _bad(about: str, said: Said) -> Finding:
    return Finding(saying(about), said, is_good=False)


def _spf(domain: str, ask: LookUp) -> Finding:
    found = [text for text in ask(domain, "TXT") if text.lower().split(" ")[0] == "v=spf1"]
    if len(found) == 1:
        return _good("spf", saying("says", name=domain, text=found[0]))
    return _bad("spf", saying("many_spf" if found else "no_spf", domain=domain, count=len(found)))


def _dkim(domain: str, selector: str, ask: LookUp) -> Finding:
    if not selector:
        return replace(_good("dkim", saying("no_selector")), is_warning=True)
    name = f"{selector}._domainkey.{domain}"
    keys = [text for text in ask(name, "TXT") if "p=" in text.replace(" ", "")]
    if keys and not keys[0].replace(" ", "").endswith("p="):
        return _good("dkim", saying("key_is_there", name=name))
    return _bad("dkim", saying("no_key", name=name))


def _dmarc(domain: str, ask: LookUp) -> Finding:
    labels = domain.split(".")
    for start in range(len(labels) - 1):  # a domain's record also covers its subdomains
        name = "_dmarc." + ".".join(labels[start:])
        found = [text for text in ask(name, "TXT") if text.lower().startswith("v=dmarc1")]
        if found:
            return _good("dmarc", saying("says", name=name, text=found[0]))
    return _bad("dmarc", saying("no_dmarc", domain=domain))


def _way_back(domain: str, ask: LookUp) -> Iterator[Finding]:
    """Check the domain's mail servers, and the reverse names of their addresses."""
    servers = sorted(text.split()[-1].rstrip(".") for text in ask(domain, "MX"))
    if not servers:
        yield _bad("mx", saying("no_mx", domain=domain))
    for server in servers:
        addresses = [*ask(server, "A"), *ask(server, "AAAA")]
        if not addresses:
            yield _bad("mx", saying("no_host_address", server=server))
        for address in addresses:
            yield _reverse(server, address, ask)


def _reverse(server: str, address: str, ask: LookUp) -> Finding:
    names = [text.rstrip(".") for text in ask(address, "PTR")]
    if not names:
        return _bad("reverse_name", saying("no_reverse_name", address=address, server=server))
    if not any(address in (*ask(name, "A"), *ask(name, "AAAA")) for name in names):
        return _bad("reverse_name", saying("not_there_and_back", address=address, server=server, name=names[0]))
    return _good("reverse_name", saying("there_and_back", address=address, name=names[0]))


def _ask(name: str, kind: str) -> Sequence[str]:
    """Query the DNS of this machine."""
    from dns.exception import DNSException  # noqa: PLC0415 - only needed to check a mail server of our own
    from dns.resolver import NXDOMAIN, NoAnswer, resolve, resolve_address  # noqa: PLC0415

    try:
        answer = resolve_address(name, lifetime=_SECONDS) if kind == "PTR" else resolve(name, kind, lifetime=_SECONDS)
    except (NXDOMAIN, NoAnswer):
        return ()
    except DNSException as error:
        raise OSError(f"{name}: {' '.join(str(error).split())}") from error
    if kind == "TXT":  # long values come in pieces
        return [b"".join(one.strings).decode("utf-8", "replace") for one in answer]
    return [str(one) for one in answer]
