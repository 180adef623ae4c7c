"""One published file with any bytes in it."""

import zipfile
from pathlib import Path

from brskills_server.snapshot_builder.source_files import PublishedFile
from brskills_server.snapshot_builder.sources.month import NAMES


def publish(folder: Path, content: bytes, kind: str = "Empresas") -> PublishedFile:
    """Write a zip in ``folder`` whose only member is ``content``."""
    name = next(name for name in NAMES if NAMES[name] == kind)
    path = folder / name
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("MEMBER.D60912", content)
        member = archive.infolist()[0]
    return PublishedFile(name, path, member.filename, member.file_size, member.CRC)
