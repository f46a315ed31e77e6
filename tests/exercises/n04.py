"""Right and wrong solutions of 04 tools."""

import ast
import csv
import inspect
import json
import re
import typing
from contextlib import suppress
from functools import partial

import pydantic

from reactlab.tools import Tool

# No `from __future__ import annotations` here: some solutions read annotations as they stand.

# 04.1

PLAIN = {str: "string", int: "integer", float: "number", bool: "boolean"}


def by_signature(func):
    properties, required = {}, []
    for name, item in inspect.signature(func).parameters.items():
        properties[name] = one(item.annotation)
        if item.default is inspect.Parameter.empty:
            required.append(name)
    return {"type": "object", "properties": properties, "required": required}


def one(annotation):
    origin, inner = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Literal:
        return {"type": "string", "enum": list(inner)}
    if origin is list:
        return {"items": one(inner[0]), "type": "array"}
    if type(None) in inner:
        (other,) = (part for part in inner if part is not type(None))
        return {"anyOf": [one(other), {"type": "null"}]}
    return {"type": PLAIN.get(annotation, "string")}


def by_hints(func):
    """From the code object, with list types, defaults, and no empty `required`."""
    code, hints = func.__code__, typing.get_type_hints(func)
    names = code.co_varnames[: code.co_argcount]
    defaults = dict(zip(names[::-1], (func.__defaults__ or ())[::-1], strict=False))
    parts = {name: one(hints.get(name, str)) for name in reversed(names)}
    for name, part in parts.items():
        if "anyOf" in part:
            parts[name] = {"type": [part["anyOf"][0]["type"], "null"]}
        if name in defaults:
            parts[name]["default"] = defaults[name]
        parts[name]["description"] = f"the {name}"
    made = {"type": "object", "additionalProperties": False}
    made |= {"properties": parts} if parts else {}
    required = [name for name in names if name not in defaults]
    return {**made, "required": required} if required else made


def by_pydantic(func):
    return pydantic.TypeAdapter(func).json_schema() | {
        "properties": {
            name: part if {"type", "anyOf", "enum"} & part.keys() else {"type": "string"}
            for name, part in pydantic.TypeAdapter(func).json_schema()["properties"].items()
        }
    }


def by_tool(func):
    return Tool("Any", "", func).parameters


def text_of_annotation(func):
    """Reads annotations as text, as one may with a regular expression."""
    properties = {}
    for name, item in inspect.signature(func).parameters.items():
        text = str(item.annotation)
        if choices := re.findall(r"'(\w+)'", text) if "Literal" in text else []:
            properties[name] = {"oneOf": [{"const": choice} for choice in choices]}
        else:
            kind = next((PLAIN[k] for k in (int, float, bool) if k.__name__ in text), "string")
            properties[name] = {"type": kind}
        for _ in range(text.count("list[")):
            properties[name] = {"type": "array", "items": properties[name]}
    needed = [n for n, p in inspect.signature(func).parameters.items() if p.default is p.empty]
    return {"required": tuple(needed), "properties": properties, "type": "object"}


def by_argspec(func):
    """Counts the defaults from the end; one of several types is `oneOf`."""
    spec = inspect.getfullargspec(func)
    first = len(spec.args) - len(spec.defaults or ())
    made = {"type": "object", "required": spec.args[:first], "properties": {}}
    for name in spec.args:
        part = one(spec.annotations.get(name))
        made["properties"][name] = {"oneOf": part["anyOf"]} if "anyOf" in part else part
    return made


def all_required(func):
    return {**by_signature(func), "required": list(inspect.signature(func).parameters)}


def no_required(func):
    made = by_signature(func)
    del made["required"]
    return made


def optional_by_type(func):
    made = by_signature(func)
    items = inspect.signature(func).parameters
    free = [n for n, i in items.items() if type(None) in typing.get_args(i.annotation)]
    made["required"] = [name for name in made["required"] if name not in free]
    return made


def with_form(change):
    """The right schema, with one kind of part written otherwise."""

    def schema(func):
        made = by_signature(func)
        made["properties"] = {name: change(part) for name, part in made["properties"].items()}
        return made

    return schema


def by_truth(func):
    items = inspect.signature(func).parameters
    needed = [n for n, i in items.items() if not i.default or i.default is i.empty]
    return {**by_signature(func), "required": needed}


def by_dictionary(func):
    items = inspect.signature(func).parameters
    return {
        **by_signature(func),
        "properties": {name: {"type": PLAIN[item.annotation]} for name, item in items.items()},
    }


PYTHON = {word: kind.__name__ for kind, word in PLAIN.items()}
python_names = with_form(lambda part: {**part, "type": PYTHON.get(part.get("type"), "?")})
no_choices = with_form(lambda part: {"type": "string"} if "enum" in part else part)
no_items = with_form(lambda part: {"type": "array"} if "items" in part else part)
flat_items = with_form(
    lambda part: {**part, "items": {"type": part["items"]["type"]}} if "items" in part else part
)
list_as_text = with_form(lambda part: {"type": "string"} if "items" in part else part)
optional_as_text = with_form(lambda part: {"type": "string"} if "anyOf" in part else part)

RIGHT = [
    ("04.1", by_signature),
    ("04.1", by_hints),
    ("04.1", by_pydantic),
    ("04.1", by_tool),
    ("04.1", text_of_annotation),
    ("04.1", by_argspec),
]
WRONG = [
    ("04.1", all_required, "The call without units is legal Python and refused by your schema."),
    ("04.1", no_required, "nothing is required"),
    ("04.1", optional_by_type, "It has no default, so Python still refuses"),
    ("04.1", python_names, "these are Python's names"),
    ("04.1", no_choices, "a list of choices"),
    ("04.1", no_items, "a list of what?"),
    ("04.1", flat_items, "is meant, or what says the same"),
    ("04.1", list_as_text, "a list is type array"),
    ("04.1", optional_as_text, "Ask for the type of X"),
    ("04.1", lambda func: by_signature(func)["properties"], "these are the properties"),
    ("04.1", lambda func: Tool("Any", "", func).to_schema(), "this is the whole tool"),
    ("04.1", lambda func: json.dumps(by_signature(func)), "you returned '{"),
    ("04.1", lambda func: None, "or does it print the result?"),
    ("04.1", with_form(lambda part: {"type": "string"}), "every parameter is a string here"),
    ("04.1", by_truth, "is a default all the same"),
    ("04.1", by_dictionary, "is no key of your dict"),
    ("04.1", lambda func: func.__schema__, "stopped with AttributeError"),
    ("04.1", lambda func: {"properties": 3}, "you returned {'properties': 3}"),
]

# 04.2


def convert(item, piece):
    if item.annotation is bool:
        return {"true": True, "false": False}[piece.casefold()]
    return item.annotation(piece) if item.annotation in (int, float) else piece


def by_csv(text, func):
    items = list(inspect.signature(func).parameters.values())
    found = [text] if len(items) == 1 else next(csv.reader([text], skipinitialspace=True))
    if len(found) > len(items):
        raise ValueError("too many")
    return {i.name: convert(i, p.strip()) for i, p in zip(items, found, strict=False)}


def with_change(cut, change):
    """Cuts and converts as it should, but for the change given."""

    def bind(text, func):
        items = list(inspect.signature(func).parameters.values())
        found = [text] if len(items) == 1 else cut(text)
        if len(found) > len(items):
            raise ValueError("too many")
        pairs = zip(items, found, strict=False)
        return {item.name: change(item, piece.strip()) for item, piece in pairs}

    return bind


def csv_row(text, **how):
    (row,) = csv.reader([text], **how)
    return row


csv_cells = partial(csv_row, skipinitialspace=True)


def lower_forgotten(item, piece):
    return (
        {"true": True, "false": False}[piece] if item.annotation is bool else convert(item, piece)
    )


def whole_as_float(item, piece):
    return float(piece) if item.annotation is int else convert(item, piece)


def as_literal(item, piece):
    if item.annotation is bool:
        return convert(item, piece)
    with suppress(ValueError, SyntaxError):
        return ast.literal_eval(piece)
    return piece


def by_letters(text, func):
    """Goes through the letters, lets Python bind, and fills in the defaults."""
    signature = inspect.signature(func)
    if len(signature.parameters) == 1:
        (item,) = signature.parameters.values()
        return {item.name: convert(item, text)}
    found, inside = [""], False
    for letter in text:
        if letter == '"':
            inside = not inside
        elif letter == "," and not inside:
            found.append("")
        else:
            found[-1] += letter
    made = signature.bind(*(piece.strip() for piece in found))
    for name, piece in made.arguments.items():
        made.arguments[name] = convert(signature.parameters[name], piece)
    made.apply_defaults()
    return made.arguments


def by_json(text, func):
    """Hides the commas in quotes; numbers by JSON, so that 3 stays an int where float is wanted."""
    names, hints = func.__code__.co_varnames[: func.__code__.co_argcount], func.__annotations__
    hidden = re.sub(r'"([^"]*)"', lambda found: found[1].replace(",", "\0"), text)
    found = [text.replace(",", "\0")] if len(names) == 1 else hidden.split(",")
    if len(found) > len(names):
        raise IndexError("too many values")
    made = {}
    for name, piece in zip(names, found, strict=False):
        value = piece.replace("\0", ",").strip()
        made[name] = value if hints[name] is str else json.loads(value.lower())
    return made


def by_package(text, func):
    return Tool("Any", "", func).bind(text)


def by_quotes(text, func):
    """Every second part between quotes is inside; one pair of quotes goes."""
    return named(func, map(bare, between_commas(text, func)))


def named(func, found, value=convert):
    items = inspect.signature(func).parameters.values()
    return {item.name: value(item, piece) for item, piece in zip(items, found, strict=False)}


def between_commas(text, func):
    """A piece for each parameter: all of the text for a single one."""
    count = len(inspect.signature(func).parameters)
    found = [text] if count == 1 else [piece.strip() for piece in outside_quotes(text)]
    if len(found) > count:
        raise ValueError("too many")
    return found


def outside_quotes(text):
    parts = text.split('"')
    parts[::2] = [part.replace(",", "\0") for part in parts[::2]]
    return '"'.join(parts).split("\0")


def bare(piece):
    return re.sub('^"(.*)"$', r"\1", piece)


def plain_split(text, func):
    items = list(inspect.signature(func).parameters.values())
    found = [text] if len(items) == 1 else text.split(",")
    if len(found) > len(items):
        raise ValueError("too many")
    return {i.name: convert(i, p.strip()) for i, p in zip(items, found, strict=False)}


def split_once(text, func):
    """Cuts at as many commas as there are parameters."""
    items = list(inspect.signature(func).parameters.values())
    found = [piece.strip() for piece in text.split(",", len(items) - 1)]
    return {i.name: convert(i, p) for i, p in zip(items, found, strict=False)}


def quotes_kept(text, func):
    return named(func, between_commas(text, func))


def quote_lost(text, func):
    return named(func, [piece.strip('"') for piece in between_commas(text, func)])


def all_quotes_gone(text, func):
    return named(func, [piece.replace('"', "") for piece in between_commas(text, func)])


def split_and_named(text, func):
    items = inspect.signature(func).parameters
    return dict(zip(items, [text] if len(items) == 1 else text.split(","), strict=False))


def never_whole(text, func):
    return named(func, [bare(piece.strip()) for piece in outside_quotes(text)])


def whole_refused(text, func):
    found = [bare(piece.strip()) for piece in outside_quotes(text)]
    if len(found) > len(inspect.signature(func).parameters):
        raise ValueError("too many")
    return named(func, found)


def texts_only(text, func):
    return named(func, map(bare, between_commas(text, func)), lambda item, piece: piece)


def bool_called(text, func):
    found = map(bare, between_commas(text, func))
    return named(func, found, lambda item, piece: item.annotation(piece))


def by_looks(text, func):
    def look(item, piece):
        try:
            return json.loads(piece.lower())
        except ValueError:
            return int(piece) if piece.isdigit() else piece

    return named(func, map(bare, between_commas(text, func)), look)


def other_is(value):
    """Every bool that is not `not value` becomes `value`."""

    def convert_bool(item, piece):
        if item.annotation is bool:
            return value if piece.lower() != str(not value).lower() else not value
        return convert(item, piece)

    return lambda text, func: named(func, map(bare, between_commas(text, func)), convert_bool)


def text_where_unfit(text, func):
    def convert_or_not(item, piece):
        try:
            return convert(item, piece)
        except (KeyError, ValueError):
            return piece

    return named(func, map(bare, between_commas(text, func)), convert_or_not)


def default_where_unfit(text, func):
    def convert_or_not(item, piece):
        try:
            return convert(item, piece)
        except (KeyError, ValueError):
            return None

    return named(func, map(bare, between_commas(text, func)), convert_or_not)


def too_many_dropped(text, func):
    whole = len(inspect.signature(func).parameters) == 1
    return named(func, [text]) if whole else never_whole(text, func)


def blanks_kept(text, func):
    count = len(inspect.signature(func).parameters)
    found = [text] if count == 1 else outside_quotes(text)
    if len(found) > count:
        raise ValueError("too many")
    return named(func, map(bare, found))


RIGHT += [
    ("04.2", by_csv),
    ("04.2", by_letters),
    ("04.2", by_json),
    ("04.2", by_package),
    ("04.2", by_quotes),
]
WRONG += [
    ("04.2", plain_split, "is one city. A comma inside quotes does not separate."),
    ("04.2", split_once, "is one city"),
    ("04.2", quotes_kept, "the quotes hold the value together"),
    ("04.2", quote_lost, "one quote went and its partner stayed"),
    ("04.2", all_quotes_gone, "are part of the text"),
    ("04.2", split_and_named, "a number is text until you convert it"),
    ("04.2", lambda text, func: text.split(","), "these are values without names"),
    ("04.2", lambda text, func: None, "or does it print the result?"),
    ("04.2", lambda text, func: dict.fromkeys(by_csv(text, func)), "is meant, or"),
    ("04.2", never_whole, "search takes one argument, which is the whole text"),
    ("04.2", whole_refused, "search takes one argument, which is the whole text"),
    ("04.2", texts_only, "A number in a text is still text"),
    ("04.2", bool_called, 'bool("false") is True'),
    ("04.2", by_looks, "is text here and keeps its 0"),
    ("04.2", too_many_dropped, "the model has to hear that one is too many"),
    ("04.2", other_is(False), "'maybe' is neither true nor false, and you made it False. Raise"),
    ("04.2", other_is(True), "'maybe' is neither true nor false, and you made it True. Raise"),
    ("04.2", text_where_unfit, "'maybe' does not fit its annotation. Raise ValueError"),
    ("04.2", default_where_unfit, "'maybe' does not fit its annotation. Raise ValueError"),
    ("04.2", blanks_kept, "blanks around a value do not belong to it"),
    ("04.2", lambda text, func: list(by_csv(text, func).values()), "without names"),
    ("04.2", lambda text: {}, "stopped with TypeError"),
    ("04.2", with_change(csv_row, convert), ""),
    (
        "04.2",
        with_change(csv_cells, lower_forgotten),
        "lower() first",
    ),
    ("04.2", with_change(csv_cells, whole_as_float), "'days': 3.0"),
    ("04.2", with_change(csv_cells, as_literal), ""),
]


def price(product: str, units: int = 1):
    """The function that the notebook shows."""


SAMPLES = [
    ("04.1", lambda func: by_signature(price)),
    ("04.2", lambda text, func: {"product": "teapot", "units": 2}),
    ("04.2", lambda text, func: dict(zip(["product", "units"], text.split(", "), strict=False))),
]
