"""Commands over stored data: export an account (LGPD, art. 18), restore one, copy a whole store."""

import json
import os
from pathlib import Path
from typing import Any

import click

from brskills_server.accounts.billing import Subscription
from brskills_server.accounts.grant import Grant
from brskills_server.adapters.maintenance import StoredAccount, StoredWebhook
from brskills_server.admin.console import CommandRejected, note
from brskills_server.registry.dates import iso_instant
from brskills_server.runtime.local import (
    configured_store,
    export_store,
    move_store,
    read_account,
    redact_store_url,
    restore_account,
)
from brskills_server.runtime.transfer import AccountExists, NotEmpty
from brskills_server.skills.watches.listed import listed_watch
from brskills_server.skills.webhooks.wanted import as_answer

_STORE_TIMEOUT_SECONDS = 60
"""Time limit of an operation; one of them reads a whole store."""


@click.command("data")
@click.argument("account")
def show_data(account: str) -> None:
    """Print everything that is stored of an account except hashes, as JSON, for its owner.

    Omitted as well: secrets of webhooks and attempts to reach them, versions of records, expiry of tokens,
    the plan of its gateway key, and counts of windows of time.
    """
    click.echo(json.dumps(_data(read_account(account, _STORE_TIMEOUT_SECONDS)), indent=2, ensure_ascii=False))


@click.command()
@click.argument("source", metavar="FROM")
@click.argument("account")
def restore(source: str, account: str) -> None:
    """Restore a deleted account from a backup store.

    FROM is a store URL, in the format of the STORE setting.
    """
    if source == configured_store():
        raise CommandRejected("FROM and STORE are the same store")
    try:
        restored = restore_account(source, account, _STORE_TIMEOUT_SECONDS)
    except AccountExists:
        raise CommandRejected(f"{account} exists, and was not changed") from None
    click.echo(f"{account}: restored from {redact_store_url(source)}, with {len(restored.account.keys)} keys")
    note("keys revoked after the backup are active again: if one was stolen, new-key --revoke-others")
    if restored.account.billing.subscriptions:
        note("its plan is that of the backup: compare it with its subscription at Stripe")


@click.command()
@click.argument("source", metavar="FROM")
@click.argument("target", metavar="[TO]", required=False)
def move(source: str, target: str | None) -> None:
    """Copy everything of one store into another that is empty.

    FROM and TO are store URLs, in the format of the STORE setting, which is the default of TO.
    """
    target = target or configured_store()
    if source == target:
        raise CommandRejected("FROM and TO are the same store")
    try:
        copied = move_store(source, target, _STORE_TIMEOUT_SECONDS)
    except NotEmpty:
        raise CommandRejected(f"{redact_store_url(target)} is not empty, and was not changed") from None
    click.echo("".join(f"{kind:<10}{count}\n" for kind, count in sorted(copied.items())), nl=False)
    click.echo(
        f"copied to {redact_store_url(target)}, read again there and found equal; the source is unchanged"
    )


@click.command("export-store")
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("source", metavar="[FROM]", required=False)
def export_file(file: Path, source: str | None) -> None:
    """Write everything of a store into a new file of JSON lines, whatever the store's kind.

    FROM is a store URL, in the format of the STORE setting, which is the default. The last line has the
    numbers of records; a file without it is incomplete. Only its owner may read the file: it has e-mails,
    hashes of keys, secrets of webhooks and the keys of proofs.
    """
    configured = configured_store()
    source = source or configured
    lines = export_store(source, _STORE_TIMEOUT_SECONDS)
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        raise CommandRejected(f"{file} cannot be made: {error.strerror}") from None
    with os.fdopen(descriptor, "w", encoding="utf-8") as written:
        for line in lines:
            written.write(f"{line}\n")
        written.flush()
        os.fsync(descriptor)
    click.echo(f"exported {redact_store_url(source)} to {file}: {line}")


COMMANDS = (show_data, restore, move, export_file)


def _data(stored: StoredAccount) -> dict[str, Any]:
    account = stored.account
    subscriptions = account.billing.subscriptions.values()
    return {
        "conta": account.id,
        "aberta_em": iso_instant(account.created_at),
        "email": account.email,
        "plano": account.plan,
        "limite_mensal": account.monthly_limit,
        "chaves": [{"expira_em": _instant(expiry)} for expiry in account.keys.values()],
        "chamadas": dict(sorted(account.calls.items())),
        "ausencias_gratuitas": dict(sorted(stored.absences.items())),
        "unidades_nao_contadas": dict(sorted(stored.uncounted.items())),
        "habilidades_concedidas": sorted(account.skills),
        "stripe": {
            "cliente": account.billing.customer,
            "assinaturas": [_subscription(one) for one in subscriptions],
        },
        "acessos": [_grant(grant) for grant in stored.grants],
        "empresas_vigiadas": [listed_watch(watch) for watch in stored.watching.watches],
        "mudancas": [listed.change.as_answer() for listed, _ in stored.watching.changes],
        "webhooks": [_webhook(webhook) for webhook in stored.webhooks],
    }


def _subscription(one: Subscription) -> dict[str, Any]:
    return {"id": one.id, "status": one.status, "plano": one.plan, "pagamento_devolvido": one.paid_back}


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


def _webhook(stored: StoredWebhook) -> dict[str, Any]:
    return {**as_answer(stored.webhook), "a_enviar": [json.loads(one.body) for one in stored.deliveries]}


def _instant(expiry: int) -> str | None:
    return iso_instant(expiry) if expiry else None
