"""What goes into the package as it is fits the server that it is for."""

from __future__ import annotations

import re
from pathlib import Path

from brskills_server.accounts.plans import PLANS
from brskills_server.runtime.settings import VERSION, Settings
from tests.for_each import for_each

ROOT = Path(__file__).parents[3]
FILES = ROOT / "on-premise"


def example() -> dict[str, str]:
    lines = (FILES / "brskills.env").read_text(encoding="utf-8").splitlines()
    return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))


def test_the_example_is_a_configuration_in_which_nobody_gets_in_unasked() -> None:
    settings = Settings.from_environment(example())
    assert (settings.signups_per_day, settings.demo_monthly_limit) == (0, 0)
    assert [str(network) for network in settings.trusted_proxies] == ["127.0.0.1/32"]
    assert example()["HOST"] == "127.0.0.1"


def test_unit_and_container_keep_the_store_where_they_may_write() -> None:
    unit = (FILES / "brskills.service").read_text(encoding="utf-8")
    dockerfile = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    assert re.search("^StateDirectory=brskills$", unit, re.MULTILINE)
    assert re.search("^VOLUME /var/lib/brskills$", dockerfile, re.MULTILINE)
    assert example()["STORE"] in dockerfile
    assert example()["STORE"].startswith("sqlite:////var/lib/brskills/")


def test_the_builder_has_no_more_rights_than_the_server() -> None:
    server, copy = (
        (FILES / name).read_text(encoding="utf-8") for name in ("brskills.service", "brskills-copy.service")
    )
    rights = server[server.index("NoNewPrivileges") : server.index("\n[Install]")]
    assert copy.endswith(rights)


def test_the_copy_is_built_on_the_same_days_everywhere() -> None:
    timer = (FILES / "brskills-copy.timer").read_text(encoding="utf-8")
    template = (ROOT / "register.yaml").read_text(encoding="utf-8")
    days = re.findall(r"^OnCalendar=\*-\*-([\d,]+) ", timer, re.MULTILINE)
    assert days == re.findall(r'Default: "cron\(0 6 ([\d,]+) \* \? \*\)"', template)
    assert "Restart=no\n" in (FILES / "brskills-copy.service").read_text(encoding="utf-8")


def test_the_proxy_says_how_it_was_reached_whatever_a_caller_says() -> None:
    """The issuer of the sign-in is made of it, and over plain http nobody signs in."""
    proxy = (FILES / "haproxy.cfg").read_text(encoding="utf-8")
    frontend = proxy.partition("frontend callers")[2].partition("backend")[0]
    assert " ssl " in frontend
    assert "http-request set-header X-Forwarded-Proto https\n" in frontend


def test_the_proxy_limits_addresses_whatever_keys_they_invent() -> None:
    proxy = (FILES / "haproxy.cfg").read_text(encoding="utf-8")
    # Tracked when the connection is made: before any header of the caller's is read.
    assert "\n    tcp-request connection track-sc0 src,ipmask(32,64) table addresses\n" in proxy
    (connections,) = re.findall(r"tcp-request connection reject if { sc_conn_cur\(0\) gt (\d+) }", proxy)
    (of_all,) = re.findall(r"^ +maxconn (\d+)$", proxy, re.MULTILINE)
    assert int(connections) * 10 == int(of_all)
    (key,) = re.findall(
        r"bool\(true\) if { sc_http_req_rate\(0\) gt \d+ } \|\| { sc_http_req_rate\(1\) gt (\d+) }\n", proxy
    )
    assert re.search(r"if { sc_http_req_rate\(1\) gt \d+ } !{ var\(txn.caller\) -m found }\n", proxy)
    assert "status 429 " in proxy
    assert proxy.count("if { var(txn.too_many) -m bool }\n") == 1
    assert int(key) >= max(plan.rate for plan in PLANS.values())


@for_each("name", ["Dockerfile", "compose.yaml", "on-premise/install.py", "docs/operate/on-premise.md"])
def test_versions_that_are_named_are_this_one(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    named = set(re.findall(r"brskills[a-z-]*[-:](\d+\.\d+\.\d+)", text))
    assert named == {VERSION}
