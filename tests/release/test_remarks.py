"""What a run remarks: right where it stands, and nothing of ordinary releases."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from commands import sqlanon as command
from support import Connection, Row, database, make_table

import sqlanon

pytestmark = pytest.mark.slow

ORDINARY: list[Row] = [
    (30 + n // 4, ("flu", "cough", "ulcer")[n % 3], n // 2 % 3) for n in range(24)
]


COLUMNS = {"age": "integer", "ill": "varchar", "pay": "integer"}


def released(connection: Connection, rows: list[Row] | None = None, **declared: Any) -> Any:
    """A release of the rows, made by Mondrian with a k of 3."""
    if rows is not None:
        make_table(connection, "patients", COLUMNS, rows)
    asked = {"k": 3, "method": "mondrian", "seed": 1, "sensitive": ["ill"], **declared}
    return sqlanon.anonymize("patients", connection=connection, quasi_identifiers=["age"], **asked)


@pytest.mark.parametrize(
    "declared",
    [
        {},
        {"l": 2},
        {"k": 1, "l": 2},
        {"sensitive": {"ill": {"l": 2, "alpha": "2/3"}, "pay": {"t": "1/3"}}},
    ],
)
def test_of_an_ordinary_release_nothing_is_remarked(declared: dict[str, Any]) -> None:
    with database() as connection:
        assert released(connection, ORDINARY, **declared).remarks == ()


# What a reader cannot tell apart: case, blanks, signs without a shape, and forms of an accent.
SPELLINGS = (
    ("flu", "Flu", " fl u "),
    ("flu\u00a0", "flu\u200b", "\ufefff\u00adlu\t"),
    ("grippé", "grippe\u0301", "GRIPPE\u0301\u2009"),
)


def test_spellings_are_no_diversity() -> None:
    """Everybody has the flu, and l 3 holds."""
    for alike in SPELLINGS:
        rows = [(30 + n // 6, alike[n % 3], n) for n in range(12)]
        with database() as connection:
            (said,) = released(connection, rows, l=3).remarks
        assert said.startswith("3 values of ill are 1 without case, blanks"), ascii(alike)
        assert "flu" not in said.lower()


def test_a_text_for_a_missing_value_is_no_diversity() -> None:
    """Half of every class is known to have the flu; named in missing, NULL is remarked on."""
    rows = [(30 + n // 6, ("flu", "Unknown ")[n % 2], n) for n in range(12)]
    with database() as connection:
        (said,) = released(connection, rows, l=2).remarks
        assert said.startswith("6 records have a text for ill that stands for a missing value")
        assert released(connection).remarks == ()
        (of_null,) = released(connection, l=2, missing={"ill": "Unknown "}).remarks
    assert of_null.startswith("l 2 of ill holds only because NULL counts")


@pytest.mark.parametrize("kind", ["varchar", "integer"])
def test_a_text_of_each_records_own_is_remarked(kind: str) -> None:
    """As an e-mail address, which names a person; an amount is no name."""
    rows = [(30 + n // 6, n * n, n) for n in range(24)]
    with database() as connection:
        make_table(connection, "patients", COLUMNS | {"ill": kind}, rows)
        remarks = released(connection).remarks
        accepted = released(connection, sensitive={"ill": {"accept": "of no person"}}).remarks
    said = [one for one in remarks if "24 of 24 records have a ill that no other" in one]
    assert len(said) == (kind == "varchar")
    assert not [one for one in accepted if "no other" in one]


@pytest.mark.parametrize(("records", "different", "is_remarked"), [
    (11, 10, True), (12, 11, True), (10, 9, False), (20, 18, True), (20, 17, False), (30, 28, True),
])  # fmt: skip
def test_a_text_that_two_records_share_names_records_too(
    records: int, different: int, is_remarked: bool
) -> None:
    """Nine values of ten records: an address of a family, or of somebody who is there twice."""
    rows = [(30 + n // 6, f"{n % different}@x", n) for n in range(records)]
    own = 2 * different - records
    with database() as connection:
        make_table(connection, "patients", COLUMNS, rows)
        remarks = released(connection).remarks
    said = f"{own} of {records} records have a ill that no other record has"
    assert any(one.startswith(said) for one in remarks) == is_remarked


def test_lines_of_delimiters_alone_are_remarked(tmp_path: Path) -> None:
    lines = [f"{age},{ill},{pay}" for age, ill, pay in ORDINARY]
    file = tmp_path / "patients.csv"
    file.write_text("\n".join(["age,ill,pay", *lines, ",,", ",,", ",,"]) + "\n")
    asked: dict[str, Any] = {"quasi_identifiers": ["age"], "sensitive": ["ill"], "k": 3}
    with sqlanon.anonymize(file, **asked) as made:
        (said,) = made.remarks
    assert said.startswith("3 records have no value in any declared column")


def test_null_is_not_a_second_disease_unremarked() -> None:
    rows: list[Row] = [(30 + n // 4, "flu" if n % 4 else None, 0) for n in range(8)]
    rows += [(50, ill, 0) for ill in ("flu", "cough", "ulcer", None)]
    with database() as connection:
        (said,) = released(connection, rows, l=2).remarks
    assert "only because NULL counts as a value in 2 classes with 8 records" in said


@pytest.mark.parametrize(
    ("declared", "says"),
    [
        ({"k": 1}, "k 1 excludes nothing"),
        ({"l": 1}, "distinct l-diversity of ill excludes nothing"),
        ({"alpha": 1}, "of ill excludes nothing with 1"),
        ({"t": "2/3"}, "can be farther than 0.6667, and t is"),
        ({"sensitive": ["pay"], "t": "1/2"}, "can be farther than 0.5, and t is"),
    ],
)
def test_a_threshold_that_excludes_nothing_is_named(declared: dict[str, Any], says: str) -> None:
    with database() as connection:
        (said,) = released(connection, ORDINARY, **declared).remarks
    assert says in said


def test_a_distance_that_some_class_could_have_is_not_remarked() -> None:
    with database() as connection:
        assert released(connection, ORDINARY, t="0.66").remarks == ()


def test_releases_of_one_source_are_named_to_the_second(tmp_path: Path) -> None:
    """What intersecting both leaves, nothing here holds; the internal report says so, too."""
    with database() as connection:
        released(connection, ORDINARY, release="first")
        connection.execute("create table other as select * from patients")
        apart = sqlanon.anonymize(
            "other", connection=connection, quasi_identifiers=["age"], k=3, release="of_other"
        )
        assert apart.remarks == ()
        second = released(connection, release="second", l=2)
        (said,) = second.remarks
        assert said.startswith("first is another release of the same source")
        again = released(connection, release="second", l=1)
        assert len(again.remarks) == 2
        inside = again.report(tmp_path / "inside.html").read_text(encoding="utf-8")
        assert "first is another release of the same source" in inside
        assert "distinct l-diversity of ill excludes nothing" in inside
        outside = again.report(tmp_path / "outside.html", external=True)
        assert "same source" not in outside.read_text(encoding="utf-8")


def test_a_run_shows_its_remarks_to_people_and_programs(tmp_path: Path) -> None:
    lines = "".join(f"{age},{ill}\n" for age, ill, _ in ORDINARY)
    (tmp_path / "people.csv").write_text(f"age,ill\n{lines}")
    asked = {"quasi_identifiers": ["age"], "sensitive": ["ill"], "privacy": {"k": 3, "l": 1}}
    spec = {"source": "people.csv", "release": "made", "method": "mondrian", **asked}
    (tmp_path / "spec.yaml").write_text(json.dumps(spec))
    for options in ((), ("--json",)):
        done = command(tmp_path, "run", "spec.yaml", *options)
        assert done.returncode == 0
        assert "excludes nothing" in " ".join(done.stdout.split())
    (said,) = json.loads(done.stdout)["remarks"]
    assert said.startswith("distinct l-diversity of ill excludes nothing")


def test_a_pseudonym_that_repeats_singles_out_whom_k_does_not_count(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """k holds of the records; the rows of one pseudonym lie in classes as those of no other do."""
    monkeypatch.setenv("PEPPER", "correct horse battery staple, and so on 4711")
    keyed = {"pseudonym": "keyed", "key": {"env": "PEPPER"}, "repeats": True}
    rows: list[Row] = [(30 + n // 4, ("flu", "cough", "ulcer")[n % 3], n % 9) for n in range(24)]
    with database() as connection:
        declared: dict[str, Any] = {"identifiers": {"pay": keyed}, "sensitive": ["ill"]}
        (said,) = released(connection, rows, **declared).remarks
        assert "ties the rows of one pseudonym pay together, and k is then 1, not 3" in said
        assert "person: who" in said
        once: list[Row] = [(age, ill, index) for index, (age, ill, _) in enumerate(rows)]
        assert released(connection, once, **declared).remarks == ()


def test_the_number_of_rows_of_a_pseudonym_singles_a_person_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """All rows of a person lie in one class, and who knows how many they are finds them."""
    monkeypatch.setenv("PEPPER", "correct horse battery staple, and so on 4711")
    keyed = {"pseudonym": "keyed", "key": {"env": "PEPPER"}}
    times = (1, 1, 2, 2, 3, 1, 1, 1, 2, 2)
    rows: list[Row] = [
        (30 + who // 5, "flu", who) for who, many in enumerate(times) for _ in range(many)
    ]
    declared: dict[str, Any] = {"quasi_identifiers": ["age"], "person": "who", "k": 3, "seed": 1}
    source = {"query": "select *, pay as who from patients"}
    with database() as connection:
        make_table(connection, "patients", COLUMNS, rows)
        for identifiers, says in (({"pay": keyed}, True), ({}, False)):
            made = sqlanon.anonymize(
                source,
                connection=connection,
                identifiers=identifiers,
                method="stack_and_deal",
                **declared,
            )
            said = [
                text for text in made.remarks if text.startswith("1 of 10 persons are the only")
            ]
            assert bool(said) == says


def test_a_table_that_was_loaded_twice_is_seen() -> None:
    """k 4 is two persons; a column without a role that tells the records apart says otherwise."""
    with database() as connection:
        (said,) = released(connection, [*ORDINARY[::2], *ORDINARY[::2]], k=4).remarks
        assert said.startswith("every record of the source is there 2 times")
        connection.execute("create table numbered as select *, rowid as number from patients")
        apart = sqlanon.anonymize(
            "numbered", connection=connection, quasi_identifiers=["age"], sensitive=["ill"], k=4
        )
        assert apart.remarks == ()


def test_one_sensitive_value_gives_the_other_away_beside_l() -> None:
    """Each of both has an l of 3, and each pay goes with one disease."""
    rows: list[Row] = [
        (30 + n // 4, ("flu", "cough", "ulcer", "gout")[n % 4], n) for n in range(12)
    ]
    with database() as connection:
        both: dict[str, Any] = {"sensitive": {"ill": {"l": 3}, "pay": {}}}
        (said,) = released(connection, rows, **both).remarks
        assert said.startswith(
            "A reader who knows the pay of a person learns ill in 3 classes with 12 records: "
        )
        neither: dict[str, Any] = {"sensitive": {"ill": {}, "pay": {}}}
        assert released(connection, rows, **neither).remarks == ()
