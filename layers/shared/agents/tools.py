"""The tools: which skills an agent may call, when it should and when it should not.

Arguments are the skills' own request models, so MCP, the tool lists and the HTTP API take the same fields.
Descriptions are Portuguese, as the models are, with one English sentence for agents that search by words.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict

from skills.company import CompanyRequest
from skills.pix_models import DecodeRequest, PixRequest

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["TOOLS", "NoArguments", "Tool"]


class NoArguments(BaseModel):
    """Nada a informar."""

    model_config = ConfigDict(extra="forbid")


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool. ``route`` is the HTTP call that does the same; ``open_world``: others' data is asked for."""

    name: str
    title: str
    description: str
    arguments: type[BaseModel]
    route: tuple[str, str]
    open_world: bool = False


TOOLS: Mapping[str, Tool] = {
    tool.name: tool
    for tool in (
        Tool(
            "create_pix_code",
            "Criar um código Pix",
            "Escreve um BR Code (Pix copia-e-cola) e o seu QR. Use quando alguém quer cobrar ou receber por Pix e a "
            "chave, o nome e a cidade de quem recebe são conhecidos: pergunte pelo que faltar, não invente. Não use "
            "para pagar, para saber se um Pix foi pago, nem para ler um código pronto (decode_pix_code). Conta uma "
            "chamada do mês; um pedido recusado não conta. Leia ajustes: dizem o que mudou nos textos. / Create a "
            "Brazilian Pix payment code and its QR image; it moves no money.",
            PixRequest,
            ("POST", "/api/v1/skills/pix"),
        ),
        Tool(
            "decode_pix_code",
            "Ler um código Pix",
            "Diz o que há num BR Code (Pix copia-e-cola) e quais regras ele quebra. Use antes de pagar ou publicar um "
            "código, ou quando um banco o recusa. Não use para criar um código (create_pix_code) nem para ler uma "
            "imagem: envie o texto do QR. Não conta chamadas. / Read and check the text of a Pix QR code.",
            DecodeRequest,
            ("POST", "/api/v1/skills/pix/decode"),
        ),
        Tool(
            "look_up_company",
            "Consultar uma empresa",
            "Dá o registro público de uma empresa brasileira pelo CNPJ: razão social, situação, endereço, CNAE, "
            "sócios, fonte e idade do dado. Use para conferir um fornecedor ou preencher um cadastro. Não use para "
            "CPF, para procurar por nome, nem para certidões. Conta uma chamada do mês quando responde; SANDBOX... "
            "não conta. / Look up a Brazilian company by its CNPJ tax number.",
            CompanyRequest,
            ("POST", "/api/v1/skills/cnpj"),
            open_world=True,
        ),
        Tool(
            "get_usage",
            "Ver o uso do mês",
            "Mostra plano, chamadas feitas, limite e quando a contagem recomeça, da chave enviada. Use antes de muitas "
            "chamadas ou depois de quota_exceeded. Não use para ver os planos (GET /api/v1/plans). Não conta "
            "chamadas. / Show this month's calls and what is left.",
            NoArguments,
            ("GET", "/api/v1/usage"),
        ),
    )
}
"""The tools by name, in the order they are listed."""
