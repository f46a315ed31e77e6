"""What a probe finds out about real servers and about the models of the package."""

from __future__ import annotations

import json
import re
import warnings
from pathlib import Path
from typing import Any

import pytest
from http_server import Body, chat, fails, serve

from reactlab import ConfigError, OpenAILLM, RecordedLLM, SimulatedLLM
from reactlab.cli import main
from reactlab.llm.protocol import CallableLLM
from reactlab.probe import MOST_REQUESTS, Probe, probe
from reactlab.probe.report import NAMES
from reactlab.serve import serving

COUNT = "1 2 3 4 5 6 7 8 9"


def call(id: str, expression: str) -> dict[str, Any]:
    function = {"name": "Calculator", "arguments": json.dumps({"expression": expression})}
    return {"id": id, "type": "function", "function": function}


def capable(body: Body) -> Any:
    """A server that can do everything."""
    if body["model"] != "m":
        return fails(404, f"The model {body['model']} does not exist.")
    question, system = body["messages"][-1]["content"], body["messages"][0]["role"] == "system"
    if body.get("tools"):
        if body["messages"][-1]["role"] == "tool":
            return chat("391 and 779")
        calls = [call("a", "17*23"), call("b", "41*19")]
        return chat(None, tool_calls=calls, finish="tool_calls")
    if "Action:" in question:
        return chat("Thought: I calculate.\nAction: Calculator[17*23]")
    if system:
        return chat("Pelican.")
    text = COUNT if "numbers" in question else "Hello."
    for word in body.get("stop", ()):
        text = text.partition(word)[0]
    limit = body.get("max_tokens") or body.get("max_completion_tokens") or 99
    return chat(text, finish="length" if len(text) > limit else "stop")


def changed(**fields: Any) -> Any:
    """A capable server whose replies have other fields."""

    def answer(body: Body) -> Any:
        reply = capable(body)
        if isinstance(reply, dict):
            reply["choices"][0]["message"] |= fields.get("message", {})
            reply |= {name: value for name, value in fields.items() if name != "message"}
        return reply

    return answer


def refusing(*names: str) -> Any:
    """A capable server that refuses parameters, and the role system."""

    def answer(body: Body) -> Any:
        roles = {message["role"] for message in body["messages"]}
        found = next((name for name in names if name in {*body, *roles}), None)
        if found:
            return fails(400, f"Unsupported parameter: '{found}' is not supported.", found)
        return capable(body)

    return answer


def found(answer: Any, *, streams: bool = True, **options: Any) -> tuple[Probe, list[Body]]:
    with serve(answer, streams=streams) as (web, seen), warnings.catch_warnings():
        warnings.simplefilter("error")
        return probe(OpenAILLM("m", base_url=web), **options), seen


def outcomes(result: Probe) -> dict[str, str]:
    return {row.name: row.outcome for row in result.rows}


def test_a_capable_server_is_found_capable_within_the_number_told_before() -> None:
    result, seen = found(capable)
    wanted = {**dict.fromkeys(NAMES, "yes"), "reasoning": "no"}
    assert outcomes(result) == wanted
    assert result.requests == MOST_REQUESTS
    assert len(seen) == MOST_REQUESTS - 1  # and one for the list of models
    assert result.quirks == {}


def test_what_a_server_refuses_is_found_and_is_no_warning() -> None:
    result, seen = found(refusing("stop", "temperature", "max_tokens", "tools", "system"))
    rows = outcomes(result)
    assert [rows[name] for name in ("stop", "temperature", "tools", "system")] == ["refused"] * 4
    assert rows["limit"] == "yes"
    assert "max_completion_tokens" in result["limit"].seen
    assert rows["parallel"] == rows["result"] == "not tried"
    assert result.quirks == {
        "stop": None,
        "temperature": None,
        "max_tokens": "max_completion_tokens",
        "system": "user",
    }
    assert rows["text"] == "yes"
    assert len(seen) <= MOST_REQUESTS + len(result.quirks)


def test_a_probe_believes_no_quirk_and_teaches_the_model_none() -> None:
    answer = refusing("stop", "max_tokens")
    result, _ = found(answer)
    with serve(answer) as (web, _), warnings.catch_warnings():
        warnings.simplefilter("error")
        llm = OpenAILLM("m", base_url=web, quirks=result.quirks)
        assert probe(llm)["stop"].outcome == "refused"  # a probe believes no quirk it was told
        assert llm.quirks == result.quirks  # and teaches the model nothing


def test_both_names_of_a_limit_may_be_refused() -> None:
    result, _ = found(refusing("max_tokens", "max_completion_tokens"))
    assert result["limit"].outcome == "refused"


def test_a_server_that_ignores_stop_and_limit_is_found_out() -> None:
    def answer(body: Body) -> Any:
        ignored = {name: value for name, value in body.items() if name not in ("stop",)}
        reply = capable(Body(ignored))
        if "max_tokens" in body:
            reply["usage"]["completion_tokens"] = 200
            reply["choices"][0]["finish_reason"] = "stop"
        return reply

    result, _ = found(answer)
    assert result["stop"].outcome == "ignored"
    assert COUNT in result["stop"].seen
    assert result["limit"].outcome == "ignored"


@pytest.mark.parametrize("text", ["1, 2, 3, 4", "1 2 3 4 5"])
def test_a_reply_that_ends_there_by_itself_shows_nothing_about_stop(text: str) -> None:
    def answer(body: Body) -> Any:
        return chat(text) if "numbers" in body["messages"][-1]["content"] else capable(body)

    row = found(answer)[0]["stop"]
    assert (row.outcome, row.seen) == ("not tried", f"without stop it ends there too: {text}")


def test_a_reply_that_is_short_anyway_shows_nothing_about_the_limit() -> None:
    def answer(body: Body) -> Any:
        return chat("I do not know.") if "max_tokens" in body else capable(body)

    assert found(answer)[0]["limit"].outcome == "not tried"


def test_a_server_that_keeps_the_stop_word_itself_obeys() -> None:
    def answer(body: Body) -> Any:
        return chat("1 2 3 4 5") if body.get("stop") == ["5"] else capable(body)

    assert found(answer)[0]["stop"].outcome == "yes"


def test_usage_and_reasoning_are_found_in_the_reply() -> None:
    result, _ = found(changed(usage=None))
    assert result["usage"].outcome == result["stream_usage"].outcome == "no"
    for field in ("reasoning", "reasoning_content"):
        result, _ = found(changed(message={field: "hm, hello"}))
        assert (result["reasoning"].outcome, result["reasoning"].seen) == ("yes", "hm, hello")


def test_a_server_that_does_not_stream_or_does_not_know_its_options_is_found() -> None:
    assert found(capable, streams=False)[0]["stream"].outcome == "no"
    assert found(refusing("stream_options"))[0]["stream_usage"].outcome == "refused"


def test_a_server_that_answers_under_any_name_is_found() -> None:
    result, _ = found(lambda body: capable(Body({**body, "model": "m"})))
    assert result["unknown"].outcome == "no"


def test_tools_that_are_ignored_and_one_call_at_a_time_are_told_apart() -> None:
    ignoring, _ = found(lambda body: capable(Body({k: v for k, v in body.items() if k != "tools"})))
    assert ignoring["tools"].outcome == "ignored"

    def single(body: Body) -> Any:
        reply = capable(body)
        if isinstance(reply, dict) and reply["choices"][0]["message"].get("tool_calls"):
            del reply["choices"][0]["message"]["tool_calls"][1:]
        return reply

    one, _ = found(single)
    assert (one["tools"].outcome, one["parallel"].outcome, one["result"].outcome) == (
        "yes",
        "no",
        "yes",
    )


def test_a_model_that_does_not_count_or_write_steps_is_not_called_obedient() -> None:
    result, _ = found(lambda body: chat("What a nice day."))
    assert result["stop"].outcome == "failed"
    assert result["system"].outcome == "ignored"
    assert result["text"].outcome == "no"


@pytest.mark.parametrize(
    ("address", "words"),
    [("http://127.0.0.1:9/v1", "cannot be reached"), (None, "version path")],
)
def test_a_server_that_is_down_or_elsewhere_is_one_row(address: str | None, words: str) -> None:
    def answer(body: Body) -> Any:
        right = body.path.startswith("/v1/")
        return capable(body) if right else {"error": "Unexpected endpoint"}

    with serve(answer) as (web, _):
        result = probe(OpenAILLM("m", base_url=address or web.removesuffix("/v1")))
    assert result["answers"].outcome == "failed"
    assert words in result["answers"].seen
    assert {row.outcome for row in result.rows[1:]} == {"not tried"}
    assert result.requests == 1


def test_a_failure_on_the_way_is_one_row_and_the_rest_is_tried() -> None:
    result, _ = found(lambda body: fails(500, "boom") if body.get("tools") else capable(body))
    assert (result["tools"].outcome, result["parallel"].outcome) == ("failed", "not tried")
    assert "boom" in result["tools"].seen
    assert result["text"].outcome == "yes"


def test_a_recording_of_a_probe_finds_the_same_without_a_server(tmp_path: Path) -> None:
    path = tmp_path / "probe.jsonl"
    first, _ = found(capable, record=path)
    again = probe(RecordedLLM(path))
    tried = {name: outcome for name, outcome in outcomes(again).items() if outcome != "not tried"}
    assert tried == {name: outcomes(first)[name] for name in tried}
    assert {"stop", "tools", "result", "text"} <= set(tried)


def test_a_recording_of_a_probe_still_shows_that_stop_was_ignored(tmp_path: Path) -> None:
    path = tmp_path / "probe.jsonl"
    found(lambda body: capable(Body({k: v for k, v in body.items() if k != "stop"})), record=path)
    assert probe(RecordedLLM(path))["stop"].outcome == "ignored"


def test_models_without_a_server_are_asked_what_makes_sense() -> None:
    simulated = outcomes(probe(SimulatedLLM()))
    assert (simulated["answers"], simulated["tools"], simulated["text"]) == ("yes", "yes", "yes")
    assert simulated["stop"] == simulated["listed"] == simulated["stream"] == "not tried"
    function = outcomes(probe(lambda prompt: "Action: Calculator[17*23]"))
    assert function == {**dict.fromkeys(NAMES, "not tried"), "answers": "yes", "text": "yes"}


def test_the_simulated_model_behind_the_server_of_the_package_is_probed() -> None:
    with serving(SimulatedLLM()) as address:
        result = probe(OpenAILLM("reactlab-simulated", base_url=address))
    rows = outcomes(result)
    able = ("answers", "usage", "listed", "tools", "result", "stream", "stream_usage", "text")
    assert {rows[name] for name in able} == {"yes"}
    assert result.quirks == {}


def test_what_is_no_model_is_refused() -> None:
    with pytest.raises(ConfigError, match="no model"):
        probe(42)


@pytest.mark.parametrize(("language", "words"), [("en", "stop sequences: "), ("zh", "停止词")])
def test_the_table_is_told_in_both_languages(language: str, words: str) -> None:
    result, _ = found(lambda body: chat("<b>$x$</b>\nhi"), language=language)
    assert words in repr(result)
    assert len(repr(result).splitlines()) == len(NAMES) + 1
    page = result._repr_html_()
    assert f'lang="{language}"' in page
    assert "<b>$x$</b>" not in page
    if language == "zh":
        assert not re.search(r"not tried|ignored|: (yes|no)\b", repr(result))


def test_the_command_says_how_often_it_will_ask(capsys: Any, tmp_path: Path) -> None:
    with serve(capable, streams=True) as (web, _):
        path = tmp_path / "probe.jsonl"
        assert main(["probe", "--model", f"{web}#m", "--record", str(path)]) == 0
    shown = capsys.readouterr().out
    assert f"at most {MOST_REQUESTS} times" in shown
    assert "stop sequences: yes" in shown
    assert path.exists()
    assert main(["probe", "--model", "http://127.0.0.1:9/v1#m"]) == 1


def test_a_wrong_language_or_recording_is_told_before_anything_is_asked(tmp_path):
    asked = []
    llm = CallableLLM(lambda prompt: asked.append(prompt) or "hello")
    broken = tmp_path / "broken.jsonl"
    broken.write_bytes(b"\xff\xfe")
    for options in ({"language": "xx"}, {"record": 5}, {"record": tmp_path}, {"record": broken}):
        with pytest.raises(ConfigError):
            probe(llm, **options)
    assert asked == []
