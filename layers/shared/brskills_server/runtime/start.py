"""AWS's way into every function: what ``app`` of the function's folder has as ``handler``.

Modules, models and clients stay for as long as the process does. While they are loaded the collector looks
through all of them again and again, which takes up to a fifth of a cold start, and finds nothing to collect.
"""

import gc
import os
from importlib import import_module
from importlib.util import find_spec

__all__ = ["handler"]

gc.disable()
app = import_module("app")
handler = app.handler
# A runtime that takes no snapshots has no such hooks.
if os.environ.get("AWS_LAMBDA_INITIALIZATION_TYPE") == "snap-start" and find_spec("snapshot_restore_py"):
    import_module("brskills_server.runtime.snapstart").prepare(app)
gc.freeze()
gc.enable()
