"""What lasts: games, people, mail. SQL is written here and nowhere else.

`Store.open(url)`, then `with store.work() as work: … work.commit()`.
"""

from judge.storage.claims import Claims
from judge.storage.migrate import migrate
from judge.storage.post import About, InboxState, OutboxState, Queued, Received, SentLetter, Waiting, Written
from judge.storage.store import Store, Work

__all__ = [
    "About",
    "Claims",
    "InboxState",
    "OutboxState",
    "Queued",
    "Received",
    "SentLetter",
    "Store",
    "Waiting",
    "Work",
    "Written",
    "migrate",
]
