"""Check a mail's addressees and its sender's authentication (RFC 8601, RFC 6376)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from email.message import Message

import authres

from judge.mail.headers import addresses, message_id_in
from judge.mail.letters import Flaw
from judge.mail.proof import is_address_of

_ONCE = ("To", "Cc", "Subject", "Date", "Message-ID")
"""Headers that may occur once only (RFC 5322 3.6).

If one occurs twice, programs differ on which one counts.
"""
_NO_OBJECTION = frozenset(("pass", "none", "neutral", "policy", "temperror", "permerror", "bestguesspass"))
"""Results that do not invalidate a pass beside them.

DMARC is not used, or a signature could not be checked.
"""
_MOST_SIGNATURES = 20
_MOST_RESULTS = 20
"""The number of Authentication-Results headers that are read."""


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
    """Whether our server confirms the sender, and the mail was written to the judge.

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


def bears_results(message: Message, authserv_id: str) -> bool:
    """Whether our mail server stamped what it found about the sender, whatever that is."""
    return _results_in(message.get("Authentication-Results", ""), authserv_id) is not None


def _header_naming(message: Message, own: Collection[str]) -> str:
    """Return the header that names the judge, lower case; "" if none does."""
    for name in ("To", "Cc"):
        named = addresses(message, name)
        if any(is_address_of(one, address) for one in own for address in named):
            return name.lower()
    return ""


def _to_be_covered(message: Message, own: Collection[str]) -> frozenset[str] | None:
    """Return the headers a signature must cover; None if none can prove the mail."""
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
    def is_objection(self) -> bool:
        """Whether the check failed, so that no pass beside it counts."""
        return self.result not in _NO_OBJECTION

    @property
    def author_domain(self) -> str:
        """The domain in From that DMARC was asked about.

        Some servers give the whole address, or nothing.
        """
        return self.says("header.from").rpartition("@")[2].strip("<>. ")


def _results(message: Message, authserv_id: str) -> Sequence[_Result]:
    """Return the results in the topmost header, and failures of DMARC below it.

    There are none if another server wrote the topmost header. Our server may write a header for each method. The sender
    may have forged those below the topmost: of these, only a failure counts.
    """
    first, *others = message.get_all("Authentication-Results", [])[:_MOST_RESULTS] or [""]
    results = _results_in(first, authserv_id)
    if results is None:
        return ()
    below = [one for other in others for one in _results_in(other, authserv_id) or ()]
    return [*results, *(one for one in below if one.method == "dmarc" and one.is_objection)]


def _results_in(header_value: str, authserv_id: str) -> Sequence[_Result] | None:
    """Return the results in a header; None if our server did not write it."""
    try:
        header = authres.AuthenticationResultsHeader.parse(f"Authentication-Results: {header_value}")
    except authres.AuthResError:
        return None
    if str(header.authserv_id).lower() != authserv_id.lower():
        return None
    return [
        _Result(one.method, one.result, {f"{p.type}.{p.name}": str(p.value) for p in one.properties})
        for one in header.results
        if one.method is not None
    ]


def _vouches_for(signer: str, domain: str) -> bool:
    """Whether a signer may speak for a domain: its own or a subdomain.

    A top-level domain speaks for no other.
    """
    return "." in signer and (domain == signer or domain.endswith(f".{signer}"))


def _may_be_aligned(signer: str, domain: str) -> bool:
    """Whether DMARC may align a signer with a domain.

    Without a list of public suffixes, the answer errs towards yes.
    """
    return signer.split(".")[-2:] == domain.split(".")[-2:]


def _is_near(one: str, other: str) -> bool:
    """Whether two domains are the same, or one lies below the other."""
    return one == other or one.endswith(f".{other}") or other.endswith(f".{one}")


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
        """Whether a result may be about this signature.

        Some servers give only the signer's address (`header.i`).
        """
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
        """Whether the findings prove that the sender wrote the mail to the judge.

        Of several results of one method about one domain the worst counts; results about other domains do not.
        """
        if any(one.is_objection for one in self._policy()):
            return False
        if any(self._is_signed_for_us(one) for one in self._of("dkim") if self._is_aligned(one.signer)):
            return True
        return self._passed_policy() and (self._came_from_their_host() or self._all_signatures_are_for_us())

    @property
    def _domain(self) -> str:
        return self.sender.rpartition("@")[2]

    def _of(self, method: str) -> Sequence[_Result]:
        return [one for one in self.results if one.method == method]

    def _policy(self) -> Sequence[_Result]:
        """The results of DMARC that may be about the address in From."""
        return [one for one in self._of("dmarc") if not one.author_domain or _is_near(one.author_domain, self._domain)]

    def _passed_policy(self) -> bool:
        policy = self._policy()
        is_about_them = any(one.author_domain == self._domain for one in policy)
        return is_about_them and all(one.result == "pass" for one in policy)

    def _is_aligned(self, signer: str) -> bool:
        """Whether a signer may speak for the address in From.

        If DMARC passed, this includes subdomains of the sender's.
        """
        below = signer.endswith(f".{self._domain}") and self._passed_policy()
        return below or _vouches_for(signer, self._domain)

    def _is_signed_for_us(self, result: _Result) -> bool:
        """Whether a signature passed and covers the needed headers.

        No signature of the same signer may have failed. If the result may be about several signatures, each must cover
        the headers.
        """
        if any(one.is_objection and self._may_share_the_signer(one, result) for one in self._of("dkim")):
            return False
        selector, value = result.says("header.s"), result.properties.get("header.b", "")
        meant = [
            one
            for one in self.signatures
            if one.may_be_of(result) and selector in ("", one.selector) and one.value.startswith(value)
        ]
        return result.result == "pass" and bool(meant) and self._cover_all(meant)

    def _may_share_the_signer(self, one: _Result, other: _Result) -> bool:
        """Whether two results may be about one signer.

        Some servers name the signer by an address at a subdomain, or not at all.
        """
        by_address = not one.says("header.d") and one.signer.endswith(f".{other.signer}")
        return one.signer in ("", other.signer) or by_address

    def _cover_all(self, signatures: Sequence[_Signature]) -> bool:
        return self.needed is not None and all(self.needed <= one.covered for one in signatures)

    def _aligned(self) -> Sequence[_Signature]:
        return [one for one in self.signatures if _may_be_aligned(one.domain, self._domain)]

    def _came_from_their_host(self) -> bool:
        """Whether DMARC passed by SPF, for exactly the address in From."""
        if self._of("spf"):
            theirs = [one.result for one in self._of("spf") if self._is_their_envelope(one.says("smtp.mailfrom"))]
            return bool(theirs) and all(one == "pass" for one in theirs)
        signed = self._of("dkim")
        by_signature = [one for one in signed if one.result == "pass" and _may_be_aligned(one.signer, self._domain)]
        return not by_signature and (bool(signed) or not self._aligned()) and self._may_be_the_envelope()

    def _is_their_envelope(self, told: str) -> bool:
        """Whether a result is about the address in From.

        Some servers give only the domain of the envelope sender.
        """
        mailbox, _, domain = told.strip("<>").rpartition("@")
        written = f"{mailbox}@{domain}" if mailbox else self.envelope
        return domain == self._domain and written == self.sender

    def _may_be_the_envelope(self) -> bool:
        return self.envelope in ("", self.sender)

    def _all_signatures_are_for_us(self) -> bool:
        """Whether all signatures cover the needed headers, and the server names none that passed."""
        if self._of("dkim") or not self._aligned() or not self._cover_all(self._aligned()):
            return False
        # SPF may be what passed, for another sender at the same host.
        senders = self._of("spf")
        return not any(one.result == "pass" for one in senders) if senders else self._may_be_the_envelope()
