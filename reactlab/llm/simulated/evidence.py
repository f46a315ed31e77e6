"""How well a sentence answers a question: the precision rule in numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from reactlab.llm.simulated.asking import Ask, heads
from reactlab.llm.simulated.extract import extract
from reactlab.llm.simulated.tables import hits, word_set
from reactlab.llm.simulated.text import CJK, sentences, stem, tokens

STRONG, WEAK = 0.72, 0.45
_CONCEPT, _WORD, _OTHER, _YEAR = 3.0, 1.0, 1.5, 2.5
RESULT = re.compile(r"^[(（](?:Result|结果) \d+ / \d+[)）]\s*")
_DEFINES = re.compile(r"\b(?:is|are|was|were) (?:a|an|the|one)\b|是|指")
_IS_IN = re.compile(
    r"\b(?:is|are|was) (?:a|an|the|one)\b[^.]*\b(?:in|of) (?:the )?[A-Z]|是[^，。]{2,12}的"
)
NO_PAGE = re.compile(
    r"^(?:No page is titled|Could not find|没有标题为|找不到|No more results|没有更多)"
)
_LISTED = re.compile(r"^- (?P<title>[^:：\n]{1,80})[:：] ?(?P<text>.*)$")
GENERIC = frozenset(
    [
        "locate",
        "keep",
        "length",
        "area",
        "price",
        "shops",
        "earnings",
        "live",
        "cityword",
        "resident",
        "othername",
    ]
)


@dataclass(frozen=True)
class Evidence:
    """A sentence that may answer the question. `fit` lies in 0..1."""

    sentence: str
    value: str
    fit: float
    about: str = ""


def passages(observation: str) -> Iterator[tuple[str, str]]:
    """(title or "", sentence) for every sentence of an observation; listings keep their titles."""
    for line in (
        observation[:20_000].replace(". - ", ".\n- ").replace("。 - ", "。\n- ").splitlines()
    ):
        if NO_PAGE.match(line):  # in a shortened step the list stands on the same line
            yield from passages(line[line.find(" - ") + 1 :]) if " - " in line else ()
            continue
        listed = _LISTED.match(line)
        text = listed["text"] if listed else RESULT.sub("", line)
        for sentence in sentences(text):
            yield (listed["title"] if listed else ""), sentence


def mentions(name: str, text: str, lang: str) -> bool:
    """Whether a text speaks of `name`: all its telling words, one slip of the pen allowed."""
    if not name:
        return True
    if CJK.search(name):
        return _mentions_zh(name, text)
    small = word_set("stop", "en")
    wanted = [t.stem for t in tokens(name) if t.stem not in small] or [t.stem for t in tokens(name)]
    there = {t.stem for t in tokens(text)} | {w.rstrip("'s") for w in text.lower().split()}
    found = sum(any(_alike(word, other) for other in there) for word in wanted)
    lower = name.islower() and len(wanted) > 2
    return found >= (len(wanted) * 0.6 if lower else len(wanted))


def _alike(a: str, b: str) -> bool:
    if a == b:
        return True
    if min(len(a), len(b)) < 6 or abs(len(a) - len(b)) > 1:
        return a.translate(_PLAIN) == b.translate(_PLAIN)
    pairs = sum(x != y for x, y in zip(a, b, strict=False))
    back = sum(x != y for x, y in zip(reversed(a), reversed(b), strict=False))
    return pairs <= 1 or (pairs + back <= len(a) and _one_edit(a, b))


_PLAIN = str.maketrans("áàâäãåéèêëíìîïóòôöõøúùûüñçłśźżćń", "aaaaaaeeeeiiiioooooouuuuncslzzcn"[:32])


def _one_edit(a: str, b: str) -> bool:
    if len(a) > len(b):
        a, b = b, a
    at = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), len(a))
    return a[at:] == b[at + 1 :] or a[at + 1 :] == b[at + 1 :]


def _mentions_zh(name: str, text: str) -> bool:
    name = name.strip("《》")
    if name in text or len(name) < 2:
        return name in text
    pairs = [name[i : i + 2] for i in range(len(name) - 1)]
    return len(name) > 3 and sum(pair in text for pair in pairs) >= 0.6 * len(pairs)


def weigh(ask: Ask, sentence: str, title: str = "") -> float:
    """The share of what the question names that the sentence (with its title) names too."""
    there = {hit.concept.id for hit in hits(sentence, ask.lang, inner=True)}
    if "locate" in (c.id for c in ask.concepts) and _IS_IN.search(sentence):
        there.add("locate")
    total = got = core = 0.0
    for concept in ask.concepts:
        weight = _CONCEPT / 3 if concept.id in GENERIC else _CONCEPT
        total += weight
        if concept.id in there:
            got += weight
            core += weight
    stems = {t.stem for t in tokens(f"{title} {sentence}")} if ask.lang == "en" else set()
    for word in ask.words:
        total += _WORD
        got += _WORD * _has(word, stems, sentence + title, ask.lang)
    for other in ask.others:
        total += _OTHER
        got += _OTHER * mentions(other, f"{title} {sentence}", ask.lang)
    for year in ask.years:
        total += _YEAR
        got += _YEAR * (year in sentence or year in title)
    if ask.kind == "definition":
        return float(bool(_DEFINES.search(sentence)))
    if not total:
        return 0.0
    told = [c for c in ask.concepts if c.id not in GENERIC]
    if ask.concepts and not core:
        return min(got / total, 0.4) if told else got / total * 0.8
    return got / total


def _naming(ask: Ask, sentence: str) -> float:
    """Where a name is asked for, a sentence that says `is` or `called` is worth more."""
    if ask.kind != "name" or ask.lang == "zh" or not ask.head or not ask.concepts:
        return 1.0
    return 1.0 if _CALLS.search(sentence) else 0.8


def _headed(ask: Ask, sentence: str) -> float:
    """Asked for a street, the answer has to speak of a street: the head noun or a synonym."""
    head = ask.head.split()[-1] if ask.head and ask.lang == "en" else ""
    if (
        not head
        or heads("en").get(stem(head))
        or hits(head, "en")
        or ask.kind in ("date", "year", "count", "people")
    ):
        return 1.0
    if stem(head) in word_set("stop", "en"):
        return 1.0
    if not re.search(rf"\b(?:which|what) {re.escape(head)}\b", ask.text, re.IGNORECASE):
        return 1.0
    return (
        1.0
        if head.lower() in sentence.lower() or stem(head) in {t.stem for t in tokens(sentence)}
        else 0.4
    )


_CALLS = re.compile(
    r"\b(?:called|named|is|are|was|were|flows|hangs|launched|kept|by|produced|won|received)\b"
)


def _has(word: str, stems: set[str], text: str, lang: str) -> float:
    if lang == "en":
        return float(word in stems or (len(word) > 5 and any(s[:5] == word[:5] for s in stems)))
    if word in text:
        return 1.0
    pairs = [word[i : i + 2] for i in range(len(word) - 1)]
    return 0.7 * (sum(p in text for p in pairs) / len(pairs)) if pairs else 0.0


def best(ask: Ask, observations: Iterable[str]) -> Evidence | None:
    """The best sentence in what was observed that holds an answer of the right kind."""
    found: Evidence | None = None
    for observation in observations:
        told = list(passages(observation))
        lead = told[0][1] if told else ""
        page = not any(title for title, _ in told) and mentions(ask.subject, lead, ask.lang)
        for title, sentence in told:
            if not (page or mentions(ask.subject, f"{title} {sentence}", ask.lang)):
                continue
            fit = weigh(ask, sentence, title) * _naming(ask, sentence) * _headed(ask, sentence)
            if found is not None and fit <= found.fit:
                continue
            value = extract(ask, sentence)
            if value and stem(value) != stem(ask.subject):
                found = Evidence(sentence, value, fit, title)
    return found
