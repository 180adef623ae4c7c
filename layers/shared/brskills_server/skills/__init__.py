"""The use cases: they take plain content, raise refusals of their own and decide nothing of HTTP or MCP."""
