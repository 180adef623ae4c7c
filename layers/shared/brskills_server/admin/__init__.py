"""The operator's command line: ``python -m brskills_server.admin``, whose verbs ``--help`` lists."""

import sys
from pathlib import Path

# Run from a checkout, by whatever Python has the requirements; nothing else need be set up.
sys.path.insert(0, str(Path(__file__).parent.parent / "layers" / "shared"))
