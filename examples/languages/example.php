<?php
function call(string $method, string $path, string $body, string $accept = "application/json"): string {
    $request = curl_init("http://127.0.0.1:8000/api/v1/skills$path");
    curl_setopt_array($request, [
        CURLOPT_CUSTOMREQUEST => $method,
        CURLOPT_HTTPHEADER => ["X-API-Key: brsk_demo00000000000000000000000000001gbZMd", "Accept: $accept", "Content-Type: application/json"],
        CURLOPT_POSTFIELDS => $body,
        CURLOPT_RETURNTRANSFER => true,
    ]);
    return curl_exec($request) ?: throw new RuntimeException(curl_error($request));
}

$pix = '{"nome_recebedor": "Padaria", "cidade": "São Paulo", "chave": "pix@exemplo.com.br", "valor": "49.90", "txid": "PEDIDO42"}';
echo call("POST", "/pix", $pix), "\n";
file_put_contents("pix.png", call("POST", "/pix", $pix, "image/png"));
echo call("POST", "/pix/decode", '{"brcode": "00020126400014br.gov.bcb.pix0118pix@exemplo.com.br520400005303986540549.905802BR5907Padaria6009Sao Paulo62120508PEDIDO426304C12A"}'), "\n";
echo call("POST", "/pix/conferir", '{"chave": "SANDBOX1000170", "nome_recebedor": "Empresa de Exemplo"}'), "\n";
echo call("GET", "/cnpj/SANDBOX1000170", ""), "\n";
echo call("POST", "/cnpj/lote", '{"cnpjs": ["SANDBOX1000170", "SANDBOX2000114", "33.000.167/0001-01"]}'), "\n";
