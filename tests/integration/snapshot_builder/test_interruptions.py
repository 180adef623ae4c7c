"""Downloads with any sequence of interruptions end in the same bytes."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from brskills_server.snapshot_builder.sources.fetch import CONNECTIONS
from tests.integration.snapshot_builder.quick import QUICK, assert_whole, bring_in
from tests.register.months import a_zip
from tests.register.share import FakeShare, Fault

FILES = ("Empresas0.zip", "Estabelecimentos9.zip", "Simples.zip")
POSITIONS = st.integers(0, 3500)
# Nine breaks, of which any may make no progress, and three changes of three files.
LASTING = replace(QUICK, attempts=10, listings=10)
BREAKS = st.one_of(
    st.builds(Fault, break_after=POSITIONS, ignores_range=st.booleans(), chunked=st.booleans()),
    st.builds(Fault, break_after=POSITIONS, becomes=st.builds(a_zip, st.integers(10, 3200), st.integers())),
    st.builds(Fault, status=st.sampled_from([429, 500, 503])),
)


@settings(max_examples=5, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(faults=st.fixed_dictionaries({name: st.lists(BREAKS, max_size=3) for name in FILES}))
def test_any_sequence_of_breaks_ends_in_identical_bytes(
    faults: dict[str, list[Fault]], share: FakeShare, tmp_path: Path
) -> None:
    shutil.rmtree(tmp_path / "into", ignore_errors=True)
    share.faults.update({name: list(of_one) for name, of_one in faults.items()})
    assert_whole(bring_in(share, tmp_path / "into", retry_policy=LASTING), share)
    assert share.most_seen <= CONNECTIONS
