"""Our own copy of the federal register: read where it lies (``brskills_server.registry.snapshot.source``), never over HTTP."""

from brskills_server.registry.providers.provider import Provider

__all__ = ["PROVIDER"]

PROVIDER = Provider(
    id="receita",
    group="receita",
    base_url="",
    path="",
    timeout=1.0,
    fields={},
    monthly_dump=True,
)
