"""A simulator of the six registry providers: recorded and invented answers, faults, bad days.

In tests ``with Simulator() as providers: …``; alone ``python -m tests.simulator --port 9100``.
"""

from tests.simulator.server import PROVIDERS, Simulator

__all__ = ["PROVIDERS", "Simulator"]
