"""Plain words for what was asked of a release and what it reached: a sentence each."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from sqlanon.domains.unit import one_of
from sqlanon.figures.figure import shown
from sqlanon.kept.metrics import Metric
from sqlanon.measure.metrics import METRIC_OF
from sqlanon.privacy import MODELS
from sqlanon.privacy.k_anonymity import K_ANONYMITY

if TYPE_CHECKING:
    import pandas as pd

MODEL_OF = {one.name: one for one in MODELS}
_OF_COLUMNS = "what is published of these columns is the same in at least `k` records"


def sentence_of(asked: Metric, counts: str = "records") -> str:
    """The sentence of a model that was asked for, with its threshold in place of its letter.

    Args:
        asked: the model, as it was measured.
        counts: what a class counts: records, or another word.
    """
    found: list[tuple[str, str]] = re.findall(r"(\w+) = ([^,]+)", asked.threshold or "")
    field = MODEL_OF[asked.metric].field.name
    return _filled(_says(asked, counts), dict(found) or {field: asked.threshold or ""})


def reached_in_words(found: Metric, counts: str = "records") -> str:
    """The sentence of a metric with its value in it, as that of k: at least 3 records.

    Args:
        found: the metric, as it was measured.
        counts: what a class counts: records, or another word.
    """
    general = found.sentence or METRIC_OF[found.metric].sentence
    if found.value is None:
        return f"{general.rstrip('.')}: not known."
    value, model = shown(found.value, METRIC_OF[found.metric].shown_as), MODEL_OF.get(found.metric)
    said = general
    if model is not None and not model.strict:  # at equality a strict one would say what is wrong
        said = _filled(_says(found, counts), {model.field.name: value}) + "."
        said = said[:1].upper() + said[1:]
    said = re.sub(r"\b([Tt])his chance\b", rf"a chance of {value}", said)
    said = re.sub(r"\b[Tt]his (many|much|share)\b", value, said)
    if found.attribute:
        said = re.sub(r"\bthe attribute\b(?!')", lambda _: str(found.attribute), said)
    return said if value in said else f"{general.rstrip('.')}: {value}."


def metrics_frame(measures: Iterable[Metric], counts: str = "records") -> pd.DataFrame:
    """Metrics as a pandas frame, a row each, whose ``sentence`` has the value in it.

    Args:
        measures: the metrics.
        counts: what a class counts: records, or another word.
    """
    import pandas as pd

    rows = [{**vars(one), "sentence": reached_in_words(one, counts)} for one in measures]
    frame = pd.DataFrame(rows, columns=list(Metric.__dataclass_fields__))
    whole = {"failing_classes": "Int64", "failing_records": "Int64"}
    return frame.astype({"passed": "boolean", **whole})


def _says(metric: Metric, counts: str) -> str:
    """The sentence of a model, with its letter, on what a class counts."""
    model = MODEL_OF[metric.metric]
    says = _OF_COLUMNS if model is K_ANONYMITY and metric.attribute else model.says
    if counts != "records":
        says = model.says_of_units or says
    return says.replace("record", one_of(counts))


def _filled(says: str, known: dict[str, str]) -> str:
    """The sentence of a model, with values in place of its letters."""
    return re.sub(r"`(\w+)`", lambda letter: known.get(letter[1], letter[1]), says)


def compared_with_source(measures: Sequence[Metric]) -> dict[str, list[str]]:
    """The models that compare a release with a source, which has records that the release lacks.

    A reader who has only the file cannot do so.

    Args:
        measures: the metrics of a release.

    Returns:
        By sensitive attribute the titles of the models that were asked for; nothing where no record
        was left out.
    """
    value = {one.metric: one.value for one in measures if one.attribute is None}
    if not value.get("suppressed_records"):
        return {}
    found: dict[str, list[str]] = {}
    for one in measures:
        model = MODEL_OF.get(one.metric)
        if model is None or one.threshold is None or one.attribute is None:
            continue
        if "positions" in model.reads:
            found.setdefault(one.attribute, []).append(model.title)
    return found
