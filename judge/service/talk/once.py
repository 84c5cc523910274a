"""A proved mail is carried out once.

Another mail with the same Message-ID does nothing, and its sender is told.
A recipient of a player's signed mail could send it again with an added header. The signature would still hold.
"""

from __future__ import annotations

import structlog

from judge.mail.identity import fingerprint
from judge.mail.letters import Letter, LetterKind
from judge.reports.readers import NoticeKind
from judge.reports.render import notice
from judge.service.talk.mail import MailInWork
from judge.storage import Work

log = structlog.get_logger(__name__)


def expect_use(work: Work, letter: Letter) -> None:
    """Prefetch whether the Message-ID of a mail was used."""
    if letter.message_id is not None:
        work.inbox.expect_use(_hash(letter, letter.message_id))


def is_second(mail: MailInWork) -> bool:
    """Whether a proved mail reuses a Message-ID for other content.

    The first use is saved.
    A mail that its sender confirmed is accepted, because some programs give all their mails the same Message-ID.
    """
    message_id = mail.letter.message_id
    if message_id is None or not mail.sender.is_proved:
        return False
    hash_, content = _hash(mail.letter, message_id), fingerprint(mail.waiting.identity)
    used_for = mail.work.inbox.used_for(hash_)
    if used_for is None:
        mail.work.inbox.use(hash_, content, mail.now.date())
    return used_for not in (None, content) and not mail.waiting.confirmed


def tell_of_the_second(mail: MailInWork) -> None:
    """Tell the sender that nothing was done; once a day for each Message-ID."""
    assert mail.letter.message_id is not None
    log.warning("a second mail under the same Message-ID does nothing", mail=mail.waiting.id)
    if mail.may_be_answered():
        hash_ = _hash(mail.letter, mail.letter.message_id).hex()
        rendered = notice(NoticeKind.SECOND, mail.language, subject=mail.letter.subject)
        mail.send(LetterKind.REPLY, rendered, key=f"second mail under {hash_} on {mail.now.date()}")


def _hash(letter: Letter, message_id: str) -> bytes:
    return fingerprint(letter.sender, message_id)
