"""The calculator does ordinary arithmetic, refuses all else, and never takes long about it."""

from __future__ import annotations

import ast
import contextlib
import itertools
import json
import math
import re
import subprocess
import sys
import textwrap
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reactlab.errors import ToolError
from reactlab.tools.calculator import ALLOWED, calculator


def refusal(expression: str) -> str:
    """The message with which `expression` is refused, which has to come within a second."""
    start = time.perf_counter()
    with pytest.raises(ToolError) as caught:
        calculator(expression)
    assert time.perf_counter() - start < 1
    assert len(str(caught.value)) < 400
    return str(caught.value)


@pytest.mark.parametrize(
    ("expression", "answer"),
    [
        ("2*(3+4)", "14"),
        ("sqrt(16)", "4"),
        ("-2**2", "-4"),
        ("7//2", "3"),
        ("1e3", "1000"),
        ("7 / 2", "3.5"),
        ("200 / 4", "50"),
        ("0.1 + 0.2", "0.3"),
        ("1 - 0.9", "0.1"),
        ("4.35 * 100", "435"),
        ("1234567890123.45 + 0", "1234567890123.45"),
        ("2.5e-7", "2.5e-07"),
        ("-0.0", "0"),
        ("1/3", "0.333333333333333"),
        ("12345678901234567890 / 10", "1234567890123456789"),
        ("1 << 10", "1024"),
        ("1024 >> 3", "128"),
        ("+".join(["1"] * 120), "120"),
        ("((1)+" * 70 + "1" + ")" * 70, "71"),
        ("0.07 + 1.007", "1.077"),
        # the operators that keyboards and input methods offer
        ("3 × 4 ÷ 2 − 1", "5"),
        ("（1＋2）＊3", "9"),
        ("2^10", "1024"),
        ("2^3^2", "512"),
        ("100％", "1"),
        # thousands, which must not be mistaken for function arguments
        ("1,234.5 * 2", "2469"),
        ("12,345,678", "12345678"),
        ("(1,234)", "1234"),
        ("max(1,234)", "234"),
        ("round(1234.567, 1)", "1234.6"),
        # percentages
        ("50%", "0.5"),
        ("15% of 80", "12"),
        ("15 % of 80", "12"),
        ("200 + 10%", "220"),
        ("200 - 10%", "180"),
        ("200 + 10% + 10%", "242"),
        ("10% + 5%", "0.15"),
        ("100 + 50 * 10%", "105"),
        ("80 * 15%", "12"),
        ("5% of 200 + 1", "11"),
        ("(10 + 5)%", "0.15"),
        ("(10%)^2", "0.01"),
        ("-10%", "-0.1"),
        ("max(10%, 0.05)", "0.1"),
        ("15 % - 3", "-2.85"),
        # remainders, which share the sign
        ("7 % 3", "1"),
        ("7%3", "1"),
        ("7 % (2)", "1"),
        ("7 % -3", "-2"),
        # functions
        ("2^10%", "1.07177346253629"),
        ("pi% * 100", "3.14159265358979"),
        ("factorial(20)", "2432902008176640000"),
        ("factorial(sqrt(16)) * 2", "48"),
        ("comb(49, 6)", "13983816"),
        ("perm(5, 2)", "20"),
        ("log(8, 2)", "3"),
        ("ln(e)", "1"),
        ("log10(1000)", "3"),
        ("exp(0)", "1"),
        ("SQRT(2) * Sqrt(2)", "2"),
        ("round(2.567, 2)", "2.57"),
        ("round(7.4)", "7"),
        ("floor(2.7) + ceil(2.1)", "5"),
        ("abs(-3) + min(4, 5) + max(1, 2)", "9"),
        ("gcd(12, 18) + lcm(4, 6)", "18"),
        ("mean(1, 2, 6)", "3"),
        ("sum(1, 2, 3)", "6"),
        ("hypot(3, 4)", "5"),
        ("sin(0) + cos(0)", "1"),
    ],
)
def test_ordinary_arithmetic_is_worked_out(expression: str, answer: str) -> None:
    assert calculator(expression) == answer


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("2**200", 2**200),
        ("10**90", 10**90),
        ("3**2000", 3**2000),
        ("0**900000", 0),
        ("(-1)**(10**90)", 1),
        ("10**3000 / 10**2999", 10),
    ],
)
def test_whole_numbers_stay_exact(expression: str, value: int) -> None:
    assert int(calculator(expression)) == value


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("1.04**300", 1.04**300),
        ("(1+0.06/12)**240", (1 + 0.06 / 12) ** 240),
        ("0.5**9000", 0.0),
        ("2**0.5", math.sqrt(2)),
        ("2**-3", 0.125),
        ("10^-400", 0.0),
        ("1e308 / 3", 1e308 / 3),
        ("pi", math.pi),
        ("e**2", math.exp(2)),
    ],
)
def test_large_and_small_powers_are_not_refused(expression: str, value: float) -> None:
    assert float(calculator(expression)) == pytest.approx(value, rel=1e-14)


# One text for every node of the grammar of the Python that runs the tests.

LEAVES = {
    "identifier": "x",
    "int": 0,
    "string": None,
    "constant": 1,
    "expr": ast.Constant(1),
    "stmt": ast.Pass(),
    "expr_context": ast.Load(),
    "boolop": ast.And(),
    "operator": ast.Add(),
    "unaryop": ast.USub(),
    "cmpop": ast.Lt(),
    "alias": ast.alias("os"),
    "keyword": ast.keyword("x", ast.Constant(1)),
    "withitem": ast.withitem(ast.Name("x")),
    "arg": ast.arg("x"),
    "arguments": ast.arguments([], [], None, [], [], None, []),
    "comprehension": ast.comprehension(ast.Name("x"), ast.Name("y"), [], 0),
    "excepthandler": ast.ExceptHandler(ast.Name("x"), None, [ast.Pass()]),
    "match_case": ast.match_case(ast.MatchAs(), None, [ast.Pass()]),
    "pattern": ast.MatchAs(),
}
if hasattr(ast, "TypeVar"):  # from Python 3.12 on
    LEAVES["type_param"] = ast.TypeVar("T")
NAMED = {"name", "target", "targets", "optional_vars", "func", "decorator_list"}


def example(kind: type[ast.AST]) -> ast.AST:
    """A node of `kind`, its parts filled in by the types that the grammar gives for them."""
    signature = re.search(r"\((.*)\)", (kind.__doc__ or "").replace("\n", " "))
    parts = [part.split() for part in (signature[1].split(",") if signature else [])]
    values = {}
    for declared, name in parts:
        base = declared.rstrip("*?")
        leaf = ast.Name("x") if base == "expr" and name in NAMED else LEAVES.get(base)
        optional = declared.endswith("?") and base not in ("expr", "identifier")
        values[name] = [leaf, leaf] if declared.endswith("*") else None if optional else leaf
    return ast.fix_missing_locations(kind(**values))


def kinds(base: type[ast.AST]) -> list[type[ast.AST]]:
    below = [kind for child in base.__subclasses__() for kind in (child, *kinds(child))]
    return [kind for kind in below if kind.__module__ == "ast" and not kind.__subclasses__()]


def inside(kind: type[ast.AST]) -> ast.AST:
    """An operator needs operands before it can be written down."""
    if kind.__name__ in ("JoinedStr", "FormattedValue"):
        return ast.JoinedStr([ast.FormattedValue(ast.Constant(1), -1)])
    if kind.__name__ in ("TemplateStr", "Interpolation"):  # from Python 3.14 on
        return ast.parse('t"{1}"', mode="eval").body
    if issubclass(kind, ast.operator):
        return ast.BinOp(ast.Constant(7), kind(), ast.Constant(2))
    if issubclass(kind, ast.unaryop):
        return ast.UnaryOp(kind(), ast.Constant(7))
    if issubclass(kind, ast.boolop):
        return ast.BoolOp(kind(), [ast.Constant(7), ast.Constant(2)])
    if issubclass(kind, ast.cmpop):
        return ast.Compare(ast.Constant(7), [kind()], [ast.Constant(2)])
    return example(kind)


DEPRECATED = {"Num", "Str", "Bytes", "NameConstant", "Ellipsis", "Index", "ExtSlice", "Suite"}
GRAMMAR = sorted(
    {
        kind
        for base in (ast.expr, ast.stmt, ast.operator, ast.unaryop, ast.boolop, ast.cmpop)
        for kind in kinds(base)
        if kind.__name__ not in DEPRECATED
    },
    key=lambda kind: kind.__name__,
)
ARITHMETIC = {
    *("Constant", "Name", "Call", "BinOp", "UnaryOp", "UAdd", "USub"),
    *("Add", "Sub", "Mult", "Div", "FloorDiv", "Mod", "Pow", "LShift", "RShift"),
}


def test_the_allow_list_holds_arithmetic_and_nothing_else() -> None:
    assert {kind.__name__ for kind in ALLOWED} == ARITHMETIC
    assert len(GRAMMAR) > 75


@pytest.mark.parametrize("kind", GRAMMAR, ids=lambda kind: kind.__name__)
def test_every_form_of_the_grammar_that_is_not_listed_is_refused(kind: type[ast.AST]) -> None:
    text = ast.unparse(inside(kind))
    if kind is ast.BitXor:
        assert calculator(text) == "49"  # on paper the sign means a power
    elif kind in ALLOWED and kind not in (ast.Name, ast.Call):
        assert calculator(text) == "1" if kind is ast.Constant else calculator(text)
    elif kind is ast.Expr:
        assert text == "1"  # a statement that is one expression reads like the expression
    else:
        refusal(text)


# Attempts to get at the language behind the calculator.
CODE = [
    # imports, files, processes, and what leads there
    *(
        "__import__('os').system('id')",
        'open("x")',
        "import os",
        "exec(1)",
        "exec",
        "eval",
        "print",
    ),
    *(
        "getattr(1, 2)",
        "globals()",
        "locals()",
        "vars()",
        "dir()",
        "help()",
        "input()",
        "breakpoint()",
    ),
    *("compile(1,2,3)", "os", "sys", "math.sqrt(4)", "type(1)", "id(1)", "exit()", "quit"),
    # attributes
    *("().__class__.__bases__[0].__subclasses__()", "(1).real", "1.0.hex()", "1 .real", "1 . real"),
    *("sqrt.real", "sqrt.__globals__", "abs(-1).real", "pi.hex()", "1..__class__", "(pi).imag"),
    # functions in other places than a call, calls of what is no function, odd arguments
    *("sqrt", "pi()", "e(1)", "sqrt(sqrt)", "sum(1)(2)", "max(key=len)", "max(*pi)", "max(**pi)"),
    *(
        "sqrt(x=4)",
        "round(1, ndigits=1)",
        "max(1 for x in (1, 2))",
        "sum(1, *(2, 3))",
        "(max)(key=e)",
    ),
    # names that only the calculator uses, constants of Python, functions that it lacks
    *("_percent", "2**_factorial", "__builtins__", "_", "True", "None", "False", "nan", "inf", "j"),
    *(
        "rand()",
        "int(1)",
        "str(1)",
        "float(1)",
        "complex(1)",
        "bin(1)",
        "range(9)",
        "len(1)",
        "ord(1)",
    ),
    # lambda, comprehension, f-string, assignment, condition, comparison, bits, lists
    *("lambda: 1", "(lambda x: x)(1)", "[x for x in range(9)]", "{x: x for x in (1, 2)}", "{1}"),
    *(
        "(x for x in (1,))",
        'f"{1}"',
        "f'{exec(1)}'",
        "'{0}'.format(1)",
        "'%s' % 1",
        "'a' * 3",
        "b'a'",
    ),
    *(
        "x := 1",
        "(x := 1)",
        "x = 1",
        "pi = 3",
        "x += 1",
        "del x",
        "1 if 1 else 2",
        "1 and 2",
        "not 1",
    ),
    *("1 < 2", "1 == 1", "1 in (1,)", "1 is 1", "~1", "5 & 3", "5 | 3", "[1, 2][0]", "1, 2", "..."),
    *("1or 2", "1if 1else 2", "await 1", "yield 1", "(yield)", "*1", "**1", "@x", "1 @ 2", "1:2"),
    # numbers in the other forms of the language
    *("2j", "0x10", "0b1", "0o7", "1_000", "1e1_0", "0xe", "1e", "1e1e1", "1.e+", "1l", "1n"),
    # several lines, several statements, comments
    *("1;2", "1\n2", "1\\\n+2", "1 # one", "1\r2", "1\x0c+2", "#!1", "1\u2028+2", "1;", "pass"),
    *(
        "# coding: rot13",
        "if 1: 2",
        "for x in 1: 2",
        "def f(): 1",
        "class C: 1",
        "raise 1",
        "return 1",
    ),
    # signs that end a text early, or are not seen
    *(
        "\x00",
        "1\x00",
        "1\x00+1",
        "\u202e1+2",
        "\u200b1",
        "1\u200b+2",
        "1\u00ad2",
        "\ufeff1",
        "1\u2062(2)",
    ),
    *("1\x1b[31m", "\ud800", "1\ufe0f", "\U000e0031"),
    # letters and digits that only look like ASCII, which Python's parser would take for it
    *("１＋２", "1２", "٣ + ٤", "²", "2²", "½", "Ⅷ", "①", "𝟏", "१", "1e３", "1۔5", "1．5", "1٫5"),
    *(
        "ｓｑｒｔ(4)",
        "ｅｖａｌ(1)",
        "𝓮𝔁𝓮𝓬(1)",
        "__𝒾mport__(1)",
        "ℯ",
        "ℼ",
        "\u212a",
        "ｓqrt(4)",
        "аbs(1)",
    ),
    *("1–2", "1—2", "2∗3", "4∕2", "4⁄2", "［1］", "｛1｝", "1＜2", "1﹢2", "⁺1", "2′"),
]


@pytest.mark.parametrize("expression", CODE, ids=ascii)
def test_no_code_and_no_lookalike_is_taken_for_arithmetic(expression: str) -> None:
    refusal(expression)


def test_nothing_is_opened_imported_or_run_while_code_is_refused(tmp_path: Path) -> None:
    """Python reports whatever reaches outside; here it may report that a text is parsed."""
    asked = tmp_path / "asked.json"
    asked.write_text(json.dumps(CODE + WRONG + BOMBS))
    program = f"""
        import json, sys
        from reactlab.errors import ToolError
        from reactlab.tools.calculator import calculator
        expressions = json.load(open({str(asked)!r}))
        calculator("2 + 3")
        seen, refused = set(), 0
        sys.addaudithook(lambda event, _: seen.add(event))
        for expression in expressions:
            try:
                calculator(expression)
            except ToolError:
                refused += 1
        print(json.dumps([refused, len(expressions), sorted(seen)]))
    """
    command = [sys.executable, "-c", textwrap.dedent(program)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    refused, count, seen = json.loads(done.stdout)
    assert refused == count
    assert set(seen) <= {"compile", "object.__getattr__", "sys._getframe"}
    assert [path.name for path in tmp_path.iterdir()] == ["asked.json"]


# Arithmetic that is written wrongly: a clear refusal is better than a guess.
WRONG = [
    *(
        "",
        "   ",
        "2 3",
        "007 + 1",
        "2(3+4)",
        "(2)(3)",
        "2pi",
        "1.2.3",
        "1,23",
        "1,2345",
        "1,00,000",
        "0,5",
    ),
    *("sqrt(1,234)", "max()", "(1", "1)", "()", "*2", "2*", "half of 80", "80 of 15", "15% of"),
    *(
        "10%%",
        "10%^2",
        "3!",
        "!3",
        "(%)",
        "max((1,234), 2)",
        "1,234 + sqrt(4)",
        "2(%)",
        "2*%",
        "1/0",
        "0**-1",
        "1 % 0",
        "1//0",
        "%",
    ),
    *("sqrt(-1)", "log(0)", "(-8)**(1/3)", "asin(2)", "factorial(-1)", "factorial(2.5)", ","),
    *("2.5 << 1", "1 << -1", "round(10**300, -10**9)", "of", "sqrt%", "2 ** _percent(3)"),
]


@pytest.mark.parametrize("expression", WRONG)
def test_what_is_no_complete_arithmetic_is_refused_and_not_guessed(expression: str) -> None:
    refusal(expression)


# Numbers that would take for ever, or all memory, if they were computed.
BOMBS = [
    # towers of powers, plainly and in brackets
    *("9**9**9", "9^9^9", "(((7**60)**60)**60)**60", "3**20000000000", "10**90**10**90"),
    *(
        "(-3)**99999999",
        "2**(2**(2**(2**(2**2))))",
        "pow(6, pow(6, pow(6, 6)))",
        "pow(9, pow(9, 9))",
    ),
    *(
        "-2**99999999",
        "(2**13000)**13000",
        "(10**4000)**2",
        "2**1e308",
        "1.5**10**9",
        "(-2)**1e300",
    ),
    # shifts
    *(
        "1<<100000000",
        "1<<(10**90)",
        "1<<1<<1<<1<<40<<40<<40<<99999",
        "-1<<13289",
        "1<<1e9",
        "0<<10**9",
    ),
    # factorials and numbers of choices
    *("factorial(10**9)", "factorial(99999)", "factorial(factorial(factorial(9)))"),
    *("factorial(170)**99", "comb(10**9, 5*10**8)", "perm(10**6, 10**6)", "perm(10000, 9999)"),
    *(
        "comb(5, 10**90)",
        "factorial(10000)",
        "factorial(1e300)",
        "perm(10**90)",
        "factorial(9)**9**9",
    ),
    # products, multiples and sums that are too long
    *("lcm(10**3999, 10**3998+1)", "9" * 990 + "**9", "*".join(["9**999"] * 9), "10**3999*100+0"),
    # beyond the numbers with a fraction
    *("1e999", "-1e999", "1e308*10", "2.5**99999", "exp(1000)", "10**400/3", "10**400*1.5"),
    *(
        "1e308+1e308-1e308",
        "exp(exp(9))",
        "sum(1e308, 1e308)",
        "mean(1e308, 1e308)",
        "hypot(1.7e308, 1.7e308)",
    ),
    *("sqrt(10**3999)", "round(1.5, 10**9)", "10**3999 // 0.5", "1e308 / 1e-308"),
]


@pytest.mark.parametrize("expression", BOMBS)
def test_what_would_be_huge_is_refused_before_it_is_computed(expression: str) -> None:
    assert "too large" in refusal(expression)


# Texts made to exhaust a parser: long, deep, or both.
@pytest.mark.parametrize(
    "expression",
    [
        "(" * 900 + "1" + ")" * 900,
        "(" * 50_000,
        "sqrt(" * 150 + "1" + ")" * 150,
        "-" * 990 + "1",
        "-" * 100_000 + "1",
        "+-" * 50_000,
        "1" + "+1" * 450,
        "1" + "**1" * 300,
        "1" * 100_000,
        "1+" * 50_000 + "1",
        "%" * 900,
        "1" + "%" * 900,
        "1" + "%^" * 400,
        "1," * 400,
        "max(" + "1," * 450,
        "a" * 900,
        " " * 900 + "x",
        "1 " * 450,
        "9" * 990 + "e9",
        "max(range(10**9))",
        '"a"*10**9',
        "[0]*10**9",
    ],
    ids=lambda text: f"{text[:12]}...{len(text)}",
)
def test_texts_made_to_exhaust_a_parser_are_refused(expression: str) -> None:
    refusal(expression)


def test_other_threads_keep_running_while_bombs_are_refused() -> None:
    ticks: list[float] = []
    done = threading.Event()

    def tick() -> None:
        while not done.wait(0.01):
            ticks.append(time.perf_counter())

    ticker = threading.Thread(target=tick)
    ticker.start()
    for expression in BOMBS * 20:
        refusal(expression)
    done.set()
    ticker.join()
    gaps = [later - earlier for earlier, later in itertools.pairwise(ticks)]
    assert max(gaps, default=0) < 1


def test_it_can_be_used_from_many_threads_at_once() -> None:
    with ThreadPoolExecutor(64) as pool:
        answers = list(pool.map(lambda n: calculator(f"{n}**3 + {n}%"), range(640)))
    expected = [n**3 * (1 + n / 100) for n in range(640)]
    assert [float(answer) for answer in answers] == pytest.approx(expected)


@settings(max_examples=300, deadline=1000)
@given(st.text(alphabet="0123456789.,()+-*/%^!<> eprsqtmaxof", max_size=60))
def test_any_text_gives_a_number_or_a_tool_error(expression: str) -> None:
    with contextlib.suppress(ToolError):
        answer = calculator(expression)
        assert len(answer) > 300 or math.isfinite(float(answer))


@settings(max_examples=200)
@given(st.integers(-999, 999), st.integers(-999, 999), st.sampled_from(["+", "-", "*", "//", "%"]))
def test_whole_numbers_agree_with_exact_arithmetic(left: int, right: int, sign: str) -> None:
    if not right and sign in ("//", "%"):
        refusal(f"({left}) {sign} ({right})")
        return
    expected = {"+": left + right, "-": left - right, "*": left * right}
    if right:
        expected |= {"//": left // right, "%": left % right}
    assert calculator(f"({left}) {sign} ({right})") == str(expected[sign])
