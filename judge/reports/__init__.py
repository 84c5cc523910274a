"""What a reader gets to see: views say what he may know, templates say it in his language.

`phase_reports` for events, `reply` for the receipt of a mail, `notice` for the rest.
"""

from judge.reports.readers import AnsweredLine, NoticeKind, Reader, Receipt, Remark, Rendered, Role, YearOfCenters
from judge.reports.render import notice, phase_reports, reply
from judge.reports.wording import order_sentence, why

__all__ = [
    "AnsweredLine",
    "NoticeKind",
    "Reader",
    "Receipt",
    "Remark",
    "Rendered",
    "Role",
    "YearOfCenters",
    "notice",
    "order_sentence",
    "phase_reports",
    "reply",
    "why",
]
