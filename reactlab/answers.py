"""Compare an answer with the expected one by the rules of HotpotQA.

Normalising, exact match and F1 follow the official script `hotpot_evaluate_v1` of HotpotQA (Yang
et al., 2018): lower case, without ASCII punctuation, without the articles a, an, the, blanks
collapsed.
"""

from __future__ import annotations

import re
import string
from collections import Counter

_ARTICLES = re.compile(r"\b(a|an|the)\b")
_PUNCTUATION = str.maketrans("", "", string.punctuation)
_CLOSED = {"yes", "no", "noanswer"}


def normalize_answer(text: str) -> str:
    """Lower case, no ASCII punctuation, no English articles, single blanks."""
    text = text.lower().translate(_PUNCTUATION)
    return " ".join(_ARTICLES.sub(" ", text).split())


def exact_match(answer: str, expected: str) -> bool:
    """Whether both are equal after normalising."""
    return normalize_answer(answer) == normalize_answer(expected)


def f1_score(answer: str, expected: str) -> float:
    """Harmonic mean of token precision and recall over multisets of tokens, in 0..1.

    0.0 if either side is yes, no or noanswer and they differ, and if they share no token.
    """
    ours, theirs = normalize_answer(answer), normalize_answer(expected)
    if ours != theirs and (ours in _CLOSED or theirs in _CLOSED):
        return 0.0
    tokens, gold = ours.split(), theirs.split()
    shared = sum((Counter(tokens) & Counter(gold)).values())
    if shared == 0:
        return 0.0
    precision, recall = shared / len(tokens), shared / len(gold)
    return 2 * precision * recall / (precision + recall)
