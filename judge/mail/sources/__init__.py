"""Where mail comes from: an SMTP listener, IMAP mailboxes, Maildirs; any number at once.

Every source hands a mail to `keep` and lets go of it only after `keep` returned: then it is committed.
"""

from judge.mail.sources.base import Keep, Now, Source
from judge.mail.sources.imap import ImapAccount, ImapSource
from judge.mail.sources.listener import ListenerSource
from judge.mail.sources.maildir import MaildirSource

__all__ = ["ImapAccount", "ImapSource", "Keep", "ListenerSource", "MaildirSource", "Now", "Source"]
