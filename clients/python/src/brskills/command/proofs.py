"""``brskills verificar``: a signed answer, verified without network if the keys are given."""

import json
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from brskills.command.errors import Exit, Misuse
from brskills.command.language import Texts
from brskills.command.shell import Shell
from brskills.proof import InvalidProof, Proof, verify_proof


def verify(shell: Shell, proof: Path, chaves: Path | None) -> Exit:
    """Show a proof that one of the keys signed; of any other, nothing."""
    if not find_spec("joserfc"):
        raise Misuse(shell.text("proof_missing"))
    text = sys.stdin.read() if str(proof) == "-" else proof.read_text("ascii", errors="replace")
    try:
        keys = json.loads(chaves.read_bytes()) if chaves else None
    except ValueError:
        raise Misuse(shell.text("bad_value", name="--chaves")) from None
    if keys is None:
        with shell.client(with_key=False) as client:
            keys = client.proof_keys()
    try:
        found = verify_proof(text, keys)
    except InvalidProof:
        shell.log(shell.text("proof_invalid"))
        return Exit.INVALID_CODE
    shell.show(found, _lines(found, shell.text))
    return Exit.OK


def _lines(found: Proof, text: Texts) -> Iterator[str]:
    yield text("proof_valid")
    yield f"iss: {found.issuer}"
    yield f"iat: {found.issued_at.isoformat()}"
    yield f"aud: {found.account}"
    yield f"pedido: {found.method} {found.path}, sha256 {found.body_sha256}"
    yield f"resposta: {json.dumps(found.answer, ensure_ascii=False)}"
