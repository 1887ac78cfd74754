"""Random small releases, and what the oracle says they must be.

A `Drawn` release holds a table column by column with what the spec says of each. What a class
publishes and loses is worked out here once more in plain Python, from the definitions alone.
"""

from __future__ import annotations

import csv
import io
import math
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from fractions import Fraction
from pathlib import Path
from typing import Any

from hypothesis import strategies as st
from oracle import (
    Value,
    emd_equal,
    emd_hierarchical,
    emd_ordered,
    frequency_order,
    lca_node,
    leaves_under,
    ncp_interval,
    ncp_node,
    ncp_set,
    with_null,
)
from support import Connection, Row, make_table, quoted

# Names that break what is not quoted, hide what is not prefixed, or look like Jinja or SQL.
NAMES = [
    "age",
    "class_id",
    "records",
    "value",
    "q1",
    "s1",
    "x1",
    "p1",
    "code",
    "level_0",
    "sqlanon",
    "sqlanon_records",
    "source",
    "measured",
    "metric",
    "information loss",
    "select",
    "order",
    "rowid",
    "a b",
    " padded ",
    "a.b",
    "Mixed Case",
    "größe",
    "日本語",
    'a"quote',
    "it's",
    "semi;colon",
    "{x}",
    "{missing}",
    "{records}",
    "{{ x }}",
    "{% raw %}",
    "'; drop table t; --",
    '"; drop table t; --',
    "100%",
    "back\\slash",
    "two\nlines",
    "*",
]
TABLES = ["t", "my table", "a.b", "Größe", "select", "x'y", 'x"y', "{{ t }}", "t; --", "日本"]
TEXTS = [
    "a",
    "b",
    "A",
    "é",
    "日本",
    "🙂",
    "O'Brien",
    '"quoted"',
    "a, b",
    "a; b",
    "{a}",
    "{a, b}",
    "{{ x }}",
    "{% x %}",
    "'; drop table t; --",
    "[1, 2]",
    "NULL",
    "null",
    "%2C",
    "100%",
    "back\\slash",
    "1",
    "01",
]
ODD_TEXTS = [*TEXTS, "", " ", " a", "a ", "*", "two\nlines", "\u2028", "\t"]
Chains = Mapping[str, tuple[str, ...]]


def text(value: Any) -> str | None:
    """A value as the database writes it."""
    if value is None:
        return None
    return str(value).lower() if isinstance(value, bool) else str(value)


@dataclass(frozen=True)
class Hierarchy:
    """A hierarchy as it is declared, and the ancestors it gives to each leaf.

    Attributes:
        declared: what the spec says; a file's text stands under ``text`` until it is written.
        chains: the ancestors of each leaf's text, up to the root ``*``.
        periods: whether the labels are intervals, whose length is what is lost.
    """

    declared: Mapping[str, Any]
    chains: Chains
    periods: bool = False

    @property
    def tree(self) -> dict[Value, tuple[Value, ...]]:
        """The same for the oracle."""
        return {leaf: (*ancestors,) for leaf, ancestors in self.chains.items()}

    @property
    def height(self) -> int:
        """The level of the root; the leaves are level 0."""
        return max(map(len, self.chains.values()))

    def written(self, file: Path) -> dict[str, Any]:
        """The declaration, its file written."""
        if "text" not in self.declared:
            return dict(self.declared)
        file.write_text(self.declared["text"], encoding="utf-8")
        rest = {name: value for name, value in self.declared.items() if name != "text"}
        return {"file": str(file), **rest}


# What the types begin with whose values have an order that t goes by, unless a spec says equal.
SCALES = ("integer", "bigint", "ubigint", "hugeint", "double", "decimal", "date", "timestamp")


@dataclass(frozen=True)
class Attribute:
    """A column with a role.

    Attributes:
        name: its name.
        type: its type in the database.
        values: its value in each record.
        settings: what the spec says of it, the hierarchy apart.
        hierarchy: its hierarchy.
    """

    name: str
    type: str
    values: tuple[Any, ...]
    settings: Mapping[str, Any] = field(default_factory=dict)
    hierarchy: Hierarchy | None = None

    def declared(self, file: Path) -> dict[str, Any]:
        if self.hierarchy is None:
            return dict(self.settings)
        return {**self.settings, "hierarchy": self.hierarchy.written(file)}

    # --- what a quasi-identifier publishes -------------------------------------------------------

    @property
    def publish(self) -> str:
        """The form in which a class's values are published, by the documented default."""
        if "publish" in self.settings:
            return str(self.settings["publish"])
        if self.hierarchy is not None:
            return "lca"
        if self.settings.get("nominal") or self.order is not None:
            return "set"
        measurable = self.type in ("integer", "double", "date", "timestamp")
        return "interval" if measurable else "set"

    @property
    def order(self) -> list[str] | None:
        """The values of a quasi-identifier in the order that is listed, unused ones too."""
        return self.settings.get("order")

    @property
    def released(self) -> list[str]:
        """The columns of the release that stand for it."""
        if self.publish == "bounds":
            return [f"{self.name}_min", f"{self.name}_max"]
        return [self.name]

    @property
    def weight(self) -> Fraction:
        return Fraction(str(self.settings.get("weight", 1)))

    def recoded(self, members: Sequence[Any]) -> tuple[Row, Fraction]:
        """The cells that a class of these values publishes, and what each of its records loses."""
        known = [value for value in members if value is not None]
        if self.publish == "set":
            return self._set(members)
        if self.publish == "lca":
            return self._ancestor(members)
        if len(known) < len(members):
            if self.publish == "bounds":
                return (None, None), Fraction(1)
            return (("*",), Fraction(1)) if known else ((None,), Fraction(0))
        if self.order is not None:
            return self._stretch([self.order.index(str(text(value))) for value in known])
        low, high = min(known), max(known)
        loss = ncp_interval(_axis(low), _axis(high), self._span)
        if self.publish == "bounds":
            return (low, high), loss
        if low == high:
            return (text(low),), loss
        return (f"[{text(low)}, {text(high)}]",), loss

    def _stretch(self, places: Sequence[int]) -> tuple[Row, Fraction]:
        """The ends of a stretch of the listed order."""
        assert self.order is not None
        low, high = min(places), max(places)
        loss = ncp_interval(low, high, len(self.order) - 1)
        first, last = self.order[low], self.order[high]
        if self.publish == "bounds":
            return (first, last), loss
        return (first if low == high else f"[{first}, {last}]",), loss

    @property
    def _span(self) -> Fraction:
        points = [_axis(value) for value in self.values if value is not None]
        return max(points) - min(points)

    @property
    def _leaves(self) -> set[str | None]:
        """Every value of the domain, in the data or not."""
        used = {text(value) for value in self.values}
        return used | set(self.hierarchy.chains if self.hierarchy else self.order or ())

    def _set(self, members: Sequence[Any]) -> tuple[Row, Fraction]:
        found = {text(value) for value in members}
        # The order of the members is the domain's; a set is compared without it.
        return (frozenset(found),), ncp_set(len(found), len(self._leaves))

    def _ancestor(self, members: Sequence[Any]) -> tuple[Row, Fraction]:
        assert self.hierarchy is not None
        tree = self.hierarchy.tree
        if None in self.values:
            tree = with_null(tree)
        node = lca_node(tree, {text(value) for value in members})
        label = node[0]
        under = len(leaves_under(tree, node))
        if not self.hierarchy.periods or under == 1 or label == "*":
            return (label,), ncp_node(under, len(tree))
        low, high = (_parsed(end) for end in str(label).strip("[])").split(", "))
        return (label,), min(Fraction(1), (high - low) / self._span)

    def at_level(self, value: Any, level: int) -> str | None:
        """The label of a value at one level; a leaf stands for itself at the levels it skips."""
        assert self.hierarchy is not None
        leaf = text(value)
        if level == self.hierarchy.height:
            return "*"
        if leaf is None:
            return None
        chain = self.hierarchy.chains[leaf]
        return (leaf, *chain)[max(0, level - self.hierarchy.height + len(chain))]

    # --- how far a sensitive attribute's classes are from the table ------------------------------

    @property
    def in_order(self) -> list[Any]:
        """The values in the order of an ordered distance, NULL first; unused ones too."""
        order = self.settings.get("order", "natural")
        if isinstance(order, list):
            return [*([None] if None in self.values else []), *order]
        known = sorted({value for value in self.values if value is not None})
        natural = [*([None] if None in self.values else []), *known]
        if order == "natural":
            return natural
        counts = [self.values.count(value) for value in natural]
        return [natural[place] for place in frequency_order(counts)]

    @property
    def distance(self) -> str:
        """How far values lie apart, by the documented default: numbers and dates have an order."""
        if "distance" in self.settings:
            return str(self.settings["distance"])
        has_order = self.type.startswith(SCALES) or "order" in self.settings
        return "ordered" if has_order else "equal"

    def distances(self, classes: Sequence[Sequence[Any]]) -> tuple[Fraction, ...]:
        """The distance of each class of values to the column."""
        distance = self.distance
        if distance == "equal":
            return emd_equal(classes, self.values).per_class
        if distance == "ordered":
            return emd_ordered(classes, self.values, self.in_order).per_class
        assert self.hierarchy is not None
        texts = [[text(value) for value in values] for values in classes]
        reference = [text(value) for value in self.values]
        return emd_hierarchical(texts, reference, self.hierarchy.tree).per_class


@dataclass(frozen=True)
class Drawn:
    """A table with a spec, to be released."""

    source: str
    release: str
    hidden: tuple[Attribute, ...]
    sensitive: tuple[Attribute, ...]
    others: Mapping[str, tuple[Attribute, ...]]
    k: int
    seed: int
    stack: str | None
    locality: str
    materialize: str

    @property
    def attributes(self) -> tuple[Attribute, ...]:
        others = [attribute for role in self.others.values() for attribute in role]
        return (*others, *self.sensitive, *self.hidden)

    @property
    def size(self) -> int:
        return len(self.hidden[0].values)

    @property
    def rows(self) -> list[Row]:
        """The source's rows."""
        return list(zip(*(attribute.values for attribute in self.attributes), strict=True))

    @property
    def stack_order(self) -> str:
        """The order of the stack, by the documented default."""
        if self.stack is not None:
            return self.stack
        if any(attribute.distance == "equal" for attribute in self.sensitive):
            return "frequency"
        return "value" if len(self.sensitive) == 1 else "snake"

    def make(self, connection: Connection, rows: Sequence[Row] | None = None) -> None:
        """Make the source's table."""
        columns = {attribute.name: attribute.type for attribute in self.attributes}
        make_table(connection, self.source, columns, self.rows if rows is None else rows)

    def declared(self, folder: Path) -> dict[str, Any]:
        """The fields of the spec, without source and release; hierarchy files go to the folder."""
        return {
            "quasi_identifiers": {
                attribute.name: attribute.declared(folder / f"q{number}.csv")
                for number, attribute in enumerate(self.hidden)
            },
            "sensitive": {
                attribute.name: attribute.declared(folder / f"s{number}.csv")
                for number, attribute in enumerate(self.sensitive)
            },
            **{
                role: {attribute.name: {"accept": "of few rows"} for attribute in columns}
                if role == "insensitive"
                else [attribute.name for attribute in columns]
                for role, columns in self.others.items()
            },
            "privacy": {"k": self.k},
            "method": {
                "name": "stack_and_deal",
                "stack": self.stack,
                "locality": self.locality,
                **({"stripe": self.k + 3} if self.locality == "stripes" else {}),
            },
            "seed": self.seed,
            "materialize": self.materialize,
        }

    def spec(self, folder: Path) -> dict[str, Any]:
        """All fields of the spec."""
        names = {"source": {"table": quoted(self.source)}, "release": quoted(self.release)}
        return {**names, **self.declared(folder)}


def _axis(value: Any) -> Fraction:
    if isinstance(value, datetime):
        return Fraction(int((value - datetime(2000, 1, 1)).total_seconds()))
    if isinstance(value, date):
        return Fraction(86_400 * (value - date(2000, 1, 1)).days)
    return Fraction(value)


def _parsed(end: str) -> Fraction:
    try:
        return Fraction(end)
    except ValueError:
        return _axis(date.fromisoformat(end))


def members_of(cell: str | None) -> frozenset[str | None]:
    """A published set, read back as its reader would."""
    if cell is None or not cell.startswith("{"):
        return frozenset({cell})
    found: set[str | None] = set()
    for member in cell[1:-1].split(", "):
        plain = member.replace("%2C", ",").replace("%4E", "N").replace("%25", "%")
        found.add(None if member == "NULL" else plain)
    return frozenset(found)


# --- strategies ----------------------------------------------------------------------------------

FIRST_DAY = date(2019, 11, 20)
KINDS: dict[str, st.SearchStrategy[Any]] = {
    "integer": st.integers(-12, 40),
    "double": st.integers(-9, 30).map(lambda half: half / 2),
    "date": st.integers(0, 800).map(lambda days: FIRST_DAY + timedelta(days)),
    "timestamp": st.integers(0, 9000).map(
        lambda hours: datetime(2020, 1, 1) + timedelta(hours=hours)
    ),
    "boolean": st.booleans(),
    "varchar": st.sampled_from(TEXTS),
}


# What fills a table is drawn by a seed: an example of least effort would be all of one value.
shuffles = st.integers(0, 2**32).map(random.Random)


@st.composite
def columns(draw: st.DrawFn, size: int, values: st.SearchStrategy[Any]) -> tuple[Any, ...]:
    """A column of few distinct values, so that there are ties; with NULLs or without."""
    number = draw(st.sampled_from([3, 2, 4, 1, 6]))
    least = 1 if values is KINDS["boolean"] else number
    distinct = draw(st.lists(values, min_size=least, max_size=number, unique=True))
    if draw(st.booleans()):
        distinct.append(None)
    filling = draw(shuffles)
    return tuple(filling.choice(distinct) for _ in range(size))


def _used(values: Sequence[Any]) -> list[str]:
    return sorted({str(text(value)) for value in values if value is not None})


@st.composite
def groups(draw: st.DrawFn, values: Sequence[Any]) -> dict[str, tuple[str, ...]]:
    """The groups above each leaf, without the root: none, one or two, as they come."""
    leaves = _used(values)
    if draw(st.booleans()):
        leaves += ["an unused leaf", "another; unused, leaf"]
    ways = [
        (),
        ("other",),
        ("group 0", "upper 0"),
        ("group 1", "upper 0"),
        ("group 2", "upper 1"),
    ]
    filling = draw(shuffles)
    return {leaf: filling.choice(ways) for leaf in leaves}


def rooted(above: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    return {leaf: (*ancestors, "*") for leaf, ancestors in above.items()}


@st.composite
def trees(draw: st.DrawFn, values: Sequence[Any]) -> Hierarchy:
    above = draw(groups(values))

    def members(path: tuple[str, ...]) -> list[Any]:
        found: list[Any] = [leaf for leaf, ancestors in above.items() if ancestors == path]
        inner = {
            ancestors[-len(path) - 1]
            for ancestors in above.values()
            if len(ancestors) > len(path) and ancestors[len(ancestors) - len(path) :] == path
        }
        return found + [{group: members((group, *path))} for group in sorted(inner)]

    return Hierarchy({"tree": {"*": members(())}}, rooted(above))


@st.composite
def files(draw: st.DrawFn, name: str, values: Sequence[Any]) -> Hierarchy:
    """A hierarchy file, with a root in every line, in some, or in none; ragged.

    Its first line is none that begins with the column's name, as a header does.
    """
    above = draw(groups(values))
    first = [leaf for leaf in above if leaf.casefold() != name.casefold()] or ["an unused leaf"]
    above = {first[0]: above.get(first[0], ()), **above}
    chains = rooted(above)
    roots = draw(st.sampled_from(["all", "some", "none"]))
    lines = [[leaf, *ancestors] for leaf, ancestors in above.items()]
    for number, line in enumerate(lines):
        if roots == "all" or (roots == "some" and number % 2 == 0):
            line.append("*")
    if roots == "none" and max(map(len, lines)) > 1 and len({line[-1] for line in lines}) == 1:
        # A label above all leaves is the root, whatever the file calls it.
        chains = {leaf: (*ancestors[:-2], "*") for leaf, ancestors in chains.items()}
    delimiter = draw(st.sampled_from([";", ","]))
    written = io.StringIO()
    style: dict[str, Any] = {
        "quoting": draw(st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL])),
        "lineterminator": "\n",
    }
    csv.writer(written, delimiter=delimiter, **style).writerows(lines)
    found_out = delimiter == (";" if ";" in written.getvalue().split("\n", 1)[0] else ",")
    declared: dict[str, Any] = {"text": written.getvalue()}
    if not found_out or draw(st.booleans()):
        declared["delimiter"] = delimiter
    return Hierarchy(declared, chains)


@st.composite
def prefixes(draw: st.DrawFn, values: Sequence[Any]) -> Hierarchy:
    kept = draw(st.sampled_from([[2], [2, 1], [3, 1, 0], [1, 0], [5, 2]]))

    def masked(leaf: str, length: int) -> str:
        return leaf if len(leaf) <= length else leaf[:length] + "*" * (len(leaf) - length)

    chains = {
        leaf: (*(masked(leaf, length) for length in kept if length), "*") for leaf in _used(values)
    }
    return Hierarchy({"prefix": kept}, chains)


@st.composite
def bands(draw: st.DrawFn, values: Sequence[Any]) -> Hierarchy:
    widths = draw(st.sampled_from([[5], [5, 10], [2, 6, 30], [1, 4], [100]]))
    whole = all(isinstance(value, int) for value in values if value is not None)

    def band(value: Any, width: int) -> str:
        low = math.floor(value / width) * width
        return f"[{low}, {low + width - 1}]" if whole else f"[{low}, {low + width})"

    chains = {
        str(text(value)): (*(band(value, width) for width in widths), "*")
        for value in values
        if value is not None
    }
    return Hierarchy({"bands": widths}, chains, periods=True)


def _period(day: date, part: str) -> str:
    months = {"month": 1, "quarter": 3, "year": 12, "decade": 120}
    if part == "day":
        return f"[{day}, {day}]"
    length = months[part]
    first = (day.year * 12 + day.month - 1) // length * length
    last = first + length
    end = date(last // 12, last % 12 + 1, 1) - timedelta(1)
    return f"[{date(first // 12, first % 12 + 1, 1)}, {end}]"


@st.composite
def periods(draw: st.DrawFn, values: Sequence[Any]) -> Hierarchy:
    choices = [["month"], ["month", "year"], ["day", "quarter", "decade"], ["year", "decade"]]
    parts = draw(st.sampled_from(choices))

    def day(value: Any) -> date:
        return value.date() if isinstance(value, datetime) else value

    chains = {
        str(text(value)): (*(_period(day(value), part) for part in parts), "*")
        for value in values
        if value is not None
    }
    return Hierarchy({"dates": parts}, chains, periods=True)


@st.composite
def expressions(draw: st.DrawFn, name: str, type_: str, values: Sequence[Any]) -> Hierarchy:
    """An SQL expression a level; a constant one is the root."""
    column = quoted(name)
    levels: list[tuple[str, Callable[[Any], str]]]
    if type_ == "integer":
        levels = [
            (f"'tens ' || (({column} + 1000) // 10)", lambda v: f"tens {(v + 1000) // 10}"),
            (f"'thirties ' || (({column} + 1000) // 30)", lambda v: f"thirties {(v + 1000) // 30}"),
        ]
    else:
        levels = [(f"'first ' || left({column}, 1) -- one", lambda v: f"first {v[:1]}")]
    sql = [expression for expression, _ in levels]
    if draw(st.booleans()):
        sql.append("'all of them'")
    chains = {
        str(text(value)): (*(label(value) for _, label in levels), "*")
        for value in values
        if value is not None
    }
    return Hierarchy({"sql": sql}, chains)


def hierarchies(
    kind: str, name: str, type_: str, values: Sequence[Any]
) -> st.SearchStrategy[Hierarchy]:
    """A hierarchy of a kind."""
    if kind == "sql":
        return expressions(name, type_, values)
    if kind == "file":
        return files(name, values)
    kinds = {"tree": trees, "prefix": prefixes, "bands": bands, "dates": periods}
    return kinds[kind](values)


# The kinds of hierarchy that fit a type.
FITTING = {
    "integer": ["tree", "file", "prefix", "bands", "sql"],
    "double": ["tree", "bands"],
    "date": ["dates", "file"],
    "timestamp": ["dates"],
    "boolean": ["tree"],
    "varchar": ["tree", "file", "prefix", "sql"],
}
Form = tuple[str, str | None, Any]
# (type, kind of hierarchy, publish) of a quasi-identifier; the kind may also be that its values are
# listed in order, or nominal.
HIDDEN_FORMS: list[Form] = [
    *(
        (type_, kind, publish)
        for type_ in FITTING
        for kind in FITTING[type_]
        for publish in (None,)
    ),
    *((type_, kind, "set") for type_ in FITTING for kind in FITTING[type_][:2]),
    ("varchar", "tree", "lca"),
    *((type_, None, publish) for type_ in FITTING for publish in (None, "set")),
    *((type_, None, "bounds") for type_ in ("integer", "double", "date", "timestamp")),
    ("integer", None, "interval"),
    *(("varchar", "order", publish) for publish in (None, "interval", "bounds")),
    ("integer", "order", "interval"),
    ("boolean", "order", "bounds"),
    *((type_, "nominal", None) for type_ in ("integer", "double")),
    ("integer", "nominal", "set"),
]
ENDS = [text for text in ODD_TEXTS if text not in ("", "*") and text[0] != "[" and ", " not in text]
# (type, kind of hierarchy, order) of a sensitive attribute; without order its distance is equal.
SENSITIVE_FORMS: list[Form] = [
    *((type_, kind, None) for type_ in FITTING for kind in FITTING[type_]),
    *((type_, None, None) for type_ in FITTING),
    *((type_, None, "frequency") for type_ in FITTING),
    *((type_, None, "natural") for type_ in FITTING if type_ != "varchar"),
    ("integer", None, "default"),
    ("varchar", None, "list"),
    ("varchar", None, "list"),
]


@st.composite
def hidden_attributes(draw: st.DrawFn, name: str, size: int, form: Form) -> Attribute:
    """A quasi-identifier of a form."""
    type_, kind, publish = form
    settings: dict[str, Any] = {} if publish is None else {"publish": publish}
    settings |= {"nominal": True} if kind == "nominal" else {}
    weight = draw(st.sampled_from([None, None, 2, 0.3, "1/7"]))
    if weight is not None:
        settings["weight"] = weight
    if kind == "order":
        labels = ENDS if publish is not None else ODD_TEXTS
        of_type = st.sampled_from(labels) if type_ == "varchar" else KINDS[type_]
        values = draw(columns(size, of_type))
        more = ["an unused value"] * draw(st.integers(0, 1))
        order: list[str] = draw(st.permutations([*_used(values), *more])) or ["an unused value"]
        return Attribute(name, type_, values, {**settings, "order": order})
    kind = None if kind == "nominal" else kind
    # A text that stands for itself may be any text.
    texts = kind is None and type_ == "varchar"
    values = draw(columns(size, st.sampled_from(ODD_TEXTS) if texts else KINDS[type_]))
    if kind is None or not _used(values):
        settings.pop("publish", None) if publish == "lca" else None
        return Attribute(name, type_, values, settings)
    return Attribute(name, type_, values, settings, draw(hierarchies(kind, name, type_, values)))


@st.composite
def sensitive_attributes(draw: st.DrawFn, name: str, size: int, form: Form) -> Attribute:
    """A sensitive attribute of a form."""
    type_, kind, order = form
    texts = kind is None and order is None and type_ == "varchar"
    values = draw(columns(size, st.sampled_from(ODD_TEXTS) if texts else KINDS[type_]))
    if kind is not None and _used(values):
        hierarchy = draw(hierarchies(kind, name, type_, values))
        return Attribute(name, type_, values, {"distance": "hierarchical"}, hierarchy)
    if order is None:
        return Attribute(name, type_, values, draw(st.sampled_from([{}, {"distance": "equal"}])))
    if order == "list":
        order = draw(st.permutations([*_used(values), "an unused value"]))
    return Attribute(
        name,
        type_,
        values,
        {"distance": "ordered"} | ({} if order == "default" else {"order": order}),
    )


@st.composite
def drawn_releases(
    draw: st.DrawFn,
    most: int = 14,
    hidden_form: Form | None = None,
    sensitive_form: Form | None = None,
) -> Drawn:
    """A table of 1 to ``most`` records with a spec that can be met.

    Args:
        draw: hypothesis's.
        most: the greatest number of records.
        hidden_form: the form of the first quasi-identifier.
        sensitive_form: the form of the first sensitive attribute.
    """
    size = most - draw(st.integers(0, most - 1))
    names = iter(draw(st.permutations(NAMES)))
    source, release = draw(st.permutations(TABLES))[:2]
    forms = [hidden_form or draw(st.sampled_from(HIDDEN_FORMS))]
    forms += draw(st.lists(st.sampled_from(HIDDEN_FORMS), max_size=2))
    hidden = [draw(hidden_attributes(next(names), size, form)) for form in forms]
    forms = [sensitive_form or draw(st.sampled_from(SENSITIVE_FORMS))]
    forms += draw(st.lists(st.sampled_from(SENSITIVE_FORMS), max_size=2))
    sensitive = [draw(sensitive_attributes(next(names), size, form)) for form in forms]
    others: dict[str, tuple[Attribute, ...]] = {}
    if draw(st.booleans()):
        values = draw(columns(size, st.sampled_from(ODD_TEXTS)))
        others["insensitive"] = (Attribute(next(names), "varchar", values),)
    if draw(st.booleans()):
        others["key"] = (Attribute(next(names), "integer", tuple(range(size))),)
    if draw(st.booleans()):
        others["identifiers"] = (Attribute(next(names), "integer", tuple(range(size))),)
    return Drawn(
        source,
        release,
        tuple(hidden),
        tuple(sensitive),
        others,
        min(size, draw(st.sampled_from([2, 3, 4, 1, size]))),
        draw(st.sampled_from([0, 1, 42, 2**31 - 2])),
        draw(st.sampled_from([None, None, "frequency", "value", "snake"])),
        draw(st.sampled_from(["none", "none", "curve", "stripes"])),
        draw(st.sampled_from(["table", "table", "view"])),
    )
