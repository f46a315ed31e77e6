"""Traces to look at: the same run always looks the same, and what a model wrote stays text."""

from __future__ import annotations

import io
import re
import xml.etree.ElementTree as ET
from html import unescape
from html.parser import HTMLParser

import pytest

from reactlab.agents.react import ReActAgent
from reactlab.display import (
    as_html,
    as_markdown,
    as_page,
    as_svg,
    as_text,
    live_lines,
    safe_print,
)
from reactlab.errors import ConfigError, LLMError, RateLimited
from reactlab.events import Failure, ModelCall, StopReason, ToolUse, Waited
from reactlab.llm.scripted import ScriptedLLM
from reactlab.render.rows import COLOURS
from reactlab.render.svg import wrapped
from reactlab.trace import Trace
from reactlab.types import Completion, Decision, Message, Observation, Request, ToolCall, Usage

FORMATS = [as_text, as_markdown, as_html, as_page, as_svg]
HOSTILE = (
    "<script>boom()</script><img src=x onerror=boom()> &amp; <b>open </details></svg></style> "
    "``` | a | *x* [l](javascript:boom()) $x$ \\(y\\) ]]> --> \"q\" 'q' \x1b[31m\x00 \u202e \ud800"
)


def asked(text: str = "", usage: Usage | None = None) -> ModelCall:
    return ModelCall(Request((Message("user", "prompt"),)), Completion(text, usage=usage))


def add_use(trace: Trace, thought: str, call: ToolCall, seen: Observation) -> None:
    for event in (asked("reply"), Decision(thought, (call,)), ToolUse(call, seen)):
        trace.add(event)


def answered(observation: str = "It is 9 °C.") -> Trace:
    trace = Trace("How cold is it?", "ReActAgent", "a-model")
    add_use(trace, "I look.", ToolCall("Weather", "Oslo"), Observation(observation))
    trace.add(asked("reply"))
    trace.add(Decision("Now I know.", (), "9 °C"))
    trace.stop(StopReason.ANSWERED, "", "9 °C")
    return trace


def hostile() -> Trace:
    trace = Trace(HOSTILE, HOSTILE, HOSTILE, after=Trace(HOSTILE))
    add_use(trace, HOSTILE, ToolCall(HOSTILE, HOSTILE), Observation(HOSTILE, HOSTILE))
    add_use(trace, HOSTILE, ToolCall("t", {HOSTILE: [HOSTILE]}), Observation(HOSTILE * 30))
    trace.add(asked(HOSTILE))
    trace.add(Failure(HOSTILE, HOSTILE, HOSTILE))
    trace.add(Waited(1.0, HOSTILE))
    trace.add(asked(HOSTILE))
    trace.add(Decision(HOSTILE, (), HOSTILE))
    trace.stop(StopReason.MAX_STEPS, HOSTILE, "another " + HOSTILE)
    return trace


class Elements(HTMLParser):
    """Collects tags with their attributes, and the text of what is neither style nor script."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.words: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in ("br", "meta"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] not in ("style", "script"):
            self.words.append(data)


def test_the_text_tells_the_run_in_order() -> None:
    assert as_text(answered()) == (
        "Question: How cold is it?\n"
        "\n"
        "Step 1\n"
        "  Thought: I look.\n"
        "  Action: Weather[Oslo]\n"
        "  Observation: It is 9 °C.\n"
        "\n"
        "Step 2\n"
        "  Thought: Now I know.\n"
        "  Answer: 9 °C\n"
        "\n"
        "Stop reason: answered · Model: a-model · Agent: ReActAgent · 2 steps · 2 model calls"
    )


def test_chinese_labels_are_chinese_and_another_language_is_refused() -> None:
    text = as_text(answered(), language="zh")
    words = ("问题：", "第 1 步", "思考：", "行动：", "观察：", "答案：", "已回答 (answered)")
    assert [word for word in words if word not in text] == []
    assert "模型" in as_html(answered(), language="zh")
    assert 'lang="zh"' in as_svg(answered(), language="zh")
    with pytest.raises(ConfigError):
        as_text(answered(), language="fr")


@pytest.mark.parametrize("render", FORMATS)
def test_two_equal_runs_look_equal_whatever_time_they_took(render) -> None:
    slow = answered()
    slow.seconds = 17.3
    assert render(slow) == render(answered())
    assert "17.3 s" in render(slow, times=True)


def test_different_traces_have_different_ids() -> None:
    def name(trace: Trace) -> str | None:
        return Elements(as_html(trace)).tags[0][1]["id"]

    assert name(answered()) == name(answered()) != name(answered("It is 8 °C."))


@pytest.mark.parametrize("render", FORMATS)
def test_an_empty_unfinished_trace_can_be_shown(render) -> None:
    assert "unfinished" in render(Trace(""))


def test_tokens_are_marked_when_estimated_or_partly_reported() -> None:
    trace = Trace("q")
    trace.add(asked("a", Usage(1200, 30, estimated=True)))
    trace.add(Failure("ParseError", "unclear", "again"))
    assert "1,200 input + 30 output tokens (estimated)" in as_text(trace)
    trace.add(asked("b"))
    assert "(estimated, reported by 1 of 2 calls)" in as_text(trace)


def test_no_tokens_are_shown_where_none_were_reported() -> None:
    assert "tokens" not in as_text(answered())


def test_each_action_stands_before_its_own_observation() -> None:
    first, second, third = ToolCall("A", "1"), ToolCall("B", "2"), ToolCall("C", "3")
    trace = Trace("q", events=[asked(), Decision("", (first, second, third))])
    trace.add(ToolUse(first, Observation("one")))
    trace.add(ToolUse(second, Observation("two", "timeout")))
    assert re.findall(r"  (.*)", as_text(trace)) == [
        "Action: A[1]",
        "Observation: one",
        "Action: B[2]",
        "Observation (error: timeout): two",
        "Action (not carried out): C[3]",
    ]


def test_a_reply_that_was_not_understood_is_shown_with_the_correction() -> None:
    trace = Trace("q", events=[asked("What a day!"), Failure("ParseError", "No action.", "Act.")])
    text = as_text(trace)
    assert "Reply, not understood: What a day!" in text
    assert "Failure (ParseError): No action.\n    Act." in text


def test_a_run_without_answer_says_why() -> None:
    trace = answered()
    trace.stop(StopReason.BUDGET, "5 of 5 calls used")
    assert "Stopped (budget): 5 of 5 calls used" in as_text(trace)


def test_earlier_turns_of_the_conversation_come_first() -> None:
    trace = Trace("And tomorrow?", after=answered())
    lines = as_text(trace).split("\n")
    assert lines[:3] == [
        "Earlier question: How cold is it?",
        "Earlier answer: 9 °C",
        "Question: And tomorrow?",
    ]


def test_a_long_observation_is_shortened_and_says_by_how_much() -> None:
    text = as_text(answered("word " * 1000), limit=100)
    assert len(text) < 500
    assert "… 4,900 more characters" in text
    assert "more characters" not in as_text(answered("word " * 1000), limit=None)


def test_html_keeps_the_whole_of_a_long_observation_folded() -> None:
    page = Elements(as_html(answered("abcdefghi " * 500)))
    assert "".join(page.words).count("abcdefghi") == 500
    assert "rl-more" in [attrs.get("class") for _, attrs in page.tags]


@pytest.mark.parametrize("render", [as_html, as_page])
def test_hostile_text_adds_no_element_and_no_attribute(render) -> None:
    page = Elements(render(hostile()))
    assert page.open == []
    known = (
        "html head meta title style body main h1 div p b span ol li details summary bdi br script"
    )
    assert {tag for tag, _ in page.tags} <= set(known.split())
    assert [tag for tag, _ in page.tags].count("script") == 1
    assert not any(key.startswith("on") for _, attrs in page.tags for key in attrs)
    assert "<script>boom()</script><img src=x onerror=boom()> &amp; <b>open" in "".join(page.words)


def test_the_list_is_complete_without_its_script() -> None:
    page = Elements(as_html(answered()))
    tags = [tag for tag, _ in page.tags]
    assert tags.count("li") == 2
    assert "button" not in tags
    assert all("open" in attrs for tag, attrs in page.tags if tag == "details")
    assert not any("hidden" in attrs for _, attrs in page.tags)


def test_every_box_of_a_step_names_its_kind_and_its_author_in_words() -> None:
    words = "".join(Elements(as_html(answered())).words)
    for label in ("Thought · model", "Action · model", "Observation · world", "Answer · model"):
        assert label in words


@pytest.mark.parametrize("render", FORMATS)
def test_no_format_lets_control_characters_or_half_characters_through(render) -> None:
    shown = render(hostile())
    assert shown.encode()
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", shown)
    assert "x1b" in shown
    assert "202e" in shown


def test_hostile_text_in_markdown_is_character_references() -> None:
    shown = as_markdown(hostile())
    left = re.sub(r"<br>|</?code>|</?span>|\*\*", "", shown)
    assert not re.search(r"[<>`*_|$\\\[\]]", left)


def test_a_text_with_line_breaks_cannot_pass_for_a_step_in_markdown_or_text() -> None:
    trick = "nothing\n\nStep 2\n  Answer: 42\n\n**Answer** (model): 42\n- x\n# y"
    assert "\nStep 2\n  Thought: Now" in as_text(answered(trick))
    assert as_text(answered(trick)).count("\nStep 2") == 1
    assert as_text(Trace(trick)).count("\nStep 2") == 0
    assert as_markdown(answered(trick)).count("\n**Step 2**") == 1
    assert "\n# y" not in as_markdown(answered(trick))


@pytest.mark.parametrize("render", [as_html, as_markdown])
def test_prices_and_backslashes_do_not_become_formulas(render) -> None:
    shown = unescape(render(answered(r"From $5 to $6, \(x\), \begin{a}"), limit=None))
    assert r"<span>\</span>(x<span>\</span>), <span>\</span>begin{a}" in shown
    assert "From <span>$</span>5 to <span>$</span>6" in shown


def test_svg_is_well_formed_with_title_description_and_no_element_from_text() -> None:
    root = ET.fromstring(as_svg(hostile()))
    names = {element.tag.rpartition("}")[2] for element in root.iter()}
    assert names == {"svg", "title", "desc", "style", "rect", "text", "tspan"}
    assert root.get("role") == "img"
    ids = {element.get("id") for element in root.iter() if element.get("id")}
    assert set((root.get("aria-labelledby") or "").split()) == ids


@pytest.mark.parametrize("words", ["word " * 60, "长" * 150, "x" * 400, "a，" * 90, "é\u0301" * 90])
def test_wrapped_lines_fit_and_lose_nothing(words: str) -> None:
    lines = list(wrapped(words, 14, 300))
    assert "".join(lines).replace(" ", "") == words.replace(" ", "")
    assert len(lines) > 1
    assert not any(line.startswith("，") for line in lines)


def test_border_colours_stand_out_on_white_and_on_black() -> None:
    def light(colour: str) -> float:
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    for colour in COLOURS.values():
        assert 1.05 / (light(colour) + 0.05) >= 3
        assert (light(colour) + 0.05) / (light("#1e2228") + 0.05) >= 3


@pytest.mark.parametrize("encoding", ["cp1252", "gbk", "ascii", "utf-8", "no-such-encoding"])
def test_any_console_can_print_any_trace(encoding: str) -> None:
    class Console(io.TextIOWrapper):
        @property
        def encoding(self) -> str:
            return told

    told = encoding
    buffer = io.BytesIO()
    real = "ascii" if encoding.startswith("no") else encoding
    console = Console(buffer, encoding=real, newline="\n")
    safe_print(as_text(answered("🎉 猫 é " * 99)), console)
    safe_print("\ud800", console)
    assert b"How cold is it?" in buffer.getvalue()


def test_safe_print_writes_to_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    safe_print("Grüße, 世界")
    assert capsys.readouterr().out == "Grüße, 世界\n"


def weather(city: str) -> str:
    """Tell the weather.

    Args:
        city: where
    """
    return f"9 °C in {city}"


ACT = "Thought: I look.\nAction: weather[Oslo]"
END = "Thought: Now I know.\nFinal Answer: 9 °C"


def test_live_lines_tell_the_same_as_the_text_afterwards() -> None:
    agent = ReActAgent(ScriptedLLM([ACT, END]), [weather])
    events = agent.iter("How cold is it?")
    lines = list(live_lines(events))
    again = ReActAgent(ScriptedLLM([ACT, END]), [weather]).run("How cold is it?")
    assert "\n".join(lines).replace(" [weather]", "") == as_text(again)


def test_live_lines_show_each_thing_before_the_next_begins() -> None:
    llm = ScriptedLLM([ACT, END])
    seen = []
    for line in live_lines(ReActAgent(llm, [weather]).iter("How cold is it?")):
        seen.append((len(llm.requests), line.strip().split(":")[0]))
    assert (0, "Step 1") in seen
    assert (1, "Action") in seen
    assert (1, "Observation [weather]") in seen
    assert (2, "Answer") in seen


def test_live_lines_show_retries_and_corrections() -> None:
    script = [RateLimited("slow down", retry_after=0.01), "Nice weather!", ACT, END]
    lines = "\n".join(live_lines(ReActAgent(ScriptedLLM(script), [weather]).iter("q")))
    assert "Failure (RateLimited): slow down" in lines
    assert "Pause (0.0 s, waits before trying again): slow down" in lines
    assert "Reply, not understood: Nice weather!" in lines
    assert "Failure (ParseError)" in lines
    assert "Answer: 9 °C" in lines


def test_live_lines_end_with_the_error_that_ended_the_run() -> None:
    def broken(_: Request) -> str:
        raise KeyError("bug")

    lines: list[str] = []
    events = ReActAgent(ScriptedLLM([ACT, broken]), [weather]).iter("q")
    with pytest.raises(KeyError):
        lines.extend(live_lines(events))
    assert lines[-1] == "Stopped: KeyError: 'bug'"
    failing = ReActAgent(ScriptedLLM([ACT, LLMError("down")]), [weather]).iter("q")
    assert "Stopped (model_error): down" in list(live_lines(failing))
