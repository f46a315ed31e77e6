"""Traces shown in the words of the edition, where a notebook is running."""

from __future__ import annotations

import sys
from typing import Any

from reactlab.course.words import Language
from reactlab.display import as_html, as_text
from reactlab.trace import Trace


def show_traces_in(language: Language) -> None:
    """Let IPython show every trace in this language; nothing happens outside of IPython."""
    ipython: Any = sys.modules.get("IPython")
    shell = ipython and ipython.get_ipython()
    if not shell:
        return
    formatters = shell.display_formatter.formatters
    formatters["text/html"].for_type(Trace, lambda trace: as_html(trace, language=language))
    formatters["text/plain"].for_type(
        Trace, lambda trace, printer, cycle: printer.text(as_text(trace, language=language))
    )
