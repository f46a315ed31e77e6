"""Results and comparisons as small tables, in English or Chinese."""

from __future__ import annotations

from typing import TYPE_CHECKING
from unicodedata import east_asian_width

from reactlab.evaluation.words import EMBEDDED, words_of
from reactlab.render import html
from reactlab.render.labels import Labels, labels
from reactlab.render.rows import clean, one_line
from reactlab.render.table import table

if TYPE_CHECKING:
    from reactlab.evaluation.paired import Paired
    from reactlab.evaluation.results import Results

Rows = list[tuple[str, str]]


def result_rows(results: Results) -> Rows:
    """What the table shows: a word and a text each."""
    words, names = words_of(results.language), labels(results.language)
    count = len(results)
    reasons = [(item.trace.stop_reason or "unfinished") for item in results.unfinished]
    told = ", ".join(f"{names.reason(why)} {reasons.count(why)}" for why in dict.fromkeys(reasons))
    shown = {
        "task": results.task,
        "agent": results.agent,
        "model": results.model or "–",
        "runs": words["of"].format(runs=count, n=results.n),
        "score": _score(results, words),
        "errors": words["counted"].format(errors=len(results.errors), runs=count),
        "unfinished": str(len(reasons)) + (names.note.format(note=told) if told else ""),
        "calls": str(len(results.calls)),
        "tools": str(results.tool_calls),
        "tokens": _tokens(results, names),
    }
    if results.model == EMBEDDED:
        shown["note"] = words["staged"]
    return [(words[name], text) for name, text in shown.items()]


def paired_rows(pair: Paired) -> Rows:
    """What the table of a comparison shows."""
    words = words_of(pair.language)
    sides = zip(pair.names, pair.scores, strict=True)
    low, high = pair.interval or (0.0, 0.0)
    told = words["points" if pair.interval else "no_interval"]
    shown = {
        "compared": " | ".join(f"{name}: {score:.1%}" for name, score in sides),
        "runs": words["pairs"].format(samples=pair.samples, n=pair.n),
        "difference": told.format(by=100 * pair.difference, low=100 * low, high=100 * high),
        "better": _ids(pair.better),
        "worse": _ids(pair.worse),
        "test": words["p"].format(p=pair.p, wins=pair.wins, losses=pair.losses, n=pair.n),
    }
    if EMBEDDED in pair.models:
        shown["note"] = words["staged"]
    return [(words[name], text) for name, text in shown.items()]


def as_text(rows: Rows) -> str:
    """The table as plain text."""
    width = max(map(_width, (word for word, _ in rows)))
    return "\n".join(
        f"{word}{' ' * (width - _width(word))}  {one_line(clean(text), 300)}" for word, text in rows
    )


def as_html(rows: Rows, language: str) -> str:
    """The table as markup."""
    head, *rest = [(html.shown(word), html.shown(one_line(text, 300))) for word, text in rows]
    return table(head, rest, language)


def _width(word: str) -> int:
    """Columns in a terminal: Chinese characters take two."""
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in word)


def _ids(names: tuple[str, ...], most: int = 8) -> str:
    more = f" … ({len(names)})" if len(names) > most else ""
    return ", ".join(names[:most]) + more if names else "–"


def _score(results: Results, words: dict[str, str]) -> str:
    if results.score is None:
        first = results.errors[0].error if results.errors else ""
        return words["broken" if first else "nothing"].format(first=first)
    if results.interval is None:
        return words["bare"].format(score=results.score)
    low, high = results.interval
    return words["mean"].format(score=results.score, low=low, high=high)


def _tokens(results: Results, names: Labels) -> str:
    """The reported tokens, marked where calls reported none; never a 0 that is not known."""
    calls = len(results.calls)
    reported = calls - results.unreported
    if not reported:
        return names.unknown_tokens if calls else "–"
    partial = names.partial.format(some=reported, all=calls)
    return names.used(results.usage, *([partial] if results.unreported else []))
