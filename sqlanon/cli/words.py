"""What was asked of a release and holds, in plain words: a sentence for each model."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console
from rich.markup import escape

from sqlanon.kept.metrics import Metric
from sqlanon.kept.words import MODEL_OF, sentence_of


def show_words(console: Console, measures: Iterable[Metric], of_persons: bool) -> None:
    """A sentence for every model that was asked for and holds, of which attributes it is true."""
    sentences: dict[str, list[str]] = {}
    for one in measures:
        if one.metric in MODEL_OF and one.passed:
            names = sentences.setdefault(sentence_of(one, of_persons), [])
            names += [one.attribute] if one.attribute else []
    for sentence, names in sentences.items():
        of = f" ({', '.join(names)})" if names else ""
        text = f"{sentence[0].upper()}{sentence[1:]}{of}."
        console.print(escape(text), highlight=False, soft_wrap=False)
