"""Who may ask how often: tokens and budgets of a classroom, kept in one SQLite file."""

from __future__ import annotations

import hashlib
import secrets
import sqlite3
import threading
from collections.abc import Iterable, Mapping
from pathlib import Path

from reactlab.errors import ConfigError

_TABLES = """
CREATE TABLE IF NOT EXISTS learners (
    token TEXT PRIMARY KEY, name TEXT NOT NULL, budget INTEGER NOT NULL, used INTEGER NOT NULL
);
"""


class Classroom:
    """Learners by token, each with a number of requests; survives a restart of the server.

    Tokens are stored as hashes only. The file is written before a request is carried out, so
    that a server that is killed gives nothing away twice.
    """

    def __init__(self, path: str | Path = ":memory:") -> None:
        self._lock = threading.Lock()
        self._database = sqlite3.connect(str(path), check_same_thread=False, isolation_level=None)
        self._database.executescript(_TABLES)

    def add(self, names: Iterable[str], budget: int) -> Mapping[str, str]:
        """A new token for each learner, by name; this is the only time it is shown."""
        if budget < 1:
            raise ConfigError(f"A budget is 1 request or more, not {budget}.")
        tokens = {name: secrets.token_urlsafe(16) for name in names}
        rows = [(_hash(token), name, budget, 0) for name, token in tokens.items()]
        with self._lock:
            self._database.executemany("INSERT INTO learners VALUES (?, ?, ?, ?)", rows)
        return tokens

    def knows(self, token: str) -> bool:
        """Whether this is a learner's token."""
        with self._lock:
            found = self._database.execute(
                "SELECT 1 FROM learners WHERE token = ?", (_hash(token),)
            ).fetchone()
        return found is not None

    def spend(self, token: str) -> int | None:
        """Take one request from the learner's budget; what is left, or None if none was."""
        with self._lock:
            row = self._database.execute(
                "UPDATE learners SET used = used + 1 WHERE token = ? AND used < budget "
                "RETURNING budget - used",
                (_hash(token),),
            ).fetchone()
        return None if row is None else int(row[0])

    def used(self) -> dict[str, tuple[int, int]]:
        """Requests made and allowed, by name; no tokens."""
        with self._lock:
            rows = self._database.execute("SELECT name, used, budget FROM learners ORDER BY name")
            return {name: (used, budget) for name, used, budget in rows}

    def close(self) -> None:
        """Close the file."""
        self._database.close()


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
