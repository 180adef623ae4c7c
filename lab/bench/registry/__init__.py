"""Measurements of the look-up: ``python -m lab.bench.registry``."""
