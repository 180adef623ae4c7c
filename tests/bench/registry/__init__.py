"""Measurements of the look-up: ``python -m tests.bench.registry``."""
