"""``python -m lab.clients.openapi``: Redocly lints both documents, Schemathesis tests the API."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import httpx

from brskills_server.web.request import LANGUAGES
from lab.clients.environments import HERE, NODE_PACKAGES, node_environment, python_environment
from tests.services.gateway import gateway
from tests.simulator import Simulator

EXAMPLES = "100"
SETTINGS = {"SIGNUPS_PER_DAY": "1000000", "DEMO_MONTHLY_LIMIT": "1000000", "WORKERS": "2"}
DEMO = "brsk_demo00000000000000000000000000001gbZMd"


def main() -> None:
    """Exit with 1 on any finding. The key is the demo key, which no generated call can revoke."""
    env = node_environment()
    schemathesis = python_environment("schemathesis").with_name("schemathesis")
    with Simulator() as providers, tempfile.TemporaryDirectory() as folder:
        urls = {f"{name.upper()}_URL": url for name, url in providers.urls.items()}
        with gateway(**SETTINGS, **urls) as base:
            address = f"{base}/api/v1/openapi.json"
            documents = [Path(folder) / f"openapi.{language}.json" for language in LANGUAGES]
            for language, document in zip(LANGUAGES, documents, strict=True):
                document.write_bytes(httpx.get(address, headers={"Accept-Language": language}).content)
            lint = [NODE_PACKAGES / "node_modules/.bin/redocly", "lint", *documents]
            found = subprocess.run(lint, env=env, cwd=folder, check=False).returncode
            options = ["run", address, "-H", f"X-API-Key: {DEMO}", "--max-examples", EXAMPLES]
            fuzz = [schemathesis, "--config-file", HERE / "schemathesis.toml", *options, *sys.argv[1:]]
            found |= subprocess.run(fuzz, cwd=folder, check=False).returncode
    sys.exit(bool(found))


main()
