"""Clients of AWS's services, by botocore alone: boto3 around it, with its transfers of files, is not needed.

The functions' layer holds botocore's data on these services and no other (``layers/shared/trim.py``).
"""

from typing import Any, Literal

from botocore.config import Config
from botocore.session import get_session

__all__ = ["Service", "aws_client"]

Service = Literal["apigateway", "dynamodb", "ssm"]


def aws_client(service: Service, config: Config | None = None) -> Any:
    """A client with region and credentials as the environment has them.

    Raises ``botocore.exceptions.BotoCoreError`` where there is no region.
    """
    return get_session().create_client(service, config=config)
