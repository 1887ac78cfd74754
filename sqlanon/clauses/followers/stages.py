"""Followers in a plan: no method sees them, and their cells are found by those of their leaders."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from sqlanon.clauses.followers.declared import followers
from sqlanon.draft import Draft, Stages
from sqlanon.errors import Problem, SpecError
from sqlanon.forms import published_columns
from sqlanon.forms.form import Enough
from sqlanon.measure.cover import Projected
from sqlanon.methods.method import Counts, Grouping
from sqlanon.plan import Check, Step, work
from sqlanon.publish.generalized import BOXES, recoding_steps
from sqlanon.spec.publication import least_class
from sqlanon.sql.names import Relation, Sql

RECODED, LEADERS, CELLS = work("recoded_leaders"), work("leaders"), work("followed_cells")


def coded(draft: Draft) -> Draft:
    """The method forms classes by the other columns, and takes the followers along as they are.

    Raises:
        SpecError: if what is known of records is known by a follower.
    """
    task, led = draft.task, followers(draft.spec)
    assert task is not None  # noqa: S101 - a stage before
    beside = {
        attribute.alias: attribute.name
        for attribute in task.quasi_identifiers
        if attribute.name in led
    }
    known = {alias for attribute in draft.hidden for alias in (*attribute.by, *attribute.of_unit)}
    what = "somebody knows more of records by this column, so classes form by it: leave it out"
    problems = [
        Problem(f"quasi_identifiers.{name}.follows", what)
        for alias, name in beside.items()
        if alias in known
    ]
    if problems:
        raise SpecError(problems)
    own = tuple(attribute for attribute in task.quasi_identifiers if attribute.alias not in beside)

    def count() -> Counts:
        found = task.count()
        distinct = {alias: value for alias, value in found.distinct.items() if alias not in beside}
        return replace(found, distinct=distinct)

    led_by = replace(
        task,
        quasi_identifiers=own,
        insensitive=(*beside, *task.insensitive),
        count=count,
        projected=_by_leaders(task.projected, led),
    )
    return replace(draft, task=led_by)


def _by_leaders(asked: Sequence[Projected], led: Mapping[str, str]) -> tuple[Projected, ...]:
    """The demands on some columns, by leaders in the place of followers.

    Records that show the same of a leader show the same of what follows it, so that these hold the
    others. Of two that become one the greater k is asked.
    """
    found: dict[frozenset[str], Projected] = {}
    for projection in asked:
        columns = tuple(dict.fromkeys(led.get(name, name) for name in projection.columns))
        known, same = frozenset(columns), replace(projection.projection, columns=columns)
        if known not in found or found[known].k < projection.k:
            found[known] = replace(projection, projection=same)
    return tuple(sorted(found.values(), key=lambda projected: projected.index))


def formed(draft: Draft) -> Draft:
    """The same classes, with what each of them shows: the last stage, after others joined some."""
    classes = draft.classes
    assert classes is not None  # noqa: S101 - a stage before
    steps = (*classes.steps, *_showing(draft, classes))
    return replace(draft, classes=replace(classes, steps=steps, cells=CELLS))


def _showing(draft: Draft, classes: Grouping) -> Iterator[Step | Check]:
    """The steps that find the cells of the leaders first, and by these those of their followers."""
    led, attributes = followers(draft.spec), draft.quasi_identifiers
    published = published_columns(attributes)
    enough = Enough(least_class(draft.spec), draft.unit.number)

    def recoding(
        names: Collection[str],
        of: Relation,
        recoded: Relation,
        boxes: Relation,
        covered: Relation | None = None,
    ) -> list[Step | Check]:
        shown = [column for column in published if column.source in names]
        own = [attribute for attribute in attributes if attribute.name in names]
        return recoding_steps(of, recoded, shown, own, enough, covered=covered, boxes=boxes)

    yield from recoding(draft.spec.leading, classes.assigned, RECODED, BOXES, classes.covered)
    leaders = [attribute for attribute in attributes if attribute.name in led.values()]
    columns = {
        attribute.alias: [each.alias for each in published if each.attribute == attribute.alias]
        for attribute in leaders
    }
    yield Step(
        "the classes that show the same of a leader",
        LEADERS,
        "clauses/followers/leaders",
        {"recoded": RECODED},
        {"shown": columns},
    )
    relations = {attribute.alias: work("recoded_by_", attribute.alias) for attribute in leaders}
    of = dict.fromkeys(draft.spec.leading, Sql("recoded"))
    for leader in leaders:
        own = [attribute for attribute in attributes if led.get(attribute.name) == leader.name]
        output, boxes = work("led_by_", leader.alias), work("boxes_led_by_", leader.alias)
        yield Step(
            f"what follows {leader.name} where classes show the same of it",
            output,
            "clauses/followers/led",
            {"assigned": classes.assigned, "leaders": LEADERS},
            {"leader": leader.alias, "followers": [attribute.alias for attribute in own]},
        )
        yield from recoding(
            [attribute.name for attribute in own], output, relations[leader.alias], boxes
        )
        of |= dict.fromkeys((attribute.name for attribute in own), Sql(f"recoded_{leader.alias}"))
    yield Step(
        "what every class shows, with what follows",
        CELLS,
        "clauses/followers/cells",
        {"recoded": RECODED, "leaders": LEADERS}
        | {f"recoded_{alias}": relation for alias, relation in relations.items()},
        {
            "published": [
                {"alias": column.alias, "relation": of[column.source]} for column in published
            ],
            "followed": relations,
        },
    )


STAGES = Stages(code=coded, form=formed)
