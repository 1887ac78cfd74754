"""Pseudonyms that several records share: a reader ties these records together."""

from __future__ import annotations

from collections.abc import Iterator

from sqlanon.errors import Problem
from sqlanon.spec.model import Spec


def pseudonym_problems(spec: Spec) -> Iterator[Problem]:
    """Pseudonyms that may repeat over several classes, unless the spec accepts it by name.

    The cells of the classes that one pseudonym is in are all of one person. Where they overlap in
    few records of the source, k holds for each class and not for the person.
    """
    for name, declared in spec.identifiers.items():
        where = f"identifiers.{name}"
        repeats = declared.pseudonym is not None and declared.repeats
        if declared.accept is not None and not repeats:
            what = "it is of a pseudonym that repeats, and this is none: leave it out"
            yield Problem(f"{where}.accept", what)
        if repeats and declared.accept is None:
            yield Problem(
                f"{where}.repeats",
                "whoever reads the release ties the records of one pseudonym together, over all "
                "the classes that they are in, so k does not hold for whom they are about. If it "
                f"names a person, copy it in a query, select *, {name} as who, say person: who, "
                "and leave repeats out: all of a person's records then lie in one class. If the "
                "records may be tied together, accept it by name: "
                f"identifiers: {{{name}: {{accept: WHY}}}}",
            )
