"""The npm package: contents, dependencies, types and behaviour."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from brskills_server.runtime.settings import VERSION
from tests.integration.gateway.service import DEMO
from tests.npm.conftest import TARBALL, Project
from tests.services.gateway import ROOT, gateway

DOCUMENTS = [ROOT / "clients/typescript/README.md", *sorted(ROOT.glob("docs/guides/*/*.md"))]


def test_the_package_holds_the_compiled_client_and_nothing_else() -> None:
    sources = {path.stem for path in (ROOT / "clients/typescript/src").glob("*.ts")} | {"schema", "version"}
    compiled = {f"package/dist/{name}.{kind}" for name in sources for kind in ("js", "d.ts")}
    with tarfile.open(TARBALL) as package:
        assert set(package.getnames()) == compiled | {
            f"package/{name}" for name in ("LICENSE", "README.md", "package.json")
        }
        licence = package.extractfile("package/LICENSE")
        assert licence
        assert licence.read() == (ROOT / "LICENSE").read_bytes()


def test_the_same_files_make_the_same_bytes(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "package.npm", tmp_path],
        cwd=ROOT,
        check=True,
        umask=0o077,
        env={**os.environ, "PYTHONPATH": "layers/shared", "TZ": "Asia/Tokyo"},
    )
    assert (tmp_path / TARBALL.name).read_bytes() == TARBALL.read_bytes()


def test_dependencies(project: Project) -> None:
    found = json.loads(project.run("npm", "ls", "--all", "--json", "--omit=dev"))["dependencies"]
    assert found.keys() - {"brskills"} == set()
    assert found["brskills"]["version"] == VERSION
    brought = project.run("npm", "ls", "--all", "--omit=dev", "--parseable").splitlines()
    names = {line.split("/node_modules/")[-1] for line in brought if "/node_modules/" in line}
    requests = {"openapi-fetch", "openapi-typescript-helpers", "p-retry", "is-network-error"}
    assert names == {"brskills", *requests, "standardwebhooks", "@stablelib/base64", "fast-sha256"}


def test_the_compiler_knows_the_service(project: Project) -> None:
    text = "".join(document.read_text("utf-8") for document in DOCUMENTS)
    for number, sample in enumerate(re.findall(r"```ts\n(.*?)```", text, re.DOTALL)):
        (project.folder / f"sample-{number}.ts").write_text(sample, "utf-8")
    project.run("node_modules/.bin/tsc")


@pytest.mark.parametrize("program", ["failing.test.ts", "limits.test.ts", "webhooks.test.ts"])
def test_failures(project: Project, program: str) -> None:
    project.run("node", "--test", program)


def test_a_service(project: Project) -> None:
    with gateway(DEMO_MONTHLY_LIMIT="2", SIGNUPS_PER_DAY="1000") as base:
        project.run("node", "--test", "service.test.ts", BRSKILLS_URL=base, DEMO_KEY=DEMO["X-API-Key"])


def test_the_example(project: Project) -> None:
    shutil.copy(ROOT / "examples/client.ts", project.folder)
    project.run("node_modules/.bin/tsc")
    with gateway() as base:
        printed = project.run("node", "client.ts", BRSKILLS_URL=base, BRSKILLS_API_KEY=DEMO["X-API-Key"])
    assert printed.startswith("000201")
    assert "\nEMPRESA DE EXEMPLO LTDA\nnot in the register\n" in printed


def test_the_pages_samples_compile_and_run(project: Project) -> None:
    shutil.copy(ROOT / "functions/site/static/languages.js", project.folder)
    with gateway() as base:
        project.run("node", "samples.ts", BRSKILLS_URL=f"{base}/", DEMO_KEY=DEMO["X-API-Key"])
        project.run("node_modules/.bin/tsc")
        assert project.run("node", "sample-pix.ts").startswith("000201")
        assert project.run("node", "sample-cnpj.ts") == "EMPRESA DE EXEMPLO LTDA\n"


@pytest.mark.parametrize("way", ["import('brskills')", "Promise.resolve(require('brskills'))"])
def test_import_and_require(project: Project, way: str) -> None:
    script = f"{way}.then((found) => console.log(typeof found.Client))"
    assert project.run("node", "--input-type=commonjs", "--eval", script) == "function\n"
