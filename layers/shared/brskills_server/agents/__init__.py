"""The skills for software agents, by the Model Context Protocol (MCP), which is stateless here."""
