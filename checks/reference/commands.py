"""``commands.md``: the programs with their commands and options."""

import re
from collections.abc import Iterator, Mapping

import click

from brskills.command.language import texts_in
from brskills.command.main import Commands
from brskills_server.admin.__main__ import cli as admin
from brskills_server.snapshot_builder.__main__ import cli as snapshots
from checks.reference.table import row

_HEAD = """# Commands

## brskills

The command of [the client](../guides/en/clients.md). `--lang en` (or the locale) chooses the language,
`--json` the output of programs; `brskills COMMAND --help` lists a command's options.

| Command | |
|---|---|"""
_ADMIN = """
## brskills-admin

`make admin ARGS="…"`, or `brskills-admin …` where installed: accounts, keys, usage, custom skills and stores.

| Command | |
|---|---|"""
_SNAPSHOTS = """
## brskills-copy

`make copy FROM=…`, or `brskills-copy …`: the [register snapshot](../operate/register.md).

| Command | |
|---|---|"""
_SERVER = """
## brskills-server

`make run`, or `brskills-server`: serves until SIGTERM or Ctrl-C, within 30 s. `--check` checks the settings
and ends, `--local-key` prints the key of an account without limit on loopback, `--version`.

`make help` lists the targets of `make`.
"""


def render() -> str:
    """Return the document in Markdown."""
    client = Commands(texts_in("en"), "en").commands
    return "\n".join(
        [
            _HEAD,
            *_client(client),
            _ADMIN,
            *_group(admin.commands),
            _SNAPSHOTS,
            *_group(snapshots.commands),
            _SERVER,
        ]
    )


def _client(commands: Mapping[str, click.Command]) -> Iterator[str]:
    shared = set(_options(commands["uso"]))  # it has no option of its own
    for name, command in commands.items():
        if not command.hidden:
            yield row(f"`{name}`", _first_sentence(command))
    yield f"\nAll but `completion` take {', '.join(f'`{option}`' for option in sorted(shared))}."
    yield f"\n{texts_in('en')('about_exits')}"


def _group(commands: Mapping[str, click.Command]) -> Iterator[str]:
    for name, command in sorted(commands.items()):
        yield row(f"`{name}`", _first_sentence(command))


def _options(command: click.Command) -> list[str]:
    options = [each for each in command.params if isinstance(each, click.Option) and not each.hidden]
    return [max(each.opts, key=len) for each in options]


def _first_sentence(command: click.Command) -> str:
    text = " ".join((command.help or "").replace("\b", "").split())
    return re.split(r"(?<=[.:])\s(?![^(]*\))", text, maxsplit=1)[0]  # not within brackets
