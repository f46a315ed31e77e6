"""What notebook 04 builds by hand agrees with the finished tools on shared cases."""

from __future__ import annotations

import inspect
import sqlite3

import pytest
from handmade import definitions

from reactlab.course import edition
from reactlab.course.lessons.n04 import HEADS, TEXTS, function, judge_schema
from reactlab.course.shop import shop_tools
from reactlab.errors import ToolError
from reactlab.tools import Tool
from reactlab.tools.calculator import calculator
from reactlab.tools.database import Database

LANGUAGES = ("en", "zh")
SLOTS = {"town": "Paris", "state": "Texas", "other": "Rome", "small": 5, "large": 4711}
SUMS = {
    "2 * (3 + 4)": True,
    "-3 + 10 / 4": True,
    "+5 - 7 // 2 + 7 % 4": True,
    "2 ** 10": True,
    "10**99": True,
    "1 / 0": False,
    "1e999": False,
    "1e999 - 1e999": False,
    "(-8) ** (1/3)": False,
    "2 ** -0.5 ** 5e9999": False,
    "9**9**9": False,
    "().__class__": False,
    "().__class__.__base__.__subclasses__()": False,
    "(lambda: 7)()": False,
    "'a' * 3": False,
    "[1, 2]": False,
    "open('diary.txt')": False,
    "2 +": False,
    "True + 1": False,
    "(-8) ** 0.5": False,
    "2 plus 3": False,
}
STATEMENTS = {
    "SELECT id FROM orders": True,
    "SELECT COUNT(*) FROM orders WHERE Lower(item) LIKE 'A%'": True,
    "WITH k(n) AS (SELECT 7) SELECT id FROM orders WHERE id IN k": True,
    "WITH k(n) AS (SELECT 7) DELETE FROM orders WHERE id IN k": False,
    "WITH k(n) AS (SELECT 7) UPDATE orders SET item = 'x'": False,
    "INSERT INTO orders VALUES (1, 'x')": False,
    "SELECT 1; DELETE FROM orders": False,
    "PRAGMA query_only = OFF": False,
    "ATTACH ':memory:' AS other": False,
    "DROP TABLE orders": False,
    "SELECT nothing FROM orders": False,
    "SELECT load_extension('x')": False,
    "SELECT count(*) FROM orders" + ", orders" * 20: False,
}


def by_hand(language: str, *wanted: str) -> dict[str, object]:
    made = definitions("04", language, set(wanted))
    made["prices"] = {"a": 1, "b": 2, "c": 3}
    return made


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_solution_of_04_1_gives_the_schemas_of_the_package(language):
    schema = by_hand(language, "schema")["schema"]
    assert not any(judge_schema(lambda func: Tool("Any", "", func).parameters))
    assert not any(judge_schema(schema))
    for head in HEADS:
        func = function(head.format("f", "a", "b", "c", "d"))
        finished = Tool("Any", "", func).parameters
        assert schema(func)["required"] == finished["required"]
        assert list(schema(func)["properties"]) == list(finished["properties"])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("head", "text"), TEXTS)
def test_the_solution_of_04_2_binds_as_the_package_does(language, head, text):
    bind, func = by_hand(language, "bind")["bind"], function(head)
    given = text.format(**SLOTS)
    if text in ("attic, maybe", "teapot, two"):
        for binder in (bind, lambda text, func: Tool("Any", "", func).bind(text)):
            with pytest.raises(ValueError, match=text.split()[-1]):
                binder(given, func)
    elif given.count(",") >= len(inspect.signature(func).parameters) > 1 and '"' not in given:
        for binder in (bind, lambda text, func: Tool("Any", "", func).bind(text)):
            with pytest.raises(ValueError, match="3"):
                binder(given, func)
    else:
        assert bind(given, func) == Tool("Any", "", func).bind(given)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("text", "fine"), SUMS.items())
def test_both_calculators_refuse_and_compute_the_same(language, text, fine):
    safe = Tool(
        "Safe", "", by_hand(language, "bounded", "work_out", "safe_calculator")["safe_calculator"]
    )
    finished = Tool("Calculator", "", calculator).execute(expression=text)
    seen = safe.execute(expression=text)
    assert bool(seen.error) == bool(finished.error) == (not fine)
    if fine:
        assert float(str(seen)) == float(str(finished))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("sql", "fine"), STATEMENTS.items())
def test_both_databases_answer_and_refuse_the_same_and_lose_nothing(language, sql, fine, tmp_path):
    made = by_hand(language, "new_shop", "only_reading", "safe_sql")
    path = tmp_path / "shop.db"
    made["new_shop"](path).close()
    db, finished = made["new_shop"](), Database(path)
    if fine:
        rows = made["safe_sql"](db, sql).splitlines()
        assert [row.strip("(,)") for row in rows] == finished.query(sql).splitlines()[1:-1]
    else:
        with pytest.raises((sqlite3.Error, sqlite3.Warning)):  # the latter before Python 3.12
            made["safe_sql"](db, sql)
        with pytest.raises(ToolError):
            finished.query(sql)
    assert made["safe_sql"](db, "SELECT count(*) FROM orders") == "(3,)"
    assert "\n3\n" in finished.query("SELECT count(*) FROM orders")
    db.close()


@pytest.mark.parametrize("language", LANGUAGES)
def test_rows_that_are_cut_off_are_announced_by_both(language, tmp_path):
    made = by_hand(language, "new_shop", "only_reading", "safe_sql")
    path, sql = tmp_path / "shop.db", "SELECT id FROM orders"
    made["new_shop"](path).close()
    db = made["new_shop"]()
    note = "first 2 rows; more rows exist"
    assert note in made["safe_sql"](db, sql, most=2)
    assert note in Database(path, max_rows=2).query(sql)
    assert "more" not in made["safe_sql"](db, sql, most=3)
    db.close()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_naive_versions_really_let_the_attacks_through(language):
    made = by_hand(language, "new_shop", "naive_sql", "naive_calculator")
    classes = made["naive_calculator"]("().__class__.__base__.__subclasses__()")
    assert any(kind.__name__ == "FileLoader" for kind in classes)
    db = made["new_shop"]()
    made["naive_sql"](db, "WITH k(n) AS (SELECT 7) DELETE FROM orders WHERE id IN k")
    assert made["naive_sql"](db, "SELECT count(*) FROM orders") == [(2,)]
    db.close()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_stored_run_has_the_shop_of_the_notebook(language):
    edition(language)
    try:
        shop = shop_tools(language)[-1]
    finally:
        edition("en")
    made = definitions("04", language, {"price"})
    assert shop.description == made["CLEAR"]
    assert made["VAGUE"] != made["CLEAR"]
    assert Tool("Shop", made["CLEAR"], made["price"]).parameters == shop.parameters
