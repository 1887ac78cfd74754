"""The metrics of a release: what each is, how it is measured, and what it says.

``METRICS`` is the only list of them. The relation of the metrics and the documents' table are made
of it.
"""

from sqlanon.clauses import clauses
from sqlanon.measure.metrics.cells import CLASSIFIED, COVERS, ENTROPIES, LEVELS, LINKAGES, LOSSES
from sqlanon.measure.metrics.changes import CHANGES_OF_VALUES, EPSILONS, SAMPLING
from sqlanon.measure.metrics.records import LEFT_OUT, RISKS, SHARES_OF_RECORDS, UNIQUENESS
from sqlanon.measure.metrics.sizes import FORMED, SIZES
from sqlanon.pages.figures import Figure
from sqlanon.privacy import MODELS
from sqlanon.privacy.model import PrivacyModel


def metric_of(model: PrivacyModel) -> Figure:
    """The metric of a privacy model: what it reaches in its worst class."""
    return Figure(
        name=model.name,
        per="sensitive attribute" if model.is_of_attribute else "release",
        measured=model.measured,
        direction="higher" if model.worst == "least" else "lower",
        range=model.range,
        value=model.value,
        paper=model.paper,
        says=model.says,
        unit="number" if model.whole else "distance",
    )


# In the order of the metrics relation.
BESIDE_MODELS: tuple[Figure, ...] = (
    *SIZES,
    *LEFT_OUT,
    *LOSSES,
    *RISKS,
    *(metric for clause in clauses() for metric in clause.metrics),
    *UNIQUENESS,
    *SHARES_OF_RECORDS,
    *CHANGES_OF_VALUES,
    *EPSILONS,
    *SAMPLING,
    *CLASSIFIED,
    *ENTROPIES,
    *COVERS,
    *LINKAGES,
    *LEVELS,
    *FORMED,
)
METRICS: tuple[Figure, ...] = (*map(metric_of, MODELS), *BESIDE_MODELS)
METRIC_OF = {figure.name: figure for figure in METRICS}
