"""What notebook 03 builds by hand agrees with the finished parser on shared cases."""

from __future__ import annotations

import re

import pytest
from handmade import definitions
from hypothesis import given
from hypothesis import strategies as st

from reactlab import ParseError, parse
from reactlab.course import gallery, scoreboard
from reactlab.course.lesson import find_example
from reactlab.course.lessons.n03 import scans, six, unreadable
from reactlab.course.readings import Refusal, read
from reactlab.course.replies import replies
from reactlab.parser import closing_bracket


@pytest.fixture
def made(language):
    wanted = {"balanced", "parts", "my_parse", "complaint", "bracket", "two_lines"}
    return definitions("03", language, wanted)


def end_or_none(scan, text: str, start: int) -> int | None:
    try:
        return scan(text, start)
    except ValueError:
        return None


def test_the_solution_of_03_1_and_the_finished_scan_find_the_same_bracket(made):
    for case in scans():
        assert end_or_none(made["balanced"], *case.given) == closing_bracket(*case.given), case


# Quotes come in pairs, none of them behind a letter: what the exercise says and no more.
PIECES = st.sampled_from(
    ["[", "]", "a", " ", "1", "(", ")", ' "]" ', ' "[" ', ' "x" ', "don't", "，"]
)


SCAN = definitions("03", "en", {"balanced"})["balanced"]


@given(st.lists(PIECES, max_size=20).map("".join))
def test_both_scans_agree_on_random_text(inside):
    text = f"[{inside}"
    assert end_or_none(SCAN, text, 0) == closing_bracket(text, 0)


def test_the_solution_of_03_2_and_parse_read_the_taught_kinds_alike(made):
    for reply in replies(range(4, 12)):
        mine, theirs = (
            read(parser, reply.text, reply.tools) for parser in (made["my_parse"], parse)
        )
        assert type(mine) is type(theirs), reply
        if not isinstance(mine, Refusal):
            assert (mine.tool, mine.answer) == (theirs.tool, theirs.answer)
            assert mine.thought in theirs.thought  # the newest of those that it keeps


def test_on_the_gallery_the_solution_reads_more_and_has_fewer_silent_faults_than_both_regexes(made):
    board = scoreboard({name: made[name] for name in ("my_parse", "bracket", "two_lines")})
    mine, *theirs = (board.counts(name) for name in board.rows)
    assert mine["pass"] > max(one["pass"] for one in theirs)
    assert mine["silent"] < min(one["silent"] for one in theirs) / 2
    assert not any("crash" in one or "endless" in one for one in (mine, *theirs))


def test_the_regexes_fail_on_the_six_replies_as_the_notebook_says(made):
    by_form = {"bracket": made["bracket"], "two lines": made["two_lines"]}
    boards = [scoreboard({"it": by_form[reply.form]}, [reply]) for reply in six()]
    assert [board.rows["it"][0].outcome for board in boards] == [
        *("silent", "pass", "silent"),
        *("pass", "silent", "silent"),
    ]
    assert scoreboard({"it": made["my_parse"]}, six()).counts("it")["pass"] == 6


def test_the_message_of_03_3_and_of_parse_name_the_same_line(made):
    for reply, line in unreadable():
        with pytest.raises(ParseError) as refused:
            parse(reply)
        assert line.strip() in made["complaint"](reply)
        assert line.strip() in str(refused.value) or not re.match("Action|行动", line)


def test_parse_reads_the_whole_gallery_as_meant(language):
    assert scoreboard({"parse": parse}).counts("parse")["pass"] == len(gallery())


def test_the_guess_that_the_notebook_admits_is_there(language):
    guessed = find_example("03.guessed").split("\n\n")
    assert len(guessed) == 3
    assert parse(guessed[1]).calls[0].arguments == "print(a[0"
    for text in guessed:
        assert str(parse(text).calls[0].arguments) in text
