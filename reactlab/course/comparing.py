"""Two runs of the same question side by side: the stored one and the reader's own."""

from __future__ import annotations

from reactlab.comparison import Comparison
from reactlab.course.words import A_RUN, current, needed
from reactlab.trace import Trace


def compare(stored: Trace, yours: Trace) -> Comparison:
    """Two runs side by side: tools, steps, stop reason, tokens, first difference."""
    needed(stored, Trace, A_RUN)
    needed(yours, Trace, A_RUN)
    return Comparison(stored, yours, language=current(), steps=False)
