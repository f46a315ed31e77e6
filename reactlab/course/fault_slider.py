"""Success and calls paid against the rate of faults, as a picture to step through."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from reactlab.course.sweep import AGENTS, MIXED, Mean, Point
from reactlab.course.table import table
from reactlab.course.words import Both, current
from reactlab.errors import ConfigError
from reactlab.render.html import shell, shown, stepper
from reactlab.render.labels import labels
from reactlab.render.rows import COLOURS

_LOOKS = {
    "bare": (COLOURS["failure"], "2 4", "M-4-4h8v8h-8z"),
    "plain": (COLOURS["action"], "8 4", "M0-5l5 9h-10z"),
    "robust": (COLOURS["observation"], "", "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z"),
}
"""Colour, dashes and marker of each agent: no two differ in colour alone."""
_WIDTH, _HEIGHT, _LEFT, _TOP, _BOTTOM, _RIGHT = 330, 210, 44, 14, 178, 312
_SUCCESS, _CALLS = (
    Both("Success", "成功率"),
    Both("Model calls paid a run", "每次运行付费的模型调用"),
)
_HEADING = Both("Faults in {} of the calls", "故障占调用的 {}")
_NAME = Both("Success and cost against faults", "故障率与成功率、成本")
_LINE = Both(
    "{name}: success {success}, {calls} model calls paid a run",
    "{name}：成功率 {success}，每次运行付费 {calls} 次模型调用",
)
_CELL = Both(
    "success (95 % interval) · model calls paid a run",
    "成功率（95% 区间）· 每次运行付费的模型调用",
)
_KIND, _NONE = (
    Both("kind of fault", "故障种类"),
    Both("There are no such points.", "没有这样的点。"),
)


class FaultSlider:
    """One series of a sweep: a rate of faults a step, each agent with its intervals."""

    def __init__(self, points: Iterable[Point], agents: Sequence[str], series: str) -> None:
        found = [point for point in points if point.series == series and point.agent in agents]
        self.lines = {a: [p for p in found if p.agent == a] for a in agents}
        self.rates = sorted({point.rate for point in found})
        if not all(self.lines.values()) or not self.rates:
            raise ConfigError(str(_NONE))

    def __repr__(self) -> str:
        parts = [[_heading(rate), *self._told(rate)] for rate in self.rates]
        return f"{_NAME}\n" + "\n".join("\n  ".join(part) for part in parts)

    def _repr_html_(self) -> str:
        parts = [(_heading(rate), self._picture(rate)) for rate in self.rates]
        return stepper(parts, labels(current()), str(_NAME))

    def _told(self, rate: float) -> list[str]:
        return [
            _LINE.format(name=AGENTS[agent], success=_share(p.success), calls=_count(p.calls))
            for agent, points in self.lines.items()
            for p in points
            if p.rate == rate
        ]

    def _picture(self, rate: float) -> str:
        success = {a: {p.rate: p.success for p in line} for a, line in self.lines.items()}
        calls = {a: {p.rate: p.calls for p in line} for a, line in self.lines.items()}
        most = max(mean.high for line in calls.values() for mean in line.values())
        ticks = [(value, f"{value:.0%}") for value in (0.0, 0.25, 0.5, 0.75, 1.0)]
        numbers = [(float(n), str(n)) for n in range(0, int(most) + 2, 1 if most < 8 else 2)]
        panels = _panel(_SUCCESS, success, ticks, rate) + _panel(_CALLS, calls, numbers, rate)
        told = "".join(
            f"<p>{_key(agent)} {shown(line)}</p>"
            for agent, line in zip(self.lines, self._told(rate), strict=True)
        )
        return f'<div style="display:flex;flex-wrap:wrap;gap:12px">{panels}</div>{told}'


class KindTable:
    """Success and calls paid for each kind of fault alone, at one rate."""

    def __init__(self, points: Iterable[Point], rate: float, agents: Sequence[str]) -> None:
        self.agents, self.rate = agents, rate
        rows: dict[str, dict[str, Point]] = {}
        for point in points:
            if point.rate == rate:
                rows.setdefault(point.series, {})[point.agent] = point
        self.rows = {s: row for s, row in rows.items() if set(agents) <= set(row)}

    def _cells(self) -> list[list[str]]:
        return [
            [name, *(f"{_share(row[a].success)} · {row[a].calls.value:.1f}" for a in self.agents)]
            for name, row in self.rows.items()
        ]

    def _head(self) -> list[str]:
        return [str(_KIND), *(str(AGENTS[agent]) for agent in self.agents)]

    def __repr__(self) -> str:
        lines = [_heading(self.rate), str(_CELL), " | ".join(self._head())]
        return "\n".join([*lines, *(" | ".join(row) for row in self._cells())])

    def _repr_html_(self) -> str:
        rows = [[shown(cell) for cell in row] for row in self._cells()]
        made = table(map(shown, self._head()), rows)
        told = f"<p><b>{shown(_heading(self.rate))}</b><br>{shown(str(_CELL))}</p>"
        return shell(f"{told}{made}", labels(current()), str(_NAME))


def fault_slider(
    points: Iterable[Point], agents: Sequence[str] = ("bare", "robust"), series: str = MIXED
) -> FaultSlider:
    """Success and calls paid at each rate, with and without what handles faults."""
    return FaultSlider(points, agents, series)


def kind_table(
    points: Iterable[Point], rate: float = 0.2, agents: Sequence[str] = ("plain", "robust")
) -> KindTable:
    """A row for each series that has all these agents at this rate."""
    return KindTable(points, rate, agents)


def _heading(rate: float) -> str:
    return _HEADING.format(f"{rate:.0%}")


def _share(mean: Mean) -> str:
    return f"{mean.value:.0%} ({100 * mean.low:.0f}–{100 * mean.high:.0f})"


def _count(mean: Mean) -> str:
    return f"{mean.value:.1f} ({mean.low:.1f}–{mean.high:.1f})"


def _panel(
    what: Both, lines: dict[str, dict[float, Mean]], ticks: list[tuple[float, str]], chosen: float
) -> str:
    """One chart as SVG: ticks at the left, rates below, a line for each agent."""
    rates = sorted({rate for line in lines.values() for rate in line})
    most, last, name = ticks[-1][0], rates[-1] or 1.0, shown(str(what))

    def x(rate: float) -> float:
        return _LEFT + 16 + (_RIGHT - _LEFT - 32) * rate / last

    def y(value: float) -> float:
        return _BOTTOM - (_BOTTOM - _TOP) * value / most

    marks = [
        f'<rect x="{x(chosen) - 14:.1f}" y="{_TOP}" width="28" height="{_BOTTOM - _TOP}"'
        ' fill="currentColor" opacity="0.12"/>'
    ]
    for value, word in ticks:
        marks.append(
            f'<path d="M{_LEFT} {y(value):.1f}H{_RIGHT}" stroke="currentColor" opacity="0.2"/>'
            f'<text x="{_LEFT - 6}" y="{y(value) + 4:.1f}" text-anchor="end">{word}</text>'
        )
    for rate in rates:
        bold = ' font-weight="700"' if rate == chosen else ""
        marks.append(
            f'<text x="{x(rate):.1f}" y="{_BOTTOM + 18}" text-anchor="middle"{bold}>'
            f"{rate:.0%}</text>"
        )
    for place, (agent, line) in enumerate(lines.items()):
        colour, dashes, marker = _LOOKS[agent]
        aside = 4 * place  # intervals stand side by side
        way = "L".join(f"{x(rate) + aside:.1f} {y(mean.value):.1f}" for rate, mean in line.items())
        marks.append(
            f'<path d="M{way}" fill="none" stroke="{colour}" stroke-width="2"'
            f' stroke-dasharray="{dashes}"/>'
        )
        for rate, mean in line.items():
            size = 1.5 if rate == chosen else 1
            marks.append(
                f'<path d="M{x(rate) + aside:.1f} {y(mean.low):.1f}V{y(mean.high):.1f}"'
                f' stroke="{colour}" stroke-width="1.5"/><path d="{marker}" fill="{colour}"'
                f' transform="translate({x(rate) + aside:.1f} {y(mean.value):.1f}) scale({size})"/>'
            )
    return (
        f'<div style="flex:1 1 260px;max-width:{_WIDTH}px"><p><b>{name}</b></p>'
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" width="100%" role="img" aria-label="{name}"'
        f' font-size="13" fill="currentColor">{"".join(marks)}</svg></div>'
    )


def _key(agent: str) -> str:
    """The line and marker of an agent, small."""
    colour, dashes, marker = _LOOKS[agent]
    return (
        '<svg width="44" height="14" viewBox="-22 -7 44 14" aria-hidden="true"'
        f' style="vertical-align:middle"><path d="M-20 0H20" stroke="{colour}" stroke-width="2"'
        f' stroke-dasharray="{dashes}"/><path d="{marker}" fill="{colour}"/></svg>'
    )
