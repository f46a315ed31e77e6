"""Gallery, scoreboard and parser x-ray: what they count, show and never do."""

from __future__ import annotations

import json
import re
from collections import namedtuple
from html import unescape
from pathlib import Path

import pytest

from reactlab import Decision, ParseError, ToolCall, parse
from reactlab.course import gallery, parser_xray, scoreboard
from reactlab.course.exercises import NotDone, Stumble
from reactlab.course.gallery import Reply, title_of, why_of
from reactlab.course.lessons.n03 import judge_parse
from reactlab.course.readings import Reading, Refusal, read
from reactlab.course.replies import replies, tools
from reactlab.course.scoreboard import verdict
from reactlab.errors import ConfigError

CASES = Path(__file__).parent / "cases" / "parser_cases.jsonl"
CALL = re.compile(r"Action:\s*(?P<tool>\w+)\[(?P<input>.+?)\]")


def reply(text: str, **expect: object) -> Reply:
    return Reply("1", "good", "bracket", "en", ("Search", "Python"), text, expect)


class Thing:
    def __init__(self, **parts: object) -> None:
        vars(self).update(parts)


GOOD = reply("Action: Search[x]", kind="action", tool="Search", input="x")


# Gallery


OTHERWISE = {"json_wrapper-02"}  # the gallery names no maker of models


def test_every_reply_is_one_of_the_parser_cases_and_none_is_ambiguous():
    lines = CASES.read_text(encoding="utf-8").strip().split("\n")
    cases = {case["id"]: case for case in map(json.loads, lines)}
    for one in gallery():
        case = cases[one.name]
        wanted = {key: value for key, value in case["expect"].items() if key != "thought"}
        assert (one.expect, one.tools, one.language) == (wanted, case["tools"], case["lang"])
        assert (one.text == case["text"]) == (one.name not in OTHERWISE), one.name
        assert not case.get("ambiguous")


def test_what_there_is_not_is_told_in_the_language_of_the_edition(language):
    told = {"en": "There is no form 'xml'; there are", "zh": "没有 form='xml' 的回复；可以选："}
    with pytest.raises(ConfigError, match=told[language]):
        gallery(form="xml")


def test_replies_are_chosen_by_kind_form_and_language():
    found = gallery("brackets", form="bracket", language="zh")
    assert len(found) >= 3
    assert {(one.kind, one.form, one.language) for one in found} == {("brackets", "bracket", "zh")}
    assert found[0].name in {one.name for one in gallery()}
    with pytest.raises(ConfigError, match="There is no kind 'bracket'; there are good, more"):
        gallery("bracket")


def test_the_replies_of_the_edition_come_first(language):
    assert [one.language == language for one in gallery()] == sorted(
        (one.language == language for one in gallery()), reverse=True
    )


def test_every_kind_is_explained_and_a_large_gallery_shows_its_kinds(language):
    kinds = {one.kind for one in gallery()}
    assert all(title_of(kind) and why_of(kind) for kind in kinds)
    assert all(kind in repr(gallery()) and kind in gallery()._repr_html_() for kind in kinds)


def test_a_small_gallery_shows_reply_and_meaning_without_markup_coming_in():
    page = gallery("tags")._repr_html_()
    assert "<tool_call>" not in page
    text = unescape(re.sub("<[^>]*>", "", page))
    assert gallery("tags")[0].meant in text
    assert gallery("tags")[0].text in repr(gallery("tags"))


# Readings


@pytest.mark.parametrize(
    "made",
    [
        {"tool": "Search", "input": "x"},
        {"thought": "", "action": "Search", "action_input": "x", "answer": None},
        {"type": "tool", "action": "Search", "input": "x"},
        ("Search", "x"),
        ("so", " Search ", "x"),
        Decision("so", (ToolCall("Search", "x"),)),
        Thing(thought="", tool="Search", input="x"),
        Thing(tool="Search", input="x"),
        Thing(action="Search", action_input="x", answer=None),
        namedtuple("Call", "tool input")("Search", "x"),
        namedtuple("Call", "input tool")("x", "Search"),
        namedtuple("Call", "what given")("Search", "x"),
        ToolCall("Search", "x"),
    ],
)
def test_a_parser_may_return_many_forms_of_a_call(made):
    assert scoreboard({"it": lambda text: made}, [GOOD]).counts("it")["pass"] == 1


@pytest.mark.parametrize(
    "made",
    [
        {"answer": "x"},
        {"type": "final", "content": "x"},
        ("Finish", "x"),
        Decision("", answer="x"),
        Thing(answer="x"),
        namedtuple("Step", "tool input answer")(None, None, "x"),
    ],
)
def test_and_of_an_answer(made):
    assert read(lambda text: made, "any").answer == "x"


@pytest.mark.parametrize("made", ["Search", 5, [], ["x", "y"], {}, {"a": 1}, True, (), CASES])
def test_what_is_no_step_is_told(made):
    with pytest.raises(Stumble, match="Return a dict with tool and input"):
        read(lambda text: made, "any")


def test_a_refusal_is_none_or_one_of_two_errors():
    def raising(error):
        def parser(text):
            raise error("no")

        return parser

    assert read(raising(ValueError), "x") == read(raising(ParseError), "x") == Refusal("no")
    assert read(lambda text: None, "x") == Refusal()
    assert read(lambda text: {"tool": None, "input": None, "answer": None}, "x") == Refusal()
    with pytest.raises(Stumble, match="KeyError"):
        read(raising(KeyError), "x")
    with pytest.raises(NotDone):
        read(lambda text: ..., "x")


def test_a_parser_that_asks_for_the_tools_is_told_their_names():
    seen = []
    read(lambda text, tools: seen.append(tools), "x", ("Search",))
    assert seen == [["Search"]]


# Scoreboard


def never_back(text):
    while True:
        pass


def test_what_the_package_itself_runs_is_no_endless_loop():
    assert read(lambda text: [parse(text) for _ in range(2000)][-1], GOOD.text).tool == "Search"


def test_outcomes_are_counted_apart():
    board = scoreboard(
        {
            "pass": lambda text: ("Search", " x\n"),
            "loud": lambda text: None,
            "unknown tool": lambda text: ("Serach", "x"),
            "silent": lambda text: ("Search", "y"),
            "answered": lambda text: {"answer": "x"},
            "crash": lambda text: text.missing,
            "endless": never_back,
        },
        [GOOD],
    )
    assert "AttributeError" in board.first_error("crash")
    assert board.first_error("crash") in repr(board)
    assert board.first_error("silent") == ""
    had = [verdicts[0].outcome for verdicts in board.rows.values()]
    assert had == ["pass", "loud", "loud", "silent", "silent", "crash", "endless"]


def test_what_should_be_refused_passes_when_it_is_refused():
    cut = reply("Action: Python[print(", kind="error")
    board = scoreboard({"loud": lambda text: None, "guess": lambda text: ("Python", "p")}, [cut])
    assert [rows[0].outcome for rows in board.rows.values()] == ["pass", "silent"]


def test_one_silent_fault_of_each_kind_is_shown_with_the_reply(language):
    board = scoreboard({"guess": lambda text: {"answer": "<i>so</i>"}})
    kinds = {one.kind for one in gallery()}
    assert {one.reply.kind for one in board.silent("guess")} == kinds
    assert board.silent("guess")[0].reply.language == language
    assert "<i>so" not in board._repr_html_()
    assert all(title_of(kind) in repr(board) for kind in kinds)


def test_a_placeholder_is_not_done_yet_and_the_others_are_scored():
    board = scoreboard({"mine": lambda text: ..., "parse": parse}, gallery("good"))
    assert board.rows["mine"] is None
    assert "mine: not done yet" in repr(board)
    assert "not done yet" in board._repr_html_()
    assert board.counts("parse")["pass"] == len(gallery("good"))


def test_what_is_no_parser_is_told_with_the_way_to_write_it():
    with pytest.raises(ConfigError, match=r'scoreboard\({"mine": my_parse}\)'):
        scoreboard(parse)
    with pytest.raises(ConfigError, match=r"g is no function: .* shown with parser_xray"):
        scoreboard({"g": CALL})


def test_the_text_version_says_what_the_bars_say(language):
    board = scoreboard({"regex": lambda text: (found := CALL.search(text)) and found.groups()})
    bare = unescape(re.sub("<[^>]*>", "", board._repr_html_()))
    for count in board.counts("regex").values():
        assert str(count) in repr(board)
        assert str(count) in bare


def test_replies_made_from_a_seed_are_the_same_each_time_and_all_kinds_are_there(language):
    assert replies(range(2)) == replies(range(2)) != replies(range(2, 4))
    assert {one.kind for one in replies(range(1))} == {one.kind for one in replies(range(3))}


# X-ray


def wordless(text):
    raise ValueError


def test_a_pattern_shows_its_groups_and_says_what_it_left():
    picture = parser_xray(CALL, "Thought: x\nAction: Calculator[(a[0]+b[1])*2]")
    assert "Action: ⟦tool: Calculator⟧[⟦input: (a[0⟧]+b[1])*2]" in repr(picture)
    assert "Outside the boxes: Thought: x Action: · ]+b[1])*2]" in " ".join(repr(picture).split())


def test_a_pattern_that_finds_nothing_says_so(language):
    assert len(repr(parser_xray(CALL, "hello")).split("\n")) == 2
    assert not parser_xray(CALL, "hello").marks


def test_groups_without_a_name_have_a_number_and_inner_ones_are_left_out():
    picture = parser_xray(re.compile(r"(a(b))(x)?(c)"), "abc")
    assert repr(picture).split("\n")[0] == "⟦group 1: ab⟧⟦group 4: c⟧"


def test_a_parser_shows_thought_tool_and_input_and_leaves_what_was_invented():
    text = "Thought: Search it.\nAction: Search[x]\nObservation: y\nFinal Answer: y"
    shown = repr(parser_xray(parse, text))
    assert shown.startswith("Thought: ⟦thought: Search it.⟧\nAction: ⟦tool: Search⟧[⟦input: x⟧]")
    assert shown.endswith("\nOutside the boxes: ] Observation: y Final Answer: y")


def test_a_refusal_is_shown_with_its_reason():
    assert "Refused: The bracket is never closed." in repr(parser_xray(parse, "Action: Search[x"))


@pytest.mark.parametrize("parser", [lambda text: None, lambda text, tools: None, wordless])
def test_a_refusal_without_words_says_so(parser):
    assert "Refused: no reason given" in repr(parser_xray(parser, "x"))


def test_a_parser_runs_once_for_each_reply():
    seen = []
    for picture in (parser_xray, lambda parser, text: verdict(parser, GOOD)):
        picture(lambda text: seen.append(text), GOOD.text)
    assert seen == [GOOD.text] * 2
    seen.clear()
    assert not any(judge_parse(lambda text: seen.append(text) or parse(text, tools())))
    assert seen == [one.text for one in replies()]


def test_what_the_reply_writes_differently_is_said_below():
    shown = repr(parser_xray(lambda text: Reading("Search", "x"), "Action: search[x]"))
    assert "tool: Search (the reply writes it differently)" in shown


def test_pictures_that_are_no_list_bring_no_script():
    assert "<script>" not in parser_xray(CALL, "Action: Search[x]")._repr_html_()
    assert "<script>" not in scoreboard({"parse": parse}, gallery("good"))._repr_html_()
    assert "<script>" in gallery("tags")._repr_html_()
