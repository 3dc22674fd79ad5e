"""Measurements of a judge, to show them: compared with thresholds, or weighed and added."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Signal:
    """One measurement that a judge compares with a threshold.

    `value` and `threshold` are shares (float, mostly 0 to 1) or counts (int). `parameter` names the
    parameters that set the threshold, "" if none does; `is_most` says that a copy has no more than that.
    """

    name: str
    value: float
    threshold: float
    parameter: str = ""
    is_most: bool = False

    @property
    def passed(self) -> bool:
        """Whether the value is on the side of a copy."""
        return self.value <= self.threshold if self.is_most else self.value >= self.threshold


@dataclass(frozen=True, slots=True)
class Part:
    """A measurement, and what it adds to the sum of a judge that weighs: the logarithm of the odds."""

    name: str
    value: float | None
    """A share, or a count if it is an int; None for what every pair begins with."""
    points: float
    """Above 0 they speak for one story, below 0 for two."""
