"""Hot statements, run on the DBAPI to skip SQLAlchemy's per-statement overhead.

They are written like all others. Each is compiled once, at its first run.
`benchmarks/whole_way.py` misses its promise, and with SQLAlchemy's ordinary path a mail costs 9 % more.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, TypeAlias

from sqlalchemy import ColumnElement, Connection, RowMapping, Select, bindparam
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.dml import UpdateBase

from judge.storage.pipeline import change_one_soon, run, run_each_soon, run_soon

Values: TypeAlias = Mapping[str, Any]
Row: TypeAlias = Mapping[str, Any] | RowMapping
"""A row by the names of its columns."""
_Processor: TypeAlias = Callable[[Any], Any] | None
NO_VALUES: Values = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class _Compiled:
    """A compiled statement."""

    sql: str
    parameters: Sequence[tuple[str, Any]]
    """The parameters in order: a name, or "" and a constant value."""
    processors: Sequence[tuple[int, Callable[[Any], Any]]]
    """The index of each parameter that needs converting, and the function that converts it."""
    names: Sequence[str]
    """The names of the parameters in the statement; empty if they are positional."""
    columns: Sequence[tuple[str, _Processor]]
    """The columns of the result, each with the function that converts its values."""

    def written(self, values: Values) -> Sequence[Any] | Values:
        """Return the parameters of one run."""
        written = [values[name] if name else constant for name, constant in self.parameters]
        for place, to_database in self.processors:
            written[place] = to_database(written[place])
        return dict(zip(self.names, written, strict=True)) if self.names else written

    def read(self, row: Sequence[Any]) -> Row:
        """Return a row of the result by the names of its columns."""
        return {
            name: value if from_database is None else from_database(value)
            for (name, from_database), value in zip(self.columns, row, strict=True)
        }


class Prepared:
    """A statement whose parameters are single named values."""

    def __init__(self, statement: Select[Any] | UpdateBase) -> None:
        self.statement = statement
        self._compiled: dict[str, _Compiled] = {}

    def rows(self, connection: Connection, values: Values = NO_VALUES) -> Sequence[Row]:
        """Return all rows."""
        compiled = self._for(connection)
        return [compiled.read(row) for row in run(connection, compiled.sql, compiled.written(values)).fetchall()]

    def row(self, connection: Connection, values: Values = NO_VALUES) -> Row | None:
        """Return the first row, or None."""
        return next(iter(self.rows(connection, values)), None)

    def value(self, connection: Connection, values: Values = NO_VALUES) -> Any:  # noqa: ANN401 - of some column
        """Return the first column of the first row, or None."""
        row = self.row(connection, values)
        return next(iter(row.values())) if row is not None else None

    def change(self, connection: Connection, values: Values = NO_VALUES) -> int:
        """Change rows and return their number."""
        compiled = self._for(connection)
        changed: int = run(connection, compiled.sql, compiled.written(values)).rowcount
        return changed

    def ask_soon(self, connection: Connection, values: Values, heed: Callable[[Sequence[Row]], object]) -> None:
        """Query with the next statement or the commit; then call `heed` with the rows."""
        compiled = self._for(connection)

        def read(answer: Any) -> None:  # noqa: ANN401 - of the driver
            heed([compiled.read(row) for row in answer.fetchall()])

        run_soon(connection, compiled.sql, compiled.written(values), read)

    def change_soon(self, connection: Connection, values: Values) -> None:
        """Change rows with the next statement or the commit."""
        compiled = self._for(connection)
        run_soon(connection, compiled.sql, compiled.written(values))

    def change_one(self, connection: Connection, values: Values, objection: str) -> None:
        """Change one row, as `change_soon` does.

        Raises ConflictError at that time if it does not change exactly one.
        """
        compiled = self._for(connection)
        change_one_soon(connection, compiled.sql, compiled.written(values), objection)

    def change_each(self, connection: Connection, values: Sequence[Values]) -> None:
        """Change rows once for each of these sets of values, as `change_soon` does."""
        compiled = self._for(connection)
        run_each_soon(connection, compiled.sql, [compiled.written(one) for one in values])

    def _for(self, connection: Connection) -> _Compiled:
        kind = connection.dialect.name
        if kind not in self._compiled:
            self._compiled[kind] = _compiled(self.statement, connection)
        return self._compiled[kind]


class PreparedAmong:
    """A query for the rows whose column has one of several values.

    It is prepared for one, two, four, eight values and so on.
    """

    def __init__(self, statement: Select[Any], column: ColumnElement[Any]) -> None:
        self.statement = statement
        self.column = column
        self._prepared: dict[int, Prepared] = {}

    def rows(self, connection: Connection, among: Sequence[Any]) -> Sequence[Row]:
        """Return all rows."""
        if not among:
            return []
        places = 1 << (len(among) - 1).bit_length()
        # The last value is repeated in the remaining places.
        values = {f"value_{place}": among[min(place, len(among) - 1)] for place in range(places)}
        if places not in self._prepared:
            named = [bindparam(name, type_=self.column.type) for name in values]
            self._prepared[places] = Prepared(self.statement.where(self.column.in_(named)))
        return self._prepared[places].rows(connection, values)


def rows_of_each(connection: Connection, queries: Sequence[Prepared], values: Values) -> Sequence[Sequence[Row]]:
    """Run queries in one pipeline and return the rows of each."""
    *others, last = queries
    found: list[list[Row]] = [[] for _ in others]
    for query, rows in zip(others, found, strict=True):
        query.ask_soon(connection, values, rows.extend)
    return [*found, last.rows(connection, values)]


def _compiled(statement: Select[Any] | UpdateBase, connection: Connection) -> _Compiled:
    dialect = connection.dialect
    compiled = statement.compile(dialect=dialect)
    assert isinstance(compiled, SQLCompiler)
    parameters: list[tuple[str, Any]] = []
    processors: list[tuple[int, Callable[[Any], Any]]] = []
    names = {name: parameter for parameter, name in compiled.bind_names.items()}
    for name in compiled.positiontup or names:
        parameter = names[name]
        assert not parameter.expanding
        written = parameter.type.dialect_impl(dialect).bind_processor(dialect)
        if written is not None:
            processors.append((len(parameters), written))
        parameters.append((name if parameter.required else "", compiled.params[name]))
    columns = [
        (str(column.key), column.type.dialect_impl(dialect).result_processor(dialect, None))
        for column in statement.exported_columns
    ]
    return _Compiled(compiled.string, parameters, processors, () if compiled.positional else tuple(names), columns)
