"""Skills on what an account has: free, refused to the demo key, and answered with plain data or nothing."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from brskills_server.skills.skill import Skill, never, write_plain


def _content(answer: Mapping[str, Any] | None) -> dict[str, Any]:
    return dict(answer or {})


account_skill = partial(
    Skill, scope="conta", counts=never, write=write_plain, content=_content, errors=("demo_key",)
)
"""Declare one, with the arguments of ``Skill``."""
