"""The baselines and the plain-function form, and the prompts they are written with."""

from __future__ import annotations

import pytest
from conftest import Runner
from scripts import scripted

from reactlab import (
    REACT_PROMPT_TEMPLATE,
    REACT_PROMPT_TEMPLATE_ZH,
    ActAgent,
    CoTAgent,
    ParseError,
    PromptTemplate,
    ReActAgent,
    SimpleReActAgent,
    SingleCallAgent,
    StopReason,
    ToolKit,
    exact_match,
    f1_score,
    normalize_answer,
    parse,
)
from reactlab.agents.simple import iterations
from reactlab.dialects import TEXT_DIALECTS
from reactlab.prompts import load, quote


def echo(text: str) -> str:
    """Say it again."""
    return text


def test_chain_of_thought_asks_once_and_has_no_tools(run: Runner) -> None:
    llm = scripted("Thought: 3 + 4 = 7.\nFinal Answer: 7")
    trace = run(CoTAgent(llm), "3+4?")
    assert (trace.answer, trace.steps[0].thought, len(llm.requests)) == ("7", "3 + 4 = 7.", 1)
    assert "Action" not in llm.requests[0].prompt


def test_a_chain_of_thought_without_markers_is_the_answer(run: Runner) -> None:
    assert run(CoTAgent(scripted("It is seven.")), "3+4?").answer == "It is seven."


def test_acting_alone_has_no_thoughts_in_prompt_or_history(run: Runner) -> None:
    llm = scripted("Thought: hidden\nAction: echo[a]", "Final Answer: b")
    assert run(ActAgent(llm, [echo]), "q").answer == "b"
    assert all("Thought:" not in request.prompt for request in llm.requests)
    assert "Action: echo[a]\nObservation: a" in llm.requests[1].prompt


def test_a_single_call_is_one_turn_of_tools_then_the_answer(run: Runner) -> None:
    assert run(SingleCallAgent(scripted("Action: echo[a]", "Final Answer: b"), [echo]), "q")
    trace = run(SingleCallAgent(scripted("Action: echo[a]", "Action: echo[b]"), [echo]), "q")
    assert trace.answer is None
    assert trace.stop_reason is StopReason.MAX_STEPS
    assert sum(len(step.uses) for step in trace.steps) == 1
    assert run(SingleCallAgent(scripted("Final Answer: at once"), [echo]), "q").answer == "at once"


def test_a_second_call_of_the_single_call_agent_is_not_carried_out(run: Runner) -> None:
    ran: list[str] = []

    def note(text: str) -> str:
        """Note it."""
        ran.append(text)
        return text

    run(SingleCallAgent(scripted("Action: note[a]", "Action: note[b]"), [note]), "q")
    assert ran == ["a"]


def test_the_plain_form_takes_any_function_as_its_model() -> None:
    seen: list[str] = []

    def model(prompt: str) -> str:
        seen.append(prompt)
        if len(seen) == 1:
            return "Thought: compute\nAction: calculator\nActionInput: 6*7"
        return "Thought: done\nFinalAnswer: 42"

    trace = SimpleReActAgent().run("What is 6 times 7?", model)
    assert str(trace) == "42"
    assert "Action: calculator\nActionInput: 6*7\nObservation: 42" in seen[1]
    assert iterations(trace) == [{"thought": "compute", "tool": "calculator[6*7]", "result": "42"}]


def test_the_plain_form_keeps_the_whole_history() -> None:
    seen: list[str] = []

    def model(prompt: str) -> str:
        seen.append(prompt)
        return f"Thought: t{len(seen)}\nAction: calculator\nActionInput: {len(seen)}+0"

    trace = SimpleReActAgent(max_iter=9).run("q", model)
    assert all(f"Thought: t{number}\n" in seen[-1] for number in range(1, 9))
    assert trace.answer is None
    assert trace.stop_reason is StopReason.MAX_STEPS


def test_the_plain_form_ends_after_five_turns_by_default() -> None:
    calls: list[str] = []
    SimpleReActAgent().run("q", lambda prompt: calls.append(prompt) or "Thought: hm")
    assert len(calls) == 5


def test_the_plain_form_reads_and_calls_as_learners_know_it() -> None:
    agent = SimpleReActAgent()
    assert agent.parse_response("Thought: a\nAction: search\nActionInput: tea") == {
        "type": "tool",
        "thought": "a",
        "action": "search",
        "input": "tea",
    }
    assert agent.parse_response("FinalAnswer: done") == {"type": "final", "content": "done"}
    with pytest.raises(ParseError):
        agent.parse_response("nothing here")
    assert agent.call_tool("calculator", "1+1") == "2"
    assert "search" in agent.call_tool("serch", "x")
    assert ToolKit.calculator("2*3") == "6"
    assert "Eiffel Tower" in ToolKit.search("Eiffel Tower")


def test_the_plain_form_takes_tools_of_your_own() -> None:
    agent = SimpleReActAgent(tools=[echo])
    assert agent.call_tool("echo", "a, b") == "a, b"


def test_the_template_has_three_slots_and_fills_them_once() -> None:
    text = REACT_PROMPT_TEMPLATE.format(
        tool_descriptions="{question}",
        question="{history} $x {0} %s",
        history="{tool_descriptions}",
    )
    assert "{question}" in text
    assert "{history} $x {0} %s" in text
    assert "{tool_descriptions}" in text
    assert text.endswith("\nThought:")
    assert REACT_PROMPT_TEMPLATE_ZH.format(question="？").endswith("\n思考：")


def test_examples_come_before_the_question_and_stay_literal() -> None:
    template = REACT_PROMPT_TEMPLATE.with_examples("Question: {question}?\nAction: A[{x}]")
    text = template.format(question="mine", tool_descriptions="- a", history="")
    assert text.index("Question: {question}?\nAction: A[{x}]") < text.index("Question: mine")
    assert text.count("mine") == 1


def test_other_braces_in_a_template_are_literal() -> None:
    template = PromptTemplate('{"a": {"b": 1}} {x} {} {question} {{y}}')
    assert template.format(question="Q") == '{"a": {"b": 1}} {x} {} Q {{y}}'


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", TEXT_DIALECTS)
def test_the_format_a_prompt_teaches_is_the_format_the_parser_reads(
    name: str, language: str
) -> None:
    prompt = load(name, language)
    tool = {"en": "ToolName", "zh": "工具名"}[language]
    if name == "action_input" and language == "en":
        tool = "the tool's name"
    marker = {"en": "Thought:", "zh": "思考："}[language]
    first, second = (marker + part for part in prompt.split(marker)[1:3])
    acting = parse("\n".join(first.split("\n\n")[:1]), tools=[tool])
    assert [call.name for call in acting.calls] == [tool]
    finishing = parse("\n".join(second.split("\n\n")[:1]))
    assert finishing.answer == {"en": "the answer", "zh": "答案"}[language]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_agent_sends_no_doubled_braces_and_no_stray_backslashes(language: str) -> None:
    for name in ("bracket", "action_input", "json", "tools", "act", "cot", "single", "examples"):
        text = load(name, language)
        assert "{{" not in text
        assert "\\" not in text


def test_data_that_looks_like_a_step_is_quoted() -> None:
    lines = [
        "Action: x[1]",
        "  action 2: y",
        "**Final Answer:** 3",
        "思考：z",
        "观察: w",
        "plain: text",
    ]
    quoted = quote("\n".join(lines)).split("\n")
    assert [line.startswith("> ") for line in quoted] == [True] * 5 + [False]


def test_the_chinese_edition_speaks_chinese(run: Runner) -> None:
    llm = scripted("先查。\n行动：echo[茶]", "思考：好\n最终答案：茶")
    trace = run(ReActAgent(llm, [echo], language="zh"), "喝什么？")
    assert trace.answer == "茶"
    assert llm.requests[1].prompt.endswith(
        "问题：喝什么？\n思考：先查。\n行动：echo[茶]\n观察：茶\n思考："
    )


def test_answers_are_compared_by_the_rules_of_hotpotqa() -> None:
    assert normalize_answer("The  Beatles, a band!") == "beatles band"
    assert exact_match("the Beatles.", "Beatles")
    assert f1_score("yes", "yes indeed") == 0.0
    assert f1_score("New York New York", "New York") == pytest.approx(2 / 3)
    assert f1_score("a", "b") == 0.0
    assert f1_score("", "") == 0.0
