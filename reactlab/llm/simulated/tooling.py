"""Using tools that are known from their descriptions only: which, in what order, to what end."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from .choose import choose
from .described import Tool, spelled
from .fill import Known, each, fill, missing
from .records import Row, records, stems, told, winner
from .run import Move, Run
from .tables import cue, rows, word_set
from .text import stem, tokens

ENOUGH = 2.0  # the score from which on a tool is taken to be meant


class Match(NamedTuple):
    """How well a tool's description fits a question, and by which words."""

    tool: Tool
    score: float
    words: set[str]


@cache
def groups(text: str) -> dict[str, float]:
    """The groups of the table of actions that a text names, with their weights."""
    held = {token.stem for token in tokens(re.sub(r"(?i)\bbookings?\b", "reservation", text))}
    return {
        name: float(weight)
        for name, weight, english, chinese in rows("actions")
        if held & {stem(word) for word in english.split()} or re.search(chinese, text)
    }


def match(tool: Tool, text: str) -> Match:
    """Score shared groups and shared words; a hit in the name counts more."""
    own, name, asked = groups(tool.described), groups(spelled(tool.name)), groups(text)
    shared = asked.keys() & own.keys()
    score = sum(asked[group] * (1.5 if group in name else 1.0) for group in sorted(shared))
    told = {t.stem for t in tokens(tool.described)} - word_set("stop", "en")
    held = {token.stem for token in tokens(text)}
    words = {w for t in held for w in told if t == w or (len(w) > 5 and t[:6] == w[:6])}
    pairs = {m[1] for m in re.finditer(r"(?=([\u4e00-\u9fff]{2}))", text) if m[1] in tool.about}
    return Match(tool, round(score + 0.7 * len(words) + 0.5 * len(pairs), 2), shared | words)


def act(run: Run, text: str) -> Move | None:
    """The move towards what the question wants of the special tools; None if it wants nothing."""
    ranked = sorted((match(tool, text) for tool in run.special), key=lambda m: -m.score)
    run.log += [(f"match {m.tool.name}", f"{m.score:g} {sorted(m.words)}") for m in ranked]
    least = ENOUGH if "search" in run.roles else 0.7
    if not ranked or ranked[0].score < least:
        run.log.append(("no tool chosen", run.say("toolow", least=f"{least:g}")))
        return None
    known = Known(text, run.lang, run.reading.today)
    target = _target(ranked, known)
    for tool in [*_useful(ranked, target, run), target.tool]:
        picks = tool == target.tool and tool.changes
        if picks and (none := _picked(run, tool, known)):
            return none
        why = "use" if tool == target.tool else "read" if known.observations else "begin"
        calls = each(tool, known) if not tool.changes else [fill(tool, known)]
        made = [args for args in calls if args is not None]
        if not made:
            lacking = ", ".join(p.name for p in tool.needed if missing(p, tool, known))
            run.log.append(("not called", run.say("ungiven", tool=tool.name, what=lacking)))
        for args in made:
            known.observations.append(run.call(tool, args, why))
            run.found = _learned(run, known)
        if tool == target.tool and made:
            codes = [str(value) for args in made for value in args.values()]
            ahead = _ahead(run, codes, known) if len(made) > 1 else None
            return ahead or _closing(run, tool, known)
    return Move(run.say("seen"), _report(run, known)) if known.observations else None


def _ahead(run: Run, names: list[str], known: Known) -> Move | None:
    """Which of several records is later, dearer, ... if the question compares them."""
    read = [records(observation) for observation in known.observations[-len(names) :]]
    found = {name: rows[0] for name, rows in zip(names, read, strict=False) if rows}
    best = winner(found, known.text) if len(found) == len(names) else None
    if best is None:
        return None
    name, key = best
    shown = {n: str(row[key]) for n, row in found.items()}
    parts = "; ".join(run.say("known", what=n, value=v).rstrip(".。") for n, v in shown.items())
    others = ", ".join(value for n, value in shown.items() if n != name)
    answer = run.say("ahead", winner=name, value=shown[name], other=others)
    return Move(run.say("compared", parts=parts, answer=name), answer)


def beyond(run: Run, text: str) -> Move | None:
    """Say so where a request is to change something that no tool is described to do."""
    doers = [f"{spelled(t.name)}. {t.about}" for t in run.reading.tools if not t.reads]
    can = [deeds(doer) for doer in doers]
    for verb, wanted in ordered(text):
        vague = cue("vague_verb").fullmatch(verb) and not all(can)
        if not vague and not any(wanted & own for own in can):
            names = ", ".join(tool.name for tool in run.reading.tools)
            said = run.say("untooled_said", verb=verb, tools=names)
            return Move(run.say("untooled", verb=verb), said)
    return None


def ordered(text: str) -> list[tuple[str, set[str]]]:
    """The verbs of change in a request, each with what it wants done; none in a question."""
    asks = cue("asks_only").match(text.strip()) and not cue("wishes").search(text)
    if asks or cue("do_not").search(text) or (text[-1:] in "?？" and cue("asks").search(text)):
        return []
    verbs = [str(m["verb"] or m["zh"]).lower() for m in cue("act_verbs").finditer(text)]
    again = deeds(text) & {"reschedule"}  # `book me on another flight`
    wants = [(verb, deeds(verb)) for verb in verbs]
    return [(verb, own | again if "reserve" in own else own) for verb, own in wants if own]


def deeds(text: str) -> set[str]:
    """The groups of changes that a text names."""
    return set(groups(text).keys() & word_set("deeds", "zh"))


def _target(ranked: list[Match], known: Known) -> Match:
    """The tool that does what is wished; else the best one that can be called."""
    wishes = [m for m in ranked if m.tool.changes and _wished(m.tool, known.text)]
    reads = [m for m in ranked if not m.tool.changes]
    if wishes and (not reads or wishes[0].score >= 0.6 * ranked[0].score):
        return wishes[0]
    needy = [m for m in reads[:1] if any(_provides(other.tool, m.tool) for other in reads)]
    least = 0.4 * ranked[0].score
    ready = [m for m in reads if m.score >= least and fill(m.tool, known) is not None]
    return [*needy, *ready, *reads, *ranked][0]


def _wished(tool: Tool, text: str) -> bool:
    """Whether the question names what the tool does, and not with a `do not`."""
    first = re.split(r"[.。]", tool.about)[0]
    own = groups(f"{spelled(tool.name)} {first}").keys() & groups(text).keys()
    asks = cue("asks_only").match(text.strip()) and not cue("wishes").search(text)
    return bool(own & word_set("doing", "zh")) and not asks and not cue("do_not").search(text)


def _useful(ranked: list[Match], target: Match, run: Run) -> list[Tool]:
    """What to read first, in the order in which the tools were described."""
    aims, acts = groups(target.tool.described), target.tool.changes
    choice = cue("another").search(target.tool.about) or cue("cheap").search(run.reading.question)
    chosen = []
    for found in ranked:
        kin = sum(w for g, w in groups(found.tool.described).items() if g in aims)
        lists = acts and kin >= 2 and choice and cue("lists").search(found.tool.about)
        own = groups(spelled(found.tool.name)).keys() & found.words
        adds = found.score >= max(ENOUGH, target.score / 2) and own - aims.keys()
        fits = (acts and kin >= 4) or lists or adds or _provides(found.tool, target.tool)
        if found.tool != target.tool and not found.tool.changes and fits:
            chosen.append(found.tool)
    return [tool for tool in run.special if tool in chosen]


def _provides(tool: Tool, target: Tool) -> bool:
    """Whether a tool's description names a code or number that the target needs."""
    told = {token.stem for token in tokens(tool.about)}
    own = {word for param in tool.params for word in stems(param.name)}
    names = [stems(p.name) for p in target.needed if cue("code").search(spelled(p.name).lower())]
    return any(words[0] in told and words[0] not in own for words in names)


def _learned(run: Run, known: Known) -> str:
    """What the last observation says in short, and where it corrects the question."""
    now, claimed = _states(known.observations[-1]), _states(known.text)
    for state, shown in now.items():
        wrong = [word for other, word in claimed.items() if other != state]
        if wrong and state not in claimed:
            return run.say("premise", claimed=wrong[0], value=shown)
    found = records(known.observations[-1])
    return run.say("listed", count=len(found)) if len(found) > 1 else run.say("got")


def _states(text: str) -> dict[str, str]:
    forms = {state: rf"\b(?:{english})\b|{chinese}" for state, english, chinese in rows("states")}
    return {s: hit[0] for s, form in forms.items() if (hit := re.search(form, text, re.I))}


def _picked(run: Run, tool: Tool, known: Known) -> Move | None:
    """Take one of the options that were listed; the move that says so if none of them fits."""
    if not known.options:
        if all(text.strip() != "[]" for text in known.observations):
            return None
        return Move(run.say("nofit", why=run.say("empty")), run.say("empty_said"))
    row, reasons = choose(known.options, known.text, known.records, weigh=run.reading.thoughts)
    why = " ".join(run.say(name, what=what) for name, what in reasons)
    if row is None:
        return Move(f"{run.found} {run.say('nofit', why=why)}", run.say("nofit_said", why=why))
    known.chosen.append({k: v for k, v in row.items() if any(
        stems(str(k))[0] == stems(param.name)[0] for param in tool.params)} or row)  # fmt: skip
    run.found += " " + run.say("chosen", why=why, value=next(iter(row.values()), ""))
    return None


def _closing(run: Run, tool: Tool, known: Known) -> Move:
    observation = known.observations[-1]
    if not observation:
        return Move(run.say("nothing"), run.say("notfound"))
    if cue("refused").search(observation):
        return Move(run.say("refused", tool=tool.name), run.say("denied", text=observation))
    found = records(observation)
    if _went_wrong(tool, observation) and not found:
        return Move(run.say("failed", text=observation), run.say("failed", text=observation))
    if tool.changes and found and "unchanged" in found[0].values():
        rest = {key: value for key, value in found[0].items() if value != "unchanged"}
        return Move(run.say("same"), run.say("same_said", text=told(rest, run.lang, now=True)))
    if tool.changes:
        shown = told(found[0], run.lang, now=True) if found else observation
        return Move(run.say("done"), run.say("finished", text=shown.rstrip(".。 ")))
    return Move(run.say("seen"), _report(run, known))


def _went_wrong(tool: Tool, observation: str) -> bool:
    """Whether it was an error, or nothing was changed by what was to change something."""
    undone = tool.changes and cue("undone").search(observation)
    return bool(undone or cue("failed").search(observation))


def _report(run: Run, known: Known) -> str:
    """From all that was read, what the question asks for; everything where that is unclear."""
    parts = []
    for observation in dict.fromkeys(known.observations):
        found = records(observation)
        if len(found) > 1:
            row, reasons = choose(found, known.text, [])
            shown = [row] if row and reasons else found[:5]
            parts += [run.say("none")] if row is None else []
            parts.append("; ".join(told(row, known.lang) for row in shown))
        else:
            asked = _asked_keys(found[0], known.text) if found else []
            parts.append(told(found[0], known.lang, asked) if asked else observation.strip()[:600])
    return "; ".join(filter(None, parts))


def _asked_keys(record: Row, text: str) -> list[str]:
    """The keys that the question asks for; what it gives itself is not asked for."""
    held = {token.stem for token in tokens(text)}
    fresh = [str(k) for k, v in record.items() if str(v) not in text] or [str(k) for k in record]
    timed = [k for k in fresh if re.search(r"\d{4}-\d\d|\d:\d\d|年", str(record[k]))]
    own = groups(text).keys()
    named = [k for k in fresh if {*stems(k)} & held or groups(spelled(k)).keys() & own]
    return (timed if cue("when").search(text) else []) or named or fresh
