"""The bill of materials of a folder of wheels, as a CycloneDX 1.6 document."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from email.message import Message
from email.parser import HeaderParser
from itertools import chain
from pathlib import Path
from uuid import NAMESPACE_OID, uuid5
from zipfile import ZipFile

from cyclonedx.factory.license import LicenseFactory
from cyclonedx.model import ExternalReference, ExternalReferenceType, HashAlgorithm, HashType, XsUri
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.model.license import License
from cyclonedx.output.json import JsonV1Dot6
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packageurl import PackageURL
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name


def bill_of_materials(folder: Path, asked: str, epoch: int) -> str:
    """Return the document of all wheels in ``folder``; ``asked``: the requirement that includes the others.

    It is dated ``epoch`` (Unix seconds), identical for identical files, and has no download addresses. Raise
    ``KeyError`` if a required package is missing, ``ValueError`` if the document violates the schema.
    """
    wheels: dict[str, list[Path]] = defaultdict(list)
    for path in sorted(folder.glob("*.whl")):
        wheels[canonicalize_name(path.name.split("-")[0])].append(path)
    root = Requirement(asked)
    described = {name: _metadata(files[0]) for name, files in wheels.items()}
    components = {name: _component(name, described[name], files) for name, files in wheels.items()}
    bom = Bom(components=(component for name, component in components.items() if name != root.name))
    bom.metadata.component = components[root.name]
    bom.metadata.timestamp = datetime.fromtimestamp(epoch, UTC)
    for name, needed in _needed(described, root).items():
        bom.register_dependency(components[name], [components[other] for other in needed])
    digests = "".join(hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(folder.glob("*.whl")))
    bom.serial_number = uuid5(NAMESPACE_OID, digests)
    text = str(JsonV1Dot6(bom).output_as_string(indent=2)) + "\n"
    if fault := JsonStrictValidator(SchemaVersion.V1_6).validate_str(text):
        raise ValueError(f"the bill of materials is not valid: {fault}")
    return text


def _metadata(wheel: Path) -> Message:
    with ZipFile(wheel) as content:
        name = next(name for name in content.namelist() if name.endswith(".dist-info/METADATA"))
        return HeaderParser().parsestr(content.read(name).decode())


def _component(name: str, metadata: Message, files: Iterable[Path]) -> Component:
    version = metadata["Version"]
    return Component(
        type=ComponentType.LIBRARY,
        bom_ref=f"{name}=={version}",
        name=name,
        version=version,
        description=metadata["Summary"],
        purl=PackageURL("pypi", None, name, version),
        licenses=_licenses(metadata),
        external_references=[
            ExternalReference(
                type=ExternalReferenceType.DISTRIBUTION,
                url=XsUri(f"wheels/{path.name}"),
                hashes=[
                    HashType(alg=HashAlgorithm.SHA_256, content=hashlib.sha256(path.read_bytes()).hexdigest())
                ],
            )
            for path in files
        ],
    )


def _licenses(metadata: Message) -> Iterable[License]:
    """Return the licence from the most exact of the three metadata fields."""
    if expression := metadata["License-Expression"]:
        return [LicenseFactory().make_with_expression(expression)]
    classifiers = [
        line.rpartition(" :: ")[2]
        for line in metadata.get_all("Classifier", [])
        if line.startswith("License ::")
    ]
    stated = (metadata["License"] or "").strip()
    names = [stated] if stated and "\n" not in stated else classifiers  # some have the full text there
    return [LicenseFactory().make_from_string(name) for name in names]


def _needed(described: Mapping[str, Message], root: Requirement) -> dict[str, list[str]]:
    """Return the requirements of each package, with the extras that ``root`` or another package names."""
    asked = {
        name: [Requirement(line) for line in metadata.get_all("Requires-Dist", [])]
        for name, metadata in described.items()
    }
    extras: dict[str, set[str]] = defaultdict(lambda: {""})
    for requirement in chain([root], *asked.values()):
        if _holds(requirement, {""}):
            extras[canonicalize_name(requirement.name)] |= requirement.extras
    return {
        name: sorted({canonicalize_name(asked.name) for asked in lines if _holds(asked, extras[name])})
        for name, lines in asked.items()
    }


def _holds(asked: Requirement, extras: Iterable[str]) -> bool:
    return asked.marker is None or any(asked.marker.evaluate({"extra": extra}) for extra in extras)
