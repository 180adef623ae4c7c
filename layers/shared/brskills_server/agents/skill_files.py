"""The Agent Skills of this server: the service as a whole, and guides to three tasks.

They are resources for every client, and skills for those of the extension (SEP-2640). Each is one file,
``skill_files/<name>/SKILL.md``, whose front matter has a plain text in each line.
"""

from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from brskills_server.agents.extensions import SKILLS, stated_extensions
from brskills_server.agents.guides import fill_in, fill_in_address
from brskills_server.agents.message import INVALID_PARAMS, METHOD_NOT_FOUND, Message, RpcError
from brskills_server.agents.methods import Method, check_page, public
from brskills_server.agents.protocol_versions import Style
from brskills_server.agents.resources import Resource
from brskills_server.runtime.settings import Settings
from brskills_server.web.request import Request

OWN_KEY = "$BRSKILLS_API_KEY"
"""Where a reader of a skill has the key."""

_FOLDER = Path(__file__).with_name("skill_files")
_SERVICE = "brskills"
SERVICE_FILE = _FOLDER / _SERVICE / "SKILL.md"
TITLES = {
    _SERVICE: "brskills: Pix e CNPJ",
    "cobrar-por-pix": "Cobrar por Pix",
    "conferir-antes-de-pagar": "Conferir antes de pagar",
    "acompanhar-fornecedores": "Acompanhar fornecedores",
}
"""The names of the skills, in the order of lists."""


@cache
def read_guide(name: str) -> tuple[dict[str, str], str]:
    """Return a skill's front matter, and the text behind it with its gaps."""
    _, front, body = (_FOLDER / name / "SKILL.md").read_text(encoding="utf-8").split("---\n", 2)
    return dict(line.split(": ", 1) for line in front.splitlines()), body.strip()


class SkillFiles:
    """The skills of a deployment."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._templates: dict[str, str] = {}

    def resources(self) -> list[Resource]:
        """Return the files of all skills."""
        return [
            Resource(
                _uri(name),
                name,
                title,
                read_guide(name)[0]["description"],
                "text/markdown",
                partial(self._text, name),
            )
            for name, title in TITLES.items()
        ]

    def methods(self) -> dict[str, Method]:
        """Return the extension's methods by name."""
        return {"skills/list": self._list, "skills/get": self._get}

    def _list(self, message: Message, style: Style, request: Request) -> dict[str, Any]:
        _check_stated(message, style)
        check_page(message)
        return public({"skills": [self._entry(name, request.base_url) for name in TITLES]}, style)

    def _get(self, message: Message, style: Style, request: Request) -> dict[str, Any]:
        _check_stated(message, style)
        name = {_uri(name): name for name in TITLES}.get(str(message.params.get("uri")))
        if name is None:
            raise RpcError(INVALID_PARAMS, "Unknown skill; skills/list has them")
        return public({"skill": self._entry(name, request.base_url)}, style)

    def _entry(self, name: str, base: str) -> dict[str, Any]:
        """Return a skill with the digest of its file as this client reads it."""
        content = self._text(name, base).encode()
        digest = f"sha256:{sha256(content).hexdigest()}"
        files = [{"uri": _uri(name), "digest": digest, "size": len(content)}]
        return {"uri": _uri(name), "frontmatter": read_guide(name)[0], "resources": files}

    def _text(self, name: str, base: str) -> str:
        if name not in self._templates:
            text = (_FOLDER / name / "SKILL.md").read_text(encoding="utf-8")
            self._templates[name] = fill_in(self._settings.features.render(text), OWN_KEY)
        return fill_in_address(self._templates[name], base, self._settings)


def _uri(name: str) -> str:
    return f"skill://{name}/SKILL.md"


def _check_stated(message: Message, style: Style) -> None:
    """Raise ``RpcError`` as for any unknown method; the older style does not say what the client supports."""
    if style is Style.ENVELOPE and SKILLS not in stated_extensions(message):
        raise RpcError(METHOD_NOT_FOUND, "Method not found", 404)
