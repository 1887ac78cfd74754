"""Split-or-Deal on Adult by default: how little it loses, as the published table shows."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest
from support import data_set, database

import sqlanon

PERSONS = 30_162
TASKS = {
    "A": (
        [
            *("sex", "age", "race", "marital-status"),
            *("education", "native-country", "workclass", "salary-class"),
        ],
        "occupation",
    ),
    "B": (["age", "sex", "education"], "salary-class"),
    "C": (["age", "sex", "education", "race", "native-country"], "occupation"),
}


class Cell(NamedTuple):
    """A task, what is asked of it, and the GCP that must not be exceeded."""

    task: str
    k: int
    t: str | None
    publish: str
    most: float


LEVELS = ("0.3", "0.2", "0.1", "0.05")
CELLS = [
    *(
        Cell("A", 5, t, "lca", most)
        for t, most in zip(LEVELS, (0.225, 0.305, 0.40, 0.46), strict=True)
    ),
    *(
        Cell("B", 5, t, "lca", most)
        for t, most in zip(LEVELS, (0.03, 0.105, 0.19, 0.205), strict=True)
    ),
    *(
        Cell("C", 5, t, "lca", most)
        for t, most in zip(LEVELS, (0.15, 0.24, 0.33, 0.37), strict=True)
    ),
    *(
        Cell("A", 5, t, "set", most)
        for t, most in zip(LEVELS, (0.165, 0.235, 0.31, 0.365), strict=True)
    ),
    *(Cell("A", k, None, "lca", most) for k, most in ((5, 0.027), (10, 0.042))),
    *(Cell("B", k, None, "lca", most) for k, most in ((5, 0.0014), (10, 0.0034))),
    *(Cell("C", k, None, "lca", most) for k, most in ((5, 0.0112), (10, 0.0175))),
    *(Cell("A", k, None, "set", most) for k, most in ((5, 0.0165), (10, 0.0305))),
]


# What the gate looks at: each task with a t and one without, either form, strict and lenient.
GATED = {
    *(("A", 5, "0.3", "set"), ("B", 5, "0.1", "lca"), ("C", 5, "0.05", "lca")),
    ("B", 10, None, "lca"),
}


def marked(cell: Cell) -> Any:
    """The cell with its marks and its name."""
    further = [pytest.mark.further] * (cell[:4] not in GATED)
    return pytest.param(cell, marks=[pytest.mark.slow, *further], id="-".join(map(str, cell)))


def test_the_gate_looks_at_cells_of_the_table() -> None:
    assert {cell[:4] for cell in CELLS} >= GATED


@pytest.mark.further
@pytest.mark.parametrize("cell", [marked(cell) for cell in CELLS])
def test_loss_is_within_the_bound(cell: Cell) -> None:
    source = data_set("csv/arx_adult.csv")
    folder = source.parent.parent / "hierarchies"
    columns, sensitive = TASKS[cell.task]
    quasi_identifiers: dict[str, dict[str, str]] = {name: {} for name in columns}
    for name, settings in quasi_identifiers.items():
        if name != "age":
            settings["hierarchy"] = str(folder / f"arx_adult_hierarchy_{name}.csv")
        if cell.publish == "set":
            settings["publish"] = "set"
    with database() as connection:
        release = sqlanon.anonymize(
            source,
            release="published",
            connection=connection,
            quasi_identifiers=quasi_identifiers,
            sensitive={sensitive: {} if cell.t is None else {"t": cell.t}},
            k=cell.k,
            method="split_or_deal",
        )
        release.close()
        found = sqlanon.check(
            {"table": "published"},
            reference=source,
            connection=connection,
            quasi_identifiers=columns,
            sensitive={sensitive: {"t": cell.t or 1}},
            k=cell.k,
        )
        assert found.passed
        assert connection.execute("select count(*) from published").fetchall() == [(PERSONS,)]
        loss = release.measure("gcp")
        print(f"{cell}: GCP {loss:.4f} in {release.seconds:.1f} s")
        assert loss is not None
        assert loss <= cell.most
