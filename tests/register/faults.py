"""Broken zips: each function of ``ALL`` spoils a file of a written month, by its name."""

import struct
import zipfile
from collections.abc import Callable
from datetime import date
from pathlib import Path

from tests.register.files import write_member
from tests.register.layout import members

_DAY = date(2026, 9, 12)


def missing(folder: Path, name: str) -> None:
    (folder / name).unlink()


def truncated(folder: Path, name: str) -> None:
    data = (folder / name).read_bytes()
    (folder / name).write_bytes(data[: len(data) * 2 // 3])


def wrong_crc(folder: Path, name: str) -> None:
    """Change the member's sum, in both places of the zip."""
    data = (folder / name).read_bytes()
    with zipfile.ZipFile(folder / name) as file:
        crc = file.infolist()[0].CRC
    (folder / name).write_bytes(data.replace(struct.pack("<I", crc), struct.pack("<I", crc ^ 1)))


def damaged(folder: Path, name: str) -> None:
    """Zero a part of the compressed data."""
    data = bytearray((folder / name).read_bytes())
    middle = len(data) // 2
    data[middle : middle + 8] = bytes(8)
    (folder / name).write_bytes(data)


def of_another_day(folder: Path, name: str) -> None:
    _, data = _member(folder / name)
    write_member(folder / name, members(date(2026, 8, 15))[name], data, _DAY)


def empty_member(folder: Path, name: str) -> None:
    member, _ = _member(folder / name)
    write_member(folder / name, member, b"", _DAY)


def no_member(folder: Path, name: str) -> None:
    with zipfile.ZipFile(folder / name, "w"):
        pass


def two_members(folder: Path, name: str) -> None:
    member, data = _member(folder / name)
    with zipfile.ZipFile(folder / name, "a") as file:
        file.writestr(f"{member}.1", data)


def html(folder: Path, name: str) -> None:
    """Write a page that the share gave instead of the file."""
    (folder / name).write_text("<!DOCTYPE html><html><body>Too many requests</body></html>")


def empty(folder: Path, name: str) -> None:
    (folder / name).write_bytes(b"")


def of_another_kind(folder: Path, name: str) -> None:
    """Write the rows of another file, which has another number of columns."""
    member, _ = _member(folder / name)
    other = "Cnaes.zip" if name != "Cnaes.zip" else "Simples.zip"
    write_member(folder / name, member, _member(folder / other)[1], _DAY)


def unexpected(folder: Path, name: str) -> None:
    """Add a file with a similar name."""
    (folder / name.replace(".zip", "X.zip")).write_bytes((folder / name).read_bytes())


def _member(path: Path) -> tuple[str, bytes]:
    with zipfile.ZipFile(path) as file:
        name = file.namelist()[0]
        return name, file.read(name)


_FAULTS = (missing, truncated, wrong_crc, damaged, of_another_day, empty_member, no_member, two_members, html)
ALL: dict[str, Callable[[Path, str], None]] = {
    fault.__name__: fault for fault in (*_FAULTS, empty, of_another_kind, unexpected)
}
