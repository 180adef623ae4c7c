"""The files that a run writes."""

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryFile

from brskills.command.errors import Misuse, file_reason
from brskills.command.shell import Shell
from brskills.lote.kind import Kind
from brskills.lote.options import Options


@dataclass(frozen=True, slots=True)
class Places:
    """The files. ``images``: the folder of the images, if requested; ``image_form``: ``png`` or ``svg``."""

    output: Path
    journal: Path
    images: Path | None
    image_form: str


def find_places(shell: Shell, source: Path, kind: Kind, options: Options) -> Places:
    """Return the files for a table. Raise `Misuse` if one cannot be written, before anything is sent."""
    output = options.output or source.with_name(f"{source.stem}-{kind.suffix}.csv")
    journal = output.with_name(f"{output.name}.journal")
    if output.resolve() == source.resolve():
        raise Misuse(shell.text("same_file"))
    if output.suffix.lower() in {".xlsx", ".xls"}:
        raise Misuse(shell.text("output_not_csv"))
    if output.exists() and not journal.exists() and not options.replace:
        raise Misuse(shell.text("output_exists", path=output))
    _check_folder(shell, output.parent)
    return Places(output, journal, _image_folder(shell, output, options), options.qr or "")


def _image_folder(shell: Shell, output: Path, options: Options) -> Path | None:
    if options.qr is None:
        if options.pasta:
            raise Misuse(shell.text("missing", name="--qr"))
        return None
    if not find_spec("segno"):
        raise Misuse(shell.text("qr_missing"))
    folder = options.pasta or output.with_name(f"{output.stem}-qr")
    folder.mkdir(exist_ok=True)
    _check_folder(shell, folder)
    return folder


def _check_folder(shell: Shell, folder: Path) -> None:
    try:
        TemporaryFile(dir=folder).close()
    except OSError as error:
        error.filename = folder
        raise Misuse(shell.text("file_error", reason=file_reason(error, shell.text))) from None
