"""Checks of A2 hosted models: the cause of an odd reply, and a cost that may be unknown."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from copy import deepcopy
from typing import Any

from reactlab.agents.react import ReActAgent
from reactlab.course.cases import Case, Mistakes, by_cases
from reactlab.course.exercises import Judge, Raised, Stumble, attempt
from reactlab.course.odd_replies import CAUSES, Odd, hidden_replies, one_line, shown_replies
from reactlab.course.scripts import act, answer
from reactlab.course.texts import Texts
from reactlab.course.words import current, plain, value_shown
from reactlab.errors import LLMError
from reactlab.llm.scripted import Reply, ScriptedLLM
from reactlab.trace import Trace
from reactlab.types import Completion, Usage

say = Texts("A2")

# --- A2.1 diagnose --------------------------------------------------------------------------------


def judge_diagnose(diagnose: Any) -> Iterator[str]:
    """A2.1: the eight of the notebook, then others of every cause in other words."""
    shown = shown_replies()
    for name, response in shown.items():
        yield _told(say("reply", name), Odd(shown.causes[name], response), diagnose)
    for seed in range(6):
        for odd in hidden_replies(seed):
            yield _told(say("hidden", one_line(odd.response)), odd, diagnose)


def _told(case: str, odd: Odd, diagnose: Any) -> str:
    """What is wrong with the cause that was named, "" if it is the right one."""
    try:
        value = attempt(case, diagnose, deepcopy(odd.response))
    except Raised as raised:
        raise Stumble(say("raised", told=raised)) from None
    got = plain(value).casefold()
    if got == odd.cause:
        return ""
    if got not in CAUSES:
        causes = say("listed").join(CAUSES)
        return say("no_cause", case=case, got=value_shown(value), causes=causes)
    confused = f"{odd.cause}_not_{got}"
    look = confused if confused in Texts("A2")["says"] else f"look_{odd.cause}"
    return say("not", case=case, got=got, look=say(look))


# --- A2.2 cost ------------------------------------------------------------------------------------

Prices = Mapping[str, tuple[float, float]]
SHOWN: Prices = {"pine-large": (2.0, 8.0), "heron": (0.5, 0.5)}  # the table of the notebook
PRICES: Prices = {**SHOWN, "pine-small": (0.15, 0.6), "own-server": (0.0, 0.0)}
CALLS: tuple[tuple[tuple[str, int | None, int], ...], ...] = (
    (("pine-large", 1200, 60), ("pine-large", 1500, 40)),
    (("pine-small", 90_000, 7_000),),
    (("pine-small", 700, 90), ("pine-large", 2100, 15), ("pine-small", 900, 80)),
    (("heron", 800, 30), ("heron", None, 0), ("heron", 950, 20)),
    (("nobody-knows", 400, 20), ("heron", 500, 20)),
    (("pine-large", 400, 20), ("", 0, 0)),
    (("heron", None, 0),),
    (("own-server", 900, 30), ("own-server", 1100, 25)),
    (("pine-large", 900, 50), ("pine-small", 1000, 0), ("pine-large", 1000, 30)),
)


def run_of(calls: tuple[tuple[str, int | None, int], ...], extra: int = 0) -> Trace:
    """A run of the real loop: for each call the model, its tokens in (None: unknown) and out.

    The model "" gives no reply at all and ends the run; a reply of 0 tokens is empty, so that the
    same step asks again.
    """
    replies: list[Reply] = []
    for number, (model, sent, made) in enumerate(calls, 1):
        usage = None if sent is None else Usage(sent + extra, made and made + extra)
        last = number == len(calls)
        text = answer(say("known"), "10:00") if last else act(say("see"), "Lookup", str(number))
        text = text if made or sent is None else ""
        down = LLMError(say("down"))
        replies.append(Completion(text, usage=usage, model=model) if model else down)
    agent = ReActAgent(ScriptedLLM(replies, model=calls[0][0]), language=current())
    return agent.run(say("question"))


def total(
    trace: Trace,
    prices: Prices,
    *,
    unknown: float | None = None,
    unpriced: float | None = None,
    rate: Callable[[float, float], tuple[float, float]] = lambda given, made: (given, made),
    size: float = 1_000_000,
    calls: slice = slice(None),
    each: slice = slice(None),
) -> float | None:
    """What A2.2 asks for; the options are there to do it wrong."""
    amounts: list[float | None] = []
    for call in [call for step in trace.steps for call in step.model_calls[each]][calls]:
        done = call.completion
        usage = done.usage if done else None
        price = prices.get((done.model if done else "") or trace.model)
        if usage is None or price is None:
            amounts.append(unpriced if usage else unknown)
            continue
        given, made = rate(*price)
        amounts.append((usage.input_tokens * given + usage.output_tokens * made) / size)
    if None in amounts:
        return None
    return round(math.fsum(one for one in amounts if one is not None), 12)


def _by_total(trace: Trace, prices: Prices) -> float:
    """The tokens of `trace.usage`, at the price of the run's model."""
    given, made = prices[trace.model]
    usage = trace.usage
    return (usage.input_tokens * given + usage.output_tokens * made) / 1_000_000


def _costs() -> Iterator[Case]:
    chance = random.Random(0)
    for number, calls in enumerate(CALLS, 1):
        trace = run_of(calls, chance.randrange(50) if number > 1 else 0)
        told = ", ".join(_call_told(*call) for call in _paid(trace))
        yield Case(
            say("case", number), (trace, dict(PRICES)), total(trace, PRICES), {"calls": told}
        )


def _paid(trace: Trace) -> Iterator[tuple[str, Usage | None]]:
    for call in [call for step in trace.steps for call in step.model_calls]:
        done = call.completion
        yield (done.model if done else say("silent"), done.usage if done else None)


def _call_told(model: str, usage: Usage | None) -> str:
    tokens = f"{usage.input_tokens}+{usage.output_tokens}" if usage else "None"
    return f"{model} {tokens}"


def _sent(usage: Any) -> int:
    sent: int = usage.input_tokens
    return sent


def _close(got: Any, wanted: Any) -> bool:
    """The same amount to a millionth of a dollar, however it was added up; None is none."""
    if got is None or wanted is None:
        return got is wanted
    with suppress(OverflowError):  # a whole number too large for a float
        return not isinstance(got, bool) and math.isclose(got, wanted, rel_tol=1e-6, abs_tol=6e-7)
    return False


def _no_zeros(trace: Trace, prices: Prices) -> float | None:
    """Takes 0 tokens for unknown."""
    counts = [n for _, one in _paid(trace) if one for n in (one.input_tokens, one.output_tokens)]
    return total(trace, prices) if all(counts) else None


COST: Mistakes = {
    "zero_usage": lambda trace, prices: total(trace, prices, unknown=0),
    "zero_price": lambda trace, prices: total(trace, prices, unpriced=0),
    "per_token": lambda trace, prices: total(trace, prices, size=1),
    "per_thousand": lambda trace, prices: total(trace, prices, size=1000),
    "one_rate": lambda trace, prices: total(trace, prices, rate=lambda given, made: (given, given)),
    "turned": lambda trace, prices: total(trace, prices, rate=lambda given, made: (made, given)),
    "last": lambda trace, prices: total(trace, prices, calls=slice(-1, None)),
    "first": lambda trace, prices: total(trace, prices, calls=slice(1)),
    "one_a_step": lambda trace, prices: total(trace, prices, each=slice(1)),
    "last_of_step": lambda trace, prices: total(trace, prices, each=slice(-1, None)),
    "free_none": lambda trace, prices: total(trace, prices) or None,
    "no_zeros": _no_zeros,
    "own_table": lambda trace, prices: total(trace, SHOWN),
    "by_total": _by_total,
    "no_usage": lambda trace, prices: [_sent(usage) for _, usage in _paid(trace)],
    "no_price": lambda trace, prices: [prices[model] for model, _ in _paid(trace)],
}

JUDGES: dict[str, Judge] = {"1": judge_diagnose, "2": by_cases(say, _costs, COST, _close)}
EXAMPLES = {"replies": shown_replies, "run": lambda: run_of(CALLS[0])}
