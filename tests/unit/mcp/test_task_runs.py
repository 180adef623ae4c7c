"""Calls that become tasks and their runs: what is counted, kept and answered, whatever happens meanwhile."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from brskills_server.accounts.accounts import Accounts
from brskills_server.accounts.errors import StoreUnavailable
from brskills_server.accounts.grant import Client, Terms
from brskills_server.accounts.grants import Grants
from brskills_server.accounts.plans import PLANS
from brskills_server.agents.cards import Cards
from brskills_server.agents.extensions import RUN_ROUTE
from brskills_server.agents.server import Server
from brskills_server.agents.task_methods import TaskMethods
from brskills_server.agents.task_requests import run_event
from brskills_server.agents.task_runs import GIVEN_UP, TaskRuns
from brskills_server.agents.tool_methods import ToolTasks
from brskills_server.agents.tools import Tools
from brskills_server.metering.ledger import Ledger
from brskills_server.metering.session import Session
from brskills_server.registry.answer import Answer
from brskills_server.registry.query import Query
from brskills_server.runtime.settings import Settings
from brskills_server.skills.bulkhead import with_bulkhead
from brskills_server.skills.custom import CustomSkills
from brskills_server.skills.skill import Skill
from brskills_server.tasks.task import KEPT_SECONDS, LEASE_SECONDS, MOST_OUTCOME_BYTES, Task
from brskills_server.tasks.tasks import Tasks
from brskills_server.telemetry.figures import CALLS
from brskills_server.web.application import Application
from brskills_server.web.sessions import Sessions
from tests.conftest import NOVEMBER, Clock
from tests.fakes.figures import remembered
from tests.fakes.odd_skills import Reply, odd
from tests.services.task_host import META, VERSION
from tests.simulator.companies import numbers

from .conftest import request_of

WANTED = numbers("33000167", 11)


def slow(seconds: float = 10) -> Skill:
    return with_bulkhead(odd("slow", lambda asked, _: Reply(texto=asked.texto), seconds=seconds))


class World:
    """An account with 100 calls, a host with the extension, and processes that are started by hand."""

    def __init__(self, store: Any, accounts: Accounts, ledger: Ledger, clock: Clock) -> None:
        self.store, self.accounts, self.ledger, self.clock = store, accounts, ledger, clock
        self.key = accounts.open("free").api_key
        self.caller, _ = accounts.identify(self.key)
        self.headers = {"X-API-Key": self.key}
        self.meanwhile: Callable[[], object] = lambda: None
        self.sizes: list[int] = []
        self.text = "x"
        self.custom: dict[str, Skill] = {}
        self.started: list[Task] = []
        self.reported: list[type[Exception]] = []
        settings = Settings.from_environment({})
        self.grants = Grants(store, accounts, clock)
        services: Any = SimpleNamespace(
            store=store, ledger=ledger, accounts=accounts, grants=self.grants, settings=settings
        )
        companies: Any = SimpleNamespace(
            find_company=dict, find_companies=self.find, find_history=dict, search=None
        )
        sessions = Sessions(services, companies)
        tools = Tools(sessions)
        tasks = Tasks(store, self.started.append, lambda task: runs.release(task), GIVEN_UP, clock)
        runs = TaskRuns(tasks, tools, sessions, settings, lambda caller: self.own())
        server = Server(
            settings,
            tools.run,
            lambda request: self.own(),
            self.grants.identify,
            Cards(Path("missing")),
            lambda: ToolTasks(runs, TaskMethods(tasks, tools).methods),
            lambda: True,
        )
        self.server = server
        self.function = Application("mcp", {RUN_ROUTE: server.run_task})

    def own(self) -> dict[str, Skill]:
        return CustomSkills(self.custom, {name: frozenset({"free"}) for name in self.custom}).of(
            self.accounts.get(self.caller.account)
        )

    def find(self, queries: list[Query], session: Session) -> list[Answer]:
        for start in range(0, len(queries), 10):
            if session.between_parts:
                session.between_parts(start, len(queries))
            self.sizes.append(len(queries[start : start + 10]))
            self.meanwhile()
        return [self.answer(query.cnpj) for query in queries]

    def answer(self, cnpj: str) -> Answer:
        return Answer(json.dumps({"cnpj": cnpj, "razao_social": self.text}), int(NOVEMBER), int(NOVEMBER))

    def post(self, method: str, **params: Any) -> Any:
        message = {"jsonrpc": "2.0", "id": 7, "method": method, "params": {**params, "_meta": META}}
        named = {"Mcp-Method": method, "Mcp-Name": params.get("name") or params.get("taskId", "")}
        sent = {"MCP-Protocol-Version": VERSION, **named, **self.headers}
        request = request_of(message, sent)
        request.report = lambda error: self.reported.append(type(error))
        return self.server.post(request)

    def error(self, method: str, **params: Any) -> tuple[int, int]:
        answer = self.post(method, **params)
        return answer.status, json.loads(answer.body)["error"]["code"]

    def ask(self, method: str, **params: Any) -> Any:
        answer = json.loads(self.post(method, **params).body)
        assert "result" in answer, answer
        return answer["result"]

    def call(self, tool: str = "look_up_companies", **arguments: Any) -> Any:
        return self.ask("tools/call", name=tool, arguments=arguments or {"cnpjs": WANTED})

    def run(self, started: int = -1) -> int:
        status: int = self.function(run_event(self.started[started]), None)["statusCode"]
        return status

    def kill(self, monkeypatch: Any) -> None:
        """A run whose process is killed after its calls were counted."""
        with monkeypatch.context() as killed:
            killed.setattr(Session, "release", lambda session: None)
            self.meanwhile = sys.exit
            with pytest.raises(SystemExit):
                self.run()
        self.meanwhile = lambda: None

    def rotate(self) -> None:
        """Replace the account's key, also in the headers."""
        key = self.accounts.rotate(self.caller, 0).api_key
        self.caller, _ = self.accounts.identify(key)
        self.headers = {"X-API-Key": key}
        self.clock.now += 1

    def done_again(self, task: Any) -> Any:
        """The result of a task after a run that is started when the lease has ended."""
        self.clock.now += LEASE_SECONDS
        assert self.get(task)["status"] == "working"
        return self.done(task)

    def get(self, task: Any) -> Any:
        return self.ask("tasks/get", taskId=task["taskId"])

    def done(self, task: Any) -> Any:
        """The result of a task after a run."""
        assert self.run() == 204
        found = self.get(task)
        assert found["status"] == "completed", found
        return found["result"]

    def token(self, *scopes: str) -> str:
        client = Client("brsk_cl_x", "Assistente", ("https://a.example/cb",), 0)
        terms = Terms(
            client, frozenset(scopes), "https://api.example.com/mcp", "https://a.example/cb", "x" * 43
        )
        grant = self.grants.find_code(self.grants.open(self.caller, terms))
        assert grant
        made = self.grants.redeem(grant)
        assert made
        return made.access_token

    @property
    def counted(self) -> int:
        return self.ledger.usage(self.caller)[0].calls


@pytest.fixture
def world(store: Any, accounts: Accounts, ledger: Ledger, clock: Clock, monkeypatch: Any) -> World:
    monkeypatch.setattr("time.time", clock)
    return World(store, accounts, ledger, clock)


def test_nothing_is_counted_before_the_run_and_one_call_each_in_it(world: World) -> None:
    task = world.call()
    assert (world.counted, world.sizes) == (0, [])
    with remembered() as figures:
        assert world.done(task)["structuredContent"]["contadas"] == 11
    assert world.counted == 11
    assert figures.of(CALLS)["look_up_companies", "free", "counted"] == 11
    assert world.run() == 204  # the event again
    assert (world.counted, world.sizes) == (11, [10, 1])


@pytest.mark.parametrize(("age", "counted"), [(60.0, 11), (60.5, 0)])
def test_a_call_with_a_decimal_number_is_answered_at_once(world: World, age: float, counted: int) -> None:
    found = world.call(cnpjs=WANTED, idade_maxima=age)
    assert (found["resultType"], "isError" in found) == ("complete", not counted)
    assert world.counted == counted


def test_what_is_stored_holds_no_key_and_no_token(world: World) -> None:
    world.call()
    world.headers = {"Authorization": f"Bearer {world.token('cnpj')}"}
    world.call()
    for task in world.started:
        assert world.key not in task.request
        assert "brsk_" not in task.request
        assert "authorization" not in task.request.lower()


def test_a_month_used_up_meanwhile_is_the_result(world: World) -> None:
    task = world.call()
    Session(world.ledger, world.caller).reserve(95)
    result = world.done(task)
    assert (result["isError"], result["structuredContent"]["code"]) == (True, "quota_exceeded")
    assert world.counted == 95


@pytest.mark.parametrize("end", ["before", "meanwhile"])
def test_a_key_that_was_rotated_leaves_the_task_to_a_caller_with_the_other(world: World, end: str) -> None:
    task = world.call(cnpjs=numbers("33000167", 25))
    world.meanwhile = world.rotate if end == "meanwhile" else lambda: None
    if end == "before":
        world.rotate()
    assert world.run() == 204
    assert (sum(world.sizes), world.counted) == (0 if end == "before" else 10, 0)
    world.meanwhile = lambda: None
    assert world.get(task)["status"] == "working"  # which starts the next run at once
    assert world.done(task)["structuredContent"]["contadas"] == 25
    assert world.counted == 25


def test_a_task_whose_key_has_ended_is_not_run_again_by_itself(world: World) -> None:
    task = world.call()
    world.accounts.revoke(world.caller)
    assert world.run() == 204
    assert json.loads(world.post("tasks/get", taskId=task["taskId"]).body)["error"]["code"] == -32010
    assert len(world.started) == 1


def test_a_run_that_fails_for_a_reason_of_ours_fails_the_task_uncounted(world: World) -> None:
    task = world.call()
    world.meanwhile = lambda: {}["x"]
    assert world.run() == 204
    found = world.get(task)
    assert (found["status"], found["error"]["code"]) == ("failed", -32603)
    assert found["statusMessage"] == "Internal error"
    assert found["error"]["data"] == {"request_id": "abc"}
    assert world.counted == 0


def test_a_store_that_fails_leaves_the_task_to_another_run(world: World) -> None:
    def fail() -> None:
        raise StoreUnavailable

    task = world.call()
    world.meanwhile = fail
    assert world.run() == 503
    assert world.get(task)["status"] == "working"
    world.clock.now += LEASE_SECONDS
    world.meanwhile = lambda: None
    assert world.get(task)["status"] == "working"
    assert world.done(task)["structuredContent"]["contadas"] == 11
    assert world.counted == 11


def test_a_task_says_how_much_of_it_is_done(world: World) -> None:
    def poll() -> None:
        for language in ("pt", "en"):
            world.headers |= {"Accept-Language": language}
            said.append(world.get(task)["statusMessage"])

    task, said = world.call(cnpjs=numbers("33000167", 12)), list[str]()
    assert "statusMessage" not in world.get(task)
    world.meanwhile = poll
    world.done(task)
    assert said == ["0 de 12 empresas", "0 of 12 companies", "10 de 12 empresas", "10 of 12 companies"]
    assert "statusMessage" not in world.get(task)


def test_a_task_cancelled_in_its_run_counts_nothing(world: World) -> None:
    task = world.call()
    world.meanwhile = lambda: world.ask("tasks/cancel", taskId=task["taskId"])
    assert world.run() == 204
    assert world.get(task)["status"] == "cancelled"
    assert world.counted == 0


def test_a_task_is_counted_if_it_has_a_result_and_only_then(world: World, monkeypatch: Any) -> None:
    task = world.call()
    settle = Session.settle

    def cancel_and_settle(session: Session) -> None:
        world.ask("tasks/cancel", taskId=task["taskId"])
        settle(session)
        world.ask("tasks/cancel", taskId=task["taskId"])

    monkeypatch.setattr(Session, "settle", cancel_and_settle)
    assert world.done(task)["structuredContent"]["contadas"] == 11
    assert world.counted == 11


def test_a_run_killed_after_its_calls_were_settled_has_given_its_result(
    world: World, monkeypatch: Any
) -> None:
    task = world.call()
    with monkeypatch.context() as killed:
        killed.setattr(Session, "settle", lambda session: sys.exit())
        killed.setattr(Session, "release", lambda session, calls=0: None)
        with pytest.raises(SystemExit):
            world.run()
    world.clock.now += LEASE_SECONDS
    world.ask("tasks/cancel", taskId=task["taskId"])
    assert (world.get(task)["status"], world.counted) == ("completed", 11)


@pytest.mark.parametrize("end", ["cancelled", "failed"])
@pytest.mark.parametrize("headers", [{}, {"Idempotency-Key": "mine"}])
def test_a_task_that_ends_after_its_process_was_killed_counts_nothing(
    world: World, monkeypatch: Any, end: str, headers: dict[str, str]
) -> None:
    world.headers |= headers
    task = world.call()
    world.kill(monkeypatch)
    assert world.counted == 11
    if end == "cancelled":
        world.ask("tasks/cancel", taskId=task["taskId"])
    else:
        monkeypatch.setattr("brskills_server.tasks.tasks.MOST_RUNS", 1)
        world.clock.now += LEASE_SECONDS
    assert world.get(task)["status"] == end
    assert world.counted == 0


def test_a_run_after_a_killed_one_whose_key_has_ended_counts_nothing(world: World, monkeypatch: Any) -> None:
    task = world.call()
    world.kill(monkeypatch)
    world.clock.now += LEASE_SECONDS
    world.get(task)
    world.rotate()
    assert world.run() == 204
    assert (world.get(task)["status"], world.counted) == ("working", 0)


def test_a_run_after_a_killed_one_is_by_the_key_that_asked_and_counts_once(
    world: World, monkeypatch: Any
) -> None:
    task = world.call()
    world.kill(monkeypatch)
    world.rotate()
    assert world.counted == 11
    assert world.done_again(task)["structuredContent"]["contadas"] == 11
    assert world.counted == 11


def test_two_runs_at_once_count_once(world: World) -> None:
    """The first loses its lease, and ends after the second."""
    task = world.call()

    def other() -> None:
        world.meanwhile = lambda: None
        world.clock.now += LEASE_SECONDS
        world.get(task)
        world.run()

    world.meanwhile = other
    assert world.run() == 204
    assert world.get(task)["result"]["structuredContent"]["contadas"] == 11
    assert world.counted == 11


@pytest.mark.parametrize("size", [1_000, 100_000])
def test_a_result_that_no_store_takes_is_refused_uncounted(world: World, size: int) -> None:
    task = world.call()
    world.text = random.Random(1).randbytes(size).hex()
    result = world.done(task)
    assert ("isError" in result, world.counted) == ((False, 11) if size == 1_000 else (True, 0))
    if size > 1_000:
        text = result["content"][0]["text"]
        assert f"{MOST_OUTCOME_BYTES // 1000} KB" in text
        assert "5 MB" not in text
        assert "repita a mesma chamada" not in text


@pytest.mark.parametrize(("seconds", "kind"), [(5, "complete"), (5.5, "task")])
def test_custom_skills_that_may_take_long_are_tasks(world: World, seconds: float, kind: str) -> None:
    world.custom["slow"] = slow(seconds)
    answer = world.call("slow", texto="a")
    assert answer["resultType"] == kind
    result = world.done(answer) if kind == "task" else answer
    assert result["structuredContent"] == {"texto": "a"}
    assert world.call("slow", sobra=1)["isError"]
    assert world.counted == 1


def test_a_custom_skill_cancelled_in_its_run_counts_nothing(world: World) -> None:
    def answer(asked: Any, _: Any) -> Reply:
        world.ask("tasks/cancel", taskId=task["taskId"])
        return Reply(texto=asked.texto)

    world.custom["slow"] = with_bulkhead(odd("slow", answer))
    task = world.call("slow", texto="a")
    assert world.run() == 204
    assert (world.get(task)["status"], world.counted) == ("cancelled", 0)


def test_a_custom_skill_withdrawn_meanwhile_is_unknown(world: World) -> None:
    world.custom["slow"] = slow()
    task = world.call("slow", texto="a")
    world.custom.clear()
    assert world.done(task)["structuredContent"]["code"] == "not_found"


def test_a_token_makes_and_reads_tasks_of_its_scopes_and_its_grant_has_the_usage(world: World) -> None:
    world.headers = {"Authorization": f"Bearer {world.token('cnpj')}"}
    task = world.call()
    assert world.done(task)["structuredContent"]["contadas"] == 11
    (grant,) = world.grants.of(world.accounts.get(world.caller.account))
    assert sum(grant.calls.values()) == 11
    world.headers = {"Authorization": f"Bearer {world.token('pix')}"}
    answer = world.post("tasks/get", taskId=task["taskId"])
    assert (answer.status, "insufficient_scope" in answer.headers["WWW-Authenticate"]) == (403, True)
    assert (
        json.loads(world.post("tools/call", name="look_up_companies", arguments={"cnpjs": WANTED}).body)[
            "error"
        ]["code"]
        == -32010
    )


def test_errors_are_in_the_language_and_at_the_address_of_the_call(world: World) -> None:
    world.headers |= {"Accept-Language": "en"}
    task = world.call()
    Session(world.ledger, world.caller).reserve(95)
    text = world.done(task)["content"][0]["text"]
    assert "What to do" in text
    assert "https://api.example.com/v1/" in text


def test_a_number_too_many_or_none_is_asked_at_once(world: World) -> None:
    for wrong in ([], ["x"] * 101, None):
        assert world.call(cnpjs=wrong)["structuredContent"]["code"] == "invalid_fields"
    assert world.started == []


IDS = ["task_0", "task_" + "0" * 32, "task_" + "G" * 32, "x" * 1_025, "x" * 2_049, "\0", "é", ""]


@pytest.mark.parametrize("method", ["tasks/get", "tasks/update", "tasks/cancel"])
@pytest.mark.parametrize("name", IDS)
def test_whatever_is_asked_for_is_an_unknown_task(world: World, method: str, name: str) -> None:
    asked = []
    world.store.read_task = lambda account, task, now: asked.append(task)
    assert world.error(method, taskId=name) == (400, -32602)
    assert asked == [name] * (name == IDS[1])


@pytest.mark.parametrize("method", ["tasks/get", "tasks/update", "tasks/cancel", "tools/list"])
def test_a_store_that_fails_is_an_error_of_the_protocol(world: World, method: str, monkeypatch: Any) -> None:
    def fail(*_: Any) -> None:
        raise StoreUnavailable

    task = world.call()
    monkeypatch.setattr(world, "own", fail)
    monkeypatch.setattr(world.store, "read_task", fail)
    answer = world.post(method, taskId=task["taskId"])
    assert (answer.status, answer.headers["Retry-After"]) == (503, "2")
    error = json.loads(answer.body)["error"]
    assert (error["code"], error["data"]["problem"]["code"]) == (-32010, "store_unavailable")
    assert world.reported == [StoreUnavailable]


def test_too_many_questions_in_a_minute_are_an_error_of_the_protocol(world: World) -> None:
    task = world.call()
    for _ in range(PLANS["free"].uncounted_a_minute - 1):  # the call took one
        world.get(task)
    answer = world.post("tasks/get", taskId=task["taskId"])
    assert (answer.status, int(answer.headers["Retry-After"]) > 0) == (429, True)
    assert json.loads(answer.body)["error"]["data"]["problem"]["code"] == "uncounted_limit"


@pytest.mark.parametrize("end", [{}, {"Authorization": "Bearer brsk_x"}, {"X-API-Key": "brsk_x"}])
def test_without_an_active_key_there_are_no_tasks(world: World, end: dict[str, str]) -> None:
    task = world.call()
    world.headers = end
    assert world.error("tasks/get", taskId=task["taskId"]) == (401, -32010)


def test_a_token_that_may_not_read_a_task_does_not_start_it_again(world: World) -> None:
    task = world.call()
    world.clock.now += LEASE_SECONDS
    world.headers = {"Authorization": f"Bearer {world.token('pix')}"}
    assert world.error("tasks/get", taskId=task["taskId"]) == (403, -32010)
    assert len(world.started) == 1


def test_a_task_that_expires_while_it_is_cancelled_is_unknown(world: World, monkeypatch: Any) -> None:
    task = world.call()

    def changed(_: Task) -> bool:
        world.clock.now += KEPT_SECONDS
        return False

    monkeypatch.setattr(world.store, "change_task", changed)
    assert world.error("tasks/cancel", taskId=task["taskId"]) == (400, -32602)


@pytest.mark.parametrize("end", ["run", "cancelled"])
def test_an_idempotency_key_of_another_request_is_refused_and_frees_nothing_of_that(
    world: World, end: str
) -> None:
    world.headers |= {"Idempotency-Key": "mine"}
    world.done(world.call())
    task = world.call(cnpjs=numbers("33000168", 11))
    if end == "run":
        assert world.done(task)["structuredContent"]["code"] == "idempotency_key_reused"
    else:
        world.store.change_task(world.started[-1].begin(int(world.clock.now)))
        world.ask("tasks/cancel", taskId=task["taskId"])
    assert world.counted == 11
