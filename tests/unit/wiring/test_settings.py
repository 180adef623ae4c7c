"""All settings stand in one table, are read by its names, and are told wrong all at once."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from brskills_server.gateway.settings import GatewaySettings, read_all_settings
from brskills_server.runtime.local import read_settings
from brskills_server.runtime.settings import Settings
from brskills_server.runtime.settings_reader import InvalidSettings, Reader
from brskills_server.runtime.settings_table import SECRETS, SETTINGS
from tests.services.gateway import ROOT

NAMES = {name for row in SETTINGS for name in row.names}
NOT_READ_HERE = {
    "CONFIG_FILE",
    *("REGISTRY_FOLDER", "REGISTRY_TABLES", "REGISTRY_BUCKET"),
    *(name for name in NAMES if name.startswith("AWS_") and "DYNAMODB" not in name),
}
"""Of the configuration itself, of who builds the register's copy, and boto3's own."""


class Asked(dict[str, str]):
    """An environment that knows which of its variables were asked for."""

    def __init__(self, **given: str) -> None:
        super().__init__(given)
        self.names: set[str] = set()

    def get(self, name: str, default: str = "") -> str:  # type: ignore[override]
        self.names.add(name)
        return super().get(name, default)


def test_the_table_has_every_setting_that_is_read_and_no_other() -> None:
    environment = Asked(STORE="memory")
    reader = Reader(environment)
    GatewaySettings.read(reader)
    read_settings(reader)
    reader.finish()
    assert environment.names == NAMES - NOT_READ_HERE
    assert sum(len(row.names) for row in SETTINGS) == len(NAMES)


def test_the_readme_has_the_table() -> None:
    rows = [
        f"| {', '.join(f'`{name}`' for name in row.names)}{' †' * row.secret} | {row.default} | {row.text} |"
        for row in SETTINGS
    ]
    table = "\n".join(["| Variable | Default | |", "|---|---|---|", *rows, ""])
    assert table in (ROOT / "README.md").read_text(encoding="utf-8")


def test_whatever_may_hold_a_password_is_a_secret() -> None:
    assert {"STORE", "DEMO_API_KEY", "STRIPE_API_KEY", "STRIPE_WEBHOOK_SECRETS"} < SECRETS
    assert {"CNPJA_TOKEN", "CNPJWS_TOKEN"} < SECRETS


WRONG = {
    "PORT": "hunter2",
    "HOST": "é" * 64,
    "METRICS_HOST": "a..b",
    "WORKERS": "two",
    "METRICS_PORT": "70000",
    "LOG_FORMAT": "xml",
    "DRAIN_SECONDS": "-1",
    "POWERTOOLS_LOG_LEVEL": "LOUD",
    "STORE": "hunter2",
    "STORE_TIMEOUT_SECONDS": "10000000000",
    "DEMO_MONTHLY_LIMIT": "1.5",
    "REGISTRY_PROVIDERS": "google",
    "OPENCNPJ_URL": "https://user:hunter3@cnpj.example",
    "AWS_ENDPOINT_URL_DYNAMODB": "https://user:hunter3@store.example",
    "CREATE_TABLES": "yes",
    "TRUSTED_PROXIES": "everybody",
    "CNPJA_TOKEN": "hunter3 and a blank",
    "CNPJWS_TOKEN": "hunter3é",
    "PAID_LOOKUPS_PER_DAY": "86400",
    "PAID_LOOKUP_PLANS": "pro,demo",
    "STRIPE_API_KEY": "sk_live_hunter3",
    "SUPPORT_URL": "javascript:alert(1)",
    "PRIVACY_URL": 'https://x.example/"><b>',
    "TERMS_URL": "/termos",
    "SLA_URL": "sla",
    "CONTACT_EMAIL": "ajuda@brskills",
    "REGISTRY_NAME": "brskills",
    "OPENAI_APPS_CHALLENGE": "two words",
}


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """An environment of this test's own, as a start changes it."""
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)
    before = dict(os.environ)
    yield monkeypatch
    os.environ.clear()
    os.environ.update(before)


def test_every_fault_is_told_at_once_in_a_line_and_no_secret_is(environment: pytest.MonkeyPatch) -> None:
    for name, value in WRONG.items():
        environment.setenv(name, value)
    environment.setenv("CONFIG_FILE", "/nowhere")
    with pytest.raises(InvalidSettings) as told:
        read_all_settings()
    assert len(told.value.faults) == len(WRONG) + 1
    for name in WRONG:
        # Stripe's settings go together, so its fault names those that are missing.
        assert any(fault.startswith((name, "Stripe")) for fault in told.value.faults), name
    assert "hunter3" not in str(told.value)
    assert not any("hunter2" in fault for fault in told.value.faults if fault.startswith("STORE"))


@pytest.mark.parametrize(
    "store",
    [
        "sqlite",
        "sqlite:///",
        "postgresql://u:hunter2@[host/db",
        "hunter2",
        "stripe",
        "sqlite:///:memory:",
        "postgresql://u:hun/ter2hunter2@host/db",
        "postgresql://u:1/hunter2@host/db",
        "postgresql://u:x@hunter2@host/db",
    ],
)
def test_a_stores_form_is_told_with_the_others(environment: pytest.MonkeyPatch, store: str) -> None:
    environment.setenv("STORE", store)
    environment.setenv("PORT", "x")
    with pytest.raises(InvalidSettings) as told:
        read_all_settings()
    assert len(told.value.faults) == 2
    assert told.value.faults[1].startswith("STORE")
    assert "hunter2" not in str(told.value)


@pytest.mark.parametrize("host", ["[host", "x@host", "host/db?bad=1#"])
def test_a_copy_in_a_database_that_cannot_be_is_told_once(environment: pytest.MonkeyPatch, host: str) -> None:
    environment.setenv("STORE", f"postgresql://u:hunter2@{host}/db")
    environment.setenv("REGISTRY_COPY", "store")
    with pytest.raises(InvalidSettings) as told:
        read_all_settings()
    (fault,) = told.value.faults
    assert fault.startswith("STORE")
    assert "hunter2" not in fault


def test_a_copy_in_a_store_that_holds_none_is_told_with_the_others(environment: pytest.MonkeyPatch) -> None:
    environment.setenv("STORE", "memory")
    environment.setenv("REGISTRY_COPY", "store")
    environment.setenv("PORT", "x")
    with pytest.raises(InvalidSettings) as told:
        read_all_settings()
    assert [fault.split()[0] for fault in told.value.faults] == ["PORT", "REGISTRY_COPY"]


def test_settings_that_are_right_are_read(environment: pytest.MonkeyPatch) -> None:
    given = {"PORT": "9000", "METRICS_PORT": "9001", "LOG_FORMAT": "json", "DRAIN_SECONDS": "5"}
    for name, value in {**given, "STORE": "memory", "WORKERS": "3"}.items():
        environment.setenv(name, value)
    own, settings = read_all_settings()
    assert own == GatewaySettings("127.0.0.1", 9000, 3, "127.0.0.1", 9001, "json", 5)
    assert (settings.store, settings.store_seconds) == ("memory", 5)
    assert os.environ["POWERTOOLS_LOG_LEVEL"] == "WARNING"


def test_variables_that_say_nothing_leave_the_local_defaults(environment: pytest.MonkeyPatch) -> None:
    for name in NAMES:
        environment.setenv(name, " ")
    _, settings = read_all_settings()
    assert (settings.store, settings.store_seconds) == ("sqlite:///data/brskills.db", 5)
    assert settings.registry_copy == "data/receita"
    assert os.environ["POWERTOOLS_LOG_LEVEL"] == "WARNING"


def test_defaults_need_no_variable_at_all() -> None:
    assert Settings.from_environment({}) == Settings.from_environment(dict.fromkeys(NAMES, " "))


@pytest.mark.parametrize("name", ["com.example/pix", "io.github.some-body/brskills.pix_1"])
def test_a_name_of_registries_is_taken(name: str) -> None:
    assert Settings.from_environment({"REGISTRY_NAME": name}).registry_name == name


@pytest.mark.parametrize(
    "name", ["a/b", "com.example", "com..example/a", "com.example/a/b", "com.example/-a", "é.b/c"]
)
def test_another_is_not(name: str) -> None:
    with pytest.raises(InvalidSettings, match="REGISTRY_NAME takes a domain in reverse"):
        Settings.from_environment({"REGISTRY_NAME": name})
    with pytest.raises(InvalidSettings):
        Settings.from_environment({"REGISTRY_NAME": "com.example/" + "a" * 200})


@pytest.mark.parametrize("address", ["ajuda@brskills.example", "a.b+c_d-e@x-1.y.example"])
def test_an_address_to_write_to_is_taken(address: str) -> None:
    assert Settings.from_environment({"CONTACT_EMAIL": address}).contact_email == address


@pytest.mark.parametrize(
    "address",
    [
        *(
            "ajuda",
            "@x.example",
            "a@x",
            "a@-x.example",
            "a@x..example",
            "a b@x.example",
            "a@x.example, b@y.example",
        ),
        *(
            '"a"@x.example',
            "a@x.example?subject=x",
            "<a@x.example>",
            "mailto:a@x.example",
            "a@x.example\n"[:-1] + " b",
        ),
        f"{'a' * 65}@x.example",
        f"a@{'x' * 250}.example",
    ],
)
def test_what_is_not_one_is_refused(address: str) -> None:
    with pytest.raises(InvalidSettings, match="CONTACT_EMAIL"):
        Settings.from_environment({"CONTACT_EMAIL": address})
