"""The cards that MCP hosts show with an answer, each one HTML file made of the page's scripts and styles."""
