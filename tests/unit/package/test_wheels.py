"""The list that a customer installs is the project's own, with the server's wheel."""

from __future__ import annotations

import hashlib
from pathlib import Path

from package.wheels import list_with_hashes


def test_lists_that_are_included_are_written_out(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner/list.txt").write_text(
        "# Generated\n--only-binary :all:\ninner==2 \\\n    --hash=sha256:bb\n"
    )
    (tmp_path / "list.txt").write_text(
        "# Generated\n--only-binary :all:\n-r inner/list.txt\nouter==1 ; x == 'y' \\\n    --hash=sha256:aa\n"
    )
    server = tmp_path / "brskills_server-1.0.0-py3-none-any.whl"
    server.write_bytes(b"wheel")
    assert list_with_hashes(tmp_path / "list.txt", [server]) == (
        "--no-index\n--find-links wheels\n--only-binary :all:\n"
        f"brskills-server==1.0.0 \\\n    --hash=sha256:{hashlib.sha256(b'wheel').hexdigest()}\n"
        "inner==2 \\\n    --hash=sha256:bb\n"
        "outer==1 ; x == 'y' \\\n    --hash=sha256:aa\n"
    )
