"""The gallery of bad replies: what models write, and what was meant."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, overload

from reactlab.course.readings import Reading
from reactlab.course.texts import Texts
from reactlab.course.words import current
from reactlab.errors import ConfigError
from reactlab.render.html import shown, stepper
from reactlab.render.labels import labels
from reactlab.render.rows import clean

say = Texts("03")
MOST = 12  # more are counted, not shown
_PRE = "white-space:pre-wrap;overflow-wrap:anywhere;font-family:monospace;margin:0.5em 0"


@dataclass(frozen=True)
class Reply:
    """A reply of a model and what was meant.

    `form` is how it is written: "bracket", "two lines", "json", "call", "tags" or "answer".
    `tools` are the registered names. `expect["kind"]` is "action" (with "tool" and "input"),
    "final" (with "answer"), or "none" and "error" where no step can be trusted; what is right as
    well stands under "input_alt", "answer_alt" and "alt_kinds".
    """

    name: str
    kind: str
    form: str
    language: str
    tools: Sequence[str]
    text: str
    expect: Mapping[str, Any]

    @property
    def meant(self) -> str:
        """What should be read, in words."""
        match self.expect["kind"]:
            case "action":
                return str(Reading(self.expect["tool"], _plain(self.expect["input"])))
            case "final":
                return str(Reading(answer=self.expect["answer"]))
        return say("meant_nothing")

    @property
    def title(self) -> str:
        """The kind in words, and the name of the reply."""
        title = title_of(self.kind)
        return say("titled", title, self.name) if self.name else title


class Gallery(Sequence[Reply]):
    """Replies to look at: a few are shown one by one, many as a count of their kinds."""

    def __init__(self, replies: Sequence[Reply]) -> None:
        self.replies = tuple(replies)

    @overload
    def __getitem__(self, index: int) -> Reply: ...
    @overload
    def __getitem__(self, index: slice) -> Gallery: ...
    def __getitem__(self, index: int | slice) -> Reply | Gallery:
        """One reply, or a gallery of some."""
        found = self.replies[index]
        return found if isinstance(found, Reply) else Gallery(found)

    def __len__(self) -> int:
        return len(self.replies)

    def __repr__(self) -> str:
        if len(self) > MOST:
            return "\n".join(self._overview())
        return "\n\n".join(
            f"── {reply.title}\n{clean(reply.text)}\n→ {say('meant', reply.meant)}"
            for reply in self
        )

    def _repr_html_(self) -> str:
        words, name = labels(current()), say("gallery")
        if len(self) > MOST:
            items = "".join(f"<li>{shown(line)}</li>" for line in self._overview())
            return f'<ul lang="{current()}">{items}</ul>'
        parts = [(reply.title, markup(reply)) for reply in self]
        return stepper(parts, words, name)

    def _overview(self) -> list[str]:
        kinds = Counter(reply.kind for reply in self)
        lines = [
            say("kind_line", kind, count, title_of(kind), why_of(kind))
            for kind, count in kinds.items()
        ]
        return [say("count", len(self), say("more")), *lines]


def gallery(kind: str = "", form: str = "", language: str = "") -> Gallery:
    """Replies of a kind, a form and a language; all where nothing is said, the edition's first."""
    wanted = {"kind": kind, "form": form, "language": language}
    for word, value in wanted.items():
        known = dict.fromkeys(getattr(reply, word) for reply in _replies())
        if value and value not in known:
            raise ConfigError(say("no_such", word, value, ", ".join(known)))
    found = [
        reply
        for reply in _replies()
        if all(value in ("", getattr(reply, word)) for word, value in wanted.items())
    ]
    return Gallery(sorted(found, key=lambda reply: reply.language != current()))


def markup(reply: Reply) -> str:
    """The reply as it was written, and what was meant."""
    meant = shown(say("meant", reply.meant))
    return f'<p style="{_PRE}" dir="auto">{shown(reply.text)}</p><p>→ {meant}</p>'


def title_of(kind: str) -> str:
    """A kind in words."""
    return str(say["kinds"][kind]["title"])


def why_of(kind: str) -> str:
    """What makes replies of a kind hard to read."""
    return str(say["kinds"][kind]["why"])


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


@cache
def _replies() -> tuple[Reply, ...]:
    text = files("reactlab").joinpath("data", "course", "gallery.jsonl").read_text(encoding="utf-8")
    return tuple(Reply(**json.loads(line)) for line in text.strip().split("\n"))
