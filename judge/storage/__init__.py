"""What lasts: games, people, mail. SQL is written here and nowhere else.

`Store.open(url)`, then `with store.work() as work: … work.commit()`.
"""

from judge.storage.claims import Claims
from judge.storage.migrate import migrate
from judge.storage.post import About, Queued, SentLetter, Waiting
from judge.storage.store import Store, Work

__all__ = ["About", "Claims", "Queued", "SentLetter", "Store", "Waiting", "Work", "migrate"]
