"""Keyed pseudonyms: HMAC-SHA-256 (RFC 2104) of an identifier's text, worked out in the database.

The key goes to the session as the two pads of RFC 2104 and to nowhere else: no statement, plan,
script or record holds it. The session has it for the statements that name it alone, which are of
the run's own tables and of the database's own functions.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from secrets import token_bytes

from sqlanon.errors import Problem, SpecError
from sqlanon.fields import FreshKey, Key
from sqlanon.measure import Released
from sqlanon.plan import Check, Secret, fault
from sqlanon.source.source import secret_names
from sqlanon.spec import Column, Spec
from sqlanon.sql.names import Sql

LEAST_BYTES = 32  # of a key: as many as the hash has
_BLOCK = 64  # bytes of SHA-256's block


def pads(key: bytes) -> tuple[str, str]:
    """A key as HMAC mixes it with its inner and its outer pad, in hexadecimal digits."""
    if len(key) > _BLOCK:
        key = hashlib.sha256(key).digest()
    block = key.ljust(_BLOCK, b"\0")
    return bytes(one ^ 0x36 for one in block).hex(), bytes(one ^ 0x5C for one in block).hex()


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


def pseudonym_columns(spec: Spec, short: Mapping[str, str]) -> list[Released]:
    """The pseudonyms as columns that are released as they are read."""
    return [Released(Sql(short[name]), name, "text", made=True) for name in spec.pseudonyms]


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
