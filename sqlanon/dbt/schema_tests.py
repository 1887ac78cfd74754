"""The models that a spec asks for, as the generic tests of the dbt package `sqlanon`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from sqlanon.dbt.generic_tests import asked_of
from sqlanon.measure import Asked


def declared_tests(
    models: Iterable[Asked],
    quasi_identifiers: Sequence[str],
    k: int,
    records: str | None,
    suppressed: str | None,
    release: str,
) -> list[dict[str, Any]]:
    """The ``data_tests`` of a release.

    Models for which the package has no test are held by the release's own checks alone.

    Args:
        models: what is declared.
        quasi_identifiers: the columns of the release that stand for them.
        k: the least class size.
        records: how the records are referred to; None where a build has not all of them.
        suppressed: how what was left out is referred to; None where nothing may be.
        release: the release's name, with which the tests' names begin.
    """
    columns = list(quasi_identifiers)
    left_out = {} if suppressed is None else {"suppressed": suppressed}
    tests = [_test("row_conservation", records=records, **left_out)] if records else []
    tests.append(_test("k_anonymity", quasi_identifiers=columns, k=k))
    for model in models:
        found = asked_of(model)
        if found is not None:
            test, arguments = found
            tests.append(_test(test, quasi_identifiers=columns, sensitive=model.name, **arguments))
    return [_called(release, number, *test) for number, test in enumerate(tests, 1)]


def _test(name: str, **arguments: Any) -> tuple[str, dict[str, Any]]:
    return name, arguments


def _called(release: str, number: int, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    # A name of its own: by it the test is found again when the spec has changed.
    called = {"name": f"{release}__{name}", "arguments": arguments}
    if "sensitive" in arguments:
        column = re.sub(r"\W+", "_", str(arguments["sensitive"]))[:20]
        called["name"] = f"{release}__{name}_{number}_{column}"
    return {f"sqlanon.{name}": called}
