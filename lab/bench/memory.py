"""The memory of a server's processes: ``python -m lab.bench.memory`` (Linux). Kept in evidence/figures.md.

A gateway over SQLite with one worker and a copy of a small month, and the build of that copy. What delivers
webhooks is a thread of the gateway's worker. Resident memory, with the pages of files and libraries that
processes share. ``lab.bench.starts`` has the memory of functions on AWS.
"""

import tempfile
from pathlib import Path

import httpx

from brskills_server.adapters.snapshots.folder import FILE
from brskills_server.snapshot_builder.machine import share_of_machine
from lab.bench.building import build
from lab.bench.figure import Figure
from lab.bench.months import first_month, month_in
from lab.bench.search_kinds import drawn
from lab.bench.table import keep
from lab.bench.warm.servers import load
from tests.services.processes import memory
from tests.services.scenarios import table
from tests.services.served import served

CALLS, CALLERS, LOOK_UPS = 1_000, 8, 100
MIB = 1024 * 1024


def measure(folder: Path) -> dict[str, Figure]:
    """Measure and keep. ``folder``: of the month of which a copy is built."""
    with tempfile.TemporaryDirectory() as place:
        limit = share_of_machine().memory // MIB
        built = build(first_month(folder).folder, Path(place))
        found = _gateway(Path(place))
    found[f"build of 0.1 million; DuckDB's limit {limit:,}"] = built.memory / MIB
    keep("memory", table(["process", "MB"], [[name, f"{value:.0f}"] for name, value in found.items()]))
    return {name.partition(";")[0]: Figure(value, "MB") for name, value in found.items()}


def _gateway(copy: Path) -> dict[str, float]:
    """Return the memory of a gateway's processes. Raise ``httpx.HTTPStatusError``."""
    settings = {"WORKERS": "1", "REGISTRY_COPY": str(copy), "REGISTRY_PROVIDERS": "receita"}
    with (
        tempfile.TemporaryDirectory() as name,
        served(Path(name), f"sqlite:///{name}/bench.db", **settings) as service,
    ):
        (worker,) = service.workers()
        found = {"gateway": memory(service.process.pid), "worker, idle": memory(worker)}
        key = service.store.accounts.open("enterprise").api_key
        load(service.port, CALLS, CALLERS, key)
        found[f"worker, after {CALLS:,} Pix codes"] = memory(worker)
        with httpx.Client(base_url=service.base, headers={"X-API-Key": key}, timeout=60) as http:
            for one in drawn(month_in(copy) / FILE, LOOK_UPS):
                for path in (one.number, f"busca?cep={one.establishment['postal_code']}"):
                    http.get(f"/api/v1/skills/cnpj/{path}").raise_for_status()
        found["worker, with a copy open"] = memory(worker)
    return found


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as months:
        measure(Path(months))
