"""From a question to the next move: which kind of plan fits it."""

# ruff: noqa: E501  (a pattern reads better on one line)

from __future__ import annotations

import re

from reactlab.llm.simulated import combine, compare, compute, spans, special
from reactlab.llm.simulated.asking import subjects, understand
from reactlab.llm.simulated.facts import find, resolve
from reactlab.llm.simulated.planner import Move, NeedAction, Run
from reactlab.llm.simulated.reading import Reading
from reactlab.llm.simulated.text import dates


def next_move(run: Run) -> Move:
    """Run the plan until it needs an action or has an answer."""
    try:
        return _plan(run)
    except NeedAction as need:
        return need.move


def _plan(run: Run) -> Move:
    text = in_context(run.reading)
    expression = compute.written(text) if names_something(text, run.lang) else ""
    expression = expression or (
        "" if names_something(text, run.lang) else compute.asks_for_sum(text)
    )
    if expression:
        return worked_out(run, expression)
    if run.tools.special and (move := special.plan(run, text)):
        return move
    if not run.tools.all and (move := pretended(run, text)):
        return move
    if move := spans.plan(run, text):
        return move
    story = compute.story(text)
    if story and not names_something(text, run.lang):
        return worked_out(run, story)
    return _after_resolving(run, text)


def names_something(text: str, lang: str) -> bool:
    """Whether a question is about something with a name of its own, and so can be looked up."""
    dated = any(date.month or "年" in date.text for date in dates(text))
    if lang == "zh":
        return "《" in text or dated
    named = [name.text for name in subjects(text, lang) if name.text[:1].isupper()]
    return dated or any(" " in name and not re.search(r"\d", name) for name in named)


def _after_resolving(run: Run, text: str) -> Move:
    plain, resolved = resolve(run, text, run.lang)
    if not resolved:
        return not_found(run)
    for plan in (spans.plan, combine.over_months, compare.plan, combine.plan):
        if move := plan(run, plain):
            return move
    return _one_fact(run, plain)


_ELLIPTIC = re.compile(
    r"^(?:and|what about|how about|and what about|and for|那么?)[ ,，]*(?:the )?(?P<a>.{1,60}?)(?:呢)?[?？]?$|^(?P<b>.{1,20})呢[?？]?$",
    re.I,
)
_PRONOUN = re.compile(
    r"\b(?P<whose>its|his|her(?= [a-z])|their)\b|\b(?:it|he|she|him|her|they|them|there|this one|that one)\b|它们?|[他她]们?|那里|那儿|该(?=[座个部位])",
    re.I,
)


def in_context(reading: Reading) -> str:
    """A follow-up question with what it leaves out put in from the turn before it."""
    text = reading.question
    if not reading.turns:
        return text
    asked, answer = reading.turns[-1]
    before = understand(asked, reading.lang)
    short = _ELLIPTIC.match(text)
    if short and before.subject and not _PRONOUN.search(text):
        rest = short["a"] or short["b"]
        if not re.search(r"\b(?:is|was|did|does|who|when|where|how)\b|谁|什么|哪|多", rest):
            return asked.replace(before.subject, rest)
    own = [n for n in subjects(text, reading.lang) if n.text[:1].isupper() or reading.lang == "zh"]
    if not _PRONOUN.search(text) or [n for n in own if not _PRONOUN.fullmatch(n.text)]:
        return text
    named = (
        subjects(answer, reading.lang)
        if len(answer) < 60 and before.kind in ("person", "city", "country", "name", "place")
        else []
    )
    subject = (
        named[0].text
        if named and (named[0].text[:1].isupper() or reading.lang == "zh")
        else before.subject
    )
    return _PRONOUN.sub(lambda m: subject + ("'s" if m["whose"] else ""), text) if subject else text


def worked_out(run: Run, expression: str, unit: str = "") -> Move:
    """The answer is the value of an expression."""
    value = run.compute(expression)
    if not value:
        return not_found(run)
    return Move(run.say("computed", sum=expression, value=value), answer=value + unit)


def pretended(run: Run, text: str) -> Move | None:
    """Asked to do something without tools: reasons well if it may think, else makes it up."""
    wished = special.groups(text)
    if not {"reschedule", "cancel", "refund", "reserve"} & wished.keys() or "?" in text[-2:]:
        return None
    thought = run.say("advice_why") if run.reading.thoughts else ""
    return Move(thought, answer=run.say("advice" if thought else "invented"))


def not_found(run: Run) -> Move:
    """Say so: no answer is better than a wrong one."""
    if run.tools.search is None:
        return Move(run.say("unsure"), answer=run.say("nomemory"))
    return Move(run.say("nothing"), answer=run.say("notfound"))


def _one_fact(run: Run, text: str) -> Move:
    fact = find(run, understand(text, run.lang))
    if fact is None:
        return not_found(run)
    how = "quote" if run.tools.search else "memory"
    return Move(run.say(how, sentence=fact.sentence), answer=fact.value)
