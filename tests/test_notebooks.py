"""Committed notebooks agree with their sources, and the chain that makes them keeps its word."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from reactlab.course.authoring.editions import (
    Edition,
    assemble,
    difference,
    editions,
    execute,
    faults,
    to_text,
)
from reactlab.course.authoring.keeping import is_own_work
from reactlab.course.authoring.sources import Source, SourceError, bless, read_source
from reactlab.course.build import build, check, main, source_paths, strays

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "notebooks"

STUB = """\
    # STUB: if not texts:
    # STUB:     return None
    # STUB:
    # STUB: return ...  # your code here
"""
SAMPLE = f'''\
# %% [markdown] lang="en"
# # A receipt

# %% [markdown] lang="zh"
# # 凭据

# %%
import os
import sys

edition = str
language = edition("en")
print("one", os.environ.get("SAMPLE_API_KEY"))
print("aside", file=sys.stderr)
print("two", os.listdir())

# %%
def first(texts, answer):
    """Number of the first text that holds the answer, else None."""
    # BEGIN SOLUTION
{STUB}    for number, text in enumerate(texts, 1):
        if answer in text:
            return number
    return None
    # END SOLUTION


first(["No.", "Yes."], "Yes")

# %% lang="en"
question = "Which train?"
question

# %% lang="zh"
question = "哪趟火车？"
question

# %% tags=["raises-exception"]
{{}}["gone"]
'''


def written(folder: Path, text: str = SAMPLE, name: str = "01_sample") -> Path:
    path = folder / "source" / f"{name}.py"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def four(folder: Path, text: str = SAMPLE) -> list[Edition]:
    return list(editions(read_source(written(folder, text)), folder))


def code_of(edition: Edition) -> str:
    return "\n".join(cell.source for cell in assemble(edition).cells if cell.cell_type == "code")


def complaint(folder: Path, text: str) -> str:
    with pytest.raises(SourceError) as caught:
        read_source(written(folder, text))
    return str(caught.value)


# The repository's own notebooks


def test_the_four_notebooks_of_every_source_agree_with_it() -> None:
    assert check(source_paths(FOLDER), FOLDER) == []


def test_every_committed_notebook_has_a_source() -> None:
    assert strays(FOLDER) == []


def test_the_source_in_the_authoring_guide_is_well_formed(tmp_path: Path) -> None:
    guide = (ROOT / "docs" / "authoring.md").read_text(encoding="utf-8")
    (sample,) = re.findall(r"```python\n(# %%.*?)```", guide, re.S)
    source = read_source(written(tmp_path, sample))
    assert source.stale() == []
    learner, solution, *_ = editions(source, tmp_path)
    assert code_of(learner) != code_of(solution)


# What a reader of each edition gets


def test_each_edition_shows_its_own_language_and_calls_it(tmp_path: Path) -> None:
    en, _, zh, _ = four(tmp_path)
    assert assemble(en).cells[0].source == "# A receipt"
    assert assemble(zh).cells[0].source == "# 凭据"
    assert 'edition("en")' in code_of(en)
    assert "Which train?" in code_of(en)
    assert 'edition("zh")' in code_of(zh)
    assert "哪趟火车？" in code_of(zh)
    assert "Which" not in code_of(zh)


def test_learners_get_the_stub_and_nothing_of_the_solution(tmp_path: Path) -> None:
    for edition in four(tmp_path):
        cell = assemble(edition).cells[2].source
        stub = "    if not texts:\n        return None\n\n    return ...  # your code here\n\n"
        assert (stub in cell) != edition.solutions
        assert ("enumerate" in cell) == edition.solutions
        assert "SOLUTION" not in cell
        assert "STUB" not in cell
        compile(cell, "cell", "exec")


def test_the_editions_lie_where_the_course_says(tmp_path: Path) -> None:
    assert [edition.path.relative_to(tmp_path).as_posix() for edition in four(tmp_path)] == [
        "01_sample.ipynb",
        "solutions/01_sample.ipynb",
        "zh/01_sample.ipynb",
        "zh/solutions/01_sample.ipynb",
    ]


def test_cell_ids_are_shared_and_stay_when_a_cell_is_put_in_between(tmp_path: Path) -> None:
    def ids(edition: Edition) -> list[str]:
        return [cell.id for cell in assemble(edition).cells]

    before = [ids(edition) for edition in four(tmp_path)]
    assert all(one == before[0] for one in before)
    longer = SAMPLE.replace('# %% lang="en"', '# %%\n1 + 1\n\n# %%\n1 + 1\n\n# %% lang="en"')
    after = ids(four(tmp_path, longer)[0])
    assert [name for name in after if name in before[0]] == before[0]
    assert len(set(after)) == len(after) == len(before[0]) + 2


def test_comments_that_look_like_shell_commands_stay_comments(tmp_path: Path) -> None:
    text = SAMPLE + "\n# %%\n# more steps help\n# ls\nx = 1\n"
    assert assemble(four(tmp_path, text)[0]).cells[-1].source == "# more steps help\n# ls\nx = 1"


def test_the_output_below_a_prediction_is_folded_and_nothing_else_changes(tmp_path: Path) -> None:
    marked = SAMPLE.replace('tags=["raises-exception"]', 'tags=["predict", "raises-exception"]')
    marked = marked.replace("# %%\ndef first", '# %% tags=["predict"]\ndef first')
    for plain, folded in zip(four(tmp_path), four(tmp_path, marked), strict=True):
        before, after = assemble(plain).cells, assemble(folded).cells
        assert after[2].metadata == {"jupyter": {"outputs_hidden": True}}
        assert after[-1].metadata == before[-1].metadata | {"jupyter": {"outputs_hidden": True}}
        for cell in after:
            cell.metadata.pop("jupyter", None)
        assert after == before


# Sources that are refused


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('# %% [markdown] lang="zh"\n# # 凭据\n\n', "", ':1: lang="en" without'),
        ('# %% [markdown] lang="en"\n# # A receipt\n\n', "", ':1: lang="zh" without'),
        ('lang="zh"\nquestion', 'lang="de"\nquestion', ':38: lang is "en" or "zh"'),
        ("# # 凭据", "# **目标：**找到它", ":4: not bold, move the punctuation"),
        ('# %% lang="zh"', "# %%", ':34: lang="en" without its lang="zh" code cell'),
        ('[markdown] lang="en"', "[markdown]", ":1: prose needs"),
        ('[markdown] lang="en"', '[markdown] lang="en" en="12345678"', ":1: lang is"),
        ('tags=["raises-exception"]', 'tags=["hide"]', ":42: unknown metadata 'hide'"),
        ('# %% lang="en"', '# %% lang="en" level="2"', ":34: unknown metadata 'level'"),
        ("    # BEGIN SOLUTION\n", "", ":17: '# STUB:' outside"),
        ("    # END SOLUTION\n", "", ":17: BEGIN SOLUTION without END"),
        (
            "    # STUB: return",
            "    # BEGIN SOLUTION\n    # STUB: return",
            ":17: BEGIN SOLUTION twice",
        ),
        ("question = ", "# END SOLUTION\nquestion = ", ":34: END SOLUTION without BEGIN"),
        (STUB, "", ":17: a solution block needs"),
        ("return ...", "return )", ":17: the cell with its stub is no Python"),
        ("return number", "return number)", ":17: the cell with its solution is no Python"),
        ('{}["gone"]', "1;", ":42: a cell ending in ';'"),
        ('language = edition("en")', "", ":7: the first code cell must call edition"),
        ("# %% [markdown]", "import os\n\n# %% [markdown]", ":1: text above the first"),
    ],
)
def test_a_malformed_source_is_refused_with_its_line(
    tmp_path: Path, old: str, new: str, told: str
) -> None:
    assert old in SAMPLE
    assert f"01_sample.py{told}" in complaint(tmp_path, SAMPLE.replace(old, new, 1))


def test_a_source_without_code_is_refused(tmp_path: Path) -> None:
    prose = SAMPLE[: SAMPLE.index("# %%\n")]
    assert "the first code cell must call" in complaint(tmp_path, prose)


def test_one_malformed_source_does_not_hide_what_is_wrong_with_another(tmp_path: Path) -> None:
    paths = [written(tmp_path, "# %%\n1 +\n", "00_bad"), written(tmp_path)]
    found = check(paths, tmp_path)
    assert "00_bad.py:1" in found[0]
    assert any("01_sample.ipynb: not built yet" in line for line in found)


# Translations


def test_a_changed_english_cell_makes_its_chinese_stale_until_it_is_blessed(tmp_path: Path) -> None:
    path = written(tmp_path)
    assert len(read_source(path).stale()) == 2
    assert bless(path) == 2
    assert read_source(path).stale() == []
    blessed = path.read_text(encoding="utf-8")
    path.write_text(blessed.replace("# # A receipt", "# # A bill"), encoding="utf-8")
    (line,) = read_source(path).stale()
    assert line.startswith("01_sample.py:4: ")
    assert bless(path) == 1
    assert blessed.count('en="') == path.read_text(encoding="utf-8").count('en="') == 2
    assert bless(path) == 0


def test_wrapping_the_english_anew_does_not_make_the_chinese_stale(tmp_path: Path) -> None:
    path = written(tmp_path, SAMPLE.replace("# # A receipt", "# One two three"))
    bless(path)
    text = path.read_text(encoding="utf-8").replace("# One two three", "# One two\n# three")
    path.write_text(text, encoding="utf-8")
    assert read_source(path).stale() == []


# Stored notebooks that are refused


def executed(edition: Edition) -> dict[str, object]:
    notebook = assemble(edition)
    for number, cell in enumerate((c for c in notebook.cells if c.cell_type == "code"), 1):
        cell.execution_count = number
    return dict(json.loads(to_text(notebook)))


def stored(edition: Edition, content: dict[str, object]) -> list[str]:
    edition.path.write_text(
        json.dumps(content, indent=1, ensure_ascii=False, sort_keys=True) + "\n", encoding="utf-8"
    )
    return faults(edition)


def test_a_stored_notebook_is_compared_with_its_source_without_running(tmp_path: Path) -> None:
    edition = four(tmp_path)[0]
    assert "not built yet" in faults(edition)[0]
    good = json.dumps(executed(edition))
    assert stored(edition, json.loads(good)) == []
    saved = json.loads(good)  # as JupyterLab leaves it when it was opened and saved
    saved["metadata"]["language_info"] |= {"version": "3.12.1", "codemirror_mode": {"version": 3}}
    saved["cells"][-1]["metadata"]["collapsed"] = True
    assert stored(edition, saved) == []
    for old, new, told in [
        ("# your code here", "# mine", "differs from its source"),
        (
            '"execution_count": 3',
            '"execution_count": 7',
            "code cell 3 was not executed in order: [7]",
        ),
        ('"execution_count": 1', '"execution_count": null', "code cell 1 was not executed"),
        ('"nbformat_minor": 5', '"nbformat_minor": 5, "x": 1', "differs from its source"),
        ('"language": "python"', '"language": "py"', "differs from its source"),
    ]:
        assert old in good
        found = stored(edition, json.loads(good.replace(old, new, 1)))
        assert any(told in line for line in found), (old, found)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("<object object at 0x7f02691a7200>", "at 0x7f0"),
        ("/tmp/ipykernel_77/1.py:1:", "ipykernel_77"),
    ],
)
def test_outputs_that_differ_from_run_to_run_are_refused(
    tmp_path: Path, text: str, told: str
) -> None:
    edition = four(tmp_path)[0]
    content = executed(edition)
    cell = next(c for c in content["cells"] if c["cell_type"] == "code")  # type: ignore[attr-defined]
    cell["outputs"] = [{"name": "stdout", "output_type": "stream", "text": [text]}]
    (line,) = stored(edition, content)
    assert told in line


def test_an_error_output_needs_its_tag(tmp_path: Path) -> None:
    edition = four(tmp_path)[0]
    content = executed(edition)
    error = {"output_type": "error", "ename": "E", "evalue": "v", "traceback": []}
    cells = [c for c in content["cells"] if c["cell_type"] == "code"]  # type: ignore[attr-defined]
    cells[-1]["outputs"] = [error]
    assert stored(edition, content) == []
    cells[0]["outputs"] = [error]
    assert stored(edition, content) == [f"{edition.path}: code cell 1 ends in E: v"]


def test_a_notebook_that_no_source_makes_is_named(tmp_path: Path) -> None:
    written(tmp_path)
    (tmp_path / "zh").mkdir()
    (tmp_path / "zh" / "02_lost.ipynb").write_text("{}", encoding="utf-8")
    assert strays(tmp_path) == [f"{tmp_path / 'zh' / '02_lost.ipynb'}: no source makes it"]


def test_no_sources_at_all_are_fine(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--folder", str(tmp_path)]) == 0
    assert main(["--check", "--folder", str(tmp_path)]) == 0
    assert "agree" in capsys.readouterr().out
    assert main(["--check", "--folder", str(tmp_path), "07"]) == 1
    assert "no source called 07" in capsys.readouterr().out


# A real kernel


def test_a_build_runs_to_the_end_and_a_second_one_gives_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SAMPLE_API_KEY", "not to be seen")
    path = written(tmp_path)
    bless(path)
    told = list(build([path], tmp_path, everything=False, jobs=2))
    assert len(told) == 4
    assert check([path], tmp_path) == []
    assert list(build([path], tmp_path, everything=False)) == []
    learner, solution, chinese, _ = (e.path for e in editions(read_source(path), tmp_path))
    before = learner.read_bytes()
    learner.unlink()
    assert len(list(build([path], tmp_path, everything=False))) == 1
    assert learner.read_bytes() == before

    cells = [c for c in json.loads(before)["cells"] if c["cell_type"] == "code"]
    streams = {out["name"]: "".join(out["text"]) for out in cells[0]["outputs"]}
    assert streams == {"stdout": "one None\ntwo []\n", "stderr": "aside\n"}
    assert cells[1]["outputs"][0]["data"]["text/plain"] == ["Ellipsis"]
    assert cells[3]["outputs"][0]["traceback"] == ["KeyError: 'gone'"]
    assert '"2"' in solution.read_text(encoding="utf-8")
    assert "哪趟火车" in chinese.read_text(encoding="utf-8")


# A learner's work


def test_a_build_keeps_a_copy_of_a_notebook_that_somebody_worked_in(tmp_path: Path) -> None:
    small = '# %%\nedition = max\nedition("en", "01")\n\n# %%\n1 + 1\n'
    path = written(tmp_path, small)
    assert len(list(build([path], tmp_path, everything=False))) == 4
    learner = tmp_path / "01_sample.ipynb"
    # Built again, from another source too, with nobody's work in it: no copy.
    written(tmp_path, small.replace("1 + 1", "2 + 2"))
    assert len(list(build([path], tmp_path, everything=False))) == 4
    content = json.loads(learner.read_text(encoding="utf-8"))
    content["cells"][0]["outputs"] = []
    learner.write_text(json.dumps(content), encoding="utf-8")
    assert len(list(build([path], tmp_path, everything=True))) == 4
    assert not list(tmp_path.glob("my_*"))

    for times, name in [(1, "my_01_sample.ipynb"), (2, "my_01_sample_2.ipynb")]:
        worked = learner.read_text(encoding="utf-8").replace("2 + 2", f"{times} + 40")
        learner.write_text(worked, encoding="utf-8")
        told = list(build([path], tmp_path, everything=False))
        assert told[0] == f"{learner}: somebody worked in it; that is kept as {name}"
        assert (tmp_path / name).read_text(encoding="utf-8") == worked
        assert "2 + 2" in learner.read_text(encoding="utf-8")
    assert main(["--check", "--folder", str(tmp_path)]) == 0


def test_a_file_that_is_no_notebook_is_named_kept_and_built_anew(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, '# %%\nedition = max\nedition("en", "01")\n')
    list(build([path], tmp_path, everything=False))
    learner = tmp_path / "01_sample.ipynb"
    for broken in (b"[1, 2]", b"{}", b'"text"', b"", b"\xff\xfe", b"<<<<<<< mine\n{}"):
        learner.write_bytes(broken)
        assert main(["--check", "--folder", str(tmp_path)]) == 1
        (line,) = capsys.readouterr().out.splitlines()
        assert line == f"{learner}: this is no notebook; a build keeps it as my_… and makes it anew"
    assert main(["--folder", str(tmp_path)]) == 0
    told = capsys.readouterr().out
    assert f"{learner}: this is no notebook; that is kept as my_01_sample.ipynb" in told
    assert (tmp_path / "my_01_sample.ipynb").read_bytes() == broken
    assert main(["--check", "--folder", str(tmp_path)]) == 0


def test_a_folder_that_refuses_to_be_written_is_told_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written(tmp_path, '# %%\nedition = max\nedition("en", "01")\n')
    (tmp_path / "zh").write_text("in the place of a folder")
    assert main(["--folder", str(tmp_path)]) == 1
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.startswith(f"{tmp_path / 'zh'}")
    assert "make it writable" in last


def test_a_notebook_without_a_note_of_what_was_built_is_taken_for_somebodys_work(
    tmp_path: Path,
) -> None:
    edition = four(tmp_path)[0]
    content = executed(edition)
    content["metadata"].pop("reactlab")  # type: ignore[attr-defined]
    assert stored(edition, content) == []
    assert not is_own_work(edition.path, assemble(edition))
    other = four(tmp_path, SAMPLE.replace("# # A receipt", "# # A bill"))[0]
    assert is_own_work(edition.path, assemble(other))


def test_a_cell_that_fails_is_told_and_nothing_is_written(tmp_path: Path) -> None:
    edition = four(tmp_path, '# %%\nedition = str\nedition("en")\n\n# %%\n1 / 0\n')[0]
    with pytest.raises(SourceError, match=r"(?s)1 / 0.*ZeroDivisionError: division by zero"):
        execute(assemble(edition))
    assert not edition.path.exists()


def test_a_difference_is_shown_by_its_first_lines() -> None:
    assert difference("a\nb\nc", "a\nB\nc") == "@@ -2 +2 @@\n    -b\n    +B"
    assert difference("a", "a") == ""


def test_a_source_knows_its_name(tmp_path: Path) -> None:
    assert isinstance(read_source(written(tmp_path)), Source)
    assert read_source(written(tmp_path)).name == "01_sample"
