"""Attacks on a running service from outside, and what other callers notice meanwhile.

``make attacks`` (``ARGS="--checkout PATH NAMES…"``). Everything is on loopback, bounded in count and time.
"""
