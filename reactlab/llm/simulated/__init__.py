"""SimulatedLLM: the embedded default model, rules in place of a network."""

from .explain import Explanation
from .model import SimulatedLLM

__all__ = ["Explanation", "SimulatedLLM"]
