"""What each function is called with first: the sample events, by a new caller."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

__all__ = ["NUMBER", "first_events"]

NUMBER = "33000167000101"
PARTS = ("/llms.txt", "/api/v1/openapi.json", "/api/v1/status")
ROOT = Path(__file__).parents[3]


def first_events() -> dict[str, dict[str, Any]]:
    """An event by function; the store that the environment names has the caller and a company then."""
    from brskills_server.accounts.api_key import digest
    from brskills_server.runtime.services import open_services

    services = open_services()
    issued = services.accounts.open("enterprise")
    _store_company()

    def sample(name: str, **other: Any) -> dict[str, Any]:
        made: dict[str, Any] = json.loads((ROOT / f"events/{name}.json").read_text(encoding="utf-8"))
        made |= other
        made["headers"] = {**made["headers"], "X-API-Key": issued.api_key}
        made["multiValueHeaders"] = {}
        made["requestContext"]["authorizer"] = {"account": issued.account, "key": digest(issued.api_key)}
        return made

    call = {"name": "create_pix_code", "arguments": json.loads(sample("pix")["body"])}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
    usage, metadata = "/api/v1/usage", "/.well-known/oauth-authorization-server"
    return {
        "authorizer": sample("authorizer"),
        "pix": sample("pix"),
        "cnpj": sample("cnpj", pathParameters={"cnpj": NUMBER}),
        "payee": sample("payee"),
        "mcp, a list of tools": sample("mcp"),
        "mcp, a Pix code": sample("mcp", body=json.dumps(message)),
        "account": sample("account", httpMethod="GET", resource=usage, path=usage),
        "oauth": sample("oauth", httpMethod="GET", resource=metadata, path=metadata),
        "site": sample("site"),
        **{f"site, {path}": sample("site", resource=path, path=path) for path in PARTS},
    }


def _store_company() -> None:
    from brskills_server.adapters.dynamodb.client import dynamodb_client
    from brskills_server.adapters.dynamodb.companies import DynamoCompanies
    from brskills_server.registry.cache.entries import StoredCompany
    from brskills_server.registry.company import Record
    from tests.simulator.companies import DATA

    record = Record.model_validate_json((DATA / "expected/brasilapi/petrobras_2026-10-08.json").read_bytes())
    now = int(time.time())
    entry = StoredCompany(record.model_dump_json(), now).to_fields()
    DynamoCompanies(dynamodb_client(), "Companies").save(NUMBER, entry, now + 86_400)
