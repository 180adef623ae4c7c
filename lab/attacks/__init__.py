"""Attacks on a running service from outside, and their effect on other callers."""
