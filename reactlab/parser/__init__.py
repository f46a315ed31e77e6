"""From a model's reply to a decision: marks, then the first complete step, and nothing after it."""

from __future__ import annotations

from reactlab.parser.balanced import closing_bracket
from reactlab.parser.reply import extract_final_answer, is_finished, parse

__all__ = ["closing_bracket", "extract_final_answer", "is_finished", "parse"]
