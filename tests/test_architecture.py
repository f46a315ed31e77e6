"""What keeps the package readable: imports point one way, and no habit that hides state."""

import ast
import functools
import graphlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

import reactlab

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "reactlab"

# A part imports parts of the rows above its own; parts of one row leave each other alone.
LAYERS = (
    ("errors", "names", "types"),
    ("events", "thoughts", "threads", "render", "wording"),
    ("trace", "faults", "samecall"),
    ("approval", "cost", "trace_json", "trace_rows"),
    ("effects",),
    ("prompts", "parser", "answers"),
    ("dialects",),
    ("llm", "tools"),
    ("run",),
    ("drivers",),
    ("live",),
    ("loops",),
    ("policies",),
    ("budget",),
    ("agents",),
    ("apps", "evaluation"),
    ("injection",),
    ("comparison", "display", "doctor", "otel", "probe", "serve"),
    ("course",),
    ("cli",),
)

# Imports upward or in a circle, allowed inside a function only, each with its reason.
LAZY = {
    ("llm.protocol", "llm.default"): "who names no model gets the default one",
    ("trace", "trace_json"): "to_json() and from_json() are the trace's, the format is not",
    ("evaluation.results", "evaluation.report"): "results show themselves when somebody looks",
    ("evaluation.paired", "evaluation.report"): "as results",
    ("trace", "display"): "the notebook calls the trace's own _repr_html_()",
}

# Where anything at all may be caught, each with its reason; a re-raise needs none.
BROAD = {
    ("tools/tool.py", "run"): "a tool is run: whatever it raises becomes an observation",
    ("tools/tool.py", "arun"): "as run()",
    ("tools/text.py", "describe"): "what a tool raised may be unable to say what it is",
    ("samecall.py", "text_of"): "a loop detector is given whatever somebody's tool returned",
    ("course/exercises.py", "attempt"): "a learner's function is run: its error becomes a hint",
    ("course/cases.py", "_does"): "a typical mistake may end in an error, like a learner's",
    ("llm/assembly.py", "_read"): "the SDK lets its transport's errors through while it streams",
    ("evaluation/workers.py", "answered"): "a run that breaks fails alone, with its cause",
    ("evaluation/workers.py", "_outcome"): "what a worker sends back may be unable to travel",
    ("evaluation/runner.py", "_scored"): "a scorer may be anybody's function",
    ("threads.py", "work"): "a thread hands what it raised to the one who waits",
}

# Whose business is to show something.
EDGES = ("cli.py", "course/", "display.py")
MOST_LINES = 250


class Link(NamedTuple):
    """One import of one module of the package by another."""

    source: str
    target: str
    lazy: bool
    line: int


def files() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


@functools.cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def place(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def module_of(path: Path) -> str:
    """ "parser.calls" for reactlab/parser/calls.py, "parser" for reactlab/parser/__init__.py."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_of(path): path for path in files()}


def part_of(module: str) -> str:
    return module.partition(".")[0]


def row_of(module: str) -> int:
    return next(row for row, parts in enumerate(LAYERS) if part_of(module) in parts)


def named_by(node: ast.AST, path: Path) -> Iterator[str]:
    """Full names that an import statement, or a call of import_module, asks for."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        base = node.module or ""
        if node.level:
            above = ("reactlab", *path.relative_to(PACKAGE).parts)[: -node.level]
            base = ".".join((*above, base)).rstrip(".")
        yield from (f"{base}.{alias.name}" for alias in node.names)
    elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module"):
        yield from (word.value for word in node.args if isinstance(word, ast.Constant))


def home_of(name: str) -> str | None:
    """The module of the package that holds `name`; None for another package's name."""
    if name.partition(".")[0] != "reactlab":
        return None
    inner = name.removeprefix("reactlab").removeprefix(".")
    inner = f"{reactlab._HOME[inner]}.{inner}" if inner in reactlab._HOME else inner
    while inner and inner not in MODULES:
        inner = inner.rpartition(".")[0]
    return inner


@functools.cache
def links() -> tuple[Link, ...]:
    found = []
    for module, path in MODULES.items():
        functions = (ast.FunctionDef, ast.AsyncFunctionDef)
        bodies = [node for node in ast.walk(tree(path)) if isinstance(node, functions)]
        inside = {id(node) for body in bodies for node in ast.walk(body)}
        for node in ast.walk(tree(path)):
            for target in filter(None, (home_of(name) for name in named_by(node, path))):
                found.append(Link(module, target, id(node) in inside, node.lineno))
    return tuple(found)


def excused(link: Link) -> bool:
    return link.lazy and (link.source, link.target) in LAZY


def functions_with(path: Path, wanted: type[ast.AST]) -> Iterator[tuple[str, ast.AST]]:
    """Each node of the wanted kind with the name of the function closest around it."""

    def walk(node: ast.AST, function: str) -> Iterator[tuple[str, ast.AST]]:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            function = node.name
        if isinstance(node, wanted):
            yield function, node
        for child in ast.iter_child_nodes(node):
            yield from walk(child, function)

    yield from walk(tree(path), "")


def test_every_module_has_its_place_in_the_layers():
    parts = {part_of(module) for module in MODULES if module}
    placed = [part for row in LAYERS for part in row]
    assert sorted(parts - set(placed)) == []
    assert len(placed) == len(set(placed))


def test_imports_point_one_way():
    wrong = []
    for link in links():
        if not link.source or part_of(link.source) == part_of(link.target):
            continue
        upward = not link.target or row_of(link.target) >= row_of(link.source)
        if upward and not excused(link):
            wrong.append(f"{place(MODULES[link.source])}:{link.line} imports {link.target or '.'}")
    assert wrong == []


def test_no_module_imports_itself_by_a_detour():
    graph: dict[str, set[str]] = {module: set() for module in MODULES}
    for link in links():
        if link.source and link.source != link.target and not excused(link):
            graph[link.source].add(link.target)
    graphlib.TopologicalSorter(graph).prepare()


def fresh(code: str) -> str:
    command = [sys.executable, "-c", code]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout


FOREIGN = """
import sys
before = set(sys.modules)
import reactlab
{more}
roots = {{name.partition('.')[0] for name in set(sys.modules) - before}}
print(*sorted(roots - set(sys.stdlib_module_names) - {{'reactlab'}}))
"""


def test_importing_the_package_loads_the_standard_library_alone():
    assert fresh(FOREIGN.format(more="")).split() == []


def test_importing_the_package_loads_no_module_of_its_own():
    code = "import sys, reactlab; print(*[m for m in sys.modules if m.startswith('reactlab.')])"
    assert fresh(code).split() == []


def test_every_public_name_can_be_had_with_the_standard_library_alone():
    more = "[getattr(reactlab, name) for name in reactlab.__all__]"
    assert fresh(FOREIGN.format(more=more)).split() == []


@pytest.mark.parametrize("name", reactlab.__all__)
def test_every_public_name_resolves(name):
    assert getattr(reactlab, name) is not None
    assert name in dir(reactlab)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = reactlab.nothing


def test_the_public_names_are_these():
    assert len(reactlab.__all__) == len(set(reactlab.__all__))
    assert sorted(reactlab.__all__) == PUBLIC


@pytest.mark.parametrize("path", files(), ids=place)
def test_a_file_is_short_enough_to_read(path):
    lines = len(path.read_text(encoding="utf-8").splitlines())
    assert lines <= MOST_LINES


def test_the_library_prints_nothing():
    printing = [
        f"{place(path)}:{node.lineno}"
        for path in files()
        if not place(path).startswith(EDGES)
        for node in ast.walk(tree(path))
        if (isinstance(node, ast.Name) and node.id == "print")
        or (isinstance(node, ast.Attribute) and ast.unparse(node) in ("sys.stdout", "sys.stderr"))
    ]
    assert printing == []


def broad_catches() -> Iterator[tuple[str, str, int]]:
    for path in files():
        for function, node in functions_with(path, ast.ExceptHandler):
            assert isinstance(node, ast.ExceptHandler)
            names = ast.walk(node.type) if node.type else [ast.Name("BaseException")]
            caught = {name.id for name in names if isinstance(name, ast.Name)}
            passes_on = any(isinstance(step, ast.Raise) and not step.exc for step in node.body)
            if caught & {"Exception", "BaseException"} and not passes_on:
                yield place(path), function, node.lineno


def test_anything_at_all_is_caught_only_where_foreign_code_runs():
    found = [
        f"{path}:{line} in {name}"
        for path, name, line in broad_catches()
        if (path, name) not in BROAD
    ]
    assert found == []


def test_no_excuse_outlives_its_cause():
    used = {(link.source, link.target) for link in links() if link.lazy}
    assert sorted(set(LAZY) - used) == []
    assert sorted(set(BROAD) - {(path, name) for path, name, _ in broad_catches()}) == []


def agent_classes() -> Iterator[tuple[Path, ast.ClassDef]]:
    for path in files():
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.ClassDef):
                bases = [ast.unparse(base).rpartition(".")[2] for base in node.bases]
                if any(name.endswith("Agent") for name in [node.name, *bases]):
                    yield path, node


def own_targets(node: ast.AST) -> Iterator[str]:
    """What a statement sets on `self`: attributes, items of attributes, setattr."""
    place = (ast.Attribute, ast.Subscript)
    if isinstance(node, place) and isinstance(node.ctx, ast.Store | ast.Del):
        owner: ast.AST = node
        while isinstance(owner, place):
            owner = owner.value
        if isinstance(owner, ast.Name) and owner.id == "self":
            yield ast.unparse(node)
    if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in (
        "setattr",
        "__setattr__",
        "delattr",
    ):
        yield ast.unparse(node)


def test_agents_hold_settings_and_never_change_after_init():
    classes = list(agent_classes())
    assert classes
    changed = [
        f"{place(path)}:{node.lineno} {told}"
        for path, agent in classes
        for method in agent.body
        if getattr(method, "name", "__init__") != "__init__"
        for node in ast.walk(method)
        for told in own_targets(node)
    ]
    assert changed == []


PUBLIC = [
    "ActAgent",
    "Agent",
    "Approvals",
    "Ask",
    "Budget",
    "CoTAgent",
    "Comparison",
    "Completion",
    "ConfigError",
    "Cost",
    "Decision",
    "Delta",
    "Failure",
    "FaultyLLM",
    "FlightAgent",
    "FlightDesk",
    "LLMError",
    "Live",
    "LocalLLM",
    "LoopDetector",
    "Message",
    "MissingKey",
    "ModelCall",
    "Observation",
    "OpenAILLM",
    "ParseError",
    "Policy",
    "Price",
    "Program",
    "ProgramError",
    "PromptTemplate",
    "REACT_PROMPT_TEMPLATE",
    "REACT_PROMPT_TEMPLATE_ZH",
    "ReActAgent",
    "ReActAgentFunctionCall",
    "ReActErrorHandler",
    "ReactlabError",
    "ReactlabWarning",
    "RecordedLLM",
    "Request",
    "Retry",
    "RobustReActAgent",
    "Sample",
    "Score",
    "ScriptedLLM",
    "SimpleReActAgent",
    "SimulatedLLM",
    "SingleCallAgent",
    "Sleep",
    "Step",
    "StopReason",
    "Task",
    "Tell",
    "ThoughtType",
    "Together",
    "Tool",
    "ToolCall",
    "ToolError",
    "ToolKit",
    "ToolRegistry",
    "ToolUnavailable",
    "ToolUse",
    "Trace",
    "TraceFileError",
    "Usage",
    "Use",
    "__version__",
    "adrive",
    "ask_me",
    "builtin_tools",
    "calculator",
    "call_api",
    "default_llm",
    "drive",
    "evaluate",
    "exact_match",
    "extract_final_answer",
    "f1_score",
    "faulty_tools",
    "flight_tools",
    "is_finished",
    "make_dialect",
    "normalize_answer",
    "paired_comparison",
    "parse",
    "patient",
    "planned",
    "query_database",
    "read_file",
    "search",
    "search_tools",
    "tool",
    "wilson",
]
