"""Right and wrong solutions of 08 when_things_go_wrong."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from reactlab import ScriptedLLM, StopReason, Tool, ToolError
from reactlab.course.lessons.n08 import ATTEMPTS

# 08.1


class Do(NamedTuple):
    what: str
    value: object


def may_pass(error):
    if error["kind"] == "server":
        return error["status"] == 429 or error["status"] >= 500
    return error["kind"] == "tool_timeout" and not error["effects"]


def backing_off(error, attempt):
    """Waits longer every time, at least as long as asked; gives up in the end."""
    if error["kind"] == "unknown_tool":
        return Do("tell", "Tools: " + ", ".join(error["tools"]))
    if not may_pass(error) or attempt >= ATTEMPTS:
        return Do("stop", "no use")
    return Do("retry", max(error["retry_after"] or 0, 2.0**attempt))


def by_match(error, attempt):
    """Tells the model of every tool that failed; lists in place of tuples."""
    match error:
        case {"kind": "unknown_tool", "tools": names}:
            return ["tell", f"{names}"]
        case {"kind": "tool_timeout", "effects": True}:
            return ["tell", "It did not answer. Look whether it was done."]
        case {"kind": "tool_timeout"}:
            return ["tell", "It failed."] if attempt > 2 else ["retry", 0]
        case {"status": status, "retry_after": wait} if status == 429 or status > 499:
            return ["stop", str(status)] if attempt > 2 else ["retry", 1 if wait is None else wait]
    return ["stop", "HTTP"]


def in_capitals(error, attempt):
    """Other cases, and a stop without words."""
    if error["tools"] is not None:
        return "Tell", "可用的工具：" + "、".join(error["tools"])
    if may_pass(error) and attempt in (1, 2):
        return "Retry", (error["retry_after"] or 0) + 0.5
    return ("STOP",)


def changed(**given):
    """The right solution with one thing done otherwise."""

    def what_to_do(error, attempt):
        for when, answer in given.values():
            if when(error, attempt):
                return answer(error, attempt)
        return backing_off(error, attempt)

    return what_to_do


def is_server(error, attempt):
    return error["kind"] == "server"


def one_second(error, attempt):
    return "retry", max(error["retry_after"] or 1, 1)


always_again = changed(all=(lambda e, a: a < ATTEMPTS and e["kind"] == "server", one_second))
impatient = changed(now=(lambda e, a: may_pass(e) and a < ATTEMPTS, lambda e, a: ("retry", 0)))
pays_again = changed(pay=(lambda e, a: e["kind"] == "tool_timeout" and a < ATTEMPTS, one_second))
no_end = changed(more=(lambda e, a: may_pass(e), lambda e, a: ("retry", 60)))
four_times = changed(more=(lambda e, a: may_pass(e) and a == ATTEMPTS, lambda e, a: ("retry", 60)))
never = changed(no=(lambda e, a: may_pass(e), lambda e, a: ("stop", "?")))
no_list = changed(no=(lambda e, a: e["tools"], lambda e, a: ("tell", "There is no such tool.")))
first_name = changed(one=(lambda e, a: e["tools"], lambda e, a: ("tell", e["tools"][0])))
same_again = changed(again=(lambda e, a: e["tools"], one_second))
stops_there = changed(no=(lambda e, a: e["tools"], lambda e, a: ("stop", "no such tool")))
tells_all = changed(
    told=(lambda e, a: is_server(e, a) and not may_pass(e), lambda e, a: ("tell", "401"))
)
tells_late = changed(
    told=(lambda e, a: is_server(e, a) and a >= ATTEMPTS, lambda e, a: ("tell", "down"))
)
word_only = changed(word=(lambda e, a: may_pass(e) and a < ATTEMPTS, lambda e, a: "retry"))
no_wait = changed(
    none=(
        lambda e, a: may_pass(e) and a < ATTEMPTS,
        lambda e, a: ("retry", e["retry_after"]),
    )
)
forgets = changed(none=(lambda e, a: e["tools"], lambda e, a: None))


# 08.2


def multiplied(p, calls, attempts):
    """One factor for each call."""
    share = 1.0
    for _ in range(calls):
        fails = 1.0
        for _ in range(attempts):
            fails *= p
        share *= 1 - fails
    return share


def simulated(p, calls, attempts):
    """Dice instead of a formula."""
    chance, good = Random(1), 0
    for _ in range(5_000):
        good += all(any(chance.random() >= p for _ in range(attempts)) for _ in range(calls))
    return good / 5_000


def from_the_first(p, calls, attempts):
    """Adds up the attempts at which a call gets through."""
    return sum((1 - p) * p**before for before in range(attempts)) ** calls


# 08.3


def with_lists(make):
    """Looks at what happened from outside."""
    seen = []
    note = Tool("note", "Note a text.", lambda text: seen.append(text) or "noted")
    llm = ScriptedLLM(["Action: note[x]", "Final Answer: yes"])
    assert str(make(llm, [note]).run("a question")) == "yes"
    assert seen == ["x"]

    def broken(text: str):
        raise ToolError("nothing there")

    llm = ScriptedLLM(["Action: broken[x]", "Final Answer: yes"])
    assert str(make(llm, [broken]).run("a question")) == "yes"
    assert "nothing there" in llm.requests[-1].prompt

    llm = ScriptedLLM(["Action: note[x]", "Action: note[y]"], repeat_last=True)
    run = make(llm, [note], max_steps=2).run("a question")
    assert (run.answer, run.stop_reason) == (None, StopReason.MAX_STEPS)


def by_the_trace(make):
    """Looks into the trace."""

    def note(text: str):
        if text == "bad":
            raise ToolError("out of ink")
        return f"noted {text}"

    script = ["行动：note[a]", "行动：note[bad]", "最终答案：好"]
    run = make(ScriptedLLM(script), [note]).run("?")
    assert [use.call.name for step in run for use in step.uses] == ["note", "note"]
    assert str(run.steps[0].observations[0]) == "noted a"
    assert run.steps[1].observations[0].error == "tool_error"
    assert run.answer == "好"
    run = make(ScriptedLLM(script, repeat_last=True), [note], 2).run("?")
    assert run.answer is None
    assert run.stop_reason == "max_steps"


def in_parts(make):
    """Three helpers, and a count in place of a list."""
    count = {"used": 0}

    def note(text: str):
        count["used"] += 1
        return text

    def used_once():
        answer = make(ScriptedLLM(["Action: note[x]", "Final Answer: 1"]), [note]).run("?").answer
        assert answer == "1"
        assert count["used"] == 1

    def told():
        def broken(text: str):
            raise ToolError("no paper")

        llm = ScriptedLLM(["Action: broken[x]", "Final Answer: 2"])
        assert make(llm, [broken]).run("?").answer == "2"
        assert any("no paper" in request.prompt for request in llm.requests)

    def ends():
        run = make(ScriptedLLM(["Action: note[x]"], repeat_last=True), [note], 1).run("?")
        assert run.answer is None and run.stop_reason.value == "max_steps"  # noqa: PT018

    used_once()
    told()
    ends()


def promise(*, used=True, twice=True, told=True, answer=True, none=True, reason=True):
    """A test that leaves out what is False."""

    def test(make):
        seen = []

        def note(text: str):
            seen.append(text)
            return "41"

        def broken(text: str):
            raise ToolError("out of paper")

        run = make(ScriptedLLM(["Action: note[a]", "Final Answer: 41"]), [note]).run("?")
        assert run.answer == "41"
        assert seen or not used
        assert len(seen) < 2 or not twice
        llm = ScriptedLLM(["Action: broken[a]", "Final Answer: none"])
        run = make(llm, [broken]).run("?")
        assert "out of paper" in llm.requests[1].prompt or not told
        assert run.answer == "none" or not answer
        run = make(ScriptedLLM(["Action: note[a]"], repeat_last=True), [note], 3).run("?")
        assert run.answer is None or not none
        assert run.stop_reason == "max_steps" or not reason

    return test


def too_strict(make):
    run = make(ScriptedLLM(["Final Answer: 41"]), []).run("?")
    assert run.answer == "42"


def returns_it(make):
    run = make(ScriptedLLM(["Final Answer: 41"]), []).run("?")
    return run.answer == "41"


def tests_nothing(make):
    make(ScriptedLLM(["Final Answer: 41"]), []).run("?")


RIGHT = [
    ("08.1", backing_off),
    ("08.1", by_match),
    ("08.1", in_capitals),
    ("08.2", multiplied),
    ("08.2", simulated),
    ("08.2", from_the_first),
    ("08.2", lambda p, calls, attempts: (1 - p**attempts) ** calls),
    ("08.3", with_lists),
    ("08.3", by_the_trace),
    ("08.3", in_parts),
    ("08.3", promise()),
]
WRONG = [
    ("08.1", always_again, "It will be a 40"),
    ("08.1", impatient, "the server asked to wait"),
    ("08.1", pays_again, "it may pay twice"),
    ("08.1", no_end, "Three attempts in all"),
    ("08.1", four_times, "Three attempts in all"),
    ("08.1", never, "This may pass"),
    ("08.1", no_list, "It can only choose from names that it sees"),
    ("08.1", first_name, "without"),
    ("08.1", same_again, "the model may name the same tool again"),
    ("08.1", stops_there, "if it is told which tools there are"),
    ("08.1", tells_all, "nobody will read this"),
    ("08.1", tells_late, "nobody will read this"),
    ("08.1", word_only, 'After "retry" comes the number of seconds'),
    ("08.1", no_wait, 'After "retry" comes the number of seconds'),
    ("08.1", forgets, "returned None"),
    ("08.1", lambda error, attempt: True, "One of these is needed"),
    ("08.2", lambda p, calls, attempts: 1 - p**attempts, "A run needs all 4"),
    ("08.2", lambda p, calls, attempts: (1 - p) ** calls, "That is one attempt for each call"),
    ("08.2", lambda p, n, a: 1 - (1 - p**a) ** n, "Asked is the chance that all succeeds"),
    ("08.2", lambda p, n, a: 1 - (1 - (1 - p) ** n) ** a, "That runs the whole run again"),
    ("08.2", lambda p, n, a: (1 - p ** (a + 1)) ** n, "one attempt too many"),
    ("08.2", lambda p, n, a: 100 * (1 - p**a) ** n, "not percent"),
    ("08.2", lambda p, n, a: (1 - p) ** (n * a), "That demands that every attempt succeeds"),
    ("08.2", lambda p, n, a: 1 - p ** (n * a), "not every call fails"),
    ("08.2", lambda p, n, a: None, "returned None"),
    ("08.2", lambda p, n, a: p, "is right"),
    ("08.3", too_strict, 'AssertionError, in the line “assert run.answer == "42"”'),
    ("08.3", returns_it, "pytest does not look at what a test returns"),
    ("08.3", tests_nothing, "never uses the tool"),
    ("08.3", promise(used=False, told=False), "never uses the tool"),
    ("08.3", promise(twice=False), "makes every call twice"),
    ("08.3", promise(told=False), "tells its model “ok”"),
    ("08.3", promise(answer=False), "returns a tool's error as its answer"),
    ("08.3", promise(none=False), "makes up an answer when its steps are used up"),
    ("08.3", promise(reason=False), "says “answered” when its steps are used up"),
]
SAMPLES = [
    ("08.1", lambda error, attempt: ("retry", 1)),
    ("08.2", lambda p, calls, attempts: 0.75),
    ("08.3", lambda make: None),
]
