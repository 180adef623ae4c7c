"""JSON text of answers that are plain data, as their models would write it."""

import json

__all__ = ["write"]

write = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
