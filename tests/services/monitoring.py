"""What the expanded template watches: its alarms and its dashboard, each with the metrics that it names."""

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple


class Metric(NamedTuple):
    """A metric of CloudWatch; ``dimensions`` as the template has them, by name."""

    namespace: str
    name: str
    dimensions: dict[str, Any]


class Alarm(NamedTuple):
    """An alarm; ``name`` is without the stack's."""

    logical_id: str
    name: str
    condition: str
    properties: dict[str, Any]

    @property
    def metrics(self) -> list[Metric]:
        """What it looks at; nothing where it is over other alarms."""
        if "MetricName" in self.properties:
            return [_metric(self.properties)]
        return [_metric(query["MetricStat"]["Metric"]) for query in self.queries if "MetricStat" in query]

    @property
    def queries(self) -> list[dict[str, Any]]:
        """What it asks of CloudWatch, if more than one metric, as where every condition holds."""
        queries = self.properties.get("Metrics", [])
        return [query["Fn::If"][1] if "Fn::If" in query else query for query in queries]


def alarms(resources: dict[str, Any]) -> list[Alarm]:
    """Every alarm of an expanded template, composite ones too."""
    return [
        Alarm(
            logical_id,
            resource["Properties"]["AlarmName"]["Fn::Sub"].removeprefix("${AWS::StackName}-"),
            resource["Condition"],
            resource["Properties"],
        )
        for logical_id, resource in resources.items()
        if resource["Type"] in ("AWS::CloudWatch::Alarm", "AWS::CloudWatch::CompositeAlarm")
    ]


def _metric(named: dict[str, Any]) -> Metric:
    dimensions = {one["Name"]: one["Value"] for one in named["Dimensions"]}
    return Metric(named["Namespace"], named["MetricName"], dimensions)


def dashboard(resources: dict[str, Any]) -> dict[str, Any]:
    """The dashboard as CloudWatch gets it, but that names of resources stand as ``${Name}``."""
    (found,) = (r for r in resources.values() if r["Type"] == "AWS::CloudWatch::Dashboard")
    body: dict[str, Any] = json.loads(found["Properties"]["DashboardBody"]["Fn::Sub"])
    return body


def shown(body: dict[str, Any]) -> Iterator[Metric]:
    """Every metric that a dashboard shows."""
    for widget in body["widgets"]:
        for row in widget["properties"].get("metrics", []):
            names = [part for part in row if isinstance(part, str)]
            if names:
                yield Metric(
                    names[0], names[1], dict(zip(names[2::2], map(_reference, names[3::2]), strict=True))
                )


def _reference(text: str) -> Any:
    found = re.fullmatch(r"\$\{(.+)\}", text)
    return {"Ref": found[1]} if found else text
