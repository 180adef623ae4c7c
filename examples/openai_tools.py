"""The tools for a model without MCP: pass `tools` on as they are, run what it asks for by `routes`."""

import json, os, urllib.request

url = os.environ.get("BRSKILLS_URL", "http://127.0.0.1:8000")
key = os.environ.get("BRSKILLS_API_KEY", "brsk_demo00000000000000000000000000001gbZMd")
listed = json.load(urllib.request.urlopen(url + "/api/v1/tools?format=openai"))
# reply = openai.OpenAI().chat.completions.create(model=..., messages=[...], tools=listed["tools"])
name, arguments = "look_up_company", '{"cnpj": "SANDBOX1000170"}'  # what reply's tool_calls[0].function holds
route, headers = listed["routes"][name], {"X-API-Key": key, "Content-Type": "application/json"}
body = None if route["method"] == "GET" else arguments.encode()
print(urllib.request.urlopen(urllib.request.Request(route["url"], body, headers)).read().decode())
