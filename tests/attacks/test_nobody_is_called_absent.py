"""Who is in the source is never called absent, whatever is published and suppressed, and how."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import Row, database, examples, make_table

import sqlanon
from sqlanon.errors import InfeasibleError

pytestmark = pytest.mark.slow

TYPES = {
    "p": "integer",
    "age": "integer",
    "town": "varchar",
    "born": "date",
    "pay": "decimal(9, 2)",
    "disease": "varchar",
}
KNOWN = ["age", "town", "born", "pay"]
PLAIN: dict[str, Any] = {text: {} for text in KNOWN}
TREE = {"tree": {"*": {"west": ["a", "b, c"], "east": ["d", "e"]}}}
people = st.tuples(
    st.one_of(st.none(), st.integers(18, 21)),
    st.one_of(st.none(), st.sampled_from(["a", "b, c", "d"])),
    st.one_of(st.none(), st.sampled_from([date(2000, 1, 1), date(2000, 1, 2)])),
    st.one_of(st.none(), st.sampled_from([1, 2])),
    st.sampled_from(["flu", "cold", None]),
)
SLICED = {"name": "sliced", "group": 3}
GROUPED = {"sensitive": {"disease": {"beta": 10**6}}, "privacy": {"k": 1}}
WAYS: dict[str, dict[str, Any]] = {
    "interval": {},
    "bounds": {"quasi_identifiers": {**PLAIN, "age": {"publish": "bounds"}}},
    "set": {"quasi_identifiers": {text: {"publish": "set"} for text in KNOWN}},
    "lca": {"quasi_identifiers": {**PLAIN, "town": {"hierarchy": TREE}}},
    "level": {
        "quasi_identifiers": {"town": {"hierarchy": TREE}, "age": {"hierarchy": {"bands": [2, 4]}}},
        "method": "optimal",
        "suppression": {"records": 0.4},
    },
    "cells suppressed": {"method": "cell_suppression", "suppression": {"records": 0.4}},
    "persons": {"person": ["p"]},
    "anatomy": {**GROUPED, "publish": {"name": "anatomy", "group": 3}},
    "permuted": {**GROUPED, "publish": {"name": "permuted", "group": 3}},
    "sliced": {
        **GROUPED,
        "publish": {**SLICED, "columns": [["age", "born"], ["town", "pay"], ["disease"]]},
    },
    "slices suppressed": {
        **GROUPED,
        "publish": {
            **SLICED,
            "columns": [["age", "born"], ["town"], ["pay", "disease"]],
            "suppress": "similar",
        },
    },
    "one slice suppressed": {
        **GROUPED,
        "publish": {**SLICED, "columns": [KNOWN, ["disease"]], "suppress": "similar"},
    },
    "slices of one column suppressed": {
        **GROUPED,
        "publish": {
            **SLICED,
            "columns": [[text] for text in [*KNOWN, "disease"]],
            "suppress": "similar",
        },
    },
}


@pytest.mark.sampled
@pytest.mark.parametrize("way", WAYS)
@examples(1, 20)
@given(rows=st.lists(people, min_size=6, max_size=14), known=st.sets(st.sampled_from(KNOWN)))
def test_who_is_in_the_source_is_not_called_absent(
    way: str, rows: list[Row], known: set[str]
) -> None:
    """But for those whose records were left out, who are in no release."""
    spec: dict[str, Any] = {
        "source": {"table": "t"},
        "release": "public",
        "quasi_identifiers": KNOWN,
        "sensitive": ["disease"],
        "privacy": {"k": 2},
        "method": "stack_and_deal",
        "seed": 3,
        **WAYS[way],
    }
    on = sorted(known & set(spec["quasi_identifiers"])) or None
    with database() as connection:
        make_table(connection, "t", TYPES, [(at // 2, *row) for at, row in enumerate(rows)])
        try:
            made = sqlanon.anonymize(sqlanon.parse_spec(spec), connection=connection)
        except InfeasibleError:
            return
        left_out = len(rows) - (made.measure("records") or 0)
        found = sqlanon.attack("public", external="t", on=on, connection=connection)
        assert (found.value("membership_absent_share") or 0) <= left_out / len(rows) + 1e-9
        if "publish" in WAYS[way]:
            told = sqlanon.attack("public", source="t", on=on, connection=connection)
            assert (told.value("membership_fewest_groups") or 0) >= 1
            assert "fit no group" not in told.notes["membership"]
        sqlanon.utility("public", source="t", connection=connection)
