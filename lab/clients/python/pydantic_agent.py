"""Pydantic AI: an agent whose model is a function that calls one tool and repeats what came back."""

import json
from contextlib import asynccontextmanager

from journey import Connected, Reply, main
from pydantic_ai import Agent, BinaryContent
from pydantic_ai.mcp import MCPToolset
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import FunctionModel


@asynccontextmanager
async def connect(url, headers):
    offered = set()
    wanted = {}

    def model(messages, info):
        offered.update(tool.name for tool in info.function_tools)
        answered = [
            part
            for message in messages
            for part in message.parts
            if part.part_kind in {"tool-return", "retry-prompt"}
        ]
        if wanted and not answered:
            return ModelResponse([ToolCallPart(wanted["name"], wanted["arguments"])])
        return ModelResponse([TextPart("done")])

    agent = Agent(
        FunctionModel(model), toolsets=[MCPToolset(url, headers=headers, tool_error_behavior="failed")]
    )
    async with agent:

        async def names():
            await agent.run("list")
            return offered

        async def call(name, arguments):
            wanted.update(name=name, arguments=arguments)
            run = await agent.run("call")
            parts = [part for message in run.all_messages() for part in message.parts]
            (returned,) = [part for part in parts if isinstance(part, ToolReturnPart)]
            content = returned.content if isinstance(returned.content, list) else [returned.content]
            texts = [
                part if isinstance(part, str) else json.dumps(part)
                for part in content
                if not isinstance(part, BinaryContent)
            ]
            images = sum(isinstance(part, BinaryContent) for part in content)
            return Reply(texts[0], images, returned.outcome == "failed")

        yield Connected(names, call)


main(connect)
