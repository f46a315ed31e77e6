"""What a model gets to see of a long run: estimated, digested, shortened, made to fit."""

from __future__ import annotations

import json
import random

import pytest
from planted import SAID, add, code, page, planted
from scripts import DIALECTS

from reactlab import (
    Completion,
    Failure,
    ModelCall,
    Observation,
    ReActAgent,
    Request,
    SimulatedLLM,
    Tool,
    ToolCall,
    ToolRegistry,
    ToolUse,
    Trace,
    builtin_tools,
    make_dialect,
)
from reactlab.dialects import Dialect
from reactlab.errors import ContextOverflow
from reactlab.events import StopReason
from reactlab.prompts.digest import brief, digest, shortened
from reactlab.prompts.facts import facts, kept
from reactlab.prompts.tokens import beginning, estimate_tokens, tokens_of

LANGUAGES = ("en", "zh")


def search(query: str) -> str:
    """Look something up."""
    return query


def tools_in(language: str) -> ToolRegistry:
    return ToolRegistry([search]).speaking(language)


def dialect_in(name: str, language: str, **settings: object) -> Dialect:
    return make_dialect(name, language=language, **settings)


def long_run(language: str, steps: int = 8, sentences: int = 25) -> Trace:
    rng, trace = random.Random(steps), Trace("Where does RL714 leave?")
    for number in range(1, steps + 1):
        inside = SAID["code"][language].format(f"QX-{number:04}")
        add(trace, "search", {"query": f"page {number}"}, page(rng, language, inside, sentences))
    return trace


# --- tokens ---------------------------------------------------------------------------------------


def test_four_latin_characters_are_a_token_and_three_chinese_ones_are_two():
    assert estimate_tokens("") == 0
    assert estimate_tokens("four" * 10) == 10
    assert estimate_tokens("三个字" * 10) == 20
    assert estimate_tokens("four" * 10 + "三个字" * 10) == 30


def test_a_request_counts_its_messages_its_calls_and_its_tools():
    trace = long_run("en", 2)
    plain = dialect_in("tools", "en").render(trace, tools_in("en"))
    bare = Request(plain.messages)
    assert tokens_of(plain) > tokens_of(bare) > estimate_tokens(plain.prompt)


@pytest.mark.parametrize("text", ["word " * 40, "字" * 40, "ab字" * 30, "", "🙂" * 20])
def test_a_beginning_is_the_longest_that_has_no_more_tokens(text):
    for limit in range(30):
        begun = beginning(text, limit)
        assert text.startswith(begun)
        assert estimate_tokens(begun) <= limit
        assert begun == text or estimate_tokens(text[: len(begun) + 3]) >= limit


# --- facts ----------------------------------------------------------------------------------------

FACTS = [
    ("Your code is RX-4471, gate B4.", ["RX-4471", "B4"]),
    ("订单号12345，取票码是RX-4471。", ["12345", "RX-4471"]),
    ("See https://a.example/x?y=1. Or write to ann.moor@mail.example, please.",
     ["https://a.example/x?y=1", "ann.moor@mail.example"]),
    ("It is at /srv/data/a.csv or src/app/main.py or notes.txt", 
     ["/srv/data/a.csv", "src/app/main.py", "notes.txt"]),
    ("On 12 July 1901, on July 4, 1776, at 2026-07-17 and at 14:05",
     ["12 July 1901", "July 4, 1776", "2026-07-17", "14:05"]),
    ("2026年7月17日开放，票价¥1,500，全长1,067公里", ["2026年7月17日", "¥1,500", "1,067公里"]),
    ("It weighs 3.5 kg, 42 % of $1,200", ["3.5 kg", "42 %", "$1,200"]),
    ("The film “Red Hills” and 《红山》 and 「赤坂」", ["“Red Hills”", "《红山》", "「赤坂」"]),
    ('{"name": "Ann Moor", "total": 4.2}', ['"Ann Moor"', "4.2"]),
    ("Status: shipped\nDriver: Ann Moor", ["Status: shipped", "Driver: Ann Moor"]),
    ("状态：已发货\n司机：王小明", ["状态：已发货", "司机：王小明"]),
    ("- Oslo: a town\n- Rome: a town", ["- Oslo:", "- Rome:"]),
    ("Call +44 20 7946 0958 or 0221 4477 88, says Ann Moor-Hall; PNR QXZPLM",
     ["+44 20 7946 0958", "0221 4477 88", "Ann Moor-Hall", "QXZPLM"]),
    ("The phrase is tulip-cello-maple, the server 10.0.0.7, the key 9f86d081884c",
     ["tulip-cello-maple", "10.0.0.7", "9f86d081884c"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "wanted"), FACTS)
def test_what_later_steps_may_need_is_recognised(text, wanted):
    found = [fact.text for fact in facts(text)]
    assert [one for one in wanted if one not in found] == []
    assert all(text[fact.start : fact.end] == fact.text for fact in facts(text))


def test_facts_are_named_once_and_in_order():
    assert [fact.text for fact in facts("B7, then A3, then B7 again, then 9 kg")] == [
        "B7",
        "A3",
        "9 kg",
    ]


def test_where_room_is_short_codes_are_kept_before_figures():
    text = "They had 12 windows, 30 doors and 14 rooms, and the key was RX-4471."
    assert kept(text, 0, len(text), 6) == "RX-4471"


def test_facts_keep_the_words_before_them_where_there_is_room():
    text = "Nothing here. The booking code is RX-4471. Nothing there."
    assert kept(text, 0, len(text), 40) == "The booking code is RX-4471"


def dense(rng: random.Random, sentences: int) -> str:
    form = "In room {} stand {} clocks of {} May {}, with case K-{}."
    return " ".join(form.format(*rng.sample(range(2, 2000), 5)) for _ in range(sentences))


def test_what_was_asked_for_comes_before_other_facts():
    rng = random.Random(3)
    text = f"{dense(rng, 20)} Mount Alba is 3,241 metres high. {dense(rng, 20)}"
    assert "Mount Alba is 3,241 metres high" in brief(text, 75, "Mount Alba")
    assert "3,241" not in brief(text, 75)


def test_rows_of_a_record_come_with_their_keys_before_other_facts():
    rng = random.Random(4)
    text = f"{dense(rng, 20)}\ncustomer_id: C-4471\nstate: open\n{dense(rng, 20)}"
    assert "customer_id: C-4471; state: open" in brief(text, 75)


def test_json_stays_json():
    record = {"note": "word " * 300, "customer_id": "C-4471", "items": [{"name": "w " * 200}]}
    for text in (brief(json.dumps(record), 75), shortened(json.dumps(record), 75)):
        short = json.loads(text)
        assert short["customer_id"] == "C-4471"
        assert set(short) == set(record)


# --- digests --------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("limit", [20, 40, 75, 200, 1000])
def test_what_is_made_short_is_within_its_limit(language, limit):
    for seed in range(30):
        rng = random.Random(seed)
        inside = " ".join(code(rng, kind) for kind in rng.sample(sorted(SAID), 3))
        text = page(rng, language, inside, rng.randint(1, 60))
        assert estimate_tokens(brief(text, limit)) <= limit
        assert estimate_tokens(shortened(text, limit, language)) <= max(limit, 20)


def test_a_short_text_stays_as_it_is():
    assert shortened("Two\nlines.", 20) == "Two\nlines."
    assert brief("Two\nlines.", 20) == "Two lines."


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_shortened_text_says_how_much_is_missing(language):
    text = page(random.Random(1), language, SAID["code"][language].format("RX-4471"), 40)
    short = shortened(text, 120, language)
    assert {"en": "characters left out", "zh": "略去"}[language] in short
    assert short.startswith(text[:10])
    assert short.endswith(text[-10:])
    assert "RX-4471" in short


def test_a_step_is_digested_in_one_line():
    trace = Trace("q")
    add(trace, "search", "x", "two\nlines")
    assert digest(trace.steps[0]) == "- 1. On. | search[x] -> two lines"


def test_an_error_is_digested_by_its_beginning():
    trace, call = Trace("q"), ToolCall("search", "x")
    trace.add(ModelCall(Request(()), Completion("On.", (call,))))
    trace.add(ToolUse(call, Observation("It broke. " * 40 + "RX-4471", "tool_error")))
    assert digest(trace.steps[0]) == "- 1. search[x] -> " + ("It broke. " * 12)[:119] + "…"


def test_no_code_is_cut_in_two():
    for place in range(40, 400, 3):
        text = (
            "w" * 3
            + " word" * (place // 5)
            + " x" * (place % 5)
            + " CODE-12345-AB "
            + "word " * 200
        )
        for short in (brief(text, 75), shortened(text, 90)):
            assert "CODE-12345-AB" in short


@pytest.mark.parametrize("seed", range(80))
def test_every_planted_code_is_in_the_prompt_after_the_run_is_made_to_fit(seed):
    trace, codes, language = planted(seed)
    name = DIALECTS[seed // 2 % 4]
    dialect = dialect_in(name, language, max_context=1 + seed % 3)
    tools = tools_in(language)
    empty = tokens_of(dialect.render(Trace(trace.question), tools))
    limit = empty + 110 * len(trace)
    request = dialect.fit(trace, tools, limit)
    assert (
        tokens_of(request)
        <= limit
        < tokens_of(dialect_in(name, language, max_context=None).render(trace, tools))
    )
    assert [one for one in codes if one not in request.prompt] == []


HEIGHTS = {
    "en": ("Mount {} is {} metres high.", "How many metres higher is Mount Alba than Mount Bergo?"),
    "zh": ("{}山高{}米。", "阿尔巴山比贝戈山高多少米？"),
}
TITLES = {"en": ("Alba", "Bergo", "Mount {}"), "zh": ("阿尔巴", "贝戈", "{}山")}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", DIALECTS)
def test_a_model_finds_in_the_digest_what_dropping_loses(name, language):
    rng, (high, question) = random.Random(7), HEIGHTS[language]
    *names, title = TITLES[language]
    pages = {
        title.format(one): page(rng, language, high.format(one, value), 30)
        for one, value in zip(names, (3241, 2104), strict=True)
    }
    look = Tool("Search", "Search the pages: returns the page with that title.",
                lambda query: pages.get(query, "Could not find it."))  # fmt: skip
    tools = [
        look,
        *(tool for tool in builtin_tools(language=language) if tool.name == "Calculator"),
    ]
    answers = {
        older: ReActAgent(
            SimulatedLLM(), tools, max_context=1, older=older, language=language, dialect=name
        ).run(question)
        for older in ("digest", "drop")
    }
    assert "1,137" in str(answers["digest"])
    assert answers["drop"].answer is None


# --- fitting --------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", DIALECTS)
def test_a_request_that_fits_is_the_one_without_a_limit(name, language):
    trace, dialect, tools = long_run(language), dialect_in(name, language), tools_in(language)
    whole = dialect.render(trace, tools)
    assert dialect.fit(trace, tools, tokens_of(whole)) == whole


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", DIALECTS)
@pytest.mark.parametrize("max_context", [1, 3, None])
def test_whatever_the_limit_question_tools_and_last_step_are_shown(name, language, max_context):
    trace = long_run(language)
    dialect = dialect_in(name, language, max_context=max_context)
    tools = tools_in(language)
    sizes, overflowed = [], False
    for limit in range(4000, 20, -140):
        try:
            request = dialect.fit(trace, tools, limit)
        except ContextOverflow:
            overflowed = True
            continue
        assert not overflowed
        sizes.append(tokens_of(request))
        assert sizes[-1] <= limit
        assert trace.question in request.prompt
        assert "search" in f"{request.prompt}{request.tools}"
        assert "QX-0008" in request.prompt
    assert overflowed


def test_more_is_shown_where_more_is_allowed():
    trace, dialect, tools = long_run("en"), dialect_in("bracket", "en"), tools_in("en")
    shown = [
        dialect.fit(trace, tools, limit).prompt.count("Observation:")
        for limit in (1200, 2000, 9000)
    ]
    assert shown == sorted(shown)
    assert shown[0] < shown[-1]


def test_calls_and_results_stay_paired_however_short_the_request():
    trace = Trace("q")
    for _ in range(5):
        add(trace, "search", {"query": "long " * 300}, *["result " * 300] * 3)
    dialect, tools = dialect_in("tools", "en"), tools_in("en")
    for limit in range(6000, 500, -250):
        messages = dialect.fit(trace, tools, limit).messages
        asked = [call.id for message in messages for call in message.calls]
        answered = [message.call_id for message in messages if message.role == "tool"]
        assert asked == answered
        assert len(asked) % 3 == 0
        assert len(asked) > 0


@pytest.mark.parametrize("name", DIALECTS)
def test_one_giant_observation_is_shortened_and_nothing_else(name):
    trace = long_run("en", 3, 3)
    add(
        trace,
        "search",
        {"query": "giant"},
        "word " * 50_000 + "The code is RX-4471. " + "word " * 50_000,
    )
    add(trace, "search", {"query": "after"}, "short")
    request = dialect_in(name, "en").fit(trace, tools_in("en"), 2000)
    assert tokens_of(request) <= 2000
    assert all(f"QX-000{number}" in request.prompt for number in (1, 2, 3))
    assert "characters left out" in request.prompt


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_cannot_fit_says_how_much_it_needs(language):
    dialect, tools, trace = dialect_in("bracket", language), tools_in(language), long_run(language)
    with pytest.raises(ContextOverflow, match=r"\d+ (token|个 token)") as raised:
        dialect.fit(trace, tools, 50)
    needed = int("".join(filter(str.isdigit, raised.value.message.split("token")[0])))
    assert tokens_of(dialect.fit(trace, tools, needed)) <= needed
    assert raised.value.reason == "context"


@pytest.mark.parametrize("name", DIALECTS)
def test_a_conversation_gives_way_before_the_question_does(name):
    before = None
    for number in range(6):
        turn = long_run("en", 3)
        turn.question, turn.after = f"Question {number}?", before
        turn.stop(StopReason.ANSWERED, answer=f"Answer {number}. " * 20)
        before = turn
    trace = long_run("en", 2, 4)
    trace.after = before
    dialect, tools = dialect_in(name, "en"), tools_in("en")
    alone = long_run("en", 2, 4)
    least = tokens_of(dialect.render(alone, tools)) + 120
    request = dialect.fit(trace, tools, least)
    assert tokens_of(request) <= least
    assert trace.question in request.prompt
    assert "Answer 5" in request.prompt
    assert "Answer 0" not in request.prompt


def test_a_reply_that_could_not_be_read_is_shortened_too():
    trace = Trace("q")
    for _ in range(8):
        trace.add(ModelCall(Request(()), Completion("nonsense " * 500)))
        trace.add(Failure("ParseError", "No action.", "Write an Action."))
    for name in DIALECTS:
        dialect, tools = dialect_in(name, "en", max_context=None), tools_in("en")
        whole = tokens_of(dialect.render(trace, tools))
        assert tokens_of(dialect.fit(trace, tools, whole - 200)) <= whole - 200


# --- what a policy tells after the tools were used ------------------------------------------------


@pytest.mark.parametrize("name", DIALECTS)
def test_what_is_told_after_tools_were_used_comes_once_and_last(name):
    trace = Trace("q")
    add(trace, "search", {"query": "x"}, "one", "two")
    trace.add(Failure("Looping", "loop", "You repeat yourself."))
    trace.add(Failure("OutOfSteps", "last", "This is your last step."))
    request = dialect_in(name, "en").render(trace, tools_in("en"))
    assert request.prompt.count("You repeat yourself.") == 1
    if name == "tools":
        roles = [message.role for message in request.messages]
        assert roles == ["system", "user", "assistant", "tool", "tool", "user"]
        assert request.messages[-1].content == "You repeat yourself.\nThis is your last step."
    else:
        shown = request.prompt.rstrip().removesuffix("Thought:").rstrip()
        wanted = ["two", "You repeat yourself.", "This is your last step."]
        assert shown.endswith("\n".join(f"Observation: {text}" for text in wanted))


@pytest.mark.parametrize(
    "calls", [(), (ToolCall("search", "{", "c1"), ToolCall("search", "}", "c2"))]
)
def test_a_reply_that_is_told_two_things_is_shown_once(calls):
    trace = Trace("q")
    trace.add(ModelCall(Request(()), Completion("Well.", calls)))
    trace.add(Failure("ParseError", "No action.", "Write an Action."))
    trace.add(Failure("Looping", "loop", "You repeat yourself."))
    messages = dialect_in("tools", "en").render(trace, tools_in("en")).messages[2:]
    told = [(message.role, message.content) for message in messages]
    assert told[0] == ("assistant", "Well.")
    if calls:
        assert told[1:] == [("tool", "Write an Action.")] * 2 + [("user", "You repeat yourself.")]
    else:
        assert told[1:] == [("user", "Write an Action.\nYou repeat yourself.")]
