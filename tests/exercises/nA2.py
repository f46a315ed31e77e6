"""Right and wrong solutions of A2 hosted_models."""

from __future__ import annotations

import math
from fractions import Fraction

from reactlab.course.lessons.nA2 import PRICES, SHOWN
from reactlab.course.odd_replies import shown_replies

# A2.1


def by_status(response):
    status, body = response["status"], response["body"]
    if isinstance(body, str):
        return "proxy"
    told = str(body).lower()
    if status == 429:
        return "quota" if "quota" in told else "wait"
    if status == 400:
        return "tools" if "tool" in told or "function" in told else "parameter"
    if status in (401, 403):
        return "key"
    if status == 404:
        return "model" if "model" in told else "path"
    if status >= 500:
        return "server"
    if not body.get("choices"):
        return "path"
    choice = body["choices"][0]
    message, finish = choice["message"], choice["finish_reason"]
    if finish == "length":
        return "cut"
    if finish == "content_filter" or message.get("refusal"):
        return "refused"
    return "ok" if message.get("content") or message.get("tool_calls") else "empty"


def by_codes(response):
    """Trusts codes, parameters and headers, not words."""
    body = response["body"]
    if "html" in response["headers"]["Content-Type"]:
        return "proxy"
    error = body.get("error") or {}
    error = error if isinstance(error, dict) else {"message": error}
    message = error.get("message", "")
    match response["status"]:
        case 401 | 403:
            return "Key"
        case 429:
            return "wait" if "Retry-After" in response["headers"] else "quota"
        case 400:
            return "parameter" if "param" in error else "tools"
        case 404:
            return "model" if message else "path"
        case status if status > 404:
            return "server"
    match body.get("choices"):
        case [{"finish_reason": "length"}]:
            return "cut"
        case [{"finish_reason": "content_filter"}] | [{"message": {"refusal": str()}}]:
            return "refused"
        case [{"message": {"tool_calls": [_, *_]}}]:
            return "ok"
        case [{"message": {"content": content}}]:
            return "ok" if content else "empty"
    return "path"


RULES = [
    ("proxy", lambda status, body, told: told.lstrip().startswith("<")),
    ("key", lambda status, body, told: status in {401, 403}),
    ("quota", lambda status, body, told: status == 429 and "insufficient_quota" in told),
    ("wait", lambda status, body, told: status == 429),
    ("tools", lambda status, body, told: status == 400 and ("tool" in told or "Function" in told)),
    ("parameter", lambda status, body, told: status == 400),
    ("model", lambda status, body, told: status == 404 and "model" in told),
    ("server", lambda status, body, told: status >= 500),
    ("path", lambda status, body, told: not body.get("choices")),
    ("cut", lambda status, body, told: "'finish_reason': 'length'" in told),
    ("refused", lambda status, body, told: "content_filter" in told or "refusal" in told),
    ("empty", lambda status, body, told: not any(body["choices"][0]["message"].get(key)
                                                 for key in ("content", "tool_calls"))),
]  # fmt: skip


def by_rules(response):
    status, body = response["status"], response["body"]
    found = (cause for cause, rule in RULES if rule(status, body, str(body)))
    return next(found, " ok ")


def instead(**other):
    """The right solution, with some causes taken for another."""

    def diagnose(response):
        cause = by_status(response)
        return other.get(cause, cause)

    return diagnose


def reaches_in(response):
    text = response["body"]["choices"][0]["message"]["content"]
    return by_status(response) if text else "empty"


KNOWN = list(zip(shown_replies().values(), shown_replies().causes.values(), strict=True))


def by_heart(response):
    return next((cause for known, cause in KNOWN if known == response), "ok")


def missing(status, content):
    """Right but for one status or content."""

    def diagnose(response):
        cause = by_status(response)
        if cause == "server" and response["status"] == status:
            return "ok"
        if cause == "empty" and response["body"]["choices"][0]["message"]["content"] == content:
            return "ok"
        return cause

    return diagnose


async def awaited(response):
    return by_status(response)


RIGHT = [("A2.1", by_status), ("A2.1", by_codes), ("A2.1", by_rules)]
WRONG = [
    ("A2.1", instead(path="empty"), "Reply A: not empty. Read the body: the path is wrong."),
    ("A2.1", instead(path="ok"), "Status 200 says only that something answered."),
    ("A2.1", instead(path="model"), "what was not found is the path"),
    ("A2.1", instead(cut="empty"), "Reply B: not empty. Why is there no text? The finish reason"),
    ("A2.1", instead(ok="empty"), "Reply C: not empty. There is no text, but look at tool_calls"),
    ("A2.1", instead(quota="wait"), "Reply F: not wait. Would it work in a minute?"),
    ("A2.1", instead(wait="quota"), "Reply E: not quota. The server says when to come back"),
    ("A2.1", instead(tools="parameter"), "so the whole way of asking"),
    ("A2.1", instead(proxy="server"), "The body is a page, not JSON"),
    ("A2.1", instead(proxy="key"), "has not seen your key"),
    ("A2.1", instead(refused="empty"), "Look at finish_reason and at refusal"),
    ("A2.1", instead(model="path"), "the address is right, the name is not"),
    ("A2.1", instead(empty="ok"), "The message holds neither text nor calls."),
    ("A2.1", instead(parameter="tools"), "The body names one parameter"),
    ("A2.1", instead(server="wait"), "the server's own failure"),
    ("A2.1", instead(key="path"), "Statuses 401 and 403 are about who you are"),
    ("A2.1", missing(500, ...), "the server's own failure"),
    ("A2.1", missing(503, ...), "the server's own failure"),
    ("A2.1", missing(0, ""), "The message holds neither text nor calls."),
    ("A2.1", missing(0, None), "The message holds neither text nor calls."),
    ("A2.1", awaited, "your function is async"),
    ("A2.1", reaches_in, "Reply A: your function stopped with KeyError: 'choices'. Odd replies"),
    ("A2.1", lambda response: "wrong path", "returned 'wrong path', which is none of ok, empty"),
    ("A2.1", lambda response: None, "returned None, which is none of"),
]
SAMPLES = [("A2.1", by_heart)]

# A2.2


def in_loops(trace, prices):
    total = 0.0
    for step in trace.steps:
        for call in step.model_calls:
            done = call.completion
            if done is None or done.usage is None or done.model not in prices:
                return None
            given, made = prices[done.model]
            total += (done.usage.input_tokens * given + done.usage.output_tokens * made) / 1e6
    return total


def exactly(trace, prices):
    """Fractions, and an exception inside for what is unknown."""
    try:
        parts = [
            Fraction(count) * Fraction(str(price)) / 10**6
            for step in trace
            for call in step.model_calls
            for count, price in zip(
                (call.completion.usage.input_tokens, call.completion.usage.output_tokens),
                prices[call.completion.model],
                strict=True,
            )
        ]
    except (AttributeError, KeyError):
        return None
    return sum(parts)


def by_events(trace, prices):
    made = [event.completion for event in trace.events if hasattr(event, "completion")]
    if any(one is None or one.usage is None for one in made):
        return None
    amounts = []
    for one in made:
        price = prices.get(one.model)
        if not price:
            return None
        amounts.append(one.usage.input_tokens / 1e6 * price[0])
        amounts.append(one.usage.output_tokens / 1e6 * price[1])
    return math.fsum(amounts)


def counting(
    unknown=None, unpriced=None, size=1e6, rate=(0, 1), calls=slice(None), each=slice(None)
):
    """`in_loops` with something done differently."""

    def cost(trace, prices):
        amounts = []
        for call in [call for step in trace.steps for call in step.model_calls[each]][calls]:
            done = call.completion
            if done is None or done.usage is None:
                amounts.append(unknown)
            elif done.model not in prices:
                amounts.append(unpriced)
            else:
                given, made = (prices[done.model][at] for at in rate)
                usage = done.usage
                amounts.append((usage.input_tokens * given + usage.output_tokens * made) / size)
        return None if None in amounts else sum(amounts)

    return cost


def trusting(trace, prices):
    paid = [call.completion for step in trace for call in step.model_calls]
    tokens = [(one.usage.input_tokens, one.usage.output_tokens, one.model) for one in paid]
    rates = [(sent, made, *prices.get(model, (0, 0))) for sent, made, model in tokens]
    return sum((sent * i + made * o) / 1e6 for sent, made, i, o in rates)


def looks_up(trace, prices):
    used = [call.completion for step in trace for call in step.model_calls if call.completion]
    priced = [(one.usage, *prices[one.model]) for one in used if one.usage]
    return sum((u.input_tokens * i + u.output_tokens * o) / 1e6 for u, i, o in priced)


def only_usage(trace, prices):
    given, made = prices[trace.model]
    return (trace.usage.input_tokens * given + trace.usage.output_tokens * made) / 1e6


def to_a_millionth(trace, prices):
    """The parts of each step, in a helper that calls itself; rounded to a millionth."""

    def amount(calls):
        if not calls:
            return 0
        first, *rest = calls
        done, later = first.completion, amount(rest)
        if later is None or not (done and done.usage and done.model in prices):
            return None
        tokens = (done.usage.input_tokens, done.usage.output_tokens)
        return later + sum(n * price for n, price in zip(tokens, prices[done.model], strict=True))

    whole = amount([call for step in trace for call in step.model_calls])
    return whole if whole is None else round(whole / 10**6, 6)


def no_zeros(trace, prices):
    used = [call.completion for step in trace for call in step.model_calls]
    known = all(not one or not one.usage or one.usage.output_tokens for one in used)
    return in_loops(trace, prices) if known else None


def adds_on(trace, prices, paid=[0]):  # noqa: B006  # the slip that is tried
    amount = in_loops(trace, prices)
    paid[0] += amount or 0
    return amount if amount is None else paid[0]


RIGHT += [("A2.2", in_loops), ("A2.2", exactly), ("A2.2", by_events), ("A2.2", to_a_millionth)]
WRONG += [
    ("A2.2", counting(unknown=0), "None as 0: free, or just not reported?"),
    ("A2.2", counting(unknown=0, unpriced=0), "free, or just not reported?"),
    ("A2.2", counting(unpriced=0), "Free, or just not in your table?"),
    ("A2.2", counting(size=1), "Prices are per million tokens."),
    ("A2.2", counting(size=1000), "per million tokens, not per thousand"),
    ("A2.2", counting(rate=(0, 0)), "Output tokens have a price of their own"),
    ("A2.2", counting(rate=(1, 0)), "The first price is for input tokens"),
    ("A2.2", counting(calls=slice(-1, None)), "is the last call alone"),
    ("A2.2", counting(calls=slice(1)), "is the first call alone"),
    ("A2.2", counting(each=slice(1)), "the first call of each step alone"),
    ("A2.2", counting(each=slice(-1, None)), "the last call of each step alone"),
    ("A2.2", lambda trace, prices: counting()(trace, prices) or None, "A price of 0 is known"),
    ("A2.2", no_zeros, "0 tokens were reported as 0"),
    ("A2.2", lambda trace, prices: in_loops(trace, SHOWN), "look into PRICES"),
    ("A2.2", adds_on, "Does it keep something between calls"),
    ("A2.2", lambda trace, prices: 10**400, "0.0062 is right"),
    ("A2.2", looks_up, "or just not reported?"),
    ("A2.2", trusting, "or its usage is None: look for that first"),
    ("A2.2", only_usage, "look at each call"),
    ("A2.2", lambda trace, prices: in_loops(trace, prices) and None, "Is there a return"),
    ("A2.2", lambda trace, prices: "0.006 dollars", "your function returned '0.006 dollars'"),
]
SAMPLES += [("A2.2", lambda trace, prices: counting()(trace, {**PRICES}) and 0.0062)]
