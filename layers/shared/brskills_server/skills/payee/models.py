"""What the payee check takes and answers."""

from typing import Literal

from pydantic import BaseModel, Field

from brskills_server.registry.company import SituacaoCadastral
from brskills_server.skills.pix.fields import MAX_CODE_LENGTH, KeyTypeName

AlertCode = Literal[
    "codigo_invalido",
    "empresa_inexistente",
    "empresa_inativa",
    "empresa_recente",
    "nome_diverge",
    "nome_nao_comparado",
    "dado_antigo",
    "sem_evidencia",
]


class PayeeRequest(BaseModel, extra="forbid"):
    """Um código, ou a chave e o nome que estão nele."""

    brcode: str | None = Field(
        None,
        min_length=1,
        max_length=MAX_CODE_LENGTH,
        description="O texto do Pix copia-e-cola. Sozinho: a chave e o nome são lidos dele.",
    )
    chave: str | None = Field(
        None,
        description="No lugar de brcode: a chave Pix, com ou sem máscara.",
        examples=["33.000.167/0001-01"],
    )
    tipo_chave: KeyTypeName | None = Field(
        None, description="Só é necessário quando a chave é ambígua.", examples=["cnpj"]
    )
    nome_recebedor: str | None = Field(
        None,
        max_length=200,
        description="Com chave: o nome de quem receberia, como aparece no código.",
        examples=["Petrobras"],
    )


class Payee(BaseModel):
    """A empresa titular do CNPJ, segundo o cadastro."""

    cnpj: str
    razao_social: str
    nome_fantasia: str | None
    situacao_cadastral: SituacaoCadastral
    data_inicio_atividade: str | None
    municipio: str | None
    uf: str | None


class PayeeAlert(BaseModel):
    """O que conferir antes de pagar."""

    codigo: AlertCode
    detalhe: str


class Evidence(BaseModel):
    """A origem e a data dos dados da empresa."""

    fonte: str
    data_base: str | None
    consultado_em: str
    idade_segundos: int
    desatualizado: bool


class PayeeCheck(BaseModel):
    """O que o cadastro informa sobre quem receberia."""

    chave: str | None
    tipo_chave: KeyTypeName | None
    nome_recebedor: str | None
    recebedor: Payee | None = Field(
        description="null se a chave não é um CNPJ ou se a empresa não foi encontrada."
    )
    nome: Literal["confere", "parecido", "diverge", "desconhecido"] = Field(
        description="O nome do código comparado com a razão social e o nome fantasia."
    )
    alertas: list[PayeeAlert]
    evidencia: Evidence | None
