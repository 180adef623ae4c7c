"""A store that is not AWS's: what boto3 insists on knowing all the same.

For the gateway and the operator's tools, never for a function.
"""

import os

import boto3

__all__ = ["set_local_aws_defaults"]

REGION = "sa-east-1"


def set_local_aws_defaults() -> None:
    """Where a store of one's own is named, give boto3 the region and credentials that nobody set.

    Raises ``ValueError``, naming what is missing, where the store can be neither found so nor in AWS.
    """
    if not os.environ.get("AWS_ENDPOINT_URL_DYNAMODB"):
        missing = [name for name, value in _aws_settings().items() if not value]
        if missing:
            raise ValueError(
                "no store: set AWS_ENDPOINT_URL_DYNAMODB to its address (`make run` prints that of its own);"
                f" or, for the tables in AWS, {' and '.join(missing)}"
            )
        return
    if boto3.Session().region_name is None:
        os.environ["AWS_DEFAULT_REGION"] = REGION
    if boto3.Session().get_credentials() is None:
        os.environ |= {"AWS_ACCESS_KEY_ID": "local", "AWS_SECRET_ACCESS_KEY": "local"}


def _aws_settings() -> dict[str, object]:
    session = boto3.Session()
    return {
        "a region (AWS_REGION)": session.region_name,
        "credentials (aws configure)": session.get_credentials(),
    }
