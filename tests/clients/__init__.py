"""Real clients of the API's agents' side, each in an environment of its own: ``make e2e-mcp``."""
