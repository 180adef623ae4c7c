"""The summary of a run, as JSON and as lines, and its exit code."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import timedelta, timezone
from pathlib import Path
from typing import Any

from brskills.command.errors import Exit, describe
from brskills.command.shell import Shell
from brskills.lote.kind import Item
from brskills.lote.sending import BatchSender

_BRASILIA = timezone(timedelta(hours=-3))  # without summer time since 2019


def summarize(
    items: Sequence[Item], records: Sequence[Mapping[str, str]], calls: int, output: Path
) -> dict[str, Any]:
    """Return the summary with the names of ``--json``."""
    keys = [item.key for item in items if item.key]
    return {
        "linhas": len(items),
        "numeros": len(set(keys)),
        "repetidas": len(keys) - len(set(keys)),
        "consertadas": sum(bool(item.key and item.remark) for item in items),
        "resultados": dict(Counter(record["resultado"] for record in records)),
        "contadas": calls,
        "arquivo": str(output),
    }


def report(shell: Shell, summary: dict[str, Any], sender: BatchSender) -> Exit:
    """Show the summary and how to resume. Return the exit code."""
    text = shell.text
    lines = [text(f"result_{result}", count=count) for result, count in summary["resultados"].items()]
    for member, key in (("repetidas", "repeated"), ("consertadas", "repaired")):
        if summary[member]:
            lines.append(text(key, count=summary[member]))
    lines += [text("calls_counted", count=summary["contadas"]), text("written", path=summary["arquivo"])]
    if "imagens" in summary:
        lines.append(text("images_written", count=summary["imagens"], path=summary["pasta"]))
    code = Exit.OK
    if sender.quota:
        at = sender.resets_at
        summary["continuar_em"] = at and at.isoformat()
        lines.append(text("resume_at", at=at.astimezone(_BRASILIA)) if at else text("resume"))
        code = Exit.LIMIT
    elif summary["resultados"].get("sem_resposta"):
        lines += describe(sender.failure, text)[1] if sender.failure else []
        lines.append(text("resume"))
        code = Exit.UNAVAILABLE
    shell.show(summary, lines)
    return code
