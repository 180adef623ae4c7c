"""The operator's command line, as it is called."""

from __future__ import annotations

import csv
import io
import os
import subprocess
import sys

import pytest

from access import Accounts, InvalidKey, Subscription, Subscriptions
from access.api_key import digest
from admin import __main__ as command_line
from admin.__main__ import main
from tests.conftest import DEMO_KEY
from tests.services.gateway import ROOT


@pytest.fixture(autouse=True)
def accounts(store, monkeypatch) -> Accounts:
    """In the time of the command line, which is the real one."""
    accounts = Accounts(store, digest(DEMO_KEY))
    monkeypatch.setattr(command_line, "open_accounts", lambda: accounts)
    return accounts


@pytest.fixture
def subscribed(accounts, store) -> str:
    account: str = accounts.open("free", "Dona@Exemplo.com.br").account
    Subscriptions(store).record(
        "evt_1", account, lambda: Subscription("sub_1", account, "cus_1", "active", "pro")
    )
    return account


def field(output: str, name: str) -> str:
    return next(line.split()[1] for line in output.splitlines() if line.startswith(name))


def test_an_enterprise_account_with_its_key_shown_once(accounts, capsys) -> None:
    assert main(["open", "enterprise", "--email", "ti@exemplo.com.br"]) == 0
    shown = capsys.readouterr()
    key = field(shown.out, "key")
    caller, account = accounts.identify(key)
    assert caller.account == account.id == field(shown.out, "account")
    assert (account.plan, account.monthly_limit) == ("enterprise", None)
    assert key not in shown.err
    main(["list"])
    main(["find", caller.account])
    assert key not in capsys.readouterr().out


def test_a_new_key_for_a_lost_one(accounts, capsys) -> None:
    lost = accounts.open("free")
    assert main(["new-key", lost.account]) == 0
    second = field(capsys.readouterr().out, "key")
    assert accounts.identify(second)[0].account == accounts.identify(lost.api_key)[0].account
    assert main(["new-key", lost.account, "--revoke-others"]) == 0
    third = field(capsys.readouterr().out, "key")
    assert accounts.identify(third)[0].account == lost.account
    for ended in (lost.api_key, second):
        with pytest.raises(InvalidKey):
            accounts.identify(ended)


def test_another_plan(accounts, capsys) -> None:
    account = accounts.open("free").account
    assert main(["set-plan", account, "enterprise"]) == 0
    shown = capsys.readouterr()
    assert (shown.out, shown.err) == (f"{account}: free -> enterprise\n", "")
    assert accounts.get(account).plan == "enterprise"


@pytest.mark.parametrize(("plan", "word"), [("free", "next event"), ("enterprise", "still charged")])
def test_a_plan_changed_beside_stripe_is_remarked_on(accounts, subscribed, capsys, plan, word) -> None:
    assert main(["set-plan", subscribed, plan]) == 0
    assert accounts.get(subscribed).plan == plan
    remark = capsys.readouterr().err
    assert word in remark
    assert "sub_1 (active)" in remark


@pytest.mark.parametrize(("plan", "after"), [("free", "pro"), ("enterprise", "enterprise")])
def test_and_it_happens_as_the_remark_says(accounts, store, subscribed, plan, after) -> None:
    main(["set-plan", subscribed, plan])
    Subscriptions(store).record(
        "evt_2", subscribed, lambda: Subscription("sub_1", subscribed, "cus_1", "active", "pro")
    )
    assert accounts.get(subscribed).plan == after


def test_revoking(accounts, subscribed, capsys) -> None:
    key = accounts.add_key(subscribed).api_key
    assert main(["revoke", subscribed]) == 0
    with pytest.raises(InvalidKey):
        accounts.identify(key)
    shown = capsys.readouterr()
    assert shown.out == f"{subscribed}: 2 keys ended\n"
    assert "sub_1" in shown.err


def test_finding(accounts, subscribed, capsys) -> None:
    other = accounts.open("free").account
    for text in (subscribed, "dona@", "EXEMPLO", "cus_1", "sub_1"):
        assert main(["find", text]) == 0
        shown = capsys.readouterr().out
        assert subscribed in shown
        assert other not in shown
    for text in ("nobody@", "acc_", "cus_2"):
        assert main(["find", text]) == 1
        assert text in capsys.readouterr().err


def test_listing(accounts, ledger, subscribed, capsys) -> None:
    free = accounts.open("free", "a\x1b[31m@exemplo.com.br")
    enterprise = accounts.open("enterprise").account
    accounts.revoke(accounts.identify(free.api_key)[0])
    assert main(["list"]) == 0
    heading, *lines = capsys.readouterr().out.splitlines()
    rows = {line.split()[0]: line.split() for line in lines}
    assert heading.split() == [
        "ACCOUNT",
        "PLAN",
        "CALLS",
        "LIMIT",
        "KEYS",
        "OPENED",
        "SUBSCRIPTION",
        "E-MAIL",
    ]
    assert rows[subscribed][1:5] == ["pro", "0", "10000", "1"]
    assert rows[subscribed][6:] == ["sub_1", "active", "Dona@Exemplo.com.br"]
    assert rows[free.account][1:5] == ["free", "0", "100", "0"]
    assert rows[free.account][-1] == "a?[31m@exemplo.com.br"
    assert rows[enterprise][1:5] == ["enterprise", "0", "-", "1"]
    main(["list", "--plan", "pro"])
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == ["ACCOUNT", subscribed]


def test_an_empty_table_lists_nothing(capsys) -> None:
    assert main(["list"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1


def test_exporting(accounts, ledger, clock, capsys) -> None:
    caller, _ = accounts.identify(accounts.open("free").api_key)
    for month, calls in ((0, 3), (1, 2)):
        clock.now += month * 31 * 86_400
        for _ in range(calls):
            ledger.reserve(caller)
    assert main(["export"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert rows == [
        {"account": caller.account, "plan": "free", "month": "2026-11", "calls": "3"},
        {"account": caller.account, "plan": "free", "month": "2026-12", "calls": "2"},
    ]
    main(["export", "--month", "2026-12"])
    assert capsys.readouterr().out.splitlines()[1:] == [f"{caller.account},free,2026-12,2"]


def test_an_unknown_account_is_exit_code_1(capsys) -> None:
    for arguments in (["new-key", "acc_no"], ["set-plan", "acc_no", "pro"], ["revoke", "acc_no"]):
        assert main(arguments) == 1
        assert capsys.readouterr().err == "no such account: acc_no\n"


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["open"],
        ["open", "demo"],
        ["set-plan", "acc_1", "gold"],
        ["export", "--month", "2026-13"],
        ["drop"],
    ],
)
def test_wrong_arguments_are_exit_code_2(arguments, capsys) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2


def test_a_store_out_of_reach_is_exit_code_3_from_a_bare_shell() -> None:
    environment = {"PATH": os.environ["PATH"], "AWS_ACCESS_KEY_ID": "x", "AWS_SECRET_ACCESS_KEY": "x"}
    where = {"AWS_DEFAULT_REGION": "sa-east-1", "AWS_ENDPOINT_URL_DYNAMODB": "http://127.0.0.1:1"}
    for more, word in ((where, "EndpointConnectionError"), ({}, "region")):
        ran = subprocess.run(
            [sys.executable, "-m", "admin", "list"],
            cwd=ROOT,
            env={**environment, **more},
            capture_output=True,
            text=True,
        )
        assert (ran.returncode, ran.stdout) == (3, "")
        assert word in ran.stderr
        assert len(ran.stderr.splitlines()) == 1
