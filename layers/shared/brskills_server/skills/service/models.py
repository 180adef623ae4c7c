"""Results of ``plans`` and ``status``, for schemas: both return plain data of these shapes."""

from typing import Literal

from pydantic import BaseModel, Field

from brskills_server.skills.service.status import State, Whole


class Plan(BaseModel):
    """Um plano."""

    id: str = Field(examples=["free"])
    preco_usd_mes: int | None = Field(description="Dólares por mês; null é sob consulta.")
    limite_mensal: int | None = Field(description="Chamadas por mês; null se não há limite.")
    chamadas_por_segundo: int = Field(
        description="Na nuvem, em todas as rotas com chave, menos /mcp, cujo ritmo é um só para todos; com o "
        "mês esgotado, as rotas que contam vão mais devagar. O gateway local (make run) não limita ritmo."
    )
    por: str = Field(description="A quem limite_mensal se aplica: conta ou endereço.")
    ritmo_por: Literal["conta", "grupo", "todos"] = Field(
        description="De quem é chamadas_por_segundo: da conta, de um grupo fixo de contas, ou de todos os "
        "que usam a chave."
    )
    ritmo_detalhe: str = Field(description="O mesmo em uma frase, no idioma de quem pergunta.")
    ausencias_gratis: int | None = Field(
        description="Empresas não encontradas sem confirmação que não contam, por mês; null é todas."
    )
    inclui: list[str] = Field(
        description="O que mais o plano dá. Suporte e disponibilidade só aparecem onde quem opera este "
        "serviço publicou um contato e um compromisso."
    )
    assinavel: bool = Field(description="Se este plano se assina aqui, por createCheckout.")


class Contact(BaseModel):
    """Como falar com quem opera este serviço; null é o que não há."""

    email: str | None
    pagina: str | None


class Plans(BaseModel):
    """Os planos."""

    planos: list[Plan]
    contato: Contact
    disponibilidade_url: str | None = Field(
        description="O texto do compromisso de disponibilidade; null: não há nenhum."
    )


class Health(BaseModel):
    """O serviço pode contar uma chamada agora."""

    status: Literal["ok"]


class StatusComponent(BaseModel):
    """Uma parte do serviço: o armazenamento, uma habilidade, uma fonte."""

    nome: str = Field(examples=["armazenamento"])
    status: State = Field(description="unknown: nada se soube dela nos últimos 15 minutos.")
    ultimo_sucesso: str | None = Field(description="Quando funcionou pela última vez, se isso se sabe.")
    volta_em: str | None = Field(None, description="Quando uma fonte fora do ar será tentada de novo.")


class DemoDay(BaseModel):
    """As chamadas de um dia com a chave pública de demonstração."""

    chamadas: int
    falhas: int


class StatusDay(BaseModel):
    """As chamadas das contas em um dia (de São Paulo)."""

    dia: str = Field(examples=["2026-11-20"])
    chamadas: int = Field(description="Chamadas de habilidades a que se devia resposta.")
    falhas: int = Field(description="As que falharam por nossa causa ou das fontes.")
    disponibilidade: float = Field(description="Parte respondida, arredondada para baixo.", examples=[0.9998])
    demo: DemoDay = Field(description="Com a chave de demonstração; não entra nos outros números.")


class Sla(BaseModel):
    """O mês corrente diante do que o plano Pro promete."""

    meta: float = Field(examples=[0.999])
    mes: str = Field(examples=["2026-11"])
    disponibilidade: float | None = Field(description="Do mês até agora; null se nada foi contado.")


class Status(BaseModel):
    """Como estão as partes, e como foi."""

    status: Whole
    componentes: list[StatusComponent]
    verificado_em: str = Field(examples=["2026-11-20T12:00:00Z"])
    historico: list[StatusDay] | None = Field(
        description="Até 90 dias, o mais novo por último; faltam dias sem chamadas de contas. null: não pôde "
        "ser lido."
    )
    sla: Sla
