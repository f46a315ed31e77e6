"""Checks of 04 tools: a schema from a signature, and arguments from positional text."""

from __future__ import annotations

import inspect
import json
import random
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import Any, Literal, Optional, get_args, get_origin

from reactlab.course.cases import Case, Mistakes, by_cases
from reactlab.course.exercises import Judge
from reactlab.course.schemas import Bound, same_arguments, same_schema
from reactlab.course.texts import Texts

say = Texts("04")
NAMES = ("house", "street", "guest", "parcel", "lamp", "garden", "driver", "station", "window")
TYPES: dict[Any, str] = {str: "string", int: "integer", float: "number", bool: "boolean"}


def function(head: str) -> Callable[..., Any]:
    """A function that returns its arguments by name, from a head such as "f(a: int = 1)"."""
    names: dict[str, Any] = {"Literal": Literal, "Optional": Optional}
    code = compile(f"def {head}:\n    return dict(locals())", "<case>", "exec", dont_inherit=True)
    exec(code, names)
    made: Callable[..., Any] = names[head.partition("(")[0]]
    return made


# --- 04.1 schema ----------------------------------------------------------------------------------

HEADS = (
    "train(to: str, hour: int)",
    "price(product: str, units: int = 1)",
    "{0}({1}: float, {2}: bool = False, {3}: str = 'x')",
    "book(seat: Literal['aisle', 'window'], meal: bool = False)",
    "{0}({1}: Literal['{2}', '{3}', '{4}'])",
    "mail(to: list[str], text: str)",
    "{0}({1}: int, {2}: list[int] = ())",
    "note(text: str, author: Optional[str] = None)",
    "{0}({1}: Optional[int], {2}: float = 0.5)",
    "{0}({1}: int | None, {2}: str | None = None)",
    "{0}({1}: None | int)",
    "grid(cells: list[list[int]])",
    "{0}({1}: list[Literal['{2}', '{3}']])",
    "{0}({1}, {2}: int)",
    "{0}()",
)


def schema_of(
    func: Callable[..., Any],
    *,
    required: Callable[[inspect.Parameter], bool] = lambda item: item.default is item.empty,
    form: Callable[[Any], dict[str, Any]] | None = None,
) -> dict[str, Any]:
    """What 04.1 asks for; the options are there to do it wrong."""
    items = inspect.signature(func).parameters
    return {
        "type": "object",
        "properties": {name: (form or form_of)(item.annotation) for name, item in items.items()},
        "required": [name for name, item in items.items() if required(item)],
    }


def form_of(annotation: Any) -> dict[str, Any]:
    """The JSON Schema of one annotation."""
    inner = [part for part in get_args(annotation) if part is not type(None)]
    if get_origin(annotation) is Literal:
        return {"enum": inner}
    if get_origin(annotation) is list:
        return {"type": "array", "items": form_of(inner[0])}
    return form_of(inner[0]) if inner else {"type": TYPES.get(annotation, "string")}


def _without(kind: Any, instead: dict[str, Any]) -> Callable[[Any], dict[str, Any]]:
    """`form_of`, ignorant of one kind of annotation."""
    return lambda given: instead if _kind(given) is kind else form_of(given)


def _kind(annotation: Any) -> Any:
    return Optional if type(None) in get_args(annotation) else get_origin(annotation)


def _python_name(annotation: Any) -> dict[str, Any]:
    return {"type": annotation.__name__} if annotation in TYPES else form_of(annotation)


def _schema_cases() -> Iterator[Case]:
    chance = random.Random(4)
    for head in HEADS:
        text = head.format(*chance.sample(NAMES, 5))
        func = function(text)
        wanted = schema_of(func)
        free = [name for name in wanted["properties"] if name not in wanted["required"]]
        about = {"free": free[0] if free else "?", "wanted": json.dumps(wanted)}
        yield Case(text, (func,), wanted, about)


SCHEMA_MISTAKES: Mistakes = {
    "all_required": partial(schema_of, required=lambda item: True),
    "falsy_required": partial(schema_of, required=lambda i: not i.default or i.default is i.empty),
    "optional_left_out": partial(
        schema_of, required=lambda i: i.default is i.empty and _kind(i.annotation) is not Optional
    ),
    "none_required": partial(schema_of, required=lambda item: False),
    "python_names": partial(schema_of, form=_python_name),
    "no_choices": partial(schema_of, form=_without(Literal, {"type": "string"})),
    "no_items": partial(schema_of, form=_without(list, {"type": "array"})),
    "list_as_text": partial(schema_of, form=_without(list, {"type": "string"})),
    "optional_as_text": partial(schema_of, form=_without(Optional, {"type": "string"})),
    "all_strings": partial(schema_of, form=lambda annotation: {"type": "string"}),
    "no_entry": partial(schema_of, form=lambda annotation: {"type": TYPES[annotation]}),
    "only_properties": lambda func: schema_of(func)["properties"],
    "wrapped": lambda func: {"type": "function", "function": {"parameters": schema_of(func)}},
}
judge_schema = by_cases(say, _schema_cases, SCHEMA_MISTAKES, same_schema)

# --- 04.2 bind ------------------------------------------------------------------------------------

WEATHER = "weather(city: str, days: int = 3)"
CITIES = ("Paris", "Rome", "London", "Athens", "Cambridge")
STATES = ("Texas", "Georgia", "Ohio", "Ontario", "Kentucky")
TEXTS = (
    (WEATHER, "Oslo, {small}"),
    (WEATHER, '"{town}, {state}", {small}'),
    (WEATHER, "{state}"),
    ("search(query: str)", "{town}, {state}, {large}"),
    ("fare(start: str, end: str, price: float)", '{state},"{town}, {other}" , {small}.5'),
    ("square(number: int)", "{large}"),
    ("fare(start: str, end: str, price: float)", 'Oslo, "{town}, {state}", {small}.5'),
    ("label(code: str, land: str)", "0{large}, {state}"),
    ("label(code: str, land: str)", "{large}, True"),
    ("tag(name: str, text: str)", "{town}, it's {state}"),
    ("light(room: str, on: bool)", "hall, false"),
    ("light(room: str, on: bool)", "attic, True"),
    ("route(first: int, second: int, third: int)", "{large}, -{small}, 0"),
    ("note(text: str)", 'say "{town}"'),
    (WEATHER, "{town}, {small}, {large}"),
    ("light(room: str, on: bool)", "attic, maybe"),
    ("price(product: str, units: int = 1)", "teapot, two"),
)


def value_of(annotation: Any, piece: str) -> Any:
    """A piece of text as its parameter's type; ValueError where it does not fit."""
    if annotation is bool:
        return ("false", "true").index(piece.lower()) == 1
    return annotation(piece) if annotation in (int, float) else piece


def _or_text(annotation: Any, piece: str) -> Any:
    with suppress(ValueError):
        return value_of(annotation, piece)
    return piece


def _raw(text: str) -> list[str]:
    """The pieces with the blanks around them."""
    return re.findall(r'((?:"[^"]*"|[^,"])*)(?:,|$)', text)[:-1]


def pieces(text: str) -> list[str]:
    """Text cut at the commas outside double quotes, the pieces without blanks around them."""
    return [piece.strip() for piece in _raw(text)]


def unquoted(piece: str) -> str:
    """A piece without the quotes around the whole of it."""
    return piece[1:-1] if len(piece) > 1 and piece[0] == piece[-1] == '"' else piece


def bound(
    text: str,
    func: Callable[..., Any],
    *,
    cut: Callable[[str], list[str]] = pieces,
    whole: bool = True,
    bare: Callable[[str], str] = unquoted,
    convert: Callable[[Any, str], Any] = value_of,
    strict: bool = True,
) -> dict[str, Any]:
    """What 04.2 asks for; the options are there to do it wrong."""
    items = list(inspect.signature(func).parameters.values())
    found = [text] if whole and len(items) == 1 else cut(text)
    if strict and len(found) > len(items):
        raise ValueError(f"{len(found)} values for {len(items)} parameters")
    pairs = zip(items, found, strict=False)
    return {item.name: convert(item.annotation, bare(piece)) for item, piece in pairs}


def _bool_by(test: Callable[[str], bool]) -> Callable[[Any, str], Any]:
    return lambda kind, piece: test(piece) if kind is bool else value_of(kind, piece)


def _cut_short(text: str, func: Callable[..., Any]) -> dict[str, Any]:
    one = len(inspect.signature(func).parameters) == 1
    return bound(text.partition(",")[0] if one else text, func)


def _bind_cases() -> Iterator[Case]:
    chance = random.Random(42)
    for head, text in TEXTS:
        (town, other), state = chance.sample(CITIES, 2), chance.choice(STATES)
        small, large = chance.randrange(2, 9), chance.randrange(1000, 9999)
        slots = {"town": town, "state": state, "other": other, "small": small, "large": large}
        given, func = text.format(**slots), function(head)
        name, city = head.partition("(")[0], f'"{town}, {state}"'
        about = {"head": head, "name": name, "city": city, "code": f"0{large}"}
        about["value"] = pieces(given)[-1]
        try:
            wanted: Any = Bound(bound(given, func), func)
        except ValueError:
            wanted = Exception
            about["otherwise"] = "unfit" if head != WEATHER else "no_error"
        yield Case(f"bind({given!r}, {name})", (given, func), wanted, about)


BIND_MISTAKES: Mistakes = {
    "letter_case": partial(
        bound, convert=_bool_by(lambda piece: {"true": True, "false": False}[piece])
    ),
    "made_false": partial(bound, convert=_bool_by(lambda piece: piece.lower() == "true")),
    "made_true": partial(bound, convert=_bool_by(lambda piece: piece.lower() != "false")),
    "unfit": partial(bound, convert=_or_text),
    "a_list": lambda text, func: list(bound(text, func).values()),
    "as_text": partial(bound, convert=lambda _, piece: piece),
    "raw": partial(bound, cut=_raw, bare=str, convert=lambda _, piece: piece),
    "kept_quotes": partial(bound, bare=str),
    "lost_quote": partial(bound, bare=lambda piece: piece.strip('"')),
    "no_quotes": partial(bound, bare=lambda piece: piece.replace('"', "")),
    "split": partial(bound, cut=lambda text: text.split(",")),
    "cut_whole": partial(bound, whole=False),
    "cut_short": _cut_short,
    "blanks": partial(bound, cut=_raw),
    "guessed": partial(bound, convert=lambda _, piece: int(piece) if piece.isdigit() else piece),
    "bool_of_text": partial(bound, convert=lambda kind, piece: kind(piece)),
}
judge_bind = by_cases(say, _bind_cases, BIND_MISTAKES, same_arguments)

JUDGES: dict[str, Judge] = {"1": judge_schema, "2": judge_bind}
EXAMPLES: dict[str, Callable[[], Any]] = {}
