"""Read a reply as the answer to what our letter asked.

The answer is a yes, a no, a choice, or what was missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

from judge.commands import AnswerQuestion, Perhaps, Steering
from judge.commands.question import Choice, Question
from judge.language.asking.answering import numbered_answer
from judge.language.asking.consent import Consent, answer_of, is_courtesy
from judge.language.asking.data import pattern_of
from judge.language.context import Context
from judge.language.faults import OF_SENTENCES
from judge.language.line import read_line
from judge.language.lines import ReadLine
from judge.language.words import is_japanese, normal_form
from judge.resources import shipped_data

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
_END_OF_A_PHRASE = re.compile(r"[,.;:!、。！]")
_MOST_READ, _LONGEST_CHOICE, _LONGEST_REASON = 40, 80, 200
"""Limits: lines of a mail; characters of a choosing line, and of a reason."""
_FEWEST_LETTERS, _LONGEST_CODE = 2, 3
_WHOLE = ("last", "all")
"""Tables whose patterns match whole words only."""


@dataclass(frozen=True, slots=True)
class Replied:
    """What a mail answers."""

    text: str
    """The mail, with each answering line replaced by the lines it stands for."""
    own: Mapping[str, str] = field(default_factory=dict)
    """A line put in place of an answer → the sender's own words for it."""
    refuses: bool = False
    """Whether the sender said a no that has no effect."""
    is_answer: bool = False
    """Whether anything in the mail answers."""
    settled: frozenset[Question] = frozenset()
    """The questions that are answered and cannot be answered again."""


def replied(text: str, questions: Sequence[Question], context: Context, *, is_reply: bool = True) -> Replied:
    """Return a mail with its answers replaced by the lines they stand for.

    A mail that is not a reply answers in a few words only.
    """
    return _Reply(tuple(questions), replace(context, has_questions=False)).read(text, in_sentences=is_reply)


class _Reply:
    def __init__(self, questions: tuple[Question, ...], context: Context) -> None:
        self.questions = questions
        self.context = context
        is_offer = any(one.is_offer for one in questions)
        self.commands = replace(context, hears_sentences=False) if is_offer else context
        self.own: dict[str, str] = {}
        self.refuses = False
        self.is_answer = False
        self.settled: set[Question] = set()

    def read(self, text: str, *, in_sentences: bool) -> Replied:
        lines = text.splitlines()
        answered = [self._line(line) if number < _MOST_READ else None for number, line in enumerate(lines)]
        left = [
            number
            for number, (line, said) in enumerate(zip(lines, answered, strict=True))
            if said is None and line.strip() and not self._is_complete(line)
        ]
        if self.is_answer:
            for number in left:
                answered[number] = self._filled(lines[number], with_reasons=False)
        elif in_sentences and left:
            whole = self._in_sentences("\n".join(lines[number] for number in left))
            if whole is not None:
                answered[left[0]] = whole
                answered = ["" if n in left[1:] else said for n, said in enumerate(answered)]
        kept = (line if said is None else said for line, said in zip(lines, answered, strict=True))
        return Replied("\n".join(kept), self.own, self.refuses, self.is_answer, frozenset(self.settled))

    def _line(self, line: str) -> str | None:
        """Return what a line stands for if it answers in a few words, or None."""
        if not line.strip():
            return None
        numbered = numbered_answer(line)
        if numbered is not None:
            return self._by_number(*numbered, line)
        said = answer_of(line)
        if said is Consent.YES:
            return self._yes(line)
        if said is Consent.NO:
            return self._no(line)
        if len(line) > _LONGEST_CHOICE:
            return None
        chosen = self._numbered(line) or (None if self._is_complete(line) else self._named(line))
        return self._chosen(chosen, line) if chosen else None

    def _by_number(self, said: Consent, numbers: Sequence[int], line: str) -> str | None:
        """Return what `YES 2` or `NO 1 and 3` stands for.

        None if a number belongs to no choice.
        """
        of_each = [[one for one in self.questions if any(c.number == n for c in one.choices)] for n in numbers]
        if not all(of_each):
            return None
        if said is Consent.YES:
            return self._chosen([one for one in self._choices() if one.number in numbers], line)
        return self._no(line, tuple(one for found in of_each for one in found))

    def _yes(self, line: str) -> str | None:
        """Return what a yes stands for: the choices of all questions with one choice."""
        sole = [one.choices[0] for one in self.questions if len(one.choices) == 1]
        return self._chosen(sole, line) if sole else None

    def _no(self, line: str, questions: Sequence[Question] | None = None) -> str:
        refusals = [one.refusal for one in (self.questions if questions is None else questions) if one.refusal]
        self.is_answer = True
        self.refuses = not refusals
        return self._stands_for(_together("NO", refusals), line)

    def _chosen(self, chosen: Sequence[Choice], line: str) -> str:
        self.is_answer = True
        self.settled.update(one for one in self.questions if one.is_settled_once and set(one.choices) & set(chosen))
        return self._stands_for(_together("YES", [one.lines for one in chosen]), line)

    def _stands_for(self, lines: str, words: str) -> str:
        for one in lines.splitlines()[-1:]:
            self.own[one] = words.strip().splitlines()[0]
        return lines

    def _choices(self) -> list[Choice]:
        return [choice for question in self.questions for choice in question.choices]

    def _numbered(self, line: str) -> list[Choice]:
        """Return the choices whose numbers or positions a line names.

        Empty if the line says anything else.
        """
        text = normal_form(f" {line}").text
        choices = self._choices()
        several = next((one.choices for one in self.questions if len(one.choices) > 1), self._shown_alone())
        found: list[Choice] = []
        for place, pattern in enumerate(_ordinals()):
            if place < len(several) and pattern.search(text):
                found.append(several[place])
                text = pattern.sub(" ", text)
        for table, meant in (("last", several[-1:]), ("all", several)):
            if several and _patterns(table).search(text):
                found += meant
                text = _patterns(table).sub(" ", text)
        for number in re.findall(r"\d+", text):
            found += [one for one in choices if one.number == int(number)]
            found += several if len(several) == 1 and int(number) == 1 and not several[0].number else ()
            text = re.sub(rf"(?<!\d){number}(?!\d)", " ", text) if found else text
        return found if found and not _left_of_courtesy(text) else []

    def _shown_alone(self) -> tuple[Choice, ...]:
        """Return the only choice of all questions, which is shown without a number.

        Empty if that choice needs a bare yes.
        """
        choices = self._choices()
        return tuple(choices) if len(choices) == 1 and not any(one.needs_bare_yes for one in self.questions) else ()

    def _named(self, line: str) -> list[Choice]:
        """Return the choice that a line names by words of no other choice.

        Empty if the line says more.
        """
        text = normal_form(line).text
        if _spoils(text) or _patterns("asks").search(text) or _patterns("takes_back").search(text):
            return []
        said = self._names_in(line)
        asked = [one for one in self.questions if one.choices and not (one.is_offer and not one.choices[0].called)]
        for question in asked:
            words = [self._names_in(choice.words) for choice in question.choices]
            in_all = frozenset.intersection(*words) if len(words) > 1 else frozenset()
            meant = [choice for choice, own in zip(question.choices, words, strict=True) if said & (own - in_all)]
            explains = _patterns("means").search(text) is not None  # it may repeat the word that was wrong
            if len(meant) == 1 and (explains or self._only_names(line, words) or not self._names_another(line, words)):
                return meant
        return []

    def _names_in(self, line: str) -> frozenset[str]:
        """Return the words of a line, with codes for places and powers."""
        lexicon = self.context.lexicon
        text = normal_form(line).text
        names = lexicon.names
        found: set[str] = set()
        for word in lexicon.words(text):
            if word.text in names.places:
                found |= {f"{province}" for province in names.places[word.text]}
            elif word.text in names.powers:
                found.add(f"{names.powers[word.text]}")
            elif len(word.text) >= _FEWEST_LETTERS:
                found |= {one.lower() for one in _WORD.findall(word.text) if len(one) >= _FEWEST_LETTERS}
        return frozenset(found)

    def _only_names(self, line: str, words: Sequence[frozenset[str]]) -> bool:
        """Whether a Japanese line names nothing besides the choices.

        Other talk is allowed, a denial is not.
        """
        text = normal_form(line).text
        if not is_japanese(text) or _patterns("denies").search(_patterns("idle").sub(" ", text)):
            return False
        lexicon, known = self.context.lexicon, frozenset.union(*words)
        names = lexicon.names
        named = [word.text for word in lexicon.words(text) if word.text in names.places or word.text in names.powers]
        return all(self._names_in(one) <= known for one in named)

    def _names_another(self, line: str, words: Sequence[frozenset[str]]) -> bool:
        """Whether a line names a place or power that is in no choice.

        Also true if it has other words and names nothing, or has other words and a no.
        In Japanese other words are enough.
        """
        known = frozenset.union(*words)
        lexicon, text = self.context.lexicon, normal_form(line).text
        named = [word.text for word in lexicon.words(text) if word.kind in ("PLACE", "POWER")]
        if any(len(word) > _LONGEST_CODE and not (self._names_in(word) & known) for word in named):
            return True
        left = [word for word in _left_of_courtesy(text) if not (self._names_in(word) & known)]
        if is_japanese(text):
            return bool(left)
        return bool(left) and (not named or _patterns("declines").search(_patterns("idle").sub(" ", text)) is not None)

    def _is_complete(self, line: str) -> bool:
        """Whether a line certainly asks for something by itself."""
        read = read_line(0, line, self.commands)
        requests = [one for one in read.requests if not isinstance(one, Perhaps | AnswerQuestion | Steering)]
        return bool(requests) and not read.faults

    def _asks(self, line: str) -> bool:
        """Whether a sentence asks for something by itself, even uncertainly."""
        read = read_line(0, line, self.context)
        return asks_of_itself(read)

    def _in_sentences(self, text: str) -> str | None:
        """Return what free words stand for, or None.

        They accept or decline an offer, begin with a yes, or give what was missing.
        """
        if not any(one.is_offer for one in self.questions) and any(map(self._asks, text.splitlines())):
            return self._filled(text) if self._is_a_reason(text) else None
        free = [one for one in self.questions if len(one.choices) == 1 and not one.needs_bare_yes]
        said = consent_in(text) if any(one.is_offer for one in free) else _begins_with(text)
        if said is Consent.YES and free:
            return self._chosen([one.choices[0] for one in free], text)
        declined = tuple(one for one in self.questions if one.is_offer or (one.choices and not one.refusal))
        if said is Consent.NO and declined:  # a no that has an effect must stand alone
            return self._no(text, declined)
        return self._filled(text)

    def _is_a_reason(self, text: str) -> bool:
        """Whether words give the reason that was asked for: `Because Alice is away`.

        They must not ask for anything themselves.
        """
        if not any(one.takes_any_words for one in self.questions):
            return False
        if _because().match(text) is not None:
            return True
        read = [read_line(0, line, self.context) for line in text.splitlines()]
        return all(line.is_guess or not asks_of_itself(line) for line in read) and not _requests().search(
            normal_form(text).text
        )

    def _filled(self, text: str, *, with_reasons: bool = True) -> str | None:
        """Return an incomplete line, completed by the words of a mail, or None."""
        for question in self.questions:
            if not question.blank or (question.takes_any_words and not with_reasons):
                continue
            for words in self._values(text, any_words=question.takes_any_words):
                line = question.blank.format(words)
                if self._is_complete(line.splitlines()[-1]):
                    self.is_answer = True
                    self.settled.update({question} if question.is_settled_once else ())
                    return self._stands_for(line, text)
        return None

    def _values(self, text: str, *, any_words: bool) -> Iterator[str]:
        lines = [line.strip() for line in text.splitlines() if not is_courtesy(line, self.context.names)]
        for words in (" ".join(lines), *lines):
            plain = _because().sub("", words).strip(" .!,")
            if plain and answer_of(words) is None and not (any_words and _is_no_reason(words)):
                yield plain.replace("{", "").replace("}", "")[:_LONGEST_REASON]


def asks_of_itself(line: ReadLine) -> bool:
    """Whether a line asks for something, even uncertainly or incompletely."""
    is_incomplete = any(fault.kind in OF_SENTENCES for fault in line.faults)
    return is_incomplete or any(not isinstance(one, AnswerQuestion | Steering) for one in line.requests)


def _together(word: str, lines: Sequence[str]) -> str:
    """Return the lines, with answers to numbered questions joined into one line.

    A joined line is refused if its answers exclude each other.

    >>> _together("YES", ["YES 1", "YES 2"])
    'YES 1, 2'
    """
    numbers = [line.removeprefix(f"{word} ") for line in lines if re.fullmatch(rf"{word} \d+", line)]
    others = [line for line in lines if not re.fullmatch(rf"{word} \d+", line)]
    return "\n".join([*others, *([f"{word} {', '.join(numbers)}"] if numbers else [])])


def consent_in(text: str) -> Consent:
    """Return whether sentences accept or decline.

    They are unclear with a condition, a doubt, a question, or another person.
    A doubt outside the sentence that declines does not matter.

    >>> consent_in("Yes, I would love to play!"), consent_in("Yes, if Germany is still free.")
    (<Consent.YES: 'yes'>, <Consent.UNCLEAR: 'unclear'>)
    >>> consent_in("I really can't. Perhaps in another year.")
    <Consent.NO: 'no'>
    """
    yes = no = is_doubted = False
    for sentence in _patterns("between_sentences").split(text):
        said = _patterns("idle").sub(" ", normal_form(f" {sentence}").text).strip()
        declines = _patterns("declines").search(said) is not None
        accepts = _patterns("accepts").search(normal_form(f" {sentence}").text.strip()) is not None
        if (accepts or declines) and (_patterns("asks").search(said) or _patterns("others").search(said)):
            return Consent.UNCLEAR
        if _spoils(said) and (accepts or declines):
            return Consent.UNCLEAR
        is_doubted = is_doubted or _spoils(said)
        yes, no = yes or (accepts and not declines), no or declines
    if no:
        return Consent.NO
    return Consent.YES if yes and not is_doubted else Consent.UNCLEAR


def _begins_with(text: str) -> Consent:
    """Return the yes or no that a text begins with.

    It is unclear if the words behind withdraw it.

    >>> _begins_with("Yes, that is what I meant."), _begins_with("Yes, but only if Austria agrees")
    (<Consent.YES: 'yes'>, <Consent.UNCLEAR: 'unclear'>)
    """
    folded = normal_form(text).text
    said = answer_of(_END_OF_A_PHRASE.split(text.strip(), maxsplit=1)[0])
    if said is None and _patterns("begins_yes").match(folded):
        said = Consent.YES
    is_spoiled = _spoils(folded) or any(_patterns(one).search(folded) for one in ("asks", "others"))
    refused = _patterns("declines").search(_patterns("idle").sub(" ", folded)) if is_japanese(folded) else None
    takes_back = said is Consent.YES and (refused or _patterns("takes_back").search(folded)) is not None
    return Consent.UNCLEAR if said is None or is_spoiled or takes_back else said


def _is_no_reason(text: str) -> bool:
    """Whether words cannot be a reason.

    They are a question, only numbers or signs, or begin with yes or no.
    """
    folded = normal_form(text).text
    if _patterns("asks").search(folded) or not any(map(str.isalpha, folded)):
        return True
    if _because().match(text):
        return False
    if consent_in(text) is Consent.NO:
        return True
    return answer_of(_END_OF_A_PHRASE.split(text.strip(), maxsplit=1)[0]) is not None


def _spoils(text: str) -> bool:
    return _patterns("spoils").search(text) is not None


def _left_of_courtesy(text: str) -> list[str]:
    """Return the words of a text without those that may stand beside an answer."""
    if is_japanese(text):
        text = _run_on_beside().sub(" ", text)
    beside = _beside()
    return [word for word in _WORD.findall(text) if word not in beside]


@cache
def _words(table: str) -> Mapping[str, Sequence[str]]:
    words: Mapping[str, Sequence[str]] = _all_words()[table]
    return words


@cache
def _all_words() -> Mapping[str, Mapping[str, Sequence[str]]]:
    return shipped_data("grammar/replies.toml")


@cache
def _patterns(table: str) -> re.Pattern[str]:
    whole = r"(?<!\w)(?:%s)(?![a-z])" if table in _WHOLE else "%s"
    return re.compile(whole % "|".join(f"(?:{one})" for words in _words(table).values() for one in words))


@cache
def _ordinals() -> tuple[re.Pattern[str], ...]:
    """Return a pattern for each position in a list: the first, the second and others."""
    places = zip(*_words("ordinals").values(), strict=True)
    return tuple(re.compile("|".join(rf"(?<!\w)(?:{one})" for one in words)) for words in places)


@cache
def _beside() -> frozenset[str]:
    return frozenset(part for words in _words("beside").values() for one in words for part in one.split())


@cache
def _run_on_beside() -> re.Pattern[str]:
    words = sorted((one for one in _beside() if is_japanese(one)), key=len, reverse=True)
    return re.compile("|".join(map(re.escape, words)))


def _requests() -> re.Pattern[str]:
    return pattern_of("%s", "requests")


@cache
def _because() -> re.Pattern[str]:
    words = "|".join(one for words in _words("because").values() for one in words)
    return re.compile(rf"^\s*(?:{words})\s*", re.IGNORECASE)
