"""A sender's own words are told by the position of lines.

Other text with the same words never matters.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from judge.budget import Budget
from judge.language.words import load_lexicon
from judge.mail.own_words import own_words
from judge.service.talk.vocabulary import VOCABULARY

REPORT = """\
[ardennes] Fall 1901

The results of Spring 1901. Now open: Fall 1901.
Deadline: Fri 27 Nov 2026, 12:00 UTC

Your orders - France
Reply to this mail and complete these lines; lines left as they are do no harm.

A MAR -
A PAR -

Orders and what became of them

France
  A PAR - PIC
    bounced at Picardy: 1 against 1 (F ENG)
  A MAR - SPA

Supply centers
  France 3
    BRE MAR PAR
""".splitlines()
ATTRIBUTION = "On Tue, Nov 24, 2026 at 1:00 PM Judge <judge@localhost> wrote:"
_TELLING = {
    "HOLD": "A Par {verb}",
    "MOVE": "Par {verb} Bur",
    "ARROW": "Par {verb} Bur",
    "SUPPORT": "Mar {verb} Par - Bur",
    "CONVOY": "F Eng {verb} A Lon - Bre",
    "RETREAT": "A Par {verb} Bur",
    "DISBAND": "A Par {verb}",
    "BUILD": "{verb} A Par",
}
VERBS = [
    (terminal, word)
    for word, terminal in load_lexicon("standard").terminals.items()
    if terminal in _TELLING and word.isascii() and word[0].isalpha()
]


def test_there_are_all_english_verbs() -> None:
    assert len(VERBS) >= 186


@pytest.mark.parametrize(("terminal", "verb"), VERBS, ids=[verb for _, verb in VERBS])
def test_an_order_in_any_words_above_an_unmarked_quotation_is_the_answer(terminal: str, verb: str) -> None:
    order = _TELLING[terminal].format(verb=verb)
    text = "\n".join([order, "", ATTRIBUTION, "", *REPORT])
    assert own_words(text, VOCABULARY, REPORT).text == order


OWN: list[tuple[str, list[str], list[str], list[str]]] = [
    # description; the mail's lines; the sender's own; those set aside
    ("two lines of the report", ["A PAR - PIC", "A MAR - SPA"], ["A PAR - PIC", "A MAR - SPA"], []),
    ("in small letters", ["a par - pic", "a mar - spa", "ready"], ["a par - pic", "a mar - spa", "ready"], []),
    ("the report without marks", [*REPORT], [], []),
    ("above it", ["A PAR - PIC", "", *REPORT], ["A PAR - PIC"], []),
    ("below it", [*REPORT, "", "A PAR - PIC", "A MAR - SPA"], ["A PAR - PIC", "A MAR - SPA"], []),
    ("within it", [*REPORT[:12], "A PAR - BUR", *REPORT[12:]], ["A PAR - BUR"], []),
    ("filled in", [line.replace("A PAR -", "A PAR - PIC") if line == "A PAR -" else line for line in REPORT],
     ["A PAR - PIC"], []),
    ("its last lines alone", ["A PAR - PIC", "A MAR - SPA", *REPORT[-4:]], ["A PAR - PIC", "A MAR - SPA"], []),
    ("above and below a quotation without marks",
     ["A PAR - BUR", "", ATTRIBUTION, *REPORT, "", "A MAR - SPA"], ["A PAR - BUR"], ["A MAR - SPA"]),
    ("in a quotation without marks",
     ["A PAR - BUR", "", ATTRIBUTION, *REPORT[:9], "A MAR - GAS", *REPORT[9:]], ["A PAR - BUR"], ["A MAR - GAS"]),
    ("a table", ["| unit | order |", "|---|---|", "| A PAR | PIC |", "｜A MAR｜SPA｜"],
     ["| unit | order |", "|---|---|", "| A PAR | PIC |", "｜A MAR｜SPA｜"], []),
    ("rows that nothing ends", ["| A PAR - BUR", "｜ A MAR - GAS"], ["| A PAR - BUR", "｜ A MAR - GAS"], []),
    ("one such row", ["Hello,", "", "| A PAR - BUR"], ["Hello,", "| A PAR - BUR"], []),
    ("one below orders", ["A MAR - GAS", "| A PAR - BUR"], ["A MAR - GAS", "| A PAR - BUR"], []),
    ("in Japanese", ["| パリ陸軍をブルゴーニュへ移動", "｜マルセイユ陸軍を維持"],
     ["| パリ陸軍をブルゴーニュへ移動", "｜マルセイユ陸軍を維持"], []),
    ("with an order that cannot be read", ["| A PAR - BUR", "| A MRA - GAS"], ["| A PAR - BUR", "| A MRA - GAS"], []),
    ("rows that our mail holds", ["| A PAR - PIC"], [], ["A PAR - PIC"]),
    ("words of others behind bars", ["I agree.", "", "| Dear Bob,", "| A PAR - BUR would be nice."], ["I agree."], []),
    ("orders of others behind bars",
     ["I agree.", "", "On Tue, Nov 24, 2026 at 1:00 PM Bob <bob@x.test> wrote:", "| A PAR - BUR"], ["I agree."], []),
    ("orders below a quotation behind bars", ["> Dear Bob", "| A PAR - BUR"], [], []),
    ("behind bars", ["A PAR - BUR", "", ATTRIBUTION, *(f"| {line}" for line in REPORT)], ["A PAR - BUR"], []),
    ("house rules with marks",
     ["HOUSE RULES:", "> One player.", "| Be kind.", "-- ", "END", "End of the rules", "> A PAR - BUR"],
     ["HOUSE RULES:", "> One player.", "| Be kind.", "-- ", "END", "End of the rules"], []),
    ("in Japanese and German",
     ["ハウスルール", "> A", "ルール終わり", "> B", "  Hausregeln: C", "> D", "ENDE DER REGELN"],
     ["ハウスルール", "> A", "ルール終わり", "  Hausregeln: C", "> D", "ENDE DER REGELN"], []),
    ("house rules that nothing ends", ["HOUSE RULES:", "> One player."], ["HOUSE RULES:"], []),
    ("house rules that a quotation ends", ["HOUSE RULES:", "> One player.", "> END RULES"], ["HOUSE RULES:"], []),
    ("house rules that a quotation begins", ["> HOUSE RULES:", "> One player.", "END RULES"], ["END RULES"], []),
    ("house rules and a quotation of our mail",
     ["HOUSE RULES:", "Be kind.", *(f"> {line}" for line in REPORT), "END RULES"],
     ["HOUSE RULES:", "Be kind.", "END RULES"], []),
    ("house rules and a quotation of another mail",
     ["HOUSE RULES:", "Be kind.", "", "On Tue, Nov 24, 2026 at 1:00 PM Bob <bob@x.test> wrote:", "> No.", "END RULES"],
     ["HOUSE RULES:", "Be kind.", "END RULES"], []),
    ("house rules in a signature",
     ["A PAR - BUR", "-- ", "HOUSE RULES:", "> One.", "END RULES"], ["A PAR - BUR", "END RULES"], []),
    ("house rules that repeat our mail", ["HOUSE RULES:", *REPORT[3:6], "END RULES"],
     ["HOUSE RULES:", *REPORT[3:4], *REPORT[5:6], "END RULES"], []),
    ("behind marks", ["A PAR - BUR", "", ATTRIBUTION, *(f"> {line}" for line in REPORT)], ["A PAR - BUR"], []),
]  # fmt: skip


@pytest.mark.parametrize(("lines", "own", "aside"), [row[1:] for row in OWN], ids=[row[0] for row in OWN])
def test_what_is_the_senders(lines: list[str], own: list[str], aside: list[str]) -> None:
    found = own_words("\n".join(lines), VOCABULARY, REPORT)
    assert [line for line in found.text.splitlines() if line.strip()] == own
    assert list(found.set_aside) == aside


def test_a_quotation_of_our_mail_is_not_read_line_by_line() -> None:
    read: list[str] = []

    def gives_order(line: str, budget: Budget) -> bool:
        read.append(line)
        return VOCABULARY.gives_order(line, budget)

    lines = ["A Par - Bur", "", ATTRIBUTION, "", *REPORT]
    found = own_words("\n".join(lines), replace(VOCABULARY, gives_order=gives_order), REPORT)
    assert found.text.strip() == "A Par - Bur"
    assert len(read) < len(REPORT) / 4
