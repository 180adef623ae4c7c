"""Syncing a folder: its names are on the disk, and stay after a power failure."""

import os
from pathlib import Path


def sync_folder(folder: Path) -> None:
    """Sync the names in a folder to the disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
