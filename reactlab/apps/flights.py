"""Rebooking a flight: the running example, on a small real database."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
import weakref
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from importlib import resources
from pathlib import Path
from typing import Any

from reactlab.agents.react import ReActAgent
from reactlab.budget import Budget
from reactlab.effects import Approve, Permit
from reactlab.errors import ToolError
from reactlab.policies import Policy
from reactlab.prompts import words
from reactlab.threads import Lock
from reactlab.tools.tool import Tool
from reactlab.wording import say, tell

TODAY = "2026-07-16"
Row = dict[str, Any]

_CITIES = {"Shanghai": "上海", "Beijing": "北京", "Guangzhou": "广州", "Chengdu": "成都"}
_PEOPLE = {"Li Wei": "李伟", "Anna Berg": "安娜·贝格", "Chen Jing": "陈静", "Omar Haddad": "奥马尔"}
_STATES = {"on time": "准点", "delayed": "延误", "cancelled": "取消"}


class FlightDesk:
    """Bookings and flights in a SQLite file, with the four things that can be done with them.

    `path` is the database file; one that is not there yet is filled with the example's data, and
    None makes a file of its own that goes with the object. Every method opens its own connection,
    so any thread may use the desk. Errors are `ToolError`.
    """

    def __init__(self, path: str | Path | None = None, *, language: str = "en") -> None:
        self.path = Path(path) if path is not None else self._own_file()
        words(language)  # raises for a language that there is not
        self.language = language
        self._writing = Lock()
        if not self.path.exists():
            self._fill()

    def _own_file(self) -> Path:
        folder = tempfile.mkdtemp(prefix="reactlab-")
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        return Path(folder) / "flights.sqlite"

    def search_booking(self, order_id: str) -> Row:
        """The booking with this order number: passenger, flight, route and times."""
        rows = self._rows(
            "SELECT order_id, passenger, flight_number, origin, destination, date, departure,"
            " arrival FROM bookings JOIN flights USING (flight_number, date) WHERE order_id = ?",
            order_id.strip(),
        )
        told = say("There is no booking with the order number {order}.", order=order_id)
        return self._only(rows, told)

    def check_flight_status(self, flight_number: str, date: str = TODAY) -> Row:
        """Whether a flight is on time, delayed or cancelled on a date."""
        rows = self._rows(
            "SELECT flight_number, date, departure, status FROM flights"
            " WHERE flight_number = ? AND date = ?",
            flight_number.strip().upper(),
            date.strip(),
        )
        told = say("There is no flight {flight} on {date}.", flight=flight_number, date=date)
        return self._only(rows, told)

    def search_alternatives(self, origin: str, destination: str, date: str = TODAY) -> list[Row]:
        """Flights of that day on that route that fly and have seats, earliest first."""
        rows = self._rows(
            "SELECT flight_number, date, departure, arrival, seats_left FROM flights"
            " WHERE origin = ? AND destination = ? AND date = ? AND status != ? AND seats_left > 0"
            " ORDER BY departure",
            origin.strip(),
            destination.strip(),
            date.strip(),
            self._word("cancelled"),
        )
        if not rows:
            told = "No flight from {origin} to {to} on {date} has seats."
            full = say(told, origin=origin, to=destination, date=date)
            raise ToolError(tell(full, self.language))
        return rows

    def reschedule_flight(self, order_id: str, flight_number: str) -> Row:
        """Move a booking to another flight of the same day and route, in one transaction.

        Moving it to the flight it is on already changes nothing and is no error.
        """
        with self._writing, self._connection() as connection, connection:
            connection.execute("BEGIN IMMEDIATE")
            booking = self.search_booking(order_id)
            wanted = flight_number.strip().upper()
            if wanted == booking["flight_number"]:
                return {"order_id": order_id, "flight_number": wanted, "result": "unchanged"}
            choices = self.search_alternatives(
                booking["origin"], booking["destination"], booking["date"]
            )
            told = say(
                "{flight} cannot be booked instead of {booked}; choose one of {others}.",
                flight=flight_number,
                booked=booking["flight_number"],
                others=", ".join(row["flight_number"] for row in choices),
            )
            flight = self._only([row for row in choices if row["flight_number"] == wanted], told)
            self._move(connection, booking, wanted)
        return {
            "order_id": booking["order_id"],
            "flight_number": wanted,
            "departure": flight["departure"],
            "result": "rebooked",
        }

    def _move(self, connection: sqlite3.Connection, booking: Row, wanted: str) -> None:
        seats = (
            "UPDATE flights SET seats_left = seats_left + ? WHERE flight_number = ? AND date = ?"
        )
        connection.execute(seats, (-1, wanted, booking["date"]))
        connection.execute(seats, (+1, booking["flight_number"], booking["date"]))
        connection.execute(
            "UPDATE bookings SET flight_number = ? WHERE order_id = ?",
            (wanted, booking["order_id"]),
        )

    def _rows(self, sql: str, *values: str) -> list[Row]:
        with self._connection() as connection:
            return [dict(row) for row in connection.execute(sql, values)]

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        with closing(sqlite3.connect(self.path, isolation_level=None)) as connection:
            connection.row_factory = sqlite3.Row
            connection.execute("PRAGMA foreign_keys = ON")
            yield connection

    def _only(self, rows: list[Row], otherwise: str) -> Row:
        if len(rows) != 1:
            raise ToolError(tell(otherwise, self.language))
        return rows[0]

    def _word(self, state: str) -> str:
        return _STATES[state] if self.language == "zh" else state

    def _fill(self) -> None:
        sql = (resources.files("reactlab") / "data" / "flights.sql").read_text(encoding="utf-8")
        if self.language == "zh":
            for english, chinese in {**_CITIES, **_PEOPLE, **_STATES}.items():
                sql = sql.replace(f"'{english}'", f"'{chinese}'")
        with self._connection() as connection:
            connection.executescript(f"BEGIN; {sql} COMMIT;")


_DESCRIPTIONS = {
    "en": (
        "Look up a booking by its order number: passenger, flight number, route, date, times.",
        "Check the status of a flight on a date: on time, delayed or cancelled.",
        "List the flights between two cities on a date that fly and still have seats.",
        "Move a booking to another flight. Changes the booking, so it has to be approved.",
    ),
    "zh": (
        "按订单号查询预订：乘客、航班号、航线、日期和时间。",
        "查询某个航班在某天的状态：准点、延误或取消。",
        "列出某天两座城市之间照常起飞并且还有座位的航班。",
        "把预订改签到另一个航班。会改动预订，需要批准。",
    ),
}


def flight_tools(desk: FlightDesk | None = None, *, language: str = "en") -> list[Tool]:
    """SearchBooking, CheckFlightStatus, SearchAlternatives, RescheduleFlight on one desk."""
    desk = desk or FlightDesk(language=language)
    actions: list[tuple[str, Callable[..., Any]]] = [
        ("SearchBooking", desk.search_booking),
        ("CheckFlightStatus", desk.check_flight_status),
        ("SearchAlternatives", desk.search_alternatives),
        ("RescheduleFlight", desk.reschedule_flight),
    ]
    return [
        Tool(name, description, func, effects=name == "RescheduleFlight", language=language)
        for (name, func), description in zip(actions, _DESCRIPTIONS[language], strict=True)
    ]


class FlightAgent(ReActAgent):
    """Finds a booking, checks the flight, and rebooks it if that is approved.

    Without `approve`, the rebooking is denied and the run ends saying how to allow it. `desk` is
    the database it works on; by default each agent has an example of its own.
    """

    def __init__(
        self,
        llm: Any = None,
        *,
        approve: Approve = None,
        desk: FlightDesk | None = None,
        max_steps: int = 10,
        language: str = "en",
        permit: Permit = None,
        policies: Iterable[Policy] | None = None,
        budget: Budget | None = None,
    ) -> None:
        self.desk = desk or FlightDesk(language=language)
        tools = flight_tools(self.desk, language=language)
        super().__init__(
            llm,
            tools,
            max_steps,
            None,
            language=language,
            approve=approve,
            permit=permit,
            policies=policies,
            budget=budget,
        )
