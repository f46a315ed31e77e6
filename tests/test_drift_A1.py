"""What notebook A1 builds by hand agrees with the finished pieces, its figures with the files."""

from __future__ import annotations

import pytest
from handmade import definitions
from test_local_grammar import admits

from reactlab import ToolRegistry
from reactlab.course.lessons.nA1 import score_cases, tune_and_report
from reactlab.course.smallmodel import VARIANTS, Grid, kit, questions, recorded
from reactlab.llm.grammar import for_tools

MADE = ("legal", "grammar", "may_follow", "replay", "right", "first_tool", "tune_and_report")
REPLIES = (
    " I look.\nAction: Search[K2]",
    "Sum.\nAction: Calculator[17 * 23]",
    " Known.\nFinal Answer: 391 euros",
    " I look.\nAction: multiplication[17 * 23]",
    " I look.\nAction: ToolName[input]",
    " I look.\nAction: Search[K2]\nObservation: 8611",
    " I look.\nAction: Search[]",
    " I look.",
    "\nAction: Search[K2]",
)


def made(language):
    return definitions("A1", language, set(MADE))


def test_the_grammar_by_hand_admits_what_the_finished_one_does(language):
    finished = for_tools(ToolRegistry(kit()), begun=True)
    by_hand = made(language)["grammar"]([tool.name for tool in kit()])
    for reply in REPLIES:
        assert admits(by_hand, reply) == admits(finished, reply), reply


def test_every_whole_reply_kept_to_a_grammar_is_legal_and_admitted(language):
    names = [tool.name for tool in kit()]
    legal, finished = made(language)["legal"], for_tools(ToolRegistry(kit()), begun=True)
    for run in recorded():
        if run.variant != "raw" and admits(finished, run.replies[0]):
            assert legal(run.replies[0], names)


def test_letter_by_letter_only_names_can_be_written(language):
    may_follow, names = made(language)["may_follow"], ["查天气", "Search", "See"]
    for name in names:
        assert all(name[at] in may_follow(name[:at], names) for at in range(len(name)))
        assert may_follow(name, names) == ["["]
    assert may_follow("multi", names) == []


def test_the_solution_of_a1_2_is_what_its_check_wants(language):
    solution = made(language)["tune_and_report"]
    for case in score_cases():
        assert solution(*case.given) == tune_and_report(*case.given) == case.wanted


@pytest.mark.parametrize("tongue", ["en", "zh"])
def test_replayed_runs_use_up_all_that_was_recorded(tongue):
    replay = made("en")["replay"]
    for run in recorded(tongue):
        replies = tuple(step.completion.text for step in replay(run, tongue).steps)
        assert replies == run.replies


def test_the_figures_of_notebook_and_guide_are_those_of_the_recordings(language):
    found = made(language)
    names, said = [tool.name for tool in kit()], recorded()
    rows = {
        variant: (
            sum(found["legal"](run.replies[0], names) for run in said.of(variant)),
            sum(found["first_tool"](run) == run.tool for run in said.of(variant)),
            sum(found["right"](run) for run in said.of(variant)),
            sum(found["right"](run) for run in said.of(variant, "tune")),
        )
        for variant in VARIANTS
    }
    assert rows == {
        "raw": (1, 0, 0, 0),
        "grammar": (19, 10, 0, 1),
        "examples": (20, 1, 0, 0),
        "naming": (20, 16, 11, 5),
    }
    chinese = recorded("zh")
    right = [sum(found["right"](r, "zh") for r in chinese.of(variant)) for variant in VARIANTS]
    assert right == [0, 0, 0, 1]


def test_questions_for_tuning_are_not_reported():
    asked = questions()
    tune, report = ({row[1] for row in asked[group]} for group in ("tune", "report"))
    assert (len(tune), len(report), tune & report) == (12, 20, set())


def test_the_grid_says_right_and_wrong_in_words_too():
    grid = Grid(["a", "<b>"], [("Q?", [True, False])])
    assert repr(grid).splitlines()[1:] == ["✓ ·  Q?", "right: 1 | 0"]
    assert "✓ right" in grid._repr_html_()
    assert "· wrong" in grid._repr_html_()
    assert "&lt;b&gt;" in grid._repr_html_()
