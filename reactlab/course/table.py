"""A small table as HTML in the language of the edition."""

from __future__ import annotations

from collections.abc import Iterable

from reactlab.course.words import current
from reactlab.render import table as render


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """The table as markup; its cells are markup too, the first of each row is the row's head."""
    return render.table(head, rows, current())
