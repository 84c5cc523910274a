"""Check who a mail is addressed to, and what our mail server found about its sender (RFC 8601, RFC 6376)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from email.message import Message

import authres

from judge.mail.headers import addresses, message_id_in
from judge.mail.letters import Flaw
from judge.mail.proof import is_address_of

_ONCE = ("To", "Cc", "Subject", "Date", "Message-ID")
"""Headers that identify a mail; if one occurs twice, programs differ on which one counts (RFC 5322 3.6)."""
_NO_OBJECTION = frozenset(("pass", "none", "neutral", "policy", "temperror", "permerror", "bestguesspass"))
"""Results of DMARC that do not invalidate a passed signature."""
_MOST_SIGNATURES = 20


def flaw_of(message: Message, own: Collection[str]) -> Flaw | None:
    """Return why a mail can prove nothing, or None; `own` holds the judge's addresses."""
    if not names_us(message, own) and addresses(message, "To", "Cc"):
        return Flaw.NOT_TO_US
    return Flaw.DOUBLED if any(len(message.get_all(name, [])) > 1 for name in _ONCE) else None


def names_us(message: Message, own: Collection[str]) -> bool:
    """Whether To or Cc names the judge."""
    return bool(_header_naming(message, own))


def is_authenticated(
    message: Message, sender: str, envelope_from: str | None, authserv_id: str, own: Collection[str]
) -> bool:
    """Whether our mail server confirms the sender, and that the mail was written to the judge.

    A signature stays valid wherever a mail is forwarded, so it proves only what it covers. DMARC may also pass by SPF,
    which confirms the host of the envelope sender only: then the envelope sender must equal the address in From.
    """
    findings = _Findings(
        sender,
        _envelope_sender(message, envelope_from),
        _results(message, authserv_id),
        _signatures(message),
        _to_be_covered(message, own),
    )
    return findings.prove_the_sender()


def _header_naming(message: Message, own: Collection[str]) -> str:
    """Return the header that names the judge, lower case; "" if none does."""
    for name in ("To", "Cc"):
        named = addresses(message, name)
        if any(is_address_of(one, address) for one in own for address in named):
            return name.lower()
    return ""


def _to_be_covered(message: Message, own: Collection[str]) -> frozenset[str] | None:
    """Return the headers that a signature must cover to prove the mail; None if no signature can."""
    naming = _header_naming(message, own)
    if not naming or message_id_in(message.get("Message-ID")) is None:
        return None
    return frozenset(("message-id", naming, *(("to",) if "To" in message else ())))


def _envelope_sender(message: Message, envelope_from: str | None) -> str:
    """Return the envelope sender, lower case; "" if it is not known."""
    if envelope_from is not None:
        return envelope_from.strip("<> ").lower()
    return "".join(addresses(message, "Return-Path")[:1])


# Results


@dataclass(frozen=True, slots=True)
class _Result:
    """One result in the Authentication-Results of our server."""

    method: str
    result: str
    properties: dict[str, str]

    def says(self, name: str) -> str:
        """Return the value of a property, lower case; "" if it is missing."""
        return self.properties.get(name, "").lower()

    @property
    def signer(self) -> str:
        """The domain that signed."""
        return self.says("header.d") or self.says("header.i").rpartition("@")[2]

    @property
    def mail_from(self) -> str:
        """The envelope sender, if given in full; some servers give only its domain."""
        told = self.says("smtp.mailfrom")
        return told if "@" in told.strip("@") else ""


def _results(message: Message, authserv_id: str) -> Sequence[_Result]:
    """Return the results in the topmost header; none if another server wrote that."""
    found = message.get_all("Authentication-Results", [])
    if not found:
        return ()
    try:
        header = authres.AuthenticationResultsHeader.parse(f"Authentication-Results: {found[0]}")
    except authres.AuthResError:
        return ()
    if str(header.authserv_id).lower() != authserv_id.lower():
        return ()
    return [
        _Result(one.method, one.result, {f"{p.type}.{p.name}": str(p.value) for p in one.properties})
        for one in header.results
        if one.method is not None
    ]


def _vouches_for(signer: str, domain: str) -> bool:
    """Whether a signer may speak for a domain: its own or a subdomain, but not from a top-level domain."""
    return "." in signer and (domain == signer or domain.endswith(f".{signer}"))


def _may_be_aligned(signer: str, domain: str) -> bool:
    """Whether DMARC may align a signer with a domain; without a list of public suffixes, this errs towards yes."""
    return signer.split(".")[-2:] == domain.split(".")[-2:]


# Signatures


@dataclass(frozen=True, slots=True)
class _Signature:
    """A DKIM-Signature header of a mail."""

    domain: str
    selector: str
    value: str
    covered: frozenset[str]
    """The covered headers, lower case; empty if only the beginning of the body is covered."""

    def may_be_of(self, result: _Result) -> bool:
        """Whether a result may be about this signature; some servers give only the signer's address (`header.i`)."""
        by_address = not result.says("header.d") and result.signer.endswith(f".{self.domain}")
        return result.signer == self.domain or by_address


def _signatures(message: Message) -> Sequence[_Signature]:
    values = message.get_all("DKIM-Signature", [])[:_MOST_SIGNATURES]
    return [_signature(str(value)) for value in values]


def _signature(text: str) -> _Signature:
    pairs = [tag.partition("=") for tag in "".join(text.split()).split(";")]
    tags = {name: value for name, _, value in pairs}
    is_whole = "l" not in tags and len(tags) == len(pairs)  # a repeated tag makes it invalid (RFC 6376 3.2)
    covered = tags.get("h", "").lower().split(":") if is_whole else ()
    return _Signature(tags.get("d", "").lower(), tags.get("s", "").lower(), tags.get("b", ""), frozenset(covered))


# Proof


@dataclass(frozen=True, slots=True)
class _Findings:
    """All that is known about the sender of a mail."""

    sender: str
    """The address in From."""
    envelope: str
    """The envelope sender; "" if it is not known."""
    results: Sequence[_Result]
    signatures: Sequence[_Signature]
    needed: frozenset[str] | None
    """The headers that a signature must cover; None if no signature can prove the mail."""

    def prove_the_sender(self) -> bool:
        """Whether the findings prove that the sender wrote the mail, and wrote it to the judge."""
        if self._is_objected_to():
            return False
        if any(self._is_signed_for_us(one) for one in self._of("dkim") if self._is_aligned(one.signer)):
            return True
        return self._passed_policy() and (self._came_from_their_host() or self._all_signatures_are_for_us())

    @property
    def _domain(self) -> str:
        return self.sender.rpartition("@")[2]

    def _of(self, method: str) -> Sequence[_Result]:
        return [one for one in self.results if one.method == method]

    def _policy(self) -> Sequence[str]:
        """The results of DMARC for the address in From."""
        return [one.result for one in self._of("dmarc") if one.says("header.from") == self._domain]

    def _passed_policy(self) -> bool:
        policy = self._policy()
        return bool(policy) and all(one == "pass" for one in policy)

    def _is_aligned(self, signer: str) -> bool:
        """Whether a signer may speak for the address in From; with DMARC this includes subdomains of the sender's."""
        below = signer.endswith(f".{self._domain}") and self._passed_policy()
        return below or _vouches_for(signer, self._domain)

    def _is_objected_to(self) -> bool:
        """Whether DMARC failed or, without DMARC, a signature of the sender's own host: the worst result counts."""
        if any(one not in _NO_OBJECTION for one in self._policy()):
            return True
        failed = [one for one in self._of("dkim") if one.result == "fail" and _vouches_for(one.signer, self._domain)]
        return bool(failed) and not self._passed_policy()

    def _is_signed_for_us(self, result: _Result) -> bool:
        """Whether a signature passed and every signature the result may be about covers the needed headers."""
        selector, value = result.says("header.s"), result.properties.get("header.b", "")
        meant = [
            one
            for one in self.signatures
            if one.may_be_of(result) and selector in ("", one.selector) and one.value.startswith(value)
        ]
        return result.result == "pass" and bool(meant) and self._cover_all(meant)

    def _cover_all(self, signatures: Sequence[_Signature]) -> bool:
        return self.needed is not None and all(self.needed <= one.covered for one in signatures)

    def _aligned(self) -> Sequence[_Signature]:
        return [one for one in self.signatures if _may_be_aligned(one.domain, self._domain)]

    def _came_from_their_host(self) -> bool:
        """Whether DMARC passed by SPF, for exactly the address in From."""
        if self._of("spf"):
            passed = [one for one in self._of("spf") if one.result == "pass"]
            return any((one.mail_from or self.envelope) == self.sender for one in passed)
        signed = self._of("dkim")
        by_signature = [one for one in signed if one.result == "pass" and _may_be_aligned(one.signer, self._domain)]
        return not by_signature and (bool(signed) or not self._aligned()) and self._may_be_the_envelope()

    def _may_be_the_envelope(self) -> bool:
        return self.envelope in ("", self.sender)

    def _all_signatures_are_for_us(self) -> bool:
        """Whether all signatures cover the needed headers, if our server does not say which of them passed."""
        if self._of("dkim") or not self._aligned() or not self._cover_all(self._aligned()):
            return False
        # SPF may be what passed, for another sender at the same host.
        senders = self._of("spf")
        return not any(one.result == "pass" for one in senders) if senders else self._may_be_the_envelope()
