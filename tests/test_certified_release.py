"""A certificate is of the release that its run measured, and says what else it rests on."""

from __future__ import annotations

from typing import Any

import duckdb
import pytest
from support import DEALT

import sqlanon
from sqlanon.errors import SpecError
from sqlanon.release.certificate import Certificate

DECLARED: dict[str, Any] = {
    "release": "public",
    "quasi_identifiers": ["age"],
    "sensitive": {"disease": {"l": 2, "t": 0.9}},
    "privacy": {"k": 3},
    "seed": 1,
    **DEALT,
}


def made(connection: duckdb.DuckDBPyConnection, **declared: Any) -> sqlanon.Release:
    connection.execute(
        "create or replace table people as "
        "select i % 4 as age, chr(97 + cast(i // 2 % 3 as integer)) as disease, i // 2 as who "
        "from range(24) as n(i)"
    )
    return sqlanon.anonymize("people", connection=connection, **{**DECLARED, **declared})


def bases(known: Certificate) -> dict[str, str]:
    return {one.name: one.basis for one in known.measures}


@pytest.mark.parametrize(
    "change",
    [
        "update public set age = '[9, 9]' where rowid = 0",
        "update public set disease = 'a'",
        "delete from public where rowid = 0",
    ],
)
def test_a_release_that_was_changed_has_no_certificate(change: str) -> None:
    with duckdb.connect() as connection, made(connection) as release:
        assert set(bases(release.certificate()).values()) == {"release"}
        connection.execute(change)
        with pytest.raises(SpecError, match="'public' was changed since its run"):
            release.certificate()


@pytest.mark.parametrize(
    ("declared", "by_the_run"),
    [
        (
            {"person": ["who"]},
            {"k_anonymity", "distinct_l of disease", "t_closeness of disease"},
        ),
        (
            {
                "sensitive": {
                    "disease": {
                        "distance": "hierarchical",
                        "t": 0.9,
                        "hierarchy": {"tree": {"*": ["a", "b", "c"]}},
                    }
                }
            },
            {"t_closeness of disease"},
        ),
    ],
    ids=["persons", "hierarchical"],
)
def test_what_the_release_does_not_tell_is_as_the_run_measured_it(
    declared: dict[str, Any], by_the_run: set[str]
) -> None:
    with duckdb.connect() as connection, made(connection, **declared) as release:
        found = bases(release.certificate())
    assert by_the_run <= {name for name, basis in found.items() if basis == "run"}
    assert {found["records"], found["classes"]} == {"release"}


def test_a_release_without_its_proof_has_no_certificate() -> None:
    with duckdb.connect() as connection, made(connection) as release:
        connection.execute("drop table public__metrics")
        with pytest.raises(SpecError, match="'public__metrics' is gone: run its spec again"):
            release.certificate()
