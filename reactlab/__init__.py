"""reactlab: the ReAct (Reason + Act) agent pattern, built to be read.

Every public name is imported from here; importing the package loads nothing else.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_HOME = {
    "ReActAgent": "agents.react",
    "ReActAgentFunctionCall": "agents.function_call",
    "SimpleReActAgent": "agents.simple",
    "ToolKit": "agents.simple",
    "CoTAgent": "agents.baselines",
    "ActAgent": "agents.baselines",
    "SingleCallAgent": "agents.baselines",
    "RobustReActAgent": "agents.robust",
    "Agent": "agents.base",
    "FlightAgent": "apps.flights",
    "FlightDesk": "apps.flights",
    "flight_tools": "apps.flights",
    "REACT_PROMPT_TEMPLATE": "prompts",
    "REACT_PROMPT_TEMPLATE_ZH": "prompts",
    "PromptTemplate": "prompts",
    "ThoughtType": "thoughts",
    "parse": "parser",
    "is_finished": "parser",
    "extract_final_answer": "parser",
    "Tool": "tools.tool",
    "tool": "tools.tool",
    "ToolRegistry": "tools.registry",
    "builtin_tools": "tools.builtin",
    "search_tools": "tools.builtin",
    "faulty_tools": "tools.faulty",
    "search": "tools.search",
    "calculator": "tools.calculator",
    "query_database": "tools.database",
    "read_file": "tools.files",
    "call_api": "tools.http",
    "default_llm": "llm.default",
    "SimulatedLLM": "llm.simulated",
    "ScriptedLLM": "llm.scripted",
    "RecordedLLM": "llm.recorded",
    "FaultyLLM": "llm.faulty",
    "OpenAILLM": "llm.openai",
    "LocalLLM": "llm.local",
    "Trace": "trace",
    "Step": "events",
    "StopReason": "events",
    "ModelCall": "events",
    "ToolUse": "events",
    "Failure": "events",
    "evaluate": "evaluation",
    "Task": "evaluation",
    "Sample": "evaluation",
    "Score": "evaluation",
    "paired_comparison": "evaluation",
    "wilson": "evaluation",
    "Live": "live",
    "Comparison": "comparison",
    "Cost": "cost",
    "Price": "cost",
    "Approvals": "approval",
    "ask_me": "approval",
    "planned": "approval",
    "Ask": "effects",
    "Use": "effects",
    "Sleep": "effects",
    "Together": "effects",
    "Program": "effects",
    "drive": "drivers",
    "adrive": "drivers",
    "Budget": "budget",
    "LoopDetector": "loops",
    "ReActErrorHandler": "policies.handler",
    "patient": "policies.patience",
    "Policy": "policies",
    "Retry": "policies",
    "Tell": "policies",
    "make_dialect": "dialects",
    "Request": "types",
    "Completion": "types",
    "Decision": "types",
    "Delta": "types",
    "Message": "types",
    "Observation": "types",
    "ToolCall": "types",
    "Usage": "types",
    "normalize_answer": "answers",
    "exact_match": "answers",
    "f1_score": "answers",
    "ReactlabError": "errors",
    "ConfigError": "errors",
    "LLMError": "errors",
    "MissingKey": "errors",
    "ParseError": "errors",
    "ProgramError": "errors",
    "ToolError": "errors",
    "ToolUnavailable": "errors",
    "TraceFileError": "errors",
    "ReactlabWarning": "errors",
}

__all__ = [*_HOME, "__version__"]


def __getattr__(name: str) -> Any:
    """Import a public name from its home when it is first used."""
    if name not in _HOME:
        raise AttributeError(f"module 'reactlab' has no attribute {name!r}")
    value = getattr(import_module(f"reactlab.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
