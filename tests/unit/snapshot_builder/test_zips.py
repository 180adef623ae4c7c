"""Zips of an untrusted source: limits and malformed archives."""

import struct
import zipfile
import zlib
from collections.abc import Callable
from contextlib import nullcontext, suppress
from pathlib import Path
from zipfile import BadZipFile

import pytest

from brskills_server.snapshot_builder.errors import SnapshotError
from brskills_server.snapshot_builder.source_files import PublishedFile
from brskills_server.snapshot_builder.zips import MAX_READ, is_readable, open_zip
from tests.register.months import a_zip

ROWS = b"".join(b'"%08d";"A"\n' % n for n in range(2000))
LOCAL = {"flags": (6, "<H"), "method": (8, "<H"), "crc": (14, "<L"), "packed": (18, "<L"), "size": (22, "<L")}
CENTRAL = {name: (place + 2, form) for name, (place, form) in LOCAL.items()}


def packed(folder: Path, content: bytes = ROWS, method: int = zipfile.ZIP_DEFLATED) -> PublishedFile:
    path = folder / "Empresas0.zip"
    with zipfile.ZipFile(path, "w", method) as archive:
        archive.writestr("MEMBER.D60912", content)
    return listed(path)


def listed(path: Path) -> PublishedFile:
    """Return a file as its directory lists it now."""
    with open_zip(path) as (archive, _):
        member = archive.infolist()[0]
    return PublishedFile("Empresas0.zip", path, member.filename, member.file_size, member.CRC)


def with_headers(
    file: PublishedFile, local: bool = True, central: bool = True, **fields: int
) -> PublishedFile:
    """Return the file with other fields in the member's own header, in the directory, or in both."""
    data = bytearray(file.path.read_bytes())
    start = data.index(b"PK\x01\x02")
    for name, value in fields.items():
        for offset, (place, form), is_changed in ((0, LOCAL[name], local), (start, CENTRAL[name], central)):
            if is_changed:
                struct.pack_into(form, data, offset + place, value)
    file.path.write_bytes(data)
    return listed(file.path)


def read(file: PublishedFile) -> bytes:
    return b"".join(file.pieces())


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_members_are_read(tmp_path: Path, method: int) -> None:
    assert read(packed(tmp_path, method=method)) == ROWS
    assert [*listed(tmp_path / "Empresas0.zip").pieces(20_000)] == [ROWS[:20_000], ROWS[20_000:]]


def test_zip64_and_sizes_only_in_the_directory(tmp_path: Path) -> None:
    path = tmp_path / "Empresas0.zip"
    with path.open("wb") as raw:
        raw.seekable = lambda: False  # type: ignore[method-assign]
        with (
            zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED) as archive,
            archive.open("M.D60912", "w") as member,
        ):
            member.write(ROWS)
    assert read(listed(path)) == ROWS
    with zipfile.ZipFile(path, "w") as archive, archive.open("M.D60912", "w", force_zip64=True) as member:
        member.write(ROWS)
    assert read(listed(path)) == ROWS


def test_data_around_an_archive_is_ignored(tmp_path: Path) -> None:
    file = packed(tmp_path)
    file.path.write_bytes(b"before" + file.path.read_bytes() + b"behind")
    assert read(listed(file.path)) == ROWS


SHORT = {"size": 100, "crc": zlib.crc32(ROWS[:100])}
FALSE_HEADERS: dict[str, Callable[[PublishedFile], PublishedFile]] = {
    "more than there is": lambda file: with_headers(file, size=len(ROWS) + 1),
    "far more than there is": lambda file: with_headers(file, size=16 * 1024**2),
    "less than there is": lambda file: with_headers(file, **SHORT),
    "less packed than there is": lambda file: with_headers(file, packed=50),
    "less in the directory": lambda file: with_headers(file, local=False, **SHORT),
    "less in the header": lambda file: with_headers(file, central=False, **SHORT),
    "another sum in the header": lambda file: with_headers(file, central=False, crc=1),
    "another sum": lambda file: with_headers(file, crc=1),
    "another sum in the header, and one that follows": lambda file: with_headers(
        file, central=False, flags=8, crc=1
    ),
    "encrypted": lambda file: with_headers(file, flags=1),
    "bzip2": lambda file: with_headers(file, method=zipfile.ZIP_BZIP2),
    "deflate64": lambda file: with_headers(file, method=9),
}


@pytest.mark.parametrize("falsify", FALSE_HEADERS.values(), ids=FALSE_HEADERS)
def test_false_headers_are_rejected(
    tmp_path: Path, falsify: Callable[[PublishedFile], PublishedFile]
) -> None:
    file = falsify(packed(tmp_path))
    with pytest.raises(SnapshotError, match=r"Empresas0\.zip is damaged: "):
        read(file)


def test_changed_files_are_rejected(tmp_path: Path) -> None:
    file = packed(tmp_path)
    packed(tmp_path, ROWS[:-12])
    with pytest.raises(SnapshotError, match="has changed since the build began"):
        read(file)


def test_invalid_names_are_rejected(tmp_path: Path) -> None:
    file = with_headers(packed(tmp_path), central=False, flags=0x800)
    file.path.write_bytes(file.path.read_bytes().replace(b"MEMBER", b"\xffEMBER", 1))
    with pytest.raises(SnapshotError, match="is damaged"):
        read(file)


def test_compression_ratio_limit(tmp_path: Path) -> None:
    assert len(read(packed(tmp_path, b"a" * 16 * 1024**2))) == 16 * 1024**2
    with pytest.raises(
        SnapshotError, match=r"is damaged: its member would have 16,777,217 bytes, and it has"
    ):
        read(packed(tmp_path, b"a" * (16 * 1024**2 + 1)))


def test_directory_size_limit(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for n in range(MAX_READ // 60_000 + 1):
            archive.writestr(f"{n:060000}", b"")
    with pytest.raises(BadZipFile, match="directory is longer"), open_zip(path):
        pass


ZIP = a_zip(10)
DIRECTORY = ZIP.index(b"PK\x01\x02")


def with_bytes(path: Path, **changed: int) -> Path:
    """Write the zip with other bytes in its directory, by the names of the format's description."""
    content = bytearray(ZIP)
    for name, value in changed.items():
        content[DIRECTORY + {"version_needed": 6, "general_purpose_flag": 9, "file_name": 46}[name]] = value
    path.write_bytes(content)
    return path


@pytest.mark.parametrize(
    ("changed", "is_whole"),
    [
        pytest.param({}, True, id="whole"),
        pytest.param({"version_needed": 255}, False, id="of a format of the future"),
        pytest.param({"general_purpose_flag": 8, "file_name": 255}, False, id="a name that is not UTF-8"),
    ],
)
def test_malformed_directories(tmp_path: Path, changed: dict[str, int], is_whole: bool) -> None:
    archive = with_bytes(tmp_path / "a.zip", **changed)
    assert is_readable(archive) == is_whole
    with nullcontext() if is_whole else pytest.raises(BadZipFile), open_zip(archive):
        pass


def test_any_damaged_byte_is_a_bad_zip_or_harmless(tmp_path: Path) -> None:
    for position in range(len(ZIP)):
        content = bytearray(ZIP)
        content[position] ^= 0xFF
        (tmp_path / "a.zip").write_bytes(content)
        with suppress(BadZipFile), open_zip(tmp_path / "a.zip") as (archive, _):
            archive.infolist()
