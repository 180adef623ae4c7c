"""Tools by access token: for the account and the key it was granted by, within what was granted."""

from __future__ import annotations

from datetime import datetime
from types import SimpleNamespace
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from brskills_server.accounts.accounts import Accounts, Issued
from brskills_server.accounts.errors import InvalidKey, InvalidToken, StoreUnavailable
from brskills_server.accounts.grant import ACCESS_SECONDS, Client, Grant, Terms
from brskills_server.accounts.grants import Grants
from brskills_server.agents.tools import Tools
from brskills_server.metering.errors import IdempotencyKeyReused, QuotaExceeded
from brskills_server.metering.ledger import Ledger
from brskills_server.skills.catalogue import SCOPES, SKILLS
from brskills_server.skills.errors import ApiError
from brskills_server.telemetry.outcome import record_outcome
from brskills_server.watches.watches import Watches
from brskills_server.web.request import Request
from brskills_server.web.sessions import Sessions
from brskills_server.web.visible_skills import visible_skills

from .conftest import request_of

CHARGE = {"chave": "pix@exemplo.com.br", "nome_recebedor": "Padaria", "cidade": "Recife"}


class Signed:
    """An account, and tools for a client with a token of its grant."""

    def __init__(self, store: Any, accounts: Accounts, ledger: Ledger, clock: Any) -> None:
        self.accounts, self.ledger, self.store = accounts, ledger, store
        self.grants = Grants(store, accounts, clock)
        self.issued: Issued = accounts.open("free")
        self.caller, _ = accounts.identify(self.issued.api_key)
        self.reported: list[Exception] = []
        self.services: Any = SimpleNamespace(
            store=store,
            ledger=ledger,
            accounts=accounts,
            grants=self.grants,
            custom_skills=SimpleNamespace(installed={"x": "y"}, of=lambda account: {"of": account.id}),
        )
        self._run = Tools(Sessions(self.services, watches=Watches(store))).run

    def token(self, *scopes: str) -> str:
        """An access token for these scopes."""
        client = Client("brsk_cl_x", "Assistente", ("https://a.example/cb",), 0)
        terms = Terms(
            client, frozenset(scopes), "https://api.example.com/mcp", "https://a.example/cb", "x" * 43
        )
        grant = self.grants.find_code(self.grants.open(self.caller, terms))
        assert grant
        made = self.grants.redeem(grant)
        assert made
        return made.access_token

    def request(self, token: str, **headers: str) -> Request:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        request = request_of({}, {"Authorization": f"Bearer {token}", **named})
        request.report = self.reported.append
        return request

    def run(self, name: str, arguments: dict[str, Any], token: str, **headers: str) -> Any:
        request = self.request(token, **headers)
        try:
            return self._run(SKILLS[name], arguments, request).content["structuredContent"]
        finally:
            record_outcome(request.outcome, None)

    def create(self, token: str, **headers: str) -> Any:
        return self.run("create_pix_code", CHARGE, token, **headers)

    @property
    def usage(self) -> list[int]:
        """The calls of each grant, as its owner sees them."""
        return sorted(sum(grant.calls.values()) for grant in self.listed)

    @property
    def listed(self) -> list[Grant]:
        return self.grants.of(self.accounts.get(self.issued.account))

    @property
    def counted(self) -> int:
        return self.ledger.usage(self.caller)[0].calls


@pytest.fixture
def signed(store: Any, accounts: Accounts, ledger: Ledger, clock: Any) -> Signed:
    return Signed(store, accounts, ledger, clock)


def test_a_call_counts_for_the_account_and_in_the_usage_of_its_grant(signed: Signed) -> None:
    one, other = signed.token("pix"), signed.token("pix", "conta")
    for token in (one, one, other):
        assert signed.create(token)["brcode"]
    signed.run("decode_pix_code", {"brcode": "x"}, other)
    signed.run("get_usage", {}, other)
    with pytest.raises(ApiError):
        signed.run("create_pix_code", {}, other)
    assert (signed.counted, signed.usage) == (3, [1, 2])


def test_a_call_is_in_the_usage_of_the_month_it_was_counted_in(
    signed: Signed, clock: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    last_of_november = datetime(2026, 11, 30, 23, 59, 59, tzinfo=ZoneInfo("America/Sao_Paulo"))
    clock.now = last_of_november.timestamp()
    token, count = signed.token("pix"), signed.store.reserve_calls

    def count_slowly(*of: Any) -> Any:
        counted = count(*of)
        clock.now += 1
        return counted

    monkeypatch.setattr(signed.store, "reserve_calls", count_slowly)
    signed.create(token)
    signed.create(token)
    assert [grant.calls for grant in signed.listed] == [{"2026-11": 1, "2026-12": 1}]
    assert signed.accounts.get(signed.issued.account).calls == {"2026-11": 1, "2026-12": 1}


def test_a_free_call_does_not_write_the_usage(signed: Signed, monkeypatch: pytest.MonkeyPatch) -> None:
    token = signed.token("pix")
    monkeypatch.setattr(signed.grants, "count", lambda *_: pytest.fail("written"))
    signed.run("decode_pix_code", {"brcode": "x"}, token)


def test_a_repeated_call_is_counted_once_in_both(signed: Signed) -> None:
    token = signed.token("pix")
    for _ in range(3):
        signed.create(token, Idempotency_Key="pedido-1")
    with pytest.raises(IdempotencyKeyReused):
        signed.run("create_pix_code", {**CHARGE, "cidade": "Natal"}, token, Idempotency_Key="pedido-1")
    assert (signed.counted, signed.usage) == (1, [1])


def test_a_used_up_month_is_used_up_for_tokens_too(signed: Signed) -> None:
    signed.accounts.set_limit(signed.issued.account, 1)
    token = signed.token("pix")
    signed.create(token)
    with pytest.raises(QuotaExceeded):
        signed.create(token)
    assert signed.usage == [1]


@pytest.mark.parametrize("skill", SKILLS.values(), ids=lambda skill: skill.name)
def test_a_tool_needs_its_scope_and_no_other(signed: Signed, skill: Any) -> None:
    others = [scope for scope in SCOPES if scope != skill.scope]
    with pytest.raises(ApiError) as caught:
        signed.run(skill.name, {}, signed.token(*others))
    assert caught.value.code == "insufficient_scope"
    assert caught.value.details["scopes"].split() == sorted(SCOPES)
    assert signed.usage == [0]
    token = signed.token(skill.scope)
    if empty := {"list_watches": "watches", "list_changes": "mudancas"}.get(skill.name):
        assert signed.run(skill.name, {}, token)[empty] == []
        return
    if skill.name == "get_usage":
        assert signed.run(skill.name, {}, token)["plano"] == "free"
        return
    with pytest.raises(ApiError) as caught:  # the scope suffices, and the arguments are checked
        signed.run(skill.name, {}, token)
    assert caught.value.code == "invalid_fields"


def test_a_token_ends_after_an_hour_and_at_once_with_its_grant_and_its_key(
    signed: Signed, clock: Any
) -> None:
    token = signed.token("pix")
    clock.now += ACCESS_SECONDS - 1
    assert signed.create(token)
    clock.now += 1
    with pytest.raises(InvalidToken):
        signed.create(token)
    token = signed.token("pix")
    for grant in signed.listed:
        signed.grants.end(signed.issued.account, grant.id)
    with pytest.raises(InvalidToken):
        signed.create(token)
    token = signed.token("pix")
    signed.accounts.revoke(signed.caller)
    with pytest.raises(InvalidToken):
        signed.create(token)


@pytest.mark.parametrize("wrong", ["brsk_at_", "brsk_at_" + "a" * 54, "brsk_at_\u00e9"])
def test_a_malformed_token_is_refused(signed: Signed, wrong: str) -> None:
    with pytest.raises(InvalidToken):
        signed.run("get_usage", {}, wrong)


def test_a_key_beside_a_token_is_what_counts(signed: Signed) -> None:
    assert signed.create("brsk_at_x", X_API_Key=signed.issued.api_key)["brcode"]
    assert signed.counted == 1


def test_a_failed_write_of_the_usage_leaves_the_answer(
    signed: Signed, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = signed.token("pix")

    def fail(*_: object) -> None:
        raise StoreUnavailable("slow")

    monkeypatch.setattr(signed.grants, "count", fail)
    assert signed.create(token)["brcode"]
    assert signed.counted == 1
    assert [str(error) for error in signed.reported] == ["slow"]


def test_custom_skills_are_those_of_the_account_whatever_was_granted(signed: Signed) -> None:
    found: Any = {"of": signed.issued.account}
    token = signed.request(signed.token("pix"))
    key = request_of("", {"X-API-Key": signed.issued.api_key})
    assert visible_skills(token, signed.services, by_token=True) == found
    assert visible_skills(key, signed.services, by_token=True) == found
    assert visible_skills(request_of(""), signed.services, by_token=True) == {}
    with pytest.raises(InvalidToken):
        visible_skills(signed.request("brsk_at_x"), signed.services, by_token=True)
    with pytest.raises(InvalidKey) as refused:  # where keys alone are accepted a token is no key
        visible_skills(token, signed.services)
    assert not isinstance(refused.value, InvalidToken)
