"""``python trim.py FOLDER``: takes from a layer what the functions never load.

Of Powertools these are the files of a page that shows OpenAPI.

botocore carries a description of every service of AWS, looks through all of them when a client is made, and
then reads the whole of one. What is kept is found in the sources of the layer itself: the services that the
adapters make clients of, and of each the operations that they name. Exits with the reason where it finds no
service, or one that botocore lacks.
"""

from __future__ import annotations

import gzip
import json
import re
import shutil
import sys
from collections.abc import Iterator, Set
from pathlib import Path
from typing import Any

__all__ = ["trim"]

_DESCRIPTION, _EXAMPLES = "service-2.json", "examples-1.json"
_NAMED = re.compile(r"""(?<=[."'])[a-z_]+\b(?! import)""")
"""Operations are named as methods of a client or, of paginators, as texts."""
_CLIENT = re.compile(r'(?<!def )\baws_client\((?:"([a-z0-9-]+)")?')


def main() -> None:
    """Trim the layer in the folder that is named."""
    folder = Path(sys.argv[1])
    for file in (folder / "aws_lambda_powertools/event_handler/openapi/swagger_ui").glob("*.min.*"):
        file.unlink()
    trim(folder / "botocore" / "data", folder / "brskills_server" / "adapters")


def trim(data: Path, adapters: Path) -> None:
    """Leave in ``data`` what the sources in ``adapters`` ask for; ``SystemExit`` says what is missing."""
    sources = "\n".join(path.read_text(encoding="utf-8") for path in sorted(adapters.rglob("*.py")))
    services = _services_of(sources)
    if missing := services - {folder.name for folder in data.iterdir()}:
        sys.exit(f"botocore has no data on {', '.join(sorted(missing))}")
    words = {word.replace("_", "") for word in _NAMED.findall(sources)}
    for folder in data.iterdir():
        if folder.is_dir() and folder.name in services:
            _trim_service(folder, words)
        elif folder.is_dir():
            shutil.rmtree(folder)
    _trim_endpoints(data / "endpoints.json", services)


def _services_of(sources: str) -> set[str]:
    services = set(_CLIENT.findall(sources))
    if not services or "" in services:
        sys.exit('a service must stand where its client is made: aws_client("dynamodb")')
    return services


def _trim_service(folder: Path, words: Set[str]) -> None:
    """Keep the latest version, and of it what belongs to the operations that are among the words."""
    *older, latest = sorted(folder.iterdir())
    for version in older:
        shutil.rmtree(version)
    (latest / _EXAMPLES).unlink(missing_ok=True)
    packed = latest / f"{_DESCRIPTION}.gz"
    description = json.loads(gzip.decompress(packed.read_bytes()))
    operations = {name: what for name, what in description["operations"].items() if name.lower() in words}
    if not operations:
        sys.exit(f"no operation of {folder.name} is asked for")
    shapes = _shapes_of(operations, description["shapes"])
    kept = _without_texts({**description, "operations": operations, "shapes": shapes})
    packed.unlink()
    _write(latest / _DESCRIPTION, kept)


def _shapes_of(operations: dict[str, Any], shapes: dict[str, Any]) -> dict[str, Any]:
    """All shapes that the operations are made of, their errors among them."""
    found: dict[str, Any] = {}
    waiting = list(_named(operations))
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = shapes[name]
            waiting += _named(shapes[name])
    return {name: shapes[name] for name in shapes if name in found}


def _named(part: Any) -> Iterator[str]:
    """The shapes that a part of a description refers to."""
    if isinstance(part, list):
        for one in part:
            yield from _named(one)
    elif isinstance(part, dict):
        for key, value in part.items():
            if key == "shape" and isinstance(value, str):
                yield value
            else:
                yield from _named(value)


def _without_texts(part: Any) -> Any:
    """Without documentation: a text, where the member of a shape that is called so is an object."""
    if isinstance(part, list):
        return [_without_texts(one) for one in part]
    if not isinstance(part, dict):
        return part
    return {
        key: _without_texts(value)
        for key, value in part.items()
        if not (key == "documentation" and isinstance(value, str))
    }


def _trim_endpoints(file: Path, services: Set[str]) -> None:
    endpoints = json.loads(file.read_text(encoding="utf-8"))
    for partition in endpoints["partitions"]:
        kept = {name: where for name, where in partition["services"].items() if name in services}
        partition["services"] = kept
    _write(file, endpoints)


def _write(file: Path, content: Any) -> None:
    file.write_text(json.dumps(content, separators=(",", ":")), encoding="utf-8")


if __name__ == "__main__":
    main()
