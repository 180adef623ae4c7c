"""The way to 10,000 calls a second, simulated: ``python -m tests.bench.scale`` keeps it in docs/costs.md."""
