"""The example signs in, uses its tokens and ends them, with a person at the page."""

import os
import subprocess
import sys

import httpx
import pytest

from tests.services.gateway import ROOT
from tests.services.sign_in import Fields


@pytest.mark.parametrize("answer", ["allow", "refuse"])
def test_the_example_does_all_that_a_program_has_to(base: str, key: str, answer: str) -> None:
    program = subprocess.Popen(
        [sys.executable, "examples/sign_in.py"],
        cwd=ROOT,
        env={**os.environ, "BRSKILLS_URL": base, "BROWSER": "true"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    with program, httpx.Client(headers={"Origin": base}, timeout=30) as browser:
        assert program.stdout
        page = program.stdout.readline().split()[-1]
        form = {**Fields(browser.get(page).text).values, "key": key, "answer": answer}
        sent_on = browser.post(page, data=form)
        assert sent_on.status_code == 303
        assert browser.get(sent_on.headers["Location"]).text == "You may close this window."
        said, failed = program.communicate(timeout=60)
    if answer == "refuse":
        assert (said, failed) == ("", "not allowed: access_denied\n")
    else:
        assert said.splitlines() == [
            "allowed: pix conta for 3600 s",
            "calls this month: 0",
            "refreshed and revoked",
        ]
