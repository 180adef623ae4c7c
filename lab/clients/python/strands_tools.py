"""Strands Agents: its MCP client, which runs in a separate thread."""

from contextlib import asynccontextmanager

from journey import Connected, Reply, main
from strands.tools.mcp import MCPClient


@asynccontextmanager
async def connect(url, headers):
    with MCPClient(url=url, headers=headers) as client:

        async def names():
            return {tool.tool_name for tool in client.list_tools_sync()}

        async def call(name, arguments):
            result = client.call_tool_sync("1", name, arguments)
            texts = [part["text"] for part in result["content"] if "text" in part]
            return Reply(
                texts[0], sum("image" in part for part in result["content"]), result["status"] == "error"
            )

        yield Connected(names, call)


main(connect)
