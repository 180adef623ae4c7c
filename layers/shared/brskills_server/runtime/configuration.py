"""Settings from ``CONFIG_FILE`` or ``.env``, as in systemd's ``EnvironmentFile``, and files of secrets."""

from __future__ import annotations

import difflib
import re
from pathlib import Path

from brskills_server.runtime.settings_reader import Reader, quoted, read_text, resolve_secret
from brskills_server.runtime.settings_table import AWS_SETTINGS, SETTINGS

_DECLARED = SETTINGS | AWS_SETTINGS
_SECRETS = [declared for declared in _DECLARED.values() if declared.is_secret]
_FILE_NAMES = sorted(_DECLARED.keys() - {"CONFIG_FILE"})
_MAX_SHOWN_PATH = 255

ENV_FILE = ".env"
"""The file of settings in the working directory."""


def load_configuration(reader: Reader, default_file: str = "") -> None:
    """Put files' settings into the reader's environment, which child processes inherit; drop empty ones.

    ``default_file`` is read where ``CONFIG_FILE`` is not set, if it exists. The environment overrides either.
    """
    environment = reader.environment
    given = {name: environment.pop(name).strip() for name in _DECLARED.keys() & environment.keys()}
    given = {name: value for name, value in given.items() if value}
    if "CONFIG_FILE" in given:
        written = _read_file(given["CONFIG_FILE"], "CONFIG_FILE", reader)
    else:
        written = _read_file(default_file, default_file, reader) if Path(default_file).is_file() else {}
    environment.update(written | given)
    for declared in _SECRETS:
        if declared.name in environment:
            _resolve(declared.name, reader)


def _resolve(name: str, reader: Reader) -> None:
    """Replace a reference to a secret by the secret, but for one that is read late."""
    value = reader.environment[name]
    if name.startswith("AWS_") and value.startswith("ssm:"):
        reader.issues.append(f"{name} takes no ssm: reference, for reading one needs these credentials")
        del reader.environment[name]
        return
    try:
        reader.environment[name] = resolve_secret(_DECLARED[name], value)
    except ValueError as error:
        reader.issues.append(f"{name} {error}")
        del reader.environment[name]


def _read_file(path: str, source: str, reader: Reader) -> dict[str, str]:
    shown = path if path.isprintable() and len(path) <= _MAX_SHOWN_PATH else quoted(path)
    try:
        lines = read_text(path).splitlines()
    except ValueError as error:
        reader.issues.append(f"{source}: {shown} {error}")
        return {}
    found: dict[str, str] = {}
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if not text or text[0] in "#;":
            continue
        name, equals, value = (part.strip() for part in text.partition("="))
        # Neither the line nor a value is repeated: it may be a secret.
        if not equals or not re.fullmatch("[A-Z][A-Z0-9_]*", name):
            reader.issues.append(f"{source}: line {number} is not NAME=VALUE")
        elif name not in _FILE_NAMES:
            near = "".join(f"; is it {known}?" for known in difflib.get_close_matches(name, _FILE_NAMES, 1))
            reader.issues.append(f"{source}: line {number}: there is no setting {name}{near}")
        elif name in found:
            reader.issues.append(f"{source}: line {number}: {name} is set a second time")
        else:
            found[name] = _unquoted(value)
    return {name: value for name, value in found.items() if value}


def _unquoted(value: str) -> str:
    is_quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "\"'"
    return value[1:-1] if is_quoted else value
