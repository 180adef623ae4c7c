"""A receiver of webhooks in FastAPI: verify, store, answer, then act on each id once.

WEBHOOK_SECRETS=whsec_… uvicorn webhook_fastapi:app
"""

import json, os, sqlite3
from concurrent.futures import ThreadPoolExecutor

from brskills import InvalidWebhook, verify_webhook
from fastapi import FastAPI, HTTPException, Request

secrets = os.environ["WEBHOOK_SECRETS"].split()  # the new and the old one after a rotation
inbox = sqlite3.connect("webhooks.db", check_same_thread=False, isolation_level=None)
inbox.execute("CREATE TABLE IF NOT EXISTS inbox (id TEXT PRIMARY KEY, body BLOB, done INTEGER DEFAULT 0)")
worker = ThreadPoolExecutor(1)
app = FastAPI()


@app.post("/webhooks", status_code=204)
async def receive(request: Request) -> None:
    """Answer within milliseconds: what takes longer than 15 s is sent again."""
    body = await request.body()
    try:
        event = verify_webhook(secrets, request.headers, body)
    except InvalidWebhook as error:
        print(error, flush=True)  # such as a wrong secret: the service shows the status alone
        raise HTTPException(400, str(error)) from None
    inbox.execute("INSERT OR IGNORE INTO inbox (id, body) VALUES (?, ?)", (event.id, body))
    worker.submit(act)


def act() -> None:
    """Act on what is stored. A crash loses nothing: it may repeat the action that it interrupted."""
    for id, body in inbox.execute("SELECT id, body FROM inbox WHERE NOT done").fetchall():
        event = json.loads(body)
        print(id, event["type"], event["data"], flush=True)
        inbox.execute("UPDATE inbox SET done = 1 WHERE id = ?", (id,))


worker.submit(act)  # what a former process received
