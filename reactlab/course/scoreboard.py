"""Parsers scored on the gallery: read as meant, refused loudly, or wrong in silence."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from reactlab.course.exercises import NotDone, Stumble, TooMany
from reactlab.course.gallery import Gallery, Reply, gallery, markup, title_of
from reactlab.course.readings import Parser, Reading, Refusal, read
from reactlab.course.texts import Texts
from reactlab.course.words import current, value_shown
from reactlab.errors import ConfigError
from reactlab.render.html import shell, shown
from reactlab.render.labels import labels
from reactlab.render.rows import COLOURS, Kind, one_line

say = Texts("03")
Outcome = Literal["pass", "loud", "silent", "crash", "endless"]
BORDERS: dict[Outcome, Kind] = {
    "pass": "observation",
    "loud": "answer",
    "silent": "failure",
    "crash": "question",
    "endless": "question",
}


@dataclass(frozen=True)
class Verdict:
    """How one reply was read; `got` is None where the parser neither answered nor refused."""

    reply: Reply
    outcome: Outcome
    told: str
    got: Reading | Refusal | None = None


class Scoreboard:
    """Three worded bars for each parser, and one example of each fault nobody would notice."""

    def __init__(self, parsers: Mapping[str, Parser], replies: Sequence[Reply]) -> None:
        self.count = len(replies)
        self.rows = {name: _verdicts(parser, replies) for name, parser in parsers.items()}

    def counts(self, name: str) -> dict[Outcome, int]:
        """How many replies had which outcome; what never happened is left out after "silent"."""
        had = [verdict.outcome for verdict in self.rows[name] or ()]
        return {out: had.count(out) for out in BORDERS if out in had or out in list(BORDERS)[:3]}

    def silent(self, name: str) -> list[Verdict]:
        """The first wrong reading of each kind that the loop would not notice."""
        wrong = [verdict for verdict in self.rows[name] or () if verdict.outcome == "silent"]
        return list({one.reply.kind: one for one in reversed(wrong)}.values())[::-1]

    def first_error(self, name: str) -> str:
        """What stopped a parser the first time that it neither answered nor refused, else ""."""
        stopped = (one.told for one in self.rows[name] or () if one.outcome in ("crash", "endless"))
        return next(stopped, "")

    def __repr__(self) -> str:
        lines = [say("scored", self.count)]
        for name, verdicts in self.rows.items():
            lines.append(
                f"\n{name}" if verdicts is not None else f"\n{name}{_colon()}{say('open')}"
            )
            for outcome, count in self.counts(name).items() if verdicts is not None else ():
                bar = "█" * round(24 * count / max(self.count, 1))
                lines.append(f"  {say(outcome)}{_colon()}{count} {bar}".rstrip())
            notes = [*map(_in_a_line, self.silent(name)), self.first_error(name)]
            lines += [f"    · {note}" for note in notes if note]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        rows = "\n".join(self._row(name) for name in self.rows)
        words = labels(current())
        return shell(f"<p>{shown(say('scored', self.count))}</p>\n{rows}", words, say("scoreboard"))

    def _row(self, name: str) -> str:
        head = f'<p style="margin-top:0.9em"><b>{shown(name)}</b></p>'
        if self.rows[name] is None:
            return f"{head}<p>{shown(say('open'))}</p>"
        bars = "".join(self._bar(outcome, count) for outcome, count in self.counts(name).items())
        examples = "".join(_example(verdict) for verdict in self.silent(name))
        if examples:
            summary = shown(say("examples", len(self.silent(name))))
            examples = f"<details><summary>{summary}</summary>{examples}</details>"
        return f"{head}{bars}<p>{shown(self.first_error(name))}</p>{examples}"

    def _bar(self, outcome: Outcome, count: int) -> str:
        colour = COLOURS[BORDERS[outcome]]
        width = 100 * count / max(self.count, 1)
        style = f"border:1px solid {colour};background:{colour};height:7px;width:{width:.1f}%"
        bar = f'<div style="{style};border-radius:3px"></div>' if count else ""
        return f"<div>{shown(say(outcome))}{_colon()}<b>{count}</b>{bar}</div>"


def scoreboard(parsers: Mapping[str, Parser], replies: Iterable[Reply] | None = None) -> Scoreboard:
    """Score parsers by name on replies, by default on the whole gallery.

    A parser is a function of the reply; one with a parameter `tools` is told their names. It
    returns {"tool": ..., "input": ...} or {"answer": ...}, "thought" if it likes; a tuple (tool,
    input) or (thought, tool, input); or a `Decision`. The tool Finish is an answer. It refuses by
    returning None or raising ValueError or ParseError. A call of a tool that does not exist is
    loud as well: the loop says so. Another error, and running forever, are counted apart.
    """
    if not isinstance(parsers, Mapping):
        raise ConfigError(say("no_dict", value_shown(parsers)))
    for name, parser in parsers.items():
        if not callable(parser):
            raise ConfigError(say("no_parser", name, value_shown(parser)))
    return Scoreboard(parsers, gallery() if replies is None else Gallery(tuple(replies)))


def verdict(parser: Parser, reply: Reply) -> Verdict:
    """How a parser reads a reply; raises `NotDone` for a placeholder."""
    try:
        got = read(parser, reply.text, reply.tools)
    except Stumble as stumble:
        return Verdict(reply, "crash", str(stumble))
    except TooMany:
        return Verdict(reply, "endless", say("endless"))
    return Verdict(reply, outcome(reply, got), str(got), got)


def outcome(reply: Reply, got: Reading | Refusal) -> Outcome:
    """Whether a reading is what was meant; what the loop notices is loud, all else silent."""
    kind = reply.expect["kind"]
    kinds = {kind, *reply.expect.get("alt_kinds", ())}
    if isinstance(got, Refusal):
        return "pass" if kinds & {"none", "error"} else "loud"
    if got.answer is not None:
        right = kind == "final" and _among(got.answer, reply.expect, "answer")
        return "pass" if right else "silent"
    named = kind == "action" and got.tool == reply.expect["tool"]
    if named and _among(got.input, reply.expect, "input"):
        return "pass"
    return "silent" if got.tool in reply.tools else "loud"


def _verdicts(parser: Parser, replies: Sequence[Reply]) -> list[Verdict] | None:
    """One verdict for each reply; None for a parser that is still a placeholder."""
    try:
        return [verdict(parser, reply) for reply in replies]
    except NotDone:
        return None


def _among(got: Any, expect: Mapping[str, Any], key: str) -> bool:
    """Whether a value is the expected one or one that is right as well."""
    values = [got]
    if isinstance(got, Mapping) and len(got) == 1:
        values += [value for name, value in got.items() if name in ("input", "query")]
    wanted = [expect[key], *expect.get(f"{key}_alt", ())]
    return any(_same(value, one) for value in values for one in wanted)


def _same(got: Any, wanted: Any) -> bool:
    """Equal but for blanks around a text; a text that holds the wanted object in JSON is equal."""
    if isinstance(got, str) and not isinstance(wanted, str):
        try:
            got = json.loads(got)
        except ValueError:
            return False
    return bool(_bare(got) == _bare(wanted))


def _bare(value: Any) -> Any:
    if isinstance(value, str):
        return value.replace("\r\n", "\n").strip()
    if isinstance(value, Mapping):
        return {key: _bare(item) for key, item in value.items()}
    return [_bare(item) for item in value] if isinstance(value, list | tuple) else value


def _colon() -> str:
    return labels(current()).colon


def _in_a_line(verdict: Verdict) -> str:
    reply = verdict.reply
    told = f"{say('read_as', verdict.told)} · {say('meant', reply.meant)}"
    return f"{title_of(reply.kind)}{_colon()}{told}"


def _example(verdict: Verdict) -> str:
    reply = verdict.reply
    told = f"<p>{shown(say('read_as', one_line(verdict.told, 200)))}</p>"
    return f'<div style="margin:0.8em 0"><b>{shown(reply.title)}</b>{markup(reply)}{told}</div>'
