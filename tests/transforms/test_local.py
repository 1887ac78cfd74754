"""Local differential privacy: what is drawn, that its ε is proved, and that no draw comes twice."""

from __future__ import annotations

import hashlib
import hmac
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import date
from decimal import Decimal
from fractions import Fraction
from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from oracle.differential import exp_between, is_local, response, truncated_geometric
from servers import ENGINES, SPARK_LATER, Place, place
from support import DEALT, Connection, database, examples, make_table

import sqlanon
from sqlanon.errors import InfeasibleError, SpecError
from sqlanon.privacy.differential.counts import DRAWS
from sqlanon.privacy.differential.exponential import clamped_laplace, epsilon_holds, other_draws
from sqlanon.record.spent import epsilons_said, transforms_in_a_run
from sqlanon.source import keys as source_keys

COLUMNS = {
    "id": "varchar",
    "place": "integer",
    "age": "integer",
    "visits": "smallint",
    "pay": "decimal(9,2)",
    "plan": "varchar",
    "born": "date",
    "well": "boolean",
    "ill": "varchar",
}
PLANS = ["gold", "it's", "日本"]
DAYS = [date(2020, 1, 1), date(2020, 2, 29)]
TRANSFORMED: dict[str, dict[str, Any]] = {
    "visits": {"laplace": {"epsilon": "1.5", "low": -2, "high": 6}},
    "pay": {"laplace": {"epsilon": 2, "low": "-1", "high": "2.5", "step": "0.25"}},
    "plan": {"randomized_response": {"epsilon": 1, "values": PLANS}},
    "born": {"randomized_response": {"epsilon": "0.5", "values": DAYS}},
    "well": {"randomized_response": {"epsilon": 1, "values": [True, False]}},
}
SAYS = {
    "visits": "laplace|visits|with discrete Laplace noise between -2 and 6 for ε = 1.5",
    "pay": "laplace|pay|with discrete Laplace noise between -1 and 2.5 in steps of 0.25 for ε = 2",
    "plan": "randomized_response|plan|by randomized response of 3 answers for ε = 1",
    "born": "randomized_response|born|by randomized response of 2 answers for ε = 0.5",
    "well": "randomized_response|well|by randomized response of 2 answers for ε = 1",
}


class Keys:
    """Keys in place of random ones, and all that were asked for."""

    def __init__(self) -> None:
        self.given: list[bytes] = []

    def __call__(self) -> bytes:
        self.given.append(len(self.given).to_bytes(source_keys.LEAST_BYTES, "big"))
        return self.given[-1]


@pytest.fixture
def keys(monkeypatch: pytest.MonkeyPatch) -> Keys:
    found = Keys()
    monkeypatch.setattr(source_keys, "fresh_key", found)
    return found


def rows(records: int = 40) -> list[tuple[Any, ...]]:
    return [
        (
            f"né{i}",
            i,
            i % 3,
            i * 7 % 23 - 9,
            Decimal(i * 37 % 900 - 300).scaleb(-2),
            PLANS[i % 3],
            DAYS[i % 2],
            i % 5 > 1,
            "xy"[i % 2],
        )
        for i in range(records)
    ]


def spec(insensitive: Mapping[str, Any], **declared: Any) -> dict[str, Any]:
    columns = {
        name: {"accept": "a test", "transform": value} for name, value in insensitive.items()
    }
    return {
        "release": "public",
        "key": "id",
        "quasi_identifiers": ["age"],
        "sensitive": ["ill"],
        "insensitive": {"place": {"accept": "a test"}, **columns},
        "privacy": {"k": 3},
        "seed": 1,
        **DEALT,
        **declared,
    }


# --- the oracle ----------------------------------------------------------------------------------


def drawn(key: bytes, label: str, name: str) -> int:
    digest = hmac.new(key, f"{label}|{name}".encode(), hashlib.sha256).hexdigest()
    return int(digest[:12], 16)


def noised(value: Any, draw: int, setting: Mapping[str, Any], unit: Fraction) -> Fraction:
    """A value between the bounds, at a multiple of the step, with its noise, between the bounds."""
    low, high = Fraction(setting["low"]), Fraction(setting["high"])
    step = Fraction(setting.get("step", unit))
    within = min(max(Fraction(value), low), high)
    steps = int((high - low) / step)
    place_ = int((within - low) / step + Fraction(1, 2))
    counts = clamped_laplace(Fraction(setting["epsilon"]), steps, DRAWS)
    noise = bisect_right(list(accumulate(counts)), draw) - steps
    return low + step * min(max(place_ + noise, 0), steps)


def answered(value: Any, draw: int, setting: Mapping[str, Any]) -> Any:
    values = setting["values"]
    each = other_draws(Fraction(setting["epsilon"]), len(values), DRAWS)
    return values[draw // each] if draw < len(values) * each else value


def by_python(row: tuple[Any, ...], keys: Mapping[str, bytes]) -> tuple[Any, ...]:
    found = []
    for name, declared in TRANSFORMED.items():
        ((transform, setting),) = declared.items()
        value, draw = row[list(COLUMNS).index(name)], drawn(keys[name], SAYS[name], row[0])
        if transform == "laplace":
            found.append(noised(value, draw, setting, Fraction(1)))
        else:
            found.append(answered(value, draw, setting))
    return tuple(found)


@pytest.fixture(params=ENGINES)
def there(request: pytest.FixtureRequest, urls: Mapping[str, str]) -> Iterator[Place]:
    with place(request.param, urls) as found:
        yield found


@pytest.mark.further
@pytest.mark.slow
@pytest.mark.parametrize("there", SPARK_LATER, indirect=True)
def test_every_engine_draws_what_the_definition_says(there: Place, keys: Keys) -> None:
    there.make_table("people", COLUMNS, rows())
    sqlanon.anonymize("people", connection=there.connection, **spec(TRANSFORMED)).close()
    names, found = there.read("public")
    assert names == ("age", "ill", "place", *TRANSFORMED)
    of_columns = dict(zip(TRANSFORMED, keys.given, strict=True))
    expected = {row[1]: by_python(row, of_columns) for row in rows()}
    assert {row[2]: tuple(row[3:]) for row in found} == expected
    assert not {relation for relation in there.relations() if relation.startswith("sqlanon")}


# --- the bound -----------------------------------------------------------------------------------

epsilons = st.fractions(Fraction(1, 100), Fraction(20), max_denominator=100)


@examples(20, 200)
@given(epsilon=epsilons, steps=st.integers(1, 12))
def test_the_epsilon_of_noise_is_proved_of_its_counts(epsilon: Fraction, steps: int) -> None:
    counts = clamped_laplace(epsilon, steps, DRAWS)
    assert sum(counts) == DRAWS
    assert epsilon_holds(counts, epsilon)
    assert is_local(truncated_geometric(counts, steps), epsilon)
    # and no more noise than that: a little less ε does not hold
    less = epsilon * Fraction(999, 1000)
    assert not epsilon_holds(counts, less)
    assert not is_local(truncated_geometric(counts, steps), less)


@examples(20, 200)
@given(epsilon=epsilons, answers=st.integers(2, 12))
def test_the_epsilon_of_a_response_is_proved_of_its_counts(epsilon: Fraction, answers: int) -> None:
    each = other_draws(epsilon, answers, DRAWS)
    assert is_local(response(each, DRAWS, answers), epsilon)
    assert not is_local(response(each, DRAWS, answers), epsilon * Fraction(999, 1000))


def test_the_counts_are_those_of_the_discrete_laplace_distribution() -> None:
    """P(z) is (1 - a) / (1 + a) · a^|z|, rounded down between the ends, for a = e^(-ε / steps)."""
    counts = clamped_laplace(Fraction(2), 4, DRAWS)
    low, high = exp_between(Fraction(1, 2))
    for place_, noise in enumerate(range(-3, 4), 1):
        bounds = [DRAWS * (1 - 1 / one) / (1 + 1 / one) / one ** abs(noise) for one in (low, high)]
        assert min(bounds) - 2 < counts[place_] < max(bounds) + 1
    assert counts == tuple(reversed(counts))
    assert counts[0] * 2 == DRAWS - sum(counts[1:-1])


def test_counts_that_were_changed_prove_nothing() -> None:
    counts = list(clamped_laplace(Fraction(1), 5, DRAWS))
    counts[0], counts[-1] = counts[0] - 10**6, counts[-1] - 10**6
    counts[5] += 2 * 10**6
    assert not epsilon_holds(counts, Fraction(1))
    assert not epsilon_holds([1, 0, 1], Fraction(20))


@pytest.mark.slow
def test_many_records_are_drawn_with_the_exact_chances(keys: Keys) -> None:
    """Of 6,000 records with one value, each result is within five standard errors of its share."""
    with database() as connection:
        connection.execute(
            "create table people as select 'r' || i as id, i as place, i % 5 as age, 3 as visits, "
            "'b' as plan, i % 2 as ill from range(6000) as n(i)"
        )
        noise = {"laplace": {"epsilon": 1, "low": 0, "high": 5}}
        plan = {"randomized_response": {"epsilon": 1, "values": ["a", "b", "c"]}}
        declared = spec({"visits": noise, "plan": plan})
        sqlanon.anonymize("people", connection=connection, **declared).close()
        found = connection.execute("select visits, plan from public").fetchall()
    assert len(set(keys.given)) == 2
    shares = truncated_geometric(clamped_laplace(Fraction(1), 5, DRAWS), 5)[3]
    answers = response(other_draws(Fraction(1), 3, DRAWS), DRAWS, 3)[1]
    visits, plans = Counter(one for one, _ in found), Counter(one for _, one in found)
    for result, share in shares.items():
        assert abs(visits[result] - 6000 * share) < 5 * float(6000 * share * (1 - share)) ** 0.5
    for place_, name in enumerate("abc"):
        share = answers[place_]
        assert abs(plans[name] - 6000 * share) < 5 * float(6000 * share * (1 - share)) ** 0.5


# --- randomness ----------------------------------------------------------------------------------


@pytest.fixture
def connection() -> Iterator[Connection]:
    with database() as made:
        make_table(made, "people", COLUMNS, rows())
        yield made


def test_no_run_and_no_column_draws_by_a_key_of_another(connection: Connection) -> None:
    """Also with the same seed: what two releases show of a record differs by two draws."""
    asked: list[bytes] = []
    real = source_keys.fresh_key

    def noted() -> bytes:
        asked.append(real())
        return asked[-1]

    shown = []
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(source_keys, "fresh_key", noted)
        for _ in range(2):
            sqlanon.anonymize("people", connection=connection, **spec(TRANSFORMED)).close()
            shown.append(connection.execute("select * from public order by place").fetchall())
    assert len(asked) == 2 * len(TRANSFORMED) == len(set(asked))
    assert {len(one) for one in asked} == {source_keys.LEAST_BYTES}
    assert shown[0] != shown[1]
    kept = repr(connection.execute("select * from public__run").fetchall())
    for key in asked:
        for text in (key.hex(), *source_keys.pads(key)):
            assert text not in kept
    assert connection.execute("select getvariable('sqlanon_secret_1_inner')").fetchall() == [
        (None,)
    ]


# --- what is said --------------------------------------------------------------------------------


def test_the_epsilon_is_in_the_metrics_and_sums_up(connection: Connection) -> None:
    with sqlanon.anonymize("people", connection=connection, **spec(TRANSFORMED)) as release:
        found = {
            metric.attribute: metric.value
            for metric in release.measures
            if metric.metric == "epsilon"
        }
        assert found == {"visits": 1.5, "pay": 2, "plan": 1, "born": 0.5, "well": 1}
        assert release.measure("epsilon_total") == 6
        assert not [
            metric
            for metric in release.measures
            if metric.metric in ("changed_share", "mean_change")
        ]
        assert release.transforms["plan"] == "by randomized response of 3 answers for ε = 1"


def test_the_epsilon_of_a_person_is_that_of_all_records(connection: Connection) -> None:
    connection.execute("create table visits as select *, least(place // 4, 7) as who from people")
    connection.execute("update visits set age = who % 2")
    declared = spec({"plan": TRANSFORMED["plan"], "well": TRANSFORMED["well"]}, person="who")
    with sqlanon.anonymize("visits", connection=connection, **declared) as release:
        most = connection.execute("select max(n) from (select count(*) n from visits group by who)")
        assert release.measure("epsilon_total") == 2 * most.fetchall()[0][0] == 24


# --- what is refused -----------------------------------------------------------------------------


def refused(declared: Mapping[str, Any], message: str, connection: Connection) -> None:
    with pytest.raises((SpecError, InfeasibleError), match=message):
        sqlanon.anonymize("people", connection=connection, **declared)
    assert not connection.execute(
        "select 1 from duckdb_tables() where table_name = 'public'"
    ).fetchall()


@pytest.mark.parametrize(
    ("column", "transform", "message"),
    [
        ("visits", {"laplace": {"epsilon": 1, "low": 0}}, "high"),
        ("visits", {"laplace": {"epsilon": 1}}, "low"),
        ("visits", {"laplace": {"epsilon": 0, "low": 0, "high": 9}}, "greater than 0"),
        ("visits", {"laplace": {"epsilon": 21, "low": 0, "high": 9}}, "20"),
        ("visits", {"laplace": {"epsilon": 1, "low": 9, "high": 9}}, "above low"),
        (
            "visits",
            {"laplace": {"epsilon": 1, "low": 0, "high": 9, "step": 2}},
            "multiple of the step",
        ),
        ("visits", {"laplace": {"epsilon": 1, "low": 0, "high": 40000}}, "no value of"),
        ("visits", {"laplace": {"epsilon": 1, "low": 0, "high": 5000}}, "5,000 steps"),
        ("visits", {"laplace": {"epsilon": "0.0000001", "low": 0, "high": 900}}, "too small"),
        ("visits", [{"top": 4}, TRANSFORMED["visits"]], "put it before all other"),
        ("pay", {"laplace": {"epsilon": 1, "low": 0, "high": "1.005"}}, "multiple of 0.01"),
        ("plan", {"laplace": {"epsilon": 1, "low": 0, "high": 9}}, "needs whole numbers"),
        ("plan", {"randomized_response": {"epsilon": 1}}, "values"),
        ("plan", {"randomized_response": {"epsilon": 1, "values": ["a"]}}, "two or more"),
        ("plan", {"randomized_response": {"epsilon": 1, "values": ["a", "a"]}}, "twice"),
        (
            "plan",
            {"randomized_response": {"epsilon": 1, "values": PLANS[:2]}},
            "13 records have no",
        ),
        (
            "pay",
            {"randomized_response": {"epsilon": 1, "values": ["1", "2"]}},
            "cast it in a query",
        ),
        ("visits", {"randomized_response": {"epsilon": 1, "values": ["01", "2"]}}, "no value of"),
        ("born", {"randomized_response": {"epsilon": 1, "values": ["2020", "2"]}}, "no value of"),
    ],
)
def test_what_does_not_fit_is_refused(
    connection: Connection, column: str, transform: Any, message: str
) -> None:
    refused(spec({column: transform}), message, connection)


def test_the_widest_bounds_of_whole_numbers_are_drawn_between(connection: Connection) -> None:
    """Whatever a value is, no sum leaves the type; where it could, the spec is refused."""
    low, widest = -(2**63), 2**62 - 4
    ends = f"case when visits > 3 then {2**63 - 1} else {low} end"
    connection.execute(f"alter table people alter visits type bigint using {ends}")
    noise = {"epsilon": 1, "low": low, "high": low + widest, "step": widest // 4}
    declared = spec({"visits": {"laplace": noise}})
    with sqlanon.anonymize("people", connection=connection, **declared):
        found = connection.execute("select min(visits), max(visits) from public").fetchone()
        assert found == (low, low + widest)
        connection.execute("drop table public")
    noise["high"] += widest // 4
    refused(spec({"visits": {"laplace": noise}}), "2\\^62 and more", connection)


@pytest.mark.parametrize("column", ["visits", "plan"])
def test_a_record_without_a_value_is_refused(connection: Connection, column: str) -> None:
    """NULL would stay NULL, and so tell who has none."""
    connection.execute(f"update people set {column} = null where place = 7")
    refused(spec({column: TRANSFORMED[column]}), "1 records have no value", connection)


def test_what_would_break_the_bound_is_refused(
    connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NOISE", "a key of noise that is long enough, 4711")
    key = {"key": {"env": "NOISE"}}
    noise = {"noise": {"within": 1, **key}}
    visits = TRANSFORMED["visits"]
    refused(spec({"visits": [visits, noise]}), "leave the other transform that draws", connection)
    refused(spec({"visits": visits}, key=[], person="id"), "name a record as key", connection)
    swapped = {"columns": ["plan"], "within": ["visits"], "share": 1, **key}
    declared = spec({"visits": visits, "plan": []}, swap=swapped)
    del declared["insensitive"]["plan"]["transform"]
    refused(declared, "reads 'visits' as the source has it", connection)
    asked = spec(
        {},
        sensitive={
            "ill": {
                "l": 2,
                "transform": {"randomized_response": {"epsilon": 1, "values": ["x", "y"]}},
            }
        },
    )
    refused(asked, "different values of equal ones", connection)


def test_a_release_cannot_be_drawn_again_by_check(connection: Connection) -> None:
    declared = spec({"visits": TRANSFORMED["visits"]})
    sqlanon.anonymize("people", connection=connection, **declared).close()
    parsed = sqlanon.parse_spec({**declared, "source": "people"})
    with pytest.raises(SpecError, match="nothing keeps the run's own key"):
        sqlanon.check("public", spec=parsed, connection=connection)
    with pytest.raises(SpecError, match="hold the key"):
        sqlanon.compile("people", connection=connection, **declared)


def test_a_transform_may_follow(connection: Connection) -> None:
    """What is made of a draw alone tells no more of the value."""
    declared = spec({"visits": [TRANSFORMED["visits"], {"bands": 4}]})
    with sqlanon.anonymize("people", connection=connection, **declared) as release:
        found = {one for (one,) in connection.execute("select visits from public").fetchall()}
        assert found <= {"[-4, -1]", "[0, 3]", "[4, 7]"}
        assert release.measure("epsilon", "visits") == 1.5


def test_a_run_and_its_report_say_the_epsilon(connection: Connection, tmp_path: Path) -> None:
    declared = spec({"plan": TRANSFORMED["plan"], "visits": {"top": 4}})
    with sqlanon.anonymize("people", connection=connection, **declared) as release:
        said = transforms_in_a_run(release.transforms, release.measures, release.counts)
        assert said == (
            "Transformed: visits at most 4. No guarantee rests on that: the measures are of the "
            "published values.",
            "Drawn: plan by randomized response of 3 answers for ε = 1. Local differential "
            "privacy: ε = 1 for plan in each record. The other columns are not covered by it.",
        )
        assert epsilons_said([]) == ""
        both = spec({"plan": TRANSFORMED["plan"], "well": TRANSFORMED["well"]})
    with sqlanon.anonymize("people", connection=connection, **both) as release:
        whole = "All that is shown of a record has ε = 2."
        assert whole in transforms_in_a_run(release.transforms, release.measures, "records")[0]
        assert whole not in epsilons_said(release.measures, with_total=False)
        page = release.report(tmp_path / "report.html").read_text(encoding="utf-8")
        assert whole in page


def test_a_quasi_identifier_is_not_drawn_and_the_way_that_is_named_instead_works() -> None:
    """Where no model is asked of the column, it has its ε as an insensitive one."""
    drawn = {"transform": {"laplace": {"epsilon": 1, "low": 0, "high": 100}}}
    asked: dict[str, Any] = {
        "release": "public",
        "key": "id",
        "quasi_identifiers": {"sex": {}},
        "privacy": {"k": 2},
        "method": "stack_and_deal",
    }
    wrong = {**asked, "quasi_identifiers": {"sex": {}, "age": drawn}}
    with database() as connection:
        rows = [(number, 30 + number % 3, "FM"[number % 2]) for number in range(24)]
        make_table(connection, "t", {"id": "integer", "age": "integer", "sex": "varchar"}, rows)
        with pytest.raises(SpecError, match="where no model is asked of the column") as found:
            sqlanon.anonymize("t", connection=connection, **wrong)
        named = found.value.problems[0].what.rpartition("as insensitive: ")[2]
        assert yaml.safe_load(named) == {"age": drawn}
        insensitive = yaml.safe_load(named)
        with sqlanon.anonymize(
            "t", connection=connection, **asked, insensitive=insensitive
        ) as made:
            assert made.measure("epsilon", "age") == 1
