"""What lasts: games, people, mail. SQL is written here and nowhere else.

`Store.open(url)`, then `with store.work() as work: … work.commit()`.
"""

from judge.storage.backup import back_up, check_soundness, put_back, rotate
from judge.storage.census import Census
from judge.storage.inbox import Arrived, InboxState, Received, Unworked, Waiting
from judge.storage.leases import BEAT_SECONDS
from judge.storage.migrate import migrate, sqlite_file
from judge.storage.outbox import UNPROVED
from judge.storage.process_locks import ProcessLocks
from judge.storage.queued import LetterTags, OutboxState, Queued, SentLetter, Written
from judge.storage.retention import Looked
from judge.storage.store import Store
from judge.storage.waking import DELIVER, CloseGame, Deliver, Embedded, Errand, WorkMail
from judge.storage.work import Storage, Work

__all__ = [
    "BEAT_SECONDS",
    "DELIVER",
    "UNPROVED",
    "Arrived",
    "Census",
    "CloseGame",
    "Deliver",
    "Embedded",
    "Errand",
    "InboxState",
    "LetterTags",
    "Looked",
    "OutboxState",
    "ProcessLocks",
    "Queued",
    "Received",
    "SentLetter",
    "Storage",
    "Store",
    "Unworked",
    "Waiting",
    "Work",
    "WorkMail",
    "Written",
    "back_up",
    "check_soundness",
    "migrate",
    "put_back",
    "rotate",
    "sqlite_file",
]
