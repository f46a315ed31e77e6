"""The injection lab: orders planted in data, a model that can be fooled, and what defences hold."""

from reactlab.injection.clerk import Clerk
from reactlab.injection.defences import (
    DEFENCES,
    Defence,
    all_of,
    allow_only,
    allow_tools,
    no_tainted,
    reviewer,
)
from reactlab.injection.gullible import Gullible
from reactlab.injection.lab import LabResult, run_lab, stored_lab
from reactlab.injection.making import Attack, LabTask, happened
from reactlab.injection.tasks import lab_tasks
from reactlab.injection.world import World, cancelled, rebooked, sent

__all__ = [
    "DEFENCES",
    "Attack",
    "Clerk",
    "Defence",
    "Gullible",
    "LabResult",
    "LabTask",
    "World",
    "all_of",
    "allow_only",
    "allow_tools",
    "cancelled",
    "happened",
    "lab_tasks",
    "no_tainted",
    "rebooked",
    "reviewer",
    "run_lab",
    "sent",
    "stored_lab",
]
