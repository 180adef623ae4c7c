"""The site's function as it is built with other settings, in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

from functions.site import app

_PROGRAM = """
import json, sys
from functions.site import app
print(json.dumps([app.handler(event, None) for event in json.loads(sys.argv[1])]))
"""


def event(resource: str, path: str | None = None, **headers: str) -> dict[str, Any]:
    """A proxy event for a route of the site."""
    context = {"requestId": "r-1", "path": path or resource}
    return {"httpMethod": "GET", "resource": resource, "headers": headers, "requestContext": context}


def get(resource: str, path: str | None = None, **headers: str) -> dict[str, Any]:
    """What the function answers that this process has."""
    return app.handler(event(resource, path, **headers), None)


def answered(settings: dict[str, str], *resources: str, path: str | None = None, **headers: str) -> Any:
    """What one with these settings answers: to one route its answer, to several theirs."""
    events = json.dumps([event(resource, path, **headers) for resource in resources])
    environment = {**settings, "PYTHONPATH": "layers/shared:."}
    command = [sys.executable, "-c", _PROGRAM, events]
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    answers = json.loads(done.stdout)
    return answers if len(answers) > 1 else answers[0]
