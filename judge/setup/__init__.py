"""Setting up a judge on a real mailbox: providers, settings file, test mail.

The test mail goes from the judge to itself. This package neither asks nor prints anything: `judge setup` does.
"""

from judge.setup.answers import Account, Answers, Secrets, settings_file
from judge.setup.providers import OWN, VARIES, Provider, Server, WayIn, provider_of, providers, server
from judge.setup.round_trip import Trip, travel
from judge.setup.telling import Line, lines_of
from judge.setup.wording import Said, say, saying, words

__all__ = [
    "OWN",
    "VARIES",
    "Account",
    "Answers",
    "Line",
    "Provider",
    "Said",
    "Secrets",
    "Server",
    "Trip",
    "WayIn",
    "lines_of",
    "provider_of",
    "providers",
    "say",
    "saying",
    "server",
    "settings_file",
    "travel",
    "words",
]
