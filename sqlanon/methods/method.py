"""A method: from a table's records to a class for each of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from sqlanon.domains.attribute import HiddenAttribute, QuasiAttribute, SensitiveAttribute, follows
from sqlanon.engines import Engine
from sqlanon.forms.form import PublishedColumn
from sqlanon.measure.asked import Asked, Requirements
from sqlanon.measure.cover import Projected
from sqlanon.plan import Check, Plan, Search, Step, work
from sqlanon.spec import MethodSettings
from sqlanon.sql.names import Relation, Sql

PLACED = work("placed")  # every combination of values with its cell

ASSIGNED = work("assigned")

Declared = TypeVar("Declared", bound=MethodSettings)


@dataclass(frozen=True)
class Counts:
    """The counts of the source that a method may read before it lays out its steps.

    Attributes:
        records: how many there are.
        distinct: how many values each quasi-identifier has.
    """

    records: int
    distinct: Mapping[Sql, int]


@dataclass(frozen=True)
class Task:
    """The task that a method is given.

    Attributes:
        records: the records with their values.
        coded: the records with integer codes.
        quasi_identifiers: the columns that a class is to be alike in.
        sensitive: the columns that must not be learned; none for k-anonymity alone.
        insensitive: the other released columns.
        key: the columns that name a record.
        ties: what tells apart values of these two that are equal.
        models: everything that every class must meet.
        k: the least class size, at most the number of records.
        seed: of everything that is shuffled.
        count: counts the source, once and only if it is called.
        allowance: the greatest share of the records that may be left out.
        within: the quasi-identifier in each of whose groups that share is the greatest, if in any.
        projected: what is asked of the tuples of some of the quasi-identifiers. A method may leave
            it to those who coarsen its classes' cells.
        people: how many, in the release or not, have each tuple of codes, where a clause
            reads them.
        of_people: what is asked of those of them whom published tuples cover. A spec whose method
            does not test it is refused, unless it follows from k.
        hidden: what else records have and no release shows; the codes of it are in ``coded``.
        clusters: the clusters of records that a class lies in one of, where a clause asks for some.
        together: the quasi-identifiers that stay together with a sensitive attribute, where slices
            are published. Each combination of them in a class must meet the models. A method may
            leave it to the gate.
    """

    records: Relation
    coded: Relation
    quasi_identifiers: tuple[QuasiAttribute, ...]
    sensitive: tuple[SensitiveAttribute, ...]
    insensitive: tuple[Sql, ...]
    key: tuple[Sql, ...]
    ties: tuple[Sql, ...]
    models: tuple[Asked, ...]
    k: int
    seed: int
    count: Callable[[], Counts] = field(repr=False)
    allowance: Fraction = Fraction(0)
    within: Sql | None = None
    projected: tuple[Projected, ...] = ()
    people: Relation | None = None
    of_people: tuple[Asked, ...] = ()
    hidden: tuple[HiddenAttribute, ...] = ()
    clusters: Clusters | None = None
    together: Mapping[Sql, tuple[Sql, ...]] = field(default_factory=dict)

    @property
    def requirements(self) -> Requirements:
        """All that is asked of classes and of tuples, as the relations of the run number it."""
        return Requirements.bounded((*self.models, *self.of_people, *self.projected))

    @property
    def quasi_codes(self) -> tuple[Sql, ...]:
        """The codes of the quasi-identifiers."""
        return tuple(attribute.alias for attribute in self.quasi_identifiers)

    @property
    def sensitive_codes(self) -> tuple[Sql, ...]:
        """The codes of the sensitive values."""
        return tuple(attribute.alias for attribute in self.sensitive)

    @property
    def following(self) -> tuple[HiddenAttribute, ...]:
        """The attributes that follow from quasi-identifiers, where something is asked of them."""
        asked = [model.attribute for model in self.models if model.bound is not None]
        return tuple(
            attribute for attribute in self.hidden if follows(attribute) and attribute in asked
        )

    @property
    def following_codes(self) -> tuple[Sql, ...]:
        """Their codes."""
        return tuple(attribute.alias for attribute in self.following)

    @property
    def unit_codes(self) -> tuple[Sql, ...]:
        """Those that follow from all of a unit's records, and from no single one."""
        return tuple(attribute.alias for attribute in self.following if attribute.of_unit)

    @property
    def own(self) -> tuple[SensitiveAttribute, ...]:
        """The attributes that are of every record another: sensitive, and hidden."""
        return (
            *self.sensitive,
            *(attribute for attribute in self.hidden if not follows(attribute)),
        )

    @property
    def hidden_codes(self) -> tuple[Sql, ...]:
        """The codes of what else records have of their own and no release shows."""
        return tuple(attribute.alias for attribute in self.hidden if not follows(attribute))

    @property
    def beside(self) -> tuple[Sql, ...]:
        """The further columns that go on from here: those of what is hidden are not released."""
        return (*self.hidden_codes, *self.insensitive)

    @property
    def released(self) -> tuple[Sql, ...]:
        """The columns that go on from here to the release."""
        return (*self.quasi_codes, *self.sensitive_codes, *self.beside)

    @property
    def tie_breaks(self) -> tuple[Sql, ...]:
        """The columns that decide nothing but ties; together they tell all records apart."""
        return (*self.beside, *self.key, *self.ties)


@dataclass(frozen=True)
class Stratum:
    """A column of whose values, or groups of values, a class has one.

    Attributes:
        alias: of its codes.
        name: the source's column.
        domain: its values, with their groups.
        level: of the groups; 0 for the values themselves.
        coarser: the next higher level, as a spec asks for it; None where that is of all values.
    """

    alias: Sql
    name: str
    domain: Relation
    level: int
    coarser: str | None


class Clusters(ABC):
    """Clusters of records, within which a search forms its classes: where a clause asks for them.

    Attributes:
        strata: the columns of which a cluster has one value, or one group of values.
        relation: the clusters as classes of cells: class_id, root, cell_id and records.
        left_out: where records may be left out, how many each cluster has, and by number the
            model because of which it is.
        called: what they are called, for people.
    """

    relation: ClassVar[Relation] = work("zones")
    left_out: ClassVar[Relation] = work("zone_classes")
    called: ClassVar[str]
    strata: tuple[Stratum, ...] = ()

    @property
    @abstractmethod
    def remedy(self) -> str:
        """The change after which more records would be in a cluster."""

    @abstractmethod
    def search(self, cells: Relation, whole: bool) -> Search:
        """The search that leaves them.

        Args:
            cells: the cells of the table.
            whole: whether a cluster must meet the models as one class. A search that can leave out
                some of a cluster's records, and not all, takes every cluster.
        """

    @property
    def alike(self) -> tuple[Asked, ...]:
        """The models that they are made for: any class within one of them meets these."""
        return ()

    @abstractmethod
    def asking(self, models: tuple[Asked, ...]) -> Clusters:
        """The same for other records, such as those that stand for units."""

    def over_table(self) -> Clusters:
        """The same with all cells of a stratum together, for a search that holds `alike` itself."""
        return self

    @abstractmethod
    def profiles(self, parts: Relation, cells: Relation) -> Step | None:
        """The step that finds the profiles of every class, if clusters are made by some.

        Args:
            parts: how many records of each cell each class has.
            cells: the cells of the table.
        """


@dataclass(frozen=True)
class Grouping:
    """The result of a method.

    Attributes:
        steps: from the task's relations to the classes.
        assigned: a class_id for every record, with the task's released columns; records that
            are suppressed are left out.
        suppressed: where records may be, how many of each class were and by which model: class_id,
            records and the model's number among the task's requirements, NULL where the class is
            kept.
        covered: where cells are to cover more than their class has, the codes that they cover:
            class_id and a code of every quasi-identifier.
        suppressed_cells: where cells are suppressed, of how many records each quasi-identifier is.
        cells: where it is given what classes publish: class_id and the published columns.
        profiles: where every class lies in one cluster, the profiles of its members: class_id,
            cluster, the codes that clusters are made by, and records.
        levels: by the name of a quasi-identifier that is published as labels of one level, the
            relation whose ``level`` that is; None where cells are values, and no groups.
        forming: how they were formed.
        coding: the step that codes the records, which stands before those of a method.
        nodes: where levels were searched for, what was found of every choice of them that was
            judged.
        outliers: whether outliers are among the suppressed: their number is 0.
        unit_classes: where a unit has several records, a class for the record that stands for it.
    """

    steps: tuple[Step | Check | Search, ...]
    assigned: Relation = ASSIGNED
    suppressed: Relation | None = None
    covered: Relation | None = None
    suppressed_cells: Relation | None = None
    cells: Relation | None = None
    profiles: Relation | None = None
    levels: Mapping[str, Relation] | None = None
    forming: Forming | None = None
    coding: Step | None = None
    nodes: Relation | None = None
    outliers: bool = False
    unit_classes: Relation | None = None


@dataclass(frozen=True)
class TakenOver:
    """An earlier release whose classes are taken over: a record may lie in none of them.

    Attributes:
        release: its name.
        clause: the name of the clause that asks for it.
    """

    release: str
    clause: str


class Forming(ABC):
    """A way to form classes: a method, or what takes over those of an earlier release."""

    @abstractmethod
    def group(self, task: Task) -> Grouping:
        """The steps that form the classes."""

    @property
    def taken_over(self) -> TakenOver | None:
        """The release whose classes are taken over, if any is."""
        return None

    @property
    def cure(self) -> str | None:
        """The remedy that may help where classes violate a model, if it is another than usual."""
        return None

    @property
    def holds(self) -> str:
        """The records' values that its steps hold, in a few words; empty where they hold none."""
        return ""

    @property
    def unsteady(self) -> str:
        """The reason why a view of the source cannot be made so, with a remedy; else empty."""
        return ""

    def laid(self, attributes: Sequence[QuasiAttribute]) -> Laid | None:
        """The cells that records lie in by their values alone, if they are known beforehand.

        Raises:
            SpecError: if a listed label stands for several groups.
        """
        return None

    def held(self, plan: Plan, engine: Engine) -> Plan:
        """A plan that is carried out another day, and holds to what was read of other relations."""
        return plan

    def value_columns(self, sensitive: Sequence[SensitiveAttribute]) -> tuple[Sql, ...]:
        """The codes of a record's sensitive values, as they are read."""
        return tuple(attribute.alias for attribute in sensitive)


class Prediction(Protocol):
    """The contents of a method's classes, known before any record is assigned.

    A method has one if the frequencies alone decide what its classes hold. For any number of
    classes it names the few kinds of classes there will be.

    Attributes:
        start: the relation of the method's plan that it goes on from; all that is before is made.
        classes: a row for each kind of class, with how many records it has.
    """

    @property
    def start(self) -> Relation:
        """The relation of the plan that it goes on from."""

    @property
    def classes(self) -> Relation:
        """A row for each kind of class."""

    def values(self, attribute: SensitiveAttribute) -> Relation:
        """How many records of each kind of class have each value of an attribute."""

    def steps(self, sensitive: Sequence[SensitiveAttribute], numbers: Sequence[int]) -> list[Step]:
        """The steps that find every kind of class for each number of classes."""

    def worst(self, models: Sequence[Asked], held: Relation | None) -> Step:
        """The step that finds the worst kind for every number of classes and every model."""


class Method(Forming, Generic[Declared]):
    """A way to form classes that has a name, with the settings that a spec gives it.

    Attributes:
        Settings: what a spec may say of it.
        enforces: whether it sees to every model; if not, to k alone and what follows from counts.
        refuses: whether it refuses classes that would break a model, so that something may be
            learned from those that it has left large (the minimality attack).
    """

    Settings: ClassVar[type[MethodSettings]]
    enforces: ClassVar[bool] = False
    refuses: ClassVar[bool] = True

    def __init__(self, settings: Declared) -> None:
        self.settings = settings

    def prediction(self) -> Prediction | None:
        """The prediction of its classes from the frequencies alone; None where there is none."""
        return None


@dataclass(frozen=True)
class ByValue:
    """A quasi-identifier whose cells follow from its values.

    Attributes:
        attribute: the quasi-identifier.
        shown: the column of the release that stands for it.
        labelling: the step that makes its labels; None where the label of all is *.
        listed: whether its labels are taken from a list, which may lack a value.
        sure: whether a label follows from the value, however that is written.
        holding: where cells are known beforehand, those that hold each of its values.
        number: its place among the quasi-identifiers.
    """

    attribute: QuasiAttribute
    shown: PublishedColumn
    labelling: Step | None
    listed: bool
    sure: bool
    holding: Relation | None = None
    number: int = 0

    @property
    def as_parameter(self) -> dict[str, Any]:
        """The same, as templates read it."""
        labels = None if self.labelling is None else self.labelling.output
        alias = self.attribute.alias
        label = "'*'" if labels is None else f"labels_{alias}.label"
        return {
            "alias": alias,
            "name": self.attribute.name,
            "published": self.shown.name,
            "shown": self.shown.alias,
            "hides": self.attribute.levels[0] > 0,
            "labels": labels,
            "label": Sql(label if self.holding is None else f"boxes.{self.shown.alias}"),
            "holding": self.holding,
            "listed": self.listed,
            "kind": self.attribute.column.kind,
            "number": self.number,
            "sized": self.holding is not None,
        }


@dataclass(frozen=True)
class Laid:
    """Cells that are known beforehand, and how records are laid over them.

    Attributes:
        columns: the quasi-identifiers.
        steps: from the cells to `PLACED`, after the labels.
        boxes: the cells.
        held: that every record lies in one.
        groups: the values of listed hierarchies, with their groups; None where there is none.
    """

    columns: tuple[ByValue, ...]
    steps: tuple[Step, ...]
    boxes: Relation
    held: Check
    groups: Relation | None
