"""The WebDAV folder behind each form of a share's address.

The federal share is a Nextcloud's; in 2026 its page is
``https://arquivos.receitafederal.gov.br/index.php/s/YggdBLfdninEJX9``. The forms, with a share's token, by
Nextcloud's code (none was tried on the federal server):

- the page: ``…/index.php/s/TOKEN`` or ``…/s/TOKEN``, for a folder with ``?dir=/a/b`` (older: ``?path=``);
- ``…/public.php/dav/files/TOKEN/``: WebDAV without a user, since Nextcloud 29; derived from the page;
- ``…/public.php/webdav/``: older WebDAV, with the token as the user: ``https://TOKEN@host/public.php/webdav/``.

Any other address is used as a WebDAV folder.
"""

import re
from dataclasses import dataclass, field
from urllib.parse import parse_qs, quote

import httpx

from brskills_server.snapshot_builder.errors import SnapshotError

_MAX_PORT = 65535
_PAGE = re.compile(r"(?P<before>.*?)(?:/index\.php)?/s/(?P<token>[A-Za-z0-9_-]+)(?:/download)?/?")


@dataclass(frozen=True, slots=True)
class Address:
    """A WebDAV folder. ``url`` ends in a slash and contains no user info; ``user``: name and password."""

    url: httpx.URL
    user: tuple[str, str] | None = field(repr=False)


def read_address(source: str) -> Address:
    """Return the WebDAV folder behind an address. Raise `SnapshotError` if it is not one of http or https."""
    try:
        given = httpx.URL(source)
        host = given.host
    except (httpx.InvalidURL, UnicodeError):
        raise SnapshotError("the source is not a valid address") from None
    if given.scheme not in {"http", "https"} or not host or (given.port or 0) > _MAX_PORT:
        raise SnapshotError("the source's address must begin with http:// or https:// and name a host")
    page = _PAGE.fullmatch(given.path)
    path = _dav_path(page["before"], page["token"], given) if page else given.path
    url = given.copy_with(
        userinfo=b"", raw_path=quote(path.rstrip("/") + "/", safe="/~").encode(), fragment=None
    )
    return Address(url, (given.username, given.password) if given.userinfo else None)


def _dav_path(before: str, token: str, page: httpx.URL) -> str:
    query = parse_qs(page.query.decode("ascii", "replace"))
    folder = next((query[name][0] for name in ("dir", "path") if name in query), "")
    names = [name for name in folder.split("/") if name]
    if {".", ".."} & set(names):
        raise SnapshotError("the folder in the share's address must not contain . or ..")
    return "/".join((f"{before}/public.php/dav/files/{token}", *names))
