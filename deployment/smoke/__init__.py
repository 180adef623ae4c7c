"""Smoke test of a deployed service: a dozen requests, one at a time."""
