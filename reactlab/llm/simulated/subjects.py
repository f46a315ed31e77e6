"""What a text is about: titles in quotes, names, and in Chinese the words that no table knows."""

from __future__ import annotations

import re
from functools import cache

from .numbers import dates
from .tables import cue, families, hits, rows, word_set
from .text import Span, names, stem, tokens

LONGEST = 600  # characters of a text that are analysed
_LATIN = re.compile(r"[A-Za-z][A-Za-z0-9.\-]*(?: [A-Z][A-Za-z0-9.\-]*)*\d*")
_RUN = re.compile(r"[\u3400-\u9fff·]+(?:-?\d+号?)?")


def subjects(text: str, lang: str) -> list[Span]:
    """The names in a text: titles in quotes first, then the others in order."""
    text = text[:LONGEST]
    quoted = [_inside(match) for match in cue("quoted_title").finditer(text)]
    blank = _blanked(text, quoted)
    if lang == "en":
        return quoted + _named(blank)
    latin = [Span(m[0].strip(), m.start(), m.end()) for m in _LATIN.finditer(blank)]
    found = sorted(latin + _runs(_blanked(blank, latin)), key=lambda span: span.start)
    ends = "的是在有被和与、，比由最哪发于当这里？"  # behind a name of one character
    found = [s for s in found if len(s.text) > 1 or blank[s.end : s.end + 1] in ends]
    long = [span for span in found if len(span.text) > 1]
    return quoted + long if quoted or long else found


def _inside(match: re.Match[str]) -> Span:
    group = match.lastindex or 1
    return Span(match[group], match.start(group), match.end(group))


def _blanked(text: str, spans: list[Span]) -> str:
    for span in spans:
        text = text[: span.start] + "\n" * (span.end - span.start) + text[span.end :]
    return text


def masked(text: str, spans: list[Span]) -> str:
    """The text with blanks in the place of names."""
    return _blanked(text, spans).replace("\n", " ")


def _named(text: str) -> list[Span]:
    """English names without small words at their start, dates and adjectives of countries."""
    found = [_trimmed(name, text) for name in names(text)]
    found = [name for name in found if name.text and not _common(name.text)]
    return _joined(text, found)


def _trimmed(name: Span, text: str) -> Span:
    """Small words at the start of a name, as in `Did Mary` or `In the Alps`, are no part of it."""
    small, kept, start = word_set("stop", "en"), name.text, name.start
    opens = not text[:start].strip() or text[:start].rstrip()[-1:] in ".?!:,"
    while kept:
        first, _, rest = kept.partition(" ")
        plain = stem(first) in small or (opens and start == name.start and _verb(first, rest))
        lower = not first[0].isupper() and not first[0].isdigit()
        if not (lower or plain) or (first == "The" and rest[:1].isupper() and not opens):
            break
        start, kept = start + len(first) + 1, rest
    return Span(kept, start, name.end)


def _verb(first: str, rest: str) -> bool:
    """Whether a capital only marks the start of a sentence: `Name the`, `Convert the`."""
    return (not rest and bool(hits(first, "en"))) or stem(first) in word_set("orders", "en")


def _common(name: str) -> bool:
    words = [token.stem for token in tokens(name)]
    plain = word_set("months", "en") | word_set("nationality", "en")
    return all(word in plain or word.isdigit() for word in words)


def _joined(text: str, found: list[Span]) -> list[Span]:
    """`Pride and Prejudice` is one name; in a comparison `Tokyo and Paris` are two."""
    joined: list[Span] = []
    for name in found:
        last = joined[-1] if joined else None
        lone = last and " " not in name.text + last.text and text[last.end : name.start] == " and "
        if last and lone and not _pairs(text, last, name):
            joined[-1] = Span(text[last.start : name.end], last.start, name.end)
        else:
            joined.append(name)
    return joined


def _pairs(text: str, first: Span, second: Span) -> bool:
    around = text[: first.start] + " ; " + text[second.end :]
    return bool(cue("pairs").search(around)) and " or " not in text[second.end : second.end + 30]


@cache
def _small_zh() -> re.Pattern[str]:
    measure = r"(?:[哪那这一几每两][个位座条部本所种家张只颗项届次场间]|第一[个位])"
    words = sorted(word_set("stop", "zh"), key=lambda word: (-len(word), word))
    return re.compile(measure + "|" + "|".join(map(re.escape, words)))


def _runs(text: str) -> list[Span]:
    """Chinese runs between small words and families; `塔` right behind a run belongs to it."""
    ends = word_set("suffixes", "zh")
    marks = [(m.start(), m.end(), False) for m in _small_zh().finditer(text)]
    short = [hit for hit in hits(text, "zh") if hit.end - hit.start < 7]
    marks += [(h.start, h.end, h.family.id in ends) for h in short]
    marks += [(d.start, d.end, False) for d in dates(text)]
    marks += [(*m.span(), False) for m in cue("month").finditer(text)]
    taken = [" "] * len(text)
    for start, end, suffix in marks:
        for at in range(start, end):
            taken[at] = "x" if not suffix or taken[at] == "x" else "s"
    found = []
    for match in re.finditer(r" +(?:s+ {2,})*s*|s{2,}", "".join(taken)):
        for run in _RUN.finditer(text[match.start() : match.end()]):
            start, end = match.start() + run.start(), match.start() + run.end()
            found.append(_without_role(Span(run[0], start, end)))
    return [run for run in found if run.text]


@cache
def _roles() -> tuple[str, ...]:
    nouns = " ".join(row[2] for row in rows("heads")).split()
    return tuple(sorted((n for n in nouns if len(n) > 1), key=lambda noun: (-len(noun), noun)))


def _without_role(run: Span) -> Span:
    """`化学家` in front of a name says what somebody is and is no part of it."""
    role = next((role for role in _roles() if run.text.startswith(role)), "")
    return Span(run.text[len(role) :], run.start + len(role), run.end)


def general(ident: str) -> bool:
    """Whether a family names a kind of thing, such as rivers, and so asks for nothing."""
    return ident in word_set("generic", "zh") and ident in families()
