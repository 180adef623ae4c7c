"""The outcome of an attack: its effect on others, its cost, and whether the limits held."""

from dataclasses import asdict, dataclass, field
from typing import Any

from tests.services.scenarios import table_row

HEAD = ("attack", "what it did", "others idle", "others meanwhile", "spent", "result")


@dataclass(frozen=True)
class Figures:
    """The calls of others in a period: how many, the share that was answered, and the waits in seconds.

    ``look_ups``: the share of look-ups alone.
    """

    calls: int
    answered: float
    look_ups: float
    p50: float
    p99: float

    def __str__(self) -> str:
        shares = f"{self.answered:.1%} of {self.calls} (look-ups {self.look_ups:.1%})"
        return f"{shares}, p99 {self.p99 * 1000:.0f} ms"


@dataclass(frozen=True)
class Check:
    """A limit: ``measured`` must be at most ``most``, or at least ``least`` where that is given."""

    what: str
    measured: float
    most: float | None = None
    least: float | None = None

    @property
    def held(self) -> bool:
        above = self.least is None or self.measured >= self.least
        return above and (self.most is None or self.measured <= self.most)

    def __str__(self) -> str:
        limit = f"≤ {self.most:g}" if self.most is not None else f"≥ {self.least:g}"
        return f"{self.what}: {self.measured:g} ({limit})"


@dataclass
class Outcome:
    """One row of the table. ``error``: why the attack could not be made; it does not hold then."""

    attack: str
    did: str
    idle: Figures | None = None
    meanwhile: Figures | None = None
    spent: dict[str, float | str] = field(default_factory=dict)
    checks: list[Check] = field(default_factory=list)
    error: str = ""

    @property
    def held(self) -> bool:
        return not self.error and all(check.held for check in self.checks)

    def as_json(self) -> dict[str, Any]:
        content = asdict(self)
        content["checks"] = [asdict(check) | {"held": check.held} for check in self.checks]
        return content | {"held": self.held}

    def line(self) -> str:
        """The row of a Markdown table."""
        spent = ", ".join(f"{name} {_short(value)}" for name, value in self.spent.items())
        broken = [self.error] if self.error else [str(check) for check in self.checks if not check.held]
        result = "held" if self.held else f"**not held**: {'; '.join(broken)}"
        cells = (self.attack, self.did, str(self.idle or "—"), str(self.meanwhile or "—"), spent, result)
        return table_row(cells)


def _short(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:,.4g}" if value < 1 else f"{value:,.0f}"
