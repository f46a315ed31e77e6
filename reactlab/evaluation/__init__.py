"""Measuring agents: intervals for now; metrics and the evaluator follow."""

from reactlab.evaluation.intervals import wilson

__all__ = ["wilson"]
