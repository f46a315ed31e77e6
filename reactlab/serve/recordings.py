"""Replies kept in one SQLite file, so that the same request is paid for once."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from pathlib import Path
from weakref import WeakValueDictionary

from reactlab.errors import ConfigError, LLMError
from reactlab.llm.recorded import key
from reactlab.trace_json import adapter, dump
from reactlab.types import Completion, Request


class Recordings:
    """Replies by request and model. `replay=True` answers from the file alone.

    A reply is written before it is sent, so a server that is killed has kept what it answered.
    Who asks what is being asked already waits for that reply. An empty reply is not kept.
    """

    def __init__(self, path: str | Path, *, replay: bool = False) -> None:
        if replay and not Path(path).exists():
            raise ConfigError(f"There is no recording {path}; make one with --record first.")
        self.replay = replay
        self._database = opened(path)
        self._database.execute(
            "CREATE TABLE IF NOT EXISTS replies (request TEXT PRIMARY KEY, reply TEXT NOT NULL)"
        )
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def answer(
        self, model: str, request: Request, ask: Callable[[], Awaitable[Completion]]
    ) -> Completion:
        """The recorded reply, else what `ask` comes to, recorded."""
        asked = f"{model}\n{key(request)}"
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
                self._database.execute("INSERT OR IGNORE INTO replies VALUES (?, ?)", row)
            return reply

    def _found(self, asked: str) -> Completion | None:
        row = self._database.execute(
            "SELECT reply FROM replies WHERE request = ?", (asked,)
        ).fetchone()
        reply: Completion | None = row and adapter(Completion).validate_python(json.loads(row[0]))
        return reply

    def close(self) -> None:
        """Close the file."""
        self._database.close()


def opened(path: str | Path) -> sqlite3.Connection:
    """A SQLite file that several processes may write and that survives a killed one."""
    try:
        database = sqlite3.connect(str(path), check_same_thread=False, isolation_level=None)
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = NORMAL")
    except sqlite3.Error as error:
        raise ConfigError(f"{path} cannot be used as a SQLite file ({error}).") from None
    return database
