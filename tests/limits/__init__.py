"""What one call may cost at most, measured: the figures of docs/limits.md.

``make limits`` drives every route in one process with the most expensive input that is known, right and
wrong, over a store in memory and simulated sources. ``make test`` holds what does not depend on the machine
(bytes, operations of the store, calls of sources, the log) to the document.
"""
