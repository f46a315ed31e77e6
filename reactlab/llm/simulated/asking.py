"""Understanding a question: whom it is about, what it asks of it, and what is nested inside it."""

# ruff: noqa: E501  (a pattern reads better on one line)

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import pairwise

from reactlab.llm.simulated.tables import Concept, Hit, concepts, hits, patterns, rows, word_set
from reactlab.llm.simulated.text import CJK, Name, dates, names, stem, tokens

LONGEST = 600  # characters of a question that are analysed
_QUOTED = re.compile(
    r"《([^》\n]{1,60})》|“([^”\n]{1,60})”|\"([^\"\n]{2,60})\"|「([^」\n]{1,60})」"
)
_LATIN = re.compile(r"[A-Za-z][A-Za-z0-9.\-]*(?: [A-Z][A-Za-z0-9.\-]*)*\d*")
_RUN = re.compile(r"[\u3400-\u9fff·]+(?:\d+号?)?|\d+号")
_SUFFIXES = frozenset(
    [
        "tower",
        "river",
        "lake",
        "mountain",
        "island",
        "university",
        "desert",
        "dam",
        "bridge",
        "metro",
        "railway",
        "depthsea",
        "volcano",
        "planet",
        "airport",
        "library",
        "church",
        "castle",
        "heritage",
        "teach",
        "zoo",
        "pyramid",
        "tunnel",
        "mouth",
        "cityword",
        "moon",
        "operahouse",
        "fair",
    ]
)
ENTITY_KINDS = ("person", "city", "country", "name", "place")


@dataclass(frozen=True)
class Ask:
    """One question to be answered from text: the subject, and what is wanted of it."""

    text: str
    lang: str
    subject: str = ""
    kind: str = ""
    head: str = ""
    others: tuple[str, ...] = ()
    wanted: tuple[str, ...] = ()  # concepts that are asked for, if not by the text

    @cached_property
    def hits(self) -> tuple[Hit, ...]:
        """The concepts that the question names, outside its names."""
        return hits(self._masked, self.lang)

    @cached_property
    def concepts(self) -> tuple[Concept, ...]:
        """What the answer has to speak of: named, paraphrased, or set by `wanted`."""
        extra = [
            name
            for p, cells in patterns("paraphrases")
            if p.search(self._masked)
            for name in cells[0].split()
        ]
        named = [] if self.wanted else [hit.concept for hit in self.hits]
        listed = [concepts()[name] for name in (self.wanted or extra)]
        return tuple(dict.fromkeys([*listed, *named] if self.wanted else [*named, *listed]))

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The other words that carry meaning: stems in English, short strings in Chinese."""
        return leftover(self._masked, self.lang)

    @cached_property
    def years(self) -> tuple[str, ...]:
        """Years that the question gives."""
        return tuple(str(date.year) for date in dates(self.text))

    @cached_property
    def _masked(self) -> str:
        text = self.text
        for name in (self.subject, *self.others):
            text = text.replace(name, " " * len(name)) if name else text
        return text


def leftover(text: str, lang: str) -> tuple[str, ...]:
    """Words that are neither small words nor part of a concept."""
    covered = hits(text, lang)
    if lang == "zh":
        return tuple(dict.fromkeys(run.text for run in _runs(text) if len(run.text) > 1))
    kinds = ("country", "city")
    small = word_set("stop", "en") | {noun for noun, kind in heads("en").items() if kind in kinds}
    small |= {"person", "man", "someon", "figur"}
    found = [
        word.stem
        for word in tokens(text)
        if word.stem not in small and not any(h.start <= word.start < h.end for h in covered)
    ]
    return tuple(dict.fromkeys(found))


def subjects(text: str, lang: str) -> list[Name]:
    """What a question is about: quoted titles, names, else the words that no table knows."""
    text = text[:LONGEST]
    found = [_quoted(m) for m in _QUOTED.finditer(text)]
    blank = _blank(text, found)
    if lang == "zh":
        found += [Name(m[0].strip(), m.start(), m.end()) for m in _LATIN.finditer(blank)]
        blank = _blank(text, found)
        found += _runs(blank)
    else:
        found += [name for name in _names(blank) if name.text]
        foreign = all(name.text.lower() in word_set("nationality", "en") for name in found)
        found = (_lower(text) or found) if foreign else found
    return sorted(found, key=lambda name: name.start)


def _quoted(match: re.Match[str]) -> Name:
    group = next(at for at in range(1, 5) if match[at])
    return Name(match[group], match.start(group), match.end(group))


def _blank(text: str, found: list[Name]) -> str:
    for name in found:
        text = text[: name.start] + "\n" * (name.end - name.start) + text[name.end :]
    return text


def _names(text: str) -> list[Name]:
    """Names without the sentence's first word, months, and what the concepts cover already."""
    found: list[Name] = []
    for name in names(text):
        name = _without_opening(name, text)
        if name.text and stem(name.text) not in word_set("months", "en"):
            found.append(_bare(name))
    found = _joined(text, found)
    covered = hits(text, "en")
    own = [
        n for n in found if not all(_covered(t.start + n.start, covered) for t in tokens(n.text))
    ]
    plain = [n for n in own if n.text.lower() not in word_set("nationality", "en")]
    return plain or own or found


def _covered(at: int, covered: tuple[Hit, ...]) -> bool:
    return any(hit.start <= at < hit.end for hit in covered)


def _without_opening(name: Name, text: str) -> Name:
    """A capital at the start of a sentence says nothing about a small word."""
    opens = not text[: name.start].strip() or text[: name.start].rstrip()[-1:] in ".?!:,"
    first = name.text.split(" ", 1)
    if name.text == "I" or (name.text.startswith("I'") and len(first) == 1):
        return Name("", name.start, name.start)
    orders = re.match(
        r" (?:the|a|an|me|us|my|how|what|which|all|both|its?)\b", text[name.start + len(first[0]) :]
    )
    small = stem(first[0]) in word_set("stop", "en") or bool(opens and orders)
    known = bool(hits(first[0], "en"))
    lone = len(first) == 1
    if opens and (small or (known and lone)) and first[0].lower() not in ("the", "around"):
        rest = first[1] if len(first) > 1 else ""
        return Name(rest, name.end - len(rest), name.end)
    if lone and small:
        return Name("", name.start, name.start)
    return name


def _bare(name: Name) -> Name:
    cut = re.sub(r"['’]s?$", "", name.text)
    return Name(cut, name.start, name.start + len(cut))


def _joined(text: str, found: list[Name]) -> list[Name]:
    """`Pride and Prejudice` is one name, `Tokyo and Paris` in a comparison are two."""
    comparing = re.search(
        r"\b(?:both|same|between|of|together|combined|total|sum|do|did|were|are|than)\b",
        text[: found[0].start] if found else "",
        re.I,
    )
    comparing = comparing or re.search(
        r"\b(?:compar\w+|or|than|same|both|\w+er|first|which|who)\b",
        text[found[-1].end :] if found else "",
        re.I,
    )
    joined: list[Name] = []
    for name in [part for whole in found for part in _owned(whole)]:
        gap = text[joined[-1].end : name.start] if joined else ""
        lone = joined and " " not in name.text and " " not in joined[-1].text
        title = gap == " in " and len(name.text.split()) > 1 and "World" in joined[-1].text
        pair = gap == " and " and lone and (not comparing or " or " in text[name.end :])
        if joined and (pair or title):
            joined[-1] = Name(text[joined[-1].start : name.end], joined[-1].start, name.end)
        else:
            joined.append(name)
    return joined


def _owned(name: Name) -> list[Name]:
    """`Leonardo's Mona Lisa` is two names."""
    cut = re.search(r"['’]s (?=[A-Z])", name.text)
    if not cut or name.text[0] in "\"'":
        return [name]
    at = name.start + cut.start()
    return [
        Name(name.text[: cut.start()], name.start, at),
        Name(name.text[cut.end() :], at + 3, name.end),
    ]


def _lower(text: str) -> list[Name]:
    """Runs of words in lower case that no table knows, such as `blue whale`."""
    covered, small = hits(text, "en"), word_set("stop", "en")
    found: list[Name] = []
    for word in tokens(text):
        number = word.text.isdigit() and not (found and found[-1].end == word.start - 1)
        if word.stem in small or number or word.stem in word_set("months", "en"):
            continue
        if _covered(word.start, covered):
            continue
        if found and text[found[-1].end : word.start] == " ":
            found[-1] = Name(text[found[-1].start : word.end], found[-1].start, word.end)
        else:
            found.append(Name(word.text, word.start, word.end))
    return found


@cache
def _small_zh() -> re.Pattern[str]:
    measure = r"(?:(?:[哪那这一几每两]|多少)[个位座条部本所种家张只颗项届次场间]|第一[个位])"
    words = sorted(word_set("stop", "zh"), key=lambda word: (-len(word), word))
    return re.compile(measure + "|" + "|".join(map(re.escape, words)))


def _runs(text: str) -> list[Name]:
    """Chinese runs between small words and concepts; `塔` right behind a run belongs to it."""
    marks = [(m.start(), m.end(), False) for m in _small_zh().finditer(text)]
    marks += [(h.start, h.end, h.concept.id in _SUFFIXES) for h in hits(text, "zh")]
    marks += [(d.start, d.end, False) for d in dates(text)]
    taken = [" "] * len(text)
    for start, end, suffix in marks:
        for at in range(start, end):
            taken[at] = "x" if not suffix or taken[at] == "x" else "s"
    found = []
    for match in re.finditer(r" +s*|s{2,}", "".join(taken)):
        for run in _RUN.finditer(text[match.start() : match.end()]):
            start = match.start() + run.start()
            found.append(_trim(_without_role(Name(run[0], start, start + len(run[0])))))
    return [name for name in found if name.text]


_EDGES = "以用时会能要把被使令将现又并曾正就从到由人国城者家种处地奖座位个次种该这那其"


def _trim(name: Name) -> Name:
    """Small words that stick to either end of a run are no part of a name."""
    left = len(name.text) - len(
        name.text.lstrip(
            _EDGES.replace("国", "")
            .replace("人", "")
            .replace("正", "")
            .replace("曾", "")
            .replace("地", "")
            .replace("家", "")
            .replace("城", "")
        )
    )
    right = name.text.rstrip(
        _EDGES.replace("城", "")
        .replace("国", "")
        .replace("家", "")
        .replace("地", "")
        .replace("座", "")
    )
    if not name.text.strip(_EDGES):
        return Name("", name.start, name.start)
    return (
        Name(right[left:], name.start + left, name.start + len(right))
        if len(right) - left > 0
        else name
    )


def _without_role(name: Name) -> Name:
    """`化学家` says what somebody is and is no name; in front of a name it is cut off."""
    roles = sorted(heads("zh"), key=lambda noun: (-len(noun), noun))
    role = next((r for r in roles if len(r) > 1 and name.text.startswith(r)), "")
    return Name(name.text[len(role) :], name.start + len(role), name.end)


def kind_of(text: str) -> str:
    """What kind of answer the question's wording asks for, "" if it does not say."""
    return next((cells[0] for pattern, cells in patterns("kinds") if pattern.search(text)), "")


@cache
def heads(lang: str) -> dict[str, str]:
    """Nouns that say what kind of thing is meant: `woman` a person, `town` a city."""
    found: dict[str, str] = {}
    for kind, english, chinese in rows("heads"):
        for noun in (chinese if lang == "zh" else english).split():
            found.setdefault(noun if lang == "zh" else stem(noun), kind)
    return found


_HEAD = re.compile(
    r"\b(?:which|what|name|tell me|give me|identify)\s+(?:is |was |are |the |of |a |an )*"
    r"((?:[a-z\-]+ ){0,2}?[a-z\-]+)\b(?= (?:is|was|were|are|do|does|did|has|have|had|that|who|which|of|in|on|for|from|to|can|carried|i|would|lies|stands)\b|\?|$|[,.])",
    re.IGNORECASE,
)
_HOW_MANY = re.compile(r"\bhow many ((?:[a-z\-]+ ){0,2}?[a-z\-]+)\b", re.IGNORECASE)
_HEAD_ZH = re.compile(
    r"(?:哪(?:一)?[个位座条部本所种家张只颗项]?|什么|多少[个位座条部本所种家张只颗项块层回幅]?|几[个位座条部本所种家张只颗项块层回幅]?|那[个位座条])([\u4e00-\u9fff]{1,4})"
)


def head_noun(text: str, lang: str) -> str:
    """The noun behind which, what or how many."""
    found = (_HEAD_ZH if lang == "zh" else _HEAD).search(text)
    if lang == "en":
        found = _HOW_MANY.search(text) or found
    return found[1] if found else ""


def understand(text: str, lang: str, *, subject: str = "") -> Ask:
    """Read a question (or a phrase such as `the author of X`) as an `Ask`."""
    text = text[:LONGEST]
    found = [name.text for name in subjects(text, lang)]
    own = subject or _most_telling(text, found, lang)
    others = tuple(name for name in found if name != own)
    head = head_noun(text, lang)
    ask = Ask(text, lang, own, "", head, others)
    ask = replace(ask, kind=kind_of(ask._masked) or _implied(ask))
    plain = not ask.concepts and not ask.words and ask.kind in ("person", "phrase", "name")
    return replace(ask, kind="definition") if plain and own and not others else ask


def _most_telling(text: str, found: list[str], lang: str) -> str:
    """The subject among several names: in Chinese a title in brackets, else the first name."""
    quoted = [name for name in found if f"《{name}》" in text]
    long = [name for name in found if len(name) > 1 or not CJK.match(name)]
    if lang == "en" and all(name.islower() for name in found):
        return max(reversed(found), key=lambda name: len(name.split()), default="")
    owned = [
        b for a, b in pairwise(found) if re.search(re.escape(a) + r"['’]s " + re.escape(b), text)
    ]
    return (quoted or owned or long or found or [""])[0]


def _implied(ask: Ask) -> str:
    """The kind that the head noun or the first telling concept implies."""
    by_head = head_kind(ask.head, ask.lang)
    kinds = [c.kind for c in ask.concepts if c.kind != "-"]
    return by_head or (kinds[0] if kinds else "") or "phrase"


def head_kind(head: str, lang: str) -> str:
    """The kind of thing that a noun names, "" where unknown."""
    if lang == "zh":
        return (
            next(
                (
                    k
                    for noun, k in sorted(heads("zh").items(), key=lambda i: -len(i[0]))
                    if head.startswith(noun) or head.endswith(noun)
                ),
                "",
            )
            if head
            else ""
        )
    words = [heads("en").get(stem(word), "") for word in head.split()]
    return next((kind for kind in reversed(words) if kind), "")
