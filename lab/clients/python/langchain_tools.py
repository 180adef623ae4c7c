"""LangChain: the tools as a graph or an agent gets them."""

from contextlib import asynccontextmanager

from journey import Connected, Reply, main
from langchain_core.tools import ToolException
from langchain_mcp_adapters.client import MultiServerMCPClient


@asynccontextmanager
async def connect(url, headers):
    client = MultiServerMCPClient(
        {"brskills": {"transport": "streamable_http", "url": url, "headers": headers}}
    )
    tools = {tool.name: tool for tool in await client.get_tools()}

    async def names():
        return set(tools)

    async def call(name, arguments):
        try:
            message = await tools[name].ainvoke(
                {"type": "tool_call", "id": "1", "name": name, "args": arguments}
            )
        except ToolException as rejected:
            return Reply(str(rejected), error=True)
        parts = message.content
        texts = [part["text"] for part in parts if part["type"] == "text"]
        return Reply(
            texts[0], sum(part["type"] in {"image", "image_url"} for part in parts), message.status == "error"
        )

    yield Connected(names, call)


main(connect)
