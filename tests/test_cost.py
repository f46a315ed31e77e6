"""What runs cost, and where no figure is honest."""

from __future__ import annotations

import pickle
from decimal import Decimal
from typing import Any

import pytest
from conftest import Runner, run_blocking
from scripts import DIALECTS, act, answer, scripted

from reactlab import (
    Completion,
    Cost,
    Price,
    ReActAgent,
    RecordedLLM,
    SimulatedLLM,
    Trace,
    Usage,
    builtin_tools,
)
from reactlab.cost import cost, money
from reactlab.errors import ConfigError, RateLimited
from reactlab.render.labels import labels

OWN = {"m": Price(1, 2)}


def echo(text: str) -> str:
    """Say it again."""
    return text


def said(text: str, usage: Usage | None, model: str = "m") -> Completion:
    return Completion(text, usage=usage, model=model)


def ran(*replies: Any, model: str = "m") -> Trace:
    return run_blocking(ReActAgent(scripted(*replies, model=model), [echo]), "q")


def test_a_run_costs_its_tokens_times_the_price_exactly() -> None:
    trace = ran(
        said("Thought: t\nAction: echo[a]", Usage(100, 10)),
        said("Final Answer: ok", Usage(200, 20)),
    )
    found = cost(trace, {"m": Price(0.15, 0.6)})
    assert found.amount == Decimal("0.000063")
    assert found.of_step(1) == Decimal("0.000021")
    assert found.why == ""
    assert not found.estimated
    assert [charge.step for charge in found.charges] == [1, 2]


def test_every_call_of_a_step_is_counted() -> None:
    trace = ran(said(" ", Usage(100, 0)), said("Final Answer: ok", Usage(100, 0)))
    assert len(trace) == 1
    assert cost(trace, OWN).of_step(1) == Decimal("0.0002")


@pytest.mark.parametrize(
    "replies",
    [
        [said("Final Answer: ok", None)],
        [said("Action: echo[a]", None), said("Final Answer: ok", Usage(5, 5))],
        [RateLimited("busy", retry_after=0), said("Final Answer: ok", Usage(5, 5))],
    ],
)
def test_a_call_without_a_report_leaves_no_figure(replies: list[Any]) -> None:
    found = cost(ran(*replies), OWN)
    assert found.amount is None
    assert found.of_step(1) is None
    assert "step 1 reported no tokens" in found.why
    assert repr(found).startswith("Cost: unknown, for a call in step 1")


def test_a_model_without_a_price_has_no_figure_and_is_named() -> None:
    found = cost(ran(said("Final Answer: ok", Usage(5, 5), "some-model")))
    assert found.amount is None
    assert "'some-model'" in found.why
    assert "tokens · unknown" in repr(found)


def test_one_unknown_charge_leaves_the_sum_unknown_and_the_others_known() -> None:
    trace = ran(
        said("Action: echo[a]", Usage(100, 10)),
        said("Final Answer: ok", Usage(100, 10), "other"),
    )
    found = cost(trace, OWN)
    assert found.amount is None
    assert found.of_step(1) == Decimal("0.00012")


@pytest.mark.parametrize(
    ("name", "known_as"),
    [
        ("gpt-4o-mini", "gpt-4o-mini"),
        ("gpt-4o-mini-2024-07-18", "gpt-4o-mini"),
        ("claude-haiku-4-5-20251001", "claude-haiku-4-5"),
        ("gpt-4o-2024-05-13", "gpt-4o-2024-05-13"),
        ("gpt-4o-mini-audio", None),
        ("gpt-4o-2024", None),
        ("openai/gpt-4o", None),
        ("GPT-4o", None),
        ("", None),
    ],
)
def test_a_name_counts_exactly_or_with_a_date_behind_it(name: str, known_as: str | None) -> None:
    usage = Usage(1_000_000, 1_000_000)
    found = cost(ran(said("Final Answer: ok", usage, name), model=name))
    other = cost(ran(said("Final Answer: ok", usage, known_as or "nothing")))
    assert found.amount == other.amount
    assert (found.amount is None) is (known_as is None)


def test_prices_of_your_own_go_before_the_table() -> None:
    trace = ran(said("Final Answer: ok", Usage(1_000_000, 0), "gpt-4o"))
    assert cost(trace).amount == Decimal("2.5")
    assert cost(trace, {"gpt-4o": Price(1, 1)}).amount == 1
    assert "prices of" not in repr(cost(trace, {"gpt-4o": Price(1, 1)}))


def test_the_table_is_dated_where_it_is_used() -> None:
    told = repr(cost(ran(said("Final Answer: ok", Usage(1000, 10), "gpt-4o"))))
    assert "prices of 2026-11-30 (genai-prices 0.2.3)" in told.splitlines()[0]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_scripted_and_simulated_models_are_free_and_say_so(run: Runner, dialect: str) -> None:
    script = [act(dialect, "t", ("echo", {"text": "a"})), answer(dialect, "ok")]
    for llm, tools in ((scripted(*script), [echo]), (SimulatedLLM(), builtin_tools())):
        found = cost(run(ReActAgent(llm, tools, dialect=dialect), "What is 2 + 3?"))
        assert found.amount == 0
        assert repr(found).startswith("Cost: free of charge")


def test_estimated_tokens_make_an_estimated_cost() -> None:
    trace = ran(said("Final Answer: ok", Usage(1000, 10, estimated=True)))
    assert cost(trace, OWN).estimated
    assert "(estimated)" in repr(cost(trace, OWN)).splitlines()[0]
    free = cost(trace, {"m": Price(0, 0)})
    assert not free.estimated


def test_a_replay_costs_what_was_recorded_and_the_conversation_before_is_not_counted() -> None:
    first = ran(said("Final Answer: ok", Usage(1000, 10)))
    again = ReActAgent(RecordedLLM.of(first), [echo]).run("q")
    assert cost(again, OWN).amount == cost(first, OWN).amount
    later = Trace("q", model="m", after=first)
    assert cost(later, OWN).amount == 0


@pytest.mark.parametrize(
    ("amount", "shown"),
    [
        ("0", "free of charge"),
        ("0.000000001", "$0.0000000010"),
        ("0.00031415", "$0.00031"),
        ("0.0099999", "$0.0100"),
        ("0.5", "$0.50"),
        ("0.999", "$1.00"),
        ("12.345", "$12.34"),
        ("12345.6", "$12,345.60"),
        ("1E+3", "$1,000.00"),
    ],
)
def test_money_is_never_shown_as_nothing(amount: str, shown: str) -> None:
    assert money(Decimal(amount), labels()) == shown


def test_costs_speak_the_language_asked_for(language: Any) -> None:
    hosted = ran(said("Final Answer: ok", Usage(1000, 10), "gpt-4o"))
    for trace, prices in (
        (hosted, None),
        (hosted, {"gpt-4o": Price(0, 0)}),
        (ran("Final Answer: x"), OWN),
    ):
        told = repr(cost(trace, prices, language=language))
        assert ("费用" in told) is (language == "zh")
        assert ("Cost" in told) is (language == "en")


def test_a_cost_travels_and_compares() -> None:
    found = cost(ran(said("Final Answer: ok", Usage(1, 1))), OWN)
    assert isinstance(found, Cost)
    assert pickle.loads(pickle.dumps(found)) == found


def test_the_table_agrees_with_its_source() -> None:
    data = pytest.importorskip("genai_prices.data")
    from importlib.metadata import version

    from reactlab.cost import _table

    models = {
        model.id: model.prices
        for provider in data.providers
        if provider.id in ("openai", "anthropic", "google", "moonshotai")
        for model in provider.models
    }
    dated = {name: price for name, price in _table().items() if price.seen}
    assert len(dated) >= 10
    if version("genai-prices") not in {price.source.split()[1] for price in dated.values()}:
        pytest.skip("another version than the table's")
    for name, price in dated.items():
        assert (models[name].input_mtok, models[name].output_mtok) == (price.input, price.output)


@pytest.mark.parametrize("amount", ["a", None, -1, float("nan"), float("inf"), True, []])
def test_a_price_that_is_no_amount_is_refused_when_it_is_made(amount):
    with pytest.raises(ConfigError, match="number of dollars"):
        Price(amount, 1)


@pytest.mark.parametrize("prices", [5, "x", [Price(1, 2)], {"m": 5}, {"m": (1, 2)}, {"m": None}])
def test_prices_that_are_none_are_one_clear_error(prices):
    with pytest.raises(ConfigError, match="prices are by the name"):
        cost(Trace("q"), prices)


@pytest.mark.parametrize("value", [None, 5, "x", []])
def test_what_is_no_trace_has_no_cost(value):
    with pytest.raises(ConfigError, match="A trace is expected"):
        cost(value)
