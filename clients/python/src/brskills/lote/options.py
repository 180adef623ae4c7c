"""The options of ``brskills lote``."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The options. ``tipo``: ``cnpj`` or ``pix``, else the header decides; ``qr``: ``png`` or ``svg``."""

    output: Path | None
    tipo: str | None
    coluna: str | None
    qr: str | None
    pasta: Path | None
    max_rounds: int
    concurrency: int
    replace: bool
    quiet: bool
    idade_maxima: int | None
    idade_dados_maxima: int | None

    @property
    def ages(self) -> dict[str, int | None]:
        """The maximum ages of companies' records."""
        return {"idade_maxima": self.idade_maxima, "idade_dados_maxima": self.idade_dados_maxima}
