"""From a question to the next move: which kind of plan fits it."""

from __future__ import annotations

from . import compute
from .find import find
from .numbers import readable
from .question import understand
from .run import Move, NeedAction, Run


def next_move(run: Run) -> Move:
    """Run the plan until it needs an action or has an answer."""
    try:
        return _plan(run)
    except NeedAction as need:
        return need.move


def _plan(run: Run) -> Move:
    text = run.reading.question
    if expression := compute.asks_for_sum(text):
        return worked_out(run, expression)
    ask = understand(text, run.lang)
    if not ask.subjects and (expression := compute.story(text)):
        return worked_out(run, expression)
    fact = find(run, ask)
    return Move(run.say("quote", sentence=fact.text), fact.text) if fact else not_found(run)


def worked_out(run: Run, expression: str) -> Move:
    """The answer is the value of an expression."""
    value = run.compute(expression)
    if not value:
        return not_found(run)
    shown = readable(value)
    return Move(run.say("computed", sum=expression, value=value), shown)


def not_found(run: Run) -> Move:
    """Say so: no answer is better than a wrong one."""
    if "search" not in run.roles:
        return Move(run.say("unsure"), run.say("nomemory"))
    return Move(run.say("nothing"), run.say("notfound"))
