"""The operator's command line."""

from __future__ import annotations

import csv
import io
import os
import re
import shlex
import sys
from types import SimpleNamespace
from unittest.mock import patch

import pytest

from brskills_server.accounts.accounts import Accounts
from brskills_server.accounts.api_key import digest
from brskills_server.accounts.billing import BillingEvent, Subscription
from brskills_server.accounts.clients import Clients
from brskills_server.accounts.errors import InvalidKey, InvalidToken
from brskills_server.accounts.grants import Grants
from brskills_server.accounts.subscriptions import Subscriptions
from brskills_server.admin import console
from brskills_server.admin.__main__ import main
from brskills_server.metering.ports import AddressCalls
from brskills_server.runtime.local import open_local_services
from tests.conftest import DEMO_KEY
from tests.services.packages import EXAMPLE, declare, install
from tests.unit.accounts.granted import terms_of


@pytest.fixture(autouse=True)
def accounts(store, monkeypatch) -> Accounts:
    """Accounts by the real clock, which the command line uses."""
    accounts = Accounts(store, digest(DEMO_KEY))
    monkeypatch.setattr(console, "open_local_services", lambda seconds: SimpleNamespace(accounts=accounts))
    return accounts


@pytest.fixture
def subscribed(accounts, store) -> str:
    account: str = accounts.open("free", "Dona@Exemplo.com.br").account
    record_event(store, "evt_1", account)
    return account


def record_event(store, event: str, account: str, status: str = "active", paid_back: bool = False) -> None:
    """Record Stripe's event about the account's subscription."""
    now = Subscription("sub_1", account, "cus_1", status, "pro", paid_back)
    shop = SimpleNamespace(subscription=lambda name: now)
    Subscriptions(store).record(BillingEvent(event, "customer.subscription.updated", now.id, account), shop)


def field(output: str, name: str) -> str:
    return next(line.split()[1] for line in output.splitlines() if line.startswith(name))


def test_open_shows_the_key_once(accounts, capsys) -> None:
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


def test_new_key(accounts, capsys) -> None:
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


def test_recover_ends_all_other_access(accounts, store, capsys) -> None:
    lost = accounts.open("free", "dona@exemplo.com.br")
    thief = accounts.rotate(accounts.identify(lost.api_key)[0], 3600)
    grants = Grants(store, accounts)
    client = Clients(store).register("Assistente", ["https://client.example/cb"])
    code = grants.open(accounts.identify(thief.api_key)[0], terms_of(client))
    tokens = grants.redeem(grants.find_code(code))
    assert grants.identify(tokens.access_token)[0].account == lost.account
    assert main(["recover", lost.account]) == 0
    shown = capsys.readouterr()
    new = field(shown.out, "key")
    assert accounts.identify(new)[0].account == lost.account
    for ended in (lost.api_key, thief.api_key):
        with pytest.raises(InvalidKey):
            accounts.identify(ended)
    with pytest.raises(InvalidToken):
        grants.identify(tokens.access_token)
    assert grants.find_refresh(tokens.refresh_token) is None
    assert len(accounts.get(lost.account).keys) == 1
    assert new not in shown.err
    assert "2 keys revoked" in shown.err
    assert "dona@exemplo.com.br" in shown.err


def test_recover_needs_an_email(accounts, capsys) -> None:
    lost = accounts.open("free")
    assert main(["recover", lost.account]) == 4
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "without an e-mail" in shown.err
    assert accounts.identify(lost.api_key)[0].account == lost.account


def test_find_key_shows_the_account_without_the_key(accounts, capsys, monkeypatch) -> None:
    old = accounts.open("free")
    new = accounts.rotate(accounts.identify(old.api_key)[0], 0)
    for key, state in ((old.api_key, "key: ends or ended at 20"), (new.api_key, "key: active")):
        monkeypatch.setattr("sys.stdin", io.StringIO(f"{key}\n"))
        assert main(["find-key"]) == 0
        shown = capsys.readouterr()
        assert old.account in shown.out
        assert state in shown.out
        assert key not in shown.out + shown.err
    assert accounts.identify(new.api_key)


def test_find_key_of_unknown_keys(accounts, capsys, monkeypatch) -> None:
    revoked = accounts.open("free").api_key
    accounts.revoke(accounts.identify(revoked)[0])
    for key in (revoked, "", "acc_1", DEMO_KEY):
        monkeypatch.setattr("sys.stdin", io.StringIO(f"{key}\n"))
        assert main(["find-key"]) == 4
        assert capsys.readouterr().out == ""


def test_find_key_reads_without_echo(accounts, capsys, monkeypatch) -> None:
    issued = accounts.open("free")
    monkeypatch.setattr("sys.stdin", SimpleNamespace(isatty=lambda: True))
    monkeypatch.setattr("brskills_server.admin.console.getpass", lambda prompt: issued.api_key)
    assert main(["find-key"]) == 0
    assert issued.account in capsys.readouterr().out


def test_control_characters_of_an_email_are_escaped(accounts, capsys) -> None:
    account = accounts.open("free", "a\x1b[2Jb@exemplo.com.br").account
    assert main(["recover", account]) == 0
    assert "\x1b" not in capsys.readouterr().err


HOSTILE = ["$(id)@exemplo.com.br", "`id`@exemplo.com.br", "a;id|sh@exemplo.com.br", "'a@exemplo.com.br"]


@pytest.mark.parametrize("email", HOSTILE)
def test_emails_are_quoted_for_a_shell(accounts, capsys, email) -> None:
    account = accounts.open("free", email).account
    assert main(["find", account]) == 0
    shown = capsys.readouterr().out.splitlines()[1]
    assert shlex.split(shown)[-1] == email


@pytest.mark.parametrize("email", [*HOSTILE, "--plan@exemplo.com.br", "ti@x", "a b@exemplo.com.br"])
def test_open_rejects_unusual_emails(accounts, capsys, email) -> None:
    assert main(["open", "free", f"--email={email}"]) == 2
    assert email not in capsys.readouterr().err
    assert list(accounts.all()) == []


def test_emails_from_standard_input(accounts, monkeypatch, capsys) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("ti@exemplo.com.br\n$(id)@exemplo.com.br\n\n"))
    assert main(["open", "pro", "--email", "-"]) == 0
    assert [account.email for account in accounts.all()] == ["ti@exemplo.com.br"]
    assert main(["find"]) == 1
    assert main(["find"]) == 2
    assert "no such account: $(id)@exemplo.com.br" in capsys.readouterr().err


def test_set_plan(accounts, capsys) -> None:
    account = accounts.open("free").account
    assert main(["set-plan", account, "enterprise"]) == 0
    shown = capsys.readouterr()
    assert (shown.out, shown.err) == (f"{account}: free -> enterprise\n", "")
    assert accounts.get(account).plan == "enterprise"


@pytest.mark.parametrize(("plan", "word"), [("free", "next event"), ("enterprise", "still charged")])
def test_set_plan_of_a_subscriber_prints_a_note(accounts, subscribed, capsys, plan, word) -> None:
    assert main(["set-plan", subscribed, plan]) == 0
    assert accounts.get(subscribed).plan == plan
    remark = capsys.readouterr().err
    assert word in remark
    assert "sub_1 (active)" in remark


def test_revoke(accounts, subscribed, capsys) -> None:
    key = accounts.add_key(subscribed).api_key
    assert main(["revoke", subscribed]) == 0
    with pytest.raises(InvalidKey):
        accounts.identify(key)
    shown = capsys.readouterr()
    assert shown.out == f"{subscribed}: 2 keys revoked\n"
    assert "sub_1" in shown.err


def test_find(accounts, subscribed, capsys) -> None:
    other = accounts.open("free").account
    for text in (subscribed, "dona@", "EXEMPLO", "cus_1", "sub_1"):
        assert main(["find", text]) == 0
        shown = capsys.readouterr().out
        assert subscribed in shown
        assert other not in shown
    for text in ("nobody@", "acc_", "cus_2"):
        assert main(["find", text]) == 1
        assert text in capsys.readouterr().err


def test_list(accounts, ledger, subscribed, capsys) -> None:
    free = accounts.open("free", "a\x1b[31m@exemplo.com.br")
    enterprise = accounts.open("enterprise").account
    accounts.revoke(accounts.identify(free.api_key)[0])
    assert main(["list"]) == 0
    _, *lines = capsys.readouterr().out.splitlines()
    rows = {line.split()[0]: line.split() for line in lines}
    assert rows[subscribed][1:5] == ["pro", "0", "10000", "1"]
    assert rows[subscribed][6:] == ["sub_1", "active", "Dona@Exemplo.com.br"]
    assert rows[free.account][1:5] == ["free", "0", "100", "0"]
    assert rows[free.account][-1] == "'a?[31m@exemplo.com.br'"
    assert rows[enterprise][1:5] == ["enterprise", "0", "-", "1"]
    main(["list", "--plan", "pro"])
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == ["ACCOUNT", subscribed]


@pytest.mark.parametrize("command", [["list"], ["find", "sub_1"]])
def test_refunded_subscriptions_are_marked(store, subscribed, capsys, command) -> None:
    record_event(store, "evt_2", subscribed, paid_back=True)
    assert main(command) == 0
    assert "sub_1 active (paid back)" in capsys.readouterr().out
    record_event(store, "evt_3", subscribed)
    main(command)
    assert "paid back" not in capsys.readouterr().out


def test_custom_limit_ends_with_the_plan(accounts, capsys) -> None:
    account = accounts.open("free").account
    assert main(["set-limit", account, "500"]) == 0
    shown = capsys.readouterr()
    assert shown.out == f"{account}: 100 -> 500 calls a month\n"
    assert "leaves the plan free" in shown.err
    assert (accounts.get(account).plan, accounts.get(account).monthly_limit) == ("free", 500)
    main(["set-limit", account, "unlimited"])
    assert accounts.get(account).monthly_limit is None
    main(["set-plan", account, "pro"])
    assert accounts.get(account).monthly_limit == 10_000
    assert "custom limit of unlimited calls ended" in capsys.readouterr().err
    main(["set-limit", account, "9"])
    main(["set-limit", account, "plan"])
    assert accounts.get(account).monthly_limit == 10_000


def test_custom_limit_ends_with_the_subscription(accounts, store, subscribed) -> None:
    main(["set-limit", subscribed, "50000"])
    limits = [("evt_2", "active", 50_000), ("evt_3", "unpaid", 100), ("evt_4", "active", 10_000)]
    for event, status, limit in limits:
        record_event(store, event, subscribed, status)
        assert accounts.get(subscribed).monthly_limit == limit


def test_delete_prints_a_receipt_without_personal_data(accounts, ledger, clock, store, capsys) -> None:
    issued = accounts.open("free", "dona@exemplo.com.br")
    caller, _ = accounts.identify(issued.api_key)
    ledger.reserve(caller)
    assert main(["delete", issued.account]) == 0
    shown = capsys.readouterr().out
    assert issued.account in shown
    assert "1 chave(s)" in shown
    assert "1 mes(es)" in shown
    assert "acessos de programas" in shown
    assert "e-mail" in shown
    assert "dona@" not in shown
    assert "cliente" not in shown
    with pytest.raises(InvalidKey):
        accounts.identify(issued.api_key)
    assert "dona@" not in str(vars(store))
    assert issued.account not in str(vars(store))
    assert main(["delete", issued.account]) == 1


def test_delete_rejects_subscribed_accounts(accounts, store, subscribed, capsys) -> None:
    assert main(["delete", subscribed]) == 4
    assert "sub_1" in capsys.readouterr().err
    assert accounts.get(subscribed).plan == "pro"
    record_event(store, "evt_2", subscribed, "canceled")
    assert main(["delete", subscribed]) == 0
    shown = capsys.readouterr()
    assert "cus_1" in shown.out
    assert "cus_1" in shown.err  # what the receipt promises is the operator's to do


def test_calls_are_shown_and_exported_by_month(accounts, ledger, clock, capsys) -> None:
    caller, _ = accounts.identify(accounts.open("free").api_key)
    for month, calls in ((0, 3), (1, 2)):
        clock.now += month * 31 * 86_400
        for _ in range(calls):
            ledger.reserve(caller)
    assert main(["show", caller.account]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split()[:2] == [caller.account, "free"]
    assert [line.split() for line in lines[3:]] == [["MONTH", "CALLS"], ["2026-11", "3"], ["2026-12", "2"]]
    assert main(["export"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert rows == [
        {"account": caller.account, "plan": "free", "month": "2026-11", "calls": "3"},
        {"account": caller.account, "plan": "free", "month": "2026-12", "calls": "2"},
    ]
    main(["export", "--month", "2026-12"])
    assert capsys.readouterr().out.splitlines()[1:] == [f"{caller.account},free,2026-12,2"]


def test_demo(store, capsys) -> None:
    assert main(["demo"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1
    for address, month in [("a", "2026-11"), ("a", "2026-11"), ("b", "2026-11"), ("b", "2026-12")]:
        store.reserve_demo_calls(AddressCalls(address, month, 9, 0))
    assert main(["demo"]) == 0
    assert [line.split() for line in capsys.readouterr().out.splitlines()[1:]] == [
        ["2026-11", "2", "3", "2"],
        ["2026-12", "1", "1", "1"],
    ]


def test_grant_and_ungrant(accounts, capsys) -> None:
    account = accounts.open("pro").account
    assert main(["grant", account, "look_up_bank"]) == 0
    shown = capsys.readouterr()
    assert shown.out == f"{account}: may use look_up_bank\n"
    assert "not installed here" in shown.err
    assert accounts.get(account).skills == {"look_up_bank"}
    main(["show", account])
    assert "granted skills: look_up_bank" in capsys.readouterr().out
    for said in ("withdrawn", "was not granted"):
        assert main(["ungrant", account, "look_up_bank"]) == 0
        assert capsys.readouterr().out == f"{account}: look_up_bank {said}\n"
    assert accounts.get(account).skills == frozenset()


def test_ungrant_notes_skills_of_the_plan(accounts, monkeypatch, capsys) -> None:
    monkeypatch.setenv("SKILL_PLANS", "look_up_bank=pro")
    for plan, word in (("pro", "SKILL_PLANS still includes it"), ("free", "")):
        main(["ungrant", accounts.open(plan).account, "look_up_bank"])
        assert word in capsys.readouterr().err


def test_skills(accounts, tmp_path, monkeypatch, capsys) -> None:
    assert main(["skills"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1
    install(EXAMPLE, tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("SKILL_PLANS", "look_up_bank=pro+enterprise")
    account = accounts.open("free").account
    for skill in ("look_up_bank", "zip_code"):
        main(["grant", account, skill])
    capsys.readouterr()
    assert main(["skills"]) == 0
    lines = [re.split("  +", line) for line in capsys.readouterr().out.splitlines()]
    assert lines == [
        ["SKILL", "PACKAGE", "PLANS", "ACCOUNTS"],
        ["look_up_bank", "bank-codes 1.0.0", "enterprise, pro", account],
        ["zip_code", "(not installed here)", "-", account],
    ]


def test_broken_skill_exits_with_2(tmp_path, monkeypatch, capsys) -> None:
    declare(tmp_path, "acme", {"acme_none": "json:NONE"})
    monkeypatch.syspath_prepend(str(tmp_path))
    assert main(["skills"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("custom skills: acme_none of acme 1.0: AttributeError")


def test_unknown_account_exits_with_1(capsys) -> None:
    values = {"grant": "look_up_bank", "ungrant": "look_up_bank", "set-plan": "pro", "set-limit": "9"}
    for command in (*values, "new-key", "recover", "show", "delete", "revoke"):
        assert main([command, "acc_no", *filter(None, [values.get(command)])]) == 1
        assert capsys.readouterr().err == "no such account: acc_no\n"


def test_invalid_arguments_exit_with_2(capsys) -> None:
    for line in ("", "open demo", "set-plan acc_1 gold", "export --month 2026-13", "set-limit acc_1 many"):
        assert main(line.split()) == 2


@pytest.mark.parametrize(
    ("settings", "code", "words"),
    [
        ({"AWS_ENDPOINT_URL_DYNAMODB": "http://127.0.0.1:1"}, 3, ["EndpointConnectionError"]),
        ({"STORE": "dynamodb"}, 2, ["AWS_ENDPOINT_URL_DYNAMODB", "region", "credentials"]),
        ({"STORE": "sqlite:///no/such.db"}, 2, ["no/such.db", "when it starts"]),
    ],
)
def test_unusable_stores_are_reported_in_one_line(monkeypatch, capsys, settings, code, words) -> None:
    given = {"HOME": "/nowhere", "AWS_EC2_METADATA_DISABLED": "true", **settings}
    monkeypatch.setattr(console, "open_local_services", open_local_services)
    with patch.dict(os.environ, given, clear=True):
        assert main(["list"]) == code
    shown = capsys.readouterr()
    (line,) = shown.err.splitlines()
    assert (shown.out, all(word in line for word in words)) == ("", True)
