"""Where the figures of a function go: to CloudWatch where AWS runs it and the deployment wants them."""

from __future__ import annotations

from collections.abc import Mapping

from brskills_server.telemetry import record_with

__all__ = ["choose_recorder"]


def choose_recorder(environment: Mapping[str, str]) -> None:
    """Tell this process's figures to CloudWatch if it is a function on AWS with a namespace for metrics.

    Anywhere else the recorder stays as it is: the gateway has chosen its own before it opens services.
    """
    if environment.get("AWS_LAMBDA_FUNCTION_NAME") and environment.get("POWERTOOLS_METRICS_NAMESPACE"):
        from brskills_server.adapters.cloudwatch import CloudWatchRecorder

        record_with(CloudWatchRecorder())
