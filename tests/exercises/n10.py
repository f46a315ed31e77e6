"""Right and wrong solutions of 10 safety."""

from __future__ import annotations

import os
import re
from pathlib import Path
from urllib.parse import unquote

from reactlab.course.lessons.n10 import CHANGING
from reactlab.injection import allow_only, no_tainted

# 10.1


def decoded(path):
    while unquote(path) != path:
        path = unquote(path)
    return path


def by_common_path(root, path):
    """With os.path, and a comparison of whole folders."""
    folder = os.path.realpath(root)
    return os.path.commonpath([folder, os.path.realpath(os.path.join(folder, decoded(path)))]) == (
        folder
    )


def by_parents(root, path):
    """Looks for the root among the parents; resolves once more than needed."""
    target = (root.resolve() / decoded(path)).resolve()
    return root.resolve() in [target, *target.parents]


def by_error(root, path):
    """As the package does: relative_to complains."""
    try:
        Path(root / decoded(path)).resolve().relative_to(root.resolve())
    except ValueError:
        return False
    return True


def with_a_slash(root, path):
    """startswith, with the separator behind the folder's name; refuses absolute paths outright."""
    path = decoded(path)
    if path.startswith("/"):
        return False
    return os.path.realpath(root / path).startswith(os.path.realpath(root) + os.sep)


def one_by_one(root, path):
    """Walks through the parts by hand."""
    root, path = root.resolve(), decoded(path)
    here = Path("/") if path.startswith("/") else root
    for part in path.split("/"):
        here = (here.parent if part == ".." else here / part).resolve()
    return here.is_relative_to(root)


def by_start(root, path):
    return str((root / decoded(path)).resolve()).startswith(str(root.resolve()))


def by_text(root, path):
    return Path(os.path.normpath(root / decoded(path))).is_relative_to(root)


def no_dots(root, path):
    path = decoded(path)
    return ".." not in path and not path.startswith("/") and by_parents(root, path)


def no_dots_first(root, path):
    return not decoded(path).startswith("..") and by_parents(root, path)


def undecoded(root, path):
    return (root / path).resolve().is_relative_to(root.resolve())


def decoded_once(root, path):
    return (root / unquote(path)).resolve().is_relative_to(root.resolve())


def decoded_four_times(root, path):
    for _ in range(4):
        path = unquote(path)
    return (root / path).resolve().is_relative_to(root.resolve())


def normalised_first(root, path):
    target = Path(os.path.normpath(root / decoded(path)))
    return target.resolve().is_relative_to(root.resolve())


def no_file_that_is_a_link(root, path):
    return by_parents(root, path) and not (root / decoded(path)).is_symlink()


def half_resolved(root, path):
    return (root / decoded(path)).resolve().is_relative_to(root)


def has_to_exist(root, path):
    return by_parents(root, path) and (root / decoded(path)).exists()


def no_per_cent(root, path):
    return "%" not in path and by_parents(root, path)


def absolute_is_stripped(root, path):
    return by_parents(root, decoded(path).lstrip("/"))


def no_links(root, path):
    steps = [root / decoded(path), *(root / decoded(path)).parents]
    inner = [step for step in steps if str(step).startswith(str(root)) and step != root]
    return by_parents(root, path) and not any(step.is_symlink() for step in inner)


# 10.2


def by_hand(call, trace):
    """Every value of a change stands in the question or is the e-mail of a booking."""
    if call.name not in CHANGING:
        return True
    seen = [
        str(use.observation)
        for step in trace.steps
        for use in step.uses
        if use.call.name == "FindBooking"
    ]
    mails = re.findall(r'"email": "([^"]+)"', "\n".join(seen))
    for name, value in call.arguments.items():
        if name != "text" and value not in trace.question and value not in mails:
            return f"{value}?"
    return True


def by_word(call, trace):
    """Reads the question: its verb gives the one change, its values what it may be made with."""
    asked = trace.question
    verbs = {
        "SendMessage": ("Send", "发给"),
        "CancelBooking": ("Cancel", "取消"),
        "Rebook": ("Rebook", "改签"),
    }
    if call.name not in verbs:
        return call.name != "ReadFile" or call.arguments["path"] in asked
    if not any(verb in asked for verb in verbs[call.name]):
        return False
    values = [str(value) for name, value in call.arguments.items() if name != "text"]
    given = re.findall(r"[\w.]+@[\w.]+\w|[A-Z]{2}\d+|\d{5}", asked, re.ASCII)
    numbers = [each for each in given if re.fullmatch(r"\d{5}", each)]
    guests = [f"guest{number}@" for number in numbers if "passenger" in asked or "乘客" in asked]
    return all(v in given or any(v.startswith(guest) for guest in guests) for v in values)


def by_list(call, trace):
    """An allow-list made from the question, with the package's parts."""
    asked = trace.question
    booking = no_tainted({"SendMessage": ["to"]}, {"FindBooking": ["email"]})
    rules = {name: {} for name in ("Search", "FindBooking", "ReadFile", "CheckFlight")}
    rules["SendMessage"] = {"to": lambda to: booking(call, trace) is True}
    rules["CancelBooking"] = {"order_id": lambda order: order in asked}
    rules["Rebook"] = {name: lambda value: value in asked for name in ("order_id", "flight")}
    return allow_only(rules)(call, trace)


def by_taint(call, trace):
    sensitive = {"SendMessage": ["to"], "CancelBooking": ["order_id"], "Rebook": ["order_id"]}
    sensitive["Rebook"].append("flight")
    return no_tainted(sensitive, {"FindBooking": ["email"]})(call, trace)


def question_alone(call, trace):
    values = [v for name, v in call.arguments.items() if name != "text"]
    return call.name not in CHANGING or all(value in trace.question for value in values)


def only_mail(call, trace):
    return no_tainted({"SendMessage": ["to"]}, {"FindBooking": ["email"]})(call, trace)


def anything_seen(call, trace):
    text = trace.question + "".join(str(seen) for step in trace for seen in step.observations)
    return call.name not in CHANGING or all(
        str(v) in text for name, v in call.arguments.items() if name != "text"
    )


def no_test_address(call, trace):
    """A list of bad endings, beside the orders and flights of the question."""
    if str(call.arguments.get("to", "")).endswith(".test"):
        return False
    return call.name not in ("CancelBooking", "Rebook") or question_alone(call, trace)


def without_return(call, trace):
    if call.name not in CHANGING:
        return True
    return None


RIGHT = [
    ("10.1", by_common_path),
    ("10.1", by_parents),
    ("10.1", by_error),
    ("10.1", with_a_slash),
    ("10.1", one_by_one),
    ("10.2", by_hand),
    ("10.2", by_word),
    ("10.2", by_list),
    ("10.2", by_taint),
    ("10.3", {"A": (3, "ignored"), "B": (2, "obeyed data"), "C": (4, "done twice")}),
    ("10.3", {"a": ("step 3", "无视观察"), "b": (2, "听命于数据"), "c": ("第 4 步", "做了两遍")}),
    ("10.3", {"Ａ": (3, "Ignored"), "Ｂ": ["２", "obeyed"], "Ｃ": (4, "twice")}),
]
WRONG = [
    ("10.1", by_start, "“data-old” starts with “data”"),
    ("10.1", by_text, "on the disk it is a link that leads out"),
    ("10.1", no_dots, "Where it ends counts"),
    ("10.1", no_dots_first, "a name that begins with two dots"),
    ("10.1", undecoded, "%2e is a dot"),
    ("10.1", decoded_once, "Decoded once"),
    ("10.1", decoded_four_times, "until nothing changes"),
    ("10.1", normalised_first, "the link is followed first"),
    ("10.1", no_file_that_is_a_link, "leads to a place inside"),
    ("10.1", half_resolved, "follow links in both"),
    ("10.1", has_to_exist, "need not exist"),
    ("10.1", no_per_cent, "Here % is part of a name"),
    ("10.1", absolute_is_stripped, "an absolute path replaces it"),
    ("10.1", no_links, "leads to a place inside"),
    ("10.1", lambda root, path: None, "returned None"),
    ("10.2", lambda call, trace: False, "No attacker got through, and no customer either."),
    ("10.2", lambda call, trace: "no", "No attacker got through, and no customer either."),
    ("10.2", lambda call, trace: True, "An attack passed. The user"),
    ("10.2", lambda call, trace: call.name not in CHANGING, "honest requests no longer work"),
    ("10.2", question_alone, "honest requests no longer work"),
    ("10.2", only_mail, "Your function allowed CancelBooking"),
    ("10.2", anything_seen, "An attack passed"),
    ("10.2", no_test_address, "An attack passed"),
    ("10.2", without_return, "One of these is needed: True, False"),
    ("10.2", lambda call, trace: call.arguments["to"] in trace.question, "KeyError: 'to'"),
    ("10.3", {"A": (4, "ignored")}, "step 4 is not the first"),
    ("10.3", {"B": (3, "obeyed data")}, "step 3 is not the first"),
    ("10.3", {"C": (4, "wrong tool")}, "Was the message not sent before?"),
    ("10.3", {"C": (2, "done twice")}, "step 2 is sound"),
]
SAMPLES = [
    ("10.1", lambda root, path: False),
    ("10.2", lambda call, trace: call.name != "CancelBooking"),
]
VALUES = {"10.3"}
