"""The Dockerfile and compose.yaml fit the server, and give each container as few rights as possible."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from brskills_server.gateway.application import LIVE
from brskills_server.gateway.protocol import MAX_CONNECTIONS
from brskills_server.gateway.server import STOP_SECONDS
from brskills_server.gateway.server_config import BACKLOG
from brskills_server.gateway.template import load
from brskills_server.runtime.settings import VERSION, Settings

ROOT = Path(__file__).parents[3]
COMPOSE = (ROOT / "compose.yaml").read_text(encoding="utf-8")
DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
PROXY = (ROOT / "on-premise/haproxy.cfg").read_text(encoding="utf-8")
OWN_IMAGES = {"server": "brskills-server", "replica": "brskills-server", "copy": "brskills-server-with-copy"}


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    content: dict[str, Any] = yaml.safe_load(COMPOSE)
    return content


@pytest.fixture(scope="module")
def services(compose: dict[str, Any]) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = compose["services"]
    return found


def environment_file(path: str) -> dict[str, str]:
    lines = (ROOT / path).read_text(encoding="utf-8").splitlines()
    return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))


def test_one_command_starts_the_server_alone_and_on_loopback(services: dict[str, dict[str, Any]]) -> None:
    assert [name for name, service in services.items() if "profiles" not in service] == ["server"]
    server = services["server"]
    assert server["ports"] == ["127.0.0.1:${PORT:-8000}:${PORT:-8000}"]
    assert server["environment"]["PORT"] == "${PORT:-8000}"  # the banner prints it
    assert "depends_on" not in server
    assert "secrets" not in server
    assert "state:/var/lib/brskills" in server["volumes"]
    assert "STORE=sqlite:////var/lib/brskills/" in DOCKERFILE


def test_the_proxy_alone_starts_what_it_needs_and_no_server_over_a_file(
    services: dict[str, dict[str, Any]],
) -> None:
    needed, waiting = set(), ["proxy"]
    while waiting:
        needed.add(name := waiting.pop())
        assert services[name]["profiles"] == ["postgres"]
        waiting += services[name].get("depends_on", [])
    assert needed == {"proxy", "replica", "database"}
    assert [name for name in needed if "ports" in services[name]] == ["proxy"]
    assert services["replica"]["depends_on"] == {"database": {"condition": "service_healthy"}}
    assert services["proxy"]["environment"]["SERVER"] == "replica:8000"


def test_images_are_built_here_or_named_by_version(services: dict[str, dict[str, Any]]) -> None:
    for name, service in services.items():
        image, _, version = service["image"].partition(":")
        if name in OWN_IMAGES:
            assert (image, version) == (OWN_IMAGES[name], VERSION)
            assert service["pull_policy"] == "never"
            assert service["build"]["context"] == "."
        else:
            assert re.fullmatch(r"\d+(\.\d+)*", version)
            assert "build" not in service
    assert services["copy"]["build"]["args"]["PACKAGE"] == OWN_IMAGES["copy"]
    assert re.search(r"^ARG BASE=python:3\.\d+-[a-z-]+$", DOCKERFILE, re.MULTILINE)


def test_what_the_image_copies_from_the_folder_is_there() -> None:
    stage = DOCKERFILE.partition("AS checkout")[2].partition("COPY . .")[0]
    copied = [words.split()[:-1] for words in re.findall("^COPY (.+)$", stage, re.MULTILINE)]
    assert copied
    assert all((ROOT / source).exists() for sources in copied for source in sources)


@pytest.mark.parametrize("name", ["server", "replica"])
def test_a_server_is_healthy_when_it_can_count(services: dict[str, dict[str, Any]], name: str) -> None:
    *command, program = services[name]["healthcheck"]["test"]
    assert command == ["CMD", "/opt/brskills/bin/python", "-c"]
    compile(program, "healthcheck", "exec")
    (path,) = re.findall(r"\['PORT'\]\}(/[a-z0-9/]+)\"", program)
    assert ("GET", path) in {(route.method, route.resource) for route in load().routes}


def test_the_image_itself_says_whether_it_lives() -> None:
    assert LIVE in DOCKERFILE.partition("HEALTHCHECK")[2]


def test_every_container_has_as_few_rights_as_can_be(services: dict[str, dict[str, Any]]) -> None:
    for service in services.values():
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]
        assert service["security_opt"] == ["no-new-privileges:true"]
        assert not {"privileged", "user", "network_mode", "pid"} & service.keys()
    assert [name for name, service in services.items() if "cap_add" in service] == ["database"]
    assert re.findall("^USER (.+)$", DOCKERFILE, re.MULTILINE) == ["65532:65532"]
    assert all("mem_limit" in services[name] for name in OWN_IMAGES)


def test_no_secret_is_in_a_variable(compose: dict[str, Any], services: dict[str, dict[str, Any]]) -> None:
    files = {name: secret["file"] for name, secret in compose["secrets"].items()}
    assert files.pop("pip") == "${PIP_CONFIG_FILE:-/dev/null}"
    assert all(file.startswith("secrets/") for file in files.values())
    assert not re.search("postgresql://[^@/]*:", COMPOSE)
    assert {"POSTGRES_USER", "POSTGRES_PASSWORD_FILE"} == services["database"]["environment"].keys()
    ignored = (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    assert "/secrets/" in ignored
    assert {".*", "secrets"} <= {*(ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()}


def test_settings_come_from_a_file_that_may_be_absent(services: dict[str, dict[str, Any]]) -> None:
    settings = {"path": ".env", "required": False}
    assert services["server"]["env_file"] == services["copy"]["env_file"] == [settings]
    closed, given = services["replica"]["env_file"]
    assert given == settings
    assert Settings.from_environment(environment_file(closed)).signups_per_day == 0


def test_replicas_trust_the_proxys_network_alone(
    compose: dict[str, Any], services: dict[str, dict[str, Any]]
) -> None:
    replica = services["replica"]["environment"]
    assert replica["TRUSTED_PROXIES"] == compose["networks"]["front"]["ipam"]["config"][0]["subnet"]
    assert "TRUSTED_PROXIES" not in services["server"]["environment"]
    settings = {**environment_file("on-premise/brskills.env"), "STORE": replica["STORE"]}
    assert Settings.from_environment(settings).store == replica["STORE"]


def test_builder_and_servers_agree_where_the_snapshot_is(services: dict[str, dict[str, Any]]) -> None:
    place = environment_file("on-premise/brskills.env")["REGISTRY_COPY"]
    assert f"REGISTRY_COPY={place}\n" in DOCKERFILE
    assert f"register:{place}" in services["copy"]["volumes"]
    for name in ("server", "replica"):
        assert f"register:{place}:ro" in services[name]["volumes"]
        assert "REGISTRY_COPY" not in services[name]["environment"]


def test_unit_and_containers_allow_all_connections_and_bursts(services: dict[str, dict[str, Any]]) -> None:
    unit = (ROOT / "on-premise/brskills.service").read_text(encoding="utf-8")
    (descriptors,) = re.findall(r"^LimitNOFILE=(\d+)$", unit, re.MULTILINE)
    for name in ("server", "replica"):
        assert services[name]["ulimits"]["nofile"] == int(descriptors)
    assert int(descriptors) >= 2 * MAX_CONNECTIONS
    for name in ("server", "replica", "proxy"):
        assert services[name]["sysctls"] == {"net.core.somaxconn": BACKLOG}
    (callers,) = re.findall(r"^ +maxconn (\d+)$", PROXY, re.MULTILINE)
    assert services["proxy"]["ulimits"]["nofile"] > 2 * int(callers)


def test_a_replica_drains_for_longer_than_the_proxy_needs_to_see_it(
    services: dict[str, dict[str, Any]],
) -> None:
    ((interval, failures),) = re.findall(r"check inter (\d+)s fall (\d+)", PROXY)
    drain = services["replica"]["environment"]["DRAIN_SECONDS"]
    assert drain > int(interval) * int(failures)
    for name, seconds in (("server", 0), ("replica", drain)):
        assert int(services[name]["stop_grace_period"].removesuffix("s")) >= seconds + STOP_SECONDS
    assert "option httpchk HEAD /api/v1/health" in PROXY
