"""Seeded faults: kinds with rates, and which of them comes, as a pure function of what is asked."""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from reactlab.errors import ConfigError
from reactlab.threads import Lock

Rates = float | Mapping[str, float]
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")


@dataclass(frozen=True)
class Kind:
    """A kind of fault: what it does, and how it shows.

    One that is `recoverable` shows in the reply or the status, so that something can be done.
    """

    does: str
    shows: str
    recoverable: bool = True


@dataclass(frozen=True)
class Injected:
    """A fault that happened: its kind, at what, and how often that had been asked before."""

    kind: str
    at: str
    before: int


class Draws:
    """Decides whether a call gets a fault, and which: at most one.

    `rates` gives kinds their rates for each call; a number is the rate of all recoverable kinds
    together, in equal shares. Faults at a low rate are among those at a higher one. Raises
    `ConfigError` for an unknown kind, or rates that are below 0 or more than 1 in all.
    """

    def __init__(self, kinds: Mapping[str, Kind], rates: Rates, seed: object = 0) -> None:
        if isinstance(rates, int | float):
            even = [name for name, kind in kinds.items() if kind.recoverable]
            rates = {name: rates / len(even) for name in even}
        for name, rate in rates.items():
            if name not in kinds:
                raise ConfigError(f"There is no fault {name!r}; there are {', '.join(kinds)}.")
            if isinstance(rate, bool) or not isinstance(rate, int | float) or not 0 <= rate <= 1:
                told = f"The rate of {name} has to lie between 0 and 1, not {rate!r}"
                raise ConfigError(f"{told}; kinds are {', '.join(kinds)}.")
        self.rates = {name: float(rates[name]) for name in kinds if rates.get(name)}
        self.total = sum(self.rates.values())
        self.seed = seed
        if self.total > 1 + 1e-9:
            told = f"The rates add up to {self.total:g}; a call gets at most one fault"
            raise ConfigError(f"{told}, of the kinds {', '.join(kinds)}.")

    def draw(self, asked: str, before: int) -> tuple[str, random.Random]:
        """The kind of fault, "" for none, and the chance with which it is carried out.

        `before` says how often this very thing was asked before.
        """
        chance = random.Random(f"{self.seed}|{before}|{asked}".encode("utf-8", "replace"))
        if chance.random() >= self.total:
            return "", chance
        left = chance.random() * self.total
        for name, rate in self.rates.items():
            if left < rate:
                return name, chance
            left -= rate
        return next(reversed(self.rates)), chance  # the last one, after rounding


class Counts:
    """How often each thing was asked; any number of threads may count at once."""

    def __init__(self) -> None:
        self._asked: defaultdict[str, int] = defaultdict(int)
        self._lock = Lock()

    def before(self, asked: str) -> int:
        """How often it was asked before; it is counted as asked."""
        with self._lock:
            self._asked[asked] += 1
            return self._asked[asked] - 1


def other_number(text: str, chance: random.Random) -> str | None:
    """The text with one digit of its first number changed, the second if it has several."""
    found = _NUMBER.search(text)
    if found is None:
        return None
    places = [at for at in range(found.start(), found.end()) if text[at].isdigit()]
    place = places[min(1, len(places) - 1)]
    other = chance.choice([digit for digit in "123456789" if digit != text[place]])
    return text[:place] + other + text[place + 1 :]
