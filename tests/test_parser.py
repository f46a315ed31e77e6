"""The parser against replies of every kind of fault, hostile input and random text."""

from __future__ import annotations

import json
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reactlab.errors import ParseError
from reactlab.names import clean_name
from reactlab.parser import (
    closing_bracket,
    extract_final_answer,
    is_finished,
    parse,
    parse_in_full,
)
from reactlab.parser.plain import parse_plain
from reactlab.types import Decision

HERE = Path(__file__).parent / "cases"


def read_cases(name: str) -> list[dict[str, Any]]:
    lines = (HERE / name).read_text(encoding="utf-8").strip().split("\n")
    return [case for case in map(json.loads, lines) if not case.get("ambiguous")]


CASES = read_cases("parser_cases.jsonl")
VARIANTS = read_cases("parser_variants.jsonl")


def leaf(value: Any) -> Any:
    """Line ends and line breaks around a text do not matter."""
    if isinstance(value, str):
        return value.replace("\r\n", "\n").strip("\n")
    if isinstance(value, dict):
        return {key: leaf(item) for key, item in value.items()}
    return value


def same(got: Any, want: Any) -> bool:
    if isinstance(got, str) and isinstance(want, str):
        return leaf(got).strip() == leaf(want).strip()
    return bool(leaf(got) == leaf(want))


def decide(case: dict[str, Any]) -> Decision | None:
    try:
        return parse(case["text"], case["tools"])
    except ParseError:
        return None


def agrees(decision: Decision | None, expect: dict[str, Any]) -> bool:
    kinds = {expect["kind"], *expect.get("alt_kinds", [])}
    if decision is None:
        return bool(kinds & {"none", "error"})
    if decision.answer is not None:
        answers = [expect.get("answer"), *expect.get("answer_alt", [])]
        right = expect["kind"] != "final" or any(same(decision.answer, want) for want in answers)
        return "final" in kinds and right
    call = decision.calls[0]
    inputs = [expect.get("input"), *expect.get("input_alt", [])]
    right = call.name == expect.get("tool") and any(same(call.arguments, want) for want in inputs)
    return "action" in kinds and (expect["kind"] != "action" or right)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_a_reply_of_the_gallery_is_read_as_it_was_meant(case: dict[str, Any]) -> None:
    decision = decide(case)
    assert agrees(decision, case["expect"]), (decision, case["expect"])
    thought = case["expect"].get("thought")
    if decision is not None and thought is not None:
        assert decision.thought == thought


@pytest.mark.parametrize("case", VARIANTS, ids=lambda case: case["id"])
def test_other_replies_with_the_same_fault_are_read_too(case: dict[str, Any]) -> None:
    decision = decide(case)
    assert agrees(decision, case["expect"]), (decision, case["expect"])


def test_every_kind_of_fault_has_variants() -> None:
    shapes = {"very_long", "redos_shape"}  # built below, by size
    untold = {"action_and_final", "final_empty", "observation_first"}
    kinds = {case["fault"] for case in CASES} - shapes
    assert kinds <= {case["fault"] for case in VARIANTS} | untold


ENDS = [
    "Final Answer: 42",
    "Thought: done\nFinalAnswer: 42",
    "Answer: 42",
    "答案：42",
    "思考：好\n最终答案：42",
    "<final_answer>42</final_answer>",
    '<invoke name="Finish"><parameter name="answer">42</parameter></invoke>',
    "Action: Finish[42]",
    "Finish[42]",
    "Action: Finish\nAction Input: 42",
    '{"action": "Final Answer", "action_input": "42"}',
]
NO_ENDS = [
    "",
    "42",
    "Thought: I will write Final Answer: 42 later.",
    "Thought: not yet. Final Answer: comes later.",
    "思考：最终答案：还不知道",
    "Action: Search[Final Answer: 42]",
    "Action: Search\nAction Input: what is Finish[42]",
    'Action: Python["""\nFinal Answer: 42\n"""]',
    "Action: Search[x]\nObservation: y\nFinal Answer: 42",
    "Observation: a page says\nFinal Answer: 42",
    "<think>Final Answer: 42</think>",
    "<think>\nFinal Answer: 42",
    '{"tool": "write", "tool_input": "Final Answer: 42"}',
    "Final Answer:",
    "Action: Finish[]",
]


@pytest.mark.parametrize("text", ENDS)
def test_a_final_answer_ends_the_run_in_every_form(text: str) -> None:
    assert is_finished(text)
    assert extract_final_answer(text) == "42"


@pytest.mark.parametrize("text", NO_ENDS)
def test_a_marker_that_is_text_does_not_end_the_run(text: str) -> None:
    assert not is_finished(text)
    with pytest.raises(ParseError):
        extract_final_answer(text)


@pytest.mark.parametrize(
    ("text", "line", "wanted"),
    [
        ("Thought: x\nAction: Search[the long", "Action: Search[the long", "Action: tool[input]"),
        ('Action:\n{"action": "S", "x": "b', '{"action": "S", "x": "b', '"action_input"'),
        ("Thought: I wonder\nabout it", "about it", "Final Answer: your answer"),
        ("Thought: x\nAction Input: y", "Action Input: y", "Action Input: input"),
        ("Action: fly to the moon\nAction Input: y", "fly to the moon", "Action: tool[input]"),
        ('<invoke name="a">\n<parameter name="b">c', '<parameter name="b">c', "</invoke>"),
        ("Action: Finish[]", "Action: Finish[]", "Final Answer: your answer"),
        ("Observation: a\nAction: Search[y]", "Action: Search[y]", "no final answer of your own"),
        (
            'Action: Search\nAction Input: {"a": "b',
            'Action Input: {"a": "b',
            'such as `{"key": "value"}`',
        ),
        ('Action: Search[{"a": [1]', 'Action: Search[{"a": [1]', 'such as `{"key": "value"}`'),
        ("Action Input: a", "Action Input: a", "or `Final Answer: your answer`"),
    ],
)
def test_an_error_names_the_line_and_the_form_that_is_wanted(
    text: str, line: str, wanted: str
) -> None:
    with pytest.raises(ParseError) as caught:
        parse(text, ["Search"])
    assert line in caught.value.message
    assert wanted in caught.value.message


@pytest.mark.parametrize(
    ("text", "inside"),
    [
        ("[a]", "a"),
        ("[(a[0]+b[1])*2] [x]", "(a[0]+b[1])*2"),
        ('["]".join(["a"])]', '"]".join(["a"])'),
        ("['it is ]' or \"]\"]", "'it is ]' or \"]\""),
        ("[Newton's laws] and Hooke's]", "Newton's laws"),
        ('[a 5" pipe] or a 6" pipe]', 'a 5" pipe'),
        ('["""\n]\n"""]', '"""\n]\n"""'),
        ('[f"]" + r"]"]', 'f"]" + r"]"'),
        ('["a\\"]"]', '"a\\"]"'),
        ("[0, 1)]", "0, 1)"),
        ("［甲［乙］丙]", "甲［乙］丙"),
        ("[“]”的意思]", "“]”的意思"),
        ("(a (b) c) d)", "a (b) c"),
    ],
)
def test_the_bracket_scan_knows_nesting_and_quotes(text: str, inside: str) -> None:
    assert closing_bracket(text, 0) == len(inside) + 1


@pytest.mark.parametrize("text", ["[a", "[[a]", '["]', "[a)", "[a 'b]' c"])
def test_a_bracket_that_is_never_closed_has_no_end(text: str) -> None:
    expected = text.rfind("]") if text == '["]' else None
    assert closing_bracket(text, 0) == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("web_search", "Web-Search"),
        ("web_search", "**web\\_search**"),
        ("get_time", "`GetTime()`."),
        ("搜索", "「搜索」。"),
        ("Search", "🔍 Ｓｅａｒｃｈ"),
    ],
)
def test_spellings_of_one_tool_are_equal_once_cleaned(one: str, other: str) -> None:
    assert clean_name(one) == clean_name(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Search", "Serach"), ("C#", "C++"), ("fs.read", "fsread"), ("搜索", "搜素"), ("*", "**")],
)
def test_other_names_stay_other_names(one: str, other: str) -> None:
    assert clean_name(one) != clean_name(other)


@pytest.mark.parametrize("name", ["Serach", "Search Engine", "搜索引擎", "searching", "Search2"])
def test_a_similar_name_is_never_replaced_by_a_registered_one(name: str) -> None:
    assert parse(f"Action: {name}[x]", ["Search", "搜索"]).calls[0].name == name


def test_without_tools_the_model_s_own_name_stays() -> None:
    assert parse("Action: `get_time`\nAction Input: UTC").calls[0].name == "get_time"


SHAPES = {
    "openers": "[",
    "call lines": "Action: Search[\n",
    "actions": "Action: b\n\n",
    "no actions": "Action: None\n",
    "thoughts": "Thought: b\n",
    "finals": "Final Answer:\n",
    "think": "<think>\n",
    "think ends": "</think>\n",
    "think blocks": "<think></think>\n",
    "objects": '{"action":',
    "data": '{"a": [1,\n',
    "comments": "{ /* \n",
    "fences": "```\n",
    "triple quotes": "''' x\n\"\"\" ",
    "quotes": "\" ' ",
    "curly quotes": "“[ ‘ 「",
    "escaped quotes": '\\"',
    "blanks": " ",
    "blank lines": " \t\n",
    "bold": "**\n",
    "keywords": "a=b, ",
    "tags": '<invoke name="a">\n',
    "parameters": '<parameter name="b">',
    "tool tags": "<tool>a</tool>\n",
    "wrappers": "<tool_call>",
    "sentences": ". Action: y",
    "fillers": "use ",
    "bare calls": "Finish[a] b\n",
    "digits": "1",
    "labels": "Action Input ",
    "surrogates": "\\ud83c",
}
OPENINGS = (
    "",
    "Thought: x\n",
    "Action: Search[",
    "Action: Search(",
    "Action: Search\nAction Input: ",
    '{"action": "',
)


def seconds(text: str) -> float:
    best = float("inf")
    for _ in range(3):
        began = time.process_time()
        with suppress(ParseError):
            parse(text, ["Search"])
        best = min(best, time.process_time() - began)
    return best


@pytest.mark.parametrize("shape", SHAPES)
def test_ten_times_the_text_takes_about_ten_times_as_long(shape: str) -> None:
    for opening in OPENINGS:
        small = seconds(opening + SHAPES[shape] * (3_000 // len(SHAPES[shape])))
        large = seconds(opening + SHAPES[shape] * (30_000 // len(SHAPES[shape])))
        assert large < 40 * max(small, 0.001), (opening, small, large)


def test_an_input_of_100_kilobytes_arrives_whole() -> None:
    code = "x = [1, 2]\n" * 9_000 + "print(x)"
    assert parse(f"Action: Python[{code}]", ["Python"]).calls[0].arguments == code
    assert parse(f"Final Answer: {code}").answer == code


def test_an_invented_run_of_any_length_does_not_hide_the_first_action() -> None:
    text = "Action: Search[x]\n" + "Observation: a\nThought: b\nAction: Search[c]\n" * 3_000
    assert parse(text, ["Search"]).calls[0].arguments == "x"


def test_an_input_whose_end_was_not_looked_for_is_refused() -> None:
    with pytest.raises(ParseError, match="too many parts"):
        parse("Action: Search\nAction Input: a\n" + "- Action: b\n" * 5_000, ["Search"])


FRAGMENTS = [
    *(case["text"] for case in VARIANTS if len(case["text"]) < 60),
    *SHAPES.values(),
    *"\n:：[]{}()（）【】\"'`*#<>/\\,，.。 1-_",
    *("Thought: ", "Action: ", "Action Input: ", "Observation: ", "Final Answer: ", "Finish["),
    *("行动：", "行动输入：", "思考：", "最终答案：", "</tool_call>", "<tool_call>", "</think>"),
    *(
        "```json\n",
        '{"action": "Search", "action_input": ',
        '"""',
        "None",
        "\u200b",
        "\x00",
        "９９",
    ),
]


@settings(max_examples=400, deadline=None)
@given(st.lists(st.one_of(st.sampled_from(FRAGMENTS), st.text(max_size=8)), max_size=14))
def test_nothing_but_a_parse_error_ever_leaves_the_parser(parts: list[str]) -> None:
    decision = Decision(answer="refused")
    with suppress(ParseError):
        decision = parse("".join(parts), ["Search", "get_time", "搜索"])
    assert bool(decision.calls) != (decision.answer is not None)
    assert all(call.name.strip() for call in decision.calls)


_SAID = ["I need", "the height", "of Mont Ventoux", "step 1", "2024", "so!", "Step 2", "查询", "—"]
_SAID += ["Tool Input", "None", "1.", "- a", "call", "50%", "input", "Final", "Question", "json"]
_GIVEN = [
    "tea",
    "1+1",
    "a, b",
    "None",
    "none",
    "12-3",
    "why?",
    "中文",
    "-",
    "Input",
    "null",
    "a; b",
]


@given(
    cue=st.sampled_from(["", " ", "Thought: ", "思考："]),
    thought=st.lists(st.sampled_from(_SAID), min_size=1, max_size=6).map(" ".join),
    action=st.sampled_from(["Action: ", "行动："]),
    name=st.sampled_from(["Search", "web_search", "Other", "None"]),
    value=st.lists(st.sampled_from(_GIVEN), min_size=1, max_size=3).map(" ".join),
    end=st.sampled_from(["", "\n", " ", "\n\n"]),
)
@settings(max_examples=500, deadline=None)
def test_the_short_cut_for_plain_replies_comes_to_the_same(
    cue: str, thought: str, action: str, name: str, value: str, end: str
) -> None:
    text = f"{cue}{thought}\n{action}{name}[{value}]{end}"
    tools = ("Search", "web_search", "None")
    short = parse_plain(text, tools)
    if short is not None:
        assert short == parse_in_full(text, tools)
