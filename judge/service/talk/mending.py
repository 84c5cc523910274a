"""Replies that mend a position to be adopted, also within their quotation."""

from __future__ import annotations

from dataclasses import replace

from judge.language.adoption import edited, mended
from judge.service.talk.mail import MailInWork

_BEGINS = "ADOPT "


def with_mended_adoption(mail: MailInWork) -> MailInWork:
    """Return a mail that mends a position as a mail with the whole position.

    Any other mail is returned as it is.
    """
    asked = mail.sender.asked
    if asked is None or mail.letter.is_verbatim:
        return mail
    shown = next((one.lines for question in asked.asks for one in question.choices), "")
    if not shown.startswith(_BEGINS):
        return mail
    text = edited(shown, mail.letter.text, asked.text, mail.budget) or shown
    text = mended(text, mail.letter.own_text, mail.budget) or text  # own words count more than the quotation
    return mail if text == shown else replace(mail, letter=replace(mail.letter, own_text=text, is_verbatim=True))
