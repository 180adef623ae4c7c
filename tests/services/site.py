"""A web site over TLS on loopback, with a self-signed certificate."""

import contextlib
import datetime
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


class Site:
    """``answers`` make of a path the bytes to send, a piece each, and pauses; ``asked`` is what came."""

    def __init__(self, port: int, trusted: ssl.SSLContext) -> None:
        self.port = port
        self.trusted = trusted
        self.answers: dict[str, Callable[[], Sequence[bytes | float]]] = {}
        self.asked: list[tuple[str | None, str]] = []
        """The name in the handshake, and the head of the request."""

    def settle(self) -> None:
        """Wait until it has served all earlier connections; clients may have given them up."""
        with (
            contextlib.suppress(OSError),
            socket.create_connection(("127.0.0.1", self.port)) as plain,
            ssl.create_default_context().wrap_socket(plain, server_hostname="settle.example"),
        ):
            pass


def answer_of(body: bytes, *headers: str, status: str = "200 OK") -> list[bytes | float]:
    """A JSON answer, whole."""
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", "Connection: close", *headers]
    if not any(header.lower().startswith("content-type") for header in headers):
        lines.append("Content-Type: application/json")
    return ["\r\n".join([*lines, "", ""]).encode() + body]


@contextlib.contextmanager
def site(folder: Path, *names: str, chain: Path | None = None, roots: Path | None = None) -> Iterator[Site]:
    """A site whose certificate is for these names, or the one in ``chain`` that ``roots`` verify."""
    chain = chain or certificate_of(folder, names)
    trusted = ssl.create_default_context(cafile=str(roots or chain))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(chain)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        found = Site(listening.getsockname()[1], trusted)
        named: list[str | None] = []
        context.sni_callback = lambda _socket, name, _context: named.append(name)
        thread = threading.Thread(target=_serve, args=(listening, context, found, named))
        thread.start()
        try:
            yield found
        finally:
            listening.shutdown(socket.SHUT_RDWR)
            thread.join()


def _serve(listening: socket.socket, context: ssl.SSLContext, found: Site, named: list[str | None]) -> None:
    while True:
        try:
            plain, _ = listening.accept()
        except OSError:
            return
        plain.settimeout(10)
        with contextlib.suppress(OSError), plain, context.wrap_socket(plain, server_side=True) as secure:
            head = b""
            while b"\r\n\r\n" not in head and (received := secure.recv(65_536)):
                head += received
            if b"\r\n\r\n" not in head:  # a client that has given up
                continue
            found.asked.append((named[-1] if named else None, head.decode()))
            path = head.decode().split(" ")[1]
            for piece in found.answers.get(path, lambda: answer_of(b"{}", status="404 Not Found"))():
                if isinstance(piece, float):
                    time.sleep(piece)
                else:
                    secure.sendall(piece)


def certificate_of(folder: Path, names: Sequence[str]) -> Path:
    """Write a key and its self-signed certificate for hosts into one file; return it."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "a site of these tests")])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(one) for one in names]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    chain = folder / "site.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    chain.write_bytes(private + made.public_bytes(serialization.Encoding.PEM))
    return chain
