"""A store that takes next to no time, so that the code in front of it is measured.

It has the part of DynamoDB's HTTP API that is needed: PutItem keeps an item, GetItem and BatchGetItem return
it, UpdateItem returns it with one call counted. Emulators spend several milliseconds on a conditional write;
DynamoDB does not. ``python -m lab.bench.registry.canned`` prints its port and ends with its standard input.
"""

import asyncio
import json
import sys
from typing import Any

ITEMS: dict[str, dict[str, object]] = {}


def reply(target: str, content: dict[str, Any]) -> dict[str, object]:
    """What the operation gives."""
    if target == "PutItem":
        ITEMS[content["Item"]["pk"]["S"]] = content["Item"]
        return {}
    if target == "BatchGetItem":
        ((table, asked),) = content["RequestItems"].items()
        keys = (key["pk"]["S"] for key in asked["Keys"])
        return {"Responses": {table: [ITEMS[key] for key in keys if key in ITEMS]}}
    item = ITEMS.get(content["Key"]["pk"]["S"])
    if target == "UpdateItem":
        names = content["ExpressionAttributeNames"]
        counter = names.get("#calls") or names["#units"]  # of a counted call, or of uncounted work
        return {"Attributes": {**(item or {}), counter: {"N": "1"}}}
    return {"Item": item} if item else {}


async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """One connection."""
    while True:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        except (asyncio.IncompleteReadError, asyncio.CancelledError):
            break
        fields = dict(line.lower().split(": ", 1) for line in head.split("\r\n")[1:-2])
        content = json.loads(await reader.readexactly(int(fields["content-length"])))
        target = head[head.lower().index("x-amz-target: ") :].split("\r\n")[0].rpartition(".")[2]
        body = json.dumps(reply(target, content)).encode()
        writer.write(
            b"HTTP/1.1 200 OK\r\ncontent-type: application/x-amz-json-1.0\r\n"
            + f"content-length: {len(body)}\r\n\r\n".encode()
            + body
        )
        await writer.drain()
    writer.close()


async def main() -> None:
    """Serve until standard input ends."""
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(main())
