"""Validators of answers (RFC 9110 §8.8.3): strong tags of texts, and their comparison."""

import hashlib


def tag_of(content: bytes) -> str:
    """Return a strong validator: the digest of a body."""
    return f'"{hashlib.sha256(content).hexdigest()[:20]}"'


def is_current(tag: str, if_none_match: str) -> bool:
    """Compare a tag with ``If-None-Match`` weakly (RFC 9110 §13.1.2)."""
    tags = {known.strip().removeprefix("W/") for known in if_none_match.split(",")}
    return "*" in tags or tag.removeprefix("W/") in tags
