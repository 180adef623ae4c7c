"""Whole files that are wrong: each function spoils one zip of a written month, which must then be refused.

``ALL`` holds them by name, all called alike: ``ALL["truncated"](folder, "Socios3.zip")``.
"""

import struct
import zipfile
from collections.abc import Callable
from datetime import date
from pathlib import Path

from tests.register.files import write_member
from tests.register.layout import members

__all__ = ["ALL"]

_DAY = date(2026, 9, 12)


def missing(folder: Path, name: str) -> None:
    """The file is not there."""
    (folder / name).unlink()


def truncated(folder: Path, name: str) -> None:
    """Only the first two thirds of the file arrived."""
    data = (folder / name).read_bytes()
    (folder / name).write_bytes(data[: len(data) * 2 // 3])


def wrong_crc(folder: Path, name: str) -> None:
    """The sum of the member is another than the zip says, in both places where it says so."""
    data = (folder / name).read_bytes()
    with zipfile.ZipFile(folder / name) as file:
        crc = file.infolist()[0].CRC
    (folder / name).write_bytes(data.replace(struct.pack("<I", crc), struct.pack("<I", crc ^ 1)))


def damaged(folder: Path, name: str) -> None:
    """A part of the compressed data is zeros."""
    data = bytearray((folder / name).read_bytes())
    middle = len(data) // 2
    data[middle : middle + 8] = bytes(8)
    (folder / name).write_bytes(data)


def of_another_day(folder: Path, name: str) -> None:
    """The member is of another month than those of the other files."""
    _, data = _member(folder / name)
    write_member(folder / name, members(date(2026, 8, 15))[name], data, _DAY)


def empty_member(folder: Path, name: str) -> None:
    """The member has no byte."""
    member, _ = _member(folder / name)
    write_member(folder / name, member, b"", _DAY)


def no_member(folder: Path, name: str) -> None:
    """A zip with nothing in it."""
    with zipfile.ZipFile(folder / name, "w"):
        pass


def two_members(folder: Path, name: str) -> None:
    """A second member, of which nobody can tell whether it belongs there."""
    member, data = _member(folder / name)
    with zipfile.ZipFile(folder / name, "a") as file:
        file.writestr(f"{member}.1", data)


def html(folder: Path, name: str) -> None:
    """A page that the share gave in place of the file."""
    (folder / name).write_text("<!DOCTYPE html><html><body>Too many requests</body></html>")


def empty(folder: Path, name: str) -> None:
    """A file of no byte."""
    (folder / name).write_bytes(b"")


def of_another_kind(folder: Path, name: str) -> None:
    """The rows are those of another file: they have another number of columns."""
    member, _ = _member(folder / name)
    other = "Cnaes.zip" if name != "Cnaes.zip" else "Simples.zip"
    write_member(folder / name, member, _member(folder / other)[1], _DAY)


def unexpected(folder: Path, name: str) -> None:
    """One file more than a month has, with a name like the others'."""
    (folder / name.replace(".zip", "X.zip")).write_bytes((folder / name).read_bytes())


def _member(path: Path) -> tuple[str, bytes]:
    with zipfile.ZipFile(path) as file:
        name = file.namelist()[0]
        return name, file.read(name)


_FAULTS = (missing, truncated, wrong_crc, damaged, of_another_day, empty_member, no_member, two_members, html)
ALL: dict[str, Callable[[Path, str], None]] = {
    fault.__name__: fault for fault in (*_FAULTS, empty, of_another_kind, unexpected)
}
