"""A gateway and the operator's tools over one configuration file, with the secrets in files of their own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import httpx

from brskills_server.runtime.setting_types import STORE_FORMS
from tests.integration.adapters.sql.databases import open_at
from tests.services.gateway import ROOT, free_port, start, wait_until_ready

from .test_gateway import CHARGE, PIX


def run(module: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    bare = {name: os.environ[name] for name in ("PATH",)}
    return subprocess.run(
        [sys.executable, "-m", module, *arguments],
        cwd=ROOT,
        env={**bare, "PYTHONPATH": "layers/shared", **environment},
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_the_gateway_and_the_operators_tools_read_the_same_file(tmp_path: Path) -> None:
    port = free_port()
    (tmp_path / "store").write_text(f"sqlite:///{tmp_path}/kept/brskills.db\n")
    (tmp_path / "demo").write_text("minha-chave-aberta\n")
    file = tmp_path / "brskills.conf"
    file.write_text(
        f"# ours\nPORT={port}\nWORKERS=1\nSTORE_FILE={tmp_path}/store\nDEMO_API_KEY_FILE={tmp_path}/demo\n"
    )
    # What the environment says wins; an empty variable says nothing.
    process = start(port, None, CONFIG_FILE=str(file), STORE="", WORKERS="2", DEMO_MONTHLY_LIMIT="1")
    base = f"http://127.0.0.1:{port}"
    try:
        wait_until_ready(f"{base}/livez", process)
        mine = {"X-API-Key": "minha-chave-aberta"}
        statuses = [httpx.post(f"{base}{PIX}", json=CHARGE, headers=mine).status_code for _ in range(2)]
        assert statuses == [200, 429]
        httpx.post(f"{base}/api/v1/keys", json={"email": "dona@exemplo.com.br"}).raise_for_status()
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(60)
    listed = run("brskills_server.admin", "list", CONFIG_FILE=str(file))
    assert (listed.returncode, "dona@exemplo.com.br" in listed.stdout) == (0, True), listed.stderr


def test_everything_that_is_wrong_is_told_at_once(tmp_path: Path) -> None:
    file = tmp_path / "brskills.conf"
    file.write_text("PORTO=1\nWORKERS=two\nDEMO_MONTHLY_LIMIT=many\nhunter2\n")
    environment = {"CONFIG_FILE": str(file), "STORE": "hunter2", "STRIPE_API_KEY_FILE": "/nowhere"}
    gateway, admin = (
        run("brskills_server.gateway", **environment),
        run("brskills_server.admin", "list", **environment),
    )
    assert (gateway.returncode, admin.returncode) == (1, 2)
    told = [
        "CONFIG_FILE: line 1: there is no setting PORTO; is it PORT?",
        "CONFIG_FILE: line 4 is not NAME=VALUE",
        "STRIPE_API_KEY names a file that cannot be read: No such file or directory",
        "WORKERS must be a whole number, not 'two'",
        f"STORE {STORE_FORMS}; it names no store of this installation",
        "DEMO_MONTHLY_LIMIT must be a whole number, not 'many'",
    ]
    assert gateway.stderr.splitlines() == told
    assert admin.stderr.splitlines() == [line for line in told if not line.startswith("WORKERS")]


def test_an_aws_profile_that_is_not_there_is_told_in_one_line() -> None:
    environment = {"STORE": "dynamodb", "AWS_PROFILE": "nobody", "AWS_CONFIG_FILE": os.devnull}
    own = {**environment, "AWS_ENDPOINT_URL_DYNAMODB": "http://127.0.0.1:9"}
    for settings in (environment, own):
        for module, code, *arguments in (
            ("brskills_server.gateway", 1),
            ("brskills_server.admin", 2, "list"),
        ):
            told = run(module, *arguments, PORT=str(free_port()), **settings)
            assert (told.returncode, told.stderr.count("\n")) == (code, 1), told.stderr
            assert "AWS is not configured: The config profile (nobody)" in told.stderr


def test_a_port_for_figures_that_is_taken_is_told_in_one_line() -> None:
    port = str(free_port())
    told = run("brskills_server.gateway", PORT=port, METRICS_PORT=port, STORE="memory")
    assert told.returncode == 1
    assert told.stderr.startswith(f"cannot give figures at METRICS_HOST=127.0.0.1, METRICS_PORT={port}: ")
    assert len(told.stderr.splitlines()) == 1


def test_a_move_without_a_target_goes_to_the_store_that_the_file_names(tmp_path: Path) -> None:
    source, target = (f"sqlite:///{tmp_path}/{name}.db" for name in ("source", "target"))
    (tmp_path / "store").write_text(f"{target}\n")
    file = tmp_path / "brskills.conf"
    file.write_text(f"STORE_FILE={tmp_path}/store\n")
    open_at(source).open_maintenance().prepare()
    assert run("brskills_server.admin", "open", "pro", STORE=source).returncode == 0
    moved = run("brskills_server.admin", "move", source, CONFIG_FILE=str(file))
    assert (moved.returncode, f"moved to {target}" in moved.stdout) == (0, True), moved.stderr
    assert len(list(open_at(target).access.list_accounts())) == 1


def test_the_operators_tools_promise_nothing_of_a_store_in_memory(tmp_path: Path) -> None:
    file = f"sqlite:///{tmp_path}/brskills.db"
    open_at(file).open_maintenance().prepare()
    for arguments in (("open", "pro"), ("list",), ("move", file), ("move", "memory", file)):
        refused = run("brskills_server.admin", *arguments, STORE="memory")
        assert (refused.returncode, refused.stdout, refused.stderr.count("\n")) == (2, "", 1)
        assert "memory is a gateway's own" in refused.stderr
