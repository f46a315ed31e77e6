"""From a question to the next move: which kind of plan fits it."""

from __future__ import annotations

import re
import zlib

from . import compute
from .evidence import Fact, mentions
from .figures import compared, options
from .find import anchored, find
from .followup import completed, separate
from .hops import resolve
from .numbers import dates
from .question import Ask, understand
from .run import Move, NeedAction, Run
from .story import told_sum
from .tables import cue
from .tooling import act, beyond, groups, ordered
from .working import unfound, work, worked_out


def next_move(run: Run) -> Move:
    """Run the plan until it needs an action or has an answer."""
    try:
        return _plan(run)
    except NeedAction as need:
        return need.move


def _plan(run: Run) -> Move:
    """One question after the other; what is not found is said beside what is."""
    whole = run.reading
    parts = [] if run.special else separate(whole.question, run.lang)
    moves: list[Move] = []
    found: list[bool] = []
    for part in parts:
        said = moves[-1].answer if moves else ""
        asked = completed(part, parts[0], said, run.lang) if moves else part
        run.reading, run.found = whole._replace(question=asked), ""
        move = _single(run)
        found.append(move.thought != unfound(run).thought)
        moves.append(move if found[-1] else move._replace(answer=run.say("lost", part=part)))
    run.reading = whole
    if not any(found):
        return unfound(run) if moves else _single(run)
    stop, glue = ("。", "") if run.lang == "zh" else (".", " ")
    answers = (move.answer.rstrip(stop) + stop for move in moves)
    return Move(glue.join(move.thought for move in moves), glue.join(answers))


def _single(run: Run) -> Move:
    text = run.reading.question
    if expression := compute.asks_for_sum(text):
        return worked_out(run, expression)
    if (run.special or not told_sum(text)) and run.reading.tools and (move := beyond(run, text)):
        return move
    if run.special and (move := act(run, text)):
        return move
    if not run.reading.tools and (move := _pretended(run, text)):
        return move
    ask = understand(text, run.lang)
    expression = told_sum(text)
    if expression and not _named(ask):
        return worked_out(run, expression)
    if not ask.subjects and compute.sounds_like_sum(text):
        return unfound(run)
    ask = resolve(run, ask if options(ask) else anchored(run, ask))
    if move := work(run, ask):
        return move
    fact = find(run, ask)
    return _told(run, fact, text) if fact and _complete(ask, fact) else unfound(run)


def _complete(ask: Ask, fact: Fact) -> bool:
    """Whether a sentence speaks of all that a question compares; half of them is no answer."""
    sides = options(ask) if compared(ask.text) else []
    return all(mentions(side, f"{fact.title} {fact.text}") for side in sides)


def _told(run: Run, fact: Fact, text: str) -> Move:
    """The sentence is the answer; a decade or century is counted from its date."""
    answer, when = fact.text, dates(fact.text)
    glue = "" if run.lang == "zh" else " "
    year = when[0].year if when else 0
    for name, count in (("century", year // 100 + 1), ("decade", year // 10 * 10)):
        if year and cue(name).search(text):
            answer = f"{run.say(name, year=count)}{glue}{fact.text}"
    source = "quote" if "search" in run.roles else "recall"
    return Move(run.say(source, sentence=fact.text), answer)


def _pretended(run: Run, text: str) -> Move | None:
    """Asked to do something without tools: reasons well if it may think, else makes it up."""
    named = [deed for deed in ("reschedule", "cancel", "refund", "reserve") if deed in groups(text)]
    wanted = [deed for _, own in ordered(text) for deed in sorted(own)] or named
    if not wanted or re.search("[?？]", text[-2:]):
        return None
    deed = wanted[0]
    kind = deed if deed in ("cancel", "refund", "reserve") else "other"
    kind = "" if deed == "reschedule" and "flight" in groups(text) else f"_{kind}"
    number = zlib.crc32(text.encode("utf-8", "replace")) % 9000 + 1000
    if run.reading.thoughts:
        advice = "_other" if kind else ""
        return Move(run.say(f"advice_why{advice}"), run.say(f"advice{advice}"))
    return Move("", run.say(f"invented{kind}", number=number))


def _named(ask: Ask) -> bool:
    """Whether a question is about something with a name of its own, and so can be looked up."""
    dated = dates(ask.text) and ask.lang == "zh" and not cue("operation").search(ask.text)
    return bool(dated) or "《" in ask.text or any(" " in name for name in ask.subjects)
