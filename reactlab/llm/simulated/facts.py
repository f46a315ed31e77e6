"""Finding one fact: search, look closer, search in other words, or say that it was not found."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from reactlab.llm.simulated import evidence
from reactlab.llm.simulated.asking import Ask, understand
from reactlab.llm.simulated.evidence import STRONG, WEAK, Evidence, mentions
from reactlab.llm.simulated.nesting import innermost
from reactlab.llm.simulated.tables import hits
from reactlab.llm.simulated.text import sentences, tokens

if TYPE_CHECKING:
    from reactlab.llm.simulated.planner import Run

MOST_LOOKUPS = 3
SUPERLATIVES = frozenset(
    [
        "largest",
        "secondlargest",
        "highest",
        "secondhighest",
        "longest",
        "secondlongest",
        "deepest",
        "smallest",
        "fastest",
        "oldest",
        "closest",
        "lightest",
    ]
)
_SIMILAR = re.compile(r"[\[［](.*)[\]］]")
_TITLE = re.compile(r"""(['"“])(.+?)(?:['"”])(?=,|，|、|$|\])|([^,，、'"]+)""")


@dataclass(frozen=True)
class Fact:
    """A value and the sentence it was read in."""

    value: str
    sentence: str
    subject: str = ""


def resolve(run: Run, text: str, lang: str, depth: int = 0) -> tuple[str, bool]:
    """Answer what is nested inside a question, until a plain question is left."""
    nested = innermost(text, lang) if depth < 3 else None
    if nested is None:
        return text, True
    ask = understand(nested.phrase, lang)
    kind = nested.kind
    ask = replace(ask, kind=kind, head=nested.head if kind == "name" else "")
    run.note("bridge", what=nested.phrase)
    fact = find(run, ask)
    if fact is None:
        return text, False
    run.note("bridged", what=nested.phrase, value=fact.value)
    return resolve(run, nested.filled(_entity(fact.value, lang)), lang, depth + 1)


def _entity(value: str, lang: str) -> str:
    """The first of several names is asked about."""
    value = (
        re.split(r" and (?=[A-Z])|, (?=[A-Z])|和|、", value)[0]
        if len(value) > 30 or lang == "zh"
        else value
    )
    return value.strip()


def find(run: Run, ask: Ask, *, closer: bool = True) -> Fact | None:
    """Look a fact up. Asks `run` for observations, which may end this call to wait for them."""
    text = _opened(run, ask)
    ask = _renamed(ask, text)
    seen = [text] if text else []
    best = evidence.best(ask, seen)
    if closer and (best is None or best.fit < STRONG):
        best = _closer(run, ask, seen, best)
    if closer and (best is None or best.fit < WEAK):
        best = _otherwise(run, ask, seen, best)
    if best is None or best.fit < WEAK:
        run.note("nothing", what=ask.text)
        return None
    fact = Fact(best.value, best.sentence, ask.subject)
    return _as_country(run, ask, fact) if ask.kind == "country" else fact


def _opened(run: Run, ask: Ask) -> str:
    """The page about the subject; where a title has several meanings, the one that fits."""
    query = ask.subject or ask.text.strip(" ?？。.")
    text = run.search(query, "search", what=ask.text)
    titles = _offered(text)
    if not titles:
        return text
    chosen = _fitting(titles, ask)
    return run.search(chosen, "choose", what=chosen) if chosen else ""


def _renamed(ask: Ask, text: str) -> Ask:
    """`波兰人` and `北大` are not titles, but what was found may be whom they mean."""
    titles = dict.fromkeys(title for title, _ in evidence.passages(text) if title)
    if ask.lang == "en" or mentions(ask.subject, " ".join(titles), ask.lang):
        return ask
    for title in titles:
        rest = ask.subject.removeprefix(title)
        own = rest != ask.subject and re.fullmatch(
            r"人|国|市|城|的?校园里?|境内|当地|国内|人民", rest
        )
        short = ask.subject[:2]
        brief = title[:1] == short[:1] and short[1:] in title[2:] and len(title) > 3
        if own or (brief and len(short) == 2):
            return replace(
                ask, subject=title, text=ask.text.replace(short, title, 1) if brief else ask.text
            )
    return ask


def _offered(text: str) -> list[str]:
    """Titles that the search offers instead of a page."""
    found = _SIMILAR.search(text[-2000:]) if len(sentences(text[:600])) <= 3 else None
    if not found or not re.search(r"[Ss]imilar|refer to|相近|可以指|类似", text):
        return []
    return [(m[2] or m[3]).strip() for m in _TITLE.finditer(found[1]) if (m[2] or m[3]).strip()]


def _fitting(titles: list[str], ask: Ask) -> str:
    """The title that shares most words with the question and names the subject."""
    wanted = {t.stem for t in tokens(ask.text)} | {h.concept.id for h in hits(ask.text, ask.lang)}

    def shared(title: str) -> int:
        own = {t.stem for t in tokens(title)} | {h.concept.id for h in hits(title, ask.lang)}
        chars = sum(c in ask.text for c in title) if ask.lang == "zh" else 0
        return 3 * len(own & wanted) + chars - len(own - wanted)

    fit = [title for title in titles if mentions(ask.subject, title, ask.lang)]
    return max(fit, key=shared, default="")


def _closer(run: Run, ask: Ask, seen: list[str], best: Evidence | None) -> Evidence | None:
    """Look for key words on the open page."""
    if run.tools.lookup is None or not any(_about(ask, text) for text in seen):
        return best
    listed = any(title for title, _ in evidence.passages(seen[0]))
    if listed and any(concept.id in SUPERLATIVES for concept in ask.concepts):
        return best  # the page that was opened is about something else: search with more words
    for key in _keys(ask)[:MOST_LOOKUPS]:
        seen.append(run.lookup(key, what=ask.text, subject=ask.subject))
        better = evidence.best(ask, [_attributed(ask, seen[0], seen[-1])])
        if better and (best is None or better.fit > best.fit):
            best = better
        if best and best.fit >= STRONG:
            break
    return best


def _about(ask: Ask, text: str) -> bool:
    """Whether a text speaks of the subject, not counting the line that repeats the query."""
    if text.endswith("…"):  # shortened by now, so what it was about can no longer be seen
        return True
    told = " ".join(f"{title} {sentence}" for title, sentence in evidence.passages(text[:4000]))
    return mentions(ask.subject, told, ask.lang)


def _attributed(ask: Ask, page: str, text: str) -> str:
    """A sentence that was looked up is about the page that was open."""
    if evidence.NO_PAGE.match(text):
        return ""
    titles = [title for title, _ in evidence.passages(page) if title]
    return f"- {titles[0] if titles else ask.subject}: " + evidence.RESULT.sub(
        "", text.replace("\n", " ")
    )


def _keys(ask: Ask) -> list[str]:
    """Words to look for on a page, the most telling ones first."""
    found: list[str] = []
    concepts = sorted(ask.concepts, key=lambda c: c.id in evidence.GENERIC and not ask.wanted)
    for rank in range(3):
        for concept in concepts:
            keys = concept.keys[ask.lang]
            plain = concept.id in evidence.GENERIC | {"first", "last"} and not ask.wanted
            if rank < len(keys) and not plain:
                found.append(keys[rank])
        if rank == 0:
            found = [*ask.others, *found] if ask.wanted else found
            found += [
                _as_written(ask, word)
                for word in ask.words
                if len(word) > (1 if ask.lang == "zh" else 3)
            ]
    return list(dict.fromkeys(found))


def _telling(ask: Ask) -> list[str]:
    """First, last, woman and the like: no words to look up alone, but good in a search."""
    found = [h.concept.keys[ask.lang][0] for h in ask.hits if h.concept.kind == "-"]
    found += [_as_written(ask, word) for word in ask.words]
    return list(dict.fromkeys(w for w in found if w not in _keys(ask)[:2]))[:3]


def _as_written(ask: Ask, word: str) -> str:
    """A stem as the question writes it."""
    return next((t.text.lower() for t in tokens(ask.text) if t.stem == word), word)


def _otherwise(run: Run, ask: Ask, seen: list[str], best: Evidence | None) -> Evidence | None:
    """Search again with the key words beside the subject."""
    keys = _keys(ask)[:2]
    query = " ".join([ask.subject, *keys, *_telling(ask)]).strip()
    if not keys or not query or (seen and ask.subject and not any(_about(ask, t) for t in seen)):
        return best
    seen.append(run.search(query, "again", what=ask.text))
    better = evidence.best(ask, seen)
    return better if better and (best is None or better.fit > best.fit) else best


def _as_country(run: Run, ask: Ask, fact: Fact) -> Fact:
    """Where a sentence only names a town, its country is one more search away."""
    if re.search(rf"(?:of|in|now) (?:the )?{re.escape(fact.value)}|首都|祖国", fact.sentence) and (
        re.search(r"city|town|capital|village|border|republic|state", fact.sentence)
        or ask.lang == "zh"
    ):
        return fact
    text = run.search(fact.value, "where", what=fact.value)
    lead = next((s for _, s in evidence.passages(text)), "")
    if not mentions(fact.value, lead, ask.lang) or re.search(r"\bcountry\b|国家|岛国", lead):
        return fact
    inner = evidence.best(replace(ask, subject=fact.value, text=""), [lead])
    return Fact(inner.value, lead, ask.subject) if inner else fact
