"""Questions to an SQLite database that can only be read, in bounded time and space."""

from __future__ import annotations

import queue
import re
import sqlite3
import threading
import time
from collections.abc import Iterable
from contextlib import closing, suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TypeAlias

from reactlab.errors import ConfigError, ToolError
from reactlab.tools import readonly

SAMPLE = Path(__file__).parent.parent / "data" / "sample" / "shop.sql"
MAX_SCHEMA = 1_500
STEPS = 100_000
"""How many steps of SQLite's machine lie between two looks at the clock."""

Outcome: TypeAlias = str | ToolError


@dataclass(frozen=True)
class Database:
    """A database on which `query` reads, and nothing writes.

    Holds settings only: every query opens its own connection, so one object serves any number of
    threads and survives pickling. `Database(path)` reads a file; `Database.from_sql(text)` builds
    a database in memory, of which every query gets a fresh copy.

    At most `max_rows` rows and `max_cell` characters a cell are shown; a query is stopped after
    `seconds`. Values longer than 100,000 bytes cannot be computed or selected.
    Raises `ConfigError` when there is no database at `path`.
    """

    path: str | Path = ""
    max_rows: int = field(default=50, kw_only=True)
    max_cell: int = field(default=200, kw_only=True)
    max_characters: int = field(default=20_000, kw_only=True)
    seconds: float = field(default=2.0, kw_only=True)
    image: bytes = field(default=b"", kw_only=True, repr=False)

    def __post_init__(self) -> None:
        if self.image:
            return
        try:
            self.schema_text()
        except sqlite3.Error as error:
            raise ConfigError(f"{self.path} cannot be opened as a database: {error}.") from None

    @classmethod
    def from_sql(
        cls,
        sql: str,
        *,
        max_rows: int = 50,
        max_cell: int = 200,
        max_characters: int = 20_000,
        seconds: float = 2.0,
    ) -> Database:
        """A database in memory, made by running the statements in `sql` once."""
        with closing(sqlite3.connect(":memory:")) as connection:
            try:
                connection.execute("PRAGMA user_version = 1")  # so that even no table has an image
                connection.executescript(sql)
            except (sqlite3.Error, ValueError) as error:
                raise ConfigError(f"The SQL text does not build a database: {error}.") from None
            return cls(
                image=connection.serialize(),
                max_rows=max_rows,
                max_cell=max_cell,
                max_characters=max_characters,
                seconds=seconds,
            )

    def connect(self) -> readonly.Connection:
        """A new connection that can only read; the caller closes it."""
        connection = self._open()
        try:
            connection.lock()
        except sqlite3.Error:  # such as a file that another program has locked
            connection.close()
            raise
        return connection

    def _open(self) -> readonly.Connection:
        where = ":memory:" if self.image else f"{Path(self.path).resolve().as_uri()}?mode=ro"
        connection = sqlite3.connect(
            where,
            uri=not self.image,
            timeout=self.seconds,
            check_same_thread=False,  # the thread that waits also stops the query
            factory=readonly.Connection,
        )
        if self.image:
            connection.deserialize(self.image)
        return connection

    def schema_text(self) -> str:
        """The tables and views, one a line, with columns and types: `orders(id INTEGER, ...)`."""
        with closing(self._open()) as connection:
            names = connection.execute(
                "SELECT name FROM sqlite_master WHERE type IN ('table', 'view')"
                " AND name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY rowid"
            ).fetchall()
            return "\n".join(f"{name}({_columns(connection, name)})" for (name,) in names)

    def query(self, sql: str) -> str:
        """The rows that one SELECT returns, as a table in text: a header, rows, and their number.

        Raises `ToolError` when the statement is wrong, would write, or takes too long; an unknown
        table or column is answered with those that exist.
        """
        readonly.check(sql)
        try:
            connection = self.connect()
        except sqlite3.Error as error:
            raise ToolError(f"The database cannot be opened: {error}.") from None
        try:
            outcome = self._await(connection, sql)
        finally:
            with suppress(sqlite3.ProgrammingError):  # it is closed when the query has ended
                connection.interrupt()
        if isinstance(outcome, str):
            return outcome
        raise outcome

    def _await(self, connection: readonly.Connection, sql: str) -> Outcome:
        """Run the query in a thread of its own, so that no part of it can hold up the caller."""
        outcomes: queue.SimpleQueue[Outcome] = queue.SimpleQueue()
        deadline = time.monotonic() + self.seconds
        connection.set_progress_handler(lambda: time.monotonic() > deadline, STEPS)

        def work() -> None:
            with closing(connection):
                outcome = self._read(connection, sql)
            outcomes.put(outcome)

        threading.Thread(target=work, daemon=True).start()
        try:
            return outcomes.get(timeout=self.seconds)
        except queue.Empty:
            return self._stopped()

    def _stopped(self) -> ToolError:
        return ToolError(
            f"The query took longer than {self.seconds:g} seconds and was stopped: "
            "narrow it with WHERE, or join fewer rows."
        )

    def _read(self, connection: readonly.Connection, sql: str) -> Outcome:
        try:
            cursor = connection.execute(sql)
            if not cursor.description:
                return ToolError(f"There is no query in this text. {readonly.ONE_STATEMENT}")
            return self._table([name for name, *_ in cursor.description], cursor)
        except (sqlite3.Error, sqlite3.Warning, MemoryError) as error:
            return self._explained(str(error))

    def _table(self, columns: list[str], rows: Iterable[tuple[readonly.Cell, ...]]) -> str:
        lines = [" | ".join(self._cell(name) for name in columns)]
        room = self.max_characters - len(lines[0])
        for row in rows:
            line = " | ".join(self._cell(value) for value in row)
            room -= len(line)
            if len(lines) > self.max_rows or (room < 0 and len(lines) > 1):
                note = f"(first {len(lines) - 1} rows; more rows exist: narrow the query)"
                break
            lines.append(line)
        else:
            note = "(1 row)" if len(lines) == 2 else f"({len(lines) - 1} rows)"
        body = _cut("\n".join(lines), self.max_characters)
        return f"{body}\n{note}"

    def _cell(self, value: readonly.Cell) -> str:
        if value is None:
            return "NULL"
        if isinstance(value, bytes):
            return f"<{len(value)} bytes>"
        if value == "NULL":
            return "'NULL'"
        text = _cut(str(value), self.max_cell)
        return re.sub(r"\r?\n|\r", r"\\n", text).replace("|", r"\|")

    def _explained(self, reason: str) -> ToolError:
        """The error that tells a model what to do instead, by the words SQLite uses."""
        if reason == "interrupted":
            return self._stopped()
        if function := re.match(r"not authorized to use function: (.*)", reason):
            known = function[1].lower() in readonly.FUNCTIONS
            why = "is called too often in this query" if known else "is not available here"
            return ToolError(f"The function {function[1]} {why}.")
        if re.search(
            r"authoriz|not be modified|prohibited|readonly|one statement at a time", reason
        ):
            return ToolError(readonly.ONE_STATEMENT)
        if (
            re.search(r"too big|user-defined function|pattern too complex|memory", reason)
            or not reason
        ):
            return ToolError("A value in this query is too long to work with: use shorter texts.")
        if reason.startswith("no such"):
            return ToolError(
                f"{_cut(reason, 300)}. The tables are:\n{_cut(self.schema_text(), MAX_SCHEMA)}"
            )
        return ToolError(f"SQL error: {_cut(reason.rstrip('.'), 300)}.")


def _columns(connection: sqlite3.Connection, table: str) -> str:
    found = connection.execute("SELECT name, type FROM pragma_table_info(?)", (table,))
    return ", ".join(f"{name} {kind}".strip() for name, kind in found)


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[:limit]}… ({len(text)} characters in all)"


@cache
def sample_database() -> Database:
    """The shop that comes with the package: customers, products, orders and their items."""
    return Database.from_sql(SAMPLE.read_text(encoding="utf-8"))


def query_database(sql: str) -> str:
    """Run one read-only SQL query (SQLite) on the sample shop; see `Database.query`."""
    return sample_database().query(sql)
