"""Columns that are read for a model alone, and that no release shows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sqlanon.privacy import MODELS

if TYPE_CHECKING:
    from sqlanon.spec.model import Spec


def hidden_columns(spec: Spec) -> Iterator[tuple[str, str]]:
    """Each such column, after the address in the spec that names it."""
    for name, declared in spec.sensitive.items():
        for model in MODELS:
            asked = None if model.column is None else model.asked(declared)
            if asked is not None:
                yield f"sensitive.{name}.{model.field.name}", getattr(asked, str(model.column))
