"""What a model reads from tools, parser and run comes in its agent's language."""

import ast
import asyncio
import re
import time
import tomllib
from pathlib import Path
from typing import Any, Literal

import pytest

from reactlab import (
    ConfigError,
    CoTAgent,
    FlightAgent,
    ModelCall,
    ParseError,
    ReActAgent,
    ScriptedLLM,
    SingleCallAgent,
    Tool,
    ToolCall,
    ToolRegistry,
    Trace,
    builtin_tools,
    flight_tools,
    parse,
    search_tools,
    tool,
)
from reactlab.tools.database import Database
from reactlab.tools.files import Folder
from reactlab.tools.http import HttpClient
from reactlab.types import Completion
from reactlab.wording import TABLE, Wording, each, foreign, join, say, tell

PACKAGE = TABLE.parent.parent
PARTS = tomllib.loads(TABLE.read_text(encoding="utf-8"))
OWN = {en: zh for part, texts in PARTS.items() if part != "others" for en, zh in texts.items()}
SAYING = {"say", "problem"}

# --- the table ------------------------------------------------------------------------------------


def slots(text: str) -> set[str]:
    """The names of a pattern's slots; braces around anything else are plain signs."""
    return set(re.findall(r"\{([a-z]+)(?:![a-z])?(?::[^{}\"]*)?\}", text))


def constants() -> set[str]:
    """Every text that stands in the code of the package."""
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in PACKAGE.rglob("*.py")]
    nodes = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    return {node.value for node in nodes if isinstance(node.value, str)}


def said() -> set[str]:
    """The literal texts that the code says."""
    found = set()
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or "course" in path.parts:
                continue
            first = node.args[0] if node.args else None
            if ast.unparse(node.func) in SAYING and isinstance(first, ast.Constant):
                found.add(first.value)
    return found


@pytest.mark.parametrize("english", [en for part in PARTS.values() for en in part])
def test_a_message_has_chinese_with_the_same_slots(english):
    chinese = {**OWN, **PARTS["others"]}[english]
    assert re.search("[\u4e00-\u9fff]", chinese) or slots(chinese) or not english.strip("; ")
    extra = slots(chinese) - slots(english)
    assert not extra
    if english in OWN:
        assert slots(chinese) == slots(english)


def test_everything_the_code_says_is_in_the_table():
    assert sorted(said() - OWN.keys()) == []


def test_nothing_in_the_table_is_left_that_no_code_says():
    from reactlab.parser import step

    composed = {step.STEP, f"{step.STEP}, or {step.TWO_LINE}"}
    composed |= {f"either {step.TWO_LINE}, or {step.ANSWER}"}
    assert sorted(OWN.keys() - constants() - composed) == []


def test_a_text_of_others_that_is_not_known_stays_as_it_is():
    assert tell(foreign("something new"), "zh") == "something new"
    assert tell(foreign("no such table: t"), "zh") == "没有表 t"
    assert foreign("no such table: t") == "no such table: t"


def test_english_is_the_text_itself_and_a_slot_is_never_filled_twice():
    text = say("{name!r} is missing", name="{fault}")
    assert text == "'{fault}' is missing"
    assert tell(text, "zh") == "缺少参数 '{fault}'"
    assert type(tell(text, None)) is str
    assert tell("plain", "zh") == "plain"


def test_work_and_joining_touch_both_languages():
    text = each(join([say("(1 row)"), "x"], say("; ")), str.upper)
    assert (text, text.zh) == ("(1 ROW); X", "（1 行）；X")
    assert not isinstance(each("a", str.upper), Wording)


# --- real situations ------------------------------------------------------------------------------


def weather(city: str, days: int = 1, scale: Literal["celsius", "kelvin"] = "celsius") -> str:
    """天气。"""
    return f"{city}晴"


def nothing(text: str) -> None:
    """什么都不返回。"""


def empty(text: str) -> str:
    """返回空文本。"""
    return ""


def long(text: str) -> str:
    """返回很长的文本。"""
    return "长" * 9000


async def slow(text: str) -> str:
    """太慢。"""
    await asyncio.sleep(5)
    return text


SHOP = Database.from_sql("CREATE TABLE t(a); INSERT INTO t VALUES (1), (2), (3);", max_rows=2)


def answer_to(name: str, given: Any, tools: Any, **options: Any) -> str:
    """What a Chinese agent's model is shown after a call of one tool."""
    llm = ScriptedLLM([f"行动：{name}[{given}]", "最终答案：好"])
    if not isinstance(given, str):
        call = ToolCall(name, given, "1")
        llm = ScriptedLLM([Completion(calls=(call,)), Completion("好")])
        options["dialect"] = "tools"
    trace = ReActAgent(llm, tools, language="zh", **options).run("问题？")
    [use] = trace.steps[0].uses
    assert use.observation.text in str(prompt_of(trace, 2))
    return use.observation.text


def prompt_of(trace: Trace, number: int) -> str:
    """The last message that the model was sent in a step."""
    [call] = [event for event in trace.steps[number - 1].events if isinstance(event, ModelCall)]
    return str(call.request.messages[-1].content)


LEARNERS = [weather, nothing, empty, long, tool(timeout=0.05)(slow)]
SITUATIONS = {
    "missing": ("weather", {}),
    "fraction": ("weather", {"city": "北京", "days": 1.5}),
    "no number": ("weather", {"city": "北京", "days": "两天"}),
    "list for text": ("weather", {"city": ["北京"]}),
    "true for a number": ("weather", {"city": "北京", "days": True}),
    "unknown": ("weather", {"city": "北京", "units": "C"}),
    "no choice": ("weather", {"city": "北京", "scale": "华氏"}),
    "two faults": ("weather", {"days": "x"}),
    "too many": ("weather", "北京, 1, celsius, 2"),
    "after a name": ("weather", "city=北京, 2"),
    "twice": ("weather", "北京, city=上海"),
    "twice as JSON": ("weather", {"city": "北京", "City": "上海"}),
    "no JSON": ("weather", "JSON:{"),
    "half JSON": ("weather", 'JSON:{"city": "北'),
    "no object": ("weather", "JSON:[1]"),
    "null": ("weather", "JSON:null"),
    "unknown tool": ("Sing", "歌"),
    "near miss": ("wether", "北京"),
    "nothing": ("nothing", "x"),
    "empty": ("empty", "x"),
    "cut": ("long", "x"),
    "timeout": ("slow", "x"),
}


@pytest.mark.parametrize("case", SITUATIONS)
def test_a_learners_function_speaks_chinese_in_a_chinese_agent(case):
    name, given = SITUATIONS[case]
    if isinstance(given, str) and given.startswith("JSON:"):
        text = str(
            ToolRegistry(LEARNERS, language="zh")
            .execute(ToolCall(name, given.removeprefix("JSON:"), "1"))
            .observation
        )
    else:
        text = answer_to(name, given, LEARNERS)
    assert_chinese(text)


CODE = r"""
    \b\w+\([^()]*\) | (?:allowed|private)_hosts=\S+ | https?://\S+ | [\w.\[\]]*\.example\.com
  | \w+=".*?" | await\ arun\(\) | \bsqrt,.*mean | \w+\.(?:txt|bin)
  | "[^"]*" | '[^']*' | `[^`]*` | <[^>]*> | \{[^{}]*\}
"""
KNOWN = {
    "JSON",
    "SQL",
    "SELECT",
    "WITH",
    "WHERE",
    "HTTP",
    "True",
    "null",
    "integer",
    "utf",
    "notes",
}
KNOWN |= {
    "weather",
    "nothing",
    "empty",
    "long",
    "slow",
    "Book",
    "Sing",
    "finish",
    "stop",
    "missing",
}
KNOWN |= {"Search", "Lookup", "Calculator", "QueryDatabase", "ReadFile", "CallAPI", "printf"}


def assert_chinese(text: str) -> None:
    """It holds Chinese, and no English word once names, code and JSON are gone."""
    assert re.search("[\u4e00-\u9fff]", text), text
    rest = re.sub(CODE, "§", text, flags=re.VERBOSE)
    assert set(re.findall(r"[A-Za-z]{3,}", rest)) <= KNOWN, text


BUILTINS = [
    ("Calculator", "2 +"),
    ("Calculator", "1/0"),
    ("Calculator", "9**9**9"),
    ("Calculator", "2x"),
    ("Calculator", "2 & 3"),
    ("Calculator", "sqrt(-1)"),
    ("Calculator", "open(1)"),
    ("Calculator", "1" * 2000),
    ("Calculator", "(" * 300 + "1" + ")" * 300),
    ("Calculator", "10%^2"),
    ("QueryDatabase", "SELECT * FROM missing"),
    ("QueryDatabase", "SELECT nothing FROM t"),
    ("QueryDatabase", "DROP TABLE t"),
    ("QueryDatabase", "SELECT 1; SELECT 2"),
    ("QueryDatabase", "SELECT * FRM t"),
    ("QueryDatabase", "SELECT"),
    ("QueryDatabase", "-- 没有"),
    ("QueryDatabase", "SELECT printf('a')"),
    ("QueryDatabase", "SELECT zeroblob(100000)"),
    ("QueryDatabase", "SELECT " + "(" * 101),
    ("QueryDatabase", "SELECT a FROM t LIMIT 1"),
    ("QueryDatabase", "SELECT a FROM t LIMIT 2"),
    ("QueryDatabase", "SELECT a FROM t"),
    ("QueryDatabase", "SELECT zeroblob(9)"),
    ("QueryDatabase", f"SELECT '{'长' * 300}'"),
    ("ReadFile", "../x"),
    ("ReadFile", "没有.txt"),
    ("ReadFile", "笔记"),
    ("ReadFile", "."),
    ("ReadFile", "空"),
    ("ReadFile", "空.txt"),
    ("ReadFile", "二进制.bin"),
    ("ReadFile", "长.txt"),
    ("ReadFile", "旧.txt"),
    ("ReadFile", "坏.txt"),
    ("CallAPI", "https://api.example.com/path"),
    ("Lookup", "塔"),
    ("Search", "龘靐齉"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    root: Path = tmp_path_factory.mktemp("f")
    (root / "空").mkdir()
    (root / "空.txt").write_bytes(b"")
    (root / "二进制.bin").write_bytes(b"\0\1\2")
    (root / "笔记.txt").write_text("笔记", encoding="utf-8")
    (root / "长.txt").write_text("长" * 99, encoding="utf-8")
    (root / "旧.txt").write_bytes("旧的文字".encode("gb18030"))
    (root / "坏.txt").write_bytes("很多很多很多文字".encode() + b"\xff" + "还有".encode())
    return Folder(root, max_bytes=60)


@pytest.mark.parametrize(("name", "given"), BUILTINS, ids=[f"{n}-{g[:20]}" for n, g in BUILTINS])
def test_a_built_in_tool_speaks_chinese(name, given, folder):
    tools = builtin_tools(database=SHOP, folder=folder, language="zh")
    tools += search_tools(language="zh")[1:]
    by_hand = {each.name: each for each in tools}[name].execute(given)
    assert_chinese(str(by_hand))


HTTP = {
    "not allowed": ("http://other.example.com/", HttpClient(["api.example.com"])),
    "no address": ("ftp://x", HttpClient(["x"])),
    "private": (
        "http://in.example.com/",
        HttpClient(["in.example.com"], resolver=lambda *_: ["10.0.0.1"]),
    ),
    "unknown": ("http://a.example.com/", HttpClient(["a.example.com"], resolver=lambda *_: [])),
    "not found in time": (
        "http://a.example.com/",
        HttpClient(["a.example.com"], seconds=0.02, resolver=lambda *_: time.sleep(1) or []),
    ),
    "not reached": ("http://127.0.0.1:9/", HttpClient(["127.0.0.1"], seconds=2)),
}


@pytest.mark.parametrize("case", HTTP)
def test_a_refused_call_is_told_in_chinese_and_hides_secrets_there_too(case):
    address, client = HTTP[case]
    text = str(builtin_tools(hosts=client, language="zh")[4].execute(endpoint=address))
    assert_chinese(text)


def test_a_secret_is_hidden_in_chinese_as_well():
    client = HttpClient(["api.example.com"], headers={"Authorization": "Bearer geheim99"})
    call = builtin_tools(hosts=client, language="zh")[4]
    text = str(call.execute(endpoint="https://geheim99.example.com/"))
    assert "geheim99" not in text
    assert_chinese(text)


FLIGHTS = [
    ("SearchBooking", "X9"),
    ("CheckFlightStatus", "XX1, 2026-07-16"),
    ("SearchAlternatives", "上海, 巴黎"),
    ("RescheduleFlight", "X9, XX1"),
]


@pytest.mark.parametrize(("name", "given"), FLIGHTS)
def test_the_flight_desk_speaks_chinese(name, given):
    text = {each.name: each for each in flight_tools(language="zh")}[name].execute(given)
    assert_chinese(str(text))


def test_a_flight_that_cannot_be_chosen_is_told_with_those_that_can():
    desk = FlightAgent(language="zh").desk
    order = desk._rows("SELECT order_id FROM bookings")[0]["order_id"]
    text = str(flight_tools(desk, language="zh")[3].execute(f"{order}, XX1"))
    assert "请从这些航班中选择" in text
    assert_chinese(text)


# --- run and replies ------------------------------------------------------------------------------


def test_a_refusal_is_told_in_chinese():
    book = Tool("Book", "预订。", lambda text: "ok", effects=True)
    llm = ScriptedLLM(["行动：Book[一张票]", "最终答案：不行"])
    trace = ReActAgent(llm, [book], language="zh").run("？")
    assert_chinese(trace.steps[0].uses[0].observation.text)
    assert trace.stop_reason == "denied"


def test_an_interrupted_change_is_told_in_chinese():
    def stop(text: str) -> str:
        raise KeyboardInterrupt

    trace = Trace("？")
    agent = ReActAgent(
        ScriptedLLM(["行动：Book[票]"]),
        [Tool("Book", "预订。", stop, effects=True)],
        language="zh",
        approve="always",
    )
    with pytest.raises(KeyboardInterrupt):
        agent.run("？", trace=trace)
    assert_chinese(trace.steps[0].uses[0].observation.text)


UNREADABLE = [
    "我想想看。",
    "思考：好\n观察：结果",
    "行动：",
    "行动：weather",
    "行动：weather[北京",
    "行动输入：北京",
    "行动：weather[北京]\n行动输入：上海",
    '行动：{"action": "weather", "action_input":',
    "行动：{'a' 'b'}",
    '行动：{"x": 1}',
    "最终答案：",
    "行动：我，你，他[北京]",
    "<tool>weather</tool>",
    '<invoke name="weather"><parameter name="city">北京',
    '<invoke name="weather">北京</invoke>',
    '行动：weather[{"city": "北京"',
    "",
]


@pytest.mark.parametrize("reply", UNREADABLE[:-1])
def test_an_unreadable_reply_is_answered_in_chinese(reply):
    llm = ScriptedLLM([reply, "最终答案：好"])
    trace = ReActAgent(llm, [weather], language="zh").run("？")
    [failure] = trace.steps[0].told
    assert_chinese(failure.tell)
    assert_chinese(failure.message)
    assert failure.tell in prompt_of(trace, 2)
    assert "这一行：" in failure.message
    assert "请写成" in failure.message
    with pytest.raises(ParseError, match=re.escape(failure.message)):
        parse(reply, ["weather"], language="zh")
    with pytest.raises(ParseError, match=r" Line: .* Write "):
        parse(reply, ["weather"])


CUT = {
    "bracket": Completion("行动：weather\n行动输入：北京", finish="length"),
    "tools": Completion("", (ToolCall("weather", '{"city": "北', "1"),), finish="length"),
}


@pytest.mark.parametrize("dialect", CUT)
def test_a_reply_that_was_cut_off_is_answered_in_chinese(dialect):
    llm = ScriptedLLM([CUT[dialect], "最终答案：好"])
    trace = ReActAgent(llm, [weather], language="zh", dialect=dialect).run("？")
    [failure] = trace.steps[0].told
    assert_chinese(failure.tell)


@pytest.mark.parametrize(
    "agent",
    [
        ReActAgent(ScriptedLLM(["行动：weather[北京]"] * 2), [weather], 2, language="zh"),
        SingleCallAgent(ScriptedLLM(["行动：weather[北京]"] * 2), [weather], language="zh"),
        ReActAgent(ScriptedLLM(["", ""]), [weather], 2, language="zh"),
    ],
    ids=["max_steps", "single", "empty"],
)
def test_why_a_run_ended_is_said_in_chinese(agent):
    assert_chinese(agent.run("？").detail)


# --- where the language comes from ----------------------------------------------------------------

BAD = ToolCall("weather", {"days": 1})


def test_english_stays_what_it_was():
    told = "weather: 'city' is missing. Call it as weather(city: string, days?: integer, scale?: "
    for registry in (ToolRegistry([weather]), ToolRegistry([weather], language="en")):
        assert str(registry.execute(BAD).observation).startswith(told)
    assert str(tool(weather).execute(days=1)).startswith(told)
    trace = ReActAgent(ScriptedLLM(["Action: weather[]", "Final Answer: x"]), [weather]).run("?")
    assert trace.steps[0].uses[0].observation.text.startswith(told)


def test_a_tools_own_language_comes_first():
    english, chinese = (tool(language=name)(weather) for name in ("en", "zh"))
    assert "is missing" in str(ToolRegistry([english], language="zh").execute(BAD).observation)
    assert "缺少" in str(ToolRegistry([chinese], language="en").execute(BAD).observation)
    assert "缺少" in str(chinese.execute(days=1))


def test_a_registry_that_is_given_to_a_chinese_agent_is_shared_and_stays_english_itself():
    registry = ToolRegistry([weather])
    agent = ReActAgent(ScriptedLLM(["x"]), registry, language="zh")
    before = agent.tools.to_prompt()
    registry.register(nothing)
    assert "nothing" in agent.tools
    assert agent.tools.to_prompt() != before
    assert "缺少" in str(agent.tools.execute(BAD).observation)
    assert "is missing" in str(registry.execute(BAD).observation)


def test_an_unknown_language_is_refused():
    with pytest.raises(ConfigError, match="choose en or zh"):
        ToolRegistry(language="fr")
    with pytest.raises(ConfigError, match="choose en or zh"):
        tool(language="fr")(weather)


def test_what_an_async_agent_reads_is_chinese_as_well():
    llm = ScriptedLLM(["行动：weather[]", "行动：Sing[歌]", "最终答案：好"])
    trace = asyncio.run(ReActAgent(llm, [weather], language="zh").arun("？"))
    for step in trace.steps[:2]:
        assert_chinese(step.uses[0].observation.text)


def test_a_chain_of_thought_that_wants_a_tool_is_refused_in_chinese():
    agent = CoTAgent(ScriptedLLM(["行动：weather[北京]"]), language="zh")
    told = agent.run("？").steps[0].told
    assert_chinese(told[0].message)
