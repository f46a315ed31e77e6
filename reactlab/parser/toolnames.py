"""Which tool a phrase names: a registered one, `Finish`, none at all, or the model's own word."""

from __future__ import annotations

import re
from collections.abc import Mapping

from reactlab.names import clean_name
from reactlab.parser.inputs import plain_text

FINISH = "Finish"
NO_TOOL = ""
LONGEST_PHRASE = 200

_FINISH = {"finish", "finalanswer", "最终答案", "最终回答"}
_FINISH_UNLESS_REGISTERED = {"answer", "答案", "回答", "完成", "结束"}
_PLACEHOLDERS = {"tool", "toolname", "nameofthetool", "theactiontotake", "工具名", "工具名称"}
_NO_TOOL = re.compile(
    r"(?:none|n/?a|null|nil|nothing|no|not (?:needed|required|applicable))(?![\w-])|[-—–]+$|"
    r"(?:无|没有|不需要|无需|不用|不使用)(?:任何|调用|使用|工具|行动|动作|$)",
    re.IGNORECASE,
)
_FILLERS = frozenset(
    """i i'll i'd will would should shall must can need want going have to let's let us me now next
    first then please just use using call calling run invoke try ask query with via by the a an this
    my tool tools function action command api named called""".split()  # noqa: SIM905
)
_FILLERS_ZH = re.compile(
    r"^(?:工具|函数)[:：]|^[我将要会需应该先请让来再]*(?:调用|使用|选择|执行|用)?|(?:这个)?(?:工具|函数)?$"
)
_EXPLANATION = re.compile(
    r"\s*[(（\[:：,，;；|]|\s+[-–—]+\s|\s(?:to|for|with|because|since|which|that|so|as|in order)\s",
    re.IGNORECASE,
)
_DECORATION = " \t\xa0\u3000\u200b\ufeff*`~\"'_.,:;。，：；、"


def find_tool(phrase: str, registered: Mapping[str, str], *, explained: bool = False) -> str:
    """Return the name that `phrase` stands for; `registered` maps cleaned names to names.

    A phrase is a registered tool when it spells it once cleaned, alone or among words that say
    nothing ("I will use the … tool"). With `explained`, a description may follow the name. Another
    name is returned as the model wrote it, without decoration, and is never replaced by a similar
    one. `NO_TOOL` says that the model wants none; `FINISH` that it gives its answer.
    """
    if len(phrase) > LONGEST_PHRASE:
        return phrase
    cleaned = clean_name(phrase)
    if spells_tool(phrase, registered):
        return FINISH if cleaned in _FINISH else registered[cleaned]
    if cleaned in _FINISH_UNLESS_REGISTERED:
        return FINISH
    if _NO_TOOL.match(phrase.strip(_DECORATION + "()") or phrase.strip()):
        return NO_TOOL
    phrases = [phrase, _EXPLANATION.split(phrase.strip(), maxsplit=1)[0]] if explained else [phrase]
    for candidate in phrases:
        bare = clean_name(_without_fillers(candidate))
        if bare in registered:
            return registered[bare]
    return plain_text(phrase.strip(_DECORATION)).replace("\\_", "_")


def spells_tool(phrase: str, registered: Mapping[str, str]) -> bool:
    """Tell whether a phrase is nothing but the name of a registered tool, or `Finish`."""
    if len(phrase) > LONGEST_PHRASE:
        return False
    cleaned = clean_name(phrase)
    return cleaned in registered or cleaned in _FINISH


def is_name(name: str) -> bool:
    """Tell whether a tool could have this name: one short line, no sentence and no placeholder."""
    short = 0 < len(name) <= 80 and len(name.split()) <= 3
    return short and not set(name) & set("\n$<>{}[],，。") and clean_name(name) not in _PLACEHOLDERS


def _without_fillers(phrase: str) -> str:
    words = phrase.split(maxsplit=12)
    while len(words) > 1 and words[0].strip("\"'`*:,").casefold() in _FILLERS:
        words = words[1:]
    while len(words) > 1 and words[-1].strip("\"'`*.,").casefold() in _FILLERS:
        words = words[:-1]
    return _FILLERS_ZH.sub("", " ".join(words))


def means_finish(name: str) -> bool:
    """Whether a name may stand for the end of the run, as `Finish` and `Final Answer` do."""
    return clean_name(name) in _FINISH | _FINISH_UNLESS_REGISTERED
