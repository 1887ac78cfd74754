"""Keys, and what they make: pseudonyms, and numbers that are drawn to change values or to sample.

A pseudonym is the HMAC-SHA-256 (RFC 2104) of an identifier's text. The database works out all of
it. The key goes to the session as the two pads of RFC 2104 and to nowhere else: no statement, plan,
script or record holds it. The session has it for the statements that name it alone, which are of
the run's own tables and of the database's own functions.

Where an identifier repeats, a record is not a person, unless the spec says whom it is about.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import count
from pathlib import Path
from secrets import token_bytes
from typing import Any

from sqlanon.common.fields import FreshKey, Key
from sqlanon.errors import Problem, SpecError, as_key
from sqlanon.measure.insensitive import Released
from sqlanon.measure.metrics.changes import SAMPLING
from sqlanon.plan import FOUND, Check, Materialization, Secret, Step, fault, work
from sqlanon.privacy.differential.counts import DRAWS
from sqlanon.source.source import RECORDS, aliases, as_read, names_as_text, secret_names
from sqlanon.spec import Column, Spec
from sqlanon.spec.columns import names_drawn
from sqlanon.spec.differential import KEY, Differential, counting_of
from sqlanon.sql.names import Relation, Sql
from sqlanon.transforms.joint import JointTransform, Swap
from sqlanon.transforms.kinds import Several


def identifier_steps(
    spec: Spec, source: Relation | Sql, known: Mapping[str, Column]
) -> list[Step | Check]:
    """The steps that refuse an identifier which several records, or persons, have in common.

    Exact, by one scan for each identifier. Missing values are no repetition.

    Args:
        spec: what is declared.
        source: the source's FROM item: identifiers are counted where they lie, and not copied.
        known: its columns.
    """
    person = [
        as_read(spec, known[name], Sql(f"w{number}")) for number, name in enumerate(spec.person, 1)
    ]
    steps: list[Step | Check] = []
    for number, (name, declared) in enumerate(spec.identifiers.items(), 1):
        if declared.repeats:
            continue
        holders = work("holders_", number)
        steps += [
            Step(
                f"counting the values of {name}",
                holders,
                "source/holders",
                {"source": source},
                {"identifier": as_read(spec, known[name], Sql("value")), "person": person},
            ),
            Check(
                f"{name} names one {'person' if person else 'record'}",
                "source/check_identifier",
                {"holders": holders},
                {},
                f"identifiers.{name}",
                _shared(name) if person else _repeating(name),
            ),
        ]
    return steps


def _repeating(name: str) -> str:
    return (
        f"{FOUND.used} values in {FOUND.holders} records: it repeats, so k records need not be k "
        f"persons. Say whom a record is about, and k, l and t count persons: person: {name}. If "
        "every record is about another person all the same, as where this is the name of a "
        f"hospital, say so: identifiers: {{{as_key(name)}: {{repeats: true}}}}"
    )


def _shared(name: str) -> str:
    return (
        f"{FOUND.used} values among {FOUND.holders} persons: several persons share one, so perhaps "
        "person: does not name whom a record is about. If they are different persons all the same, "
        f"say so: identifiers: {{{as_key(name)}: {{repeats: true}}}}"
    )


def pseudonym_columns(spec: Spec, short: Mapping[str, str]) -> list[Released]:
    """The pseudonyms as columns that are released as they are read."""
    return [Released(Sql(short[name]), name, "text", made=True) for name in spec.pseudonyms]


def misfits(spec: Spec, columns: Mapping[str, Column]) -> Iterator[Problem]:
    """Identifiers whose text databases do not write alike."""
    for name in spec.pseudonyms:
        column = columns[name]
        if column.kind not in ("text", "label", "integer", "date"):
            yield Problem(
                f"identifiers.{name}.pseudonym",
                f"a pseudonym needs text, whole numbers or dates, the column is "
                f"{column.shown_type}: cast it to text in a query",
            )


LEAST_BYTES = 32  # of a key: as many as the hash has
_BLOCK = 64  # bytes of SHA-256's block
READ, KEYED, PROVED = work("read"), work("keyed"), work("proved")
FIRST = 10**6  # place in the metrics: after all that is said of insensitive columns
_SAMPLED = Sql("d0")  # what is drawn to sample


def pads(key: bytes) -> tuple[str, str]:
    """A key as HMAC mixes it with its inner and its outer pad, in hexadecimal digits."""
    if len(key) > _BLOCK:
        key = hashlib.sha256(key).digest()
    block = key.ljust(_BLOCK, b"\0")
    return bytes(number ^ 0x36 for number in block).hex(), bytes(
        number ^ 0x5C for number in block
    ).hex()


def keys_of(spec: Spec) -> dict[Secret, str]:
    """The pads of every key that a spec names or asks for, by what a plan calls them.

    A key that the run draws for itself is another one at every call.

    Raises:
        SpecError: if a key is not there, or shorter than 32 bytes; it shows no part of a key.
    """
    found, problems = {}, []
    for where, source in spec.keys.items():
        try:
            key = _read(source)
        except ValueError as error:
            problems.append(Problem(where, str(error)))
            continue
        if len(key) < LEAST_BYTES:
            what = f"the key has {len(key)} bytes: it must have at least {LEAST_BYTES}"
            problems.append(Problem(where, f"{what}, drawn at random"))
        found[where] = pads(key)
    if problems:
        raise SpecError(problems)
    return _named(found)


def fresh_key() -> bytes:
    """A key that nobody has: as long as must be, and another one at every call."""
    return token_bytes(LEAST_BYTES)


def _named(keys: Mapping[str, tuple[str, str]]) -> dict[Secret, str]:
    both = [pad for pair in keys.values() for pad in pair]
    names = [name for number in range(1, len(keys) + 1) for name in secret_names(number)]
    return dict(zip(names, both, strict=True))


def pads_of(spec: Spec) -> dict[str, Secret]:
    """The pads of all keys of a spec, as inputs of a step."""
    pairs = ((number, secret_names(number)) for number in range(1, len(spec.keys) + 1))
    return {
        f"secret_{number}_{pad}": name
        for number, pair in pairs
        for pad, name in zip(("inner", "outer"), pair, strict=True)
    }


def _read(source: Key) -> bytes:
    if isinstance(source, FreshKey):
        return fresh_key()
    if source.file is None:
        text = os.environ.get(source.env or "")
        if text is None:
            raise ValueError("the environment variable that it names is not set")
        return os.fsencode(text)
    try:
        key = Path(source.file).read_bytes()
        return key.removesuffix(b"\n").removesuffix(b"\r")
    except OSError as error:
        raise ValueError(f"the file that it names cannot be read: {error.strerror}") from None


def no_keys(spec: Spec) -> dict[Secret, str]:
    """Zeros in place of the keys where nothing is to stay, as when a plan is tried."""
    return _named(dict.fromkeys(spec.keys, ("00" * _BLOCK, "00" * _BLOCK)))


def key_checks(spec: Spec) -> Iterator[Check]:
    """That the session has the keys: a script that was kept of a run has them not."""
    for number, where in enumerate(spec.keys, 1):
        inner, outer = secret_names(number)
        name = where.removesuffix(".key")
        if not name.startswith(("swap.", "noise.")):
            name = name.split(".", 1)[1].rsplit(".transform", 1)[0]
        yield Check(
            f"the key of {name} is there",
            "source/check_secret",
            {"secret_inner": inner, "secret_outer": outer},
            {},
            where,
            f"the key of {name} is not there: a run is given it, and nothing keeps it",
            fault,
        )


def read_by_keys(spec: Spec, short: Mapping[str, str], reading: Step) -> Iterator[Step | Check]:
    """The steps that read the records, make pseudonyms, draw numbers, and sample.

    All that a key makes is made in one step, of what was read: the only one that has the keys.

    Args:
        spec: what is declared.
        short: the alias of every column that is read.
        reading: the step that reads them.
    """
    if spec.counts or (not spec.transforms and not spec.keys):
        yield reading
        if spec.counts:
            yield from _counting(counting_of(spec).noisy.delta, spec.privacy.differential)
        return
    yield replace(reading, output=READ)
    if spec.keys:
        draws, goes_on = list(drawn(spec)), spec.transforms or spec.sampled is not None
        yield from _names_there(spec, draws)
        yield from key_checks(spec)
        output = KEYED if goes_on else RECORDS
        yield _by_keys(spec, short, read_as(spec, reading), draws, output)
    if spec.sampled is not None:
        yield from _sampling(spec.sampled, read_as(spec, reading), KEYED)


def read_as(spec: Spec, reading: Step) -> list[Sql]:
    """The aliases of what is read, without the texts that numbers are drawn by."""
    texts = set(names_as_text(spec).values())
    return [one["alias"] for one in reading.params["columns"] if one["alias"] not in texts]


def undrawn(spec: Spec, insensitive: Sequence[Released]) -> list[Released]:
    """The insensitive columns as they are held to limits: noise makes none of them say less.

    A copy of a quasi-identifier with a little noise gives it back, and no share of records whose
    values agree would show it. So a column that is drawn by a key is measured as the source has it,
    without its other transforms too.
    """
    found = []
    for column in insensitive:
        drawn = any(step.key for step in spec.transforms.get(column.name, ()))
        found.append(replace(column, alias=original(spec, column.name)) if drawn else column)
    return found


def original(spec: Spec, name: str) -> Sql:
    """The alias of a transformed column as the source has it."""
    return Sql(f"o{list(spec.transforms).index(name) + 1}")


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
            "first": FIRST,
            "proved": [{"metric": figure.name, "value": shown(value)} for figure, value in proved],
        },
    )


def shown(epsilon: Fraction) -> Sql:
    """A number as the metrics show it."""
    return Sql(f"{float(epsilon):.12g}")


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
        {"read": READ} | pads_of(spec),
        {"columns": columns, "draws": draws},
    )


def drawn(spec: Spec) -> Iterator[dict[str, Any]]:
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
        for index, transform in enumerate(several):
            if transform.key is None:
                continue
            if isinstance(transform, JointTransform) and name not in _drawn_for(transform):
                continue
            inner, outer = secret_names(addresses[spec.key_of(name, index)])
            yield {
                "alias": Sql(f"d{next(made)}"),
                "inner": inner,
                "outer": outer,
                "label": _label(name, several[: index + 1]),
                "names": [texts[column] for column in names_drawn(spec, transform.transform)],
                "of": (name, index),
            }


def _label(name: str, done: Several) -> str:
    """The purpose of a drawn number: a column and all that is done to it up to there, or the shift.

    Only the same noise on the same values is drawn alike: two noises of one draw would give the
    value back.
    """
    last = done[-1]
    if isinstance(last, JointTransform) and isinstance(last.setting, Swap):
        name = ", ".join(last.columns)
    told = [last.says] if last.transform.shared else [name, *(transform.says for transform in done)]
    parts = [last.transform.name, *told]
    return "|".join(part.replace("~", "~~").replace("|", "~p") for part in parts)


def _drawn_for(transform: JointTransform) -> Sequence[str]:
    """The columns for which something is drawn: each of noise, and one that stands for a swap."""
    return transform.columns[:1] if isinstance(transform.setting, Swap) else transform.columns


def _names_there(spec: Spec, draws: Sequence[Mapping[str, Any]]) -> Iterator[Check]:
    """That names of records are there, and each is that of one, where a number is drawn by them."""
    declared = [draw["of"] for draw in draws if draw["of"] is not None]
    drawn = [spec.transforms[name][index].transform for name, index in declared]
    by_key = [one for one in drawn if names_drawn(spec, one) == spec.key]
    samples = len(declared) < len(draws)
    single = samples or any(not one.shared for one in by_key)
    for role, unique in (("key", single), ("person", False)):
        if (by_key or samples) if role == "key" else len(by_key) < len(drawn):
            named = spec.key if role == "key" else spec.drawn_for
            names = [Sql(aliases(spec)[name]) for name in named]
            of_one = "no name, or one that another record has" if unique else "no name"
            yield Check(
                f"every record has {'its own' if unique else 'a'} name to draw by",
                "source/check_named",
                {"read": READ},
                {"names": names, "unique": unique},
                role,
                f"records are drawn for by it, and {FOUND.records} records have {of_one}: "
                "fill the column, name the records by more columns, or leave these out by a query",
            )
