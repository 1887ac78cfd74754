"""The spec that the user declares, read from YAML or Python and checked on its own."""

from sqlanon.inputs.source import Frame, Source
from sqlanon.spec.columns import (
    MEASURABLE,
    NUMBERS,
    TEXTS,
    Column,
    Kind,
    check_columns,
    codes,
    comparable,
    shown_columns,
)
from sqlanon.spec.distances import Distances, with_distances
from sqlanon.spec.grid import Combination, Grid
from sqlanon.spec.hierarchy import (
    BandsHierarchy,
    DatesHierarchy,
    FileHierarchy,
    Hierarchy,
    PrefixHierarchy,
    SqlHierarchy,
    TreeHierarchy,
)
from sqlanon.spec.load import (
    changed,
    following,
    load_spec,
    parse_grid,
    parse_queries,
    parse_source,
    parse_spec,
    spec_schema,
)
from sqlanon.spec.method import Method, MethodSettings
from sqlanon.spec.model import Spec
from sqlanon.spec.privacy import Choose, Privacy
from sqlanon.spec.roles import Insensitive, QuasiIdentifier, Sensitive
from sqlanon.sql.products import product, shown

__all__ = [
    "MEASURABLE",
    "NUMBERS",
    "TEXTS",
    "BandsHierarchy",
    "Choose",
    "Column",
    "Combination",
    "DatesHierarchy",
    "Distances",
    "FileHierarchy",
    "Frame",
    "Grid",
    "Hierarchy",
    "Insensitive",
    "Kind",
    "Method",
    "MethodSettings",
    "PrefixHierarchy",
    "Privacy",
    "QuasiIdentifier",
    "Sensitive",
    "Source",
    "Spec",
    "SqlHierarchy",
    "TreeHierarchy",
    "changed",
    "check_columns",
    "codes",
    "comparable",
    "following",
    "load_spec",
    "parse_grid",
    "parse_queries",
    "parse_source",
    "parse_spec",
    "product",
    "shown",
    "shown_columns",
    "spec_schema",
    "with_distances",
]
