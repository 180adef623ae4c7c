"""A receiver of webhooks in Flask: verify, store, answer, then act on each id once.

WEBHOOK_SECRETS=whsec_… flask --app webhook_flask run
"""

import json, os, sqlite3
from concurrent.futures import ThreadPoolExecutor
from threading import Lock

from brskills import InvalidWebhook, verify_webhook
from flask import Flask, request

secrets = os.environ["WEBHOOK_SECRETS"].split()  # the new and the old one after a rotation
inbox = sqlite3.connect("webhooks.db", check_same_thread=False, isolation_level=None)
inbox.execute("CREATE TABLE IF NOT EXISTS inbox (id TEXT PRIMARY KEY, body BLOB, done INTEGER DEFAULT 0)")
alone = Lock()  # requests run in threads that share the connection
worker = ThreadPoolExecutor(1)
app = Flask(__name__)
app.config["MAX_CONTENT_LENGTH"] = 65_536


@app.post("/webhooks")
def receive():
    """Answer within milliseconds: what takes longer than 15 s is sent again."""
    body = request.get_data()
    try:
        event = verify_webhook(secrets, request.headers, body)
    except InvalidWebhook as error:
        print(error, flush=True)  # such as a wrong secret: the service shows the status alone
        return str(error), 400
    query("INSERT OR IGNORE INTO inbox (id, body) VALUES (?, ?)", event.id, body)
    worker.submit(act)
    return "", 204


def query(sql, *values):
    """Run a statement while no other thread runs one."""
    with alone:
        return inbox.execute(sql, values).fetchall()


def act():
    """Act on what is stored. A crash loses nothing: it may repeat the action that it interrupted."""
    for id, body in query("SELECT id, body FROM inbox WHERE NOT done"):
        event = json.loads(body)
        print(id, event["type"], event["data"], flush=True)
        query("UPDATE inbox SET done = 1 WHERE id = ?", id)


worker.submit(act)  # what a former process received
