"""What transforms must not give away, and what of them is refused before anything is published."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from support import DEALT, Connection, database

import sqlanon
from sqlanon.common.fields import KeySource
from sqlanon.errors import SpecError
from sqlanon.record.dictionary import from_text
from sqlanon.source.keys import keys_of
from sqlanon.spec.load import parse_spec

pytestmark = pytest.mark.slow

KEY = "a key of noise that is long enough, 4711"
HOW = {"env": "NOISE"}


@pytest.fixture(autouse=True)
def noise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOISE", KEY)


@pytest.fixture
def connection() -> Iterator[Connection]:
    with database() as made:
        yield made


def transformed(*transforms: dict[str, Any]) -> dict[str, Any]:
    return {"accept": "a test", "transform": list(transforms)}


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


def table(connection: Connection, columns: str, records: int = 60) -> None:
    connection.execute(
        "create or replace table people as select i as id, i % 4 as age, i % 3 as disease, "
        f"{columns} from range({records}) as n(i)"
    )


def released(connection: Connection, **declared: Any) -> list[tuple[Any, ...]]:
    sqlanon.anonymize("people", connection=connection, **spec(**declared)).close()
    return connection.execute("select * exclude (age, disease) from public").fetchall()


def measures(connection: Connection) -> dict[str, float]:
    found = connection.execute("select metric, value from public__metrics").fetchall()
    return {name: value for name, value in found if name in ("changed_share", "mean_change")}


# --- what the metrics say ------------------------------------------------------------------------


@pytest.mark.parametrize("cut", [{"top": 1000}, {"bottom": -1000}])
def test_no_mean_gives_a_cut_off_value_back(connection: Connection, cut: dict[str, int]) -> None:
    table(connection, "case when i = 7 then -48211 when i = 8 then 48211 else i % 5 end as spend")
    released(connection, insensitive={"spend": transformed(cut, {"round": 2})})
    assert set(measures(connection)) == {"changed_share"}


@pytest.mark.parametrize(
    ("k", "changed", "shown"), [(3, 9, 0), (3, 10, 1), (12, 11, 0), (12, 12, 1)]
)
def test_a_mean_is_of_many_changes(
    connection: Connection, k: int, changed: int, shown: bool
) -> None:
    table(connection, f"case when i < {changed} then 4 else 5 end as spend")
    declared = {"spend": transformed({"round": 5})}
    released(connection, insensitive=declared, privacy={"k": k})
    expected = {"changed_share": round(changed / 60, 9)}
    if shown:
        expected["mean_change"] = round(changed / 60, 9)
    assert measures(connection) == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize(("persons", "shown"), [(9, False), (10, True)])
def test_a_mean_is_of_many_persons(connection: Connection, persons: int, shown: bool) -> None:
    table(
        connection,
        f"i % 20 as who, 'b' as town, case when i % 20 < {persons} then 4 else 5 end as x",
    )
    connection.execute("update people set age = who % 4, disease = who % 3")
    insensitive = {"x": transformed({"round": 5})}
    released(connection, key=[], person=["who", "town"], insensitive=insensitive)
    assert ("mean_change" in measures(connection)) is shown


# --- what is drawn -------------------------------------------------------------------------------


def within(most: int) -> dict[str, Any]:
    return {"noise": {"within": most, "key": HOW}}


def days(most: int, **key: Any) -> dict[str, Any]:
    return {"date_shift": {"days": most, "key": key or HOW}}


def by_id(connection: Connection, *transforms: dict[str, Any], column: str = "x") -> dict[int, int]:
    """The noise of each record; `number` names it in the release too."""
    kept = {"number": {"accept": "a test"}, column: transformed(*transforms)}
    found = released(connection, insensitive=kept)
    return {number: value - 1000 for number, value in found}


@pytest.mark.further
@pytest.mark.slow
def test_noise_is_drawn_anew_with_other_settings_alone(connection: Connection) -> None:
    """Two noises of one draw would give the value back; the same noise twice tells nothing more."""
    table(connection, "i as number, 1000 as x, 1000 as y", 400)
    first = by_id(connection, within(6))
    assert by_id(connection, within(6), {"round": 1}) == first
    assert by_id(connection, within(6), {"top": 9999}) == first
    others = (
        by_id(connection, within(7)),
        by_id(connection, {"round": 10}, within(6)),
        by_id(connection, {"top": 9999}, within(6)),
        by_id(connection, within(6), column="y"),
    )
    for other in others:
        # five standard errors of 400 products of two even draws
        assert (
            abs(sum(first[number] * other[number] for number in first)) < 5 * 3.75 * 4.4 * 400**0.5
        )
        assert other != first
    twice = by_id(connection, within(6), within(6))
    assert any(twice[number] % 2 for number in twice)


def test_names_of_records_are_hashed_apart(connection: Connection) -> None:
    """Neither a bar in a name nor an empty text in place of NULL makes two names one."""
    table(connection, "case when i % 2 = 0 then 'a|' else 'a' end || i as one, 1000000 as x", 40)
    connection.execute("alter table people add column two varchar")
    connection.execute("update people set one = 'n' || (id // 2), two = 'b'")
    connection.execute("update people set one = one || '|b', two = 'c' where id % 2 = 0")
    connection.execute("update people set two = 'b|c' where id % 2 = 1")
    found = released(
        connection, key=["one", "two"], insensitive={"x": transformed(within(400_000))}
    )
    assert len(set(found)) == 40


@pytest.mark.parametrize("change", ["id = null where id = 3", "id = 4 where id = 3"])
def test_noise_needs_a_name_for_each_record(connection: Connection, change: str) -> None:
    table(connection, "1000 as x")
    connection.execute(f"update people set {change}")
    with pytest.raises(SpecError, match=r"key: .*(1|2) records have no name, or one that another"):
        released(connection, insensitive={"x": transformed(within(6))})
    assert connection.execute("select count(*) from duckdb_tables()").fetchall() == [(1,)]


def test_a_shift_needs_a_name_for_each_record(connection: Connection) -> None:
    table(connection, "date '2020-01-01' as d")
    connection.execute("update people set id = null where id in (3, 4)")
    with pytest.raises(SpecError, match=r"key: .*2 records have no name:"):
        released(connection, insensitive={"d": transformed(days(6))})


def test_a_shift_may_be_of_a_key_that_repeats(connection: Connection) -> None:
    table(connection, "date '2020-01-01' as d")
    connection.execute("update people set id = id // 3")
    assert len(released(connection, insensitive={"d": transformed(days(6))})) == 60


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        ([days(6)], [days(7)], "insensitive.e.transform: all dates of a person are shifted alike"),
        ([days(6)], [days(6, env="OTHER")], "the days and key of insensitive.d"),
        ([days(6), days(6)], [days(6)], "insensitive.d.transform: one date_shift is enough"),
    ],
)
def test_dates_are_shifted_by_one_shift(first: Any, second: Any, message: str) -> None:
    columns = {"d": transformed(*first), "e": transformed(*second)}
    with pytest.raises(SpecError, match=message):
        sqlanon.parse_spec({**spec(insensitive=columns), "source": "t"})


def test_the_type_of_what_names_a_record_is_looked_at(connection: Connection) -> None:
    """Beside a person too: noise is drawn by the key."""
    table(connection, "1000 as x, i as who")
    connection.execute("alter table people alter id type double")
    with pytest.raises(SpecError, match=r"key\.id: .*the column is DOUBLE"):
        released(connection, person="who", insensitive={"x": transformed(within(6))})


# --- what is told, and where keys are ------------------------------------------------------------


def test_the_data_dictionary_tells_what_was_done(connection: Connection) -> None:
    table(connection, "1000 as x, i % 3 as y")
    sensitive = {"disease": {"transform": {"top": 1}, "l": 2}}
    for publish in ({}, {"publish": {"name": "anatomy", "group": 3}, "privacy": {"k": 1}}):
        insensitive = {"x": transformed({"round": 50}, within(6)), "y": {"accept": "a test"}}
        kept = {"insensitive": insensitive, "sensitive": sensitive, **publish}
        sqlanon.anonymize("people", connection=connection, **spec(**kept)).close()
        facts = dict(connection.execute("select item, value from public__run").fetchall())
        means = {column.name: column.means for column in from_text(facts["published"])}
        assert (
            means["x"]
            == "the source's value rounded to multiples of 50, then with noise within 6 added"
        )
        assert means["y"] == "as in the source"
        assert means["disease"].endswith("the source's value at most 1")


def test_the_file_of_a_key_is_beside_the_spec(tmp_path: Path) -> None:
    """As those of pseudonyms are, wherever the command is run."""
    key = {"file": "noise.key"}
    declared = spec(
        sensitive={"disease": {"transform": {"noise": {"within": 1, "key": key}}}},
        insensitive={"d": transformed(days(6, **key), {"bottom": "2020-01-01"}), "n": {}},
        source="t",
    )
    found = parse_spec(declared, folder=tmp_path)
    assert [one.file for one in found.keys.values() if isinstance(one, KeySource)] == [
        tmp_path / "noise.key"
    ] * 2
    inside = parse_spec({**declared, "insensitive": []}, folder=tmp_path)
    (tmp_path / "noise.key").write_text(KEY)
    assert len(keys_of(inside)) == 2  # the pads of one key


# --- the column's type ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "value", "transform", "message"),
    [
        ("tinyint", "5", {"bottom": 1000}, "it is no value of TINYINT"),
        ("decimal(3, 2)", "5", {"bottom": 100}, "it is no value of DECIMAL"),
        ("decimal(3, 2)", "8", {"round": 10}, "it is no value of DECIMAL"),
        ("decimal(3, 2)", "9.8", {"round": "0.5"}, "round may take 60 values out of DECIMAL"),
        ("tinyint", "125", {"round": 50}, "round may take 60 values out of TINYINT"),
        ("tinyint", "120", {"bands": 10}, "bands may take 60 values out of TINYINT"),
        ("utinyint", "4", within(5), "noise may take 60 values out of UTINYINT"),
        ("smallint", "32000", {"noise": {"share": "0.1", "key": HOW}}, "noise may take 60 values"),
        ("date", "'9999-12-31'", days(9), "beyond the years 1 to 9999: name codes"),
        ("decimal(2, 0)", "99", {"round": 10}, "round may take 60 values out of DECIMAL"),
        ("decimal(20, 0)", "'9' || repeat('9', 19)", {"round": 10}, "out of DECIMAL"),
        ("decimal(38, 0)", "repeat('9', 38)", {"round": 10}, "60 values beyond 64 bits: make"),
        ("decimal(38, 0)", "'9' || repeat('0', 19)", {"round": 1}, "60 values beyond 64 bits"),
        ("decimal(38, 0)", "repeat('9', 38)", within(5), "60 values beyond 64 bits: make"),
        (
            "decimal(38, 0)",
            "repeat('9', 38)",
            {"laplace": {"epsilon": 1, "low": 0, "high": 9}},
            "laplace may take 60 values beyond 64 bits: make them smaller",
        ),
    ],
)
def test_what_may_leave_the_type_is_refused(
    connection: Connection, kind: str, value: str, transform: dict[str, Any], message: str
) -> None:
    table(connection, f"cast({value} as {kind}) as x")
    with pytest.raises(SpecError, match=message) as raised:
        released(connection, insensitive={"x": transformed(transform)})
    assert "insensitive.x.transform" in str(raised.value)


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("kind", "value", "transforms", "made"),
    [
        ("tinyint", "124", [{"round": 50}], {100}),
        ("tinyint", "99", [{"round": 100}], {100}),
        ("tinyint", "-128", [{"bottom": -100}, {"round": 100}], {-100}),
        ("tinyint", "119", [{"bands": 10}], {"[110, 119]"}),
        ("utinyint", "0", [{"round": 7}], {0}),
        ("utinyint", "255", [{"top": 250}, within(5)], set(range(245, 256))),
        ("decimal(3, 2)", "9.74", [{"round": "0.5"}], {Decimal("9.5")}),
        ("bigint", "9223372036854775807", [{"top": 10}], {10}),
        ("decimal(2, 0)", "94", [{"round": 10}], {90}),
        ("decimal(20, 0)", "repeat('1', 20)", [{"round": 10}], {Decimal("1" * 19 + "0")}),
        ("decimal(20, 0)", "repeat('1', 20)", [{"bands": 10}], {f"[{'1' * 19}0, {'1' * 19}9]"}),
        ("decimal(38, 0)", "17", [{"round": 10}], {20}),
    ],
)
def test_what_stays_in_the_type_is_done(
    connection: Connection, kind: str, value: str, transforms: list[Any], made: set[Any]
) -> None:
    table(connection, f"cast({value} as {kind}) as x")
    found = {
        value for (value,) in released(connection, insensitive={"x": transformed(*transforms)})
    }
    assert found <= made


@pytest.mark.parametrize(
    ("transform", "message"),
    [
        ({"ruond": 5}, "x.transform.0: unknown key; did you mean 'round'?"),
        ({"round": 5, "top": 9}, "x.transform.0: several transforms are a list, done in its order"),
        ({"noise": {"witin": 5, "key": HOW}}, "x.transform.0.noise.witin: unknown key; did you"),
        ({"noise": {"within": 5, "q": 1, "key": HOW}}, "known: 'key', 'share', 'within'"),
        ({"date_shift": {"dayz": 5, "key": HOW}}, "0.date_shift.dayz: unknown key; did you mean"),
        ({"noise": {"within": 5, "key": {"enw": "A"}}}, "unknown key; did you mean 'env'?"),
    ],
)
def test_a_misspelt_setting_is_told_the_names_of_its_place(transform: Any, message: str) -> None:
    with pytest.raises(SpecError, match=re.escape(message)):
        sqlanon.parse_spec({**spec(insensitive={"x": transformed(transform)}), "source": "t"})
