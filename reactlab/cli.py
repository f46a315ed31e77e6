"""The command `reactlab`: doctor, run, serve, trace, compare, schema."""

from __future__ import annotations

import argparse
import json
import sys
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import reactlab
from reactlab.agents.base import Agent
from reactlab.comparison import Comparison
from reactlab.dialects import DialectName
from reactlab.display import as_page, as_text, live_lines, safe_print
from reactlab.doctor import examine
from reactlab.effects import Approve
from reactlab.errors import ReactlabError
from reactlab.llm.default import default_llm, describe
from reactlab.serve.command import add_to, begun
from reactlab.trace import Trace
from reactlab.trace_json import schema, to_lines
from reactlab.types import LLM

AGENTS = ("react", "function_call", "cot", "act", "single", "flight")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; 0 when all went well, 1 when it did not, 2 for wrong usage."""
    options = _parser().parse_args(arguments)
    try:
        command: Callable[[argparse.Namespace], int] = options.command
        return command(options)
    except ReactlabError as error:
        safe_print(f"{type(error).__name__}: {error}", sys.stderr)
        return 1
    except OSError as error:
        safe_print(f"{error.filename}: {error.strerror}", sys.stderr)
        return 1
    except KeyboardInterrupt:
        safe_print("Interrupted.", sys.stderr)
        return 130


def _parser() -> argparse.ArgumentParser:
    about = "ReAct agents that show their steps. Without --model, the embedded model answers."
    parser = argparse.ArgumentParser(prog="reactlab", description=about)
    parser.add_argument("--version", action="version", version=reactlab.__version__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    names = '"simulated" (default), "local", "ollama:MODEL", "http://HOST/v1#MODEL"'
    model = _option("--model", help=names)
    language = _option("--language", choices=["en", "zh"], default="en")

    def add(
        command: Callable[[argparse.Namespace], int], about: str, *options: argparse.ArgumentParser
    ) -> argparse.ArgumentParser:
        made = commands.add_parser(command.__name__.strip("_"), help=about, parents=options)
        made.set_defaults(command=command)
        return made

    add(_doctor, "check this environment and say what to fix", model)
    probe = add(_probe, "find out what a model and its server can do", model, language)
    probe.add_argument("--record", type=Path, metavar="FILE", help="add the replies to a recording")
    run = add(_run, "answer a question and show the steps as they happen", model, language)
    run.add_argument("question")
    run.add_argument("--agent", choices=AGENTS, default="react")
    run.add_argument("--max-steps", type=int, default=None, help="turns of the model at most")
    run.add_argument("--approve", action="store_true", help="let tools change things")
    run.add_argument("--json", action="store_true", help="print the trace as JSON Lines instead")
    run.add_argument("--save", type=Path, metavar="FILE", help="also save the trace")
    trace = add(_trace, "show a saved trace", language)
    trace.add_argument("file", type=Path)
    trace.add_argument("--html", type=Path, metavar="PAGE", help="write a page for a browser")
    compare = add(_compare, "show two saved traces side by side", language)
    compare.add_argument("one", type=Path)
    compare.add_argument("other", type=Path)
    add(_schema, "print the JSON Schema of a line of a trace file")
    add_to(add(_serve, "an OpenAI-compatible server over a model", model))
    return parser


def _option(name: str, **how: Any) -> argparse.ArgumentParser:
    """An option that several commands share."""
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument(name, **how)
    return shared


def _agent(options: argparse.Namespace, llm: LLM) -> Agent:
    """The agent that `--agent` names, with the built-in tools or its own."""
    from reactlab.agents import baselines, react
    from reactlab.apps.flights import FlightAgent
    from reactlab.tools.builtin import builtin_tools

    common = {"language": options.language}
    limits = {} if options.max_steps is None else {"max_steps": options.max_steps}
    approve: Approve = "always" if options.approve else None
    if options.agent == "cot":
        return baselines.CoTAgent(llm, **common)
    if options.agent == "flight":
        return FlightAgent(llm, approve=approve, **common, **limits)
    tools = builtin_tools(language=options.language)
    if options.agent == "single":
        return baselines.SingleCallAgent(llm, tools, approve=approve, **common)
    if options.agent == "act":
        return baselines.ActAgent(llm, tools, approve=approve, **common, **limits)
    dialect: DialectName = "tools" if options.agent == "function_call" else "bracket"
    return react.ReActAgent(llm, tools, dialect=dialect, approve=approve, **common, **limits)


def _run(options: argparse.Namespace) -> int:
    llm = default_llm(options.model)
    trace = Trace(options.question)
    events = _agent(options, llm).iter(options.question, trace=trace)
    try:
        if options.json:
            deque(events, maxlen=0)
            safe_print("\n".join(to_lines(trace)))
        else:
            safe_print(describe(llm))
            for line in live_lines(events, language=options.language):
                safe_print(line)
    finally:  # what was found before an interruption is worth keeping
        if options.save:
            trace.save(options.save)
    return 0 if trace.answer is not None else 1


def _trace(options: argparse.Namespace) -> int:
    trace = Trace.load(options.file)
    if options.html:
        page = as_page(trace, language=options.language)
        options.html.write_text(page, encoding="utf-8", newline="\n")
        safe_print(f"Written: {options.html}")
    else:
        safe_print(as_text(trace, language=options.language))
    return 0


def _compare(options: argparse.Namespace) -> int:
    one, other = Trace.load(options.one), Trace.load(options.other)
    names = (options.one.name, options.other.name)
    safe_print(repr(Comparison(one, other, names, language=options.language)))
    return 0


def _schema(options: argparse.Namespace) -> int:
    safe_print(json.dumps(schema(), indent=2))
    return 0


def _probe(options: argparse.Namespace) -> int:
    from reactlab.probe import MOST_REQUESTS, probe

    llm = default_llm(options.model)
    safe_print(f"Asking {llm.model} at most {MOST_REQUESTS} times, and once more for each refusal.")
    found = probe(llm, record=options.record, language=options.language)
    safe_print(repr(found))
    return 0 if found["answers"].outcome == "yes" else 1


def _serve(options: argparse.Namespace) -> int:
    server, lines = begun(options)
    with server:
        safe_print("\n".join(lines))
        sys.stdout.flush()
        server.wait()
    return 0


def _doctor(options: argparse.Namespace) -> int:
    findings = list(examine(options.model))
    for finding in findings:
        mark = "fix " if finding.fix else "ok  "
        safe_print(f"{mark} {finding.what}: {finding.found}")
        if finding.fix:
            safe_print(f"       {finding.fix}")
    broken = [finding for finding in findings if finding.fix]
    safe_print("All is well." if not broken else f"{len(broken)} to look at.")
    return 1 if broken else 0


if __name__ == "__main__":
    raise SystemExit(main())
