"""Checks of 07 function_calling."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from operator import add
from typing import Any

from reactlab.course.cases import Case, by_cases
from reactlab.course.exercises import Judge, Raised, Stumble, attempt
from reactlab.course.texts import Texts
from reactlab.course.words import plain, value_shown

say = Texts("07")
Pairs = list[tuple[dict[str, Any], Any]]
Told = tuple[str, dict[str, Any]] | None
IDS = (
    ("call_1", "call_2"),
    ("call_1", "call_2", "call_3"),
    ("a", "b"),
    ("call_1",),
    ("call_0", "call_0"),
    ("", ""),
    ("call_2", "call_2", "", "call_1"),
    ("x", "y", "z"),
    ("a_4", "a_5", "a_1", "a", "a"),
    ("call_2", "call_3", ""),
)
FAILS = {3: 0, 4: 0, 8: 2}  # case: the place of the call that fails


def call(number: object, name: str, arguments: str) -> dict[str, Any]:
    """A tool call as the API has it."""
    function = {"name": name, "arguments": arguments}
    return {"id": number, "type": "function", "function": function}


def turns() -> Iterator[tuple[str, Pairs]]:
    """Turns of a model, each call with what came of it; ids are sometimes doubled or empty."""
    chance = random.Random(7)
    for number, ids in enumerate(IDS, 1):
        orders = chance.sample(range(10000, 99999), len(ids))
        rows: Pairs = []
        for place, (own, order) in enumerate(zip(ids, orders, strict=True)):
            name = "Status" if number in (1, 3, 8) and place == 1 else "Search"
            came: Any = say("found", order)
            if FAILS.get(number) == place:
                came = (ValueError, LookupError, OSError)[number % 3](say("failed", order))
            rows.append((call(own, name, json.dumps({"order_id": str(order)})), came))
        yield say("case", number), rows


def judge_answers(answer_calls: Any) -> Iterator[str]:
    """07.1: the messages that follow a turn with calls."""
    for case, rows in turns():
        calls = [made for made, _ in rows]
        try:
            got = attempt(case, answer_calls, json.loads(json.dumps(calls)), [r for _, r in rows])
        except Raised as raised:
            causes = (raised.error, raised.error.__cause__)
            if any(came in causes for _, came in rows):
                raise Stumble(say("raises", case=case, told=raised.told)) from None
            raise
        told = _wrong(got, rows)
        yield say(told[0], case=case, **told[1]) if told else ""


def _wrong(got: Any, rows: Pairs) -> Told:
    """What is wrong with the messages, as a key of the texts and its slots."""
    shown, listed = value_shown(got), say("comma").join
    got = [] if isinstance(got, Mapping) or not isinstance(got, Iterable) else list(got)
    if not got or not all(isinstance(one, dict) for one in got):
        return "no_list", {"got": shown}
    roles = [plain(message.get("role")) for message in got]
    if roles.count("assistant") != 1 or roles[0] != "assistant":
        return ("split" if roles.count("assistant") > 1 else "no_head"), {"got": listed(roles)}
    made, asked = got[0].get("tool_calls"), [_asked(one) for one, _ in rows]
    if not isinstance(made, list | tuple) or [_asked(one) for one in made] != asked:
        return "changed", {"got": value_shown(made), "count": len(rows)}
    if any(one.get("type") != "function" for one in made):
        return "no_type", {"got": listed(map(str, made[0]))}
    ids = [one.get("id") for one in made]
    for own in ids:
        if not isinstance(own, str) or not own.strip():
            key = "empty_id" if own is None or isinstance(own, str) else "id_text"
            return key, {"got": value_shown(own)}
        if ids.count(own) > 1:
            return "doubled", {"id": own, "given": listed(repr(one["id"]) for one, _ in rows)}
    return _unanswered(got[1:], ids, rows)


def _asked(made: Any) -> Any:
    return made.get("function") if isinstance(made, dict) else None


def _unanswered(answers: Any, ids: list[Any], rows: Pairs) -> Told:
    """The first call that has not got its own result, and only that, under its id."""
    for message in answers:
        if plain(message.get("role")) != "tool" or message.get("tool_call_id") not in ids:
            return "stray", {"got": value_shown(message), "ids": say("comma").join(ids)}
    names = [_asked(made)["name"] for made, _ in rows]
    for own, name, (_, came) in zip(ids, names, rows, strict=True):
        texts = [m.get("content") for m in answers if m["tool_call_id"] == own]
        failed, slots = isinstance(came, Exception), {"id": own, "name": name, "wanted": came}
        if not texts:
            lost = "ran_twice" if names.count(name) > 1 else "unanswered"
            return ("failure_gone" if failed else lost), {**slots, "count": names.count(name)}
        if len(texts) > 1:
            return "answered_twice", slots
        if not isinstance(texts[0], str):
            return "no_text", {**slots, "got": value_shown(texts[0])}
        slots |= {"got": value_shown(texts[0]), "count": names.count(name)}
        results = [(n, str(result)) for n, (_, result) in zip(names, rows, strict=True)]
        found = [n for n, text in results if text != str(came) and _holds(texts[0], text)]
        if not _holds(texts[0], str(came)):
            key = "failure_text" if failed else "other_text"
            return ("ran_twice" if name in found else key), slots
        if found:
            return "several", slots
    return None


def _holds(content: str, text: str) -> bool:
    """Whether a content holds a text, as it is or written as JSON."""
    return plain(text) in plain(content) or json.dumps(text).strip('"') in content


def piece(index: int | None, number: str | None, name: str | None, text: str | None) -> Any:
    """A piece of a call as it is streamed; what is None is left out, a text of None is sent."""
    function: dict[str, Any] = {"arguments": text}
    if name is not None:
        function["name"] = name
    made: dict[str, Any] = {"function": function}
    if index is not None:
        made["index"] = index
    if number is not None:
        made = {"id": number, "type": "function", **made}
    return made


def streams() -> Iterator[Case]:
    """Streamed calls; a row is (index, id, name, text), a wanted call is (id, name, text)."""
    chance = random.Random(72)
    first, second, third = (f'{{"id": "{n}"}}' for n in chance.sample(range(1000, 9999), 3))
    two = [("c1", "Search", first), ("c2", "Search", second)]
    heads = [(0, "c1", "Search", ""), (1, "c2", "Search", "")]
    rests = [(0, first[4:]), (1, second[4:])]
    begun = [(0, first[:4]), (1, second[:4])]
    turned = [(place, None, None, text) for place, text in (*begun, *rests)]
    alone = [(None, "c1", "Search", first[:5]), (None, "c2", "Search", second[:3])]
    named = [(None, "c1", None, first[5:]), (None, "c2", None, second[3:])]
    plainly = [(0, "c1", "Search", first[:6]), (0, None, None, first[6:]), (1, "c2", "Search", "")]
    yield _stream(1, [*plainly, (1, None, None, second)], two, "in_order")
    third_one = [(2, "c3", "Status", ""), *turned[:2], (2, None, None, third)]
    more = [*two, ("c3", "Status", third)]
    yield _stream(2, [*heads, *third_one, *turned[2:]], more, "in_turns")
    yield _stream(3, [*alone, *named], two, "no_index")
    newest = [alone[0], (None, None, None, first[5:]), alone[1], (None, None, None, second[3:])]
    yield _stream(4, newest, two, "newest_call")
    nothing = [(0, "c1", "Status", None), (1, "c2", "Search", None), (2, "c3", "Status", third)]
    late = [(1, None, None, second), (0, None, None, first)]
    three = [("c1", "Status", first), ("c2", "Search", second), ("c3", "Status", third)]
    yield _stream(5, [*nothing, *late], three, "in_turns")
    no_ids = [(place, None, name, "") for place, _, name, _ in heads]
    yield _stream(6, [*no_ids, *turned], [("", "Search", first), ("", "Search", second)], "no_ids")
    again = [(place, f"c{place + 1}", None, text) for place, _, _, text in turned]
    yield _stream(7, [*heads, *again], two, "in_turns")
    bare = [(0, "c1", "Status", ""), (0, None, None, None), (1, "c2", "Search", None)]
    no_text = [("c1", "Status", ""), ("c2", "Search", second)]
    yield _stream(8, [*bare, (1, None, None, second)], no_text, "no_arguments")
    yield _stream(9, [], [], "no_calls")
    yield _stream(10, [*heads[::-1], *turned], two[::-1], "later_first", "by_number")
    parts = ((own, part) for own, _, text in two for part in (text[:4], text[4:]))
    by_id = [(None, own, None, part) for own, part in parts]
    yield _stream(11, [*heads, *by_id], two, "index_once", "two_keys")
    back = [(None, "c1", None, first[5:]), (None, None, None, second[3:])]
    yield _stream(12, [*alone, *back], two, "newest_call", "last_piece")
    null = _stream(13, [*alone, *named], two, "null_index")
    yield replace(null, given=([{"index": None, **made} for made in null.given[0]],))


def _stream(
    number: int, rows: list[Any], wanted: list[Any], about: str, otherwise: str = "wrong"
) -> Case:
    made = [piece(*row) for row in rows]
    calls = [call(*one) for one in wanted]
    slots = {"about": say(about), "otherwise": otherwise}
    return Case(say("case", number), (made,), calls, slots)


def same_calls(got: Any, wanted: Any) -> bool:
    """The same ids, names and arguments in a list; an id that never came may be "" or None."""
    return _bare(got) == _bare(wanted)


def _bare(calls: Any) -> list[Any]:
    bare = []
    for one in calls:
        function = one.get("function", one)
        bare.append((one.get("id") or "", function["name"], function["arguments"]))
    return bare


def gathered(deltas: list[Any], key: Any, take: Any = lambda old, new: old + (new or "")) -> Any:
    """Calls put together under `key(piece, calls)`: the right way, and with it the wrong ones."""
    calls: dict[Any, Any] = {}
    for delta in deltas:
        own, function = key(delta, calls), delta["function"]
        made = calls.setdefault(own, call(delta.get("id") or "", function.get("name"), ""))
        made["function"]["arguments"] = take(made["function"]["arguments"], function["arguments"])
    return list(calls.values())


def _nameless(deltas: list[Any], key: Any) -> None:
    """Raises where a call would take its name from a piece that has none."""
    calls = gathered(deltas, key)
    if any(made["function"]["name"] is None for made in calls):
        raise KeyError("name")


MISTAKES = {
    "zero": lambda deltas: gathered(deltas, lambda d, c: d.get("index") or _by_id(d, c)),
    "zero_alone": lambda deltas: gathered(deltas, lambda d, _: d.get("index") or d.get("id")),
    "two_keys": lambda deltas: _nameless(deltas, _right_key),
    "no_name": lambda deltas: _nameless(deltas, lambda d, _: d.get("index") or d.get("id")),
    "by_position": lambda deltas: gathered(deltas, _by_id),
    "index_none": lambda deltas: gathered(deltas, lambda d, _: d.get("index")),
    "index_error": lambda deltas: gathered(deltas, lambda d, _: d["index"]),
    "id_error": lambda deltas: gathered(deltas, lambda d, _: d["id"]),
    "id_none": lambda deltas: gathered(deltas, lambda d, _: d.get("id")),
    "replaced": lambda deltas: gathered(deltas, _right_key, lambda _, new: new),
    "no_text_yet": lambda deltas: gathered(deltas, lambda d, c: d.get("index", 0), add),
}


def _right_key(delta: Any, calls: Any) -> Any:
    return delta.get("index", _by_id(delta, calls))


def _by_id(delta: Any, calls: Any) -> Any:
    return delta.get("id") or (list(calls) or [""])[-1]


ASSEMBLE = by_cases(say, streams, MISTAKES, same_calls)
JUDGES: dict[str, Judge] = {"1": judge_answers, "2": ASSEMBLE}
EXAMPLES: dict[str, Any] = {}
