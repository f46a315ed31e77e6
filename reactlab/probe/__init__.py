"""What a model and its server can do, found out with a dozen short requests."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from reactlab.errors import ReactlabError, ReactlabWarning
from reactlab.llm.protocol import as_llm
from reactlab.probe.asked import Asked
from reactlab.probe.checks import CHECKS
from reactlab.probe.report import Probe, Row
from reactlab.prompts.digest import one_line
from reactlab.render.labels import labels
from reactlab.wording import foreign, tell

__all__ = ["MOST_REQUESTS", "Probe", "Row", "probe"]

MOST_REQUESTS = 12
"""Requests that a probe makes at most, and one more for each thing that a server refuses."""


def probe(llm: Any, *, record: str | Path | None = None, language: str = "en") -> Probe:
    """Find out what a model and its server can do, with `MOST_REQUESTS` short requests at most.

    Any model of the package will do; what would say nothing about it is "not tried". `record` is a
    file to which the replies are added: `probe(RecordedLLM(file))` reads them again, without
    asking. Raises `ConfigError` for what is no model; what a server does wrong is in the rows.
    """
    labels(language)  # before anything is asked
    asked = Asked(as_llm(llm), record)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ReactlabWarning)  # what is refused is in the rows
        found = [
            Row(r.name, r.outcome, one_line(tell(r.seen, language), 160)) for r in _rows(asked)
        ]
    return Probe(asked.llm.model, tuple(found), dict(asked.quirks), asked.requests, language)


def _rows(asked: Asked) -> Iterator[Row]:
    """All capabilities in order; without an answer at the beginning, nothing else is tried."""
    silent = False
    for names, check in CHECKS.items():
        found: dict[str, Row] = {}
        if not silent and set(names) - asked.no_sense:
            try:
                found = {row.name: row for row in check(asked)}
            except ReactlabError as error:
                told = foreign(error.message)
                found = {name: Row(name, "failed", told) for name in names[:1]}
        silent = silent or ("answers" in found and found["answers"].outcome != "yes")
        for name in names:
            made_sense = name in found and name not in asked.no_sense
            yield found[name] if made_sense else Row(name, "not tried")
