"""Questions that lean on one before them: `And the other one?`, `那长江呢？`, two in one."""

from __future__ import annotations

import re

from .compute import asks_for_sum
from .evidence import news
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


def separate(question: str, lang: str) -> list[str]:
    """The questions that one holds: `How tall is it and who built it?`; [] if it is one."""
    marks = [
        m for m in cue("and_ask").finditer(question) if cue("asks").search(question[: m.start()])
    ]
    first = understand(question[: marks[0].start()], lang) if marks else None
    if first is None or not (first.terms or first.subjects) or len(first.subjects) > 1:
        return []
    parts = [question[: marks[0].start()], question[marks[0].end() :]]
    own = understand(parts[1], lang)
    return parts if own.terms or own.subjects or asks_for_sum(parts[1]) else []


def completed(part: str, first: str, answer: str, lang: str) -> str:
    """The second of two questions in one, with what it leaves out taken from the first."""
    asked, own = understand(first, lang), understand(part, lang)
    person = re.search(r"\b(?:he|she|his|her)\b|[他她]", part) and asked.kind == "person"
    named = news(asked, answer)[:1] if person else [asked.subject]
    full = whole(part, lang, ((named[0], answer),)) if named and named[0] else part
    bare = lang == "zh" and full == part and not own.subjects and not asks_for_sum(part)
    return f"{asked.subject}{part}" if bare else full


def _codes(text: str) -> list[str]:
    return [match[match.lastindex or 0] for match in cue("identifier").finditer(text)]
