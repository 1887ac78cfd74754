"""A schema.yml that is written again, with what people added to the older one."""

from __future__ import annotations

import io
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from sqlanon.errors import SpecError

# Properties that people may have put in words of their own, corrected, or decided otherwise.
_THEIRS = {"description", "data_type", "quote", "schema", "materialized"}


def merged(old: str, new: str, release: str, where: str) -> str:
    """The older text brought up to date, its comments and everything added to it in place.

    Descriptions and data types that are there stay as they are; arguments of the tests that are
    written for the spec follow the spec. Models of the release, their columns and those tests go
    where the spec has them no more.

    Args:
        old: the file as it is.
        new: the file as it would be written without an older one.
        release: the release's name, with which the names of all that is written begin.
        where: the file's path, for the message.

    Raises:
        SpecError: if the older text cannot be read.
    """
    reader = YAML()
    reader.preserve_quotes = True
    reader.width = 100
    try:
        document = reader.load(old)
        if not isinstance(document, dict):
            raise SpecError(
                f"{where!r} is no mapping: mend it, or remove it to have it written again"
            )
    except YAMLError as error:
        line = getattr(getattr(error, "problem_mark", None), "line", None)
        place = "" if line is None else f" at line {line + 1}"
        raise SpecError(f"{where!r} cannot be read as YAML{place}: mend it first") from None
    _update(document, YAML(typ="safe", pure=True).load(new), release)
    text = io.StringIO()
    reader.dump(document, text)
    return text.getvalue()


def _update(old: Any, new: dict[str, Any], release: str) -> None:
    for key, value in new.items():
        there = old.get(key)
        if isinstance(value, dict) and isinstance(there, dict):
            _update(there, value, release)
        elif isinstance(value, list) and isinstance(there, list) and _named(value):
            _update_list(there, value, release, every=key == "columns")
        elif there is None or key not in _THEIRS:
            old[key] = value


def _update_list(old: Any, new: list[Any], release: str, every: bool) -> None:
    """Bring a list of named things up to date; of what is not new, ours goes, or everything."""
    wanted = {_name(one): one for one in new}
    for at in reversed(range(len(old))):
        name = _name(old[at])
        ours = every or name == release or name.startswith(f"{release}__")
        if name not in wanted and ours:
            del old[at]
    there = {_name(one): one for one in old}
    for name, one in wanted.items():
        if name in there:
            _update(there[name], one, release)
        else:
            old.append(one)


def _named(items: list[Any]) -> bool:
    return all(_name(one) for one in items)


def _name(item: Any) -> str:
    """The name of a model, a column, a source or a test; empty if it has none."""
    if not isinstance(item, dict):
        return ""
    if "name" in item:
        return str(item["name"])
    inner = next(iter(item.values()), None)
    return str(inner.get("name", "")) if isinstance(inner, dict) else ""
