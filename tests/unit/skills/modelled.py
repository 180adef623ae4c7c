"""Answers that are plain data, checked against the models that describe them."""

import json
from typing import Any

from pydantic import BaseModel


def as_modelled(model: type[BaseModel], answer: Any) -> bool:
    """Whether the model would write the answer with the same bytes; raises ``ValidationError``."""
    read = model.model_validate(answer, strict=True)
    return json.dumps(read.model_dump(exclude_unset=True)) == json.dumps(answer)
