"""The CNPJ skill: a company's record, counted when answered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from registry import Answer, CompanyNotFound, InvalidCnpj, SourcesUnavailable, is_sandbox, parse_cnpj
from web.body import Whole, check_shape
from web.problem import FieldFault, InvalidFields, Problem
from web.rates import rate_headers

if TYPE_CHECKING:
    from collections.abc import Callable

    from access import Session

__all__ = ["CNPJ_PATTERN", "CompanyRequest", "look_up"]

CNPJ_PATTERN = r"^[0-9A-Za-z]{2}\.?[0-9A-Za-z]{3}\.?[0-9A-Za-z]{3}/?[0-9A-Za-z]{4}-?[0-9]{2}$"
"""How a CNPJ is written, for those who read schemas; ``registry`` judges it."""


class CompanyRequest(BaseModel):
    """Qual empresa, e quão recente deve ser a resposta."""

    model_config = ConfigDict(extra="forbid")

    cnpj: Annotated[str | int, Whole] = Field(
        description="CNPJ com ou sem máscara, também alfanumérico. Um inteiro é completado com zeros.",
        examples=["SANDBOX1000170"],
        json_schema_extra={
            "anyOf": [
                {"type": "string", "pattern": CNPJ_PATTERN},
                {"type": "integer", "minimum": 0, "maximum": 10**14 - 1},
            ]
        },
    )
    idade_maxima: Annotated[int | None, Whole] = Field(
        None,
        ge=0,
        le=10**9,
        description="Idade máxima da consulta, em segundos; o que não a cumpre é 503, nunca um dado velho.",
        examples=[3600],
    )


def look_up(content: dict[str, Any], session: Session, find: Callable[[str, int | None], Answer]) -> Answer:
    """Check a request, count the call and find the company; ``find`` is the registry's look-up.

    Raises ``InvalidFields`` before anything is counted, and ``Problem`` ``company_not_found`` or
    ``sources_unavailable``. A call that found out nothing is given back; the sandbox counts nothing.
    """
    request, cnpj = _checked(content)
    if not is_sandbox(cnpj):
        session.reserve()
    try:
        return find(cnpj, request.idade_maxima)
    except CompanyNotFound as missing:
        if not missing.confirmed:
            session.release()
        raise _not_found(missing, session) from None
    except SourcesUnavailable as failure:
        session.release()
        raise Problem(
            "sources_unavailable",
            params={"retry_after": failure.retry_after},
            headers={"Retry-After": str(failure.retry_after)},
        ) from None
    except BaseException:
        session.release()
        raise


def _checked(content: dict[str, Any]) -> tuple[CompanyRequest, str]:
    """The request and its number in canonical form; the faults of shape and of the number come together."""
    request, faults = check_shape(CompanyRequest, content)
    cnpj = ""
    if "cnpj" in content and not any(fault.field == "cnpj" for fault in faults):
        try:
            cnpj = parse_cnpj(request.cnpj if request else content["cnpj"])
        except InvalidCnpj as invalid:
            faults.append(FieldFault("cnpj", invalid.code))
    if request is None or faults:
        raise InvalidFields(faults)
    return request, cnpj


def _not_found(missing: CompanyNotFound, session: Session) -> Problem:
    return Problem(
        "company_not_found",
        wording="" if missing.confirmed else ":unconfirmed",
        headers=rate_headers(session.quota),
        confirmado=missing.confirmed,
        data_base=missing.data_base,
    )
