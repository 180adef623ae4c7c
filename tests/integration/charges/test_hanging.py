"""PSPs that accept a connection and say nothing delay nobody else."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from brskills_server.charges.sandbox_locations import VALID_LOCATION
from tests.integration.gateway.service import CHARGE, CNPJ, PIX, Service, calls_of, eventually, serve
from tests.services.silent import Silent

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
        assert 16 <= silent.most <= 2 * 16  # of two processes; a slow machine may follow others later
        grown = memory_of(service) - before
        print(f"{len(found)} answered, {len(silent.held)} followed, memory +{grown} kB")
        assert grown < 40_000
        assert calls_of(other) == 21
        for key in keys:
            assert httpx.get(f"{service.base}/api/v1/usage", headers=key).json()["chamadas"] == 0
