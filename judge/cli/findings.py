"""Findings of a check, and errors in one line."""

from __future__ import annotations

import smtplib
import socket
import ssl
from dataclasses import dataclass

from imapclient.exceptions import LoginError

from judge.errors import JudgeError, TokenError, TokenFault, causes, in_a_line
from judge.languages import Language
from judge.mail.sending import WRONG_PASSWORD
from judge.setup import Said, say, saying

_TOKEN_FAULTS = {
    TokenFault.GRANT: "token_revoked",
    TokenFault.NO_GRANT: "token_no_grant",
    TokenFault.NOT_STORED: "token_not_stored",
    TokenFault.CLIENT: "token_client",
    TokenFault.COMMAND: "token_command",
    TokenFault.REFUSED: "token_refused",
    TokenFault.AWAY: "token_away",
}


class TroubleError(JudgeError):
    """A fault, described by a sentence."""

    def __init__(self, said: Said) -> None:
        """Keep the sentence."""
        super().__init__(said.told(Language.ENGLISH))
        self.said = said


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of checking one thing."""

    about: Said
    said: Said
    """What is wrong with it, in one line; or its place if it works."""
    is_good: bool
    is_warning: bool = False
    """Whether it works, but the operator should know about it."""

    def told(self, language: str) -> str:
        """Return the finding in one line, which says whether it is good."""
        how = "care" if self.is_warning else "good" if self.is_good else "bad"
        return say(language, how, about=self.about.told(language), said=self.said.told(language))


def as_it_says(text: str) -> Said:
    """Wrap the words of a server or of the system, which are not translated."""
    return saying("as_it_says", text=text)


def in_words(error: BaseException, where: str) -> Said:
    """Describe an error at a host and port in one line of plain language."""
    for one in causes(error):
        match one:
            case TroubleError():
                return one.said
            case TokenError():
                return saying(_TOKEN_FAULTS[one.fault], said=one.said)
            case LoginError() | smtplib.SMTPAuthenticationError():
                return saying(
                    "login_refused", said=in_a_line(error).removeprefix(f"{WRONG_PASSWORD} (").removesuffix(")")
                )
            case ConnectionRefusedError():
                return saying("nobody_listens", where=where)
            case ConnectionResetError() | BrokenPipeError():
                return saying("hung_up", where=where)
            case ssl.SSLCertVerificationError():
                return saying("bad_certificate", where=where, why=one.verify_message)
            case ssl.SSLError():
                return saying("no_tls", where=where)
            case TimeoutError():
                return saying("no_reply", where=where)
            case socket.gaierror():
                return saying("unknown_host", host=where.rpartition(":")[0], why=one.strerror)
    return as_it_says(in_a_line(error))
