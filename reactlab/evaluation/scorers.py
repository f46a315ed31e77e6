"""Scorers: whether an answer is right, each by one stated rule.

What is accepted is the sample's `expected` and everything in `also`; the best match counts. A run
without an answer scores 0.0. The rules differ in what they forgive:

- `strict`: nothing but blanks around the answer.
- `normalized`: case, punctuation, articles, width and Unicode form, thousands separators, and how
  a number is written (4.0 is 4, 1e3 is 1000). Signs, decimal points, percent and currency signs
  count: 5 is not $5. Leading zeros count: 007 is a name, not 7.
- `hotpot_em`, `hotpot_f1`: the official rules of HotpotQA, which know no numbers: 2.5 is 25.
- `contains`: the answer is a sentence in which what is expected occurs as whole words, as a number
  within rounding, or as the yes or no that it begins with; English and Chinese. A sample whose
  expected answer is "not found" wants the answer to say that it was not found.
- `number`: a number in the answer equals the expected one within rounding.
- `by(rule)`: a plain function of answer and expected answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

from reactlab.answers import exact_match, f1_score
from reactlab.evaluation.task import Sample, Score, Scorer
from reactlab.evaluation.tokens import tokens
from reactlab.trace import Trace

Said = Trace | str | None
Rule = Callable[[str, str], bool | float]
NOT_FOUND = "not found"
"""The expected answer of a question that cannot be answered from what the agent has."""
ROUNDING = 0.0005
"""How far numbers may be apart: this share of the expected one, or this much if it is below 1."""
_UNKNOWN = re.compile(r"could not find|did not find|do not know|没有找到|不知道", re.IGNORECASE)
_YES = {"yes": "yes", "是": "yes", "是的": "yes", "有": "yes", "对": "yes", "no": "no", "不": "no"}
_YES |= {"否": "no", "不是": "no", "没有": "no", "不对": "no", "没": "no"}


def strict(said: Said, sample: Sample) -> Score:
    """Score 1.0 if equal character by character, apart from blanks around."""
    return _best(said, sample, lambda answer, gold: answer.strip() == gold.strip())


def normalized(said: Said, sample: Sample) -> Score:
    """Score 1.0 if equal word by word in a common form of writing; see above for what counts."""
    return _best(said, sample, lambda answer, gold: _words(answer) == _words(gold))


def hotpot_em(said: Said, sample: Sample) -> Score:
    """Score 1.0 for an exact match by the official rule of HotpotQA."""
    return _best(said, sample, exact_match)


def hotpot_f1(said: Said, sample: Sample) -> Score:
    """The F1 score of tokens by the official rule of HotpotQA, in 0..1."""
    return _best(said, sample, f1_score)


def number(said: Said, sample: Sample) -> Score:
    """Score 1.0 if a number in the answer equals the expected one within `ROUNDING`."""
    return _best(said, sample, lambda answer, gold: _near(tokens(answer), gold))


def contains(said: Said, sample: Sample) -> Score:
    """Score 1.0 for an answer in which what is expected occurs; `why` is `verdict`'s word."""
    word = verdict(answer_of(said), sample)
    return Score(float(word == "right"), word)


def by(rule: Rule) -> Scorer:
    """The scorer that asks `rule(answer, expected)` for each accepted answer and takes the best."""
    return partial(_best, rule=rule)


def verdict(answer: str | None, sample: Sample) -> str:
    """The word "right", "wrong", or "missing" where there is no answer or it says so itself.

    Saying so is right where the sample expects "not found"; a run without an answer never is.
    """
    if answer is None:
        return "missing"
    unknown = bool(_UNKNOWN.search(answer))
    if sample.expected == NOT_FOUND:
        return "right" if unknown else "wrong"
    if unknown:
        return "missing"
    found = any(holds(answer, gold) for gold in (sample.expected, *sample.also))
    return "right" if found else "wrong"


def holds(answer: str, gold: str) -> bool:
    """Whether `gold` occurs in `answer` as whole words, or as a number equal within rounding."""
    if answer.strip(" .。") in _YES or gold in _YES:
        first = re.match(r"[a-z]+|[\u3400-\u9fff]+", answer.casefold())
        said = first[0] if first else ""
        return bool(said) and _YES.get(said, said) == _YES.get(gold.casefold(), gold)
    words, wanted = _plain(answer), _plain(gold)
    if any(words[i : i + len(wanted)] == wanted for i in range(len(words))) and wanted:
        return True
    return _near(words, gold)


def answer_of(said: Said) -> str | None:
    """The answer of a run, or the text itself."""
    return said.answer if isinstance(said, Trace) else said


def _best(said: Said, sample: Sample, rule: Rule) -> Score:
    answer = answer_of(said)
    if answer is None:
        return Score(0.0, "no answer")
    value = max(float(rule(answer, gold)) for gold in (sample.expected, *sample.also))
    return Score(value, "right" if value == 1 else "partly right" if value else "wrong")


def _words(text: str) -> list[str]:
    """Tokens without articles; a last word is none, as in "vitamin A"."""
    found = tokens(text)
    last = len(found) - 1
    return [t for at, t in enumerate(found) if at == last or t not in ("a", "an", "the")]


def _plain(text: str) -> list[str]:
    """Tokens without signs and the small words in which a sentence and an answer differ."""
    small = ("a", "an", "the", "about", "in", "约", *"%‰°$€£¥")
    return [token for token in tokens(text) if token not in small]


def _near(said: list[str], gold: str) -> bool:
    """Whether `gold` is a number and one of the tokens equals it within rounding."""
    wanted = tokens(gold.strip())
    if len(wanted) != 1 or (value := _value(wanted[0])) is None:
        return False
    numbers = [found for token in said if (found := _value(token)) is not None]
    return any(abs(found - value) <= ROUNDING * max(1, abs(value)) for found in numbers)


def _value(token: str) -> float | None:
    return float(token) if token.lstrip("-.")[:1].isdecimal() else None
