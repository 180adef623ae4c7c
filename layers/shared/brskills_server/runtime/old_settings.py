"""The former names of secret settings, ``X_FILE`` and ``X_NAME``; to be removed in 2.0."""

from __future__ import annotations

from collections.abc import Iterable, MutableMapping

from brskills_server.runtime.setting import Setting
from brskills_server.runtime.settings_reader import Reader


def old_names(declared: Setting) -> dict[str, str]:
    """Return the scheme of each former name of a setting."""
    if not declared.is_secret:
        return {}
    names = {f"{declared.name}_FILE": "file"}
    return names | {f"{declared.name}_NAME": "ssm"} if declared.is_read_late else names


def accept_old_names(
    environment: MutableMapping[str, str], settings: Iterable[Setting], reader: Reader
) -> None:
    """Replace former names by present ones; the reader collects a deprecation for each."""
    for declared in settings:
        for old, scheme in old_names(declared).items():
            place = environment.pop(old, "").strip()
            if not place:
                continue
            reader.deprecations.append(f"{old} is deprecated: set {declared.name}={scheme}:… instead")
            if not environment.get(declared.name, "").strip():
                environment[declared.name] = f"{scheme}:{place}"
            elif scheme == "file":
                reader.issues.append(f"{declared.name} and {old} are both set")
