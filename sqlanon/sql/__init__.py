"""Names, templates and dialects: everything that turns a plan into SQL text."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from sqlanon.sql.names import Relation, check_names, identifier, literal, quoted
from sqlanon.sql.templates import (
    Template,
    load_template,
    macro_names,
    template_names,
    template_text,
    to_dialect,
)

if TYPE_CHECKING:
    from sqlanon.sql.dialects import data_type, rebind_relations, text_literal, transpile
    from sqlanon.sql.reading import (
        check_contract,
        check_expression,
        check_query,
        columns_of,
        tables_read,
    )

__all__ = [
    "Relation",
    "Template",
    "check_contract",
    "check_expression",
    "check_names",
    "check_query",
    "columns_of",
    "data_type",
    "identifier",
    "literal",
    "load_template",
    "macro_names",
    "quoted",
    "rebind_relations",
    "tables_read",
    "template_names",
    "template_text",
    "text_literal",
    "to_dialect",
    "transpile",
]

_WRITES = ("data_type", "rebind_relations", "text_literal", "transpile")


def __getattr__(name: str) -> Any:
    """Load what reads SQL as a tree when it is asked for: most runs on DuckDB never ask for it."""
    if name in __all__:
        module = "dialects" if name in _WRITES else "reading"
        return getattr(import_module(f"sqlanon.sql.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
