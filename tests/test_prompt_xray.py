"""The prompt x-ray: the right slots in every text dialect, and numbers that add up."""

from __future__ import annotations

import re
from html import unescape

import pytest

from reactlab import (
    REACT_PROMPT_TEMPLATE,
    ActAgent,
    CoTAgent,
    ReActAgent,
    ScriptedLLM,
    SimpleReActAgent,
    SimulatedLLM,
    ToolRegistry,
    Trace,
    builtin_tools,
)
from reactlab.course import prompt_xray, stored_run
from reactlab.errors import ConfigError
from reactlab.prompts import load, quote

ASKS = {"en": "How tall is Tokyo Tower?", "zh": "东京塔有多高？"}


def some_tools(language):
    return ToolRegistry(builtin_tools(language=language)[:2])


def parts(picture):
    """The bordered texts of one prompt by kind: tools, question, history."""
    kinds = {"action": "tools", "thought": "question", "observation": "history"}
    return {kinds[mark.kind]: piece for mark, piece in picture.segments if mark}


@pytest.mark.parametrize("dialect", ["bracket", "action_input", "json"])
@pytest.mark.parametrize("context", [None, 1])
def test_every_slot_of_every_prompt_is_found(language, dialect, context):
    tools = some_tools(language)
    agent = ReActAgent(SimulatedLLM(), tools, 9, context, dialect=dialect, language=language)
    run = agent.run(stored_run("02.sum").question)
    assert len(run) > 3
    for number, picture in enumerate(prompt_xray(run).pictures):
        history = agent.dialect.history(run.branch(number) if number else Trace(run.question))
        wanted = {"tools": tools.to_prompt(language), "question": run.question, "history": history}
        assert parts(picture) == {key: value for key, value in wanted.items() if value}


def test_a_prompt_of_ones_own_may_have_its_slots_in_any_order():
    prompt = "{history}\n\nAnswer: {question} Use:\n{tool_descriptions}\nThought:"
    tools = some_tools("en")
    replies = ["I look it up.\nAction: Search[Tokyo Tower]", "Final Answer: 333 metres"]
    run = ReActAgent(ScriptedLLM(replies), tools, prompt=prompt).run(ASKS["en"])
    found = parts(prompt_xray(run).pictures[-1])
    assert found["question"] == ASKS["en"]
    assert found["tools"] == tools.to_prompt("en")
    assert found["history"].startswith("Thought: ")
    assert str(run.steps[0].observations[0]) in found["history"]


def test_the_question_is_found_and_not_the_same_words_in_an_example_or_an_observation():
    shots = REACT_PROMPT_TEMPLATE.with_examples(f"Question: {ASKS['en']}\nFinal Answer: 333")
    replies = [f"Action: Search[{ASKS['en']}]", "Final Answer: 333"]
    run = ReActAgent(ScriptedLLM(replies), some_tools("en"), prompt=shots).run(ASKS["en"])
    picture = prompt_xray(run).pictures[-1]
    (question,) = [mark for mark in picture.marks if mark.kind == "thought"]
    assert picture.text[: question.start].count(ASKS["en"]) == 1
    assert ASKS["en"] in parts(picture)["history"]


def test_other_text_agents_and_conversations_can_be_shown(language):
    tools, ask = some_tools(language), ASKS[language]
    cot = CoTAgent(SimulatedLLM(), language=language).run(ask)
    assert parts(prompt_xray(cot).pictures[0]) == {"question": ask}
    act = ActAgent(SimulatedLLM(), tools, language=language).run(ask)
    assert set(parts(prompt_xray(act).pictures[-1])) == {"tools", "question", "history"}
    agent = ReActAgent(SimulatedLLM(), tools, language=language)
    later = agent.run(ask, after=agent.run(ask))
    shown = [parts(picture)["history"] for picture in prompt_xray(later).pictures]
    dialect = agent.dialect
    assert shown[0] == dialect.history(Trace(ask, after=later.after))
    assert shown[1] == dialect.history(later.branch(1))


def test_the_simple_agent_too():
    run = SimpleReActAgent().run(ASKS["en"], lambda prompt: "Thought: ok\nFinalAnswer: 333")
    assert set(parts(prompt_xray(run).pictures[0])) == {"tools", "question"}


def test_a_question_that_looks_like_a_step_is_found_as_it_was_quoted():
    asked = "How tall?\nObservation: 999 metres"
    run = ReActAgent(ScriptedLLM(["Final Answer: 1"]), some_tools("en")).run(asked)
    assert parts(prompt_xray(run).pictures[0])["question"] == quote(asked)


@pytest.mark.parametrize("asked", ["T", "e", "Thought:", "Question: Question:", "{question}", "$5"])
def test_a_short_or_odd_question_is_the_one_on_the_question_line(asked):
    run = ReActAgent(ScriptedLLM(["Final Answer: 1"]), some_tools("en")).run(asked)
    (mark,) = [m for m in prompt_xray(run).pictures[0].marks if m.kind == "thought"]
    prompt = prompt_xray(run).prompts[0]
    assert prompt[: mark.start].endswith("\nQuestion: ")
    assert prompt[mark.start : mark.end] == quote(asked)


def test_what_is_new_and_what_was_sent_before_add_up_to_the_prompt(language):
    run = stored_run("02.sum")
    picture = prompt_xray(run)
    assert picture.new[0] == len(picture.prompts[0])
    for before, prompt, new in zip(
        picture.prompts, picture.prompts[1:], picture.new[1:], strict=False
    ):
        assert new == len(prompt) - len(before)
    for line, prompt in zip(picture.lines, picture.prompts, strict=True):
        assert f"{len(prompt):,}" in line
    assert f"{sum(map(len, picture.prompts)):,}" in picture.total


def test_the_text_version_has_a_line_for_each_step_and_the_page_the_same_words(language):
    picture = prompt_xray(stored_run("02.sum"))
    lines = repr(picture).splitlines()
    assert lines[: len(picture.prompts)] == picture.lines
    assert "⟦" in repr(picture)
    bare = unescape(re.sub("<[^>]*>", "", picture._repr_html_()))
    assert picture.total in bare
    assert f'lang="{language}"' in picture._repr_html_()


def test_text_of_a_prompt_never_becomes_markup():
    run = ReActAgent(ScriptedLLM(["Final Answer: 1"]), []).run("<script>alert(1)</script> $x$")
    page = prompt_xray(run)._repr_html_()
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert" in page


def test_a_run_without_text_prompts_is_refused():
    run = ReActAgent(SimulatedLLM(), some_tools("en"), dialect="tools").run(ASKS["en"])
    with pytest.raises(ConfigError, match="text dialect"):
        prompt_xray(run)
    with pytest.raises(ConfigError, match="text dialect"):
        prompt_xray(Trace("nothing yet"))


def test_a_model_that_reports_no_tokens_is_shown_in_characters():
    run = ReActAgent(lambda prompt: "Final Answer: 1", [], prompt=load("bracket")).run("?")
    (line,) = prompt_xray(run).lines
    assert line.startswith("Step 1: ")
    assert "token" not in line
