"""A small table as HTML, with a head for every column and every row."""

from __future__ import annotations

from collections.abc import Iterable

_CELL = 'style="text-align:left;vertical-align:top;overflow-wrap:anywhere;max-width:22em"'


def table(head: Iterable[str], rows: Iterable[Iterable[str]], language: str) -> str:
    """The table as markup; the first cell of each row is the row's head.

    All cells are markup: what comes from data has passed `reactlab.render.html.shown`.
    """
    top = "".join(f'<th scope="col" {_CELL}>{cell}</th>' for cell in head)
    body = "\n".join(
        f'<tr><th scope="row" {_CELL}>{first}</th>'
        + "".join(f"<td {_CELL}>{cell}</td>" for cell in rest)
        + "</tr>"
        for first, *rest in rows
    )
    return f'<table lang="{language}"><thead><tr>{top}</tr></thead>\n<tbody>{body}</tbody></table>'
