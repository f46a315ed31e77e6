"""Traces as OpenTelemetry spans, read back from memory."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
from conftest import Runner, run_blocking
from scripts import DIALECTS, act, answer, scripted

from reactlab import Completion, LLMError, ReActAgent, ScriptedLLM, ToolCall, Trace, Usage
from reactlab.errors import ConfigError, RateLimited
from reactlab.otel import export

pytest.importorskip("opentelemetry.sdk", reason="the extra otel is not installed")

from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import (
    InMemorySpanExporter,
)
from opentelemetry.trace import SpanKind, StatusCode

SECRET = "a secret 🙂"


def echo(text: str) -> str:
    """Say it again."""
    return text


def spans(trace: Trace, **options: Any) -> list[ReadableSpan]:
    """The spans of a trace, the run's first, then in the order in which they began."""
    memory, provider = InMemorySpanExporter(), TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(memory))
    export(trace, provider.get_tracer("test"), **options)
    return sorted(memory.get_finished_spans(), key=lambda span: span.parent is not None)


def ran(*replies: Any, dialect: str = "tools", **options: Any) -> Trace:
    agent = ReActAgent(ScriptedLLM(replies, model="m"), [echo], dialect=dialect, **options)
    return run_blocking(agent, SECRET)


def about(span: ReadableSpan) -> dict[str, Any]:
    return dict(span.attributes or {})


SCRIPT = [
    Completion(
        "t", (ToolCall("echo", {"text": SECRET}, "call_1"),), "tool_calls", Usage(10, 2), "m-1"
    ),
    Completion(SECRET, usage=Usage(20, 3, estimated=True)),
]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_run_is_a_tree_of_spans_in_every_dialect(run: Runner, dialect: str) -> None:
    script = [act(dialect, "t", ("echo", {"text": "a"})), answer(dialect, "ok")]
    trace = run(ReActAgent(scripted(*script), [echo], dialect=dialect), "q")
    root, *inside = spans(trace)
    assert root.name == "invoke_agent ReActAgent"
    assert [span.name for span in inside] == ["chat scripted", "execute_tool echo", "chat scripted"]
    assert root.kind is SpanKind.INTERNAL
    assert [span.kind for span in inside] == [SpanKind.CLIENT, SpanKind.INTERNAL, SpanKind.CLIENT]
    assert {span.parent.span_id for span in inside if span.parent} == {root.context.span_id}
    assert root.status.status_code is StatusCode.UNSET


def test_what_the_conventions_ask_for_is_there() -> None:
    root, first, use, second = spans(ran(*SCRIPT), provider="openai")
    assert about(root) == {
        "gen_ai.provider.name": "openai",
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": "ReActAgent",
        "gen_ai.request.model": "m",
        "reactlab.stop_reason": "answered",
    }
    assert about(first) == {
        "gen_ai.provider.name": "openai",
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": "m",
        "gen_ai.response.model": "m-1",
        "gen_ai.response.finish_reasons": ("tool_calls",),
        "gen_ai.usage.input_tokens": 10,
        "gen_ai.usage.output_tokens": 2,
    }
    assert about(second)["reactlab.usage.estimated"] is True
    assert about(use) == {
        "gen_ai.provider.name": "openai",
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "echo",
        "gen_ai.tool.type": "function",
        "gen_ai.tool.call.id": "call_1",
    }


def test_every_name_is_one_of_the_conventions_or_our_own() -> None:
    pytest.importorskip("opentelemetry.semconv._incubating.attributes.gen_ai_attributes")
    from opentelemetry.semconv._incubating.attributes import gen_ai_attributes as names
    from opentelemetry.semconv.attributes import error_attributes

    known = {value for name, value in vars(names).items() if name.startswith("GEN_AI_")}
    known.add(error_attributes.ERROR_TYPE)
    failed = ran(*SCRIPT[:1], "", RateLimited("x", retry_after=0.001), LLMError("x"))
    for trace in (ran(*SCRIPT), failed):
        for span in spans(trace, provider="p"):
            for name in about(span):
                assert name in known or name.startswith("reactlab.")


def test_what_was_said_does_not_go_along() -> None:
    trace = ran(*SCRIPT)
    trace.stop(trace.stop_reason, SECRET, trace.answer)
    assert "secret" not in "".join(span.to_json() for span in spans(trace))


def test_what_went_wrong_is_told_by_its_kind_and_not_in_words() -> None:
    wrong = act("tools", "t", ("nothing", {"text": SECRET}))
    limited = RateLimited(SECRET, retry_after=0.001)
    trace = ran(wrong, limited, "", LLMError(SECRET))
    root, _, use, refused, _, down = spans(trace)
    assert about(use)["error.type"] == "unknown_tool"
    assert about(refused)["error.type"] == "RateLimited"
    assert about(down)["error.type"] == "LLMError"
    assert about(root)["error.type"] == "model_error"
    for span in (root, use, refused, down):
        assert span.status.status_code is StatusCode.ERROR
        assert span.status.description is None
    assert about(root)["reactlab.failures"] == ("EmptyReply",)
    assert "secret" not in "".join(span.to_json() for span in spans(trace))


def test_halves_of_characters_do_not_stop_an_exporter() -> None:
    odd = "half \ud83d"
    trace = ran(act("tools", odd, ("echo", {"text": odd}), (odd, {"text": odd})), odd)
    for span in spans(trace):
        span.name.encode()
        for value in about(span).values():
            str(value).encode()


def test_durations_are_the_traces_and_spans_lie_within_the_run() -> None:
    trace = ran(*SCRIPT)
    root, *inside = spans(trace, end_time=10**18)
    assert root.end_time == 10**18
    began = root.start_time
    for event, span in zip([e for e in trace.events if hasattr(e, "seconds")], inside, strict=True):
        assert span.start_time >= began
        assert span.end_time - span.start_time == int(1e9 * event.seconds)
        began = span.end_time
    assert began <= root.end_time
    assert abs(root.end_time - root.start_time - 1e9 * trace.seconds) < 1000


def test_a_trace_that_never_began_is_one_span() -> None:
    (root,) = spans(Trace("q"))
    assert root.name == "invoke_agent"
    assert about(root)["reactlab.stop_reason"] == "unfinished"


def test_the_global_tracer_is_used_where_none_is_given() -> None:
    export(ran(*SCRIPT))


def test_a_missing_extra_is_one_clear_error() -> None:
    code = (
        "import sys; sys.modules['opentelemetry'] = None\n"
        "from reactlab import Trace; from reactlab.otel import export\n"
        "try: export(Trace('q'))\n"
        "except Exception as error: print(type(error).__name__, error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("ConfigError Spans need OpenTelemetry: pip install")


def test_only_a_trace_is_exported_and_only_to_a_tracer():
    with pytest.raises(ConfigError, match="A trace is expected"):
        export("x")
    with pytest.raises(ConfigError, match="tracer"):
        export(Trace("q"), 5)
