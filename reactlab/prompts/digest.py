"""Steps, calls and replies made short, for the places where a prompt has no room for them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from itertools import chain, pairwise
from typing import Any

from reactlab.events import Step, ToolUse
from reactlab.prompts.facts import MARK, MOST, kept, uncut
from reactlab.prompts.tokens import beginning, estimate_tokens
from reactlab.prompts.words import quote
from reactlab.trace import Trace

RESULT = 60
"""Tokens of a result in the digest of a step; its thought gets half of them."""
_CUT = {
    "en": "… ({count} characters left out{kept}) …",
    "zh": "……（略去 {count} 个字{kept}）……",
}
_KEPT = {"en": "; among them: ", "zh": "，其中有："}
_ROW = re.compile(r"[^\W\d][\w ]{0,24}[:：=]\s*\S|[^|\n]{1,60} \| ")
_SENTENCE = re.compile(r"[。！？]|[.!?](?=\s)|\n")


def digest(step: Step) -> str:
    """A step in one line: what was done, and of what came of it that which may be needed later.

    Results of up to `RESULT` tokens stand in full. Of longer ones the beginning is kept, and codes,
    dates, figures and names from the rest; of an error the beginning alone.
    """
    facts = "; ".join(map(_done, step.uses))
    told = [one_line(failure.tell, 80) for failure in step.told]
    thought = brief(step.thought, RESULT // 2)
    return f"- {step.number}. " + " | ".join(part for part in [thought, facts, *told] if part)


def _done(use: ToolUse) -> str:
    seen, given = use.observation, input_text(use.call.arguments)
    result = one_line(seen.text, 120) if seen.error else brief(seen.text, RESULT, given)
    return f"{use.call.name}[{one_line(given, 80)}] -> {result}"


@lru_cache(maxsize=1024)
def brief(text: str, limit: int, about: str = "") -> str:
    """The text on one line, in at most `limit` tokens: its beginning, then the facts of the rest.

    `about` is what was asked for: facts beside its words come first. The mark "…" stands where
    something was left out.
    """
    if len(text) <= limit * 40 and estimate_tokens(line := _on_one_line(text)) <= limit:
        return line
    if (record := _record(text, limit)) is not None:
        return record
    head = _head(text, limit * 2 // 5)
    facts = kept(text, head, len(text), limit - estimate_tokens(text[:head]) - 3, about)
    return " ".join(f"{text[:head]}{MARK}{facts}{' …' if facts else ''}".split())


@lru_cache(maxsize=1024)
def shortened(text: str, limit: int, language: str = "en", about: str = "") -> str:
    """A long text in at most `limit` tokens (20 or more): beginning, facts of the middle, end.

    Says how many characters were left out. A text that is short enough comes back as it is.
    """
    if estimate_tokens(text) <= limit:
        return text
    if (record := _record(text, limit)) is not None:
        return record
    note = _CUT[language].format(count=f"{len(text):,}", kept=_KEPT[language])
    room = max(0, limit - estimate_tokens(note) - 2)
    head = _head(text, room * 2 // 5)
    tail = max(head, _tail(text, room // 5))
    used = estimate_tokens(text[:head]) + estimate_tokens(text[tail:])
    facts = kept(text, head, tail, room - used, about)
    listed = _KEPT[language] + facts if facts else ""
    cut = _CUT[language].format(count=f"{tail - head - len(facts):,}", kept=listed)
    return text[:head].rstrip() + cut + text[tail:].lstrip()


def _on_one_line(text: str) -> str:
    """The lines of a text one after the other; the rows of a record stay apart."""
    lines = [" ".join(line.split()) for line in text.strip().splitlines()]
    rows = [_ROW.match(line) is not None for line in lines]
    ends = ["; " if row or after else " " for row, after in pairwise([*rows, False])]
    return " ".join("".join(chain(*zip(lines, ends, strict=True))).split()).rstrip("; ")


def _record(text: str, limit: int) -> str | None:
    """JSON of at most `limit` tokens in which long texts are short; None if there is none."""
    if text.lstrip()[:1] not in ("{", "[") or len(text) > MOST:
        return None
    try:
        value = json.loads(text)
        for room in (60, 30, 15, 8):
            short = json.dumps(_with_short_texts(value, room), ensure_ascii=False)
            if estimate_tokens(short) <= limit:
                return short
    except (ValueError, RecursionError):
        pass
    return None


def _with_short_texts(value: Any, room: int) -> Any:
    if isinstance(value, dict):
        return {name: _with_short_texts(inner, room) for name, inner in value.items()}
    if isinstance(value, list):
        return [_with_short_texts(inner, room) for inner in value]
    return brief(value, room) if isinstance(value, str) else value


def _head(text: str, room: int) -> int:
    """Where the beginning ends for which there is room: after a sentence, or before a word."""
    end = len(beginning(text, room))
    ends = [stop.end() for stop in _SENTENCE.finditer(text, 0, end)]
    if ends and ends[-1] > end // 2:
        return uncut(text, ends[-1], back=True)
    blank = text.rfind(" ", end - 20, end) if end > 40 else -1
    return uncut(text, blank if blank > 0 else end, back=True)


def _tail(text: str, room: int) -> int:
    """Where the end begins for which there is room, after a sentence or a blank."""
    start = len(text) - len(beginning(text[: -room * 4 - 1 : -1], room)) if room > 0 else len(text)
    stop = _SENTENCE.search(text, start, start + (len(text) - start) // 2)
    if stop:
        return uncut(text, stop.end(), back=False)
    blank = text.find(" ", start, start + 20)
    return uncut(text, blank if blank > 0 else start, back=False)


def earlier_turns(trace: Trace) -> str:
    """The conversation before this question: questions, what was found, answers; oldest first."""
    turns, earlier = [], trace.after
    while earlier is not None:
        found = [f"  {text}" for text in earlier.texts(digest)]
        asked, said = one_line(earlier.question), one_line(str(earlier))
        turns.append("\n".join([f"- {quote(asked)}", *found, f"  = {said}"]))
        earlier = earlier.after
    return "\n".join(reversed(turns))


def said(step: Step) -> str:
    """The beginning of a reply that could not be read."""
    return one_line(step.completion.text, 400) if step.completion else ""


def input_text(arguments: str | Mapping[str, Any]) -> str:
    """A call's arguments as the text between brackets."""
    if isinstance(arguments, str):
        return arguments
    return json.dumps(dict(arguments), ensure_ascii=False, default=str)


def one_line(text: str, limit: int = 300) -> str:
    """The text on one line, cut to `limit` characters."""
    text = " ".join(text.split())
    return text if len(text) <= limit else text[: limit - 1] + "…"
