"""Counts with noise: what is proved, what is drawn, who contributes, and what is refused."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import Template
from oracle import counts as oracle
from oracle.differential import exp_between, needed_delta
from servers import ENGINES, SPARK_LATER, Place, place
from support import Connection, database, examples, make_table

import sqlanon
from sqlanon.clauses.recipe.file import recipe_of
from sqlanon.errors import SpecError
from sqlanon.privacy.differential.counts import (
    DRAWS,
    Bound,
    Noise,
    delta_of,
    gaussian,
    laplace,
    noise_for,
    rho_for,
)
from sqlanon.record.content import held
from sqlanon.record.spent import spent_before, still_all
from sqlanon.source import keys
from sqlanon.spec import parse_spec
from sqlanon.spec.differential import counting_of
from sqlanon.sql.names import Relation

_OF_TOWNS = "select town, persons from public where set_id = 1"
KEY = bytes(range(32))
TOWNS = ["O'Brien", 'a "b"', "日本", "a~|b", "nobody"]
COLUMNS = {"who": "varchar", "age": "integer", "town": "varchar", "pay": "decimal(9,2)"}
ONE = (Bound(1, 1, 1),)


def rows() -> list[tuple[Any, ...]]:
    """Records of few persons, of whom one has very many; with NULL, and values beyond bounds."""
    plain = [
        (
            f"p{i % 23}'",
            None if i % 9 == 0 else i * 7 % 40,
            TOWNS[i % 4],
            None if i % 8 == 0 else Decimal(i * 137 % 9000 - 3000).scaleb(-2),
        )
        for i in range(120)
    ]
    return plain + [("many", 5, TOWNS[0], Decimal("1.25"))] * 500


def spec(**declared: Any) -> dict[str, Any]:
    publish = {
        "name": "counts",
        "columns": [["town"], ["age", "town"]],
        "contributions": 2,
        "sums": {"pay": {"low": -10, "high": 40, "step": "0.5"}},
        "between": [-1000, 1000],
        **declared.pop("publish", {}),
    }
    return {
        "release": "public",
        "person": "who",
        "quasi_identifiers": {
            "age": {"hierarchy": {"bands": [10, 20]}},
            "town": {"hierarchy": {"tree": {"*": TOWNS}}},
        },
        "levels": {"age": 1, "town": 0},
        "sensitive": ["pay"],
        "publish": {name: value for name, value in publish.items() if value is not None},
        "privacy": {"differential": {"epsilon": 2, "delta": "0.001"}},
        **declared,
    }


@pytest.fixture
def connection() -> Iterator[Connection]:
    with database() as made:
        make_table(made, "people", COLUMNS, rows())
        yield made


@pytest.fixture(params=ENGINES)
def there(request: pytest.FixtureRequest, urls: Mapping[str, str]) -> Iterator[Place]:
    with place(request.param, urls) as found:
        yield found


def chances(noise: Noise) -> dict[int, Fraction]:
    parts = [(part.draw, part.reached, part.worth) for part in noise.parts]
    return oracle.chances(noise.least, parts, DRAWS)


# --- the proof -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("epsilon", "sensitivity"), [("3", 1), ("1", 2), ("1/3", 1)])
def test_laplace_noise_is_off_by_no_more_than_is_said(epsilon: str, sensitivity: int) -> None:
    """By the exact chances of all its numbers, against the definition."""
    noise = laplace(Fraction(epsilon), sensitivity)
    found = chances(noise)
    assert sum(found.values()) == 1
    exact = oracle.discrete_laplace(Fraction(epsilon) / sensitivity, max(found))
    assert oracle.distance(found, exact) <= noise.off < Fraction(1, 2**44)
    for least, chance in oracle.tails(found).items():
        assert chance <= noise.tail(least)


@pytest.mark.parametrize("variance", ["1/2", "3", "40/3"])
def test_gaussian_noise_is_off_by_no_more_than_is_said(variance: str) -> None:
    noise = gaussian(Fraction(variance))
    found = chances(noise)
    assert sum(found.values()) == 1
    exact = oracle.discrete_gaussian(Fraction(variance), max(found) + 20)
    assert oracle.distance(found, exact) <= noise.off < Fraction(1, 2**40)
    for least, chance in oracle.tails(found).items():
        assert chance == noise.tail(least)


epsilons = st.fractions(Fraction(1, 4), Fraction(3), max_denominator=12)
deltas = st.sampled_from([Fraction(1, 100), Fraction(1, 10**4), Fraction(1, 10**6)])
KINDS = pytest.mark.parametrize("kind", ["laplace", "gaussian"])


@pytest.mark.slow
@KINDS
@examples(4, 40)
@given(epsilon=epsilons, delta=deltas)
def test_no_group_tells_more_of_a_person_than_epsilon_and_delta(
    kind: Any, epsilon: Fraction, delta: Fraction
) -> None:
    """By the exact chances of what a group shows, with and without one person, for any count."""
    found = noise_for(kind, epsilon, delta, 1, ONE)
    assert found.delta <= delta
    every = chances(found.noises[0])
    for declared in (True, False):
        for count in (0, 1, 2, 5) if not declared else (0,):
            one, other = (
                oracle.shifted(every, count + more)
                if declared
                else oracle.shown(every, count + more, found.threshold)
                for more in (0, 1)
            )
            assert needed_delta(one, other, epsilon) <= found.delta
            assert needed_delta(other, one, epsilon) <= found.delta


@KINDS
def test_a_person_in_several_groups_and_sums_has_no_more_than_epsilon(kind: Any) -> None:
    """Two numbers of a group and two tables: the product of their chances, for a person of two."""
    epsilon, delta = Fraction(6), Fraction(1, 1000)
    found = noise_for(kind, epsilon, delta, 2, (Bound(1, 1, 1), Bound(2, 4, 1)))
    small = [
        {z: chance for z, chance in chances(noise).items() if chance > Fraction(1, 10**7)}
        for noise in found.noises
    ]
    cut = 2 * sum(1 - sum(entry.values(), Fraction(0)) for entry in small)
    lost = [
        {z: (entry[z], entry.get(z - by, Fraction(0))) for z in entry}
        for entry, by in zip(small, (1, 2), strict=True)
    ]

    # The loss of each number by its ratio, gathered: the product of four has few different ones.
    def gathered(pairs: list[tuple[Fraction, Fraction]]) -> list[tuple[float, float]]:
        by: dict[float, list[float]] = defaultdict(lambda: [0.0, 0.0])
        for p, q in pairs:
            ratio = round(float(p / q), 9) if q else float("inf")
            by[ratio][0] += float(p)
            by[ratio][1] += float(q)
        return [(p, q) for p, q in by.values()]

    both = gathered(list(lost[0].values())), gathered(list(lost[1].values()))
    whole = [(1.0, 1.0)]
    for pairs in (both[0], both[1], both[0], both[1]):
        whole = gathered([(Fraction(p * r), Fraction(q * s)) for p, q in whole for r, s in pairs])
    power = float(exp_between(epsilon)[0])
    needed = sum(max(0.0, p - power * q) for p, q in whole)
    assert needed <= float(found.delta) + float(cut) + 1e-9


def test_the_bound_of_gaussian_noise_is_no_smaller_than_the_exact_one() -> None:
    """The ε and δ of rho, against the exact chances of one count."""
    rho, delta = rho_for(Fraction(1), Fraction(1, 10**5))
    assert delta <= Fraction(1, 10**5)
    assert delta_of(rho * Fraction(101, 100), Fraction(1)) > Fraction(1, 10**5)
    every = chances(gaussian(1 / (2 * rho)))
    needed = needed_delta(every, oracle.shifted(every, 1), Fraction(1))
    assert delta / 100 < needed <= delta


@KINDS
def test_the_threshold_is_the_least_that_is_proved(kind: Any) -> None:
    epsilon, delta = Fraction(1), Fraction(1, 10**5)
    found = noise_for(kind, epsilon, delta, 1, ONE)
    of_noise = oracle.tails(chances(found.noises[0]))
    given_ = Fraction(0) if kind == "laplace" else rho_for(epsilon, delta / 2)[1]
    power = exp_between(epsilon)[1]
    rest = (delta - given_ - (1 + power) * found.noises[0].off) / power
    least = oracle.smallest_threshold(of_noise, rest)
    assert found.threshold in (least, least + 1)


def test_thresholds_of_common_bounds() -> None:
    """Worked out beforehand, for δ = 10^-6."""
    million = Fraction(1, 10**6)
    found = {
        (kind, text): noise_for(kind, Fraction(text), million, 1, ONE).threshold
        for kind in ("laplace", "gaussian")
        for text in ("0.1", "1", "5")
    }
    assert found == {
        ("laplace", "0.1"): 134,
        ("laplace", "1"): 16,
        ("laplace", "5"): 5,
        ("gaussian", "0.1"): 203,
        ("gaussian", "1"): 26,
        ("gaussian", "5"): 8,
    }


# --- what is published ---------------------------------------------------------------------------


def label(age: int | None) -> str | None:
    return None if age is None else f"[{age // 10 * 10}, {age // 10 * 10 + 9}]"


def steps(pay: Decimal | None) -> int:
    """A value between -10 and 40 as a number of halves, halves of these up."""
    if pay is None:
        return 0
    within = min(max(Fraction(pay), Fraction(-10)), Fraction(40))
    return -20 + int((within + 10) * 2 + Fraction(1, 2))


def expected(declared: Mapping[str, Any], key: bytes = KEY) -> list[tuple[Any, ...]]:
    """The release by its definition: who contributes, what is drawn, and which groups are shown."""
    asked = declared["publish"]
    noisy = counting_of(parse_spec({"source": {"table": "people"}, **declared})).noisy
    read = [(who, label(age), town, steps(pay)) for who, age, town, pay in rows()]
    told = [
        (who, *(oracle.cell(one) if isinstance(one, str) else one for one in rest), at)
        for at, (who, *rest) in enumerate(read)
    ]
    places = (1, 2, 3) if asked.get("sums") else (1, 2)
    used = oracle.used(told, key, asked.get("contributions", 1), 0, places)
    kept = [read[int(str(one[4]))] for one in used]
    groups: dict[tuple[Any, ...], tuple[set[str], int]] = {}
    for number, names in enumerate(asked["columns"], 1):
        if names == ["town"]:
            groups |= {(number, None, town): (set(), 0) for town in TOWNS}
        for who, age, town, pay in kept:
            group = (number, age if "age" in names else None, town if "town" in names else None)
            persons, total = groups.get(group, (set(), 0))
            groups[group] = (persons | {who}, total + pay)
    in_order = sorted(groups, key=lambda one: [(x is None, str(x or "")) for x in one[1:]])
    in_order.sort(key=lambda one: one[0])
    found: list[tuple[Any, ...]] = []
    for number, group in enumerate(in_order, 1):
        persons, total = groups[group]
        noises = [
            oracle.noise_of(
                noise.least,
                [(p.draw, p.reached, p.worth) for p in noise.parts],
                key,
                number,
                figure,
            )
            for figure, noise in enumerate(noisy.noises)
        ]
        count = len(persons) + noises[0]
        if not (group[0] == 1 and group[1] is None) and count < noisy.threshold:
            continue
        low, high = asked.get("between", (0, 10**9))
        shown = min(max(oracle.half_up(count, asked.get("round", 1)), low), high)
        if asked.get("sums"):
            summed = Decimal(total + noises[1]) / 2
            mean = min(max(float(summed) / count, -10.0), 40.0) if count > 0 else None
            found.append((*group, shown, summed, mean))
        else:
            found.append((*group, shown))
    return found


@pytest.mark.parametrize("noise", ["laplace", "gaussian"])
@pytest.mark.parametrize("there", SPARK_LATER, indirect=True)
def test_every_engine_publishes_what_the_definition_says(
    there: Place, monkeypatch: pytest.MonkeyPatch, noise: str
) -> None:
    """Of NULL, odd names, a person of 500 records, and a declared group that nobody is in."""
    monkeypatch.setattr(keys, "fresh_key", lambda: KEY)
    there.make_table("people", COLUMNS, rows())
    declared = spec(
        publish={
            "noise": noise,
            "round": 3,
            "sums": {"pay": {"low": -10, "high": 40, "step": "0.5"}},
        }
        if noise == "laplace"
        else {"noise": noise, "sums": None},
        **({} if noise == "laplace" else {"sensitive": []}),
    )
    sqlanon.anonymize("people", connection=there.connection, **declared).close()
    names, found = there.read("public")
    sums = ("pay_sum", "pay_mean") if noise == "laplace" else ()
    assert names == ("set_id", "age", "town", "persons", *sums)
    wanted = expected(declared)
    assert [one[:4] for one in found] == [entry[:4] for entry in wanted]
    for one, other in zip(found, wanted, strict=True):
        assert one[4:5] == other[4:5]
        assert one[5:] == pytest.approx(other[5:])
    assert {one[2] for one in found if one[0] == 1} == {*TOWNS}
    assert not {relation for relation in there.relations() if relation.startswith("sqlanon")}


@pytest.mark.slow
def test_each_run_draws_by_a_key_of_its_own(connection: Connection) -> None:
    """With the same seed, too; and the record of a run has neither the key nor a noise."""
    asked: list[bytes] = []
    real = keys.fresh_key

    def noted() -> bytes:
        asked.append(real())
        return asked[-1]

    shown = []
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(keys, "fresh_key", noted)
        for _ in range(3):
            sqlanon.anonymize("people", connection=connection, **spec(), seed=1).close()
            shown.append(connection.execute("select persons, pay_sum from public").fetchall())
    assert len(set(asked)) == len(asked) == 3
    assert len({str(one) for one in shown}) == 3
    kept = repr(connection.execute("select * from public__run").fetchall())
    assert not [one for one in asked if one.hex() in kept or keys.pads(one)[0] in kept]
    left = {
        name for (name,) in connection.execute("select table_name from duckdb_tables()").fetchall()
    }
    assert left == {"people", "public", "public__classes", "public__metrics", "public__run"}


@pytest.mark.parametrize("noise", ["laplace", "gaussian"])
def test_noise_comes_with_its_exact_chances(connection: Connection, noise: str) -> None:
    """Of 3,000 declared groups of nobody: every number within five standard errors."""
    listed = [f"{number:05d}" for number in range(10_000, 13_000)]
    declared = spec(
        publish={
            "noise": noise,
            "columns": [["zip"]],
            "values": {"zip": listed},
            "sums": None,
            "contributions": None,
        },
        person=[],
        quasi_identifiers={"zip": {"hierarchy": {"prefix": [1]}}},
        levels={"zip": 0},
        sensitive=[],
    )
    connection.execute("create table zips as select '99999' as zip from range(3)")
    sqlanon.anonymize("zips", connection=connection, **declared).close()
    found = connection.execute("select records from public where zip <> '99999'").fetchall()
    seen = Counter(int(one) for (one,) in found)
    assert sum(seen.values()) == 3000
    (made,) = counting_of(parse_spec({"source": {"table": "zips"}, **declared})).noisy.noises
    every = {z: float(value) for z, value in chances(made).items()}
    assert set(seen) <= set(every)
    for noise_, chance in every.items():
        error = (3000 * chance * (1 - chance)) ** 0.5
        assert abs(seen[noise_] - 3000 * chance) <= 5 * error + 1, noise_


@pytest.mark.further
@pytest.mark.slow
def test_a_person_of_10_000_records_changes_what_one_of_two_does(
    connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Under one key, and with all of that person's records alike."""
    monkeypatch.setattr(keys, "fresh_key", lambda: KEY)
    shown = []
    for more in (2, 10_000):
        connection.execute(
            "create or replace table taken as select * from people where who <> 'many' "
            f"union all select 'many', 5, 'nobody', 40 from range({more})"
        )
        sqlanon.anonymize("taken", connection=connection, **spec()).close()
        shown.append(connection.execute("select * from public").fetchall())
    assert shown[0] == shown[1]


def test_which_records_of_a_person_are_used_does_not_depend_on_other_persons(
    connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keys, "fresh_key", lambda: KEY)
    declared = spec(publish={"contributions": 1})
    totals = []
    for without in ("", "where who <> 'many'"):
        connection.execute(f"create or replace table taken as select * from people {without}")
        sqlanon.anonymize("taken", connection=connection, **declared).close()
        totals.append(
            dict(connection.execute("select town, persons from public where set_id = 1").fetchall())
        )
    less = {town: value - totals[1][town] for town, value in totals[0].items()}
    assert less == {town: int(town == TOWNS[0]) for town in TOWNS}


def test_a_group_that_nobody_declared_is_shown_over_the_threshold_alone(
    connection: Connection,
) -> None:
    """A group of one never is: here δ is far below the chance of a hundred runs."""
    connection.execute(
        "create table taken as select 5 as age from range(400) union all select 77 union all "
        "select cast(null as integer)"
    )
    declared = spec(
        person=[],
        quasi_identifiers={"age": {"hierarchy": {"bands": [10]}}},
        levels={"age": 1},
        sensitive=[],
        publish={"columns": None, "sums": None, "contributions": None},
        privacy={"differential": {"epsilon": 1, "delta": "1e-9"}},
    )
    for values, wanted in ((None, {"[0, 9]"}), ([None, "[90, 99]"], {"[0, 9]", None, "[90, 99]"})):
        asked = (
            declared
            if values is None
            else {**declared, "publish": {**declared["publish"], "values": {"age": values}}}
        )
        sqlanon.anonymize("taken", connection=connection, **asked).close()
        assert {one for (one,) in connection.execute("select age from public").fetchall()} == wanted


def test_a_table_of_one_group_is_published(connection: Connection) -> None:
    declared = spec(
        levels={"age": 2, "town": 1},
        sensitive=[],
        publish={"columns": [["town"]], "sums": None},
        quasi_identifiers={"town": {"hierarchy": {"tree": {"*": TOWNS}}}},
    ) | {"levels": {"town": 1}}
    sqlanon.anonymize("people", connection=connection, **declared).close()
    ((town, persons),) = connection.execute(
        "select town, persons from public where set_id = 1"
    ).fetchall()
    assert town == "*"
    assert abs(persons - 24) < 30


def test_a_source_without_records_is_counted_as_any_other(
    connection: Connection, tmp_path: Path
) -> None:
    """A refusal would tell that it has none."""
    (tmp_path / "none.csv").write_text("who,age,town,pay\n")
    columns = {"who": "text", "age": "integer", "town": "text", "pay": "decimal(9, 2)"}
    source = {"file": str(tmp_path / "none.csv"), "columns": columns}
    sqlanon.anonymize(source, connection=connection, **spec()).close()
    towns = connection.execute("select town from public where set_id = 1 order by 1").fetchall()
    assert towns == sorted((text,) for text in TOWNS)


# --- the ledger ----------------------------------------------------------------------------------


def promising(release: str, epsilon: str, **more: Any) -> dict[str, Any]:
    budget = {"epsilon": 2, "delta": "0.01"}
    asked = {"epsilon": epsilon, "delta": "0.001", "budget": budget, **more}
    return spec(release=release, privacy={"differential": asked})


@pytest.mark.slow
def test_the_ledger_refuses_what_exceeds_the_budget(connection: Connection) -> None:
    """Earlier releases count once, also by two ways, and so do earlier runs of the same name."""

    def run(*asked: Any, **more: Any) -> None:
        sqlanon.anonymize("people", connection=connection, **promising(*asked, **more)).close()

    run("first", "0.5")
    run("second", "0.5", after=["first"])
    run("third", "0.5", after=["first", "second"])
    with pytest.raises(SpecError, match=r"3 earlier runs \(first, second, third\).*ε = 2\.1 "):
        run("fourth", "0.6", after=["third"])
    run("third", "0.5", after=["second"])  # again: its readers may have the first, which counts
    with pytest.raises(SpecError, match=r"privacy\.differential\.budget"):
        run("third", "0.01", after=["second"])
    (text,) = connection.execute(
        "select value from third__run where item = 'spent'"
    ).fetchone() or ("",)
    assert sorted(load[0] for load in json.loads(text).values()) == [
        "first",
        "second",
        "third",
        "third",
    ]


def test_the_ledger_keeps_a_release_that_was_dropped(connection: Connection) -> None:
    """Its readers may have it, and its run relation stands."""
    asked = promising("first", "1.5")
    sqlanon.anonymize("people", connection=connection, **asked).close()
    connection.execute("drop table first")
    with pytest.raises(SpecError, match=r"1 earlier runs \(first\).*ε = 3 "):
        sqlanon.anonymize("people", connection=connection, **asked)


def test_no_budget_bounds_a_release_that_was_made_without_epsilon(connection: Connection) -> None:
    """Also once it had an ε before: the run without has no account."""
    asked = promising("first", "1.5")
    sqlanon.anonymize("people", connection=connection, **asked).close()
    plain: dict[str, Any] = {
        "quasi_identifiers": ["age"],
        "privacy": {"k": 2},
        "method": "stack_and_deal",
    }
    sqlanon.anonymize("people", connection=connection, release="first", **plain).close()
    with pytest.raises(SpecError, match=r"differential\.budget: an earlier run made first without"):
        sqlanon.anonymize("people", connection=connection, **asked)


def test_a_run_replaces_no_release_whose_epsilon_it_has_not_counted(
    connection: Connection,
) -> None:
    """Two runs of the same release at once would both count the earlier ones alone."""
    asked = promising("first", "0.5")
    made = sqlanon.anonymize("people", connection=connection, **asked)
    engine, first = made.engine, Relation("first")
    before = spent_before(parse_spec({"source": "people", **asked}), first, engine)
    still_all(before, first, engine)
    sqlanon.anonymize("people", connection=connection, **asked).close()
    with pytest.raises(SpecError, match="another run made first"):
        still_all(before, first, engine)


def test_an_account_that_somebody_changed_is_refused_in_words(connection: Connection) -> None:
    asked = promising("first", "0.5")
    sqlanon.anonymize("people", connection=connection, **asked).close()
    connection.execute("""update first__run set value = '{"x": 1}' where item = 'spent'""")
    with pytest.raises(SpecError, match="another account of ε and δ than a run writes"):
        sqlanon.anonymize("people", connection=connection, **asked)


def test_of_very_many_draws_some_are_equal_by_chance() -> None:
    """As many as are expected, and few more; a key that comes again shows in far more."""
    connection = duckdb.connect()
    connection.execute("create table counted as select * from range(1000)")
    connection.execute("create table draws as select * from range(1000) t(drawn)")
    template = Path(__file__).parents[2] / "sql_templates/publish/check_drawn.sql.j2"

    def lacking(equal: int, below: int) -> bool:
        connection.execute(f"update draws set drawn = 0 where rowid < {equal + 1}")
        text = Template(template.read_text()).render(
            counted="counted", draws="draws", needed=1, below=below, alike=2
        )
        return connection.execute(text).fetchone() is not None

    assert not lacking(2, DRAWS)
    assert lacking(3, DRAWS)
    assert not lacking(50, 20_000)  # 25 are expected
    assert lacking(200, 20_000)


def test_noise_too_wide_for_whole_numbers_is_refused() -> None:
    with pytest.raises(ValueError, match="64 bits"):
        laplace(Fraction(1, 100), 10**17)


def test_a_release_of_records_is_in_the_ledger_too(connection: Connection) -> None:
    connection.execute("create table numbered as select row_number() over () as id, * from people")
    easy = {"epsilon": 1, "delta": "0.5"}
    sqlanon.anonymize(
        "numbered",
        connection=connection,
        release="records",
        key="id",
        quasi_identifiers={"town": {"hierarchy": {"tree": {"*": TOWNS}}}},
        levels={"town": 1},
        privacy={"differential": easy},
    ).close()
    asked = promising("more", "1", after=["records"])
    with pytest.raises(SpecError, match=r"after: the ε of records is of a record, .* of a person"):
        sqlanon.anonymize("people", connection=connection, **asked)
    publish = {**asked["publish"], "contributions": None}
    of_records = {**asked, "person": None, "publish": publish}
    with pytest.raises(SpecError, match=r"1 earlier runs? \(records\)"):
        sqlanon.anonymize("people", connection=connection, **of_records)


def test_persons_by_another_identifier_are_of_another_ledger(connection: Connection) -> None:
    """Somebody with two cards has twice the ε of a card; a query says that they are the same."""
    sqlanon.anonymize("people", connection=connection, **promising("first", "0.5")).close()
    asked = promising("second", "0.5", after=["first"])
    by_card = {**asked, "person": ["card"]}
    cards = "select *, who as card from people"
    source = {"query": cards}
    message = r"first is of a person by who, and that .* of a person by card; .*rename them"
    with pytest.raises(SpecError, match=message):
        sqlanon.anonymize(source, connection=connection, **by_card)
    renamed = {
        "query": "select card as who, age, town, pay from (select *, who as card from people)"
    }
    sqlanon.anonymize(renamed, connection=connection, **asked).close()


def test_a_release_without_epsilon_has_no_place_in_the_ledger(connection: Connection) -> None:
    sqlanon.anonymize(
        "people",
        connection=connection,
        release="plain",
        quasi_identifiers=["age"],
        privacy={"k": 2},
        method="stack_and_deal",
    ).close()
    for name, why in (("plain", "not made with differential privacy"), ("gone", "gone")):
        with pytest.raises(SpecError, match=f"privacy.differential.after: .*{why}"):
            sqlanon.anonymize("people", connection=connection, **promising("x", "1", after=[name]))


# --- what is said, and refused -------------------------------------------------------------------


def test_a_run_says_what_its_noise_proves(connection: Connection) -> None:
    with sqlanon.anonymize("people", connection=connection, **spec()) as release:
        assert release.measure("release_epsilon") == 2
        delta = release.measure("release_delta")
        assert delta is not None
        assert 0 < delta <= 0.001
        assert release.summary.sentences == ()
        dictionary = connection.execute(
            "select value from public__run where item = 'published'"
        ).fetchone()
        assert dictionary is not None
        forms = {load["name"]: load["form"] for load in json.loads(dictionary[0])}
        assert forms["persons"] == "noisy_count"
        assert forms["pay_sum"] == "noisy_sum"


@pytest.mark.further
@pytest.mark.slow
def test_a_run_shows_groups_and_names_the_releases_that_add_up(connection: Connection) -> None:
    """Those of the same source that the ledger has not: an ε bounds both together, by its sum."""
    first = sqlanon.anonymize("people", connection=connection, **promising("first", "1"))
    sample = first.preview()
    assert sample is not None
    assert sample.columns == ("set_id", "age", "town", "persons", "pay_sum", "pay_mean")
    assert [row[0] for row in sample.rows] == [1] * 5
    assert "some of its groups" in first._repr_html_()
    assert not [text for text in first.remarks if "first" in text]
    apart = sqlanon.anonymize("people", connection=connection, **promising("apart", "1"))
    assert [
        text for text in apart.remarks if "first is another release" in text and "add up" in text
    ]
    after = promising("after", "1", after=["first"])
    told = sqlanon.anonymize("people", connection=connection, **after)
    assert not [text for text in told.remarks if "first" in text]


USES: Mapping[str, Callable[[Connection, sqlanon.Release], object]] = {
    "attack": lambda connection, _: sqlanon.attack("public", connection=connection),
    "utility": lambda connection, _: sqlanon.utility("public", connection=connection),
    "check": lambda connection, _: sqlanon.check("public", connection=connection),
    "report": lambda _, release: release.report("page.html"),
    "certificate": lambda _, release: release.certificate(),
    "why": lambda _, release: release.why(),
    "charts": lambda _, release: release.charts(),
    "recipe": lambda _, release: recipe_of(held(release.relation, release.engine)),
}


def test_what_is_of_records_is_refused(
    connection: Connection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    release = sqlanon.anonymize("people", connection=connection, **spec())
    for name, use in USES.items():
        with pytest.raises(SpecError) as caught:
            use(connection, release)
        assert re.search(r"no record|counts records", str(caught.value)), name
    assert not list(tmp_path.iterdir())


SETTINGS = ("columns", "contributions", "sums", "between")
REFUSED: Mapping[str, tuple[dict[str, Any], str]] = {
    "no epsilon": ({"privacy": {"k": 1}}, "publish: counts get noise for an ε and a δ"),
    "a k": ({"privacy": {"k": 3, **spec()["privacy"]}}, "k is of records"),
    "levels by the data": ({"levels": {"age": 1}}, "levels that the data choose"),
    "a model": ({"sensitive": {"pay": {"l": 2}}}, "asked of the values of a class"),
    "a sensitive column": ({"publish": {"sums": None}}, "name it under publish.sums"),
    "an unknown column": ({"publish": {"columns": [["twon"]]}}, "did you mean 'town'"),
    "a set twice": (
        {"publish": {"columns": [["age", "town"], ["town", "age"]]}},
        "the same columns twice",
    ),
    "an unused column": ({"publish": {"columns": [["town"]]}}, "'age' is in no set of columns"),
    "no person": ({"person": []}, "publish.contributions: a record is taken for a person"),
    "bounds": (
        {"publish": {"sums": {"pay": {"low": 0, "high": 1, "step": "0.3"}}}},
        "multiples of the step",
    ),
    "a wrong sum": (
        {"publish": {"sums": {"pay": {"low": 0, "high": 1}, "age": {"low": 0, "high": 1}}}},
        "publish.sums.age: it is no sensitive attribute",
    ),
    "a range": ({"publish": {"between": [5, 5]}}, "publish.between"),
    "values": ({"publish": {"values": {"twon": ["x"]}}}, "publish.values.twon"),
    "values twice": ({"publish": {"values": {"town": ["x", "x"]}}}, "each of them once"),
    "too small a delta": (
        {"privacy": {"differential": {"epsilon": 2, "delta": "1e-15"}}},
        "delta is too small",
    ),
    "wide Gaussian noise": (
        {
            "publish": {
                "noise": "gaussian",
                "sums": {"pay": {"low": 0, "high": 10_000, "step": "0.5"}},
            }
        },
        "too wide for a table",
    ),
    "insensitive": (
        {"insensitive": ["pay"], "sensitive": [], "publish": {"sums": None}},
        "counts as a quasi-identifier",
    ),
    "suppression": ({"suppression": {"records": 1}}, "publish: counts publishes no record"),
    "a series": ({"series": {}}, "privacy.differential.after"),
    "records of persons": (
        {"publish": dict.fromkeys(SETTINGS) | {"name": "generalized"}, "sensitive": []},
        "or publish: counts",
    ),
    "a setting alone": ({"publish": {"name": "generalized"}}, "or say name: counts"),
    "SQL": (
        {
            "quasi_identifiers": {
                "age": {"hierarchy": {"sql": ["age / 10"]}},
                "town": {"hierarchy": {"tree": {"*": TOWNS}}},
            }
        },
        "SQL may read the data",
    ),
    "too many groups": (
        {
            "publish": {
                "columns": [["age", "town"]],
                "values": {
                    "age": [str(number) for number in range(400)],
                    "town": [str(number) for number in range(400)],
                },
            }
        },
        "more than 100,000 groups",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_spec_that_would_tell_more_is_refused(connection: Connection, name: str) -> None:
    declared, why = REFUSED[name]
    declared = dict(declared)
    fields = spec(
        **(
            {"publish": declared.pop("publish")}
            if isinstance(declared.get("publish"), dict)
            else {}
        ),
        **declared,
    )
    with pytest.raises(SpecError) as found:
        sqlanon.anonymize("people", connection=connection, **fields)
    assert why in str(found.value)


def test_a_column_that_has_no_exact_numbers_has_no_sum(connection: Connection) -> None:
    connection.execute("create table taken as select * replace (pay::double as pay) from people")
    with pytest.raises(SpecError, match=r"publish.sums.pay: a sum is of whole or decimal numbers"):
        sqlanon.anonymize("taken", connection=connection, **spec())


def test_a_record_that_is_nobody_s_is_refused(connection: Connection) -> None:
    connection.execute("insert into people values (null, 1, 'nobody', 1)")
    with pytest.raises(SpecError, match="person: 1 records do not say whom they are about"):
        sqlanon.anonymize("people", connection=connection, **spec())
