"""The domain of an attribute: its values with integer codes, and the hierarchy above them."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any, overload

from sqlanon.domains.attribute import QuasiAttribute, SensitiveAttribute
from sqlanon.domains.lines import ROOT, hierarchy_lines
from sqlanon.errors import Problem, SpecError
from sqlanon.plan import FOUND, Check, Step, filled, work
from sqlanon.spec import (
    BandsHierarchy,
    Column,
    DatesHierarchy,
    FileHierarchy,
    Hierarchy,
    PrefixHierarchy,
    QuasiIdentifier,
    Sensitive,
    SqlHierarchy,
    TreeHierarchy,
)
from sqlanon.spec.columns import Kind
from sqlanon.spec.hierarchy import Border, decimal_text, digits_of
from sqlanon.spec.publication import FORM_RULES
from sqlanon.sql.names import Relation, Sql

# The length of each calendar period, for the last day of one.
_PERIODS = {
    "day": "1 day",
    "month": "1 month",
    "quarter": "3 months",
    "year": "1 year",
    "decade": "10 years",
    "century": "100 years",
}

_AMBIGUOUS = (
    f"{FOUND.labels} labels stand for several different groups each, so a reader could not tell "
    "which is meant: give every group a name of its own, and every group one parent ('*' is the "
    "root's)"
)
_BANDED_DIGITS = 37  # of a decimal's 38, so that the end of a band has room
_FRACTION_DIGITS = 18  # of 25, where six stand behind the point

# Before and after Christ, within the timestamps of every engine.
_FARTHEST_YEAR = 290_000


@overload
def attribute_steps(
    alias: str,
    column: Column,
    declared: QuasiIdentifier,
    records: Relation,
    prefix: str = "",
    others: Relation | None = None,
    stars: bool = False,
) -> tuple[QuasiAttribute, list[Step | Check]]: ...


@overload
def attribute_steps(
    alias: str,
    column: Column,
    declared: Sensitive,
    records: Relation,
    prefix: str = "",
    *,
    asks_t: bool = False,
) -> tuple[SensitiveAttribute, list[Step | Check]]: ...


def attribute_steps(
    alias: str,
    column: Column,
    declared: QuasiIdentifier | Sensitive,
    records: Relation,
    prefix: str = "",
    others: Relation | None = None,
    stars: bool = False,
    asks_t: bool = False,
) -> tuple[QuasiAttribute | SensitiveAttribute, list[Step | Check]]:
    """The steps that build and check an attribute's domain.

    Args:
        alias: its column in ``records``.
        column: the source's column.
        declared: what the spec says of it.
        records: the records the values are taken from.
        prefix: goes before the names of the relations made.
        others: has further values that belong to the domain, of another table or of cells.
        stars: whether every cell will be a value or *, so that no group but * is ever shown.
        asks_t: whether a t is asked of it, for which its values lie along an order.
    """
    role = "sensitive" if isinstance(declared, Sensitive) else "quasi_identifiers"
    builder = _Builder(
        alias,
        column=column,
        declared=declared,
        where=f"{role}.{column.name}",
        prefix=prefix,
        stars=stars,
        asks_t=asks_t,
    )
    return builder.build(records, others)


def checks_of_values(
    alias: str, column: Column, declared: QuasiIdentifier, records: Relation, listed: bool
) -> list[Step | Check]:
    """The checks that a run makes of a column's values and labels, with the steps that they read.

    Labels of bands and periods never stand for several groups, so that the values alone are looked
    at. Those of a list are known before there are values: ``labelled_at`` looks at them.

    Args:
        alias: its column in ``records``.
        column: the source's column.
        declared: what the spec says of it.
        records: the records the values are taken from.
        listed: whether the labels are taken from a list, and looked at with it.
    """
    hierarchy = declared.hierarchy
    if listed and isinstance(hierarchy, FileHierarchy | TreeHierarchy):
        return []
    if not isinstance(hierarchy, BandsHierarchy | DatesHierarchy):
        return attribute_steps(alias, column, declared, records)[1]
    where = f"quasi_identifiers.{column.name}"
    return _Builder(
        alias, column=column, declared=declared, where=where, prefix="", stars=False, asks_t=False
    ).checks_of_scale(records)


def labelled_at(hierarchy: Hierarchy, level: int, column: Column, where: str) -> dict[str, Any]:
    """How a value is labelled at a level of its hierarchy: parameters of ``recode/labels``.

    Args:
        hierarchy: the hierarchy.
        level: the level, below the root.
        column: the source's column.
        where: the hierarchy's place in the spec.

    Raises:
        SpecError: if a label that is listed stands for several groups.
    """
    if isinstance(hierarchy, FileHierarchy | TreeHierarchy):
        lines = _unambiguous(hierarchy, where, column.name)
        return {"how": "listed", "lines": [(line[0], line[level]) for line in lines]}
    if not level:
        return {"how": "value"}
    if isinstance(hierarchy, SqlHierarchy):
        expressions = _expressions(hierarchy, column.name, where)
        # Whether a label has several parents is seen in the data alone.
        how = "sql" if level == len(expressions) else "sql below others"
        return {"how": how, "expression": expressions[level - 1]}
    if isinstance(hierarchy, BandsHierarchy):
        digits = hierarchy.digits
        return {"how": "bands", "digits": digits, **_band(hierarchy, level - 1, column.kind)}
    if isinstance(hierarchy, DatesHierarchy):
        unit = hierarchy.dates[level - 1]
        return {"how": "dates", "unit": unit, "length": _PERIODS[unit]}
    return {"how": "prefix", "kept": hierarchy.prefix[level - 1]}


def listed_lines(attribute: QuasiAttribute) -> list[list[str]] | None:
    """A line for each leaf of a listed hierarchy, with its groups; None without such a hierarchy.

    Raises:
        SpecError: if a file cannot be read, or a label stands for several groups.
    """
    hierarchy, name = attribute.declared.hierarchy, attribute.name
    if not isinstance(hierarchy, FileHierarchy | TreeHierarchy):
        return None
    return _unambiguous(hierarchy, f"quasi_identifiers.{name}.hierarchy", name)


def _unambiguous(
    hierarchy: FileHierarchy | TreeHierarchy, where: str, name: str
) -> list[list[str]]:
    lines = hierarchy_lines(hierarchy, where, name)
    ambiguous = _ambiguous(lines)
    if ambiguous:
        raise SpecError(Problem(where, filled(_AMBIGUOUS, [{"labels": ambiguous}])))
    return lines


def _band(hierarchy: BandsHierarchy, index: int, kind: Kind) -> dict[str, Any]:
    """How numbers are put into the bands of a level, as templates read it.

    Args:
        hierarchy: the bands.
        index: the level, from 0.
        kind: the kind of the column: bands of whole numbers are shown with their last number.
    """
    level = hierarchy.bands[index]
    if not isinstance(level, tuple):
        width = level if isinstance(level, int) else Sql(decimal_text(level))
        return {"width": width, "places": digits_of(level) if hierarchy.digits else None}
    cuts = []
    for low, high in itertools.pairwise(level):
        if low is None:
            label = "< " + decimal_text(high or 0)
        elif high is None:
            label = ">= " + decimal_text(low)
        elif kind == "integer":
            label = f"[{decimal_text(low)}, {decimal_text(high - 1)}]"
        else:
            label = f"[{decimal_text(low)}, {decimal_text(high)})"
        cuts.append({"low": _edge(low), "below": _edge(high), "label": label})
    return {"width": None, "first": _edge(level[0]), "cuts": cuts}


def _edge(value: Border | None) -> Sql | None:
    return None if value is None else Sql(decimal_text(value))


def _ambiguous(lines: Sequence[Sequence[str]]) -> int:
    """How many labels of a list stand for several groups of leaves; * is that of all."""
    meanings: dict[str, set[frozenset[int]]] = {ROOT: {frozenset(range(len(lines)))}}
    for level in range(len(lines[0])):
        groups: dict[tuple[str, ...], list[int]] = {}
        for leaf, line in enumerate(lines):
            groups.setdefault(tuple(line[level:]), []).append(leaf)
        for group, leaves in groups.items():
            meanings.setdefault(group[0], set()).add(frozenset(leaves))
    return sum(len(found) > 1 for found in meanings.values())


def nothing_starred(name: str, domain: Relation, written: str, instead: str) -> Check:
    """That no value of a quasi-identifier is written like a suppressed one.

    Args:
        name: the quasi-identifier.
        domain: its values.
        written: who writes * and for what.
        instead: what to do but write the value otherwise.
    """
    return Check(
        f"no value of {name} is written *",
        "publish/check_starred",
        {"domain": domain},
        {},
        f"quasi_identifiers.{name}",
        f"{FOUND.records} records hold the text *, which is what {written}: write it otherwise in "
        f"the source, or {instead}",
    )


def _expressions(hierarchy: SqlHierarchy, name: str, where: str) -> list[Sql]:
    """The user's expressions, one a level; a constant is the root and needs no level."""
    from sqlanon.sql.reading import check_expression  # which takes a while to load

    kept = []
    for number, text in enumerate(hierarchy.sql, 1):
        try:
            varies = check_expression(text, [name])
        except ValueError as error:
            raise SpecError(Problem(f"{where}.sql", f"level {number}: {error}")) from None
        if varies:
            kept.append(Sql(text))
    return kept


class _Builder:
    def __init__(
        self,
        alias: str,
        column: Column,
        declared: QuasiIdentifier | Sensitive,
        where: str,
        prefix: str,
        stars: bool,
        asks_t: bool,
    ) -> None:
        self.alias, self.column, self.declared, self.where = alias, column, declared, where
        self.prefix, self.stars, self.asks_t = prefix, stars, asks_t
        # A quasi-identifier's equal values are one; a sensitive one is published as it is.
        self.tie_breaker = column.tie_breaker if isinstance(declared, Sensitive) else None
        self.values = self._name("values")
        self.domain = self._name("domain")
        self.steps: list[Step | Check] = []
        self.beside = False  # whether the domain has other values too

    def _name(self, what: str) -> Relation:
        return work(self.prefix, what, "_", self.alias)

    def _make(
        self, title: str, output: Relation, template: str, inputs: dict[str, Any], **params: Any
    ) -> None:
        self.steps.append(Step(f"{title} of {self.column.name}", output, template, inputs, params))

    def build(
        self, records: Relation, others: Relation | None = None
    ) -> tuple[QuasiAttribute | SensitiveAttribute, list[Step | Check]]:
        self._in_use(records, self.values if others is None else self._name("own_values"))
        if others is not None:
            self.beside = True
            inputs = {"own": self._name("own_values"), "others": self._name("other_values")}
            self._in_use(others, inputs["others"], "distinct values of other tables")
            title = "values of the source and of other tables"
            self._make(title, self.values, "domains/values_beside", inputs)
        if self._on_a_scale():
            self._check_finite()
        order = self.declared.order
        nodes, height = None, 1
        if self.declared.hierarchy is not None:
            nodes, height = self._hierarchy(self.declared.hierarchy)
        elif isinstance(order, list):
            self._listed_order(order)
        else:
            self._make(
                "codes",
                self.domain,
                "domains/domain_flat",
                {"values_in_use": self.values},
                tie_breaker=self.tie_breaker,
            )
        name, kind = self.column.name, self.column.kind
        described = (Sql(self.alias), name, kind, self.domain, nodes, height)
        if isinstance(self.declared, QuasiIdentifier):
            return QuasiAttribute(*described, self.declared, self.column), self.steps
        positions = self._positions(self.declared, height if nodes is not None else 0)
        padded = self.column.padded
        attribute = SensitiveAttribute(
            *described, self.declared, positions, self.tie_breaker, padded
        )
        return attribute, self.steps

    def checks_of_scale(self, records: Relation) -> list[Step | Check]:
        hierarchy = self.declared.hierarchy
        if self._on_a_scale():
            self._check_finite()
        if isinstance(hierarchy, BandsHierarchy):
            self._check_range(hierarchy)
        if isinstance(hierarchy, DatesHierarchy):
            self._check_after_christ(hierarchy)
        checks, self.steps = self.steps, []
        if checks:
            self._in_use(records, self.values)
        return [*self.steps, *checks]

    def _in_use(self, records: Relation, output: Relation, title: str = "distinct values") -> None:
        self._make(
            title,
            output,
            "source/values_in_use",
            {"records": records},
            attribute=Sql(self.alias),
            tie_breaker=self.column.tie_breaker,
            folded=isinstance(self.declared, QuasiIdentifier),
        )

    def _on_a_scale(self) -> bool:
        """Whether it matters how far values lie from each other, or in which period."""
        if self.declared.hierarchy is not None:
            return isinstance(self.declared.hierarchy, BandsHierarchy | DatesHierarchy)
        if isinstance(self.declared, Sensitive):
            is_asked = self.asks_t and self.declared.distance == "ordered"
            return is_asked and self.declared.order in (None, "natural")
        if self.declared.nominal:
            return False
        return self._is_published_on_a_scale() or self._is_hidden_on_a_scale()

    def _is_published_on_a_scale(self) -> bool:
        """Whether the cells of a quasi-identifier without a hierarchy say between which values."""
        form = self.declared.publish if isinstance(self.declared, QuasiIdentifier) else None
        return form is None or FORM_RULES[form].measurable

    def _is_hidden_on_a_scale(self) -> bool:
        """Whether the values that such cells hide are held along their order."""
        hidden = self.declared.sensitive if isinstance(self.declared, QuasiIdentifier) else None
        return hidden is not None and hidden.distance in (None, "ordered")

    def _is_measured(self) -> bool:
        """Whether doubles are laid out by their distances, which may be infinite."""
        is_shown = isinstance(self.declared, QuasiIdentifier) and self.declared.hierarchy is None
        return is_shown and self.column.kind == "number"

    def _check_finite(self) -> None:
        if self.column.kind in ("decimal", "number"):
            which, what = "numbers", "NaN or infinity, which lie nowhere on a scale"
        elif self.column.kind in ("date", "timestamp"):
            which = "dates"
            what = f"infinity or a year beyond {_FARTHEST_YEAR:,}, which lie nowhere on a scale"
        else:
            return
        mend = ", or say publish: set"
        if self.declared.hierarchy is not None:
            mend = ""
        elif isinstance(self.declared, Sensitive):
            mend = ", or say distance: equal"
        elif not self._is_published_on_a_scale():
            mend = ", or say sensitive: {distance: equal}"
        template = "source/check_finite"
        params: dict[str, Any] = {"dates": which == "dates", "farthest": _FARTHEST_YEAR}
        if self._is_measured():
            template, params = "source/check_measurable", {}
            what = f"{FOUND.what}, which lie nowhere on a scale"
        self.steps.append(
            Check(
                f"finite {which} of {self.column.name}",
                template,
                {"values_in_use": self.values},
                params,
                self.where,
                f"{FOUND.records} records hold {what}: make them NULL in the source, remove "
                f"them{mend}",
            )
        )

    def _check_range(self, hierarchy: BandsHierarchy) -> None:
        """Refuse numbers that exact decimals cannot put into bands, where the type has such."""
        digits = _FRACTION_DIGITS if hierarchy.digits else _BANDED_DIGITS
        if not self.column.wider_than(digits):
            return
        binary = self.column.kind == "number"
        most = f"10^{digits}"
        if binary:
            most = "1 * 10^13" if hierarchy.digits else "9 * 10^18"
        self.steps.append(
            Check(
                f"numbers within bands of {self.column.name}",
                "source/check_range",
                {"values_in_use": self.values},
                {"binary": binary, "digits": digits, "most": Sql(most.replace(" * 10^", "e"))},
                f"{self.where}.hierarchy",
                f"{FOUND.records} records hold numbers of {most} or more, plus or minus, which "
                "bands do not reach: divide them in a query, or leave the hierarchy out",
            )
        )

    def _check_after_christ(self, hierarchy: DatesHierarchy) -> None:
        """Refuse decades and centuries of years that each database counts in another way."""
        if not {"decade", "century"} & set(hierarchy.dates):
            return
        self.steps.append(
            Check(
                f"dates within periods of {self.column.name}",
                "source/check_after_christ",
                {"values_in_use": self.values},
                {},
                f"{self.where}.hierarchy",
                f"{FOUND.records} records hold dates before the year 1, which have no decade and "
                "no century that is the same everywhere: take day, month, quarter and year alone, "
                "or make them NULL in the source",
            )
        )

    def _hierarchy(self, hierarchy: Hierarchy) -> tuple[Relation, int]:
        leaves, nodes = self._name("leaves"), self._name("nodes")
        height = self._leaves(hierarchy, leaves)
        where = f"{self.where}.hierarchy"
        self._check_covered(
            leaves,
            height,
            where,
            "the hierarchy",
            "move the first or the last edge, or open that end, such as [null, 18, 65, null]"
            if isinstance(hierarchy, BandsHierarchy)
            else "add each of them as a leaf with all its groups",
        )
        self._make(
            "depth-first codes",
            self.domain,
            "domains/domain",
            {"leaves": leaves, "values_in_use": self.values},
            height=height,
            tie_breaker=self.tie_breaker,
        )
        self._make(
            "hierarchy nodes", nodes, "domains/nodes", {"domain": self.domain}, height=height
        )
        unambiguous = (
            nothing_starred(
                self.column.name,
                self.domain,
                "the method writes for a suppressed value",
                "take another method",
            )
            if self.stars
            else self._unambiguous(nodes, where)
        )
        self.steps.append(unambiguous)
        return nodes, height

    def _unambiguous(self, nodes: Relation, where: str) -> Check:
        """That a label tells which group is meant."""
        return Check(
            f"unambiguous labels of {self.column.name}",
            "domains/check_unambiguous",
            {"nodes": nodes},
            {},
            where,
            _AMBIGUOUS,
        )

    def _leaves(self, hierarchy: Hierarchy, leaves: Relation) -> int:
        """The step that lists the leaves with their groups; returns the levels below the root."""
        title, inputs = "leaves", {"values_in_use": self.values}
        if isinstance(hierarchy, FileHierarchy | TreeHierarchy):
            lines = hierarchy_lines(hierarchy, f"{self.where}.hierarchy", self.column.name)
            listed, height = self._name("listed"), len(lines[0])
            self._make("listed hierarchy", listed, "domains/listed", {}, lines=lines, height=height)
            inputs["listed"] = listed
            self._make(title, leaves, "domains/leaves_listed", inputs, height=height)
            return height
        if isinstance(hierarchy, PrefixHierarchy):
            kept = [length for length in hierarchy.prefix if length > 0]
            self._make(title, leaves, "domains/leaves_prefix", inputs, prefix=kept)
            return 1 + len(kept)
        if isinstance(hierarchy, BandsHierarchy):
            kind = self.column.kind
            self._check_range(hierarchy)
            bands = [_band(hierarchy, index, kind) for index in range(len(hierarchy.bands))]
            params = {"bands": bands, "kind": kind, "digits": hierarchy.digits}
            self._make(title, leaves, "domains/leaves_bands", inputs, **params)
            return 1 + len(hierarchy.bands)
        if isinstance(hierarchy, DatesHierarchy):
            parts = [{"name": part, "length": _PERIODS[part]} for part in hierarchy.dates]
            self._check_after_christ(hierarchy)
            self._make(title, leaves, "domains/leaves_dates", inputs, dates=parts)
            return 1 + len(parts)
        expressions = _expressions(hierarchy, self.column.name, f"{self.where}.hierarchy")
        name = self.column.name
        self.steps.append(
            Step(
                f"{title} of {name}",
                leaves,
                "domains/leaves_sql",
                inputs,
                {"name": name, "expressions": expressions, "tie_breaker": self.tie_breaker},
                where=f"{self.where}.hierarchy.sql",
            )
        )
        return 1 + len(expressions)

    def _listed_order(self, order: Sequence[str]) -> None:
        listed = self._name("listed")
        self._make("declared order", listed, "domains/listed_order", {}, order=order)
        self._make(
            "codes",
            self.domain,
            "domains/domain_listed",
            {"listed": listed, "values_in_use": self.values},
        )
        self._check_covered(
            self.domain,
            1,
            f"{self.where}.order",
            "the order",
            "add each of them at its place in the list",
        )

    def _check_covered(
        self, leaves: Relation, height: int, where: str, what: str, mend: str
    ) -> None:
        self.steps.append(
            Check(
                f"coverage of {self.column.name}",
                "domains/check_covered",
                {"values_in_use": self.values, "leaves": leaves},
                {"height": height},
                where,
                f"{what} does not cover {FOUND.missing} of the column's {FOUND.used} values"
                f"{' in the source and the other table' if self.beside else ''}, in "
                f"{FOUND.records} records{' of the source' if self.beside else ''}: {mend}; to "
                "find "
                f'them, compare "select distinct {self.column.name}" of '
                f"{'both' if self.beside else 'the source'} with it",
            )
        )

    def _positions(self, declared: Sensitive, height: int) -> Relation:
        positions = self._name("positions")
        self._make(
            "order",
            positions,
            "domains/positions",
            {"domain": self.domain},
            by_frequency=declared.order == "frequency",
            height=height,
        )
        if declared.nulls == "reject":
            self.steps.append(
                Check(
                    f"no missing values of {self.column.name}",
                    "source/check_no_nulls",
                    {"values_in_use": self.values},
                    {},
                    f"{self.where}.nulls",
                    f"{FOUND.records} records have no value, which the spec rejects: remove them "
                    "from the source, or say nulls: value",
                )
            )
        return positions
