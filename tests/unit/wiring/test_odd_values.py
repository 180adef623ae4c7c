"""Whatever a setting holds, it is taken or told wrong: in one line that one can read, never otherwise."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

import pytest

from brskills_server.gateway.settings import read_all_settings
from brskills_server.runtime.settings_reader import InvalidSettings
from brskills_server.runtime.settings_table import SECRETS, SETTINGS

NAMES = sorted({name for row in SETTINGS for name in row.names})
ODD = (
    "-1", "1.5", "1e3", "\uff19", "0x10", "9" * 20, "9" * 5000, "nan", "true", "0", " 7 ", "a\nb",
    "\x1b[31mred", b"\xff\xfe".decode("utf-8", "surrogateescape"), "\u200b", "=", "'x'", "a,a,,b", "x" * 300,
    "javascript:alert(1)", "http://", "http://[::1", "https://a b/", "https://x.example:99999", "//x", 'https://x.example/"><script>',
)  # fmt: skip

REFUSED = {
    "HOST": ("a\nb", "a b", "\x1b[31mred", "x" * 300),
    "PORT": ("9" * 5000, "-1", "\uff19", "70000"),
    "PROJECT_URL": ("javascript:alert(1)", "//x", 'https://x.example/"><script>', "https://x.example:99999"),
    "STRIPE_RETURN_URL": ("javascript:alert(1)", "https://a b/", "http://[::1"),
    "STRIPE_API_BASE": ("ftp://x.example", "https://x.example:99999"),
    "SLA_URL": ("http://[::1", "https://x.example:99999", "https://:80/"),
    "OPENCNPJ_URL": ("https://x.example:99999", "https://x.example:0"),
    "DEMO_API_KEY": (
        "duas palavras",
        "chave\nnova",
        "chav\u00e9",
        b"\xff".decode("utf-8", "surrogateescape"),
    ),
    "MCP_ALLOWED_ORIGINS": ("*", "app.example.com", "https://app.example.com/", "https://a.example b"),
    "REGISTRY_PROVIDERS": ("opencnpj,opencnpj", ",", "OPENCNPJ"),
    "TRUSTED_PROXIES": ("10.0.0.0/33", "9" * 5000, "localhost"),
}


@pytest.fixture(autouse=True)
def untouched() -> Iterator[None]:
    """The environment as it was, when a test ends."""
    before = dict(os.environ)
    yield
    _set(before)


def _set(environment: Mapping[str, str]) -> None:
    os.environ.clear()
    os.environ.update(environment)


def faults_of(name: str, value: str) -> tuple[str, ...]:
    _set({"STORE": "memory", "REGISTRY_COPY": os.devnull, name: value})
    try:
        read_all_settings()
    except InvalidSettings as wrong:
        return wrong.faults
    return ()


@pytest.mark.parametrize("name", NAMES)
def test_an_odd_value_is_taken_or_told_in_one_line(name: str) -> None:
    for value in ODD:
        for fault in faults_of(name, value):
            assert fault.isprintable(), value
            assert len(fault) < 300, value
            assert fault.startswith((*NAMES, "Stripe is configured in part")), value
            assert name not in SECRETS or len(value) < 4 or value not in fault


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, values in REFUSED.items() for value in values]
)
def test_what_cannot_be_is_refused(name: str, value: str) -> None:
    (fault,) = faults_of(name, value)
    assert fault.startswith(name)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DEMO_API_KEY", "minha-chave-aberta"),
        ("MCP_ALLOWED_ORIGINS", "https://app.example.com, http://localhost:3000,vscode-webview://abc"),
        ("PROJECT_URL", "https://brskills.example/sobre?de=aqui"),
        ("REGISTRY_PROVIDERS", "cnpja, opencnpj"),
        ("HOST", "::1"),
    ],
)
def test_what_can_be_is_taken(name: str, value: str) -> None:
    assert faults_of(name, value) == ()


@pytest.mark.parametrize("name", ["PORT", "TRUSTED_PROXIES", "REGISTRY_PROVIDERS", "SKILL_PLANS"])
@pytest.mark.parametrize("password", ["hunter2", "a/b@hunter2", "x" * 90 + "hunter2"])
def test_the_address_of_a_database_at_a_wrong_name_is_told_without_its_password(
    name: str, password: str
) -> None:
    (fault,) = faults_of(name, f"postgresql://brskills:{password}@db.example/brskills")
    assert "hunter2" not in fault
    assert "xxx" not in fault
    assert "db.example" in fault
