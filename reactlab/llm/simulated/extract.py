"""Picking an answer out of a sentence: the span of the kind that was asked for."""

# ruff: noqa: E501  (a pattern reads better on one line)

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from reactlab.llm.simulated.asking import Ask
from reactlab.llm.simulated.tables import Concept, hits, rows, word_set
from reactlab.llm.simulated.text import (
    Name,
    Quantity,
    dates,
    free_quantities,
    names,
    quantities,
    stem,
    tokens,
)

_ARTICLES = re.compile(
    r"^(?:The|A|An|In|On|At|His|Her|Its|Their|Since|For|From|During|Before|After|Also|By) (?=[A-ZÀ-Þ])"
)
_PLACE = r"(?:in what is now|in|from|at|near|on|to|through|into|outside|behind|within)(?: the| a)?"
_BEFORE_PLACE = re.compile(rf"\b{_PLACE} ?$", re.IGNORECASE)
_CALLED = re.compile(
    r"\b(?:called|named|nicknamed|known as|entitled)\b(?: the)? (?!after)", re.IGNORECASE
)
_COPULA = re.compile(
    r"\b(?:is|are|was|were|became|means)\b(?: (?:called|named|the|a|an|mostly|mainly|about))* ",
    re.IGNORECASE,
)
_END = re.compile(
    r"[,;:.]|\b(?:and|which|who|that|where|when|because|until|before|after|while|so)\b|$"
)
_CLAUSE_END = re.compile(
    r"[;]|\.(?:\s|$)|(?<=\w),? (?:which|who|because|when|until|and was|and had)\b|$"
)
_COUNTRY = (
    re.compile(
        r"(?:capital|part|state|region|province|city|town|village|kingdom) (?:of|in) (?:the )?(?P<n>[A-Z].*?)(?=[,.;]|$| (?:on|by|is|was|and is)\b)"
    ),
    re.compile(r"in what is now (?:the )?(?P<n>[A-Z].*?)(?=[,.;]|$)"),
    re.compile(r"border (?:between|of) (?:the )?(?P<n>[A-Z][\w ]+? and (?:the )?[A-Z][\w ]+)"),
    re.compile(r"shared by (?P<n>[A-Z].*?)(?=[.;]|$)"),
    re.compile(r", (?:in |now )?(?:the )?(?P<n>[A-Z][a-z]+(?: [A-Z][a-z]+)?)(?=[.,]|$)"),
    re.compile(
        r"(?:came from|from|of) (?:the )?(?P<n>[A-Z][a-z]+(?: [A-Z][a-z]+)?)(?=[.,]|$| and)"
    ),
)
_ZH_BREAK = re.compile(
    r"[，。；：、！？《》“”（）()\s]|[的是在由于被和与叫称为了有]|以及|位于|之间|附近|前后|左右|大约|一般认为|\d+年|\d+月|\d+日|首次|第一|曾经|曾"
)
_ZH_ROLES = re.compile(
    r"^(?:[^，]{0,4}?(?:工程师|建筑师|作家|导演|画家|科学家|学家|作曲家|音乐家|登山家|丈夫|妻子|女儿|儿子|父亲|祖父|皇帝|女孩|学者|僧人|公司的?|北宋的|清代的?))(?=.{2})"
)


def extract(ask: Ask, sentence: str) -> str | None:
    """The part of `sentence` that answers `ask`; None where it holds nothing of that kind."""
    finder = (_ZH if ask.lang == "zh" else _EN).get(ask.kind, _phrase)
    found = finder(ask, sentence)
    return found.strip(" ,.;，。") if found else None


def anchors(ask: Ask, sentence: str) -> list[tuple[int, int]]:
    """Where the sentence says what the question asks about."""
    wanted = set(ask.concepts)
    found = [(h.start, h.end) for h in hits(sentence, ask.lang) if h.concept in wanted]
    if ask.lang == "en":
        found += [(t.start, t.end) for t in tokens(sentence) if t.stem in ask.words]
    else:
        found += [(sentence.find(w), sentence.find(w) + len(w)) for w in ask.words if w in sentence]
    return found


def _near(start: int, end: int, places: list[tuple[int, int]]) -> int:
    """How far a span is from the closest anchor; what follows an anchor counts as closer."""
    return min(
        (start - b if start >= b else a - end + 2 for a, b in places if not a <= start < b),
        default=0,
    )


def _candidates(ask: Ask, sentence: str) -> list[Name]:
    """The names of a sentence that are news."""
    known = {t.stem for part in (ask.subject, *ask.others) for t in tokens(part)}
    found = []
    for name in names(sentence):
        name = _trimmed(name)
        own = [t.stem for t in tokens(name.text)]
        if not own or set(own) <= known or name.text.isdigit():
            continue
        if ask.kind == "country" and _continent(name.text):
            continue
        small = [w for w in own if w not in word_set("months", "en") and not w.isdigit()]
        opening = name.start == 0 and own[0] in word_set("stop", "en")
        if small and not (len(own) == 1 and (_adjective(name, sentence) or opening)):
            found.append(name)
    return found


def _continent(text: str) -> bool:
    """Whether a name is a part of the world and so no country."""
    return stem("-".join(text.lower().split())) in word_set("continents", "en")


def _trimmed(name: Name) -> Name:
    cut = _ARTICLES.match(name.text)
    text = name.text[cut.end() :] if cut else name.text
    return Name(re.sub(r"['’]s$", "", text), name.end - len(text), name.end)


def _adjective(name: Name, sentence: str) -> bool:
    """`Danish` in front of `architect` is no name."""
    following = sentence[name.end :]
    return name.text.lower() in word_set("nationality", "en") and bool(
        re.match(r"['’]?s? [a-z]", following)
    )


def _person(ask: Ask, sentence: str) -> str | None:
    found = [n for n in _candidates(ask, sentence) if not _BEFORE_PLACE.search(sentence[: n.start])]
    found = [n for n in found if not re.match(r" (?:Prize|Award)", sentence[n.end :])]
    found = [n for n in found if not re.search(r"\d", n.text)]
    if not found:
        return None
    places = anchors(ask, sentence)
    by = [
        n
        for n in found
        if re.search(r"\b(?:by|thief,|emperor)(?: the)?(?: [a-z]+){0,3} $", sentence[: n.start])
    ]
    best = min(by or found, key=lambda n: _near(n.start, n.end, places))
    return _coordinated(best, found, sentence)


def _coordinated(best: Name, found: list[Name], sentence: str) -> str:
    """`A, B and C` belong together."""
    start, end = best.start, best.end
    link = re.compile(r",? and (?:her husband |his wife |his brother |her team )?|, ")
    for name in sorted(found, key=lambda n: n.start):
        if name.start > end and link.fullmatch(sentence[end : name.start]):
            end = name.end
    for name in sorted(found, key=lambda n: -n.start):
        if name.end < start and link.fullmatch(sentence[name.end : start]):
            start = name.start
    return sentence[start:end]


def _city(ask: Ask, sentence: str) -> str | None:
    found = _candidates(ask, sentence)
    placed = [n for n in found if _BEFORE_PLACE.search(sentence[: n.start])]
    places = anchors(ask, sentence)
    if not placed:
        return _name(ask, sentence)
    return min(placed, key=lambda n: _near(n.start, n.end, places)).text


def _place(ask: Ask, sentence: str) -> str | None:
    """From the preposition to the end of the clause: `Ulm, a city in Germany`."""
    city = _city(ask, sentence)
    between = re.search(r"\bborder (?:between|of|with) [^.,;]+", sentence)
    if between:
        return "the " + between[0]
    if not city:
        return None
    rest = sentence[sentence.find(city) :]
    rest = re.split(
        r" (?:on|in|around|from|between|since) (?:\d|[A-Z][a-z]+ \d)| together with|;|\.\s|\.$",
        rest,
    )[0]
    return rest if len(rest) < 90 else city


def _country(ask: Ask, sentence: str) -> str | None:
    known = {t.stem for t in tokens(ask.subject)}
    for pattern in _COUNTRY:
        for match in pattern.finditer(sentence):
            fresh = not {t.stem for t in tokens(match["n"])} <= known and not _continent(match["n"])
            if fresh and not re.search(r"\d", match["n"]):
                return match["n"]
    placed = [n for n in _candidates(ask, sentence) if _BEFORE_PLACE.search(sentence[: n.start])]
    return placed[0].text if placed else None


def _date(ask: Ask, sentence: str) -> str | None:
    found = dates(sentence)
    if not found:
        return None
    if len(found) > 1 and ask.years:
        found = [d for d in found if str(d.year) not in ask.years] or found
    places = anchors(ask, sentence)
    between = re.search(r"between (\d{3,4}) and (\d{3,4})", sentence)
    if between and re.search(r"finish|complet|end", ask.text):
        return between[2]
    best = min(found, key=lambda d: _near(d.start, d.end, places))
    return str(best.year) + ("年" if ask.lang == "zh" else "") if ask.kind == "year" else best.text


@cache
def units(dimension: str) -> dict[str, tuple[str, float]]:
    """Word -> (unit, size in the base unit) for a dimension, longest words first."""
    found = {}
    for unit, kind, factor, english, chinese in rows("units"):
        if kind == dimension or not dimension:
            for word in [*english.split(), *chinese.split()]:
                found[word.replace("-", " ")] = (unit, float(factor))
    return dict(sorted(found.items(), key=lambda item: (-len(item[0]), item[0])))


def unit_of(quantity: Quantity, dimension: str) -> tuple[str, str, float] | None:
    """(word, unit, factor) of what a quantity is measured in, if it has that dimension."""
    for word, (unit, factor) in units(dimension).items():
        if quantity.after.startswith(word) and not re.match(r"[a-z]", quantity.after[len(word) :]):
            return word, unit, factor
    return None


def measured(text: str, dimension: str) -> list[Quantity]:
    """The quantities of a text that have a unit of this dimension."""
    return [q for q in quantities(text) if unit_of(q, dimension)]


def _measure(ask: Ask, sentence: str) -> str | None:
    dimension = "area" if ask.kind == "size" else ask.kind
    found = measured(sentence, dimension)
    if ask.kind == "size" and not found:
        dimension, found = "length", measured(sentence, "length")
    if ask.kind == "length" and not found and re.search("how long|多长", ask.text, re.I):
        dimension, found = "duration", measured(sentence, "duration")
    if not found:
        return None
    places = anchors(ask, sentence)
    best = min(found, key=lambda q: _near(q.start, q.end, places))
    best = (
        found[0]
        if dimension == "duration" and " and " in sentence[found[0].end : best.start]
        else best
    )
    unit = unit_of(best, "area") or unit_of(best, dimension) or unit_of(best, "length")
    end = sentence.find(unit[0], best.end) + len(unit[0]) if unit else best.end
    more = re.match(r" Celsius| per hour| and \d+ (?:minutes|seconds|months)", sentence[end:])
    start = best.start - 6 if sentence[: best.start].endswith("minus ") else best.start
    return sentence[start : end + (more.end() if more else 0)]


def _count(ask: Ask, sentence: str) -> str | None:
    found = free_quantities(sentence)
    if re.search(r"\bno \w+", sentence) and not found:
        return "0"
    if "没有" in sentence and not found:
        return "没有"
    if not found:
        return None
    places = anchors(ask, sentence)
    head = [t.stem for t in tokens(ask.head)][-1:]
    named = [q for q in found if head and head[0] in {t.stem for t in tokens(q.after[:30])}]
    best = min(named or found, key=lambda q: _near(q.start, q.end, places) if places else q.start)
    if ask.kind == "people":
        millions = [q for q in found if re.match(r"inhabitants|people|人", q.after)]
        best = (millions or found)[0]
    unit = re.match(r"[\u4e00-\u9fff]{1,2}", best.after) if ask.lang == "zh" else None
    return best.text + (unit[0][:1] if unit else "")


def _name(ask: Ask, sentence: str) -> str | None:
    found = _candidates(ask, sentence)
    called = _CALLED.search(sentence)
    if called and (after := [n for n in found if n.start >= called.end() - 1]):
        return after[0].text
    head = re.search(rf"\b{re.escape(ask.head.split()[-1])}\b", sentence) if ask.head else None
    if head:
        before = [n for n in found if 0 <= head.start() - n.end <= 1]
        behind = [n for n in found if 0 <= n.start - head.end() <= 1]
        if before or behind:
            return (behind or before)[0].text + (" " + head[0] if before and not behind else "")
    complement = _complement(ask, sentence)
    if complement and (
        not found or (len(complement.split()) < 4 and complement.startswith(found[0].text))
    ):
        return complement
    places = anchors(ask, sentence)
    if not found:
        told = [
            sentence[h.start : h.end] for h in hits(sentence, "en") if h.concept in _headed(ask)
        ]
        if fresh := [word for word in told if stem(word) not in {t.stem for t in tokens(ask.text)}]:
            return fresh[0]
        rest = _after(ask, sentence)
        return rest if rest and len(rest.split()) < 5 else None
    if _AGENT.match(ask.text) and (
        first := [n for n in found if not _BEFORE_PLACE.search(sentence[: n.start])]
    ):
        return first[0].text
    after_copula = [n for n in found if _COPULA.search(sentence[: n.start][-14:])]
    return min(after_copula or found, key=lambda n: _near(n.start, n.end, places)).text


def _headed(ask: Ask) -> list[Concept]:
    """The concepts of the noun that was asked for: `violin` is an answer to `which instrument`."""
    return [hit.concept for hit in hits(ask.head, "en")]


_AGENT = re.compile(
    r"^(?:which|what) (?:\w+ ){1,2}?(?:won|wins|has|have|had|received|inspired|flows|crosses|became|houses|holds|shows|hosted|joins|made|wrote|contains)\b",
    re.I,
)


def _complement(ask: Ask, sentence: str) -> str | None:
    """What stands behind `is`, when the subject stands before it."""
    copula = _COPULA.search(sentence)
    if not copula:
        return None
    end = _END.search(sentence, copula.end())
    return sentence[copula.end() : end.start() if end else None] or None


def _phrase(ask: Ask, sentence: str) -> str | None:
    return sentence


def _after(ask: Ask, sentence: str) -> str | None:
    """What follows the words that were asked about, up to the end of the clause."""
    places = anchors(ask, sentence)
    if not places:
        return sentence
    start = max(end for _, end in places)
    end = _CLAUSE_END.search(sentence, start)
    found = sentence[start : end.start() if end else None].strip(" ,.")
    return found if len(found) > 2 else sentence


_EN: dict[str, Callable[[Ask, str], str | None]] = {
    "person": _person, "city": _city, "place": _place, "country": _country, "date": _date,
    "year": _date, "count": _count, "people": _count, "number": _count, "name": _name,
    "length": _measure, "mass": _measure, "speed": _measure, "area": _measure, "size": _measure,
    "temperature": _measure, "duration": _measure,
}  # fmt: skip


def segments(ask: Ask, sentence: str) -> list[Name]:
    """What lies between the small words of a Chinese sentence and is news."""
    taken = [
        (h.start, h.end)
        for h in hits(sentence, "zh")
        if h.concept in ask.concepts and h.end - h.start > 1
    ]
    marks = [(m.start(), m.end()) for m in re.finditer(r"《[^》]*》", sentence)]
    cuts = [
        m.span()
        for m in _ZH_BREAK.finditer(sentence)
        if not any(a <= m.start() < b for a, b in marks)
    ]
    cuts = sorted([*cuts, *taken, (len(sentence), len(sentence))])
    found, start = [], 0
    for a, b in cuts:
        piece = sentence[start:a]
        if a > start and len(piece) > 1 and not piece.isdigit():
            found.append(Name(piece, start, a))
        start = max(start, b)
    known = [n.strip("《》") for n in (ask.subject, *ask.others) if n]
    return [
        n
        for n in found
        if not any(n.text.strip("《》") in k or (len(k) > 1 and k in n.text) for k in known)
    ]


def _zh_name(ask: Ask, sentence: str) -> str | None:
    sentence = re.sub(r"和[她他]的[\u4e00-\u9fff]{2}", "", sentence)
    if ask.kind in ("name", "phrase"):
        quoted = re.findall(r"《([^》]+)》", sentence)
        fresh = [q for q in quoted if q not in ask.text]
        called = re.search(
            r"(?:叫作?|又名|又称|称为|本名|名为|别名是)(?:“)?([^，。、；”]+)", sentence
        )
        if called and called[1] not in ask.subject:
            return str(called[1]).strip("《》")
        if fresh:
            return str(fresh[0])
    owner = re.search(
        r"是([^，。的]{2,8})的(?:短篇小说|长篇小说|小说|作品|油画|画作|版画|名画|歌剧)", sentence
    )
    if ask.kind == "person" and owner and owner[1] not in ask.subject:
        return owner[1]
    copula = re.search(
        r"(?:作者|首都|货币|主人公|主角|语言|符号|导演|原型|最.{1,3}|名字|主人)(?:[^，。]{0,6})?[是叫为]([^，。；]+)",
        sentence,
    )
    if copula and copula[1] not in ask.subject:
        return _bare(copula[1])
    found = segments(ask, sentence)
    if not found:
        told = [
            sentence[h.start : h.end] for h in hits(sentence, "zh") if h.concept in ask.concepts
        ]
        return next((word for word in told if len(word) > 1 and word not in ask.text), None)
    places = anchors(ask, sentence)
    by = [n for n in found if sentence[max(0, n.start - 1) : n.start] == "由"]
    best = min(by or found, key=lambda n: _near(n.start, n.end, places))
    joined = [n for n in found if n.start == best.end + 1 and sentence[best.end] in "和与、"]
    before = [n for n in found if n.end == best.start - 1 and sentence[n.end] in "和与、"]
    if ask.kind == "person" and (joined or before):
        first, last = (before or [best])[0], (joined or [best])[0]
        return sentence[first.start : last.end]
    return _bare(best.text)


def _bare(text: str) -> str:
    cut = _ZH_ROLES.match(text)
    return text[cut.end() :] if cut else text


def _zh_place(ask: Ask, sentence: str) -> str | None:
    """The place behind 在, 于, 位于 and the like; country or city of `波兰首都华沙`."""
    capital = re.search(
        r"([\u4e00-\u9fff]{2,8}?)首都([\u4e00-\u9fff]{2,8}?)(?=[，。的、去逝]|$)", sentence
    )
    if capital:
        country = re.split(r"[是于在以]", capital[1])[-1]
        return country if ask.kind == "country" else capital[2]
    if ask.kind == "city" and (found := re.search(r"首都(?:是|：)([^，。]+)", sentence)):
        return found[1]
    if ask.kind == "country" and (
        found := re.search(
            r"祖国([\u4e00-\u9fff]{2,6}?)(?=命名|，|。)|是([\u4e00-\u9fff]{2,8}?)(?:的|首都|画家|作家|作曲家|数学家|人。)",
            sentence,
        )
    ):
        return found[1] or found[2]
    whole = re.search(r"(?:保存在|收藏在|葬在|位于|坐落在|建在|位于)([^，。；]+)", sentence)
    if ask.kind == "place" and whole and whole[1] not in ask.subject:
        return whole[1]
    behind = re.search(
        r"(?:生于|位于|葬在|死于|收藏在|保存在|坐落在|发源于|流入|嫁到|在|到|于)(?!\d)([^，。；\d年月]+?)(?:的|去世|逝世|附近|出生|学|任教|开放|工作|举|创|和|之间|$|，|。|；|现在|之|上|下|流|边)",
        sentence,
    )
    return behind[1] if behind else _zh_name(ask, sentence)


_ZH: dict[str, Callable[[Ask, str], str | None]] = _EN | {
    "person": _zh_name, "name": _zh_name, "place": _zh_place, "city": _zh_place, "country": _zh_place,
}  # fmt: skip
