package main

import (
	"io"
	"net/http"
	"os"
	"strings"
)

const json = "application/json"

func call(method, path, body, accept string) string {
	request, _ := http.NewRequest(method, "http://127.0.0.1:8000/api/v1/skills"+path, strings.NewReader(body))
	request.Header = http.Header{"X-API-Key": {"brsk_demo00000000000000000000000000001gbZMd"}, "Accept": {accept}, "Content-Type": {json}}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	defer answer.Body.Close()
	content, _ := io.ReadAll(answer.Body)
	return string(content)
}

func main() {
	pix := `{"nome_recebedor": "Padaria", "cidade": "São Paulo", "chave": "pix@exemplo.com.br", "valor": "49.90", "txid": "PEDIDO42"}`
	println(call("POST", "/pix", pix, json))
	os.WriteFile("pix.png", []byte(call("POST", "/pix", pix, "image/png")), 0o644)
	println(call("POST", "/pix/decode", `{"brcode": "00020126400014br.gov.bcb.pix0118pix@exemplo.com.br520400005303986540549.905802BR5907Padaria6009Sao Paulo62120508PEDIDO426304C12A"}`, json))
	println(call("POST", "/pix/conferir", `{"chave": "SANDBOX1000170", "nome_recebedor": "Empresa de Exemplo"}`, json))
	println(call("GET", "/cnpj/SANDBOX1000170", "", json))
	println(call("POST", "/cnpj/lote", `{"cnpjs": ["SANDBOX1000170", "SANDBOX2000114", "33.000.167/0001-01"]}`, json))
}
