"""Using tools that are known from their descriptions only: which, in what order, to what end."""

# ruff: noqa: E501  (a pattern reads better on one line)

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from reactlab.llm.simulated.choose import choose, picky
from reactlab.llm.simulated.fill import Known, fill, words_of
from reactlab.llm.simulated.planner import Move, Run
from reactlab.llm.simulated.reading import ToolSpec
from reactlab.llm.simulated.tables import rows, word_set
from reactlab.llm.simulated.text import language, stem, tokens

ENOUGH = 2.0  # the score from which on a tool is taken to be meant
_READS = re.compile(
    r"^(?:search|find|check|list|get|look|query|show|read|fetch|view|track|count|tell|give|estimate|compute|calculate|convert|translate|return|查|列出|获取|搜索|看|读|统计|计算|换算|翻译|按|推荐|recommend|roll|掷|generate)",
    re.I,
)
_WRITES = re.compile(
    r"book|reserve|cancel|refund|reschedul|move|change|modify|update|create|add|delete|remove|send|place|renew|extend|submit|pay|transfer|approv|turn|set|save|store|预订|取消|退款|改签|改动|修改|添加|删除|发送|续借|下单|支付|转账|保存|记录|审批|批准|打开|关闭|申请",
    re.I,
)
_ANOTHER = re.compile(r"\b(?:another|other|new|different)\b|另一|别的|其他|新的", re.I)
_LISTS = re.compile(r"^(?:list|find|search|show)|available|列出|可选|还有", re.I)
_REFUSED = re.compile(
    r"^denied\b|not approved|nobody approved|approve=|未批准|没有批准|被拒绝|需要批准才", re.I
)
_FAILED = re.compile(
    r"^(?:error|there is no|no \w+ (?:from|with|found)|unknown|invalid|cannot|could not|not found|failed)|\bmust be\b|is missing|没有这个|不存在|找不到|无法|出错|错误",
    re.I,
)


@cache
def _groups() -> tuple[tuple[str, float, frozenset[str], re.Pattern[str]], ...]:
    return tuple(
        (name, float(weight), frozenset(stem(w) for w in english.split()), re.compile(chinese))
        for name, weight, english, chinese in rows("actions")
    )


@cache
def groups(text: str) -> dict[str, float]:
    """The groups of the table of actions that a text names, with their weights."""
    stems = {t.stem for t in tokens(text)} | {
        stem(w) for w in re.findall(r"[a-z]+-[a-z]+", text.lower())
    }
    return {n: weight for n, weight, en, zh in _groups() if stems & en or zh.search(text)}


def described(tool: ToolSpec) -> str:
    """Name, description and parameters of a tool as one text of plain words."""
    name = _spelled(tool.name)
    return f"{name}. {tool.about} {' '.join(p.name.replace('_', ' ') for p in tool.params)}"


@dataclass(frozen=True)
class Match:
    """How well a tool's description fits a question, and by which words."""

    tool: ToolSpec
    score: float
    words: tuple[str, ...]


def match(tool: ToolSpec, text: str) -> Match:
    """Score shared groups and shared words; a hit in the name counts more."""
    own, asked = groups(described(tool)), groups(text)
    name = groups(_spelled(tool.name))
    shared = [group for group in asked if group in own]
    score = sum(asked[g] * (1.5 if g in name else 1.0) for g in shared)
    small = word_set("stop", "en")
    told = {
        t.stem: t.text for t in tokens(described(tool)) if t.stem not in small and len(t.stem) > 2
    }
    words = [told[w] for t in tokens(text) for w in told if t.stem == w or _kin(t.stem, w)]
    score += 0.7 * len(set(words)) + _shared_zh(described(tool), text)
    return Match(tool, round(score, 2), tuple(dict.fromkeys([*shared, *words])))


def _kin(a: str, b: str) -> bool:
    """`frobnication` and `frobnicate`: the same beginning, and long enough."""
    return min(len(a), len(b)) > 5 and a[:6] == b[:6]


def _shared_zh(about: str, text: str) -> float:
    pairs = {
        text[i : i + 2]
        for i in range(len(text) - 1)
        if re.fullmatch(r"[\u4e00-\u9fff]{2}", text[i : i + 2])
    }
    return 0.5 * sum(pair in about for pair in sorted(pairs))


def changes(tool: ToolSpec) -> bool:
    """Whether a tool does something to the world rather than read from it."""
    name = _spelled(tool.name)
    return (
        not _READS.match(name)
        and not _READS.match(tool.about)
        and bool(_WRITES.search(f"{name} {tool.about}"))
    )


def plan(run: Run, text: str) -> Move | None:
    """The move towards what the question wants of the special tools; None if it wants nothing."""
    ranked = sorted((match(tool, text) for tool in run.tools.special), key=lambda m: -m.score)
    run.matches = ranked
    if not ranked or ranked[0].score < (ENOUGH if run.tools.search else 0.7):
        return None
    known = Known(text, run.lang, run.reading.today)
    target = _target(ranked, text, known)
    for tool in _useful(ranked, target, run, text):
        _read(run, tool, known)
    args = _arguments(run, target.tool, known)
    if args is None:
        return _best_told(run, known)
    observation = run.call(target.tool, args, "use", detail=_told_so_far(run, known))
    known.add(observation)
    return _closing(run, target.tool, known, observation)


def _target(ranked: list[Match], text: str, known: Known) -> Match:
    """The tool that does what is wished; of equal ones the one that changes something."""
    wishes = [m for m in ranked if changes(m.tool) and _wished(m.tool, text)]
    reads = [m for m in ranked if not changes(m.tool)]
    if wishes and (wishes[0].score >= 0.6 * ranked[0].score or not reads):
        return wishes[0]
    ready = [
        m for m in reads if m.score >= 0.4 * ranked[0].score and fill(m.tool, known) is not None
    ]
    needy = [m for m in reads[:1] if any(_provides(other.tool, m.tool) for other in reads)]
    return next(iter([*needy, *ready, *reads, *ranked]))


def _wished(tool: ToolSpec, text: str) -> bool:
    """Whether the question names what the tool does, and not with a `do not`."""
    doing = {
        "reschedule",
        "cancel",
        "refund",
        "reserve",
        "renew",
        "purchase",
        "note",
        "send",
        "task",
        "light",
        "calendar",
        "restaurant",
        "taxi",
        "pet",
    }
    first = groups(_spelled(tool.name) + " " + tool.about.split(".")[0].split("。")[0])
    named = doing & first.keys() & groups(text).keys()
    asks = re.match(
        r"(?:who|what|which|when|where|how|is|are|does|do|did|has|have|was)\b", text.strip(), re.I
    )
    if asks and not re.search(
        r"\b(?:please|can you|could you|want|need to|would like|rebook|cancel it|book me)\b",
        text,
        re.I,
    ):
        return False
    refused = re.search(
        r"\b(?:do not|don't|without|no need to)\s+(?:book|cancel|change|rebook|send|buy)\w*|不要(?:预订|取消|改|订)|先别",
        text,
        re.I,
    )
    return bool(named) and not refused


def _useful(ranked: list[Match], target: Match, run: Run, text: str) -> list[ToolSpec]:
    """What to read first, in the order in which the tools were described."""
    wide = changes(target.tool)
    top = ranked[0].score
    aims = groups(described(target.tool))
    chosen = []
    for found in ranked:
        related = sum(w for g, w in groups(described(found.tool)).items() if g in aims)
        lists = (
            wide
            and related >= 2
            and _ANOTHER.search(target.tool.about)
            and _LISTS.search(found.tool.about)
        )
        lists = lists or (wide and related >= 2 and picky(text) and _LISTS.search(found.tool.about))
        fits = (wide and related >= 4) or lists or _provides(found.tool, target.tool)
        fits = fits or (found.score >= max(ENOUGH, 0.5 * top) and _adds(found, target))
        if found.tool != target.tool and not changes(found.tool) and fits:
            chosen.append(found.tool)
    return [tool for tool in run.tools.special if tool in chosen]


def _adds(found: Match, target: Match) -> bool:
    """Whether a tool's own name covers something of the question that the target does not."""
    own = groups(_spelled(found.tool.name)).keys() & set(found.words)
    return bool(own - groups(described(target.tool)).keys())


def _spelled(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name).replace("_", " ")


def _provides(tool: ToolSpec, target: ToolSpec) -> bool:
    """Whether a tool's description names a code or number that the target needs."""
    told = {t.stem for t in tokens(tool.about)}
    own = {w for p in tool.params for w in words_of(p.name)}
    for param in target.params:
        words = words_of(param.name)
        if (
            param.required
            and words[-1] in ("id", "number", "cod", "isbn", "sku")
            and words[0] in told
            and words[0] not in own
        ):
            return True
    return False


def _read(run: Run, tool: ToolSpec, known: Known) -> None:
    args = fill(tool, known)
    if args is None:
        return
    observation = run.call(tool, args, "read", detail=_told_so_far(run, known))
    known.add(observation)
    _correct_premise(run, known, observation)


def _arguments(run: Run, tool: ToolSpec, known: Known) -> dict[str, Any] | None:
    """Filled arguments; where another thing is to be taken, one of the options that were listed."""
    if known.options and changes(tool):
        picked = choose(known.options, known.text if run.reading.thoughts else "", known.records)
        if picked:
            row, why = picked
            run.note("chosen", why=_why(run, why), value=_short(row))
            known.records.append({k: v for k, v in row.items() if _asked_of(k, tool)})
    return fill(tool, known)


def _asked_of(key: str, tool: ToolSpec) -> bool:
    return any(
        words_of(str(key)) == words_of(p.name) or words_of(str(key))[0] == words_of(p.name)[0]
        for p in tool.params
    )


def _why(run: Run, reasons: list[tuple[str, str]]) -> str:
    return " ".join(run.say(name, what=what) for name, what in reasons)


def _told_so_far(run: Run, known: Known) -> str:
    """What the last observation said, in short, and what it corrects or decides."""
    said = [run.say(what, **slots) for what, slots in run.notes if what in ("premise", "chosen")]
    if said:
        return said[-1] + " "
    if known.records and known.observations and not known.options:
        return run.say("got", value=_short(known.records[-1])) + " "
    return ""


def _correct_premise(run: Run, known: Known, observation: str) -> None:
    """The question says delayed, the world says cancelled: the world is right."""
    now = _states(observation)
    claimed = _states(known.text)
    for state, shown in now.items():
        wrong = [word for other, word in claimed.items() if other != state]
        if wrong and state not in claimed:
            run.note("premise", claimed=wrong[0], value=shown)


def _states(text: str) -> dict[str, str]:
    found = {}
    for state, english, chinese in rows("states"):
        if hit := re.search(rf"\b(?:{english})\b|{chinese}", text, re.I):
            found[state] = hit[0]
    return found


def _closing(run: Run, tool: ToolSpec, known: Known, observation: str) -> Move:
    if not observation:
        return Move(run.say("nothing"), answer=run.say("notfound"))
    if _REFUSED.search(observation):
        return Move(run.say("refused", tool=tool.name), answer=run.say("denied", text=observation))
    if _FAILED.search(observation) and not known.records:
        return Move(run.say("failed", text=observation), answer=run.say("failed", text=observation))
    if changes(tool):
        return Move(
            run.say("done", value=told(observation)),
            answer=run.say("finished", text=told(observation)),
        )
    return Move(run.say("seen"), answer=_picked(run, known))


def _picked(run: Run, known: Known) -> str:
    """From all that was read, what the question asks for; everything where that is unclear."""
    parts = []
    for observation in dict.fromkeys(known.observations):
        found = Known("", known.lang)
        found.add(observation)
        if found.options:
            chosen = choose(found.options, known.text, [])
            listed = "; ".join(_short(row) for row in found.options[:5])
            parts.append(told(dict(chosen[0])) if chosen and chosen[1] else listed)
        elif found.records:
            keys = _asked_keys(found.records[0], known.text)
            parts.append(told({k: found.records[0][k] for k in keys} or found.records[0]))
        else:
            parts.append(observation.strip()[:600])
    return "; ".join(part for part in parts if part)


def _asked_keys(record: Mapping[str, Any], text: str) -> list[str]:
    """The keys that the question asks for; what it gives itself is not asked for."""
    asked, stems = groups(text), {t.stem for t in tokens(text)}
    fresh = [str(k) for k, v in record.items() if str(v) not in text]
    when = re.search(r"\bwhen\b|什么时候|何时|哪天|几点", text, re.I)
    timed = [k for k in fresh if when and re.search(r"\d{4}-\d\d|\d:\d\d|年", str(record[k]))]
    named = [
        k
        for k in fresh
        if set(words_of(k)) & stems or set(groups(k.replace("_", " "))) & set(asked)
    ]
    return timed or named or fresh


def _short(row: Mapping[str, Any]) -> str:
    return ", ".join(str(value) for value in row.values() if not isinstance(value, dict | list))


def told(value: str | Mapping[str, Any]) -> str:
    """A record as a phrase: `departure 14:00, result rebooked`."""
    if isinstance(value, str):
        known = Known("", language(value))
        known.add(value)
        if not known.records:
            return value.strip()
        value = known.records[0]
    return ", ".join(f"{str(k).replace('_', ' ')} {v}" for k, v in value.items())


def _best_told(run: Run, known: Known) -> Move | None:
    """The tool that was meant cannot be called: say what was read, or that something is missing."""
    if known.observations:
        return Move(run.say("seen"), answer=_picked(run, known))
    return None
