"""Every sample event through `sam local invoke`, and a caller's way through `sam local start-api`."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from brskills import verify_proof
from tests.sam.conftest import FLAGS, SAM
from tests.services.gateway import ROOT, free_port, running

EVENTS = sorted(path.stem for path in (ROOT / "events").glob("*.json"))
EXPECTED = {"account": 201, "billing": 503, "custom": 404, "oauth": 201}
DEMO = {"X-API-Key": "brsk_demo00000000000000000000000000001gbZMd"}
CHARGE = {"chave": "pix@exemplo.com.br", "valor": "49.90", "nome_recebedor": "Loja", "cidade": "Recife"}


@pytest.mark.parametrize("name", EVENTS)
def test_a_sample_event_is_answered(name: str, variables: Path) -> None:
    function = f"{name.title().replace('_', '')}Function"
    command = [SAM, "local", "invoke", function, "-e", f"events/{name}.json", "-n", variables, *FLAGS]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    answer = json.loads(done.stdout.splitlines()[-1])
    if name == "authorizer":
        assert answer["policyDocument"]["Statement"][0]["Effect"] == "Allow"
        assert answer["usageIdentifierKey"].endswith("-demo-00-gateway-key")
    elif name in {"announce", "gateway_keys", "probe"}:
        assert answer is None  # API Gateway's own API and the providers are not there: no more than a line
    elif name == "deliver":
        assert answer == {"batchItemFailures": []}  # the webhook is not in the store: nothing must come again
    else:
        assert answer["statusCode"] == EXPECTED.get(name, 200), answer


@pytest.fixture(scope="module")
def base_url(variables: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    port = free_port()
    log = tmp_path_factory.mktemp("sam") / "start-api.log"
    command = [
        SAM,
        "local",
        "start-api",
        "-p",
        str(port),
        "-n",
        variables,
        "--warm-containers",
        "LAZY",
        *FLAGS,
    ]
    with log.open("wb") as sink:
        process = subprocess.Popen(command, cwd=ROOT, stdout=sink, stderr=subprocess.STDOUT)
    with running(process, f"http://127.0.0.1:{port}/api/v1/plans") as base:
        yield base


def test_a_callers_way_through_the_real_runtime(base_url: str) -> None:
    with httpx.Client(base_url=base_url, timeout=60) as client:
        assert client.get("/api/v1/usage").status_code == 401
        issued = client.post("/api/v1/keys", json={})
        assert issued.status_code == 201
        key = {"X-API-Key": issued.json()["api_key"]}
        code = client.post("/api/v1/skills/pix", json=CHARGE, headers=key)
        assert code.status_code == 200
        assert code.headers["x-ratelimit-remaining"] == "99"
        image = client.post("/api/v1/skills/pix", json=CHARGE, headers={**key, "Accept": "image/png"})
        assert image.content.startswith(b"\x89PNG")
        found = client.post("/api/v1/skills/pix/decode", json={"brcode": code.json()["brcode"]}, headers=key)
        assert found.json()["valido"]
        assert client.get("/api/v1/skills/cnpj/SANDBOX1000170", headers=key).json()["fonte"] == "sandbox"
        location = {"url": "sandbox.brskills.example/pix/v2/valida", "seguir": True}
        followed = client.post("/api/v1/skills/pix/conferir", json=location, headers=key).json()
        assert followed["assinatura"]["estado"] == "valida"
        proof = client.get("/api/v1/skills/cnpj/SANDBOX1000170", headers=key | {"Accept": "application/jose"})
        keys = client.get("/.well-known/jwks.json").json()
        assert verify_proof(proof.text, keys).answer["cnpj"] == "SANDBOX1000170"
        assert client.get("/api/v1/usage", headers=key).json()["chamadas"] == 2
        assert client.post("/api/v1/skills/pix", json={}, headers=DEMO).status_code == 422
        assert client.post("/api/v1/keys/revoke", headers=key).status_code == 204
        # `sam local` answers for the authorizer in its own words; the template's 401 is tried on MiniStack.
        assert client.post("/api/v1/skills/pix", json=CHARGE, headers=key).status_code == 403
