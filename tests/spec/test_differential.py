"""(ε, δ) of a whole release: what proves it, who is sampled, and what is refused."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import pairwise
from math import ceil, exp
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from oracle.differential import (
    delta_of_theorem,
    exp_between,
    exponential,
    kept_by,
    needed_delta,
    released,
    tail,
)
from servers import ENGINES, SPARK_LATER, Place, place
from support import Connection, database, examples, make_table

import sqlanon
from sqlanon.cli.main import cli
from sqlanon.errors import InfeasibleError, SpecError
from sqlanon.planning.drawn_levels import Candidate, scores_of
from sqlanon.privacy.differential.counts import DRAWS
from sqlanon.privacy.differential.exponential import drawn, weights_of
from sqlanon.privacy.differential.sampling import binomial_tail, sampling_for
from sqlanon.record.spent import sampling_said
from sqlanon.source import keys

COLUMNS = {"id": "varchar", "age": "integer", "sex": "varchar"}
EASY = {"epsilon": 1, "delta": "0.5"}  # for which two records are enough for a class


def rows(records: int = 60) -> list[tuple[Any, ...]]:
    return [(f"né{i}", i * 7 % 40 if i % 11 else None, "FM"[i % 2]) for i in range(records)]


def spec(differential: Mapping[str, Any] = EASY, **declared: Any) -> dict[str, Any]:
    return {
        "release": "public",
        "key": "id",
        "quasi_identifiers": {
            "age": {"hierarchy": {"bands": [10, 20]}},
            "sex": {"hierarchy": {"tree": {"*": ["F", "M"]}}},
        },
        "levels": {"age": 1, "sex": 0},
        "privacy": {"differential": differential},
        **declared,
    }


@pytest.fixture
def connection() -> Iterator[Connection]:
    with database() as made:
        make_table(made, "people", COLUMNS, rows())
        yield made


# --- the proof -----------------------------------------------------------------------------------

epsilons = st.fractions(Fraction(1, 10), Fraction(2), max_denominator=20)
deltas = st.fractions(Fraction(1, 50), Fraction(9, 10), max_denominator=50)


@pytest.mark.slow
@examples(8, 80)
@given(epsilon=epsilons, delta=deltas)
def test_no_class_tells_more_of_a_record_than_epsilon_and_delta(
    epsilon: Fraction, delta: Fraction
) -> None:
    """By the exact chances of every class of up to 80 records, with and without one of them."""
    found = sampling_for(epsilon, delta)
    assert found.delta <= delta
    shown = [released(n, found.share, found.k) for n in range(81)]
    for without, beside in pairwise(shown):
        assert needed_delta(beside, without, epsilon) <= found.delta
        assert needed_delta(without, beside, epsilon) <= found.delta


@examples(8, 80)
@given(epsilon=epsilons, delta=deltas)
def test_k_and_the_share_are_those_of_the_theorem(epsilon: Fraction, delta: Fraction) -> None:
    """The share is the greatest multiple of 2^-16, and no smaller k is proved."""
    found = sampling_for(epsilon, delta)
    power = exp_between(epsilon)[0]
    assert found.share <= 1 - 1 / power < found.share + Fraction(1, 2**16)
    assert delta_of_theorem(found.k, found.share, epsilon, 120) <= delta
    if found.k > 1:
        assert delta_of_theorem(found.k - 1, found.share, epsilon, 120) > delta


@examples(20, 200)
@given(
    members=st.integers(0, 60),
    least=st.integers(0, 61),
    share=st.fractions(Fraction(1, 100), Fraction(99, 100), max_denominator=2**16),
)
def test_a_tail_is_exact_but_for_rounding_up(members: int, least: int, share: Fraction) -> None:
    """Beyond the mean terms fall, and what was rounded up falls with them."""
    exact, found = tail(members, least, share), binomial_tail(members, least, share)
    assert exact <= found <= 1
    if least > members * share:
        assert found <= exact + Fraction(1, 2**200)


def test_the_parameters_of_common_bounds() -> None:
    """Worked out beforehand: for δ = 10^-6 some 60 to 131 records of a class, not thousands."""
    million = Fraction(1, 10**6)
    found = {text: sampling_for(Fraction(text), million) for text in ("0.1", "0.5", "1", "2")}
    assert {text: each.k for text, each in found.items()} == {
        "0.1": 60,
        "0.5": 63,
        "1": 74,
        "2": 131,
    }
    for text, each in found.items():
        lower = sampling_for(Fraction(text), each.delta)
        assert lower.k <= each.k


# --- who is released -----------------------------------------------------------------------------


def is_sampled(name: str, key: bytes, share: Fraction) -> bool:
    digest = hmac.new(key, f"sampling|{name}".encode(), hashlib.sha256).hexdigest()
    return int(digest[:12], 16) < share * DRAWS


@pytest.fixture(params=ENGINES)
def there(request: pytest.FixtureRequest, urls: Mapping[str, str]) -> Iterator[Place]:
    with place(request.param, urls) as found:
        yield found


@pytest.mark.parametrize("there", SPARK_LATER, indirect=True)
def test_every_engine_releases_the_sampled_classes_of_k(
    there: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = bytes(range(32))
    monkeypatch.setattr(keys, "fresh_key", lambda: key)
    there.make_table("people", COLUMNS, rows())
    release = sqlanon.anonymize("people", connection=there.connection, **spec())
    found = sampling_for(Fraction(1), Fraction(1, 2))
    classes = Counter(
        (None if age is None else f"[{age // 10 * 10}, {age // 10 * 10 + 9}]", sex)
        for name, age, sex in rows()
        if is_sampled(name, key, found.share)
    )
    assert min(classes.values()) < found.k, "no class is left out"
    expected = {one: number for one, number in classes.items() if number >= found.k}
    names, shown = there.read("public")
    assert names == ("age", "sex")
    assert Counter(map(tuple, shown)) == expected
    assert release.measure("release_epsilon") == 1
    assert release.measure("release_delta") == pytest.approx(float(found.delta))
    assert release.measure("sampling_share") == pytest.approx(float(found.share))
    assert not {relation for relation in there.relations() if relation.startswith("sqlanon")}


def test_each_run_samples_by_a_key_of_its_own(connection: Connection) -> None:
    """With the same seed, too; and the record of a run has no key."""
    asked: list[bytes] = []
    real = keys.fresh_key

    def noted() -> bytes:
        asked.append(real())
        return asked[-1]

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(keys, "fresh_key", noted)
        for _ in range(2):
            sqlanon.anonymize("people", connection=connection, **spec(), seed=1).close()
    assert len(set(asked)) == len(asked) == 2
    kept = repr(connection.execute("select * from public__run").fetchall())
    assert not [one for one in asked if one.hex() in kept or keys.pads(one)[0] in kept]


def test_records_are_sampled_with_the_exact_chance(connection: Connection) -> None:
    """Of 8,000 records, within five standard errors; each class of them by the same chance."""
    connection.execute(
        "create table many as select 'r' || i as id, cast(i % 2 as integer) * 10 as age, "
        "'F' as sex from range(8000) as n(i)"
    )
    asked = {"epsilon": 1, "delta": "1e-6"}
    with sqlanon.anonymize("many", connection=connection, **spec(asked)) as release:
        share, k = release.measure("sampling_share"), release.measure("k")
        assert share is not None
        assert k is not None
        assert k >= 74
    found = connection.execute("select age, count(*) from public group by age").fetchall()
    assert len(found) == 2
    for _, number in found:
        assert abs(number - 4000 * share) < 5 * (4000 * share * (1 - share)) ** 0.5


@pytest.mark.parametrize("records", [60, 400])
def test_what_a_release_lacks_is_said_in_the_words_of_epsilon_and_delta(
    connection: Connection, records: int
) -> None:
    """Of a sample that is too small, and of classes that all are: no k was asked for."""
    connection.execute(
        "create table few as select 'r' || i as id, cast(i % 40 as integer) as age, 'F' as sex "
        f"from range({records}) as n(i)"
    )
    said = {60: "were sampled in all", 400: "at the levels that are named every class violates"}
    with pytest.raises(InfeasibleError, match=said[records]) as found:
        sqlanon.anonymize("few", connection=connection, **spec({"epsilon": 2, "delta": "1e-6"}))
    assert "a smaller epsilon or a greater delta" in str(found.value)
    assert "lower k" not in str(found.value)
    assert "highest" not in str(found.value)


def test_a_goal_is_refused_where_epsilon_and_delta_say_how_much(connection: Connection) -> None:
    with pytest.raises(SpecError, match="goal: a goal stands for k, l and t"):
        sqlanon.anonymize("people", connection=connection, **spec(), goal="public")


def test_a_table_of_few_is_refused(connection: Connection) -> None:
    with pytest.raises((SpecError, InfeasibleError)):
        sqlanon.anonymize("people", connection=connection, **spec({"epsilon": 2, "delta": "1e-6"}))
    found = connection.execute("select 1 from duckdb_tables() where table_name = 'public'")
    assert not found.fetchall()


# --- levels that are drawn -----------------------------------------------------------------------

CHOOSING = {**EASY, "epsilon": 2, "choose": {"epsilon": "0.5"}}
RANGES = {"age": [1, 3], "sex": [0, 1]}


@examples(30, 300)
@given(
    scores=st.lists(st.tuples(st.integers(0, 400), st.integers(0, 1)), min_size=1, max_size=6),
    epsilon=st.fractions(Fraction(1, 20), Fraction(3), max_denominator=20),
)
def test_a_choice_is_as_likely_up_to_e_to_the_epsilon_with_a_further_record(
    scores: list[tuple[int, int]], epsilon: Fraction
) -> None:
    """By exact fractions, whichever scores the record raises; near the true ones, and not below."""
    before = exponential(weights_of([number for number, _ in scores], epsilon))
    after = exponential(weights_of([sum(one) for one in scores], epsilon))
    most = exp_between(epsilon)[0]
    for one, other in zip(before, after, strict=True):
        assert one <= most * other
        assert other <= most * one
    best = max(number for number, _ in scores)
    true = [exp(-float(epsilon) * (best - number)) for number, _ in scores]
    for one, weight in zip(before, true, strict=True):
        assert float(one) == pytest.approx(weight / sum(true), rel=1e-4, abs=1e-15)


@pytest.mark.slow
def test_a_choice_is_drawn_by_its_weight() -> None:
    """Each of the numbers leads to one choice; of 4,000 draws within five standard errors."""
    weights = (2, 0, 5, 1)
    numbers = iter(range(8))
    assert [drawn(weights, lambda _: next(numbers)) for _ in range(8)] == [0, 0, 2, 2, 2, 2, 2, 3]
    found = Counter(drawn(weights_of((0, 1, 2), Fraction(1))) for _ in range(4000))
    whole = 1 + exp(1) + exp(2)
    for choice in range(3):
        share = exp(choice) / whole
        assert abs(found[choice] - 4000 * share) < 5 * (4000 * share * (1 - share)) ** 0.5


@examples(30, 300)
@given(
    sizes=st.lists(st.integers(0, 9), min_size=1, max_size=4),
    needed=st.integers(0, 5),
    weights=st.lists(st.fractions(0, 2, max_denominator=12), min_size=2, max_size=3),
)
def test_a_further_record_raises_a_score_by_one_at_most(
    sizes: list[int], needed: int, weights: list[Fraction]
) -> None:
    """The record is in one class of every choice, whichever it is; here of each choice the same."""
    weights.append(Fraction(1))
    choices = [Candidate((level,), weight) for level, weight in enumerate(weights)]
    before = scores_of([kept_by(sizes, needed)] * len(choices), choices)
    for joined in range(len(sizes)):
        more = [size + (at == joined) for at, size in enumerate(sizes)]
        after = scores_of([kept_by(more, needed)] * len(choices), choices)
        assert all(one <= other <= one + 1 for one, other in zip(before, after, strict=True))


@pytest.mark.parametrize("there", SPARK_LATER, indirect=True)
def test_every_engine_scores_all_records_and_releases_the_levels_that_are_drawn(
    there: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Scores are of the source, and not of the sample; the last of six choices is then made."""
    asked: list[list[int]] = []

    def noted(kept: list[int], found: list[Candidate]) -> list[int]:
        asked.append(kept)
        assert [candidate.levels for candidate in found] == [
            (a, s) for a in (1, 2, 3) for s in (0, 1)
        ]
        assert [candidate.weight for candidate in found] == [
            Fraction(3 - a, 3) + (1 - s) for a in (1, 2, 3) for s in (0, 1)
        ]
        return scores_of(kept, found)

    monkeypatch.setattr("sqlanon.planning.drawn_levels.scores_of", noted)
    monkeypatch.setattr("sqlanon.planning.drawn_levels.drawn", lambda weights: 3)
    there.make_table("people", COLUMNS, rows())
    release = sqlanon.anonymize(
        "people", connection=there.connection, **spec(CHOOSING, levels=RANGES)
    )
    sampling = sampling_for(Fraction(3, 2), Fraction(1, 2))
    needed = ceil(sampling.k / sampling.share)

    def classes(width: int | None, exact: bool) -> Counter[object]:
        def band(age: int | None) -> object:
            return None if width is None or age is None else age // width

        # At the highest level NULL is no group of its own.
        return Counter((band(age), sex if exact else "*") for _, age, sex in rows())

    expected = [
        kept_by(list(classes(width, exact).values()), needed)
        for width in (10, 20, None)
        for exact in (True, False)
    ]
    assert asked == [expected]
    assert release.levels == {"age": 2, "sex": 1}
    assert {row[1] for row in there.read("public")[1]} == {"*"}
    assert release.measure("release_epsilon") == 2
    assert release.measure("choice_epsilon") == 0.5
    assert release.measure("sampling_share") == pytest.approx(float(sampling.share))
    said = sampling_said(release.measures)
    assert "ε = 2" in said
    assert "The choice of levels took 0.5 of this ε" in said
    assert not {relation for relation in there.relations() if relation.startswith("sqlanon")}


def test_finer_levels_are_drawn_where_all_classes_are_large(connection: Connection) -> None:
    """With 8,000 records of two ages the finest of nine choices has a chance of nearly 1."""
    connection.execute(
        "create table many as select 'r' || i as id, cast(i % 2 as integer) * 10 as age, "
        "'F' as sex from range(8000) as n(i)"
    )
    asked = {"epsilon": 1, "delta": "1e-6", "choose": {"epsilon": "0.1"}}
    budget = {"epsilon": "1.5", "delta": "1e-5"}
    declared = spec(asked | {"budget": budget}, levels={})
    with sqlanon.anonymize("many", connection=connection, **declared) as release:
        assert release.levels == {"age": 0, "sex": 0}
    with pytest.raises(SpecError, match="would have ε = 2 and δ"):
        sqlanon.anonymize("many", connection=connection, **declared)
    kept = dict(connection.execute("select item, value from public__run").fetchall())
    assert kept["levels_drawn_among"] == "8"


def test_levels_that_cannot_be_drawn_are_refused(connection: Connection) -> None:
    bands = {"hierarchy": {"bands": [2**number for number in range(1, 9)]}}
    columns = {f"c{place}": bands for place in (1, 2, 3, 4)}
    make_table(connection, "wide", {"id": "varchar"} | dict.fromkeys(columns, "integer"), [])
    with pytest.raises(SpecError, match="10,000 combinations, and 1,000 are scored at most"):
        sqlanon.anonymize(
            "wide",
            connection=connection,
            **spec(CHOOSING, quasi_identifiers=columns, levels={}),
        )
    with pytest.raises(SpecError, match="leave nothing to choose"):
        sqlanon.anonymize(
            "people", connection=connection, **spec(CHOOSING, levels={"age": [3, 3], "sex": 1})
        )


# --- what is said, and refused -------------------------------------------------------------------


def test_a_run_says_what_is_proved_and_that_nothing_else_is(
    connection: Connection, tmp_path: Path
) -> None:
    with sqlanon.anonymize("people", connection=connection, **spec()) as release:
        said = sampling_said(release.measures)
        assert said.startswith("Differential privacy of the release: ε = 1, δ = 0.4")
        assert "sampled with a chance of 63.21%. Hand out nothing but the release" in said
        assert sampling_said([]) == ""
        release.report(tmp_path / "mine.html")
        with pytest.raises(SpecError, match="hand out the release alone"):
            release.report(tmp_path / "theirs.html", external=True)
    with sqlanon.open(connection) as db:
        with pytest.raises(SpecError, match="a certificate counts records"):
            db.certificate("public")
        with pytest.raises(SpecError, match="who was sampled"):
            db.check("public")


@pytest.mark.further
@pytest.mark.slow
def test_every_run_says_its_epsilon_and_none_that_a_seed_makes_the_release_again(
    tmp_path: Path,
) -> None:
    """It is drawn by a key that nothing keeps, whatever the seed is and whatever is measured."""
    with database(tmp_path / "d.duckdb") as made:
        make_table(made, "people", COLUMNS, rows())
    file = tmp_path / "spec.yaml"
    place = {"source": {"table": "people"}, "database": str(tmp_path / "d.duckdb")}
    noise = {"laplace": {"epsilon": 1, "low": 0, "high": 40}}
    column = {"transform": noise, "accept": "a test"}
    local = {
        **spec(privacy={"k": 2}, levels={"sex": 0}, method="optimal"),
        "quasi_identifiers": {"sex": {"hierarchy": {"tree": {"*": ["F", "M"]}}}},
        "insensitive": {"age": column},
    }
    local["source"] = {"query": "from people where age is not null"}
    without = {**local, "insensitive": {}}
    for declared, promised in ((spec(), False), (local, False), (without, True)):
        file.write_text(json.dumps({**place, **declared}))
        for measured in ("all", "asked"):
            command = ["run", str(file), "--metrics", measured]
            done = CliRunner().invoke(cli, command, catch_exceptions=False)
            assert done.exit_code == 0, done.output
            again = "Put it into the spec to make the same release again"
            assert (again in done.output) is promised
            assert ("ifferential privacy" in done.output) is not promised


@pytest.mark.parametrize(
    ("declared", "message"),
    [
        ({"privacy": {"differential": {"epsilon": 1}}}, "delta"),
        ({"privacy": {"differential": {"epsilon": 1, "delta": 0}}}, "greater than 0"),
        ({"privacy": {"differential": {"epsilon": 6, "delta": "0.1"}}}, "from 0.01 to 5"),
        ({"privacy": {"differential": {"epsilon": "0.001", "delta": "0.1"}}}, "from 0.01 to 5"),
        ({"privacy": {"k": 1, "differential": EASY}}, "at least 2"),
        ({"privacy": {"differential": CHOOSING}}, "nothing to choose"),
        ({"privacy": {"differential": {**CHOOSING, "epsilon": "0.5"}}}, "each be at least 0.01"),
        ({"privacy": {"differential": {**CHOOSING, "choose": {}}}}, "choose.epsilon"),
        ({"privacy": {"differential": CHOOSING}, "publish": "counts"}, "levels that are named"),
        ({"levels": {"age": 1}}, "name one level for every"),
        ({"levels": {"age": [0, 1], "sex": 0}}, "name one level for every"),
        ({"key": []}, "name one as key"),
        ({"suppression": {"records": "0.1"}}, "limit to what is left out"),
        ({"sensitive": ["sex"], "quasi_identifiers": {}}, "quasi_identifiers"),
        ({"method": "stack_and_deal"}, "forms classes by the data"),
        ({"person": "id", "key": []}, "are of a record"),
        ({"materialize": "view"}, "read the source again"),
    ],
)
def test_what_would_tell_more_is_refused(declared: dict[str, Any], message: str) -> None:
    with pytest.raises(SpecError, match=message):
        sqlanon.parse_spec({**spec(), "source": "people", **declared})


def test_a_sensitive_column_and_groups_in_sql_are_refused() -> None:
    columns = spec()["quasi_identifiers"]
    age = {"age": columns["age"]}
    asked = spec(quasi_identifiers=age, levels={"age": 1}, sensitive="sex", source="people")
    with pytest.raises(SpecError, match="counts as a quasi-identifier here: make it one"):
        sqlanon.parse_spec(asked)
    by_sql = {**columns, "sex": {"hierarchy": {"sql": ["upper(sex)"]}}}
    with pytest.raises(SpecError, match="SQL may read the data"):
        sqlanon.parse_spec(spec(quasi_identifiers=by_sql, source="people"))
