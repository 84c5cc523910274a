"""Store games, people and mail. SQL is written here and nowhere else.

`Store.open(url)`, then `with store.work() as work: … work.commit()`.
"""

from judge.storage.backup import back_up, put_back, rotate
from judge.storage.census import Census
from judge.storage.inbox import Arrived, Claim, Received, Unworked, Waiting
from judge.storage.leases import BEAT_SECONDS, LiveWorker
from judge.storage.migrate import is_on_server, migrate, revision_of, sqlite_file
from judge.storage.process_locks import ProcessLocks, alone, migrating
from judge.storage.queued import LetterTags, Queued, SentLetter, Written
from judge.storage.retention import Looked
from judge.storage.soundness import Soundness, check_soundness
from judge.storage.spending import UNPROVED, Spent
from judge.storage.states import InboxState, OutboxState
from judge.storage.store import SharedStore, Store, Work
from judge.storage.upgrade import told, upgrade
from judge.storage.waking import DELIVER, CloseGame, Deliver, Embedded, Task, WorkMail

__all__ = [
    "BEAT_SECONDS",
    "DELIVER",
    "UNPROVED",
    "Arrived",
    "Census",
    "Claim",
    "CloseGame",
    "Deliver",
    "Embedded",
    "InboxState",
    "LetterTags",
    "LiveWorker",
    "Looked",
    "OutboxState",
    "ProcessLocks",
    "Queued",
    "Received",
    "SentLetter",
    "SharedStore",
    "Soundness",
    "Spent",
    "Store",
    "Task",
    "Unworked",
    "Waiting",
    "Work",
    "WorkMail",
    "Written",
    "alone",
    "back_up",
    "check_soundness",
    "is_on_server",
    "migrate",
    "migrating",
    "put_back",
    "revision_of",
    "rotate",
    "sqlite_file",
    "told",
    "upgrade",
]
