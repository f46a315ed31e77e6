"""Arguments for a tool: what the question and the observations hold, matched by name and type."""

# ruff: noqa: E501  (a pattern reads better on one line)

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from reactlab.llm.simulated import compute
from reactlab.llm.simulated.asking import subjects
from reactlab.llm.simulated.reading import Param, ToolSpec
from reactlab.llm.simulated.text import CJK, dates, names, quantities, stem, tokens

Rows = list[Mapping[str, Any]]

_ID = re.compile(
    r"(?<![\w.\-:/])(?=[A-Za-z\-#_]*\d)#?([A-Za-z]{0,5}[-_#]?\d[\w\-]*)(?![\w:]|\.\d)", re.A
)
_QUOTED = re.compile(r"[\"“「『']([^\"”」』'\n]{1,300})[\"”」』'](?!\w)")
_FROM_TO = re.compile(
    r"\bfrom (?:the )?(?P<a>[A-Z][\w.\-]*(?: [A-Z][\w.\-]*)*) to (?:the )?(?P<b>[A-Z][\w.\-]*(?: [A-Z][\w.\-]*)*)|\b(?P<a3>[A-Z][\w\-]+)\s*(?:→|->|–|-)\s*(?P<b3>[A-Z][\w\-]+)|从(?P<a2>[\u4e00-\u9fff]{2,6}?)(?:飞往|飞到|飞|前往|出发到|出发去|到|去|至|坐.{0,4}到)(?P<b2>[\u4e00-\u9fff]{2,6}?)(?=的|，|。|要|有|开|坐|多|怎|航|飞|火|高|机|最|吗|\d|$)"
)
_PLACE_EN = re.compile(
    r"\b(?:in|to|at|for|of|near|around|from|is) (?:the )?([A-Z][\w\-]*(?: [A-Z][\w\-]*)*)"
)
_PLACE_ZH = re.compile(
    r"(?:在|去|到|飞往|查询?|问|看看|查一下|想知道)([\u4e00-\u9fff]{2,4}?)(?=的|明|今|后|天气|住|找|订|有|下|冷|热|现在|，|。|？|$|\d)|([\u4e00-\u9fff]{2,4}?)(?=(?:明天|今天|后天|\d{4}[-年][\d\-月日]*)?的?天气|的酒店|当地|现在几点|\d+月)"
)
_RELATIVE = (
    ("day after tomorrow|后天", 2),
    ("tomorrow|明天", 1),
    ("today|tonight|今天|今晚", 0),
    ("yesterday|昨天", -1),
)
_MONEY = {
    "USD": r"dollars?|usd|\$|美元|美金",
    "EUR": r"euros?|eur|€|欧元",
    "CNY": r"yuan|rmb|renminbi|cny|¥|人民币|元人民币",
    "GBP": r"pounds?|sterling|gbp|£|英镑",
    "JPY": r"yen|jpy|日元|日圆",
    "CHF": r"francs?|chf|瑞士法郎",
    "KRW": r"won|krw|韩元",
    "HKD": r"hkd|港币|港元",
    "INR": r"rupees?|inr|卢比",
    "CAD": r"cad|加元",
    "AUD": r"aud|澳元",
}
_LANGUAGES = re.compile(
    r"\b(?:in|into|to) (French|German|Spanish|Chinese|English|Japanese|Italian|Polish|Russian|Korean|Latin|Portuguese)\b|(?:成|用)(法语|德语|西班牙语|中文|英语|英文|日语|法文|德文|日文|俄语|韩语)",
    re.I,
)
_CLAUSE = re.compile(
    r"[:：]\s*(.{2,300})$|\b(?:that|saying|says|note|remember|remind me to|message|reads)\b:?\s+(?:that\s+|to\s+)?(?!for|about)(.{3,300}?)[.?!]?$|(?:记一下|记下|提醒我|内容是|写上|备注|记住|说)[:：，]?(.{2,200}?)[。？！]?$",
    re.I | re.S,
)
_REASON = re.compile(
    r"\b(?:because|since|as|reason(?: is|:)?|:)\s+(.{3,160}?)(?:[.?!;]|$)|因为(.{2,80}?)(?:[，。；！]|$)|原因是?[:：]?(.{2,80}?)(?:[，。；！]|$)",
    re.I,
)
_COMPLAINT = re.compile(
    r"([^.,;!?，。；！？]*(?:broken|damaged|wrong|late|defective|never arrived|not work|doesn't work|does not work|too small|too big|scratched|坏|破|错|不合适|太大|太小|没收到|损坏|质量)[^.,;!?，。；！？]*)",
    re.I,
)


class Known:
    """What is known so far: the question's words, and the records that tools returned."""

    def __init__(self, text: str, lang: str, today: str = "") -> None:
        self.text, self.lang, self.today = text, lang, today
        self.records: Rows = []
        self.options: Rows = []
        self.observations: list[str] = []

    def add(self, observation: str) -> None:
        """Remember an observation; JSON objects become records, lists of them options."""
        self.observations.append(observation)
        rows = records(observation)
        if len(rows) == 1:
            self.records.append(rows[0])
        elif rows:
            self.options = rows


def records(observation: str) -> Rows:
    """The JSON objects of an observation; `key: value` lines count as one."""
    text = observation.strip()
    try:
        value = json.loads(text) if text[:1] in "[{" and len(text) < 50_000 else None
    except (ValueError, RecursionError):
        value = None
    found = value if isinstance(value, list) else [value]
    rows = [row for row in found if isinstance(row, Mapping)]
    if len(rows) == 1 and (inner := [v for v in rows[0].values() if _is_rows(v)]):
        return list(inner[0])
    if not rows:
        pairs = re.findall(
            r"(?:^|[,;，；|\n])\s*([A-Za-z_\u4e00-\u9fff][\w ]{1,24})\s*[:：=]\s*([^,;，；|\n]{1,80})",
            text[:4000],
        )
        rows = [{key.strip(): value.strip() for key, value in pairs}] if len(pairs) > 1 else []
    return rows


def _is_rows(value: object) -> bool:
    return (
        isinstance(value, list) and bool(value) and all(isinstance(row, Mapping) for row in value)
    )


def words_of(name: str) -> list[str]:
    """`orderId` and `order_id` as the stems order, id."""
    parts = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name).replace("_", " ").replace("-", " ")
    return [stem(word) for word in parts.split()] or [name]


def fill(tool: ToolSpec, known: Known) -> dict[str, Any] | None:
    """Arguments for `tool`; None while something that it requires is not known."""
    args: dict[str, Any] = {}
    for param in tool.params:
        value = _value(param, tool, known, tuple(map(str, args.values())))
        if value is not None:
            args[param.name] = value
        elif param.required:
            return None
    return args


def _value(param: Param, tool: ToolSpec, known: Known, taken: tuple[str, ...]) -> Any:
    if param.choices:
        return _choice(param, known)
    for candidate in _candidates(param, tool, known):
        if candidate is not None and str(candidate) not in taken:
            typed = _typed(candidate, param.type)
            if typed is not None:
                return typed
    return None


def _choice(param: Param, known: Known) -> str | None:
    stems = {t.stem for t in tokens(known.text)}
    for choice in param.choices:
        if stem(choice) in stems or (CJK.search(choice) and choice in known.text):
            return choice
    return None


def _typed(value: Any, kind: str) -> Any:
    if kind in ("integer", "number"):
        found = quantities(str(value)) if not isinstance(value, int | float) else None
        number = float(value) if found is None else found[0].value if found else None
        if number is None or (kind == "integer" and number != int(number)):
            return None
        return int(number) if number == int(number) and kind == "integer" else number
    if kind == "boolean":
        return bool(value)
    if kind == "array":
        return (
            value
            if isinstance(value, list)
            else [
                part.strip() for part in re.split(r"[,，、;]| and |和", str(value)) if part.strip()
            ]
        )
    return (
        value
        if isinstance(value, str)
        else json.dumps(value, ensure_ascii=False)
        if isinstance(value, list | dict)
        else str(value)
    )


def _candidates(param: Param, tool: ToolSpec, known: Known) -> Iterator[Any]:
    """Values for a parameter, the surest first."""
    words = words_of(param.name)
    about = f"{' '.join(words)} {param.name} {param.about}".lower()
    yield from _recorded(words, known)
    if param.type in ("integer", "number"):
        yield from _numbers(words, known)
        return
    if param.type == "array":
        yield from _lists(known)
        return
    for pattern, finder in _KINDS:
        if re.search(pattern, about):
            yield from finder(words, known)
            if finder is not _texts:
                return
            break
    if param.required:
        yield from _anything(param, tool, known)


def _recorded(words: list[str], known: Known) -> Iterator[Any]:
    """Values of earlier records whose key is called like the parameter."""
    for record in reversed(known.records):
        for key, value in record.items():
            if words_of(str(key)) == words and not isinstance(value, Mapping | list):
                yield value
    if words[-1:] and words[-1] in ("id", "number", "no", "cod", "cod", "key"):
        for record in reversed(known.records):
            for key, value in record.items():
                own = words_of(str(key))
                if set(own) & set(words[:-1]) and own[-1] in ("id", "number", "no", "cod"):
                    yield value


def _ids(words: list[str], known: Known) -> Iterator[Any]:
    """Codes and numbers of the question; the one that stands behind the parameter's noun first."""
    taken = [(d.start, d.end) for d in dates(known.text) if d.month or "年" in d.text]
    found = [m for m in _ID.finditer(known.text) if not any(a <= m.start(1) < b for a, b in taken)]
    found = [m for m in found if len(re.sub(r"\D", "", m[1])) > 1 or re.match(r"[A-Za-z]", m[1])]
    nouns = [w for w in words if w not in ("id", "number", "no", "cod", "numb")]
    known_words = [(t.stem, t.end) for t in tokens(known.text)]

    def distance(match: re.Match[str]) -> int:
        near = [
            match.start() - end
            for word, end in known_words
            if word in nouns and end <= match.start()
        ]
        return min(near, default=500) - 5 * len(match[1])

    found = [m for m in found if _belongs(known.text[: m.start()], words)]
    for match in sorted(found, key=distance):
        if not re.match(
            r"\s*(?:euros?|dollars?|people|nights?|days?|%|元|人|晚|天|点|岁|[ap]m\b|o'clock|:\d)",
            known.text[match.end() :],
        ):
            yield match[1].strip("#")


def _belongs(before: str, words: list[str]) -> bool:
    """`flight RL802` is no order number: the noun in front of a code says what it is."""
    nouns = [t.stem for t in tokens(before[-30:])][-2:]
    told = [n for n in nouns if n in _CODED]
    own = {"booking": "order", "reservation": "order"}
    mine = {own.get(w, w) for w in words}
    return not told or not mine & _CODED or bool({own.get(n, n) for n in told} & mine)


_CODED = {
    stem(w)
    for w in [
        "order",
        "booking",
        "flight",
        "room",
        "product",
        "customer",
        "invoice",
        "parcel",
        "book",
        "member",
        "ticket",
        "student",
        "patient",
        "account",
    ]
}


def _days(words: list[str], known: Known) -> Iterator[Any]:
    for date in dates(known.text):
        if date.day:
            yield f"{date.year:04}-{date.month:02}-{date.day:02}"
    for pattern, days in _RELATIVE:
        if found := re.search(rf"\b(?:{pattern})\b|(?:{pattern.split('|')[-1]})", known.text, re.I):
            base = dates(known.today)
            if base and base[0].day:
                yield (datetime.date(*base[0].key) + datetime.timedelta(days=days)).isoformat()
            else:
                yield found[0].lower()
            return
    if found := re.search(
        r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|周[一二三四五六日]|星期[一二三四五六日天]",
        known.text,
        re.I,
    ):
        yield found[0]


def _starts(words: list[str]) -> bool:
    """Whether a place parameter is where a journey begins."""
    return bool(re.search(r"origin|from|start|sourc|depart|begin|出发|起点|始发", " ".join(words)))


def _places(words: list[str], known: Known) -> Iterator[Any]:
    route = _FROM_TO.search(known.text)
    if route:
        first, last = [
            next(v for k, v in route.groupdict().items() if v and k.startswith(side))
            for side in "ab"
        ]
        if _starts(words):
            yield first
            return
        yield from (last, first)
    if _starts(words):
        return
    for match in [*_PLACE_EN.finditer(known.text), *_PLACE_ZH.finditer(known.text)]:
        place = next(group for group in match.groups() if group)
        if not re.match(
            r"(?:January|February|March|April|May|June|July|August|September|October|November|December|I)\b",
            place,
        ):
            yield place
    yield from (name.text for name in subjects(known.text, known.lang) if name.text[:1].isupper())


def _numbers(words: list[str], known: Known) -> Iterator[Any]:
    """The number next to the parameter's own noun, else the numbers in order."""
    taken = [(d.start, d.end) for d in dates(known.text) if d.day]
    found = [q for q in quantities(known.text) if not any(a <= q.start < b for a, b in taken)]
    nouns = _NUMBER_NOUNS.get(words[-1], "") or _NUMBER_NOUNS.get(words[0], "")
    stems = "|".join(re.escape(w) for w in words if len(w) > 2)
    pattern = "|".join(part for part in (nouns, stems) if part)
    if pattern:
        for q in found:
            if re.match(rf"[\s\-个]*(?:{pattern})", q.after, re.I):
                yield q.value
        for q in found:
            if re.search(
                rf"(?:{pattern})[a-z]*(?:\s(?:of|is|to|=))*[\s:：是为]*$",
                known.text[: q.start],
                re.I,
            ):
                yield q.value
    yield from (q.value for q in found)


_NUMBER_NOUNS = {
    "night": "nights?|晚|夜", "day": "days?|天", "sid": "[- ]?sided|sides?|面", "time": "times|次|dice|rolls?", "roll": "times|次|dice",
    "count": "times|dice|次|个", "peopl": "people|persons|guests|位|人", "guest": "guests|people|人", "year": "years?|年", "hour": "hours?|小时",
    "weight": "kg|kilo|公斤|千克", "height": "cm|metres?|meters?|m\\b|厘米|米", "minut": "minutes|分钟", "percent": "%|percent", "amount": "euros?|dollars?|usd|eur|yuan|元|块|美元|欧元|日元|英镑|yen|pounds",
    "pric": "euros?|dollars?|元", "quantity": "pieces|copies|items|个|件|本|台", "temperatur": "degrees|°|度", "length": "characters|位|long", "ag": "years|岁",
}  # fmt: skip


def _lists(known: Known) -> Iterator[Any]:
    found = [int(q.value) if q.value == int(q.value) else q.value for q in quantities(known.text)]
    if len(found) > 1:
        yield found
    listed = [name.text for name in subjects(known.text, known.lang)]
    if listed:
        yield listed


def _currencies(words: list[str], known: Known) -> Iterator[Any]:
    """Currencies in the order named; `from` takes the one at the amount."""
    found = []
    for code, pattern in _MONEY.items():
        if match := re.search(rf"(?<![a-z])(?:{pattern})(?![a-z])", known.text, re.I):
            found.append((match.start(), code))
    codes = [code for _, code in sorted(found)]
    target = (
        re.search(
            r"(?:to|into|in|成|为|多少)\s*(?:\w+\s)?$", known.text[: sorted(found)[0][0]], re.I
        )
        if found
        else None
    )
    codes = codes[::-1] if target and len(codes) == 2 else codes
    if set(words) & {"to", "target", "into", "quot"} and len(codes) > 1:
        yield codes[1]
    elif codes:
        yield codes[0]


def _texts(words: list[str], known: Known) -> Iterator[Any]:
    quoted = list(_QUOTED.finditer(known.text))
    near = [
        m
        for m in quoted
        if any(w in known.text[max(0, m.start() - 16) : m.start()].lower() for w in words)
    ]
    yield from (match[1] for match in [*near, *quoted])
    if found := _CLAUSE.search(known.text):
        yield next(group for group in found.groups() if group).strip(' "“”')


def _reasons(words: list[str], known: Known) -> Iterator[Any]:
    for pattern in (_REASON, _COMPLAINT):
        if found := pattern.search(known.text):
            yield next(group for group in found.groups() if group).strip()
    yield "requested by the customer" if known.lang == "en" else "客户要求"


def _languages(words: list[str], known: Known) -> Iterator[Any]:
    if found := _LANGUAGES.search(known.text):
        yield found[1] or found[2]


def _sums(words: list[str], known: Known) -> Iterator[Any]:
    yield compute.asks_for_sum(known.text) or compute.story(known.text) or None


def _people(words: list[str], known: Known) -> Iterator[Any]:
    found = re.search(
        r"\b(?:to|for|called|named|with|student|patient|customer|of) ([A-Z][a-z]+(?: [A-Z][a-z]+)?)|(?:给|叫|为|学生|病人|客户)([\u4e00-\u9fff]{2,3}?)(?=发|订|预|的|记|写|，|挂|$)",
        known.text,
    )
    if found:
        yield found[1] or found[2]
    yield from (name.text for name in names(known.text[1:]))


def _mails(words: list[str], known: Known) -> Iterator[Any]:
    yield from re.findall(r"[\w.+\-]+@[\w\-]+\.[\w.\-]+\w", known.text)
    yield from _people(words, known)


def _categories(words: list[str], known: Known) -> Iterator[Any]:
    found = re.search(
        r"\b(?:recommend|suggest|need|want|looking for|buy|find|show)\b(?: me)?(?: some| a| an| the| good)* ([a-z]+(?: [a-z]+)?)\b|(?:推荐|介绍|想买|看看)(?:一?[些款个本台副]|几[款个本台])?([\u4e00-\u9fff]{2,4}?)(?=$|[，。？吗吧给])",
        known.text,
    )
    if found:
        yield found[1] or found[2]


_KINDS = (
    (r"\bexpression|formula|算式|表达式", _sums),
    (r"\bdate\b|\bday\b|checkin|check-in|\bwhen\b|日期|哪天|日子", _days),
    (r"\bcurrenc|\bmoney unit|货币|币种", _currencies),
    (r"\breason\b|\bcause\b|原因|理由", _reasons),
    (r"\blanguag|语言|语种", _languages),
    (r"\be ?-?mail|address|recipient|^to\b|收件", _mails),
    (r"\b(?:id|number|no|code|cod|isbn|sku|ref|ticker|symbol)\b|编号|单号|号码|订单|航班号", _ids),
    (r"city|town|place|origin|destination|location|airport|station|country|region|城市|地点|出发|目的|国家|城", _places),
    (r"\bname\b|person|patient|student|customer|guest|user|姓名|名字|人名", _people),
    (r"categor|kind of|genre|类别|类型|品类", _categories),
    (r"\btext|message|content|note|body|sentence|word|phrase|title|comment|item|task|内容|文本|文字|消息|标题|备注|句子|单词", _texts),
)  # fmt: skip


def _anything(param: Param, tool: ToolSpec, known: Known) -> Iterator[Any]:
    """For a lone text parameter: what is quoted, named, coded, or else the question itself."""
    yield from (match[1] for match in _QUOTED.finditer(known.text))
    found = [name.text for name in subjects(known.text, known.lang)]
    plain = [name for name in found if stem(name) not in set(words_of(tool.name))]
    yield from (name for name in plain if name[:1].isupper() or known.lang == "zh")
    yield from _ids(words_of(param.name), known)
    yield from plain
    if len([p for p in tool.params if p.required]) == 1:
        yield known.text.strip(" ?？.。")
