"""The snapshot of the federal register (``registry.snapshot``), which is never called over HTTP."""

from brskills_server.registry.providers.provider import Provider

PROVIDER = Provider(
    id="receita",
    group="receita",
    base_url="",
    path="",
    timeout=1.0,
    fields={},
    monthly_dump=True,
)
