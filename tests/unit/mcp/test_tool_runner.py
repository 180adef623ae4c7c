"""Tools that wait for providers leave room for those that do not."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import pytest

from brskills_server.accounts.accounts import Accounts
from brskills_server.agents.tools import SLOW_CALLS, tool_runner
from brskills_server.metering.ledger import Ledger
from brskills_server.registry.errors import SourcesUnavailable
from brskills_server.registry.query import Query
from brskills_server.skills.catalogue import SKILLS
from brskills_server.skills.errors import ApiError
from brskills_server.web.request import Request
from brskills_server.web.sessions import Sessions

from .conftest import request_of

CHARGE = {"chave": "pix@exemplo.com.br", "nome_recebedor": "Padaria", "cidade": "Recife"}
COMPANY = {"cnpj": "33000167000101"}


def test_look_ups_that_hang_leave_room_for_other_tools_and_are_bounded(
    accounts: Accounts, ledger: Ledger
) -> None:
    key = accounts.open("pro").api_key
    caller, _ = accounts.identify(key)
    hanging, go = threading.Semaphore(0), threading.Event()

    def find_company(query: Query, session: Any) -> Any:
        hanging.release()
        go.wait(30)
        raise SourcesUnavailable(7)

    services: Any = SimpleNamespace(
        ledger=ledger, accounts=accounts, find_company=find_company, find_companies=find_company
    )
    run = tool_runner(Sessions(services, services))
    request: Request = request_of({}, {"X-API-Key": key})
    with ThreadPoolExecutor(SLOW_CALLS) as pool:
        waiting = [pool.submit(run, SKILLS["look_up_company"], COMPANY, request) for _ in range(SLOW_CALLS)]
        for _ in waiting:
            assert hanging.acquire(timeout=30)
        with pytest.raises(ApiError) as caught:
            run(SKILLS["look_up_company"], COMPANY, request)
        assert (caught.value.code, caught.value.retry_after) == ("throttled", 1)
        assert run(SKILLS["create_pix_code"], CHARGE, request)
        go.set()
    for ended in waiting:
        assert isinstance(ended.exception(), ApiError)
    assert ledger.usage(caller)[0].calls == 1  # the code; nothing of the look-ups
    with pytest.raises(ApiError) as caught:
        run(SKILLS["look_up_company"], COMPANY, request)
    assert caught.value.code == "sources_unavailable"  # there is room again
