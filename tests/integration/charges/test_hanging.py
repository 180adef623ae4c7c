"""PSPs that accept a connection and say nothing delay nobody else."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import closing
from itertools import count
from pathlib import Path
from threading import Event

import httpx
import pytest

from brskills_server.charges import follow as following
from brskills_server.charges.follow import MOST, MOST_OF_ONE, MOST_SLOW, MOST_WAITING, Follower
from brskills_server.charges.sandbox_locations import VALID_LOCATION
from brskills_server.charges.trust import Trust
from brskills_server.charges.verification import Verification, verify
from brskills_server.gateway.thread_pool import THREADS
from brskills_server.outbound.fetcher import Fetcher
from brskills_server.outbound.public_network import Network
from tests.integration.charges.conftest import HOST, LOCATION
from tests.integration.gateway.service import CHARGE, CNPJ, PIX, Service, calls_of, eventually, serve
from tests.services.psp import Psp, cob
from tests.services.silent import Silent
from tests.services.site import Site

HOSTS, CALLERS = 200, 20
CHECK = f"{PIX}/conferir"


@pytest.fixture(scope="module")
def silent() -> Iterator[Silent]:
    with closing(Silent()) as found:
        yield found


@pytest.fixture(scope="module")
def service(silent: Silent, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    places = ",".join(f"psp{n}.example:443:127.0.0.1:{silent.port}" for n in range(HOSTS))
    with serve(tmp_path_factory.mktemp("silent"), PIX_CONNECT_TO=places) as found:
        yield found


def memory_of(service: Service) -> int:
    """Return the resident memory of the gateway's processes, in kilobytes."""
    command = f"/proc/{service.process.pid}/task/{service.process.pid}/children"
    processes = [service.process.pid, *map(int, Path(command).read_text().split())]
    lines = "".join(Path(f"/proc/{each}/status").read_text() for each in processes)
    return sum(int(line.split()[1]) for line in lines.splitlines() if line.startswith("VmRSS"))


def test_two_hundred_silent_psps_delay_nobody_else(service: Service, silent: Silent) -> None:
    keys = [service.new_key() for _ in range(CALLERS)]
    with (
        httpx.Client(base_url=service.base, timeout=60, limits=httpx.Limits(max_connections=300)) as http,
        ThreadPoolExecutor(HOSTS) as threads,
        service.caller() as other,
    ):

        def follow(n: int) -> dict[str, list[str] | str] | None:
            """Return ``assinatura``, or nothing if the function is busy."""
            content = {"url": f"psp{n}.example/qr", "seguir": True}
            answer = http.post(CHECK, json=content, headers=keys[n % CALLERS])
            assert answer.status_code in {200, 429}
            return dict(answer.json()["assinatura"]) if answer.status_code == 200 else None

        other.post(PIX, json=CHARGE).raise_for_status()
        for _ in range(20):  # each process has imported what following needs
            httpx.post(
                f"{service.base}{CHECK}", json={"url": VALID_LOCATION, "seguir": True}, headers=keys[0]
            )
        before = memory_of(service)
        asked = [threads.submit(follow, n) for n in range(HOSTS)]
        wait(asked, return_when="FIRST_COMPLETED")
        for _ in range(20):  # while the PSPs are silent
            assert other.post(PIX, json=CHARGE).status_code == 200
            assert other.get(f"{CNPJ}/SANDBOX1000170").status_code == 200
            eventually(lambda: other.post(CHECK, json={"chave": "SANDBOX1000170"}).status_code == 200)
        assert not all(each.done() for each in asked)
        found = [each.result() for each in asked if each.result()]
        assert len(found) > HOSTS / 2
        assert {each["estado"] for each in found} == {"nao_verificavel"}
        reasons = [reason for each in found for reason in each["motivos"]]
        assert set(reasons) <= {"tempo_esgotado", "consultas_demais"}
        assert len(silent.held) == reasons.count("tempo_esgotado")
        assert MOST <= silent.most <= 2 * MOST  # of two processes; a slow machine may follow others later
        grown = memory_of(service) - before
        print(f"{len(found)} answered, {len(silent.held)} followed, memory +{grown} kB")
        assert grown < 40_000
        assert calls_of(other) == 21
        for key in keys:
            assert httpx.get(f"{service.base}/api/v1/usage", headers=key).json()["chamadas"] == 0


VALID, LATE, BUSY = (
    ("valida", ()),
    ("nao_verificavel", ("tempo_esgotado",)),
    ("nao_verificavel", ("consultas_demais",)),
)


@pytest.fixture
def threads() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(2 * MOST) as found:
        yield found


@pytest.fixture
def alone(threads: ThreadPoolExecutor) -> Iterator[Silent]:
    """A server whose end ends what the threads wait for."""
    with closing(Silent()) as found:
        yield found


@pytest.fixture
def follower(alone: Silent, server: Site, trust: Trust) -> Iterator[Follower]:
    """A follower to whom every host but the bank's is silent."""
    places = {f"psp{n}.example": ("127.0.0.1", alone.port) for n in range(HOSTS)}
    network = Network(certificates=server.trusted, connect_to=places | {HOST: ("127.0.0.1", server.port)})
    fetcher = Fetcher("brskills/test", network)
    yield Follower(fetcher, trust)
    fetcher.close()


def ask(
    follower: Follower, location: str, caller: str, *, is_paid: bool = False
) -> tuple[str, tuple[str, ...]]:
    return follower.follow([location], caller, is_paid=is_paid)[0][:2]


def occupy(
    threads: ThreadPoolExecutor, follower: Follower, number: int, callers: int
) -> list[Future[tuple[str, tuple[str, ...]]]]:
    """Let callers follow so many silent PSPs."""
    return [threads.submit(ask, follower, f"psp{n}.example/x", f"acc_{n % callers}") for n in range(number)]


def test_free_accounts_leave_paying_ones_their_places(
    follower: Follower, alone: Silent, threads: ThreadPoolExecutor, serve, psp: Psp, monkeypatch
) -> None:
    monkeypatch.setattr(following, "SECONDS", 60.0)
    monkeypatch.setattr(following, "_WAIT_SECONDS", 0.1)
    serve(psp.sign(cob()))
    occupy(threads, follower, MOST, 5)
    eventually(lambda: alone.open == MOST)
    assert ask(follower, LOCATION, "acc_free") == BUSY
    assert ask(follower, LOCATION, "acc_paying", is_paid=True) == VALID
    assert alone.most == MOST


def test_one_caller_has_some_and_those_that_were_late_half_of_the_places(
    follower: Follower, alone: Silent, threads: ThreadPoolExecutor, serve, psp: Psp, monkeypatch
) -> None:
    serve(psp.sign(cob()))
    monkeypatch.setattr(following, "SECONDS", 1.0)
    monkeypatch.setattr(following, "_WAIT_SECONDS", 0.05)
    assert {each.result() for each in occupy(threads, follower, 2 * MOST_OF_ONE, 1)} == {LATE, BUSY}
    assert alone.most == MOST_OF_ONE
    assert [ask(follower, "psp0.example/x", f"acc_{n}") for n in range(1, 3)] == [LATE] * 2
    monkeypatch.setattr(following, "SECONDS", 60.0)
    taken = occupy(threads, follower, MOST, 3)
    eventually(lambda: alone.open == MOST_SLOW)
    eventually(lambda: sum(each.done() for each in taken) == MOST - MOST_SLOW)
    assert ask(follower, LOCATION, "acc_new") == VALID
    assert ask(follower, LOCATION, "acc_0") == BUSY
    assert alone.open == MOST_SLOW


def test_a_verification_that_hangs_takes_nothing_from_another_location(
    follower: Follower, serve, psp: Psp, monkeypatch
) -> None:
    """The end is that of all the work, of threads too, and what is known by then is returned."""
    done, calls = Event(), count()

    def hang(*arguments: object) -> Verification:
        if next(calls):
            done.wait(30)
        return verify(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(following, "verify", hang)
    serve(psp.sign(cob()))
    try:
        found = [each[:2] for each in follower.follow([LOCATION, LOCATION], "acc_1")]
    finally:
        done.set()
    assert sorted(found) == [LATE, VALID]


def test_all_that_follow_leave_threads_to_others() -> None:
    assert 2 * (MOST + MOST_WAITING) < THREADS
