"""The published rows, with what nobody is shown of every record next to them: these are measured.

That is the number of its unit, where that is no record, and the codes of hidden attributes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlanon.domains.attribute import follows, telling
from sqlanon.forms.form import PublishedColumn
from sqlanon.plan import Check, Step, fault, work
from sqlanon.publish.publication import Grouped, ReleasedColumn
from sqlanon.sql.names import Relation

BESIDE = work("beside")


def hides(grouped: Grouped) -> bool:
    """Whether more of the records is measured than is published."""
    return grouped.unit.number is not None or bool(grouped.hidden)


def hidden_step(grouped: Grouped, recoded: Relation, published: Sequence[PublishedColumn]) -> Step:
    """The step that writes down what is published with the hidden columns next to it."""
    following, number = tuple(one for one in grouped.hidden if follows(one)), grouped.unit.number
    what = "hidden columns of its records" if number is None else grouped.unit.several
    return Step(
        f"the release with {'the' if number is None else 'its'} {what}",
        BESIDE,
        "hidden/beside",
        {"assigned": grouped.assigned, "recoded": recoded}
        | {f"domain_{one.alias}": one.domain for one in grouped.sensitive}
        | {f"profiles_{one.alias}": one.tuples for one in following if one.tuples is not None},
        {
            "published": tuple(published),
            "sensitive": grouped.sensitive,
            "insensitive": (*(one.alias for one in grouped.kept), *grouped.unit.numbers),
            "domains": {str(one.alias): one.domain for one in grouped.sensitive},
            "hidden": tuple(one.alias for one in grouped.hidden if not follows(one)),
            "following": following,
            "number": number,
        },
    )


def hidden_evidence(grouped: Grouped, columns: Sequence[ReleasedColumn]) -> Iterator[Check]:
    """That it is measured on the very rows that are published, and is the source's."""
    unit, sensitive = grouped.unit, tuple(one.alias for one in grouped.sensitive)
    counted = unit.number is not None
    what = f"{unit.several} are counted on what is released"
    measured = f"{unit.several} were counted on" if counted else "models were measured on"
    yield Check(
        what if counted else "the run measures the rows that it releases",
        "hidden/check_counted",
        {"release": grouped.release, "beside": BESIDE},
        {"columns": columns},
        "",
        f"{{differing}} published tuples are not what the {measured}: a fault of sqlanon's; "
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
                "telling": telling(grouped.sensitive),
                "some": grouped.left_out is not None,
            },
            "",
            f"{{differing}} combinations of a {unit.noun} and sensitive values are not the "
            "source's: a fault of sqlanon's, or the source changed during the run; nothing was "
            "published",
            fault,
        )
    if grouped.hidden:
        domains = {str(one.alias): one.domain for one in grouped.sensitive}
        yield Check(
            "the hidden columns are those of the source",
            "hidden/check_belonging",
            {"coded": grouped.coded, "beside": BESIDE}
            | {f"domain_{alias}": at for alias, at in domains.items()},
            {
                "beside_codes": tuple(one.alias for one in grouped.hidden),
                "sensitive": sensitive,
                "domains": domains,
                "telling": telling(grouped.sensitive),
            },
            "",
            "{differing} combinations of what is hidden and sensitive values are not the "
            "source's: a fault of sqlanon's, or the source changed during the run; nothing was "
            "published",
            fault,
        )
