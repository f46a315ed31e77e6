"""The patient policies: what a robust agent does beside what every agent does."""

from __future__ import annotations

from reactlab.errors import ConfigError
from reactlab.policies import Policy
from reactlab.policies.retrying import (
    ask_again_when_empty,
    ask_again_when_refused,
    retry_when_down,
    shorten_when_too_long,
    use_again,
    wait_when_limited,
)
from reactlab.policies.watching import LastStep, NoLoops, Progress


def patient(
    max_retries: int = 3, max_steps: int = 10, *, threshold: int = 3, patience: int = 4
) -> tuple[Policy, ...]:
    """Policies for any agent: try again what chance may heal, tell the model the rest.

    `max_retries` is the number of attempts in all, each failed one paid for. `max_steps` has to be
    that of the agent. `threshold` is that of the `LoopDetector`; `patience` counts steps that bring
    nothing.
    """
    limits = {"max_retries": max_retries, "threshold": threshold, "patience": patience}
    for name, value in limits.items():
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            raise ConfigError(f"{name} has to be a whole number from 1 on, not {value!r}.")
    return (
        wait_when_limited(max_retries),
        retry_when_down(max_retries),
        ask_again_when_empty(max_retries),
        ask_again_when_refused(max_retries),
        use_again(max_retries),
        shorten_when_too_long(),
        NoLoops(threshold),
        Progress(patience),
        LastStep(max_steps),
    )
