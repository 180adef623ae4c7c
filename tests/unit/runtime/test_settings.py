"""Settings are declared once, and every invalid one is reported at once without a secret."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from functools import cache
from importlib.metadata import entry_points

import pytest

from brskills_server.gateway.settings import read_all_settings
from brskills_server.runtime.gateway_settings import GatewaySettings
from brskills_server.runtime.settings import Settings
from brskills_server.runtime.settings_reader import InvalidSettings, Reader
from brskills_server.runtime.settings_table import AWS_SETTINGS, SETTINGS


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """An environment without settings, restored after the test; a start changes it."""
    before, handlers = dict(os.environ), logging.root.handlers[:]
    for name in SETTINGS:
        monkeypatch.delenv(name, raising=False)
    yield monkeypatch
    monkeypatch.undo()  # before the restoration: it would put back what a test set by itself
    os.environ.clear()
    os.environ.update(before)
    logging.root.handlers[:] = handlers


def issues_of(environment: pytest.MonkeyPatch, **values: str) -> tuple[str, ...]:
    for name, value in values.items():
        environment.setenv(name, value)
    try:
        read_all_settings()
    except InvalidSettings as invalid:
        return invalid.issues
    return ()


def test_settings_that_may_hold_a_password_are_secrets() -> None:
    secrets = {name for name, declared in SETTINGS.items() if declared.is_secret}
    assert {"STORE", "DEMO_API_KEY", "STRIPE_API_KEY", "STRIPE_WEBHOOK_SECRETS"} < secrets
    assert {"CNPJA_TOKEN", "CNPJWS_TOKEN"} < secrets
    assert AWS_SETTINGS["AWS_SECRET_ACCESS_KEY"].is_secret
    values = dict.fromkeys(("CNPJA_TOKEN", "STRIPE_API_KEY", "DEMO_API_KEY"), "hunter2")
    assert "hunter2" not in repr(Settings.from_environment(values))


WRONG = {
    "PORT": "hunter2",
    "HOST": "é" * 64,
    "WORKERS": "two",
    "METRICS_PORT": "a..b:9100",
    "LOG_FORMAT": "xml",
    "DRAIN_SECONDS": "-1",
    "PROBE_SECONDS": "1e3",
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


def test_all_invalid_settings_are_reported_at_once_without_secrets(environment: pytest.MonkeyPatch) -> None:
    issues = issues_of(environment, **WRONG, CONFIG_FILE="/nowhere")
    assert len(issues) == len(WRONG) + 1
    for name in WRONG:
        # Stripe's settings belong together, so the issue names those that are missing.
        assert any(issue.startswith((name, "Stripe")) for issue in issues), name
    assert "hunter3" not in "\n".join(issues)
    assert not any("hunter2" in issue for issue in issues if issue.startswith("STORE"))


ODD = (
    "-1", "1.5", "1e3", "\uff19", "0x10", "9" * 20, "9" * 5000, "nan", "true", "0", " 7 ", "a\nb",
    "\x1b[31mred", b"\xff\xfe".decode("utf-8", "surrogateescape"), "\u200b", "=", "'x'", "a,a,,b", "x" * 300,
    "javascript:alert(1)", "http://", "http://[::1", "https://a b/", "https://x.example:99999", "//x",
    'https://x.example/"><script>', "file:", "file:/nowhere", "ssm:",
)  # fmt: skip


EACH_TYPE = {
    (each.parse.__qualname__, each.is_secret, each.is_read_late): name for name, each in SETTINGS.items()
}


@pytest.mark.parametrize("name", sorted({*EACH_TYPE.values(), "CONFIG_FILE", "REGISTRY_COPY", "SKILL_PLANS"}))
def test_an_odd_value_is_accepted_or_reported_in_one_short_line(environment, name: str) -> None:
    getter = "brskills_server.adapters.parameter_store._get_parameter"
    environment.setattr(getter, lambda: lambda **_: {"Parameter": {"Value": "x"}})
    # Looking for installed packages takes most of the time.
    environment.setattr("brskills_server.runtime.custom_skills.entry_points", cache(entry_points))
    before = dict(os.environ) | {"STORE": "memory", "REGISTRY_COPY": os.devnull}
    for value in ODD:
        os.environ.clear()
        os.environ.update(before)
        for issue in issues_of(environment, **{name: value}):
            assert issue.isprintable(), value
            assert len(issue) < 300, value
            assert issue.startswith((*SETTINGS, "Stripe is configured in part")), value
            is_harmless = len(value) < 4 or value in {"file:", "ssm:"}
            assert not SETTINGS[name].is_secret or is_harmless or value not in issue


@pytest.mark.parametrize(
    "store",
    [
        "sqlite",
        "sqlite:///",
        "sqlite://data/x.db",
        "postgresql://u:hunter2@[host/db",
        "hunter2",
        "stripe",
        "sqlite:///:memory:",
        "postgresql://u:hun/ter2hunter2@host/db",
        "postgresql://u:1/hunter2@host/db",
        "postgresql://u:x@hunter2@host/db",
    ],
)
def test_an_invalid_store_is_reported_with_the_others(environment: pytest.MonkeyPatch, store: str) -> None:
    port, reported = issues_of(environment, STORE=store, PORT="x")
    assert (port.split()[0], reported.split()[0].rstrip(":")) == ("PORT", "STORE")
    assert "hunter2" not in reported


@pytest.mark.parametrize(
    ("store", "reported"), [("postgresql://u:hunter2@[host/db", "STORE"), ("memory", "REGISTRY_COPY")]
)
def test_a_store_that_cannot_hold_the_snapshot_is_reported_once(
    environment: pytest.MonkeyPatch, store: str, reported: str
) -> None:
    (issue,) = issues_of(environment, STORE=store, REGISTRY_COPY="store")
    assert issue.startswith(reported)
    assert "hunter2" not in issue


@pytest.mark.parametrize("name", ["PORT", "TRUSTED_PROXIES", "REGISTRY_PROVIDERS", "SKILL_PLANS"])
@pytest.mark.parametrize("password", ["hunter2", "a/b@hunter2", "x" * 90 + "hunter2"])
def test_a_database_address_in_another_setting_is_quoted_without_its_password(
    environment: pytest.MonkeyPatch, name: str, password: str
) -> None:
    address = f"postgresql://brskills:{password}@db.example/brskills"
    (issue,) = issues_of(environment, STORE="memory", **{name: address})
    assert "hunter2" not in issue
    assert "xxx" not in issue
    assert "db.example" in issue


def test_valid_settings_are_read(environment: pytest.MonkeyPatch) -> None:
    given = {"PORT": "9000", "METRICS_PORT": "9001", "LOG_FORMAT": "json", "DRAIN_SECONDS": "5"}
    for name, value in {**given, "STORE": "memory", "WORKERS": "3"}.items():
        environment.setenv(name, value)
    gateway, settings = read_all_settings()
    assert (gateway.host, gateway.port, gateway.workers, gateway.drain_seconds) == ("127.0.0.1", 9000, 3, 5)
    assert (gateway.metrics_at, gateway.log_format) == (("127.0.0.1", 9001), "json")
    assert (settings.store, settings.store_seconds) == ("memory", 5)
    assert os.environ["POWERTOOLS_LOG_LEVEL"] == "WARNING"


def test_empty_variables_leave_the_defaults(environment: pytest.MonkeyPatch) -> None:
    blank = dict.fromkeys(SETTINGS, " ")
    assert Settings.from_environment({}) == Settings.from_environment(blank)
    for name, value in blank.items():
        environment.setenv(name, value)
    gateway, settings = read_all_settings()
    assert 1 <= gateway.workers <= 8
    assert (settings.store, settings.store_seconds) == ("sqlite:///data/brskills.db", 5)
    assert settings.registry_copy == "data/receita"


@pytest.mark.parametrize(
    ("day", "month", "read"), [("", "", 20), ("30", "", 30), ("30", "25", 25), ("", "0", 0)]
)
def test_the_months_sign_ups_follow_the_days_unless_set(day: str, month: str, read: int) -> None:
    given = {"SIGNUPS_PER_DAY": day, "SIGNUPS_PER_MONTH": month}
    assert Settings.from_environment(given).signups_per_month == read


def test_workers_default_to_the_cores_of_the_machine(environment: pytest.MonkeyPatch) -> None:
    for cores, workers in ((3, 3), (64, 8), (None, 1)):
        environment.setattr(os, "cpu_count", lambda cores=cores: cores)
        assert GatewaySettings.read(Reader({})).workers == workers
