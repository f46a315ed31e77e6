"""The pictures of notebook 04: a function on its way to a model and back, and what attacks did."""

import pytest

from reactlab.course import Attacks, journey
from reactlab.tools import Tool, tool
from reactlab.types import Observation


def price(product: str, units: int = 1) -> int:
    """What a product costs."""
    return 24 * units


class Shop:
    def price(self, product: str) -> str:
        return f"{product} <b>24</b>"


def test_a_function_is_shown_in_five_forms(language):
    told = repr(journey(price, "teapot, 2"))
    assert [line[0] for line in told.splitlines() if " · " in line] == list("12345")
    for form in (
        "price(product: str, units: int = 1)",
        '"required": ["product"]',
        "- price: What a product costs.",
        "price[teapot, 2]",
        "units = 2",
        "48",
    ):
        assert form in told


@pytest.mark.parametrize(
    ("func", "given", "told"),
    [
        (price, "teapot, many", "'many'"),
        (price, {"product": "lamp"}, 'price[{"product": "lamp"}]'),
        (price, "", "'product'"),
        (tool(price), "x", "24"),
        (Shop().price, "<i>$x$</i>", "<b>24</b>"),
        (Tool("Now", "", lambda: "noon"), "", "noon"),
        (Tool("报价", "查询价格", price), "茶壶，2", "48"),
        (Tool("Print", "", print), "x", "sep = 'x'"),
    ],
)
def test_any_function_and_any_text_can_be_shown(func, given, told, language, capsys):
    picture = journey(func, given)
    assert told in repr(picture)
    page = picture._repr_html_()
    assert page.count("<li>") == 5
    assert "<i>" not in page
    assert "<b>24" not in page
    assert "$x$" not in page
    capsys.readouterr()


def test_a_tool_answers_in_the_language_of_the_edition(language):
    missing = {"en": "'product' is missing", "zh": "缺少参数 'product'"}[language]
    assert missing in repr(journey(price, ""))
    nothing = {"en": "done", "zh": "已完成"}[language]
    assert nothing in repr(journey(Tool("Quiet", "", lambda word: None), "x"))


def test_the_schema_box_is_json():
    import json

    for func in (price, Tool("Now", "", lambda: 0), Shop().price):
        box = journey(func, "x").sheet.parts[1].boxes[0].text
        assert json.loads(box)["type"] == "object"


def test_the_table_of_attacks_says_what_was_refused_and_what_was_not_run(language):
    seen = [Observation("<7>"), Observation("no", "tool_error"), None]
    table = Attacks({"(lambda: 7)()": seen, "a\nb": seen})
    refused, not_run = ("refused: no", "not run") if language == "en" else ("拒绝：no", "没有运行")
    for text in (repr(table), table._repr_html_()):
        assert refused in text
        assert not_run in text
    assert "<7>" in repr(table)
    assert "&lt;7&gt;" in table._repr_html_()
    assert table._repr_html_().count('scope="col"') == 4
