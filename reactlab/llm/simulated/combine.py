"""Facts that have to be worked on: other units, shares, products, and sums over several months."""

# ruff: noqa: E501  (a pattern reads better on one line)

from __future__ import annotations

import re
from dataclasses import replace

from reactlab.llm.simulated.asking import Ask, understand
from reactlab.llm.simulated.extract import measured, unit_of, units
from reactlab.llm.simulated.facts import find
from reactlab.llm.simulated.planner import Move, Run
from reactlab.llm.simulated.tables import hits
from reactlab.llm.simulated.text import MONTHS, Quantity, dates, free_quantities, plain, quantities

_ASKED_UNIT = re.compile(
    r"\b(?:in|into|to|how many|number of|as)\s+$|(?:多少|几|成|为|是|合)$", re.I
)
_AGO = re.compile(r"\s?(?:ago|old|after|before|later|之|后|前)")
_SHARE = re.compile(
    r"\bpercent|\bper cent\b|\bshare\b|\bproportion|\bfraction|百分|占比|比例|占.{0,6}多少", re.I
)
_PRODUCT = re.compile(
    r"\b(?:bring in|brought in|earn\w*|revenue|turnover|income|takings|made from|make from|sales value|money|worth|gross\w*)\b|收入|销售额|营业额|进账|卖了多少钱|赚|多少钱",
    re.I,
)
_SURFACE = re.compile(r"\barea\b|\bsurface\b|square|面积|平方", re.I)
_MONTHS_ZH = [f"{n}月" for n in range(1, 13)]
_FIRST = re.compile(r"\bfirst (\w+) months\b|(?:前|头)([一二两三四五六\d]+)个月", re.I)
_RANGES = (
    (re.compile(r"first quarter|\bQ1\b|第一季度|一季度", re.I), (1, 3)),
    (re.compile(r"second quarter|\bQ2\b|第二季度|二季度", re.I), (4, 6)),
    (re.compile(r"half[- ]year|first half|six months|上半年|六个月|半年", re.I), (1, 6)),
)
_MORE = re.compile(
    r"\bmore\b|\bfewer\b|\bdifference|\bless\b|\bdrop|\bris|\bchange|\bexceed|比|多多少|少多少|相差|增|减",
    re.I,
)
_MEAN = re.compile(r"\baverage|\bmean\b|\bper month|平均|每月|每个月", re.I)
_WHICH = re.compile(r"which month|what month|in which|best month|哪个月|哪一个月", re.I)


def plan(run: Run, text: str) -> Move | None:
    """The move for a question that needs a fact and a sum; None for other questions."""
    if _SHARE.search(text) and (move := _share(run, text)):
        return move
    if _PRODUCT.search(text) and (move := _product(run, text, ("price", "sold"))):
        return move
    return _converted(run, text) or (_surface(run, text) if _SURFACE.search(text) else None)


def named_months(text: str, lang: str) -> list[str]:
    """The months that a question is about, whether named one by one or as a range."""
    names = _MONTHS_ZH if lang == "zh" else [month.capitalize() for month in MONTHS]
    if found := _FIRST.search(text):
        count = (
            int(quantities(f"{found[1] or found[2]}个 x")[0].value)
            if quantities(f"{found[1] or found[2]}个 x")
            else 0
        )
        return names[:count]
    for pattern, (first, last) in _RANGES:
        if pattern.search(text):
            return names[first - 1 : last]
    marks = (
        re.findall(r"\d+月(?!\d)", text)
        if lang == "zh"
        else re.findall(r"\b(?:" + "|".join(names) + r")\b", text)
    )
    through = re.search(r"\b(?:from|between) \w+ (?:to|through|until) \w+|through|至|到", text)
    if len(marks) == 2 and through and marks[0] in names and marks[1] in names:
        return names[names.index(marks[0]) : names.index(marks[1]) + 1]
    return list(dict.fromkeys(marks)) if len(marks) > 1 and not _full_dates(text) else []


def _full_dates(text: str) -> bool:
    return any(date.day for date in dates(text))


def over_months(run: Run, text: str) -> Move | None:
    """The move for a question about several months; None for other questions."""
    months = named_months(text, run.lang)
    if len(months) < 2:
        return None
    base = understand(text, run.lang)
    subject = base.subject
    sold = tuple(h.concept.id for h in hits(text, run.lang) if h.concept.kind == "count")[:1] or (
        "sold",
    )
    values: list[Quantity] = []
    for month in months:
        run.part += 1
        ask = Ask(
            text=subject,
            lang=run.lang,
            subject=subject,
            kind="phrase",
            others=(month,),
            wanted=sold,
        )
        fact = find(run, ask)
        numbers = (
            [q for q in free_quantities(fact.sentence) if not re.match(r"[年月]", q.after)]
            if fact
            else []
        )
        if fact is None or month not in fact.sentence or not numbers:
            return Move(run.say("nothing"), answer=run.say("notfound"))
        values.append(max(numbers, key=lambda q: q.value))
    return _joined(run, text, months, [plain(q.value) for q in values])


def _joined(run: Run, text: str, months: list[str], values: list[str]) -> Move:
    if _WHICH.search(text):
        at = values.index(
            (min if re.search(r"few|least|worst|最少|最差", text) else max)(values, key=float)
        )
        parts = "; ".join(f"{m}: {v}" for m, v in zip(months, values, strict=True))
        return Move(run.say("compared", parts=parts, answer=months[at]), answer=months[at])
    if (
        len(values) == 2
        and _MORE.search(text)
        and not re.search(r"together|altogether|total|合计|一共|总共", text)
    ):
        return worked(run, " - ".join(sorted(values, key=float, reverse=True)))
    total = " + ".join(values)
    return worked(run, f"({total}) / {len(values)}" if _MEAN.search(text) else total)


def worked(run: Run, expression: str) -> Move:
    """The answer is the value of an expression."""
    value = run.compute(expression)
    if not value:
        return Move(run.say("nothing"), answer=run.say("notfound"))
    return Move(run.say("computed", sum=expression, value=value), answer=value)


def _share(run: Run, text: str) -> Move | None:
    """`130 of 134` as a percentage, or a percentage that the text gives itself."""
    fact = find(run, replace(understand(text, run.lang), kind="phrase"))
    if fact is None:
        return None
    if direct := re.search(r"(\d[\d.,]*)\s?(?:%|percent\b)", fact.sentence):
        return Move(run.say("quote", sentence=fact.sentence), answer=direct[0])
    pair = re.search(r"(\d[\d,]*) (?:out )?of (?:the )?(\d[\d,]*)", fact.sentence)
    zh = re.search(r"(\d[\d,]*)[个人只本座]?[^，。\d]{0,12}?中的?(\d[\d,]*)", fact.sentence)
    if pair:
        return worked(run, f"{pair[1]} / {pair[2]} * 100".replace(",", ""))
    return worked(run, f"{zh[2]} / {zh[1]} * 100".replace(",", "")) if zh else None


def _product(run: Run, text: str, wanted: tuple[str, ...]) -> Move | None:
    """What was sold, times its price."""
    base = understand(text, run.lang)
    fact = find(run, Ask(base.subject, run.lang, base.subject, "phrase", wanted=wanted))
    if fact is None:
        return None
    found = free_quantities(fact.sentence)
    return (
        worked(run, f"{plain(found[0].value)} * {plain(found[1].value)}")
        if len(found) == 2
        else None
    )


def _surface(run: Run, text: str) -> Move | None:
    """Height times width, where the page gives both and no area."""
    base = understand(text, run.lang)
    for wanted in (("height", "width"), ("length", "width")):
        fact = find(run, Ask(base.subject, run.lang, base.subject, "phrase", wanted=wanted))
        sides = measured(fact.sentence, "length") if fact else []
        if len(sides) == 2:
            return worked(run, f"{plain(sides[0].value)} * {plain(sides[1].value)}")
    return None


def _converted(run: Run, text: str) -> Move | None:
    """A measure in another unit than the page uses; the factor may be given in the question."""
    bare = re.sub(
        r"[(（][^)）]*[)）]|[,，;；](?: if| given| using| assuming| taking|按|假设|已知)[^?？]*",
        " ",
        text,
    )
    target = _wanted_unit(bare)
    if target is None:
        return None
    word, dimension, size = target
    ask = understand(bare.replace(word, " "), run.lang)
    fact = find(run, replace(ask, kind=dimension, head=""))
    found = measured(fact.value, dimension) if fact else []
    unit = unit_of(found[0], dimension) if found else None
    if fact is None or unit is None:
        return None
    if abs(unit[2] - size) < 1e-12:
        return Move(run.say("quote", sentence=fact.sentence), answer=fact.value)
    return worked(run, _expression(text, found[0].value, unit, (word, size)))


def _wanted_unit(text: str) -> tuple[str, str, float] | None:
    """(word, dimension, size) of the unit that the answer shall be in."""
    for dimension in ("length", "mass", "area", "speed", "duration"):
        for word, (_, size) in units(dimension).items():
            for match in re.finditer(
                rf"(?<![a-z]){re.escape(word)}(?![a-z])" if word.isascii() else re.escape(word),
                text,
            ):
                asked = len(word) > 1 + word.isascii() and _ASKED_UNIT.search(text[: match.start()])
                if asked and not _AGO.match(text[match.end() :]):
                    return word, dimension, size
    return None


def _expression(
    text: str, value: float, source: tuple[str, str, float], target: tuple[str, float]
) -> str:
    given = [
        q for q in quantities(text) if q.value not in (1, int(q.value) if q.value > 1000 else 1)
    ]
    for quantity in given:
        of = unit_of(quantity, "")
        if of and of[1] == source[1]:
            return f"{plain(value)} / {plain(quantity.value)}"
        if of and of[2] == target[1]:
            return f"{plain(value)} * {plain(quantity.value)}"
    ratio = source[2] / target[1]
    if ratio >= 1 and ratio == int(ratio):
        return f"{plain(value)} * {plain(ratio)}"
    if 1 / ratio == int(1 / ratio):
        return f"{plain(value)} / {plain(1 / ratio)}"
    return f"{plain(value)} * {plain(source[2])} / {plain(target[1])}"
