"""In what the specs of several releases differ."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

# The keys that differ between any two releases, and a key that is its publisher's secret.
_PASSED_OVER = ("release", "database", "seed")
_ROLES = ("quasi_identifiers", "sensitive", "insensitive", "identifiers")
_WHOLE = ("hierarchy", "order", "tree", "columns", "missing")  # compared, and not taken apart
_MOST = 60  # characters of a value that is shown
_LONG = "a long one"
_UNKNOWN = "not known"


@dataclass(frozen=True)
class Difference:
    """A field of the specs that is not the same in all of them.

    Attributes:
        field: where it stands in a spec, such as ``privacy.k``.
        values: what each release was asked there, in words; empty where nothing was.
    """

    field: str
    values: tuple[str, ...]


def differences(specs: Sequence[Mapping[str, Any]]) -> tuple[Difference, ...]:
    """The fields in which specs differ, in the order in which they stand there.

    A seed is never among them: it is as secret as the source.

    Args:
        specs: the specs as mappings; one that is empty is not known, and differs in nothing.
    """
    fields = [dict(_fields(one)) for one in specs]
    known = [one for one in fields if one]
    found = []
    for name in dict.fromkeys(name for one in known for name in one):
        if len({_text(one.get(name)) for one in known}) > 1:
            values = [_shown(one.get(name)) if one else _UNKNOWN for one in fields]
            texts = [_text(one.get(name)) for one in fields]
            found.append(Difference(name, tuple(_told_apart(values, texts))))
    return tuple(found)


def _fields(spec: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    """Every field of a spec that says something, with its path."""
    for name, value in spec.items():
        path = f"{above}{name}"
        if path in _PASSED_OVER or value in (None, {}, [], ()):
            continue
        if path in _ROLES:
            columns = value if isinstance(value, Mapping) else {one: {} for one in value}
            for column, declared in columns.items():
                yield f"{path}.{column}", True
                yield from _fields(declared or {}, f"{path}.{column}.")
        elif isinstance(value, Mapping) and name not in _WHOLE:
            yield from _fields(value, f"{path}.")
        else:
            yield path, value


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)


def _shown(value: Any) -> str:
    if value is None:
        return ""
    if value is True:
        return "yes"
    if isinstance(value, Mapping):
        value = {name: of for name, of in value.items() if of is not None}
    if isinstance(value, str) and re.fullmatch(r"\d+/\d+", value):
        value = _decimal(Fraction(value))
    text = value if isinstance(value, str) else _text(value)
    return text if len(text) <= _MOST else _LONG


def _decimal(share: Fraction) -> str:
    """An exact number as a spec would have it: with a point where that is as exact."""
    text = f"{float(share):g}"
    return text if Fraction(text) == share else str(share)


def _told_apart(values: Sequence[str], texts: Sequence[str]) -> Iterator[str]:
    """The values, those too long to be shown with a number for each that differs."""
    long = list(
        dict.fromkeys(text for value, text in zip(values, texts, strict=True) if value == _LONG)
    )
    for value, text in zip(values, texts, strict=True):
        yield f"{_LONG} ({long.index(text) + 1})" if value == _LONG else value
