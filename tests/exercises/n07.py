"""Right and wrong solutions of 07 function_calling."""

from __future__ import annotations

import json
import uuid
from collections import deque

# 07.1


def head(calls):
    return {"role": "assistant", "tool_calls": calls}


def tool(own, content):
    return {"role": "tool", "tool_call_id": own, "content": content}


def renumbered(calls, results):
    """Gives every call a new id; says what kind of error it was."""
    made, answers = [], []
    for call, result in zip(calls, results, strict=True):
        own = f"call_{uuid.uuid4().hex}"
        failed = isinstance(result, Exception)
        made.append(dict(call, id=own))
        text = f"Error: {type(result).__name__}: {result}" if failed else result
        answers.append({"tool_call_id": own, "role": "tool", "content": text, "name": "x"})
    return [{**head(made), "content": None}, *answers]


def kept_where_free(calls, results):
    """Changes the given calls in place; answers in the other order, each as JSON."""
    taken = {call["id"] for call in calls}
    seen = {""}
    for call in calls:
        if call["id"] in seen:
            number = 0
            while f"n{number}" in taken:
                number += 1
            call["id"] = f"n{number}"
            taken.add(call["id"])
        seen.add(call["id"])
    answers = [
        tool(c["id"], json.dumps(repr(r) if isinstance(r, Exception) else r))
        for c, r in zip(calls, results, strict=True)
    ]
    return [{"content": "", **head(calls)}, *reversed(answers)]


def by_position(calls, results):
    """A generator of messages with ids from positions, built anew from the parts."""
    yield head(
        [
            {"function": call["function"], "id": str(place), "type": "function"}
            for place, call in enumerate(calls)
        ]
    )
    for place, result in enumerate(results):
        yield tool(str(place), str(result))


def in_a_tuple(calls, results):
    return tuple(renumbered(calls, results))


def in_a_queue(calls, results):
    """Ids in a loop of their own, more fields than asked, and a container of its own."""
    queue, taken = deque([head([]) | {"content": None, "refusal": None}]), set()
    for call, result in zip(calls, results, strict=True):
        own = call["id"]
        while own in taken | {""}:
            own += "x"
        taken.add(own)
        queue[0]["tool_calls"].append({"type": call["type"], "id": own, **rest(call)})
        text = {"ok": not isinstance(result, Exception), "text": str(result)}
        queue.append(tool(own, json.dumps(text)) | {"name": call["function"]["name"]})
    return queue


def rest(call):
    return {"function": dict(call["function"])}


def all_in_each(calls, results):
    messages = renumbered(calls, results)
    text = "\n".join(map(str, results))
    return [messages[0], *(message | {"content": text} for message in messages[1:])]


def numbers_as_ids(calls, results):
    return as_given([call | {"id": place} for place, call in enumerate(calls)], results)


def ends_at_failure(calls, results):
    """Leaves at the first failure, whose message it still writes."""
    messages = renumbered(calls, results)
    for place, result in enumerate(results, 2):
        if isinstance(result, Exception):
            return messages[:place]
    return messages


def suffix_once(calls, results):
    """Does not ask whether the new id is taken, too."""
    made, seen = [], set()
    for number, call in enumerate(calls):
        own = call["id"]
        if not own or own in seen:
            own = f"{own or 'new'}_{number}"
        seen.add(own)
        made.append(call | {"id": own})
    return as_given(made, results)


def raising_another(calls, results):
    for result in results:
        if isinstance(result, Exception):
            raise RuntimeError("a tool failed") from result
    return renumbered(calls, results)


def by_name(calls, results):
    """A dict by tool name, one message for each name."""
    found = {c["function"]["name"]: str(r) for c, r in zip(calls, results, strict=True)}
    ids = {call["function"]["name"]: call["id"] for call in calls}
    return [head(calls), *(tool(ids[name], text) for name, text in found.items())]


def by_name_for_each(calls, results):
    found = {c["function"]["name"]: str(r) for c, r in zip(calls, results, strict=True)}
    return [head(calls), *(tool(c["id"], found[c["function"]["name"]]) for c in calls)]


def as_given(calls, results):
    pairs = zip(calls, results, strict=True)
    return [head(calls), *(tool(call["id"], str(result)) for call, result in pairs)]


def no_head(calls, results):
    return renumbered(calls, results)[1:]


def split(calls, results):
    messages = []
    for call, result in zip(calls, results, strict=True):
        messages += renumbered([call], [result])
    return messages


def only_the_first(calls, results):
    return as_given(calls, results)[:2]


def only_good_ones(calls, results):
    messages = renumbered(calls, results)
    bad = [isinstance(result, Exception) for result in results]
    return [messages[0], *(m for m, b in zip(messages[1:], bad, strict=True) if not b)]


def raising(calls, results):
    for result in results:
        if isinstance(result, Exception):
            raise result
    return renumbered(calls, results)


def silent_failure(calls, results):
    told = ["Error" if isinstance(result, Exception) else result for result in results]
    return renumbered(calls, told)


def error_as_it_is(calls, results):
    messages = renumbered(calls, results)
    return [messages[0], *(m | {"content": r} for m, r in zip(messages[1:], results, strict=True))]


def other_ids(calls, results):
    return [head(calls), *renumbered(calls, results)[1:]]


def swapped(calls, results):
    return renumbered(calls, results[::-1])


def empty_renamed(calls, results):
    made = [call | {"id": call["id"] or f"new_{n}"} for n, call in enumerate(calls)]
    return as_given(made, results)


def doubled_renamed(calls, results):
    made, seen = [], set()
    for number, call in enumerate(calls):
        own = f"again_{number}" if call["id"] in seen and call["id"] else call["id"]
        seen.add(own)
        made.append(call | {"id": own})
    return as_given(made, results)


def answers_alone(calls, results):
    return [str(result) for result in results]


def one_message(calls, results):
    return [head([]), tool("a", "10:00")]


def twice_answered(calls, results):
    messages = renumbered(calls, results)
    return [*messages, messages[-1]]


SAMPLE = [{"role": "assistant", "tool_calls": [{"id": "a"}]}, tool("a", "10:00")]


# 07.2


def finished(calls):
    return [
        {"id": i or "", "type": "function", "function": {"name": n, "arguments": a}}
        for i, n, a in calls
    ]


def list_search(deltas):
    """Looks through the calls begun so far; keeps the index in the result."""
    calls = []
    for delta in deltas:
        index, own, function = delta.get("index"), delta.get("id"), delta["function"]
        call = None
        for old in calls:
            if index is not None and old["index"] == index:
                call = old
            if index is None and own and old["id"] == own:
                call = old
        if call is None and index is None and own is None and calls:
            call = calls[-1]
        if call is None:
            call = {"index": index, "id": own or "", "function": {"arguments": ""}}
            calls.append(call)
        if "name" in function:
            call["function"]["name"] = function["name"]
        call["function"]["arguments"] += function["arguments"] or ""
    return calls


def in_three_passes(deltas):
    """Names the keys, groups the pieces, joins the texts."""
    keys = []
    for delta in deltas:
        own, index = delta.get("id"), delta.get("index")
        known = {
            delta["id"]: key for key, delta in zip(keys, deltas, strict=False) if "id" in delta
        }
        if index is not None:
            keys.append(("index", index))
        elif own:
            keys.append(known.get(own, ("id", own)))
        else:
            keys.append(list(dict.fromkeys(keys))[-1])
    groups = {}
    for key, delta in zip(keys, deltas, strict=True):
        groups.setdefault(key, []).append(delta)
    return finished(
        (
            parts[0].get("id"),
            parts[0]["function"]["name"],
            "".join(part["function"]["arguments"] or "" for part in parts),
        )
        for parts in groups.values()
    )


class Growing:
    def __init__(self, delta):
        self.id, self.name, self.texts = delta.get("id"), delta["function"].get("name"), []


def with_objects(deltas):
    """A generator that finds calls under their index and under their id; an id of None is kept."""
    by_index, by_id, order = {}, {}, []
    for delta in deltas:
        index, own = delta.get("index"), delta.get("id")
        found = by_id.get(own) if own else (order or [None])[-1]
        found = found if index is None else by_index.get(index)
        if found is None:
            found = Growing(delta)
            order.append(found)
            by_index[index] = by_id[own] = found
        found.texts.append(delta["function"].get("arguments"))
    for call in order:
        text = "".join(filter(None, call.texts))
        yield {"id": call.id, "function": {"name": call.name, "arguments": text}}


def keyed(key, take=lambda old, new: old + (new or "")):
    def assemble(deltas):
        calls = {}
        for delta in deltas:
            function = delta["function"]
            made = {"name": function.get("name"), "arguments": ""}
            empty = {"id": delta.get("id") or "", "type": "function", "function": made}
            call = calls.setdefault(key(delta, calls), empty)["function"]
            call["arguments"] = take(call["arguments"], function["arguments"])
        return list(calls.values())

    return assemble


def right_key(delta, calls):
    return delta.get("index", delta.get("id") or (list(calls) or [""])[-1])


def zero_is_nothing(delta, calls):
    return delta.get("index") or delta.get("id") or (list(calls) or [""])[-1]


def strict_zero(deltas):
    calls = {}
    for delta in deltas:
        key = delta.get("index") or delta.get("id")
        if key not in calls:
            calls[key] = [delta.get("id"), delta["function"]["name"], ""]
        calls[key][2] += delta["function"].get("arguments") or ""
    return finished(calls.values())


def by_number(deltas):
    return sorted(list_search(deltas), key=lambda call: call.get("index") or 0)


def strict_names(deltas):
    """One key for each call, and a name from the first piece under it."""
    calls = {}
    for delta in deltas:
        key = right_key(delta, calls)
        if key not in calls:
            calls[key] = [delta.get("id"), delta["function"]["name"], ""]
        calls[key][2] += delta["function"].get("arguments") or ""
    return finished(calls.values())


def last_piece(deltas):
    """A piece with neither goes where the piece before it went."""
    known, calls, last = {}, [], None
    for delta in deltas:
        index, own = delta.get("index"), delta.get("id")
        last = known.get(own if index is None else index) if index is not None or own else last
        if last is None:
            last = [own, delta["function"]["name"], ""]
            calls.append(last)
            known[index] = known[own] = last
        last[2] += delta["function"]["arguments"] or ""
    return finished(calls)


def null_is_an_index(deltas):
    """Asks whether there is an index, and takes None for one."""
    if any("index" in delta and delta["index"] is None for delta in deltas):
        return keyed(lambda delta, calls: delta["index"])(deltas)
    return list_search(deltas)


def without_type(calls, results):
    messages = renumbered(calls, results)
    for made in messages[0]["tool_calls"]:
        del made["type"]
    return messages


def numbered_from_one(calls, results):
    """A made id may meet a given one that comes later."""
    made, seen = [], set()
    for number, call in enumerate(calls, 1):
        own = call["id"] if call["id"] and call["id"] not in seen else f"call_{number - 1}"
        seen.add(own)
        made.append(call | {"id": own})
    return as_given(made, results)


def newest(deltas):
    """Every piece goes to the call that began last."""
    calls = []
    for delta in deltas:
        function = delta["function"]
        if "name" in function:
            calls.append((delta.get("id"), function["name"], ""))
        own, name, text = calls[-1]
        calls[-1] = own, name, text + (function["arguments"] or "")
    return finished(calls)


def grouped(deltas):
    """Lists of pieces, found by looking back; a recursion, and values in place of a list."""

    def groups(rest, begun):
        if not rest:
            return begun
        index, own = rest[0].get("index"), rest[0].get("id")
        field, wanted = ("id", own) if index is None else ("index", index)
        fits = [parts for parts in begun if parts[0].get(field) == wanted]
        found = fits if wanted is not None else begun[-1:]
        if found:
            found[0].append(rest[0])
            return groups(rest[1:], begun)
        return groups(rest[1:], [*begun, [rest[0]]])

    made = {}
    for parts in groups(deltas, []):
        texts = (part["function"].get("arguments") for part in parts)
        own, name = parts[0].get("id", ""), parts[0]["function"]["name"]
        made[len(made)] = {"id": own, "name": name, "arguments": "".join(filter(None, texts))}
    return made.values()


def with_keys(deltas):
    return dict(enumerate(list_search(deltas)))


def braces(deltas):
    return finished(
        (c["id"], c["function"]["name"], c["function"]["arguments"] or "{}")
        for c in list_search(deltas)
    )


def with_text_only(deltas):
    return [call for call in list_search(deltas) if call["function"]["arguments"]]


def nothing_for_nothing(deltas):
    if deltas:
        return list_search(deltas)
    return None


def goes_on(deltas, calls={}):  # noqa: B006  # the slip that is tried
    for place, call in enumerate(list_search(deltas)):
        old = calls.setdefault(place, ["", "", ""])
        old[:] = call["id"], call["function"]["name"], old[2] + call["function"]["arguments"]
    return finished(calls.values())


def parsed(deltas):
    calls = list_search(deltas)
    for call in calls:
        call["function"]["arguments"] = json.loads(call["function"]["arguments"])
    return calls


RIGHT = [
    ("07.1", renumbered),
    ("07.1", kept_where_free),
    ("07.1", by_position),
    ("07.1", in_a_tuple),
    ("07.1", in_a_queue),
    ("07.2", list_search),
    ("07.2", in_three_passes),
    ("07.2", with_objects),
    ("07.2", grouped),
]
WRONG = [
    ("07.1", by_name, "Search ran 3 times; one result is gone"),
    ("07.1", by_name_for_each, "Search ran 3 times; one result is gone"),
    ("07.1", as_given, "in your messages two carry the id call_0"),
    ("07.1", empty_renamed, "in your messages two carry the id call_0"),
    ("07.1", doubled_renamed, "a call still has the id ''"),
    ("07.1", no_head, "the roles are: tool, tool. First comes one assistant message"),
    ("07.1", split, "all of them stand in one assistant message"),
    ("07.1", only_the_first, "the call call_2 (Status) got no message"),
    ("07.1", only_good_ones, "failed and got no message"),
    ("07.1", all_in_each, "holds the results of other calls too"),
    ("07.1", numbers_as_ids, "a call has the id 0. An id is a text"),
    ("07.1", ends_at_failure, "(Status) got no message"),
    ("07.1", suffix_once, "in your messages two carry the id a_4"),
    ("07.1", raising_another, "your function raised the failure of a call (RuntimeError"),
    ("07.1", lambda calls, results: [], "your function returned []. A list of messages"),
    ("07.1", raising, "your function raised the failure of a call (ValueError"),
    ("07.1", silent_failure, "the model is told 'Error'. It should learn what went wrong"),
    ("07.1", error_as_it_is, "It has to be text"),
    ("07.1", other_ids, "Use the new id in the call and in its result"),
    ("07.1", swapped, "should get “Booking"),
    ("07.1", answers_alone, "A list of messages is needed"),
    ("07.1", twice_answered, "was answered twice"),
    ("07.1", without_type, 'lacks "type"'),
    ("07.1", numbered_from_one, "in your messages two carry"),
    ("07.2", newest, "Calls were streamed in turns"),
    ("07.2", keyed(zero_is_nothing), "An index of 0 is an index"),
    ("07.2", keyed(lambda d, calls: d.get("index") or d.get("id")), "An index of 0 is an index"),
    ("07.2", strict_zero, "and an index of 0 is an index"),
    ("07.2", by_number, "in the order in which they began"),
    ("07.2", strict_names, "under its index and under its id"),
    ("07.2", keyed(right_key), "under its index and under its id"),
    ("07.2", last_piece, "the call that began last"),
    ("07.2", null_is_an_index, "all pieces fell into one call"),
    ("07.2", keyed(lambda d, calls: d["index"]), "Some servers send no index; then the id tells"),
    ("07.2", keyed(lambda d, calls: d.get("index")), "all pieces fell into one call"),
    ("07.2", keyed(lambda d, calls: d["id"]), "The id comes with a call's first piece only"),
    ("07.2", keyed(lambda d, calls: d.get("id")), "became a call of their own"),
    ("07.2", keyed(right_key, lambda old, new: new), "append each, do not replace"),
    ("07.2", keyed(right_key, lambda old, new: old + new), "Arguments may be None"),
    ("07.2", parsed, "is right"),
    ("07.2", with_keys, "came out"),
    ("07.2", braces, "Case 8, a call without arguments"),
    ("07.2", with_text_only, "Case 8, a call without arguments"),
    ("07.2", nothing_for_nothing, "Is there a return on every way through it"),
    ("07.2", goes_on, "Does it keep something between calls"),
]
SAMPLES = [
    ("07.1", lambda calls, results: SAMPLE),
    ("07.1", one_message),
    ("07.2", lambda deltas: finished([("a", "Search", "{}")])),
]
