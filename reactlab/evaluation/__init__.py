"""Measuring agents: tasks, scorers, runs that can be resumed, and how sure the result is."""

from reactlab.evaluation.intervals import cluster_bootstrap, wilson
from reactlab.evaluation.item import Item
from reactlab.evaluation.log import load, load_all, save
from reactlab.evaluation.paired import Paired, mcnemar, paired_comparison
from reactlab.evaluation.results import Results
from reactlab.evaluation.runner import evaluate, rescore
from reactlab.evaluation.task import Sample, Score, Task, read_samples

__all__ = [
    "Item",
    "Paired",
    "Results",
    "Sample",
    "Score",
    "Task",
    "cluster_bootstrap",
    "evaluate",
    "load",
    "load_all",
    "mcnemar",
    "paired_comparison",
    "read_samples",
    "rescore",
    "save",
    "wilson",
]
