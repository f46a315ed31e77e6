"""What notebook A2 builds by hand agrees with the finished pieces on shared cases."""

from __future__ import annotations

import math

import pytest
from handmade import definitions

from reactlab import ConfigError, OpenAILLM, Price, parse
from reactlab.cost import cost
from reactlab.course import example, real_model
from reactlab.course.budget import Budget, Limited
from reactlab.course.capabilities import side_by_side
from reactlab.course.lessons.nA2 import CALLS, PRICES, run_of
from reactlab.course.odd_replies import hidden_replies
from reactlab.llm.protocol import cut
from reactlab.llm.scripted import ScriptedLLM
from reactlab.probe import MOST_REQUESTS, probe
from reactlab.serve import start

TEXTS = [
    "",
    "no word",
    "a\nObservation: b",
    "\nObservation:",
    "a 5 b\nObservation: c 5",
    "观察：甲",
]
STOPS = [(), ("\nObservation:",), ("5", "\nObservation:"), ("\nObservation:", "5"), ("：",)]
SERVERS = {
    "A": {},
    "B": {"ignores": ["stop", "max_tokens"]},
    "C": {"refuses": ["stop", "max_tokens", "temperature", "system"]},
}


@pytest.mark.parametrize("stop", STOPS)
@pytest.mark.parametrize("text", TEXTS)
def test_the_cut_of_notebook_a2_is_that_of_the_library(language, text, stop):
    made = definitions("A2", language, {"cut"})
    assert made["cut"](text, stop) == cut(text, stop)


@pytest.mark.parametrize("calls", CALLS)
def test_the_cost_of_notebook_a2_is_that_of_the_library(language, calls):
    made, run = definitions("A2", language, {"cost"}), run_of(calls)
    finished = cost(run, {name: Price(*pair) for name, pair in PRICES.items()}).amount
    got = made["cost"](run, PRICES)
    assert (got is None) == (finished is None)
    assert got is None or math.isclose(got, float(finished))


@pytest.mark.parametrize("name", SERVERS)
def test_the_probe_of_notebook_a2_finds_what_the_library_finds(language, name):
    made, model = definitions("A2", language, {"probe_stop"}), real_model("A2")
    with start(model, **SERVERS[name]) as server:
        by_hand, _ = made["probe_stop"](OpenAILLM(model.model, base_url=server.address))
        found = probe(OpenAILLM(model.model, base_url=server.address))["stop"]
    assert by_hand == found.outcome == {"A": "yes", "B": "ignored", "C": "refused"}[name]


def test_the_plain_loop_takes_the_invention_only_where_stop_is_ignored(language, capsys):
    made = definitions("A2", language, {"ask", "naive_turn", "look_up", "cut"})
    model, ask = real_model("A2"), made["ask"]
    ask.__globals__["document"] = example("A2.document")
    with start(model) as kept, start(model, ignores=["stop"]) as ignored:
        whole, invented = ask(kept.address), ask(ignored.address)
    assert made["naive_turn"](whole) == "LOOK-UP  Booking 12346 leaves at 10:00."
    assert made["naive_turn"](invented) == "ANSWER   21:40"
    assert made["cut"](invented, made["STOP"]) == whole.rstrip("\n")
    assert [call.name for call in parse(invented).calls] == ["SearchBooking"]
    capsys.readouterr()


def test_the_solution_of_a2_1_names_every_cause(language):
    diagnose = definitions("A2", language, {"diagnose"})["diagnose"]
    odd = list(hidden_replies(7))
    assert [diagnose(one.response) for one in odd] == [one.cause for one in odd]


def test_servers_stand_side_by_side_in_words(language):
    model, probes = real_model("A2"), {}
    for name in ("A", "C"):
        with start(model, **SERVERS[name]) as server:
            probes[name] = probe(OpenAILLM(model.model, base_url=server.address))
    table = side_by_side(probes)
    yes, refused = {"en": ("yes", "refused"), "zh": ("是", "拒绝")}[language]
    assert f" | {yes} | {refused}\n" in repr(table)
    assert f'bold">{refused}<' in table._repr_html_()
    assert f'normal">{yes}<' in table._repr_html_()


def test_a_probe_of_a_model_with_a_budget_finds_the_same_and_every_request_counts():
    model, budget = real_model("A2"), Budget(MOST_REQUESTS)
    with start(model) as server:
        hosted = OpenAILLM(model.model, base_url=server.address)
        limited = Limited(hosted, budget)
        assert probe(limited).rows == probe(hosted).rows
        assert budget.used == MOST_REQUESTS
        with pytest.raises(ConfigError, match="its budget"):
            limited.models()


def test_only_what_asks_the_model_is_counted():
    budget = Budget(1)
    assert Limited(ScriptedLLM(["a"]), budget).requests == []
    assert budget.used == 0
