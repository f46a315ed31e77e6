"""Right and wrong solutions of 05 the_loop."""

from __future__ import annotations

from reactlab import REACT_PROMPT_TEMPLATE, StopReason, ToolRegistry, parse
from reactlab.course.runs import stopped_runs
from reactlab.course.words import current

# 05.1


def step_text(decision, observation):
    call = decision.calls[0]
    action = f"{call.name}[{call.arguments}]"
    return f"Thought: {decision.thought}\nAction: {action}\nObservation: {observation}\n"


def growing_text(question, llm, tools, max_steps):
    history = ""
    for _ in range(max_steps):
        decision = parse(llm(f"{question}\n{history}Thought:"))
        if decision.answer is not None:
            return decision.answer
        call = decision.calls[0]
        tool = tools.get(call.name)
        seen = tool(call.arguments) if tool else f"{call.name} is unknown, use {list(tools)}."
        history += step_text(decision, seen)
    return None


def raw_replies(question, llm, tools, max_steps):
    """Keeps the model's own words, and catches what an unknown tool raises."""
    prompt, calls = f"Question: {question}", 0
    while calls < max_steps:
        reply = llm(prompt)
        calls += 1
        decision = parse(reply, list(tools))
        if decision.answer:
            return decision.answer
        name, text = decision.calls[0].name, decision.calls[0].arguments
        try:
            seen = tools[name](text)
        except KeyError:
            seen = "没有这个工具"
        prompt += f"\n{reply}\nObservation: {seen}"
    return None


def described(question, llm, tools, max_steps):
    """Describes the functions in the prompt, as the notebook's own build_prompt does."""
    history = ""
    for _ in range(max_steps):
        known = ToolRegistry(tools).to_prompt(current())
        slots = {"tool_descriptions": known, "question": question, "history": history}
        decision = parse(llm(REACT_PROMPT_TEMPLATE.format(**slots)))
        if decision.answer is not None:
            return decision.answer
        call = decision.calls[0]
        tool = tools.get(call.name)
        seen = tool(call.arguments) if tool else f"No tool is called {call.name}."
        history += step_text(decision, seen)
    return None


class Chat:
    """History as a list of tuples, the question at the end of each prompt."""

    def __init__(self, llm, tools):
        self.llm, self.tools, self.turns = llm, tools, []

    def prompt(self, question):
        turns = [f"I thought {t!r}, did {c}, saw {o!r}" for t, c, o in self.turns]
        return "\n".join([*turns, question])

    def answer(self, question, left):
        if left == 0:
            return None
        decision = parse(self.llm(self.prompt(question)))
        for call in decision.calls:
            seen = self.tools.get(call.name, lambda _: "No such tool exists.")(call.arguments)
            self.turns.append((decision.thought, f"{call.name}({call.arguments})", seen))
        return self.answer(question, left - 1) if decision.answer is None else decision.answer


def recursive(question, llm, tools, max_steps):
    return Chat(llm, tools).answer(question, max_steps)


def loop_with(change):
    """The growing loop with one thing done differently."""

    def react(question, llm, tools, max_steps):
        history = []
        for _ in range(max_steps + (change == "one more")):
            decision = parse(llm(f"{question}\n" + "\n".join(history) + "\nThought:"))
            if decision.answer is not None:
                return None if change == "no return" else decision.answer
            call = decision.calls[0]
            if change == "unknown ends" and call.name not in tools:
                return "unknown tool"
            seen = tools[call.name](call.arguments) if change else ""
            lines = step_text(decision, seen).rstrip("\n").split("\n")
            if change == "newest only":
                history = []
            kept = {
                "no thought": lines[1:],
                "no action": [lines[0], lines[2]],
                "no seen": lines[:2],
            }
            entry = "\n".join(kept.get(change, lines))
            history = [entry, *history] if change == "newest first" else [*history, entry]
        return "no answer" if change == "sentence" else None

    return react


def silent(question, llm, tools, max_steps):
    known = {**tools, "Telescope": lambda text: ""}
    return growing_text(question, llm, known, max_steps)


def as_tool(question, llm, tools, max_steps):
    wrapped = {name: (lambda text, tool=tool: tool.execute(text)) for name, tool in tools.items()}
    return growing_text(question, llm, wrapped, max_steps)


def tool_lines(question, llm, tools, max_steps):
    lines = [tool.description for tool in tools.values()]
    return growing_text("\n".join([*lines, question]), llm, tools, max_steps)


def in_letters(question, llm, tools, max_steps):
    """Joins a string as if it were a list, as build_prompt does with `history = ""`."""
    history = ""
    for _ in range(max_steps):
        decision = parse(llm(f"{question}\n" + "\n".join(history)))
        if decision.answer is not None:
            return decision.answer
        call = decision.calls[0]
        history += step_text(decision, tools[call.name](call.arguments))
    return None


def any_tool(question, llm, tools, max_steps):
    known = {**tools, "Telescope": next(iter(tools.values()))}
    return growing_text(question, llm, known, max_steps)


def terse(question, llm, tools, max_steps):
    known = {**tools, "Telescope": lambda text: "404"}
    return growing_text(question, llm, known, max_steps)


def newest_five(question, llm, tools, max_steps):
    history = []
    for _ in range(max_steps):
        decision = parse(llm(f"{question}\n" + "".join(history[-5:]) + "Thought:"))
        if decision.answer is not None:
            return decision.answer
        call = decision.calls[0]
        seen = tools[call.name](call.arguments) if call.name in tools else "No such tool."
        history.append(step_text(decision, seen))
    return None


def twice(question, llm, tools, max_steps):
    history = ""
    for _ in range(max_steps):
        decision = parse(llm(f"{question}\n{history}Thought:"))
        if decision.answer is not None:
            return decision.answer
        call = decision.calls[0]
        seen = tools[call.name](call.arguments) if call.name in tools else "No such tool."
        history += 2 * step_text(decision, seen)
    return None


def endless(question, llm, tools, max_steps):
    return growing_text(question, llm, tools, 10**6)


def split_at_chinese_markers(question, llm, tools, max_steps):
    reply = llm(question)
    if "最终答案：" in reply:
        return reply.split("最终答案：")[1]
    return reply.split("行动：")[1]


def limit_as_text(question, llm, tools, max_steps):
    return growing_text(question, llm, tools, max_steps) or "Sorry, no answer."


RIGHT = [
    ("05.1", terse),
    ("05.1", growing_text),
    ("05.1", described),
    ("05.1", raw_replies),
    ("05.1", recursive),
]
WRONG = [
    ("05.1", loop_with("no thought"), "Prompt 2 has the observation but not the thought"),
    ("05.1", loop_with("no seen"), "Prompt 2 has the thought of step 1 but not what the tool said"),
    ("05.1", loop_with("no action"), "Prompt 2 does not show the action Lookup["),
    ("05.1", loop_with("newest only"), "Prompt 3 shows nothing of step 1"),
    ("05.1", in_letters, "In prompt 2 the steps stand one letter to a line"),
    ("05.1", loop_with("newest first"), "does not stand where it happened"),
    ("05.1", loop_with("no return"), "your function returned None. Is there a return?"),
    ("05.1", loop_with("unknown ends"), "ended with 'unknown tool'"),
    ("05.1", loop_with("plain"), "stopped with KeyError: 'Telescope'. Nobody told the model"),
    ("05.1", as_tool, "plain functions and have no .execute. Call one as tools[name](text)"),
    ("05.1", tool_lines, "plain functions and have no .description"),
    ("05.1", any_tool, "your loop ran Lookup. Never run another tool"),
    ("05.1", newest_five, "Prompt 7 shows nothing of step 1"),
    ("05.1", twice, "the observation of step 1 stands twice"),
    ("05.1", silent, "does not say that there is no such tool"),
    ("05.1", endless, "the loop went on; max_steps is 3"),
    ("05.1", split_at_chinese_markers, "of range. The model of this edition writes the markers"),
    ("05.1", limit_as_text, "A limit is no answer"),
    ("05.1", lambda question, llm, tools, steps: "146", "the model was called 0 times"),
    ("05.1", lambda question, llm: "146", "Case 1: your function stopped with TypeError"),
]


# 05.2


def by_questions(run):
    last = run.steps[-1]
    if run.answer is not None:
        refused = [o for step in run for o in step.observations if o.error == "denied"]
        return "denied" if refused else "answered"
    if last.completion is None:
        return "model_error"
    if all(step.decision is None for step in run.steps):
        return "unreadable"
    return "interrupted" if last.calls and not last.observations else "max_steps"


def by_enum(run):
    """Looks at failures and calls, and returns the package's own values."""
    last = run.steps[-1]
    if any(failure.kind == "LLMError" for failure in last.failures):
        return StopReason.MODEL_ERROR
    if run.answer:
        errors = {seen.error for step in run.steps for seen in step.observations}
        return StopReason.DENIED if "denied" in errors else StopReason.ANSWERED
    if not any(step.calls for step in run.steps):
        return StopReason.UNREADABLE
    unfinished = len(last.calls) > len(last.observations)
    return StopReason.INTERRUPTED if unfinished else StopReason.MAX_STEPS


def by_events(run):
    kinds = [type(event).__name__ for event in run.events]
    if kinds[-1] == "ModelCall":
        return "Model_Error"
    if "Decision" not in kinds:
        return "unreadable "
    if kinds[-1] == "Decision":
        if run.answer is None:
            return "interrupted"
        seen = [event.observation for event in run.events if hasattr(event, "observation")]
        return "denied" if any(one.error == "denied" for one in seen) else "answered"
    return "max_steps"


def any_error(run):
    """Takes every error for a refusal."""
    errors = [seen.error for step in run for seen in step.observations if seen.error]
    return "denied" if run.answer is not None and errors else by_questions(run)


def last_reply(run):
    """Judges by the last reply alone."""
    last = run.steps[-1]
    unread = last.completion is not None and last.decision is None
    return "unreadable" if unread else by_questions(run)


def refused_first(run):
    """Asks for a refusal before it asks for an answer."""
    refused = [o for step in run for o in step.observations if o.error == "denied"]
    return "denied" if refused else by_questions(run)


def where_answered(run):
    found = by_questions(run)
    return "answered" if found == "denied" else found


def where_no_answer(run):
    return by_questions(run) if run.answer is not None else "max_steps"


def last_only(run):
    """Takes the last reply for all of them."""
    found = by_questions(run)
    return "unreadable" if found == "max_steps" and len(run) > 4 else found


SAMPLE = {2: "answered", 4: "max_steps", 1: "model_error"}
RIGHT += [("05.2", by_questions), ("05.2", by_enum), ("05.2", by_events)]
WRONG += [
    ("05.2", lambda run: "max_steps", "Run C: the server failed on call 1. Would more steps help?"),
    ("05.2", where_answered, "Run E: not answered. There is an answer, but look at the errors"),
    ("05.2", where_no_answer, "Run C: not max_steps. In its last step the model gave no reply"),
    ("05.2", last_only, "Run B (a hidden case): not unreadable"),
    (
        "05.2",
        any_error,
        "Run G (a hidden case): not denied. There is an answer, and no observation",
    ),
    (
        "05.2",
        last_reply,
        "Run H (a hidden case): not unreadable. The model replied every time",
    ),
    (
        "05.2",
        refused_first,
        "Run I (a hidden case): not denied. It has no answer",
    ),
    ("05.2", lambda run: "finished", "returned 'finished', which is none of answered, denied"),
    ("05.2", lambda run: run.stop_reason, "Run A: your function returned None"),
    ("05.2", lambda run: SAMPLE[len(run)], "not"),
]


def by_heart(run):
    """Knows the runs that the notebook shows."""
    known = {str(run.events): by_questions(run) for run in stopped_runs(0).values()}
    return known.get(str(run.events), "answered")


SAMPLES = [
    ("05.1", lambda question, llm, tools, max_steps: "34567"),
    ("05.2", by_heart),
]
