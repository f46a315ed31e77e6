"""A tool: schema from a signature, checked arguments, and whatever comes back as text."""

from __future__ import annotations

import asyncio
import contextvars
import dataclasses
import datetime
import enum
import functools
import json
import pickle
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from typing import Annotated, Any, Literal, Optional

import pydantic
import pytest

from reactlab.errors import ToolDefinitionError, ToolError, ToolUnavailable
from reactlab.tools import Tool, tool
from reactlab.types import Observation


def echo(**given: object) -> object:
    return given


def weather(city: str, days: int = 3) -> str:
    """Forecast for a city.

    Args:
        city: where, as people
            call it
        days (int): how many days
    """
    return f"{city} {days}"


WEATHER = tool(weather)


class Unit(enum.Enum):
    CELSIUS = "c"
    FAHRENHEIT = "f"


class Place(pydantic.BaseModel):
    name: str
    height: int = 0


class Lazy:
    """Equality gives a list, as arrays do."""

    def __eq__(self, other: object) -> list[bool]:  # type: ignore[override]
        return [True, False]

    __hash__ = None  # type: ignore[assignment]


def properties(made: Tool) -> dict[str, Any]:
    return made.to_schema()["function"]["parameters"]["properties"]  # type: ignore[no-any-return]


def required(made: Tool) -> list[str]:
    return made.to_schema()["function"]["parameters"]["required"]  # type: ignore[no-any-return]


# --- the schema ---------------------------------------------------------------------------------


def test_a_schema_has_the_openai_function_format_and_makes_no_strict_claim() -> None:
    schema = WEATHER.to_schema()
    assert schema == {
        "type": "function",
        "function": {
            "name": "weather",
            "description": "Forecast for a city.",
            "parameters": {
                "type": "object",
                "properties": {
                    "city": {"type": "string", "description": "where, as people call it"},
                    "days": {"type": "integer", "description": "how many days", "default": 3},
                },
                "required": ["city"],
            },
        },
    }
    assert "strict" not in json.dumps(schema)


def test_changing_a_returned_schema_does_not_change_the_tool() -> None:
    WEATHER.to_schema()["function"]["parameters"]["properties"].clear()
    assert set(properties(WEATHER)) == {"city", "days"}


def test_the_parameters_of_an_unannotated_lambda_are_strings() -> None:
    made = Tool("Join", "d", lambda a, b: a + b)
    assert properties(made) == {"a": {"type": "string"}, "b": {"type": "string"}}
    assert required(made) == ["a", "b"]
    assert str(made.execute("x, y")) == "xy"


def test_a_tool_without_parameters_still_has_a_schema() -> None:
    made = Tool("Now", "d", lambda: "noon")
    assert made.parameters == {"type": "object", "properties": {}, "required": []}


def test_the_self_of_a_bound_method_is_no_parameter() -> None:
    class Shop:
        def price(self, item: str) -> str:
            return f"{item}: 3"

    made = Tool("Price", "d", Shop().price)
    assert list(properties(made)) == ["item"]
    assert str(made.execute(item="tea")) == "tea: 3"


def test_a_missing_required_list_comes_from_the_signature() -> None:
    given = {"type": "object", "properties": {"city": {"type": "string"}, "days": {}}}
    assert required(Tool("W", "d", weather, given)) == ["city"]
    assert required(Tool("W", "d", weather, {**given, "required": ["city", "days"]})) == [
        "city",
        "days",
    ]
    assert "required" not in given


@pytest.mark.parametrize("empty", [None, {}])
def test_an_absent_or_empty_schema_is_derived(empty: dict[str, Any] | None) -> None:
    assert Tool("W", "d", weather, empty).parameters == WEATHER.parameters


def test_bare_properties_are_understood_as_a_schema() -> None:
    made = Tool("W", "d", weather, {"city": {"type": "string"}})
    assert made.parameters == {
        "type": "object",
        "properties": {"city": {"type": "string"}},
        "required": ["city"],
    }


@pytest.mark.parametrize(
    "given",
    [
        "city",
        {"type": "array"},
        {"type": "object", "properties": {"city": "string"}},
        {"type": "object", "properties": {"town": {"type": "string"}}},
        {"type": "object", "properties": {"days": {"type": "integer"}}},
    ],
)
def test_a_schema_that_does_not_fit_the_function_is_refused(given: Any) -> None:
    with pytest.raises(ToolDefinitionError):
        Tool("W", "d", weather, given)


def test_ordinary_type_hints_give_valid_schemas() -> None:
    def f(
        a: Optional[str] = None,  # noqa: UP045
        b: int | str = 0,
        c: Literal["a", "b"] = "a",
        d: list[int] = [],  # noqa: B006
        e: dict[str, float] = {},  # noqa: B006
        g: Unit = Unit.CELSIUS,
        h: Place | None = None,
        i: Any = Lazy(),  # noqa: B008
        j: Annotated[int, pydantic.Field(ge=1)] = 1,
        k: Annotated[str, "a word"] = "",
    ) -> str:
        return ""

    made = Tool("F", "d", f)
    found = properties(made)
    assert required(made) == []
    assert found["a"]["anyOf"] == [{"type": "string"}, {"type": "null"}]
    assert {"type": "integer"} in found["b"]["anyOf"]
    assert {"type": "string"} in found["b"]["anyOf"]
    assert found["c"]["enum"] == ["a", "b"]
    assert found["d"] == {"type": "array", "items": {"type": "integer"}}
    assert found["e"]["additionalProperties"] == {"type": "number"}
    assert found["j"]["minimum"] == 1
    assert found["k"] == {"type": "string", "description": "a word", "default": ""}
    definitions = (made.parameters or {})["$defs"]
    assert definitions["Unit"]["enum"] == ["c", "f"]
    assert definitions["Place"]["properties"]["height"] == {"type": "integer", "default": 0}
    json.dumps(made.to_schema(), allow_nan=False)
    assert made.execute().error == ""


def test_variadic_parameters_are_left_out_and_a_plain_one_called_args_is_kept() -> None:
    def g(n: int, *rest: int, **more: int) -> str:
        return f"{n} {rest} {more}"

    def h(args: str, kwargs: str) -> str:
        return args + kwargs

    assert list(properties(Tool("G", "d", g))) == ["n"]
    assert required(Tool("G", "d", g)) == ["n"]
    assert str(Tool("G", "d", g).execute(n=1)) == "1 () {}"
    assert str(Tool("G", "d", g).execute("1")) == "1 () {}"
    assert list(properties(Tool("H", "d", h))) == ["args", "kwargs"]


def test_types_that_no_model_can_send_are_taken_as_they_are() -> None:
    def f(action: Callable[[], str], lock: Lazy, n: int = 1) -> str:
        return f"{action()}{n}"

    made = Tool("F", "d", f)
    assert properties(made)["action"] == {}
    assert str(made.execute(action=lambda: "ok", lock=Lazy())) == "ok1"


def test_annotations_written_as_text_are_found_where_the_tool_is_made() -> None:
    class Size(enum.Enum):
        BIG = "big"

    def f(size: Size, missing: NoSuchType = 1) -> str:  # type: ignore[name-defined]  # noqa: F821
        return size.name

    made = Tool("F", "d", f)
    assert "big" in json.dumps(made.parameters)
    assert properties(made)["missing"] == {"default": 1}
    assert str(made.execute("big")) == "BIG"


def test_a_function_without_a_readable_signature_needs_a_schema() -> None:
    with pytest.raises(ToolDefinitionError, match="parameters="):
        Tool("Int", "d", int)
    given = {"type": "object", "properties": {"x": {"type": "string"}}, "required": ["x"]}
    assert Tool("Get", "d", dict, given).execute(x="1").error == ""


# --- what can be a tool -------------------------------------------------------------------------


def test_the_decorator_works_plain_and_with_options() -> None:
    @tool
    def add(a: int, b: int) -> int:
        """Add two numbers."""
        return a + b

    @tool(name="Rebook", description="Change it", effects=True, timeout=2, max_chars=100)
    def change(flight_id: str) -> str:
        return flight_id

    assert (add.name, add.description, str(add.execute(a=1, b=2))) == (
        "add",
        "Add two numbers.",
        "3",
    )
    assert add(1, b=2) == 3
    assert (change.name, change.description) == ("Rebook", "Change it")
    assert (change.effects, change.timeout, change.max_chars) == (True, 2, 100)


def test_a_function_without_docstring_is_described_by_its_name() -> None:
    def book_flight(flight_id: str) -> str:
        return flight_id

    assert tool(book_flight).description == "book flight"


@pytest.mark.parametrize(
    "doc",
    [
        """Find it.

        :param str city: the place
        :param int days: how
            long
        :returns: text
        """,
        """Find it.

        Parameters
        ----------
        city : str
            the place
        days : int, optional
            how
            long

        Returns
        -------
        str
            text
        """,
        """Find it.

        Arguments:
            city: the place
            days (int, optional): how long

        Returns:
            text: more
        """,
        """Find it.

        参数：
            city：the place
            days：how long
        """,
    ],
)
def test_parameter_texts_are_read_from_the_usual_docstrings(doc: str) -> None:
    def f(city: str, days: int = 1) -> str:
        return city

    f.__doc__ = doc
    made = tool(f)
    assert made.description == "Find it."
    assert [part["description"] for part in properties(made).values()] == ["the place", "how long"]


def test_partials_callable_objects_and_builtins_become_tools() -> None:
    class Greeter:
        """Greets people."""

        def __call__(self, name: str) -> str:
            return f"hi {name}"

    assert tool(Greeter()).name == "Greeter"
    assert str(tool(Greeter()).execute("Ada")) == "hi Ada"
    assert str(tool(functools.partial(weather, days=9)).execute(city="Oslo")) == "Oslo 9"
    assert str(Tool("Shout", "d", str.upper).execute("hey")) == "HEY"


@pytest.mark.parametrize(
    "make",
    [
        lambda: Tool("T", "d", "not a function"),  # type: ignore[arg-type]
        lambda: Tool("T", weather, "d"),  # type: ignore[arg-type]
        lambda: Tool(3, "d", weather),  # type: ignore[arg-type]
        lambda: Tool("T", "d", weather, timeout=0),
        lambda: Tool("T", "d", weather, max_chars=0),
        lambda: Tool("T", "d", weather, per_run=dict, effects=True),
        lambda: tool(lambda q: q),
        lambda: tool("search")(weather),  # type: ignore[call-overload]
    ],
)
def test_a_tool_that_cannot_be_built_says_so(make: Callable[[], Tool]) -> None:
    with pytest.raises(ToolDefinitionError):
        make()


def test_a_tool_is_frozen_can_be_changed_by_replace_and_survives_pickling() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        WEATHER.name = "other"  # type: ignore[misc]
    renamed = dataclasses.replace(Tool("T", "d", _unit), name="U")
    assert (renamed.name, str(renamed.execute("f"))) == ("U", "FAHRENHEIT")
    copied = pickle.loads(pickle.dumps(renamed))
    assert (str(copied.execute("c")), copied.parameters) == ("CELSIUS", renamed.parameters)


def _unit(unit: Unit) -> str:
    return unit.name


# --- arguments ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "city", "days"),
    [
        ("Oslo", "Oslo", 3),
        ("Oslo, 5", "Oslo", 5),
        ("Oslo，5", "Oslo", 5),
        ('"Paris, Texas", 2', "Paris, Texas", 2),
        ("'Paris, Texas',2", "Paris, Texas", 2),
        ("“巴黎，得克萨斯”，2", "巴黎，得克萨斯", 2),
        ("Oslo (Norway, north), 2", "Oslo (Norway, north)", 2),
        ("city=Oslo, days=2", "Oslo", 2),
        ("days: 2, city: Oslo", "Oslo", 2),
        ('city = "Paris, Texas", days = 2', "Paris, Texas", 2),
        ("Oslo, days=2", "Oslo", 2),
        ("city：奥斯陆，days：2", "奥斯陆", 2),
        ("city: Paris, Texas\ndays: 2", "Paris, Texas", 2),
        ('{"city": "Oslo", "days": 2}', "Oslo", 2),
        ("{'city': 'Oslo', 'days': 2}", "Oslo", 2),
        ("{“city”：“奥斯陆”，“days”：2}", "奥斯陆", 2),
        ('"{\\"city\\": \\"Oslo\\"}"', "Oslo", 3),
        ('{"City": "Oslo", "Days": "2"}', "Oslo", 2),
        ("L'Aquila's, 2", "L'Aquila's", 2),
        (":-( , 2", ":-(", 2),
        ("12:30, 2", "12:30", 2),
        ("  Oslo ,  2.0 ", "Oslo", 2),
        ("Oslo,", "Oslo", 3),
    ],
)
def test_positional_text_is_bound_to_parameters_by_signature(
    text: str, city: str, days: int
) -> None:
    assert WEATHER.run(text).observation == Observation(f"{city} {days}")


@pytest.mark.parametrize(
    ("text", "got"),
    [
        ("Paris, Texas", "Paris, Texas"),
        ('"Paris, Texas"', "Paris, Texas"),
        ("'Paris'", "Paris"),
        ("「巴黎」", "巴黎"),
        ('"a" and "b"', '"a" and "b"'),
        ('say "hi"', 'say "hi"'),
        ("{tide height at Faro}", "{tide height at Faro}"),
        ('{"other": 1}', '{"other": 1}'),
        ('{"text": "x, y"}', "x, y"),
        ("text: x, y", "x, y"),
        ('text="x"', "x"),
        ("http://[::1]:8080/a?b[]=1&c=2", "http://[::1]:8080/a?b[]=1&c=2"),
        ("SELECT a FROM t WHERE x = 'O''Brien'", "SELECT a FROM t WHERE x = 'O''Brien'"),
        (r'"C:\temp\new"', r"C:\temp\new"),
        ('"say \\"hi\\""', 'say "hi"'),
        ("12345", "12345"),
        ("null", "null"),
        ("    if x:\n        y()", "    if x:\n        y()"),
        ("text = 1\nprint(text)", "text = 1\nprint(text)"),
        (" x ", "x"),
    ],
)
def test_a_tool_with_one_text_parameter_gets_the_whole_text(text: str, got: str) -> None:
    assert Tool("T", "d", lambda text: text).run(text).arguments == {"text": got}


@pytest.mark.parametrize(
    ("hint", "text", "value"),
    [
        (int, "5", 5),
        (int, '"5"', 5),
        (int, "5.0", 5),
        (float, "2", 2.0),
        (bool, "true", True),
        (bool, "No", False),
        (list[int], "1, 2, 3", [1, 2, 3]),
        (list[int], "[1, 2, 3]", [1, 2, 3]),
        (list[str], "a, 'b, c'", ["a", "b, c"]),
        (list[str], "['a', 'b']", ["a", "b"]),
        (list[str], "007", ["007"]),
        (dict[str, int], '{"a": 1}', {"a": 1}),
        (dict[str, int], "{'a': 1}", {"a": 1}),
        (Optional[int], "None", None),  # noqa: UP045
        (Optional[str], "null", None),  # noqa: UP045
        (int | str, "5", 5),
        (int | str, "five", "five"),
        (Literal["a", "b"], "b", "b"),
        (Literal[1, 2], "2", 2),
    ],
)
def test_text_becomes_the_type_that_the_parameter_has(hint: Any, text: str, value: object) -> None:
    def f(x: object) -> str:
        return repr(x)

    f.__annotations__["x"] = hint
    assert Tool("T", "d", f).run(text).observation == Observation(repr(value))


def test_values_of_a_richer_type_reach_the_function_and_the_trace_gets_json() -> None:
    def f(day: datetime.date, unit: Unit, place: Place, more: list[Unit]) -> str:
        return f"{day.year} {unit.name} {place.height} {more[0].name}"

    given = {"day": "2026-07-17", "unit": "c", "place": {"name": "x", "height": "9"}, "more": ["f"]}
    result = Tool("T", "d", f).run(given)
    assert str(result.observation) == "2026 CELSIUS 9 FAHRENHEIT"
    assert result.arguments == {**given, "place": {"name": "x", "height": 9}}
    json.dumps(dict(result.arguments))


def test_json_inside_a_string_is_read_where_a_list_or_object_is_wanted() -> None:
    def f(ids: list[int]) -> str:
        return repr(ids)

    assert str(Tool("T", "d", f).execute(ids="[1, 2]")) == "[1, 2]"


def test_numbers_are_taken_for_text_and_null_for_the_default() -> None:
    assert WEATHER.run({"city": 12345, "days": None}).arguments == {"city": "12345"}


@pytest.mark.parametrize(
    "given",
    [
        {"city": "Oslo", "days": "soon"},
        {"city": "Oslo", "days": 2.5},
        {"city": "Oslo", "days": True},
        {"city": "Oslo", "days": [1]},
        {"city": "Oslo", "days": "nan"},
        "Oslo, soon",
    ],
)
def test_a_wrong_type_names_tool_parameter_expectation_and_value(given: object) -> None:
    observation = WEATHER.run(given).observation
    assert observation.error == "bad_arguments"
    for word in ("weather", "'days'", "integer", "got"):
        assert word in observation.text


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("", "'city' is missing"),
        ({}, "'city' is missing"),
        (None, "'city' is missing"),
        ("days=3", "'city' is missing"),
        ("a, 2, c", "takes 2 arguments, but got 3"),
        ("Paris, Texas, days=3", "'days' is given twice; put text that holds a comma in quotes"),
        ("city=Paris, Texas", "stands after a named argument"),
        ("Oslo, city=Bergen", "given twice"),
        ({"citty": "Oslo"}, "no argument 'citty'"),
        ({"town": "Oslo"}, "no argument 'town'"),
        (["Oslo"], "a JSON object is expected"),
    ],
)
def test_missing_and_surplus_arguments_show_the_signature(given: object, said: str) -> None:
    observation = WEATHER.run(given).observation
    assert observation.error == "bad_arguments"
    assert said in observation.text
    assert "weather(city: string, days?: integer)" in observation.text


def test_execute_takes_keywords_one_text_or_a_mapping() -> None:
    for observation in (
        WEATHER.execute(city="Oslo", days=2),
        WEATHER.execute("Oslo, 2"),
        WEATHER.execute({"city": "Oslo", "days": 2}),
    ):
        assert str(observation) == "Oslo 2"
    with pytest.raises(TypeError, match="one text or named arguments"):
        WEATHER.execute("Oslo", days=2)


def test_an_observation_carries_no_prefix() -> None:
    assert not str(WEATHER.execute("Oslo")).startswith("Observation")


@pytest.mark.parametrize(
    ("part", "good", "bad"),
    [
        ({"type": "string", "enum": ["c", "f"]}, "c", "k"),
        ({"type": "array", "items": {"type": "integer"}}, [1], ["a"]),
        ({"type": ["integer", "null"]}, None, "x"),
        ({"anyOf": [{"type": "integer"}, {"type": "boolean"}]}, True, "x"),
        ({"const": "x"}, "x", "y"),
        ({"type": "boolean"}, True, "maybe"),
        ({"type": "object", "properties": {"a": {"type": "integer"}}}, {"a": 1}, [1]),
        ({"$ref": "#/$defs/N"}, 1, "x"),
    ],
)
def test_a_schema_given_by_hand_is_enforced(part: dict[str, Any], good: Any, bad: Any) -> None:
    given = {
        "type": "object",
        "properties": {"x": part},
        "$defs": {"N": {"type": "integer"}},
    }
    made = Tool("T", "d", lambda x: repr(x), given)
    assert made.execute(x=good) == Observation(repr(good))
    assert made.execute(x=bad).error == "bad_arguments"


def test_numbers_of_a_schema_stay_what_they_are() -> None:
    number = {"type": "object", "properties": {"a": {"type": "number"}, "b": {"type": "number"}}}
    made = Tool("Add", "d", lambda a, b: a + b, number)
    assert str(made.execute(a=2, b=3)) == "5"
    assert str(made.execute("2, 3.5")) == "5.5"


def test_a_schema_may_name_what_a_keyword_function_takes() -> None:
    given = {"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"]}
    made = Tool("T", "d", echo, given)
    assert str(made.execute("x")) == '{"q": "x"}'
    assert str(made.execute(q="x", more=1)) == '{"q": "x", "more": 1}'
    closed = Tool("T", "d", echo, {**given, "additionalProperties": False})
    assert closed.execute(q="x", more=1).error == "bad_arguments"


def test_positional_only_parameters_are_passed_by_place() -> None:
    def f(a: int, b: int = 2, /, c: int = 3) -> str:
        return f"{a}{b}{c}"

    assert str(Tool("T", "d", f).execute(a=1, c=9)) == "129"
    assert str(Tool("T", "d", f).execute("1, 5")) == "153"


def test_hostile_text_is_bound_in_linear_time() -> None:
    made = Tool("T", "d", lambda a, b=None: a)
    listed = Tool("T", "d", _unit)
    for text in ('"a,' * 40_000, "[" * 100_000, "{" * 100_000, "a=" * 50_000, "'" * 100_000):
        began = time.process_time()
        made.execute(text)
        listed.execute(text)
        WEATHER.execute(text)
        assert time.process_time() - began < 3


# --- what comes back ----------------------------------------------------------------------------


class Frame:
    def __str__(self) -> str:
        return "  city\n0 Oslo"

    __eq__ = Lazy.__eq__  # type: ignore[assignment]
    __hash__ = None  # type: ignore[assignment]

    def __bool__(self) -> bool:
        raise ValueError("ambiguous")


class Broken:
    def __str__(self) -> str:
        raise RuntimeError("no text")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("plain", "plain"),
        ({}, "{}"),
        ([], "[]"),
        ({"城": [1, 2.5, None, True]}, '{"城": [1, 2.5, null, true]}'),
        ([{"day": datetime.date(2026, 7, 17)}], '[{"day": "2026-07-17"}]'),
        ((1, "a"), '[1, "a"]'),
        ({3, 1, 2}, "[1, 2, 3]"),
        ({"tags": {"b", "a"}}, '{"tags": ["a", "b"]}'),
        (b"caf\xc3\xa9", "café"),
        (datetime.date(2026, 7, 17), "2026-07-17"),
        (float("nan"), "nan"),
        (7, "7"),
        (False, "False"),
        (Frame(), "  city\n0 Oslo"),
        ({(1, 2): "x"}, "{(1, 2): 'x'}"),
        ({"place": Place(name="x")}, '{"place": {"name": "x", "height": 0}}'),
        ([Unit.CELSIUS], '["c"]'),
        ((n for n in range(3)), "[0, 1, 2]"),
        (Observation("no rights", "denied"), "no rights"),
    ],
)
def test_any_return_value_becomes_text(value: object, text: str) -> None:
    assert str(Tool("T", "d", lambda: value).execute()) == text


@pytest.mark.parametrize("value", [None, "", "  \n", b"", b"\xff\xfe\x00", "\ud800"])
def test_a_return_value_without_text_gives_a_note(value: object) -> None:
    observation = Tool("T", "d", lambda: value).execute()
    assert observation.text.strip()
    assert observation.error == ""
    observation.text.encode()


def test_a_value_that_cannot_be_shown_spoils_only_its_own_call() -> None:
    values = iter([Broken(), "fine"])
    made = Tool("T", "d", lambda: next(values))
    first, second = made.execute(), made.execute()
    assert first.error == "tool_error"
    assert "no text" in first.text
    assert second == Observation("fine")


def test_a_circular_value_still_becomes_text() -> None:
    circle: list[Any] = [1]
    circle.append(circle)
    assert "1" in str(Tool("T", "d", lambda: circle).execute())


def test_any_exception_becomes_an_observation_with_its_type() -> None:
    def fail() -> None:
        raise LookupError("no such order")

    assert Tool("T", "d", fail).execute() == Observation("LookupError: no such order", "tool_error")


def test_the_message_of_a_tool_error_stands_alone() -> None:
    def fail() -> None:
        raise ToolError("Order 7 is not in the books.")

    assert Tool("T", "d", fail).execute().text == "Order 7 is not in the books."


def test_an_exception_without_a_readable_message_is_named() -> None:
    class Odd(Exception):
        def __str__(self) -> str:
            raise RuntimeError

    def fail() -> None:
        raise Odd

    assert Tool("T", "d", fail).execute() == Observation("Odd", "tool_error")


@pytest.mark.parametrize("stop", [KeyboardInterrupt, SystemExit, GeneratorExit])
@pytest.mark.parametrize("timeout", [None, 5])
def test_an_interrupt_passes_through(stop: type[BaseException], timeout: float | None) -> None:
    def fail() -> None:
        raise stop

    with pytest.raises(stop):
        Tool("T", "d", fail, timeout=timeout).execute()


def test_a_huge_result_keeps_head_and_tail_and_says_how_much_was_cut() -> None:
    text = "HEAD" + "x" * 1_000_000 + "TAIL"
    observation = Tool("T", "d", lambda: text).execute()
    assert len(observation.text) <= 4000
    assert observation.text.startswith("HEAD")
    assert observation.text.endswith("TAIL")
    kept = observation.text.count("x") + 8
    assert f"{len(text) - kept} of {len(text)} characters cut" in observation.text


@pytest.mark.parametrize("limit", [1, 10, 50, 200, 100_000])
def test_the_size_can_be_set_per_tool(limit: int) -> None:
    observation = Tool("T", "d", lambda: "a" + "x" * 150_000 + "z", max_chars=limit).execute()
    assert len(observation.text) <= max(limit, 60)
    assert observation.text[0] == "a"
    assert observation.text[-1] == "z"


def test_errors_are_cut_too() -> None:
    def fail() -> None:
        raise ValueError("y" * 1_000_000)

    assert len(Tool("T", "d", fail).execute().text) <= 4000
    assert len(WEATHER.execute(city="x", **{"k" * 1_000_000: 1}).text) <= 4000
    assert len(WEATHER.execute(city="x", days="9" * 1_000_000).text) <= 4000
    assert len(WEATHER.execute(**{f"key{n}": 1 for n in range(10_000)}).text) <= 4000


# --- async tools and time limits ----------------------------------------------------------------


async def fetch(page: str) -> str:
    await asyncio.sleep(0)
    return f"page {page}"


def _logged(func: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(func)
    def inner(*args: Any, **kwargs: Any) -> Any:
        return func(*args, **kwargs)

    return inner


class Fetcher:
    async def __call__(self, page: str) -> str:
        return await fetch(page)


ASYNC = [
    pytest.param(fetch, id="async function"),
    pytest.param(_logged(fetch), id="behind a sync decorator"),
    pytest.param(Fetcher(), id="object with async call"),
    pytest.param(functools.partial(fetch), id="partial"),
    pytest.param(lambda page: fetch(page), id="lambda"),
]


@pytest.mark.parametrize("func", ASYNC)
@pytest.mark.parametrize("timeout", [None, 5])
def test_async_tools_really_run(func: Callable[..., Any], timeout: float | None) -> None:
    made = Tool("Fetch", "d", func, timeout=timeout)

    async def inside() -> list[str]:
        blocking = made.execute(page="a")
        awaited = await made.arun({"page": "b"})
        return [str(blocking), str(awaited.observation)]

    assert str(made.execute(page="c")) == "page c"
    assert asyncio.run(inside()) == ["page a", "page b"]


def test_a_tool_knows_whether_its_function_is_async() -> None:
    made = [Tool("T", "d", func).is_async for func in (fetch, Fetcher(), functools.partial(fetch))]
    assert made == [True, True, True]
    assert not Tool("T", "d", weather).is_async


def test_an_async_tool_is_awaited_in_the_callers_own_loop() -> None:
    async def same_loop(loop_id: int) -> bool:
        return id(asyncio.get_running_loop()) == loop_id

    async def inside() -> str:
        result = await Tool("T", "d", same_loop).arun({"loop_id": id(asyncio.get_running_loop())})
        return str(result.observation)

    assert asyncio.run(inside()) == "True"


@pytest.mark.parametrize("wait", [lambda: time.sleep(30), lambda: asyncio.sleep(30)])
def test_a_time_limit_returns_and_the_next_tool_works_at_once(wait: Callable[[], Any]) -> None:
    began = time.perf_counter()
    observation = Tool("Slow", "d", wait, timeout=0.2).execute()
    assert observation.error == "timeout"
    assert "Slow" in observation.text
    assert "0.2 s" in observation.text
    assert str(WEATHER.execute("Oslo")) == "Oslo 3"
    assert time.perf_counter() - began < 2


def test_an_awaited_tool_has_its_time_limit_too() -> None:
    made = Tool("Slow", "d", lambda: asyncio.sleep(30), timeout=0.1)
    coroutine = Tool("Slow", "d", functools.partial(asyncio.sleep, 30), timeout=0.1)
    assert coroutine.is_async
    for slow in (made, coroutine):
        assert asyncio.run(slow.arun({})).observation.error == "timeout"


def test_a_number_too_long_to_become_text_is_a_bad_argument() -> None:
    def say(text: str) -> str:
        return text

    tool = Tool("T", "d", say)
    for seen in (tool.execute(text=10**5_000), tool.run({"text": 10**5_000}).observation):
        assert seen.error == "bad_arguments"
        assert "Call it as T(text: string)" in seen.text


@pytest.mark.parametrize("timeout", [None, 5])
@pytest.mark.parametrize(
    ("error", "told"),
    [
        (TimeoutError("the server is slow"), "TimeoutError: the server is slow"),
        (ConnectionError("no line"), "ConnectionError: no line"),
        (ConnectionResetError("gone"), "ConnectionResetError: gone"),
        (ToolUnavailable("Closed until noon."), "Closed until noon."),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_may_work_on_another_try_is_unavailable(
    error: Exception, told: str, timeout: float | None
) -> None:
    def fail() -> None:
        raise error

    async def fail_later() -> None:
        raise error

    for func in (fail, fail_later):
        tool = Tool("T", "d", func, timeout=timeout)
        assert tool.execute() == Observation(told, "unavailable")
        assert asyncio.run(tool.arun({})).observation == Observation(told, "unavailable")


def test_context_variables_reach_a_tool_with_a_time_limit() -> None:
    user = contextvars.ContextVar("user", default="nobody")
    user.set("Ada")
    assert str(Tool("T", "d", lambda: user.get(), timeout=5).execute()) == "Ada"


def run_program(code: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", textwrap.dedent(code)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def test_a_hanging_tool_does_not_hold_the_exit_of_the_program() -> None:
    began = time.perf_counter()
    done = run_program("""
        import time
        from reactlab.tools import Tool
        print(Tool("Slow", "d", lambda: time.sleep(100), timeout=0.1).execute())
    """)
    assert "Slow took longer" in done.stdout
    assert done.returncode == 0
    assert time.perf_counter() - began < 50


def test_where_threads_cannot_start_a_tool_runs_without_its_limit_and_warns_once() -> None:
    done = run_program("""
        import threading, warnings
        from reactlab.tools import Tool
        threading.stack_size(1 << 46)  # no system has room for such a stack
        made = Tool("T", "d", lambda: "ran", timeout=5)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            print(made.execute(), made.execute(), [w.category.__name__ for w in caught])
    """)
    assert done.stdout.strip() == "ran ran ['ReactlabWarning']", done.stderr


def test_importing_the_tools_loads_the_standard_library_alone() -> None:
    done = run_program("""
        import sys
        before = set(sys.modules)
        from reactlab.tools import Tool, ToolRegistry
        new = {name.partition(".")[0] for name in set(sys.modules) - before}
        print(sorted(new - set(sys.stdlib_module_names)))
    """)
    assert done.stdout.strip() == "['reactlab']", done.stderr
