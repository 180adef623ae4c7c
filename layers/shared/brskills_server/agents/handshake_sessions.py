"""Sessions of the older style, of which nothing is stored: an id names the extensions that its client stated.

Clients of that style state extensions in ``initialize`` alone, and send the id with each later message. It
grants what stating the extensions does, and so need not be secret. An unknown id is ignored, not answered by
404, at which clients' libraries fail: no message needs a session.
"""

import re
from collections.abc import Collection, Mapping
from typing import Any
from uuid import uuid4

from brskills_server.agents.cards import MIME_TYPE, shows_cards
from brskills_server.agents.extensions import SKILLS, UI, stated_extensions
from brskills_server.agents.message import Message

HEADER = "Mcp-Session-Id"

_EXTENSIONS: Mapping[str, Mapping[str, Any]] = {
    "skills": {SKILLS: {}},
    "ui": {UI: {"mimeTypes": [MIME_TYPE]}},
}
"""By the names in ids: what a client stated."""

_ID = re.compile(rf"((?:(?:{'|'.join(_EXTENSIONS)})\.)+)[0-9a-f]{{32}}")


def session_header(message: Message, without: Collection[str]) -> dict[str, str]:
    """Return the header for the answer to ``initialize``; none for a client without extensions.

    ``without``: as of ``extensions.capabilities_for``.
    """
    has_cards = UI not in without and shows_cards(message)
    stated = {"skills": SKILLS in stated_extensions(message), "ui": has_cards}
    names = [name for name, is_stated in stated.items() if is_stated]
    return {HEADER: ".".join([*names, uuid4().hex])} if names else {}


def session_extensions(headers: Mapping[str, str]) -> dict[str, Any]:
    """Return the extensions that the client stated in ``initialize``; ``headers`` by lower-case name."""
    found = _ID.fullmatch(headers.get(HEADER.lower(), ""))
    names = found[1].split(".")[:-1] if found else []
    return {name: settings for each in names for name, settings in _EXTENSIONS[each].items()}
