"""An SQLite connection on which nothing but bounded reading is possible."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from itertools import count, pairwise
from math import prod
from typing import TypeAlias

from reactlab.errors import ToolError

MAX_SQL = 10_000
MAX_VALUE = 100_000
MAX_PATTERN = 100
MAX_CALLS = 100
MAX_EXPANSION = 10_000
MAX_WORK = 10_000_000

ONE_STATEMENT = "Only one read-only statement is allowed: a SELECT, or WITH ... SELECT."

ACTIONS = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_RECURSIVE}
"""What a statement may do, besides calling functions. SQLite asks for each part of it."""

FULL_TEXT = (sqlite3.SQLITE_PRAGMA, "data_version", None)
"""The one thing more that a full-text index does while it reads: ask whether it was changed."""

_NAMES = """
    abs avg bm25 cast ceil ceiling char coalesce concat concat_ws count cume_dist current_date
    current_time current_timestamp date datetime degrees dense_rank exp first_value floor format
    glob group_concat hex highlight if ifnull iif instr json json_array json_array_length json_each
    json_extract json_object json_quote json_tree json_type json_valid julianday lag last_value lead
    length like likelihood likely ln log log10 log2 lower ltrim match max median min mod nth_value
    ntile nullif octet_length percent_rank pi pow power printf quote radians random randomblob rank
    replace round row_number rtrim sign sin cos tan asin acos atan atan2 snippet soundex
    sqlite_version sqrt strftime string_agg substr substring sum time timediff total trim trunc
    typeof unhex unicode unistr unixepoch unlikely upper zeroblob -> ->>
"""
FUNCTIONS = frozenset(_NAMES.split())
"""The functions that only compute. `json_group_array` is left out: its result has no bound."""

GUARDED = {"printf": -1, "format": -1, "instr": 2, "replace": 3, "trim": 2, "ltrim": 2, "rtrim": 2}
"""Functions whose time grows with a product of lengths, and the number of arguments they take."""

Cell: TypeAlias = str | bytes | int | float | None

TOKEN = re.compile(
    r"--[^\n]*|/\*.*?(?:\*/|\Z)|'(?:[^']|'')*(?:'|\Z)|\"(?:[^\"]|\"\")*(?:\"|\Z)"
    r"|`(?:[^`]|``)*(?:`|\Z)|\[[^\]]*(?:\]|\Z)|[A-Za-z_\x80-\U0010ffff][\w$\x80-\U0010ffff]*|\S",
    re.DOTALL,
)


class Connection(sqlite3.Connection):
    """A connection that `lock` leaves with nothing but reading."""

    _plain: sqlite3.Connection | None = None

    def lock(self) -> None:
        """From here on SQLite itself refuses all but reading, whatever the text looks like."""
        self._meet_virtual_tables()
        self.execute("PRAGMA query_only = ON")
        self.execute("PRAGMA temp_store = FILE")  # large sorts go to disk, not into memory
        self.text_factory = lambda raw: raw.decode("utf-8", "replace")
        self.setlimit(sqlite3.SQLITE_LIMIT_SQL_LENGTH, 4 * MAX_SQL)
        self.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_VALUE)
        self.setlimit(sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH, MAX_PATTERN)
        self.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
        self.setlimit(sqlite3.SQLITE_LIMIT_WORKER_THREADS, 0)
        for name, arguments in GUARDED.items():
            self.create_function(name, arguments, self._guarded(name), deterministic=True)
        self.set_authorizer(_authorizer())

    def _meet_virtual_tables(self) -> None:
        """Have virtual tables declared now: later SQLite would ask whether it may do that."""
        found = self.execute(
            "SELECT name FROM sqlite_master WHERE sql LIKE 'CREATE VIRTUAL TABLE%'"
        ).fetchall()
        for name in ["json_each", "json_tree", *(name for (name,) in found)]:
            with suppress(sqlite3.OperationalError):  # this build may lack the module
                quoted = name.replace('"', '""')
                self.execute(f'SELECT 1 FROM "{quoted}" LIMIT 0')

    def close(self) -> None:
        """Close this connection and the helper that guarded functions may have opened."""
        if self._plain:
            self._plain.close()
        super().close()

    def _guarded(self, name: str) -> Callable[..., Cell]:
        """SQLite's own function `name`, after a look at how long it would take."""

        def guarded(*values: Cell) -> Cell:
            if _is_too_much(name, values):
                raise ToolError("too much work")  # the message is lost on the way through SQLite
            marks = ", ".join("?" * len(values))
            result: Cell = self._apart().execute(f"SELECT {name}({marks})", values).fetchone()[0]
            return result

        return guarded

    def _apart(self) -> sqlite3.Connection:
        """A second connection, without data, where the guarded functions are SQLite's own."""
        if not self._plain:
            self._plain = sqlite3.connect(":memory:", check_same_thread=False)
            self._plain.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_VALUE)
        return self._plain


def _is_too_much(name: str, values: tuple[Cell, ...]) -> bool:
    if name in ("printf", "format"):
        return bool(re.search(r"%[-+ #!,.\d]*(?:\*|\d{4})", str(values[:1])))
    lengths = [len(value) for value in values[:2] if isinstance(value, (str, bytes))]
    return prod(lengths) > MAX_WORK


def _authorizer() -> Callable[..., int]:
    calls = count(1)

    def authorize(action: int, *details: str | None) -> int:
        asked, second = (action, *details[:2]), details[1]
        allowed = action in ACTIONS or asked == FULL_TEXT
        if action == sqlite3.SQLITE_FUNCTION:
            allowed = (second or "").lower() in FUNCTIONS and next(calls) <= MAX_CALLS
        return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY

    return authorize


def check(sql: str) -> None:
    """Refuse what SQLite would choke on before it asks: huge texts, and tables that multiply."""
    if len(sql) > MAX_SQL:
        raise ToolError(f"The query is too long: at most {MAX_SQL} characters.")
    if re.search("[\0\ud800-\udfff]", sql):
        raise ToolError("The query contains characters that are not text.")
    if _expansion(sql) > MAX_EXPANSION:
        raise ToolError("The WITH tables refer to each other too often: use fewer of them.")


def _expansion(sql: str) -> int:
    """At most how many copies of tables SQLite makes of the WITH tables in `sql`.

    It copies a table's definition wherever the name stands, so thirty tables that each name the
    one before twice become a billion before any limit applies. The product of how often each
    is named is never less than the copies.
    """
    tokens = [token for token in TOKEN.findall(sql) if not token.startswith(("--", "/*"))]
    names = [_name(token) for token in tokens]
    uses = [name for name, after in pairwise([*names, ""]) if after != "."]
    return prod(max(1, uses.count(name) - 1) for name in _defined(names))


def _name(token: str) -> str:
    return token.strip("\"'`[]").lower() or token


def _defined(names: list[str]) -> set[str]:
    """The names in front of `AS (`, with or without a list of columns between."""
    opened: list[int] = []
    before: dict[int, int] = {}  # where a bracket closes: where it was opened
    defined = set()
    for index, name in enumerate(names):
        if name == "(":
            opened.append(index)
        elif name == ")" and opened:
            before[index] = opened.pop()
        elif name == "as" and index and "(" in names[index + 1 : index + 4]:
            defined.add(names[before.get(index - 1, index) - 1])
    return defined
