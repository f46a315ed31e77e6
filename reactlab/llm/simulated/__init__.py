"""SimulatedLLM: the embedded default model, rules in place of a network."""

from reactlab.llm.simulated.explain import Explanation
from reactlab.llm.simulated.model import SimulatedLLM

__all__ = ["Explanation", "SimulatedLLM"]
