"""Replies of mail servers, and against whom they are directed."""

from __future__ import annotations

import pytest

from judge.errors import Against
from judge.mail.replies import Stage, against

# As servers write them, each with the step and the party it is against.
REPLIES = """
recipient recipient  550 5.1.1 <cho@players.test>: Recipient address rejected: User unknown
recipient recipient  550-5.1.1 The email account that you tried to reach does not exist. Please try double-checking
recipient recipient  550 5.1.10 RESOLVER.ADR.RecipientNotFound; not found by SMTP address lookup
recipient recipient  550 5.2.1 The email account that you tried to reach is disabled.
recipient recipient  552 5.2.2 The email account that you tried to reach is over quota.
recipient recipient  550 Unknown user cho@docomo.test
recipient recipient  550 <cho@ezweb.test>: User unknown
recipient recipient  554 delivery error: dd Sorry. This account has been disabled [-9]
recipient recipient  550 5.4.1 Recipient address rejected: Access denied. AS(201806281)
recipient recipient  551 User not local; please try <cho@elsewhere.test>
recipient recipient  550 no thanks
recipient recipient  550 5.1.1 <spamhaus@players.test>: no such user here
recipient recipient  511 5.1.1 <dkim@players.test>: Recipient unknown
returned  recipient  550 5.1.1 <cho@players.test>: Recipient address rejected: User unknown
returned  recipient  5.1.1
returned  recipient  5.4.4 Host or domain name not found. Name service error for name=gone.test type=A: Host not found
returned  recipient  5.0.0 could not be delivered
recipient us         554 5.7.1 <cho@players.test>: Relay access denied
recipient us         550 5.7.1 Relaying denied. IP name lookup failed [192.0.2.1]
recipient us         550 relay not permitted
recipient us         550 5.1.2 unable to relay for cho@players.test
recipient us         454 4.7.1 <cho@players.test>: Relay access denied
recipient us         554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using zen.spamhaus.org
recipient us         550 5.7.1 [192.0.2.1] was not heard. Part of their network is on our block list (S3150).
recipient us         450 4.7.1 Client host rejected: cannot find your reverse hostname, [192.0.2.1]
recipient us         530 5.7.0 Authentication required
recipient us         550 5.1.8 <judge@nowhere.test>: Sender address rejected: Domain not found
recipient us         550 5.7.23 The message was rejected because of Sender Policy Framework violation
recipient us         550 5.7.1 no
recipient us         554 You are not welcome
recipient us         503 5.5.1 Error: need MAIL command
recipient us         502 5.5.2 Error: command not recognized
content   us         550-5.7.26 This mail has been blocked because the sender is unauthenticated.
content   us         550 5.7.1 [192.0.2.1] Our system has detected that this message is likely unsolicited mail.
content   us         554 5.7.1 spam
content   us         550 High probability of spam
content   us         421-4.7.26 This mail has been rate limited because it is unauthenticated.
content   us         550 5.4.5 Daily user sending quota exceeded, daily user sending limit
returned  us         554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using bl.spamcop.net
returned  us         550 5.7.509 Access denied, sending domain nowhere.test does not pass DMARC verification
connect   us         535 5.7.8 Error: authentication failed
connect   us         554 mx.players.test ESMTP not accepting messages
connect   us         550 go away
sender    us         553 5.1.7 bad sender
sender    us         550 whatever
sender    us         530 5.7.0 Must issue a STARTTLS command first
content   letter     552 5.3.4 Error: message file too big
content   letter     552 5.2.3 message is too large for the recipient
content   letter     554 5.6.1 body type not supported
content   letter     554 transaction failed
sender    letter     552 5.3.4 Message size exceeds fixed limit
returned  letter     552 5.3.4 Message size exceeds fixed maximum message size
recipient nobody     450 4.2.0 <cho@players.test>: Recipient address rejected: Greylisted, see http://postgrey.schweikert.test/
recipient nobody     451 4.7.1 Greylisting in action, please come back later
recipient nobody     452 4.2.2 The email account that you tried to reach is over quota
recipient nobody     451 4.3.0 try again later
connect   nobody     421 4.3.2 too busy
content   nobody     451 4.3.0 queue file write error
recipient nobody     timed out
returned  nobody     what?
"""
TABLE = [(*row.split(maxsplit=2),) for row in REPLIES.strip().splitlines()]


@pytest.mark.parametrize(("stage", "whom", "said"), TABLE, ids=[row[2][:50] for row in TABLE])
def test_what_a_server_says_is_against_somebody(stage: str, whom: str, said: str) -> None:
    assert against(Stage(stage), said) is Against(whom)


@pytest.mark.parametrize("stage", Stage)
@pytest.mark.parametrize("code", ["421", "450", "451", "452", "454"])
def test_no_answer_for_now_is_final(stage: Stage, code: str) -> None:
    assert not against(stage, f"{code} {code[0]}.1.1 no such user, mailbox full, message too large").is_final
