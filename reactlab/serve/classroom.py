"""Who may ask how often: tokens and budgets of a classroom, kept in one SQLite file."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from reactlab.errors import ConfigError
from reactlab.serve.recordings import Database

MOST_REQUESTS = 10**9
"""The largest budget."""


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
        self._database = Database(
            path,
            "CREATE TABLE IF NOT EXISTS learners (token TEXT PRIMARY KEY, name TEXT UNIQUE, "
            "budget INTEGER NOT NULL, used INTEGER NOT NULL)",
            "token, name, budget, used FROM learners",
        )

    def add(self, names: Iterable[str], budget: int) -> Mapping[str, str]:
        """A token for each new learner, by name; this is the only time it is shown.

        Who is there already keeps token and used requests, and gets this budget.
        """
        if type(budget) is not int or not 1 <= budget <= MOST_REQUESTS:
            raise ConfigError(f"A budget is 1 request or more, not {budget!r}.")
        if isinstance(names, str) or not isinstance(names, Iterable):
            raise ConfigError(f"names is a list of names, not {names!r}.")
        known = {learner.name for learner in self.learners()}
        wanted = list(dict.fromkeys(map(_name, names)))
        tokens = {name: secrets.token_urlsafe(16) for name in wanted if name not in known}
        change, insert = "UPDATE learners SET budget = ? WHERE name = ?", "INSERT INTO learners "
        self._database.do_all(
            (insert + "VALUES (?, ?, ?, 0)", _hash(tokens[name]), name, budget)
            if name in tokens
            else (change, budget, name)
            for name in wanted
        )
        return tokens

    def learner(self, token: str) -> Learner | None:
        """Whose token this is."""
        rows = self._database.do(
            "SELECT name, used, budget FROM learners WHERE token = ?", _hash(token)
        )
        return Learner(*rows[0]) if rows else None

    def learners(self) -> list[Learner]:
        """All learners by name; no tokens."""
        rows = self._database.do("SELECT name, used, budget FROM learners ORDER BY name")
        return [Learner(*row) for row in rows]

    def spend(self, token: str, requests: int = 1) -> bool:
        """Take requests from a learner's budget, or give back with -1; False if none is left."""
        taken = self._database.do(
            "UPDATE learners SET used = used + ?1 WHERE token = ?2 AND used + ?1 "
            "BETWEEN 0 AND max(budget, used) RETURNING 1",
            requests,
            _hash(token),
        )
        return bool(taken)

    def close(self) -> None:
        """Close the file."""
        self._database.close()


def _name(name: object) -> str:
    """A learner's name that can be shown in one line."""
    if isinstance(name, str) and name.strip() and name.isprintable() and len(name) <= 100:
        return name.strip()
    raise ConfigError(f"A learner's name is a short text in one line, not {str(name)[:40]!r}.")


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
