"""Real servers on loopback: Postfix, Dovecot and OpenDKIM, in their own folder and ports.

Postfix takes mail at `smtp`, has OpenDKIM verify it, and passes it to Dovecot. Mail for `LMTP_HOST` goes to the judge
itself, at `judge_lmtp`. Mail handed in at `submission` is first signed by another OpenDKIM, as by the players' own
host. The password of every account is `PASSWORD`.
"""

from __future__ import annotations

import re
import smtplib
import socketserver
import subprocess
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Self

from imapclient import IMAPClient

from tests.postfix import MAIL_OWNER, SERVICES, RealServers
from tests.wire import CERTIFICATE, HERE, free_port

MX = "mx.judge.test"
IMAP_HOST, LMTP_HOST, PLAYERS_HOST = "by-imap.test", "by-lmtp.test", "players.test"
STALLED_HOST = "stalled.test"
"""A host whose mail Postfix accepts only after asking a `Valve`."""
PASSWORD = "secret"
_RECEIVING = """
127.0.0.1:{smtp} inet n - n - - smtpd
127.0.0.1:{submission} inet n - n - - smtpd
  -o smtpd_milters=inet:127.0.0.1:{signer} -o content_filter=smtp:[127.0.0.1]:{smtp}
"""
# Its clock counts whole seconds: after a second's backoff it can find that a mail is still being put back,
# and then leaves it for minutes.
_POSTFIX = """
compatibility_level = 3.6
queue_directory = {folder}/queue
data_directory = {folder}/data
maillog_file_prefixes = {folder}
maillog_file = {folder}/postfix.log
myhostname = {mx}
mydestination =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
smtpd_relay_restrictions = reject_unauth_destination
smtpd_milters = inet:127.0.0.1:{milter}
milter_default_action = tempfail
header_checks = regexp:{folder}/header_checks
recipient_delimiter = +
virtual_mailbox_domains = {imap_host} {lmtp_host} {players_host} {stalled_host}
smtpd_restriction_classes = through_the_valve
through_the_valve = check_policy_service inet:127.0.0.1:{policy}
smtpd_recipient_restrictions = check_recipient_access regexp:{folder}/stalled
smtpd_policy_service_timeout = 1000s
virtual_mailbox_maps = static:known
virtual_transport = lmtp:inet:127.0.0.1:{lmtp}
transport_maps = inline:{{ {{ {lmtp_host} = lmtp:inet:127.0.0.1:{judge_lmtp} }} }}
lmtp_destination_recipient_limit = 1
minimal_backoff_time = 2s
maximal_backoff_time = 3s
queue_run_delay = 1s
"""
_DOVECOT = """
base_dir = {folder}/dovecot
log_path = {folder}/dovecot.log
protocols = imap lmtp
listen = 127.0.0.1
first_valid_uid = 1
ssl_cert = <{certificate}
ssl_key = <{certificate}
mail_location = maildir:{folder}/mail/%u
passdb {{
  driver = passwd-file
  args = scheme=plain {folder}/users
}}
userdb {{
  driver = static
  args = uid={owner} gid={owner} home={folder}/mail/%u
}}
service imap-login {{
  inet_listener imap {{
    port = {imap}
  }}
  inet_listener imaps {{
    port = 0
  }}
}}
service lmtp {{
  inet_listener lmtp {{
    address = 127.0.0.1
    port = {lmtp}
  }}
}}
"""
_VERIFIER = """
Mode v
Socket inet:{milter}@127.0.0.1
AuthservID {mx}
AlwaysAddARHeader yes
TestPublicKeys {folder}/public
Syslog no
"""
_SIGNER = """
Mode s
Socket inet:{signer}@127.0.0.1
Domain {players_host}
Selector key
KeyFile {folder}/key.private
SignHeaders From,To,Cc,Subject,Date,Message-ID,In-Reply-To,References
RequireSafeKeys no
Syslog no
"""


@dataclass
class Servers(RealServers):
    smtp: int = field(default_factory=free_port)
    submission: int = field(default_factory=free_port)
    imap: int = field(default_factory=free_port)
    lmtp: int = field(default_factory=free_port)
    milter: int = field(default_factory=free_port)
    signer: int = field(default_factory=free_port)
    judge_lmtp: int = field(default_factory=free_port)
    policy: int = field(default_factory=free_port)

    def start(self, people: Iterable[str]) -> None:
        """Start the servers, with mailboxes for these people."""
        files = {
            "main.cf": _POSTFIX,
            "master.cf": _RECEIVING + "\n".join(SERVICES) + "\n",
            "header_checks": "/^Authentication-Results[[:space:]]*:/ IGNORE\n",
            "stalled": f"/@{STALLED_HOST}$/ through_the_valve\n",
            "dovecot.conf": _DOVECOT,
            "verifier.conf": _VERIFIER,
            "signer.conf": _SIGNER,
            "users": "".join(f"{person}:{PASSWORD}\n" for person in people),
        }
        self.lay_out({name: self._filled(content) for name, content in files.items()})
        self._make_key()
        self.run("opendkim", "-f", "-x", "verifier.conf", ports=[self.milter])
        self.run("opendkim", "-f", "-x", "signer.conf", ports=[self.signer])
        self.run("dovecot", "-F", "-c", "dovecot.conf", ports=[self.imap, self.lmtp])
        self.run_postfix(ports=[self.smtp])

    def _filled(self, template: str) -> str:
        names = {"imap_host": IMAP_HOST, "lmtp_host": LMTP_HOST, "players_host": PLAYERS_HOST, "mx": MX}
        names["stalled_host"] = STALLED_HOST
        return template.format(certificate=CERTIFICATE, owner=MAIL_OWNER, **names, **vars(self))

    def _make_key(self) -> None:
        subprocess.run(("opendkim-genkey", "-d", PLAYERS_HOST, "-s", "key"), cwd=self.folder, check=True)
        record = "".join(re.findall(r'"([^"]*)"', (self.folder / "key.txt").read_text("utf-8")))
        (self.folder / "public").write_text(f"key._domainkey.{PLAYERS_HOST} {record}\n", "utf-8")

    def post(self, sender: str, recipients: Sequence[str], mail: bytes, *, signed: bool) -> None:
        """Hand in a mail, at the players' own host if it should be signed."""
        with smtplib.SMTP(HERE, self.submission if signed else self.smtp, timeout=60) as connection:
            connection.sendmail(sender, list(recipients), mail)

    def mailbox(self, person: str) -> IMAPClient:
        client = IMAPClient(HERE, self.imap, ssl=False, timeout=60)
        client.login(person, PASSWORD)
        client.select_folder("INBOX")
        return client


class Valve(socketserver.ThreadingTCPServer):
    """Tells Postfix that mail may pass while it is open; stays silent while closed."""

    daemon_threads = True
    block_on_close = False
    allow_reuse_address = True

    def __init__(self, port: int) -> None:
        self.is_open, self.is_asked = threading.Event(), threading.Event()
        self.is_open.set()
        super().__init__((HERE, port), _Question)

    def __enter__(self) -> Self:
        threading.Thread(target=self.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.is_open.set()
        self.shutdown()
        self.server_close()


class _Question(socketserver.StreamRequestHandler):
    server: Valve

    def handle(self) -> None:
        for line in self.rfile:
            if not line.strip():
                if not self.server.is_open.is_set():
                    self.server.is_asked.set()
                self.server.is_open.wait()
                self.wfile.write(b"action=DUNNO\n\n")
