"""The refusals of a spec, by the one table of clauses: with a use, or in itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from sqlanon.clauses import fields
from sqlanon.clauses.clause import Clause, Use
from sqlanon.errors import Problem, SpecError
from sqlanon.spec.clauses import CLAUSES
from sqlanon.spec.levels import levels_are_fixed
from sqlanon.spec.method import SETTINGS
from sqlanon.spec.metrics import cell_metrics
from sqlanon.spec.publication import RULES

if TYPE_CHECKING:
    from sqlanon.spec.model import Spec


def refuse(spec: Spec, *uses: Use) -> None:
    """Refuse a spec that does not go with a use of it.

    Raises:
        SpecError: with every problem found.
    """
    problems = list(refusals(spec, *uses))
    if problems:
        raise SpecError(problems)


def refusals(spec: Spec, *uses: Use) -> Iterator[Problem]:
    """Parts of a spec that do not go with a use of it, or with a part of that use."""
    parts = [each for use in uses for each in use.does]
    asking, fixed = _Asking(spec), levels_are_fixed(spec)
    yield from dict.fromkeys(
        Problem(where, asking.said(clause.refused[use]))
        for clause, addresses in asking.clauses
        for use in parts
        if use in clause.refused and not (fixed and use in clause.at_levels)
        for where in addresses
    )


def contradictions(spec: Spec) -> Iterator[Problem]:
    """Clauses of a spec that do not go with other clauses of it, or with its method."""
    asking = _Asking(spec)
    for needed, why in spec.method.needs.items():
        if needed not in asking.names:
            yield Problem("method", asking.said(why))
    for clause, addresses in asking.clauses:
        sentences = [why for other, why in clause.excludes.items() if other in asking.names]
        sentences += [why for other, why in clause.needs.items() if other not in asking.names]
        for why in sentences:
            yield from (Problem(where, asking.said(why)) for where in addresses)
        rule = clause.method
        if rule is not None and not rule.fits(spec.method, asking.names):
            where = [rule.where] if rule.where is not None else addresses
            yield from (Problem(address, asking.said(rule.why)) for address in where)


def not_found(spec: Spec, *names: str) -> Iterator[Problem]:
    """Clauses of a spec that do not go together, since the run has not found what they need.

    Args:
        spec: the spec.
        names: of the clauses that a run finds the rest of: one of the two is of these.
    """
    asking = _Asking(spec)
    for clause, addresses in asking.clauses:
        for other, why in clause.unless_found.items():
            if other in asking.names and {clause.name, other} & {*names}:
                yield from (Problem(where, asking.said(why)) for where in addresses)


def asked_clauses(spec: Spec) -> frozenset[str]:
    """The names of all clauses that a spec asks for."""
    return _Asking(spec).names


def refusals_by_use(spec: Spec) -> dict[Use, list[Problem]]:
    """Of every use but trials, which are parts of others, what of a spec does not go with it."""
    return {use: list(refusals(spec, use)) for use in Use if use is not Use.TRIAL}


class _Asking:
    """The clauses that a spec asks for.

    Attributes:
        clauses: each of them, and the addresses where the spec asks for it.
        names: their names.
    """

    def __init__(self, spec: Spec) -> None:
        self._spec = spec
        found = ((clause, list(clause.asked(spec))) for clause in CLAUSES.values())
        self.clauses: list[tuple[Clause, list[str]]] = [pair for pair in found if pair[1]]
        self.names = frozenset(clause.name for clause, _ in self.clauses)

    def said(self, sentence: str) -> str:
        """A sentence of the table, of this spec."""
        return sentence.format(**self._names)

    @cached_property
    def _names(self) -> dict[str, object]:
        """The values of the names in braces."""
        settings = SETTINGS.items()
        return {
            "publication": self._spec.publication,
            "method": self._spec.method.name,
            "metrics": ", ".join(cell_metrics(self._spec)),
            **{name: getattr(self._spec, name) for name in fields("spec")},
            "k": self._spec.privacy.k,
            "mixing": ", ".join(rule.name for rule in RULES.values() if rule.mixes),
            "suppressing": one_of(
                name
                for name, method_settings in settings
                if method_settings.suppresses or method_settings.leaves_outliers
            ),
            "leaving": one_of(
                name for name, method_settings in settings if method_settings.leaves_outliers
            ),
            "testing": one_of(
                name for name, method_settings in settings if method_settings.chooses_levels
            ),
            **dict.fromkeys(self._spec.method.needs, "no clause asks for them"),
            **{clause.name: clause.how for clause in CLAUSES.values() if clause.how},
        }


def one_of(names: Iterable[str]) -> str:
    """Several names, of which one is to be taken."""
    *first, last = names
    return f"{', '.join(first)} or {last}" if first else last
