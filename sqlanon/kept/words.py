"""What was asked of a release, in plain words: a sentence for each model."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sqlanon.kept.metrics import Metric
from sqlanon.privacy import MODELS, OF_POPULATION
from sqlanon.privacy.k_anonymity import K_ANONYMITY

MODEL_OF = {one.name: one for one in (*MODELS, *OF_POPULATION)}
_OF_COLUMNS = "what is published of these columns is the same in at least `k` records"


def sentence_of(asked: Metric, of_persons: bool = False) -> str:
    """What a model that was asked for says, with its threshold in place of its letter.

    Args:
        asked: the model, as it was measured.
        of_persons: whether persons are counted, and not records.
    """
    model = MODEL_OF[asked.metric]
    found: list[tuple[str, str]] = re.findall(r"(\w+) = ([^,]+)", asked.threshold or "")
    known = dict(found) or {model.field.name: asked.threshold or ""}
    says = _OF_COLUMNS if model is K_ANONYMITY and asked.attribute else model.says
    if of_persons and model.says_of_persons:
        says = model.says_of_persons
    says = says.replace("records", "persons") if of_persons else says
    return re.sub(r"`(\w+)`", lambda letter: known.get(letter[1], letter[1]), says)


def compared_with_source(measures: Sequence[Metric]) -> dict[str, list[str]]:
    """What compares a release with a source of which it lacks records: who has the file cannot.

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
