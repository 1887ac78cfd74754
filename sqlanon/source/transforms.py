"""The steps that transform columns, between reading the source and all that is made of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import count
from typing import Any

from sqlanon.differential import DRAWS
from sqlanon.measure import Released
from sqlanon.measure.metrics import CHANGES_OF_VALUES
from sqlanon.measure.metrics.changes import EPSILONS, LEAST_CHANGED, SAMPLING
from sqlanon.plan import Check, Materialization, Step, work
from sqlanon.source.joint import draws_of, joint_of, joint_relations, joint_step, joint_steps
from sqlanon.source.pseudonyms import key_checks, pads_of
from sqlanon.source.source import RECORDS, aliases, names_as_text, secret_names
from sqlanon.spec import Column, Spec
from sqlanon.spec.columns import MEASURABLE
from sqlanon.spec.counting import counting_of
from sqlanon.spec.differential import KEY, Differential
from sqlanon.spec.transformed import names_drawn, shapes, taken
from sqlanon.sql import Relation
from sqlanon.sql.names import Sql
from sqlanon.transforms.declared import Several
from sqlanon.transforms.joint import JointTransform, Swap
from sqlanon.transforms.kinds import RareMembers
from sqlanon.transforms.transform import limit

CHANGES, PROVED = work("changes"), work("proved")
_FIRST = 10**6  # place in the metrics: after all that is said of insensitive columns
_MOST_VALUES = 1000  # to draw from: every record is joined with each
_READ, _KEYED, _TRANSFORMED = work("read"), work("keyed"), work("transformed")
_SAMPLED = Sql("d0")  # what is drawn to sample


def transform_steps(
    spec: Spec, columns: Mapping[str, Column], short: Mapping[str, str], reading: Step
) -> Iterator[Step | Check]:
    """The steps from the source to ``RECORDS``: what is read, and what is made of it.

    All that a key makes is made in one step, of what was read: the only one that has the keys.

    Args:
        spec: what is declared.
        columns: the source's columns, as they are there.
        short: the alias of each of them.
        reading: the step that reads them.
    """
    if spec.counts or (not spec.transforms and not spec.keys):
        yield reading
        if spec.counts:
            yield from _counting(counting_of(spec).noisy.delta, spec.privacy.differential)
        return
    yield replace(reading, output=_READ)
    texts = set(names_as_text(spec).values())
    read_as = [one["alias"] for one in reading.params["columns"] if one["alias"] not in texts]
    read, how = _READ, Materialization.WORK_VIEW
    draws, sampled = list(_draws(spec)), spec.sampled
    if spec.keys:
        goes_on = spec.transforms or sampled is not None
        read, how = _KEYED if goes_on else RECORDS, Materialization.WORK_TABLE
        yield from _named(spec, draws)
        yield from key_checks(spec)
        yield _by_keys(spec, short, read_as, draws, read)
    if sampled is not None:
        yield from _sampling(sampled, read_as, read)
        return
    if not spec.transforms:
        return
    yield from _covered(spec, short, read)
    yield from _kept_in_type(spec, columns, short, read)
    drawn = {one["of"]: one["alias"] for one in draws}
    yield from joint_steps(spec, columns, short, drawn, read)
    transformed = _transformed(spec, columns, short, drawn)
    redrawn = [one for one in transformed if one["looks_at"] in ("values", "records")]
    names = [Sql(short[column]) for column in spec.key]
    for column in redrawn:
        yield from _redrawn(spec, column, names, read)
    joined = joint_relations(spec, short)
    joined += [
        {
            "alias": one["alias"],
            "relation": _values(one),
            "names": names if one["looks_at"] == "records" else (),
            "is_factor": False,
            **one["steps"][0],
        }
        for one in redrawn
    ]
    thinned = [one for one in transformed if one["steps"][-1]["name"] == RareMembers.name]
    output = _TRANSFORMED if thinned else RECORDS
    yield Step(
        f"transforming {', '.join(spec.transforms)}",
        output,
        "transform/records",
        {"read": read} | {f"redrawn_{one['alias']}": one["relation"] for one in joined},
        {
            "aliases": read_as,
            "columns": transformed,
            "redrawn": joined,
            "draws": [one["alias"] for one in draws],
            "stages": range(max(len(one["steps"]) for one in transformed)),
        },
        how,
    )
    if thinned:
        originals = [one["original"] for one in transformed]
        yield from _without_rare(thinned, [*read_as, *originals], output)
    yield Step(
        "what the transforms change",
        CHANGES,
        "transform/changes",
        {"records": RECORDS},
        {
            "columns": transformed,
            "metrics": [one.name for one in CHANGES_OF_VALUES],
            "epsilons": [one.name for one in EPSILONS],
            "first": _FIRST,
            "least": max(spec.privacy.k, LEAST_CHANGED),
            "person": [Sql(short[column]) for column in spec.person],
            "epsilon": _shown(sum(spec.epsilons.values(), Fraction(0))),
        },
    )


def _sampling(asked: Differential, read_as: Sequence[Sql], read: Relation) -> Iterator[Step]:
    """The steps that keep a share of the records, and say what that proves with the least k."""
    sampling = asked.sampling
    yield Step(
        "sampling the records",
        RECORDS,
        "source/sampled",
        {"read": read},
        {"aliases": read_as, "drawn": _SAMPLED, "below": int(sampling.share * DRAWS)},
        Materialization.WORK_TABLE,
    )
    spent = () if asked.choose is None else (asked.choose.epsilon,)
    proved = (asked.epsilon, sampling.delta, sampling.share, *spent)
    yield _proved("what the sampling proves", proved)


def _counting(delta: Fraction, asked: Differential | None) -> Iterator[Step]:
    """The step that says what the noise of counts proves."""
    if asked is not None:
        yield _proved("what the noise proves", (asked.epsilon, delta))


def _proved(title: str, values: Sequence[Fraction]) -> Step:
    """The step that writes down ε, δ and the share that is sampled, if any is."""
    proved = zip(SAMPLING, values, strict=False)
    return Step(
        title,
        PROVED,
        "source/proved",
        {"sampled": RECORDS},
        {
            "first": _FIRST,
            "proved": [{"metric": one.name, "value": _shown(value)} for one, value in proved],
        },
    )


def _shown(epsilon: Fraction) -> Sql:
    """A number as the metrics show it."""
    return Sql(f"{float(epsilon):.12g}")


def _without_rare(
    columns: Sequence[Mapping[str, Any]], aliases: Sequence[Sql], read: Relation
) -> Iterator[Step]:
    """The steps that leave rare members out of sets."""
    thinned = {one["alias"]: work("rare_", one["alias"]) for one in columns}
    for one in columns:
        asked = {name: one["steps"][-1][name] for name in ("k", "m")}
        yield Step(
            f"sets of {one['name']} without rare members",
            thinned[one["alias"]],
            "transform/rare_members",
            {"read": read},
            {"column": one["alias"], **asked},
            Materialization.WORK_TABLE,
        )
    yield Step(
        "the records without rare members",
        RECORDS,
        "transform/without_rare",
        {"transformed": read} | {f"rare_{alias}": one for alias, one in thinned.items()},
        {"aliases": aliases, "thinned": thinned},
        Materialization.WORK_VIEW,
    )


def _values(column: Mapping[str, Any]) -> Relation:
    """The values that a column is drawn from."""
    return work("redrawn_", column["alias"])


def _redrawn(
    spec: Spec, column: Mapping[str, Any], names: Sequence[Sql], read: Relation
) -> Iterator[Step | Check]:
    """The steps for a column's new values: which each record trades for, or the chance of each."""
    name, values, how = column["name"], _values(column), column["steps"][0]
    if column["looks_at"] == "records":
        yield Step(
            f"what each record trades its {name} for",
            values,
            "transform/swapped",
            {"read": read},
            {"column": column["alias"], "names": names, **how},
        )
        return
    yield Step(
        f"how likely each value of {name} is drawn",
        values,
        "transform/redrawn",
        {"read": read},
        {"column": column["alias"], "others": how["others"]},
    )
    yield Check(
        f"{name} has few values to draw from",
        "transform/check_few",
        {"redrawn": values},
        {"most": _MOST_VALUES},
        spec.place_of(name),
        f"pram is for categories, and the column has {{used}} different values, more than "
        f"{_MOST_VALUES:,}: group them in a query, or take noise",
    )


def without_noise(spec: Spec, insensitive: Sequence[Released]) -> list[Released]:
    """The insensitive columns as they are held to limits: noise makes none of them say less.

    A copy of a quasi-identifier with a little noise gives it back, and no share of records whose
    values agree would show it. So a column that is drawn by a key is measured as the source has it,
    without its other transforms too.
    """
    found = []
    for one in insensitive:
        drawn = any(step.key for step in spec.transforms.get(one.name, ()))
        found.append(replace(one, alias=_original(spec, one.name)) if drawn else one)
    return found


def _original(spec: Spec, name: str) -> Sql:
    return Sql(f"o{list(spec.transforms).index(name) + 1}")


def _kept_in_type(
    spec: Spec, columns: Mapping[str, Column], short: Mapping[str, str], read: Relation
) -> Iterator[Check]:
    """That no transform takes a value out of its column's type, where a database would fail."""
    for name, several in spec.transforms.items():
        joint = joint_of(spec, name)
        if joint is not None and not isinstance(joint.setting, Swap):
            continue  # noise sees to it, and to what comes after
        bounds = taken(several, columns[name])
        if bounds is None:
            continue
        shape = shapes(several, columns[name])[0]
        done = ", ".join(one.transform.name for one in several)
        cure = (
            "beyond the years 1 to 9999: name codes that stand for no date in missing"
            if shape.kind == "date"
            else f"out of {shape.type}: cast the column to a wider type in a query"
        )
        yield Check(
            f"{name} keeps its type",
            "transform/check_between",
            {"read": read},
            {
                "column": Sql(short[name]),
                "least": limit(bounds[0], shape),
                "greatest": limit(bounds[1], shape),
            },
            spec.place_of(name, len(several) - 1),
            f"{done} may take {{records}} values {cure}",
        )


def _covered(spec: Spec, short: Mapping[str, str], read: Relation) -> Iterator[Check]:
    """That every value is one that its transform's ε is for: another value would stand out."""
    for name, several in spec.transforms.items():
        covers = several[0].transform.covers(several[0].setting)
        if covers is None:
            continue
        unlisted = " or one that values does not list" if covers else ""
        done = several[0].transform.name
        yield Check(
            f"{name} has values that {done} is for",
            "transform/check_covered",
            {"read": read},
            {"column": Sql(short[name]), "covers": covers},
            spec.place_of(name),
            f"{{records}} records have no value{unlisted}, and {done} would show that: fill the "
            f"column{', list the value' if covers else ''}, or leave these records out by a query",
        )


def _by_keys(
    spec: Spec,
    short: Mapping[str, str],
    read_as: Sequence[Sql],
    draws: Sequence[dict[str, Any]],
    output: Relation,
) -> Step:
    """The step that makes pseudonyms and draws numbers."""
    addresses = list(spec.keys)
    pairs = {
        short[name]: secret_names(1 + addresses.index(f"identifiers.{name}.key"))
        for name in spec.pseudonyms
    }
    columns: list[dict[str, Any]] = [{"alias": alias} for alias in read_as]
    for column in columns:
        if column["alias"] in pairs:
            inner, outer = pairs[column["alias"]]
            column["key"] = {"inner": inner, "outer": outer}
    made = [
        "making pseudonyms" if pairs else "",
        "drawing a number for each record" if draws else "",
    ]
    return Step(
        f"{' and '.join(filter(None, made))} by a key",
        output,
        "source/keyed",
        {"read": _READ} | pads_of(spec),
        {"columns": columns, "draws": draws},
    )


def _draws(spec: Spec) -> Iterator[dict[str, Any]]:
    """The numbers that are drawn: for each keyed transform one of every record, or of every person.

    And one of every record to sample by.
    """
    addresses = {where: number for number, where in enumerate(spec.keys, 1)}
    texts, made = names_as_text(spec), count(1)
    if spec.sampled is not None:
        inner, outer = secret_names(addresses[KEY])
        yield {
            "alias": _SAMPLED,
            "inner": inner,
            "outer": outer,
            "label": "sampling",
            "names": [texts[column] for column in spec.key],
            "of": None,
        }
    for name, several in spec.transforms.items():
        for place, one in enumerate(several):
            if one.key is None:
                continue
            if isinstance(one, JointTransform) and name not in draws_of(one):
                continue
            inner, outer = secret_names(addresses[spec.key_of(name, place)])
            yield {
                "alias": Sql(f"d{next(made)}"),
                "inner": inner,
                "outer": outer,
                "label": _label(name, several[: place + 1]),
                "names": [texts[column] for column in names_drawn(spec, one.transform)],
                "of": (name, place),
            }


def _label(name: str, done: Several) -> str:
    """The purpose of a drawn number: a column and all that is done to it up to there, or the shift.

    Only the same noise on the same values is drawn alike: two noises of one draw would give the
    value back.
    """
    last = done[-1]
    if isinstance(last, JointTransform) and isinstance(last.setting, Swap):
        name = ", ".join(last.columns)
    told = [last.says] if last.transform.shared else [name, *(one.says for one in done)]
    parts = [last.transform.name, *told]
    return "|".join(one.replace("~", "~~").replace("|", "~p") for one in parts)


def _named(spec: Spec, draws: Sequence[Mapping[str, Any]]) -> Iterator[Check]:
    """That names of records are there, and each is that of one, where a number is drawn by them."""
    places = [one["of"] for one in draws if one["of"] is not None]
    drawn = [spec.transforms[name][place].transform for name, place in places]
    by_key = [one for one in drawn if names_drawn(spec, one) == spec.key]
    samples = len(places) < len(draws)
    single = samples or any(not one.shared for one in by_key)
    for role, unique in (("key", single), ("person", False)):
        if (by_key or samples) if role == "key" else len(by_key) < len(drawn):
            names = [Sql(aliases(spec)[name]) for name in getattr(spec, role)]
            of_one = "no name, or one that another record has" if unique else "no name"
            yield Check(
                f"every record has {'its own' if unique else 'a'} name to draw by",
                "transform/check_named",
                {"read": _READ},
                {"names": names, "unique": unique},
                role,
                f"records are drawn for by it, and {{records}} records have {of_one}: "
                "fill the column, name the records by more columns, or leave these out by a query",
            )


def _transformed(
    spec: Spec,
    columns: Mapping[str, Column],
    short: Mapping[str, str],
    drawn: Mapping[tuple[str, int], Sql],
) -> list[dict[str, Any]]:
    """The columns that change: their steps with what each is given, and how they are compared."""
    found = []
    for name, several in spec.transforms.items():
        passed = shapes(several, columns[name])
        steps = [
            {"name": one.transform.name, "drawn": drawn.get((name, place))}
            | one.transform.params(one.setting, passed[place])
            | (
                joint_step(spec, name, one, drawn, short)
                if isinstance(one, JointTransform)
                else {"redrawn": Sql(f"redrawn_{short[name]}.value")}
                if one.transform.looks_at
                else {}
            )
            for place, one in enumerate(several)
        ]
        same = passed[0].kind == passed[-1].kind
        found.append(
            {
                "name": name,
                "alias": Sql(short[name]),
                "original": _original(spec, name),
                "steps": steps,
                "looks_at": None if joint_of(spec, name) else several[0].transform.looks_at,
                "kind": passed[0].kind,
                "epsilon": _shown(spec.epsilons[name]) if name in spec.epsilons else None,
                "same": same,
                "measurable": same
                and passed[0].kind in MEASURABLE
                and not any(one.transform.cuts for one in several),
            }
        )
    return found
