"""Checks of 03 parser: the balanced scan, a parser of one's own, errors that tell what to do."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from reactlab.course.cases import Case, by_cases
from reactlab.course.exercises import Judge, Raised, Stumble, attempt
from reactlab.course.gallery import Gallery, Reply
from reactlab.course.readings import Reading, Refusal
from reactlab.course.replies import PLAIN, REGEXES, by_regex, replies, tools, unreadable
from reactlab.course.scoreboard import Verdict, verdict
from reactlab.course.texts import Texts
from reactlab.course.words import current, plain, value_shown
from reactlab.errors import ParseError

say = Texts("03")

FAULTS = (
    "crashed_reply",
    "no_action",
    "silent_reply",
    "unknown_reply",
    "loud_reply",
    "thought_lost",
)
ACTION_FORM = re.compile(r"(action|行动) ?:.*\[.*\]|(action ?input|行动输入) ?:", re.IGNORECASE)
ANSWER_FORM = re.compile(r"final ?answer ?:|答案 ?:", re.IGNORECASE)


def six() -> Gallery:
    """The six bad replies of 03a."""
    cases = enumerate(say["six"], 1)
    return Gallery([Reply(name=str(n), language=current(), **case) for n, case in cases])


# 03.1

# What stands before the bracket, the brackets, what stands behind; None: they are never closed.
CALLS: tuple[tuple[str, str, str | None], ...] = (
    ("{call}", "[{topic}]", ""),
    ("{call}", "[(a[{i}]+b[{j}])*{k}]", ""),
    ("{call}", "[[[{i}, {j}], [{k}]][1][0]]", "{another}"),
    ("say", '["]"]', ""),
    ("{call}", '["]".join(["{topic}", "["])]', " [{k}]"),
    ("{call}", "{apostrophe}", "{another}"),
    ("{call}", "[{i}) {topic} [{j}] :-(]", ")]"),
    ("Python[", "[{i}, {j}]", "[0]]"),
    ("Python", "[print(a[{i}]", None),
    ("Python", '[print("{topic}]", {i}', None),
    ("{search}", "[{topic}", None),
)


def scans() -> Iterator[Case]:
    """Calls to scan: the kinds that the notebook shows, with other words and numbers."""
    for seed in range(3):
        slots = _slots(seed)
        for parts in CALLS:
            head, call, behind = ((part or "").format(**slots) for part in parts)
            wanted = ValueError if parts[2] is None else len(head + call) - 1
            yield _scan(head + call + behind, len(head), wanted)


def _slots(seed: int) -> dict[str, Any]:
    chance = random.Random(seed)
    topic, other = chance.sample(say["pool"]["topics"], 2)
    numbers = dict(zip("ijk", chance.sample(range(1, 9), 3), strict=True))
    action, search = say["markers"][1], tools()[0]
    return {
        "topic": topic,
        "call": f"{action}{tools()[seed]}",
        "search": search,
        "another": f"\n{action}{search}[{other}]",
        "apostrophe": say("apostrophe_text", topic, numbers["i"]),
        **numbers,
    }


def _scan(text: str, start: int, wanted: Any) -> Case:
    first = text.find("]", start)
    about = {
        "cut": text[start + 1 : first if first >= 0 else None],
        "whole": text[start + 1 : max(text.rfind("]"), start + 1)],
        "right": text[start + 1 : wanted] if isinstance(wanted, int) else "",
        "otherwise": "cut" if wanted is ValueError else "wrong",
    }
    line = text.replace("\n", " ⏎ ")
    return Case(say("scan_case", line, start), (text, start), wanted, about)


def scan(text: str, start: int, opens: str = "[", quotes: str = '"') -> int:
    """The balanced scan; with other signs it makes the mistakes that learners make."""
    depth, quote = 0, ""
    for at in range(start, len(text)):
        sign = text[at]
        if quote or sign in quotes:
            quote = ("" if sign == quote else quote) if quote else sign
        elif sign in opens or sign in _closers(opens):
            depth += 1 if sign in opens else -1
            if depth == 0:
                return at
    raise ValueError


def _closers(opens: str) -> str:
    return opens.translate(str.maketrans("[({", "])}"))


SCAN_MISTAKES: dict[str, Callable[..., Any]] = {
    "quotes_ignored": lambda text, start: scan(text, start, quotes=""),
    "first": lambda text, start: text.index("]", start),
    "from_zero": lambda text, start: scan(text, text.index("[")),
    "last": lambda text, start: text.rindex("]"),
    "apostrophe": lambda text, start: scan(text, start, quotes="\"'"),
    "every_bracket": lambda text, start: scan(text, start, opens="[("),
    "relative": lambda text, start: scan(text, start) - start,
    "behind": lambda text, start: scan(text, start) + 1,
    "inside": lambda text, start: text[start + 1 : scan(text, start)],
}


def judge_balanced(balanced: Any) -> Iterator[str]:
    """03.1: nesting, quotes, a cut end; a ParseError is a refusal as well."""

    def refusing(text: str, start: int) -> Any:
        try:
            return balanced(text, start)
        except ParseError as error:
            raise ValueError(str(error)) from None

    given = refusing if callable(balanced) else balanced
    yield from by_cases(say, scans, SCAN_MISTAKES)(given)


# 03.2


def judge_parse(my_parse: Any) -> Iterator[str]:
    """03.2: nothing wrong in silence, the plain ones read, and more read than by either regex."""
    hidden = replies()
    verdicts: list[Verdict] = []
    while len(verdicts) < len(hidden) and "endless" not in {one.outcome for one in verdicts}:
        verdicts.append(verdict(my_parse, hidden[len(verdicts)]))
    faults = [_fault(one) for one in verdicts]
    score = Counter[str](one.outcome for one in verdicts)
    score["lost"] = faults.count("thought_lost")
    told = _score(len(verdicts), score)
    if not any(isinstance(one.got, Reading) and one.got.tool for one in verdicts):
        faults = ["no_action" if fault == "loud_reply" else fault for fault in faults]
    for kind in FAULTS:
        if kind in faults:
            yield _told(kind, verdicts[faults.index(kind)], told)
    yield from [""] * (len(verdicts) - 1)
    yield _beats_both(verdicts, score["pass"], told)


def _fault(one: Verdict) -> str:
    """Which message a verdict earns, or ""."""
    plainly = one.reply.kind in PLAIN
    if one.outcome in ("crash", "endless"):
        return "crashed_reply"
    if one.outcome == "silent":
        return "silent_reply"
    if one.outcome == "loud" and plainly:
        return "loud_reply" if isinstance(one.got, Refusal) else "unknown_reply"
    return "thought_lost" if one.outcome == "pass" and _thought_lost(one) else ""


def _thought_lost(one: Verdict) -> bool:
    wanted = plain(one.reply.expect.get("thought", ""))
    return isinstance(one.got, Reading) and wanted not in plain(one.got.thought)


def _score(tried: int, score: Counter[str]) -> str:
    stopped = score["crash"] + score["endless"]
    more = say("score_lost", score["lost"]) if score["lost"] else ""
    more += say("score_stopped", stopped) if stopped else ""
    right = score["pass"] - score["lost"]
    return say("score", tried, right, score["loud"], score["silent"], more)


def _told(kind: str, one: Verdict, score: str) -> str:
    reply = one.reply
    slots = {"text": reply.text, "got": one.told, "wanted": reply.meant, "score": score}
    why = say(f"look_{reply.kind}")
    return say(kind, why=why, thought=reply.expect.get("thought", ""), **slots)


def _beats_both(verdicts: list[Verdict], mine: int, score: str) -> str:
    hidden = [one.reply for one in verdicts]
    naive = map(by_regex, REGEXES)
    theirs = [sum(verdict(p, one).outcome == "pass" for one in hidden) for p in naive]
    refused = [one.reply for one in verdicts if one.outcome == "loud"]
    if mine > max(theirs) or not refused:
        return ""
    return say("no_better", *theirs, score=score, text=refused[0].text, wanted=refused[0].meant)


# 03.3


def judge_complaint(complaint: Any) -> Iterator[str]:
    """03.3: the line and nothing else of the reply, an action's form, without one an answer's."""
    for reply, line in unreadable():
        case = say("case_reply", reply)
        try:
            got = attempt(case, complaint, reply)
        except Raised as raised:
            if not isinstance(raised.error, ValueError | ParseError):
                raise
            got = str(raised.error)
        if not isinstance(got, str):
            raise Stumble(say("no_text", case=case, got=value_shown(got)))
        lacks = _lacks(got, reply, line)
        what = say(lacks, line=line) if lacks else ""
        yield say("together", what=what, reply=reply, got=got[:1000]) if lacks else ""


def _lacks(told: str, reply: str, line: str) -> str:
    """The message about what a model would still need that sees only `told`, or ""."""
    got = _one_line(told)
    others = [_one_line(one) for one in reply.split("\n") if one != line]
    # The line may be a part of the form, which may stand before or after it.
    rests = got.replace(_one_line(line), " ", 1), " ".join(got.rsplit(_one_line(line) or None, 1))
    begun = line.startswith(say["markers"][1])
    if _one_line(line) not in got:
        return "no_line"
    if any(other in got for other in others):
        return "whole_reply"
    if not any(map(ACTION_FORM.search, rests)):
        return "no_action_form"
    return "" if begun or ANSWER_FORM.search(got) else "no_answer_form"


def _one_line(text: str) -> str:
    return " ".join(plain(text).split())


JUDGES: dict[str, Judge] = {"1": judge_balanced, "2": judge_parse, "3": judge_complaint}
EXAMPLES = {"six": six}
