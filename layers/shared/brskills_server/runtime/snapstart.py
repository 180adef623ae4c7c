"""SnapStart: AWS takes a snapshot of a loaded function and starts every process from it.

Create no per-process state before the snapshot. Clients are made, but connect with the first call; the
registry's thread begins with the first look-up. Keys, ids and salts come from the system's random source,
which no snapshot holds; times are read when needed; botocore renews expired credentials. What remains is the
state of Python's and OpenSSL's random generators.
"""

import os
import random
from types import ModuleType


def prepare(app: ModuleType) -> None:
    """Call the function's ``warm_up``, and register what each restored process does first."""
    import snapshot_restore_py  # type: ignore[import-not-found]  # a part of AWS's runtime alone

    if hasattr(app, "warm_up"):
        app.warm_up()
    snapshot_restore_py.register_after_restore(_reseed)


def _reseed() -> None:
    """Seed the random numbers of this process: for pauses between retries, and for OpenSSL."""
    import ssl  # loaded already by functions that use TLS; others do without it

    random.seed()
    ssl.RAND_add(os.urandom(48), 48.0)
