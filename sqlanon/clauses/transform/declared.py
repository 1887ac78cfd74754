"""Transforms: what of a spec does not go with them, of one column or of several at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from sqlanon.clauses.clause import Asking, Clause, Use
from sqlanon.errors import Problem, nearest
from sqlanon.transforms.joint import JointTransform, Swap
from sqlanon.transforms.kinds import Several


def _transforms(spec: Asking) -> Iterator[str]:
    yield from dict.fromkeys(spec.where_of(name) for name in spec.transforms)


def _keyed(spec: Asking) -> Iterator[str]:
    """The addresses of the keys, but for those of pseudonyms and of sampling."""
    yield from (key for key in spec.keys if not key.startswith(("identifiers.", "privacy.")))


def _local(spec: Asking) -> Iterator[str]:
    yield from dict.fromkeys(spec.where_of(name) for name in spec.epsilons)


def _problems(spec: Asking) -> Iterator[Problem]:
    """Parts of a spec that do not go with its transforms."""
    yield from _shift_problems(spec)
    yield from _joint_problems(spec)
    for name, several in spec.transforms.items():
        own = [one for one in several if not isinstance(one, JointTransform)]
        if any(one.transform.looks_at == "sets" for one in own[:-1]):
            what = "rare_members counts what the other transforms leave: put it after all others"
            yield Problem(spec.where_of(name, len(several) - 1), f"{what}, and once")
        for later in own[1:]:
            if later.transform.looks_at in ("values", "records"):
                what = f"{later.transform.name} draws from the values that the source has"
                yield Problem(
                    spec.where_of(name, len(several) - 1),
                    f"{what}: put it before all other transforms, and once",
                )
        yield from _local_problems(spec, name, several)
        if own and own[0].transform.looks_at == "records" and not spec.key:
            what = f"{own[0].transform.name} is drawn for each record"
            yield Problem(
                spec.where_of(name, len(several) - 1),
                f"{what}: declare the columns that name one as key",
            )
        for index, one in enumerate(several):
            if one.key is None:
                continue
            where, by = spec.where_of(name, index), one.transform.name
            what = f"it changes {name!r}, and" if isinstance(one, JointTransform) else by
            if not (spec.key or spec.person):
                need = "the columns that name a record as key, or that name a person as person"
                yield Problem(where, f"{what} is drawn for each: declare {need}")
            if name in spec.sensitive and _is_asked(spec, name):
                yield Problem(
                    where,
                    f"{what} makes different values of equal ones, so that what is asked of it "
                    "would hold of the noise: take round, bands, top, bottom or mask, or ask "
                    "nothing of this column",
                )


def _is_asked(spec: Asking, name: str) -> bool:
    """Whether a model is asked of the values of a sensitive attribute."""
    from sqlanon.privacy import MODELS

    models = [model for model in MODELS if model.per == "sensitive"]
    asked = [
        (model.vacuous, model.asked_of(spec.sensitive[name], spec.privacy)) for model in models
    ]
    return any(threshold not in (None, vacuous) for vacuous, threshold in asked)


def _local_problems(spec: Asking, name: str, several: Several) -> Iterator[Problem]:
    """Settings that would break the ε of a column's values: it is of the value in the source."""
    if name not in spec.epsilons:
        return
    where = spec.where_of(name, len(several) - 1)
    (done,) = {
        transform.transform.name for transform in several if transform.epsilon is not None
    } or {""}
    if several[0].epsilon is None:
        yield Problem(
            where, f"{done} is for the source's values: put it before all other transforms"
        )
    if sum(transform.key is not None for transform in several) > 1:
        yield Problem(where, f"{done} draws the values: leave the other transform that draws out")
    if not spec.key:
        what = f"{done} is drawn for each record, and never twice alike"
        yield Problem(where, f"{what}: declare the columns that name a record as key")
    for transform in spec.joint:
        reads = (*getattr(transform.setting, "within", ()), *getattr(transform.setting, "rare", ()))
        if name in reads:
            what = f"it reads {name!r} as the source has it, which {done} is to hide"
            yield Problem(transform.where, f"{what}: leave that column out")


def _shift_problems(spec: Asking) -> Iterator[Problem]:
    """Dates of a person that would be shifted apart: their distances are to stay."""
    shifts = [
        (spec.where_of(name, index), one.setting)
        for name, several in spec.transforms.items()
        for index, one in enumerate(several)
        if one.transform.shared
    ]
    for name, several in spec.transforms.items():
        limits = [one.transform.name for one in several if one.transform.name in ("bottom", "top")]
        names = [one.transform.name for one in several]
        if limits and "date_shift" in names[names.index(limits[0]) :]:
            what = (
                f"a {limits[0]} before a date_shift gives persons beyond it one known date, and so "
                "shows by how many days each was shifted: limit dates after the shift"
            )
            yield Problem(spec.where_of(name, len(several) - 1), what)
    shifted = [where for where, _ in shifts]
    for number, (where, setting) in enumerate(shifts[1:], 1):
        if where in shifted[:number]:
            yield Problem(where, "one date_shift is enough: give it more days")
        elif setting != shifts[0][1]:
            what = "all dates of a person are shifted alike: give every date_shift the days and key"
            yield Problem(where, f"{what} of {shifted[0].removesuffix('.transform')}")


def _joint_problems(spec: Asking) -> Iterator[Problem]:
    """Parts of a spec that do not go with its swaps and its correlated noise."""
    first: dict[str, str] = {}
    for transform in spec.joint:
        yield from _unfit_columns(spec, transform, first)
    for transform in spec.joint:
        if isinstance(transform.setting, Swap):
            yield from _unfit_read(
                spec, f"{transform.where}.within", transform.setting.within, first
            )
            yield from _unfit_read(spec, f"{transform.where}.rare", transform.setting.rare)
            if not spec.key:
                what = "records trade their values, and none has a name"
                yield Problem(transform.where, f"{what}: declare the columns that name one as key")
    for name, several in spec.transforms.items():
        drawn = several[0]
        for own in several[1:]:
            draws = own.transform.looks_at in ("values", "records")
            if isinstance(drawn, JointTransform) and draws:
                what = f"{name!r} has the transform {own.transform.name}, which draws from the"
                how = "values that the source has, as this does: leave one of them out"
                yield Problem(f"{drawn.where}.columns", f"{what} {how}")


def _unfit_columns(
    spec: Asking, transform: JointTransform, first: dict[str, str]
) -> Iterator[Problem]:
    where, able = f"{transform.where}.columns", {**spec.sensitive, **spec.insensitive}
    for name in transform.columns:
        if name in first:
            again = "twice" if first[name] == transform.where else f"in {first[name]} too"
            what = "and its values change once: name it in one place"
            yield Problem(where, f"{name!r} is named {again}, {what}")
        elif name in spec.quasi_identifiers:
            what = "is a quasi-identifier, and those are generalized: name sensitive and"
            cure = "insensitive columns, or declare it insensitive where no model is asked of it"
            yield Problem(where, f"{name!r} {what} {cure}")
        elif name not in able:
            what = "is neither sensitive nor insensitive"
            yield Problem(where, f"{name!r} {what}; {nearest(name, able)}")
        first.setdefault(name, transform.where)


def _unfit_read(
    spec: Asking, where: str, names: Sequence[str], changed: Mapping[str, str] | None = None
) -> Iterator[Problem]:
    """Columns that are none to read, or that are changed where they must stay."""
    able = {**spec.quasi_identifiers, **spec.sensitive, **spec.insensitive}
    for index, name in enumerate(names):
        if name not in able:
            what = "is neither a quasi-identifier nor sensitive nor insensitive"
            yield Problem(where, f"{name!r} {what}; {nearest(name, able)}")
        elif name in names[:index]:
            yield Problem(where, f"{name!r} is named twice: once is enough")
        elif name in (changed or {}):
            what = f"is changed by {(changed or {})[name]}, and records agree in what stays"
            yield Problem(where, f"{name!r} {what}: leave it out of one of the two")


CLAUSES = (
    Clause(
        "transform",
        "values are changed before anything is made of them",
        _transforms,
        problems=_problems,
    ),
    Clause(
        "transform by a key",
        "numbers that change values are drawn by a key",
        _keyed,
        refused={
            Use.WAREHOUSE: "a key is not sent to a warehouse, which keeps every statement: leave "
            "this transform out",
            Use.SCRIPT: "a script would have to hold the key: run the spec",
            Use.DBT: "dbt models would have to hold the key: run the spec",
            Use.TRIAL: "a trial gets no key: run the spec, or leave this transform out",
        },
        excludes={
            "slices": "a key draws values of a column of which nothing is asked, and {publication} "
            "publishes no such column: leave this transform out"
        },
        needs={"transform": "only a transform has such a key"},
    ),
    Clause(
        "local differential privacy",
        "values are drawn so that what is shown of each is nearly as likely for any other",
        _local,
        refused={
            Use.CHECK: "a released table does not show what was drawn, and nothing keeps the run's "
            "own key: the metrics of its run have the ε; to measure the models, take a spec "
            "without this transform",
        },
        needs={"transform by a key": "it is drawn by a key of the run's own"},
    ),
)
