"""Settings decide what a deployment consists of, and each part is opened when it is asked for."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from brskills_server.adapters import parameter_store
from brskills_server.adapters.webhook_queue import WebhookQueue
from brskills_server.registry.query import Freshness, Query
from brskills_server.runtime.companies import open_companies
from brskills_server.runtime.services import Services, opened_once
from brskills_server.runtime.settings import Settings
from brskills_server.runtime.snapshot import open_snapshot
from brskills_server.runtime.stores import open_stores
from tests.for_each import for_each
from tests.register.copy_file import write_copy
from tests.simulator.companies import company

COMPANY = "11222333000181"


def test_a_part_is_opened_once() -> None:
    services = Services(Settings.from_environment({"STORE": "memory"}))
    assert services.store is services.store
    assert services.ledger is services.ledger
    assert open_companies(services) is open_companies(services)
    assert services.processor is None


def test_tokens_turn_on_paid_addresses_and_are_read_when_they_are_needed(monkeypatch) -> None:
    monkeypatch.setattr(parameter_store, "_get_parameter", None)  # nobody reads one here
    tokens = {"CNPJA_TOKEN": "hunter2", "CNPJWS_TOKEN": "ssm:/brskills/cnpjws"}
    settings = Settings.from_environment({"STORE": "memory", **tokens})
    services = Services(settings)
    assert open_companies(services)
    assert settings.registry_tokens == {"cnpja": "hunter2", "cnpjws": "ssm:/brskills/cnpjws"}
    assert settings.paid_lookups_per_day == 100
    assert "hunter2" not in f"{settings} {vars(services)}"


def test_a_queue_is_woken_where_there_is_one(monkeypatch) -> None:
    monkeypatch.setenv("AWS_DEFAULT_REGION", "sa-east-1")
    woken: list[tuple[str, ...]] = []
    monkeypatch.setattr(WebhookQueue, "wake", lambda queue, *name: woken.append((queue._url, *name)))
    for url in ("", "https://sqs.example/queue"):
        monkeypatch.setenv("WEBHOOK_QUEUE", url)
        store: Any = open_stores(Settings.from_environment({"STORE": "dynamodb"})).access
        store._wake("acc_1", "wh_1")
    assert woken == [("https://sqs.example/queue", "acc_1", "wh_1")]


@for_each(
    "settings",
    [{}, {"REGISTRY_COPY": " "}, {"REGISTRY_COPY": "/nowhere", "REGISTRY_PROVIDERS": "opencnpj,cnpja"}],
)
def test_there_is_no_copy_where_none_is_named_or_none_would_be_read(settings: dict[str, str]) -> None:
    services = Services(Settings.from_environment({"STORE": "memory", **settings}))
    assert open_snapshot(services.settings) is None
    with closing(open_companies(services).registry) as registry:
        assert "receita" not in [source.id for source in registry.health()]


def test_a_copy_in_a_folder_answers(tmp_path: Path) -> None:
    write_copy(tmp_path, [company(COMPANY)], date(2026, 9, 12))
    services = Services(Settings.from_environment({"STORE": "memory", "REGISTRY_COPY": str(tmp_path)}))
    registry = open_companies(services).registry
    found = registry.look_up(Query(COMPANY, Freshness(0))).content()
    assert (found["fonte"], found["data_base"]) == ("receita", "2026-09-12")
    with closing(registry):
        assert registry.health()[0].id == "receita"


class Slow:
    """An owner whose part takes until a second thread could have begun to open it too."""

    def __init__(self) -> None:
        self.opened = 0
        self.begun = threading.Event()

    @opened_once
    def part(self) -> object:
        """A part."""
        self.opened += 1
        self.begun.wait(0.1) if self.opened == 1 else self.begun.set()
        return object()


def test_a_part_is_opened_once_by_threads_too() -> None:
    owner = Slow()
    with ThreadPoolExecutor(8) as threads:
        found = set(threads.map(lambda _: owner.part, range(8)))
    assert (len(found), owner.opened) == (1, 1)


def test_another_owner_has_a_part_of_its_own_and_a_failure_is_not_kept() -> None:
    class Failing:
        attempts = 0

        @opened_once
        def part(self) -> int:
            self.attempts += 1
            return 1 // (self.attempts - 1)

    failing = Failing()
    with pytest.raises(ZeroDivisionError):
        failing.part  # noqa: B018
    assert failing.part == 1
    assert Slow().part is not Slow().part
