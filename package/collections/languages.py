"""Programming languages of the examples: a program that calls the API, and how one call is written in it."""

from __future__ import annotations

from typing import NamedTuple


class Language(NamedTuple):
    """A language; ``file``: the name of the example.

    ``program``: the code around the line ``CALLS``; its places ``BASE``, ``KEY`` and ``PIX`` are address, key
    and the body of the Pix code, which the variable ``pix`` holds. ``text``: a literal of the place ``json``.
    ``show`` and ``save``: statements that call, and print the answer or write it to ``pix.png``; their places
    are ``method``, ``path``, ``body`` and ``accept``.
    """

    file: str
    program: str
    text: str
    show: str
    save: str
    pix: str = "pix"


_PHP = """\
<?php
function call(string $method, string $path, string $body, string $accept = "application/json"): string {
    $request = curl_init("BASE/api/v1/skills$path");
    curl_setopt_array($request, [
        CURLOPT_CUSTOMREQUEST => $method,
        CURLOPT_HTTPHEADER => ["X-API-Key: KEY", "Accept: $accept", "Content-Type: application/json"],
        CURLOPT_POSTFIELDS => $body,
        CURLOPT_RETURNTRANSFER => true,
    ]);
    return curl_exec($request) ?: throw new RuntimeException(curl_error($request));
}

$pix = PIX;
CALLS
"""
_JAVA = """\
import java.net.URI;
import java.net.http.*;
import java.nio.file.*;

class Example {
  static final String JSON = "application/json";

  static byte[] call(String method, String path, String body, String accept) throws Exception {
    var request = HttpRequest.newBuilder(URI.create("BASE/api/v1/skills" + path))
      .header("X-API-Key", "KEY")
      .header("Accept", accept).header("Content-Type", JSON)
      .method(method, HttpRequest.BodyPublishers.ofString(body)).build();
    return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofByteArray()).body();
  }

  static void show(byte[] answer) {
    System.out.println(new String(answer));
  }

  public static void main(String[] args) throws Exception {
    var pix = PIX;
    CALLS
  }
}
"""
_GO = """\
package main

import (
	"io"
	"net/http"
	"os"
	"strings"
)

const json = "application/json"

func call(method, path, body, accept string) string {
	request, _ := http.NewRequest(method, "BASE/api/v1/skills"+path, strings.NewReader(body))
	request.Header = http.Header{"X-API-Key": {"KEY"}, "Accept": {accept}, "Content-Type": {json}}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	defer answer.Body.Close()
	content, _ := io.ReadAll(answer.Body)
	return string(content)
}

func main() {
	pix := PIX
	CALLS
}
"""
_CSHARP = """\
using System.Text;

async Task<byte[]> Call(string method, string path, string body, string accept = "application/json") {
    using var client = new HttpClient();
    using var request = new HttpRequestMessage(new HttpMethod(method), "BASE/api/v1/skills" + path);
    request.Headers.Add("X-API-Key", "KEY");
    request.Headers.Add("Accept", accept);
    if (body != "") request.Content = new StringContent(body, Encoding.UTF8, "application/json");
    return await (await client.SendAsync(request)).Content.ReadAsByteArrayAsync();
}

void Show(byte[] answer) => Console.WriteLine(Encoding.UTF8.GetString(answer));

var pix = PIX;
CALLS
"""

LANGUAGES = (
    Language(
        file="example.php",
        program=_PHP,
        text="'{json}'",
        show='echo call("{method}", "{path}", {body}), "\\n";',
        save='file_put_contents("pix.png", call("{method}", "{path}", {body}, "{accept}"));',
        pix="$pix",
    ),
    Language(
        file="Example.java",
        program=_JAVA,
        text='"""\n{json}"""',
        show='show(call("{method}", "{path}", {body}, JSON));',
        save='Files.write(Path.of("pix.png"), call("{method}", "{path}", {body}, "{accept}"));',
    ),
    Language(
        file="example.go",
        program=_GO,
        text="`{json}`",
        show='println(call("{method}", "{path}", {body}, json))',
        save='os.WriteFile("pix.png", []byte(call("{method}", "{path}", {body}, "{accept}")), 0o644)',
    ),
    Language(
        file="Example.cs",
        program=_CSHARP,
        text='"""{json}"""',
        show='Show(await Call("{method}", "{path}", {body}));',
        save='File.WriteAllBytes("pix.png", await Call("{method}", "{path}", {body}, "{accept}"));',
    ),
)
