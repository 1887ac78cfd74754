"""Models that no cut can be held to: a method that cuts refuses them before a run."""

from __future__ import annotations

from collections.abc import Iterator

from sqlanon.errors import Problem
from sqlanon.privacy import MODELS
from sqlanon.spec import Spec
from sqlanon.spec.method import SETTINGS


def untested(spec: Spec, method: str) -> Iterator[Problem]:
    """The models that are asked for though cuts cannot be tested by them.

    Args:
        spec: what is declared.
        method: the method that cuts, by its name.
    """
    others = [name for name, one in SETTINGS.items() if not one.cuts]
    places: list[tuple[str, object]] = [("privacy", spec.privacy)]
    places += [(f"sensitive.{name}", declared) for name, declared in spec.sensitive.items()]
    places += [
        (f"quasi_identifiers.{name}.sensitive", declared.sensitive)
        for name, declared in spec.quasi_identifiers.items()
        if declared.sensitive is not None
    ]
    for where, declared in places:
        for model in MODELS:
            if model.per == "sensitive" and not model.cut and model.asked(declared) is not None:
                yield Problem(
                    f"{where}.{model.field.name}",
                    f"{method} cannot test {model.title} while it searches: take "
                    f"{', '.join(others[:-1])} or {others[-1]}, whose classes are measured "
                    "against it in the end",
                )
