"""What is stored of one account, and an account out of a backup, over files."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from brskills_server.accounts.accounts import Accounts
from brskills_server.accounts.grant import Client
from brskills_server.accounts.grants import Grants
from brskills_server.adapters.stores import Stores
from brskills_server.admin.__main__ import main
from brskills_server.metering.ledger import Ledger
from brskills_server.metering.window_limits import WebhookTests
from brskills_server.runtime.settings import VERSION
from brskills_server.watches.watches import SIMULATED, Watches
from brskills_server.webhooks.webhooks import Webhooks
from tests.integration.adapters.sql.databases import open_at
from tests.unit.accounts.granted import terms_of

EMAIL, URL = "dona@exemplo.com.br", "https://erp.example.com/brskills?token=a"


@pytest.fixture
def at(tmp_path: Path) -> Callable[[str], Stores]:
    """The store of a file by its name, made where it is missing."""

    def open_file(name: str) -> Stores:
        stores = open_at(f"sqlite:///{tmp_path}/{name}.db")
        stores.open_maintenance().prepare()
        return stores

    return open_file


@pytest.fixture
def key(at: Callable[[str], Stores], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The key of an account in the configured store, with a call and a program."""
    stores = at("live")
    monkeypatch.setenv("STORE", f"sqlite:///{tmp_path}/live.db")
    accounts = Accounts(stores.access, None)
    issued = accounts.open("free", EMAIL)
    caller, _ = accounts.identify(issued.api_key)
    Ledger(stores.access, 0).reserve(caller)
    stores.access.count_uncounted(issued.account, caller.key, "2026-11", 0, 20)
    client = Client("brsk_cl_1", "Assistente", ("https://client.example/cb",), 0)
    stores.access.keep_client(client, 2_000_000_000)
    grants = Grants(stores.access, accounts)
    code = grants.find_code(grants.open(caller, terms_of(client)))
    assert code is not None
    assert grants.redeem(code)
    watches = Watches(stores.access, lambda: 0)
    watches.add(issued.account, 5, [(SIMULATED, "cliente 7")])
    webhooks = Webhooks(stores.access, WebhookTests(stores.access, lambda: 0), clock=lambda: 0)
    webhooks.add(issued.account, URL, ["company.changed"], "ERP")
    watches.simulate(issued.account)
    return issued.api_key


def account_of(stores: Stores, key: str) -> str:
    return Accounts(stores.access, None).identify(key)[0].account


def test_an_owner_gets_all_data_and_no_secret(at, key: str, capsys) -> None:
    account = account_of(at("live"), key)
    assert main(["data", account]) == 0
    shown = capsys.readouterr().out
    data = json.loads(shown)
    assert (data["conta"], data["email"], data["plano"], data["limite_mensal"]) == (
        account,
        EMAIL,
        "free",
        100,
    )
    assert data["chaves"] == [{"expira_em": None}]
    assert list(data["chamadas"].values()) == [1]
    assert data["unidades_nao_contadas"] == {"2026-11": 20}
    assert [(one["programa"], one["escopos"]) for one in data["acessos"]] == [("Assistente", ["cnpj", "pix"])]
    watch = {"cnpj": SIMULATED, "referencia": "cliente 7", "desde": "1970-01-01T00:00:00Z"}
    assert data["empresas_vigiadas"] == [watch]
    (entry,) = data["mudancas"]
    assert (entry["cnpj"], entry["referencia"]) == (SIMULATED, "cliente 7")
    assert entry["mudancas"][0]["campo"] == "capital_social"
    (webhook,) = data["webhooks"]
    assert (webhook["url"], webhook["descricao"]) == (URL, "ERP")
    (due,) = webhook["a_enviar"]
    assert due["data"] == entry
    (stored,) = at("live").access.list_webhooks(account)
    assert stored.secrets[0].value not in shown
    kept = at("live").access.read_account(account)
    assert kept is not None
    assert all(digest not in shown for digest in kept.keys)
    assert main(["data", "acc_no"]) == 1


def test_a_deleted_account_comes_back_out_of_a_backup_as_it_was(at, key: str, tmp_path, capsys) -> None:
    live, backup = at("live"), f"sqlite:///{tmp_path}/backup.db"
    account = account_of(live, key)
    live.access.set_dedicated_gateway_key(account, "pro")
    assert main(["move", f"sqlite:///{tmp_path}/live.db", backup]) == 0
    assert main(["data", account]) == 0
    before = capsys.readouterr().out.partition("{")[2]
    assert main(["delete", account]) == 0
    other = Accounts(live.access, None).open("free")
    assert main(["restore", backup, account]) == 0
    shown = capsys.readouterr()
    assert "with 1 keys" in shown.out
    assert "active again" in shown.err
    assert main(["data", account]) == 0
    assert capsys.readouterr().out.partition("{")[2] == before
    assert account_of(live, key) == account
    assert account_of(live, other.api_key) == other.account
    back = live.access.read_account(account)
    assert back is not None
    assert back.dedicated_gateway_key == ""  # its gateway key went with it


def test_an_export_has_each_record_on_a_line_and_a_total_at_its_end(at, key: str, tmp_path, capsys) -> None:
    file = tmp_path / "export.jsonl"
    assert main(["export-store", str(file)]) == 0
    assert f"to {file}: " in capsys.readouterr().out
    first, *records, last = map(json.loads, file.read_text().splitlines())
    assert first == {"format": 1, "release": VERSION}
    kinds = Counter(record["kind"] for record in records)
    assert last == {"counts": kinds}
    assert kinds["account"] == kinds["client"] == 1
    (account,) = (record for record in records if record["kind"] == "account")
    (webhook,) = account["webhooks"]
    (stored,) = at("live").access.list_webhooks(account_of(at("live"), key))
    assert webhook["webhook"]["secrets"] == [{"value": stored.secrets[0].value, "ends": 0}]
    assert account["watching"]["watches"] == [{"cnpj": SIMULATED, "reference": "cliente 7", "since": 0}]
    assert file.stat().st_mode & 0o777 == 0o600
    assert main(["export-store", str(file)]) == 4
    assert "exists" in capsys.readouterr().err


def test_an_account_that_is_there_is_not_overwritten(at, key: str, tmp_path, capsys) -> None:
    account, backup = account_of(at("live"), key), f"sqlite:///{tmp_path}/backup.db"
    main(["move", f"sqlite:///{tmp_path}/live.db", backup])
    main(["set-limit", account, "7"])
    assert main(["restore", backup, account]) == 4
    assert "was not changed" in capsys.readouterr().err
    found = at("live").access.read_account(account)
    assert found is not None
    assert found.monthly_limit == 7


@pytest.mark.parametrize(
    ("source", "account", "code"), [("backup", "acc_no", 1), ("missing", "acc_no", 2), ("live", "acc_no", 4)]
)
def test_what_cannot_come_back_is_reported(
    at: Callable[[str], Stores], key: str, tmp_path: Path, source: str, account: str, code: int
) -> None:
    at("backup")
    assert main(["restore", f"sqlite:///{tmp_path}/{source}.db", account]) == code
