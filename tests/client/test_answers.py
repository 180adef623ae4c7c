"""The classes of answers match the models of the server."""

from __future__ import annotations

import copy
from dataclasses import fields, is_dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from types import NoneType
from typing import Any, get_args, get_type_hints

import pytest
from pydantic import BaseModel

from brskills import PayeeCheck, PixCode, UnexpectedAnswer, Usage
from brskills.answers import BillingPage, Day, DemoDay, IssuedKey, Plans, Sla, Status
from brskills.company import Company
from brskills.pix import Charge, DecodedCode, DrawnCharge
from brskills.webhooks import DeliveryAttempt, IssuedWebhook, Webhook, WebhookFields
from brskills_server.registry import company as answered
from brskills_server.skills.account import billing
from brskills_server.skills.account import keys as account
from brskills_server.skills.account import models as usage_models
from brskills_server.skills.payee import models as payee_models
from brskills_server.skills.pix import models as pix_models
from brskills_server.skills.pix.fields import PIX_FIELDS, QR_FIELDS
from brskills_server.skills.service import models as service_models
from brskills_server.skills.service import plans as service
from brskills_server.skills.service import status
from brskills_server.skills.webhooks import models as webhook_models
from brskills_server.telemetry.availability import AvailabilityReport
from brskills_server.telemetry.day_counts import DayCounts
from tests.client.answering import COMPANY, client, json_answer
from tests.for_each import for_each


def parts(hint: Any) -> list[Any]:
    """Return the classes in a type, as Month and NoneType in ``tuple[Month, ...] | None``."""
    return [part for argument in get_args(hint) for part in parts(argument)] or [hint]


def same_fields(own: Any, model: type[BaseModel]) -> None:
    """Assert that a client class and its members have the fields of the server's model."""
    hints = get_type_hints(own)
    missing = {field.name for field in fields(own)} ^ set(model.model_fields)
    assert not missing, f"{own.__name__}: {missing}"
    for name, info in model.model_fields.items():
        nullable = NoneType in parts(info.annotation)
        assert not nullable or NoneType in parts(hints[name]), f"{own.__name__}.{name} may be null"
        members = [part for part in parts(hints[name]) if is_dataclass(part)]
        models = [p for p in parts(info.annotation) if isinstance(p, type) and issubclass(p, BaseModel)]
        assert len(members) == len(models), f"{own.__name__}.{name}"
        if members:
            same_fields(members[0], models[0])


@for_each(
    ("own", "model"),
    [
        (PixCode, pix_models.PixCode),
        (DecodedCode, pix_models.DecodeResult),
        (PayeeCheck, payee_models.PayeeCheck),
        (Company, answered.Company),
        (Usage, usage_models.Usage),
        (IssuedKey, account.IssuedKey),
        (BillingPage, billing.BillingPage),
        (Plans, service_models.Plans),
        (Status, service_models.Status),
        (Webhook, webhook_models.Webhook),
        (IssuedWebhook, webhook_models.RotatedWebhook),  # of a created one segredo_anterior_ate is None
        (DeliveryAttempt, webhook_models.DeliveryAttempt),
    ],
)
def test_classes_match_the_server_models(own: Any, model: type[BaseModel]) -> None:
    same_fields(own, model)


def test_a_charge_has_the_fields_of_a_pix_request() -> None:
    assert set(Charge.__annotations__) == {field.name for field in PIX_FIELDS}
    assert set(get_type_hints(DrawnCharge)) == {field.name for field in PIX_FIELDS + QR_FIELDS}


def test_changes_of_a_webhook_have_the_fields_of_the_servers() -> None:
    assert set(WebhookFields.__annotations__) == set(webhook_models.WebhookChanges.model_fields)


def test_company_types() -> None:
    found = client(json_answer(COMPANY)).company("SANDBOX1000170")
    assert found.capital_social == Decimal("250000.00")
    assert found.data_inicio_atividade == date(2019, 3, 11)
    assert found.consultado_em == datetime(2026, 11, 20, 12, tzinfo=UTC)
    assert found.cnaes_secundarios[0].codigo == "6204000"
    assert found.socios[0].representante_legal is not None
    assert found.socios[0].representante_legal.nome == "JOANA DE EXEMPLO"
    assert found.inscricoes_estaduais is None or isinstance(found.inscricoes_estaduais, tuple)


def test_plans() -> None:
    content = service.plans("en", service.Deployment(20, True, str))
    plans = {plan.id: plan for plan in client(json_answer(content)).plans().planos}
    assert (plans["pro"].preco_usd_mes, plans["enterprise"].limite_mensal) == (49, None)


def test_status_with_and_without_history() -> None:
    counted = AvailabilityReport(
        {"2026-11-19": DayCounts(7, 0), "2026-11-20": DayCounts(3, 1, 5, 2)}, "2026-11", 0.9
    )
    reader = status.StatusReader(lambda: None, list, set, lambda: counted, committed=True)
    content = reader.read()
    state = client(json_answer(content)).status()
    assert [(part.nome, part.status) for part in state.componentes] == [
        ("armazenamento", "operational"),
        ("pix", "operational"),
        ("cnpj", "down"),  # without any source
    ]
    assert state.verificado_em == state.componentes[0].ultimo_sucesso
    assert state.historico == (
        Day("2026-11-19", 7, 0, 1.0, DemoDay(0, 0)),
        Day("2026-11-20", 3, 1, 0.6666, DemoDay(5, 2)),
    )
    assert state.sla == Sla(0.999, "2026-11", 0.9)
    content["sla"]["meta"] = None
    assert client(json_answer(content)).status().sla == Sla(None, "2026-11", 0.9)
    del content["historico"], content["sla"]
    older = client(json_answer(content)).status()
    assert (older.status, older.historico, older.sla) == (state.status, None, None)


def test_unknown_members_are_ignored() -> None:
    later = copy.deepcopy(COMPANY)
    later["endereco"]["plus_code"] = "588M"
    later["novo"] = 1
    assert client(json_answer(later)).company(1).cnpj == "SANDBOX1000170"


BROKEN = [
    {**COMPANY, name: value}
    for name, value in {"razao_social": None, "capital_social": "muito", "socios": {}}.items()
]


@for_each("broken", [None, *BROKEN])
def test_unexpected_answer_error_omits_the_content(broken: Any) -> None:
    with pytest.raises(UnexpectedAnswer, match=r"^HTTP 200: not an answer as described$"):
        client(json_answer(broken)).company(1)


def test_repr_omits_the_key() -> None:
    issued = {"api_key": "brsk_secret", "id": "a1", "plano": "free", "limite_mensal": 100}
    found = client(json_answer(issued, 201)).create_key()
    assert found.api_key == "brsk_secret"
    assert "secret" not in repr(found)
