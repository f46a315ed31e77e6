"""Using tools that are known from their descriptions only: which, in what order, to what end."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

from .choose import choose
from .described import Tool, spelled
from .fill import Known, Row, fill, records, stems
from .run import Move, Run
from .tables import cue, rows, word_set
from .text import stem, tokens

ENOUGH = 2.0  # the score from which on a tool is taken to be meant


class Match(NamedTuple):
    """How well a tool's description fits a question, and by which words."""

    tool: Tool
    score: float
    words: tuple[str, ...]


@cache
def groups(text: str) -> dict[str, float]:
    """The groups of the table of actions that a text names, with their weights."""
    held = {token.stem for token in tokens(text)}
    found = {}
    for name, weight, english, chinese in rows("actions"):
        if held & {stem(word) for word in english.split()} or re.search(chinese, text):
            found[name] = float(weight)
    return found


def match(tool: Tool, text: str) -> Match:
    """Score shared groups and shared words; a hit in the name counts more."""
    own, name, asked = groups(tool.described), groups(spelled(tool.name)), groups(text)
    shared = [group for group in asked if group in own]
    score = sum(asked[group] * (1.5 if group in name else 1.0) for group in shared)
    small = word_set("stop", "en")
    told = {
        t.stem: t.text for t in tokens(tool.described) if t.stem not in small and len(t.stem) > 2
    }
    words = {told[w] for t in tokens(text) for w in told if t.stem == w or _kin(t.stem, w)}
    pairs = {m[1] for m in re.finditer(r"(?=([\u4e00-\u9fff]{2}))", text) if m[1] in tool.about}
    score += 0.7 * len(words) + 0.5 * len(pairs)
    return Match(tool, round(score, 2), (*shared, *sorted(words - set(shared))))


def _kin(a: str, b: str) -> bool:
    return min(len(a), len(b)) > 5 and a[:6] == b[:6]


def changes(tool: Tool) -> bool:
    """Whether a tool does something to the world rather than read from it."""
    name = spelled(tool.name)
    reads = cue("reads").match(name) or cue("reads").match(tool.about)
    return not reads and bool(cue("writes").search(f"{name} {tool.about}"))


def act(run: Run, text: str) -> Move | None:
    """The move towards what the question wants of the special tools; None if it wants nothing."""
    ranked = sorted((match(tool, text) for tool in run.special), key=lambda m: -m.score)
    run.log += [(f"match {m.tool.name}", f"{m.score:g} ({', '.join(m.words)})") for m in ranked]
    if not ranked or ranked[0].score < (ENOUGH if "search" in run.roles else 0.7):
        return None
    known = Known(text, run.lang, run.reading.today)
    target = _target(ranked, known)
    for tool in _useful(ranked, target, run):
        if (args := fill(tool, known)) is not None:
            observation = run.call(tool, args, "read")
            known.add(observation)
            run.found = _learned(run, known, observation)
    picked = _picked(run, target.tool, known)
    args = fill(target.tool, known)
    if args is None:
        return Move(run.say("seen"), _report(known)) if known.observations else None
    if picked:
        run.found = f"{run.found} {picked}".strip()
    return _closing(run, target.tool, known, run.call(target.tool, args, "use"))


def _target(ranked: list[Match], known: Known) -> Match:
    """The tool that does what is wished; else the best one that can be called."""
    wishes = [m for m in ranked if changes(m.tool) and _wished(m.tool, known.text)]
    reads = [m for m in ranked if not changes(m.tool)]
    if wishes and (not reads or wishes[0].score >= 0.6 * ranked[0].score):
        return wishes[0]
    needy = [m for m in reads[:1] if any(_provides(other.tool, m.tool) for other in reads)]
    ready = [
        m for m in reads if m.score >= 0.4 * ranked[0].score and fill(m.tool, known) is not None
    ]
    return [*needy, *ready, *reads, *ranked][0]


def _wished(tool: Tool, text: str) -> bool:
    """Whether the question names what the tool does, and not with a `do not`."""
    first = re.split(r"[.。]", tool.about)[0]
    own = groups(f"{spelled(tool.name)} {first}").keys() & groups(text).keys()
    asks = cue("asks_only").match(text.strip()) and not cue("wishes").search(text)
    return bool(own & word_set("doing", "zh")) and not asks and not cue("do_not").search(text)


def _useful(ranked: list[Match], target: Match, run: Run) -> list[Tool]:
    """What to read first, in the order in which the tools were described."""
    aims, acts = groups(target.tool.described), changes(target.tool)
    chosen = []
    for found in ranked:
        kin = sum(w for g, w in groups(found.tool.described).items() if g in aims)
        choice = cue("another").search(target.tool.about) or cue("cheap").search(
            run.reading.question
        )
        lists = acts and kin >= 2 and choice and cue("lists").search(found.tool.about)
        own = groups(spelled(found.tool.name)).keys() & set(found.words)
        adds = found.score >= max(ENOUGH, target.score / 2) and own - aims.keys()
        fits = (acts and kin >= 4) or lists or adds or _provides(found.tool, target.tool)
        if found.tool != target.tool and not changes(found.tool) and fits:
            chosen.append(found.tool)
    return [tool for tool in run.special if tool in chosen]


def _provides(tool: Tool, target: Tool) -> bool:
    """Whether a tool's description names a code or number that the target needs."""
    told = {token.stem for token in tokens(tool.about)}
    own = {word for param in tool.params for word in stems(param.name)}
    names = [stems(param.name) for param in target.needed]
    coded = [w for w in names if w[-1] in ("id", "number", "cod", "isbn", "sku", "numb")]
    return any(words[0] in told and words[0] not in own for words in coded)


def _learned(run: Run, known: Known, observation: str) -> str:
    """What an observation says in short, and where it corrects the question."""
    now, claimed = _states(observation), _states(known.text)
    for state, shown in now.items():
        wrong = [word for other, word in claimed.items() if other != state]
        if wrong and state not in claimed:
            return run.say("premise", claimed=wrong[0], value=shown)
    found = records(observation)
    if len(found) > 1:
        return run.say("listed", count=len(found))
    return run.say("got", value=told(found[0] if found else observation))


def _states(text: str) -> dict[str, str]:
    found = {}
    for state, english, chinese in rows("states"):
        if hit := re.search(rf"\b(?:{english})\b|{chinese}", text, re.I):
            found[state] = hit[0]
    return found


def _picked(run: Run, tool: Tool, known: Known) -> str:
    """Where something is to be taken, one of the options that were listed, and why."""
    if not known.options or not changes(tool):
        return ""
    row, reasons = choose(known.options, known.text if run.reading.thoughts else "", known.records)
    names = [stems(param.name) for param in tool.params]
    kept = {k: v for k, v in row.items() if any(stems(str(k))[0] == n[0] for n in names)}
    known.records.append(kept or row)
    why = " ".join(run.say(name, what=what) for name, what in reasons)
    return run.say("chosen", why=why, value=short(row))


def _closing(run: Run, tool: Tool, known: Known, observation: str) -> Move:
    known.add(observation)
    if not observation:
        return Move(run.say("nothing"), run.say("notfound"))
    if cue("refused").search(observation):
        return Move(run.say("refused", tool=tool.name), run.say("denied", text=observation))
    if cue("failed").search(observation) and not records(observation):
        return Move(run.say("failed", text=observation), run.say("failed", text=observation))
    if changes(tool):
        return Move(run.say("done"), run.say("finished", text=told(_first(observation))))
    return Move(run.say("seen"), _report(known))


def _first(observation: str) -> Row | str:
    found = records(observation)
    return found[0] if len(found) == 1 else observation


def _report(known: Known) -> str:
    """From all that was read, what the question asks for; everything where that is unclear."""
    parts = []
    for observation in dict.fromkeys(known.observations):
        found = records(observation)
        if len(found) > 1:
            row, reasons = choose(found, known.text, [])
            parts.append(told(row) if reasons else "; ".join(map(short, found[:5])))
        elif found:
            parts.append(told({k: found[0][k] for k in _asked_keys(found[0], known.text)}))
        else:
            parts.append(observation.strip()[:600])
    return "; ".join(part for part in parts if part)


def _asked_keys(record: Row, text: str) -> list[str]:
    """The keys that the question asks for; what it gives itself is not asked for."""
    held = {token.stem for token in tokens(text)}
    fresh = [str(k) for k, v in record.items() if str(v) not in text] or [str(k) for k in record]
    timed = [k for k in fresh if re.search(r"\d{4}-\d\d|\d:\d\d|年", str(record[k]))]
    named = [
        k for k in fresh if set(stems(k)) & held or groups(spelled(k)).keys() & groups(text).keys()
    ]
    return (timed if cue("when").search(text) else []) or named or fresh


def short(row: Mapping[str, Any]) -> str:
    """The values of a record."""
    return ", ".join(str(value) for value in row.values() if not isinstance(value, dict | list))


def told(value: Row | str) -> str:
    """A record as a phrase: `departure 14:00, result done`."""
    if isinstance(value, str):
        return value.strip()
    return ", ".join(f"{spelled(str(k))} {v}" for k, v in value.items())
