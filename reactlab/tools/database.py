"""Questions to an SQLite database that can only be read, in bounded time and space."""

from __future__ import annotations

import re
import sqlite3
import time
from collections import Counter
from contextlib import closing, suppress
from dataclasses import dataclass, field
from functools import cache
from math import prod
from pathlib import Path

from reactlab.errors import ConfigError, ToolError, ToolUnavailable
from reactlab.wording import each, foreign, join, say

SAMPLE = Path(__file__).parent.parent / "data" / "sample" / "shop.sql"

MAX_SQL = 10_000
MAX_BRACKETS = 100
MAX_COPIES = 100
"""SQLite needs up to 20 ms for each, before it looks at the clock (before version 3.41)."""
MAX_VALUE = 10_000
"""Bytes of one value. At this size every function that is allowed returns within milliseconds."""
STEPS = 100
"""How many steps of SQLite's machine lie between two looks at the clock."""
MAX_CELL = 200
MAX_TEXT = 20_000
MAX_SCHEMA = 1_500

TOO_SLOW = "The query took longer than {limit:g} seconds and was stopped: narrow it with WHERE."
LOCKED = "Another program has locked the database for now."
LOCKS = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
ONE_STATEMENT = "Only one read-only statement is allowed: a SELECT, or WITH ... SELECT."

ACTIONS = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_RECURSIVE}
"""What a statement may do, besides calling functions. SQLite asks for each part of it."""

SCHEMA = """
    SELECT m.name || '(' || group_concat(trim(p.name || ' ' || p.type), ', ') || ')'
    FROM sqlite_master AS m, pragma_table_info(m.name) AS p
    WHERE m.type IN ('table', 'view') AND m.name NOT LIKE 'sqlite!_%' ESCAPE '!'
    GROUP BY m.rowid ORDER BY m.rowid
"""
_NAMES = """
    abs avg char coalesce concat count date datetime dense_rank exp first_value ceil floor glob
    group_concat hex if ifnull iif instr json_array_length json_each json_extract json_tree
    julianday lag last_value lead length like ln log log10 lower ltrim max min mod ntile nullif
    percent_rank pi pow power quote randomblob rank replace round row_number rtrim sign sqrt
    strftime substr substring sum time total trim typeof unicode unixepoch upper zeroblob -> ->>
"""
FUNCTIONS = frozenset(_NAMES.split())
"""The functions that only compute. `printf` and `json_group_array` can take any time or memory."""

TOKEN = re.compile(
    r"(?s)--[^\n]*|/\*.*?(?:\*/|\Z)|'(?:[^']|'')*(?:'|\Z)|\"(?:[^\"]|\"\")*(?:\"|\Z)"
    r"|`(?:[^`]|``)*(?:`|\Z)|\[[^\]]*(?:\]|\Z)|[\w$\x80-\U0010ffff]+|\S"
)
WITH_TABLE = re.compile(r"(?<!\S)(\S+) (?:\( [^()]* \) )?as (?:not )?(?:materialized )?\(")


@dataclass(frozen=True)
class Database:
    """A database on which `query` reads, and nothing writes.

    Holds settings only: every query opens its own connection, so one object serves any number of
    threads and survives pickling. `Database(path)` reads a file; `Database.from_sql(text)` builds
    a database in memory, of which every query gets a fresh copy.

    At most `max_rows` rows are shown; a query is stopped after about `seconds`. Values longer than
    10,000 bytes cannot be computed or selected.
    Raises `ConfigError` when there is no database at `path`.
    """

    path: str | Path = ""
    max_rows: int = field(default=50, kw_only=True)
    seconds: float = field(default=2.0, kw_only=True)
    image: bytes = field(default=b"", kw_only=True, repr=False)

    def __post_init__(self) -> None:
        try:
            self.schema_text()
        except sqlite3.Error as error:
            raise ConfigError(f"{self.path} cannot be opened as a database: {error}.") from None

    @classmethod
    def from_sql(cls, sql: str, *, max_rows: int = 50, seconds: float = 2.0) -> Database:
        """A database in memory, made by running the statements in `sql` once."""
        with closing(sqlite3.connect(":memory:")) as connection:
            try:
                connection.execute("PRAGMA user_version = 1")  # so that even no table has an image
                connection.executescript(sql)
            except (sqlite3.Error, ValueError) as error:
                raise ConfigError(f"The SQL text does not build a database: {error}.") from None
            return cls(image=connection.serialize(), max_rows=max_rows, seconds=seconds)

    def connect(self) -> sqlite3.Connection:
        """A new connection on which SQLite itself refuses all but reading; the caller closes it."""
        connection = self._open()
        try:
            connection.execute("PRAGMA temp_store = FILE")  # large sorts go to disk
            connection.execute("SELECT 1 FROM json_each('[]'), json_tree('[]'), sqlite_master")
        except sqlite3.Error:  # such as a file that another program has locked
            connection.close()
            raise
        connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_VALUE)
        connection.setlimit(sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100)
        connection.set_authorizer(_authorize)
        return connection

    def _open(self) -> sqlite3.Connection:
        if self.image:
            connection = sqlite3.connect(":memory:")
            connection.deserialize(self.image)
            return connection
        where = f"{Path(self.path).resolve().as_uri()}?mode=ro"
        return sqlite3.connect(where, uri=True, timeout=self.seconds)

    def schema_text(self) -> str:
        """The tables and views, one a line, with columns and types: `orders(id INTEGER, ...)`."""
        with closing(self._open()) as connection:
            return "\n".join(line for (line,) in connection.execute(SCHEMA))

    def query(self, sql: str) -> str:
        """The rows that one SELECT returns, as a table in text: a header, rows, and their number.

        Raises `ToolError` when the statement is wrong, would write, or takes too long; an unknown
        table or column is answered with those that exist. Raises its `ToolUnavailable` while
        another program has locked the file.
        """
        _check(sql)
        deadline = time.monotonic() + self.seconds
        try:
            with closing(self.connect()) as connection:
                connection.set_progress_handler(lambda: time.monotonic() > deadline, STEPS)
                return self._table(connection.execute(sql))
        except (sqlite3.Error, sqlite3.Warning, ValueError, MemoryError) as error:
            if getattr(error, "sqlite_errorcode", 0) & 0xFF in LOCKS:
                raise ToolUnavailable(say(LOCKED)) from None
            reason = self._explained(str(error))
        raise ToolError(reason)

    def _table(self, cursor: sqlite3.Cursor) -> str:
        if not cursor.description:
            told = "There is no query in this text. {rule}"
            raise ToolError(say(told, rule=say(ONE_STATEMENT)))
        lines = [join((_cell(name) for name, *_ in cursor.description), " | ")]
        for count, row in enumerate(cursor):
            if count == self.max_rows or sum(map(len, lines)) > MAX_TEXT:
                told = "(first {count} rows; more rows exist: narrow the query)"
                break
            lines.append(join(map(_cell, row), " | "))
        else:
            told = "(1 row)" if len(lines) == 2 else "({count} rows)"
        return join([_cut(join(lines), MAX_TEXT), say(told, count=len(lines) - 1)])

    def _explained(self, reason: str) -> str:
        """What a model can do instead, by the words SQLite uses."""
        if reason == "interrupted":
            return say(TOO_SLOW, limit=self.seconds)
        if function := re.match(r"not authorized to use function: (.*)", reason):
            return say("The function {name} is not available here.", name=function[1])
        if re.search(r"authoriz|not be modified|prohibited|readonly|one statement", reason):
            return say(ONE_STATEMENT)
        if re.search(r"too big|too complex|^$", reason):
            return say("A value in this query is too long to work with: use shorter texts.")
        if reason.startswith("no such"):
            tables: str = say("(nothing)")
            with suppress(sqlite3.Error):  # a view may have become one that SQLite refuses
                tables = _cut(self.schema_text(), MAX_SCHEMA)
            told = "{reason}. The tables are:\n{tables}"
            return say(told, reason=_cut(foreign(reason), 300), tables=tables)
        return say("SQL error: {reason}.", reason=_cut(foreign(reason.rstrip(".")), 300))


def _authorize(action: int, _: str | None, name: str | None, *__: str | None) -> int:
    is_function = action == sqlite3.SQLITE_FUNCTION and (name or "").lower() in FUNCTIONS
    return sqlite3.SQLITE_OK if action in ACTIONS or is_function else sqlite3.SQLITE_DENY


def _check(sql: str) -> None:
    """Refuse what would take SQLite long before it asks or looks at the clock."""
    if len(sql) > MAX_SQL or sql.count("(") > MAX_BRACKETS:
        told = "The query is too long: at most {signs} signs, {brackets} brackets."
        raise ToolError(say(told, signs=MAX_SQL, brackets=MAX_BRACKETS))
    if _copies(sql) > MAX_COPIES:
        raise ToolError(say("The WITH tables refer to each other too often: use fewer of them."))


def _copies(sql: str) -> int:
    """At most how many copies of tables SQLite makes of the WITH tables in `sql`.

    It copies a table's definition wherever the name stands, so thirty tables that each name the
    one before twice become a billion before any limit applies. The product of how often each
    is named, once for each of its definitions, is never less than the copies. A name before a
    point is a column's, and not counted.
    """
    tokens = TOKEN.findall(sql.casefold())  # where a letter stands makes no difference to it
    text = " ".join(_word(token) for token in tokens if not token.startswith(("--", "/*")))
    words = text.replace(" . ", ".").split()
    defined = Counter(WITH_TABLE.findall(text))
    return prod(max(1, words.count(name) - times) ** times for name, times in defined.items())


def _word(token: str) -> str:
    """A name without its quotes and in one piece, whatever signs it contains and however often."""
    if len(token) == 1 and token.isascii():
        return token
    return re.sub(r"\W+", "_", token.strip("'\"`[]") or "_")


def _cell(value: str | bytes | int | float | None) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, bytes):
        return say("<{count} bytes>", count=len(value))
    if value == "NULL":
        return "'NULL'"
    line = each(_cut(str(value), MAX_CELL), lambda text: re.sub(r"\r?\n|\r", r"\\n", text))
    return each(line, lambda text: text.replace("|", r"\|"))


def _cut(text: str, limit: int) -> str:
    if len(text) <= limit:
        return text
    shown = each(text, lambda text: text[:limit])
    return say("{text}… ({count} characters in all)", text=shown, count=len(text))


@cache
def sample_database() -> Database:
    """The shop that comes with the package: customers, products, orders and their items."""
    return Database.from_sql(SAMPLE.read_text(encoding="utf-8"))


def query_database(sql: str) -> str:
    """Run one read-only SQL query (SQLite) on the sample shop; see `Database.query`."""
    return sample_database().query(sql)
