"""Flame graphs of the hot paths."""
