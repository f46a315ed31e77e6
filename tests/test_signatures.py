"""The names and shapes that learners know from elsewhere: one test a sentence."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from conftest import Runner
from scripts import DIALECTS, act, answer, scripted
from test_flights import QUESTION, SCRIPT

import reactlab
from reactlab import (
    REACT_PROMPT_TEMPLATE,
    REACT_PROMPT_TEMPLATE_ZH,
    Completion,
    Decision,
    FlightAgent,
    FlightDesk,
    Message,
    Observation,
    ReActAgent,
    Request,
    SimpleReActAgent,
    StopReason,
    ThoughtType,
    Tool,
    ToolCall,
    ToolKit,
    ToolRegistry,
    Trace,
    Use,
    builtin_tools,
    extract_final_answer,
    is_finished,
    search_tools,
)
from reactlab.agents.simple import iterations
from reactlab.errors import ParseError, ToolDefinitionError

EDITIONS = [REACT_PROMPT_TEMPLATE, REACT_PROMPT_TEMPLATE_ZH]
LITERAL = "{x} {} {0} {question} {history} {tool_descriptions} $x ${y} %s 100% {{z}} \\1 \\g<0>"


def echo(text: str) -> str:
    """Say it again."""
    return text


def parameters(func: Callable[..., Any]) -> dict[str, Any]:
    """Names and defaults, without self."""
    named = inspect.signature(func).parameters.items()
    return {name: part.default for name, part in named if name != "self"}


# Prompt


@pytest.mark.parametrize("template", EDITIONS)
def test_the_template_fills_three_slots_in_one_pass(template: Any) -> None:
    text = template.format(tool_descriptions=LITERAL, question=LITERAL, history=LITERAL)
    assert type(text) is str
    assert text.count(LITERAL) == 3
    without = template.text.replace("{tool_descriptions}", "").replace("{question}", "")
    assert "{" not in without.replace("{history}", "")


@pytest.mark.parametrize("slot", ["tool_descriptions", "question", "history"])
def test_a_template_names_each_slot(slot: str) -> None:
    assert all(f"{{{slot}}}" in template.text for template in EDITIONS)
    assert all(slot in parameters(template.format) for template in EDITIONS)


def test_a_template_of_ones_own_keeps_every_other_sign() -> None:
    other = LITERAL.replace("{question} {history} {tool_descriptions}", "{answer} {Question}")
    template = reactlab.PromptTemplate(f"{other}\n{{question}}\n{{history}}")
    assert template.format(question="q", history="h") == f"{other}\nq\nh"


def test_an_unknown_slot_is_no_argument() -> None:
    with pytest.raises(TypeError):
        REACT_PROMPT_TEMPLATE.format(question="q", tools="t")  # type: ignore[call-arg]


@pytest.mark.parametrize(("template", "cue"), [(EDITIONS[0], "Thought:"), (EDITIONS[1], "思考：")])
@pytest.mark.parametrize("history", ["", "Thought: x\nAction: y[z]\nObservation: w"])
def test_a_prompt_ends_with_the_cue(template: Any, cue: str, history: str) -> None:
    shown = template.with_examples("An example\nThought: x")
    for each in (template, shown):
        text = each.format(tool_descriptions="- t", question="q", history=history)
        assert text.endswith(f"\n{cue}")


@pytest.mark.parametrize("template", EDITIONS)
def test_examples_are_put_in_before_format_and_stay_literal(template: Any) -> None:
    text = template.with_examples(LITERAL, "second").format(question="THE QUESTION")
    assert text.index(LITERAL) < text.index("second") < text.index("THE QUESTION")
    assert template.format(question="q").count("second") == 0


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_reply_without_its_marker_begins_inside_a_thought(run: Runner, language: str) -> None:
    final = {"en": "Final Answer: 4", "zh": "最终答案：4"}[language]
    trace = run(ReActAgent(scripted(f" easy.\n{final}"), language=language), "2+2")
    assert (trace.steps[0].thought, trace.answer) == ("easy.", "4")


# Thoughts


def test_there_are_six_kinds_of_thought() -> None:
    assert [kind.name for kind in ThoughtType] == [
        "INFORMATION_SEEKING",
        "PLANNING",
        "CALCULATION",
        "REASONING",
        "VERIFICATION",
        "FINAL_ANSWER",
    ]


# Ending


ENDINGS = [
    "Final Answer: 42",
    "FinalAnswer: 42",
    "Thought: t\nAction: Finish[42]",
    "Finish[42]",
    "Answer: 42",
    "答案：42",
    "最终答案：42",
    "<final_answer>42</final_answer>",
    '<invoke name="Finish"><parameter name="answer">42</parameter></invoke>',
]


@pytest.mark.parametrize("text", ENDINGS)
def test_every_known_ending_ends_and_is_extracted(text: str) -> None:
    assert is_finished(text) is True
    assert extract_final_answer(text) == "42"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Thought: I will soon write a Final Answer: but not yet",
        "Thought: t\nAction: echo[Final Answer: 42]",
        "Thought: t\nAction: echo\nActionInput: Finish[42]",
        "Final Answer:",
    ],
)
def test_a_marker_inside_other_text_is_no_end(text: str) -> None:
    assert is_finished(text) is False
    with pytest.raises(ParseError):
        extract_final_answer(text)


def test_an_answer_keeps_all_of_its_lines() -> None:
    assert extract_final_answer("Final Answer: one\ntwo\n\nthree") == "one\ntwo\n\nthree"


# Tool


def test_a_tool_is_made_of_name_description_function_and_parameters() -> None:
    assert list(parameters(Tool))[:4] == ["name", "description", "func", "parameters"]
    assert parameters(Tool)["parameters"] is None
    schema = {"type": "object", "properties": {"text": {"type": "string", "description": "it"}}}
    tool = Tool("echo", "Say.", echo, schema)
    assert tool.to_schema()["type"] == "function"
    function = tool.to_schema()["function"]
    assert (function["name"], function["description"]) == ("echo", "Say.")
    assert function["parameters"]["properties"]["text"]["description"] == "it"
    assert function["parameters"]["required"] == ["text"]


class Shop:
    def price(self, item: str, count: int = 1) -> str:
        """What it costs."""
        return f"{count} {item}"


@pytest.mark.parametrize(
    ("func", "types", "required"),
    [
        (Shop().price, {"item": "string", "count": "integer"}, ["item"]),
        (lambda a, b: a + b, {"a": "string", "b": "string"}, ["a", "b"]),
        (lambda: "x", {}, []),
    ],
)
def test_parameters_are_derived_from_any_signature(
    func: Any, types: dict[str, str], required: list[str]
) -> None:
    schema = Tool("t", "d", func).to_schema()["function"]["parameters"]
    assert schema["type"] == "object"
    assert {name: part["type"] for name, part in schema["properties"].items()} == types
    assert schema.get("required", []) == required


def test_a_tool_is_executed_with_keywords_or_one_text() -> None:
    tool = Tool("price", "Price.", Shop().price)
    for observation in (tool.execute(item="tea", count=2), tool.execute("tea, 2")):
        assert isinstance(observation, Observation)
        assert str(observation) == "2 tea"
    assert not str(tool.execute()).startswith("Observation")


# ToolRegistry


def test_a_registry_has_the_known_methods() -> None:
    registry = ToolRegistry()
    assert dict(registry.tools) == {}
    assert registry.get("echo") is None
    registry.register(Tool("echo", "Say.", echo))
    found = registry.get("echo")
    assert found is not None
    assert registry.tools["echo"] is found
    assert registry.to_prompt() == "- echo: Say.\n  Parameters: text: string"
    assert registry.to_prompt("zh").splitlines()[1].startswith("  参数: text: ")
    assert [schema["function"]["name"] for schema in registry.to_openai_schema()] == ["echo"]


def test_a_cell_that_is_run_again_replaces_its_tool_for_agents_too(run: Runner) -> None:
    registry = ToolRegistry([Tool("echo", "Old.", lambda text: "old")])
    llm = scripted("Action: echo[a]", "Final Answer: ok")
    agent = ReActAgent(llm, registry)
    registry.register(Tool("echo", "New.", lambda text: "new"))
    assert [str(o) for step in run(agent, "q") for o in step.observations] == ["new"]
    assert "Old." not in llm.requests[0].prompt
    with pytest.raises(ToolDefinitionError):
        registry.register(Tool("E-cho", "Other.", echo))


@pytest.mark.parametrize("name", ["web search", "Web-Search", "**web_search**", '"WebSearch"'])
def test_a_name_that_is_equal_once_cleaned_is_that_tool(run: Runner, name: str) -> None:
    tool = Tool("web_search", "Search.", lambda text: f"found {text}")
    trace = run(ReActAgent(scripted(f"Action: {name}[x]", "Final Answer: ok"), [tool]), "q")
    assert str(trace.steps[0].observations[0]) == "found x"


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("name", ["搜索 网页", "find it?", "fs.read", "emoji🙂"])
def test_any_name_works_in_every_dialect(run: Runner, dialect: str, name: str) -> None:
    tool = Tool(name, "Do.", lambda text: f"did {text}")
    alias = ToolRegistry([tool]).to_openai_schema()[0]["function"]["name"]
    called = alias if dialect == "tools" else name
    llm = scripted(act(dialect, "t", (called, {"text": "x"})), answer(dialect, "ok"))
    trace = run(ReActAgent(llm, [tool], dialect=dialect), "q")
    assert [str(o) for o in trace.steps[0].observations] == ["did x"]


def test_state_of_a_run_is_never_kept_on_the_agent(run: Runner) -> None:
    pages = {"Tea": "Tea is a drink. Tea is hot."}
    script = ["Action: Lookup[hot]", "Action: Search[Tea]", "Action: Lookup[hot]"]
    agent = ReActAgent(scripted(*[*script, "Final Answer: ok"] * 2), search_tools(pages))
    for _ in range(2):
        before, _, after = (str(step.observations[0]) for step in run(agent, "q").steps[:3])
        assert "Tea is hot." not in before
        assert "Tea is hot." in after


# Built-ins


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("search", ["query"]),
        ("calculator", ["expression"]),
        ("query_database", ["sql"]),
        ("read_file", ["path"]),
        ("call_api", ["endpoint", "params"]),
    ],
)
def test_the_built_in_functions_have_the_known_parameters(name: str, expected: list[str]) -> None:
    assert list(parameters(getattr(reactlab, name)))[: len(expected)] == expected


def test_the_built_in_tools_have_the_known_names() -> None:
    names = ["Search", "Calculator", "QueryDatabase", "ReadFile", "CallAPI"]
    assert [tool.name for tool in builtin_tools()] == names


# ReActAgent


def test_an_agent_has_the_known_parameters_and_defaults() -> None:
    known = parameters(ReActAgent)
    assert list(known)[:4] == ["llm", "tools", "max_steps", "max_context"]
    assert (known["max_steps"], known["max_context"]) == (10, 5)
    assert list(parameters(ReActAgent.run)) == ["question", "trace", "after"]


def test_printing_a_run_prints_the_answer(capsys: pytest.CaptureFixture[str]) -> None:
    print(ReActAgent(scripted("Final Answer: 42"), [echo]).run("q"))
    assert capsys.readouterr().out == "42\n"
    trace = ReActAgent(scripted("Action: echo[a]", repeat_last=True), [echo], 2).run("q")
    assert trace.answer is None
    print(trace)
    assert capsys.readouterr().out.startswith("no answer: max_steps")


def test_a_conversation_is_handed_on_and_the_agent_keeps_nothing(run: Runner) -> None:
    llm = scripted("Final Answer: Lima", "Final Answer: 10", "Final Answer: x", "Final Answer: y")
    agent = ReActAgent(llm, [echo])
    before = dict(vars(agent))
    first = run(agent, "Capital of Peru?")
    second = run(agent, "People there?", after=first)
    run(agent, "Since when?", after=second)
    run(agent, "Something else?")
    assert vars(agent) == before
    third, fourth = (request.prompt for request in llm.requests[2:])
    assert third.index("Capital of Peru?") < third.index("People there?")
    assert "Peru" not in fourth


@pytest.mark.parametrize("language", ["en", "zh"])
def test_history_lines_have_the_known_form(run: Runner, language: str) -> None:
    form = {
        "en": "Thought: t\nAction: echo[a]\nObservation: a\nThought:",
        "zh": "思考：t\n行动：echo[a]\n观察：a\n思考：",
    }[language]
    llm = scripted("Thought: t\nAction: echo[a]", "Final Answer: ok")
    run(ReActAgent(llm, [echo], language=language), "q")
    assert llm.requests[1].prompt.endswith(form)


def test_a_reply_without_a_step_costs_one_and_is_answered(run: Runner) -> None:
    llm = scripted("I wonder.", "Final Answer: ok")
    trace = run(ReActAgent(llm, [echo], max_steps=2), "q")
    assert (trace.answer, len(trace)) == ("ok", 2)
    asked = llm.requests[1].prompt.rpartition("Observation: ")[2]
    assert "echo" in asked
    assert "Final Answer" in asked


def test_an_empty_completion_costs_no_step(run: Runner) -> None:
    trace = run(ReActAgent(scripted("", "Final Answer: ok"), [echo], max_steps=1), "q")
    assert (trace.answer, len(trace)) == ("ok", 1)


class Hooked(ReActAgent):
    """Every hook changed a little."""

    def build_prompt(self, trace: Trace) -> Request:
        request = super().build_prompt(trace)
        return replace(request, messages=(*request.messages, Message("user", "BE BRIEF")))

    def parse_response(self, completion: Completion) -> Decision:
        return super().parse_response(replace(completion, text=completion.text.lower()))

    def is_finished(self, decision: Decision) -> bool:
        return any(call.name == "stop" for call in decision.calls)

    def extract_final_answer(self, decision: Decision) -> str | None:
        return str(decision.calls[0].arguments)

    def execute_tool(self, call: ToolCall) -> Use:
        return super().execute_tool(replace(call, arguments=f"<{call.arguments}>"))


def test_every_hook_can_be_overridden(run: Runner) -> None:
    llm = scripted("THOUGHT: T\nACTION: ECHO[A]", "ACTION: STOP[THE END]")
    agent = Hooked(llm, [echo])
    trace = run(agent, "q")
    assert trace.answer == "the end"
    assert llm.requests[0].prompt.endswith("BE BRIEF")
    assert [str(o) for o in trace.steps[0].observations] == ["<a>"]
    again = Trace("q", events=list(trace.events))
    run(Hooked(scripted(), [echo]), "q", trace=again)
    assert again == trace


def test_hooks_can_be_called_by_hand_and_change_nothing() -> None:
    agent = ReActAgent(scripted("Final Answer: ok"), [echo])
    trace = Trace("q")
    assert agent.build_prompt(trace) == agent.build_prompt(trace)
    decision = agent.parse_response(Completion("Thought: t\nFinal Answer: ok"))
    assert agent.is_finished(decision)
    assert agent.extract_final_answer(decision) == "ok"
    effect = agent.execute_tool(ToolCall("echo", "a"))
    assert isinstance(effect, Use)
    assert trace == Trace("q")


@pytest.mark.parametrize("dialect", DIALECTS)
def test_five_steps_are_shown_in_full_and_older_ones_in_a_line(run: Runner, dialect: str) -> None:
    long = "word " * 80
    ends = ["alpha", "beta", "gamma", "delta", "zeta", "theta", "kappa"]  # no codes, which are kept
    script = [
        act(dialect, f"t{n}", ("echo", {"text": f"fact{n} {long}{end}"}))
        for n, end in enumerate(ends)
    ]
    for older, shown in [("digest", True), ("drop", False)]:
        llm = scripted(*script, answer(dialect, "ok"))
        run(ReActAgent(llm, [echo], dialect=dialect, older=older), "q")
        last = llm.requests[7]
        text = last.prompt + str([call.arguments for m in last.messages for call in m.calls])
        assert [end in text for end in ends] == [False] * 2 + [True] * 5
        assert [f"fact{n}" in text for n in range(7)] == [shown] * 2 + [True] * 5


# The plain-function form


def test_the_plain_form_has_the_known_parameters() -> None:
    assert parameters(SimpleReActAgent) == {"tools": None, "max_iter": 5}
    assert list(parameters(SimpleReActAgent.run)) == ["user_query", "llm_func"]
    assert list(parameters(SimpleReActAgent.parse_response)) == ["text"]
    assert list(parameters(SimpleReActAgent.call_tool)) == ["action_name", "input_val"]
    assert list(parameters(ToolKit.search)) == ["query"]
    assert list(parameters(ToolKit.calculator)) == ["expr"]


def test_the_plain_form_speaks_its_four_words() -> None:
    seen: list[str] = []
    SimpleReActAgent().run("q", lambda prompt: seen.append(prompt) or "FinalAnswer: ok")
    assert all(
        f"{word}:" in seen[0] for word in ("Thought", "Action", "ActionInput", "FinalAnswer")
    )


@pytest.mark.parametrize(
    "tools",
    [
        [echo],
        {"echo": echo},
        ToolRegistry([echo]),
        (tool for tool in [echo]),
        Tool("echo", "Say.", echo),
    ],
)
def test_the_plain_form_takes_tools_in_any_wrapping(tools: Any) -> None:
    said = ["Thought: t\nAction: echo\nActionInput: a, b", "FinalAnswer: ok"]
    trace = SimpleReActAgent(tools).run("q", lambda prompt: said.pop(0))
    assert iterations(trace) == [{"thought": "t", "tool": "echo[a, b]", "result": "a, b"}]
    assert str(trace) == "ok"


def test_out_of_iterations_there_is_no_answer_but_a_reason() -> None:
    trace = SimpleReActAgent([echo], max_iter=2).run(
        "q", lambda prompt: "Action: echo\nActionInput: a"
    )
    assert trace.answer is None
    assert trace.stop_reason is StopReason.MAX_STEPS
    assert str(trace).startswith("no answer")


@pytest.mark.parametrize("text", ["", "Thought: only"])
def test_the_plain_form_says_what_it_cannot_read(text: str) -> None:
    with pytest.raises(ParseError):
        SimpleReActAgent().parse_response(text)


# FlightAgent


def test_a_flight_agent_takes_a_model_alone() -> None:
    agent = FlightAgent(scripted())
    names = ["SearchBooking", "CheckFlightStatus", "SearchAlternatives", "RescheduleFlight"]
    assert list(agent.tools.tools) == names
    assert [tool.name for tool in agent.tools if tool.effects] == ["RescheduleFlight"]


def test_the_status_corrects_the_premise_and_three_flights_are_left() -> None:
    desk = FlightDesk()
    booking = desk.search_booking("12345")
    assert booking["departure"] == "07:00"
    assert desk.check_flight_status(booking["flight_number"])["status"] == "cancelled"
    left = desk.search_alternatives(booking["origin"], booking["destination"])
    assert [flight["departure"] for flight in left] == ["09:00", "14:00", "18:00"]


def test_the_golden_run_can_be_repeated_from_its_trace_and_moves_nothing(run: Runner) -> None:
    trace = run(FlightAgent(scripted(*SCRIPT), approve="always"), QUESTION)
    thoughts = [step.thought for step in trace if step.thought]
    calls = [call for step in trace for call in step.calls]
    assert (len(thoughts), len(calls)) == (5, 4)
    other = FlightAgent(scripted(), approve="always")
    again = Trace(QUESTION, events=list(trace.events))
    run(other, QUESTION, trace=again)
    assert again.answer == trace.answer
    assert other.desk.search_booking("12345")["departure"] == "07:00"


def test_a_denied_flight_run_goes_on_from_a_branch_once_it_is_allowed(run: Runner) -> None:
    desk = FlightDesk()
    denied = run(FlightAgent(scripted(*SCRIPT), desk=desk), QUESTION)
    assert denied.stop_reason is StopReason.DENIED
    branch = denied.branch(3)
    allowed = FlightAgent(scripted(*SCRIPT[3:]), desk=desk, approve=lambda call: True)
    run(allowed, QUESTION, trace=branch)
    assert branch.stop_reason is StopReason.ANSWERED
    assert desk.search_booking("12345")["departure"] == "14:00"


def test_an_approver_that_says_no_once_and_yes_later_ends_answered(run: Runner) -> None:
    said = [False, True]
    script = [*SCRIPT[:4], SCRIPT[3], SCRIPT[4]]
    agent = FlightAgent(scripted(*script), approve=lambda call: said.pop(0))
    trace = run(agent, QUESTION)
    assert trace.stop_reason is StopReason.ANSWERED
    assert agent.desk.search_booking("12345")["departure"] == "14:00"


def test_rebooking_again_is_no_error_and_takes_no_second_seat(run: Runner) -> None:
    script = [*SCRIPT[:4], SCRIPT[3], SCRIPT[4]]
    agent = FlightAgent(scripted(*script), approve="always")
    trace = run(agent, QUESTION)
    assert "unchanged" in str(trace.steps[4].observations[0])
    seats = {f["departure"]: f["seats_left"] for f in agent.desk.search_alternatives(*ROUTE)}
    fresh = {f["departure"]: f["seats_left"] for f in FlightDesk().search_alternatives(*ROUTE)}
    assert seats == {**fresh, "14:00": fresh["14:00"] - 1}


ROUTE = ("Shanghai", "Beijing")
