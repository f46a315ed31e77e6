"""A question that leans on the one before it: `And the other one?`, `那长江呢？`."""

from __future__ import annotations

import re

from .question import understand
from .tables import cue


def whole(question: str, lang: str, turns: tuple[tuple[str, str], ...]) -> str:
    """The question with what it leaves out taken from the last turn; itself if it stands alone."""
    if not turns or len(question) > 80 or not cue("leans").search(question):
        return question
    before, answer = turns[-1]
    own, last = understand(question, lang), understand(before, lang)
    named, fresh = [*last.subjects, *_codes(before)], [*own.subjects, *_codes(question)]
    if cue("other").search(question) and len(named) > 1:
        told = next((name for name in named if name in answer), named[0])
        return before.replace(told, "")
    place = re.search(r"\b(?:it|he|she|they)\b|[它他她]们?", question)
    if named and place:
        return question.replace(place[0], named[0], 1)
    if fresh and named and not own.families:
        return before.replace(named[0], re.sub("^那(?!不)", "", fresh[0]))
    if named and not fresh:
        return f"{question} {named[0]}"
    return question


def _codes(text: str) -> list[str]:
    return [match[match.lastindex or 0] for match in cue("identifier").finditer(text)]
