"""The built template for ``sam local``, which cannot read loops, and sets declared variables alone.

``python -m deployment.local_template FILE`` prints it.
"""

import json
import sys
from pathlib import Path
from typing import Any

import yaml


def unroll(resources: dict[str, Any]) -> dict[str, Any]:
    """Return resources with each ``Fn::ForEach`` replaced by what it makes, as CloudFormation does."""
    made: dict[str, Any] = {}
    for name, resource in resources.items():
        if not name.startswith("Fn::ForEach::"):
            made[name] = resource
            continue
        identifier, values, body = resource
        for value in values:
            made |= json.loads(json.dumps(body).replace(f"${{{identifier}}}", value))
    return made


if __name__ == "__main__":
    template = yaml.safe_load(Path(sys.argv[1]).read_text(encoding="utf-8"))
    template["Resources"] = unroll(template["Resources"])
    template["Globals"]["Function"]["Environment"]["Variables"]["AWS_ENDPOINT_URL_DYNAMODB"] = ""
    template["Transform"] = "AWS::Serverless-2016-10-31"
    print(yaml.safe_dump(template, sort_keys=False, allow_unicode=True))
