"""Transforms of several columns at once: records swapped, and noise that keeps correlations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle.joint import bell, drawn, factor, noised, swapped
from servers import SPARK_LATER, Place, place
from support import DEALT, Connection, database, examples, make_table

import sqlanon
from sqlanon.errors import InfeasibleError, SpecError
from sqlanon.transforms.joint import MOST_DRAWN, VARIANCE_DRAWN

KEY = "a key of pairs that is long enough, 8101"
HOW = {"env": "PAIRS"}
COLUMNS = {
    "id": "varchar",
    "age": "integer",
    "region": "varchar",
    "pay": "decimal(9,2)",
    "tax": "integer",
    "job": "varchar",
    "debt": "bigint",
    "ill": "integer",
}
SWAPPED = ("pay", "job")
NOISED = ("debt", "tax", "pay")  # debt is twice the tax: their covariances are singular


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAIRS", KEY)


def swap(
    share: Any, columns: Any = SWAPPED, within: Any = ("region",), rare: Any = ()
) -> dict[str, Any]:
    return {"columns": columns, "within": within, "rare": rare, "share": share, "key": HOW}


def noise(share: Any, columns: Any = NOISED) -> dict[str, Any]:
    return {"columns": columns, "share": share, "key": HOW}


def spec(**declared: Any) -> dict[str, Any]:
    return {
        "release": "public",
        "key": "id",
        "quasi_identifiers": ["age", "region"],
        "sensitive": ["ill"],
        "insensitive": {name: {"accept": "a test"} for name in ("pay", "tax", "job", "debt")},
        "privacy": {"k": 1},
        "seed": 1,
        **DEALT,
        **declared,
    }


def record(i: int, region: Any, pay: Any, tax: Any, job: Any) -> tuple[Any, ...]:
    """A record whose sensitive value is its place, by which it is found in the release."""
    return f"é{i:04}", i % 3, region, pay, tax, job, None if tax is None else 2 * tax, i


def table(number: int = 60) -> list[tuple[Any, ...]]:
    return [
        record(
            i,
            ["É", "e", None, "Z"][i * i % 7 % 4],
            None if i % 13 == 4 else Decimal(i * 7919 % 1009 - 300).scaleb(-2),
            None if i % 17 == 5 else i * 7919 % 1009 * 3 + i % 50,
            ["", "b", "B", "ä", None][i % 5],
        )
        for i in range(number)
    ]


def released(
    connection: Connection, rows: Sequence[tuple[Any, ...]], **declared: Any
) -> list[tuple[Any, ...]]:
    make_table(connection, "t", COLUMNS, rows)
    sqlanon.anonymize("t", connection=connection, **spec(**declared)).close()
    return connection.execute("select pay, tax, job, debt from public order by ill").fetchall()


def expected_swap(
    rows: Sequence[tuple[Any, ...]], share: str, within: bool, rare: bool = False
) -> list[tuple[Any, ...]]:
    agreeing = " that agree in region" if within else ""
    agreeing += ", the rarest in age and tax first" if rare else ""
    label = f"swap|pay, job|swapped between up to {share} of the records{agreeing}"
    names = [row[0] for row in rows]
    draws = [drawn(KEY, f"{label}, pay and job together", name) for name in names]
    cells = [row[2] if within else None for row in rows]
    tuples = [(row[3], row[5]) for row in rows]
    rarities = [(row[1], row[4]) for row in rows] if rare else []
    return swapped(tuples, cells, Fraction(share), draws, names, rarities)


def units(rows: Sequence[tuple[Any, ...]]) -> list[list[int | None]]:
    pays = [None if row[3] is None else int(row[3] * 100) for row in rows]
    return [[row[6] for row in rows], [row[4] for row in rows], pays]


def expected_noise(rows: Sequence[tuple[Any, ...]], share: str) -> list[tuple[Any, ...]]:
    says = (
        f"with noise of {share} of its standard deviation added, as correlated as debt, tax and pay"
    )
    draws = [
        [drawn(KEY, f"correlated_noise|{name}|{says} are", row[0]) for row in rows]
        for name in NOISED
    ]
    debts, taxes, pays = noised(units(rows), Fraction(share), draws)
    shown = [None if pay is None else Decimal(pay).scaleb(-2) for pay in pays]
    return list(zip(shown, taxes, debts, strict=True))


drawn_rows = st.lists(
    st.tuples(
        st.sampled_from(["a", "É", None]),
        st.one_of(st.none(), st.integers(-(10**4), 10**4).map(lambda one: Decimal(one).scaleb(-2))),
        st.one_of(st.none(), st.integers(-(10**6), 10**6), st.just(7)),
        st.sampled_from(["", "b", None]),
    ),
    min_size=1,
    max_size=20,
).map(lambda rows: [record(i, *row) for i, row in enumerate(rows)])


@examples(1, 25)
@given(drawn_rows, st.sampled_from(["0.05", "0.3", "1/3", "1"]), st.booleans(), st.booleans())
def test_records_that_agree_swap(rows: list[Any], share: str, within: bool, rare: bool) -> None:
    """Tuples stay what they are, together and where records agree; as many move as may."""
    with database() as connection:
        cells, rarest = ("region",) if within else (), ("age", "tax") if rare else ()
        declared = swap(share, within=cells, rare=rarest)
        found = [(pay, job) for pay, _, job, _ in released(connection, rows, swap=declared)]
    assert found == expected_swap(rows, share, within, rare)
    before = [((row[3], row[5]), row[2] if within else None) for row in rows]
    after = [(one, cell) for one, (_, cell) in zip(found, before, strict=True)]
    assert Counter(after) == Counter(before)
    moved = sum(one != other for one, other in zip(after, before, strict=True))
    assert moved <= Fraction(share) * len(rows)


@examples(1, 25)
@given(drawn_rows, st.sampled_from(["0.05", "1/3", "1"]))
def test_noise_is_what_is_drawn(rows: list[Any], share: str) -> None:
    """NULL stays NULL, one record and a constant column stay as they are."""
    with database() as connection:
        found = released(connection, rows, noise=noise(share))
    assert [(pay, tax, debt) for pay, tax, _, debt in found] == expected_noise(rows, share)


@pytest.fixture(params=SPARK_LATER)
def there(request: pytest.FixtureRequest, urls: Mapping[str, str]) -> Iterator[Place]:
    with place(request.param, urls) as found:
        yield found


@pytest.mark.further
@pytest.mark.slow
def test_every_engine_swaps_and_draws_alike(there: Place) -> None:
    rows = table()
    there.make_table("t", COLUMNS, rows)
    declared = spec(
        swap=[swap("0.3", ("job",))], noise=[noise("0.2")], source="t", sensitive=["ill"]
    )
    parsed = sqlanon.parse_spec(declared)
    release = sqlanon.anonymize(parsed, connection=there.connection)
    names, found = there.read("public")
    shown = sorted(({name: row[names.index(name)] for name in names} for row in found), key=_place)
    label = "swap|job|swapped between up to 0.3 of the records that agree in region"
    ids = [row[0] for row in rows]
    draws = [drawn(KEY, label, name) for name in ids]
    jobs = swapped([row[5] for row in rows], [row[2] for row in rows], Fraction("0.3"), draws, ids)
    assert [entry["job"] for entry in shown] == jobs
    made = expected_noise(rows, "0.2")
    assert [(entry["pay"], entry["tax"], entry["debt"]) for entry in shown] == made
    changed = sum(one != row[4] for (_, one, _), row in zip(made, rows, strict=True)) / len(rows)
    assert release.measure("changed_share", "tax") == pytest.approx(changed, abs=1e-9)
    assert not {relation for relation in there.relations() if relation.startswith("sqlanon")}
    assert sqlanon.check("public", spec=parsed, connection=there.connection).passed


def _place(row: Mapping[str, Any]) -> int:
    return int(row["ill"])


@pytest.mark.slow
def test_many_records_keep_means_and_correlations() -> None:
    number, share = 20_000, 0.25
    with database() as connection:
        connection.execute(
            "create table t as select 'é' || i as id, i % 3 as age, 'r' || i % 5 as region, "
            "cast(hash(i) % 100000 / 100 as decimal(9, 2)) as pay, "
            "cast(hash(i) % 100000 / 10 + hash(-i) % 3000 as integer) as tax, "
            f"'x' as job, 0 as debt, i % 2 as ill from range({number}) as n(i)"
        )
        figures = (
            "select avg(pay), avg(tax), stddev_pop(pay), stddev_pop(tax), corr(pay, tax) from "
        )
        before = connection.execute(figures + "t").fetchall()[0]
        sqlanon.anonymize("t", connection=connection, **spec(noise=noise(share))).close()
        after = connection.execute(figures + "public").fetchall()[0]
    for mean in (0, 1):  # five standard errors of the noise's mean
        assert abs(after[mean] - before[mean]) < 5 * share * before[mean + 2] / number**0.5
    for deviation in (2, 3):  # 1 + share², of what few records chance to draw
        assert after[deviation] / before[deviation] == pytest.approx(
            (1 + share**2) ** 0.5, abs=0.01
        )
    assert before[4] == pytest.approx(0.96, abs=0.02)
    assert after[4] == pytest.approx(before[4], abs=0.002)


def test_what_is_drawn_is_even_about_0_and_has_the_variance_that_is_told() -> None:
    assert (bell(0), bell(2**48 - 1)) == (-MOST_DRAWN, MOST_DRAWN)
    for number in (0, 1, 2**47 + 12345, 0x123456789ABC):
        assert bell(2**48 - 1 - number) == -bell(number)
    piece = Fraction(sum((2 * one - 4095) ** 2 for one in range(4096)), 4 * 4096)
    assert 4 * piece == VARIANCE_DRAWN


def test_the_factor_gives_the_covariances_back() -> None:
    rows = table(500)
    columns = [
        [one or 0 for one in column]
        for column in units([row for row in rows if None not in row[3:5]])
    ]
    made = factor([*columns, [5] * len(columns[0])])
    assert made[1][1] == 0  # a multiple of another column has no draw of its own
    assert made[3] == [0.0] * 4
    spans = [max(column) - min(column) for column in columns]
    for i, entry in enumerate(columns):
        for j, other in enumerate(columns):
            given_back = sum(a * b for a, b in zip(made[i], made[j], strict=True))
            scaled = given_back * spans[i] * spans[j] / 2**48
            assert scaled == pytest.approx(_covariance(entry, other), rel=1e-5)


def _covariance(one: Sequence[int], other: Sequence[int]) -> float:
    size = len(one)
    products = sum(a * b for a, b in zip(one, other, strict=True))
    return products / size - sum(one) * sum(other) / size**2


def test_own_transforms_come_after_and_columns_are_held_as_they_were() -> None:
    insensitive = {
        "debt": {"accept": "a test"},
        "pay": {"accept": "a test"},
        "tax": {"accept": "a test", "transform": {"bottom": 0}},
        "job": {"accept": "a test", "transform": {"mask": 0}},
    }
    rows = table()
    with database() as connection:
        declared: dict[str, Any] = {"swap": swap("0.5", "job"), "noise": noise("1")}
        found = released(connection, rows, insensitive=insensitive, **declared)
    taxes = [None if tax is None else max(tax, 0) for _, tax, _ in expected_noise(rows, "1")]
    assert [tax for _, tax, _, _ in found] == taxes
    assert {job for _, _, job, _ in found} <= {"", "*", None}


def test_a_noisy_copy_of_a_quasi_identifier_is_held_as_it_was() -> None:
    rows = [record(i, "a", None, i % 20, "x") for i in range(400)]
    rows = [(row[0], row[4], *row[2:]) for row in rows]
    declared: dict[str, Any] = {"insensitive": {"tax": {}}, "noise": noise("0.1", "tax")}
    with database() as connection, pytest.raises(InfeasibleError, match="determined_share"):
        released(connection, rows, **declared)


# --- what is refused -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("declared", "message"),
    [
        ({"swap": swap("0.1", "jop")}, "swap.0.columns: 'jop' is neither .* did you mean 'job'"),
        ({"swap": swap("0.1", "age")}, "swap.0.columns: 'age' is a quasi-identifier"),
        ({"swap": swap("0.1", [])}, "swap.0.columns: it must not be empty"),
        ({"swap": swap("0.1", ["job", "job"])}, "named twice"),
        ({"swap": [swap("0.1", "job"), swap("0.2", "job")]}, "swap.1.columns: 'job' is named in"),
        ({"swap": swap("0.1", "tax"), "noise": noise("0.1")}, "noise.0.columns: 'tax' is named in"),
        ({"swap": swap("0.1", within="zone")}, "swap.0.within: 'zone' is neither"),
        ({"swap": swap("0.1", within="job")}, "swap.0.within: 'job' is changed by swap.0"),
        ({"swap": swap("0.1", within=["age", "age"])}, "swap.0.within: 'age' is named twice"),
        ({"swap": swap("0.1", "job", "tax"), "noise": noise("1")}, "'tax' is changed by noise.0"),
        ({"swap": swap("0.1", rare="zone")}, "swap.0.rare: 'zone' is neither"),
        ({"swap": swap(0)}, "swap.0.share: it must be greater than 0"),
        ({"noise": noise("1.1")}, "noise.0.share: it must be less than or equal to 1"),
        ({"noise": {"columns": "tax", "share": 1}}, "noise.0.key: it is missing"),
        ({"noise": {**noise(1), "shares": 1}}, "noise.0.shares: unknown key; did you mean 'share'"),
        ({"noise": "tax"}, "noise.0: it must be a list of mappings such as"),
        ({"noise": noise(1, ["job", "tax"])}, "noise.0.columns: 'job': it needs whole numbers"),
        ({"swap": swap("0.1"), "key": [], "person": "id"}, "swap.0: .* declare the columns"),
        ({"swap": swap("0.1", "ill"), "sensitive": {"ill": {"l": 2}}}, "different values of equal"),
        (
            {
                "swap": swap("0.1", "job", "age"),
                "insensitive": {"job": {"transform": {"rank_swap": {"within": 1, "key": HOW}}}},
            },
            "swap.0.columns: 'job' has the transform rank_swap",
        ),
        (
            {"noise": noise(1), "choose": {"privacy_weight": 0.5}},
            "k is chosen by releases on trial, which are given no key",
        ),
        ({"noise": {**noise(1), "key": {"env": "NOT_SET"}}}, "noise.0.key: .* not set"),
    ],
)
def test_what_does_not_fit_is_refused(declared: dict[str, Any], message: str) -> None:
    with database() as connection, pytest.raises(SpecError, match=message):
        released(connection, table(6), **declared)


def test_types_that_do_not_fit_are_refused() -> None:
    with database() as connection:
        connection.execute(
            "create table t as select 'r' || i as id, i % 3 as age, 'a' as region, "
            "cast(i as decimal(20, 2)) as pay, i / 3e0 as tax, cast(i as tinyint) as job, "
            "0 as debt, i % 2 as ill from range(100) as n(i)"
        )
        for column, message in (
            ("pay", r"'pay': it needs decimals of at most 18 digits"),
            ("tax", r"'tax': it needs whole numbers or decimals"),
            ("job", r"noise may take \d+ values of job out of TINYINT"),
        ):
            with pytest.raises(sqlanon.SqlanonError, match=message):
                sqlanon.anonymize("t", connection=connection, **spec(noise=noise("1", column)))
        declared = spec(swap=swap("0.1", "job", "tax"))
        with pytest.raises(SpecError, match=r"swap.0.within: 'tax': it needs text"):
            sqlanon.anonymize("t", connection=connection, **declared)


def test_a_key_is_beside_its_spec(tmp_path: Path) -> None:
    (tmp_path / "pairs.key").write_text(KEY)
    declared = spec(swap=swap("0.2"), source="t")
    declared["swap"]["key"] = {"file": "pairs.key"}
    parsed = sqlanon.parse_spec(declared, folder=tmp_path)
    assert parsed.swap[0].key.file == tmp_path / "pairs.key"
    rows = table(40)
    with database() as connection:
        make_table(connection, "t", COLUMNS, rows)
        sqlanon.anonymize(parsed, connection=connection).close()
        found = connection.execute("select pay, job from public order by ill").fetchall()
    assert found == expected_swap(rows, "0.2", within=True)


def test_numbers_that_noise_cannot_count_are_refused() -> None:
    with database() as connection:
        connection.execute(
            "create table t as select i as id, i % 3 as age, i % 2 as ill, "
            "cast(i || repeat('0', 20) as decimal(38, 0)) as far from range(30) as n(i)"
        )
        declared = {"quasi_identifiers": ["age"], "insensitive": {"far": {"accept": "a test"}}}
        message = r"noise\.0\.columns: noise of far may take 29 values beyond 64 bits: make them"
        with pytest.raises(SpecError, match=message):
            sqlanon.anonymize("t", connection=connection, **spec(**declared, noise=noise(1, "far")))
