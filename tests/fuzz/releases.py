"""Random tables and specs: every method, model, form, publication and type, and odd names."""

from __future__ import annotations

import hashlib
import hmac
import itertools
import uuid
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import oracle
from drawn import KINDS, NAMES, ODD_TEXTS, Attribute, Drawn, Form, columns, drawn_releases, text
from hypothesis import strategies as st

from fuzz.known import Known, known_of

# Types that a release must carry bit by bit, beside those that every test draws. No column of an
# attribute holds both zeros: the oracle takes them for one.
CARRIED: dict[str, st.SearchStrategy[Any]] = {
    "decimal(12, 2)": st.integers(-500, 500).map(lambda cents: Decimal(cents).scaleb(-2)),
    "hugeint": st.integers(-(2**90), 2**90),
    "ubigint": st.integers(2**63, 2**64 - 1),
    "bigint": st.integers(2**62 - 20, 2**62 + 20),
    "uuid": st.integers(0, 2**128 - 1).map(lambda number: uuid.UUID(int=number)),
    "time": st.integers(0, 86_399).map(lambda s: (datetime.min + timedelta(seconds=s)).time()),
    "varchar collate nocase": st.sampled_from(["flu", "FLU", "Flu", "cold", "COLD", "é", "É"]),
}
ZEROS = st.sampled_from([0.0, -0.0, 1.5, -1.5, 0.25, -0.25, 3e300, 5e-324])
# Numbers that do not fit into a double, as intervals and in bands.
LARGE: tuple[tuple[str, dict[str, Any]], ...] = (
    ("decimal(12, 2)", {"publish": "interval"}),
    ("bigint", {"publish": "interval"}),
    ("hugeint", {"publish": "interval"}),
    ("hugeint", {"publish": "bounds"}),
    ("ubigint", {"publish": "set"}),
)
T = ("0", "0.1", "0.2", "0.35", "0.5", "0.8", "1")
ENTROPY, ALPHA = ("1", "1.3", "2", "2.5"), ("0.4", "0.5", "0.7", "0.9", "1")
BETA, DELTA = ("0.3", "1", "5/2", "9"), ("0.5", "1", "3/2", "4")
KEY = bytes(range(64))  # of every pseudonym
# What a pseudonym may stand for.
NAMED: dict[str, st.SearchStrategy[Any]] = {
    "integer": KINDS["integer"],
    "date": KINDS["date"],
    "varchar": st.sampled_from(ODD_TEXTS),
}
RECURSIVE = ((1, 2), ("1.5", 2), (3, 3), ("0.5", 1), (2, 1))
SEARCHED = ("split_or_deal", "mondrian", "microaggregation")
LATTICE = ("optimal", "samarati", "incognito", "datafly")
OBJECTIVES = ("gcp", "precision", "minimal_distortion", "discernibility")
on_the_lattice = st.sampled_from([{"name": one} for one in LATTICE]) | st.sampled_from(
    [{"name": "optimal", "objective": one} for one in OBJECTIVES]
)
SUPPRESSION = ("0.1", "1/3", "0.6", "1")


@dataclass(frozen=True)
class Asked:
    """What is asked of one sensitive attribute.

    Attributes:
        t: the greatest distance to the table.
        distinct: the least number of distinct values.
        entropy: the least entropy, as the number of equally frequent values.
        recursive: c and l.
        alpha: the greatest share of a value.
        beta: the greatest gain of a value.
        enhanced: the same, and none beyond -ln of its share in the table.
        delta: what the logarithm of every ratio of shares stays below.
        proximity: epsilon and m.
        km: k and m, of texts that are no sets.
    """

    t: str | None = None
    distinct: int | None = None
    entropy: str | None = None
    recursive: tuple[Any, int] | None = None
    alpha: str | None = None
    beta: str | None = None
    enhanced: str | None = None
    delta: str | None = None
    proximity: Mapping[str, int] | None = None
    km: Mapping[str, int] | None = None

    def declared(self) -> dict[str, Any]:
        """The fields of the spec."""
        diversity = {"distinct": self.distinct, "entropy": self.entropy}
        known: dict[str, Any] = {
            name: value for name, value in diversity.items() if value is not None
        }
        if self.recursive is not None:
            known["recursive"] = dict(zip(("c", "l"), self.recursive, strict=True))
        likeness = {"basic": self.beta, "enhanced": self.enhanced}
        gained = {name: value for name, value in likeness.items() if value is not None}
        fields = {
            "t": self.t,
            "alpha": self.alpha,
            "l": known or None,
            "beta": gained or None,
            "delta": self.delta,
            "proximity": self.proximity,
            "km": self.km,
        }
        return {name: value for name, value in fields.items() if value is not None}

    def violated(self, attribute: Attribute, classes: list[list[Any]]) -> list[str]:
        """The models that classes of values do not meet, decided in exact fractions."""
        found = []
        if self.t is not None and max(attribute.distances(classes)) > Fraction(self.t):
            found.append("t_closeness")
        if self.distinct is not None and oracle.distinct_l(classes).minimum < self.distinct:
            found.append("distinct_l")
        if self.entropy and not oracle.entropy_diverse(classes, Fraction(self.entropy)):
            found.append("entropy_l")
        if self.recursive is not None:
            c, least = self.recursive
            if not oracle.recursive_diverse(classes, Fraction(str(c)), least):
                found.append("recursive_l")
        if self.alpha is not None and oracle.alpha(classes).maximum > Fraction(self.alpha):
            found.append("alpha")
        table = attribute.values
        if self.beta and oracle.beta_likeness(classes, table).maximum > Fraction(self.beta):
            found.append("beta_likeness")
        if self.enhanced and not all(
            oracle.enhanced_likeness_holds(entry, table, Fraction(self.enhanced))
            for entry in classes
        ):
            found.append("enhanced_beta_likeness")
        if self.delta and not all(
            oracle.delta_disclosure_holds(entry, table, Fraction(self.delta)) for entry in classes
        ):
            found.append("delta_disclosure")
        if self.proximity is not None:
            near = oracle.proximity(classes, self.proximity["epsilon"]).maximum
            if near * self.proximity["m"] > 1:
                found.append("proximity")
        if self.km is not None:
            sets = [[None if v is None else frozenset([v]) for v in entry] for entry in classes]
            if min(oracle.km_anonymity(sets, self.km["m"])) < self.km["k"]:
                found.append("km_anonymity")
        return found


@dataclass(frozen=True)
class Case:
    """A table and everything that its spec declares.

    Attributes:
        drawn: the table and its columns.
        method: as in the spec.
        asked: what is asked of each sensitive attribute, by its name.
        publish: as in the spec, where exact rows are published in groups.
        keyed: whether the identifiers are published as pseudonyms.
        levels: the lowest and the highest level of some columns that are published at one.
        suppression: the greatest share of the records that may be left out.
        known: what somebody knows beforehand.
    """

    drawn: Drawn
    method: Mapping[str, Any]
    asked: Mapping[str, Asked]
    levels: Mapping[str, tuple[int, int]]
    suppression: str | None
    publish: Mapping[str, Any] | None = None
    keyed: bool = False
    known: Known | None = None

    @property
    def apart(self) -> bool:
        """Whether the sensitive values are a relation of their own."""
        return self.publish is not None and self.publish["name"] == "anatomy"

    @property
    def least(self) -> int:
        """How many records a class, or a group, has at least."""
        return self.drawn.k if self.publish is None else self.publish.get("group", 2)

    @property
    def pseudonyms(self) -> tuple[Attribute, ...]:
        """The columns of pseudonyms, made by Python's own HMAC."""
        return tuple(
            Attribute(one.name, "varchar", tuple(map(_pseudonym, one.values)))
            for one in self.drawn.others.get("identifiers", ())
            if self.keyed
        )

    @property
    def searched(self) -> bool:
        """Whether the method finds a release wherever there is one."""
        if self.known is not None:
            return False
        return self.on_levels or (self.method["name"] in SEARCHED and not self.levels)

    @property
    def on_levels(self) -> bool:
        """Whether the method searches the lattice of levels."""
        return self.method["name"] in LATTICE

    @property
    def limit(self) -> Fraction:
        """The greatest share of the records that may be left out."""
        return Fraction(self.suppression or 0)

    def bounds(self, attribute: Attribute) -> tuple[int, int]:
        """The lowest and the highest level that a column may be published at."""
        assert attribute.hierarchy is not None
        return self.levels.get(attribute.name, (0, attribute.hierarchy.height))

    def declared(self, folder: Path) -> dict[str, Any]:
        """The fields of the spec, hierarchy files written."""
        fields = self.drawn.spec(folder)
        if self.levels:
            fields["levels"] = {name: list(bounds) for name, bounds in self.levels.items()}
        if self.suppression is not None:
            fields["suppression"] = {"records": self.suppression}
        sensitive = {
            name: {**settings, **self.asked[name].declared()}
            for name, settings in fields["sensitive"].items()
        }
        if self.known is not None:
            sensitive[self.known.attribute.name] |= self.known.declared()
        fields |= {"sensitive": sensitive or [], "method": dict(self.method)}
        if self.publish is not None:
            fields["publish"] = dict(self.publish)
        if self.keyed:
            (folder / "key").write_bytes(KEY)
            keyed = {"pseudonym": "keyed", "key": {"file": str(folder / "key")}, "repeats": True}
            fields["identifiers"] = {pseudonym.name: keyed for pseudonym in self.pseudonyms}
        return fields

    def violated(self, classes: list[list[tuple[Any, ...]]]) -> list[str]:
        """The declared models that classes of sensitive tuples do not meet."""
        found = []
        if min(map(len, classes)) < self.least:
            found.append("k_anonymity" if self.publish is None else "the size of a group")
        for axis, attribute in enumerate(self.drawn.sensitive):
            values = [[row[axis] for row in members] for members in classes]
            broken = self.asked[attribute.name].violated(attribute, values)
            found += [f"{model} of {attribute.name!r}" for model in broken]
        return found

    @property
    def impossible(self) -> bool:
        """Whether there is nothing that the method could publish."""
        columns = [attribute.values for attribute in self.drawn.sensitive]
        records = [tuple(values[row] for values in columns) for row in range(self.drawn.size)]
        if self.on_levels:
            return not any(self._satisfied(node, records) for node in self._nodes())
        return bool(self.violated([records]))  # then no grouping may be published

    def _nodes(self) -> Iterator[tuple[int, ...]]:
        """Every choice of levels."""
        bounds = map(self.bounds, self.drawn.hidden)
        return itertools.product(*(range(low, high + 1) for low, high in bounds))

    def _satisfied(self, node: tuple[int, ...], records: list[tuple[Any, ...]]) -> bool:
        """Whether a choice of levels leaves any record and not too many out."""
        hidden = self.drawn.hidden
        classes: dict[tuple[Any, ...], list[tuple[Any, ...]]] = {}
        for row, record in enumerate(records):
            labels = (
                attribute.at_level(attribute.values[row], at)
                for attribute, at in zip(hidden, node, strict=True)
            )
            classes.setdefault(tuple(labels), []).append(record)
        kept = sum(len(members) for members in classes.values() if not self.violated([members]))
        return kept > 0 and len(records) - kept <= self.limit * len(records)


def _pseudonym(value: Any) -> str | None:
    if value is None:
        return None
    return hmac.new(KEY, str(text(value)).encode(), hashlib.sha256).hexdigest()


@st.composite
def asked_of(draw: st.DrawFn, attribute: Attribute, needs_t: bool) -> Asked:
    """Thresholds for an attribute; mostly such as the table as one class meets."""

    def maybe(*choices: Any) -> Any:
        return draw(st.sampled_from([None, None, *choices]))

    there = len(set(attribute.values))
    asked = Asked(
        draw(st.sampled_from(T[1:])) if needs_t else maybe(*T),
        maybe(*range(1, min(there, 4) + 1)),
        maybe(*ENTROPY),
        maybe(*RECURSIVE),
        maybe(*ALPHA),
        maybe(*BETA) if draw(st.booleans()) else None,
        maybe(*BETA) if draw(st.booleans()) else None,
        maybe(*DELTA) if draw(st.booleans()) else None,
    )
    sensible = draw(st.integers(0, 9)) > 0
    if sensible and asked.violated(attribute, [list(attribute.values)]):
        return Asked(t=asked.t)
    return asked


@st.composite
def methods(draw: st.DrawFn, drawn: Drawn) -> dict[str, Any]:
    """A method that fits the columns, with some of its settings."""
    dealt: dict[str, Any] = {
        "name": "stack_and_deal",
        "stack": drawn.stack,
        "locality": drawn.locality,
    }
    if drawn.locality == "stripes":
        dealt["stripe"] = drawn.k + 3
    searched = {
        "name": "split_or_deal",
        **draw(st.sampled_from([{}, {}, {"refine": 0}, {"regions": 2}])),
    }
    cut = {
        "name": "mondrian",
        **draw(st.sampled_from([{}, {"partitioning": "relaxed"}])),
    }
    grouped = {
        "name": "microaggregation",
        **draw(st.sampled_from([{}, {"block": drawn.k + 3}, {"gamma": 1.1}])),
    }
    fitting: list[dict[str, Any]] = [dealt, searched, searched, cut, cut, {"name": "deal_tree"}]
    fitting.append(grouped)
    distances = {attribute.distance for attribute in drawn.sensitive}
    if distances == {"ordered"}:
        fitting += [{"name": "fragmentation", **draw(st.sampled_from([{}, {"sizing": "gcd"}]))}] * 2
    if len(drawn.sensitive) == 1:
        fitting.append({"name": "sabre"})
    return draw(st.sampled_from(fitting))


@st.composite
def of_different_values(draw: st.DrawFn, case: Case) -> Case:
    """Groups of l different values, mostly so that they can be; little else is asked."""
    drawn = case.drawn
    (attribute,) = drawn.sensitive
    greatest = drawn.size // max(Counter(attribute.values).values())
    distinct = draw(st.integers(2, max(2, greatest)))
    asked = {attribute.name: Asked(draw(st.sampled_from([None, None, *T[3:]])), distinct)}
    method = {"name": "anatomy", **draw(st.sampled_from([{}, {"locality": "none"}]))}
    drawn = replace(drawn, k=min(drawn.k, distinct))
    return replace(case, drawn=drawn, method=method, asked=asked)


@st.composite
def with_other_types(draw: st.DrawFn, drawn: Drawn) -> Drawn:
    """The same release, some of its columns of rarer types."""
    names = iter(
        draw(
            st.permutations(sorted(set(NAMES) - {attribute.name for attribute in drawn.attributes}))
        )
    )
    hidden, sensitive, others = drawn.hidden, drawn.sensitive, dict(drawn.others)
    if draw(st.booleans()):
        type_, settings = draw(st.sampled_from(LARGE))
        values = draw(columns(drawn.size, CARRIED[type_]))
        hidden = (*hidden[:2], Attribute(next(names), type_, values, settings))
    if draw(st.booleans()):
        type_ = draw(st.sampled_from(sorted(set(CARRIED) - {"time"})))  # refused, by its name
        values = draw(columns(drawn.size, CARRIED[type_]))
        sensitive = (*sensitive[:1], Attribute(next(names), type_, values))
    if draw(st.booleans()):
        type_ = draw(st.sampled_from(["double", *CARRIED]))
        values = draw(columns(drawn.size, CARRIED.get(type_, ZEROS)))
        others["insensitive"] = (
            *others.get("insensitive", ()),
            Attribute(next(names), type_, values),
        )
    return replace(drawn, hidden=hidden, sensitive=sensitive, others=others)


@st.composite
def with_levels(draw: st.DrawFn, drawn: Drawn) -> Drawn | None:
    """The same release at one level of a column's hierarchy; or of all that have one, and no more.

    None where no column has a hierarchy, and often where one has.
    """
    fitting = [
        attribute
        for attribute in drawn.hidden
        if attribute.hierarchy is not None and attribute.publish in ("lca", "level")
    ]
    how = draw(st.sampled_from(["all", "one", None, None]))
    if not fitting or how is None:
        return None
    if how == "all":
        return replace(drawn, hidden=tuple(map(_on_levels, fitting)))
    chosen = draw(st.sampled_from(fitting))
    hidden = tuple(
        _on_levels(attribute) if attribute is chosen else attribute for attribute in drawn.hidden
    )
    return replace(drawn, hidden=hidden)


def _on_levels(attribute: Attribute) -> Attribute:
    return replace(attribute, settings={**attribute.settings, "publish": "level"})


@st.composite
def bounds_of(draw: st.DrawFn, attributes: list[Attribute]) -> dict[str, tuple[int, int]]:
    """Levels of some columns: any, one or a few."""
    found = {}
    for attribute in attributes:
        assert attribute.hierarchy is not None
        highest = attribute.hierarchy.height
        low = draw(st.integers(0, highest))
        high = draw(st.sampled_from([highest, highest, low]))
        if draw(st.booleans()):
            found[attribute.name] = (low, high)
    return found


@st.composite
def cases(draw: st.DrawFn, most: int = 24, hidden: Form | None = None) -> Case:
    """A table of up to ``most`` records with a spec of any kind."""
    drawn = draw(with_other_types(draw(drawn_releases(most=most, hidden_form=hidden))))
    if draw(st.integers(0, 9)) == 0:  # k alone
        drawn = replace(drawn, sensitive=())
    levelled = draw(with_levels(drawn))
    drawn = levelled or drawn
    on_lattice = levelled and all(attribute.publish == "level" for attribute in levelled.hidden)
    method = draw(on_the_lattice) if on_lattice else draw(methods(drawn))
    needs_t = method["name"] in ("fragmentation", "sabre")
    asked = {attribute.name: draw(asked_of(attribute, needs_t)) for attribute in drawn.sensitive}
    levels = draw(
        bounds_of([attribute for attribute in drawn.hidden if attribute.publish == "level"])
    )
    if levels and method.get("locality") == "stripes":  # strata are dealt along a curve each
        method = {**method, "locality": "curve"}
        del method["stripe"]
    suppression = draw(st.sampled_from([None, *SUPPRESSION])) if on_lattice else None
    case = Case(drawn, method, asked, levels, suppression)
    if len(drawn.sensitive) == 1 and not on_lattice and draw(st.integers(0, 5)) == 0:
        case = draw(of_different_values(case))
        drawn = case.drawn
    if draw(st.integers(0, 3)) == 0:
        case = draw(with_pseudonyms(case))
    if drawn.sensitive and not levelled and draw(st.integers(0, 2)) == 0:
        return draw(in_groups(case))
    if drawn.sensitive and draw(st.integers(0, 2)) == 0:
        return draw(with_background(case))
    return case


@st.composite
def with_background(draw: st.DrawFn, case: Case) -> Case:
    """The same, to be held against somebody who knows how an attribute goes with others."""
    drawn, known = case.drawn, draw(known_of(case.drawn))
    shown = (*drawn.others.get("insensitive", ()), known.tag)
    method, suppression = case.method, case.suppression
    if not case.on_levels and draw(st.booleans()):
        orders = [{}, {"order": "curve"}, {"block": 3}, {"rounds": 0}]
        method = {"name": "uhra", **draw(st.sampled_from(orders))}
    if method["name"] in (*SEARCHED, "uhra"):
        suppression = draw(st.sampled_from([None, *SUPPRESSION]))
    return replace(
        case,
        drawn=replace(drawn, others={**drawn.others, "insensitive": shown}),
        method=method,
        suppression=suppression,
        known=known,
    )


@st.composite
def with_pseudonyms(draw: st.DrawFn, case: Case) -> Case:
    """The same, with pseudonyms of identifiers that repeat."""
    drawn = case.drawn
    taken = {attribute.name for attribute in drawn.attributes}
    others = dict(drawn.others)
    if draw(st.booleans()):
        type_ = draw(st.sampled_from(sorted(NAMED)))
        name = draw(st.sampled_from(sorted(set(NAMES) - taken)))
        more = Attribute(name, type_, draw(columns(drawn.size, NAMED[type_])))
        others["identifiers"] = (*others.get("identifiers", ()), more)
    drawn = replace(drawn, others=others)
    return replace(case, drawn=drawn, keyed="identifiers" in others)


@st.composite
def in_groups(draw: st.DrawFn, case: Case) -> Case:
    """The same, published as exact rows in groups; something is asked of every attribute."""
    drawn, asked = case.drawn, dict(case.asked)
    publish: dict[str, Any] = {"name": draw(st.sampled_from(["anatomy", "permuted"]))}
    if "records" in asked:  # a column that anatomy adds
        publish["name"] = "permuted"
    if draw(st.booleans()):
        publish["group"] = max(2, drawn.k)
    for name, model in asked.items():
        if model.t in (None, "1") and (model.distinct is None or model.distinct < 2):
            asked[name] = replace(model, t=draw(st.sampled_from(T[2:-1])))
    hidden = []
    for attribute in drawn.hidden:
        settings = {key: value for key, value in attribute.settings.items() if key != "publish"}
        hidden.append(replace(attribute, settings=settings))
    drawn = replace(drawn, hidden=tuple(hidden), k=1, materialize="table")
    return replace(case, drawn=drawn, asked=asked, publish=publish)


__all__ = ["Asked", "Case", "cases"]
