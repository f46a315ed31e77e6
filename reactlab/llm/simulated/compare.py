"""Comparing two or more things: which is more, by how much, whether, and whether the same."""

# ruff: noqa: E501  (a pattern reads better on one line)

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from reactlab.llm.simulated.asking import Ask, subjects, understand
from reactlab.llm.simulated.extract import unit_of
from reactlab.llm.simulated.facts import Fact, find
from reactlab.llm.simulated.planner import Move, Run
from reactlab.llm.simulated.tables import hits, patterns, phrases
from reactlab.llm.simulated.text import dates, plain, quantities

_SAME = re.compile(
    r"\bsame\b|\bshare (?:a|the|one)\b|\bin common\b|\bidentical\b|同一|相同|同样|一样的", re.I
)
_BOTH = re.compile(r"\bboth\b|都", re.I)
_WHETHER = re.compile(
    r"^(?:(?:and|so|tell me|i wonder|do you know),? )*(?:is|are|was|were|did|does|do|has|have|can|could|if|whether)\b|\bwhether\b|吗[？?]?$|是不是|是否|有没有",
    re.I,
)
_BY_HOW_MUCH = re.compile(
    r"\bhow (?:much|many|far|long)\b|\bby (?:how|what)\b|difference|多多少|[高长深重大早晚快]多少|多少|相差|差多少|几岁|几年",
    re.I,
)
_DATES = "born die publish release perform open found build complete launch land discover invent join independent begin host republic climb"


@dataclass(frozen=True)
class Scale:
    """What things are compared by, and whether more or less of it wins."""

    concepts: tuple[str, ...]
    kind: str
    wins: str


def plan(run: Run, text: str) -> Move | None:
    """The move for a comparison; None if the question compares nothing."""
    things = [name.text for name in subjects(text, run.lang)]
    things = [thing for thing in things if len(thing) > 1] or things
    if len(things) < 2:
        return None
    if _SAME.search(text):
        return _same(run, text, things)
    scale = _scale(text, run.lang) or (
        _measure(text, run.lang) if _TOTAL.search(text) or _GAP.search(text) else None
    )
    if scale is None:
        return _all_do(run, text, things) if _BOTH.search(text) and _WHETHER.search(text) else None
    return _by_scale(run, text, _compared(text, things), scale)


def _scale(text: str, lang: str) -> Scale | None:
    for pattern, (asked, kind, wins) in patterns("comparatives"):
        if not pattern.search(text):
            continue
        if asked == "DATE":
            named = [h.concept.id for h in hits(text, lang) if h.concept.id in _DATES.split()]
            asked = " ".join(dict.fromkeys(named))
        if asked:
            return Scale(tuple(asked.split()), kind, wins)
    return None


_TOTAL = re.compile(
    r"\bcombined\b|\btogether\b|\btotal\b|\bsum\b|\bin all\b|\baltogether\b|\badd\w*\b|加起来|一共|总共|合计|之和|总和|共有",
    re.I,
)
_GAP = re.compile(
    r"\bdifference\b|\bapart\b|\btimes (?:as|the)\b|\btimes \w+er\b|相差|之差|几倍|多少倍", re.I
)
_TIMES = re.compile(r"\bhow many times\b|\btimes (?:as|the)\b|ratio|几倍|多少倍", re.I)


def _measure(text: str, lang: str) -> Scale | None:
    """The property that is added up or subtracted, where no comparative names it."""
    numeric = (
        "length",
        "mass",
        "people",
        "area",
        "speed",
        "temperature",
        "count",
        "number",
        "duration",
        "date",
    )
    own = [h.concept for h in hits(text, lang) if h.concept.kind in numeric]
    return Scale((own[0].id,), own[0].kind, "max") if own else None


def _compared(text: str, things: list[str]) -> list[str]:
    """The things on both sides of `or`, `than`, `和`; what only places them is left out."""
    link = r"(?:,? (?:or|and|than|versus|vs\.?|before|after|as|compared (?:to|with)|with)(?: the (?:one|film|novel) (?:in|of|by))?(?: the| a)? |, (?:the )?|和|与|跟|还是|或者?|比|、|，|有|早于|晚于)"
    if len(things) <= 2:
        return things
    linked = [
        t for t in things
        if re.search(link + r"[《“]?" + re.escape(t), text) or re.search(re.escape(t) + r"(?:['’]s)?[》”]?" + link, text)
    ]  # fmt: skip
    return linked if len(linked) > 1 else things[:2]


def part(
    run: Run, text: str, thing: str, wanted: tuple[str, ...], kind: str, *, closer: bool = True
) -> Fact | None:
    """One thing's value on a scale, asked for by the scale's own words."""
    run.part += 1
    context = tuple(
        dict.fromkeys(h.concept.id for h in hits(text, run.lang) if h.concept.id in _CONTEXT)
    )
    for at, name in enumerate(wanted, start=1):
        ask = Ask(thing, run.lang, thing, kind, wanted=(name, *context))
        if fact := find(run, ask, closer=closer and at == len(wanted)):
            return fact
    return None


_CONTEXT = frozenset(
    [
        "metro",
        "railway",
        "bridge",
        "tunnel",
        "olympics",
        "summer",
        "winter",
        "first",
        "photoelectric",
        "special",
        "general",
    ]
)


def _by_scale(run: Run, text: str, things: list[str], scale: Scale) -> Move | None:
    measure = _age if scale.kind == "age" else _amount
    found: list[tuple[str, float, str]] = []
    for wanted in _attempts(scale):
        run.part, found = 0, []
        for thing in things:
            amount = measure(run, text, thing, replace(scale, concepts=wanted))
            if amount is None:
                break
            found.append((thing, *amount))
        if len(found) == len(things):
            return _verdict(run, text, found, scale)
    return _missing(run)


def _attempts(scale: Scale) -> list[tuple[str, ...]]:
    """Several meanings of `bigger` are tried one after another; dates of birth and death together."""
    return [scale.concepts] if scale.kind == "age" else [(name,) for name in scale.concepts]


def _missing(run: Run) -> Move:
    return Move(run.say("nothing"), answer=run.say("notfound"))


def _amount(run: Run, text: str, thing: str, scale: Scale) -> tuple[float, str] | None:
    kind = scale.kind
    if kind == "size":
        kind = {"area": "area", "population": "people"}.get(scale.concepts[0], "length")
    closer = scale.concepts != ("born",) or "born" in [h.concept.id for h in hits(text, run.lang)]
    fact = part(run, text, thing, scale.concepts, kind, closer=closer)
    return amount(fact.value, kind) if fact else None


def _age(run: Run, text: str, thing: str, scale: Scale) -> tuple[float, str] | None:
    born = part(run, text, thing, ("born",), "date")
    died = part(run, text, thing, ("die",), "date") if born else None
    if not born or not died:
        return None
    (b, _), (d, _) = amount(born.value, "date") or (0, ""), amount(died.value, "date") or (0, "")
    return d - b, plain(int(d - b))


def amount(value: str, kind: str) -> tuple[float, str] | None:
    """A value as a number that can be compared, beside its wording."""
    if kind in ("date", "year"):
        found = dates(value)
        if not found:
            return None
        year, month, day = found[0].key
        return year + month / 12.4 + day / 400, value
    numbers = quantities(value)
    if not numbers:
        return None
    unit = unit_of(numbers[0], kind if kind not in ("count", "people", "number") else "")
    sign = -1 if re.search(r"minus|零下|^-", value) else 1
    return sign * numbers[0].value * (unit[2] if unit else 1), value


def _verdict(run: Run, text: str, found: list[tuple[str, float, str]], scale: Scale) -> Move:
    pick: Callable[..., tuple[str, float, str]] = max if scale.wins == "max" else min
    winner = pick(found, key=lambda item: item[1])
    parts = "; ".join(f"{thing}: {value}" for thing, _, value in found)
    if _TOTAL.search(text):
        return _worked(run, " + ".join(plain(quantities(v)[0].value) for _, _, v in found))
    if _TIMES.search(text):
        first, second = sorted(found[:2], key=lambda item: -item[1])
        return _worked(
            run, f"{plain(quantities(first[2])[0].value)} / {plain(quantities(second[2])[0].value)}"
        )
    if _WHETHER.search(text):
        a, b = found[0][1], found[1][1]
        true = a > b if scale.wins == "max" else a < b
        answer = phrases("yes" if true else "no", run.lang)[0]
    elif _BY_HOW_MUCH.search(text) or _GAP.search(text):
        return _difference(run, found, parts)
    else:
        answer = winner[0]
    return Move(run.say("compared", parts=parts, answer=answer), answer=answer)


def _difference(run: Run, found: list[tuple[str, float, str]], parts: str) -> Move:
    """By how much: years from dates, everything else from the numbers as written."""
    first, second = sorted(found[:2], key=lambda item: -item[1])
    if dates(first[2]) and dates(second[2]):
        numbers = [float(dates(v)[0].year) for _, _, v in (first, second)]
    else:
        numbers = [quantities(v)[0].value for _, _, v in (first, second)]
    value = run.compute(f"{plain(numbers[0])} - {plain(numbers[1])}")
    return Move(run.say("compared", parts=parts, answer=value), answer=value)


def _worked(run: Run, expression: str) -> Move:
    value = run.compute(expression)
    return (
        Move(run.say("computed", sum=expression, value=value), answer=value)
        if value
        else _missing(run)
    )


_ATTRIBUTES = (
    (re.compile(r"countr|nation|国家|国人", re.I), "country", ("born", "locate")),
    (re.compile(r"\bcity|\btown|\bplace|城市|地方", re.I), "city", ("born", "locate")),
    (re.compile(r"\byear|年", re.I), "year", ()),
    (re.compile(r"\bcurrenc|\bmoney|货币|钱", re.I), "name", ("currency",)),
    (re.compile(r"\blanguage|语言", re.I), "name", ("language",)),
    (re.compile(r"\bcontinent|大洲", re.I), "name", ("locate",)),
    (re.compile(r"author|writer|wrote|written|作者|所写|写的", re.I), "person", ("write",)),
    (re.compile(r"director|directed|导演", re.I), "person", ("direct",)),
    (re.compile(r"painter|artist|painted|画家|画的", re.I), "person", ("paint",)),
    (re.compile(r"architect|design|设计", re.I), "person", ("design",)),
    (re.compile(r"river|河|江", re.I), "name", ("flowthrough",)),
    (re.compile(r"universit|大学", re.I), "name", ("study",)),
    (re.compile(r"museum|博物馆", re.I), "name", ("keep",)),
    (re.compile(r"ocean|\bsea\b|海", re.I), "name", ("mouth",)),
    (re.compile(r"prize|奖", re.I), "name", ("win",)),
    (re.compile(r"person|people|人", re.I), "person", ()),
)


def _same(run: Run, text: str, things: list[str]) -> Move | None:
    """Whether two things agree in something."""
    for pattern, kind, wanted in _ATTRIBUTES:
        if pattern.search(text):
            named = tuple(
                dict.fromkeys(
                    h.concept.id
                    for h in hits(text, run.lang)
                    if h.concept.kind == "date" or h.concept.id in ("born", "die", "build")
                )
            )
            scale = (*named, *wanted) if kind in ("year", "country", "city", "person") else wanted
            values = []
            for thing in things[:2]:
                fact = part(run, text, thing, tuple(dict.fromkeys(scale)), kind) if scale else None
                if fact is None:
                    return _missing(run)
                values.append((thing, fact.value))
            alike = (
                values[0][1].casefold() in values[1][1].casefold()
                or values[1][1].casefold() in values[0][1].casefold()
            )
            answer = phrases("yes" if alike else "no", run.lang)[0]
            parts = "; ".join(f"{thing}: {value}" for thing, value in values)
            return Move(run.say("compared", parts=parts, answer=answer), answer=answer)
    return None


def _all_do(run: Run, text: str, things: list[str]) -> Move | None:
    """Whether something holds for each of two things: "were A and B both born in C"."""
    if len(things) < 3:
        return None
    verdicts = []
    for thing in things[:2]:
        run.part += 1
        ask = replace(understand(text, run.lang, subject=thing), others=(), kind="phrase")
        fact = find(run, ask)
        if fact is None:
            return _missing(run)
        verdicts.append(things[-1].casefold() in fact.sentence.casefold())
    answer = phrases("yes" if all(verdicts) else "no", run.lang)[0]
    return Move(run.say("compared", parts="; ".join(things[:2]), answer=answer), answer=answer)
