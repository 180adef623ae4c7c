"""The announcer of a deployment: its watches, compared with the snapshot that ``REGISTRY_COPY`` names."""

from brskills_server.runtime.services import Services
from brskills_server.runtime.snapshot import open_history, open_snapshot
from brskills_server.watches.announcing import Announcer


def open_announcer(services: Services) -> Announcer | None:
    """Return the announcer, if there is a snapshot. Raise ``ValueError`` for a wrong ``REGISTRY_COPY``."""
    snapshot = open_snapshot(services.settings)
    return Announcer(services.store, snapshot, open_history(services.settings)) if snapshot else None
