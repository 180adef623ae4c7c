"""A PSP over TLS on loopback, below an authority of the tests."""

from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path

import pytest

from brskills_server.charges.follow import Follower
from brskills_server.charges.trust import Trust
from brskills_server.charges.verification import Verification
from brskills_server.outbound.fetcher import Fetcher
from brskills_server.outbound.public_network import Network
from tests.services.psp import EV, NOW, Authority, Psp, name_of, pem
from tests.services.site import Site, answer_of, site

HOST = "pix.psp.example"
LOCATION = f"{HOST}/qr/v2/9d36b84f70be4a9d"
PATH = "/qr/v2/9d36b84f70be4a9d"


@pytest.fixture(scope="session")
def root() -> Authority:
    return Authority.root()


@pytest.fixture(scope="session")
def issuer(root: Authority) -> Authority:
    return root.intermediate()


@pytest.fixture(scope="session")
def roots(root: Authority, tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("roots") / "roots.pem"
    file.write_bytes(pem(root.certificate))
    return file


@pytest.fixture(scope="session")
def trust(roots: Path) -> Trust:
    return Trust(str(roots))


@pytest.fixture(scope="session")
def bank(issuer: Authority) -> Psp:
    """A PSP with an EV certificate of Banco do Brasil's number."""
    subject = name_of(HOST, organization="BANCO DO BRASIL SA", serial="00.000.000/0001-91", jurisdiction="BR")
    return Psp.at(HOST, issuer, subject=subject, policy=EV)


@pytest.fixture(scope="session")
def server(bank: Psp, roots: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("psp")
    with site(folder, HOST, chain=bank.chain_file(folder), roots=roots) as found:
        yield found


@pytest.fixture
def psp(bank: Psp, server: Site) -> Iterator[Psp]:
    server.answers.clear()
    server.settle()
    server.asked.clear()
    bank.jwk_changes.clear()
    yield bank
    bank.jwk_changes.clear()


@pytest.fixture
def serve(server: Site, psp: Psp) -> Callable[..., None]:
    """Serve a body at the location, and the keys at ``jwks.json``."""

    def put(body: bytes, *headers: str, keys: bytes | None = None, status: str = "200 OK") -> None:
        listed = psp.keys() if keys is None else keys
        server.answers[PATH] = lambda: answer_of(
            body, *(headers or ("Content-Type: application/jose",)), status=status
        )
        server.answers["/jwks.json"] = lambda: answer_of(listed)

    return put


@pytest.fixture
def network(server: Site) -> Network:
    return Network(certificates=server.trusted, connect_to={HOST: ("127.0.0.1", server.port)})


@pytest.fixture
def follow(network: Network, trust: Trust) -> Iterator[Callable[..., Verification]]:
    fetcher = Fetcher("brskills/test", network)

    def go(location: str = LOCATION, now: datetime = NOW) -> Verification:
        return Follower(fetcher, trust, lambda: now).follow([location], "acc_1")[0]

    yield go
    fetcher.close()
