"""A trace as OpenTelemetry spans, by the semantic conventions for generative AI (extra `otel`).

Names as in opentelemetry-semantic-conventions 0.66b2, which marks them as moved to a repository of
their own (open-telemetry/semantic-conventions-genai); they may still change.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import reactlab
from reactlab.errors import ConfigError
from reactlab.events import Failure, ModelCall, ToolUse
from reactlab.trace import Trace, as_trace
from reactlab.types import Completion

if TYPE_CHECKING:
    from opentelemetry.context import Context
    from opentelemetry.trace import Span, Tracer


def export(
    trace: Trace,
    tracer: Tracer | None = None,
    *,
    provider: str = "",
    end_time: int | None = None,
) -> None:
    """Write a span for the run and below it one for each call of the model and each use of a tool.

    `tracer` is the global one if None. Prompts, replies, arguments and results may be private and
    do not go along. `provider` is who serves the model, such as "openai": a trace does not know. A
    trace has durations and no clock, so the spans stand one after another, and the run ends at
    `end_time` (nanoseconds since 1970, now if None). Raises `ConfigError` if the extra is not
    installed.
    """
    try:
        from opentelemetry import trace as api
    except ImportError:
        raise ConfigError('Spans need OpenTelemetry: pip install "reactlab[otel]"') from None
    if not hasattr(tracer or api, "start_span" if tracer else "get_tracer"):
        raise ConfigError(f"tracer is an OpenTelemetry tracer, not {type(tracer).__name__}.")
    tracer = tracer or api.get_tracer("reactlab", reactlab.__version__)
    inside = sum(getattr(event, "seconds", 0.0) for event in as_trace(trace).events)
    end = time.time_ns() if end_time is None else end_time
    at = end - int(1e9 * max(trace.seconds, inside))
    shared = {"gen_ai.provider.name": provider}
    root = _write(tracer, None, shared | _run(trace), at, end)
    below = api.set_span_in_context(root)
    for event in trace.events:
        began, at = at, at + int(1e9 * getattr(event, "seconds", 0.0))
        if isinstance(event, ModelCall):
            _write(tracer, below, shared | _chat(event, trace.model), began, at)
        elif isinstance(event, ToolUse):
            _write(tracer, below, shared | _use(event), began, at)


def _write(tracer: Tracer, above: Context | None, about: Any, began: int, ended: int) -> Span:
    """A whole span; what went wrong is told by its kind alone, since messages may be private."""
    from opentelemetry.trace import SpanKind, StatusCode

    operation = about["gen_ai.operation.name"]
    of = about.get("gen_ai.tool.name") or about.get("gen_ai.agent.name")
    name = _whole(f"{operation} {of or about.get('gen_ai.request.model', '')}".strip())
    kind = SpanKind.CLIENT if operation == "chat" else SpanKind.INTERNAL
    kept = {n: _whole(v) for n, v in about.items() if v not in (None, "", ())}
    span = tracer.start_span(name, above, kind, kept, start_time=began)
    if about["error.type"]:
        span.set_status(StatusCode.ERROR)
    span.end(ended)
    return span


def _whole(value: Any) -> Any:
    """A text without halves of characters, which no exporter can encode."""
    return value.encode(errors="backslashreplace").decode() if isinstance(value, str) else value


def _run(trace: Trace) -> dict[str, Any]:
    reason = str(trace.stop_reason or "unfinished")
    return {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": trace.agent,
        "gen_ai.request.model": trace.model,
        "reactlab.stop_reason": reason,
        "reactlab.failures": tuple(e.kind for e in trace.events if isinstance(e, Failure)),
        "error.type": "" if reason in ("answered", "unfinished") else reason,
    }


def _chat(call: ModelCall, model: str) -> dict[str, Any]:
    asked, done = call.request, call.completion or Completion(finish="")
    return {
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": model,
        "gen_ai.request.temperature": asked.temperature,
        "gen_ai.request.max_tokens": asked.max_tokens,
        "gen_ai.request.stop_sequences": asked.stop,
        "gen_ai.response.model": done.model,
        "gen_ai.response.finish_reasons": (done.finish,) if done.finish else (),
        "gen_ai.usage.input_tokens": done.usage.input_tokens if done.usage else None,
        "gen_ai.usage.output_tokens": done.usage.output_tokens if done.usage else None,
        "reactlab.usage.estimated": (done.usage and done.usage.estimated) or None,
        "error.type": call.failure.kind if call.failure else "",
    }


def _use(use: ToolUse) -> dict[str, Any]:
    return {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": use.call.name,
        "gen_ai.tool.type": "function",
        "gen_ai.tool.call.id": use.call.id,
        "error.type": use.observation.error,
    }
