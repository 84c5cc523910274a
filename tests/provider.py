"""A mail provider on loopback, by Postfix and Dovecot, with passwords over TLS.

With `introspection`, the address of an OAuth2 provider, access tokens let programs in as well.

What becomes of a mail depends on the domain of the account: `CASES`. The password of every account is `PASSWORD`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from imapclient import IMAPClient

from tests.postfix import MAIL_OWNER, SERVICES, RealServers
from tests.real import PASSWORD
from tests.wire import CERTIFICATE, HERE, free_port

GOOD, CHECKED, NO_PLUS, LOSES_PLUS = "good.test", "checked.test", "no-plus.test", "loses-plus.test"
SPAM, COPIES, REWRITES, LOST = "spam.test", "copies.test", "rewrites.test", "lost.test"
CASES: Mapping[str, str] = {
    GOOD: "everything arrives as it was sent",
    CHECKED: "Authentication-Results are written",
    NO_PLUS: "plus addresses are refused",
    LOSES_PLUS: "plus addresses are taken, and thrown away",
    SPAM: "all is put into Junk",
    COPIES: "a copy of what is sent is kept in Sent",
    REWRITES: "the envelope sender becomes that of the account",
    LOST: "nothing arrives",
}
PEOPLE = tuple(f"{name}@{GOOD}" for name in ("ada", "ben", "gil"))
AUTHSERV_ID = "mx.checked.test"
_MASTER = """
127.0.0.1:{submission} inet n - n - - smtpd -o smtpd_tls_security_level=encrypt
127.0.0.1:{smtps} inet n - n - - smtpd -o smtpd_tls_wrappermode=yes
"""
_MORE_SERVICES = ("discard unix - - n - - discard", "tlsmgr unix - - n 1000? 1 tlsmgr")
_POSTFIX = """
compatibility_level = 3.6
queue_directory = {folder}/queue
data_directory = {folder}/data
maillog_file_prefixes = {folder}
maillog_file = {folder}/postfix.log
myhostname = mx.provider.test
mydestination =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
smtpd_tls_cert_file = {certificate}
smtpd_tls_key_file = {certificate}
smtpd_tls_auth_only = yes
smtpd_sasl_auth_enable = yes
smtpd_sasl_type = dovecot
smtpd_sasl_path = inet:127.0.0.1:{auth}
smtpd_relay_restrictions = permit_sasl_authenticated, reject
smtpd_recipient_restrictions = check_recipient_access regexp:{folder}/recipients, permit_sasl_authenticated, reject
recipient_delimiter = +
virtual_mailbox_domains = {domains}
virtual_mailbox_maps = static:known
virtual_alias_maps = regexp:{folder}/aliases
virtual_transport = lmtp:inet:127.0.0.1:{lmtp}
transport_maps = regexp:{folder}/transport
sender_bcc_maps = regexp:{folder}/copies
sender_canonical_classes = envelope_sender
sender_canonical_maps = regexp:{folder}/senders
"""
_TABLES = {
    "recipients": f"/\\+.*@{NO_PLUS}$/ 550 5.1.1 no such user\n"
    f"/@{CHECKED}$/ PREPEND Authentication-Results: {AUTHSERV_ID}; none\n",
    "aliases": f"/^judge(\\+.*)?@{SPAM}$/ judge+Junk@{SPAM}\n",
    "transport": f"/^judge\\+setup.*@{LOSES_PLUS}$/ discard:\n/@{LOST}$/ discard:\n",
    "copies": f"/@{COPIES}$/ judge+Sent@{COPIES}\n",
    "senders": f"/^judge\\+.*@{REWRITES}$/ judge@{REWRITES}\n",
}
_DOVECOT = """
base_dir = {folder}/dovecot
log_path = {folder}/dovecot.log
protocols = imap lmtp
listen = 127.0.0.1
first_valid_uid = 1
ssl = yes
ssl_cert = <{certificate}
ssl_key = <{certificate}
auth_failure_delay = 0
mail_location = maildir:{folder}/mail/%u
lmtp_save_to_detail_mailbox = yes
namespace inbox {{
  inbox = yes
  mailbox Junk {{
    auto = create
    special_use = \\Junk
  }}
  mailbox Sent {{
    auto = create
    special_use = \\Sent
  }}
}}
passdb {{
  driver = passwd-file
  args = scheme=plain {folder}/users
}}
userdb {{
  driver = static
  args = uid={owner} gid={owner} home={folder}/mail/%u
}}
service anvil {{
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
service auth {{
  inet_listener {{
    address = 127.0.0.1
    port = {auth}
  }}
}}
service imap-login {{
  inet_listener imap {{
    port = {imap}
  }}
  inet_listener imaps {{
    port = {imaps}
  }}
}}
service lmtp {{
  inet_listener lmtp {{
    address = 127.0.0.1
    port = {lmtp}
  }}
}}
"""


_BY_TOKEN = """
auth_mechanisms = {mechanisms}
passdb {{
  driver = oauth2
  args = {folder}/tokens
}}
"""
_TOKENS = """
introspection_mode = post
introspection_url = {introspection}
username_attribute = username
active_attribute = active
active_value = true
"""


@dataclass
class StandIn(RealServers):
    """The servers of a provider."""

    introspection: str = ""
    mechanisms: str = "plain"

    submission: int = field(default_factory=free_port)
    smtps: int = field(default_factory=free_port)
    imap: int = field(default_factory=free_port)
    imaps: int = field(default_factory=free_port)
    lmtp: int = field(default_factory=free_port)
    auth: int = field(default_factory=free_port)

    def start(self) -> None:
        """Start the servers."""
        self.lay_out(
            {
                "main.cf": self._filled(_POSTFIX),
                "master.cf": self._filled(_MASTER) + "\n".join((*SERVICES, *_MORE_SERVICES)) + "\n",
                "dovecot.conf": self._filled(_DOVECOT + (_BY_TOKEN if self.introspection else "")),
                "tokens": self._filled(_TOKENS),
                "users": "".join(f"{one}:{PASSWORD}\n" for one in (*(f"judge@{domain}" for domain in CASES), *PEOPLE)),
                **_TABLES,
            }
        )
        self.run("dovecot", "-F", "-c", "dovecot.conf", ports=[self.auth, self.imap, self.imaps, self.lmtp])
        self.run_postfix(ports=[self.submission, self.smtps])

    def _filled(self, template: str) -> str:
        return template.format(certificate=CERTIFICATE, owner=MAIL_OWNER, domains=" ".join(CASES), **vars(self))

    @property
    def starttls(self) -> str:
        """Return the servers as `judge setup` is told of them."""
        return f"starttls://{HERE}:{self.imap} starttls://{HERE}:{self.submission}"

    @property
    def tls(self) -> str:
        return f"tls://{HERE}:{self.imaps} tls://{HERE}:{self.smtps}"

    def mailbox(self, domain: str) -> IMAPClient:
        client = IMAPClient(HERE, self.imap, ssl=False, timeout=60)
        client.login(f"judge@{domain}", PASSWORD)
        return client
