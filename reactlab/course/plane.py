"""Attack success and utility of each defence, as points in a plane."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from reactlab.course.table import table
from reactlab.course.words import Both, current
from reactlab.errors import ConfigError
from reactlab.render.html import shell, shown
from reactlab.render.labels import labels

_SIDE, _LEFT, _TOP, _RADIUS, _NEAR = 340, 64, 16, 10, 0.05
_WIDTH, _HEIGHT = _LEFT + _SIDE + 24, _TOP + _SIDE + 56
_NAME = Both("Attack success and utility", "攻击成功率与可用性")
_ACROSS = Both("attacks that succeed", "攻击成功的比例")
_UP = Both("users who get what they asked for", "用户如愿的比例")
_CORNER = Both("nobody is here", "这里没有人")
_DOT = Both(
    "{name}: attacks {attack}, utility {utility}", "{name}：攻击成功 {attack}，可用性 {utility}"
)
_HEAD = (Both("Defence", "防御"), _ACROSS, _UP)
_INTERVALS = Both(
    "In brackets: 95 % intervals. Dots that would cover each other stand side by side.",
    "括号内为 95% 区间。会互相遮住的点并排放置。",
)
_NONE = Both("There are no results to draw.", "没有可以画的结果。")

Ends = tuple[float, float]


@dataclass(frozen=True)
class Dot:
    """A defence: both shares in 0..1, each with the low and high end of its interval."""

    name: str
    attack: float
    attack_ends: Ends
    utility: float
    utility_ends: Ends


class Plane:
    """A dot with both intervals for each defence; the number in it is that of the table below."""

    def __init__(self, dots: Iterable[Dot]) -> None:
        self.dots = list(dots)
        if not self.dots:
            raise ConfigError(str(_NONE))

    @property
    def empty_corner(self) -> bool:
        """Whether no defence stops all attacks and serves all users."""
        return not any(dot.attack <= _NEAR and dot.utility >= 1 - _NEAR for dot in self.dots)

    def __repr__(self) -> str:
        lines = [str(_NAME), *(_DOT.format(**cells) for cells in self._cells())]
        corner = [f"{_ACROSS} 0%, {_UP} 100%: {_CORNER}"] if self.empty_corner else []
        return "\n  ".join([*lines, *corner])

    def _repr_html_(self) -> str:
        rows = [[shown(cell) for cell in cells.values()] for cells in self._cells()]
        made = table(map(shown, map(str, _HEAD)), rows)
        told = f"<p>{shown(str(_INTERVALS))}</p>"
        return shell(f"{self.svg()}\n{made}\n{told}", labels(current()), str(_NAME))

    def svg(self) -> str:
        """The plane alone; colours are those of the page around it."""
        marks = "\n".join([*_frame(), *self._corner(), *self._marks()])
        return (
            f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" width="100%" style="max-width:{_WIDTH}px"'
            f' role="img" aria-label="{shown(str(_NAME))}" font-size="13" fill="currentColor">'
            f"\n{marks}\n</svg>"
        )

    def _cells(self) -> Iterator[dict[str, str]]:
        for number, dot in enumerate(self.dots, 1):
            yield {
                "name": f"{number}. {dot.name}",
                "attack": _share(dot.attack, dot.attack_ends),
                "utility": _share(dot.utility, dot.utility_ends),
            }

    def _corner(self) -> Iterator[str]:
        if self.empty_corner:
            yield (
                f'<path d="M{_x(0)} {_y(0.9)}H{_x(0.36)}V{_y(1)}" fill="none" stroke="currentColor"'
                f' stroke-dasharray="3 4"/><text x="{_x(0) + 6}" y="{_y(1) + 21}">'
                f"{shown(str(_CORNER))}</text>"
            )

    def _marks(self) -> Iterator[str]:
        """Intervals first, so that no line crosses a number; dots that meet stand side by side."""
        places: list[tuple[float, float]] = []
        for dot in self.dots:
            x, y = _x(dot.attack), _y(dot.utility)
            while any(abs(x - a) < 2 * _RADIUS and abs(y - b) < 2 * _RADIUS for a, b in places):
                x += (2 * _RADIUS + 1) * (1 if dot.attack < 0.5 else -1)
            places.append((x, y))
            left, right = map(_x, dot.attack_ends)
            low, high = map(_y, dot.utility_ends)
            lines = f"M{left} {y}H{right}M{x} {low}V{high}"
            yield f'<path d="{lines}" stroke="currentColor" opacity="0.4"/>'
        for number, (x, y) in enumerate(places, 1):
            yield (
                f'<circle cx="{x}" cy="{y}" r="{_RADIUS}"/><text x="{x}" y="{y + 4.5}"'
                f' text-anchor="middle" font-weight="700"'
                f' style="fill:var(--rl-paper,Canvas)">{number}</text>'
            )


def plane(results: Iterable[Any]) -> Plane:
    """The results of the injection lab, one for each defence, as a picture."""
    return Plane(
        Dot(
            one.defence.label(current()),
            one.attacks.value,
            one.attacks.interval,
            one.utility.value,
            one.utility.interval,
        )
        for one in results
    )


def _frame() -> Iterator[str]:
    yield f'<path d="M{_x(0)} {_y(1)}V{_y(0)}H{_x(1)}" fill="none" stroke="currentColor"/>'
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        yield (
            f'<text x="{_x(share)}" y="{_y(0) + 20}" text-anchor="middle">{share:.0%}</text>'
            f'<text x="{_LEFT - 8}" y="{_y(share) + 4}" text-anchor="end">{share:.0%}</text>'
        )
    middles = (f"translate({_x(0.5)} {_y(0) + 42})", f"translate(13 {_y(0.5)}) rotate(-90)")
    for place, words in zip(middles, (_ACROSS, _UP), strict=True):
        yield f'<text transform="{place}" text-anchor="middle">{shown(str(words))} →</text>'


def _x(share: float) -> float:
    return round(_LEFT + _RADIUS + (_SIDE - 2 * _RADIUS) * share, 1)


def _y(share: float) -> float:
    return round(_TOP + _RADIUS + (_SIDE - 2 * _RADIUS) * (1 - share), 1)


def _share(value: float, ends: Ends) -> str:
    return f"{value:.0%} ({100 * ends[0]:.0f}–{100 * ends[1]:.0f})"
