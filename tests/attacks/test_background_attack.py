"""The background knowledge attack on tables, against plain Python and the papers' own words."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from commands import sqlanon as command
from hypothesis import given
from hypothesis import strategies as st
from oracle.attacks import known_beforehand
from support import Connection, database, examples, make_table

import sqlanon
from sqlanon.errors import SpecError
from sqlanon.uses.attacks.findings import Attacked

FIGURES = ("prior", "belief", "omega", "gain")
QI = {"zip code": "varchar", "äge": "integer"}
COLUMNS = {**QI, "disease": "varchar"}
Told = tuple[Any, ...]


def attacked(
    connection: Connection, rows: Sequence[Told], told: Sequence[Told], by: Sequence[str]
) -> Attacked:
    make_table(connection, "t", COLUMNS, rows)
    known = {**{name: QI[name] for name in by}, "disease": "varchar", "probability": "double"}
    make_table(connection, "known", known, told)
    return sqlanon.attack(
        "t",
        quasi_identifiers=list(QI),
        sensitive=["disease"],
        background="known",
        connection=connection,
    )


zips, ages = st.sampled_from(["47'6", "ü"]), st.sampled_from([None, 1, 2])
diseases = st.sampled_from(["flu", "fever", None])


@examples(3, 60)
@given(
    st.lists(st.tuples(zips, ages, diseases), min_size=1, max_size=7),
    st.lists(
        st.tuples(zips, st.sampled_from([None, 1, 9]), st.integers(0, 4), st.integers(0, 4)),
        min_size=1,
        max_size=3,
        unique_by=lambda one: one[:2],
    ),
    st.booleans(),
)
def test_beliefs_are_those_of_every_way_that_is_possible(
    rows: list[Told], told: list[Told], by_age: bool
) -> None:
    """By one quasi-identifier alone the records of several classes fit."""
    by = list(QI) if by_age else ["zip code"]
    known = {
        entry[: len(by)]: (entry[2] + 1, entry[3]) for entry in told
    }  # flu, fever, and the rest NULL
    tuples: dict[Told, dict[Any, Fraction]] = {}
    for u, (flu, fever) in known.items():
        rest = Fraction(12 - flu - fever, 12)
        tuples[u] = {"flu": Fraction(flu, 12), "fever": Fraction(fever, 12), None: rest}
    table = [(*u, v, float(p)) for u, some in tuples.items() for v, p in some.items()]
    with database() as connection:
        found = attacked(connection, rows, table, by)
    whole = Counter(row[2] for row in rows)
    wanted, refuted, apart = list[tuple[Fraction, ...]](), 0, 0
    for u, prior in tuples.items():
        counts = Counter(row[2] for row in rows if row[: len(by)] == u)
        believed = known_beforehand(counts, whole, prior) if counts else None
        refuted += bool(counts) and believed is None
        apart += not counts
        if believed is not None:
            bayes, omega = believed
            gain = max([bayes[v] - prior[v] for v in bayes] + [Fraction(0)])
            wanted.append((max(prior.values()), max(bayes.values()), max(omega.values()), gain))
    for index, figure in enumerate(FIGURES):
        value = found.value(f"known_{figure}", "disease")
        if wanted:
            most = max(entry[index] for entry in wanted)
            assert value == pytest.approx(float(most), abs=2e-9), figure
        else:
            assert value is None
    said = found.notes.get("background", "")
    assert (f"{apart} of the {len(tuples)} tuples" in said) == bool(apart)
    assert (f"of {refuted} tuples" in said) == bool(refuted)


T2_9 = [
    *[("476**", "2*", "*", "Heart Disease")] * 3,
    *[("4790*", "≥ 40", "*", one) for one in ("Flu", "Heart Disease", "Fever")],
    *[("476**", "3*", "*", text) for text in ("Heart Disease", "Fever", "Fever")],
]


def test_cindy_has_a_fever(tmp_path: Path) -> None:
    """Gowda (2023), table 2.9 with 476** in row 7: the Japanese have hardly any heart disease."""
    table, known = tmp_path / "t29.csv", tmp_path / "cindy.csv"
    rows = [",".join(row) for row in T2_9]
    table.write_text("\n".join(["zip,age,sex,disease", *rows]), encoding="utf-8")
    chances = {"Heart Disease": "0.01", "Fever": "0.33", "Flu": "0.66"}
    told = [f"476**,3*,{value},{chance}" for value, chance in chances.items()]
    known.write_text("\n".join(["zip,age,disease,probability", *told]), encoding="utf-8")
    asked = ("--qi", "zip,age,sex", "--sensitive", "disease", "--background", known.name)
    done = command(tmp_path, "attack", table.name, *asked, "--json", "--quiet")
    found = {
        load["figure"]: load["value"]
        for load in json.loads(done.stdout)["findings"]
        if load["figure"].startswith("known_")
    }
    fever, heart = Fraction(33, 100) * Fraction(2, 3), Fraction(1, 100) * Fraction(1, 5)
    assert found["known_belief"] == pytest.approx(float(fever / (fever + heart)))
    assert found["known_belief"] > 0.99 > 0.66 == found["known_prior"]  # near certainty
    assert found["known_omega"] > 0.98


def test_zita_has_aids() -> None:
    """Kiran and Kavya (2012), table 3, read in the forms of a spec; her code is 53712."""
    people = [(25, "Male", "53711"), (26, "Male", "53711"), (31, "Male", "53710")]
    people += [(38, "Male", "53712"), (28, "Female", "53710"), (27, "Female", "53712")]
    men = [("[20, 30]", "Heart"), ("[20, 30]", "Heart"), ("[30, 40]", "Broken Arm")]
    men.append(("[30, 40]", "Hang Nail"))
    women = [("[20, 30]", "Hepatitis"), ("[20, 30]", "AIDS")]
    shown = [(age, "Male", "5371*", text) for age, text in men]
    shown += [(age, "Female", "5371*", text) for age, text in women]
    chances = {"AIDS": 0.5, "Heart": 0.2, "Hepatitis": 0.1, "Broken Arm": 0.1, "Hang Nail": 0.1}
    spec = sqlanon.parse_spec(
        {
            "source": {"table": "people"},
            "release": "t3",
            "quasi_identifiers": {
                "age": {},
                "sex": {},
                "zip": {"hierarchy": {"prefix": [5, 4, 0]}, "publish": "level"},
            },
            "sensitive": ["disease"],
            "privacy": {"k": 2},
        }
    )
    with database() as connection:
        types = {"age": "integer", "sex": "varchar", "zip": "varchar"}
        made = [(*one, row[3]) for one, row in zip(people, shown, strict=True)]
        make_table(connection, "people", {**types, "disease": "varchar"}, made)
        make_table(connection, "t3", dict.fromkeys((*types, "disease"), "varchar"), shown)
        told = [(27, "53712", value, chance) for value, chance in chances.items()]
        known = {"age": "integer", "zip": "varchar", "disease": "varchar", "probability": "double"}
        make_table(connection, "zita", known, told)
        by_both = sqlanon.attack("t3", spec=spec, background="zita", connection=connection)
        connection.execute("alter table zita add column sex varchar default 'Female'")
        found = sqlanon.attack("t3", spec=spec, background="zita", connection=connection)
    assert found.value("known_belief", "disease") == pytest.approx(5 / 6)  # of .5 and .1
    assert found.value("known_gain", "disease") == pytest.approx(5 / 6 - 1 / 2)
    # Without her sex four records fit: .5 of AIDS, .1 of hepatitis, .2 of two of two hearts.
    assert by_both.value("known_belief", "disease") == pytest.approx(5 / 8)


def test_a_release_of_a_run_and_exact_rows_in_groups() -> None:
    """Of a group any value may be a row's: of 4 records that fit nobody is likelier to have flu."""
    rows = [("a", i // 2, ("flu", "fever")[i % 2]) for i in range(8)]
    spec: dict[str, Any] = {
        "source": {"table": "t"},
        "release": "r",
        "quasi_identifiers": list(QI),
        "sensitive": ["disease"],
        "privacy": {"k": 2},
        "method": "mondrian",
        "seed": 1,
    }
    with database() as connection:
        make_table(connection, "t", COLUMNS, rows)
        told = {"äge": "integer", "disease": "varchar", "probability": "decimal(3, 2)"}
        make_table(connection, "known", told, [(0, "flu", "0.9"), (0, "fever", "0.1")])
        grouped = {"method": "anatomy", "publish": "anatomy", "privacy": {"k": 1}}
        grouped["sensitive"] = {"disease": {"l": 2}}
        for asked in ({}, grouped):
            sqlanon.anonymize(sqlanon.parse_spec({**spec, **asked}), connection=connection)
            found = sqlanon.attack("r", background="known", external="t", connection=connection)
            assert found.value("known_belief", "disease") == pytest.approx(0.9)
            assert found.value("linking_found_share") == 1


@pytest.mark.parametrize(
    ("told", "rows", "says"),
    [
        ({"äge": "integer", "disease": "varchar"}, [], "needs a column for quasi-identifiers"),
        ({"disease": "varchar", "probability": "double"}, [], "(zip code, äge)"),
        (
            {"äge": "varchar[]", "disease": "varchar", "probability": "double"},
            [],
            "cannot be compared",
        ),
        (
            {"äge": "integer", "disease": "date", "probability": "double"},
            [],
            "its column 'disease' is DATE",
        ),
        (
            {"äge": "integer", "disease": "varchar", "probability": "varchar"},
            [],
            "must be numbers",
        ),
        (
            {"äge": "integer", "disease": "varchar", "probability": "double"},
            [(1, "flu", 0.5), (1, "flu", 0.4), (2, "flu", -0.5), (1, "nosuch", None)],
            "1 pairs of a tuple and a value have several rows; 2 rows have no probability",
        ),
        (
            {"äge": "integer", "disease": "varchar", "probability": "double"},
            [],
            "2 values of the release are never named",
        ),
    ],
)
def test_what_is_no_background_is_refused(
    told: dict[str, str], rows: list[Told], says: str
) -> None:
    with database() as connection:
        make_table(connection, "t", COLUMNS, [("a", 1, "flu"), ("b", 2, "fever")])
        make_table(connection, "known", told, rows)
        with pytest.raises(SpecError, match="background") as refused:
            sqlanon.attack(
                "t",
                quasi_identifiers=list(QI),
                sensitive=["disease"],
                background="known",
                connection=connection,
            )
    assert says in str(refused.value)
    assert "nosuch" not in str(refused.value)


def test_too_many_pairs_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sqlanon.uses.attacks.beliefs.MOST_TOLD", 1)
    says = "2 tuples, and the release has 1"
    with database() as connection, pytest.raises(SpecError, match=says):
        attacked(connection, [("a", 1, "flu")], [(1, "flu", 1.0), (2, "flu", 1.0)], ["äge"])
