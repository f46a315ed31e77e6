"""What notebook 02 builds by hand agrees with the finished pieces on shared cases."""

from __future__ import annotations

import pytest
from handmade import definitions

from reactlab import PromptTemplate, ReActAgent, ScriptedLLM, ToolRegistry, builtin_tools
from reactlab.course import example, stored_run
from reactlab.course.scripts import act, answer
from reactlab.prompts import REACT_PROMPT_TEMPLATE, REACT_PROMPT_TEMPLATE_ZH

NASTY = ["", "{}", "{p, q}", "{question}", "{history}", "$5 100 %", r"C:\new\1 \g<0>", "a\nb", "{{"]
TEXTS = [
    "{question}\n{history}\n",
    '{"a": "{question}"} {{p, q}} {}\n{tool_descriptions}',
    REACT_PROMPT_TEMPLATE.text,
    REACT_PROMPT_TEMPLATE_ZH.text,
]


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("value", NASTY)
def test_the_solution_of_02_1_fills_as_the_finished_template_does(language, text, value):
    fill = definitions("02", language, {"fill"})["fill"]
    slots = {"tool_descriptions": value, "question": f"<{value}>", "history": "log {question}"}
    assert fill(text, **slots) == PromptTemplate(text).format(**slots)


def test_the_naive_ways_do_not(language):
    made = definitions("02", language, {"chained", "twice", "one_pass"})
    text, slots = "{question}\n{history}", {"question": "{history}", "history": "log"}
    assert made["chained"](text, **slots) == made["twice"](text, **slots) == "log\nlog"
    assert made["one_pass"](text, **slots) == "{history}\nlog"
    with pytest.raises(KeyError, match="p, q"):
        made["twice"](text, question="{p, q}", history="log")


def test_the_solution_of_02_2_is_what_the_stored_run_sent(language):
    sent_tokens = definitions("02", language, {"sent_tokens"})["sent_tokens"]
    prompts = [step.usage.input_tokens for step in stored_run("02.sum")]
    added = [prompt - before for prompt, before in zip(prompts, [0, *prompts], strict=False)]
    assert sent_tokens(added) == stored_run("02.sum").usage.input_tokens == sum(prompts)


def test_the_solution_of_02_2_is_what_a_run_with_all_its_history_sends(language, capsys):
    sent_tokens = definitions("02", language, {"sent_tokens"})["sent_tokens"]
    looks = [act("…", "Search", title) for title in example("02.titles")]
    llm = ScriptedLLM([*looks, answer("…", "…")])
    tools = builtin_tools(language=language)[:2]
    ReActAgent(llm, tools, 20, None, language=language).run(example("02.one"))
    sizes = [len(request.prompt) for request in llm.requests]
    added = [size - before for size, before in zip(sizes, [0, *sizes], strict=False)]
    assert len(sizes) == 13
    assert sent_tokens(added) == sum(sizes)
    capsys.readouterr()


def test_the_documents_end_with_the_cue_of_the_finished_template(language):
    made = definitions("02", language, set())
    finished = REACT_PROMPT_TEMPLATE_ZH if language == "zh" else REACT_PROMPT_TEMPLATE
    assert made["TEMPLATE"].splitlines()[-1].removeprefix("{history}") in finished.text
    assert finished.text.endswith(made["TEMPLATE"][-3:])


def test_both_editions_show_the_real_model_the_same_document(capsys):
    template = definitions("02", "en", set())["TEMPLATE"]
    tools = ToolRegistry(builtin_tools()[:1]).to_prompt()
    asked = "How tall is Tokyo Tower?"
    filled = template.format(tool_descriptions=tools, question=asked, history="")
    assert filled.removesuffix("Thought:") == example("02.document")
    capsys.readouterr()
