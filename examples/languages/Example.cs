using System.Text;

async Task<byte[]> Call(string method, string path, string body, string accept = "application/json") {
    using var client = new HttpClient();
    using var request = new HttpRequestMessage(new HttpMethod(method), "http://127.0.0.1:8000/api/v1/skills" + path);
    request.Headers.Add("X-API-Key", "brsk_demo00000000000000000000000000001gbZMd");
    request.Headers.Add("Accept", accept);
    if (body != "") request.Content = new StringContent(body, Encoding.UTF8, "application/json");
    return await (await client.SendAsync(request)).Content.ReadAsByteArrayAsync();
}

void Show(byte[] answer) => Console.WriteLine(Encoding.UTF8.GetString(answer));

var pix = """{"nome_recebedor": "Padaria", "cidade": "São Paulo", "chave": "pix@exemplo.com.br", "valor": "49.90", "txid": "PEDIDO42"}""";
Show(await Call("POST", "/pix", pix));
File.WriteAllBytes("pix.png", await Call("POST", "/pix", pix, "image/png"));
Show(await Call("POST", "/pix/decode", """{"brcode": "00020126400014br.gov.bcb.pix0118pix@exemplo.com.br520400005303986540549.905802BR5907Padaria6009Sao Paulo62120508PEDIDO426304C12A"}"""));
Show(await Call("POST", "/pix/conferir", """{"chave": "SANDBOX1000170", "nome_recebedor": "Empresa de Exemplo"}"""));
Show(await Call("GET", "/cnpj/SANDBOX1000170", ""));
Show(await Call("POST", "/cnpj/lote", """{"cnpjs": ["SANDBOX1000170", "SANDBOX2000114", "33.000.167/0001-01"]}"""));
