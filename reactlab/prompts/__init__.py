"""Prompts: templates with slots, and the words of each language."""

from reactlab.prompts.template import PromptTemplate, load
from reactlab.prompts.words import Words, quote, words

REACT_PROMPT_TEMPLATE = PromptTemplate(load("bracket"))
REACT_PROMPT_TEMPLATE_ZH = PromptTemplate(load("bracket", "zh"))

__all__ = [
    "REACT_PROMPT_TEMPLATE",
    "REACT_PROMPT_TEMPLATE_ZH",
    "PromptTemplate",
    "Words",
    "load",
    "quote",
    "words",
]
