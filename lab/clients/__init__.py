"""MCP clients in separate environments: ``make e2e-mcp``."""
