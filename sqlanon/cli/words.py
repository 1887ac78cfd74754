"""What was asked of a release and holds, in plain words: a sentence for each model."""

from __future__ import annotations

import re
from collections.abc import Iterable

from rich.console import Console
from rich.markup import escape

from sqlanon.privacy import MODELS
from sqlanon.release.metrics import Metric

_MODELS = {one.name: one for one in MODELS}


def sentence_of(asked: Metric) -> str:
    """What a model that was asked for says, with its threshold in place of its letter."""
    model = _MODELS[asked.metric]
    found: list[tuple[str, str]] = re.findall(r"(\w+) = ([^,]+)", asked.threshold or "")
    known = dict(found) or {model.field.name: asked.threshold or ""}
    return re.sub(r"`(\w+)`", lambda letter: known.get(letter[1], letter[1]), model.says)


def show_words(console: Console, measures: Iterable[Metric]) -> None:
    """A sentence for every model that was asked for and holds, of which attributes it is true."""
    sentences: dict[str, list[str]] = {}
    for one in measures:
        if one.metric in _MODELS and one.passed:
            names = sentences.setdefault(sentence_of(one), [])
            names += [one.attribute] if one.attribute else []
    for sentence, names in sentences.items():
        of = f" ({', '.join(names)})" if names else ""
        text = f"{sentence[0].upper()}{sentence[1:]}{of}."
        console.print(escape(text), highlight=False, soft_wrap=False)
