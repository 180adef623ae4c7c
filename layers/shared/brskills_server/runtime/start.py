"""The handler of every function on AWS, over the ``app`` in the function's folder.

SnapStart starts every process from a snapshot of a loaded function, so create no per-process state at import:
clients connect with the first call, and keys, ids and salts come from the system's random source.
"""

import os
from importlib import import_module
from importlib.util import find_spec


def _reseed() -> None:
    """Seed the random numbers of this process, for libraries and for OpenSSL."""
    import random  # loaded already by functions that use it or TLS; others do without
    import ssl

    random.seed()
    ssl.RAND_add(os.urandom(48), 48.0)


app = import_module("app")  # by name: there is one in each function's folder
handler = app.handler
# Runtimes without snapshots have no such hooks.
if os.environ.get("AWS_LAMBDA_INITIALIZATION_TYPE") == "snap-start" and find_spec("snapshot_restore_py"):
    import snapshot_restore_py  # type: ignore[import-not-found]  # a part of AWS's runtime alone

    if hasattr(app, "warm_up"):
        app.warm_up()
    snapshot_restore_py.register_after_restore(_reseed)
