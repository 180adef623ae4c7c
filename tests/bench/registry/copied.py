"""A look-up from our own copy beside a stored answer and beside the first provider, over SQLite.

What a deployment puts together is asked, by turns, so that all meet the same weather. The provider is the
simulator on this machine: it adds no network and does not think.
"""

import statistics
import time
from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

from brskills_server.registry.query import Freshness, Query
from brskills_server.registry.registry import Registry
from brskills_server.runtime.companies import open_companies
from brskills_server.runtime.services import Services
from brskills_server.runtime.settings import Settings
from tests.register.copy_file import write_copy
from tests.simulator import Simulator
from tests.simulator.companies import company

COMPANIES = [f"{number:08}000100" for number in range(2000)]
ROUNDS = 5


def compare() -> Mapping[str, float]:
    """Seconds at the median of each way."""
    with TemporaryDirectory() as folder, Simulator() as providers:
        write_copy(Path(folder, "receita"), [company(cnpj) for cnpj in COMPANIES], date(2026, 9, 12))
        plain = {"STORE": f"sqlite:///{folder}/store.db", "OPENCNPJ_URL": providers.urls["opencnpj"]}
        without = _registry(plain)
        with_copy = _registry({**plain, "REGISTRY_COPY": f"{folder}/receita"})
        ways: dict[str, Callable[[str], object]] = {
            "the first provider, and stored": lambda cnpj: without.look_up(Query(cnpj, Freshness(0))),
            "a stored answer": lambda cnpj: without.look_up(Query(cnpj)),
            "our own copy": lambda cnpj: with_copy.look_up(Query(cnpj)),
        }
        spent: dict[str, list[float]] = {way: [] for way in ways}
        for _ in range(ROUNDS):
            for cnpj in COMPANIES:
                for way, find in ways.items():
                    began = time.perf_counter()
                    find(cnpj)
                    spent[way].append(time.perf_counter() - began)
        without.close()
        with_copy.close()
    return {way: statistics.median(times) for way, times in spent.items()}


def _registry(environment: Mapping[str, str]) -> Registry:
    services = Services(Settings.from_environment(environment))
    services.maintenance.prepare()
    return open_companies(services).registry
