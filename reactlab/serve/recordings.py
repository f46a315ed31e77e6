"""Replies kept in one SQLite file, so that the same request is paid for once."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import threading
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

from reactlab.errors import ConfigError, LLMError, ReactlabError, Unavailable
from reactlab.llm.recorded import key
from reactlab.trace_json import adapter, dump
from reactlab.types import Completion, Request


class Recordings:
    """Replies by request and model. `replay=True` answers from the file alone.

    A reply is written before it is sent, so a server that is killed has kept what it answered.
    Who asks what is being asked already waits for that reply. An empty reply is not kept.
    """

    def __init__(self, path: str | Path, *, replay: bool = False) -> None:
        if replay and isinstance(path, str | Path) and not Path(path).exists():
            raise ConfigError(f"There is no recording {path}; make one with --record first.")
        self.replay = replay
        self._database = Database(
            path,
            "CREATE TABLE IF NOT EXISTS replies (request TEXT PRIMARY KEY, reply TEXT NOT NULL)",
            "request, reply FROM replies",
        )
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def answer(
        self, model: str, request: Request, ask: Callable[[], Awaitable[Completion]]
    ) -> Completion:
        """The recorded reply, else what `ask` comes to, recorded."""
        # The file takes no halves of characters.
        asked = f"{model}\n{key(request)}".encode("utf-8", "backslashreplace").decode()
        lock = self._locks.setdefault(asked, asyncio.Lock())
        async with lock:
            found = self._found(asked)
            if found is not None:
                return found
            if self.replay:
                raise LLMError("This request was not recorded, and the server only replays.")
            reply = await ask()
            if reply.text or reply.calls:
                row = (asked, dump(asdict(reply)))
                self._database.do("INSERT OR REPLACE INTO replies VALUES (?, ?)", *row)
            return reply

    def _found(self, asked: str) -> Completion | None:
        rows = self._database.do("SELECT reply FROM replies WHERE request = ?", asked)
        try:
            return adapter(Completion).validate_python(json.loads(rows[0][0])) if rows else None
        except (ValueError, TypeError):  # another version's, or damaged: asked again
            return None

    def close(self) -> None:
        """Close the file."""
        self._database.close()


class Database:
    """A SQLite file of one table, which several processes may write and a killed one leaves whole.

    What goes wrong with the file is a `ConfigError`, or `Unavailable` while another program holds
    it.
    """

    def __init__(self, path: str | Path, table: str, columns: str) -> None:
        if not isinstance(path, str | Path):
            raise ConfigError(f"A SQLite file is named by its path, not by {type(path).__name__}.")
        self._path, self._lock = Path(path), threading.Lock()
        with self._told():
            self._connection = sqlite3.connect(
                str(path), check_same_thread=False, isolation_level=None
            )
        try:
            for statement in ("PRAGMA journal_mode = WAL", "PRAGMA synchronous = NORMAL", table):
                self.do(statement)
            self.do(f"SELECT {columns} LIMIT 1")  # a table of that name may be another's
        except ReactlabError:
            self.close()
            raise

    def do(self, statement: str, *values: Any) -> list[Any]:
        """Carry out one statement and return its rows."""
        with self._lock, self._told():
            return self._connection.execute(statement, values).fetchall()

    def do_all(self, statements: Iterable[tuple[Any, ...]]) -> None:
        """Carry out statements, each with its values, all or none."""
        with self._lock, self._told():
            self._connection.execute("BEGIN IMMEDIATE")
            with self._connection:
                for statement, *values in statements:
                    self._connection.execute(statement, values)

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            if "locked" in str(error):
                raise Unavailable(f"{self._path.name} is held by another program.") from None
            told = f"{self._path} cannot be used as a SQLite file ({error})."
            raise ConfigError(told) from None
