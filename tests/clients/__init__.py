"""Real clients of the API's agents' side, each in a separate environment: ``make e2e-mcp``."""
