"""``brskills chave`` and ``brskills uso``: an account's key and the month's calls."""

from brskills.command.errors import Exit
from brskills.command.shell import Shell
from brskills.keyfile import new_key_file


def create_key(shell: Shell, email: str | None) -> Exit:
    """Create a free key and store it in a file that only its owner can read, without showing it."""
    path = shell.key_path
    with new_key_file(path) as file, shell.client(with_key=False) as client:
        issued = client.create_key(email)
        file.write(f"{issued.api_key}\n")
    limit = issued.limite_mensal
    calls = shell.text("unlimited") if limit is None else shell.text("calls_per_month", count=limit)
    shown = {"id": issued.id, "plano": issued.plano, "limite_mensal": limit}
    line = shell.text("key_stored", path=path, id=issued.id, plan=issued.plano, limit=calls)
    shell.show({**shown, "arquivo": str(path)}, [line])
    return Exit.OK


def show_usage(shell: Shell) -> Exit:
    """Show the month's calls and the remaining ones."""
    with shell.client() as client:
        usage = client.usage()
    text, limit = shell.text, usage.limite
    if limit is None:
        line = text(
            "used_unlimited", month=usage.mes, calls=text("calls", count=usage.chamadas), plan=usage.plano
        )
    else:
        line = text(
            "used",
            month=usage.mes,
            calls=usage.chamadas,
            limit=text("calls", count=limit),
            left=text("left", count=usage.restantes),
            resets=usage.reinicia_em,
            plan=usage.plano,
        )
    past = (f"{month.mes}: {text('calls', count=month.chamadas)}" for month in usage.historico)
    shell.show(usage, [line, *past])
    return Exit.OK
