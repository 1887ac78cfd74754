"""The privacy models: what each demands, how it is measured, held, and tested by a search.

``MODELS`` is the only list of them. The fields of a spec, command options, arguments, DuckDB
macros, dbt tests and the documents' tables are made of it.
"""

from typing import TYPE_CHECKING

from sqlanon.privacy.alpha import ALPHA
from sqlanon.privacy.beta_likeness import BASIC_BETA, ENHANCED_BETA
from sqlanon.privacy.delta_disclosure import DELTA, DELTA_LN
from sqlanon.privacy.k_anonymity import K_ANONYMITY
from sqlanon.privacy.km_anonymity import KM_ANONYMITY
from sqlanon.privacy.l_diversity import DISTINCT_GROUPS_L, DISTINCT_L, ENTROPY_L, RECURSIVE_L
from sqlanon.privacy.model import PrivacyModel
from sqlanon.privacy.proximity import PROXIMITY
from sqlanon.privacy.t_closeness import T_CLOSENESS

# In the order of the metrics; those of clauses with a folder follow.
_OF_CLASSES: tuple[PrivacyModel, ...] = (
    K_ANONYMITY,
    DISTINCT_L,
    DISTINCT_GROUPS_L,
    ENTROPY_L,
    RECURSIVE_L,
    ALPHA,
    T_CLOSENESS,
    BASIC_BETA,
    ENHANCED_BETA,
    DELTA,
    DELTA_LN,
    PROXIMITY,
    KM_ANONYMITY,
)

if TYPE_CHECKING:
    MODELS: tuple[PrivacyModel, ...]


def __getattr__(name: str) -> tuple[PrivacyModel, ...]:
    """``MODELS``, when somebody first asks: a clause's own models import this package."""
    if name != "MODELS":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from sqlanon.clauses import clauses

    found = (*_OF_CLASSES, *(model for clause in clauses() for model in clause.models))
    globals()["MODELS"] = found
    return found
