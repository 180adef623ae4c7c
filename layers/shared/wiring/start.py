"""AWS's way into every function: what ``app`` of the function's folder has as ``handler``.

Modules, models and clients stay for as long as the process does. While they are loaded the collector looks
through all of them again and again, which takes up to a fifth of a cold start, and finds nothing to collect.
"""

import gc
from importlib import import_module

__all__ = ["handler"]

gc.disable()
handler = import_module("app").handler
gc.freeze()
gc.enable()
