"""A Pix code with the standard library alone; the error lists every invalid field."""

import json, os, urllib.error, urllib.request

url = os.environ.get("BRSKILLS_URL", "http://127.0.0.1:8000") + "/api/v1/skills/pix"
key = os.environ.get("BRSKILLS_API_KEY", "brsk_demo00000000000000000000000000001gbZMd")
charge = {"chave": "pix@exemplo.com.br", "valor": "49.90", "nome_recebedor": "Padaria", "cidade": "São Paulo"}
headers = {"X-API-Key": key, "Content-Type": "application/json"}
request = urllib.request.Request(url, json.dumps(charge).encode(), headers)
try:
    print(json.load(urllib.request.urlopen(request))["brcode"])
except urllib.error.HTTPError as error:
    print(json.load(error))
