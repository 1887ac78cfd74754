"""Transforms of a column: what they make is worked out here once more, on every engine."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import Phase, given
from hypothesis import strategies as st
from servers import ENGINES, SPARK_LATER, Place, place
from support import DEALT, Connection, database, examples, make_table

import sqlanon
from sqlanon.cli.main import cli
from sqlanon.dbt import write_models
from sqlanon.engines import DuckDBEngine
from sqlanon.errors import InfeasibleError, SpecError

KEY = "a key of noise that is long enough, 4711"
COLUMNS = {
    "id": "varchar",
    "age": "integer",
    "pay": "decimal(9,2)",
    "visits": "bigint",
    "code": "varchar",
    "born": "date",
    "seen": "date",
    "disease": "varchar",
}
HOW = {"env": "NOISE"}
ACCEPTED = {"accept": "a test"}
SHIFTED = "date_shift|shifted by up to {} days, the same for all dates of a person"


def rows() -> list[tuple[Any, ...]]:
    found: list[tuple[Any, ...]] = [
        (
            f"né{i}",
            i % 7,
            Decimal(i * 9973 % 40_000 - 15_000).scaleb(-2),
            i * 31 % 90 - 40,
            ["Zürich", "ab", "", "abc", "日本語"][i % 5],
            date(1960, 1, 1) + timedelta(i * 97),
            date(2020, 2, 27) + timedelta(i),
            "xyz"[i % 3],
        )
        for i in range(36)
    ]
    return [*found, ("none", 3, None, None, None, None, None, "x")]


def spec(**declared: Any) -> dict[str, Any]:
    return {
        "release": "public",
        "key": "id",
        "quasi_identifiers": ["age"],
        "sensitive": ["disease"],
        "privacy": {"k": 3},
        "seed": 1,
        **DEALT,
        **declared,
    }


def changed(*transforms: dict[str, Any]) -> dict[str, Any]:
    return {**ACCEPTED, "transform": list(transforms)}


# Two columns at a time could be told apart by nothing: each is released beside `disease` alone.
TRANSFORMED: dict[str, dict[str, Any]] = {
    "pay": changed({"noise": {"share": "0.125", "key": HOW}}, {"bands": "2.5"}),
    "visits": changed({"noise": {"within": 6, "key": HOW}}, {"top": 40}),
    "code": changed({"mask": 2}),
    "born": changed({"date_shift": {"days": 9, "key": HOW}}),
    "seen": changed({"date_shift": {"days": 9, "key": HOW}}, {"bottom": "2020-03-01"}),
}


# --- the oracle ----------------------------------------------------------------------------------


def drawn(label: str, name: str, most: int) -> int:
    """A whole number from -most to most: the share of the first 48 bits of an HMAC."""
    digest = hmac.new(KEY.encode(), f"{label}|{name}".encode(), hashlib.sha256).hexdigest()
    return (int(digest[:12], 16) * (2 * most + 1) >> 48) - most


def _floor(value: Any, step: Any) -> Any:
    """The greatest multiple of a step that is not above a value."""
    rest = value % step
    return value - (rest + step if rest < 0 else rest)


def by_python(row: tuple[Any, ...]) -> tuple[Any, ...]:
    name, _, pay, visits, code, born, seen, _ = row
    if pay is None:
        return (None,) * 5
    cent, share = (
        Decimal("0.01"),
        Decimal(drawn("noise|pay|multiplied by noise within 0.125 of 1", name, 125)) / 1000,
    )
    pay += (pay * share).quantize(cent, ROUND_HALF_UP)
    low = _floor(pay, Decimal("2.50"))
    shift = timedelta(drawn(SHIFTED.format(9), name, 9))
    return (
        f"[{low:.2f}, {low + Decimal('2.5'):.2f})",
        min(visits + drawn("noise|visits|with noise within 6 added", name, 6), 40),
        code[:2] + "*" * (len(code) - 2),
        born + shift,
        max(seen + shift, date(2020, 3, 1)),
    )


@pytest.fixture(autouse=True)
def noise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOISE", KEY)


@pytest.fixture(params=ENGINES)
def there(request: pytest.FixtureRequest, urls: Mapping[str, str]) -> Iterator[Place]:
    with place(request.param, urls) as found:
        yield found


@pytest.fixture
def connection() -> Iterator[Connection]:
    with database() as made:
        make_table(made, "people", COLUMNS, rows())
        yield made


@pytest.mark.slow
@pytest.mark.parametrize("there", SPARK_LATER, indirect=True)
def test_every_engine_transforms_alike(there: Place) -> None:
    there.make_table("people", COLUMNS, rows())
    declared = spec(insensitive=TRANSFORMED)
    sqlanon.anonymize("people", connection=there.connection, **declared).close()
    names, found = there.read("public")
    assert names == ("age", "disease", *TRANSFORMED)
    expected = [(row[7], *by_python(row)) for row in rows()]
    assert Counter(row[1:] for row in found) == Counter(expected)
    assert not {relation for relation in there.relations() if relation.startswith("sqlanon")}
    measured = sqlanon.check(
        "public",
        spec=sqlanon.parse_spec({**declared, "source": "people"}),
        connection=there.connection,
    )
    assert measured.passed
    metrics = {(metric.metric, metric.attribute): metric.value for metric in measured.measures}
    both = [(row, by_python(row)) for row in rows()]
    for place_, name in enumerate(TRANSFORMED):
        share = sum(row[place_ + 2] != shown[place_] for row, shown in both) / len(both)
        assert metrics["changed_share", name] == pytest.approx(share, abs=1e-9)
    moved = [abs((row[5] - shown[3]).days) for row, shown in both if row[5]]
    assert metrics["mean_change", "born"] == pytest.approx(sum(moved) / 36, abs=1e-8)
    assert {name for metric, name in metrics if metric == "mean_change"} == {"born"}


def only(connection: Connection, column: str, transform: Any) -> list[Any]:
    declared = spec(insensitive={column: {**ACCEPTED, "transform": transform}})
    sqlanon.anonymize("people", connection=connection, **declared).close()
    return [row[0] for row in connection.execute(f"select {column} from public").fetchall()]


cents = st.integers(-(10**6), 10**6).map(lambda number: Decimal(number).scaleb(-2))


@examples(1, 60, Phase.explicit, Phase.generate)
@given(
    pays=st.lists(st.one_of(st.none(), cents), min_size=3, max_size=9),
    step=st.sampled_from(["0.01", "0.05", "1", "2.5", "1000"]),
)
def test_round_takes_the_nearest_multiple_and_bands_hold_their_values(
    pays: list[Decimal | None], step: str
) -> None:
    size = Decimal(step)
    with database() as connection:
        table = [("n" + str(i), 1, pay, 1, "a", None, None, "x") for i, pay in enumerate(pays)]
        make_table(connection, "people", COLUMNS, table)
        rounded = only(connection, "pay", {"round": step})
        banded = only(connection, "pay", {"bands": step})
    expected = [None if one is None else _floor(one + size / 2, size) for one in pays]
    assert Counter(rounded) == Counter(expected)
    held = Counter(
        None if one is None else f"[{_floor(one, size):.2f}, {_floor(one, size) + size:.2f})"
        for one in pays
    )
    assert Counter(banded) == held


def test_bands_of_whole_numbers_end_before_the_next(connection: Connection) -> None:
    found = only(connection, "visits", {"bands": 10})
    assert set(found) - {None} <= {f"[{low}, {low + 9}]" for low in range(-40, 60, 10)}
    assert Counter(found)["[-40, -31]"] == sum(-40 <= (row[3] or 0) <= -31 for row in rows())


def test_noise_is_unbiased_within_what_was_declared(connection: Connection) -> None:
    connection.execute(
        "create table many as select 'r' || i as id, i % 5 as age, 100 as visits, "
        "cast(100 as decimal(9, 2)) as pay, i % 2 as disease from range(4000) as n(i)"
    )
    added = {"noise": {"within": 10, "key": HOW}}
    multiplied = {"noise": {"share": "0.1", "key": HOW}}
    declared = spec(insensitive={"visits": changed(added), "pay": changed(multiplied)})
    sqlanon.anonymize("many", connection=connection, **declared).close()
    found = connection.execute("select visits, cast(pay as double) from public").fetchall()
    visits, pays = [one for one, _ in found], [one for _, one in found]
    assert (min(visits), max(visits)) == (90, 110)
    assert min(pays) >= 90
    assert max(pays) <= 110
    # five standard errors of a mean of 4,000 even draws from a width of 20
    assert abs(sum(visits) / 4000 - 100) < 5 * 6.06 / 4000**0.5
    assert abs(sum(pays) / 4000 - 100) < 5 * 5.8 / 4000**0.5
    # two columns are drawn apart
    both = sum((one - 100) * (other - 100) for one, other in found) / 4000
    assert abs(both) < 5 * 6.06 * 5.8 / 4000**0.5


def test_all_dates_of_a_person_are_shifted_alike(connection: Connection) -> None:
    connection.execute(
        "create table visits as select i // 3 as who, i as id, i // 3 % 4 as age, "
        "date '2020-01-01' + cast(i as integer) as seen, i % 2 as disease "
        "from range(48) as n(i)"
    )
    shift = {"date_shift": {"days": 400, "key": HOW}}
    declared = spec(person="who", insensitive={"seen": changed(shift)})
    sqlanon.anonymize("visits", connection=connection, **declared).close()
    found = connection.execute("select seen from public order by seen").fetchall()
    expected = [
        date(2020, 1, 1) + timedelta(i + drawn(SHIFTED.format(400), str(i // 3), 400))
        for i in range(48)
    ]
    assert [one for (one,) in found] == sorted(expected)


@pytest.mark.parametrize("named", [{}, {"key": "id"}])
@pytest.mark.parametrize(
    "transform",
    [{"date_shift": {"days": 400, "key": HOW}}, {"pram": {"keep": "0.5", "key": HOW}}],
    ids=["by_person", "by_record"],
)
def test_a_release_of_persons_is_checked_by_the_same_draws(
    connection: Connection, named: dict[str, str], transform: dict[str, Any]
) -> None:
    """Nothing is asked of persons then, and what is drawn by their names stays the same."""
    connection.execute(
        "create table visits as select i as id, i // 3 as who, i % 5 as age, "
        "date '2020-01-01' + cast(i % 9 as integer) as seen, i % 2 as disease "
        "from range(48) as n(i)"
    )
    declared = spec(person="who", insensitive={"seen": changed(transform)}) | {"key": None, **named}
    sqlanon.anonymize("visits", connection=connection, **declared).close()
    with sqlanon.open(connection) as db:
        checked = db.check("public")
    assert (checked.passed, checked.faults) == (True, ())


# --- what counts ---------------------------------------------------------------------------------


def test_models_are_held_in_the_published_values(connection: Connection) -> None:
    """Three values that become one are one: l counts what is shown."""
    connection.execute(
        "create table few as select i as id, i % 2 as age, 30 + i % 3 as pay from range(30) as n(i)"
    )
    declared = spec(sensitive={"pay": {"l": 3}}, quasi_identifiers="age")
    sqlanon.anonymize("few", connection=connection, **declared).close()
    declared["sensitive"] = {"pay": {"l": 2, "transform": {"round": 10}}}
    with pytest.raises(InfeasibleError, match="distinct_l"):
        sqlanon.anonymize("few", connection=connection, **declared)


@pytest.mark.parametrize("transform", ["noise", "date_shift"])
def test_what_is_drawn_cannot_make_a_column_diverse(transform: str) -> None:
    how = {"within": 9} if transform == "noise" else {"days": 9}
    pay = {"transform": {transform: {**how, "key": HOW}}}
    with pytest.raises(SpecError, match="different values of equal ones"):
        sqlanon.parse_spec({**spec(sensitive={"pay": {**pay, "l": 2}}), "source": "t"})
    sqlanon.parse_spec({**spec(sensitive={"pay": pay}), "source": "t"})


def test_noise_hides_no_copy_of_a_quasi_identifier(connection: Connection) -> None:
    """By the values that agree a noisy copy would say nothing: it is held to limits as it was."""
    connection.execute(
        "create table copies as select i as id, i % 20 as age, i % 20 as x, "
        "i % 3 as disease from range(400) as n(i)"
    )
    noise = {"transform": {"noise": {"within": 1, "key": HOW}}}
    tried: tuple[dict[str, Any], ...] = ({"x": {}}, {"x": noise})
    for insensitive in tried:
        with pytest.raises(InfeasibleError, match="determined_share of age by x"):
            sqlanon.anonymize("copies", connection=connection, **spec(insensitive=insensitive))
    coarse = spec(insensitive={"x": {"transform": {"round": 20}}})
    sqlanon.anonymize("copies", connection=connection, **coarse).close()


def test_check_works_the_noise_out_again(connection: Connection) -> None:
    declared = spec(insensitive=TRANSFORMED)
    sqlanon.anonymize("people", connection=connection, **declared).close()
    parsed = sqlanon.parse_spec({**declared, "source": "people"})
    connection.execute("update public set visits = visits + 1 where visits = 40")
    assert not sqlanon.check("public", spec=parsed, connection=connection).passed
    assert connection.execute("select getvariable('sqlanon_secret_1_inner')").fetchall() == [
        (None,)
    ]


@pytest.mark.slow
def test_a_run_records_and_tells_what_was_done(connection: Connection, tmp_path: Path) -> None:
    declared = spec(insensitive=TRANSFORMED)
    with sqlanon.anonymize("people", connection=connection, **declared) as release:
        assert (
            release.transforms["pay"]
            == "multiplied by noise within 0.125 of 1, then in bands of 2.5"
        )
        facts = dict(connection.execute("select item, value from public__run").fetchall())
        assert json.loads(facts["transforms"]) == release.transforms
        assert KEY not in repr(facts)
        assert KEY.encode().hex() not in repr(facts)
    made = "create table people as select i as id, i % 4 as age, i % 3 as pay from range(24) n(i)"
    with database(tmp_path / "d.duckdb") as file:
        file.execute(made)
    (tmp_path / "s.yaml").write_text(
        "source: {table: people}\nrelease: p\ndatabase: d.duckdb\nquasi_identifiers: [age]\n"
        "sensitive: {pay: {transform: {top: 1}}}\nprivacy: {k: 3}\nseed: 1\n"
    )
    shown = CliRunner().invoke(cli, ["run", str(tmp_path / "s.yaml")])
    assert "Transformed: pay at most 1. No guarantee rests on that" in " ".join(
        shown.output.split()
    )


# --- what is refused -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("column", "transform", "message"),
    [
        ("pay", {"round": "0.001"}, "multiple of 0.01"),
        ("visits", {"round": "0.5"}, "whole numbers"),
        ("visits", {"round": 0}, "greater than 0"),
        ("code", {"round": 5}, "needs whole numbers or decimals"),
        ("born", {"top": 5}, "must be a date"),
        ("visits", {"top": "2020-01-01"}, "a date does not limit"),
        ("visits", {"mask": 2}, "cast it to text"),
        ("visits", [{"bands": 5}, {"round": 5}], "needs whole numbers or decimals"),
        ("code", {"date_shift": {"days": 3, "key": HOW}}, "needs dates"),
        ("visits", {"noise": {"within": 3, "share": "0.1", "key": HOW}}, "one of them"),
        ("visits", {"noise": {"share": "0.0001", "key": HOW}}, "thousandths"),
        ("visits", {"noise": {"within": 3}}, "key"),
        ("visits", {"noise": {"within": 3, "key": {"env": "NOT_SET"}}}, "not set"),
        ("visits", {"round": 5, "top": 3}, "several transforms are a list"),
        ("visits", {}, "one of round"),
    ],
)
def test_what_does_not_fit_is_refused(
    connection: Connection, column: str, transform: Any, message: str
) -> None:
    with pytest.raises(SpecError, match=message) as raised:
        only(connection, column, transform)
    assert f"insensitive.{column}.transform" in str(raised.value)
    assert connection.execute("select count(*) from duckdb_tables()").fetchall() == [(1,)]


def test_doubles_are_refused(connection: Connection) -> None:
    connection.execute("alter table people alter pay type double")
    with pytest.raises(SpecError, match="cast it in a query"):
        only(connection, "pay", {"round": 5})


def test_noise_needs_names_of_records() -> None:
    declared = spec(insensitive={"visits": changed({"noise": {"within": 3, "key": HOW}})})
    with pytest.raises(SpecError, match="name a record as key"):
        sqlanon.parse_spec({**declared, "key": [], "source": "t"})


def test_scripts_models_and_sweeps_take_no_key(connection: Connection, tmp_path: Path) -> None:
    declared = spec(insensitive={"visits": changed({"noise": {"within": 3, "key": HOW}})})
    with pytest.raises(SpecError, match="hold the key"):
        sqlanon.compile("people", connection=connection, **declared)
    with pytest.raises(SpecError, match="a trial gets no key"):
        sqlanon.sweep("people", k="3-4", connection=connection, **declared)
    with pytest.raises(SpecError, match="given no key: say k"):
        sqlanon.anonymize("people", connection=connection, choose={"k": "3-4"}, **declared)
    (tmp_path / "dbt_project.yml").write_text("name: a\nversion: '1'\nprofile: a\n")
    keyed = sqlanon.parse_spec({**declared, "source": "people"})
    with pytest.raises(SpecError, match="dbt models would have to hold the key"):
        write_models(keyed, DuckDBEngine(connection=connection), tmp_path)


@pytest.mark.slow
def test_a_script_transforms_what_needs_no_key(connection: Connection) -> None:
    declared = spec(insensitive={"code": changed({"mask": 1})})
    sqlanon.anonymize("people", connection=connection, **declared).close()
    made = connection.execute("select * from public order by all").fetchall()
    script = sqlanon.compile("people", connection=connection, **declared)
    connection.execute("drop table public")
    connection.execute(script)
    assert connection.execute("select * from public order by all").fetchall() == made
