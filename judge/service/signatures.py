"""Check the signatures of saved mails: what their readers saw, and whose key it is.

The format is described in `docs/facts.md`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias

from judge.mail.saved import Shown
from judge.mail.signing import digest, digest_of_file, is_signed, markup_of, successors, words_of, words_of_html
from judge.service.chain import Finding

Signature: TypeAlias = Mapping[str, Any]
_UNREADABLE = (KeyError, TypeError, ValueError, AttributeError)
"""What reading a signature raises if its structure is not ours."""
_LONGEST_QUOTATION = 60
_TITLES = {"receipt": "receipt", "phase": "report", "start": "opening report", "end": "final report"}


@dataclass(frozen=True, slots=True)
class Saved:
    """A saved mail about a game.

    It holds what the mail shows, the facts in it, and its signature if it has one.
    """

    shown: Shown
    facts: Sequence[Mapping[str, Any]]
    signature: Signature | None

    @property
    def game(self) -> str:
        """The game it is about."""
        games = [str(facts["game"]) for facts in self.facts]
        signed = str(self.signature["game"]) if self.signature is not None else ""
        return games[0] if games and signed not in games else signed

    @property
    def sent(self) -> str:
        """When it was sent, or when its facts were made (ISO 8601)."""
        if self.signature is not None:
            return str(self.signature.get("sent", ""))
        return str(self.facts[0]["at"])

    @property
    def name(self) -> str:
        """The name of the mail in findings."""
        if not self.facts:
            return f"the mail of {self.sent}"
        facts = self.facts[0]
        about = facts.get("input") or facts.get("position") or facts
        phase = about.get("phase") if isinstance(about, Mapping) else None
        return f"{f'{phase}: ' if phase else ''}the {_TITLES.get(str(facts['kind']), 'mail')} of {facts['at']}"


def check_signatures(mails: Iterable[Saved], keys: Sequence[str] = ()) -> Iterator[Finding]:
    """Check saved mails of any games.

    `keys` are trusted; without them, the key of the oldest signed mail of each game is.
    """
    games: dict[str, list[Saved]] = {}
    for mail in mails:
        games.setdefault(mail.game, []).append(mail)
    for game in sorted(games):
        in_order = sorted(games[game], key=lambda mail: mail.sent)
        yield from _Check(game, in_order, keys).findings()


class _Check:
    """Checks the mails of one game, from the oldest to the newest."""

    def __init__(self, game: str, mails: Sequence[Saved], keys: Sequence[str]) -> None:
        self.game = game
        self.mails = mails
        self.unreadable: dict[int, str] = {}
        self.genuine = [mail for mail in mails if mail.signature is not None and _is_genuine(mail.signature)]
        self.given = keys or [str(mail.signature["key"]) for mail in self.genuine[:1] if mail.signature is not None]
        self.origin = "given" if keys else f"taken from {self.genuine[0].name}" if self.genuine else ""
        self.trusted = _all_trusted(self.given, [mail.signature for mail in self.genuine if mail.signature is not None])

    def findings(self) -> Iterator[Finding]:
        """Yield the key, then one or more findings about each mail."""
        if self.given:
            yield Finding(self.game, f"key {' and '.join(self.given)}, {self.origin}")
        for number, mail in enumerate(self.mails):
            if mail.signature is None:
                yield self._unsigned(mail, is_first=all(one.signature is None for one in self.mails[:number]))
                continue
            try:
                faults = list(self._faults(mail, mail.signature))
                left_out = list(_not_there(mail.shown, mail.signature))
            except _UNREADABLE as error:
                faults, left_out = [f"its signature cannot be read: {error!r}"], []
            yield from (Finding(self.game, f"{mail.name}: {fault}", is_fault=True) for fault in faults)
            if not faults:
                yield Finding(self.game, f"{mail.name}: {_well(mail.signature, left_out)}")

    def _unsigned(self, mail: Saved, *, is_first: bool) -> Finding:
        """Return the finding about an unsigned mail.

        An old mail may lack a signature. A mail after a signed one may not.
        """
        if is_first:
            said = "not signed: whether its text and HTML are as sent could not be checked"
            return Finding(self.game, f"{mail.name}: {said}")
        return Finding(self.game, f"{mail.name}: its signature is missing; mails before it have one", is_fault=True)

    def _faults(self, mail: Saved, signature: Signature) -> Iterator[str]:
        if not is_signed(signature):
            yield "its signature is not good: the digests, or the signature, were changed"
        elif signature["key"] not in self.trusted:
            yield f"signed with another key, {signature['key']}, and no key before it signed that one"
        yield from _other_head(mail.game, mail.shown, signature)
        yield from _other_words(mail.shown, signature)
        yield from _other_files(mail.shown, signature)


def _is_genuine(signature: Signature) -> bool:
    try:
        return is_signed(signature)
    except _UNREADABLE:
        return False


def _all_trusted(keys: Iterable[str], signatures: Sequence[Signature]) -> set[str]:
    """Return the trusted keys.

    These are the keys given, the keys that they signed, and the older keys that trusted mails name.
    """
    trusted = set(keys)
    while True:
        before = len(trusted)
        for signature in signatures:
            try:
                trusted |= _following(trusted, signature)
            except _UNREADABLE:
                continue
        if len(trusted) == before:
            return trusted


def _following(trusted: set[str], signature: Signature) -> set[str]:
    """Return the keys that a mail makes trusted."""
    found: set[str] = set()
    for key, later in successors(signature):
        if key in trusted | found:
            found.add(later)
    if signature["key"] in trusted | found:
        found |= {str(key) for key, _ in signature["before"]}
    return found


def _other_head(game: str, shown: Shown, signature: Signature) -> Iterator[str]:
    """Yield the differences in the game and in the headers that people read."""
    if game != signature["game"]:
        yield f"it was sent about the game {signature['game']}"
    if shown.to != signature["to"]:
        yield f"it was sent to {signature['to']}, not to {shown.to or 'nobody'}"
    if not words_of(shown.subject).endswith(signature["subject"]):
        yield f"its subject was {signature['subject']!r}, not {words_of(shown.subject)!r}"
    sent = datetime.fromisoformat(signature["sent"])
    if shown.sent is None or shown.sent != sent:
        yield f"its date was {sent.isoformat()}, not {shown.sent.isoformat() if shown.sent else 'missing'}"


def _other_words(shown: Shown, signature: Signature) -> Iterator[str]:
    """Yield the differences in the text and in the HTML."""
    if shown.text is not None:
        yield from _compared("text", words_of(shown.text), signature["text"])
    if shown.html is None:
        return
    if "html" not in signature:
        yield "it had no HTML"
        return
    other = list(_compared("HTML", words_of_html(shown.html), signature["html"]))
    yield from other
    if not other and digest(markup_of(shown.html)) != signature["html"]["markup"]:
        yield "the words of its HTML are as sent, its tags and styles are not: they may hide, strike out or draw"


def _compared(what: str, words: str, signed: Mapping[str, Any]) -> Iterator[str]:
    length = int(signed["length"])
    if digest(words[:length]) != signed["sha256"]:
        yield f"its {what} is not what was sent"
    elif len(words) > length:
        yield f"text was added below its {what}: {words[length:].strip()[:_LONGEST_QUOTATION]!r}"


def _other_files(shown: Shown, signature: Signature) -> Iterator[str]:
    """Yield the files that are not as sent.

    Facts are checked whatever their file is called.
    """
    signed = signature["files"]
    for file in shown.files:
        if digest_of_file(file.content) in signed.values():
            continue
        if file.filename in signed:
            yield f"its file {file.filename} is not what was sent"
        elif file.content_type == "application/json":
            yield f"the file {file.filename or 'without a name'} was added to it"


def _not_there(shown: Shown, signature: Signature) -> Iterator[str]:
    """Yield the signed parts that a mail no longer has."""
    if shown.text is None:
        yield "text"
    if shown.html is None and "html" in signature:
        yield "HTML"
    there = {digest_of_file(file.content) for file in shown.files}
    yield from (name for name, signed in signature["files"].items() if signed not in there)


def _well(signature: Signature, left_out: Sequence[str]) -> str:
    parts = ["text", *(["HTML"] if "html" in signature else []), *signature["files"]]
    checked = [part for part in parts if part not in left_out]
    said = f"signed; as sent: {', '.join(['subject', 'date', *checked])}"
    return said + (f"; no longer in it, and not checked: {', '.join(left_out)}" if left_out else "")
