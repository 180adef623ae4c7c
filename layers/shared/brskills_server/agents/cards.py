"""Cards: documents that hosts with MCP Apps (extension ``io.modelcontextprotocol/ui``) show with an answer.

``python -m cards`` makes them. They hold no data: the host passes a tool's result to the card.
"""

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from brskills_server.agents.extensions import UI, stated_extensions
from brskills_server.agents.message import Message
from brskills_server.agents.resources import Resource

MIME_TYPE = "text/html;profile=mcp-app"


class _Card(NamedTuple):
    name: str
    title: str
    description: str


_CARDS = {
    "create_pix_code": _Card("pix", "Código Pix", "QR e copia e cola. / QR and copy-and-paste code."),
    "check_pix_payee": _Card("payee", "Quem recebe", "O que foi conferido. / What was checked."),
    "look_up_company": _Card("company", "Empresa", "O que o cadastro tem. / What the register has."),
}
"""By the tool whose answers it shows."""

# Without ``csp`` a host lets a card load nothing.
_META = {"ui": {"prefersBorder": True, "permissions": {"clipboardWrite": {}}}}


class Cards:
    """The cards in a folder. ``lacks``: their extension, where they were not made."""

    def __init__(self, folder: Path) -> None:
        paths = {tool: folder / f"{card.name}.html" for tool, card in _CARDS.items()}
        self.resources = {
            tool: _resource(_CARDS[tool], path) for tool, path in paths.items() if path.exists()
        }
        self.lacks = () if self.resources else (UI,)

    def mark(self, tools: Iterable[dict[str, Any]], message: Message) -> list[dict[str, Any]]:
        """Return tools with the addresses of their cards, if the message's client shows cards.

        Cards call no tools, and so only the model may (``visibility``).
        """
        if not shows_cards(message):
            return list(tools)
        return [self._marked(tool) for tool in tools]

    def _marked(self, tool: dict[str, Any]) -> dict[str, Any]:
        card = self.resources.get(tool["name"])
        if card is None:
            return tool
        return {**tool, "_meta": {**tool["_meta"], "ui": {"resourceUri": card.uri, "visibility": ["model"]}}}


def shows_cards(message: Message) -> bool:
    """Whether the message's client states MCP Apps and shows documents of the cards' type."""
    settings = stated_extensions(message).get(UI)
    types = settings.get("mimeTypes") if isinstance(settings, dict) else None
    return isinstance(types, list) and MIME_TYPE in types


def _resource(card: _Card, path: Path) -> Resource:
    uri = f"ui://brskills/{card.name}.html"
    return Resource(uri, card.name, card.title, card.description, MIME_TYPE, lambda _base: _read(path), _META)


@cache
def _read(path: Path) -> str:
    return path.read_text("utf-8")
