"""The rebooking example: a real database, and nothing changed that nobody approved."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from conftest import Runner
from scripts import scripted

from reactlab import FlightAgent, FlightDesk, StopReason, ToolError, Trace, flight_tools

SCRIPT = [
    "Thought: I need the booking first.\nAction: SearchBooking[12345]",
    "Thought: It is flight RL701. Is it really delayed?\n"
    "Action: CheckFlightStatus[RL701, 2026-07-16]",
    "Thought: It is not delayed, it is cancelled. Which flights are left today?\n"
    "Action: SearchAlternatives[Shanghai, Beijing, 2026-07-16]",
    "Thought: 14:00 arrives 16:15, before the meeting.\nAction: RescheduleFlight[12345, RL714]",
    "Thought: Done.\nFinal Answer: You are on the 14:00 flight RL714.",
]
QUESTION = "My order is 12345 and my 7:00 flight is delayed. Rebook me, please."


def moved(desk: FlightDesk) -> str:
    with closing(sqlite3.connect(desk.path)) as connection:
        ((flight,),) = connection.execute(
            "SELECT flight_number FROM bookings WHERE order_id = '12345'"
        )
    return str(flight)


def test_the_golden_run_has_five_thoughts_and_four_actions(run: Runner) -> None:
    agent = FlightAgent(scripted(*SCRIPT), approve="always")
    trace = run(agent, QUESTION)
    assert len([step.thought for step in trace.steps if step.thought]) == 5
    assert [call.name for step in trace.steps for call in step.calls] == [
        "SearchBooking",
        "CheckFlightStatus",
        "SearchAlternatives",
        "RescheduleFlight",
    ]
    booking, status, choices, done = (str(step.observations[0]) for step in trace.steps[:4])
    assert "07:00" in booking
    assert "cancelled" in status
    assert all(time in choices for time in ("09:00", "14:00", "18:00"))
    assert "rebooked" in done
    assert moved(agent.desk) == "RL714"
    assert trace.stop_reason is StopReason.ANSWERED


def test_without_an_approver_the_run_ends_denied_and_says_how_to_allow(run: Runner) -> None:
    agent = FlightAgent(scripted(*SCRIPT))
    trace = run(agent, QUESTION)
    assert trace.stop_reason is StopReason.DENIED
    assert 'approve="always"' in str(trace)
    assert moved(agent.desk) == "RL701"


def test_an_approver_sees_the_call_with_its_arguments_by_name(run: Runner) -> None:
    asked = []
    agent = FlightAgent(scripted(*SCRIPT), approve=lambda call: asked.append(call) or True)
    run(agent, QUESTION)
    ((call,),) = [asked]
    assert call.arguments == {"order_id": "12345", "flight_number": "RL714"}


def test_seats_are_counted_and_rebooking_twice_changes_nothing_more(tmp_path: Path) -> None:
    desk = FlightDesk(tmp_path / "f.sqlite")
    assert desk.reschedule_flight("12345", "rl714")["result"] == "rebooked"
    assert desk.reschedule_flight("12345", "RL714")["result"] == "unchanged"
    seats = {row["departure"]: row["seats_left"] for row in _choices(desk)}
    assert seats["14:00"] == 11
    again = FlightDesk(tmp_path / "f.sqlite")
    assert again.search_booking("12345")["flight_number"] == "RL714"


def _choices(desk: FlightDesk) -> list[dict[str, int]]:
    return desk.search_alternatives("Shanghai", "Beijing")


@pytest.mark.parametrize("flight", ["RL701x", "RL808", "RL720", "RL701'; DROP TABLE bookings"])
def test_a_flight_that_does_not_fit_is_refused_and_nothing_moves(flight: str) -> None:
    desk = FlightDesk()
    with pytest.raises(ToolError):
        desk.reschedule_flight("12345", flight)
    assert moved(desk) == "RL701"


def test_unknown_bookings_flights_and_routes_say_so() -> None:
    desk = FlightDesk()
    for ask in (
        lambda: desk.search_booking("99999"),
        lambda: desk.check_flight_status("RL999"),
        lambda: desk.search_alternatives("Shanghai", "Atlantis"),
    ):
        with pytest.raises(ToolError, match=r"no |No "):
            ask()


def test_the_last_seat_is_sold_once(tmp_path: Path) -> None:
    desk = FlightDesk(tmp_path / "f.sqlite")
    with closing(sqlite3.connect(desk.path)) as connection, connection:
        connection.execute("UPDATE flights SET seats_left = 1 WHERE flight_number = 'RL714'")
        for number in range(8):
            connection.execute(
                "INSERT INTO bookings VALUES (?, 'Guest', 'RL709', '2026-07-16')",
                (f"7000{number}",),
            )

    def move(number: int) -> str:
        try:
            return str(desk.reschedule_flight(f"7000{number}", "RL714")["result"])
        except ToolError:
            return "refused"

    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(move, range(8)))
    assert sorted(results) == ["rebooked"] + ["refused"] * 7


def test_the_chinese_edition_has_chinese_cities_and_states() -> None:
    desk = FlightDesk(language="zh")
    assert desk.search_booking("12345")["origin"] == "上海"
    assert desk.check_flight_status("RL701")["status"] == "取消"
    assert len(desk.search_alternatives("上海", "北京")) == 3
    assert (
        "订单"
        in {tool.name: tool.description for tool in flight_tools(desk, language="zh")}[
            "SearchBooking"
        ]
    )


def test_each_agent_has_a_world_of_its_own() -> None:
    one, other = FlightAgent(scripted(*SCRIPT), approve="always"), FlightAgent(scripted(*SCRIPT))
    assert isinstance(one.run(QUESTION), Trace)
    assert moved(other.desk) == "RL701"
