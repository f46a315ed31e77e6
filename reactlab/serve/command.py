"""The command `reactlab serve`: what it takes, and what it says before it serves."""

from __future__ import annotations

import argparse
import secrets
import socket
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from reactlab.errors import ConfigError, ReactlabError
from reactlab.llm.default import default_llm
from reactlab.serve import LOOPBACK, LocalServer, start
from reactlab.types import LLM

if TYPE_CHECKING:
    from reactlab.serve.classroom import Classroom

PORT = 8420
BUDGET = 200
"""Requests for a learner, if nothing else is said."""
MOST_LEARNERS = 1000


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
    classroom, names = _classroom(options)
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
    try:  # not before the server has its port: the tokens are shown only once
        budget = BUDGET if options.budget is None else options.budget
        tokens = classroom.add(names, budget) if classroom else {}
    except ReactlabError:
        server.stop()
        raise
    lines = list(_told(llm, options.host, server.port, locked=bool(token or classroom)))
    if options.token == "":
        lines.append(f"The token, shown only now: {token}")
    return server, [*lines, *_people(classroom, tokens)]


def _classroom(options: argparse.Namespace) -> tuple[Classroom | None, list[str]]:
    """The classroom, and the learners to add or to give another budget."""
    from reactlab.serve.classroom import Classroom

    given = (options.learners or "").strip()
    names = [name.strip() for name in given.split(",") if name.strip()]
    if options.classroom is None:
        if given or options.budget is not None:
            raise ConfigError("--learners and --budget need --classroom FILE.")
        return None, []
    if given.removeprefix("-").isdigit():
        if not 1 <= int(given) <= MOST_LEARNERS:
            raise ConfigError(f"--learners takes names, or a number from 1 to {MOST_LEARNERS}.")
        names = [f"learner-{number:02}" for number in range(1, int(given) + 1)]
    nobody = f"{options.classroom} has no learners yet: add --learners anna,bo"
    if not names and not options.classroom.exists():
        raise ConfigError(nobody)
    classroom = Classroom(options.classroom)
    there = [learner.name for learner in classroom.learners()]
    if not names and not there:
        classroom.close()
        raise ConfigError(nobody)
    return classroom, names or (there if options.budget is not None else [])


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


def _people(classroom: Classroom | None, tokens: Mapping[str, str]) -> Iterator[str]:
    for learner in classroom.learners() if classroom else ():
        token = f"  token: {tokens[learner.name]}" if learner.name in tokens else ""
        yield f"  {learner.name}: {learner.used} of {learner.budget} requests used{token}"
    if tokens:
        yield "Tokens are shown only now; the file keeps no more than their fingerprints."
