"""What the routes share: the model, who may use it how often, and which faults are due."""

from __future__ import annotations

import asyncio
import hmac
import itertools
import re
from collections import deque
from collections.abc import Collection, Iterator
from contextlib import aclosing, contextmanager
from dataclasses import replace
from functools import partial
from typing import Any

from starlette.requests import Request as HTTPRequest

from reactlab.errors import ConfigError, LLMError, RateLimited
from reactlab.llm.protocol import as_llm, cut
from reactlab.serve.classroom import Classroom, Learner
from reactlab.serve.faults import HEADER, REFUSALS, Faults, known, listed, refuse, spoil
from reactlab.serve.reading import Asked, Rejected, read
from reactlab.serve.recordings import Recordings
from reactlab.serve.streams import Pieces, pumped, until_stop
from reactlab.serve.writing import Writer, with_ids
from reactlab.threads import in_thread
from reactlab.types import LLM, Completion

HERE = re.compile(r"(https?://)?(localhost|127\.0\.0\.1|\[::1\])(:\d+)?", re.IGNORECASE)
MOST_THREADS = 300
"""Requests that models without an async twin answer at once."""
MOST_SEEN = 200


class Service:
    """An LLM, served.

    `token` or `classroom` say who may use it; without either, only this machine may. `recordings`
    answer what was asked before. `refuses` are things answered with status 400 (`REFUSALS`), and
    `ignores` fields of a request that are accepted and not honoured. With `odd_paths`, a path
    without /v1 answers 200 with an error inside. Ids are counted and no
    time is told, so that the same requests get the same replies. The newest bodies are in `seen`.
    """

    def __init__(
        self,
        llm: LLM,
        *,
        token: str | None = None,
        classroom: Classroom | None = None,
        recordings: Recordings | None = None,
        faults: Faults | None = None,
        refuses: Collection[str] = (),
        ignores: Collection[str] = (),
        odd_paths: bool = False,
    ) -> None:
        if token is not None and not (isinstance(token, str) and re.fullmatch("[!-~]+", token)):
            raise ConfigError("A token is a text of ASCII letters, digits and signs, no blanks.")
        kinds = {"classroom": Classroom, "recordings": Recordings, "faults": Faults}
        for (name, kind), given in zip(kinds.items(), (classroom, recordings, faults), strict=True):
            if not isinstance(given, kind | None):
                raise ConfigError(f"{name} is a {kind.__name__}, not {given!r}.")
        self.llm = as_llm(llm)
        self.token = token
        self.classroom = classroom
        self.recordings = recordings
        self.faults = faults or Faults()
        self.refuses = known(refuses, REFUSALS)
        self.ignores = frozenset(listed("ignores", ignores))
        self.odd_paths = odd_paths
        self.seen: deque[dict[str, Any]] = deque(maxlen=0 if classroom else MOST_SEEN)
        self._numbers = itertools.count(1)
        self._threads = asyncio.Semaphore(MOST_THREADS)

    @property
    def open(self) -> bool:
        """Whether no token is asked for."""
        return self.token is None and self.classroom is None

    def admit(self, http: HTTPRequest) -> str:
        """The token of a request that may be answered; raises `Rejected` for any other.

        Where none is asked for, a page from elsewhere is turned away, and so is a foreign name
        that was made to point at this machine.
        """
        headers = http.headers
        if self.open:
            named = [headers.get("host", ""), headers.get("origin", "localhost")]
            if all(HERE.fullmatch(name) for name in named):
                return ""
            raise Rejected("Without a token, only pages and programs of this machine.", status=403)
        token = headers.get("authorization", "").removeprefix("Bearer ").strip()
        expected = self.token is not None and hmac.compare_digest(
            token.encode(), self.token.encode()
        )
        if not expected and self.learner(token) is None:
            told = "Incorrect API key: the token is missing or wrong."
            raise Rejected(told, status=401, code="invalid_api_key")
        return token

    def learner(self, token: str) -> Learner | None:
        """Whose token this is, in a classroom."""
        return self.classroom.learner(token) if self.classroom else None

    def read(self, body: Any) -> Asked:
        """The request in a body, as far as this server wants to see it."""
        if isinstance(body, dict):
            self.seen.append(body)
            body = {name: value for name, value in body.items() if name not in self.ignores}
            refuse(body, self.refuses, self.llm.model)
        return read(body)

    def fault(self, http: HTTPRequest) -> str:
        """The fault that is due; raises those that are errors."""
        fault = self.faults.next(http.headers.get(HEADER))
        if fault == "rate_limit":
            wait = {"Retry-After": f"{self.faults.seconds:g}"}
            told = "Rate limit reached for requests (on demand)."
            raise Rejected(told, status=429, code="rate_limit_exceeded", headers=wait)
        if fault == "server_error":
            raise Rejected("The server had an error (on demand).", status=500)
        return fault

    def writer(self, asked: Asked, fault: str) -> Writer:
        """The writer of the next reply."""
        id = f"chatcmpl-{next(self._numbers)}"
        return Writer(self.llm.model, id, ids=fault != "missing_ids", usage=asked.usage)

    async def complete(self, asked: Asked, token: str, id: str, fault: str = "") -> Completion:
        """The whole reply: recorded, or the model's; honours what was asked of it."""
        ask = partial(self._ask, asked, token)
        if self.recordings is None:
            made = await ask()
        else:
            made = await self.recordings.answer(self.llm.model, asked.request, ask)
        made = with_ids(made, id)
        calls = made.calls[:1] if asked.one_call else made.calls
        made = replace(made, text=cut(made.text, asked.request.stop), calls=calls)
        return spoil(_checked(asked, made), fault)

    async def stream(self, asked: Asked, token: str, id: str, fault: str = "") -> Pieces:
        """The reply in pieces, where the model streams and nothing is recorded; else whole."""
        whole = fault == "broken_json" or asked.one_call or self.recordings
        if whole or not hasattr(self.llm, "stream"):
            yield await self.complete(asked, token, id, fault)
            return
        streamed = until_stop(pumped(self.llm, asked.request), asked.request.stop)
        with self._paid(token):
            async with aclosing(streamed):
                async for part in streamed:
                    yield _checked(asked, part) if isinstance(part, Completion) else part

    async def _ask(self, asked: Asked, token: str) -> Completion:
        """Ask the model; one without an async twin is asked in a thread."""
        with self._paid(token):
            if hasattr(self.llm, "acomplete"):
                return await self.llm.acomplete(asked.request)  # type: ignore[no-any-return]
            async with self._threads:
                work = in_thread(partial(self.llm.complete, asked.request))
                return await asyncio.wrap_future(work)

    @contextmanager
    def _paid(self, token: str) -> Iterator[None]:
        """Count a learner's request; not one that the model's own server turned away with 429."""
        counted = self.classroom if self.learner(token) else None
        if counted and not counted.spend(token):
            told = "You exceeded your current quota: your request budget is used up. Ask your "
            headers = {"x-should-retry": "false"}
            told += "teacher for more; trying again does not help."
            raise Rejected(told, status=429, code="insufficient_quota", headers=headers)
        try:
            yield
        except RateLimited:
            if counted:
                counted.spend(token, -1)
            raise


def _checked(asked: Asked, completion: Completion) -> Completion:
    if asked.must_call and not completion.calls:
        raise LLMError("tool_choice asked for a call, and the model made none.")
    return completion
