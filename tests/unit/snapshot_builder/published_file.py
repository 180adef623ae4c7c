"""One published file with any bytes in it."""

import zipfile
from pathlib import Path

from brskills_server.snapshot_builder.source_files import PublishedFile


def publish(folder: Path, content: bytes, kind: str = "Empresas") -> PublishedFile:
    """Write a zip in ``folder`` whose only member is ``content``."""
    path = folder / f"{kind}0.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("MEMBER.D60912", content)
        member = archive.infolist()[0]
    return PublishedFile(kind, path, member.filename, member.file_size, member.CRC)
