"""Faults on demand: each kind happens, at its rate, the same for the same seed, and is noted."""

from __future__ import annotations

import asyncio
import pickle
import random
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import pytest

from reactlab import (
    Completion,
    ConfigError,
    FaultyLLM,
    Message,
    ParseError,
    ReActAgent,
    Request,
    ScriptedLLM,
    SimulatedLLM,
    ToolCall,
    ToolRegistry,
    builtin_tools,
    make_dialect,
)
from reactlab.errors import ContextOverflow, LLMError, RateLimited, Refused, Unavailable
from reactlab.evaluation import wilson
from reactlab.llm.faulty import MODEL_FAULTS
from reactlab.types import Decision

DIALECTS = ["bracket", "action_input", "json", "tools"]
QUESTIONS = {"en": "How tall is the Eiffel Tower in feet?", "zh": "埃菲尔铁塔的高度是多少英尺？"}
ERRORS = {
    "refusal": Refused,
    "rate_limit": RateLimited,
    "timeout": Unavailable,
    "server_error": Unavailable,
    "context_overflow": ContextOverflow,
}
ON_ACTIONS = MODEL_FAULTS.keys() - ERRORS.keys() - {"repeated_action", "wrong_value"}


class Case:
    """A real run in a dialect and a language: its requests for an action and for the answer."""

    def __init__(self, dialect: str, language: str) -> None:
        self.tools = ToolRegistry(builtin_tools(language=language))
        self.dialect = make_dialect(dialect, language=language)
        trace = ReActAgent(SimulatedLLM(), self.tools, dialect=self.dialect).run(
            QUESTIONS[language]
        )
        self.requests = [call.request for step in trace for call in step.model_calls]
        assert len(self.requests) > 2

    def __getitem__(self, place: int) -> Request:
        return self.requests[place]

    def read(self, reply: Completion) -> Decision:
        return self.dialect.parse(reply, self.tools)

    def spoiled(self, kind: str, place: int) -> Completion:
        return FaultyLLM(SimulatedLLM(), {kind: 1.0}).complete(self[place])

    def plain(self, place: int) -> Completion:
        return SimulatedLLM().complete(self[place])


case_of = cache(Case)


@pytest.fixture(params=[(d, lang) for d in DIALECTS for lang in QUESTIONS], ids="-".join)
def case(request: pytest.FixtureRequest) -> Case:
    return case_of(*request.param)


def is_text(case: Case) -> bool:
    return not case[0].tools


@pytest.mark.parametrize("kind", sorted(ERRORS.keys() - {"context_overflow"}))
def test_a_fault_of_the_server_is_raised_before_the_model_is_asked(kind):
    asked = ScriptedLLM(["never said"])
    llm = FaultyLLM(asked, {kind: 1.0}, retry_after=0.25)
    with pytest.raises(ERRORS[kind]) as raised:
        llm.complete(Request((Message("user", "hello"),)))
    waits = kind in ("rate_limit", "timeout", "server_error")
    assert raised.value.retry_after == (0.25 if waits else None)
    assert asked.requests == []
    assert [fault.kind for fault in llm.faults] == [kind]


def test_only_a_request_with_something_to_shorten_is_too_long(case):
    llm = FaultyLLM(SimulatedLLM(), {"context_overflow": 1.0})
    assert llm.complete(case[0]) == case.plain(0)
    for request in case.requests[1:]:
        with pytest.raises(ContextOverflow):
            llm.complete(request)
    assert len(llm.faults) == len(case.requests) - 1


@pytest.mark.parametrize("kind", sorted(ON_ACTIONS))
def test_each_fault_of_a_reply_happens_in_every_dialect(case, kind):
    assert case.spoiled(kind, 0) != case.plain(0)


def test_a_broken_format_holds_no_step_that_could_be_carried_out(case):
    for place in (0, -1) if is_text(case) else (0,):
        broken = case.spoiled("broken_format", place)
        if is_text(case):
            with pytest.raises(ParseError):
                case.read(broken)
        else:
            (call,) = case.read(broken).calls
            assert case.tools.execute(call).observation.error == "bad_arguments"


def test_an_invented_observation_follows_the_action_and_is_not_believed(case):
    reply = case.spoiled("invented_observation", 0)
    assert case.dialect.words.observation in reply.text
    assert case.dialect.words.answer in reply.text
    decision = case.read(reply)
    assert decision.calls == case.read(case.plain(0)).calls
    assert decision.answer is None


def test_several_actions_are_two_different_calls(case):
    reply, word = case.spoiled("several_actions", 0), case.dialect.words.action.strip()
    if is_text(case):
        assert reply.text.count(f"\n{word}") == 2
        first, second = [f"{word}{part}" for part in reply.text.split(word)[1:]]
        assert case.read(Completion(first)) != case.read(Completion(second))
    else:
        first, second = reply.calls
        assert (first.name, first.id != second.id) == (second.name, True)
        assert first.arguments != second.arguments


def test_an_unknown_tool_is_called_as_if_it_were_there(case):
    (call,) = case.read(case.spoiled("unknown_tool", 0)).calls
    assert case.tools.execute(call).observation.error == "unknown_tool"


def test_wrong_arguments_do_not_fit_the_tool(case):
    (call,) = case.read(case.spoiled("wrong_arguments", 0)).calls
    assert case.tools.execute(call).observation.error == "bad_arguments"


def test_a_repeated_action_is_the_last_one_of_the_conversation(case):
    (again,) = case.read(case.spoiled("repeated_action", -1)).calls
    (before,) = case.read(case.plain(-2)).calls
    assert (again.name, again.arguments) == (before.name, before.arguments)
    assert case.spoiled("repeated_action", 0) == case.plain(0)  # there is none yet


def test_a_truncated_reply_says_so_and_is_a_beginning(case):
    for place in (0, -1):
        cut, whole = case.spoiled("truncation", place), case.plain(place)
        assert cut.finish == "length"
        assert whole.text.startswith(cut.text)
        assert len(cut.text + str(cut.calls)) < len(whole.text + str(whole.calls))


def test_half_an_answer_is_told_and_never_taken_for_one(case):
    whole = case.read(case.plain(-1)).answer
    for seed in range(20):
        cut = FaultyLLM(SimulatedLLM(), {"truncation": 1.0}, seed).complete(case[-1])
        try:
            assert case.read(cut).answer == whole  # only the fence behind it is missing
        except ParseError:
            continue


def test_an_empty_reply_holds_nothing(case):
    reply = case.spoiled("empty", 0)
    assert (reply.text, reply.calls) == ("", ())


def test_a_wrong_value_looks_like_any_answer(case):
    wrong, right = case.spoiled("wrong_value", -1), case.plain(-1)
    answers = [case.read(reply).answer for reply in (wrong, right)]
    assert answers[0] != answers[1]
    assert len(answers[0]) == len(answers[1])
    assert wrong.finish == right.finish
    assert case.spoiled("wrong_value", 0) == case.plain(0)


@pytest.mark.parametrize(
    ("answer", "prompt"),
    [("Yes, it is.", ""), ("是，它更高。", ""), ("Gustave Eiffel", "Stephen Sauvestre drew it.")],
)
def test_a_wrong_value_may_be_a_verdict_or_a_name(answer, prompt):
    reply = ScriptedLLM([f"Thought: so\nFinal Answer: {answer}"])
    spoiled = FaultyLLM(reply, {"wrong_value": 1.0}).complete(Request((Message("user", prompt),)))
    assert not spoiled.text.endswith(f": {answer}")
    assert spoiled.text.startswith("Thought: so\nFinal Answer: ")


def test_a_reply_without_a_step_is_left_as_it_is():
    for kind in MODEL_FAULTS.keys() - ERRORS.keys() - {"empty"}:
        llm = FaultyLLM(ScriptedLLM(["I am lost."]), {kind: 1.0})
        assert llm.complete(Request((Message("user", "q"),))).text == "I am lost."
        assert llm.faults == []


def outcome(llm: FaultyLLM, text: str) -> Any:
    try:
        return llm.complete(Request((Message("user", text),)))
    except LLMError as error:
        return type(error).__name__, error.message


def replying(request: Request) -> str:
    return "Thought: I look it up.\nAction: Search[the tower]"


def faulty(rates: Any = 0.5, seed: int = 0) -> FaultyLLM:
    return FaultyLLM(ScriptedLLM([replying], repeat_last=True), rates, seed)


def test_rates_are_met_for_each_kind():
    n, rates = 2000, {"rate_limit": 0.1, "broken_format": 0.2, "empty": 0.05, "refusal": 0.02}
    llm = faulty(rates)
    for number in range(n):
        outcome(llm, f"question {number}")
    happened = Counter(fault.kind for fault in llm.faults)
    for kind, rate in rates.items():
        low, high = wilson(happened[kind], n, confidence=0.99)
        assert low <= rate <= high, kind


def test_one_rate_is_shared_evenly_among_the_recoverable_kinds():
    recoverable = [name for name, kind in MODEL_FAULTS.items() if kind.recoverable]
    assert "wrong_value" not in recoverable
    llm = FaultyLLM(ScriptedLLM([]), 0.26)
    assert list(llm.rates) == recoverable
    assert all(rate == pytest.approx(0.26 / len(recoverable)) for rate in llm.rates.values())
    assert FaultyLLM(ScriptedLLM([]), 0).rates == {}


def test_the_same_seed_gives_the_same_faults_in_any_order_and_with_threads():
    asked = [f"question {number % 40}" for number in range(200)]
    expected: dict[str, list[Any]] = {}
    llm = faulty()
    for text in asked:
        expected.setdefault(text, []).append(outcome(llm, text))
    shuffled = random.Random(1).sample(asked, len(asked))
    other, found = faulty(), {}
    for text in shuffled:
        found.setdefault(text, []).append(outcome(other, text))
    assert found == expected
    shared = faulty()
    with ThreadPoolExecutor(8) as pool:
        done = list(pool.map(lambda text: (text, outcome(shared, text)), shuffled))
    at_once: dict[str, list[Any]] = {}
    for text, what in done:
        at_once.setdefault(text, []).append(what)
    assert {text: sorted(map(str, what)) for text, what in at_once.items()} == {
        text: sorted(map(str, what)) for text, what in expected.items()
    }
    assert sorted(map(str, shared.faults)) == sorted(map(str, llm.faults))


def test_another_seed_gives_other_faults_and_a_retry_a_fresh_draw():
    texts = [f"question {number}" for number in range(50)]
    first, second = faulty(seed=0), faulty(seed=1)
    once = [outcome(first, text) for text in texts]
    assert once != [outcome(second, text) for text in texts]
    assert once != [outcome(first, text) for text in texts]


def test_faults_at_a_low_rate_are_among_those_at_a_higher_one():
    low, high = faulty(0.1), faulty(0.4)
    for number in range(300):
        outcome(low, f"question {number}")
        outcome(high, f"question {number}")
    assert set(low.faults) < set(high.faults)


@pytest.mark.parametrize(
    "rates", [{"rate_limits": 0.1}, {"empty": 1.1}, {"empty": -0.1}, -1, 1.2, {"empty": True}]
)
def test_an_impossible_rate_is_told_with_the_kinds_there_are(rates):
    with pytest.raises(ConfigError, match="rate_limit, timeout"):
        FaultyLLM(ScriptedLLM([]), rates)


def test_rates_above_one_in_all_are_refused():
    with pytest.raises(ConfigError, match="at most one fault"):
        FaultyLLM(ScriptedLLM([]), {"empty": 0.7, "refusal": 0.7})


def test_it_is_awaited_only_if_the_model_can_be():
    class Both(SimulatedLLM):
        async def acomplete(self, request: Request) -> Completion:
            return self.complete(request)

    request = case_of("bracket", "en")[0]
    blocking = FaultyLLM(SimulatedLLM(), {"unknown_tool": 1.0})
    awaited = FaultyLLM(Both(), {"unknown_tool": 1.0})
    assert not hasattr(blocking, "acomplete")
    assert asyncio.run(awaited.acomplete(request)) == blocking.complete(request)
    assert awaited.faults == blocking.faults


def test_it_travels_to_another_process_with_its_counts():
    llm = faulty()
    before = outcome(llm, "q")
    other = pickle.loads(pickle.dumps(FaultyLLM(SimulatedLLM(), 0.5)))
    assert other.rates == FaultyLLM(SimulatedLLM(), 0.5).rates
    assert outcome(faulty(), "q") == before


def test_repeated_calls_have_ids_of_their_own():
    calls = (ToolCall("Search", "{}", "call_1"),)
    history = (Message("user", "q"), Message("assistant", None, calls), Message("tool", "x"))
    request = Request(history, tools=({"type": "function", "function": {"name": "Search"}},))
    llm = FaultyLLM(ScriptedLLM([Completion("the answer")]), {"repeated_action": 1.0})
    (again,) = llm.complete(request).calls
    assert again == ToolCall("Search", "{}", "call_1_again")
