"""``make participants FROM=file``: replace the list of Pix participants by a published one."""

import argparse
import json
import re
import sys
from datetime import date
from pathlib import Path

from brskills_server.participants.participant_list import LIST_FILE, ParticipantList, participant_list
from package.participants.published_list import UnexpectedForm, read_published_list

PUBLISHER = "Banco Central do Brasil"


def main(arguments: list[str]) -> str:
    """Write the list and return what changed. Exit without a change if the file is not such a list."""
    parser = argparse.ArgumentParser(prog="make participants", description=__doc__)
    parser.add_argument(
        "file", type=Path, help="the published PDF or CSV, under its own name, which ends with the day"
    )
    parser.add_argument("--source", default=PUBLISHER, help="who published the file")
    parser.add_argument("--to", type=Path, default=LIST_FILE, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    try:
        day = _day_of(options.file.name)
        found = read_published_list(options.file.read_bytes())
    except (OSError, ValueError) as error:
        parser.exit(1, f"{options.file.name}: {error}. The list was not changed.\n")
    before = participant_list()
    _write(ParticipantList(day.isoformat(), options.source, found), options.to)
    left, joined = set(before.participants) - set(found), set(found) - set(before.participants)
    return f"{len(found)} participants of {day}; {len(joined)} joined or changed, {len(left)} left or changed"


def _write(listed: ParticipantList, path: Path) -> None:
    """Replace a list's file, one participant a line, so that a change of the list is readable as a diff."""
    head = json.dumps({"date": listed.date, "source": listed.source}, ensure_ascii=False)[:-1]
    rows = ",\n".join(json.dumps(each, ensure_ascii=False) for each in listed.participants)
    temporary = path.with_suffix(".new")
    temporary.write_text(f'{head}, "participants": [\n{rows}\n]}}\n', "utf-8")
    temporary.replace(path)


def _day_of(name: str) -> date:
    """Return the day at the end of a published file's name, ``…-20260807.pdf``."""
    if not (match := re.search(r"(\d{8})\.(?:csv|pdf)$", name)):
        raise UnexpectedForm("expected the day at the end of the file's name, as in …-20260807.pdf")
    return date.fromisoformat(match[1])


if __name__ == "__main__":
    sys.stdout.write(main(sys.argv[1:]) + "\n")
