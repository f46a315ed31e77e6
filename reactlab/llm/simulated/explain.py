"""Why the simulated model does what it does: its advantage over a network."""

from __future__ import annotations

from dataclasses import dataclass

from reactlab.llm.simulated.asking import Ask
from reactlab.llm.simulated.planner import Move, Run
from reactlab.llm.simulated.reading import Reading
from reactlab.llm.simulated.special import Match, match
from reactlab.llm.simulated.writing import plain_args


@dataclass(frozen=True)
class Explanation:
    """What was read from a request, how the tools matched it, and the move that follows.

    `matches` are the tools with their scores and the words that were shared, best first. `ask` is
    the question as understood. `observed` are the calls whose observations were used.
    """

    reading: Reading
    ask: Ask
    roles: tuple[tuple[str, str], ...]
    matches: tuple[Match, ...]
    observed: tuple[str, ...]
    move: Move

    @property
    def rows(self) -> list[tuple[str, str]]:
        """The explanation as (what, value)."""
        reading, ask = self.reading, self.ask
        parts = [concept.id for concept in ask.concepts]
        found = [
            ("dialect", reading.dialect + ("" if reading.thoughts else ", without thoughts")),
            ("language", reading.lang),
            ("question", reading.question),
            ("about", ask.subject or "(nothing with a name)"),
            ("asks for", ask.kind + (f" ({ask.head})" if ask.head else "")),
            ("ideas in it", ", ".join(parts) or "(none that the tables know)"),
            ("other words", ", ".join(ask.words) or "(none)"),
            (
                "tools by role",
                ", ".join(f"{role}: {name}" for role, name in self.roles) or "(none)",
            ),
        ]
        found += [
            (f"match {m.tool.name}", f"{m.score:g} ({', '.join(m.words) or 'no shared word'})")
            for m in self.matches
        ]
        found.append(("observations used", ", ".join(self.observed) or "(none yet)"))
        found.append(("move", self._moved()))
        found.append(("because", self.move.thought or "(it writes no thoughts)"))
        return found

    def _moved(self) -> str:
        if self.move.tool:
            return f"{self.move.tool.name}[{plain_args(self.move)}]"
        return f"answer: {self.move.answer}"

    def __str__(self) -> str:
        width = max(len(what) for what, _ in self.rows)
        return "\n".join(f"{what:{width}}  {value}" for what, value in self.rows)

    def _repr_markdown_(self) -> str:
        """A table, with everything from the request escaped."""
        lines = [f"| {_cell(what)} | {_cell(value)} |" for what, value in self.rows]
        return "\n".join(["| what | value |", "|---|---|", *lines])


def explained(run: Run, ask: Ask, move: Move) -> Explanation:
    """Collect what a finished run knows about itself."""
    tools = run.tools
    roles = [("search", tools.search), ("lookup", tools.lookup), ("calculator", tools.calculator)]
    matches = sorted(
        (match(tool, run.reading.question) for tool in tools.special), key=lambda m: -m.score
    )
    return Explanation(
        run.reading,
        ask,
        tuple(
            (role, f"{tool.name} (by {', '.join(tools.role_words(role))})")
            for role, tool in roles
            if tool
        ),
        tuple(matches),
        tuple(dict.fromkeys(f"{step.tool}[{step.args}]" for step in run.used)),
        move,
    )


def _cell(text: str) -> str:
    text = " ".join(text.split()).replace("&", "&amp;").replace("<", "&lt;").replace("|", "\\|")
    return text.replace("`", "&#96;").replace("[", "&#91;").replace("*", "\\*").replace("_", "\\_")
