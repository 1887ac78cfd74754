"""Transforms in a plan: between what is read of the source and all that is made of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import ceil, floor
from typing import Any

from sqlanon.draft import Draft, Stages
from sqlanon.measure.metrics.changes import CHANGES_OF_VALUES, EPSILONS, LEAST_CHANGED
from sqlanon.plan import FOUND, Check, Materialization, Step, work
from sqlanon.source.keys import FIRST, KEYED, READ, drawn, original, read_as, shown
from sqlanon.source.source import RECORDS
from sqlanon.spec import MEASURABLE, Column, Spec
from sqlanon.spec.columns import shapes
from sqlanon.sql.names import Relation, Sql
from sqlanon.transforms.joint import MOST_DRAWN, JointTransform, Swap, step_of
from sqlanon.transforms.kinds import RareMembers, Several
from sqlanon.transforms.transform import Shape, limit

_CHANGES, _TRANSFORMED = work("changes"), work("transformed")
_Draws = Mapping[tuple[str, int], Sql]
_MOST_VALUES = 1000  # to draw from: every record is joined with each


def changed(draft: Draft, reading: Step) -> Iterator[Step | Check]:
    """The steps from what was read, and was drawn by keys, to ``RECORDS``."""
    spec, columns, short = draft.spec, draft.read, draft.short
    read, aliases = KEYED if spec.keys else READ, read_as(spec, reading)
    draws = {entry["of"]: entry["alias"] for entry in drawn(spec)}
    yield from _covered(spec, short, read)
    yield from _kept_in_type(spec, columns, short, read)
    yield from _joint_steps(spec, columns, short, draws, read)
    transformed = _transformed(spec, columns, short, draws)
    redrawn = [entry for entry in transformed if entry["looks_at"] in ("values", "records")]
    names = [Sql(short[column]) for column in spec.key]
    for column in redrawn:
        yield from _redrawn(spec, column, names, read)
    joined = _joint_relations(spec, short)
    joined += [
        {
            "alias": entry["alias"],
            "relation": _values(entry),
            "names": names if entry["looks_at"] == "records" else (),
            "is_factor": False,
            **entry["steps"][0],
        }
        for entry in redrawn
    ]
    thinned = [entry for entry in transformed if entry["steps"][-1]["name"] == RareMembers.name]
    output = _TRANSFORMED if thinned else RECORDS
    yield Step(
        f"transforming {', '.join(spec.transforms)}",
        output,
        "clauses/transform/records",
        {"read": read} | {f"redrawn_{entry['alias']}": entry["relation"] for entry in joined},
        {
            "aliases": aliases,
            "columns": transformed,
            "redrawn": joined,
            "draws": list(draws.values()),
            "stages": range(max(len(entry["steps"]) for entry in transformed)),
        },
        Materialization.WORK_TABLE if spec.keys else Materialization.WORK_VIEW,
    )
    if thinned:
        originals = [entry["original"] for entry in transformed]
        yield from _without_rare(thinned, [*aliases, *originals], output)
    yield Step(
        "what the transforms change",
        _CHANGES,
        "measure/changes",
        {"records": RECORDS},
        {
            "columns": transformed,
            "metrics": [figure.name for figure in CHANGES_OF_VALUES],
            "epsilons": [figure.name for figure in EPSILONS],
            "first": FIRST,
            "least": max(spec.privacy.k, LEAST_CHANGED),
            "person": [Sql(short[column]) for column in spec.person],
            "epsilon": shown(sum(spec.epsilons.values(), Fraction(0))),
        },
    )


def _without_rare(
    columns: Sequence[Mapping[str, Any]], aliases: Sequence[Sql], read: Relation
) -> Iterator[Step]:
    """The steps that leave rare members out of sets."""
    thinned = {column["alias"]: work("rare_", column["alias"]) for column in columns}
    for column in columns:
        asked = {name: column["steps"][-1][name] for name in ("k", "m")}
        yield Step(
            f"sets of {column['name']} without rare members",
            thinned[column["alias"]],
            "clauses/transform/rare_members",
            {"read": read},
            {"column": column["alias"], **asked},
            Materialization.WORK_TABLE,
        )
    yield Step(
        "the records without rare members",
        RECORDS,
        "clauses/transform/without_rare",
        {"transformed": read} | {f"rare_{alias}": relation for alias, relation in thinned.items()},
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
            "clauses/transform/swapped",
            {"read": read},
            {"column": column["alias"], "names": names, **how},
        )
        return
    yield Step(
        f"how likely each value of {name} is drawn",
        values,
        "clauses/transform/redrawn",
        {"read": read},
        {"column": column["alias"], "others": how["others"]},
    )
    yield Check(
        f"{name} has few values to draw from",
        "clauses/transform/check_few",
        {"redrawn": values},
        {"most": _MOST_VALUES},
        spec.where_of(name),
        f"pram is for categories, and the column has {FOUND.used} different values, more than "
        f"{_MOST_VALUES:,}: group them in a query, or take noise",
    )


def _kept_in_type(
    spec: Spec, columns: Mapping[str, Column], short: Mapping[str, str], read: Relation
) -> Iterator[Check]:
    """That no transform takes a value out of its column's type, where a database would fail."""
    for name, several in spec.transforms.items():
        joint, first = _joint_of(spec, name), shapes(several, columns[name])[0]
        where = spec.where_of(name, len(several) - 1)
        done = ", ".join(transform.transform.name for transform in several)
        if joint is not None and not isinstance(joint.setting, Swap):
            # Noise sees to the type itself, and to what comes after, of what it can count.
            bounds = first.between if first.is_long else None
            where, done = f"{joint.where}.columns", f"noise of {name}"
        else:
            bounds = _taken(several, columns[name])
        if bounds is None:
            continue
        cure = (
            "beyond the years 1 to 9999: name codes that stand for no date in missing"
            if first.kind == "date"
            else "beyond 64 bits: make them smaller in a query"
            if first.is_long
            else f"out of {first.type}: cast the column to a wider type in a query"
        )
        yield Check(
            f"{name} keeps its type",
            "clauses/transform/check_between",
            {"read": read},
            {
                "column": Sql(short[name]),
                "least": limit(bounds[0], first),
                "greatest": limit(bounds[1], first),
            },
            where,
            f"{done} may take {FOUND.records} values {cure}",
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
            "clauses/transform/check_covered",
            {"read": read},
            {"column": Sql(short[name]), "covers": covers},
            spec.where_of(name),
            f"{FOUND.records} records have no value{unlisted}, and {done} would show that: fill "
            f"the column{', list the value' if covers else ''}, or leave these records out by a "
            "query",
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
            {"name": transform.transform.name, "drawn": drawn.get((name, index))}
            | transform.transform.params(transform.setting, passed[index])
            | (
                _joint_step(spec, name, transform, drawn, short)
                if isinstance(transform, JointTransform)
                else {"redrawn": Sql(f"redrawn_{short[name]}.value")}
                if transform.transform.looks_at
                else {}
            )
            for index, transform in enumerate(several)
        ]
        same = passed[0].kind == passed[-1].kind
        found.append(
            {
                "name": name,
                "alias": Sql(short[name]),
                "original": original(spec, name),
                "steps": steps,
                "looks_at": None if _joint_of(spec, name) else several[0].transform.looks_at,
                "kind": passed[0].kind,
                "epsilon": shown(spec.epsilons[name]) if name in spec.epsilons else None,
                "same": same,
                "measurable": same
                and passed[0].kind in MEASURABLE
                and not any(transform.transform.cuts for transform in several),
            }
        )
    return found


# --- of several columns at once: records swapped, and correlated noise ----------------------------


def _joint_of(spec: Spec, name: str) -> JointTransform | None:
    """The transform that changes a column together with others, if there is one."""
    first = spec.transforms[name][0]
    return first if isinstance(first, JointTransform) else None


def _number(transform: JointTransform) -> str:
    return transform.where.replace(".", "_")


def _relation(transform: JointTransform) -> Relation:
    return work("redrawn_", _number(transform))


def _correlated(spec: Spec, transform: JointTransform, columns: Mapping[str, Column]) -> list[Any]:
    return [
        transform.transform.params(transform.setting, Shape(columns[name].type, columns[name].kind))
        for name in transform.columns
    ]


def _joint_steps(
    spec: Spec,
    columns: Mapping[str, Column],
    short: Mapping[str, str],
    draws: _Draws,
    read: Relation,
) -> Iterator[Step | Check]:
    """The steps that make the relations that each swap and each noise reads.

    Args:
        spec: what is declared.
        columns: the source's columns, as they are there.
        short: the alias of each of them.
        draws: the column with what is drawn for each column's transform.
        read: the records, with what is drawn for them.
    """
    for transform in spec.joint:
        listed = ", ".join(transform.columns)
        if isinstance(transform.setting, Swap):
            yield Step(
                f"which records swap their {listed}",
                _relation(transform),
                "clauses/transform/traded",
                {"read": read},
                {
                    "columns": [Sql(short[name]) for name in transform.columns],
                    "within": [Sql(short[name]) for name in transform.setting.within],
                    "rare": [Sql(short[name]) for name in transform.setting.rare],
                    "names": [Sql(short[name]) for name in spec.key],
                    "drawn": draws[transform.columns[0], 0],
                    "share": transform.setting.share.numerator,
                    "of": transform.setting.share.denominator,
                },
            )
            continue
        each = [
            {"alias": Sql(short[name]), "whole": how["whole"], "digits": how["digits"]}
            for name, how in zip(
                transform.columns, _correlated(spec, transform, columns), strict=True
            )
        ]
        yield Step(
            f"how far the values of {listed} are spread",
            _relation(transform),
            "clauses/transform/factor",
            {"read": read},
            {"columns": each, "most": MOST_DRAWN, "step": step_of(transform.setting)},
        )
        for index, name in enumerate(transform.columns):
            yield from _noise_kept_in_type(spec, transform, columns[name], index, each[index], read)


def _noise_kept_in_type(
    spec: Spec,
    transform: JointTransform,
    column: Column,
    index: int,
    how: Mapping[str, Any],
    read: Relation,
) -> Iterator[Check]:
    """That noise takes no value of a column out of its type, nor what comes after the noise."""
    shape = Shape(column.type, column.kind)
    bounds = _taken(spec.transforms[column.name][1:], column) or shape.between
    if bounds is None:
        return
    units = 10 ** (shape.scale or 0)
    yield Check(
        f"{column.name} keeps its type",
        "clauses/transform/check_room",
        {"read": read, "factor": _relation(transform)},
        {
            "column": how,
            "index": index + 1,
            "least": ceil(bounds[0] * units),
            "greatest": floor(bounds[1] * units),
        },
        f"{transform.where}.columns",
        f"noise may take {FOUND.records} values of {column.name} out of {shape.type}: cast the "
        "column to a wider type in a query",
    )


def _joint_step(
    spec: Spec, name: str, transform: JointTransform, draws: _Draws, short: Mapping[str, str]
) -> dict[str, Any]:
    """The parameters of a column's SQL for its swap or noise, besides those of the transform."""
    from_ = f"redrawn_{_number(transform)}"
    if isinstance(transform.setting, Swap):
        return {
            "traded": Sql(from_),
            "by": Sql(short[spec.key[0]]),
            "redrawn": Sql(f"{from_}.{short[name]}"),
        }
    index = transform.columns.index(name) + 1
    return {
        "factor": Sql(from_),
        "index": index,
        "draws": [draws[other, 0] for other in transform.columns[:index]],
    }


def _joint_relations(spec: Spec, short: Mapping[str, str]) -> list[dict[str, Any]]:
    """The relations that the records are joined with for them, and by what."""
    return [
        {
            "alias": Sql(_number(transform)),
            "relation": _relation(transform),
            "names": [Sql(short[name]) for name in spec.key],
            "is_factor": not isinstance(transform.setting, Swap),
        }
        for transform in spec.joint
    ]


def _taken(several: Several, column: Column) -> tuple[Any, Any] | None:
    """The least and the greatest value that no transform takes out of the column's type.

    None if all values are such. A date lies in the years 1 to 9999, which all databases know. A
    long decimal that a transform counts lies within 64 bits.
    """
    passed = shapes(several, column)
    bounds, counted = passed[-1].between, False
    for index in reversed(range(len(several))):
        own, one = passed[index].between, several[index]
        if own is not None:
            bounds = one.transform.takes(one.setting, passed[index], bounds or own)
            params = one.transform.params(one.setting, passed[index])
            counted = counted or (passed[index].is_long and "whole" in params)
    known = bounds is not None and passed[0].between is not None
    return bounds if known and (counted or bounds != passed[0].between) else None


STAGES = Stages(change=changed, changes=_CHANGES)
