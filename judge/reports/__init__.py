"""What a reader gets to see: views say what he may know, templates say it in his language.

`phase_reports` for events, `reply` for the receipt of a mail, `notice` for the rest.
"""

from __future__ import annotations

from judge.reports.readers import AnsweredLine, NoticeKind, Reader, Receipt, Remark, Rendered, Role
from judge.reports.render import notice, order_sentence, phase_reports, reply, why

__all__ = [
    "AnsweredLine",
    "NoticeKind",
    "Reader",
    "Receipt",
    "Remark",
    "Rendered",
    "Role",
    "notice",
    "order_sentence",
    "phase_reports",
    "reply",
    "why",
]
