"""What a run cost: its tokens times dated prices, and no figure where one of them is unknown."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from importlib.resources import files

from reactlab.errors import ConfigError
from reactlab.events import ModelCall
from reactlab.render.labels import Labels, labels
from reactlab.render.rows import clean
from reactlab.trace import Trace, as_trace
from reactlab.types import Usage

_DATED = re.compile(r"-(\d{4}-\d{2}-\d{2}|\d{8})$")


@dataclass(frozen=True)
class Price:
    """US dollars per million tokens of input and of output.

    `seen` is the day the price was read in `source`; both are "" for a price of your own.
    """

    input: Decimal | float
    output: Decimal | float
    seen: str = ""
    source: str = ""

    def __post_init__(self) -> None:
        for amount in (self.input, self.output):
            number = isinstance(amount, int | float | Decimal) and not isinstance(amount, bool)
            if not number or not 0 <= amount < float("inf"):
                raise ConfigError(f"A price is a number of dollars from 0 on, not {amount!r}.")

    def of(self, usage: Usage | None) -> Decimal | None:
        """The exact price of these tokens; None if they are unknown and would have a price."""
        if not self.input and not self.output:
            return Decimal(0)
        if usage is None:
            return None
        sent = usage.input_tokens * Decimal(str(self.input))
        return (sent + usage.output_tokens * Decimal(str(self.output))) / 1_000_000


@dataclass(frozen=True)
class Charge:
    """One call of a model in step `step`. `price` or `usage` is None where it is unknown."""

    step: int
    model: str
    usage: Usage | None
    price: Price | None

    @property
    def amount(self) -> Decimal | None:
        """US dollars, exactly; None if unknown."""
        return self.price.of(self.usage) if self.price else None


@dataclass(frozen=True, repr=False)
class Cost:
    """The charges of a run, call by call; `repr` tells the sum and each call in `language`."""

    charges: tuple[Charge, ...]
    language: str = "en"

    @property
    def amount(self) -> Decimal | None:
        """US dollars in all, exactly; None if one charge is unknown. Such a charge is never 0."""
        return _sum(self.charges)

    @property
    def estimated(self) -> bool:
        """Whether any of the tokens that have a price were estimated."""
        return any(one.amount and one.usage and one.usage.estimated for one in self.charges)

    @property
    def why(self) -> str:
        """Why there is no amount, "" if there is one."""
        return " ".join(dict.fromkeys(self._reasons(labels(self.language))))

    def of_step(self, step: int) -> Decimal | None:
        """US dollars for one step (1 is the first), None if unknown."""
        return _sum(tuple(one for one in self.charges if one.step == step))

    def __repr__(self) -> str:
        words = labels(self.language)
        amount = self.amount
        told = self.why if amount is None else money(amount, words)
        lines = [words.cost + words.colon + (told or words.unknown), *self._dates(words)]
        notes = [words.estimated] if self.estimated else []
        lines[0] += "".join(words.note.format(note=note) for note in notes)
        return clean("\n".join([" · ".join(lines), *(_line(one, words) for one in self.charges)]))

    def _reasons(self, words: Labels) -> Iterator[str]:
        for one in self.charges:
            if one.price is None:
                yield words.no_price.format(model=one.model)
            elif one.amount is None:
                yield words.no_usage.format(number=one.step)

    def _dates(self, words: Labels) -> Iterator[str]:
        """When the prices were read: they change, and a table does not."""
        used = [one.price for one in self.charges if one.price and one.price.seen]
        for date, source in dict.fromkeys((price.seen, price.source) for price in used):
            yield words.prices_of.format(date=date, source=source)


def cost(trace: Trace, prices: Mapping[str, Price] | None = None, *, language: str = "en") -> Cost:
    """What the calls of the model in `trace` cost, as list prices without discounts.

    `prices` are your own, by the model's name; they go before `reactlab/data/prices.toml`. A
    replayed call costs what it cost when it was recorded. `trace.after`, and models that a tool
    asks on its own, are not counted. Amounts are `Decimal`, so that sums are exact.
    """
    own = prices if isinstance(prices, Mapping) else {}
    if own is not (prices or own) or not all(isinstance(each, Price) for each in own.values()):
        raise ConfigError('prices are by the name of a model, as {"MODEL": Price(0.5, 2)}.')
    table = {**_table(), **own}
    charges = []
    for step in as_trace(trace).steps:
        for call in step.model_calls:
            charges.append(_charge(step.number, call, trace.model, table))
    return Cost(tuple(charges), language)


def money(amount: Decimal, words: Labels) -> str:
    """An amount with at least two digits that say something: never 0.00 for more than nothing."""
    if not amount:
        return words.free
    digits = max(2, 1 - amount.adjusted())
    return words.money.format(amount=f"{round(amount, digits):,f}")


def _charge(step: int, call: ModelCall, model: str, table: Mapping[str, Price]) -> Charge:
    done = call.completion
    model = (done.model if done else "") or model
    return Charge(step, model, done.usage if done else None, _priced(model, table))


def price_of(model: str, prices: Mapping[str, Price] | None = None) -> Price | None:
    """The price of a model in `prices` or in the package's table; None if it has none."""
    return _priced(model, {**_table(), **(prices or {})})


def _priced(model: str, table: Mapping[str, Price]) -> Price | None:
    """A model's price; one with a date in its name has that of the name without."""
    return table.get(model) or table.get(_DATED.sub("", model))


def _sum(charges: tuple[Charge, ...]) -> Decimal | None:
    amounts = [one.amount for one in charges]
    return None if None in amounts else sum(filter(None, amounts), Decimal(0))


def _line(one: Charge, words: Labels) -> str:
    tokens = words.used(one.usage) if one.usage else words.unknown_tokens
    told = words.unknown if one.amount is None else money(one.amount, words)
    return "  " + " · ".join([words.step.format(number=one.step), one.model, tokens, told])


@cache
def _table() -> Mapping[str, Price]:
    text = files("reactlab").joinpath("data", "prices.toml").read_text(encoding="utf-8")
    table = tomllib.loads(text, parse_float=Decimal)
    hosted = {
        name: Price(each["input"], each["output"], str(each["seen"]), each["source"])
        for name, each in table["hosted"].items()
    }
    return hosted | {name: Price(0, 0) for name in table["free"]}
