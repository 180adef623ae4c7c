"""What the payee check takes and answers."""

from typing import Literal

from pydantic import BaseModel, Field

from brskills_server.registry.company import SituacaoCadastral
from brskills_server.skills.pix.fields import MAX_CODE_LENGTH, KeyTypeName

AlertCode = Literal[
    "codigo_invalido",
    "codigo_reparado",
    "empresa_inexistente",
    "empresa_inativa",
    "empresa_recente",
    "nome_diverge",
    "nome_nao_comparado",
    "dado_antigo",
    "sem_evidencia",
    "fontes_indisponiveis",
    "assinatura_invalida",
    "psp_desconhecido",
    "cobranca_expirada",
    "cobranca_paga",
    "cobranca_removida",
    "valor_diverge",
    "txid_diverge",
    "recebedor_diverge",
    "retirada_com_recorrencia",
    "recorrencia_indisponivel",
    "localizacao_indisponivel",
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
    seguir: bool | None = Field(
        None,
        description="Com true, o serviço lê e verifica o que o PSP assinou na localização de um código dinâmico.",
    )
    url: str | None = Field(
        None,
        min_length=1,
        max_length=200,
        description="Com seguir, no lugar de brcode: a localização de uma cobrança, sem https://.",
        examples=["pix.example.com/qr/v2/9d36b84fc70b478fb95c12729b90ca25"],
    )
    url_recorrencia: str | None = Field(
        None,
        min_length=1,
        max_length=200,
        description="Com seguir, no lugar de brcode ou com url: a localização de uma recorrência (Pix Automático).",
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


class ChargeReceiver(BaseModel):
    """Quem recebe, segundo o PSP."""

    cnpj: str | None
    nome: str | None
    nome_fantasia: str | None


class Withdrawal(BaseModel):
    """O dinheiro em espécie que quem paga recebe em um Pix Saque ou Pix Troco."""

    tipo: Literal["saque", "troco"]
    valor: str
    modificavel: bool


class Recurrence(BaseModel):
    """As condições de um Pix Automático."""

    id: str | None
    periodicidade: str | None
    inicio: str | None
    fim: str | None
    valor: str | None = Field(description="Em reais, se é fixo.")
    valor_minimo: str | None = Field(
        description="Se o valor varia: o menor teto que quem paga pode definir, em reais."
    )
    retentativa: str | None = Field(
        description="A palavra do PSP sobre novas tentativas: NAO_PERMITE ou PERMITE_3R_7D (até 3 em 7 dias)."
    )
    objeto: str | None = Field(description="O que se paga, nas palavras de quem recebe.")
    recebedor: ChargeReceiver | None


class SignedCharge(BaseModel):
    """O que o PSP assinou."""

    tipo: Literal["imediata", "vencimento", "recorrencia"]
    status: str | None = Field(description="A palavra do próprio PSP: ATIVA, CONCLUIDA e outras.")
    txid: str | None
    valor: str | None = Field(
        description="Em reais, tudo o que se paga, com a retirada; com vencimento, o valor final que o PSP "
        "informa sem data de pagamento.",
        examples=["49.90"],
    )
    modificavel: bool | None = Field(description="Se quem paga pode mudar o valor, fora a retirada.")
    retirada: Withdrawal | None
    vencimento: str | None
    expira_em: str | None
    recebedor: ChargeReceiver | None
    recorrencia: Recurrence | None


class Certificate(BaseModel):
    """O certificado de quem assinou."""

    titular: str | None
    organizacao: str | None
    cnpj: str | None
    emissor: str | None
    valido_ate: str
    nivel: Literal["dominio", "organizacao", "estendida"]


class Signature(BaseModel):
    """O que foi verificado da assinatura do PSP."""

    estado: Literal["valida", "invalida", "nao_verificavel"]
    motivos: list[str] = Field(description="Códigos do que falhou ou, se valida, de desvios de forma.")
    certificado: Certificate | None


class Psp(BaseModel):
    """O participante do Pix a quem pertence o CNPJ do certificado."""

    ispb: str
    nome: str
    participante: bool


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
    cobranca: SignedCharge | None = Field(
        description="Com seguir: a cobrança que o PSP assinou; null se nada válido foi lido."
    )
    assinatura: Signature | None
    psp: Psp | None
