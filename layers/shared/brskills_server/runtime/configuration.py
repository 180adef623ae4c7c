"""Settings from files: ``CONFIG_FILE`` with any of them, and ``NAME_FILE`` for each that is a secret.

A line of ``CONFIG_FILE`` is empty, a comment (``#`` or ``;``), or ``NAME=VALUE``, as in systemd's
``EnvironmentFile``; a pair of quotes around the value is taken away, and nothing else in it is special. What
the environment says wins over the file, and a value or ``NAME_FILE`` of either source over both of the other.
"""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import MutableMapping
from pathlib import Path

from brskills_server.runtime.settings_reader import InvalidSettings, quoted
from brskills_server.runtime.settings_table import SECRETS, SETTINGS

__all__ = ["load_configuration"]

_FILES = frozenset(f"{name}_FILE" for name in SECRETS)
_NAMES = {name for row in SETTINGS for name in row.names} | _FILES
_LONGEST_PATH = 255
_LONGEST_FILE = 256 * 1024
_KNOWN = sorted(_NAMES - {"CONFIG_FILE"})


def load_configuration(environment: MutableMapping[str, str] = os.environ) -> None:
    """Put into the environment what files say. Processes that are started later have it too.

    Settings that were there and say nothing go, and the others lose the white space around them: libraries
    read some of them too, and would take either for a value.

    Raises ``InvalidSettings`` with all faults; what had none is in the environment then, too.
    """
    faults: list[str] = []
    given = {name: environment.pop(name).strip() for name in _NAMES & environment.keys()}
    given = {name: value for name, value in given.items() if value}
    written = _read_lines(given["CONFIG_FILE"], faults) if "CONFIG_FILE" in given else {}
    for source in (written, given):
        for name in sorted(SECRETS & {key.removesuffix("_FILE") for key in source}):
            _resolve(name, source, faults)
    environment.update(written | given)
    if faults:
        raise InvalidSettings(*faults)


def _resolve(name: str, source: MutableMapping[str, str], faults: list[str]) -> None:
    """Read a secret's file, if its source names one, in its place."""
    file = source.pop(f"{name}_FILE", None)
    if file is None:
        return
    if name in source:
        faults.append(f"{name} and {name}_FILE are both set")
        return
    # Its path is not repeated: it may be the secret itself, put there by mistake.
    content = _read(f"{name}_FILE: what it names", file.strip(), faults)
    if content is None:
        return
    source[name] = content.removesuffix("\n").removesuffix("\r")
    if not source[name].strip():
        faults.append(f"{name}_FILE: what it names is empty")


def _read_lines(file: str, faults: list[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for number, line in enumerate(
        (_read(f"CONFIG_FILE: {_shown(file)}", file, faults) or "").splitlines(), 1
    ):
        text = line.strip()
        if not text or text[0] in "#;":
            continue
        name, equals, value = text.partition("=")
        name = name.strip()
        # Neither the line nor a value is repeated: it may be a secret.
        if not equals or not re.fullmatch("[A-Z][A-Z0-9_]*", name):
            faults.append(f"CONFIG_FILE: line {number} is not NAME=VALUE")
        elif name not in _KNOWN:
            faults.append(f"CONFIG_FILE: line {number}: there is no setting {name}{_nearest(name)}")
        elif name in found:
            faults.append(f"CONFIG_FILE: line {number}: {name} is set a second time")
        else:
            found[name] = _unquoted(value.strip())
    return {name: value for name, value in found.items() if value}


def _nearest(name: str) -> str:
    near = difflib.get_close_matches(name, _KNOWN, 1)
    return f"; is it {near[0]}?" if near else ""


def _shown(path: str) -> str:
    return path if path.isprintable() and len(path) <= _LONGEST_PATH else quoted(path)


def _unquoted(value: str) -> str:
    is_quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "\"'"
    return value[1:-1] if is_quoted else value


def _read(shown: str, file: str, faults: list[str]) -> str | None:
    try:
        with Path(file).open(encoding="utf-8-sig") as opened:
            content = opened.read(_LONGEST_FILE + 1)  # what a wrong name leads to may have no end
    except OSError as failure:
        faults.append(f"{shown} cannot be read: {failure.strerror}")
    except ValueError:
        faults.append(f"{shown} is not text in UTF-8")
    else:
        if "\0" in content:
            faults.append(f"{shown} is not text in UTF-8")
        elif len(content) > _LONGEST_FILE:
            faults.append(f"{shown} is longer than {_LONGEST_FILE} characters")
        else:
            return content
    return None
