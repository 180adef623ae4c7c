"""The tables of the history in PostgreSQL, as ``adapters.snapshots.postgresql`` reads them."""

from collections.abc import Iterable
from typing import Any

import psycopg

from brskills_server.registry.snapshot.history import Step, oldest_kept

HISTORY_TABLES = ("register_steps", "register_changes")
HISTORY_SCHEMA = """
CREATE TABLE IF NOT EXISTS register_steps (
  id TEXT PRIMARY KEY, since TEXT NOT NULL, since_day TEXT NOT NULL, day TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS register_changes (
  key TEXT COLLATE "C" NOT NULL, step TEXT COLLATE "C" NOT NULL, body TEXT NOT NULL,
  PRIMARY KEY (key, step))"""
"""Keys are compared by bytes, as those of a month."""


def add_step(
    connection: psycopg.Connection[tuple[Any, ...]], step: Step, changes: Iterable[tuple[str, str]]
) -> None:
    """Write a step of the history with its changes, once, and delete the steps that are too old."""
    if not connection.execute(
        "INSERT INTO register_steps VALUES (%s, %s, %s, %s) ON CONFLICT DO NOTHING",
        [step.id, step.since, step.since_day.isoformat(), step.day.isoformat()],
    ).rowcount:
        return
    into = "COPY register_changes (key, step, body) FROM STDIN (FORMAT BINARY)"
    with connection.cursor() as cursor, cursor.copy(into) as copy:
        copy.set_types(["text", "text", "text"])
        for key, body in changes:
            copy.write_row((key, step.id, body))
    oldest = [oldest_kept(step.day).isoformat()]
    connection.execute(
        "DELETE FROM register_changes WHERE step IN (SELECT id FROM register_steps WHERE day < %s)", oldest
    )
    connection.execute("DELETE FROM register_steps WHERE day < %s", oldest)
