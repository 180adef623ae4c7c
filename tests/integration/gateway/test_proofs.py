"""The key of proofs: one for all processes, kept over restarts, and in no log."""

from pathlib import Path

import httpx

from brskills import verify_proof

from .service import CNPJ, DEMO, serve

KEYS = "/.well-known/jwks.json"


def test_all_processes_sign_with_one_key_that_is_kept(tmp_path: Path) -> None:
    sets, proofs = [], []
    for _ in range(2):  # the second after a restart
        with serve(tmp_path, POWERTOOLS_LOG_LEVEL="DEBUG") as service:
            for _ in range(8):
                with httpx.Client(base_url=service.base, headers=DEMO) as http:
                    answer = http.get(f"{CNPJ}/SANDBOX1000170?", headers={"Accept": "application/jose"})
                    proofs.append(answer.raise_for_status().text)
                    sets.append(http.get(KEYS).raise_for_status().json())
            printed = service.output.read_text()
    assert all(keys == sets[0] for keys in sets)
    for proof in proofs:
        found = verify_proof(proof, sets[-1])
        assert (found.account, found.path) == ("demo", f"{CNPJ}/SANDBOX1000170?")  # as sent
        assert proof.rpartition(".")[2] not in printed
    assert '"d":' not in printed
