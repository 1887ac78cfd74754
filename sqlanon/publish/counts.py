"""Counts of groups with noise: no record, and no class, is shown."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from math import prod
from typing import Any

from sqlanon.domains.attribute import QuasiAttribute, SensitiveAttribute
from sqlanon.domains.lines import ROOT, hierarchy_lines
from sqlanon.errors import Problem, SpecError
from sqlanon.plan import FOUND, Check, Materialization, Step, fault, work
from sqlanon.privacy.differential.counts import DRAWS
from sqlanon.publish.generalized import Generalized
from sqlanon.publish.publication import (
    Grouped,
    Publication,
    PublishedRelation,
    Publisher,
    ReleasedColumn,
)
from sqlanon.spec import FileHierarchy, Kind, Spec, TreeHierarchy
from sqlanon.spec.differential import DIGITS, MOST_GROUPS, Counting, counting_of
from sqlanon.spec.publication import PublicationRule, Publish
from sqlanon.sql.names import Relation, Sql
from sqlanon.transforms.transform import number

# The classes that the machinery of a release measures: of true cells, which nobody is given.
_CELLS = work("cells_of_records")
_LABELLED, _CONTRIBUTED = work("labelled"), work("contributed")
_DECLARED, _COUNTED, _NOISY = work("declared_groups"), work("counted"), work("noisy")
_DRAWS, _NOISE = work("draws"), work("noise")
_SET = ReleasedColumn("set_id", Sql("p0"), "integer", "group", None, form="set_of_columns")
_ALIKE = 2  # of many draws of 48 bits so many may be equal by chance
_SUMMED = ("integer", "decimal")


@dataclass(frozen=True)
class Counts(Publisher):
    """How many records or persons each group has, with noise by which no person stands out.

    Korolova, Kenthapadi, Mishra & Ntoulas (2009); Wilson et al. (2020). The parameters are proved
    before the run (`sqlanon.privacy.differential.noise_for`), since no result could show them.

    Attributes:
        declared: what the spec says of it; None where none does.
        counting: the noise and the threshold.
    """

    rule = PublicationRule("counts", exact=False, counts=True)
    declared: Publish | None = None
    counting: Counting | None = None

    def names(
        self, release: Relation, how: Materialization, suppresses: bool = False
    ) -> dict[Relation, Materialization]:
        """The release alone."""
        return {release: how}

    def asked(self, spec: Spec) -> Counts:
        """The same, with the sets of columns and the noise of a spec."""
        return Counts(spec.publish, counting_of(spec))

    def publish(self, grouped: Grouped) -> Publication:
        """The steps that count the groups, and add what is drawn.

        A run measures the records' cells, for its publisher alone: they are a work relation here.
        """
        hidden = replace(grouped, release=_CELLS, how=Materialization.WORK_TABLE)
        inner = Generalized().publish(hidden)
        columns = (_SET, *self._columns(grouped))
        made = PublishedRelation(grouped.release, columns, grouped.how)
        steps = (*inner.steps, *self._counting(grouped), *self._drawing(grouped))
        steps = (*steps, *self._writing(grouped), *self._holding(grouped))
        return replace(inner, steps=steps, relations=(made,), levels=None)

    @property
    def _asked(self) -> tuple[Publish, Counting]:
        assert self.declared is not None and self.counting is not None  # noqa: S101, PT018
        return self.declared, self.counting

    @property
    def count_name(self) -> str:
        """The column of the counts."""
        return "persons" if self._asked[1].persons else "records"

    def _sums(self, grouped: Grouped) -> list[SensitiveAttribute]:
        """The columns that are summed up, in the order of the spec's sums.

        Raises:
            SpecError: if one has no whole or decimal numbers.
        """
        asked, _ = self._asked
        of = {attribute.name: attribute for attribute in grouped.sensitive}
        for name in asked.sums:
            if of[name].kind not in _SUMMED:
                what = f"a sum is of whole or decimal numbers, the column is {of[name].kind}"
                raise SpecError(Problem(f"publish.sums.{name}", f"{what}: cast it in a query"))
        return [of[name] for name in asked.sums]

    def _columns(self, grouped: Grouped) -> Iterator[ReleasedColumn]:
        """The columns of the release: the groups, the counts, the sums and the means."""
        for attribute in grouped.quasi_identifiers:
            yield ReleasedColumn(attribute.name, attribute.alias, "text", "quasi_identifier", None)
        yield _made(self.count_name, "integer", "noisy_count")
        for summed in self._sums(grouped):
            yield _made(f"{summed.name}_sum", "decimal", "noisy_sum")
            yield _made(f"{summed.name}_mean", "number", "noisy_mean")

    def _counting(self, grouped: Grouped) -> Iterator[Step]:
        """The steps from the records to the true numbers of the groups."""
        _, counting = self._asked
        sums = self._sums(grouped)
        shown = [attribute for attribute in grouped.quasi_identifiers if not _is_root(attribute)]
        yield Step(
            "the group of every record in each column",
            _LABELLED,
            "publish/labelled",
            {"records": grouped.records}
            | {f"domain_{attribute.alias}": attribute.domain for attribute in shown},
            {
                "columns": [
                    {
                        "alias": attribute.alias,
                        "domain": None if _is_root(attribute) else attribute.domain,
                        "level": attribute.levels[0],
                    }
                    for attribute in grouped.quasi_identifiers
                ],
                "sums": [self._summing(attribute) for attribute in sums],
                "person": grouped.unit.bounded,
            },
        )
        contributed = _LABELLED
        named = [attribute.alias for attribute in (*grouped.quasi_identifiers, *sums)]
        if grouped.unit.bounded:
            contributed = _CONTRIBUTED
            yield Step(
                "as many records of each person as may be",
                contributed,
                "publish/contributed",
                {"labelled": _LABELLED, **grouped.pads},
                {
                    "names": (*named, *grouped.unit.bounded),
                    "drawn_by": named,
                    "person": grouped.unit.bounded,
                    "most": counting.contributions,
                    "inner": grouped.pads["secret_1_inner"],
                    "outer": grouped.pads["secret_1_outer"],
                },
            )
        groups = {"contributed": contributed}
        declared = self._declared_sets(grouped)
        aliases = tuple(attribute.alias for attribute in grouped.quasi_identifiers)
        if declared:
            groups["declared_groups"] = _DECLARED
            yield Step(
                "the groups that are declared",
                _DECLARED,
                "publish/declared_groups",
                {},
                {"columns": aliases, "sets": declared},
            )
        yield Step(
            "counting the groups",
            _COUNTED,
            "publish/counted",
            groups,
            {
                "sets": [
                    {"number": number, "columns": [of.alias for of in _of(grouped, names)]}
                    for number, names in enumerate(counting.tables, 1)
                ],
                "columns": aliases,
                "sums": tuple(attribute.alias for attribute in sums),
                "person": grouped.unit.bounded,
            },
        )

    def _summing(self, attribute: SensitiveAttribute) -> dict[str, Any]:
        """The bounds of a sum, as templates read them."""
        one = self._asked[0].sums[attribute.name]
        low, high, step = (number(value, _scale(value)) for value in (one.low, one.high, one.step))
        return {
            "alias": attribute.alias,
            "low": low,
            "high": high,
            "step": step,
            "is_unit": attribute.kind == "integer" and one.step == 1,
            "least": int(one.low / one.step),
            "scale": _scale(one.step),
            "sum_name": f"{attribute.name}_sum",
            "mean_name": f"{attribute.name}_mean",
        }

    def _declared_sets(self, grouped: Grouped) -> list[dict[str, Any]]:
        """The sets of columns of which all groups are declared, with their labels.

        Raises:
            SpecError: if they are too many.
        """
        asked, counting = self._asked
        found: list[dict[str, Any]] = []
        for position, names in enumerate(counting.tables, 1):
            labels = {
                attribute.alias: _labels(attribute, asked.values.get(attribute.name))
                for attribute in _of(grouped, names)
            }
            listed = {alias: label for alias, label in labels.items() if label is not None}
            if len(listed) < len(labels):
                continue
            if prod(map(len, listed.values())) > MOST_GROUPS:
                what = f"more than {MOST_GROUPS:,} groups are declared of {', '.join(names)}"
                why = f"{what}, and each is published: take higher levels, or fewer columns"
                raise SpecError(Problem("publish.columns", why))
            found.append({"number": position, "labels": listed})
        return found

    def _drawing(self, grouped: Grouped) -> Iterator[Step]:
        """The steps that draw the noise of every number of every group."""
        noises = self._asked[1].noisy.noises
        yield Step(
            "drawing for every number of every group",
            _DRAWS,
            "publish/draws",
            {"counted": _COUNTED, **grouped.pads},
            {
                "needed": [
                    (figure, draw)
                    for figure, noise in enumerate(noises)
                    for draw in range(noise.draws)
                ],
                "inner": grouped.pads["secret_1_inner"],
                "outer": grouped.pads["secret_1_outer"],
            },
        )
        yield Step(
            "the noise of every number",
            _NOISE,
            "publish/noise",
            {"draws": _DRAWS},
            {
                "parts": [
                    (figure, part) for figure, noise in enumerate(noises) for part in noise.parts
                ]
            },
        )

    def _writing(self, grouped: Grouped) -> Iterator[Step]:
        """The steps that add the noise and write the release."""
        asked, counting = self._asked
        sums, columns = self._sums(grouped), grouped.quasi_identifiers
        yield Step(
            "the groups that are declared or reach the threshold, with noise",
            _NOISY,
            "publish/noisy",
            {"counted": _COUNTED, "noise": _NOISE},
            {
                "columns": tuple(attribute.alias for attribute in columns),
                "sums": tuple(attribute.alias for attribute in sums),
                "leasts": tuple(noise.least for noise in counting.noisy.noises),
                "threshold": counting.noisy.threshold,
            },
        )
        low, high = asked.between or (0, None)
        yield Step(
            "writing the release",
            grouped.release,
            "publish/counts",
            {"noisy": _NOISY},
            {
                "columns": [
                    {"alias": attribute.alias, "name": attribute.name} for attribute in columns
                ],
                "sums": [self._summing(attribute) for attribute in sums],
                "count_name": self.count_name,
                "round": asked.round or 1,
                "low": low,
                "high": high,
            },
            grouped.how,
        )

    def _holding(self, grouped: Grouped) -> Iterator[Check]:
        """That persons are bounded, that each number has its draws, and the threshold is held."""
        counting = self._asked[1]
        noises = counting.noisy.noises
        if grouped.unit.bounded:
            yield Check(
                "no person contributes more than may be",
                "publish/check_contributions",
                {"contributed": _CONTRIBUTED},
                {"person": grouped.unit.bounded, "most": counting.contributions},
                "publish.contributions",
                f"{FOUND.persons} persons contribute more than {counting.contributions} records: a "
                "fault of sqlanon's; nothing was published",
                fault,
            )
        yield Check(
            "every number has draws of its own",
            "publish/check_drawn",
            {"counted": _COUNTED, "draws": _DRAWS},
            {"needed": sum(noise.draws for noise in noises), "below": DRAWS, "alike": _ALIKE},
            "publish.noise",
            f"{FOUND.lacking} draws are lacking or equal to others: a fault of sqlanon's; nothing "
            "was published",
            fault,
        )
        yield Check(
            "no other group than those declared or above the threshold",
            "publish/check_threshold",
            {"counted": _COUNTED, "noise": _NOISE, "counts": grouped.release},
            {"least": noises[0].least, "threshold": counting.noisy.threshold},
            "publish.values",
            f"{FOUND.groups} groups would be published, and others may be: a fault of sqlanon's; "
            "nothing was published",
            fault,
        )


def _made(name: str, kind: Kind, form: str) -> ReleasedColumn:
    """A column that stands for no column of the source."""
    return ReleasedColumn(name, Sql("k0"), kind, "group", None, form=form)


def _is_root(attribute: QuasiAttribute) -> bool:
    """Whether all of a column's values are one group."""
    return attribute.levels[0] == attribute.height


def _of(grouped: Grouped, names: tuple[str, ...]) -> list[QuasiAttribute]:
    """The quasi-identifiers of some names, in the spec's order."""
    return [attribute for attribute in grouped.quasi_identifiers if attribute.name in names]


def _labels(
    attribute: QuasiAttribute, listed: tuple[str | None, ...] | None
) -> tuple[str | None, ...] | None:
    """The labels of a column whose groups are declared; None where they follow from the data."""
    if listed is not None:
        return listed
    if _is_root(attribute):
        return (ROOT,)
    hierarchy, level = attribute.declared.hierarchy, attribute.levels[0]
    if not isinstance(hierarchy, TreeHierarchy | FileHierarchy):
        return None
    where = f"quasi_identifiers.{attribute.name}.hierarchy"
    lines = hierarchy_lines(hierarchy, where, attribute.name)
    return tuple(dict.fromkeys(line[level] for line in lines))


def _scale(value: Fraction) -> int:
    """How many digits after the point a number has."""
    return next(digit for digit in range(DIGITS + 1) if (value * 10**digit).denominator == 1)
