"""What came of one run of one sample."""

from __future__ import annotations

from dataclasses import dataclass

from reactlab.evaluation.task import Sample, Score
from reactlab.trace import Trace


@dataclass(frozen=True)
class Item:
    """One run of one sample. `error` says why it or its scoring broke, "" if neither did.

    `place` is the sample's place in its task, from 0; `epoch` counts repeats, from 0. `scored_by`
    stands for the scorer that gave the score.
    """

    sample: Sample
    place: int
    epoch: int
    trace: Trace
    error: str = ""
    score: Score | None = None
    scored_by: str = ""

    @property
    def value(self) -> float:
        """The score's value; 0.0 for a run that broke."""
        return self.score.value if self.score else 0.0

    @property
    def answered(self) -> bool:
        """Whether there is an answer and nothing broke."""
        return not self.error and self.trace.answer is not None
