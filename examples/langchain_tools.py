"""The MCP tools in LangChain; give `tools` to any agent of yours."""

import asyncio, os
from langchain_mcp_adapters.client import MultiServerMCPClient

url = os.environ.get("BRSKILLS_URL", "http://127.0.0.1:8000") + "/mcp"
key = os.environ.get("BRSKILLS_API_KEY", "brsk_demo00000000000000000000000000001gbZMd")
server = {"transport": "streamable_http", "url": url, "headers": {"X-API-Key": key}}
client = MultiServerMCPClient({"brskills": server})
tools = {tool.name: tool for tool in asyncio.run(client.get_tools())}
print(asyncio.run(tools["look_up_company"].ainvoke({"cnpj": "SANDBOX1000170"})))
