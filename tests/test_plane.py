"""The plane of attack success and utility: text and picture agree, and the corner is true."""

import re

import pytest

from reactlab import ConfigError
from reactlab.course.plane import Dot, Plane
from reactlab.course.words import edition


@pytest.fixture(autouse=True)
def english_afterwards():
    yield
    edition("en")


def dot(name="a <b> defence", attack=0.0, utility=0.5):
    return Dot(name, attack, (0.0, 0.1), utility, (0.4, 0.6))


def centres(picture):
    found = re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)" r="([\d.]+)"', picture)
    return [tuple(map(float, each)) for each in found]


def test_a_share_stands_with_both_ends_of_its_interval():
    assert "1. a <b> defence: attacks 0% (0–10), utility 50% (40–60)" in repr(Plane([dot()]))


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_dot_has_a_number_that_the_table_explains(language):
    edition(language)
    made = Plane([dot("one"), dot("two", 1.0, 0.2)])
    assert re.findall(r">(\d)</text>", made.svg()) == ["1", "2"]
    assert "1. one" in made._repr_html_()
    assert "2. two" in made._repr_html_()
    assert "<img" not in made._repr_html_()


def test_names_are_escaped():
    assert "<b> defence" not in Plane([dot()])._repr_html_()


def test_dots_at_one_place_stand_side_by_side_inside_the_picture():
    made = Plane([dot(attack=share, utility=0.5) for share in (0, 0, 0, 1, 1, 1)])
    places = centres(made.svg())
    assert len({(x, y) for x, y, _ in places}) == 6
    for at, (x, y, size) in enumerate(places):
        assert size <= x <= 416 - size
        for a, b, _ in places[:at]:
            assert abs(x - a) >= 2 * size or abs(y - b) >= 2 * size


def test_the_corner_is_called_empty_only_while_it_is():
    there = dot(attack=0.0, utility=1.0)
    assert "nobody is here" in repr(Plane([dot()]))
    assert "nobody is here" in Plane([dot()]).svg()
    assert "nobody" not in repr(Plane([dot(), there])) + Plane([dot(), there]).svg()


def test_no_results_are_an_error():
    with pytest.raises(ConfigError, match="no results"):
        Plane([])
