"""A text with marked parts: nothing of the text is lost, and no markup comes in."""

from __future__ import annotations

import re
from html import unescape

import pytest

from reactlab.course.xray import Mark, Xray

TEXT = "Thought: <b>look</b>\nAction: Search[a & b]\n"
MARKS = [Mark(29, 35, "tool", "action"), Mark(9, 20, "thought", "thought")]


def test_the_pieces_in_order_are_the_text():
    picture = Xray(TEXT, MARKS)
    assert "".join(piece for _, piece in picture.segments) == TEXT
    assert [mark.word for mark, _ in picture.segments if mark] == ["thought", "tool"]


def test_the_text_version_names_every_part():
    assert repr(Xray(TEXT, MARKS, ["input: nothing"])) == (
        "Thought: ⟦thought: <b>look</b>⟧\nAction: ⟦tool: Search⟧[a & b]\n\ninput: nothing"
    )


def test_a_text_becomes_no_markup_and_reads_the_same_without_style():
    page = Xray(TEXT, MARKS).html
    assert "<b>look" not in page
    bare = unescape(re.sub("<[^>]*>", "", page.replace("<br>", "\n")))
    assert bare == "Thought: thought <b>look</b>\nAction: tool Search[a & b]\n"


def test_parts_may_not_overlap():
    with pytest.raises(ValueError, match="overlap"):
        Xray("abc", [Mark(0, 2, "x"), Mark(1, 3, "y")])


def test_the_frame_names_the_language_of_the_edition():
    assert 'lang="en"' in Xray("abc", [])._repr_html_()
