"""The log of an evaluation: JSON Lines, one finished item a line with its whole trace.

A file whose name ends in .gz is compressed. One process at a time writes to a log.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from reactlab.errors import ConfigError, TraceFileError
from reactlab.evaluation.item import Item
from reactlab.evaluation.linefile import replace_file, whole_lines
from reactlab.evaluation.results import Results
from reactlab.evaluation.task import Sample, Score, as_record
from reactlab.events import ModelCall
from reactlab.trace import Trace
from reactlab.trace_json import dump, from_lines, to_lines
from reactlab.types import Request

Group = tuple[str, str, str, str]
"""Task, agent, model, settings."""


def load(path: str | Path) -> Results:
    """The results in a log; raises `ConfigError` if it holds those of several evaluations."""
    found = load_all(path)
    if len(found) != 1:
        named = "; ".join(f"{one.task}, {one.agent}, {one.model}" for one in found) or "none"
        raise ConfigError(f"{path} holds {len(found)} evaluations ({named}); use load_all.")
    return found[0]


def load_all(path: str | Path) -> list[Results]:
    """All results in a log, one for each task, agent, settings and model.

    A torn last line is left out; raises `TraceFileError` for anything else that is no log.
    """
    groups: dict[Group, dict[tuple[str, int], Item]] = {}
    for record in _records(Path(path)):
        item = _item(record, path)
        groups.setdefault(_group(record), {})[item.sample.id, item.epoch] = item
    return [Results(*group, tuple(items.values())).ordered() for group, items in groups.items()]


def items_of(path: Path, group: Group) -> list[Item]:
    """The items of one evaluation, in the order of the file; a later one replaces an earlier."""
    return [_item(record, path) for record in _records(path) if _group(record) == group]


def save(results: Iterable[Results], path: str | Path, *, requests: bool = True) -> Path:
    """Write results as a log, in order and at once. `requests=False` leaves out the prompts."""
    return replace_file(Path(path), (to_line(r, i, requests) for r in results for i in r.items))


def sort(path: Path, done: Results, requests: bool) -> None:
    """Bring the finished lines of an evaluation into the order of the samples, after all others."""
    group = (done.task, done.agent, done.model, done.settings)
    own = {(group, item.sample.id, item.epoch) for item in done.items}
    others = [line for line in whole_lines(path)[0] if _key(json.loads(line)) not in own]
    replace_file(path, [*others, *(to_line(done, item, requests) for item in done.items)])


def to_line(results: Results, item: Item, requests: bool = True) -> str:
    """An item as one line of JSON."""
    head = {
        "task": results.task,
        "agent": results.agent,
        "model": results.model,
        "settings": results.settings,
        "sample": as_record(item.sample),
        "place": item.place,
        "epoch": item.epoch,
        "error": item.error,
        "score": None if item.score is None else [item.score.value, item.score.why],
        "scored_by": item.scored_by,
    }
    trace = item.trace if requests else _without_requests(item.trace)
    return f'{dump(head)[:-1]}, "trace": [{", ".join(to_lines(trace))}]}}'


def _without_requests(trace: Trace) -> Trace:
    bare = Request(())
    events = [replace(e, request=bare) if isinstance(e, ModelCall) else e for e in trace.events]
    return replace(trace, events=events)


def _records(path: Path) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(whole_lines(path)[0], 1):
        try:
            record = json.loads(line)
            _key(record)
        except (ValueError, KeyError, TypeError):
            told = f"Line {number} of {path} is no line of an evaluation's log."
            raise TraceFileError(told) from None
        yield record


def _item(record: dict[str, Any], path: str | Path) -> Item:
    try:
        score = record["score"] and Score(*record["score"])
        trace = from_lines([dump(event) for event in record["trace"]])
        place, epoch, error = record["place"], record["epoch"], record["error"]
        sample = Sample.of(record["sample"])
        return Item(sample, place, epoch, trace, error, score, record["scored_by"])
    except (KeyError, TypeError, ConfigError) as error:
        told = f"{path}: the item {_key(record)[1]!r} cannot be read: {error}"
        raise TraceFileError(told) from None


def _group(record: dict[str, Any]) -> Group:
    return record["task"], record["agent"], record["model"], record["settings"]


def _key(record: dict[str, Any]) -> tuple[Group, str, int]:
    return _group(record), record["sample"]["id"], record["epoch"]
