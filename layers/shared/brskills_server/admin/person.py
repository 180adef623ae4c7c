"""One account: all that is stored of it, for its owner (LGPD, art. 18); and back out of a backup."""

from __future__ import annotations

import json
import sys
from typing import Any

from brskills_server.accounts.grant import Grant
from brskills_server.adapters.maintenance import KeptAccount
from brskills_server.admin.commands import Refused
from brskills_server.registry.dates import iso_instant
from brskills_server.runtime.local import bring_account_back, configured_store, read_account, shown_store
from brskills_server.runtime.transfer import NotEmpty

__all__ = ["restore", "show_data"]

_SECONDS = 60
"""How long an operation may take: one of them reads a whole store."""


def show_data(account: str) -> None:
    """Everything that is stored of an account, as JSON, but for what only tells a secret from another.

    Raises ``KeyError`` where there is none, and ``StoreUnavailable``.
    """
    print(json.dumps(_data(read_account(account, _SECONDS)), indent=2, ensure_ascii=False))


def restore(source: str, account: str) -> None:
    """An account that was deleted, out of another store; raises ``Refused`` where it is still there."""
    if source == configured_store():
        raise Refused("that is the store that it is to come back into")
    try:
        kept = bring_account_back(source, account, _SECONDS)
    except NotEmpty:
        raise Refused(f"{account} is there, and nothing of it was changed") from None
    print(f"{account}: back from {shown_store(source)}, with {len(kept.account.keys)} keys")
    _remark(
        "keys that were ended after that moment hold again: where one was stolen, new-key --revoke-others"
    )
    if kept.account.billing.subscriptions:
        _remark("its plan is of that moment too: hold it against its subscription at Stripe")


def _data(kept: KeptAccount) -> dict[str, Any]:
    account = kept.account
    subscriptions = account.billing.subscriptions.values()
    return {
        "conta": account.id,
        "aberta_em": iso_instant(account.created_at),
        "email": account.email,
        "plano": account.plan,
        "limite_mensal": account.monthly_limit,
        "chaves": [{"expira_em": _instant(expiry)} for expiry in account.keys.values()],
        "chamadas": dict(sorted(account.calls.items())),
        "ausencias_gratuitas": dict(sorted(kept.absences.items())),
        "habilidades_concedidas": sorted(account.skills),
        "stripe": {
            "cliente": account.billing.customer,
            "assinaturas": [{"id": one.id, "status": one.status} for one in subscriptions],
        },
        "acessos": [_grant(grant) for grant in kept.grants],
    }


def _grant(grant: Grant) -> dict[str, Any]:
    return {
        "id": grant.id,
        "programa": grant.client_name,
        "programa_id": grant.client,
        "escopos": sorted(grant.scopes),
        "recurso": grant.resource,
        "redirecionado_a": grant.redirect_uri,
        "concedido_em": iso_instant(grant.created_at),
        "usado_em": iso_instant(grant.used_at),
        "expira_em": iso_instant(grant.expires_at),
        "chamadas": dict(sorted(grant.calls.items())),
    }


def _instant(expiry: int) -> str | None:
    return iso_instant(expiry) if expiry else None


def _remark(text: str) -> None:
    print(f"note: {text}", file=sys.stderr)
