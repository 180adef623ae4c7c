"""``brskills status``."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.client.answering import Service, json_answer


def status(whole: str, **components: str) -> dict[str, Any]:
    listed = [
        {"nome": name, "status": state, "ultimo_sucesso": "2026-11-20T12:00:00Z"}
        for name, state in components.items()
    ]
    return {"status": whole, "componentes": listed, "verificado_em": "2026-11-20T12:01:00Z"}


UP = status("operational", armazenamento="operational", pix="operational", cnpj="operational")
UNTRIED = status(
    "operational", armazenamento="operational", pix="operational", cnpj="unknown", receita="unknown"
)
UNSTABLE = status("degraded", armazenamento="operational", pix="operational", cnpj="degraded", receita="down")
DOWN = status("down", armazenamento="down", pix="down", cnpj="down")


@pytest.mark.parametrize(("found", "code"), [(UP, 0), (UNTRIED, 0), (UNSTABLE, 7), (DOWN, 7)])
@pytest.mark.parametrize("extra", [[], ["--json"]])
def test_the_exit_code_says_whether_all_is_operational(
    ended: Any, found: dict[str, Any], code: int, extra: list[str]
) -> None:
    ended_with, out, err = ended("status", *extra, answer=json_answer(found), key="")
    assert (ended_with, err) == (code, "")
    if extra:
        assert json.loads(out)["status"] == found["status"]


def test_the_parts_in_words(ended: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "UTC")
    _, out, _ = ended("status", "--lang", "pt", answer=json_answer(UNSTABLE))
    assert out.splitlines() == [
        "serviço: com falhas",
        "  Pix: operando",
        "  CNPJ: com falhas; último sucesso em 20/11/2026 12:00",
        "  armazenamento: operando",
        "    fonte receita: fora do ar; último sucesso em 20/11/2026 12:00",
    ]
    _, out, _ = ended("status", "--lang", "en", answer=json_answer(UP))
    assert out.splitlines() == [
        "service: operational",
        "  Pix: operational",
        "  CNPJ: operational",
        "  store: operational",
    ]


def test_no_key_is_sent(ended: Any) -> None:
    service = Service(json_answer(UP))
    assert ended("status", answer=service)[0] == 0
    assert "x-api-key" not in service.requests[0].headers
