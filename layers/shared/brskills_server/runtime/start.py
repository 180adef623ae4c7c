"""The handler of every function on AWS, over the ``app`` in the function's folder.

Modules, models and clients live as long as the process. While they are loaded, the garbage collector would
scan all of them again and again, up to a fifth of a cold start, and find nothing.
"""

import gc
import os
from importlib import import_module
from importlib.util import find_spec

gc.disable()
app = import_module("app")  # by name: there is one in each function's folder
handler = app.handler
# Runtimes without snapshots have no such hooks.
if os.environ.get("AWS_LAMBDA_INITIALIZATION_TYPE") == "snap-start" and find_spec("snapshot_restore_py"):
    from brskills_server.runtime.snapstart import prepare

    prepare(app)
gc.freeze()
gc.enable()
