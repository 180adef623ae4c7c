"""The Inspector's command line, which sends arguments of digits as numbers."""

from __future__ import annotations

import json
import subprocess
from typing import Any

from lab.clients.environments import NODE_PACKAGES


def inspect(url: str, key: str, env: dict[str, str]) -> None:
    """List and fail without a key, then call with it. Raise `AssertionError` on failure."""

    def ask(*arguments: str) -> dict[str, Any]:
        command = [NODE_PACKAGES / "node_modules/.bin/mcp-inspector", "--cli", url, "--transport", "http"]
        done = subprocess.run([*command, *arguments], env=env, capture_output=True, text=True, check=False)
        assert done.stdout, done.stderr
        answer: dict[str, Any] = json.JSONDecoder().raw_decode(done.stdout[done.stdout.index("{") :])[0]
        return answer

    def call(
        tool: str, *arguments: str, header: tuple[str, ...] = ("--header", f"X-API-Key: {key}")
    ) -> dict[str, Any]:
        given = ["--tool-arg", *arguments] if arguments else []
        return ask("--method", "tools/call", "--tool-name", tool, *given, *header)

    assert next(tool["name"] for tool in ask("--method", "tools/list")["tools"]) == "create_pix_code"
    assert call("get_usage", header=())["structuredContent"]["code"] == "missing_api_key"
    charge = ("chave=pix@exemplo.com.br", "valor=10.00", "nome_recebedor=Padaria", "cidade=Recife")
    made = call("create_pix_code", *charge)
    assert made["structuredContent"]["valor"] == "10.00"
    assert [part["type"] for part in made["content"]] == ["text", "image"]
    payee = call("check_pix_payee", "chave=SANDBOX1000170", "nome_recebedor=Exemplo")
    assert payee["structuredContent"]["evidencia"]["fonte"] == "sandbox"
    assert call("look_up_company", "cnpj=SANDBOX1000170")["structuredContent"]["fonte"] == "sandbox"
