"""One table with a row for each record, whose quasi-identifiers are those of its class.

These rows are measured, with columns next to them that nobody is shown: the number of a record's
unit, where that is no record, and the codes of hidden attributes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from sqlanon.domains.attribute import QuasiAttribute, follows, tie_breaker
from sqlanon.forms import form_of, published_columns
from sqlanon.forms.form import Enough, PublishedColumn
from sqlanon.measure.loss import centroid_step, loss_columns
from sqlanon.measure.view import table_view
from sqlanon.plan import FOUND, Check, Materialization, Step, fault, work
from sqlanon.publish.ledger import Coded, Ledger
from sqlanon.publish.publication import (
    Grouped,
    LeftOut,
    Publication,
    PublishedRelation,
    Publisher,
    ReleasedColumn,
    released_columns,
)
from sqlanon.spec.publication import PublicationRule
from sqlanon.sql.names import Relation, exact

BESIDE = work("beside")


def hides(grouped: Grouped) -> bool:
    """Whether more of the records is measured than is published."""
    return grouped.unit.number is not None or bool(grouped.hidden)


def hidden_step(grouped: Grouped, recoded: Relation, published: Sequence[PublishedColumn]) -> Step:
    """The step that writes down what is published with the hidden columns next to it."""
    following, number = (
        tuple(attribute for attribute in grouped.hidden if follows(attribute)),
        grouped.unit.number,
    )
    what = "hidden columns of its records" if number is None else grouped.unit.several
    return Step(
        f"the release with {'the' if number is None else 'its'} {what}",
        BESIDE,
        "hidden/beside",
        {"assigned": grouped.assigned, "recoded": recoded}
        | {f"domain_{attribute.alias}": attribute.domain for attribute in grouped.sensitive}
        | {
            f"profiles_{attribute.alias}": attribute.tuples
            for attribute in following
            if attribute.tuples is not None
        },
        {
            "published": tuple(published),
            "sensitive": grouped.sensitive,
            "insensitive": (*(column.alias for column in grouped.kept), *grouped.unit.numbers),
            "domains": {str(attribute.alias): attribute.domain for attribute in grouped.sensitive},
            "hidden": tuple(
                attribute.alias for attribute in grouped.hidden if not follows(attribute)
            ),
            "following": following,
            "number": number,
        },
    )


def hidden_evidence(grouped: Grouped, columns: Sequence[ReleasedColumn]) -> Iterator[Check]:
    """That it is measured on the very rows that are published, and is the source's."""
    unit, sensitive = grouped.unit, tuple(attribute.alias for attribute in grouped.sensitive)
    counted = unit.number is not None
    what = f"{unit.several} are counted on what is released"
    measured = f"{unit.several} were counted on" if counted else "models were measured on"
    yield Check(
        what if counted else "the run measures the rows that it releases",
        "hidden/check_counted",
        {"release": grouped.release, "beside": BESIDE},
        {"columns": columns},
        "",
        f"{FOUND.differing} published tuples are not what the {measured}: a fault of sqlanon's; "
        "nothing was published",
        fault,
    )
    if counted:
        yield Check(
            f"every {unit.noun} has the source's values",
            "hidden/check_units",
            {"records": grouped.records, "numbered": unit.numbered, "beside": BESIDE},
            {
                "unit": unit.columns,
                "sensitive": sensitive,
                "tie_breaker": tie_breaker(grouped.sensitive),
                "some": grouped.left_out is not None,
            },
            "",
            f"{FOUND.differing} combinations of a {unit.noun} and sensitive values are not the "
            "source's: a fault of sqlanon's, or the source changed during the run; nothing was "
            "published",
            fault,
        )
    if grouped.hidden:
        domains = {str(attribute.alias): attribute.domain for attribute in grouped.sensitive}
        yield Check(
            "the hidden columns are those of the source",
            "hidden/check_belonging",
            {"coded": grouped.coded, "beside": BESIDE}
            | {f"domain_{alias}": at for alias, at in domains.items()},
            {
                "beside_codes": tuple(attribute.alias for attribute in grouped.hidden),
                "sensitive": sensitive,
                "domains": domains,
                "tie_breaker": tie_breaker(grouped.sensitive),
            },
            "",
            f"{FOUND.differing} combinations of what is hidden and sensitive values are not the "
            "source's: a fault of sqlanon's, or the source changed during the run; nothing was "
            "published",
            fault,
        )


BOXES = work("boxes")


def recoding_steps(
    assigned: Relation,
    recoded: Relation,
    published: Sequence[PublishedColumn],
    attributes: Sequence[QuasiAttribute],
    enough: Enough,
    covered: Relation | None = None,
    boxes: Relation = BOXES,
) -> list[Step | Check]:
    """The steps that find what every class publishes.

    Args:
        assigned: the records with their class and codes.
        recoded: the relation to make: a row for each class.
        published: the columns of the release that stand for quasi-identifiers.
        attributes: the quasi-identifiers.
        enough: of how many of a class a value must be known where one is computed of them.
        covered: rows with the codes that the cells of a class are to cover, if not those of its
            records. A centroid is that of the records.
        boxes: the relation to make of the extents of the classes.
    """
    covered = covered or assigned
    domains = {str(attribute.alias): attribute.domain for attribute in attributes}
    members = {
        str(quasi_identifier.alias): form_of(quasi_identifier).members(quasi_identifier)
        for quasi_identifier in attributes
    }
    sets = {alias: relation for alias, relation in members.items() if relation is not None}
    bounded = tuple(
        quasi_identifier.alias
        for quasi_identifier in attributes
        if str(quasi_identifier.alias) not in sets
    )
    steps: list[Step | Check] = [
        Step(
            "the extent of every class",
            boxes,
            "release/boxes",
            {"assigned": covered},
            {"quasi_identifiers": bounded},
        )
    ]
    for attribute in attributes:
        form = form_of(attribute)
        steps += form.publishing(attribute, covered if form.rule.covers else assigned, enough)
    inputs: dict[str, Any] = {"boxes": boxes}
    inputs |= {f"domain_{alias}": domains[alias] for alias in domains if alias not in sets}
    inputs |= {f"sets_{alias}": relation for alias, relation in sets.items()}
    steps.append(
        Step(
            "what every class publishes",
            recoded,
            "release/recoded",
            inputs,
            {"published": tuple(published), "domains": domains, "sets": sets},
        )
    )
    return steps


def given_cells(
    cells: Relation, recoded: Relation, published: Sequence[PublishedColumn]
) -> Step | Check:
    """The step that takes what every class publishes as it is given.

    Args:
        cells: class_id and the published columns.
        recoded: the relation to make: a row for each class.
        published: the columns of the release that stand for quasi-identifiers.
    """
    params = {"published": tuple(column.alias for column in published)}
    return Step(
        "what every class publishes", recoded, "release/given_cells", {"classes": cells}, params
    )


# The reason of outliers, as `<release>__suppressed` calls it.
OUTLIERS = "outliers"
_RECODED, _ORDERED = work("recoded"), work("ordered")


class Generalized(Publisher):
    """Cells that stand for a class's values, with the sensitive values as they are.

    As a view, the rows lie in a table of their own: over the source, new records would change the
    classes.
    """

    rule = PublicationRule("generalized", exact=False)

    def names(
        self, release: Relation, how: Materialization, suppresses: bool = False
    ) -> dict[Relation, Materialization]:
        """The release, as a view also its rows, and what was left out, where records may be."""
        rows = {release.sibling("rows"): Materialization.TABLE}
        left_out = {release.sibling("suppressed"): Materialization.TABLE}
        return (
            {release: how}
            | (rows if how is Materialization.VIEW else {})
            | (left_out if suppresses else {})
        )

    def publish(self, grouped: Grouped) -> Publication:
        """The steps that recode the classes and write their records."""
        quasi_identifiers, unit = grouped.quasi_identifiers, grouped.unit
        published = published_columns(quasi_identifiers)
        columns = released_columns(quasi_identifiers, grouped.sensitive, grouped.kept)
        names = self.names(grouped.release, grouped.how)
        relations = tuple(PublishedRelation(name, columns, how) for name, how in names.items())
        enough = Enough(grouped.least, unit.number)
        if grouped.cells is None:
            steps = recoding_steps(
                grouped.assigned, _RECODED, published, quasi_identifiers, enough, grouped.covered
            )
        else:
            steps = [given_cells(grouped.cells, _RECODED, published)]
        losing = centroid_step(quasi_identifiers, grouped.assigned, _RECODED, enough)
        if losing is not None:
            steps.append(losing)
        if hides(grouped):
            steps.append(hidden_step(grouped, _RECODED, published))
        steps += _writing(grouped, published, relations)
        if hides(grouped):
            steps += hidden_evidence(grouped, columns)
        view = table_view(
            BESIDE if hides(grouped) else grouped.release,
            shown=published,
            sensitive=grouped.sensitive,
            insensitive=grouped.insensitive,
            priced=loss_columns(quasi_identifiers),
            unit=unit,
            beside=grouped.hidden,
        )
        view = replace(view, centroids=None if losing is None else losing.output)
        ledger = Ledger(grouped.size, grouped.release)
        if grouped.left_out is not None:
            left_out, coded = left_out_step(grouped, grouped.left_out), grouped.coded
            steps.append(left_out)
            ledger = replace(
                ledger,
                suppressed=left_out.output,
                allowance=grouped.left_out.allowance,
                coded=None if coded is None else Coded(coded, grouped.assigned),
                by=grouped.left_out.within,
                unit=None if unit.number is None else unit,
            )
            relations += (PublishedRelation(left_out.output, (), left_out.how),)
        return Publication(
            steps=tuple(steps),
            relations=relations,
            formed=_RECODED,
            view=view,
            ledger=ledger,
            suppressed_cells=grouped.suppressed_cells,
            levels=grouped.levels,
        )


def left_out_step(grouped: Grouped, left_out: LeftOut) -> Step:
    """The step that says how many records were left out, and because of which model.

    Of classes that are taken over also how many lie in none of them.
    """
    is_trial = grouped.how is Materialization.WORK_TABLE
    reasons: list[tuple[int, str, str | None, str | None]] = []
    if left_out.taken_over is not None:
        reasons.append((0, left_out.taken_over.clause, None, left_out.taken_over.release))
    if left_out.outliers:
        reasons.append((0, OUTLIERS, None, exact(left_out.allowance.records)))
    reasons += [
        (number, requirement.metric, requirement.name, requirement.shown)
        for number, requirement in left_out.requirements
    ]
    return Step(
        "what was left out",
        work("suppressed") if is_trial else grouped.release.sibling("suppressed"),
        "release/suppressed",
        {"classes": left_out.classes},
        {"models": reasons},
        Materialization.WORK_TABLE if is_trial else Materialization.TABLE,
    )


def _writing(
    grouped: Grouped, published: Sequence[PublishedColumn], relations: Sequence[PublishedRelation]
) -> Iterator[Step]:
    """The steps that write the release: its declared columns and nothing else.

    It is written from a relation that holds only what is published, in the order of just that.
    """
    kept = {"sensitive": grouped.sensitive, "insensitive": grouped.kept}
    domains = {str(attribute.alias): attribute.domain for attribute in grouped.sensitive}
    yield Step(
        "ordering the records by what they publish",
        _ORDERED,
        "release/ordered",
        {"assigned": grouped.assigned, "recoded": _RECODED},
        kept,
    )
    *views, rows = relations
    yield Step(
        "writing the release",
        rows.relation,
        "release/release",
        {"ordered": _ORDERED, "recoded": _RECODED}
        | {f"domain_{alias}": relation for alias, relation in domains.items()},
        {"published": tuple(published), **kept, "domains": domains},
        rows.how,
    )
    for view in views:
        yield Step(
            "the view of the release",
            view.relation,
            "release/view",
            {"rows": rows.relation},
            {"columns": view.columns},
            view.how,
        )
