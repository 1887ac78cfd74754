"""Names, templates and dialects: everything that turns a plan into SQL text."""

from sqlanon.sql.dialects import (
    check_contract,
    check_expression,
    check_names,
    check_query,
    columns_of,
    moved,
    quoted,
    spoken,
    text_literal,
    transpile,
)
from sqlanon.sql.names import Relation, identifier, literal
from sqlanon.sql.templates import Template, load_template, template_names, template_text

__all__ = [
    "Relation",
    "Template",
    "check_contract",
    "check_expression",
    "check_names",
    "check_query",
    "columns_of",
    "identifier",
    "literal",
    "load_template",
    "moved",
    "quoted",
    "spoken",
    "template_names",
    "template_text",
    "text_literal",
    "transpile",
]
