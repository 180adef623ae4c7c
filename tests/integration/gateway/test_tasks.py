"""Long tool calls of hosts with MCP Tasks, over sockets: workers die, and providers are slow."""

from __future__ import annotations

import os
import signal
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from typing import Any

import httpx
import pytest

from tests.services.task_host import TASKS, TaskHost
from tests.simulator.companies import numbers
from tests.simulator.replies import Reply, truth

from .service import CNPJ, DEMO, TIMEOUT, Service, eventually, serve, workers

SANDBOX = ["SANDBOX1000170", "SANDBOX2000114"]


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with serve(tmp_path_factory.mktemp("tasks"), SIGNUPS_PER_DAY="1000") as started:
        yield started


@pytest.fixture
def http(service: Service) -> Iterator[httpx.Client]:
    service.reset_providers()
    with httpx.Client(base_url=service.base, timeout=TIMEOUT) as client:
        yield client


@pytest.fixture
def host(service: Service, http: httpx.Client) -> TaskHost:
    return TaskHost(http, service.new_key())


ROOT_NUMBER = iter(range(10_000_000, 99_999_999, 7))


def companies(number: int) -> list[str]:
    """Companies that no test has asked for."""
    return numbers(str(next(ROOT_NUMBER)), number)


def slowly(provider: str, cnpj: str) -> Reply:
    """Two seconds for ten companies: in this time something happens on a busy machine, too."""
    return replace(truth(provider, cnpj), after=2)


def run_sql(service: Service, statement: str, *values: object) -> list[Any]:
    with closing(sqlite3.connect(service.store, timeout=30)) as database, database:
        return database.execute(statement, values).fetchall()


def unlease(service: Service) -> None:
    """Let the time of all leases pass."""
    run_sql(service, "UPDATE tasks SET lease_ends = 1 WHERE status = 'working'")


def kill_workers(service: Service, host: TaskHost) -> None:
    """Kill all workers; return when others answer."""

    def others_answer() -> bool:
        try:
            return host.http.get("/livez").status_code == 200
        except httpx.TransportError:  # of a connection to one that is gone
            return False

    for worker in workers(service.process.pid):
        os.kill(worker, signal.SIGKILL)
    eventually(lambda: len(workers(service.process.pid)) == 2)
    eventually(others_answer)


def entries(task: dict[str, Any]) -> list[int]:
    """The statuses of a completed task's companies."""
    assert task["status"] == "completed", task
    return [entry["status"] for entry in task["result"]["structuredContent"]["resultados"]]


def test_a_long_call_is_a_task_whose_result_is_the_call_s(host: TaskHost) -> None:
    wanted = companies(12)
    task = host.look_up([*wanted, wanted[0], "1"])
    assert task["resultType"] == "task"
    assert {"status": "working", "ttlMs": 3_600_000, "pollIntervalMs": 2_000}.items() <= task.items()
    done = host.ended(task["taskId"])
    assert done["resultType"] == "complete"
    assert done["createdAt"] == task["createdAt"]
    assert entries(done) == [200] * 13 + [422]
    result = done["result"]
    assert [item["type"] for item in result["content"]] == ["text", "text"]  # the answer, and the mark
    assert result["structuredContent"]["contadas"] == 12
    assert host.calls() == 12
    assert host.get(task["taskId"]) == {**done, "_meta": host.get(task["taskId"])["_meta"]}


def test_its_answer_is_that_of_the_same_batch_over_http(host: TaskHost) -> None:
    wanted = companies(11)
    found = host.ended(host.look_up(wanted)["taskId"])["result"]["structuredContent"]["resultados"]
    batch = host.http.post(f"{CNPJ}/lote", json={"cnpjs": wanted}, headers=host.headers).json()
    expected = [entry["resposta"] | {"idade_segundos": 0} for entry in batch["resultados"]]
    assert [entry["resposta"] | {"idade_segundos": 0} for entry in found] == expected


def test_short_calls_wrong_ones_and_those_beyond_the_month_are_answered_at_once(host: TaskHost) -> None:
    assert len(host.look_up(companies(10))["structuredContent"]["resultados"]) == 10
    assert host.look_up(SANDBOX * 20)["structuredContent"]["contadas"] == 0
    assert host.call("look_up_company", cnpj=SANDBOX[0])["resultType"] == "complete"
    counted = host.calls()
    wrong = host.look_up([*companies(11)], sobra=1)
    assert (wrong["isError"], wrong["structuredContent"]["code"]) == (True, "invalid_fields")
    wrong = host.look_up(companies(11), {"Idempotency-Key": "a b"})
    assert wrong["structuredContent"]["errors"][0]["campo"] == "Idempotency-Key"
    beyond = host.look_up(companies(91))
    assert beyond["structuredContent"]["code"] == "quota_exceeded"
    assert host.look_up(companies(91), parcial=True)["structuredContent"]["contadas"] == 90
    assert host.calls() == counted + 90


def test_hosts_without_the_extension_and_of_the_older_era_know_no_tasks(
    service: Service, http: httpx.Client
) -> None:
    key = service.new_key()
    without = TaskHost(http, key, ())
    refused = without.post("tools/call", {"name": "look_up_companies", "arguments": {"cnpjs": SANDBOX}})
    assert (refused.status_code, refused.json()["error"]["code"]) == (400, -32602)
    assert f"needs the extension {TASKS}" in refused.json()["error"]["message"]
    assert "look_up_companies" not in {tool["name"] for tool in without.ask("tools/list")["tools"]}
    assert "extensions" not in without.ask("server/discover")["capabilities"]
    for method in ("tasks/get", "tasks/update", "tasks/cancel"):
        assert without.error(method, taskId="1") == (400, -32021)

    def old(method: str, **params: Any) -> dict[str, Any]:
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        found: dict[str, Any] = http.post("/mcp", json=message, headers=key).json()
        return found

    stated: dict[str, Any] = {"extensions": {TASKS: {}}}
    greeting = old("initialize", protocolVersion="2025-11-25", capabilities=stated)["result"]
    assert "extensions" not in greeting["capabilities"]
    meta = {"io.modelcontextprotocol/clientCapabilities": stated}
    assert "look_up_companies" not in {
        tool["name"] for tool in old("tools/list", _meta=meta)["result"]["tools"]
    }
    called = old("tools/call", name="look_up_companies", arguments={"cnpjs": companies(11)}, _meta=meta)
    assert called["error"]["code"] == -32602
    assert old("tasks/get", taskId="1", _meta=meta)["error"]["code"] == -32601


def test_hosts_with_it_are_told_of_it_and_of_the_tool(host: TaskHost) -> None:
    assert host.ask("server/discover")["capabilities"]["extensions"] == {TASKS: {}}
    listed = host.ask("tools/list")
    (tool,) = (tool for tool in listed["tools"] if tool["name"] == "look_up_companies")
    assert tool["inputSchema"]["properties"]["cnpjs"]["items"]["type"] == "string"
    assert listed["cacheScope"] == "private"
    keyless = TaskHost(host.http).ask("tools/list")
    assert (keyless["cacheScope"], tool in keyless["tools"]) == ("private", True)


def test_a_worker_that_is_killed_loses_no_task_and_counts_nothing_twice(
    service: Service, host: TaskHost
) -> None:
    wanted = companies(25)
    service.providers.play("opencnpj", slowly)
    before = service.providers.asked("opencnpj")
    task = host.look_up(wanted)["taskId"]
    eventually(lambda: service.providers.asked("opencnpj") >= before + 15)  # some are stored
    kill_workers(service, host)
    service.reset_providers()
    assert host.calls() == 25  # by the attempt that died
    assert host.get(task)["status"] == "working"
    unlease(service)
    done = host.ended(task)
    assert entries(done) == [200] * 25
    assert done["result"]["structuredContent"]["contadas"] == 25
    assert host.calls() == 25
    assert service.providers.asked("opencnpj") - before <= 25 + 10  # what was found before was stored


def test_a_run_after_a_killed_one_releases_what_it_does_not_find(service: Service, host: TaskHost) -> None:
    """What the first attempt had counted belongs to the second, which answers for it alone."""
    wanted = companies(12)
    service.providers.play("opencnpj", "silent")
    before = service.providers.asked("opencnpj")
    task = host.look_up(wanted)["taskId"]
    eventually(lambda: service.providers.asked("opencnpj") > before)
    kill_workers(service, host)
    failing = set(wanted[:2])
    service.providers.play(
        "opencnpj", lambda name, cnpj: Reply(500, b"") if cnpj in failing else truth(name, cnpj)
    )
    unlease(service)
    assert entries(host.ended(task)) == [503, 503] + [200] * 10
    assert host.calls() == 10


def test_twenty_polls_at_once_start_one_run(service: Service, host: TaskHost) -> None:
    wanted = companies(12)
    service.providers.play("opencnpj", slowly)
    task = host.look_up(wanted)["taskId"]
    before = service.providers.asked("opencnpj")
    eventually(lambda: service.providers.asked("opencnpj") > before)
    with ThreadPoolExecutor(20) as pool:
        found = list(pool.map(lambda _: host.get(task), range(20)))
    assert {each["status"] for each in found} == {"working"}
    service.reset_providers()
    unlease(service)  # of the run that is under way, which then ends without effect
    with ThreadPoolExecutor(20) as pool:
        list(pool.map(lambda _: host.get(task), range(20)))
    assert entries(host.ended(task)) == [200] * 12
    assert run_sql(service, "SELECT runs FROM tasks WHERE id = ?", task) == [(2,)]
    eventually(lambda: host.calls() == 12)


def test_a_task_that_is_cancelled_stops_and_counts_nothing(service: Service, host: TaskHost) -> None:
    service.providers.play("opencnpj", slowly)
    before = service.providers.asked("opencnpj")
    task = host.look_up(companies(60))["taskId"]
    eventually(lambda: service.providers.asked("opencnpj") > before)
    assert host.calls() == 60
    ack = host.ask("tasks/cancel", taskId=task)
    assert ack.keys() == {"resultType", "_meta"}
    assert host.get(task)["status"] == "cancelled"
    eventually(lambda: host.calls() == 0)
    assert service.providers.asked("opencnpj") - before <= 20
    assert host.ask("tasks/cancel", taskId=task).keys() == {"resultType", "_meta"}
    assert host.get(task)["status"] == "cancelled"


def test_a_task_that_has_ended_is_not_cancelled_and_updates_are_acknowledged(host: TaskHost) -> None:
    task = host.look_up(companies(11))["taskId"]
    done = host.ended(task)
    assert host.ask("tasks/cancel", taskId=task)["resultType"] == "complete"
    assert host.ask("tasks/update", taskId=task, inputResponses={"x": {}}).keys() == {"resultType", "_meta"}
    assert host.get(task) == done


def test_a_task_is_of_its_account_alone_and_of_all_its_keys(service: Service, host: TaskHost) -> None:
    task = host.look_up(companies(11))["taskId"]
    done = host.ended(task)
    other = TaskHost(host.http, service.new_key())
    for method in ("tasks/get", "tasks/update", "tasks/cancel"):
        assert other.error(method, taskId=task) == other.error(method, taskId="task_0") == (400, -32602)
        assert TaskHost(host.http).error(method, taskId=task) == (401, -32010)
        assert host.error(method, {"Mcp-Name": "task_0"}, taskId=task) == (400, -32020)
        assert host.error(method, {"Mcp-Name": "1"}, taskId=1) == (400, -32602)
    rotated = host.http.post("/api/v1/keys/rotate", headers=host.headers).json()["api_key"]
    assert TaskHost(host.http, {"X-API-Key": rotated}).get(task) == done


def test_a_task_expires(service: Service, host: TaskHost) -> None:
    task = host.look_up(companies(11))["taskId"]
    host.ended(task)
    run_sql(service, "UPDATE tasks SET expires_at = 1 WHERE id = ?", task)
    assert host.error("tasks/get", taskId=task) == (400, -32602)


def test_an_account_has_few_working_tasks_and_the_demo_key_none(
    service: Service, http: httpx.Client, host: TaskHost
) -> None:
    service.providers.play("opencnpj", slowly)
    answers = [host.look_up(companies(11)) for _ in range(5)]
    assert [answer["resultType"] for answer in answers] == ["task"] * 4 + ["complete"]
    for answer in answers[:4]:
        assert entries(host.ended(answer["taskId"])) == [200] * 11
    assert host.calls() == 55
    assert host.look_up(companies(11))["resultType"] == "task"
    assert TaskHost(http, DEMO).look_up(companies(11))["resultType"] == "complete"


def test_one_idempotency_key_counts_two_tasks_once(host: TaskHost) -> None:
    wanted, key = companies(11), {"Idempotency-Key": "a"}
    for _ in range(2):
        assert entries(host.ended(host.look_up(wanted, key)["taskId"])) == [200] * 11
    assert host.calls() == 11


@pytest.mark.parametrize("end", ["failed", "cancelled"])
def test_a_task_that_ends_after_its_worker_was_killed_counts_nothing(
    service: Service, host: TaskHost, end: str
) -> None:
    """It is given up after some runs, or cancelled."""
    service.providers.play("opencnpj", "silent")
    before = service.providers.asked("opencnpj")
    task = host.look_up(companies(12))["taskId"]
    eventually(lambda: service.providers.asked("opencnpj") > before)
    kill_workers(service, host)
    service.reset_providers()
    assert host.calls() == 12
    if end == "cancelled":
        host.ask("tasks/cancel", taskId=task)
    run_sql(service, "UPDATE tasks SET runs = 5, lease_ends = 1 WHERE id = ?", task)
    ended = host.get(task)
    assert ended["status"] == end
    if end == "failed":
        assert (ended["error"]["code"], ended["statusMessage"]) == (-32603, ended["error"]["message"])
    assert host.calls() == 0


def test_the_log_names_no_company_key_or_task(service: Service, host: TaskHost) -> None:
    wanted = companies(11)
    task = host.look_up(wanted)["taskId"]
    host.ended(task)
    printed = service.output.read_text()
    for hidden in (*wanted, task, *host.headers.values()):
        assert hidden not in printed
