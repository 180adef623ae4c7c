"""``python -m tests.bench.follow``: following a location beside a bare fetch of its documents; a proof."""

from __future__ import annotations

import ssl
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import httpx

from brskills_server.charges.follow import Follower
from brskills_server.charges.trust import Trust
from brskills_server.charges.verification import VALID
from brskills_server.outbound.fetcher import Fetcher
from brskills_server.outbound.public_network import Network
from brskills_server.proofs.keys import ProofKeys
from brskills_server.proofs.proof import ProvenRequest, write_proof
from tests.services.psp import Authority, Psp, cob, pem
from tests.services.site import answer_of, site
from tests.services.store import in_memory

HOST, ROUNDS = "localhost.example", 300


def main() -> None:
    """Print medians in milliseconds; rounds are interleaved."""
    with TemporaryDirectory() as name, ExitStack() as stack:
        folder, root = Path(name), Authority.root()
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
        works = {"bare fetch": bare, "follow": lambda: _check(follower)}
        _report(works)
    proofs = ProofKeys(in_memory())
    request = ProvenRequest("GET", "/x", b"", "r", "a")
    _report({"proof of 3 kB": lambda: write_proof(f'"{"a" * 3_000}"', request, "i", proofs.signing_key(), 0)})


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


def _report(works: dict[str, Callable[[], object]]) -> None:
    taken: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(ROUNDS):
        for name, work in works.items():
            began = time.perf_counter()
            work()
            taken[name].append((time.perf_counter() - began) * 1000)
    floor = median(next(iter(taken.values())))
    for name, times in taken.items():
        print(f"{name}: {median(times):.2f} ms, {median(times) / floor:.2f} times the first")


if __name__ == "__main__":
    main()
