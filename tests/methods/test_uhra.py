"""UHRA against plain Python, and what it keeps whatever the records are."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import chain, combinations
from typing import Any

import oracle.background as known_beforehand
import oracle.uhra as oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import database, examples, make_table, quoted, slow

import sqlanon
from sqlanon.errors import InfeasibleError, SpecError
from sqlanon.spec import parse_spec

pytestmark = pytest.mark.slow

COLUMNS = {"id": "integer", "age": "integer", "sex": "varchar", "disease": "varchar"}
UNITS = 500_000_000  # the share of each of two quasi-identifiers in the loss
DECLARED: dict[str, Any] = {
    "quasi_identifiers": ["age", "sex"],
    "sensitive": {
        "disease": {
            "background": {"estimate": {"by": ["age", "sex"], "smoothing": "3/2"}},
            "bk": "0.1",
            "t": "0.4",
        }
    },
    "insensitive": {"id": {"accept": "a test finds the records by it"}},
    "privacy": {"k": 2},
    "suppression": {"records": "99/100"},
    "method": "uhra",
    "seed": 1,
}
Row = tuple[int | None, str | None, str | None]
ROWS = st.lists(
    st.tuples(
        st.sampled_from([20, 21, 30, 34, 40, 57, None]),
        st.sampled_from(["F", "M", None, "o'Ünknown"]),
        st.sampled_from(["flu", "cold", None]),
    ),
    min_size=1,
    max_size=45,
)
Classes = list[Counter[Row]]


def declared(k: int, j: str, t: str, **fields: Any) -> dict[str, Any]:
    sensitive = {"disease": {**DECLARED["sensitive"]["disease"], "bk": j, "t": t}}
    return {**DECLARED, "sensitive": sensitive, "privacy": {"k": k}, **fields}


def released(rows: Sequence[Row], fields: dict[str, Any]) -> tuple[sqlanon.Release, Classes]:
    """A release, and the records of each of its classes: those that are published alike."""
    records = [(number, *row) for number, row in enumerate(rows)]
    with database() as connection:
        make_table(connection, "t", COLUMNS, records)
        made = sqlanon.anonymize("t", connection=connection, **fields, release=quoted("out"))
        names = [one[0] for one in connection.execute("describe out").fetchall()]
        shown = ", ".join(name for name in names if name not in ("id", "disease"))
        classes: dict[Any, Counter[Row]] = defaultdict(Counter)
        for number, *cells in connection.execute(f"select id, {shown} from out").fetchall():
            classes[tuple(cells)][rows[number]] += 1
        made.close()
    return made, list(classes.values())


def first(value: Any) -> tuple[bool, Any]:
    """NULL comes before all values."""
    return value is not None, value if value is not None else 0


def expected(
    rows: Sequence[Row], k: int, j: str, t: str, over_table: bool = False
) -> tuple[Classes, int]:
    """The classes by the oracle, those that are published alike as one, and how many it leaves.

    Over the table none where two that are published alike differ too much together.
    """
    known: dict[Any, Any] = known_beforehand.m_estimate(
        [((a, s), d) for a, s, d in rows], Fraction(3, 2)
    )
    profiles: list[Any] = []
    for one in sorted(known, key=lambda u: (first(u[0]), (u[1] is not None, u[1] or ""))):
        if known[one] not in profiles:
            profiles.append(known[one])
    most = int(Fraction(j) * 10**9)
    clusters = known_beforehand.complete_linkage(profiles, most)
    ages = [age for age, _, _ in rows if age is not None]
    sexes = sorted({sex for _, sex, _ in rows}, key=lambda one: (one is not None, one or ""))

    def point(age: int | None, sex: str | None) -> tuple[int, int]:
        length = max(ages, default=0) - min(ages, default=0)
        along = 0 if age is None or not length else (age - min(ages)) / length * UNITS + 0.5
        among = 0.0 if len(sexes) == 1 else sexes.index(sex) / (len(sexes) - 1) * UNITS + 0.5
        return int(along), int(among)

    kinds = sorted(
        set(rows),
        key=lambda row: (first(row[0]), sexes.index(row[1]), (row[2] is not None, row[2] or "")),
    )
    cells = {row: oracle.Cell(index, point(*row[:2]), row[2]) for index, row in enumerate(kinds)}
    row_of = {cell.place: row for row, cell in cells.items()}
    share = {value: Fraction(n, len(rows)) for value, n in Counter(r[2] for r in rows).items()}

    def meets(values: Sequence[Any]) -> bool:
        if len(values) < k:
            return False
        held = Counter(values)
        gone = sum(abs(Fraction(held[text], len(values)) - p) for text, p in share.items())
        return gone / 2 <= Fraction(t)

    members = [
        [cells[row] for row in rows if profiles.index(known[row[:2]]) in cluster]
        for cluster in clusters
    ]

    def profile(cell: oracle.Cell) -> int:
        return profiles.index(known[row_of[cell.place][:2]])

    def too_far(held: Iterable[int]) -> bool:
        pairs = combinations(set(held), 2)
        return any(known_beforehand.billionths(profiles[a], profiles[b]) > most for a, b in pairs)

    if over_table:
        every = [
            replace(projection, value=(projection.value, profile(projection)))
            for projection in chain(*members)
        ]
        found, out = oracle.over_table(
            oracle.nearest_next(every, lambda cell: row_of[cell.place][:2]),
            lambda held: meets([one for one, _ in held]) and not too_far(one for _, one in held),
        )
    else:
        found, out = oracle.utility(
            members, lambda cell: row_of[cell.place][:2], meets, 2 * 2 * (UNITS + 1)
        )
    alike: dict[Any, Counter[Row]] = defaultdict(Counter)
    for one in found:
        held = Counter({row_of[cell.place]: times for cell, times in one.items()})
        lows = [age for age, _, _ in held if age is not None]
        box = min(lows, default=None), max(lows, default=None), any(a is None for a, _, _ in held)
        alike[box, frozenset(sex for _, sex, _ in held)] += held
    shown = list(alike.values())
    if over_table and any(too_far(profiles.index(known[r[:2]]) for r in one) for one in shown):
        return [], 0
    return shown, out


def as_set(classes: Classes) -> Counter[Any]:
    return Counter(frozenset(one.items()) for one in classes)


@examples(3, 80)
@given(
    rows=ROWS,
    k=st.sampled_from([1, 2, 3, 5]),
    j=st.sampled_from(["0.02", "0.1", "1"]),
    t=st.sampled_from(["0.1", "0.4", "1"]),
)
def test_the_classes_are_the_oracles(rows: list[Row], k: int, j: str, t: str) -> None:
    """So is what is left out; and every class keeps k, t and J."""
    if k > len(rows):
        return
    classes, out = expected(rows, k, j, t)
    if not classes or out * 100 > len(rows) * 99:
        with pytest.raises(InfeasibleError):
            released(rows, declared(k, j, t))
        return
    made, found = released(rows, declared(k, j, t))
    assert as_set(found) == as_set(classes)
    assert made.measure("suppressed_records") == out


@examples(3, 80)
@given(
    rows=ROWS,
    k=st.sampled_from([1, 2, 3, 5]),
    j=st.sampled_from(["0.02", "0.1", "1"]),
    t=st.sampled_from(["0.1", "0.4", "1"]),
)
def test_classes_over_the_whole_table(rows: list[Row], k: int, j: str, t: str) -> None:
    """As BKA-JS grows them; every class that a reader sees keeps k, t and J whatever comes."""
    classes, out = expected(rows, k, j, t, over_table=True)
    method = {"name": "uhra", "scope": "table", "rounds": 0}
    try:
        made, found = released(rows, declared(k, j, t, method=method))
    except InfeasibleError:
        assert not classes or out * 100 > len(rows) * 99
        return
    j_reached = made.measure("background_knowledge", "disease")
    assert j_reached is not None
    assert j_reached <= float(j)
    if classes:
        assert as_set(found) == as_set(classes)
        assert made.measure("suppressed_records") == out


def drawn(number: int) -> Sequence[Row]:
    """Records of which no two clusters are alike, drawn by arithmetic."""
    return [
        (20 + i * 7919 % 41, "FM"[i * 31 % 2], "flu" if i * 104_729 % 97 < 45 else "cold")
        for i in range(number)
    ]


@pytest.mark.further
@pytest.mark.parametrize(
    "settings", [{"order": "curve"}, {"scope": "table"}, *slow({"block": 7}, {"rounds": 0})]
)
def test_what_is_chosen_changes_no_promise(settings: dict[str, Any]) -> None:
    rows = drawn(300)
    fields = declared(4, "0.3", "0.3", method={"name": "uhra", **settings})
    made, classes = released(rows, fields)
    assert min(one.total() for one in classes) >= 4
    left = made.measure("suppressed_records")
    assert left is not None
    assert left + sum(one.total() for one in classes) == 300
    t = made.measure("t_closeness", "disease")
    assert t is not None
    assert t <= 0.3


def test_where_nothing_else_is_asked_every_point_is_a_class() -> None:
    rows = [*drawn(40), *drawn(3)]
    made, classes = released(rows, declared(1, "0.5", "1"))
    assert made.measure("gcp") == 0
    assert len(classes) == len({row[:2] for row in rows})


@pytest.mark.further
@pytest.mark.slow
def test_moving_records_loses_less() -> None:
    """Records that are left go to the first class; then they move to nearer ones."""
    rows = drawn(300)
    still = declared(4, "1", "0.2", method={"name": "uhra", "rounds": 0})
    kept, moved = released(rows, still)[0], released(rows, declared(4, "1", "0.2"))[0]
    after, before = moved.measure("gcp"), kept.measure("gcp")
    assert after is not None
    assert before is not None
    assert after < before


def test_what_no_class_takes_is_refused_or_counted() -> None:
    """Two who are known for one value each: J keeps them apart from the others, k from a class."""
    rows: Sequence[Row] = [(20 + i % 2, "F", "flu") for i in range(10)] + [(90, "M", "cold")]
    asked = declared(2, "0.05", "1")
    made, _ = released(rows, asked)
    assert made.measure("suppressed_records") == 1
    with pytest.raises(InfeasibleError) as caught:
        released(rows, {key: value for key, value in asked.items() if key != "suppression"})
    assert "1 records of 1 clusters of alike background are left" in str(caught.value)
    assert "or allow records to be suppressed" in str(caught.value)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        (
            {"sensitive": {"disease": {"t": 0.3}}},
            "clusters of records: declare a background",
        ),
        ({"method": {"name": "uhra", "order": "nearer"}}, "method.order"),
        ({"method": {"name": "uhra", "block": 1}}, "method.block"),
        ({"method": {"name": "uhra", "limit": 1}}, "method.limit: unknown key"),
    ],
    ids=str,
)
def test_what_does_not_go_together_is_refused(fields: dict[str, Any], said: str) -> None:
    with pytest.raises(SpecError) as caught:
        parse_spec({"source": {"table": "t"}, "release": "r", **DECLARED, **fields})
    assert said in str(caught.value)
