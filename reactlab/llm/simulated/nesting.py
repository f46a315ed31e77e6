"""Questions inside questions: `the author of X` has to be found before X's author can be asked about."""

# ruff: noqa: E501  (a pattern reads better on one line)

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from reactlab.llm.simulated.asking import ENTITY_KINDS, head_kind, heads, subjects
from reactlab.llm.simulated.tables import hits, patterns, word_set
from reactlab.llm.simulated.text import stem, tokens

_MASK = re.compile(r"«(\d+)»")
_FRAME = frozenset(
    ["what", "which", "who", "name", "call", "identify", "tell", "give", "be", "is", "was"]
)
_ADVERBS = r"(?:[\w'’\-]+ ){0,4}?"
_SUBJECT = rf"(?:the |a )?{_ADVERBS}«\d+»(?:(?: and| or|,)(?: the)? «\d+»)*"
_WORD = r"(?!(?:who|that|which|where|whose|of|in|behind|for|from|to|on)\b)[\w\-]+"
_NP = rf"(?:the|a|that|this) (?P<np>(?:{_WORD} ){{0,3}}?{_WORD})"
_EN = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_NP},? (?P<clause>(?:where|(?:in|on|at|to|from|through|over) which|whose capital is) {_SUBJECT}"
        r"(?: (?:is|was|were|has|had|did|does|lies|stands|rises|ends))?(?: (?!join|become)[a-z]+(?:ed|rn|n|t|d|s)\b)?(?: (?:in|on|at|from|by|up|to be found)\b(?= ?[?,.]|$| [a-z]+ed))?)",
        rf"{_NP},? (?P<clause>(?:that|which|whom) (?:the )?«\d+» (?:(?!what|which|who|how|when|where)[^?,])*)",
        rf"{_NP},? (?P<clause>(?:who|that|which|whose) (?:[\w\-'’,]+ ){{0,9}}?(?:the |a )?«\d+»(?:(?: and| or|,)(?: the)? «\d+»)*)",
        rf"{_NP} (?P<clause>(?:of|by|behind|for|from|to|responsible for|in|on|around|under) {_SUBJECT})",
        rf"{_NP} (?P<clause>(?:\w+ed|\w+ing|written|built|made|known|home|host|shown|found|seen|born) (?:[\w\-]+ ){{0,5}}?(?:the )?«\d+»)",
        rf"{_NP} (?P<clause>(?:the )?«\d+» (?:is|was|were|has been|had been|lies|stands|rises|died|lived|flows|studied|worked)(?: [a-z]+(?:ed|rn|n|t|d)\b)?(?: (?:in|on|at|from|by|after|through)\b)?)",
        r"(?P<clause>«\d+»(?:'s|’s|'|’)) (?P<np>(?:[\w\-]+ ){0,2}?[\w\-]+)(?=\s*(?:$|[?,.;]| (?:has|have|is|was|were|did|does|born|die|died|come|came|go|lies|lie|stand|win|won|get|take|live|lived|flow|called|situated|located|in|at|on|and|or|when|study|studied|write|wrote|receive|received|pass|passed|first|open|opened|published|use|uses|belong|empty|reach|grow|work|rise|launched|which|what|who|where)\b))",
    )
)


@dataclass(frozen=True)
class Nested:
    """`phrase` has to be answered first; `outer` is the question with `«»` in its place."""

    phrase: str
    head: str
    kind: str
    outer: str

    def filled(self, answer: str) -> str:
        """The outer question, asked of the answer."""
        return self.outer.replace("«»", answer)


def innermost(text: str, lang: str) -> Nested | None:
    """The last description in the question that stands for a thing, None if there is none."""
    found = subjects(text, lang)
    masked = text
    for at, name in reversed(list(enumerate(found))):
        masked = masked[: name.start] + f"«{at}»" + masked[name.end :]
    mined = _zh(masked) if lang == "zh" else _en(masked)
    for start, end, phrase, head, kind in mined:
        outer = masked[:start] + "«»" + masked[end:]
        if _asks_more(outer, lang):
            shown = [_unmask(part, text, found) for part in (phrase, outer)]
            return Nested(shown[0], head, kind, shown[1])
    return None


def _unmask(masked: str, text: str, found: list) -> str:  # type: ignore[type-arg]
    return _MASK.sub(lambda m: _whole(found[int(m[1])], text), masked)


def _whole(name, text: str) -> str:  # type: ignore[no-untyped-def]
    return text[name.start : name.end]


def _en(masked: str) -> list[tuple[int, int, str, str, str]]:
    found = []
    for rank, pattern in enumerate(_EN):
        for match in _matches(pattern, masked, rank):
            head = match["np"]
            kind = _bridge_kind(head, "en", loose=rank not in (3, 6))
            if kind:
                phrase = _phrase(match, rank)
                found.append((match.start(), match.end(), phrase, head.split()[-1], kind))
    return sorted(found, key=lambda item: (-item[0], -item[1]))


def _matches(pattern: re.Pattern[str], masked: str, rank: int) -> Iterator[re.Match[str]]:
    """Matches from every article on, so that descriptions inside descriptions are seen too."""
    if rank == len(_EN) - 1:
        yield from pattern.finditer(masked)
        return
    for article in _ARTICLE.finditer(masked):
        if match := pattern.match(masked, article.start()):
            yield match


_ARTICLE = re.compile(r"\b(?:the|a|that|this) ", re.IGNORECASE)


def _phrase(match: re.Match[str], rank: int) -> str:
    if rank == len(_EN) - 1:
        owner = re.sub(r"['’]s?$", "", match["clause"])
        return f"the {match['np']} of {owner}"
    return match[0]


def _bridge_kind(head: str, lang: str, *, loose: bool) -> str:
    """The kind of a thing that can be asked about in turn; "" for mere properties such as heights."""
    head = head if lang == "zh" else head.split()[-1]
    kind = head_kind(head, lang)
    if kind:
        return kind
    own = [hit.concept for hit in hits(head, lang)]
    kinds = [concept.kind for concept in own]
    for kind in kinds:
        if kind in ENTITY_KINDS and kind != "person":
            return kind
    return "name" if loose and not own and stem(head) not in word_set("stop", lang) else ""


def _asks_more(outer: str, lang: str) -> bool:
    """Whether anything is asked of the described thing, beyond what it is called."""
    rest = outer.replace("«»", " ")
    if lang == "zh":
        bare = re.sub(r"[请问告诉我的是谁叫什么名字哪里个位座家国说出一下吗呢？?。，,\s]", "", rest)
        asked = re.search(r"(?:在|是)?哪[个国里儿]|什么时候|多", rest)
        return bool(bare) or bool(asked and "«»在" in outer)
    small = word_set("stop", "en")
    extra = [t for t in tokens(rest) if t.stem not in small and t.stem not in _FRAME]
    return bool(extra) or bool(re.search(r"\b(?:when|where|how)\b", rest, re.IGNORECASE))


_ZH_CLAUSE = r"(?P<clause>(?:[^«»，,。？?的]{0,8}(?:«\d+»)(?:[和与、及]«\d+»)*[^«»，,。？?的]{0,8}?))的(?:那|这)?(?:[一]?[位个座条部家本颗种所])?"


def _zh(masked: str) -> list[tuple[int, int, str, str, str]]:
    nouns = dict(heads("zh"))
    for pattern, cells in patterns("roles_zh"):
        nouns.setdefault(pattern.pattern, cells[0])
    found = []
    alternatives = "|".join(sorted(map(re.escape, nouns), key=lambda noun: (-len(noun), noun)))
    for match in re.finditer(rf"{_ZH_CLAUSE}(?P<head>{alternatives})(?![口民类物])", masked):
        clause_start = match.start() + len(_opening(match["clause"]))
        phrase = masked[clause_start : match.end()]
        found.append((clause_start, match.end(), phrase, match["head"], nouns[match["head"]]))
    return sorted(found, key=lambda item: (item[0], item[1]))


def _opening(clause: str) -> str:
    """Polite words before a clause are no part of it."""
    found = re.match(r"(?:请问|请告诉我|告诉我|我想知道|请说出|请|在|那么|到底)+", clause)
    return found[0] if found else ""
