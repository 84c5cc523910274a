"""What is run for every mail, past what SQLAlchemy does around each statement, which costs more than most of them.

They are written as all others are. On SQLite one is compiled when it is run first and from then on given to the driver
as it is; elsewhere SQLAlchemy runs it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, TypeAlias

from sqlalchemy import Connection, RowMapping, Select
from sqlalchemy.exc import DBAPIError
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.dml import UpdateBase

Values: TypeAlias = Mapping[str, Any]
Row: TypeAlias = Mapping[str, Any] | RowMapping
"""A row by the names of its columns."""
_Processor: TypeAlias = Callable[[Any], Any] | None
NO_VALUES: Values = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class _Compiled:
    """A statement as SQLite takes it."""

    sql: str
    parameters: Sequence[tuple[str, Any, _Processor]]
    """In their order: its name, or a value that is always the same; and how what is named is written."""
    columns: Sequence[tuple[str, _Processor]]
    """Of the rows that come back, each with how a value is read."""

    def written(self, values: Values) -> list[Any]:
        """The values of one run."""
        written = []
        for name, constant, to_database in self.parameters:
            value = values[name] if name else constant
            written.append(value if to_database is None else to_database(value))
        return written

    def read(self, row: Sequence[Any]) -> Row:
        """What came back."""
        return {
            name: value if from_database is None else from_database(value)
            for (name, from_database), value in zip(self.columns, row, strict=True)
        }


class Prepared:
    """A statement whose parameters are single values, each with a name."""

    def __init__(self, statement: Select[Any] | UpdateBase) -> None:
        self.statement = statement
        self._compiled: _Compiled | None = None

    def rows(self, connection: Connection, values: Values = NO_VALUES) -> Sequence[Row]:
        """All that is found."""
        if connection.dialect.name != "sqlite":
            return connection.execute(self.statement, dict(values)).mappings().all()
        compiled = self._for(connection)
        return [compiled.read(row) for row in self._run(connection, compiled, values).fetchall()]

    def row(self, connection: Connection, values: Values = NO_VALUES) -> Row | None:
        """The first that is found."""
        return next(iter(self.rows(connection, values)), None)

    def value(self, connection: Connection, values: Values = NO_VALUES) -> Any:  # noqa: ANN401 - of some column
        """The first column of the first row; None if there is none."""
        row = self.row(connection, values)
        return next(iter(row.values())) if row is not None else None

    def change(self, connection: Connection, values: Values = NO_VALUES) -> int:
        """Change rows; how many."""
        if connection.dialect.name != "sqlite":
            return connection.execute(self.statement, dict(values)).rowcount
        return self._run(connection, self._for(connection), values).rowcount

    def change_each(self, connection: Connection, values: Sequence[Values]) -> None:
        """The same once for each of these."""
        if connection.dialect.name == "sqlite":
            for one in values:
                self.change(connection, one)
        elif values:
            connection.execute(self.statement, [dict(one) for one in values])

    def _for(self, connection: Connection) -> _Compiled:
        if self._compiled is None:
            self._compiled = _compiled(self.statement, connection)
        return self._compiled

    def _run(self, connection: Connection, compiled: _Compiled, values: Values) -> sqlite3.Cursor:
        if not connection.in_transaction():
            connection.begin()
        driver: Any = connection.connection.dbapi_connection
        try:
            ran: sqlite3.Cursor = driver.execute(compiled.sql, compiled.written(values))
        except sqlite3.Error as error:
            raise DBAPIError.instance(compiled.sql, None, error, sqlite3.Error, dialect=connection.dialect) from error
        return ran


def _compiled(statement: Select[Any] | UpdateBase, connection: Connection) -> _Compiled:
    dialect = connection.dialect
    compiled = statement.compile(dialect=dialect)
    assert isinstance(compiled, SQLCompiler)
    parameters: list[tuple[str, Any, _Processor]] = []
    for name in compiled.positiontup or ():
        parameter = compiled.binds[name]
        assert not parameter.expanding
        written = parameter.type.dialect_impl(dialect).bind_processor(dialect)
        parameters.append((name if parameter.required else "", compiled.params[name], written))
    columns = [
        (str(column.key), column.type.dialect_impl(dialect).result_processor(dialect, None))
        for column in statement.exported_columns
    ]
    return _Compiled(compiled.string, parameters, columns)
