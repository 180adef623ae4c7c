"""The HTTP API described in OpenAPI 3.1: made from the models that check requests and write answers.

Cold by nature: only the function that serves documents imports it.
"""

from openapi.document import OPERATIONS, document
from openapi.operation import Operation

__all__ = ["OPERATIONS", "Operation", "document"]
