"""The command `reactlab serve`: what it takes, and what it says before it serves."""

from __future__ import annotations

import argparse
import secrets
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from reactlab.errors import ConfigError
from reactlab.llm.default import default_llm
from reactlab.serve import LOOPBACK, LocalServer, start
from reactlab.types import LLM

if TYPE_CHECKING:
    from reactlab.serve.classroom import Classroom

PORT = 8420
BUDGET = 200
"""Requests for a learner, if nothing else is said."""


def add_to(serve: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    add = serve.add_argument
    add("--host", default="127.0.0.1", help="0.0.0.0 for a network; needs a token or a classroom")
    add("--port", type=int, default=PORT, help=f"{PORT} if none is named; 0 takes a free one")
    add("--token", nargs="?", const="", help="ask for this token; without a value, for a new one")
    add("--classroom", type=Path, metavar="FILE", help="learners and their budgets (SQLite)")
    add("--learners", metavar="NAMES", help="anna,bo or a number: adds those who are not there yet")
    add("--budget", type=int, help=f"requests for each of them; {BUDGET} if nothing is said")
    add("--record", type=Path, metavar="CACHE", help="keep replies: the same request is paid once")
    add("--replay", type=Path, metavar="CACHE", help="answer from such a file alone")
    add("--fault", metavar="PLAN", help="rate_limit,,cut_stream: one for each request, in order")


def begun(options: argparse.Namespace) -> tuple[LocalServer, list[str]]:
    """The server, and what to tell the person; raises `ConfigError`."""
    from reactlab.serve.faults import Faults
    from reactlab.serve.recordings import Recordings

    if options.record and options.replay:
        raise ConfigError("Give --record or --replay, not both.")
    llm = default_llm(options.model)
    cache = options.record or options.replay
    classroom, tokens = _classroom(options)
    token = secrets.token_urlsafe(16) if options.token == "" else options.token
    server = start(
        llm,
        host=options.host,
        port=options.port,
        token=token,
        classroom=classroom,
        recordings=Recordings(cache, replay=bool(options.replay)) if cache else None,
        faults=Faults(options.fault.split(",") if options.fault else ()),
    )
    lines = list(_told(llm, options.host, server.port, locked=bool(token or classroom)))
    if options.token == "":
        lines.append(f"The token, shown only now: {token}")
    return server, [*lines, *_people(classroom, tokens)]


def _classroom(options: argparse.Namespace) -> tuple[Classroom | None, dict[str, str]]:
    """The classroom with its new tokens by name."""
    from reactlab.serve.classroom import Classroom

    if options.classroom is None:
        if options.learners or options.budget:
            raise ConfigError("--learners and --budget need --classroom FILE.")
        return None, {}
    classroom = Classroom(options.classroom)
    given = options.learners or ""
    names = [name.strip() for name in given.split(",") if name.strip()]
    if given.strip().isdigit():
        names = [f"learner-{number:02}" for number in range(1, int(given) + 1)]
    elif options.budget and not names:
        names = [learner.name for learner in classroom.learners()]
    tokens = dict(classroom.add(names, BUDGET if options.budget is None else options.budget))
    if not classroom.learners():
        classroom.close()
        raise ConfigError(f"{options.classroom} has no learners yet: add --learners anna,bo")
    return classroom, tokens


def _told(llm: LLM, host: str, port: int, *, locked: bool) -> Iterator[str]:
    name = {"0.0.0.0": socket.gethostname(), "::1": "[::1]"}.get(host, host)
    address = f"http://{name}:{port}/v1"
    yield f"{llm.model} answers at {address} until Ctrl-C."
    if locked:
        yield "Set REACTLAB_API_KEY to a token, and then:"
    preset = host in LOOPBACK and port == PORT
    yield f'  OpenAILLM("{llm.model}", base_url="{"reactlab" if preset else address}")'
    yield f"  reactlab run --model {address}#{llm.model} QUESTION"
    key = ' -H "Authorization: Bearer $REACTLAB_API_KEY"' if locked else ""
    yield f"  curl {address}/models{key}"


def _people(classroom: Classroom | None, tokens: dict[str, str]) -> Iterator[str]:
    for learner in classroom.learners() if classroom else ():
        token = f"  token: {tokens[learner.name]}" if learner.name in tokens else ""
        yield f"  {learner.name}: {learner.used} of {learner.budget} requests used{token}"
    if tokens:
        yield "Tokens are shown only now; the file keeps no more than their fingerprints."
