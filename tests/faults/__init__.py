"""Faults on purpose: the real gateway under traffic, something that breaks, and a recount from every side.

``make faults`` (``ARGS="postgresql-killed disk-full"`` for some of them). docs/faults.md keeps the table.
"""
