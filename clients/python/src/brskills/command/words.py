"""The framework's own words in the command's language."""

from __future__ import annotations

import click

from brskills.command.texts import TEXTS, Say

__all__ = ["in_words_of"]


def in_words_of(say: Say) -> type[click.Context]:
    """A context whose help has headings and usage lines in the language of ``say``."""

    class Help(click.HelpFormatter):
        def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
            super().write_usage(prog, args, prefix or say("usage"))

        def write_heading(self, heading: str) -> None:
            super().write_heading(say(heading) if heading in TEXTS else heading)

    class Context(click.Context):
        formatter_class = Help

    return Context
