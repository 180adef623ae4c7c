import java.net.URI;
import java.net.http.*;
import java.nio.file.*;

class Example {
  static final String JSON = "application/json";

  static byte[] call(String method, String path, String body, String accept) throws Exception {
    var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:8000/api/v1/skills" + path))
      .header("X-API-Key", "brsk_demo00000000000000000000000000001gbZMd")
      .header("Accept", accept).header("Content-Type", JSON)
      .method(method, HttpRequest.BodyPublishers.ofString(body)).build();
    return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofByteArray()).body();
  }

  static void show(byte[] answer) {
    System.out.println(new String(answer));
  }

  public static void main(String[] args) throws Exception {
    var pix = """
{"nome_recebedor": "Padaria", "cidade": "São Paulo", "chave": "pix@exemplo.com.br", "valor": "49.90", "txid": "PEDIDO42"}""";
    show(call("POST", "/pix", pix, JSON));
    Files.write(Path.of("pix.png"), call("POST", "/pix", pix, "image/png"));
    show(call("POST", "/pix/decode", """
{"brcode": "00020126400014br.gov.bcb.pix0118pix@exemplo.com.br520400005303986540549.905802BR5907Padaria6009Sao Paulo62120508PEDIDO426304C12A"}""", JSON));
    show(call("POST", "/pix/conferir", """
{"chave": "SANDBOX1000170", "nome_recebedor": "Empresa de Exemplo"}""", JSON));
    show(call("GET", "/cnpj/SANDBOX1000170", "", JSON));
    show(call("POST", "/cnpj/lote", """
{"cnpjs": ["SANDBOX1000170", "SANDBOX2000114", "33.000.167/0001-01"]}""", JSON));
  }
}
