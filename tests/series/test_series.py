"""Releases of the same persons: what intersecting their classes leaves, against plain Python."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
from commands import sqlanon as command
from hypothesis import given
from hypothesis import strategies as st
from oracle.series import (
    Seen,
    candidates,
    companions,
    departed,
    distance,
    left,
    possible,
    some_of,
    values_of,
)
from servers import ENGINES, DuckDBPlace, Place, place, plain
from support import (
    Connection,
    copy_of,
    database,
    examples,
    facts,
    make_table,
    read,
    relations,
    select,
    slow,
)

import sqlanon
from sqlanon.errors import InfeasibleError, SpecError
from sqlanon.session import Event

COLUMNS = {"who": "varchar", "age": "integer", "sex": "varchar", "disease": "varchar"}
ROLES: dict[str, Any] = {
    "quasi_identifiers": ["age", "sex"],
    "sensitive": {"disease": {"l": 2}},
    "person": "who",
    "k": 3,
    "seed": 7,
    "method": {"name": "split_or_deal", "refine": 0},  # it holds l
    "progress": False,
}
LEFT_OUT = {"records": "0.9"}
Known = tuple[int, str, tuple[str | None, ...]]
Persons = dict[str, Known]


def rows_of(persons: Persons) -> list[tuple[Any, ...]]:
    """A record for each value of each person."""
    return [(who, age, sex, text) for who, (age, sex, of) in persons.items() for text in of]


def born(random: Random, number: int) -> tuple[str, tuple[int, str, tuple[str | None, ...]]]:
    """A person with one or two diseases; NULL is one."""
    diseases: list[str | None] = ["flu", "cold", "it's", "ulcer", None]
    some = tuple(random.sample(diseases, random.choice([1, 1, 1, 2])))
    return f"p{number}", (random.randint(20, 60), random.choice("fm"), some)


def months(random: Random, first: int, several: int) -> Iterator[Persons]:
    """A month after the other: some leave, some return, some arrive, and most become older."""
    number, here, away = first, dict(born(random, i) for i in range(first)), Persons()
    for _ in range(several):
        yield dict(here)
        for who in random.sample(sorted(here), random.randint(0, len(here) // 5)):
            away[who] = here.pop(who)
        for who in random.sample(sorted(away), random.randint(0, len(away) // 2)):
            here[who] = away.pop(who)
        for _ in range(random.choice([0, 2, 8])):
            here.update([born(random, number)])
            number += 1
        here = {
            who: (age + random.choice([0, 1, 30]), sex, of) for who, (age, sex, of) in here.items()
        }


def seen(connection: Connection, source: str, **declared: Any) -> Seen:
    """Make a release; in which class a reader finds each person, and the person's values."""
    found: list[Any] = []

    def look(event: Event) -> None:
        if event.kind == "end" and event.number == event.total:
            query = "select w1, p1, p2, s1 from sqlanon_beside join sqlanon_persons using (x0)"
            found.extend(select(connection, query)[1])

    sqlanon.anonymize(source, connection=connection, **{**ROLES, **declared, "progress": look})
    released = read(connection, declared["release"])[1]
    assert sorted(map(repr, released)) == sorted(repr(row[1:]) for row in found)
    values: dict[str, set[Any]] = {}
    for who, *_, value in found:
        values.setdefault(who, set()).add(value)
    own: dict[str, frozenset[Hashable]] = {who: frozenset(of) for who, of in values.items()}
    return Seen({row[0]: row[1:3] for row in found}, own)


def members_of(connection: Connection, release: str, persons: Persons) -> Seen:
    """A release that was made before, by what it keeps."""
    classes = {who: at for at, who in read(connection, f"{release}__members")[1]}
    return Seen(classes, {who: frozenset(persons[who][2]) for who in classes})


def measured(connection: Connection, release: str) -> dict[str, tuple[Any, ...]]:
    """What was measured of the series: threshold, value, failing groups and persons."""
    return {row[0]: row[2:] for row in read(connection, f"{release}__series")[1]}


def expected(releases: Sequence[Seen], k: int, l: int) -> dict[str, tuple[Any, ...]]:  # noqa: E741
    """The same by the oracle: for each measure the worst, and the groups and persons below."""
    groups = {frozenset(companions(releases, one)) for one in releases[-1].classes}
    values = {group: len(left(releases, min(group))) for group in groups}
    small = [group for group in groups if len(group) < k]
    poor = [group for group in groups if values[group] < l]
    found: dict[str, tuple[Any, ...]] = {
        "candidates": (str(k), min(map(len, groups)), len(small), sum(map(len, small))),
        "possible_values": (str(l), min(values.values()), len(poor), sum(map(len, poor))),
    }
    gone = list(departed(releases[-2], releases[-1]).values()) if len(releases) > 1 else []
    for name, least, sizes in (
        ("left_candidates", k, [len(some) for some in gone]),
        ("left_values", l, [len(values_of(some, releases[-2])) for some in gone]),
    ):
        if gone:
            short = [some for some, size in zip(gone, sizes, strict=True) if size < least]
            found[name] = (None, min(sizes), len(short), sum(map(len, short)))
    return found


@pytest.mark.further
@pytest.mark.slow
@examples(2, 12)
@given(seed=st.integers(0, 2**31), name=st.sampled_from(["split_or_deal", "mondrian", ""]))
def test_five_releases_leave_enough_to_every_reader(seed: int, name: str) -> None:
    """Persons arrive, leave, return and change; whichever of the releases somebody has."""
    random = Random(seed)
    releases: list[Seen] = []
    quick = {"name": "split_or_deal", "effort": "quick"}
    method = quick if name == "split_or_deal" else name or "stack_and_deal"
    # Stack & Deal deals values out and looks at no class: in large ones none is too frequent.
    k = 3 if name else 8
    with database() as connection:
        last: list[str] = []
        for month, persons in enumerate(months(random, 26, 5)):
            make_table(connection, "visits", COLUMNS, rows_of(persons))
            declared = {"release": f"m{month}", "series": {"after": last}, "method": method}
            found = seen(connection, "visits", **declared, k=k, suppression=LEFT_OUT)
            releases.append(found)
            last = [f"m{month}"]
            for who in found.classes:
                assert len(companions(releases, who)) >= k
                assert len(left(releases, who)) >= 2
                assert found.values[who] == set(persons[who][2])
            account = facts(connection, f"m{month}")
            assert int(account["records_in"]) == len(rows_of(persons))
            out = int(account["records_in"]) - int(account["records_out"])
            assert out == int(account["records_suppressed"])
            assert {
                name: tuple(of) for name, of in measured(connection, f"m{month}").items()
            } == expected(releases, k, 2)
    for who in {who for release in releases for who in release.classes}:
        for some in some_of([release for release in releases if who in release.classes]):
            assert len(candidates(some, who)) >= k
            assert len(possible(some, who)) >= 2


@pytest.mark.further
@pytest.mark.slow
@examples(1, 20)
@given(seed=st.integers(0, 2**31))
def test_two_independent_releases_are_found_to_tell_too_much(seed: int) -> None:
    """The gate refuses exactly what the oracle finds, with its numbers."""
    first, second = months(Random(seed), 60, 2)
    with database() as connection:
        make_table(connection, "visits", COLUMNS, rows_of(first))
        one = seen(connection, "visits", release="january", series={})
        make_table(connection, "visits", COLUMNS, rows_of(second))
        other = seen(connection, "visits", release="alone")
        short = expected([one, other], 3, 2)
        worst = short["candidates"][1]
        assert (worst or 0) < 3, "the two releases do not single anybody out"
        smallest = min(
            len(candidates([one, other], who)) for who in one.classes.keys() & other.classes
        )
        assert smallest < 3
        series = {"after": "january", "reuse": False}
        with pytest.raises(InfeasibleError) as caught:
            sqlanon.anonymize(
                "visits", connection=connection, **ROLES, release="february", series=series
            )
        said = {
            shortfall.model: (shortfall.reached, shortfall.threshold)
            for shortfall in caught.value.shortfalls
        }
        for name, (asked, reached, groups, persons) in short.items():
            if groups and asked is not None:
                assert said.pop(name)[0] == reached
                told = (
                    f"  {name}{' of disease' if name != 'candidates' else ''}: asked for {asked} "
                )
                assert f"{told}({groups} group" in str(caught.value)
                assert f"with {persons} person" in str(caught.value)
        assert said == {}
        assert not any(name.startswith("february") for name in relations(connection))


@pytest.mark.further
@pytest.mark.slow
@examples(2, 12)
@given(seed=st.integers(0, 2**31), reuse=st.booleans())
def test_t_holds_among_companions(seed: int, reuse: bool) -> None:
    """What is accepted holds by the oracle, and what is refused for t alone does not."""
    releases: list[Seen] = []
    asked = {"sensitive": {"disease": {"t": "1/3"}}, "k": 2, "method": "split_or_deal"}
    with database() as connection:
        for month, persons in enumerate(months(Random(seed), 40, 4)):
            source = {who: of for who, (_, _, of) in persons.items()}
            make_table(connection, "visits", COLUMNS, rows_of(persons))
            series = {"after": [f"m{number}" for number in range(month)], "reuse": reuse}
            declared = {**asked, "release": f"m{month}", "series": series}
            out = {"suppression": LEFT_OUT} if reuse else {}
            try:
                releases.append(seen(connection, "visits", **declared, **out))
            except InfeasibleError as error:
                assert not reuse, "those who fail are left out"
                short = {shortfall.model for shortfall in error.shortfalls}
                assert short <= {"candidates", "companions_t_closeness"}
                return
            worst = max(distance(releases, who, source) for who in releases[-1].classes)
            assert worst <= Fraction(1, 3)
            if month:
                told = measured(connection, f"m{month}")["companions_t_closeness"]
                assert told == ("1/3", pytest.approx(float(worst)), 0, 0)


@pytest.mark.slow
def test_t_among_companions_is_exact(two: tuple[Connection, Persons]) -> None:
    """At equality it holds, and below it nothing is published, though each class holds it."""
    connection, persons = two
    here = {person: of for person, of in persons.items() if int(person[1:]) % 4}
    make_table(connection, "visits", COLUMNS, rows_of(here))
    by_sex = Seen(
        {who: sex for who, (_, sex, _) in here.items()},
        {who: frozenset(of) for who, (_, _, of) in here.items()},
    )
    source = {who: of for who, (_, _, of) in here.items()}
    releases = [members_of(connection, "january", persons), by_sex]
    worst = max(distance(releases, who, source) for who in here)
    assert worst > max(distance([by_sex], who, source) for who in here)
    declared = {"series": {"reuse": False, "after": "january"}, "k": 1, "quasi_identifiers": "sex"}
    for t in (worst - Fraction(1, 10**6), worst):
        asked = {**declared, "sensitive": {"disease": {"t": str(t)}}, "release": "february"}
        if t == worst:
            sqlanon.anonymize("visits", connection=connection, **{**ROLES, **asked})
            assert measured(connection, "february")["companions_t_closeness"][0] == str(t)
        else:
            with pytest.raises(
                InfeasibleError, match=r"companions_t_closeness of disease: as"
            ) as e:
                sqlanon.anonymize("visits", connection=connection, **{**ROLES, **asked})
            assert {shortfall.model for shortfall in e.value.shortfalls} == {
                "companions_t_closeness"
            }


@pytest.fixture(scope="module")
def january(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Persons]:
    """A database with persons and the first release of them."""
    random = Random(5)
    persons = dict(born(random, i) for i in range(30))
    file = tmp_path_factory.mktemp("series") / "january"
    with database(file) as connection:
        make_table(connection, "visits", COLUMNS, rows_of(persons))
        declared = {**ROLES, "release": "january", "series": {}}
        sqlanon.anonymize("visits", connection=connection, **declared)
    return file, persons


@pytest.fixture
def two(january: tuple[Path, Persons], tmp_path: Path) -> Iterator[tuple[Connection, Persons]]:
    """Two months of the same persons, of which the first is published."""
    file, persons = january
    with copy_of(file, tmp_path) as connection:
        yield connection, persons


def following(connection: Connection, release: str = "february", **declared: Any) -> Any:
    given = {"after": "january", **declared}
    return sqlanon.anonymize(
        "visits", connection=connection, **{**ROLES, "release": release} | given
    )


def test_what_is_kept_names_no_value_of_a_single_person(two: tuple[Connection, Persons]) -> None:
    connection, persons = two
    columns, members = read(connection, "january__members")
    assert columns == ("class_id", "who")
    assert {who for _, who in members} == set(persons)
    columns, values = read(connection, "january__values")
    assert columns == ("class_id", "attribute", "value", "persons")
    shown = Counter((at, value) for at, who in members for value in persons[who][2])
    assert {(at, value): number for at, _, value, number in values} == shown
    assert "january__members" in facts(connection, "january")["relations"]


def test_a_release_of_a_series_is_checked_by_its_name(two: tuple[Connection, Persons]) -> None:
    """The check counts records, and knows no series."""
    connection, persons = two
    with sqlanon.open(connection, progress=False) as db:
        made = db.check("january")
        assert made.passed
        assert made.measure("records") == len(rows_of(persons))
    connection.execute("delete from visits where rowid = 0")
    (fault, *_) = sqlanon.check("january", connection=connection, progress=False).faults
    assert (fault.what, fault.records) == ("invented_records", 1)


@pytest.mark.slow
def test_a_release_that_follows_says_what_intersecting_leaves(
    two: tuple[Connection, Persons],
) -> None:
    made = following(two[0])
    assert [
        (figure.metric, figure.attribute, figure.threshold, figure.passed)
        for figure in made.told["series"].metrics
    ] == [
        ("candidates", None, "3", True),
        ("possible_values", "disease", "2", True),
    ]
    assert [str(one) for one in made.kept] == [
        f"february__{x}" for x in ("members", "values", "series")
    ]
    said = json.loads(facts(two[0], "february")["series"])
    assert list(said["after"]) == ["january"]


@pytest.mark.slow
def test_those_that_a_release_followed_count_too(two: tuple[Connection, Persons]) -> None:
    connection, _ = two
    following(connection)
    following(connection, "march", after="february")
    said = json.loads(facts(connection, "march")["series"])
    assert list(said["after"]) == ["february", "january"]


CHANGES = {
    "column": "alter table january__members rename column who to whom",
    "another column": "alter table january__members add column more integer",
    "type": "alter table january__members alter class_id type varchar using 'x' || class_id",
    "values' column": "alter table january__values rename column value to said",
    "members": "update january__members set class_id = 1",
    "gone": "delete from january__members where who = 'p3'",
    "values": "insert into january__values values (1, 'disease', 'x', 1)",
    "counts": "update january__values set persons = persons + 1 where class_id = 1",
    "mark": "comment on table january__members is 'mine'",
    "dropped": "drop table january__members",
    "foreign": (
        "create or replace table january__members as select 1 as class_id, who from visits"
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_was_kept_must_be_what_the_run_left(
    change: str, two: tuple[Connection, Persons]
) -> None:
    connection, _ = two
    connection.execute(CHANGES[change])
    before = relations(connection)
    with pytest.raises(SpecError, match=r"january__(members|values)") as caught:
        following(connection)
    assert "begin a new series" in str(caught.value)
    assert relations(connection) == before


@pytest.mark.parametrize("fact", ["{", "{}", "[1]", "null", '{"attributes": ["disease"]}'])
def test_what_the_run_says_of_its_series_must_be_readable(
    fact: str, two: tuple[Connection, Persons]
) -> None:
    connection, _ = two
    connection.execute(f"update january__run set value = '{fact}' where item = 'series'")
    with pytest.raises(SpecError, match="kept a record of its series that was changed"):
        following(connection)


@pytest.mark.slow
def test_a_release_that_was_made_anew_is_not_the_one_that_was_followed(
    two: tuple[Connection, Persons],
) -> None:
    connection, _ = two
    following(connection)
    declared = {**ROLES, "release": "january", "series": {"apart": "february"}}
    sqlanon.anonymize("visits", connection=connection, **declared)
    with pytest.raises(SpecError, match="january was made again since february followed it"):
        following(connection, "march", after="february")


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "itself": ({"release": "January"}, "take the place of the release that it is to follow"),
    "its place": ({"release": "main.january"}, "would take its place"),
    "nobody": ({"person": []}, "name the column, as person: patient_id"),
    "chosen": ({"choose": {}}, "leave choose out"),
    "misspelt": ({"series": {"changing": ["diseas"]}}, "did you mean 'disease'"),
    "unknown": ({"series": {"reused": False}}, "did you mean 'reuse'"),
    "a word": ({"series": {"reuse": "maybe"}}, "series.reuse: it must be true or false"),
    "missing": ({"after": "december"}, "there is no release 'december'"),
    "no release": ({"after": "visits"}, "is no release that sqlanon"),
    "others": (
        {"person": ["who", "sex"], "quasi_identifiers": ["age"]},
        "january names a person by who, and this spec by who, sex",
    ),
    "shown as it is": (
        {"sensitive": {}, "insensitive": ["disease"]},
        "insensitive.disease: it is sensitive in january",
    ),
    "known": (
        {"sensitive": {}, "quasi_identifiers": ["age", "disease"]},
        "quasi_identifiers.disease: it is sensitive in january",
    ),
    "named otherwise": ({"source": "loud"}, "no person of january is in this table"),
    "some named otherwise": ({"source": "partly"}, "5 person ids match ids of january except for"),
    "both": ({"series": {"apart": "january"}}, "'january' is followed"),
    "nothing there": ({"series": {"apart": "visits"}}, "there is no 'visits__members'"),
    "another type": ({"source": "numbered"}, "who is text in january, and integer here"),
}


def test_what_cannot_follow_is_refused(two: tuple[Connection, Persons]) -> None:
    connection, _ = two
    query = "create table numbered as select substr(who, 2)::integer as who, age, sex, disease "
    connection.execute(query + "from visits")
    for name, whom in {"loud": "true", "partly": "who < 'p13'"}.items():
        renamed = f"case when {whom} then ' ' || upper(who) || ' ' else who end as who"
        connection.execute(f"create table {name} as select * replace ({renamed}) from visits")
    before = relations(connection)
    for case, (declared, says) in REFUSED.items():
        given = {**ROLES, "release": "february", "after": "january", **declared}
        with pytest.raises(SpecError) as caught:
            sqlanon.anonymize(given.pop("source", "visits"), connection=connection, **given)
        assert says in str(caught.value), case
        assert relations(connection) == before, case


def test_an_attribute_is_the_same_in_any_case(two: tuple[Connection, Persons]) -> None:
    """Its new values are impossible, as where the name is spelled alike."""
    connection, _ = two
    connection.execute(
        "create table spelled as select who, age, sex, disease || '!' as \"Disease\" from visits"
    )
    declared = {**ROLES, "sensitive": {"Disease": {"l": 2}}, "release": "february"}
    with pytest.raises(InfeasibleError, match="30 persons cannot be published"):
        sqlanon.anonymize("spelled", connection=connection, after="january", **declared)


@pytest.mark.slow
def test_a_release_of_the_same_persons_is_not_overlooked(
    two: tuple[Connection, Persons],
) -> None:
    """Beside it, before it, in place of one that others follow: each time it is said."""
    connection, _ = two
    declared = {**ROLES, "seed": 9}

    def made(release: str, **series: Any) -> Any:
        return sqlanon.anonymize(
            "visits", connection=connection, **declared, release=release, series=series
        )

    with pytest.raises(SpecError, match="30 of the persons are in january too") as caught:
        made("other")
    assert "series: {apart: january}" in str(caught.value)
    made("february", after="january")
    with pytest.raises(SpecError, match="30 of the persons are in february too"):
        made("branch", after="january")
    with pytest.raises(SpecError, match="30 of the persons are in february too"):
        made("january")
    made("branch", after="january", apart="february")
    made("both", after=["branch", "february"])
    said = json.loads(facts(connection, "both")["series"])
    assert set(said["after"]) == {"january", "february", "branch"}
    connection.execute(
        "create table numbers as select * replace (who[2:]::integer as who) from visits"
    )
    numbered = {**declared, "series": {}}
    sqlanon.anonymize("numbers", connection=connection, **numbered, release="numbered")
    for form in (
        "who[2:]",
        "' ' || who[2:] || '.0'",
        "who[2:]::double",
        "who[2:]::double + 0.25",
        "who[2:]::decimal(9, 2)",
    ):
        connection.execute(
            f"create or replace table cast_ as select * replace ({form} as who) from visits"
        )
        with pytest.raises(SpecError, match="30 of the persons are in numbered too"):
            sqlanon.anonymize("cast_", connection=connection, **numbered, release="other")


def test_a_rounded_name_is_no_new_person() -> None:
    """Followed by a release of rounded numbers, half of the persons would be taken for new ones."""
    with database() as connection:
        make_table(connection, "visits", COLUMNS, rows_of(next(months(Random(5), 30, 1))))
        number = "who[2:]::double + who[2:]::integer % 2 / 4"
        connection.execute(f"create table named as select * replace ({number} as who) from visits")
        declared = {**ROLES, "series": {}}
        sqlanon.anonymize("named", connection=connection, release="january", **declared)
        connection.execute("update named set who = round(who)")
        declared = {**declared, "series": {"after": "january"}}
        with pytest.raises(SpecError, match="or digits after the decimal point"):
            sqlanon.anonymize("named", connection=connection, release="february", **declared)


def test_tables_that_only_look_like_what_a_series_keeps_are_passed_over() -> None:
    with database() as connection:
        make_table(connection, "visits", COLUMNS, rows_of(next(months(Random(5), 30, 1))))
        connection.execute("create table mine__members as select 1 as class_id, who from visits")
        declared = {**ROLES, "series": {}}
        sqlanon.anonymize("visits", connection=connection, release="january", **declared)


@pytest.mark.further
@pytest.mark.slow
def test_names_of_releases_and_columns_are_any(two: tuple[Connection, Persons]) -> None:
    connection, _ = two
    connection.execute(
        'create table odd as select who as "wh""o ü.é", age as "a ge", sex, '
        'disease as "dis;\'ease" from visits'
    )
    declared: dict[str, Any] = {
        **ROLES,
        "person": 'wh"o ü.é',
        "quasi_identifiers": ["a ge", "sex"],
        "sensitive": {"dis;'ease": {"l": 2}},
        "series": {},
    }
    last: list[str] = []
    for release in ('"ja n.u""ary"', "february", "march"):
        given = {**declared, "release": release, "after": last}
        sqlanon.anonymize("odd", connection=connection, **given)
        last = [release]
    assert set(json.loads(facts(connection, "march")["series"])["after"]) == {
        '"ja n.u""ary"',
        "february",
    }


def test_a_release_without_a_series_cannot_be_followed(two: tuple[Connection, Persons]) -> None:
    connection, _ = two
    sqlanon.anonymize("visits", connection=connection, **ROLES, release="alone")
    with pytest.raises(SpecError, match="keeps nothing by which it could be followed"):
        following(connection, after="alone")


@pytest.mark.slow
def test_companions_who_left_are_said_and_may_be_left_out(two: tuple[Connection, Persons]) -> None:
    connection, persons = two
    members: dict[Any, list[str]] = {}
    for at, who in read(connection, "january__members")[1]:
        members.setdefault(at, []).append(who)
    gone = min(members.values(), key=len)[:-1]
    connection.execute(f"delete from visits where who in ({', '.join(map(repr, gone))})")
    with pytest.raises(InfeasibleError, match="1 persons cannot be published") as caught:
        following(connection)
    for part in ("suppression: {records: 0.05}", "lower k or l", "1 groups", "(0 of the persons"):
        assert part in str(caught.value)
    assert not any(who in str(caught.value) for who in persons)
    following(connection, suppression=LEFT_OUT)
    assert len(read(connection, "february__members")[1]) == 30 - len(gone) - 1
    reasons = {row[0]: row[3] for row in read(connection, "february__suppressed")[1]}
    assert reasons == {"k_anonymity": 1, "distinct_l": 0}


@pytest.mark.slow
def test_who_left_alone_is_told_to_the_publisher(two: tuple[Connection, Persons]) -> None:
    """The class of one who left, less the values of those who stayed, is that one's value."""
    connection, persons = two
    one = min(who for who, (_, _, of) in persons.items() if len(of) == 1)
    connection.execute(f"delete from visits where who = '{one}'")
    asked: dict[str, Any] = {"k": 2, "sensitive": ["disease"]}
    told = {
        (figure.metric, figure.attribute): figure
        for figure in following(connection, **asked).told["series"].metrics
    }
    assert told["left_candidates", None].value == 1
    assert told["left_values", "disease"].value == 1
    assert told["left_values", "disease"].failing_records == 1
    assert told["left_values", "disease"].passed is None
    following(connection, "march", **asked, series={"apart": "february", "changing": "disease"})
    assert "left_candidates" in measured(connection, "march")
    assert "left_values" not in measured(connection, "march")


@pytest.mark.slow
def test_too_few_new_persons_wait_until_they_are_enough(two: tuple[Connection, Persons]) -> None:
    connection, persons = two
    new = {f"n{i}": (30 + i, "f", (["flu", "cold", "ulcer"][i % 3],)) for i in range(4)}
    for month, (name, some) in enumerate({"february": 2, "march": 4}.items()):
        there = {**persons, **dict(list(new.items())[:some])}
        make_table(connection, "visits", COLUMNS, rows_of(there))
        following(connection, name, after=["january", "february"][month], suppression=LEFT_OUT)
        known = {who for _, who in read(connection, f"{name}__members")[1]}
        assert known == set(persons) | (set(new) if some == 4 else set())


def test_values_that_change_are_said_to(two: tuple[Connection, Persons]) -> None:
    """Taken to persist, new values are impossible, and all are left out or refused."""
    connection, persons = two
    changed: Persons = {
        who: (age, sex, (f"new {i}",)) for i, (who, (age, sex, _)) in enumerate(persons.items())
    }
    make_table(connection, "visits", COLUMNS, rows_of(changed))
    with pytest.raises(InfeasibleError, match="30 persons cannot be published"):
        following(connection)
    following(connection, series={"changing": "disease"})
    assert measured(connection, "february")["possible_values"][1] >= 2


def test_only_a_run_holds_a_series(two: tuple[Connection, Persons]) -> None:
    connection, _ = two
    declared = {name: value for name, value in ROLES.items() if name != "progress"}
    declared |= {"release": "february", "series": {"after": "january"}}
    with pytest.raises(SpecError, match="series: a script cannot"):
        sqlanon.compile("visits", connection=connection, **declared)
    k = declared.pop("k")
    with pytest.raises(SpecError, match="series: a trial makes one release"):
        sqlanon.sweep("visits", connection=connection, **declared, t=[0.5], privacy={"k": k})
    assert sqlanon.plan("visits", connection=connection, **declared, k=k).known["series"].earlier


@pytest.mark.slow
def test_the_command_line_follows(tmp_path: Path) -> None:
    file = tmp_path / "series.duckdb"
    with database(file) as connection:
        first, _ = months(Random(1), 20, 2)
        make_table(connection, "visits", COLUMNS, rows_of(first))
    fields = {name: value for name, value in ROLES.items() if name not in ("progress", "k")}
    for release in ("january", "february"):
        spec = {"source": {"table": "visits"}, "release": release, "database": str(file), **fields}
        spec |= {"privacy": {"k": 3}} | ({"series": {}} if release == "january" else {})
        (tmp_path / f"{release}.yaml").write_text(json.dumps(spec), encoding="utf-8")
    done = command(tmp_path, "run", "january.yaml", "--quiet")
    assert "Kept for the releases that follow: january__members, january__values" in " ".join(
        done.stdout.split()
    )
    shown = command(tmp_path, "run", "february.yaml", "--after", "january", "--json")
    found: Mapping[str, Any] = json.loads(shown.stdout)
    assert found["kept"] == ["february__members", "february__values", "february__series"]
    assert [one["metric"] for one in found["series"]] == ["candidates", "possible_values"]


def made_in(here: Place) -> dict[str, Any]:
    """Two releases, the second after the first, and what both keep."""
    random = Random(3)
    first, second = months(random, 24, 2)
    names = ["march", "april"]
    found: dict[str, Any] = {}
    for persons, name in zip((first, second), names, strict=True):
        here.make_table(f"visits_{name}", COLUMNS, rows_of(persons))
        series = {"after": names[: names.index(name)]}
        declared = {**ROLES, "release": name, "series": series, "suppression": LEFT_OUT}
        sqlanon.anonymize(f"visits_{name}", connection=here.connection, **declared).close()
        for part in ("", "__members", "__values", "__series", "__metrics"):
            columns, rows = here.read(f"{name}{part}")
            found[f"{name}{part}"] = (columns, sorted(plain(rows), key=repr))
        recorded: dict[str, str] = {row[0]: row[1] for row in here.read(f"{name}__run")[1]}
        said = json.loads(recorded["series"])
        found[f"{name} kept"] = said["kept"]
    return found


@pytest.mark.parametrize("engine", slow("postgres", "postgres_icu", "spark"))
def test_a_series_is_the_same_on_every_engine(engine: str, urls: Mapping[str, str]) -> None:
    with place(engine, urls) as there:
        assert made_in(there) == made_in(DuckDBPlace())


@pytest.mark.further
@pytest.mark.slow
@pytest.mark.parametrize("engine", [one for one in ENGINES if one == "postgres"])
def test_what_does_not_follow_is_refused_on_a_server(engine: str, urls: Mapping[str, str]) -> None:
    """Relations are found in the schema, odd names are read, other types are told apart."""
    persons = next(months(Random(5), 30, 1))
    rows = [(f"{int(who[1:]):032x}", *rest) for who, *rest in rows_of(persons)]
    with place(engine, urls) as there:
        there.make_table("visits", COLUMNS, rows)
        connection = there.connection
        connection.execute('create table named as select *, who::uuid as "wh\'o" from visits')
        connection.execute(
            "create table placed as select age, sex, disease, "
            "('10.0.0.' || length(who))::inet as \"wh'o\" from visits"
        )
        declared = {**ROLES, "person": "wh'o", "series": {}}

        def made(source: str, release: str, **more: Any) -> None:
            given = {**declared, "release": release, **more}
            sqlanon.anonymize(source, connection=connection, **given).close()

        made("named", '"odd ""name"')
        with pytest.raises(SpecError, match="30 of the persons are in odd"):
            made("named", "other")
        made("named", "february", after='"odd ""name"')
        with pytest.raises(SpecError, match="is text in february, and other here"):
            made("placed", "march", after="february")
        made("named", "march", after="february")
