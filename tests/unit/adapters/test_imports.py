"""Rules and stores start without the libraries that only some requests need."""

import subprocess
import sys
from pathlib import Path

from brskills_server import accounts, adapters, metering
from tests.services.gateway import ROOT

LATE = {"stripe", "httpx", "pydantic", "aws_lambda_powertools"}
OF_AWS = {"boto3", "botocore"}
CODE = (
    "import sys, importlib\nfor line in sys.stdin: importlib.import_module(line.strip())\nprint(*sys.modules)"
)


def modules(*paths: Path) -> set[str]:
    files = [file for path in paths for file in ([path] if path.suffix else path.rglob("*.py"))]
    return {".".join(file.with_suffix("").relative_to(ROOT / "layers/shared").parts) for file in files}


def test_rules_and_stores_load_no_client_library() -> None:
    folder = Path(str(adapters.__file__)).parent
    local = [
        folder / name for name in ("sql", "memory.py", "sqlite.py", "cloudwatch.py", "parameter_store.py")
    ]
    rules = [Path(str(package.__file__)).parent for package in (accounts, metering)]
    for paths, late in (([*rules, *local], LATE | OF_AWS), ([folder / "dynamodb"], LATE)):
        found = subprocess.run(
            [sys.executable, "-c", CODE],
            cwd=ROOT,
            env={"PYTHONPATH": "layers/shared"},
            input="\n".join(sorted(modules(*paths))),
            capture_output=True,
            text=True,
            check=True,
        )
        assert late & set(found.stdout.split()) == set()
