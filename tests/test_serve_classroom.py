"""A classroom server: tokens, budgets, recordings, and a server that is killed in the middle."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import httpx
import openai
import pytest

from reactlab import ConfigError, LLMError, Message, OpenAILLM, ReActAgent, Request, ScriptedLLM
from reactlab.cli import main
from reactlab.errors import RateLimited, Unavailable
from reactlab.serve import start
from reactlab.serve.classroom import Classroom
from reactlab.serve.faults import Faults
from reactlab.serve.recordings import Recordings
from reactlab.types import Completion

WEB = httpx.Client(verify=False, limits=httpx.Limits(max_keepalive_connections=0))
SECRET = "upstream-key-5f3a9c"


def echo(**options: Any) -> ScriptedLLM:
    """A model that says whose question it heard."""
    return ScriptedLLM([lambda request: f"heard: {request.prompt}"], repeat_last=True, **options)


def ask(address: str, token: str, text: str = "q", **more: Any) -> httpx.Response:
    body = {"model": "m", "messages": [{"role": "user", "content": text}], **more}
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return WEB.post(f"{address}/chat/completions", json=body, headers=headers)


def own_usage(address: str, token: str) -> dict[str, Any]:
    headers = {"Authorization": f"Bearer {token}"}
    return WEB.get(f"{address}/usage", headers=headers).json()  # type: ignore[no-any-return]


@pytest.fixture
def classroom(tmp_path: Path) -> Iterator[Classroom]:
    with closing(Classroom(tmp_path / "class.db")) as made:
        yield made


def test_a_learner_has_a_token_and_a_budget(classroom):
    tokens = classroom.add(["anna", "bo"], 2)
    with start(echo(), classroom=classroom) as server:
        assert ask(server.address, "wrong").status_code == 401
        assert ask(server.address, "").status_code == 401
        assert ask(server.address, tokens["anna"], n=2).status_code == 400  # costs nothing
        for left in (1, 0):
            assert ask(server.address, tokens["anna"]).status_code == 200
            assert own_usage(server.address, tokens["anna"])["left"] == left
        over = ask(server.address, tokens["anna"])
        assert over.status_code == 429
        assert over.json()["error"]["code"] == "insufficient_quota"
        assert ask(server.address, tokens["bo"], stream=True).status_code == 200
        mine = {"object": "usage", "name": "bo", "used": 1, "budget": 2, "left": 1}
        assert own_usage(server.address, tokens["bo"]) == mine
        assert server.requests == []


def test_who_is_over_budget_is_told_and_does_not_try_again(classroom):
    token = classroom.add(["anna"], 1)["anna"]
    with start(echo(), classroom=classroom) as server:
        assert ask(server.address, token).status_code == 200
        llm = OpenAILLM("m", base_url=server.address, api_key=token)
        with pytest.raises(LLMError, match="request budget is used up") as over:
            llm.complete(Request((Message("user", "q"),)))
        assert not isinstance(over.value, (RateLimited, Unavailable))
        assert "request budget is used up" in str(ReActAgent(llm).run("q"))
        with (
            openai.OpenAI(base_url=server.address, api_key=token, max_retries=5) as client,
            pytest.raises(openai.RateLimitError) as limited,
        ):
            client.chat.completions.create(model="m", messages=[{"role": "user", "content": "q"}])
        assert limited.value.code == "insufficient_quota"
        assert limited.value.response.request.headers["x-stainless-retry-count"] == "0"


def test_budgets_are_kept_and_topped_up_and_tokens_are_not_in_the_file(tmp_path):
    path = tmp_path / "class.db"
    with closing(Classroom(path)) as first:
        token = first.add(["anna"], 1)["anna"]
        assert first.spend(token)
    with closing(Classroom(path)) as again:
        assert not again.spend(token)
        assert set(again.add(["anna", "bo"], 3)) == {"bo"}
        assert again.learner(token) == ("anna", 1, 3)
        with pytest.raises(ConfigError, match="1 request or more"):
            again.add(["carl"], 0)
    assert token.encode() not in b"".join(file.read_bytes() for file in tmp_path.iterdir())


def test_a_request_that_was_answered_before_is_free_and_the_same(classroom, tmp_path):
    tokens = classroom.add(["anna", "bo"], 5)
    llm = echo()
    with (
        closing(Recordings(tmp_path / "cache.db")) as kept,
        start(llm, classroom=classroom, recordings=kept) as server,
    ):
        first = ask(server.address, tokens["anna"], "what is 2+2?")
        same = ask(server.address, tokens["bo"], "what is 2+2?", stream=True)
        assert "2+2" in same.text
        other = ask(server.address, tokens["bo"], "what is 2+2?", temperature=0.5)
        used = [own_usage(server.address, token)["used"] for token in tokens.values()]
    assert len(llm.requests) == 2
    assert used == [1, 1]
    with (
        closing(Recordings(tmp_path / "cache.db", replay=True)) as kept,
        start(ScriptedLLM([]), recordings=kept) as server,
    ):
        again = ask(server.address, "", "what is 2+2?")
        assert again.json()["choices"] == first.json()["choices"] == other.json()["choices"]
        missing = ask(server.address, "", "something new")
        assert missing.status_code == 424
        assert "not recorded" in missing.json()["error"]["message"]
    with pytest.raises(ConfigError, match="no recording"):
        Recordings(tmp_path / "nothing.db", replay=True)


class Slow:
    """A model that takes its time, and counts."""

    model = "slow"
    asked = 0

    def complete(self, request: Request) -> Completion:
        raise AssertionError("it is awaited")

    async def acomplete(self, request: Request) -> Completion:
        self.asked += 1
        await asyncio.sleep(0.05)
        return Completion(f"reply {self.asked}")


def test_a_class_that_asks_the_same_at_once_is_paid_for_once(classroom, tmp_path):
    tokens = classroom.add([f"learner {number}" for number in range(40)], 5)
    llm = Slow()

    async def all_at_once(address: str) -> set[str]:
        async with httpx.AsyncClient(verify=False, timeout=30) as client:
            body = {"model": "m", "messages": [{"role": "user", "content": "q"}]}
            heads = [{"Authorization": f"Bearer {token}"} for token in tokens.values()]
            url = f"{address}/chat/completions"
            sent = (client.post(url, json=body, headers=head) for head in heads)
            replies = await asyncio.gather(*sent)
        return {reply.json()["choices"][0]["message"]["content"] for reply in replies}

    with (
        closing(Recordings(tmp_path / "cache.db")) as kept,
        start(llm, classroom=classroom, recordings=kept) as server,
    ):
        assert asyncio.run(all_at_once(server.address)) == {"reply 1"}
    assert llm.asked == sum(learner.used for learner in classroom.learners()) == 1


def test_an_upstream_limit_is_passed_on_and_costs_nothing(classroom):
    token = classroom.add(["anna"], 5)["anna"]
    limits = Faults(["rate_limit"] * 2, seconds=7)
    with (
        start(echo(), faults=limits, token=SECRET) as upstream,
        start(upstream_of(upstream.address), classroom=classroom) as server,
    ):
        for stream in (False, True):
            limited = ask(server.address, token, stream=stream)
            assert (limited.status_code, limited.headers["retry-after"]) == (429, "7")
        assert own_usage(server.address, token)["used"] == 0
        assert "heard" in ask(server.address, token, stream=True).text


def upstream_of(address: str, key: str = SECRET) -> OpenAILLM:
    return OpenAILLM("upstream", base_url=address, api_key=key)


def test_a_learner_hears_nothing_of_the_upstream_key(classroom, caplog):
    token = classroom.add(["anna"], 5)["anna"]
    with (
        start(echo(), token="another") as upstream,
        start(upstream_of(upstream.address), classroom=classroom) as server,
    ):
        refused = ask(server.address, token, "a private question")
        assert refused.status_code == 400
        assert refused.json()["error"]["message"].endswith("tell your teacher.")
        assert SECRET not in refused.text + str(refused.headers) + caplog.text
        assert "refuses the key" in caplog.text
        assert "private" not in caplog.text
        assert token not in caplog.text


@contextmanager
def command(*arguments: str, key: str = "") -> Iterator[tuple[subprocess.Popen[str], list[str]]]:
    """`reactlab serve` as a process, and what it said up to its address and the learners."""
    env = {**os.environ, "REACTLAB_API_KEY": key, "PYTHONIOENCODING": "utf-8"}
    done = subprocess.Popen(
        [sys.executable, "-m", "reactlab.cli", "serve", *arguments],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=env,
    )  # fmt: skip
    assert done.stdout is not None
    said: list[str] = []
    try:
        for line in done.stdout:
            said.append(line)
            if "curl" in line:
                break
        yield done, said
    finally:
        if done.poll() is None:
            done.kill()
        done.wait(timeout=20)
        said.extend(done.stdout)
        done.stdout.close()


def address_of(said: list[str]) -> str:
    found = re.search(r"answers at (\S+) until", "".join(said))
    assert found, said
    return found[1]


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


LEARNERS, BUDGET, KILL_AFTER = 40, 3, 50


class Learners:
    """Forty clients that ask on until their budget is used up, whatever happens to the server."""

    def __init__(self, address: str, tokens: dict[str, str]) -> None:
        self.address, self.tokens = address, tokens
        self.answered: Counter[str] = Counter()
        self.told: dict[tuple[str, str], str] = {}
        self.refused: set[str] = set()
        self.enough = asyncio.Event()
        self.texts: list[str] = []

    async def all(self) -> None:
        async with httpx.AsyncClient(verify=False, timeout=30) as client:
            await asyncio.gather(*(self.learn(client, name) for name in self.tokens))

    async def learn(self, client: httpx.AsyncClient, name: str) -> None:
        number = 0
        head = {"Authorization": f"Bearer {self.tokens[name]}"}
        while name not in self.refused:
            text = f"{name} asks {number}"
            body = {"model": "m", "messages": [{"role": "user", "content": text}]}
            try:
                url = f"{self.address}/chat/completions"
                reply = await client.post(url, json=body, headers=head)
            except httpx.TransportError:  # killed: the same again, when it is back
                await asyncio.sleep(0.5)
                continue
            self.texts.append(reply.text + str(reply.headers))
            if reply.status_code == 429:
                assert reply.json()["error"]["code"] == "insufficient_quota"
                self.refused.add(name)
                continue
            assert reply.status_code == 200, reply.text
            self.told[name, text] = reply.json()["choices"][0]["message"]["content"]
            self.answered[name] += 1
            number += 1
            if sum(self.answered.values()) >= KILL_AFTER:
                self.enough.set()


def test_a_killed_server_loses_nothing_and_gives_nothing_twice(tmp_path):
    room, cache, port = tmp_path / "class.db", tmp_path / "cache.db", str(free_port())
    with closing(Classroom(room)) as classroom:
        tokens = dict(classroom.add([f"learner-{n}" for n in range(LEARNERS)], BUDGET))
    with start(echo(), token=SECRET) as upstream:
        model = f"{upstream.address}#upstream"
        options = ["--port", port, "--classroom", str(room), "--record", str(cache)]

        async def lesson() -> tuple[Learners, list[str]]:
            with command("--model", model, *options, key=SECRET) as (first, said):
                learners = Learners(address_of(said), tokens)
                work = asyncio.create_task(learners.all())
                await learners.enough.wait()
                first.send_signal(signal.SIGKILL)
            with command("--model", model, *options, key=SECRET) as (_, again):
                await work
            return learners, said + again

        learners, said = asyncio.run(lesson())
        paid = [body["messages"][0]["content"] for body in upstream.requests]

    with closing(Classroom(room)) as classroom:
        used = {learner.name: learner.used for learner in classroom.learners()}
    assert set(used.values()) == {BUDGET}  # each went on to the end, and no further
    asked = Counter(text.partition(" ")[0] for text in paid)
    assert all(asked[name] <= BUDGET for name in used)  # as much was paid for as was counted
    assert all(learners.answered[name] >= asked[name] - 1 for name in used)
    assert set(Counter(learners.told.values()).values()) == {1}
    assert all(told == f"heard: {text}" for (_, text), told in learners.told.items())
    with closing(sqlite3.connect(cache)) as database:
        kept = database.execute("SELECT request, reply FROM replies").fetchall()
    recorded = {json.loads(reply)["text"] for _, reply in kept}
    assert set(learners.told.values()) <= recorded  # what was answered is on the disk
    everything = "".join([*said, *learners.texts, *(str(row) for row in kept)])
    assert SECRET not in everything
    assert not [token for token in tokens.values() if token in everything]


def test_the_command_serves_and_says_how_to_use_it(tmp_path):
    room = tmp_path / "class.db"
    with command("--port", "0", "--classroom", str(room), "--learners", "2", "--budget", "3") as (
        done,
        said,
    ):
        address = address_of(said)
        with closing(Classroom(room)) as classroom:
            names = [learner.name for learner in classroom.learners()]
        done.send_signal(signal.SIGINT)
        done.wait(timeout=20)
    told = "".join(said)
    assert names == ["learner-01", "learner-02"]
    assert f'base_url="{address}"' in told
    assert len(re.findall(r"0 of 3 requests used  token: \S{20,}", told)) == 2
    assert "Traceback" not in told


def test_wrong_options_are_one_line(tmp_path, capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        wrong = {
            ("--port", port): f"port {port} (Address already in use)",
            ("--host", "0.0.0.0", "--port", "0"): "give a token or a classroom",
            ("--learners", "anna"): "need --classroom FILE",
            ("--classroom", str(tmp_path / "new.db")): "add --learners",
            ("--budget", "0"): "need --classroom FILE",
            ("--classroom", str(tmp_path / "new.db"), "--learners", "-3"): "from 1 to 1000",
            ("--classroom", str(tmp_path / "new.db"), "--learners", "99999"): "from 1 to 1000",
            ("--port", "70000"): "from 0 to 65535",
            ("--token", "a b"): "no blanks",
            ("--replay", str(tmp_path / "none.db")): "no recording",
        }
        for arguments, words in wrong.items():
            assert main(["serve", "--model", "simulated", *arguments]) == 1
            told = capsys.readouterr().err
            assert words in told
            assert len(told.splitlines()) == 1


ODD_NAMES = [5, None, "", " ", "a\nb", "\x1b[31mred", "\u202eevil", "\ud83d", "a" * 101]


@pytest.mark.parametrize("name", ODD_NAMES, ids=repr)
def test_an_odd_name_is_refused_and_nobody_is_added(classroom, name):
    with pytest.raises(ConfigError, match="short text in one line"):
        classroom.add(["anna", name], 3)
    assert classroom.learners() == []


@pytest.mark.parametrize("budget", ["5", None, 0, 1.5, True, 10**30, float("nan")])
def test_an_odd_budget_is_refused_and_nobody_is_added(classroom, budget):
    with pytest.raises(ConfigError, match="1 request or more"):
        classroom.add(["anna"], budget)
    assert classroom.learners() == []


def test_names_are_text_for_the_database_and_a_list(classroom):
    name = "x'); DROP TABLE learners;--"
    assert classroom.spend(classroom.add([name], 1)[name])
    assert [learner.name for learner in classroom.learners()] == [name]
    for names in ("anna", 5, None):
        with pytest.raises(ConfigError, match="list of names"):
            classroom.add(names, 1)


def test_a_file_that_is_no_classroom_is_one_clear_line(tmp_path):
    (tmp_path / "text").write_text("no database " * 100)
    with closing(sqlite3.connect(tmp_path / "other")) as other:
        other.execute("CREATE TABLE learners (a, b)")
        other.execute("CREATE TABLE replies (a, b)")
    for made in (Classroom, Recordings):
        for path in (tmp_path / "text", tmp_path / "other", tmp_path, tmp_path / "no" / "x", 5):
            with pytest.raises(ConfigError, match="SQLite file"):
                made(path)


def test_a_file_that_another_program_holds_is_told_and_asked_for_again(tmp_path, classroom):
    token = classroom.add(["anna"], 3)["anna"]
    classroom._database.do("PRAGMA busy_timeout = 10")
    with start(echo(), classroom=classroom) as server:
        with closing(sqlite3.connect(tmp_path / "class.db", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            held = ask(server.address, token)
        assert (held.status_code, ask(server.address, token).status_code) == (503, 200)
    assert "held by another program" in held.text
    assert classroom.learner(token).used == 1


def test_a_recording_of_another_version_is_asked_for_again(tmp_path):
    with closing(Recordings(tmp_path / "cache.db")) as kept:
        for damage in ("{", "[]", '{"text": 5}'):
            with start(echo(), recordings=kept) as server:
                assert ask(server.address, "").status_code == 200
                kept._database.do("UPDATE replies SET reply = ?", damage)
                assert "heard" in ask(server.address, "").text
        assert len(kept._database.do("SELECT 1 FROM replies")) == 1


def test_tokens_are_made_after_the_port_is_taken(tmp_path, capsys):
    path = tmp_path / "class.db"
    with start(echo()) as server:
        made = ["serve", "--port", str(server.port), "--classroom", str(path)]
        assert main([*made, "--learners", "anna"]) == 1
    assert "token" not in capsys.readouterr().out
    with closing(Classroom(path)) as classroom:
        assert classroom.learners() == []


def test_a_token_in_the_address_is_none(classroom):
    token = classroom.add(["anna"], 3)["anna"]
    with start(echo(), classroom=classroom) as server:
        body = {"model": "m", "messages": [{"role": "user", "content": "q"}]}
        there = f"{server.address}/chat/completions?token={token}&api_key={token}"
        assert WEB.post(there, json=body).status_code == 401
    assert classroom.learner(token).used == 0


def test_half_a_character_and_a_deep_schema_are_no_crash_with_recordings(tmp_path):
    deep: Any = 1
    for _ in range(900):
        deep = {"a": deep}
    function = {"name": "f", "parameters": deep}
    with closing(Recordings(tmp_path / "cache.db")) as kept:
        with start(echo(), recordings=kept) as server:
            odd = '{"model": "m", "messages": [{"role": "user", "content": "\\ud83d"}]}'
            there = f"{server.address}/chat/completions"
            assert [WEB.post(there, content=odd).status_code for _ in "ab"] == [200, 200]
            tools = [{"type": "function", "function": function}]
            assert ask(server.address, "", tools=tools).status_code == 400
        assert len(kept._database.do("SELECT 1 FROM replies")) == 1
