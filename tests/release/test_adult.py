"""The Adult example at full size: what the issue says it must show (the data is not shipped)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from support import ROOT, Connection, Row, at, data_set, database, read, select

import sqlanon
from sqlanon.uses.release.release import Release

PERSONS = 30_162
K = 10
QUASI_IDENTIFIERS = ["age", "sex", "race", "education", "native-country"]


@dataclass(frozen=True)
class Adult:
    """The example's run: its release, and how its records were dealt."""

    connection: Connection
    release: Release
    dealt: list[Row]
    source: str


@pytest.fixture(scope="module")
def adult() -> Iterator[Adult]:
    folder = data_set("csv/arx_adult.csv").parent.parent
    dealt: list[Row] = []
    with database() as connection, pytest.MonkeyPatch.context() as patch:
        patch.setenv("SQLANON_DATA", str(folder))

        def look() -> None:
            query = "select class_id, s1, count(*) from sqlanon_assigned group by all"
            dealt.extend(select(connection, query)[1])

        release = sqlanon.anonymize(
            ROOT / "examples" / "adult.yaml",
            connection=connection,
            progress=at("writing the release", look),
        )
        yield Adult(connection, release, dealt, str(folder / "csv" / "arx_adult.csv"))


def test_as_many_classes_as_fit_each_of_ten_or_eleven(adult: Adult) -> None:
    sizes: Counter[int] = Counter()
    for class_id, _, records in adult.dealt:
        sizes[class_id] += records
    assert sum(sizes.values()) == PERSONS
    assert len(sizes) == PERSONS // K == 3016
    assert set(sizes.values()) == {10, 11}


def test_every_occupation_is_dealt_evenly(adult: Adult) -> None:
    """Its count is within one between any two classes."""
    counts = {(class_id, code): records for class_id, code, records in adult.dealt}
    classes = {class_id for class_id, _ in counts}
    occupations = {code for _, code in counts}
    assert len(occupations) == 14
    for code in occupations:
        spread = [counts.get((class_id, code), 0) for class_id in classes]
        assert max(spread) - min(spread) <= 1


def test_the_published_table_has_what_the_metrics_say(adult: Adult) -> None:
    """Counted afresh by plain SQL on the published table."""
    columns, rows = read(adult.connection, "adult_public")
    assert list(columns) == [*QUASI_IDENTIFIERS, "occupation"]
    assert len(rows) == PERSONS
    classes: dict[Row, list[str]] = {}
    for row in rows:
        classes.setdefault(row[:-1], []).append(row[-1])
    release = adult.release
    assert release.measure("classes") == len(classes) <= 3016
    assert release.measure("k_anonymity") == min(map(len, classes.values())) >= K
    assert release.measure("distinct_l", "occupation") == min(
        len(set(values)) for values in classes.values()
    )
    source = f"read_csv('{adult.source}', header = true)"
    _, true = select(adult.connection, f"select occupation from {source}")
    assert Counter(row[-1] for row in rows) == Counter(value for (value,) in true)


def test_measuring_the_published_table_agrees_with_the_run(
    adult: Adult, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SQLANON_DATA", str(data_set("csv")).removesuffix("/csv"))
    found = sqlanon.check(
        "adult_public", spec=ROOT / "examples" / "adult.yaml", connection=adult.connection
    )
    assert found.passed
    assert found.measures == adult.release.measures


def test_another_tool_sees_the_same_privacy(adult: Adult) -> None:
    """Without the spec, as any table: the models are those of the run, and the loss is unknown."""
    declared: dict[str, Any] = {
        "quasi_identifiers": QUASI_IDENTIFIERS,
        "sensitive": "occupation",
        "k": K,
        "l": 5,
        "t": 0.35,
    }
    found = sqlanon.check("adult_public", connection=adult.connection, **declared)
    assert found.passed
    of_run = [metric for metric in adult.release.measures if metric.metric not in ("gcp", "ncp")]
    assert list(found.measures) == of_run
