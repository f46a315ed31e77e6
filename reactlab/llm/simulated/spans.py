"""Ages, and how long it is from one event to another."""

# ruff: noqa: E501  (a pattern reads better on one line)

from __future__ import annotations

import datetime
import re
from dataclasses import replace

from reactlab.llm.simulated.asking import Ask, subjects, understand
from reactlab.llm.simulated.compare import part
from reactlab.llm.simulated.facts import find
from reactlab.llm.simulated.planner import Move, Run
from reactlab.llm.simulated.tables import hits
from reactlab.llm.simulated.text import Date, dates

_AGE = re.compile(
    r"\bhow old\b|\bwhat age\b|\bwhich age\b|\bage (?:of|at|did|was|when)\b|\baged?\b|\bhow many years did .{2,60} live\b|\bhow long did .{2,60} live\b|几岁|多大年纪|多大岁数|多大(?=[？?]|的时候|了)|年龄|享年|多少岁|终年|活了多|活到",
    re.I,
)
_SPAN = re.compile(
    r"\bhow (?:many|much) (?:full |whole |calendar )?(?P<unit>years?|days?|months?|weeks?|decades?|time)\b|\bhow long (?:after|before|between|was it|did it take|is it|passed|until|from)\b|\bhow much (?:later|earlier)\b|number of (?P<unit2>years|days|months)"
    r"|(?:多少|几|相隔|隔了|过了|花了|历时|用了|间隔|隔|相差)(?:多少|几)?(?P<unit3>年|天|个月|日)|相隔多久|隔了多久|多久之后|花了多久|历时多久|用了多久",
    re.I,
)
_EVENT = frozenset(
    [
        "born",
        "die",
        "build",
        "begin",
        "complete",
        "open",
        "found",
        "discover",
        "invent",
        "publish",
        "release",
        "perform",
        "launch",
        "land",
        "return",
        "climb",
        "win",
        "marry",
        "bury",
        "steal",
        "move",
        "join",
        "leave",
        "independent",
        "republic",
        "reunited",
        "host",
        "erupt",
        "began",
        "create",
        "write",
        "direct",
        "paint",
        "design",
        "heritage",
        "study",
        "teach",
        "keep",
        "president",
    ]
)
_SPLIT = re.compile(
    r"\b(?:between|from|after|before|until|till|and|when|since|did|at the time|by the time|once|to)\b|从|到|之后|以后|后|之前|和|与|，|、|时候?",
    re.I,
)


def plan(run: Run, text: str) -> Move | None:
    """The move for a question about an age or a length of time; None for other questions."""
    named = subjects(text, run.lang)
    if not named:
        return None
    if _AGE.search(text):
        return _age(run, text, [name.text for name in named])
    span = _SPAN.search(text)
    return _between(run, text, span) if span else None


def _age(run: Run, text: str, things: list[str]) -> Move | None:
    person = things[0]
    event = [h.concept.id for h in hits(text, run.lang) if h.concept.id in _EVENT - {"born"}]
    given = dates(text)
    if not event and not given and not re.search(r"live|\bget\b|become|活|享年|终年", text):
        return None
    born = part(run, text, person, ("born",), "date")
    if born is None:
        return _missing(run)
    if given and not (event and event[0] == "die"):
        last: Date | None = given[0]
    else:
        last = _event_date(run, text, event or ["die"], things)
    return _worked_out(run, dates(born.value), last, "age")


def _event_date(run: Run, text: str, event: list[str], things: list[str]) -> Date | None:
    """When the thing happened to the other thing that the question names, else to the person."""
    others = [thing for thing in things[1:] if len(thing) > 1]
    subject = others[0] if others else things[0]
    ask = understand(text, run.lang, subject=subject)
    ask = replace(
        ask, kind="date", others=(), text=_without(ask.text, things[0]) if others else ask.text
    )
    run.part += 1
    fact = find(run, ask) or (part(run, text, subject, (event[0],), "date") if event else None)
    return dates(fact.value)[0] if fact and dates(fact.value) else None


def _without(text: str, name: str) -> str:
    text = _AGE.sub(" ", text.replace(name, " "))
    return re.sub(r"\b(?:was|is|old|he|she|when|at the time|of|in)\b", " ", text)


def _between(run: Run, text: str, span: re.Match[str]) -> Move | None:
    asks = _events(run, text, span)
    given = dates(text)
    if len(asks) + len(given) < 2:
        return None
    found: list[Date] = list(given[:1]) if len(asks) < 2 else []
    for ask in asks[:2]:
        run.part += 1
        fact = find(run, ask)
        when = dates(fact.value) if fact else []
        if not when:
            return _missing(run)
        found.append(
            when[-1] if len(found) == 0 and re.search(r"finish|complet", ask.text) else when[0]
        )
    unit = next((u for u in span.groupdict().values() if u), "years" if run.lang == "en" else "年")
    return _worked_out(run, found[:1], found[1], unit)


def _events(run: Run, text: str, span: re.Match[str]) -> list[Ask]:
    """One question for each event: a piece of the text with an event word, and whose it is."""
    rest = text[: span.start()] + " " + text[span.end() :]
    pieces = [p for p in _pieces(rest, run.lang) if p.strip()]
    found: list[tuple[str, str]] = []
    for piece in pieces:
        names = (
            [
                n.text
                for n in subjects(piece, run.lang)
                if not re.match(r"(?:the )?(?:moon|earth|sun)\b|月球|月面|地球|太阳", n.text, re.I)
            ]
            if re.search(r"[A-Z]|[\u3400-\u9fff]", piece)
            else []
        )
        event = any(h.concept.id in _EVENT for h in hits(piece, run.lang))
        if event:
            found.append((piece, names[0] if names else ""))
        elif names and found and not found[-1][1]:
            found[-1] = (found[-1][0] + " " + piece, names[0])
        elif names:
            found.append((piece, names[0]))
    return _completed(run, _merged(found, run.lang))


def _merged(found: list[tuple[str, str]], lang: str) -> list[tuple[str, str]]:
    """A name on its own belongs to the event behind it, if that has none."""
    merged: list[tuple[str, str]] = []
    for piece, name in found:
        if (
            merged
            and not name
            and not any(h.concept.id in _EVENT for h in hits(merged[-1][0], lang))
        ):
            merged[-1] = (merged[-1][0] + " " + piece, merged[-1][1])
        else:
            merged.append((piece, name))
    return merged


def _pieces(text: str, lang: str) -> list[str]:
    """Cut at `between`, `until` and the like, but not inside names."""
    cuts, names = [0], subjects(text, lang)
    for match in _SPLIT.finditer(text):
        if not any(n.start <= match.start() < n.end for n in names):
            cuts += [match.start(), match.end()]
    return [text[a:b] for a, b in zip(cuts, [*cuts[1:], len(text)], strict=True)]


def _completed(run: Run, found: list[tuple[str, str]]) -> list[Ask]:
    """Whoever is not named in one piece is named in the other; likewise what happened."""
    names = [name for _, name in found if name]
    if not names:
        return []
    with_event = [p for p, _ in found if any(h.concept.id in _EVENT for h in hits(p, run.lang))]
    asks = []
    for piece, name in found:
        own = name or names[0]
        if piece not in with_event and with_event:
            event = next(h for h in hits(with_event[0], run.lang) if h.concept.id in _EVENT)
            piece = piece + " " + with_event[0][event.start : event.end]
        ask = understand(piece, run.lang, subject=own)
        asks.append(replace(ask, kind="date", head=""))
    return asks if with_event else []


def _missing(run: Run) -> Move:
    return Move(run.say("nothing"), answer=run.say("notfound"))


def _worked_out(run: Run, first: list[Date], last: Date | None, unit: str) -> Move:
    if not first or last is None:
        return _missing(run)
    begin, end = sorted([first[0], last], key=lambda date: date.key)
    if not begin.year:
        return _missing(run)
    if unit.startswith(("day", "天", "日", "week")) and begin.day and end.day:
        days = (datetime.date(*end.key) - datetime.date(*begin.key)).days
        value = str(days // 7 if unit.startswith("week") else days)
        return Move(run.say("counted", first=begin.text, last=end.text, value=value), answer=value)
    if unit.startswith(("month", "个月")) and begin.month and end.month:
        expression = f"({end.year} - {begin.year}) * 12 + {end.month} - {begin.month}"
        value = run.compute(expression)
        return Move(run.say("computed", sum=expression, value=value), answer=value)
    early = unit == "age" and begin.month and end.month and end.key[1:] < begin.key[1:]
    expression = f"{end.year} - {begin.year}" + (" - 1" if early else "")
    value = run.compute(expression)
    if not value:
        return _missing(run)
    return Move(run.say("computed", sum=expression, value=value), answer=value)
