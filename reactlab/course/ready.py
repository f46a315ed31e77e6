"""Which model answers, and what this computer still lacks for the course."""

from __future__ import annotations

from contextlib import suppress

from reactlab.course.words import Both, current
from reactlab.doctor import examine
from reactlab.errors import ConfigError
from reactlab.llm.default import default_llm, describe


def ready() -> None:
    """Print which model answers, and whether this computer is ready for the course."""
    found = list(examine(language=current()))
    with suppress(ConfigError):
        print(describe(default_llm(), current()))
    to_fix = [f"{one.what}: {one.found}. {one.fix}" for one in found if one.fix]
    print("\n".join(to_fix) or _READY)


_READY = Both(
    "ready: this computer has all that the course needs", "就绪：这台电脑具备课程所需的一切"
)
