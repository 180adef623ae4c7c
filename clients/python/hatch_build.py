"""Takes ``brcode`` and ``taxid`` from the layer that the service runs: they exist once."""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PACKAGES = ("brcode", "taxid")


class SharedPackages(BuildHookInterface[Any]):
    """In the checkout they come from ``layers/shared``; in an sdist they lie in ``src`` like all else."""

    def initialize(self, _version: str, build_data: dict[str, Any]) -> None:
        """Add them where hatchling would not find them by itself."""
        layer = Path(self.root).parents[1] / "layers" / "shared"
        if (Path(self.root) / "PKG-INFO").exists():
            return
        place = "src/" if self.target_name == "sdist" else ""
        for name in PACKAGES:
            build_data["force_include"][str(layer / name)] = place + name
