"""What the user declares: the spec, read from YAML or Python and checked on its own."""

from sqlanon.spec.columns import MEASURABLE, Column, Kind, fit
from sqlanon.spec.database import product, shown
from sqlanon.spec.hierarchy import (
    BandsHierarchy,
    DatesHierarchy,
    FileHierarchy,
    Hierarchy,
    PrefixHierarchy,
    SqlHierarchy,
    TreeHierarchy,
)
from sqlanon.spec.load import load_spec, parse_spec, spec_schema
from sqlanon.spec.model import (
    DealTreeMethod,
    FragmentationMethod,
    LDiversity,
    Method,
    Privacy,
    QuasiIdentifier,
    Sensitive,
    Source,
    Spec,
    SplitOrDealMethod,
    StackAndDealMethod,
)

__all__ = [
    "MEASURABLE",
    "BandsHierarchy",
    "Column",
    "DatesHierarchy",
    "DealTreeMethod",
    "FileHierarchy",
    "FragmentationMethod",
    "Hierarchy",
    "Kind",
    "LDiversity",
    "Method",
    "PrefixHierarchy",
    "Privacy",
    "QuasiIdentifier",
    "Sensitive",
    "Source",
    "Spec",
    "SplitOrDealMethod",
    "SqlHierarchy",
    "StackAndDealMethod",
    "TreeHierarchy",
    "fit",
    "load_spec",
    "parse_spec",
    "product",
    "shown",
    "spec_schema",
]
