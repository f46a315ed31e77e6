"""The database tool reads, says so when it shows less than all, and cannot be made to do more."""

from __future__ import annotations

import pickle
import random
import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from reactlab.errors import ConfigError, ToolError, ToolUnavailable
from reactlab.tools.database import ACTIONS, Database, query_database, sample_database

NUMBERS = """
CREATE TABLE t (n INTEGER, word TEXT);
INSERT INTO t WITH RECURSIVE k(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM k WHERE n < 10000)
    SELECT n, 'word' || n FROM k;
CREATE TABLE fifty AS SELECT n FROM t WHERE n <= 50;
CREATE TABLE odd (a, b);
INSERT INTO odd VALUES (NULL, x'00ff'), ('NULL', 1.5), ('a|b' || char(10) || 'c', 7),
    (CAST(x'6162ff' AS TEXT), 'é');
CREATE VIEW tidy AS SELECT replace(word, 'word', 'w') AS w, trim(word, 'w') AS o FROM t;
"""

IN_MEMORY = Database.from_sql(NUMBERS)

SMALL = """
CREATE TABLE t (n INTEGER, word TEXT);
INSERT INTO t VALUES (1, 'one'), (2, 'two');
CREATE INDEX by_n ON t (n);
CREATE VIEW tidy AS SELECT n FROM t;
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "my shop #1 ü.db"
    file.write_bytes(IN_MEMORY.image)
    return file


@pytest.fixture(params=["file", "memory"])
def database(request: pytest.FixtureRequest) -> Database:
    """The same data on disk and in memory: every promise holds for both."""
    if request.param == "memory":
        return IN_MEMORY
    path: Path = request.getfixturevalue("path")
    return Database(path)


def refusal(database: Database, sql: str, *, within: float = 3.5) -> str:
    start = time.perf_counter()
    with pytest.raises(ToolError) as caught:
        database.query(sql)
    assert time.perf_counter() - start < within
    assert len(str(caught.value)) < 2_000
    return str(caught.value)


def dump(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        return list(connection.iterdump())


def test_rows_come_as_a_table_with_a_header_and_their_number(database: Database) -> None:
    text = database.query("SELECT n, word FROM t WHERE n < 3")
    assert text == "n | word\n1 | word1\n2 | word2\n(2 rows)"
    assert database.query("SELECT 1 AS one") == "one\n1\n(1 row)"
    assert database.query("SELECT * FROM t WHERE n < 0") == "n | word\n(0 rows)"


def test_every_kind_of_value_becomes_one_readable_cell(database: Database) -> None:
    assert database.query("SELECT a, b FROM odd").splitlines()[1:] == [
        "NULL | <2 bytes>",
        "'NULL' | 1.5",
        "a\\|b\\nc | 7",
        "ab\ufffd | é",
        "(4 rows)",
    ]


def test_more_rows_than_the_cap_are_announced(database: Database) -> None:
    text = database.query("SELECT * FROM t")
    assert "more rows exist" in text
    assert len(text.splitlines()) == 1 + 50 + 1


@pytest.mark.parametrize("sql", ["SELECT * FROM fifty", "SELECT * FROM t LIMIT 3"])
def test_no_more_rows_are_announced_when_there_are_none(database: Database, sql: str) -> None:
    assert "more rows" not in database.query(sql)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM t -- all of them",
        "SELECT * FROM t /* and no limit */ ;",
        "SELECT * FROM t LIMIT 5000 -- LIMIT 5",
        "SELECT * FROM t ORDER BY n DESC LIMIT 60 OFFSET 2;  ",
        "VALUES " + ", ".join(f"({n})" for n in range(70)),
    ],
)
def test_the_cap_leaves_the_query_text_alone(database: Database, sql: str) -> None:
    assert "first 50 rows; more rows exist" in database.query(sql)


def test_wide_cells_and_long_tables_are_cut_and_say_so() -> None:
    database = Database.from_sql(NUMBERS, max_rows=9_999)
    text = database.query("SELECT group_concat(word, '') AS w FROM fifty JOIN t USING (n)")
    assert "characters in all" in text
    assert len(text) < 300
    text = database.query("SELECT * FROM t")
    assert "more rows exist" in text
    assert len(text) < 21_000


# Reading that a check of words would refuse.
@pytest.mark.parametrize(
    "sql",
    [
        'SELECT 5 AS "truncate"',
        "SELECT 'DELETE me'",
        "SELECT 'x; DROP TABLE t' AS updated_at",
        "SELECT n AS drop_date FROM t -- DROP TABLE t",
        "/* INSERT */ SELECT n FROM t;",
        "SELECT 1;",
        "SELECT 1 ; -- done",
        "  \n select N from T  ;\n",
        "WITH k(n) AS (SELECT 7) SELECT * FROM k",
        "WITH a AS (SELECT 1 AS x), b AS (SELECT x FROM a), c AS (SELECT a.x FROM a, b)"
        " SELECT c.x FROM a, b, c",
        "WITH RECURSIVE k(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM k WHERE n < 9)"
        " SELECT sum(n) FROM k",
        "SELECT replace(word, 'w', 'DELETE') FROM t LIMIT 1",
        "SELECT * FROM tidy LIMIT 1",
        "SELECT name FROM sqlite_master",
        "SELECT round(3.14159, 2), trim('  x '), trim('xax', 'x')",
        "SELECT instr('abc', 'c'), instr(NULL, 'c'), replace('abc', 'b', NULL)",
        "SELECT json_extract('{\"a\": [1, 2]}', '$.a[1]'), value FROM json_each('[3]')",
        "SELECT rank() OVER (ORDER BY n) FROM fifty",
        "SELECT strftime('%Y', '2026-07-16'), date('2026-07-16', '+1 day')",
        "SELECT word FROM t WHERE word LIKE '%99%' AND word GLOB 'w*'",
        "SELECT max(n), min(n), avg(n), count(*), total(n), group_concat(n) FROM fifty",
        "SELECT CASE WHEN n > 3 THEN 'UPDATE' ELSE CAST(n AS TEXT) END FROM t LIMIT 5",
        "EXPLAIN QUERY PLAN SELECT * FROM t",
        "VALUES (1), (2)",
    ],
)
def test_reading_works_whatever_words_it_contains(database: Database, sql: str) -> None:
    assert "row" in database.query(sql).splitlines()[-1]


# Writing in every disguise, several statements, and all that reaches beyond the database.
WRITES = [
    # writing, plainly and behind a comment
    "DELETE FROM t",
    "/*x*/ DeLeTe FROM t",
    "-- SELECT\nDELETE FROM t",
    # writing behind a WITH, or returning rows as reading does
    "WITH k(n) AS (SELECT 7) DELETE FROM t",
    "WITH k(n) AS (SELECT 7) DELETE FROM t WHERE n IN (SELECT n FROM k) RETURNING n",
    "WITH k(n) AS (SELECT 7) UPDATE t SET n = 0",
    "WITH k(n) AS (SELECT 7) INSERT INTO t SELECT n, 'x' FROM k RETURNING n",
    "WITH k(n) AS (SELECT 7) REPLACE INTO t SELECT n, 'x' FROM k",
    "UPDATE t SET word = 'x' WHERE n = 1 RETURNING *",
    "UPDATE t SET word = 'x' WHERE n = 1",
    "INSERT INTO t VALUES (1, 'x')",
    "INSERT INTO t VALUES (1, 'x') RETURNING (SELECT count(*) FROM t)",
    "UPDATE t SET n = s.n FROM (SELECT 9 AS n) s",
    "INSERT INTO t VALUES (1, 'x') ON CONFLICT DO NOTHING RETURNING *",
    "REPLACE INTO t VALUES (1, 'x')",
    # making, changing and removing tables, also temporary ones
    "CREATE TABLE z (a)",
    "CREATE TABLE z AS SELECT 1",
    "CREATE TEMP TABLE z (a)",
    "CREATE VIEW z AS SELECT 1",
    "CREATE TEMP VIEW z AS SELECT 1",
    "CREATE INDEX z ON t (n)",
    "CREATE TEMP TRIGGER z AFTER INSERT ON t BEGIN DELETE FROM t; END",
    "CREATE TRIGGER z AFTER INSERT ON t BEGIN SELECT 1; END",
    "CREATE VIRTUAL TABLE z USING fts5(a)",
    "CREATE VIRTUAL TABLE temp.z USING rtree(id, x, y)",
    "ALTER TABLE t ADD COLUMN z",
    "ALTER TABLE t RENAME TO z",
    "ALTER TABLE t DROP COLUMN word",
    "DROP TABLE t",
    "DROP VIEW tidy",
    # upkeep, which writes as well, and a copy of everything to another file
    "REINDEX",
    "ANALYZE",
    "VACUUM",
    "VACUUM INTO 'copy.db'",
    "VACUUM main INTO 'file:copy.db?mode=rwc'",
    # explaining a write, which prepares it
    "EXPLAIN DELETE FROM t",
    "EXPLAIN QUERY PLAN DELETE FROM t",
    "EXPLAIN ATTACH 'other.db' AS other",
    # the table of tables
    "UPDATE sqlite_master SET sql = ''",
    "DELETE FROM sqlite_master",
    "INSERT INTO sqlite_schema VALUES ('table', 'z', 'z', 2, 'CREATE TABLE z (a)')",
    # several statements
    "SELECT 1; DROP TABLE t",
    "SELECT 1;--\nDROP TABLE t",
    "SELECT 1; SELECT 2",
    "SELECT 1;/**/;DELETE FROM t",
    ";;DELETE FROM t",
    "\ufeffDELETE FROM t",
    # transactions
    "BEGIN",
    "BEGIN IMMEDIATE",
    "COMMIT",
    "ROLLBACK",
    "SAVEPOINT s",
    "RELEASE s",
    # settings of the connection, also as tables
    "PRAGMA query_only = OFF",
    "PRAGMA writable_schema = ON",
    "PRAGMA journal_mode = DELETE",
    "PRAGMA user_version = 7",
    "PRAGMA table_info(t)",
    "PRAGMA trusted_schema = ON",
    "PRAGMA temp_store_directory = '/tmp'",
    "PRAGMA hard_heap_limit = 1",
    "EXPLAIN PRAGMA query_only = OFF",
    "SELECT * FROM pragma_database_list",
    "SELECT * FROM pragma_journal_mode('delete')",
    "SELECT * FROM t, pragma_function_list",
    "SELECT (SELECT name FROM pragma_module_list LIMIT 1)",
    # other files
    "ATTACH 'other.db' AS other",
    "ATTACH ':memory:' AS other",
    "ATTACH DATABASE 'file:x?mode=rwc' AS x",
    "DETACH main",
]


@pytest.mark.parametrize("sql", WRITES)
def test_whatever_would_write_is_refused_and_changes_nothing(tmp_path: Path, sql: str) -> None:
    path = tmp_path / "small.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(SMALL)
    before = dump(path), sorted(path.parent.iterdir())
    message = refusal(Database(path), sql)
    assert "one read-only statement" in message
    assert (dump(path), sorted(path.parent.iterdir())) == before
    assert "one read-only statement" in refusal(Database.from_sql(SMALL), sql)


@pytest.mark.parametrize("sql", [text for text in WRITES if "SELECT 1;" not in text])
def test_the_connection_itself_refuses_when_no_text_is_checked(sql: str) -> None:
    database = Database.from_sql(SMALL)
    with closing(database.connect()) as connection, pytest.raises((sqlite3.Error, sqlite3.Warning)):
        connection.execute(sql).fetchall()


def test_the_file_stays_read_only_even_without_the_list_of_actions(path: Path) -> None:
    with closing(Database(path).connect()) as connection:
        connection.set_authorizer(None)
        connection.execute("PRAGMA query_only = OFF")
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            connection.execute("DELETE FROM t")


def test_the_list_of_actions_holds_reading_only() -> None:
    assert {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_RECURSIVE} == ACTIONS


def test_a_memory_database_is_a_fresh_copy_for_every_connection() -> None:
    database = Database.from_sql(NUMBERS)
    with closing(database.connect()) as connection:
        connection.set_authorizer(None)
        connection.execute("PRAGMA query_only = OFF")
        connection.execute("DELETE FROM t")
        connection.commit()
    assert database.query("SELECT count(*) AS c FROM t") == "c\n10000\n(1 row)"


# Functions that reach outside, or that a build of SQLite may add; also in other spellings.
@pytest.mark.parametrize(
    "call",
    [
        *("load_extension('x')", "readfile('/etc/passwd')", "writefile('x', 'y')", "edit('x')"),
        *("\"load_extension\"('x')", "LOAD_EXTENSION/**/('x', 'y')", "[load_extension]('x')"),
        *("sqlite_compileoption_get(1)", "sqlite_source_id()", "sqlite_version()", "changes()"),
        *("last_insert_rowid()", "likelihood(n, 0.5)", "word MATCH 'x'", "fts5_decode(n, n)"),
        *("json_group_object(n, n)", "json_patch('{}', '{}')", "soundex(word)"),
        *("fts3_tokenizer('simple')", "sqlite_log(1, 'x')", "json_group_array(n)", "sleep(9)"),
    ],
)
def test_functions_that_are_not_listed_are_refused(database: Database, call: str) -> None:
    assert "function" in refusal(database, f"SELECT {call} FROM t")


# Tables that are functions: SQLite's own about itself, and those that a build may add.
@pytest.mark.parametrize(
    "table",
    [
        *("dbstat", "sqlite_dbpage", "sqlite_stmt", "bytecode('SELECT 1')", "fsdir('/')"),
        *("fts3tokenize('simple')", "completion('a')", "zipfile('x.zip')", "csv", "carray(1, 2)"),
        *("tables_used('SELECT 1')", "generate_series(1, 9)", "sqlite_dbdata", "temp.t"),
    ],
)
def test_tables_that_are_functions_are_refused(database: Database, table: str) -> None:
    assert refusal(database, f"SELECT * FROM {table} LIMIT 1")


# Signs that only look like SQL.
@pytest.mark.parametrize(
    "sql",
    [
        *("ＳＥＬＥＣＴ 1", "\u200bSELECT 1", "SELECT 1；DROP TABLE t", "ＤＥＬＥＴＥ FROM t"),
        *("SELECT＊FROM t", "DELETE\u00a0FROM t", "DELETE\u2028FROM t"),
    ],
)
def test_lookalikes_are_no_sql(database: Database, sql: str) -> None:
    assert "SQL error" in refusal(database, sql)
    assert database.query("SELECT count(*) AS c FROM t") == "c\n10000\n(1 row)"


def nested(tables: int, body: str, shape: str = "a{n} AS ({body})") -> str:
    """WITH tables of which each names the one before twice."""
    parts = [shape.format(n=0, body="SELECT 1 AS x")]
    for n in range(1, tables):
        parts.append(shape.format(n=n, body=body.format(m=n - 1)))
    return f"WITH {', '.join(parts)} SELECT count(*) FROM a{tables - 1}"


def one_in_another(levels: int) -> str:
    """WITH tables of one name, each inside the next, which names it twice."""
    sql = "SELECT 1 AS x"
    for _ in range(levels):
        sql = f"WITH a AS ({sql}) SELECT p.x FROM a p, a q"
    return sql


def wide(tables: int, body: str) -> str:
    """Few WITH tables, each of nearly two thousand columns."""
    columns = ",".join(["1"] * 1_990)
    return nested(tables, body).replace("SELECT 1 AS x", f"SELECT {columns}, 1 AS x", 1)


TWICE = "SELECT p.x AS x FROM a{m} p, a{m} q"

# Queries made to take all the time or memory there is.
BOMBS = [
    # endless and very long loops
    "WITH RECURSIVE k(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM k) SELECT count(*) FROM k",
    "WITH RECURSIVE k(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM k) SELECT n FROM k WHERE n < 0",
    "WITH RECURSIVE k(n) AS (SELECT 1 UNION SELECT n + 1 FROM k) SELECT max(n) FROM k ORDER BY 1",
    "SELECT count(*) FROM t a, t b, t c, t d",
    "SELECT count(DISTINCT a.word || b.word) FROM t a, t b",
    "SELECT a.n FROM t a, t b, t c ORDER BY b.word || c.word",
    "SELECT (SELECT count(*) FROM t a, t b, t c WHERE a.n > t.n) FROM t",
    "SELECT EXISTS (SELECT 1 FROM t a, t b, t c WHERE a.n + b.n + c.n < 0)",
    "SELECT sum(a.n) OVER (ORDER BY b.n ROWS 9999 PRECEDING) FROM t a, t b",
    "SELECT count(*) FROM t" + " NATURAL JOIN t" * 60,
    "SELECT count(*) FROM t a, json_tree('[" + "1," * 4_000 + "1]') b, t c",
    # values of a size that nothing needs
    "SELECT zeroblob(1000000000)",
    "SELECT randomblob(1e9)",
    "SELECT hex(zeroblob(90000))",
    "SELECT printf('%.*c', 1000000000, 'x')",
    "SELECT printf('%1000000000d', 1)",
    "SELECT printf('%-0+100000d', 1)",
    "SELECT format('%.999999999f', 1.5)",
    "SELECT group_concat(word || word || word || word) FROM t",
    "SELECT replace(hex(zeroblob(40000)), '0', 'abcdefghij')",
    "WITH RECURSIVE k(s) AS (SELECT 'xx' UNION ALL SELECT s || s FROM k) SELECT length(s) FROM k",
    "WITH RECURSIVE k(n, s) AS (SELECT 1, zeroblob(90000) UNION ALL SELECT n + 1, s FROM k, t)"
    " SELECT count(*) FROM k",
    "SELECT zeroblob(99999)" + ", zeroblob(99999)" * 500,
    # functions that compare every place of one text with every place of another
    "SELECT trim(hex(zeroblob(49000)), hex(zeroblob(49000)))",
    "SELECT instr(hex(zeroblob(49000)), hex(zeroblob(25000)) || 'b')",
    "SELECT replace(hex(zeroblob(49000)), hex(zeroblob(25000)) || 'b', '')",
    "SELECT hex(zeroblob(49000)) LIKE '" + "%0" * 400 + "b'",
    "SELECT hex(zeroblob(49000)) GLOB '" + "*0" * 400 + "b'",
    "SELECT " + " + ".join(["(hex(zeroblob(49000)) LIKE '%00000000000b%')"] * 190),
    # definitions that multiply while SQLite still plans
    nested(30, TWICE),
    nested(30, "SELECT max(p.x) AS x FROM a{m} p, a{m} q"),
    nested(30, "SELECT x FROM a{m} UNION ALL SELECT x FROM a{m}"),
    nested(30, TWICE, "a{n}(x) AS MATERIALIZED ({body})"),
    nested(30, TWICE, "[A{n}]/**/(x)--\nAS NOT MATERIALIZED /**/({body})"),
    nested(30, 'SELECT p.x FROM "A{m}" p, `a{m}` q', "'a{n}' AS ({body})"),
    nested(30, 'SELECT p.x FROM "a {m})" p, "a {m})" q', '"a {n})"("x(") AS ({body})'),
    nested(30, "SELECT p.x FROM a\xa0{m} p, a\xa0{m} q", "a\xa0{n} AS ({body})"),
    nested(30, "SELECT p.x FROM a{m}$ p, a{m}$ q", "a{n}$ AS ({body})"),
    nested(30, "SELECT p.x FROM a{m}Σ'p', a{m}Σ q", "a{n}Σ AS ({body})"),
    nested(30, 'SELECT p.x FROM [a"{m}] p, [a"{m}] q', '"a""{n}" AS ({body})'),
    nested(30, "SELECT p.x FROM `a'{m}` p, [a'{m}] q", "'a''{n}' AS ({body})"),
    one_in_another(18),
    wide(13, "SELECT * FROM a{m} UNION ALL SELECT * FROM a{m}"),
    wide(13, "SELECT max(p.x) AS x FROM a{m} p, a{m} q"),
    # numbers at the end of their range
    "SELECT abs(-9223372036854775807 - 1)",
    "SELECT sum(9223372036854775807) FROM t",
    "SELECT strftime('" + "%J" * 900 + "')",
    # texts that are too long, too deep, or no text
    "SELECT " + "(" * 4_000 + "1" + ")" * 4_000,
    "SELECT " + "-(" * 2_000 + "1" + ")" * 2_000,
    "SELECT " + "'" * 9_001,
    "SELECT " + "NOT " * 2_000 + "1",
    "SELECT 1" + " UNION SELECT 1" * 600,
    "SELECT *,*,*,* FROM (SELECT *,*,*,* FROM (SELECT *,*,*,* FROM (SELECT *,*,*,* FROM"
    " (SELECT *,*,*,* FROM (SELECT *,*,*,* FROM t)))))",
    "SELECT '" + "x" * 1_000_000 + "'",
    "SELECT " + "AS (" * 2_400,
    "SELECT '\x00'",
    "SELECT '\ud800'",
]


BIG = Database.from_sql(NUMBERS, seconds=0.5)


@pytest.mark.parametrize("sql", BOMBS, ids=lambda sql: f"{sql[:40]}...{len(sql)}")
def test_a_query_that_would_take_everything_is_stopped(sql: str) -> None:
    refusal(BIG, sql)


def test_the_time_limit_is_named_and_has_a_default(database: Database) -> None:
    message = refusal(database, BOMBS[0])
    assert "longer than 2 seconds" in message


@pytest.mark.parametrize(
    ("sql", "hint"),
    [
        ("SELECT wrod FROM t", "no such column: wrod. The tables are:\nt(n INTEGER, word TEXT)"),
        ("SELECT * FROM customer", "no such table: customer. The tables are:\nt(n INTEGER"),
        ("SELECT foo(1)", "no such function: foo"),
        ("SELEC 1", "SQL error: near"),
        ("SELECT (1", "SQL error: incomplete input."),
        ("SELECT ?", "SQL error: Incorrect number of bindings"),
        ("", "no query"),
        ("  -- nothing", "no query"),
    ],
)
def test_a_wrong_query_is_answered_with_what_helps(database: Database, sql: str, hint: str) -> None:
    assert hint in refusal(database, sql)


def test_the_schema_lists_tables_views_and_columns(database: Database) -> None:
    assert database.schema_text().splitlines() == [
        "t(n INTEGER, word TEXT)",
        "fifty(n INT)",
        "odd(a, b)",
        "tidy(w, o)",
    ]


def test_sixty_four_threads_can_ask_at_once(database: Database) -> None:
    def ask(n: int) -> str:
        return database.query(f"SELECT word FROM t WHERE n = {n + 1}")

    with ThreadPoolExecutor(64) as pool:
        answers = list(pool.map(ask, range(256)))
    assert answers == [f"word\nword{n + 1}\n(1 row)" for n in range(256)]


def test_a_slow_query_does_not_hold_up_the_others() -> None:
    database = Database.from_sql(NUMBERS, seconds=1)
    with ThreadPoolExecutor(4) as pool:
        slow = [pool.submit(database.query, BOMBS[0]) for _ in range(3)]
        assert pool.submit(database.query, "SELECT 1 AS x").result() == "x\n1\n(1 row)"
        assert all("longer than" in str(future.exception()) for future in slow)


def test_it_survives_pickling(database: Database) -> None:
    copy = pickle.loads(pickle.dumps(database))
    assert copy == database
    assert copy.query("SELECT max(n) AS m FROM t") == "m\n10000\n(1 row)"


def test_a_change_of_the_file_is_seen(path: Path) -> None:
    database = Database(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DELETE FROM t")
        connection.commit()
    assert database.query("SELECT count(*) AS c FROM t") == "c\n0\n(1 row)"


def test_views_that_somebody_adds_reach_outside_no_more_than_a_query(path: Path) -> None:
    database = Database(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            "CREATE VIEW outside AS SELECT load_extension('x');"
            "CREATE VIEW one AS SELECT * FROM two; CREATE VIEW two AS SELECT * FROM one;"
        )
    assert "load_extension" in refusal(database, "SELECT * FROM outside")
    assert "circularly defined" in refusal(database, "SELECT * FROM one")
    assert "no such table: three" in refusal(database, "SELECT * FROM three")
    assert database.query("SELECT max(n) AS m FROM t") == "m\n10000\n(1 row)"


@pytest.mark.parametrize("spoil", ["cut", "noise", "gone", "folder"])
def test_a_file_that_is_spoiled_later_gives_a_message(path: Path, spoil: str) -> None:
    database, data = Database(path), path.read_bytes()
    if spoil == "cut":
        path.write_bytes(data[:3_000])
    elif spoil == "noise":
        path.write_bytes(data[:100] + random.Random(1).randbytes(len(data) - 100))
    else:
        path.unlink()
    if spoil == "folder":
        path.mkdir()
    refusal(database, "SELECT * FROM t")
    refusal(database, "SELECT nothing FROM nowhere")
    assert path.exists() is (spoil != "gone")


def test_a_locked_file_gives_a_message_in_time(path: Path) -> None:
    database = Database(path, seconds=0.3)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(ToolUnavailable, match="Another program has locked"):
            database.query("SELECT * FROM t")
    assert database.query("SELECT max(n) AS m FROM t") == "m\n10000\n(1 row)"
    with pytest.raises(ToolError) as wrong:
        database.query("SELECT locked FROM t")
    assert not isinstance(wrong.value, ToolUnavailable)


@pytest.mark.parametrize("content", [None, b"no database at all " * 99])
def test_what_is_no_database_is_a_configuration_error(
    tmp_path: Path, content: bytes | None
) -> None:
    file = tmp_path / "x.db"
    if content:
        file.write_bytes(content)
    with pytest.raises(ConfigError, match=r"x\.db"):
        Database(file)
    assert file.exists() == bool(content)


def test_a_script_that_does_not_build_is_a_configuration_error() -> None:
    with pytest.raises(ConfigError, match="syntax error"):
        Database.from_sql("CREATE TABEL x")


def test_a_database_without_tables_can_be_asked() -> None:
    assert Database.from_sql("").query("SELECT 1 AS x") == "x\n1\n(1 row)"


def test_the_sample_shop_answers_in_both_languages() -> None:
    text = query_database("SELECT name, name_zh FROM products WHERE name_zh LIKE '%壶' ORDER BY id")
    assert text.splitlines()[1:3] == ["Cast-iron teapot | 铸铁茶壶", "Thermos flask | 保温壶"]
    assert sample_database() is sample_database()
    assert len(sample_database().schema_text().splitlines()) == 5


def test_the_sample_shop_is_consistent() -> None:
    with closing(sample_database().connect()) as connection:
        connection.set_authorizer(None)
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
