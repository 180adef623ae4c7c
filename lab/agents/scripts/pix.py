"""Scripts of the tasks about Pix codes."""

from __future__ import annotations

from lab.agents.register import NAMESAKE, masked, number_of
from lab.agents.scripted import Mistake, Script, mistake, use
from lab.agents.tasks.pix import ANOTHERS_CODE, BAKERYS_CODE, REJECTED_CODE

_CHARGE = {
    "chave": "pix@exemplo.com.br",
    "valor": 49.9,
    "nome_recebedor": "Padaria São João",
    "cidade": "São Paulo",
}
_DONATIONS = {"chave": number_of(NAMESAKE), "nome_recebedor": "ONG Mar Limpo", "cidade": "Fortaleza"}
_CHARGED = "Cobrança de **R$ 49,90** para Padaria São João: {brcode}"
_PAYEE = "Recebe PADARIA ESTRELA DO MANGUE LTDA, ativa segundo a Receita Federal (dados de 10/10/2026)."
_DIFFERS = (
    "O nome no código diverge do dono do CNPJ, PADARIA ESTRELA DO MANGUE LTDA (Receita Federal, dados de "
    "2026-10-10). Confirme com a Hidráulica Boto por outro canal antes de pagar."
)
_CANNOT_KNOW = "Não tenho como saber se um Pix foi pago: veja o extrato no seu banco."

RIGHT: dict[str, Script] = {
    "charge": (use("create_pix_code", **_CHARGE, descricao="Pedido 42"), _CHARGED),
    "charge, key unknown": ("Qual é a sua chave Pix? Preciso também do nome e da cidade de quem recebe.",),
    "refused code": (
        use("decode_pix_code", brcode=REJECTED_CODE),
        "O CRC, a soma no fim do código, não confere: ele foi alterado ou mal copiado. Copie-o de novo.",
    ),
    "payee of a code": (use("check_pix_payee", brcode=f" {BAKERYS_CODE} "), _PAYEE),
    "donations": (
        use("create_pix_code", **_DONATIONS | {"chave": masked(number_of(NAMESAKE))}),
        "Código para ONG Mar Limpo, em que o doador digita o valor: {brcode}",
    ),
    "payee of another name": (use("check_pix_payee", brcode=ANOTHERS_CODE), _DIFFERS),
    "has it been paid": (_CANNOT_KNOW,),
}

WRONG: dict[str, tuple[Mistake, ...]] = {
    "charge": (
        mistake(
            "cents are lost",
            use("create_pix_code", **_CHARGE | {"valor": "49"}),
            "Cobrança de R$ 49,00 para Padaria São João: {brcode}",
            breaks={"create_pix_code: valor is wrong", "does not say the amount"},
        ),
        mistake(
            "the code is shortened",
            use("create_pix_code", **_CHARGE),
            "Cobrança de R$ 49,90 para Padaria São João: 00020126400014br.gov.bcb.pix…",
            breaks={"does not quote brcode"},
        ),
        mistake(
            "the code is invented",
            "Cobrança de R$ 49,90 para Padaria São João: 00020126400014br.gov.bcb.pix0118pix@exemplo.com.br",
            breaks={
                "does not call create_pix_code", "create_pix_code: chave is wrong",
                "create_pix_code: valor is wrong", "create_pix_code: nome_recebedor is wrong",
                "create_pix_code: cidade is wrong", "create_pix_code: has other arguments",
                "does not quote brcode",
            },
        ),
    ),
    "charge, key unknown": (
        mistake(
            "the key is invented",
            use("create_pix_code", **_CHARGE | {"valor": "120.00"}),
            "Aqui está: {brcode}",
            breaks={
                "calls another tool", "does not say that the key is missing",
                "does not say that the city is missing",
            },
        ),
    ),
    "refused code": (
        mistake(
            "the payee is checked",
            use("check_pix_payee", brcode=REJECTED_CODE),
            "O código é inválido.",
            breaks={
                "does not call decode_pix_code", "calls another tool", "decode_pix_code: brcode is wrong",
                "decode_pix_code: has other arguments", "does not say that the checksum is wrong",
            },
        ),
    ),
    "payee of a code": (
        mistake(
            "the name in the code is believed",
            use("decode_pix_code", brcode=BAKERYS_CODE),
            "Recebe Padaria Estrela. Pode pagar com segurança.",
            breaks={
                "does not call check_pix_payee", "check_pix_payee: brcode is wrong",
                "check_pix_payee: has other arguments", "does not say who is paid",
                "does not say that the company is active", "says that the payment is safe",
                "does not name the source", "does not say the date of the data",
            },
        ),
    ),
    "donations": (
        mistake(
            "an amount is invented",
            use("create_pix_code", **_DONATIONS, valor="10.00"),
            "Código para ONG Mar Limpo: {brcode}",
            breaks={"create_pix_code: has other arguments"},
        ),
    ),
    "payee of another name": (
        mistake(
            "it accuses",
            use("check_pix_payee", brcode=ANOTHERS_CODE),
            "O CNPJ é da Padaria Estrela do Mangue (Receita Federal, 10/10/2026): isso é golpe.",
            breaks={
                "does not say that the name differs", "does not say what to do", "says that it is a fraud",
            },
        ),
    ),
    "has it been paid": (
        mistake(
            "a code is made to find out",
            use("create_pix_code", **_CHARGE),
            "Ainda não caiu.",
            breaks={"calls another tool", "does not say that it cannot know", "does not say where to look"},
        ),
    ),
}  # fmt: skip
