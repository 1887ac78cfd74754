"""A certificate is of the release that its run measured, and says what else it rests on."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest
from support import DEALT

import sqlanon
from sqlanon.errors import SpecError
from sqlanon.uses.certificates.certificate import Certificate

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
    return {measure.name: measure.basis for measure in known.measures}


@pytest.mark.one_in(3)
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


# --- a certificate that somebody wrote -----------------------------------------------------------


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> tuple[Certificate, Path]:
    """A release's certificate and its file, which are only read."""
    file = tmp_path_factory.mktemp("certified") / "x.csv"
    with duckdb.connect() as connection, made(connection) as release:
        release.export(file)
        return release.certificate(), file


@pytest.fixture(scope="module")
def known(both: tuple[Certificate, Path]) -> Certificate:
    return both[0]


@pytest.fixture(scope="module")
def exported(both: tuple[Certificate, Path]) -> Path:
    return both[1]


def altered(known: Certificate, change: Callable[[dict[str, Any]], object]) -> Certificate:
    fields = json.loads(known.text)
    change(fields)
    other = Certificate.model_validate(fields)
    return other.model_copy(update={"digest": other.own_digest})


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (lambda one: one.update(publication="zzz"), "certificate.publication"),
        (lambda one: one.update(publication="anatomy"), "certificate.relations.0.columns"),
        (lambda one: one["relations"][0].update(beside="../x"), "certificate.relations"),
        (lambda one: one["relations"].append(one["relations"][0]), "certificate.relations"),
        (
            lambda one: one["relations"].append(one["relations"][0] | {"beside": "x"}),
            "certificate.relations",
        ),
        (lambda one: one["relations"][0].update(columns=[]), "certificate.relations.0.columns"),
        (
            lambda one: one["relations"][0]["columns"][0].update(name="a\0"),
            "certificate.relations.0.columns",
        ),
        (lambda one: one["sensitive"].update(other={"t": "0.1"}), "certificate.sensitive"),
        (lambda one: one["sensitive"]["disease"].update(t="SECRET"), "certificate.sensitive"),
        (lambda one: one["privacy"].update(k="SECRET"), "certificate.privacy.k"),
    ],
)
def test_a_certificate_that_no_run_came_to_is_refused(
    known: Certificate, exported: Path, change: Callable[[dict[str, Any]], object], place: str
) -> None:
    with pytest.raises(SpecError, match=rf"^{place}"):
        sqlanon.verify(altered(known, change), exported)


@pytest.mark.parametrize(
    "type_name", ["decimal(99,99)", "decimal(3, 9)", "numeric", "decimal(0,0)"]
)
def test_a_decimal_that_duckdb_lacks_is_read_as_text(
    known: Certificate, exported: Path, type_name: str
) -> None:
    column = {"type": type_name, "kind": "decimal"}
    other = altered(known, lambda one: one["relations"][0]["columns"][1].update(column))
    assert sqlanon.verify(other, exported).passed


# --- a table of other types ----------------------------------------------------------------------


@pytest.mark.slow
def test_another_type_is_named(tmp_path: Path) -> None:
    amount = {"amount": {"t": 0.9, "distance": "ordered"}}
    with duckdb.connect() as connection:
        connection.execute("create table costs as select i % 4 as age, i / 8 as amount "
                           "from range(24) as n(i)")  # fmt: skip
        declared = DECLARED | {"sensitive": amount}
        with sqlanon.anonymize("costs", connection=connection, **declared) as release:
            known = release.certificate()
            for ending in ("csv", "parquet"):
                file, *_ = release.export(tmp_path / f"x.{ending}")
                assert sqlanon.verify(known, file).passed
        connection.execute(
            "create table texts as select age, amount::varchar as amount from public"
        )
        says = "the column 'amount' is text here, and number is certified"
        assert sqlanon.verify(known, "texts", connection=connection).faults == (says,)
        connection.execute(
            "create table cut as select age, amount::decimal(9, 3) as amount from public"
        )
        (fault,) = sqlanon.verify(known, "cut", connection=connection).faults
        assert "at least one cell was changed" in fault
        connection.execute("update texts set amount = amount || '0'")
        assert sqlanon.verify(known, "texts", connection=connection).faults[0] == says
