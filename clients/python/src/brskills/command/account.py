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
    limit = shell.text("unlimited") if issued.limite_mensal is None else issued.limite_mensal
    shown = {"id": issued.id, "plano": issued.plano, "limite_mensal": issued.limite_mensal}
    line = shell.text("key_stored", path=path, id=issued.id, plan=issued.plano, limit=limit)
    shell.show({**shown, "arquivo": str(path)}, [line])
    return Exit.OK


def show_usage(shell: Shell) -> Exit:
    """Show the month's calls and the remaining ones."""
    with shell.client() as client:
        usage = client.usage()
    line = shell.text(
        "used_unlimited" if usage.limite is None else "used",
        month=usage.mes,
        calls=usage.chamadas,
        limit=usage.limite,
        left=usage.restantes,
        resets=usage.reinicia_em.date(),
        plan=usage.plano,
    )
    shell.show(usage, [line, *(f"{month.mes}: {month.chamadas}" for month in usage.historico)])
    return Exit.OK
