"""The use cases, free of HTTP and MCP: each takes plain content and a session, and is called by both."""
