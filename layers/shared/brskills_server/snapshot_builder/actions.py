"""What the commands of the builder do: build, list and roll back snapshots. Needs the builder's libraries."""

import os
import shutil
from collections.abc import Collection
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import click

from brskills_server.adapters.snapshots.folder import FILE
from brskills_server.runtime.configuration import ENV_FILE, load_configuration
from brskills_server.runtime.local import set_local_defaults
from brskills_server.runtime.settings import VERSION, Settings
from brskills_server.runtime.settings_reader import Reader
from brskills_server.snapshot_builder.build import build_snapshot, locked
from brskills_server.snapshot_builder.destinations.folder import SnapshotFolder
from brskills_server.snapshot_builder.destinations.opening import open_bucket, open_destination
from brskills_server.snapshot_builder.errors import SnapshotError
from brskills_server.snapshot_builder.progress import DownloadProgress
from brskills_server.snapshot_builder.publishing import StorePublisher
from brskills_server.snapshot_builder.report import read_source
from brskills_server.snapshot_builder.source_files import open_month
from brskills_server.snapshot_builder.sources.fetch import Fetched, fetch


@dataclass(frozen=True, slots=True)
class Target:
    """``store``: the store that the folder's snapshots are published to, if any."""

    folder: SnapshotFolder
    store: StorePublisher | None
    user_agent: str


def open_target(folder: str, tables: str, bucket: str, indexes: str) -> Target:
    """Return the place of the snapshots by the settings. ``folder`` and the others: for a store."""
    reader = Reader(os.environ)
    load_configuration(reader, ENV_FILE)
    reader.finish()
    set_local_defaults()
    settings = Settings.from_environment()
    in_store = settings.registry_copy == "store"
    return Target(
        SnapshotFolder(Path(folder if in_store else settings.registry_copy)),
        StorePublisher(open_destination(tables, bucket, indexes), open_bucket(bucket)) if in_store else None,
        f"brskills/{VERSION} (+{settings.project_url})",
    )


def build(
    target: Target, source: str, *, anew: bool, accepted: Collection[str], day: date | None = None
) -> None:
    """Build a month's snapshot and put it in place.

    ``accepted``: some of `issues.ACCEPTABLE`. ``day``: of the files whose names have none.
    """
    with locked(target.folder):
        try:
            _fetch_and_build(target, source, anew, accepted, day)
        except SnapshotError:
            _echo_in_place(target, "stays in place")
            raise
    _echo_in_place(target, "is in place")


def list_snapshots(target: Target) -> None:
    """List the kept snapshots, the one in place first."""
    place = target.store.destination if target.store else target.folder
    if not (snapshots := place.snapshots()):
        click.echo("there is no snapshot")
    for kept in sorted(snapshots, key=lambda kept: not kept.current):
        details = ", in the store" if target.store else f"  {kept.size / 1e9:.2f} GB"
        click.echo(f"{kept.name:14}  {'in place' if kept.current else 'kept'}{details}")


def roll_back(target: Target) -> None:
    """Put the other kept snapshot in place, in the store and in the folder."""
    others = [snapshot.name for snapshot in target.folder.snapshots() if not snapshot.current]
    local = next(iter(others or target.folder.finished()), None)  # these where the pointer is lost
    place = target.store.destination if target.store else target.folder
    left = next((snapshot.name for snapshot in place.snapshots() if snapshot.current), "a damaged one")
    name = target.store.roll_back() if target.store else local
    if name is None:
        raise SnapshotError("there is no snapshot beside the one in place")
    if local == name:
        target.folder.switch(name)
    click.echo(f"the snapshot {name} is in place again, instead of {left}; another rollback undoes this")


def _fetch_and_build(
    target: Target, source: str, anew: bool, accepted: Collection[str], day: date | None
) -> None:
    if target.store:
        target.store.fetch_current(target.folder)
    if "://" in source:
        click.echo("listing the months of the share")
    snapshots, download = [] if anew else target.folder.snapshots(), target.folder.path / "download"
    fetched = fetch(
        source,
        download,
        DownloadProgress(),
        user_agent=target.user_agent,
        known=[read_source(target.folder.path / snapshot.name / FILE) for snapshot in snapshots],
    )
    if fetched:
        _build(target, fetched, anew, accepted, day)
    else:
        click.echo("the newest month of the share is kept already: nothing is downloaded")
    shutil.rmtree(download, ignore_errors=True)  # names in the files contain whole CPFs
    if target.store:
        target.store.publish(target.folder)


def _build(target: Target, fetched: Fetched, anew: bool, accepted: Collection[str], day: date | None) -> None:
    for note in fetched.notes:
        click.echo(note)
    month = open_month(fetched.folder, stated=day)
    taken = [snapshot.name for snapshot in target.store.destination.snapshots()] if target.store else []
    name = build_snapshot(
        month, target.folder, taken=taken, source=fetched.listed, anew=anew, accepted=accepted
    )
    if name:
        target.folder.switch(name)
    target.folder.delete_leftovers()


def _echo_in_place(target: Target, what: str) -> None:
    for snapshot in target.folder.snapshots():
        if snapshot.current:
            click.echo(f"the snapshot of {snapshot.day} {what}")
