"""Who may ask how often: tokens and budgets of a classroom, kept in one SQLite file."""

from __future__ import annotations

import hashlib
import secrets
import threading
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from reactlab.errors import ConfigError
from reactlab.serve.recordings import opened


class Learner(NamedTuple):
    """A learner as the server knows them: requests made and allowed."""

    name: str
    used: int
    budget: int


class Classroom:
    """Learners by token, each with a number of requests; survives a restart of the server.

    Tokens are stored as hashes only. A request is counted in the file before it is carried out,
    so that a server that is killed gives nothing away twice.
    """

    def __init__(self, path: str | Path = ":memory:") -> None:
        self._lock = threading.Lock()
        self._database = opened(path)
        self._do(
            "CREATE TABLE IF NOT EXISTS learners (token TEXT PRIMARY KEY, name TEXT UNIQUE, "
            "budget INTEGER NOT NULL, used INTEGER NOT NULL)"
        )

    def add(self, names: Iterable[str], budget: int) -> Mapping[str, str]:
        """A token for each new learner, by name; this is the only time it is shown.

        Who is there already keeps token and used requests, and gets this budget.
        """
        if budget < 1:
            raise ConfigError(f"A budget is 1 request or more, not {budget}.")
        known = {learner.name for learner in self.learners()}
        tokens: dict[str, str] = {}
        for name in dict.fromkeys(names):
            if name in known:
                self._do("UPDATE learners SET budget = ? WHERE name = ?", budget, name)
                continue
            tokens[name] = secrets.token_urlsafe(16)
            self._do("INSERT INTO learners VALUES (?, ?, ?, 0)", _hash(tokens[name]), name, budget)
        return tokens

    def learner(self, token: str) -> Learner | None:
        """Whose token this is."""
        rows = self._do("SELECT name, used, budget FROM learners WHERE token = ?", _hash(token))
        return Learner(*rows[0]) if rows else None

    def learners(self) -> list[Learner]:
        """All learners by name; no tokens."""
        rows = self._do("SELECT name, used, budget FROM learners ORDER BY name")
        return [Learner(*row) for row in rows]

    def spend(self, token: str, requests: int = 1) -> bool:
        """Take requests from a learner's budget, or give back with -1; False if none is left."""
        taken = self._do(
            "UPDATE learners SET used = used + ?1 WHERE token = ?2 AND used + ?1 "
            "BETWEEN 0 AND max(budget, used) RETURNING 1",
            requests,
            _hash(token),
        )
        return bool(taken)

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def _do(self, statement: str, *values: Any) -> list[Any]:
        with self._lock:
            return self._database.execute(statement, values).fetchall()


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
