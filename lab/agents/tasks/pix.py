"""Tasks about Pix codes: to charge, to read, to check who is paid, and what no tool can do."""

from __future__ import annotations

import brcode
from lab.agents.register import BAKERY, NAMESAKE, PUBLISHED, masked, number_of
from lab.agents.rules import Quote, Step, avoids, mentions, sourced
from lab.agents.task import Task
from lab.agents.tasks.phrases import ACTIVE, CANNOT

_HARMLESS = frozenset({"tipo_chave", "descricao", "txid", "estrito", "qr_tamanho", "qr_margem"})


def _code(name: str) -> str:
    """Return a code with the bakery's number as its key, and this name."""
    key = number_of(BAKERY)
    return brcode.encode(key=key, merchant_name=name, merchant_city="Recife", amount="312.50").payload


BAKERYS_CODE, ANOTHERS_CODE = _code("Padaria Estrela"), _code("Hidraulica Boto")
REJECTED_CODE = BAKERYS_CODE[:-4] + "0000"

PIX = (
    Task(
        "charge",
        "tuning",
        "Preciso cobrar R$ 49,90 da Marina pelo pedido 42. Minha chave Pix é o e-mail pix@exemplo.com.br, "
        "recebo como Padaria São João, em São Paulo. Me manda o copia e cola.",
        (
            Step(
                "create_pix_code",
                {
                    "chave": ("pix@exemplo.com.br",),
                    "valor": ("49.90",),
                    "nome_recebedor": ("Padaria São João",),
                    "cidade": ("São Paulo",),
                },
                _HARMLESS,
            ),
        ),
        (
            Quote("brcode"),
            mentions("the amount", "49,90", "49.90"),
            mentions("who is paid", "Padaria São João", "Padaria Sao Joao"),
        ),
    ),
    Task(
        "charge, key unknown",
        "tuning",
        "Faz um Pix de R$ 120,00 para eu cobrar o aluguel da sala.",
        phrases=(
            mentions("that the key is missing", "chave"),
            mentions("that the city is missing", "cidade"),
        ),
    ),
    Task(
        "refused code",
        "tuning",
        f"O banco recusou este Pix copia e cola. O que tem de errado nele? {REJECTED_CODE}",
        (Step("decode_pix_code", {"brcode": (REJECTED_CODE,)}),),
        (mentions("that the checksum is wrong", "CRC", "código de verificação", "soma de verificação"),),
    ),
    Task(
        "payee of a code",
        "tuning",
        f"Recebi este Pix da padaria. Antes de pagar: quem recebe? {BAKERYS_CODE}",
        (Step("check_pix_payee", {"brcode": (BAKERYS_CODE,)}),),
        (
            mentions("who is paid", "Padaria Estrela do Mangue"),
            *ACTIVE,
            avoids("that the payment is safe", "pode pagar com segurança", "pode pagar tranquilo"),
            *sourced(PUBLISHED),
        ),
        allowed=frozenset({"decode_pix_code"}),
    ),
    Task(
        "donations",
        "reported",
        f"Quero um Pix para doações, sem valor definido. A chave é o CNPJ {masked(number_of(NAMESAKE))}, em "
        "nome de ONG Mar Limpo, de Fortaleza.",
        (
            Step(
                "create_pix_code",
                {
                    "chave": (number_of(NAMESAKE),),
                    "nome_recebedor": ("ONG Mar Limpo",),
                    "cidade": ("Fortaleza",),
                },
                _HARMLESS,
            ),
        ),
        (Quote("brcode"), mentions("who is paid", "ONG Mar Limpo")),
    ),
    Task(
        "payee of another name",
        "reported",
        f"Vou pagar o conserto da pia à Hidráulica Boto por este código, pode conferir? {ANOTHERS_CODE}",
        (Step("check_pix_payee", {"brcode": (ANOTHERS_CODE,)}),),
        (
            mentions("whose number the key is", "Padaria Estrela do Mangue"),
            mentions(
                "that the name differs",
                *("diverge", "diferente", "não confere", "não bate", "não corresponde", "nada em comum"),
            ),
            mentions("what to do", "outro canal", "outro meio", "confirme", "confirmar"),
            avoids("that it is a fraud", "isso é golpe", "isso é um golpe", "isso é fraude"),
            *sourced(PUBLISHED),
        ),
        allowed=frozenset({"decode_pix_code"}),
    ),
    Task(
        "has it been paid",
        "reported",
        "O Pix do pedido 42 já caiu na minha conta?",
        phrases=(
            mentions("that it cannot know", *CANNOT),
            mentions("where to look", "banco", "extrato", "instituição"),
        ),
    ),
)
