"""Deadlines that suit the players, by their hours and zones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta
from itertools import combinations
from zoneinfo import ZoneInfo

from judge.calendar import AWAKE, Hours, Timetable, Weekday, first_moment

MOST = 3
"""The most deadlines that are offered."""
_USUAL_HOUR = 21
_APART = 2
"""How many hours lie between two deadlines that are offered, at least."""
_HALF_A_DAY = timedelta(hours=12)
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Player:
    """A player, as far as deadlines concern them."""

    hours: Hours | None
    zone: str
    name: str = ""
    """Their name; "" where the reader may not know it."""


@dataclass(frozen=True, slots=True)
class DeadlineOffer:
    """A timetable of movement phases that suits the players."""

    timetable: Timetable
    zone: str
    """The zone of the game."""
    here: Timetable | None = None
    """The same on the clocks of the reader; None if they show the same."""
    outside: tuple[str, ...] = ()
    """The names of the players it does not suit.

    They are "" where the reader may not know them.
    """

    @property
    def names(self) -> tuple[str, ...]:
        """The names in `outside` that the reader may know."""
        return tuple(filter(None, self.outside))

    @property
    def others(self) -> int:
        """How many more players it does not suit."""
        return len(self.outside) - len(self.names)

    @property
    def setting(self) -> str:
        """The value of the setting, as a master writes it."""
        table = self.timetable
        assert table.at is not None
        days = " ".join(day.name[:3].title() for day in table.days) or "daily"
        least = f", at least {int(table.length.total_seconds()) // 3600} hours" if table.length else ""
        return f"{days} {table.at:%H:%M}{least}"


def deadlines_for(
    table: Timetable, zone: str, players: Sequence[Player], here: str, now: datetime
) -> tuple[DeadlineOffer, ...]:
    """Return timetables that suit the players better than `table`, the best first.

    There are none if no player named hours, if phases last less than a day, or if no other timetable is better. If none
    suits all players, they are those at which the fewest sleep. `zone` is that of the game, `here` that of the reader.
    """
    is_long = table.at is not None or table.length >= _DAY
    if not is_long or not any(one.hours for one in players):
        return ()
    week = _Week(zone, now, players)
    if table.at is not None and not week.outside(table):
        return ()
    length = table.length if table.at is not None else table.length - _HALF_A_DAY
    usual = table.at.hour if table.at is not None else _USUAL_HOUR
    best = sorted((week.best_days(hour, table.weekdays), abs(hour - usual), hour) for hour in range(24))
    offers: list[_Choice] = []
    hours: list[int] = []
    for choice, _, hour in best:
        if choice.rank == best[0][0].rank and len(hours) < MOST and all(abs(hour - one) >= _APART for one in hours):
            offers.append(choice)
            hours.append(hour)
    tables = [Timetable(length, choice.days, time(hour)) for choice, hour in zip(offers, hours, strict=True)]
    return tuple(_offer(one, week, here) for one in tables) if tables[0] != table else ()


def _offer(table: Timetable, week: _Week, zone: str) -> DeadlineOffer:
    here = week.shown_in(zone, table)
    outside = tuple(one.name for one in week.outside(table))
    return DeadlineOffer(table, week.zone, here if here != table else None, outside)


@dataclass(frozen=True, slots=True, order=True)
class _Choice:
    """Weekdays for a deadline at some hour; the less the better."""

    asleep: int
    """How often a player sleeps during a deadline, in a week."""
    unsuited: int
    """How often it lies outside the hours of a player."""
    others: int
    """How many of the weekdays are others than before."""
    unevenness: int
    order: tuple[Weekday, ...]

    @property
    def rank(self) -> tuple[int, int, int]:
        """What makes it better than others, however the days lie."""
        return self.asleep, self.unsuited, self.others

    @property
    def days(self) -> frozenset[Weekday]:
        """The weekdays; empty for every day."""
        return frozenset(self.order) if len(self.order) < len(Weekday) else frozenset()


@dataclass(frozen=True, slots=True)
class _Week:
    """The week to come, in the zone of the game."""

    zone: str
    now: datetime
    players: Sequence[Player]

    def _moments(self, at: time, weekdays: frozenset[Weekday] = frozenset()) -> Iterator[tuple[Weekday, datetime]]:
        """Yield these weekdays, or all, with the moment of that time."""
        place = ZoneInfo(self.zone)
        today = self.now.astimezone(place).date()
        for day in (today + ahead * _DAY for ahead in range(1, 8)):
            weekday = Weekday(day.weekday())
            if not weekdays or weekday in weekdays:
                yield weekday, first_moment(datetime.combine(day, at), place)

    def outside(self, table: Timetable) -> tuple[Player, ...]:
        """Return the players with a deadline of the timetable outside their hours."""
        assert table.at is not None
        moments = [moment for _, moment in self._moments(table.at, table.weekdays)]
        return tuple(one for one in self.players if not all(_suits(one, moment) for moment in moments))

    def best_days(self, hour: int, before: frozenset[Weekday]) -> _Choice:
        """Return as many weekdays as before, or all, on which that hour suits best."""
        asleep, unsuited = [0] * len(Weekday), [0] * len(Weekday)
        for weekday, moment in self._moments(time(hour)):
            bothered = [one for one in self.players if not _suits(one, moment)]
            unsuited[weekday] = len(bothered)
            asleep[weekday] = sum(not AWAKE.suit(moment, one.zone) for one in bothered)
        return min(
            _Choice(
                sum(asleep[day] for day in days),
                sum(unsuited[day] for day in days),
                sum(day not in before for day in days),
                _unevenness(days),
                days,
            )
            for days in combinations(Weekday, len(before) or len(Weekday))
        )

    def shown_in(self, zone: str, table: Timetable) -> Timetable:
        """Return the timetable on the clocks of another zone, as they are in this week."""
        assert table.at is not None
        place = ZoneInfo(zone)
        walls = [moment.astimezone(place) for _, moment in self._moments(table.at, table.weekdays)]
        days = frozenset(Weekday(wall.weekday()) for wall in walls) if table.weekdays else table.weekdays
        return replace(table, weekdays=days, at=walls[0].time())


def _suits(player: Player, moment: datetime) -> bool:
    return (player.hours or AWAKE).suit(moment, player.zone)


def _unevenness(days: Sequence[int]) -> int:
    """Return how unlike the times between these weekdays are."""
    return sum(((after - day - 1) % 7 + 1) ** 2 for day, after in zip(days, (*days[1:], *days[:1]), strict=True))
