"""What a grammar admits: legal replies with registered names, and nothing else."""

from __future__ import annotations

import re
from importlib.util import find_spec

import pytest

from reactlab import (
    Completion,
    ConfigError,
    LocalLLM,
    Message,
    ReActAgent,
    ReActAgentFunctionCall,
    Request,
    Tool,
    ToolCall,
    ToolRegistry,
    builtin_tools,
    parse,
)
from reactlab.llm.grammar import for_calls, for_tools, read_call, with_calls
from reactlab.llm.local import INSTALL, shipped_file

THERE = find_spec("xllamacpp") is not None and shipped_file() is not None
with_model = pytest.mark.skipif(not THERE, reason=f"the local model is optional: {INSTALL}")
ODD = ['say "hi"', "back\\slash", "查天气", "It's", "a|b", "tab\there", "#1"]


def named(*names):
    return ToolRegistry([Tool(name, "Does it.", lambda text: text) for name in names])


def admits(grammar, text):
    """Whether a grammar of this package, none of whose rules calls itself, admits a text."""
    rules = dict(line.split(" ::= ", 1) for line in grammar.split("\n"))
    part = r'"(?:[^"\\]|\\.)*"|\[(?:[^\]\\]|\\.)*\](?:\{[\d,]+\})?|[()|?]|\w+'

    def pattern(rule):
        found = [translated(piece) for piece in re.findall(part, rules[rule])]
        return f"(?:{''.join(found)})"

    def translated(piece):
        if piece[0] == '"':
            return re.escape(re.sub(r'\\(["\\n t])', unescaped, piece[1:-1]))
        if piece[0] == "[":
            return re.sub(r"(?<!\\)\[(?!\^)", r"\\[", piece[1:]).join(("[", ""))
        return {"(": "(?:"}.get(piece, piece) if piece in "()|?" else pattern(piece)

    def unescaped(found):
        return {"n": "\n", "t": "\t"}.get(found[1], found[1])

    return re.fullmatch(pattern("root"), text) is not None


CALLS = {
    ("bracket", "en"): "Thought: I look.\nAction: {}[17 * 23]",
    ("bracket", "zh"): "思考：我去查。\n行动：{}[17 * 23]",
    ("action_input", "en"): "Thought: I look.\nAction: {}\nActionInput: 17 * 23",
    ("action_input", "zh"): "思考：我去查。\n行动：{}\n行动输入：17 * 23",
}
ANSWERS = {"en": "Thought: Known.\nFinal Answer: It is 5.", "zh": "思考：知道了。\n最终答案：5。"}


@pytest.mark.parametrize(("kind", "written"), CALLS.items())
def test_registered_names_and_answers_are_admitted_and_read_as_meant(kind, written):
    dialect, language = kind
    grammar = for_tools(named("Search", "Calculator"), dialect, language)
    for name in ("Search", "Calculator"):
        assert admits(grammar, written.format(name))
        decision = parse(written.format(name), ("Search", "Calculator"), language=language)
        assert decision.calls == (ToolCall(name, "17 * 23"),)
    assert admits(grammar, ANSWERS[language])


@pytest.mark.parametrize(("kind", "written"), CALLS.items())
def test_no_other_name_and_no_other_form_is_admitted(kind, written):
    grammar = for_tools(named("Search", "Calculator"), *kind)
    for name in ("multiplication", "search", "Search2", "", "Search\nAction: Calculator"):
        assert not admits(grammar, written.format(name))
    legal = written.format("Search")
    first = legal.partition("\n")[0]
    for odd in (first, legal[1:], legal + "\nObservation: 3", legal.replace("\n", " "), ""):
        assert not admits(grammar, odd)


@pytest.mark.parametrize("text", ["a [b] c", 'say "hi', "two\nlines", "", "x" * 161, "［全］"])
def test_an_input_whose_end_could_be_in_doubt_is_not_admitted(text):
    grammar = for_tools(named("Search"))
    assert admits(grammar, "Thought: I look.\nAction: Search[" + "x" * 160 + "]")
    assert not admits(grammar, f"Thought: I look.\nAction: Search[{text}]")


def test_a_thought_has_an_end():
    grammar = for_tools(named("Search"), thought=10)
    assert admits(grammar, "Thought: 1234567890\nFinal Answer: 5")
    assert not admits(grammar, "Thought: 12345678901\nFinal Answer: 5")


def test_where_the_prompt_has_begun_the_thought_the_reply_goes_on_with_it():
    grammar = for_tools(named("Search"), begun=True)
    assert admits(grammar, " I look.\nAction: Search[K2]")
    assert admits(grammar, "Known.\nFinal Answer: 5")
    assert parse(" I look.\nAction: Search[K2]", ("Search",)).thought == "I look."


@pytest.mark.parametrize("name", ODD)
def test_any_name_stands_for_itself(name):
    grammar = for_tools(named(name, "Other"))
    assert admits(grammar, f"Thought: I look.\nAction: {name}[x]")
    assert not admits(grammar, "Thought: I look.\nAction: Another[x]")


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: for_tools(named("Search"), "json"), "bracket, action_input, not for 'json'"),
        (lambda: for_tools(named()), "at least one tool"),
        (lambda: for_tools(named("Search"), thought=0), "1 or more"),
        (lambda: for_tools(named("Search"), language="fr"), "choose en or zh"),
    ],
)
def test_what_cannot_be_a_grammar_is_told(make, told):
    with pytest.raises(ConfigError, match=told):
        make()


def test_the_schema_of_calls_admits_each_tool_with_its_own_parameters_or_an_answer():
    schemas = ToolRegistry(builtin_tools()[:2]).to_openai_schema()
    *calls, answer = for_calls(schemas)["anyOf"]
    names = [call["properties"]["name"]["const"] for call in calls]
    assert names == ["Search", "Calculator"]
    assert "expression" in calls[1]["properties"]["arguments"]["properties"]
    assert answer["required"] == ["answer"]
    assert all(one["additionalProperties"] is False for one in (*calls, answer))


@pytest.mark.parametrize(
    ("text", "calls", "said"),
    [
        ('{"name": "Search", "arguments": {"query": "K2"}}', 1, ""),
        ('{"answer": "8849 m"}', 0, "8849 m"),
        ('{"name": "Search", "argu', 0, '{"name": "Search", "argu'),
        ("17", 0, "17"),
        ("null", 0, "null"),
    ],
)
def test_a_reply_is_read_as_a_call_or_an_answer_and_a_torn_one_stays_text(text, calls, said):
    read = read_call(Completion(text))
    assert (len(read.calls), read.text) == (calls, said)
    if calls:
        assert read.calls[0].arguments == {"query": "K2"}
        assert read.finish == "tool_calls"


def test_tools_calls_and_results_reach_a_model_without_tool_calls_as_text():
    tools = tuple(ToolRegistry(builtin_tools()[:2]).to_openai_schema())
    call = ToolCall("Search", {"query": "长城"}, "call_1")
    messages = (
        Message("system", "Be short."),
        Message("user", "How long?"),
        Message("assistant", None, (call,)),
        Message("tool", "21,196 km", (), "call_1"),
    )
    system, user, assistant, result = with_calls(Request(messages, tools=tools))
    assert system.content.startswith("Be short.")
    assert "- Calculator: " in system.content
    assert '{"name": "Search", "arguments": {"query": "…"}}' in system.content
    assert user.content == "How long?"
    assert assistant.content == '{"name": "Search", "arguments": {"query": "长城"}}'
    assert (result.role, result.content) == ("user", "21,196 km")
    assert [one.role for one in with_calls(Request((), tools=tools))] == ["system"]


# With the model


def asked(llm, text="Say something.", **more):
    return llm.complete(Request((Message("user", text),), **more))


@with_model
@pytest.mark.parametrize("kind", CALLS)
def test_whatever_the_model_draws_can_be_read_and_names_a_tool_there_is(kind):
    dialect, language = kind
    grammar = for_tools(named("查天气", 'A"b', "Search"), dialect, language, thought=8)
    llm = LocalLLM(context=512, seed=None, max_tokens=80, grammar=grammar)
    for _ in range(2):
        text = asked(llm, temperature=2.0).text
        assert admits(grammar, text)
        decision = parse(text, ("查天气", 'A"b', "Search"), language=language)
        assert decision.answer or decision.calls[0].name in ("查天气", 'A"b', "Search")


@with_model
def test_the_engine_reads_every_name():
    llm = LocalLLM(context=512)
    for name in ODD:
        rules = dict(line.split(" ::= ") for line in for_tools(named(name)).split("\n"))
        llm.grammar = f"root ::= {rules['tool']}"
        assert asked(llm).text == name


@with_model
def test_a_function_gives_each_request_its_own_grammar_or_none():
    def chosen(request):
        return 'root ::= "yes" | "no"' if "sky" in request.prompt else None

    llm = LocalLLM(context=512, grammar=chosen)
    assert asked(llm, "Is the sky blue?").text in ("yes", "no")
    assert asked(llm, "Count to ten.", max_tokens=9).text not in ("yes", "no")


@with_model
@pytest.mark.parametrize("grammar", ['root ::= "yes', "root ::= other", "answer: yes or no"])
def test_a_bad_grammar_is_one_clear_error(grammar):
    with pytest.raises(ConfigError, match=r"^The grammar could not be read"):
        asked(LocalLLM(context=512, grammar=grammar))


@with_model
def test_a_schema_that_cannot_be_read_is_one_clear_error():
    odd = {"type": "object", "properties": {"x": {"type": "nonsense"}}}
    tools = ({"type": "function", "function": {"name": "Odd", "parameters": odd}},)
    with pytest.raises(ConfigError, match="schema"):
        asked(LocalLLM(context=512), tools=tools)


@with_model
def test_function_calling_works_with_a_model_that_has_no_tool_calls():
    tools = builtin_tools()[:2]
    run = ReActAgentFunctionCall(LocalLLM(context=2048), tools, max_steps=2).run("What is 17 * 23?")
    assert run.steps[0].completion.text == "" or run.answer
    called = {use.call.name for step in run.steps for use in step.uses}
    assert called <= {"Search", "Calculator"}
    assert run.stop_reason in ("answered", "max_steps")


@with_model
def test_an_agent_with_a_grammar_has_nothing_unreadable():
    tools = ToolRegistry(builtin_tools()[:2])
    llm = LocalLLM(context=2048, grammar=for_tools(tools))
    run = ReActAgent(llm, tools, max_steps=2).run("How tall is the Eiffel Tower?")
    assert all(step.decision for step in run.steps)
