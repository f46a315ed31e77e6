"""Right and wrong solutions of 00 start_here."""

from __future__ import annotations

from reactlab import Decision, ModelCall, Observation, StopReason, ToolCall, ToolUse, Trace
from reactlab.types import Completion, Request

# 00.1


def by_two_loops(trace):
    if trace.answer is None:
        return None
    for step in trace.steps:
        for observation in step.observations:
            if trace.answer in observation.text:
                return step.number
    return None


def by_generator(trace):
    found = (
        number
        for number, step in enumerate(trace, 1)
        if trace.answer and any(trace.answer in str(seen) for seen in step.observations)
    )
    return next(found, None)


def by_events(trace):
    step = 0
    for event in trace.events:
        step += isinstance(event, ModelCall)
        if isinstance(event, ToolUse) and trace.answer and trace.answer in str(event.observation):
            return step
    return None


def in_any_text(trace):
    for step in trace.steps:
        if trace.answer and trace.answer in step.thought + "".join(map(str, step.observations)):
            return step.number
    return None


def with_guesses(trace):
    if by_two_loops(trace) is None:
        return None
    return in_any_text(trace)


def last_tool_step(trace):
    return max((step.number for step in trace.steps if step.observations), default=None)


def last_match(trace):
    found = [
        s.number for s in trace.steps if any(str(trace.answer) in str(o) for o in s.observations)
    ]
    return found[-1] if found else None


def in_the_object(trace):
    for step in trace.steps:
        for seen in step.observations:
            if trace.answer in seen:
                return step.number
    return None


def first_of_each(trace):
    for step in trace.steps:
        if str(trace.answer) in str(step.observations[0]):
            return step.number
    return None


def among_observations(trace):
    for step in trace.steps:
        if trace.answer in step.observations:
            return step.number
    return None


def without_no_answer(trace):
    for step in trace.steps:
        for seen in step.observations:
            if trace.answer in str(seen):
                return step.number
    return None


def first_observation_only(trace):
    for step in trace.steps:
        if step.observations and trace.answer and trace.answer in str(step.observations[0]):
            return step.number
    return None


def none_as_text(trace):
    for step in trace.steps:
        if any(str(trace.answer) in str(seen) for seen in step.observations):
            return step.number
    return None


RIGHT = [
    ("00.1", by_two_loops),
    ("00.1", by_generator),
    ("00.1", by_events),
]
WRONG = [
    ("00.1", first_observation_only, "In run H"),
    ("00.1", none_as_text, "Run I has no answer"),
    ("00.1", lambda trace: len(trace.steps), "In run A you say 2: the last step is the answer"),
    ("00.1", last_tool_step, "In run B you say 3: that observation is an error. Where does"),
    ("00.1", in_any_text, "there the model wrote"),
    ("00.1", with_guesses, "In run D you say 1: there the model wrote"),
    ("00.1", last_match, "already"),
    ("00.1", lambda trace: (by_two_loops(trace) or 0) - 1, "numbered from 1"),
    ("00.1", lambda trace: by_two_loops(trace) or 0, "return None, not 0"),
    ("00.1", lambda trace: 1, "In run B you say 1"),
    ("00.1", lambda trace: trace.nothing, "Run A: your function stopped with AttributeError"),
    ("00.1", in_the_object, "In run A an observation was searched like a text"),
    ("00.1", first_of_each, "In run C a step has no observation, so it has no observations[0]"),
    ("00.1", among_observations, "An observation is not a text: compare with str(observation)"),
    ("00.1", without_no_answer, "Run F has no answer (None): deal with that case first."),
    ("00.1", 3, "Give the function itself"),
]


# 00.2


def own(question="What is 5 more?", tools=("Search", "Calculator"), error="", model="any"):
    trace = Trace(question, "ReActAgent", model)
    for name in tools:
        call = ToolCall(name, "x")
        trace.add(ModelCall(Request(()), Completion()))
        trace.add(Decision("I use it.", (call,)))
        trace.add(ToolUse(call, Observation("seen", error)))
    trace.stop(StopReason.ANSWERED, "", "7")
    return trace


RIGHT += [
    ("00.2", own()),
    ("00.2", own(tools=("Search", "Search", "ReadFile"))),
    ("00.2", own("港灯书店卖了多少钱？", ("Calculator", "QueryDatabase"))),
]
WRONG += [
    ("00.2", own(tools=("Search", "Search")), "2 calls, one tool, Search: ask for something"),
    ("00.2", own(tools=("Search",)), "One call, of Search"),
    ("00.2", own(tools=()), "used no tool"),
    ("00.2", own(tools=(), model="reactlab-simulated"), "“How much taller (longer) is A than B?”"),
    ("00.2", own(error="tool_error"), "Search was called and returned an error: 'seen'"),
    ("00.2", "Search and Calculator", "'Search and Calculator' is no trace"),
    (
        "00.2",
        own("How many metres taller is the Burj Khalifa than the Shanghai Tower?"),
        "from this notebook",
    ),
]


# The answers of the runs that the notebook shows.
SAMPLES = [("00.1", lambda trace: {"330": 1, "196 metres": None}.get(trace.answer, 1))]
VALUES = {"00.2"}
