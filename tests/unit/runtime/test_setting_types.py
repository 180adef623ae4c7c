"""What each type of setting accepts."""

from __future__ import annotations

from typing import Any

import pytest

from brskills_server.runtime.settings import Settings
from brskills_server.runtime.settings_reader import InvalidSettings, Reader
from brskills_server.runtime.settings_table import SETTINGS
from tests.for_each import for_each

UNDECODABLE = b"\xff".decode("utf-8", "surrogateescape")

REFUSED = {
    "HOST": ("a\nb", "a b", "\x1b[31mred", "x" * 300),
    "PORT": ("9" * 5000, "-1", "\uff19", "70000", "0"),
    "PROJECT_URL": ("javascript:alert(1)", "//x", 'https://x.example/"><script>', "https://x.example:99999"),
    "STRIPE_API_BASE": ("ftp://x.example", "https://x.example:99999"),
    "SLA_URL": ("http://[::1", "https://x.example:99999", "https://:80/"),
    "OPENCNPJ_URL": ("https://x.example:99999", "https://x.example:0", "notaurl", "http://x.example?path"),
    "AWS_ENDPOINT_URL_DYNAMODB": ("notaurl", "http://127.0.0.1:46051."),
    "STORE_TIMEOUT_SECONDS": ("0", "3601"),
    "DEMO_API_KEY": ("duas palavras", "chave\nnova", "chav\u00e9", UNDECODABLE),
    "MCP_ALLOWED_ORIGINS": ("*", "app.example.com", "https://app.example.com/", "https://a.example b"),
    "REGISTRY_PROVIDERS": ("opencnpj,opencnpj", ",", "OPENCNPJ"),
    "TRUSTED_PROXIES": ("10.0.0.0/33", "9" * 5000, "localhost"),
    "SKILL_PLANS": ("bank=gold", "=pro", "bank=pro,bank=free", "bank=demo", "bank", "a=", "a=pro+"),
    "STORE": ("postgres://host/db", "memory:x", "dynamodb:x", "Memory", "../memory", ":memory", "memory://x"),
    "REGISTRY_NAME": (
        *("a/b", "com.example", "com..example/a", "com.example/a/b", "com.example/-a", "é.b/c"),
        "com.example/" + "a" * 200,
    ),
    "CONTACT_EMAIL": (
        *("ajuda", "@x.example", "a@x", "a@-x.example", "a@x..example", "a b@x.example"),
        *("a@x.example, b@y.example", '"a"@x.example', "a@x.example?subject=x", "<a@x.example>"),
        *("mailto:a@x.example", f"{'a' * 65}@x.example", f"a@{'x' * 250}.example"),
    ),
}


@for_each(("name", "value"), [(name, value) for name, values in REFUSED.items() for value in values])
def test_what_is_refused(name: str, value: str) -> None:
    reader = Reader({name: value})
    reader.read(SETTINGS[name])
    (issue,) = reader.issues
    assert issue.startswith(f"{name} ")


@for_each(
    ("name", "value", "read"),
    [
        ("DEMO_API_KEY", "minha-chave-aberta", "minha-chave-aberta"),
        ("MCP_ALLOWED_ORIGINS", "https://a.example, vscode-webview://b", ("https://a.example", "vscode-webview://b")),
        ("PROJECT_URL", "https://brskills.example/sobre?de=aqui", "https://brskills.example/sobre?de=aqui"),
        ("REGISTRY_PROVIDERS", "cnpja, opencnpj", ("cnpja", "opencnpj")),
        ("OPENCNPJ_URL", "https://[::1]:8443/", "https://[::1]:8443"),
        ("HOST", "::1", "::1"),
        ("POWERTOOLS_LOG_LEVEL", "info", "INFO"),
        ("SKILL_PLANS", "bank=pro+free, x=pro", {"bank": {"pro", "free"}, "x": {"pro"}}),
        ("REGISTRY_NAME", "com.example/pix", "com.example/pix"),
        ("REGISTRY_NAME", "io.github.some-body/brskills.pix_1", "io.github.some-body/brskills.pix_1"),
        ("CONTACT_EMAIL", "ajuda@brskills.example", "ajuda@brskills.example"),
        ("CONTACT_EMAIL", "a.b+c_d-e@x-1.y.example", "a.b+c_d-e@x-1.y.example"),
    ],
)  # fmt: skip
def test_what_is_accepted(name: str, value: str, read: Any) -> None:
    reader = Reader({name: value})
    assert (reader.read(SETTINGS[name]), reader.issues) == (read, [])


def test_a_secret_may_be_a_parameter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "brskills_server.adapters.parameter_store._get_parameter",
        lambda: lambda Name, WithDecryption: {"Parameter": {"Value": f"{Name}-{WithDecryption}"}},
    )
    settings = Settings.from_environment({"DEMO_API_KEY": "ssm:/demo", "CNPJA_TOKEN": "ssm:/token"})
    assert settings.demo_api_key == "/demo-True"
    assert settings.cnpja_token == "ssm:/token"  # its adapter reads it, and again after a rotation


def test_a_parameter_that_cannot_be_read_is_an_issue(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL_SSM", "http://127.0.0.1:1")
    with pytest.raises(InvalidSettings, match="DEMO_API_KEY cannot be read from /demo: "):
        Settings.from_environment({"DEMO_API_KEY": "ssm:/demo"})
