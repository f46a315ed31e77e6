"""A registry: names, texts for prompts, schemas for the API, and calls that never raise."""

from __future__ import annotations

import asyncio
import json
import re
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from reactlab.errors import ToolDefinitionError
from reactlab.tools import Tool, ToolRegistry, tool
from reactlab.types import ToolCall

LEGAL = re.compile(r"[a-zA-Z0-9_-]{1,64}")


def search(query: str) -> str:
    """Find a page."""
    return f"found {query}"


def label(label: str, n: int) -> str:
    """Print a label."""
    return f"{label} x {n}"


def status() -> str:
    """Say how it is."""
    return "fine"


def named(*names: str) -> ToolRegistry:
    return ToolRegistry(
        [Tool(name, f"about {name}", lambda q, n=name: f"{n}:{q}") for name in names]
    )


TOOLS = ToolRegistry([search, label, status])


class Counter:
    """What two tools remember together within a run."""

    def __init__(self) -> None:
        self.value = 0

    def add(self, amount: int) -> int:
        """Add to the count."""
        self.value += amount
        return self.value

    def show(self) -> int:
        """Show the count."""
        return self.value


def counting() -> ToolRegistry:
    def make() -> Counter:
        return Counter()

    return ToolRegistry(
        [
            Tool("Add", "Adds", Counter.add, per_run=make),
            Tool("Show", "Shows", Counter.show, per_run=make),
            status,
        ]
    )


def run(registry: ToolRegistry, name: str, arguments: Any = "", call_id: str = "") -> str:
    return str(registry.execute(ToolCall(name, arguments, call_id)).observation)


# --- registering --------------------------------------------------------------------------------


def test_a_registry_takes_tools_functions_and_mappings() -> None:
    made = ToolRegistry([Tool("Find", "d", search), status])
    assert made.names == ("Find", "status")
    assert list(made.tools) == ["Find", "status"]
    assert made.tools["Find"].func is search
    mapping: dict[str, Any] = {"Find": search, "Ask": lambda q: q, "Say": tool(status)}
    by_key = ToolRegistry(mapping)
    assert by_key.names == ("Find", "Ask", "Say")
    assert (len(made), "Find" in made, "other" in made, 3 in made) == (2, True, False, False)
    assert [one.name for one in made] == ["Find", "status"]


def test_of_keeps_a_registry_and_wraps_everything_else() -> None:
    assert ToolRegistry.of(TOOLS) is TOOLS
    assert ToolRegistry.of(None).names == ()
    assert ToolRegistry.of([search]).names == ("search",)
    assert ToolRegistry.of(one for one in (search, status)).names == ("search", "status")
    assert ToolRegistry.of({"Find": search}).names == ("Find",)
    assert ToolRegistry.of(search).names == ("search",)
    assert ToolRegistry.of(Tool("Find", "d", search)).names == ("Find",)


def test_the_same_name_registered_again_replaces() -> None:
    made = ToolRegistry([search, status])
    made.to_prompt()
    made.to_openai_schema()
    again = made.register(Tool("search", "Better", lambda query: "new"))
    assert made.get("search") is again
    assert made.names == ("search", "status")
    assert run(made, "search", "x") == "new"
    assert "Better" in made.to_prompt()
    assert "Better" in json.dumps(made.to_openai_schema())


def test_register_is_a_decorator_too() -> None:
    made = ToolRegistry()

    @made.register
    def greet(name: str) -> str:
        return f"hi {name}"

    assert isinstance(greet, Tool)
    assert run(made, "greet", "Ada") == "hi Ada"


@pytest.mark.parametrize(
    ("one", "other"),
    [("Web-Search", "web_search"), ("Get Time", "getTime"), ("查询", "「查询」"), ("A", "a")],
)
def test_two_names_that_become_equal_once_cleaned_are_an_error(one: str, other: str) -> None:
    with pytest.raises(ToolDefinitionError, match=f"{one}.*{other}"):
        named(one, other)


@pytest.mark.parametrize("name", ["a[b]", "f(x)", "a\nb", "a\u2028b", "", "   ", "【查】", "<x>"])
def test_names_with_brackets_or_line_breaks_or_nothing_are_an_error(name: str) -> None:
    with pytest.raises(ToolDefinitionError):
        named(name)


@pytest.mark.parametrize("thing", ["search", 3, {"type": "function"}])
def test_what_is_no_tool_is_an_error(thing: Any) -> None:
    with pytest.raises(ToolDefinitionError, match="neither a Tool nor a function"):
        ToolRegistry([thing])


# --- described ----------------------------------------------------------------------------------


def test_a_prompt_has_a_line_per_tool_and_an_indented_one_for_parameters() -> None:
    def forecast(city: str, days: int = 3, unit: str | None = None, ids: list[int] = []) -> str:  # noqa: B006
        return city

    made = ToolRegistry([Tool("Forecast", "Says the\n  weather.\n\nFor days.", forecast), status])
    assert made.to_prompt() == (
        "- Forecast: Says the weather. For days.\n"
        "  Parameters: city: string, days: integer (optional), unit: string (optional), "
        "ids: array of integer (optional)\n"
        "- status: Say how it is."
    )


def test_the_chinese_prompt_names_parameters_in_chinese() -> None:
    made = ToolRegistry([Tool("搜索", "查找页面", lambda 关键词, 数量=1: 关键词)])
    assert made.to_prompt("zh") == "- 搜索: 查找页面\n  参数: 关键词: string, 数量: string（可选）"


def test_no_tools_make_an_empty_prompt_and_no_schemas() -> None:
    assert ToolRegistry().to_prompt() == ""
    assert ToolRegistry().to_openai_schema() == []


def test_braces_and_percents_in_a_description_stay_as_they_are() -> None:
    made = ToolRegistry([Tool("T", "Use {query} or 100% of $x", search)])
    assert "{query} or 100% of $x" in made.to_prompt()


@pytest.mark.parametrize("odd", ["find it?", "поиск", "搜索", "x" * 65, "Wiki Reader", "é"])
def test_a_name_that_the_api_would_refuse_gets_an_alias_that_maps_back(odd: str) -> None:
    made = named("Search", odd)
    alias = made.to_openai_schema()[1]["function"]["name"]
    assert LEGAL.fullmatch(alias)
    assert run(made, alias, "x") == f"{odd}:x"
    assert run(made, odd, "x") == f"{odd}:x"
    assert made.names == ("Search", odd)
    assert odd in made.to_openai_schema()[1]["function"]["description"]


def test_every_tool_has_its_own_legal_name_in_the_schema() -> None:
    made = named("sql", "查询SQL", "删除SQL", "S?QL", "工具", "搜索", "x" * 70, "x" * 71)
    sent = [schema["function"]["name"] for schema in made.to_openai_schema()]
    assert len(set(sent)) == len(made)
    assert all(LEGAL.fullmatch(name) for name in sent)
    assert [made.get(name) for name in sent] == list(made)


def test_legal_names_are_sent_as_they_are() -> None:
    assert [s["function"]["name"] for s in TOOLS.to_openai_schema()] == [
        "search",
        "label",
        "status",
    ]


# --- called -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["search", "Search", "SEARCH ", "`search`", "se_arch", "se-arch"])
def test_a_name_that_is_equal_once_cleaned_is_that_tool(name: str) -> None:
    assert run(TOOLS, name, "x") == "found x"


@pytest.mark.parametrize(
    "name", ["serch", "searches", "lookup", "", "s", "[" * 1000, "x" * 1_000_000]
)
def test_any_other_name_runs_nothing_and_lists_the_tools(name: str) -> None:
    ran: list[str] = []
    made = ToolRegistry(
        [
            Tool("search", "d", lambda q: ran.append(q)),
            Tool("calculator", "d", lambda e: ran.append(e)),
        ]
    )
    result = made.execute(ToolCall(name, "x"))
    assert result.observation.error == "unknown_tool"
    assert "search, calculator" in result.observation.text
    assert len(result.observation.text) < 1000
    assert ran == []


def test_a_near_miss_gets_a_suggestion_and_a_far_one_none() -> None:
    assert "Did you mean search?" in run(TOOLS, "serch", "x")
    assert "Did you mean" not in run(TOOLS, "weather_forecast", "x")
    assert "No tool is registered" in run(ToolRegistry(), "search", "x")


@pytest.mark.parametrize("name", ["RemoveOrder", "CreateOrder", "UpdateOrder", "DeleteUser"])
def test_a_tool_that_does_something_else_is_not_suggested(name: str) -> None:
    made = ToolRegistry([Tool("DeleteOrder", "d", lambda order: order)])
    assert "Did you mean" not in run(made, name, "7")
    assert "Did you mean DeleteOrder?" in run(made, "DeleteOrders", "7")


@pytest.mark.parametrize(
    "arguments", ["null", "[]", '"x"', "5", "true", "a" * 1_000_000, [], 5, True]
)
def test_json_that_is_no_object_gets_a_short_error_naming_the_tool(arguments: Any) -> None:
    result = TOOLS.execute(ToolCall("search", arguments, "call_1"))
    assert result.observation.error == "bad_arguments"
    assert "search" in result.observation.text
    assert "object is expected" in result.observation.text
    assert len(result.observation.text) < 1000


def test_broken_json_is_told_with_the_place() -> None:
    text = run(TOOLS, "search", '{"query": "Ber', "call_1")
    assert "could not be read" in text
    assert "line 1 column 11" in text


@pytest.mark.parametrize("arguments", ["", "  ", None, "{}", {}, "null", '""'])
@pytest.mark.parametrize("call_id", ["", "call_1"])
def test_empty_arguments_run_a_tool_without_parameters_once(arguments: Any, call_id: str) -> None:
    ran: list[int] = []

    def now() -> str:
        ran.append(1)
        return "noon"

    made = ToolRegistry([Tool("Now", "d", now)])
    call = ToolCall("Now", arguments, call_id)
    assert str(made.execute(call).observation) == "noon"
    assert str(asyncio.run(made.aexecute(call)).observation) == "noon"
    assert len(ran) == 2


def test_doubly_encoded_arguments_are_decoded() -> None:
    twice = json.dumps(json.dumps({"label": "甲店", "n": 2}))
    for call_id in ("", "call_1"):
        result = TOOLS.execute(ToolCall("label", twice, call_id))
        assert result.observation.text == "甲店 x 2"
        assert result.arguments == {"label": "甲店", "n": 2}


def test_a_mapping_is_used_as_it_is_and_none_is_no_arguments() -> None:
    assert run(TOOLS, "search", {"query": "Oslo"}, "call_1") == "found Oslo"
    assert run(TOOLS, "status", None, "call_1") == "fine"


def test_text_of_a_text_dialect_is_bound_by_signature() -> None:
    assert TOOLS.execute(ToolCall("label", "甲店，2")).arguments == {"label": "甲店", "n": 2}
    assert run(TOOLS, "search", "Paris, Texas") == "found Paris, Texas"


def test_one_failing_call_does_not_touch_the_next() -> None:
    def fail() -> None:
        raise ValueError("no")

    made = ToolRegistry([fail, status])
    assert [run(made, "fail"), run(made, "status")] == ["ValueError: no", "fine"]


def test_an_interrupt_reaches_the_caller_and_the_next_call_succeeds() -> None:
    def stop() -> None:
        raise KeyboardInterrupt

    made = ToolRegistry([stop, status])
    with pytest.raises(KeyboardInterrupt):
        made.execute(ToolCall("stop"))
    with pytest.raises(KeyboardInterrupt):
        asyncio.run(made.aexecute(ToolCall("stop")))
    assert run(made, "status") == "fine"


def test_blocking_and_awaited_calls_agree() -> None:
    async def fetch(page: str) -> str:
        await asyncio.sleep(0)
        return page

    made = ToolRegistry([fetch, search, status])
    for call in (
        ToolCall("fetch", "x"),
        ToolCall("search", "x"),
        ToolCall("fetch", {"wrong": 1}, "1"),
        ToolCall("nothing", "x"),
    ):
        assert made.execute(call) == asyncio.run(made.aexecute(call))


def test_sixty_four_threads_may_execute_at_once() -> None:
    ready = threading.Barrier(64)

    def ask(number: int) -> str:
        ready.wait()
        return run(TOOLS, "label", f"n{number}, {number}")

    with ThreadPoolExecutor(64) as pool:
        answers = list(pool.map(ask, range(64)))
    assert answers == [f"n{number} x {number}" for number in range(64)]


# --- what tools remember within a run -----------------------------------------------------------


def test_a_registry_without_state_is_its_own_for_every_run() -> None:
    assert TOOLS.for_run() is TOOLS


def test_every_run_begins_with_fresh_state_that_its_tools_share() -> None:
    made = counting()
    first, second = made.for_run(), made.for_run()
    assert run(first, "Add", "2") == "2"
    assert run(first, "Add", {"amount": 3}, "c") == "5"
    assert run(first, "Show") == "5"
    assert run(second, "Show") == "0"
    assert run(made.for_run(), "Show") == "0"
    assert first.to_openai_schema() == made.to_openai_schema()
    assert (first.names, first.to_prompt()) == (made.names, made.to_prompt())


def test_the_state_is_no_parameter_that_a_model_sees() -> None:
    made = counting()
    assert "self" not in json.dumps(made.to_openai_schema())
    assert "amount: integer" in made.to_prompt()


def test_tools_used_by_hand_share_one_state_that_no_run_sees() -> None:
    made = counting()
    add, show = made.tools["Add"], made.tools["Show"]
    add.execute("2")
    assert str(show.execute()) == "2"
    assert run(made, "Show") == "2"
    assert run(made.for_run(), "Show") == "0"
    assert str(counting().tools["Show"].execute()) == "0"
