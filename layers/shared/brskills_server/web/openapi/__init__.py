"""The HTTP API described in OpenAPI 3.1: made from the models that check requests and write answers.

Slow to import: only the function that serves documents does.
"""
