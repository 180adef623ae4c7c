"""How a function begins on AWS."""

from __future__ import annotations

from tests.services.expanded import of_type, resources


def test_every_function_begins_by_the_module_that_prepares_snapshots() -> None:
    functions = of_type(resources(), "AWS::Lambda::Function").values()
    assert len(functions) > 10
    assert {each["Handler"] for each in functions} == {"brskills_server.runtime.start.handler"}
