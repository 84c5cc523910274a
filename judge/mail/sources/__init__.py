"""Sources of mail: an SMTP listener, IMAP mailboxes, Maildirs; any number at once.

Every source passes a mail to `keep`, and releases it only after `keep` has returned: then it is committed.
"""

from judge.mail.sources.base import Keep, Now, Source
from judge.mail.sources.imap import ImapAccount, ImapSource
from judge.mail.sources.listener import ListenerSource
from judge.mail.sources.maildir import MaildirSource

__all__ = ["ImapAccount", "ImapSource", "Keep", "ListenerSource", "MaildirSource", "Now", "Source"]
