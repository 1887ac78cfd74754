"""Values drawn anew and traded: for whom which, and what stays as it was."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from servers import ENGINES, SPARK_LATER, Place, place
from support import DEALT, Connection, database, examples, make_table

import sqlanon
from sqlanon.errors import SpecError
from sqlanon.privacy.differential.counts import DRAWS

KEY = "a key of draws that is long enough, 1147"
HOW = {"env": "PRAM"}
KINDS: dict[str, st.SearchStrategy[Any]] = {
    "varchar": st.sampled_from(["a", "b", "", "é", "日本", "it's", "A"]),
    "integer": st.integers(-2, 3),
    "decimal(9,2)": st.sampled_from([Decimal("0.50"), Decimal("-1.25"), Decimal(7)]),
    "date": st.sampled_from([date(1999, 12, 31), date(2020, 2, 29)]),
    "boolean": st.booleans(),
}


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PRAM", KEY)


def pram(keep: Any) -> dict[str, Any]:
    return {"pram": {"keep": keep, "key": HOW}}


def swap(within: Any) -> dict[str, Any]:
    return {"rank_swap": {"within": within, "key": HOW}}


def spec(*transforms: dict[str, Any], **declared: Any) -> dict[str, Any]:
    return {
        "release": "public",
        "key": "id",
        "quasi_identifiers": ["age"],
        "sensitive": ["ill"],
        "insensitive": {'the "x"': {"accept": "a test", "transform": list(transforms)}},
        "privacy": {"k": 1},
        "seed": 1,
        **DEALT,
        **declared,
    }


def drawn(name: str, told: str) -> int:
    label = f'{told.split("|")[0]}|the "x"|{told.split("|")[1]}'
    digest = hmac.new(KEY.encode(), f"{label}|{name}".encode(), hashlib.sha256).hexdigest()
    return int(digest[:12], 16)


def by_python(values: Sequence[Any], keep: str) -> list[Any]:
    """What becomes of each value; the record's name is its place."""
    told = f"pram|kept with a chance of {keep}, else drawn as the column has them"
    known = sorted(one for one in values if one is not None)
    distinct = sorted(set(known), key=known.index)
    kept = int(Fraction(keep) * DRAWS)
    upto = list(accumulate(known.count(one) for one in distinct))
    ends = [Fraction(one, len(known)) * (DRAWS - kept) for one in upto]
    found = []
    for row, value in enumerate(values):
        number = drawn(f"r{row}", told) - kept
        new = value
        if value is not None and number >= 0:
            new = next(one for one, end in zip(distinct, ends, strict=True) if number < int(end))
        found.append(new)
    return found


def traded(values: Sequence[Any], within: str) -> list[Any]:
    """What each record has once records of neighbouring ranks have traded in pairs."""
    draws = {
        row: drawn(f"r{row}", f"rank_swap|traded between records within {within} of the ranks")
        for row, value in enumerate(values)
        if value is not None
    }
    ranks = sorted(draws, key=lambda row: (values[row], draws[row] >> 24, f"r{row}"))
    size = int(Fraction(within) * len(ranks)) + 1
    found = list(values)
    for first in range(0, len(ranks), size):
        block = sorted(ranks[first : first + size], key=lambda row: (draws[row] % 2**24, f"r{row}"))
        for one, other in zip(block[::2], block[1::2], strict=False):
            found[one], found[other] = values[other], values[one]
    return found


def released(
    connection: Connection, values: Sequence[Any], kind: str, transform: dict[str, Any]
) -> list[Any]:
    rows = [(f"r{row}", row, row % 3, value, row % 2) for row, value in enumerate(values)]
    columns = {"id": "varchar", "place": "integer", "age": "integer", 'the "x"': kind}
    make_table(connection, "t", {**columns, "ill": "integer"}, rows)
    declared = spec(transform)
    declared["insensitive"]["place"] = {"accept": "a test"}
    sqlanon.anonymize("t", connection=connection, **declared).close()
    found = connection.execute('select "the ""x""" from public order by place').fetchall()
    return [value for (value,) in found]


@examples(1, 80)
@given(st.data(), st.sampled_from(sorted(KINDS)), st.sampled_from(["0", "0.5", "0.9"]))
def test_each_value_is_what_is_drawn_for_it(data: Any, kind: str, keep: str) -> None:
    """NULL stays NULL; a column of NULL, or of one value, stays as it is."""
    values = data.draw(st.lists(st.one_of(st.none(), KINDS[kind]), min_size=1, max_size=25))
    with database() as connection:
        assert released(connection, values, kind, pram(keep)) == by_python(values, keep)


@examples(1, 80)
@given(st.data(), st.sampled_from(sorted(KINDS)), st.sampled_from(["0.01", "0.1", "1/3", "1"]))
def test_records_near_each_other_trade(data: Any, kind: str, within: str) -> None:
    """The column keeps its values, NULL its records, and nobody gets a value from far away."""
    values = data.draw(st.lists(st.one_of(st.none(), KINDS[kind]), min_size=1, max_size=25))
    with database() as connection:
        found = released(connection, values, kind, swap(within))
    assert found == traded(values, within)
    assert Counter(found) == Counter(values)
    known = sorted(value for value in values if value is not None)
    most = int(Fraction(within) * len(known))
    for before, after in zip(values, found, strict=True):
        assert (before is None) == (after is None)
        if before is not None and before != after:
            low, high = sorted((before, after))
            last_low = len(known) - 1 - known[::-1].index(low)
            assert known.index(high) - last_low <= most


def test_shares_are_expected_to_stay() -> None:
    """The matrix is invariant: p P = p, to the rounding of 2^-48 draws."""
    counts, keep = {"a": 7, "b": 1, "c": 92}, Fraction(4, 5)
    kept = int(keep * DRAWS)
    ends = [number * (DRAWS - kept) // 100 for number in accumulate(counts.values(), initial=0)]
    p = {text: Fraction(number, 100) for text, number in counts.items()}
    stretch = dict(zip(counts, (high - low for low, high in pairwise(ends)), strict=True))
    for text, share in p.items():
        becomes = share * Fraction(kept, DRAWS) + sum(
            (other * Fraction(stretch[text], DRAWS) for other in p.values()), Fraction(0)
        )
        assert abs(becomes - share) < Fraction(2, DRAWS)


@pytest.mark.slow
def test_many_records_keep_their_shares() -> None:
    values = ["rare" if row % 20 == 0 else "often" if row % 3 else "seldom" for row in range(4000)]
    with database() as connection:
        found = released(connection, values, "varchar", pram("0.5"))
    before, after = Counter(values), Counter(found)
    for text, number in before.items():  # five standard errors
        assert abs(after[text] - number) < 5 * (number * (1 - number / 4000)) ** 0.5
    changed = sum(a != b for a, b in zip(values, found, strict=True)) / 4000
    expected = 0.5 * (1 - sum((number / 4000) ** 2 for number in before.values()))
    assert abs(changed - expected) < 5 * (expected * (1 - expected) / 4000) ** 0.5


@pytest.fixture(params=ENGINES)
def there(request: pytest.FixtureRequest, urls: Mapping[str, str]) -> Iterator[Place]:
    with place(request.param, urls) as found:
        yield found


@pytest.mark.slow
def test_every_engine_draws_alike(there: Place) -> None:
    """Whatever the order of text in the database; and what comes behind it is of what was drawn."""
    values = [["é", "a", "Z", None, "b"][row * row % 5] for row in range(60)]
    rows = [(f"r{row}", row % 3, value, row % 2) for row, value in enumerate(values)]
    columns = {"id": "varchar", "age": "integer", 'the "x"': "varchar", "ill": "integer"}
    there.make_table("t", columns, rows)
    masked = sqlanon.parse_spec(spec(pram("0.3"), {"mask": 0}, source="t"))
    release = sqlanon.anonymize(masked, connection=there.connection, all_metrics=False)
    shown = Counter(release.frame()['the "x"'].fillna("NULL"))
    expected = ["NULL" if one is None else "*" for one in by_python(values, "0.3")]
    assert shown == Counter(expected)
    again = spec(pram("0.3"), source="t")
    release = sqlanon.anonymize(sqlanon.parse_spec(again), connection=there.connection)
    shown = Counter(release.frame()['the "x"'].fillna("NULL"))
    assert shown == Counter("NULL" if one is None else one for one in by_python(values, "0.3"))
    share = sum(a != b for a, b in zip(values, by_python(values, "0.3"), strict=True)) / 60
    assert release.measure("changed_share", 'the "x"') == pytest.approx(share, abs=1e-9)


@pytest.mark.parametrize("there", SPARK_LATER, indirect=True)
def test_every_engine_trades_alike(there: Place) -> None:
    values = [["é", "a", "Z", None, "b", "a"][row * row % 6] for row in range(60)]
    rows = [(f"r{row}", row, row % 3, value, row % 2) for row, value in enumerate(values)]
    columns = {"id": "varchar", "place": "integer", "age": "integer", 'the "x"': "varchar"}
    there.make_table("t", {**columns, "ill": "integer"}, rows)
    declared = spec(swap("0.25"), source="t")
    declared["insensitive"]["place"] = {"accept": "a test"}
    release = sqlanon.anonymize(sqlanon.parse_spec(declared), connection=there.connection)
    shown = release.frame().sort_values("place")['the "x"'].fillna("NULL")
    assert list(shown) == ["NULL" if one is None else one for one in traded(values, "0.25")]


def test_what_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with database() as connection:
        connection.execute(
            'create table t as select \'r\' || i as id, i % 3 as age, i as "the ""x""", '
            "i % 2 as ill, i / 2.5::double as other from range(1001) as n(i)"
        )

        def refused(text: str, declared: dict[str, Any]) -> None:
            with pytest.raises(SpecError) as raised:
                sqlanon.anonymize("t", connection=connection, **declared)
            assert text in str(raised.value)

        where = 'insensitive.the "x".transform'
        refused(
            f"{where}: pram is for categories, and the column has 1001 different", spec(pram(0.5))
        )
        behind = spec(pram(0.5))
        behind["insensitive"]['the "x"']["transform"].insert(0, {"round": 10})
        refused(f"{where}: pram draws from the values that the source has: put it before", behind)
        refused("keep: it must be less than 1", spec(pram(1)))
        refused("key", spec(pram(0.5), key=[]))
        doubles = spec(pram(0.5))
        doubles["insensitive"]["other"] = doubles["insensitive"].pop('the "x"')
        refused("it needs text, whole numbers, decimals, dates, or true and false", doubles)
        no_key = spec(swap(0.1), key=[], person="id")
        refused(f"{where}: rank_swap is drawn for each record: declare the columns", no_key)
        refused("within: it must be", spec(swap(0)))
        asked = spec(
            insensitive={},
            sensitive={"ill": {"l": 2, "transform": {"pram": {"keep": 0.5, "key": HOW}}}},
        )
        refused("pram makes different values of equal ones", asked)
    assert KEY not in "".join(capsys.readouterr())
