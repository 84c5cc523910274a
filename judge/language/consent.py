"""Whether a reply to a request for confirmation says yes."""

from __future__ import annotations

import re
from enum import StrEnum

from judge.language.normal import normal_form

_ENGLISH = {"yes": True, "y": True, "yep": True, "ok": True, "okay": True, "confirm": True, "confirmed": True}
_ENGLISH |= {"sure": True} | dict.fromkeys(("no", "n", "nope", "not", "never", "stop", "cancel"), False)
_JAPANESE = dict.fromkeys(("はい", "了解", "確認", "承認"), True)
_JAPANESE |= dict.fromkeys(("いいえ", "いや", "違います", "ちがいます", "取消"), False)
_WORDS = _ENGLISH | _JAPANESE
"""First word → whether it says yes."""
_FIRST_WORD = re.compile("[a-z]+|" + "|".join(_JAPANESE))


_GREETINGS = 3
"""So many lines are looked at: people greet before they answer."""


class Consent(StrEnum):
    """What somebody answered."""

    YES = "yes"
    NO = "no"
    UNCLEAR = "unclear"


def consent(own_text: str) -> tuple[Consent, str]:
    """What the words say, and the rest of them: no words at all are a yes, as one reply is enough.

    A vacation robot without a header of its own has words, and they begin with neither.

    >>> consent("Yes, please.")
    (<Consent.YES: 'yes'>, '')
    """
    lines = [line for line in own_text.splitlines() if line.strip()]
    if not lines:
        return Consent.YES, ""
    for place, line in enumerate(lines[:_GREETINGS]):
        word = _FIRST_WORD.match(normal_form(line).text.strip())
        if word is not None and word[0] in _WORDS:
            answer = Consent.YES if _WORDS[word[0]] else Consent.NO
            return answer, "\n".join(lines[:place] + lines[place + 1 :])
    return Consent.UNCLEAR, own_text
