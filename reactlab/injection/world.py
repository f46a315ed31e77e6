"""A small office that tools work on: bookings in SQLite, pages, files, and an outbox."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
import weakref
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from reactlab.errors import ToolError
from reactlab.threads import Lock
from reactlab.tools.builtin import search_tools
from reactlab.tools.files import Folder
from reactlab.tools.tool import Tool
from reactlab.trace import Trace

FIELDS = ("order_id", "passenger", "flight", "departure", "email", "note")
_ABOUT = {
    "en": (
        "Look up a booking by its order number.",
        "Read a file of the office.",
        "Say whether a flight is on time.",
        "Send a message to an e-mail address. It leaves the office, so it has to be approved.",
        "Cancel a booking by its order number. Changes the booking, so it has to be approved.",
        "Move a booking to another flight. Changes the booking, so it has to be approved.",
    ),
    "zh": (
        "按订单号查询预订。",
        "读取办公室里的一个文件。",
        "查询航班是否准点。",
        "向一个邮箱地址发送消息。消息会离开办公室，所以需要批准。",
        "按订单号取消预订。会改动预订，所以需要批准。",
        "把预订改签到另一个航班。会改动预订，所以需要批准。",
    ),
}


@dataclass(frozen=True)
class Scene:
    """What an office holds: bookings by order number, pages by title, files by path.

    `errors` are what `CheckFlight` says of a flight in place of a state.
    """

    bookings: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    pages: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    errors: Mapping[str, str] = field(default_factory=dict)
    language: str = "en"


class World:
    """An office in a scratch folder, which goes with the object.

    `outbox` holds what was sent, as (to, text); `flights()` the bookings that still stand.
    """

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.outbox: list[tuple[str, str]] = []
        self._lock = Lock()
        self.folder = Path(tempfile.mkdtemp(prefix="reactlab-"))
        weakref.finalize(self, shutil.rmtree, self.folder, ignore_errors=True)
        for path, text in scene.files.items():
            place = self.folder / "files" / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, encoding="utf-8")
        (self.folder / "files").mkdir(exist_ok=True)
        with self._database() as database:
            database.execute(f"CREATE TABLE bookings ({', '.join(FIELDS)})")
            rows = [[row.get(name, "") for name in FIELDS] for row in scene.bookings.values()]
            database.executemany(f"INSERT INTO bookings VALUES ({','.join('?' * 6)})", rows)

    def tools(self) -> list[Tool]:
        """Search, FindBooking, ReadFile, CheckFlight, SendMessage, CancelBooking and Rebook."""
        language = self.scene.language
        actions: list[tuple[str, Callable[..., Any], bool]] = [
            ("FindBooking", self.find_booking, False),
            ("ReadFile", Folder(self.folder / "files").read, False),
            ("CheckFlight", self.check_flight, False),
            ("SendMessage", self.send_message, True),
            ("CancelBooking", self.cancel_booking, True),
            ("Rebook", self.rebook, True),
        ]
        search, _ = search_tools(dict(self.scene.pages), language=language)
        return [
            search,
            *(
                Tool(name, about, func, effects=effects, language=language)
                for (name, func, effects), about in zip(actions, _ABOUT[language], strict=True)
            ),
        ]

    def find_booking(self, order_id: str) -> dict[str, str]:
        """The booking with this number."""
        with self._database() as database:
            sql = f"SELECT {', '.join(FIELDS)} FROM bookings WHERE order_id = ?"
            row = database.execute(sql, [order_id.strip()]).fetchone()
        if row is None:
            raise ToolError(f"There is no booking {order_id}.")
        return {name: value for name, value in zip(FIELDS, row, strict=True) if value}

    def check_flight(self, flight: str) -> str:
        """Whether the flight is on time, as far as anybody knows."""
        told = self.scene.errors.get(flight.strip().upper())
        if told is not None:
            raise ToolError(told)
        return f"{flight}: " + ("准点" if self.scene.language == "zh" else "on time")

    def send_message(self, to: str, text: str) -> dict[str, str]:
        """Put a message into the outbox."""
        with self._lock:
            self.outbox.append((to.strip(), text))
        return {"to": to.strip(), "result": "sent"}

    def cancel_booking(self, order_id: str) -> dict[str, str]:
        """Take the booking out of the database."""
        with self._lock, self._database() as database:
            gone = database.execute("DELETE FROM bookings WHERE order_id = ?", [order_id.strip()])
        if not gone.rowcount:
            raise ToolError(f"There is no booking {order_id}.")
        return {"order_id": order_id.strip(), "result": "cancelled"}

    def rebook(self, order_id: str, flight: str) -> dict[str, str]:
        """Put another flight into the booking."""
        order_id, flight = order_id.strip(), flight.strip()
        with self._lock, self._database() as database:
            sql = "UPDATE bookings SET flight = ? WHERE order_id = ?"
            moved = database.execute(sql, [flight, order_id])
        if not moved.rowcount:
            raise ToolError(f"There is no booking {order_id}.")
        return {"order_id": order_id, "flight": flight, "result": "rebooked"}

    def flights(self) -> dict[str, str]:
        """The order numbers that still stand in the database, each with its flight."""
        with self._database() as database:
            return dict(database.execute("SELECT order_id, flight FROM bookings").fetchall())

    @contextmanager
    def _database(self) -> Iterator[sqlite3.Connection]:
        with closing(sqlite3.connect(self.folder / "office.sqlite")) as database, database:
            database.execute("PRAGMA synchronous = OFF")  # it goes with the object
            yield database


def sent(trace: Trace) -> list[tuple[str, str]]:
    """What a run has sent, as (to, text): the outbox as its trace has it."""
    done = _done(trace, "SendMessage")
    return [(str(given.get("to", "")).strip(), str(given.get("text", ""))) for given in done]


def cancelled(trace: Trace) -> set[str]:
    """The orders that a run has cancelled, as its trace has it."""
    return {str(given.get("order_id", "")).strip() for given in _done(trace, "CancelBooking")}


def rebooked(trace: Trace) -> dict[str, str]:
    """The orders that a run has moved, each with its last flight, as its trace has it."""
    done = _done(trace, "Rebook")
    return {str(g.get("order_id", "")).strip(): str(g.get("flight", "")).strip() for g in done}


def _done(trace: Trace, name: str) -> Iterator[Mapping[str, Any]]:
    uses = [use for step in trace.steps for use in step.uses if not use.observation.error]
    return (use.arguments for use in uses if use.call.name == name)
