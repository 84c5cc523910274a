"""What a reader sees: views select what they may know, templates say it in their language.

`phase_reports` for events, `reply` for the receipt of a mail, `notice` for the rest.
"""

from judge.reports.clauses import reasons_on
from judge.reports.manual import page_named
from judge.reports.phases import phase_reports
from judge.reports.readers import (
    AnsweredLine,
    Consequence,
    Fate,
    HeldMail,
    Illustration,
    NoticeKind,
    Reader,
    Receipt,
    Remark,
    Rendered,
    Role,
)
from judge.reports.render import event_letter, notice, reply
from judge.reports.sections import NO_RETROSPECT, Retrospect, Section, SharedDiary, YearOfCenters
from judge.reports.terms import TermsView, terms_view
from judge.reports.wording import line_for, order_sentence

__all__ = [
    "NO_RETROSPECT",
    "AnsweredLine",
    "Consequence",
    "Fate",
    "HeldMail",
    "Illustration",
    "NoticeKind",
    "Reader",
    "Receipt",
    "Remark",
    "Rendered",
    "Retrospect",
    "Role",
    "Section",
    "SharedDiary",
    "TermsView",
    "YearOfCenters",
    "event_letter",
    "line_for",
    "notice",
    "order_sentence",
    "page_named",
    "phase_reports",
    "reasons_on",
    "reply",
    "terms_view",
]
