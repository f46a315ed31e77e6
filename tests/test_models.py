"""The models: scripted, recorded, hosted over real HTTP, and the choice among them."""

from __future__ import annotations

import json
import pickle
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from conftest import Runner
from scripts import act, answer, scripted

import reactlab
from reactlab import (
    Completion,
    ConfigError,
    LLMError,
    Message,
    MissingKey,
    OpenAILLM,
    ReActAgent,
    RecordedLLM,
    Request,
    ScriptedLLM,
    StopReason,
    Tool,
    ToolCall,
    Trace,
    TraceFileError,
    Usage,
    default_llm,
)
from reactlab.errors import RateLimited
from reactlab.llm.default import describe
from reactlab.llm.servers import SERVERS

Reply = tuple[int, dict[str, str], Any]


def request(text: str = "hello", **options: Any) -> Request:
    return Request((Message("user", text),), **options)


def chat(text: str | None, **more: Any) -> Reply:
    message = {"role": "assistant", "content": text, **more}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    usage = {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10}
    body = {"id": "1", "object": "chat.completion", "created": 0, "model": "m"}
    return 200, {}, {**body, "choices": [choice], "usage": usage}


@contextmanager
def server(*replies: Reply) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """A real server on this machine that gives these replies and keeps what it was sent."""
    queue, seen = list(replies), []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            size = int(self.headers["Content-Length"])
            body = json.loads(self.rfile.read(size))
            headers = {name.lower(): value for name, value in self.headers.items()}
            seen.append({"path": self.path, "headers": headers, "body": body})
            self._answer(*(queue.pop(0) if len(queue) > 1 else queue[0]))

        def do_GET(self) -> None:
            self._answer(200, {}, {"object": "list", "data": [{"id": "m", "object": "model"}]})

        def _answer(self, status: int, headers: dict[str, str], body: Any) -> None:
            data = json.dumps(body).encode()
            self.send_response(status)
            for name, value in {**headers, "Content-Length": str(len(data))}.items():
                self.send_header(name, value)
            self.send_header("Content-Type", "application/json")
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *args: Any) -> None: ...

    web = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=web.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{web.server_port}/v1", seen
    finally:
        web.shutdown()
        web.server_close()


def failing(status: int, message: str, **headers: str) -> Reply:
    return status, headers, {"error": {"message": message, "type": "x"}}


def test_a_completion_comes_over_http_with_its_usage() -> None:
    with server(chat("hi")) as (address, seen):
        completion = OpenAILLM("m", base_url=address).complete(request(stop=("\nObservation:",)))
    assert (completion.text, completion.model) == ("hi", "m")
    assert completion.usage == Usage(7, 3)
    assert seen[0]["path"] == "/v1/chat/completions"
    assert seen[0]["body"] == {
        "model": "m",
        "messages": [{"role": "user", "content": "hello"}],
        "stop": ["\nObservation:"],
    }


def test_what_is_not_set_is_not_sent() -> None:
    with server(chat("hi")) as (address, seen):
        llm = OpenAILLM("m", base_url=address)
        llm.complete(request())
        llm.complete(request(temperature=0.0, max_tokens=5))
    assert set(seen[0]["body"]) == {"model", "messages"}
    assert seen[1]["body"]["temperature"] == 0.0
    assert seen[1]["body"]["max_tokens"] == 5


@pytest.mark.parametrize("tail", ["", "/", "//", " ", "/chat/completions", "/chat/completions/"])
def test_sloppy_addresses_lead_to_the_same_path(tail: str) -> None:
    with server(chat("hi")) as (address, seen):
        OpenAILLM("m", base_url=f" {address}{tail}").complete(request())
    assert seen[0]["path"] == "/v1/chat/completions"


def test_the_whole_loop_over_http_in_both_dialects(run: Runner) -> None:
    def double(number: int) -> int:
        """Twice a number."""
        return 2 * number

    function = {"name": "double", "arguments": '{"number": 4}'}
    native = {"tool_calls": [{"id": "a", "type": "function", "function": function}]}
    text = chat("Thought: t\nAction: double[4]")
    for first, last, dialect in [
        (text, chat("Final Answer: 8"), "bracket"),
        (chat(None, **native), chat("8"), "tools"),
    ]:
        with server(first, last) as (address, seen):
            llm = OpenAILLM("m", base_url=address)
            trace = run(ReActAgent(llm, [double], dialect=dialect), "q")
        assert trace.answer == "8"
        assert trace.usage == Usage(14, 6)
        assert "8" in json.dumps(seen[1]["body"]["messages"])
    sent = seen[1]["body"]["messages"]
    assert sent[-2]["tool_calls"][0]["id"] == sent[-1]["tool_call_id"] == "a"
    assert sent[-2]["content"] is None


def test_a_rate_limit_says_how_long_to_wait(run: Runner) -> None:
    limited = failing(429, "slow down", **{"Retry-After": "0.01"})
    with server(limited, chat("Final Answer: ok")) as (address, seen):
        llm = OpenAILLM("m", base_url=address)
        trace = run(ReActAgent(llm), "q")
    assert trace.answer == "ok"
    assert len(seen) == 2
    never = failing(429, "no", **{"Retry-After": "7"})
    with server(never) as (address, _), pytest.raises(RateLimited) as error:
        OpenAILLM("m", base_url=address).complete(request())
    assert error.value.retry_after == 7


@pytest.mark.parametrize(
    ("reply", "kind", "words"),
    [
        (failing(401, "bad key"), ConfigError, "refuses the key"),
        (failing(403, "forbidden"), ConfigError, "refuses the key"),
        (failing(404, "no such model"), ConfigError, "knows no model 'm'"),
        (failing(400, "odd"), LLMError, "odd"),
        (failing(500, "broken"), LLMError, "broken"),
        ((200, {}, {"error": "Unexpected endpoint"}), ConfigError, "version path"),
        ((200, {}, {"id": "1", "choices": [], "model": "m"}), LLMError, "without a message"),
        ((200, {}, {"id": "1", "choices": None, "model": "m"}), LLMError, "without a message"),
        (
            (200, {}, {"choices": [{"index": 0, "message": None, "finish_reason": "stop"}]}),
            LLMError,
            "without a message",
        ),
    ],
)
def test_every_failure_is_one_clear_line(reply: Reply, kind: type[Exception], words: str) -> None:
    with server(reply) as (address, seen), pytest.raises(kind) as error:
        OpenAILLM("m", base_url=address).complete(request())
    assert words in str(error.value)
    assert "\n" not in str(error.value)
    assert len(seen) == 1  # the SDK's own retries are off


def test_an_unreachable_server_is_named(run: Runner) -> None:
    llm = OpenAILLM("m", base_url="http://127.0.0.1:9/v1")
    trace = run(ReActAgent(llm), "q")
    assert trace.stop_reason is StopReason.MODEL_ERROR
    assert "127.0.0.1:9" in str(trace)
    assert "cannot be reached" in str(trace)


@pytest.mark.parametrize("value", [None, "", "  "])
def test_a_key_is_missed_only_when_a_hosted_model_is_called(
    monkeypatch: pytest.MonkeyPatch, value: str | None
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    if value is not None:
        monkeypatch.setenv("OPENAI_API_KEY", value)
    llm = OpenAILLM("some-model")
    agent = ReActAgent(llm)
    with pytest.raises(MissingKey, match="OPENAI_API_KEY") as error:
        agent.run("q")
    assert error.value._render_traceback_() == [f"MissingKey: {error.value}"]


def test_the_hosted_key_never_goes_to_another_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret-secret")
    with server(chat("hi")) as (address, seen):
        OpenAILLM("m", base_url=address).complete(request())
        monkeypatch.setenv("REACTLAB_API_KEY", "its-own-key")
        OpenAILLM("m", base_url=address).complete(request())
    assert "sk-secret" not in json.dumps(seen)
    assert seen[1]["headers"]["authorization"] == "Bearer its-own-key"


def test_a_hosted_model_travels_without_its_connection() -> None:
    with server(chat("hi")) as (address, _):
        llm = OpenAILLM("m", base_url=address)
        llm.complete(request())
        again = pickle.loads(pickle.dumps(llm))
        assert again.complete(request()).text == "hi"
        assert again.check().endswith("has 1 models")


@pytest.mark.parametrize("settings", [{"model": " "}, {"model": "m", "base_url": "localhost"}])
def test_impossible_settings_are_refused(settings: dict[str, str]) -> None:
    with pytest.raises(ConfigError):
        OpenAILLM(**settings)


def test_a_key_is_shown_nowhere() -> None:
    assert "secret" not in repr(OpenAILLM("m", api_key="sk-secret"))


def test_the_default_is_simulated_and_a_key_changes_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("REACTLAB_MODEL", raising=False)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-x")
    llm = default_llm()
    assert llm.model == "reactlab-simulated"
    assert "OPENAI_API_KEY is set and not used" in describe(llm)


def test_a_variable_or_a_name_chooses_another_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REACTLAB_MODEL", "http://127.0.0.1:1/v1#tiny")
    llm = default_llm()
    assert isinstance(llm, OpenAILLM)
    assert (llm.model, llm.base_url) == ("tiny", "http://127.0.0.1:1/v1")
    assert default_llm("openai:big").model == "big"
    assert default_llm("simulated").model == "reactlab-simulated"


@pytest.mark.parametrize("preset", SERVERS)
@pytest.mark.parametrize("model", ["tiny", "tiny:0.5b", "maker/tiny"])
def test_a_preset_and_a_model_name_choose_a_server(preset: str, model: str) -> None:
    llm = default_llm(f" {preset}:{model} ")
    assert isinstance(llm, OpenAILLM)
    assert (llm.model, llm.base_url) == (model, SERVERS[preset].address)


@pytest.mark.parametrize(
    "name",
    ["gpt", "openai:", "ollama: ", "nobody:m", "http://h/v1", "http://h/v1#", "ftp://h/v1#m"],
)
def test_an_unknown_model_name_says_what_can_be_written(name: str) -> None:
    with pytest.raises(ConfigError, match=r"simulated.*ollama.*llama\.cpp.*http://") as error:
        default_llm(name)
    assert "\n" not in str(error.value)


def test_names_of_hosted_models_stand_in_one_place() -> None:
    named = re.compile(
        r"\b(gpt-\d|o\d-(mini|pro)|claude-|gemini-\d|deepseek-(chat|reasoner|v\d)|qwen-(plus|max|turbo))"
    )
    root = Path(reactlab.__file__).parent.parent
    folders = [root / name for name in ("reactlab", "docs", "notebooks")]
    kinds = (".py", ".md", ".toml", ".ipynb", ".jsonl", ".tsv")
    files = [path for folder in folders for path in folder.rglob("*") if path.suffix in kinds]
    files += [root / "README.md", root / "README.zh.md"]
    found = [path for path in files if named.search(path.read_text(encoding="utf-8"))]
    assert [path.relative_to(root).as_posix() for path in found] == ["reactlab/data/prices.toml"]


def test_something_that_is_no_model_is_refused() -> None:
    for thing in (42, "gpt", object()):
        with pytest.raises(ConfigError, match="is no model"):
            ReActAgent(thing)


def test_a_function_that_returns_no_text_is_refused() -> None:
    with pytest.raises(ConfigError, match="returned NoneType"):
        ReActAgent(lambda prompt: None).run("q")


def test_a_script_speaks_in_every_form() -> None:
    llm = ScriptedLLM(
        ["text", ToolCall("a"), [ToolCall("b"), ToolCall("c")], Completion("x"), lambda r: r.prompt]
    )
    kinds = [llm.complete(request("echo")) for _ in range(5)]
    assert [c.text for c in kinds] == ["text", "", "", "x", "echo"]
    assert [len(c.calls) for c in kinds] == [0, 1, 2, 0, 0]
    with pytest.raises(LLMError, match="5 replies"):
        llm.complete(request())


def _record(path: Path) -> list[str]:
    llm = RecordedLLM(path, record=scripted("one", "two", "other"))
    return [llm.complete(request(text)).text for text in ("a", "a", "b")]


def test_a_recording_is_replayed_by_request(tmp_path: Path) -> None:
    path = tmp_path / "said.jsonl"
    assert _record(path) == ["one", "one", "two"]
    replay = RecordedLLM(path)
    said = [replay.complete(request(text)).text for text in ("b", "a", "a")]
    assert said == ["two", "one", "one"]


def test_what_a_model_reasoned_changes_no_recording(run: Runner, tmp_path: Path) -> None:
    def said(reasoning: str) -> ScriptedLLM:
        call = ToolCall("status", "{}", "a")
        first = Completion("", (call,), finish="tool_calls", reasoning=reasoning)
        return scripted(first, "done")

    path, status = tmp_path / "said.jsonl", Tool("status", "Say.", lambda: "fine")
    ReActAgent(RecordedLLM(path, record=said("")), [status], dialect="tools").run("q")
    path.write_text(path.read_text().replace('"reasoning": ""', '"reasoning": "hm"'))
    trace = run(ReActAgent(RecordedLLM(path), [status], dialect="tools"), "q")
    assert (str(trace), trace.steps[0].completion.reasoning) == ("done", "hm")
    again = run(ReActAgent(RecordedLLM.of(trace), [status], dialect="tools"), "q")
    assert str(again) == "done"
    assert Trace.load(trace.save(tmp_path / "t.jsonl")).events == trace.events


def test_a_miss_says_what_differs(tmp_path: Path) -> None:
    path = tmp_path / "said.jsonl"
    _record(path)
    llm = RecordedLLM(path)
    with pytest.raises(LLMError) as error:
        llm.complete(request("a", temperature=0.5))
    assert "temperature = 0.5" in str(error.value)


def test_what_a_trace_heard_can_be_heard_again(run: Runner) -> None:
    def echo(text: str) -> str:
        """Say it again."""
        return text

    said = [act("bracket", "t", ("echo", "a")), answer("bracket", "ok")]
    first = run(ReActAgent(scripted(*said), [echo]), "q")
    again = run(ReActAgent(RecordedLLM.of(first), [echo]), "q")
    assert again.events == first.events


@pytest.mark.parametrize("text", ["nonsense", "{}", '{"request": {}, "completion": 3}'])
def test_an_unreadable_recording_names_its_line(tmp_path: Path, text: str) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(text + "\n", encoding="utf-8")
    with pytest.raises(TraceFileError, match="line 1"):
        RecordedLLM(path)
    with pytest.raises(TraceFileError, match="There is no recording"):
        RecordedLLM(tmp_path / "none.jsonl")


@pytest.mark.parametrize("repeated", ["sk-secret-0123456789", "sk-secre*****56789", "key=56789 "])
def test_what_a_server_repeats_of_the_key_is_not_told(repeated: str) -> None:
    key = "sk-secret-0123456789"
    with server(failing(401, f"Incorrect API key provided: {repeated}. Look again.")) as (web, _):
        llm = OpenAILLM("m", base_url=web, api_key=key)
        with pytest.raises(ConfigError, match="refuses the key: Incorrect API key") as raised:
            llm.complete(request())
    told = str(raised.value)
    assert not any(key[at : at + 6] in told for at in range(len(key) - 5))
    assert "Look again." in told


def test_without_a_key_nothing_of_what_a_server_says_is_hidden(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("REACTLAB_API_KEY", raising=False)
    told = "more memory is needed, none-needed"
    with server(failing(400, told)) as (web, _), pytest.raises(LLMError, match=told):
        OpenAILLM("m", base_url=web).complete(request())
