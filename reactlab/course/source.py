"""Source code to read beside a cell: highlighted, with its file, the same on every machine."""

from __future__ import annotations

import inspect
import keyword
import re
from html import escape
from pathlib import Path
from textwrap import dedent
from typing import Any

import reactlab
from reactlab.course.words import Both, value_shown
from reactlab.errors import ConfigError

_NO_SOURCE = Both(
    "show takes a function, method or class written in Python, such as show(ReActAgent), not {}.",
    "show 要的是用 Python 写的函数、方法或类，例如 show(ReActAgent)，而不是 {}。",
)
_TOKEN = re.compile(
    r'(?P<string>[rbf]{0,2}(?:"""(?s:.*?)"""|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'))'
    r"|(?P<comment>#[^\n]*)|(?P<word>\b[^\W\d]\w*)|(?P<other>(?s:.))",
)
_STYLE = 'style="color:var(--jp-mirror-editor-{}-color,inherit)"'


class Source:
    """The source of a function, method or class."""

    def __init__(self, code: str, place: str) -> None:
        self.code = code
        self.place = place

    def __repr__(self) -> str:
        return f"# {self.place}\n{self.code}"

    def _repr_html_(self) -> str:
        painted = _TOKEN.sub(_paint, self.code)
        return (
            f'<div class="rl-source"><p><b>{escape(self.place)}</b></p>\n'
            f'<pre style="white-space:pre;overflow-x:auto"><code>{painted}</code></pre></div>'
        )


def show(thing: Any) -> Source:
    """The source of a function, method or class, with the file it stands in.

    Raises `ConfigError` where Python finds none.
    """
    thing = inspect.unwrap(thing) if callable(thing) else thing
    root = Path(reactlab.__file__).parent
    try:
        path, code = inspect.getsourcefile(thing), inspect.getsource(thing)
    except (TypeError, OSError):
        told = "..." if thing is ... else value_shown(thing)
        raise ConfigError(_NO_SOURCE.format(told)) from None
    inside = path is not None and Path(path).is_relative_to(root)
    place = f"reactlab/{Path(str(path)).relative_to(root).as_posix()}" if inside else "notebook"
    return Source(dedent(code).rstrip(), place)


def _paint(found: re.Match[str]) -> str:
    text = escape(found[0], quote=False)
    match found.lastgroup:
        case "string":
            return f"<span {_STYLE.format('string')}>{text}</span>"
        case "comment":
            return f"<i {_STYLE.format('comment')}>{text}</i>"
        case "word" if keyword.iskeyword(text):
            # Bold still marks a keyword where a page takes the colours away.
            return f"<b {_STYLE.format('keyword')}>{text}</b>"
    return text
