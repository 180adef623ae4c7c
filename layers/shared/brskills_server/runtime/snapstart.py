"""A function of which AWS takes a snapshot once it is loaded, and that begins from it ever after (SnapStart).

Until then nothing may be there that only one process can have. Clients are made, but a connection only for
the first call, and the registry's thread for the first look-up. Keys, ids and salts come from the system's
own chance, which no snapshot holds. Times are read when they are needed. Credentials are those of AWS's
container, which botocore renews where they have run out. What is left is the chance that a process keeps.
"""

import os
import random
from importlib import import_module
from types import ModuleType

__all__ = ["prepare"]


def prepare(app: ModuleType) -> None:
    """Open what the function names by ``warm_up``, and register what each restored process does first."""
    if hasattr(app, "warm_up"):
        app.warm_up()
    import_module("snapshot_restore_py").register_after_restore(_begin_apart)


def _begin_apart() -> None:
    """Let this process's chance be its own: pauses before a write is tried again, and OpenSSL's numbers."""
    random.seed()
    # It mixes them in; what a function speaks TLS with has loaded it.
    import_module("ssl").RAND_add(os.urandom(48), 48.0)
