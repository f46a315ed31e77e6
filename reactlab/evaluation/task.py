"""What is measured: a task is named samples and the scorer that judges an answer to one."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from reactlab.errors import ConfigError
from reactlab.trace import Trace
from reactlab.trace_json import read_text


@dataclass(frozen=True)
class Sample:
    """One question with the answer that is expected, and others in `also` that are as good.

    `id` becomes a text; a task gives an id made of question and answers to a sample that has
    none (None or ""). Samples of one `cluster` are variants of the same thing and are never counted
    as independent; "" is a cluster of its own. `meta` is whatever a scorer or a report needs.
    """

    id: str
    question: str
    expected: str
    also: tuple[str, ...] = ()
    cluster: str = ""
    meta: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, item: Any) -> Sample:
        """A sample from a mapping or an object with `question` and `expected`.

        `answer` may stand for `expected`, which may be a list of accepted answers; keys that are
        no field go to `meta`. Raises `ConfigError` for anything else.
        """
        if isinstance(item, cls):
            return item
        given = dict(item) if isinstance(item, Mapping) else _attributes(item)
        try:
            question = given.pop("question")
            expected = given.pop("expected") if "expected" in given else given.pop("answer")
            first, *others = expected if isinstance(expected, list | tuple) else [expected]
        except (KeyError, ValueError):
            told = "A sample has a question and what is expected, as keys or attributes"
            raise ConfigError(f"{told}; {item!r} lacks one.") from None
        also = tuple(map(str, (*others, *given.pop("also", ()))))
        name, cluster = given.pop("id", None), given.pop("cluster", "")
        meta = {**given.pop("meta", {}), **given}
        text = "" if name is None else str(name)
        return cls(text, question, str(first), also, str(cluster or ""), meta)

    @property
    def distinct(self) -> str:
        """What it counts as when distinct tasks are counted."""
        return self.cluster or self.id


@dataclass(frozen=True)
class Score:
    """How good an answer is, from 0.0 (wrong) to 1.0 (right), and why."""

    value: float
    why: str = ""


Scorer = Callable[[Trace, Sample], Score]


@dataclass(frozen=True)
class Task:
    """Samples with the scorer that judges them. `tools` are what the task gives to an agent.

    `samples` may be samples, mappings or objects with `question` and `expected`. Raises
    `ConfigError` if there are none, or if two have the same id (1 and "1" are the same).
    """

    name: str
    samples: tuple[Sample, ...]
    scorer: Scorer
    tools: Iterable[Any] = ()

    def __post_init__(self) -> None:
        samples = tuple(_with_id(Sample.of(item)) for item in self.samples)
        if not samples:
            raise ConfigError(f"Task {self.name!r} has no samples, so there is nothing to measure.")
        places: dict[str, int] = {}
        for place, sample in enumerate(samples, 1):
            if sample.id in places:
                both = f"samples {places[sample.id]} and {place}"
                raise ConfigError(f"Task {self.name!r}: {both} have the same id {sample.id!r}.")
            places[sample.id] = place
        object.__setattr__(self, "samples", samples)


def _attributes(item: Any) -> dict[str, Any]:
    names = (*(part.name for part in fields(Sample)), "answer")
    return {name: getattr(item, name) for name in names if hasattr(item, name)}


def _with_id(sample: Sample) -> Sample:
    """The sample with an id that is a text, and the same one wherever the sample stands."""
    if sample.id not in (None, ""):
        return replace(sample, id=str(sample.id))
    told = json.dumps([sample.question, sample.expected, *sample.also], ensure_ascii=False)
    return replace(sample, id="q-" + sha256(told.encode()).hexdigest()[:10])


def read_samples(path: str | Path) -> list[Sample]:
    """The samples of a file in JSON Lines, one mapping a line as `Sample.of` takes it."""
    lines = read_text(path).split("\n")
    return [Sample.of(json.loads(line)) for line in lines if line.strip()]


def as_record(sample: Sample) -> dict[str, Any]:
    """The sample as a mapping that `Sample.of` reads back."""
    return {part.name: getattr(sample, part.name) for part in fields(sample)}
