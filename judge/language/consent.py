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
    lines = own_text.strip().splitlines()
    if not lines:
        return Consent.YES, ""
    word = _FIRST_WORD.match(normal_form(lines[0]).text.strip())
    if word is None or word[0] not in _WORDS:
        return Consent.UNCLEAR, own_text
    return Consent.YES if _WORDS[word[0]] else Consent.NO, "\n".join(lines[1:])
