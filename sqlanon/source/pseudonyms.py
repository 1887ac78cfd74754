"""Keyed pseudonyms: HMAC-SHA-256 (RFC 2104) of an identifier's text, worked out in the database.

The key goes to the session as the two pads of RFC 2104 and to nowhere else: no statement, plan,
script or record holds it.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path

from sqlanon.engines import Engine
from sqlanon.errors import Problem, SpecError, SqlanonError
from sqlanon.fields import KeySource
from sqlanon.measure import Released
from sqlanon.plan import Check, fault
from sqlanon.source.source import secret_names
from sqlanon.spec import Column, Spec
from sqlanon.sql import Relation
from sqlanon.sql.names import Sql

LEAST_BYTES = 32  # of a key: as many as the hash has
_BLOCK = 64  # bytes of SHA-256's block


def pads(key: bytes) -> tuple[str, str]:
    """A key as HMAC mixes it with its inner and its outer pad, in hexadecimal digits."""
    if len(key) > _BLOCK:
        key = hashlib.sha256(key).digest()
    block = key.ljust(_BLOCK, b"\0")
    return bytes(one ^ 0x36 for one in block).hex(), bytes(one ^ 0x5C for one in block).hex()


def keys_of(spec: Spec) -> dict[str, tuple[str, str]]:
    """The pads of every key that a spec names, by its address.

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
    return found


def _read(source: KeySource) -> bytes:
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


@contextmanager
def given(keys: Mapping[str, tuple[str, str]], engine: Engine) -> Iterator[None]:
    """The session has the keys for as long as the block lasts, inside the transaction."""
    try:
        for pair, both in zip(_names(len(keys)), keys.values(), strict=True):
            for name, pad in zip(pair, both, strict=True):
                engine.secret(name, pad)
        yield
    finally:
        forget(keys, engine)


@contextmanager
def forgotten(keys: Mapping[str, tuple[str, str]], engine: Engine) -> Iterator[None]:
    """Once the block has ended the session has no key, also where its transaction failed.

    A transaction that failed forgets nothing, and a rollback brings no variable back to nothing.
    """
    try:
        yield
    finally:
        forget(keys, engine)


@contextmanager
def with_keys(
    keys: Mapping[str, tuple[str, str]], engine: Engine, transaction: AbstractContextManager[object]
) -> Iterator[None]:
    """A transaction whose session has the keys, and none when it has ended."""
    with forgotten(keys, engine), transaction, given(keys, engine):
        yield


def forget(keys: Mapping[str, tuple[str, str]], engine: Engine) -> None:
    """Let the session forget every key that it still has."""
    for pair in _names(len(keys)):
        for name in pair:
            with suppress(SqlanonError):  # a lost connection, or a transaction that failed
                engine.forget(name)


def _names(keys: int) -> list[tuple[Relation, Relation]]:
    return [secret_names(number) for number in range(1, keys + 1)]


def no_keys(spec: Spec) -> dict[str, tuple[str, str]]:
    """What stands for the keys where nothing is to stay, as when a plan is tried."""
    return dict.fromkeys(spec.keys, ("00" * _BLOCK, "00" * _BLOCK))


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
