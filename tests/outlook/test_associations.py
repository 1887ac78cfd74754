"""Which sensitive attributes go together: against the definition, and as `plan` shows it."""

from __future__ import annotations

import json
from contextlib import closing
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from commands import sqlanon as command
from hypothesis import given
from hypothesis import strategies as st
from oracle.slicing import cells, contingency
from support import database, examples, make_table

from sqlanon.domains.contingencies import CELLS
from sqlanon.engines import open_engine
from sqlanon.planning.prepare import prepare
from sqlanon.spec import parse_spec
from sqlanon.uses.outlook.dry_run import dry_run
from sqlanon.uses.outlook.outlook import TOGETHER, Associations, associations

NAMES = ("ill", "drüg \"é'", "pay")
Row = tuple[str | None, str | None, int | None]


def found(rows: list[Row], names: tuple[str, ...] = NAMES) -> Associations | None:
    columns = dict(zip(("age", *NAMES), ("integer", "varchar", "varchar", "integer"), strict=True))
    spec: dict[str, Any] = {
        "source": "people",
        "release": "out",
        "quasi_identifiers": ["age"],
        "sensitive": list(names),
        "privacy": {"k": 1},
        "method": "stack_and_deal",
        "insensitive": [],
    }
    with database() as connection:
        make_table(connection, "people", columns, [(at, *row) for at, row in enumerate(rows)])
        with closing(open_engine(connection=connection)) as engine:
            prepared = prepare(parse_spec(spec), engine)
            with dry_run(prepared, engine) as dry:
                return associations(dry)


@examples(3, 30)
@given(
    rows=st.lists(
        st.tuples(
            st.sampled_from([None, "flu", "o'cold"]),
            st.sampled_from([None, "", "pill"]),
            st.one_of(st.none(), st.integers(0, 40)),
        ),
        min_size=2,
        max_size=40,
    )
)
def test_contingencies_and_subsets_are_their_definitions(rows: list[Row]) -> None:
    told = found(rows)
    assert told is not None
    placed = [cells([row[at] for row in rows], CELLS) for at in range(len(NAMES))]
    for one, other in combinations(range(len(NAMES)), 2):
        exact = float(contingency(placed[one], placed[other]))
        assert told.contingencies[NAMES[one], NAMES[other]] == pytest.approx(exact, abs=2e-9)
    assert sorted(name for group in told.groups for name in group) == sorted(NAMES)
    for group, another in combinations(told.groups, 2):
        pairs = [
            told.contingencies[(a, b) if NAMES.index(a) < NAMES.index(b) else (b, a)]
            for a in group
            for b in another
        ]
        assert sum(pairs) / len(pairs) <= TOGETHER + 1e-9


TOLD: list[Row] = [("ab"[i % 2], "xy"[i % 2], i // 2 % 3) for i in range(60)]


def test_a_drug_tells_the_illness_and_the_pay_neither() -> None:
    told = found(TOLD)
    assert told is not None
    assert list(told.contingencies.values()) == [1, 0, 0]
    assert told.groups == (NAMES[:2], NAMES[2:])


def test_one_attribute_goes_with_none() -> None:
    assert found(TOLD, ("ill",)) is None


@pytest.mark.slow
def test_plan_proposes_subsets(tmp_path: Path) -> None:
    lines = [f"{at},{row[0]},{row[1]},{row[2]}" for at, row in enumerate(TOLD)]
    (tmp_path / "t.csv").write_text("\n".join(["age,ill,drug,pay", *lines]) + "\n")
    (tmp_path / "s.yaml").write_text(
        "source: t.csv\nrelease: out\nquasi_identifiers: [age]\nsensitive: [ill, drug, pay]\n"
        "privacy: {k: 5}\nmethod: stack_and_deal\n"
    )
    shown = command(tmp_path, "plan", "s.yaml")
    assert "Sensitive attributes that go together" in shown.stdout
    assert "each by itself: ill, drug; pay." in " ".join(shown.stdout.split())
    told = json.loads(command(tmp_path, "plan", "s.yaml", "--json").stdout)["associations"]
    assert told["groups"] == [["ill", "drug"], ["pay"]]
    assert told["contingencies"][0] == {"columns": ["ill", "drug"], "contingency": 1.0}
