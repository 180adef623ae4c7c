#!/bin/sh -e
# A Pix code as text and as a picture, and a company (one of the sandbox: never counted).
URL=${BRSKILLS_URL:-http://127.0.0.1:8000}/api/v1
KEY=${BRSKILLS_API_KEY:-brsk_demo00000000000000000000000000001gbZMd}
PIX='{"chave": "pix@exemplo.com.br", "valor": "49.90", "nome_recebedor": "Padaria", "cidade": "São Paulo"}'
curl -fsS "$URL/skills/pix" -H "X-API-Key: $KEY" -H 'Content-Type: application/json' -d "$PIX"
echo
curl -fsS "$URL/skills/pix" -H "X-API-Key: $KEY" -H 'Content-Type: application/json' -H 'Accept: image/png' -d "$PIX" -o pix.png
curl -fsS "$URL/skills/cnpj/SANDBOX1000170" -H "X-API-Key: $KEY"
