"""Right and wrong solutions of 06 pause_replay_branch."""

from __future__ import annotations

import copy

from reactlab.course.clinic import CAUSES
from reactlab.course.pause import Ask, Use, drive

# 06.1


def by_match(program, llm, tools):
    result = None
    while True:
        try:
            effect = program.send(result)
        except StopIteration as done:
            return done.value
        match effect:
            case Ask(prompt):
                result = llm(prompt)
            case Use(name, text):
                result = tools[name](text)
            case other:
                raise TypeError(other)


def by_next(program, llm, tools):
    """Starts with next, answers in a helper, one try around everything."""

    def reply(effect):
        if isinstance(effect, Ask):
            return llm(effect.prompt)
        if isinstance(effect, Use):
            return tools.get(effect.name)(effect.text)
        raise TypeError("neither Ask nor Use")

    try:
        effect = next(program)
        while True:
            effect = program.send(reply(effect))
    except StopIteration as end:
        return end.value


def by_fields(program, llm, tools):
    """Looks at fields, not at types."""
    answered, over = None, False
    while not over:
        try:
            asked = program.send(answered)
        except StopIteration as stop:
            over, answered = True, stop.args[0] if stop.args else None
            continue
        is_ask = hasattr(asked, "prompt")
        if not is_ask and not hasattr(asked, "name"):
            raise TypeError(f"no field of {asked}")
        answered = llm(asked.prompt) if is_ask else tools[asked.name](asked.text)
    return answered


def by_delegation(program, llm, tools):
    """Lets `yield from` catch the end."""
    returned = []

    def wrapped():
        returned.append((yield from program))

    outer = wrapped()
    effect = next(outer, None)
    while not returned:
        if type(effect).__name__ == "Ask":
            result = llm(effect.prompt)
        elif type(effect).__name__ == "Use":
            result = tools[effect.name](effect.text)
        else:
            raise TypeError
        try:
            effect = outer.send(result)
        except StopIteration:
            break
    return returned[0]


def by_recursion(program, llm, tools, result=None):
    try:
        effect = program.send(result)
    except StopIteration as done:
        return done.value
    if isinstance(effect, Ask):
        return by_recursion(program, llm, tools, llm(effect.prompt))
    if isinstance(effect, Use):
        return by_recursion(program, llm, tools, tools[effect.name](effect.text))
    raise TypeError(effect)


def with_for(program, llm, tools):
    for effect in program:
        if isinstance(effect, Ask):
            llm(effect.prompt)
        else:
            tools[effect.name](effect.text)


def no_catch(program, llm, tools):
    result = None
    while True:
        effect = program.send(result)
        result = llm(effect.prompt) if isinstance(effect, Ask) else tools[effect.name](effect.text)


def started_wrong(program, llm, tools):
    return program.send("")


def to_text(program, llm, tools):
    """Makes texts of what are texts, and an error class of its own."""

    class UnknownRequest(TypeError):
        pass

    answers = {
        Ask: lambda effect: str(llm(str(effect.prompt))),
        Use: lambda effect: str(tools[str(effect.name)](str(effect.text))),
    }
    result = None
    try:
        while True:
            effect = program.send(result)
            if type(effect) not in answers:
                program.close()
                raise UnknownRequest(effect)
            result = answers[type(effect)](effect)
    except StopIteration as end:
        return end.value


def else_use(program, llm, tools):
    """Takes whatever is no Ask for a Use."""
    result = None
    while True:
        try:
            effect = program.send(result)
        except StopIteration as done:
            return done.value
        result = llm(effect.prompt) if isinstance(effect, Ask) else tools[effect.name](effect.text)


def first_tool(program, llm, tools):
    """Takes the first tool, whatever its name."""
    return by_match(program, llm, dict.fromkeys(tools, next(iter(tools.values()))))


def not_called(program, llm, tools):
    return by_match(program, llm, {name: lambda text, own=own: own for name, own in tools.items()})


async def later(program, llm, tools):
    return by_match(program, llm, tools)


def whole_effect(program, llm, tools):
    return by_match(program, lambda prompt: llm(Ask(prompt)), tools)


def no_value(program, llm, tools):
    by_match(program, llm, tools)


def with_next(program, llm, tools):
    """Sends, and then asks for the next request once more."""
    try:
        while True:
            effect = next(program)
            program.send(llm(effect.prompt) if type(effect) is Ask else tools[effect.name]("x"))
    except StopIteration as done:
        return done.value


def once(program, llm, tools):
    return llm(next(program).prompt)


def truthy(program, llm, tools):
    """Takes an empty reply for none."""
    kept = {name: (lambda text, tool=tool: tool(text) or "none") for name, tool in tools.items()}
    return by_match(program, lambda prompt: llm(prompt) or "none", kept)


def lenient(program, llm, tools):
    result = None
    while True:
        try:
            effect = program.send(result)
        except StopIteration as done:
            return done.value
        if isinstance(effect, Ask):
            result = llm(effect.prompt)
        elif isinstance(effect, Use):
            result = tools[effect.name](effect.text)


def endless(program, llm, tools):
    while True:
        llm("again")


RIGHT = [
    ("06.1", by_match),
    ("06.1", by_next),
    ("06.1", by_fields),
    ("06.1", by_delegation),
    ("06.1", by_recursion),
    ("06.1", to_text),
    ("06.1", drive),
]
WRONG = [
    ("06.1", with_for, "A for loop always sends None back"),
    ("06.1", no_catch, "your driver stopped with StopIteration"),
    ("06.1", started_wrong, "the first send has nothing to answer yet"),
    ("06.1", whole_effect, "llm was given [Ask(prompt='prompt 1')]; the program asked for"),
    ("06.1", first_tool, "'Rigel']; the program asked for ['Deneb']"),
    ("06.1", not_called, "Lookup was given []; the program asked for ['Altair', 'Deneb']"),
    ("06.1", else_use, "your driver stopped with AttributeError"),
    ("06.1", later, "your function is async, so calling it runs nothing"),
    ("06.1", no_value, "your driver returned None; the program returned"),
    ("06.1", with_next, "a next() beside it skips one"),
    ("06.1", once, "the program was sent 0 answer(s) and waits for 1"),
    ("06.1", truthy, "was sent 'none'; '' is right"),
    ("06.1", lenient, "as if nothing was wrong"),
    ("06.1", endless, "your driver goes on after the program has ended"),
    ("06.1", lambda program, llm: None, "stopped with TypeError"),
]
SAMPLES = [("06.1", lambda program, llm, tools: "34567")]


# 06.2


def places(record):
    return [place for place, (effect, _) in enumerate(record) if isinstance(effect, Use)]


def by_place(record, step, observation):
    at = places(record)[step - 1]
    return [*record[:at], (record[at][0], observation)]


def by_counting(record, step, observation):
    """Yields line by line, until the step's tool."""
    used = 0
    for effect, result in record:
        used += type(effect).__name__ == "Use"
        if used == step:
            yield effect, observation
            return
        yield effect, result


def by_copy(record, step, observation):
    """Edits a deep copy and cuts it; pairs become lists."""
    made = [list(pair) for pair in copy.deepcopy(record)]
    at = [n for n, (effect, _) in enumerate(made) if hasattr(effect, "name")][step - 1]
    made[at][1] = observation
    del made[at + 1 :]
    return made


def by_tuple(record, step, observation):
    at = places(record)[step - 1]
    return (*record[:at], record[at]._replace(result=observation))


def as_iterator(record, step, observation):
    """Steps one after the other, then the edited line; new effects with the same fields."""
    at = places(record)[step - 1]
    effect = record[at].effect
    yield from iter(record[:at])
    yield Use(effect.name, effect.text), observation


def or_old(record, step, observation):
    at = places(record)[step - 1]
    return [*record[:at], (record[at][0], observation or record[at][1])]


def step_before(record, step, observation):
    return by_place(record, step - 1, observation)


def old_too(record, step, observation):
    at = places(record)[step - 1]
    return [*record[: at + 1], (record[at][0], observation)]


def remembers(record, step, observation, made=[]):  # noqa: B006  # the slip that is tried
    made.extend(by_place(record, step, observation))
    return made


def in_place(record, step, observation):
    at = places(record)[step - 1]
    record[at:] = [(record[at][0], observation)]
    return record


def edited_in_place(record, step, observation):
    at = places(record)[step - 1]
    record[at] = (record[at][0], observation)
    return record[: at + 1]


def keeps_tail(record, step, observation):
    at = places(record)[step - 1]
    return [*by_place(record, step, observation), *record[at + 1 :]]


def two_lines(record, step, observation):
    return [*record[: 2 * step - 1], (record[2 * step - 1][0], observation)]


def from_zero(record, step, observation):
    at = places(record)[step]
    return [*record[:at], (record[at][0], observation)]


def cut(record, step, observation):
    return record[: places(record)[step - 1]]


def not_changed(record, step, observation):
    return record[: places(record)[step - 1] + 1]


def by_line(record, step, observation):
    return [*record[: step - 1], (record[step - 1][0], observation)]


def first_alike(record, step, observation):
    at = record.index(record[places(record)[step - 1]])
    return [*record[:at], (record[at][0], observation)]


RIGHT += [
    ("06.2", by_place),
    ("06.2", by_counting),
    ("06.2", by_copy),
    ("06.2", by_tuple),
    ("06.2", as_iterator),
]
WRONG += [
    ("06.2", lambda record, step, observation: [], "5 calls of the model paid, 2 needed"),
    ("06.2", keeps_tail, "still has what came later"),
    ("06.2", two_lines, "Case 4, a step that asked the model three times: you counted two lines"),
    ("06.2", from_zero, "one step too late"),
    ("06.2", cut, "your branch ends before the observation of this step"),
    ("06.2", not_changed, "still says what the tool said"),
    ("06.2", by_line, "you counted lines of the record"),
    ("06.2", first_alike, "The same look-up may stand there twice"),
    ("06.2", or_old, "Case 7, an empty observation: the branch still says what the tool said"),
    ("06.2", step_before, "one step too early"),
    ("06.2", old_too, "the tool's old line is still there"),
    ("06.2", remembers, "Does it keep something between calls"),
    ("06.2", in_place, "the original record has changed with it"),
    ("06.2", edited_in_place, "the original record has changed with it"),
    ("06.2", lambda record, step, observation: None, "your function returned None"),
    ("06.2", lambda record, step, observation: observation, "your branch is 'The plate reads 99.'"),
]
SAMPLES += [("06.2", lambda record, step, observation: [*record[:1], (record[1][0], observation)])]


# 06.3

DIAGNOSIS = {"A": (3, "ignored"), "B": (2, "wrong input"), "C": (4, "invented")}
NAMED = {"A": (3, "ignored"), "B": (2, "input"), "C": (4, "invented")}
LAST = {"C": ("第 4 步", "凭空编造：任何观察里都没有")}
RIGHT += [
    ("06.3", DIAGNOSIS),
    ("06.3", {"a": ["3", "无视观察"], "b": (2, "Wrong Input"), "Ｃ": ("４", " invented ")}),
    ("06.3", {key: (step, str(CAUSES[word])) for key, (step, word) in NAMED.items()}),
    ("06.3", {"A": ("step 3", "“ignored”"), "B": (2.0, "wrong_input"), **LAST}),
    ("06.3", {"C": (4, "凭空编造"), "B": [2, "输入有误"], "A": (3, "无视观察")}),
]
WRONG += [
    ("06.3", DIAGNOSIS | {"A": (4, "ignored")}, "A: step 4 is not the first"),
    ("06.3", DIAGNOSIS | {"C": (3, "wrong tool")}, "C: step 3 is sound"),
    ("06.3", DIAGNOSIS | {"B": (2, "invented")}, "B: step 2 it is. But the cause is not"),
    ("06.3", DIAGNOSIS | {"B": (2, "bad luck")}, "'bad luck' is none of the causes"),
    ("06.3", DIAGNOSIS | {"B": (9, "invented")}, "B: 9 is no step of this run; it has 1 to 4"),
    ("06.3", DIAGNOSIS | {"B": ("wrong input", 2)}, "B: write the step and the cause"),
    ("06.3", DIAGNOSIS | {"B": (-2, "wrong input")}, "B: -2 is no step of this run"),
    ("06.3", DIAGNOSIS | {"B": 2}, "B: write the step and the cause"),
    ("06.3", [3, 2, 4], "A diagnosis is written"),
]
VALUES = {"06.3"}
