"""The base URL of a deployment, as a person types or pastes it."""

import httpx

_LOOPBACK = ("127.0.0.1", "::1", "localhost")


def base_url(typed: str) -> str:
    """Return the base URL of a typed address, without the slash at its end.

    Raise ``ValueError`` for an address that a key must not be sent to, and for one with more than a path.
    """
    try:
        url = httpx.URL(typed)
    except httpx.InvalidURL:
        url = httpx.URL()
    if url.scheme not in ("http", "https") or not url.host:
        raise ValueError("URL must be an address such as https://api.example.com")
    if url.scheme == "http" and url.host not in _LOOPBACK:
        raise ValueError("URL must begin with https:// (http only on 127.0.0.1), because a key is sent")
    if url.userinfo or url.query or url.fragment:
        raise ValueError("URL must end with its path")
    if url.host.endswith(".amazonaws.com") and url.path == "/":
        raise ValueError("URL must end in its stage, as in https://….amazonaws.com/v1")
    return str(url).rstrip("/")
