"""The command line, run as a person runs it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from reactlab import Trace
from reactlab.cli import main
from reactlab.doctor import examine


def reactlab(*arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    hidden = {"OPENAI_API_KEY", "REACTLAB_MODEL"}
    env = {name: value for name, value in os.environ.items() if name not in hidden}
    return subprocess.run(
        [sys.executable, "-m", "reactlab.cli", *arguments],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**env, "PYTHONIOENCODING": "utf-8", **settings},
        timeout=120,
        check=False,
    )


def test_doctor_looks_at_the_environment_and_the_model() -> None:
    done = reactlab("doctor")
    assert "Python" in done.stdout
    assert "full-text search: FTS5" in done.stdout
    assert "reactlab-simulated" in done.stdout
    assert (done.returncode == 0) is ("All is well." in done.stdout)


def test_doctor_mentions_a_key_and_does_not_show_it() -> None:
    done = reactlab("doctor", OPENAI_API_KEY="sk-very-secret")
    assert "OPENAI_API_KEY is set and not used" in done.stdout
    assert "secret" not in done.stdout + done.stderr


def test_doctor_says_what_to_fix_about_a_server_that_is_not_there() -> None:
    done = reactlab("doctor", "--model", "http://127.0.0.1:9/v1#m")
    assert done.returncode == 1
    assert "fix  server: not usable" in done.stdout
    assert "is the server running?" in done.stdout


@pytest.mark.parametrize(
    "model", ["simulated", "nonsense", "local:none.gguf", "http://127.0.0.1:9/v1#m", "openai:m"]
)
def test_doctor_speaks_chinese_throughout(model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if model == "simulated":
        monkeypatch.setenv("OPENAI_API_KEY", "sk-x")
    else:
        monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    for english, chinese in zip(examine(model), examine(model, "zh"), strict=True):
        for told, same in zip(english, chinese, strict=True):
            sentence = len(re.findall("[a-z]{2,}", told)) > 3
            assert not sentence or re.search("[\u4e00-\u9fff]", same), same
            assert not re.search("[\u4e00-\u9fff]", told)


def test_a_question_is_answered_with_live_steps(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    done = reactlab("run", "What is 12 * 12 + 1?", "--save", str(path))
    assert done.returncode == 0, done.stderr
    assert "Model in use: reactlab-simulated" in done.stdout
    assert "145" in done.stdout
    assert Trace.load(path).answer is not None
    shown = reactlab("trace", str(path))
    assert "145" in shown.stdout
    page = tmp_path / "run.html"
    assert reactlab("trace", str(path), "--html", str(page)).returncode == 0
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")


def test_json_is_a_trace_and_nothing_else() -> None:
    done = reactlab("run", "What is 3 + 4?", "--json")
    records = [json.loads(line) for line in done.stdout.splitlines()]
    assert records[0]["question"] == "What is 3 + 4?"
    assert "7" in records[-1]["answer"]


@pytest.mark.parametrize("agent", ["react", "function_call", "cot", "act", "single"])
def test_every_agent_can_be_chosen(agent: str) -> None:
    done = reactlab("run", "What is 3 + 4?", "--agent", agent)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "7" in done.stdout


def test_the_chinese_edition_answers_in_chinese() -> None:
    done = reactlab("run", "3 + 4 等于多少？", "--language", "zh")
    assert done.returncode == 0
    assert "7" in done.stdout
    assert "思考" in done.stdout
    assert "Thought" not in done.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("run", "q", "--model", "gpt"), "There is no model 'gpt'"),
        (("run", "q", "--model", "openai:x"), "OPENAI_API_KEY"),
        (("trace", "nowhere.jsonl"), "cannot be read as a trace"),
        (("run", "q", "--max-steps", "0"), "max_steps"),
    ],
)
def test_bad_input_is_one_clear_line(arguments: tuple[str, ...], words: str) -> None:
    done = reactlab(*arguments)
    assert done.returncode == 1
    assert words in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_an_unreachable_server_ends_with_its_reason() -> None:
    done = reactlab("run", "q", "--model", "http://127.0.0.1:9/v1#m")
    assert done.returncode == 1
    assert "cannot be reached" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr


@pytest.mark.parametrize("encoding", ["cp1252", "gbk", "ascii"])
def test_a_console_that_cannot_print_everything_is_no_problem(encoding: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "reactlab.cli", "run", "Was ist 🙂 é 中文 ∑?"],
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"},
        timeout=120,
        check=False,
    )
    assert b"UnicodeEncodeError" not in done.stderr


def test_wrong_usage_is_explained() -> None:
    with pytest.raises(SystemExit) as error:
        main(["fly"])
    assert error.value.code == 2
