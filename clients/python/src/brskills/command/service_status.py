"""``brskills status``: whether the service is operational, and its parts."""

from collections.abc import Iterator

from brskills.answers import Component, Status
from brskills.command.errors import Exit
from brskills.command.language import Texts
from brskills.command.shell import Shell

_PARTS = ("pix", "cnpj", "armazenamento")


def show_status(shell: Shell) -> Exit:
    """Show the status of the service, its skills, its store and its sources."""
    with shell.client(with_key=False) as client:
        found = client.status()
    shell.show(found, _lines(found, shell.text))
    return Exit.OK if found.status == "operational" else Exit.UNAVAILABLE


def _lines(found: Status, text: Texts) -> Iterator[str]:
    yield f"{text('state_service')}: {text(f'state_{found.status}')}"
    by_name = {component.nome: component for component in found.componentes}
    for name in _PARTS:
        if component := by_name.pop(name, None):
            yield f"  {_line(text(f'state_{name}'), component, text)}"
    for name, component in by_name.items():
        yield f"    {_line(text('state_source', name=name), component, text)}"


def _line(name: str, component: Component, text: Texts) -> str:
    state = f"{name}: {text(f'state_{component.status}')}"
    if component.ultimo_sucesso is None or component.status == "operational":
        return state
    return f"{state}; {text('succeeded', at=component.ultimo_sucesso.astimezone())}"
