"""``python -m lab.bench.follow``: following a location beside a bare fetch of its documents; a proof."""

from __future__ import annotations

import ssl
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx
from cryptography.hazmat.primitives.asymmetric.ec import ECDSA
from cryptography.hazmat.primitives.hashes import SHA256
from joserfc.jwk import ECKey

from brskills_server.charges.follow import Follower
from brskills_server.charges.trust import Trust
from brskills_server.charges.verification import VALID
from brskills_server.outbound.fetcher import Fetcher
from brskills_server.outbound.public_network import Network
from brskills_server.proofs.keys import ProofKeys
from brskills_server.proofs.proof import ProvenRequest, write_proof
from lab.bench.figure import Figure
from lab.bench.timing import by_turns, compared
from tests.services.psp import Authority, Psp, cob, pem
from tests.services.site import answer_of, site
from tests.services.store import in_memory

HOST, ROUNDS = "localhost.example", 300


def measure(rounds: int = ROUNDS) -> dict[str, Figure]:
    """Measure and print."""
    with TemporaryDirectory() as place, ExitStack() as stack:
        folder, root = Path(place), Authority.root()
        psp = Psp.at(HOST, root.intermediate())
        roots = folder / "roots.pem"
        roots.write_bytes(pem(root.certificate))
        server = stack.enter_context(site(folder, HOST, chain=psp.chain_file(folder), roots=roots))
        signed, keys = psp.sign(cob()), psp.keys()
        server.answers |= {"/x": lambda: answer_of(signed), "/jwks.json": lambda: answer_of(keys)}
        fetcher = Fetcher(
            "bench", Network(certificates=server.trusted, connect_to={HOST: ("127.0.0.1", server.port)})
        )
        stack.callback(fetcher.close)
        follower = Follower(fetcher, Trust(str(roots)))
        bare = lambda: _fetch(server.port, server.trusted)  # noqa: E731, as the other
        fetches: dict[str, Callable[[], object]] = {"bare fetch": bare, "follow": lambda: _check(follower)}
        figures = compared(by_turns(fetches, rounds), "bare fetch")
    proofs = ProofKeys(in_memory())
    request = ProvenRequest("GET", "/x", b"", "r", "a")
    answer = f'"{"a" * 3_000}"'
    key = ECKey.import_key(proofs.signing_key()).private_key
    assert key
    steps = {
        "bare signature": lambda: key.sign(answer.encode(), ECDSA(SHA256())),
        "proof of 3 kB": lambda: write_proof(answer, request, "i", proofs.signing_key(), 0),
    }
    figures |= compared(by_turns(steps, rounds), "bare signature")
    for name, one in figures.items():
        print(f"{name}: {one.value:.2f} ms, {one.times} times the floor")
    return figures


def _fetch(port: int, trusted: ssl.SSLContext) -> None:
    for path in ("/x", "/jwks.json"):
        with httpx.Client(verify=trusted, trust_env=False) as http:
            extensions = {"sni_hostname": HOST}
            http.get(
                f"https://127.0.0.1:{port}{path}", headers={"Host": HOST}, extensions=extensions
            ).raise_for_status()


def _check(follower: Follower) -> None:
    (found,) = follower.follow([f"{HOST}/x"], "bench")
    if found.state != VALID:
        raise RuntimeError(found.reasons)


if __name__ == "__main__":
    measure()
