"""Every kind of mail says in its subject what it is, whose it is and until when; no name does harm."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import timedelta
from email import message_from_bytes, policy

import pytest

from judge import commands as c
from judge.commands import Language
from judge.games import Game, PersonId
from judge.games import events as e
from judge.games.game import Ended, GameState, MasterOffer
from judge.language import Context, read
from judge.mail.composing import compose
from judge.mail.letters import LetterKind, Outgoing
from judge.reports import AnsweredLine, NoticeKind, Reader, Receipt, Rendered, Role, event_letter, phase_reports, reply
from judge.reports.views import game_view
from judge.reports.wording import wording_in
from judge.rules import Phase, adjudicate
from tests.happenings import ADA, EVENTS, FRANCE, GAME, ITALY, NOON

ENGLISH, JAPANESE = Language.ENGLISH, Language("ja")
OVER = replace(GAME, state=GameState.FINISHED, clock=replace(GAME.clock, deadline=None))
PLAYER, WATCHER = Reader(ADA, Role.PLAYER, (FRANCE,)), Reader(ADA, Role.OBSERVER)

EVENT_SUBJECTS: Mapping[str, tuple[str, str]] = {
    "CoinTossed": ("The coin gives Italy to France", "コイン投げ: イタリアはフランスの担当者へ"),
    "Extended": ("deadline now Wed 25 Nov 12:00", "締切は11月25日(水) 12:00になりました"),
    "Extended, as it was": ("Spring 1901: the deadline is as it was", "1901年春: 締切が元に戻りました"),
    "Extended, waiting": ("Spring 1901 waits for France", "1901年春はフランスの命令を待ちます"),
    "HeldUp": ("Spring 1901 cannot be closed yet", "1901年春をまだ更新できません"),
    "FoundTooLate": (
        "Spring 1901: a mail of Ada was read too late",
        "1901年春: Adaさんのメールが更新後に見つかりました",
    ),
    "PlayerOut": ("France: out of the game", "フランスは滅亡しました"),
    "PlayerOut, back": ("France: back in the game", "フランスは復帰しました"),
    "SeatOffered": (
        "Your seat is on offer: France, deadline Wed 25 Nov 12:00",
        "フランスの引き継ぎを募っています(締切 11月25日(水) 12:00)",
    ),
    "VacancyOpened": ("France needs a player: anybody may take it", "フランスの担当者を広く募ります"),
    "WaitEnded": (
        "Spring 1901, France: your WAIT has ended, deadline Wed 25 Nov 12:00",
        "1901年春 フランス: 更新待ちが終わりました(締切 11月25日(水) 12:00)",
    ),
    "ExtensionUsed": (
        "deadline now Wed 25 Nov 12:00: France used 1 of 0",
        "締切は11月25日(水) 12:00になりました(フランスの延長1/0回)",
    ),
    "GraceBegan": (
        "Spring 1901, France: orders missing, deadline over, grace until Wed 25 Nov 12:00",
        "1901年春 フランス: 締切を過ぎました(猶予は11月25日(水) 12:00まで)",
    ),
    "Reminded": (
        "Spring 1901, France: orders missing, deadline Wed 25 Nov 12:00",
        "1901年春 フランス: 命令がそろっていません(締切 11月25日(水) 12:00)",
    ),
    "StartReset": ("The game starts anew without France", "フランスを除いて始めからやり直します"),
    "PlayerJoined": ("Ada joined as France", "Adaさんがフランスの希望で参加しました"),
    "PlayerJoined, left": ("Ada left", "Adaさんが参加を取り消しました"),
    "Petitioned": ("Ada asks for a seat: France", "Adaさんがフランスでの参加を希望しています"),
    "PetitionDecided, allowed": ("You are in", "参加が認められました"),
    "PetitionDecided": ("You have not been let in", "参加は認められませんでした"),
    "Invited": ("Ada invites you to play France", "Adaさんからのご招待(フランス)"),
    "Invited, forming": ("Ada invites you", "Adaさんからのご招待"),
    "Invited, as the master": ("Ada asks you to be the master", "Adaさんからの管理人のお願い"),
    "Invited, as a second master": ("Ada asks you to be a second master", "Adaさんからの副管理人のお願い"),
    "StandInAsked": ("Will you play France?", "フランスを担当しませんか"),
    "OfferRefused": ("Ada does not take France", "Adaさんがフランスを断りました"),
    "OfferRefused, of a master": ("Ada does not take the office of a master", "Adaさんが管理人を断りました"),
    "OrderedFor": ("Spring 1901, France: orders by the master", "1901年春 フランス: 管理人による命令"),
    "GameNews Resign": ("France needs a player", "フランスの担当者を募ります"),
    "GameNews Absence": (
        "deadline now Wed 25 Nov 12:00: France is away",
        "締切は11月25日(水) 12:00になりました(フランスの担当者が不在)",
    ),
    "GameNews Absence, taken back": (
        "deadline now Wed 25 Nov 12:00: France is not away any more",
        "締切は11月25日(水) 12:00になりました(フランスの不在は終わり)",
    ),
    "GameNews SetReady": (
        "deadline now Wed 25 Nov 12:00: France is ready",
        "締切は11月25日(水) 12:00になりました(フランスは完了)",
    ),
    "GameNews SetReady, taken back": (
        "deadline now Wed 25 Nov 12:00: France is away",
        "締切は11月25日(水) 12:00になりました(フランスの担当者が不在)",
    ),
    "GameNews TakeOver": ("You do not play France any more", "フランスの担当から外れました"),
    "GameNews ChangeSetting": ("Changed: press is none now", "設定の変更: 発言はなし"),
    "GameNews ChangeSetting, of the rules": (
        "Changed: update type is manual now",
        "設定の変更: 更新は手動更新",
    ),
    "GameNews Unstart": ("The start is taken back", "開始を取り消しました"),
    "GameNews Pause": ("The clock stands still", "更新を停止しました"),
    "GameNews Resume": ("The game goes on, deadline Wed 25 Nov 12:00", "ゲームを再開しました(締切 11月25日(水) 12:00)"),
    "GameNews SetDeadline": ("deadline now Wed 25 Nov 12:00", "締切は11月25日(水) 12:00になりました"),
    "GameNews Extend": ("deadline now Wed 25 Nov 12:00", "締切は11月25日(水) 12:00になりました"),
    "GameNews Rollback": (
        "Spring 1901 is open again, deadline Wed 25 Nov 12:00",
        "1901年春を開き直しました(締切 11月25日(水) 12:00)",
    ),
    "GameNews Redo": (
        "The rollback is taken back: Spring 1901 is open, deadline Wed 25 Nov 12:00",
        "巻き戻しを取り消し、1901年春に戻しました(締切 11月25日(水) 12:00)",
    ),
    **{
        f"GameNews {kind}": ("Spring 1901: the board is corrected", "1901年春: 盤面を訂正しました")
        for kind in ("Put", "Take", "Own")
    },
    "GameNews Eject": ("You do not play France any more", "フランスの担当から外れました"),
    "GameNews Eject, before the start": ("Ada was put out", "Adaさんが外されました"),
    "GameNews MakeDummy": ("You do not play France any more", "フランスの担当から外れました"),
    "GameNews Robot": ("France: played by a robot now", "フランスはロボットが担当します"),
    "GameNews Replace": ("France is to have another player", "フランスの交代をお願いしています"),
    "GameNews Promote": ("A second master: Ada", "副管理人が加わりました: Adaさん"),
    "GameNews HandOver": ("A new master: Ada", "管理人が替わりました: Adaさん"),
    "GameNews Elect": ("A new master: France", "管理人が替わりました: フランス"),
    "GameNews EndGame": ("The master has ended the game", "管理人がゲームを終了しました"),
    "GameNews Resign, of a master": ("A second master has left", "副管理人が抜けました"),
    "GameNews Eject, by vote": ("France: the seat is on offer", "フランスの引き継ぎを募ります"),
    "GameNews EndGame, by vote": ("The players have ended the game", "投票によりゲームを終了しました"),
    "GameNews ShutPress": ("Press is closed for this phase", "今のフェイズの発言を止めました"),
    "GameNews Propose": (
        "France proposes more time for this phase: 2 days",
        "フランスの提案: このフェイズの延長(2日)",
    ),
    "ProposalFailed": ("Proposal 1 comes to nothing", "提案1は否決されました"),
    "ProposalFailed, with its phase": ("Proposal 1 comes to nothing", "提案1は成立しませんでした"),
    "DrawAsked": ("France: do you agree to a draw?", "フランス: 引き分けに賛成されますか"),
    "DrawAsked, counted": (
        "France, Italy: your silence counts as agreement to a draw",
        "フランス、イタリア: お返事がないため、引き分けに賛成とみなします",
    ),
    "VoteDropped VoteDraw": (
        "France: your vote for a draw does not stand any more",
        "フランス: 引き分けへの賛成は無効になりました",
    ),
    "VoteDropped VoteDraw, of some": (
        "France: your vote for a draw shared by France, Italy does not stand any more",
        "フランス: フランス、イタリアの引き分けへの賛成は無効になりました",
    ),
    "VoteDropped Concede": (
        "France: your vote to let Italy win does not stand any more",
        "フランス: イタリアへの降伏は無効になりました",
    ),
    "VoteDropped Elect": (
        "France: your vote for Italy as master does not stand any more",
        "フランス: イタリアを管理人にする票は無効になりました",
    ),
    "VoteTold VoteDraw": ("France votes for a draw", "フランスが引き分けに賛成しました"),
    "VoteTold VoteDraw, of some": ("Somebody votes for a draw", "ある国が引き分けに賛成しました"),
    "VoteTold VoteDraw, taken back": (
        "Somebody takes a vote for a draw back",
        "ある国が引き分けへの賛成を取り消しました",
    ),
    "Relayed Press": ("Press: France, Italy", "密書: フランス、イタリア"),
    "Relayed Press, of a room": ("Press: England, France, Italy: Tunis", "密書: イギリス、フランス、イタリア: Tunis"),
    "Relayed Press, of nobody": ("Anonymous press to Italy", "イタリアへの匿名の密書"),
    "Relayed Press, of the master": (
        "Press from the master to France",
        "管理人からフランスへの密書",
    ),
    "Relayed Broadcast": ("To all, from France (Spring 1901)", "フランスの公式発言(1901年春)"),
    "Relayed PressToMaster": (
        "To the master, from France (Ada) (Spring 1901)",
        "フランス(Adaさん)から管理人へ(1901年春)",
    ),
    "Relayed PressToMaster, of a watcher": (
        "To the master, from Ada (Spring 1901)",
        "Adaさんから管理人へ(1901年春)",
    ),
    "Relayed Announce": ("To all, from the master (Spring 1901)", "管理人からのお知らせ(1901年春)"),
    "Relayed Object": (
        "France (Ada) objects to the last results (Spring 1901)",
        "フランス(Adaさん)の異議(1901年春)",
    ),
}


def kind_of(event: object) -> str:  # noqa: C901, PLR0911, PLR0912 - a table
    """The row of an event in the table."""
    command = getattr(event, "command", None)
    name = type(event).__name__ + (f" {type(command).__name__}" if command is not None else "")
    name += ", before the start" if isinstance(command, c.Eject) and command.power is None else ""
    name += ", allowed" if isinstance(event, e.PetitionDecided) and event.is_allowed else ""
    match event:
        case e.Extended(missing=missing, is_back=is_back) if missing or is_back:
            return f"{name}, {'waiting' if missing else 'as it was'}"
        case e.PlayerJoined(left=True):
            return f"{name}, left"
        case e.PlayerOut(is_back=True):
            return f"{name}, back"
        case e.Invited(game=game, invitation=offer):
            if isinstance(offer, MasterOffer):
                return f"{name}, as {'the' if offer.is_first else 'a second'} master"
            return f"{name}, forming" if game.state is GameState.FORMING else name
        case e.GameNews(command=c.ChangeSetting(setting="update_type")):
            return f"{name}, of the rules"
        case e.GameNews(command=c.Absence(period=None) | c.SetReady(ready=False)):
            return f"{name}, taken back"
        case e.GameNews(command=c.Resign(), power=None) | e.OfferRefused(power=None):
            return f"{name}, of a master"
        case e.GameNews(command=c.EndGame() | c.Eject(), by_vote=True):
            return f"{name}, by vote"
        case e.VoteTold(command=c.VoteDraw(agrees=False)):
            return f"{name}, taken back"
        case e.ProposalFailed(with_its_phase=True):
            return f"{name}, with its phase"
        case e.DrawAsked(is_counted=True):
            return f"{name}, counted"
        case e.VoteTold(command=c.VoteDraw(among=among)) | e.VoteDropped(command=c.VoteDraw(among=among)) if among:
            return f"{name}, of some"
        case e.Relayed(command=c.Press(is_anonymous=True)):
            return f"{name}, of nobody"
        case e.Relayed(command=c.Press(about="Tunis")):
            return f"{name}, of a room"
        case e.Relayed(command=c.Press(), power=None):
            return f"{name}, of the master"
        case e.Relayed(command=c.PressToMaster(), power=None):
            return f"{name}, of a watcher"
    return name


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("event", EVENTS, ids=kind_of)
def test_an_event(event: e.Event, language: Language) -> None:
    reader = replace(PLAYER, person=replace(ADA, language=language))
    letter = event_letter(event, reader, {ADA.id: ADA}, NOON)  # type: ignore[arg-type]
    assert letter.subject == f"[ardennes] {EVENT_SUBJECTS[kind_of(event)][language is JAPANESE]}"
    assert letter.sender


def test_no_event_lacks_its_row() -> None:
    assert {kind_of(event) for event in EVENTS} == EVENT_SUBJECTS.keys()


def closed(game: Game, phase: str) -> e.Event:
    """The report of a phase in which nothing happened."""

    before = replace(game.position, phase=Phase.parse(phase))
    return e.PhaseClosed(game, before.phase, before, adjudicate(game.map, before, {}, game.settings.rules), NOON)


def in_phase(phase: str, **changes: object) -> Game:
    return replace(GAME, position=replace(GAME.position, phase=Phase.parse(phase)), **changes)  # type: ignore[arg-type]


REPORT_SUBJECTS: Mapping[str, tuple[e.Event, Reader, str, str]] = {
    "opening": (
        e.GameStarted(GAME, NOON), PLAYER,
        "The game begins, France: orders by Wed 25 Nov 12:00", "ゲーム開始 フランス: 命令は11月25日(水) 12:00まで",
    ),
    "opening, watched": (
        e.GameStarted(GAME, NOON), WATCHER,
        "The game begins: until Wed 25 Nov 12:00", "ゲーム開始: 11月25日(水) 12:00まで",
    ),
    "orders": (
        closed(in_phase("F1901M"), "S1901M"), PLAYER,
        "Fall 1901, France: orders by Wed 25 Nov 12:00", "1901年秋 フランス: 命令は11月25日(水) 12:00まで",
    ),
    "orders of two powers": (
        closed(in_phase("F1901M"), "S1901M"), replace(PLAYER, powers=(FRANCE, ITALY)),
        "Fall 1901, France, Italy: orders by Wed 25 Nov 12:00",
        "1901年秋 フランス・イタリア: 命令は11月25日(水) 12:00まで",
    ),
    "no deadline": (
        closed(in_phase("F1901M", clock=replace(GAME.clock, deadline=None)), "S1901M"), PLAYER,
        "Fall 1901, France: orders", "1901年秋 フランス: 命令",
    ),
    "nothing to do": (
        closed(in_phase("F1901R"), "F1901M"), PLAYER,
        "Fall 1901 retreats, France: nothing to retreat, until Wed 25 Nov 12:00",
        "1901年秋の撤退フェイズ フランス: 撤退はありません(11月25日(水) 12:00まで)",
    ),
    "watched": (
        closed(in_phase("W1901A"), "F1901M"), WATCHER,
        "Winter 1901 builds and removals: until Wed 25 Nov 12:00",
        "1901年冬の調整フェイズ: 11月25日(水) 12:00まで",
    ),
    "won": (
        e.GameEnded(replace(OVER, ended=Ended.CONCESSION, winner=FRANCE, sharers=(FRANCE,)), NOON), PLAYER,
        "France has won", "フランスの優勝",
    ),
    "drawn": (
        e.GameEnded(replace(OVER, ended=Ended.DRAW, sharers=(FRANCE, ITALY)), NOON), WATCHER,
        "A draw: France, Italy", "引き分け: フランス、イタリア",
    ),
    "ended": (e.GameEnded(replace(OVER, ended=Ended.BY_MASTER), NOON), PLAYER, "The game is over", "ゲーム終了"),
}  # fmt: skip


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("kind", REPORT_SUBJECTS)
def test_a_report(kind: str, language: Language) -> None:
    event, reader, *subjects = REPORT_SUBJECTS[kind]
    reader = replace(reader, person=replace(ADA, language=language))
    letter = phase_reports(event, [reader], {ADA.id: ADA}, NOON)[0]  # type: ignore[arg-type]
    assert letter.subject == f"[ardennes] {subjects[language is JAPANESE]}"
    assert letter.sender == ("Diplomacy judge", "ディプロマシーのジャッジ")[language is JAPANESE]


ASKED: Mapping[str, tuple[tuple[c.Command, ...], Game | None, str, str]] = {
    "help": ((c.Help("orders"),), None, "Re: HELP", "Re: HELP"),
    "two": ((c.Who(), c.Status()), GAME, "Re: [ardennes] WHO, STATUS", "Re: [ardennes] WHO、STATUS"),
    "many": (
        (c.Who(), c.Status(), c.ShowVotes(), c.ShowLog()), GAME,
        "Re: [ardennes] WHO, STATUS, VOTES …", "Re: [ardennes] WHO、STATUS、VOTES…",
    ),
    "nothing": ((), GAME, "Re: [ardennes] your mail", "Re: [ardennes] いただいたメール"),
}  # fmt: skip


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("kind", ASKED)
def test_the_answer_to_a_mail_without_a_subject(kind: str, language: Language) -> None:
    requests, game, *subjects = ASKED[kind]
    lines = tuple(AnsweredLine("x", (request,)) for request in requests)
    reader = replace(PLAYER, person=replace(ADA, language=language))
    assert reply(Receipt(reader, lines, game), NOON).subject == subjects[language is JAPANESE]
    assert reply(Receipt(reader, lines, game, subject="my orders"), NOON).subject == "Re: my orders"


VERDICTS = {
    (4, 5, 1): ("4 of 5 orders on file, 1 question", "命令5件中4件受付、確認1件"),
    (1, 1, 0): ("1 order on file", "命令1件受付"),
    (0, 2, 0): ("0 of 2 orders on file", "命令2件中0件受付"),
    (0, 0, 2): ("2 questions", "確認2件"),
}


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("numbers", VERDICTS)
def test_a_verdict(numbers: tuple[int, int, int], language: Language) -> None:
    assert wording_in(language).say("verdict", *numbers) == VERDICTS[numbers][language is JAPANESE]


def test_what_was_asked_counts_orders() -> None:
    says = [wording_in(language).say_from("reports", "asked", game_view(GAME), 3, ("READY",)) for language in Language]
    assert says == ["[ardennes] 3 orders for Spring 1901, READY", "[ardennes] 1901年春の命令3件、READY"]


SUBJECTS = [
    *(subject for both in EVENT_SUBJECTS.values() for subject in both),
    *(subject for row in REPORT_SUBJECTS.values() for subject in row[2:]),
]


UNTIMED = REPORT_SUBJECTS["no deadline"][2:]


@pytest.mark.parametrize("begins", ["", "Re: ", "Subject: Re: ", "件名: Re: "])
@pytest.mark.parametrize("subject", SUBJECTS)
def test_a_subject_of_ours_in_a_mail_asks_for_nothing(subject: str, begins: str) -> None:
    """Where no more than a phase stands in it, that is the open one."""
    lines = read(f"{begins}[ardennes] {subject}", Context(GAME.map, GAME.position, (FRANCE,)))
    meant = [c.ForPhase(Phase.parse("F1901M"))] if subject in UNTIMED else []
    assert [request for line in lines for request in line.requests] == meant
    assert [fault for line in lines for fault in line.faults] == []


# Names

NAMES = {
    "markup": "<script>alert(1)</script><b>",
    "markup of ours": "{{ game }} & {% raw %}",
    "right to left": "\u202eadA\u202c \u05d0\u05d3\u05d4",
    "emoji": "👩‍🚀 Ada 🇫🇷",
    "long": "A" * 200,
    "long Japanese": "長い名前" * 50,
    "a heading and a table": "\x1eAda\x1d\tB",
}


def letters_with(name: str, language: Language) -> Iterator[Rendered]:
    """Every kind of mail that names people, with one of that name; players say it as well."""
    people = {PersonId(n): replace(ADA, id=PersonId(n), name=name, language=language) for n in (1, 9)}
    reader = replace(PLAYER, person=people[PersonId(1)])
    for event in EVENTS:
        changed = event
        if isinstance(event, e.Relayed) and isinstance(event.command, c.Press):
            changed = replace(event, command=replace(event.command, text=f"{name}\n{name}"))
        yield event_letter(changed, reader, people, NOON)
    yield phase_reports(e.GameStarted(GAME, NOON), [reader], people, NOON)[0]


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_a_name_does_no_harm(name: str, language: Language) -> None:
    for rendered in letters_with(name, language):
        assert "<script" not in rendered.html
        assert "{{ game }} &" not in rendered.html.replace("&amp;", "+")
        letter = Outgoing(LetterKind.NOTICE, "ada@players.test", "<a@b.test>", NOON, "judge@b.test", None, "", "")
        letter = replace(
            letter, subject=rendered.subject, text=rendered.text, html=rendered.html, sender_name=rendered.sender
        )
        content = compose(letter)
        mail = message_from_bytes(content, policy=policy.default)
        assert mail["Subject"].startswith("[ardennes] ")
        assert "\u202e" not in mail["Subject"]
        assert str(mail["From"].addresses[0].addr_spec) == "judge@b.test"
        assert max(map(len, content.split(b"\r\n"))) <= 998


def test_a_long_subject_is_cut() -> None:
    (event,) = (event for event in EVENTS if isinstance(event, e.PlayerJoined) and not event.left)
    rendered = event_letter(event, PLAYER, {ADA.id: replace(ADA, name="A" * 400)}, NOON + timedelta(days=1))
    letter = Outgoing(LetterKind.NOTICE, "a@b.test", "<a@b.test>", NOON, "j@b.test", None, rendered.subject, "x")
    assert len(message_from_bytes(compose(letter), policy=policy.default)["Subject"]) <= 250


NOTICE_SUBJECTS: Mapping[NoticeKind, tuple[str, str]] = {
    NoticeKind.CONFIRM: ("Please confirm: A PAR H", "ご確認ください: A PAR H"),
    NoticeKind.GATHERED: ("2 mails in your name", "お名前のメール2通の確認"),
    NoticeKind.CONFIRM_FINAL: ("Please confirm what cannot be undone: A PAR H", "取り消せないことの確認: A PAR H"),
    NoticeKind.SET_ASIDE: ("Your mail could not be processed", "メールを処理できませんでした"),
    NoticeKind.SET_ASIDE_MASTER: ("A mail was set aside", "処理できないメールがありました"),
    NoticeKind.UNREADABLE: ("Your mail could not be read", "メールを読み取れませんでした"),
    NoticeKind.UNDELIVERED: (
        "[ardennes] A mail to Ada did not arrive",
        "[ardennes] Adaさん宛てのメールが届きませんでした",
    ),
    NoticeKind.UNREACHABLE: ("[ardennes] Ada gets no more mail", "[ardennes] Adaさんへの送信を止めました"),
    NoticeKind.UNDELIVERED_OPERATOR: (
        "A mail to the master of ardennes did not arrive",
        "ardennes の管理人宛てのメールが届きませんでした",
    ),
    NoticeKind.REFUSED: (
        "Mail to x is refused because of us",
        "x 宛てのメールを受け取ってもらえません",
    ),
    NoticeKind.NO_PICTURE: ("[ardennes] A map could not be drawn", "[ardennes] 地図を作成できませんでした"),
    NoticeKind.SUSPENDED: ("An address is suspended: a@b.test", "送信を止めたアドレスがあります: a@b.test"),
    NoticeKind.UNCLEAR: ("Please answer YES or NO", "「はい」か「いいえ」でお答えください"),
    NoticeKind.SECOND: (
        "A mail was not acted on: its Message-ID was used before",
        "同じ Message-ID のメールのため、何も行いませんでした",
    ),
    NoticeKind.DECLINED: ("Nothing was done", "何も行いませんでした"),
    NoticeKind.SETTLED: ("Your answer changes nothing", "このお返事では何も変わりません"),
    NoticeKind.WHICH: ("Press, or orders?", "密書ですか、命令ですか"),
    NoticeKind.LIMIT: ("Too many mails within an hour", "メールが多すぎます"),
    NoticeKind.WELCOME: ("How to reach the judge", "ジャッジの使い方"),
    NoticeKind.ALARM: ("Alarm: the disk is nearly full", "警報: ディスクの空きがわずかです"),
    NoticeKind.HEALTH: ("How the judge is", "ジャッジの状態"),
}


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("kind", NoticeKind)
def test_a_notice(kind: NoticeKind, language: Language) -> None:
    values: dict[str, object] = {"asked": ["A PAR H"], "mails": [1, 2], "subject": "x", "domain": "x"}
    values |= {"game": "ardennes", "person": "Ada", "address": "a@b.test"}
    said = wording_in(language).say_from("notices", "subject", kind.value, values | {"alarm": "disk"})
    assert said == NOTICE_SUBJECTS[kind][language is JAPANESE]
    assert len(set(NOTICE_SUBJECTS.values())) == len(NoticeKind)
