"""Commands over stored data: export an account (LGPD, art. 18), restore one, move a whole store."""

import json
from typing import Any

import click

from brskills_server.accounts.grant import Grant
from brskills_server.adapters.maintenance import KeptAccount
from brskills_server.admin.console import Refused, note
from brskills_server.registry.dates import iso_instant
from brskills_server.runtime.local import (
    configured_store,
    move_store,
    read_account,
    restore_account,
    shown_store,
)
from brskills_server.runtime.transfer import NotEmpty

_SECONDS = 60
"""Time limit of an operation; one of them reads a whole store."""


@click.command("data")
@click.argument("account")
def show_data(account: str) -> None:
    """Print everything that is stored of an account but hashes, as JSON, for its owner."""
    click.echo(json.dumps(_data(read_account(account, _SECONDS)), indent=2, ensure_ascii=False))


@click.command()
@click.argument("source", metavar="FROM")
@click.argument("account")
def restore(source: str, account: str) -> None:
    """Restore a deleted account out of a backup, by its id; FROM is written as in STORE."""
    if source == configured_store():
        raise Refused("the backup is the store that STORE names")
    try:
        kept = restore_account(source, account, _SECONDS)
    except NotEmpty:
        raise Refused(f"{account} exists, and was not changed") from None
    click.echo(f"{account}: restored from {shown_store(source)}, with {len(kept.account.keys)} keys")
    note("keys that were ended after the backup are active again: if one was stolen, new-key --revoke-others")
    if kept.account.billing.subscriptions:
        note("its plan is the backup's too: compare it with its subscription at Stripe")


@click.command()
@click.argument("source", metavar="FROM")
@click.argument("target", metavar="[TO]", required=False)
def move(source: str, target: str | None) -> None:
    """Copy everything of one store into another that is empty.

    FROM and TO are written as in STORE; without TO, the store that STORE names.
    """
    target = target or configured_store()
    if source == target:
        raise Refused("that is the same store twice")
    try:
        moved = move_store(source, target, _SECONDS)
    except NotEmpty:
        raise Refused(f"{shown_store(target)} is not empty, and was not changed") from None
    click.echo("".join(f"{kind:<10}{count}\n" for kind, count in sorted(moved.items())), nl=False)
    click.echo(f"moved to {shown_store(target)}, read again there and found equal; the source is unchanged")


COMMANDS = (show_data, restore, move)


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
