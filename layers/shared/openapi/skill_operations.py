"""The skills: Pix and CNPJ."""

from __future__ import annotations

from typing import Any

from openapi.operation import BODY_ERRORS, KEY_ERRORS, RATE, Answer, Body, Operation
from registry import Company
from skills.company import CNPJ_PATTERN, CompanyRequest
from skills.pix_models import DecodeRequest, DecodeResult, PixCode, PixRequest

__all__ = ["SKILL_OPERATIONS"]

_CODE = (
    "00020126400014br.gov.bcb.pix0118pix@exemplo.com.br520400005303986540549.905802BR5907Padaria6009Sao Paulo"
    "62120508PEDIDO4263046C7D"
)
_CREATED: dict[str, Any] = {
    "brcode": _CODE,
    "tipo": "estatico",
    "chave": "pix@exemplo.com.br",
    "tipo_chave": "email",
    "valor": "49.90",
    "nome_recebedor": "Padaria",
    "cidade": "Sao Paulo",
    "txid": "PEDIDO42",
    "descricao": None,
    "ajustes": [{"campo": "cidade", "de": "São Paulo", "para": "Sao Paulo", "motivo": "transliterado"}],
}
_COMPANY_TEXT = (
    "Uma resposta guardada vale por 24 horas; se as fontes falham, até 45 dias com desatualizado: true. Para "
    "exigir um dado mais novo, use idade_maxima: o que não a cumpre é 503. Conta uma chamada quando responde "
    "(200, 304 ou 404 confirmado). Para testar sem rede e sem contar: SANDBOX1000170 (ativa), SANDBOX2000114 "
    "(baixada), SANDBOX3000169 (MEI), SANDBOX4000103 (404), SANDBOX5000158 (503), SANDBOX6000100 (desatualizada)."
)
_COMPANY_ERRORS = (
    *KEY_ERRORS,
    "invalid_fields",
    "company_not_found",
    "quota_exceeded",
    "sources_unavailable",
)
_FOUND = Answer("O registro da empresa.", Company, headers=("ETag", *RATE))
_NOT_MODIFIED = Answer("O registro não mudou desde o ETag enviado.", headers=("ETag", *RATE))
_IF_NONE_MATCH = {
    "name": "If-None-Match",
    "in": "header",
    "description": "O ETag de uma resposta anterior: se nada mudou, a resposta é 304.",
    "schema": {"type": "string"},
    "example": 'W/"5d41402abc4b2a76b9719d91"',
}

SKILL_OPERATIONS = (
    Operation(
        "POST", "/api/v1/skills/pix", "createPixCode", "Pix",
        "Criar um código Pix",
        "Escreve um BR Code (Pix copia-e-cola). **Use** para cobrar ou receber quando a chave, o nome e a cidade de "
        "quem recebe são conhecidos. **Não use** para pagar, para saber se um Pix foi pago, nem para ler um código. "
        "O que é dado decide o tipo: chave, url, url_recorrencia ou ispb_saque. A forma da resposta segue o "
        "primeiro tipo de Accept: JSON, o texto puro, ou o QR em SVG ou PNG. A mesma entrada dá os mesmos bytes. "
        "Conta uma chamada; um pedido recusado não conta.",
        {
            200: Answer(
                "O código. ajustes diz o que mudou nos textos; fora do JSON, isso vem em X-Ajustes.",
                PixCode,
                _CREATED,
                ("X-Ajustes", *RATE),
                {
                    "text/plain": {"type": "string"},
                    "image/svg+xml": {"type": "string"},
                    "image/png": {"type": "string", "contentMediaType": "image/png"},
                },
            )
        },
        (*KEY_ERRORS, *BODY_ERRORS, "quota_exceeded"),
        Body(
            PixRequest,
            {
                "estatico": {"chave": "pix@exemplo.com.br", "valor": "49.90", "nome_recebedor": "Padaria", "cidade": "São Paulo", "txid": "PEDIDO42"},
                "sem_valor": {"chave": "pix@exemplo.com.br", "nome_recebedor": "Padaria", "cidade": "São Paulo"},
                "dinamico": {"url": "pix.exemplo.com.br/qr/v2/9d36b84f", "nome_recebedor": "Padaria", "cidade": "São Paulo"},
            },
        ),
    ),
    Operation(
        "POST", "/api/v1/skills/pix/decode", "decodePixCode", "Pix",
        "Ler um código Pix",
        "Diz o que há num BR Code e o que há de errado nele: erros quebram uma norma, alertas são legais mas já "
        "foram recusados por bancos. **Use** antes de pagar ou publicar um código, ou quando um banco o recusa. "
        "**Não use** com a imagem do QR: envie o seu texto. Nunca conta.",
        {200: Answer("O que foi lido, válido ou não.", DecodeResult)},
        (*KEY_ERRORS, *BODY_ERRORS),
        Body(DecodeRequest, {"codigo": {"brcode": _CODE}}),
    ),
    Operation(
        "GET", "/api/v1/skills/cnpj/{cnpj}", "getCompany", "CNPJ",
        "Consultar uma empresa pelo endereço",
        "O registro público de uma empresa brasileira. **Use** para conferir um fornecedor ou preencher um cadastro, "
        "e com If-None-Match para saber se algo mudou. **Não use** para CPF, para procurar por nome, nem em lugar "
        "de uma certidão. " + _COMPANY_TEXT,
        {200: _FOUND, 304: _NOT_MODIFIED},
        (*_COMPANY_ERRORS, "not_found"),
        parameters=(
            {
                "name": "cnpj",
                "in": "path",
                "required": True,
                "description": "CNPJ com ou sem máscara, também alfanumérico; a barra pode ir como está ou codificada.",
                "schema": {"type": "string", "pattern": CNPJ_PATTERN},
                "example": "SANDBOX1000170",
            },
            {
                "name": "idade_maxima",
                "in": "query",
                "description": "Idade máxima da consulta, em segundos.",
                "schema": {"type": "integer", "minimum": 0, "maximum": 10**9},
                "example": 3600,
            },
            _IF_NONE_MATCH,
        ),
    ),
    Operation(
        "POST", "/api/v1/skills/cnpj", "lookUpCompany", "CNPJ",
        "Consultar uma empresa pelo corpo",
        "O mesmo registro, com o CNPJ no corpo. **Use** quando o número não deve aparecer em endereços e registros de "
        "acesso, ou quando vem como inteiro (completado com zeros). **Não use** para CPF nem para procurar por "
        "nome. " + _COMPANY_TEXT,
        {200: _FOUND, 304: _NOT_MODIFIED},
        (*_COMPANY_ERRORS, *BODY_ERRORS),
        Body(CompanyRequest, {"sandbox": {"cnpj": "SANDBOX1000170"}, "recente": {"cnpj": "33.000.167/0001-01", "idade_maxima": 3600}}),
        (_IF_NONE_MATCH,),
    ),
)  # fmt: skip
