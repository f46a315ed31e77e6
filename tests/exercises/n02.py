"""Right and wrong solutions of 02 prompt_template."""

from __future__ import annotations

import re
from itertools import accumulate
from string import Template

# 02.1


def by_split(template, **slots):
    pieces = re.split(r"\{(\w+)\}", template)
    return "".join(slots[piece] if n % 2 else piece for n, piece in enumerate(pieces))


def by_sub(template, **slots):
    return re.sub(r"{([A-Za-z0-9_]+)}", lambda found: slots[found.group(1)], template)


def by_hand(template, **slots):
    """Goes from brace to brace; its own error, with the name in a sentence."""
    out, at = [], 0
    while at < len(template):
        end = template.find("}", at)
        name = template[at + 1 : end]
        if template[at] == "{" and end > 0 and name.replace("_", "a").isalnum():
            if name not in slots:
                raise ValueError(f"no value for the slot {name!r}")
            out.append(slots[name])
            at = end + 1
        else:
            out.append(template[at])
            at += 1
    return "".join(out)


def by_escaping(template, **slots):
    """Doubles every brace that is no slot, and lets str.format do the rest."""
    doubled = template.replace("{", "{{").replace("}", "}}")
    for name in re.findall(r"\{(\w+)\}", template):
        assert name in slots, f"missing: {name}"
        doubled = doubled.replace("{{" + name + "}}", "{" + name + "}")
    return doubled.format(**slots)


def by_known_names(template, **slots):
    """Looks for the given names alone; a slot that is left over was found before."""
    missing = set(re.findall(r"\{(\w+)\}", template)) - set(slots)
    if missing:
        raise LookupError(f"{missing}")
    if not slots:
        return template
    names = "|".join(sorted(slots, key=len, reverse=True))
    return re.sub("{(" + names + ")}", lambda found: str(slots[found[1]]), template)


class Braces(Template):
    delimiter = "{"
    pattern = r"\{(?:(?P<escaped>(?!))|(?P<named>\w+)\}|(?P<braced>(?!))|(?P<invalid>(?!)))"


def by_template(template, **slots):
    return Braces(template).substitute(slots)


def by_places(template, **slots):
    """Notes the places first, then puts the values in from the end."""
    for found in reversed(list(re.finditer(r"\{(\w+)\}", template))):
        template = template[: found.start()] + slots[found[1]] + template[found.end() :]
    return template


def chained(template, **slots):
    for name, value in slots.items():
        template = template.replace("{" + name + "}", value)
    return template


def chained_in_order(template, **slots):
    for name in re.findall(r"\{(\w+)\}", template):
        template = template.replace("{" + name + "}", slots[name])
    return template


def formatted(template, **slots):
    return template.format(**slots)


def two_passes(template, **slots):
    for name, value in slots.items():
        others = {other: "{" + other + "}" for other in slots}
        template = template.format(**{**others, name: value})
    return template


def any_brace(template, **slots):
    return re.sub(r"\{(.*?)\}", lambda found: slots[found[1]], template)


def value_as_pattern(template, **slots):
    pieces = by_known_names(template, **{name: "{" + name + "}" for name in slots})
    for name, value in slots.items():
        pieces = re.sub(r"\{" + name + r"\}", value, pieces) if len(slots) == 1 else None
        if pieces is None:
            return by_split(template, **slots)
    return pieces


def once(template, **slots):
    for name, value in slots.items():
        if len(slots) > 1:
            return by_split(template, **slots)
        template = template.replace("{" + name + "}", value, 1)
    return template


def holes(template, **slots):
    return re.sub(r"\{(\w+)\}", lambda found: slots.get(found[1], found[0]), template)


def blanks(template, **slots):
    return re.sub(r"\{(\w+)\}", lambda found: slots.get(found[1], ""), template)


def nameless(template, **slots):
    if set(re.findall(r"\{(\w+)\}", template)) - set(slots):
        raise ValueError("a slot is missing")
    return by_split(template, **slots)


def twice(template, **slots):
    """A value that holds its own slot's name is put in again."""
    return by_split(by_split(template, **slots), **slots)


def no_return(template, **slots):
    by_split(template, **slots)


def one_slot(template, **slots):
    return re.sub(r"\{(\w+)\}", lambda found: slots[found[1]], template, count=1)


def popped(template, **slots):
    return re.sub(r"\{(\w+)\}", lambda found: slots.pop(found[1]), template)


def small_letters(template, **slots):
    return re.sub(r"\{([a-z_]+)\}", lambda found: slots[found[1]], template)


def small_letters_and_digits(template, **slots):
    return re.sub(r"\{([a-z0-9_]+)\}", lambda found: slots[found[1]], template)


def trimmed(template, **slots):
    return by_split(template, **{name: value.strip() for name, value in slots.items()})


def identifiers(template, **slots):
    return re.sub(r"\{([^\W\d]\w*)\}", lambda found: slots[found[1]], template)


def hyphened(template, **slots):
    return re.sub(r"\{([\w-]+)\}", lambda found: slots[found[1]], template)


def line_by_line(template, **slots):
    return "\n".join(by_split(line, **slots) for line in template.splitlines())


def stripped(template, **slots):
    return by_split(template.strip(), **slots)


def squeezed(template, **slots):
    """Keeps line breaks, and one blank of several."""
    return by_split(re.sub(" +", " ", template), **slots)


INSIDE = "Your second replacement looked inside the first value."
TAKEN = "A brace of the text was taken for a slot"
RIGHT = [
    ("02.1", by_split),
    ("02.1", by_sub),
    ("02.1", by_hand),
    ("02.1", by_escaping),
    ("02.1", by_known_names),
    ("02.1", by_template),
    ("02.1", by_places),
]
WRONG = [
    ("02.1", chained, INSIDE),
    ("02.1", chained_in_order, INSIDE),
    ("02.1", twice, INSIDE),
    ("02.1", formatted, TAKEN),
    ("02.1", any_brace, TAKEN),
    ("02.1", two_passes, INSIDE),
    ("02.1", value_as_pattern, "re.sub reads a backslash in the new text as an order"),
    ("02.1", once, "The same slot may stand in a template twice."),
    ("02.1", holes, "has no value for history and gave"),
    ("02.1", blanks, "A prompt with a hole is sent and paid for"),
    ("02.1", nameless, "it does not name the slot"),
    ("02.1", no_return, "Is there a return"),
    ("02.1", lambda template, **slots: template, "no slot was filled"),
    ("02.1", lambda template, **slots: re.sub("｛(.*?)｝", "", template), "look at its braces"),
    ("02.1", one_slot, "Only the first slot was filled."),
    ("02.1", popped, "This slot stands twice in the template; its value is needed again."),
    ("02.1", small_letters, "may hold capitals and digits"),
    ("02.1", small_letters_and_digits, "may hold capitals and digits"),
    ("02.1", identifiers, "may begin with a digit too"),
    ("02.1", hyphened, TAKEN),
    ("02.1", line_by_line, "the line break at the end too"),
    ("02.1", stripped, "outside the slots stays as it is"),
    ("02.1", squeezed, "several blanks in a row too"),
    ("02.1", trimmed, "with the blanks at its ends"),
    ("02.1", lambda template, question: question, "stopped with TypeError"),
    ("02.1", "text", "is a value. Give the function itself"),
]


# 02.2


def by_running_total(sizes):
    total = prompt = 0
    for size in sizes:
        prompt += size
        total += prompt
    return total


def by_slices(sizes):
    return sum(sum(sizes[: end + 1]) for end in range(len(sizes)))


def by_weights(sizes):
    return sum(size * (len(sizes) - place) for place, size in enumerate(sizes))


def by_recursion(sizes):
    return sum(sizes) + by_recursion(sizes[:-1]) if sizes else 0


def by_float(sizes):
    return float(by_running_total(sizes))


def steps_once(sizes):
    return len(sizes) * sizes[0] + sum(sizes[1:])


def fixed_once(sizes):
    return sizes[0] + sum(accumulate(sizes[1:]))


def without_the_last(sizes):
    return sum(list(accumulate(sizes))[:-1])


def history_alone(sizes):
    return sum(accumulate(sizes[1:]))


OTHER_WAY = "the other way round"
AGAIN = "Step 7 sends steps 1 to 6 again."
RIGHT += [
    ("02.2", by_running_total),
    ("02.2", by_slices),
    ("02.2", by_weights),
    ("02.2", by_recursion),
    ("02.2", by_float),
]
WRONG += [
    ("02.2", sum, AGAIN),
    ("02.2", steps_once, AGAIN),
    ("02.2", fixed_once, "the fixed part only once"),
    ("02.2", without_the_last, "one prompt is missing"),
    ("02.2", history_alone, "rules, tools and question, which stand in every prompt"),
    ("02.2", lambda sizes: list(accumulate(sizes)), "their sum is asked for"),
    ("02.2", lambda sizes: print(end=""), "Is there a return"),
    ("02.2", lambda sizes: len(sizes) * sizes[0], "nothing of what the steps add"),
    ("02.2", lambda sizes: sum(s * n for n, s in enumerate(sizes)), OTHER_WAY),
    ("02.2", lambda sizes: sum(s * n for n, s in enumerate(sizes, 1)), OTHER_WAY),
    ("02.2", lambda sizes: sum(sizes) * len(sizes), "the last, longest prompt every time"),
    ("02.2", lambda sizes: len(sizes) * max(sizes) + 1, "yours gave"),
    ("02.2", lambda sizes: sizes[7], "stopped with IndexError"),
]
SAMPLES = [
    ("02.1", lambda template, **slots: '{"a": 1} {p, q}?'),
    ("02.2", lambda sizes: 1390),
]
