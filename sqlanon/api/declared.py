"""The fields of a spec as keyword arguments, so that editors complete and check them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Literal, TypedDict

Columns = str | Sequence[str] | Mapping[str, Any]
Number = int | float | str | Fraction


class Fields(TypedDict, total=False):
    """The fields that may be declared of a release; docs/spec/ says what each means."""

    release: str
    identifiers: Columns
    quasi_identifiers: Columns
    sensitive: Columns
    insensitive: Columns
    swap: Mapping[str, Any] | Sequence[Mapping[str, Any]]
    noise: Mapping[str, Any] | Sequence[Mapping[str, Any]]
    key: str | Sequence[str]
    person: str | Sequence[str]
    goal: Literal["public", "researchers", "internal"]
    privacy: Mapping[str, Any]
    alpha: Number | Mapping[str, Any]
    beta: Number | Mapping[str, Any]
    delta: Number | Mapping[str, Any]
    proximity: Mapping[str, Any]
    km: Mapping[str, Any]
    method: str | Mapping[str, Any]
    publish: str | Mapping[str, Any]
    levels: Mapping[str, int | Sequence[int]]
    recipe: str
    allotment: bool
    suppression: Mapping[str, Any]
    choose: Mapping[str, Any]
    metrics: str | Sequence[str]
    missing: Mapping[str, str | Sequence[str]]
    materialize: Literal["table", "view", "live"]
    search: Literal["engine", "local"]
    series: Mapping[str, Any]
    seed: int


class Tried(Fields, total=False):
    """The same, with those of which a sweep takes one value or several."""

    bk: Any


class Declared(Fields, total=False):
    """The same, with those that a sweep tries several of."""

    k: int
    l: Number | Mapping[str, Any]  # noqa: E741 - as the model is called
    t: Number
    bk: Number | Mapping[str, Any]
