"""Results of ``plans`` and ``status``, for schemas: both return plain data of these shapes."""

from typing import Literal

from pydantic import BaseModel, Field

from brskills_server.skills.service.status import State, Whole


class Plan(BaseModel):
    """Um plano."""

    id: str = Field(examples=["free"])
    preco_usd_mes: int | None = Field(description="Dólares por mês; null se sob consulta.")
    limite_mensal: int | None = Field(description="Chamadas por mês; null se não há limite.")
    chamadas_por_segundo: int = Field(
        description="Na nuvem, em todas as rotas com chave, exceto /mcp, cujo limite é compartilhado por "
        "todos; com a cota do mês esgotada, as rotas que contam têm limite menor. O gateway local (make run) "
        "não limita a taxa."
    )
    por: str = Field(description="A quem limite_mensal se aplica: conta ou endereço.")
    ritmo_por: Literal["conta", "grupo", "todos"] = Field(
        description="Quem compartilha chamadas_por_segundo: conta, só a conta; grupo, um grupo fixo de "
        "contas; todos, todos os que usam a chave."
    )
    ritmo_detalhe: str = Field(description="O mesmo em uma frase, no idioma da requisição.")
    ausencias_gratis: int | None = Field(
        description="Consultas inconclusivas (404 com confirmado: false) que não contam, por mês; null se nenhuma conta."
    )
    empresas_vigiadas: int | None = Field(
        description="Empresas monitoradas ao mesmo tempo; null se não há limite."
    )
    inclui: list[str] = Field(
        description="O que mais o plano inclui. Suporte e disponibilidade só aparecem se o operador deste "
        "serviço publicou um contato e um compromisso."
    )
    assinavel: bool = Field(description="Se este plano pode ser assinado aqui, por createCheckout.")


class Contact(BaseModel):
    """Como falar com o operador deste serviço; null no que não há."""

    email: str | None
    pagina: str | None


class Plans(BaseModel):
    """Os planos."""

    planos: list[Plan]
    contato: Contact
    disponibilidade_url: str | None = Field(description="O compromisso de disponibilidade; null se não há.")


class Participant(BaseModel):
    """Um participante do Pix."""

    ispb: str | None = Field(description="null nos iniciadores que não têm ISPB.", examples=["00000000"])
    nome: str
    modalidade: str = Field(examples=["Provedor de Conta Transacional"])


class Participants(BaseModel):
    """Os participantes do Pix que este serviço conhece."""

    data: str = Field(description="O dia da lista.", examples=["2026-08-07"])
    fonte: str = Field(description="Quem publicou a lista.")
    participantes: list[Participant]


class Health(BaseModel):
    """O serviço pode contar uma chamada agora."""

    status: Literal["ok"]


class StatusComponent(BaseModel):
    """Um componente do serviço: o armazenamento, uma API ou uma fonte."""

    nome: str = Field(examples=["armazenamento"])
    status: State = Field(
        description="unknown: sem dados nos últimos 15 minutos, ou última resposta inutilizável."
    )
    ultimo_sucesso: str | None = Field(description="Último sucesso, se conhecido.")
    volta_em: str | None = Field(None, description="Quando uma fonte fora do ar será tentada de novo.")


class DemoDay(BaseModel):
    """As chamadas de um dia com a chave pública de demonstração."""

    chamadas: int
    falhas: int


class StatusDay(BaseModel):
    """As chamadas das contas em um dia (de São Paulo)."""

    dia: str = Field(examples=["2026-11-20"])
    chamadas: int = Field(description="Chamadas que deviam ser respondidas.")
    falhas: int = Field(description="As que falharam por causa do serviço ou das fontes.")
    disponibilidade: float = Field(
        description="Proporção respondida, arredondada para baixo.", examples=[0.9998]
    )
    demo: DemoDay = Field(
        description="Chamadas com a chave de demonstração; não incluídas nos outros números."
    )


class Sla(BaseModel):
    """O mês corrente em relação ao compromisso do plano Pro."""

    meta: float | None = Field(
        examples=[0.999], description="null se quem opera o serviço não assume um compromisso."
    )
    mes: str = Field(examples=["2026-11"])
    disponibilidade: float | None = Field(description="Do mês até agora; null se nada foi contado.")


class Status(BaseModel):
    """O status atual dos componentes e o histórico."""

    status: Whole
    componentes: list[StatusComponent]
    verificado_em: str = Field(examples=["2026-11-20T12:00:00Z"])
    historico: list[StatusDay] | None = Field(
        description="Até 90 dias, do mais antigo ao mais novo, sem os dias em que nenhuma conta fez "
        "chamadas; null se não pôde ser lido."
    )
    sla: Sla
